//===- Counters.cpp - Loops that only count may count down -----------------------------------------===//
//
//     %i = phi i32 [ 0, %entry ], [ %next, %loop ]
//     %next = add i32 %i, 1
//     %again = icmp slt i32 %next, %n               ->   %again = icmp ne i32 %next, %n
//
// where %n is more than 0 in front of the loop. Nobody else needs %i: LLVM's code generator counts what is left down to
// 0, which takes one instruction and no register for %n. Loops over elements keep their counters as they are.
//
// Needs:    loops with counters, the walker around the kernel.
// Leaves:   comparisons for equality, of which less can be seen.
//
//===-------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/LoopAnalyses.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The phi that a loop counts with, by one up; null where there is none, or somebody else needs it.
PHINode *counterOf(Value *Next, const Loop &L) {
  auto *I = dyn_cast<PHINode>(cast<Instruction>(Next)->getOperand(0));
  return I && I->getParent() == L.getHeader() && I->hasOneUse() && I->getNumIncomingValues() == 2 && L.getLoopLatch() &&
                 I->getIncomingValueForBlock(L.getLoopLatch()) == Next && Next->hasNUses(2)
             ? I
             : nullptr;
}

bool compareForEquality(Loop &L, LoopAnalyses &Now) {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPredecessor();
  auto *Branch = Latch && Before ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!Branch || !Branch->isConditional())
    return false;
  CmpPredicate Less;
  Value *Next, *End;
  auto *Again = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Again || !Again->hasOneUse() || Branch->getSuccessor(0) != L.getHeader() ||
      !match(Again, m_ICmp(Less, m_Value(Next), m_Value(End))) ||
      (Less != CmpInst::ICMP_SLT && Less != CmpInst::ICMP_ULT))
    return false;
  if (!match(Next, m_Add(m_Value(), m_One())) || !L.isLoopInvariant(End))
    return false;
  PHINode *Counter = counterOf(Next, L);
  if (!Counter || !Now.SE.isLoopEntryGuardedByCond(&L, Less, Now.SE.getSCEV(Counter->getIncomingValueForBlock(Before)),
                                                   Now.SE.getSCEV(End)))
    return false;
  Again->setPredicate(CmpInst::ICMP_NE);
  Again->setSameSign(false);
  return true;
}

} // namespace

bool compareCounters(Module &M) {
  return changeLoops(M, [](Loop &L, LoopAnalyses &Now) { return compareForEquality(L, Now); });
}

} // namespace pocm::cpu
