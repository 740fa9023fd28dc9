//===- Origin.h - Where vISA comes from ---------------------------------------------------===//
#pragma once

#include <compare>
#include <string>

namespace pocm::gen {

/// A line of the source.
struct SourceLine {
  std::string File;
  unsigned Line = 0;
  auto operator<=>(const SourceLine &) const = default;
};

/// What a line of vISA text comes from; without debug information nothing is known but the pressure.
struct VisaLine {
  SourceLine Source;
  unsigned LiveBytes = 0;
};

} // namespace pocm::gen
