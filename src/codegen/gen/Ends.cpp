//===- Ends.cpp - Threads that end early --------------------------------------------------===//
//
//     call void @cm.end.of.thread()
//     unreachable                        ->   br label %end      ; ret void
//
// Why:      a failed assertion has said so in the print surface, and its thread is to do nothing more.
// Needs:    that no subroutine ends a thread (gen-calls).
// Leaves:   kernels that return in one place.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm::gen {

/// Where a kernel returns: a block of its own, one for all returns.
static BasicBlock *endOf(Function &F) {
  auto *End = BasicBlock::Create(F.getContext(), "end", &F);
  ReturnInst::Create(F.getContext(), End);
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()); Return && &Block != End) {
      BranchInst::Create(End, Return->getIterator());
      Return->eraseFromParent();
    }
  return End;
}

bool endThreads(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<Instruction *, 4> Ends;
    for (Instruction &I : instructions(F))
      if (operationOf(&I) == Op::EndOfThread)
        Ends.push_back(&I);
    if (Ends.empty())
      continue;
    BasicBlock *End = endOf(F);
    for (Instruction *I : Ends) {
      BasicBlock *Block = I->getParent();
      changeToUnreachable(I); // nothing behind it
      Block->getTerminator()->eraseFromParent();
      BranchInst::Create(End, Block);
    }
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::gen
