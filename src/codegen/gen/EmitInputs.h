//===- EmitInputs.h - Where a kernel's arguments lie when a thread begins -------------------===//
//
//     k(i32 %surface, i32 %n)     ->   .input T6 offset=32 size=4
//                                      .input V32 offset=36 size=4
//     llvm.genx.local.id          ->   .implicit_UNDEFINED_3 V33 offset=32 size=12
//
// The layouts are those of the CM runtime and of Level Zero.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitPayloads.h"
#include "codegen/gen/EmitSurfaces.h"
#include "program/KernelInterface.h"

namespace pocm::gen {

class EmitInputs {
public:
  EmitInputs(Builder &Out, EmitOperands &Operands, EmitPayloads &Payloads, EmitSurfaces &Surfaces)
      : Out(Out), Operands(Operands), Payloads(Payloads), Surfaces(Surfaces) {}

  /// Declares all inputs, and appends what gives surfaces' numbers to those that calculate with them.
  void declareAll();
  bool has(InputKind Kind) const { return OfDispatch.contains(Kind); }
  /// Copies what the dispatch gives into the variable of who asks for it, unless it is that variable.
  void ask(llvm::CallInst &I, InputKind Kind);

private:
  Builder &Out;
  EmitOperands &Operands;
  EmitPayloads &Payloads;
  EmitSurfaces &Surfaces;
  std::map<InputKind, Declaration *> OfDispatch;
  unsigned At = 0;                           // where the next input may lie, in bytes from r0
  unsigned NextBinding = 1, NextSampler = 0; // surface 0 is the debugger's

  bool isCm() const { return Out.For == Runtime::Cm; }
  bool implicit(InputKind Kind, Op Operation, unsigned Offset, bool Words = false);
  void programAddress();
  void argument(llvm::Argument &A);
  void general(llvm::Argument &A);
  void surfaceOrSampler(llvm::Argument &A);
  void boundOf(llvm::Argument &A, Declaration *D);
  void surfaces(llvm::Argument &A);
  bool isCalculatedWith(const llvm::Argument &A) const;
  std::vector<std::reference_wrapper<llvm::Instruction>> instructions() const;
  llvm::Instruction *asksOnce(Op Operation) const;
  bool uses(Op Operation) const;
};

} // namespace pocm::gen
