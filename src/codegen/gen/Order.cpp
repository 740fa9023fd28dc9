//===- Order.cpp - Blocks come behind those that lead to them -----------------------------===//
//
//     a, d, b, c   where a leads to b and c, and both to d   ->   a, b, c, d
//     a, r, b      where a leads to b and r, b to a, r returns   ->   a, b, r
//
//     l, x, m, y   where the loop of l and m is left for x and y   ->   l, m, x, y
//
// Only loops jump back then, and nothing stands between the blocks of a loop that does not belong to it, which the
// finalizer's control flow analysis relies on; what a branch goes around lies between it and where it goes. Nothing
// stands behind a return but other returns: of a jump back from there the finalizer makes a `goto.b` to itself on TGLLP
// and DG2.
//
// Needs:    the blocks that there will be.
// Leaves:   reverse post-order of every function in which loops are whole, with the blocks that end it last.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace pocm::gen {

/// Where control may go from a block; from the first of a loop also to where the loop is left for, before all else:
/// what is visited first comes last.
static SmallVector<BasicBlock *, 4> next(BasicBlock &Block, const LoopInfo &Loops) {
  SmallVector<BasicBlock *, 4> All;
  if (Loop *L = Loops.getLoopFor(&Block); L && L->getHeader() == &Block)
    L->getExitBlocks(All);
  All.append(succ_begin(&Block), succ_end(&Block));
  return All;
}

static SmallVector<BasicBlock *, 16> postOrder(Function &F, const LoopInfo &Loops) {
  struct Visit {
    BasicBlock *Block;
    SmallVector<BasicBlock *, 4> Next;
    size_t Done = 0;
  };
  SmallVector<BasicBlock *, 16> Order;
  SmallPtrSet<BasicBlock *, 16> Seen{&F.getEntryBlock()};
  SmallVector<Visit, 16> Path{{&F.getEntryBlock(), next(F.getEntryBlock(), Loops)}};
  while (!Path.empty()) {
    Visit &Top = Path.back();
    if (Top.Done == Top.Next.size()) {
      Order.push_back(Top.Block);
      Path.pop_back();
    } else if (BasicBlock *To = Top.Next[Top.Done++]; Seen.insert(To).second) {
      Path.push_back({To, next(*To, Loops)});
    }
  }
  return Order;
}

static void order(Function &F) {
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  SmallVector<BasicBlock *, 16> Order = postOrder(F, Loops);
  BasicBlock *Last = nullptr;
  for (bool Ends : {false, true})
    for (BasicBlock *Block : reverse(Order)) {
      if ((succ_empty(Block) && !Block->isEntryBlock()) != Ends)
        continue;
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
