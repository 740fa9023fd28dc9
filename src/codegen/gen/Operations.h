//===- Operations.h - The parts of gen-operations --------------------------------------------===//
//
// Each gives what an instruction becomes, in front of which it is put; null where it stays.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"

namespace pocm::gen {

/// Integers of a size that registers have.
bool isWhole(llvm::Type *T);

//===- Elements and shuffles (Elements.cpp) -------------------------------------------------===//

/// One predicate bit as a predicate of many channels.
llvm::Value *splatPredicate(llvm::IRBuilderBase &B, llvm::Value *Bit, llvm::Type *Shape);
/// Elements picked from two vectors, by as few regions as a greedy walk finds; -1 in the mask: any.
llvm::Value *pick(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Left, llvm::Value *Right,
                  llvm::ArrayRef<int> Mask);
llvm::Value *insertElement(llvm::InsertElementInst &I);
llvm::Value *extractElement(llvm::ExtractElementInst &I);
llvm::Value *shuffle(llvm::ShuffleVectorInst &I);

//===- What lies outside of its vector (RegionBounds.cpp) -----------------------------------===//

/// A region of which a part lies outside its vector, where nothing is: only the rest is read.
llvm::Value *readInside(const RegionRead &R);
/// Only what lies inside is written, a row of equal steps at a time.
llvm::Value *writeInside(const RegionWrite &W);
/// Offsets known at run time that could leave their vectors are moved inside, as on the cpu device.
bool moveInside(llvm::Function &F);

} // namespace pocm::gen
