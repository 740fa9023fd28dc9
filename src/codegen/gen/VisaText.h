//===- VisaText.h - Statements of vISA text taken apart ---------------------------===//
//
// What the reader (VisaReader.h) knows of how vISA is written; nothing of it is the emitter's.
//
//===----------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace pocm::gen {

/// Bytes of an element whose type has these letters; 0 where no type has them.
unsigned sizeOfLetter(llvm::StringRef Letter);

/// The words of a statement: blanks inside (), <> and [] do not end one.
llvm::SmallVector<llvm::StringRef, 8> wordsOf(llvm::StringRef Line);

/// What a declaration gives for a key: "G" of " v_type=G".
llvm::StringRef valueOf(llvm::StringRef Statement, llvm::StringRef Key);

/// "V3(1,2)<4;2,1>" taken apart.
struct DirectOperand {
  llvm::StringRef Name;
  int Row = 0, Column = 0;
  llvm::SmallVector<int, 3> Region;
};
/// None where a word is no such operand.
std::optional<DirectOperand> directOperand(llvm::StringRef Word);

/// The word in which an instruction that is a message writes, counted from the end when it is negative; 0 where it
/// writes nowhere; none where the instruction is no message.
std::optional<int> destinationOf(llvm::StringRef Name);

/// Bytes of the result of a message, as far as its name says: dwords or more of each channel.
unsigned resultBytes(llvm::StringRef Name, llvm::StringRef Operand, int Channels);

} // namespace pocm::gen
