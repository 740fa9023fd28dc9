//===- Flags.cpp - Selections stand behind their comparisons --------------------------------===//
//
//     %p = fcmp olt %a, %b                        %p = fcmp olt %a, %b
//     %q = fcmp olt %c, %d                  ->    %x = select %p, %k, %l
//     %x = select %p, %k, %l                      %q = fcmp olt %c, %d
//     %y = select %q, %m, %x                      %y = select %q, %m, %x
//
// Why:      there are two flag registers, of two words each: what is selected by many
//           comparisons at the end keeps all of them, and the finalizer moves them to
//           registers and back.
// Needs:    comparisons of as many channels as one selection has.
// Leaves:   selections of scalars, and those with nothing between them and what they need.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {

/// The last instruction of its block that a selection needs; null when that lies elsewhere, or begins the block.
static Instruction *lastNeeded(SelectInst &S) {
  Instruction *Last = nullptr;
  for (Value *Operand : S.operands())
    if (auto *I = dyn_cast<Instruction>(Operand);
        I && I->getParent() == S.getParent() && !isa<PHINode>(I) && (!Last || Last->comesBefore(I)))
      Last = I;
  return Last;
}

/// Whether another predicate is made between two instructions of a block.
static bool comparesBetween(const Instruction &First, const Instruction &Last) {
  for (const Instruction *I = First.getNextNode(); I != &Last; I = I->getNextNode())
    if (isa<CmpInst>(I) && I->getType()->isVectorTy())
      return true;
  return false;
}

bool selectEarly(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *S = dyn_cast<SelectInst>(&I);
      if (!S || !S->getCondition()->getType()->isVectorTy() || isPredicate(S->getType()))
        continue;
      Instruction *Last = lastNeeded(*S);
      if (!Last || !comparesBetween(*Last, *S))
        continue;
      S->moveAfter(Last);
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::gen
