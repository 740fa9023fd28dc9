//===- Order.cpp - Blocks come behind those that lead to them -----------------------------===//
//
//     a, d, b, c   where a leads to b and c, and both to d   ->   a, b, c, d
//
// Only loops jump back then, which the finalizer's control flow analysis relies on; and what a branch goes around lies
// between it and where it goes.
//
// Needs:    the blocks that there will be.
// Leaves:   reverse post-order of every function.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace pocm::gen {

static void order(Function &F) {
  ReversePostOrderTraversal<Function *> Order(&F);
  BasicBlock *Last = nullptr;
  for (BasicBlock *Block : Order) {
    if (Last)
      Block->moveAfter(Last);
    Last = Block;
  }
}

bool orderBlocks(Module &M, const GenTarget &) {
  for (Function &F : M)
    if (!F.isDeclaration())
      order(F);
  return true;
}

} // namespace pocm::gen
