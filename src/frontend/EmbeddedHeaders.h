//===- EmbeddedHeaders.h - include/cm inside the library ----------------------===//
#pragma once

#include <span>
#include <string_view>

namespace pocm::frontend {

struct EmbeddedHeader {
  std::string_view path, text; ///< "cm/cm.h" and its contents.
};
/// Generated at build time from include/cm.
std::span<const EmbeddedHeader> embeddedHeaders();

} // namespace pocm::frontend
