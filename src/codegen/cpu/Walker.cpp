//===- Walker.cpp - The loop over threads, compiled with the kernel -----------===//
//
//     void NAME(const void *arguments, const SurfaceView *surfaces, x0, x1, y0, y1) {
//       load the arguments
//       for (y = y0; y < y1; ++y)
//         for (x = x0; x < x1; ++x)
//           kernel(surfaces, x, y, arguments...)         inlined
//     }
//
// A CM thread costs a loop iteration; what does not depend on x and y moves out.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {
constexpr unsigned LeadingParameters = 3; // surfaces, x, y
} // namespace

Function *bindThread(Function &Kernel) {
  LLVMContext &C = Kernel.getContext();
  SmallVector<Type *, 8> Types{PointerType::get(C, 0), Type::getInt32Ty(C), Type::getInt32Ty(C)};
  for (Argument &A : Kernel.args())
    Types.push_back(A.getType());
  auto *Bound = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false), GlobalValue::InternalLinkage,
                                 Kernel.getName() + ".thread", Kernel.getParent());
  Bound->splice(Bound->begin(), &Kernel);
  for (Argument &A : Kernel.args())
    A.replaceAllUsesWith(Bound->getArg(A.getArgNo() + LeadingParameters));
  for (Instruction &I : make_early_inc_range(instructions(Bound))) {
    Op Operation = operationOf(&I);
    if (Operation != Op::ThreadX && Operation != Op::ThreadY)
      continue;
    IRBuilder<> B(&I);
    I.replaceAllUsesWith(B.CreateTrunc(Bound->getArg(Operation == Op::ThreadX ? 1 : 2), I.getType()));
    I.eraseFromParent();
  }
  return Bound;
}

Function *buildWalker(Function &Bound, StringRef Name) {
  LLVMContext &C = Bound.getContext();
  IRBuilder<> B(C);
  Type *I32 = B.getInt32Ty(), *Pointer = B.getPtrTy();
  auto *Walk = Function::Create(FunctionType::get(B.getVoidTy(), {Pointer, Pointer, I32, I32, I32, I32}, false),
                                GlobalValue::ExternalLinkage, Name, Bound.getParent());
  Argument *Arguments = Walk->getArg(0), *Surfaces = Walk->getArg(1);
  Surfaces->addAttr(Attribute::get(C, Attribute::ReadOnly));
  // The table lives as long as the launch, so its entries may be read ahead of the checks.
  Surfaces->addAttr(Attribute::getWithDereferenceableBytes(C, SurfaceSlots * sizeof(SurfaceView)));
  Arguments->addAttr(Attribute::get(C, Attribute::ReadOnly));
  for (Argument *A : {Arguments, Surfaces})
    A->addAttr(Attribute::NoAlias);

  auto *Entry = BasicBlock::Create(C, "entry", Walk);
  auto *Row = BasicBlock::Create(C, "row", Walk), *Thread = BasicBlock::Create(C, "thread", Walk);
  auto *NextRow = BasicBlock::Create(C, "next.row", Walk), *Exit = BasicBlock::Create(C, "exit", Walk);

  B.SetInsertPoint(Entry);
  SmallVector<Value *, 8> Operands{Surfaces, nullptr, nullptr};
  unsigned Offset = 0;
  for (unsigned I = LeadingParameters; I < Bound.arg_size(); ++I) {
    Type *T = Bound.getArg(I)->getType();
    Value *From = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Arguments, Offset);
    Operands.push_back(B.CreateAlignedLoad(T, From, Align(ArgumentAlign)));
    Offset = alignArgument(Offset + unsigned(countOf(T) * std::max(1, elementBytes(T))));
  }
  Value *X0 = Walk->getArg(2), *X1 = Walk->getArg(3), *Y0 = Walk->getArg(4), *Y1 = Walk->getArg(5);
  B.CreateCondBr(B.CreateAnd(B.CreateICmpULT(Y0, Y1), B.CreateICmpULT(X0, X1)), Row, Exit);

  B.SetInsertPoint(Row);
  PHINode *Y = B.CreatePHI(I32, 2, "y");
  B.CreateBr(Thread);

  B.SetInsertPoint(Thread);
  PHINode *X = B.CreatePHI(I32, 2, "x");
  Operands[1] = X;
  Operands[2] = Y;
  B.CreateCall(&Bound, Operands);
  Value *NextX = B.CreateNUWAdd(X, B.getInt32(1));
  B.CreateCondBr(B.CreateICmpULT(NextX, X1), Thread, NextRow);

  B.SetInsertPoint(NextRow);
  Value *NextY = B.CreateNUWAdd(Y, B.getInt32(1));
  B.CreateCondBr(B.CreateICmpULT(NextY, Y1), Row, Exit);
  X->addIncoming(X0, Row);
  X->addIncoming(NextX, Thread);
  Y->addIncoming(Y0, Entry);
  Y->addIncoming(NextY, NextRow);

  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
  Bound.addFnAttr(Attribute::AlwaysInline);
  return Walk;
}

} // namespace pocm::cpu
