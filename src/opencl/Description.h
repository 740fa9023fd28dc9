//===- Description.h - YAML as a tree ------------------------------------------------------===//
#pragma once

#include "opencl/Binary.h"
#include <map>

namespace pocm::opencl {

/// A node of a YAML document: a text, a list, or pairs.
struct Description {
  std::string text;
  std::vector<Description> items;
  std::map<std::string, Description> pairs;

  /// The value of a key; an empty node when there is none.
  const Description &operator[](const std::string &key) const;
  bool has(const std::string &key) const { return pairs.contains(key); }
  /// A number from 0 to 2^32 - 1; `otherwise` when the key is absent. Throws Problem for any other text.
  std::uint32_t number(const std::string &key, std::uint32_t otherwise = 0) const;
  const std::string &textOf(const std::string &key) const { return (*this)[key].text; }
};

/// Parses a document. Throws Problem with the parser's words.
Description parseDescription(std::string_view text);

} // namespace pocm::opencl
