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

/// The bytes that an operand means: of which variable, and where each channel's element begins. Of what a message takes
/// in whole registers: the bytes of it that the source defines.
struct OperandBytes {
  std::string Variable;
  unsigned ElementBytes = 0;
  std::vector<int> Offsets;
  bool All = false; ///< A message takes them, and all have to be written before.
  bool operator==(const OperandBytes &) const = default;
};

/// By the line of the text, from 1 on, and the operand's word in the instruction, whose name is word 0: a predicate
/// before it does not count. A word with several variables has several.
using ExpectedBytes = std::map<std::pair<unsigned, unsigned>, std::vector<OperandBytes>>;

struct ReadingResult {
  unsigned Instructions = 0, Compared = 0; ///< Compared: operands found in the expectation.
  std::vector<std::string> Problems;       ///< "line 12: V3(0,0)<1> ends at byte 68 of V3, which has 64".
};

ReadingResult readVisa(const std::string &Text, const GenTarget &Target, const ExpectedBytes &Expected);

} // namespace pocm::gen
