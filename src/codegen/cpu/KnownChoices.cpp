//===- KnownChoices.cpp - What a way has chosen is not chosen again on it ---------------------------------===//
//
//     do {                                           do {
//       y = f(x);                                      y = f(x);
//       x = near(x, y) ? x : y;              ->        last = x;
//     } while (!near(x, y) && more);                   x = y;
//                                                    } while (!near(last, y) && more);
//                                                    x = near(last, y) ? last : y;
//
// Where a loop is left in its middle with the value of then, LLVM makes a choice of it that all iterations wait for, as
// each begins with what the last has chosen. On the way back it is known which one that is.
//
// Needs:    conditions of branches that simplifycfg has joined.
// Leaves:   choices of lanes, and those that something is computed with on the way.
//
//===------------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// What the value is when the branch goes that way; the value itself where that is not known.
Value *chosen(Value *V, const BranchInst &Branch, bool IsTaken) {
  constexpr unsigned Deepest = 8; // choices of choices
  for (unsigned Depth = 0; Depth < Deepest; ++Depth) {
    auto *Choice = dyn_cast<SelectInst>(V);
    if (!Choice || !Choice->getCondition()->getType()->isIntegerTy(1))
      break;
    const std::optional<bool> Known =
        isImpliedCondition(Branch.getCondition(), Choice->getCondition(), Branch.getDataLayout(), IsTaken);
    if (!Known)
      break;
    V = *Known ? Choice->getTrueValue() : Choice->getFalseValue();
  }
  return V;
}

} // namespace

bool resolveChoices(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
      if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
        continue;
      for (bool IsTaken : {true, false})
        for (PHINode &Phi : Branch->getSuccessor(IsTaken ? 0 : 1)->phis()) {
          Value *Now = Phi.getIncomingValueForBlock(&Block), *Then = chosen(Now, *Branch, IsTaken);
          if (Then != Now) {
            Phi.setIncomingValueForBlock(&Block, Then);
            Changed = true;
          }
        }
    }
  return Changed;
}

} // namespace pocm::cpu
