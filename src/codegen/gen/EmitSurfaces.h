//===- EmitSurfaces.h - Surfaces and samplers of messages -----------------------------------===//
//
//     i32 %surface, an argument         ->   T6
//     i32 5                             ->   movs (M1, 1) T7(0) 5:ud, and T7
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitOperands.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pocm::gen {

class EmitSurfaces {
public:
  EmitSurfaces(Builder &Out, EmitOperands &Operands) : Out(Out), Operands(Operands) {}

  /// The variable of an argument that is a surface or a sampler; null for others.
  Declaration *given(const llvm::Value *V) const { return Given.lookup(V); }
  void give(const llvm::Value *V, Declaration *D) { Given[V] = D; }

  /// A surface or sampler; in each block it is given its number again, which the finalizer then sees in the messages.
  Operand bound(Declaration *D);
  Operand surface(llvm::Value *V);
  /// The slot of the binding table where the CM runtime puts a surface that kernels know by its number.
  unsigned slotOf(const llvm::ConstantInt &Number) const;
  /// A block begins.
  void forgetBound() { Bound.clear(); }

private:
  Builder &Out;
  EmitOperands &Operands;
  llvm::DenseMap<const llvm::Value *, Declaration *> Given;
  llvm::SmallPtrSet<Declaration *, 8> Bound; // those that the block being emitted has given their numbers already
};

} // namespace pocm::gen
