//===- ArgumentText.h - Texts of kernel arguments -----------------------------------------===//
//
// What --arg of cmrun and gensim have in common: scalars, files, and key=value pairs.
//
//     int:42   float:0.5,1,2   buffer:in=FILE,out=FILE
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace argument {

using Bytes = std::vector<std::uint8_t>;

/// Throws what a user wrote wrongly.
template <class... Args> [[noreturn]] void fail(fmt::format_string<Args...> format, Args &&...args) {
  throw std::runtime_error(fmt::format(format, std::forward<Args>(args)...));
}

std::vector<std::string> split(std::string_view text, char at);
Bytes readFile(const std::string &path);
void writeFile(const std::string &path, const Bytes &bytes);

struct ScalarType {
  const char *name;
  void (*parse)(Bytes &, const std::string &, const char *);
};
/// The type of that name; null when there is none.
const ScalarType *scalarTypeNamed(std::string_view name);

/// The key=value pairs behind "buffer:" and "image:". Every key must be asked for.
class Options {
public:
  Options(const std::string &text, std::initializer_list<std::string_view> known);
  bool has(const std::string &key) const { return values.contains(key); }
  std::string text(const std::string &key) const;
  std::string file(const std::string &key) const;
  /// A count from 1 to `most`; 0 when the key is absent.
  std::uint32_t number(const std::string &key, std::uint32_t most) const;

private:
  std::map<std::string, std::string> values;
};

} // namespace argument
