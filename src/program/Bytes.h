//===- Bytes.h - Numbers and names as bytes, and back ----------------------===//
//
// Little endian; a name is a u32 length and its bytes. A reader checks every length.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"

namespace pocm::program {

using Bytes = std::vector<std::uint8_t>;

[[noreturn]] inline void damaged(const char *what) { throw Error(std::string("the program file is damaged: ") + what); }

class Writer {
public:
  Bytes bytes;
  template <class T> void number(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(std::uint8_t(std::uint64_t(value) >> (8 * i)));
  }
  void text(const std::string &s) {
    number(std::uint32_t(s.size()));
    bytes.insert(bytes.end(), s.begin(), s.end());
  }
  void append(std::span<const std::uint8_t> more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
};

/// Throws Error where the bytes end too early.
class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> bytes) : rest(bytes) {}
  template <class T> T number() {
    if (rest.size() < sizeof(T))
      damaged("it ends inside a number");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= std::uint64_t(rest[i]) << (8 * i);
    rest = rest.subspan(sizeof(T));
    return T(value);
  }
  std::string text() {
    auto size = number<std::uint32_t>();
    if (rest.size() < size)
      damaged("it ends inside a name");
    std::string s(rest.begin(), rest.begin() + size);
    rest = rest.subspan(size);
    return s;
  }
  /// A count of things that take at least `least` bytes each.
  std::uint32_t count(std::size_t least) {
    auto n = number<std::uint32_t>();
    if (n > rest.size() / least)
      damaged("it promises more entries than it holds");
    return n;
  }
  std::span<const std::uint8_t> rest;
};

} // namespace pocm::program
