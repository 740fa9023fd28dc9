//===- EmitControl.h - Branches, phis and calls as vISA instructions ------------------------===//
//
//     br (any of %p), %then, %after   ->   (!P1.any) jmp (M1, 1) BB_2
//     %x = call i32 @f(i32 %a)        ->   mov (M1, 1) V40(0,0)<1> V33(0,0)<0;1,0>    unless they share a variable
//                                          call (M1, 16) SUB_1_f
//
// What phis, parameters and results hold is moved at once, as if all were read before any is written.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitPayloads.h"
#include "codegen/gen/Layout.h"

namespace pocm::gen {

class EmitControl {
public:
  EmitControl(Builder &Out, EmitOperands &Operands, EmitPayloads &Payloads, bool UseGoto);

  /// A function that the kernel calls begins.
  void function(const llvm::Function &G);
  /// A block begins; false when it is not emitted, for it does nothing.
  bool block(llvm::BasicBlock &Block);
  void call(llvm::CallInst &Call);
  void terminator(llvm::Instruction &I);
  /// The predicate of the channels that `goto` leaves on in a block; null where it leaves all.
  llvm::Value *maskOf(const llvm::BasicBlock *Block) const { return Masked.lookup(Block); }

private:
  struct Move;

  Builder &Out;
  EmitOperands &Operands;
  EmitPayloads &Payloads;
  const bool UseGoto; // gen-goto
  const Layout Blocks;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Numbers;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> Masked;

  Operand label(const llvm::BasicBlock *Block) const;
  Operand subroutine(const llvm::Function &G) const;
  Move moveOf(unsigned To, llvm::Value *V) const;
  void moveAll(llvm::SmallVector<Move, 8> Moves);
  void phiCopies(llvm::BasicBlock *From, llvm::BasicBlock *To);
  Guard condition(llvm::BranchInst &Branch);
  void giveBack(llvm::ReturnInst &Return);
  void branch(llvm::BranchInst &Branch);
  void jump(llvm::BasicBlock *To, const Guard &If = {});
};

} // namespace pocm::gen
