//===- Print.cpp - What a kernel's printf calls have left ------------------------------------===//
#include "opencl/Print.h"
#include "opencl/Binary.h"
#include <cstring>
#include <fmt/format.h>
#include <fmt/printf.h>

namespace pocm::opencl {
namespace {

enum class ValueType : std::uint32_t {
  Byte = 1,
  Short,
  Int,
  Float,
  String,
  Long,
  Pointer,
  Double,
  VectorByte,
  VectorShort,
  VectorInt,
  VectorLong,
  VectorFloat,
  VectorDouble
};

/// "%-8.3v4hlf": everything but the conversion, `v4` and the length, which the value's type says.
struct Conversion {
  std::string flags;
  char letter = 0;
};

class Records {
public:
  Records(std::span<const std::uint8_t> bytes, const PrintStrings &strings) : rest(bytes), strings(strings) {}

  std::string text() {
    while (!rest.empty())
      print(string());
    return std::move(out);
  }

private:
  template <class T> T take() {
    T value;
    if (rest.size() < sizeof(T))
      throw Problem("a kernel's printf has left a record that is cut short");
    std::memcpy(&value, rest.data(), sizeof(T));
    rest = rest.subspan(sizeof(T));
    return value;
  }
  std::string string() { return strings.find(strings.byAddress ? take<std::uint64_t>() : take<std::uint32_t>()); }

  void print(const std::string &format) {
    for (std::size_t at = 0; at < format.size();) {
      if (format[at] != '%') {
        out += format[at++];
      } else if (format.compare(at, 2, "%%") == 0) {
        out += '%';
        at += 2;
      } else {
        value(conversionAt(format, at));
      }
    }
  }

  static Conversion conversionAt(const std::string &format, std::size_t &at) {
    constexpr std::size_t longest = 16; // widths of more digits are nobody's
    std::size_t flags = format.find_first_not_of("-+ #0123456789.", at + 1);
    std::size_t end = format.find_first_of("diouxXaAeEfFgGcsp", flags == format.npos ? at : flags);
    if (end == format.npos || flags - at > longest)
      throw Problem("a kernel's printf has a conversion that is not supported: " + format.substr(at, longest));
    Conversion c{format.substr(at, flags - at), format[end]};
    at = end + 1;
    return c;
  }

  template <class T> void number(const Conversion &c, unsigned count = 1) {
    for (unsigned n = 0; n < count; ++n) {
      if (n)
        out += ',';
      T v = take<T>();
      if constexpr (std::is_floating_point_v<T>)
        out += fmt::sprintf(c.flags + c.letter, double(v));
      else if (c.letter == 'd' || c.letter == 'i' || c.letter == 'c')
        out += fmt::sprintf(c.flags + c.letter, v);
      else
        out += fmt::sprintf(c.flags + c.letter, std::make_unsigned_t<T>(v));
    }
    constexpr std::size_t unit = 4; // small values have the room of one
    if (std::size_t room = sizeof(T) < unit ? (unit - sizeof(T)) * count : 0; room <= rest.size())
      rest = rest.subspan(room);
  }

  template <class T> void vector(const Conversion &c) {
    constexpr std::uint32_t most = 16;
    auto count = take<std::uint32_t>();
    if (count > most)
      throw Problem("a kernel's printf has left a vector of " + std::to_string(count) + " values");
    number<T>(c, count);
  }

  void value(const Conversion &c) {
    auto type = ValueType(take<std::uint32_t>());
    bool isFloat = type == ValueType::Float || type == ValueType::Double || type >= ValueType::VectorFloat;
    bool wantsFloat = std::strchr("aAeEfFgG", c.letter);
    if ((c.letter == 's') != (type == ValueType::String) || isFloat != wantsFloat)
      throw Problem(fmt::format("a kernel's printf has a value of type {} for %{}", std::uint32_t(type), c.letter));
    switch (type) {
    case ValueType::Byte:
      return number<std::int8_t>(c);
    case ValueType::Short:
      return number<std::int16_t>(c);
    case ValueType::Int:
      return number<std::int32_t>(c);
    case ValueType::Float:
      return number<float>(c);
    case ValueType::String:
      out += fmt::sprintf(c.flags + "s", string());
      return;
    case ValueType::Long:
      return number<std::int64_t>(c);
    case ValueType::Pointer:
      out += fmt::format("{:#x}", take<std::uint64_t>());
      return;
    case ValueType::Double:
      return number<double>(c);
    case ValueType::VectorByte:
      return vector<std::int8_t>(c);
    case ValueType::VectorShort:
      return vector<std::int16_t>(c);
    case ValueType::VectorInt:
      return vector<std::int32_t>(c);
    case ValueType::VectorLong:
      return vector<std::int64_t>(c);
    case ValueType::VectorFloat:
      return vector<float>(c);
    case ValueType::VectorDouble:
      return vector<double>(c);
    }
    throw Problem("a kernel's printf has left a value of type " + std::to_string(std::uint32_t(type)));
  }

  std::span<const std::uint8_t> rest;
  const PrintStrings &strings;
  std::string out;
};

} // namespace

std::string textOf(std::span<const std::uint8_t> records, const PrintStrings &strings) {
  return Records(records, strings).text();
}

} // namespace pocm::opencl
