//===- DispatchInputs.cpp - What the dispatch gives a thread, asked for once ------------------===//
//
//     loop:                                            entry:
//       %s = llvm.genx.local.size()              ->      %s = llvm.genx.local.size()
//     after:                                           loop:
//       %t = llvm.genx.local.size()                      ... %s for both
//
// Why:      it lies in registers when the thread begins. A kernel that asks once, at its beginning,
//           reads it there; others copy all of it each time.
// Leaves:   functions that are not inlined to ask for themselves.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {

bool askOnce(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (Op Given : {Op::LocalId, Op::LocalSize, Op::GroupCount}) {
      SmallVector<Instruction *, 8> Asked;
      for (Instruction &I : instructions(F))
        if (operationOf(&I) == Given)
          Asked.push_back(&I);
      if (Asked.empty())
        continue;
      BasicBlock &Entry = F.getEntryBlock();
      Changed |= Asked.size() > 1 || Asked.front()->getParent() != &Entry;
      Asked.front()->moveBefore(Entry, Entry.getFirstInsertionPt());
      for (Instruction *Again : drop_begin(Asked)) {
        Again->replaceAllUsesWith(Asked.front());
        Again->eraseFromParent();
      }
    }
  return Changed;
}

} // namespace pocm::gen
