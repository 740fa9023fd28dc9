//===- Print.cpp - What kernels print --------------------------------------------------===//
//
// Every field of a record was written by a kernel and is checked before it is used: a
// kernel may write anywhere in its own surfaces, and this buffer is one of them.
//
//===----------------------------------------------------------------------===//
#include "runtime/Print.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>

namespace pocm::runtime {
namespace {

constexpr std::uint32_t headerBytes = 16;
enum Kind : std::uint32_t { Signed = 1, Unsigned = 2, Float = 3, String = 4, Object = 5 };

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 15) / 16 * 16; }

struct Argument {
  std::uint32_t kind = 0, bytes = 0;
  std::uint64_t value = 0;
  std::string text;
  std::vector<Argument> elements; // of a vector or matrix
  std::uint32_t columns = 0;      // of a matrix
};

/// Floats of 4 bytes are printed as doubles, as C does.
void widen(Argument &a) {
  if (a.kind != Float || a.bytes != 4)
    return;
  a.value = std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(std::uint32_t(a.value))));
  a.bytes = 8;
}

/// What stands behind the argument of a vector or matrix.
void readElements(Argument &a, std::span<const std::uint8_t> bytes) {
  a.columns = std::uint32_t(a.value);
  Argument element{std::uint32_t(a.value >> 32) & 0xFF, std::uint32_t(a.value >> 40), 0, {}, {}, 0};
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::memcpy(&element.value, bytes.data(), 8);
    a.elements.push_back(element);
    widen(a.elements.back());
  }
}

std::vector<Argument> argumentsOf(std::span<const std::uint8_t> rest, std::uint32_t count) {
  std::vector<Argument> all;
  while (all.size() < count && rest.size() >= headerBytes) {
    Argument a;
    std::memcpy(&a.kind, rest.data(), 4);
    std::memcpy(&a.bytes, rest.data() + 4, 4);
    std::memcpy(&a.value, rest.data() + 8, 8);
    rest = rest.subspan(headerBytes);
    if (a.kind == String) {
      if (padded(a.bytes) > rest.size())
        break;
      a.text.assign(reinterpret_cast<const char *>(rest.data()),
                    strnlen(reinterpret_cast<const char *>(rest.data()), a.bytes));
      rest = rest.subspan(padded(a.bytes));
    } else if (a.kind == Object) {
      if (padded(a.bytes) > rest.size())
        break;
      readElements(a, rest.first(a.bytes));
      rest = rest.subspan(padded(a.bytes));
    }
    widen(a);
    all.push_back(std::move(a));
  }
  return all;
}

template <class T> std::string formatted(const std::string &specification, T value) {
  constexpr int most = 4096; // what a width or precision asks for beyond that is cut off
  std::array<char, most> text;
  int n = std::snprintf(text.data(), text.size(), specification.c_str(), value);
  return {text.data(), std::size_t(std::clamp(n, 0, most - 1))};
}

/// What %v is for an argument: whatever shows it.
char conversionFor(const Argument &a) {
  switch (a.kind) {
  case Signed:
    return 'd';
  case Unsigned:
    return 'u';
  case String:
    return 's';
  default:
    return 'g';
  }
}

/// One conversion: flags, width and precision as they stand in the format, without a length.
std::string convert(const std::string &flags, char conversion, const Argument &a) {
  if (conversion == 'v')
    conversion = conversionFor(a);
  double number;
  std::memcpy(&number, &a.value, sizeof(number));
  auto integer = [&]() -> std::int64_t {
    constexpr double most = 9.2e18;
    if (a.kind != Float)
      return std::int64_t(a.value);
    return number == number ? std::int64_t(std::clamp(number, -most, most)) : 0;
  };
  switch (conversion) {
  case 'd':
  case 'i':
    return formatted(flags + "lld",
                     static_cast<long long>(a.kind != Float && a.bytes == 4 ? std::int32_t(a.value) : integer()));
  case 'u':
  case 'o':
  case 'x':
  case 'X':
    return formatted(
        flags + "ll" + conversion,
        static_cast<unsigned long long>(a.bytes == 4 ? std::uint32_t(integer()) : std::uint64_t(integer())));
  case 'c':
    return formatted(flags + "c", int(integer()));
  case 's':
    return formatted(flags + "s", a.kind == String ? a.text.c_str() : "?");
  default:
    return formatted(flags + conversion, a.kind == Float      ? number
                                         : a.kind == Unsigned ? double(a.value)
                                                              : double(integer()));
  }
}

/// The same of every element of a vector or matrix.
std::string convertAll(const std::string &flags, char conversion, const Argument &a) {
  if (a.kind != Object)
    return convert(flags, conversion, a);
  std::string text;
  for (std::size_t k = 0; k < a.elements.size(); ++k)
    text += (k == 0 ? "" : a.columns && k % a.columns == 0 ? "\n" : " ") + convert(flags, conversion, a.elements[k]);
  return text;
}

} // namespace

std::string formatRecord(std::span<const std::uint8_t> record, std::uint32_t formatBytes, std::uint32_t arguments) {
  if (padded(formatBytes) > record.size())
    return "";
  std::string format(reinterpret_cast<const char *>(record.data()),
                     strnlen(reinterpret_cast<const char *>(record.data()), formatBytes));
  std::vector<Argument> all = argumentsOf(record.subspan(padded(formatBytes)), arguments);
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      text += '%';
      ++i;
      continue;
    }
    std::size_t end = format.find_first_not_of("-+ #0123456789.", i + 1);
    std::string flags = format.substr(i, std::min(end, format.size()) - i);
    while (end < format.size() && std::strchr("hlLqjzt", format[end]))
      ++end;
    constexpr std::size_t longest = 16; // of flags, width and precision together
    if (end >= format.size() || !std::strchr("diuoxXcsfFeEgGaAv", format[end]) || next >= all.size() ||
        flags.size() > longest) {
      text += '%'; // as it stands: there is nothing to print
      continue;
    }
    text += convertAll(flags, format[end], all[next++]);
    i = end;
  }
  return text;
}

PrintBuffer::PrintBuffer(Heap &heap, std::uint64_t bytes)
    : buffer(Memory::buffer(heap, std::max<std::uint64_t>(bytes, headerBytes))) {
  buffer->writeNow(&headerBytes, sizeof(headerBytes), 0);
}

std::uint32_t printedBytes(const Memory &buffer) {
  std::uint32_t used;
  buffer.readNow(&used, sizeof(used), 0);
  return used;
}

namespace {
/// Calls visit(header, the rest of the record) for each whole record from byte `from` on, until it says no. Returns
/// where the last one ended.
template <class Visit> std::uint64_t eachRecord(const Memory &buffer, std::uint64_t from, Visit visit) {
  const std::uint64_t end = std::min<std::uint64_t>(printedBytes(buffer), buffer.geometry().width);
  if (from >= end)
    return from;
  std::vector<std::uint8_t> bytes(end - from);
  buffer.readNow(bytes.data(), bytes.size(), from);
  std::uint64_t at = 0;
  while (at + headerBytes <= bytes.size()) {
    std::uint32_t header[4];
    std::memcpy(header, bytes.data() + at, sizeof(header));
    if (header[0] < headerBytes || at + header[0] > bytes.size())
      break;
    if (!visit(header, std::span(bytes).subspan(at + headerBytes, header[0] - headerBytes)))
      break;
    at += header[0];
  }
  return from + at;
}
} // namespace

std::string failedAssertion(const Memory &buffer, std::uint32_t from) {
  constexpr std::uint32_t assertion = 1;
  std::string failed;
  eachRecord(buffer, from, [&](const std::uint32_t *header, std::span<const std::uint8_t> rest) {
    if (header[3] != assertion)
      return true;
    failed = formatRecord(rest, header[1], header[2]);
    failed.resize(failed.find_last_not_of('\n') + 1);
    return false;
  });
  return failed;
}

std::string PrintBuffer::text() {
  buffer->waitUntilFree();
  const std::uint64_t capacity = buffer->geometry().width, used = printedBytes(*buffer);
  std::string text;
  const std::uint64_t at =
      eachRecord(*buffer, headerBytes, [&](const std::uint32_t *header, std::span<const std::uint8_t> rest) {
        text += formatRecord(rest, header[1], header[2]);
        return true;
      });
  if (used > capacity)
    text += "(the print buffer of " + std::to_string(capacity) + " bytes is full; " + std::to_string(used - at) +
            " bytes of output are lost)\n";
  return text;
}

void PrintBuffer::clear() {
  buffer->fillNow(0);
  buffer->writeNow(&headerBytes, sizeof(headerBytes), 0);
}

std::string PrintBuffer::take() {
  std::string all = text();
  clear();
  return all;
}

} // namespace pocm::runtime
