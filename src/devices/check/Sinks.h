//===- Sinks.h - Where it matters that nobody has written a value --------------------------===//
//
// What a branch asks, what a message is told and given. Copies and arithmetic do not matter:
// an element that nobody has written may be copied along with its vector, as long as nobody
// uses it; what the optimizer computes ahead of a branch may depend on it, too.
//
//     scatter(%on, ..., %out, ..., %places, %data)   ->   the lanes of the places and of the data that are on
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <string>

namespace pocm::check {

/// An operand that must be written.
struct Sink {
  llvm::Value *V;
  std::string What;              ///< "data of the scattered write".
  llvm::BitVector Elements = {}; ///< Which of them; empty: all.
  llvm::Value *Lanes = nullptr;  ///< Flags of those that count; null: all.
  unsigned Bits = 0;             ///< How many of each element, from the lowest; 0: all.
};

llvm::SmallVector<Sink, 4> sinksOf(llvm::Instruction &I);

} // namespace pocm::check
