//===- EmitPredicates.h - Comparisons and predicates as vISA instructions -------------------===//
//
//     %p = icmp ult <16 x i16> %a, %b          ->   cmp.lt (M1, 16) P1 V33_uw(0,0)<1;1,0> V34_uw(0,0)<1;1,0>
//     %n = bitcast <16 x i1> %p to i16         ->   mov (M1, 1) V35_uw(0,0)<1> P1
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitOperands.h"
#include "codegen/gen/EmitTraps.h"

namespace pocm::gen {

class EmitPredicates {
public:
  EmitPredicates(Builder &Out, EmitOperands &Operands, EmitTraps &Traps) : Out(Out), Operands(Operands), Traps(Traps) {}

  void compare(llvm::CmpInst &I);
  void logic(llvm::BinaryOperator &I);
  /// A predicate with channels above it that are off.
  void widen(llvm::ShuffleVectorInst &I);
  /// A predicate as a number, and a number as a predicate.
  void bitCast(llvm::BitCastInst &I);

private:
  Builder &Out;
  EmitOperands &Operands;
  EmitTraps &Traps;

  Operand named(llvm::Instruction *Predicate);
  Operand read(llvm::Value *Predicate);
  Operand readWhole(llvm::Value *Predicate);
  void bits(Declaration *Number, llvm::Value *P, bool Widened);
};

} // namespace pocm::gen
