//===- VisaReader.h - A second opinion on vISA text -------------------------------------------===//
//
// Reads what the emitter wrote, with nothing of the emitter's, and checks it: rules that the
// finalizer does not hold anybody to (a region that leaves its variable, an indirect offset
// that does not fit) or only complains of later, and that each operand names the bytes that
// the bale meant.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/GenTarget.h"
#include <map>
#include <string>
#include <vector>

namespace pocm::gen {

/// The bytes that an operand of so many channels means: of which variable, and where each channel's element begins.
struct OperandBytes {
  std::string Variable;
  unsigned ElementBytes = 0;
  std::vector<int> Offsets;
  bool operator==(const OperandBytes &) const = default;
};

/// By the operand's text, without modifiers, and the number of channels. What a message takes goes by the variable's
/// name and 0: the bytes of it that the source defines.
using ExpectedBytes = std::map<std::pair<std::string, int>, OperandBytes>;

struct ReadingResult {
  unsigned Instructions = 0, Compared = 0; ///< Compared: operands found in the expectation.
  std::vector<std::string> Problems;       ///< "line 12: V3(0,0)<1> ends at byte 68 of V3, which has 64".
};

ReadingResult readVisa(const std::string &Text, const GenTarget &Target, const ExpectedBytes &Expected);

} // namespace pocm::gen
