//===- EmitVectors.h - Bales that compute as vISA instructions ------------------------------===//
//
//     %r = rdregion <16 x i8> %m, 0, 16, 1, 35
//     %c = uitofp <16 x i8> %r to <16 x float>
//     %w = wrregion %old, %c, 0, 16, 1, 64       ->   mov (M1, 16) V40(2,0)<1> V33_ub(1,3)<1;1,0>
//
// One instruction for each bale, and a copy behind it where it takes no predicate or does not reach where it goes; what
// the finalizer makes wrong code of (EmitTraps.h) is said in another way.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitOperands.h"
#include "codegen/gen/EmitTraps.h"

namespace pocm::gen {

class EmitVectors {
public:
  EmitVectors(Builder &Out, EmitOperands &Operands, EmitTraps &Traps) : Out(Out), Operands(Operands), Traps(Traps) {}

  /// Direct: the block's mask stands for the predicate of what is written.
  void bale(const Bale &B, bool Direct);

private:
  Builder &Out;
  EmitOperands &Operands;
  EmitTraps &Traps;

  Guard guardOf(llvm::Value *Mask);
  void throughCopy(const Bale &B, const Guard &If, Copy How);
  void compute(const Bale &B, const Guard &If, Declaration *Aside = nullptr);
  Operand placeOf(const Bale &B, Sign S, Declaration *Aside);
  void move(const Bale &B, const Guard &If, Declaration *Aside);
  void mask(const Bale &B, Declaration *Aside);
  void select(const Bale &B, Declaration *Aside);
  void arithmetic(const Bale &B, const Guard &If, Declaration *Aside);
  Operand argument(const Bale &B, const Spelling &S, unsigned Index, bool Last);
  Operand hiddenZero(llvm::Instruction &I);
};

} // namespace pocm::gen
