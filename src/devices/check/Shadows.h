//===- Shadows.h - Which bits of values nobody has written, found out at run time ----------===//
//
// Beside a value of which any element may be unwritten (MayBeUnwritten.h) the kernel
// computes its shadow, an integer of the same size with a 1 for each bit that nobody has
// written and no written bit decides:
//
//     %b = and i32 %a, 255                %b.shadow = and i32 %a.shadow, 255
//     %c = select i1 %on, %b, %x          %c.shadow = select i1 %on, %b.shadow, 0
//
// Beside a variable in memory (Frame.h) lies one of the same size, all ones where its life begins.
//
// Where it cannot say exactly, a result is as unwritten as anything in it, but for sums,
// whose carries count as written: no false alarm for fields that are packed by sums.
//
// Needs:    nameUndefined: no operand is undefined.
// Not done: products of matrices, which count as written but for their accumulators.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "devices/check/MayBeUnwritten.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include <string>

namespace pocm::check {

class Shadows {
public:
  explicit Shadows(const MayBeUnwritten &May) : May(May) {}

  /// Null when all is written. Made right behind the value when it is asked for first.
  llvm::Value *of(llvm::Value *V);
  /// Keeps shadows of variables in memory of which something unwritten may be read. Before anything else is asked for.
  void followMemory(llvm::Function &F);
  /// The variables that what is unwritten in V comes from, as far as they are known: at most two names.
  std::string originOf(llvm::Value *V) const;

private:
  using Builder = llvm::IRBuilder<>;

  llvm::Value *full(llvm::Value *V);
  llvm::Value *make(Builder &B, llvm::Instruction &I);
  llvm::Value *ofBinary(Builder &B, llvm::BinaryOperator &I);
  llvm::Value *ofBits(Builder &B, llvm::BinaryOperator &I);
  llvm::Value *ofShift(Builder &B, llvm::Instruction &I);
  llvm::Value *ofCast(Builder &B, llvm::CastInst &I);
  llvm::Value *ofCompare(Builder &B, llvm::ICmpInst &I);
  llvm::Value *ofSelect(Builder &B, llvm::SelectInst &I);
  llvm::Value *ofReduction(Builder &B, llvm::IntrinsicInst &I);
  llvm::Value *ofOperation(Builder &B, llvm::CallInst &I);
  llvm::Value *ofRead(Builder &B, llvm::Instruction &I);
  llvm::Value *eachFrom(Builder &B, llvm::Instruction &I);
  llvm::Value *allFrom(Builder &B, llvm::Instruction &I);
  llvm::Value *chosen(Builder &B, llvm::Value *Shadow, llvm::Value *Index);

  void beginLives(llvm::AllocaInst &Variable);
  void write(llvm::Instruction &I);
  llvm::Value *besides(llvm::Value *Pointer);

  const MayBeUnwritten &May;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Made;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Beside; ///< Of pointers to variables, those to their shadows.
};

/// Flags of elements of which any bit is set.
llvm::Value *anyBit(llvm::IRBuilderBase &B, llvm::Value *Shadow);
/// What lanes have, for values of several elements of each lane, that of the first lane's first.
llvm::Value *repeated(llvm::IRBuilderBase &B, llvm::Value *Lanes, llvm::Type *Shape);

} // namespace pocm::check
