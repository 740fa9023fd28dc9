//===- ArgumentText.cpp - Texts of kernel arguments ---------------------------------------===//
#include "ArgumentText.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace argument {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

Bytes readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  int why = file ? 0 : errno;
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown))
    why = EISDIR;
  if (why)
    fail("cannot read '{}': {}", path, std::strerror(why));
  Bytes bytes;
  char part[1 << 16];
  while (file.read(part, sizeof(part)), file.gcount() > 0) // pipes do not say how long they are
    bytes.insert(bytes.end(), part, part + file.gcount());
  return bytes;
}

void writeFile(const std::string &path, const Bytes &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()), std::streamsize(bytes.size()));
  if (!file.flush())
    fail("cannot write '{}': {}", path, std::strerror(errno));
}

namespace {

template <class T> void append(Bytes &block, T value) {
  const auto *p = reinterpret_cast<const std::uint8_t *>(&value);
  block.insert(block.end(), p, p + sizeof(T));
}

template <class T> void appendInteger(Bytes &block, const std::string &text, const char *type) {
  std::string_view digits = text;
  bool negative = digits.starts_with('-');
  if (negative)
    digits.remove_prefix(1);
  int base = digits.starts_with("0x") || digits.starts_with("0X") ? 16 : 10;
  if (base == 16)
    digits.remove_prefix(2);
  unsigned long long magnitude = 0;
  auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (digits.empty() || end != digits.data() + digits.size() || problem == std::errc::invalid_argument)
    fail("'{}' is not a whole number", text);
  constexpr auto most = static_cast<unsigned long long>(std::numeric_limits<T>::max());
  unsigned long long limit = negative ? (std::is_signed_v<T> ? most + 1 : 0) : most;
  if (problem == std::errc::result_out_of_range || magnitude > limit)
    fail("{} does not fit {}, which holds {} to {}", text, type, +std::numeric_limits<T>::min(),
         +std::numeric_limits<T>::max());
  append(block, T(negative ? 0 - magnitude : magnitude));
}

template <class T> void appendFloat(Bytes &block, const std::string &text, const char *type) {
  char *end = nullptr;
  errno = 0;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    fail("'{}' is not a number", text);
  const bool beyondDouble = errno == ERANGE && std::isinf(value); // "inf" is no error
  if (beyondDouble || (std::isfinite(value) && !std::isfinite(double(T(value)))))
    fail("{} does not fit {}", text, type);
  append(block, T(value));
}

constexpr ScalarType scalarTypes[] = {
    {"char", appendInteger<std::int8_t>},
    {"uchar", appendInteger<std::uint8_t>},
    {"short", appendInteger<std::int16_t>},
    {"ushort", appendInteger<std::uint16_t>},
    {"int", appendInteger<std::int32_t>},
    {"uint", appendInteger<std::uint32_t>},
    {"longlong", appendInteger<std::int64_t>},
    {"ulonglong", appendInteger<std::uint64_t>},
    {"bool", appendInteger<std::uint8_t>},
    {"half", appendFloat<_Float16>},
    {"float", appendFloat<float>},
    {"double", appendFloat<double>},
};

} // namespace

const ScalarType *scalarTypeNamed(std::string_view name) {
  for (const ScalarType &type : scalarTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

Options::Options(const std::string &text, std::initializer_list<std::string_view> known) {
  for (const std::string &part : split(text, ',')) {
    std::size_t equals = part.find('=');
    std::string key = part.substr(0, equals);
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail("'{}' is none of: {}", key, fmt::join(known, ", "));
    if (!values.emplace(key, equals == std::string::npos ? "" : part.substr(equals + 1)).second)
      fail("'{}' is given twice", key);
  }
}

std::string Options::text(const std::string &key) const {
  auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

std::string Options::file(const std::string &key) const {
  if (has(key) && text(key).empty())
    fail("{}= needs a file name", key);
  return text(key);
}

std::uint32_t Options::number(const std::string &key, std::uint32_t most) const {
  if (!has(key))
    return 0;
  std::string value = text(key);
  std::uint32_t n = 0;
  auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (problem != std::errc() || end != value.data() + value.size() || n == 0 || n > most)
    fail("{}={} must be a number from 1 to {}", key, value, most);
  return n;
}

} // namespace argument
