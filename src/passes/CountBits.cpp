//===- CountBits.cpp - Loops that take one bit after another count them ---------------------------------===//
//
//     while (v) {                     n += v ? ctpop(v) : 0;
//       v &= v - 1;             ->
//       n += 3;                       (3 times as much here)
//     }
//
// How often such a loop runs is an instruction, where nobody wants to know which bits they are; and what is around it
// may be a loop over elements.
//
// Needs:    loops in LLVM's simple form (loop-rotate).
// Leaves:   loops that do something for each bit.
//
//===----------------------------------------------------------------------------------------------------===//
#include "ir/LoopAnalyses.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// A number without its lowest bit.
bool isWithoutLowest(Value *V, Value *Of) {
  const auto Lowest = m_c_And(m_Specific(Of), m_Neg(m_Specific(Of)));
  return match(V, m_c_And(m_Specific(Of), m_c_Add(m_Specific(Of), m_AllOnes()))) ||
         match(V, m_c_Xor(m_Specific(Of), Lowest)) || match(V, m_Sub(m_Specific(Of), Lowest));
}

/// A loop of one block that runs until no bit is left.
class BitLoop {
public:
  /// False when it is none, or does more.
  bool find(Loop &L) {
    Body = L.getHeader();
    Before = L.getLoopPreheader();
    Behind = L.getExitBlock();
    CmpPredicate How;
    Value *Next;
    if (L.getNumBlocks() != 1 || !Before || !Behind ||
        !match(Body->getTerminator(), m_Br(m_ICmp(How, m_Value(Next), m_Zero()), m_BasicBlock(), m_BasicBlock())) ||
        (Body->getTerminator()->getSuccessor(0) == Body) != (How == ICmpInst::ICMP_NE) || !ICmpInst::isEquality(How))
      return false;
    for (PHINode &Phi : Body->phis()) {
      Value *After = Phi.getIncomingValueForBlock(Body);
      const APInt *Step;
      if (After == Next && isWithoutLowest(Next, &Phi))
        Bits = &Phi;
      else if (Phi.getType()->isIntegerTy() && match(After, m_c_Add(m_Specific(&Phi), m_APInt(Step))))
        Counters.push_back({&Phi, cast<Instruction>(After), *Step});
      else
        return false;
    }
    return Bits && Bits->getType()->getIntegerBitWidth() <= 64 && isReadAsCountOnly(Next) && !doesMore(Next);
  }

  void replace() {
    IRBuilder<> B(Before->getTerminator());
    B.SetCurrentDebugLocation(Body->getTerminator()->getDebugLoc());
    Value *First = Bits->getIncomingValueForBlock(Before);
    Value *Times = B.CreateUnaryIntrinsic(Intrinsic::ctpop, First);
    if (!isAsked(First)) // once at least
      Times = B.CreateBinaryIntrinsic(Intrinsic::umax, Times, ConstantInt::get(Times->getType(), 1));
    for (const Counter &C : Counters) {
      Value *Count = B.CreateZExtOrTrunc(Times, C.Phi->getType());
      Value *Sum = B.CreateAdd(C.Phi->getIncomingValueForBlock(Before),
                               B.CreateMul(Count, ConstantInt::get(Count->getType(), C.Step)));
      C.After->replaceUsesOutsideBlock(Sum, Body);
    }
    auto *Next = cast<Instruction>(Bits->getIncomingValueForBlock(Body));
    Next->replaceUsesOutsideBlock(ConstantInt::get(Next->getType(), 0), Body);
    Behind->replacePhiUsesWith(Body, Before);
    Before->getTerminator()->eraseFromParent();
    BranchInst::Create(Behind, Before);
    Body->getTerminator()->eraseFromParent(); // which leads to nobody's phis any more
    new UnreachableInst(Body->getContext(), Body);
    DeleteDeadBlock(Body);
  }

private:
  struct Counter {
    PHINode *Phi;
    Instruction *After;
    APInt Step;
  };

  /// Whether behind the loop nobody reads but what there is without it.
  bool isReadAsCountOnly(const Value *Next) const {
    for (const Instruction &I : *Body)
      if (I.isUsedOutsideOfBlock(Body) && &I != Next &&
          none_of(Counters, [&](const Counter &C) { return C.After == &I; }))
        return false;
    return true;
  }
  /// Whether there is something that neither counts nor takes bits.
  bool doesMore(Value *Next) const {
    SmallPtrSet<const Value *, 16> Own;
    SmallVector<Value *> Pending{Next, Body->getTerminator()};
    for (const Counter &C : Counters)
      Pending.append({C.Phi, C.After});
    while (!Pending.empty())
      if (auto *I = dyn_cast<Instruction>(Pending.pop_back_val()); I && I->getParent() == Body && Own.insert(I).second)
        Pending.append(I->value_op_begin(), I->value_op_end());
    return any_of(*Body, [&](const Instruction &I) { return !Own.contains(&I); });
  }
  /// Whether the loop is only come to where the number is not zero.
  bool isAsked(Value *First) const {
    BasicBlock *From = Before->getSinglePredecessor();
    CmpPredicate How;
    return From &&
           match(From->getTerminator(),
                 m_Br(m_ICmp(How, m_Specific(First), m_Zero()), m_BasicBlock(), m_BasicBlock())) &&
           ICmpInst::isEquality(How) &&
           (From->getTerminator()->getSuccessor(0) == Before) == (How == ICmpInst::ICMP_NE);
  }

  BasicBlock *Before = nullptr, *Body = nullptr, *Behind = nullptr;
  PHINode *Bits = nullptr;
  SmallVector<Counter, 2> Counters;
};

bool countOne(Function &F) {
  const LoopAnalyses Now(F);
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (BitLoop Found; Found.find(*L)) {
      Found.replace();
      return true;
    }
  return false;
}

} // namespace

bool countBits(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    while (!F.isDeclaration() && countOne(F))
      Changed = true;
  return Changed;
}

} // namespace pocm
