//===- EmitTraps.h - What the finalizer makes wrong code of -------------------------------===//
//
//     add (M1, 8) V1_b(0,2)<1> V1_b(0,2)<1;1,0> V1_b(0,1)<1;1,0>     bytes computed in place, in two halves
//     cmp.le (M1, 8) P1 V3_ub(0,0)<1;1,0> 0:uw                       of what all channels compute alike
//
// Whether an instruction would be one of those that docs/finalizer.md lists, which EmitVectors.cpp emits in another way
// then. Only questions: nothing is appended here.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Bales.h"
#include "codegen/gen/GenTarget.h"
#include "codegen/gen/Variables.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

namespace pocm::gen {

/// What a bale moves.
Source movedBy(const Bale &B);
llvm::SmallVector<Source, 4> sourcesOf(const Bale &B);
/// The number that all elements of a constant are, or null.
llvm::ConstantInt *numberOf(llvm::Value *V);

/// Whether the smallest number may be negated here for those who see its sign.
bool isWrapSeen(llvm::Instruction &I);

/// What depends on the target, and on who shares a variable.
class EmitTraps {
public:
  EmitTraps(llvm::ArrayRef<llvm::Function *> Functions, const Variables &Registers, const GenTarget &Target)
      : Functions(Functions), Registers(Registers), Target(Target) {}

  /// Whether bytes are read and written in one variable, not each channel's where it was.
  bool shiftsBytesInPlace(const Bale &B) const;
  /// The same where the finalizer itself would read what was moved from where it lay, or write where it goes.
  bool isLookedThrough(const Bale &B) const;
  /// Whether the finalizer would make a word of a factor, and get the upper half of the product wrong.
  bool needsWholeDword(const llvm::Instruction &I, llvm::Value *Factor) const;
  /// Whether a bale moves such a factor's number to where the product reads it, one among others: the finalizer looks
  /// through the move.
  bool isMovedAsFactor(const Bale &B, const Source &Moved) const;
  /// Whether an extension is read by what the finalizer gets wrong when it reads the narrow integer instead.
  bool isTakenAsDword(llvm::Instruction &I) const;
  /// Whether an instruction narrows products and sums to halves, of which the finalizer would make sums of halves.
  static bool isNarrowedSum(const llvm::Instruction &I);
  /// Whether the finalizer would keep the narrow integers of an extension aside, and read those.
  bool isKeptNarrow(const Bale &B);
  /// Whether integers are compared with 0 that are computed for one channel only, as another type, or in two parts.
  bool isComparedTooEarly(const llvm::CmpInst &I) const;

private:
  const llvm::ArrayRef<llvm::Function *> Functions;
  const Variables &Registers;
  const GenTarget &Target;
  llvm::BitVector Addressed; // variables by their numbers

  bool comesFromWhereItGoes(const Bale &B, const Source &Moved) const;
  bool goesWhereItComesFrom(const Bale &B, const Source &Moved) const;
  bool isProductByParts(const llvm::Instruction &I) const;
  bool isAddressed(unsigned Variable);
  bool mayWrite(const llvm::Instruction &I, const Source &Read);
  bool isComparedInPairs(const llvm::CmpInst &I) const;
};

} // namespace pocm::gen
