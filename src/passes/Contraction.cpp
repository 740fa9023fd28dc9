//===- Contraction.cpp - Products and sums rounded once ---------------------------------===//
//
// The language lets a product that is added to something keep all its bits, as the Gen
// ISA's mad does:
//
//     %p = fmul <8 x float> %a, %b
//     %s = fadd <8 x float> %p, %c     -> %s = llvm.fma(%a, %b, %c)
//     %d = fsub <8 x float> %c, %p     -> %d = llvm.fma(-%a, %b, %c)
//
// All devices get the same multiply-adds and so the same bits. Of two products that are added,
// the left one keeps its bits. -ffp-contract=off leaves this pass out.
//
// Needs:    products and sums as LLVM simplified them, whole values.
// Leaves:   products that are used otherwise than in sums: they have to be computed in any case.
// Not done: half, for which few CPUs have the operation.
//
//===----------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// A product that nobody needs but sums, each of which can multiply itself.
bool onlyAdded(const Value *Product) {
  return all_of(Product->users(), [](const User *U) {
    auto *I = cast<Instruction>(U);
    return I->getOpcode() == Instruction::FAdd || I->getOpcode() == Instruction::FSub;
  });
}

/// The multiply-add that does the work of a sum or difference, or null.
Value *fused(BinaryOperator &Sum) {
  Type *Element = Sum.getType()->getScalarType();
  if (!Element->isFloatTy() && !Element->isDoubleTy())
    return nullptr;
  IRBuilder<> B(&Sum);
  Value *X, *Y, *Left = Sum.getOperand(0), *Right = Sum.getOperand(1);
  bool Minus = Sum.getOpcode() == Instruction::FSub;
  auto Fma = [&](Value *P, Value *Q, Value *R) {
    return B.CreateIntrinsic(Intrinsic::fma, {Sum.getType()}, {P, Q, R});
  };
  if (match(Left, m_FMul(m_Value(X), m_Value(Y))) && onlyAdded(Left))
    return Fma(X, Y, Minus ? B.CreateFNeg(Right) : Right);
  if (match(Right, m_FMul(m_Value(X), m_Value(Y))) && onlyAdded(Right))
    return Fma(Minus ? B.CreateFNeg(X) : X, Y, Left);
  return nullptr;
}

} // namespace

bool contract(Module &M) {
  SmallVector<Instruction *, 32> Done; // erased last: until then a product's sums show what it is for
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      bool Sum = I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
      if (Value *Fma = Sum ? fused(cast<BinaryOperator>(I)) : nullptr) {
        I.replaceAllUsesWith(Fma);
        Done.push_back(&I);
      }
    }
  for (Instruction *I : Done)
    I->eraseFromParent(); // the products go with the next clean-up
  return !Done.empty();
}

} // namespace pocm
