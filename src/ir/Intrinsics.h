//===- Intrinsics.h - CM IR operations by name ------------------------------===//
//
// CM IR is LLVM IR plus calls of a few named functions. This file makes and recognises
// those calls; Intrinsics.def is the list.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace pocm {

enum class Op : unsigned char {
#define INTRINSIC(id, ...) id,
#include "ir/Intrinsics.def"
  None
};

/// An atomic by its number in CM, on a surface or by address; Op::None for a number that is none.
Op atomicOfNumber(unsigned Number, bool ByAddress = false);
/// Number and count of sources of an atomic; Sources is -1 for any other operation.
struct AtomicInfo {
  unsigned Number = 0;
  int Sources = -1;
  bool ByAddress = false;
};
AtomicInfo atomicInfo(Op Operation);

/// The operation that `V` calls, or Op::None.
Op operationOf(const llvm::Value *V);

/// `V` as a call of `Wanted`, or null.
llvm::CallInst *asOperation(llvm::Value *V, Op Wanted);

/// What the table says of memory.
bool touchesMemory(Op Operation);
bool mayWrite(Op Operation);

/// The operation that a header builtin of this (unmangled, unqualified) name stands for, or Op::None.
Op operationOfBuiltin(llvm::StringRef Name);

/// Calls `Operation` with these operands, declaring it in the module under its overloaded name.
llvm::CallInst *createOperation(llvm::IRBuilderBase &Builder, Op Operation, llvm::Type *Result,
                                llvm::ArrayRef<llvm::Value *> Operands, const llvm::Twine &Name = "");

/// CM_OPTIMIZATIONS_FENCE, an assembly statement without text: nothing to be done, once optimization is over.
bool isOptimizationFence(const llvm::Instruction &I);

/// Spelling of a type inside an overloaded name: v4f32, i16.
std::string typeSuffix(llvm::Type *T);

} // namespace pocm
