//===- VisaForms.h - Instructions that the finalizer gets wrong by themselves ---------------===//
//
//     add (M1, 8) V1_b(0,2)<1> V1_b(0,2)<1;1,0> V1_b(0,1)<1;1,0>   ->   'V1_b(0,1)<1;1,0>' is read in place ...
//     mad (M1, 32) V1_hf(0,0)<1> ...                               ->   'mad' of 32 halves rounds twice
//
// A part of the second reader: what is seen of one instruction alone, of the list in docs/finalizer.md. What takes
// several to see is VisaTraps.h's.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/VisaReader.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace pocm::gen {

/// Whether a type's letters are those of a floating-point one.
inline bool isFloatLetter(llvm::StringRef Letter) {
  return Letter == "f" || Letter == "hf" || Letter == "df" || Letter == "bf";
}

/// An operand; of immediates only the text.
struct VisaOperand {
  llvm::StringRef Text;
  llvm::StringRef Letter;         // of its type
  unsigned Bytes = 0;             // of an element
  bool AtRunTime = false;         // r[A1(0),0]
  int Width = 1;                  // elements of a row
  bool Aligned = false;           // its variable begins with a register
  std::optional<OperandBytes> Of; // where that is known

  bool isRegister() const { return AtRunTime || Of; }
  /// Each channel's element is chosen by an address of its own.
  bool isChosen() const { return AtRunTime && Text.contains("]<1,0>"); }
};

struct VisaInstruction {
  llvm::StringRef Name;
  bool Saturates = false;
  int Channels = 0;
  VisaOperand To;
  llvm::SmallVector<VisaOperand, 3> From;
};

/// What the finalizer makes wrong code of, in words; empty where that is not known of it.
std::string wrongForm(const VisaInstruction &I, const GenTarget &Target);

} // namespace pocm::gen
