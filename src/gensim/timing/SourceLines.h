//===- SourceLines.h - Which source line an instruction comes from ---------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pocm::gensim::timing {

struct SourceLines {
  struct Line {
    std::uint32_t file = 0, line = 0; ///< Line 0: it is not known.
  };
  std::vector<std::string> files;
  std::vector<Line> ofInstructions; ///< Empty when nothing is known.

  Line of(std::size_t instruction) const {
    return instruction < ofInstructions.size() ? ofInstructions[instruction] : Line();
  }
};

} // namespace pocm::gensim::timing
