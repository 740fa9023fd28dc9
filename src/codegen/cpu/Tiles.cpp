//===- Tiles.cpp - Kernels whose threads are walked in tiles --------------------===//
//
//     read(in, x * 64, y * 16, m);        neighbours in a row of threads read the same rows of `in`,
//     write(out, y * 64, x * 16, t);      but write one below the other: each to other pages
//
// Threads go row by row, which streams through what they touch. A surface whose rows are chosen
// by the thread's x alone, or its columns by y alone, is walked across then: every access meets a
// page of its own, and the cache lines around it are gone before the next row of threads comes.
// In tiles, both kinds of surfaces stay in the first levels of the cache and of address
// translation.
//
//     for (...) { read(a, y * rowOfA + k, m);     threads of a row share what their y chooses of `a`, those of a
//                 read(b, x * panel + k, n); }    column what their x chooses of `b`
//
// Products of matrices are like that. Row by row, all of `b` would pass by for each row of threads. In tiles of tiles
// of tiles, whatever level of the cache there is holds what the threads of some of them share.
//
// Threads that wait in a loop for what earlier ones write come row by row, as a GPU starts them: in tiles, who waits
// for the thread before it would keep that from its turn.
//
// Needs:    bound threads (Walker.cpp), surface operations as they are in CM IR.
// Not done: other offsets in buffers.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Polls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Whether V is computed from `From`. What comes from memory is not.
bool dependsOn(const Value *V, const Value *From) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Todo{V};
  while (!Todo.empty()) {
    const Value *Now = Todo.pop_back_val();
    if (Now == From)
      return true;
    if (auto *I = dyn_cast<Instruction>(Now); I && Seen.insert(I).second)
      Todo.append(I->op_begin(), I->op_end());
  }
  return false;
}

bool walksAcross(const Function &Thread, const Argument &X, const Argument &Y) {
  auto Alone = [](const Value *V, const Value &One, const Value &Other) {
    return dependsOn(V, &One) && !dependsOn(V, &Other);
  };
  for (const Instruction &I : instructions(Thread))
    if (Op Operation = operationOf(&I); Operation == Op::MediaRead || Operation == Op::MediaWrite)
      if (Alone(I.getOperand(4), Y, X) || Alone(I.getOperand(5), X, Y))
        return true;
  return false;
}

/// Whether loops of a thread read something that x alone chooses and something that y alone chooses.
bool sharesBothWays(const Function &Thread, const Argument &X, const Argument &Y) {
  const DominatorTree Dominators(const_cast<Function &>(Thread));
  const LoopInfo Loops(Dominators);
  bool ByX = false, ByY = false;
  for (const Loop *L : Loops)
    for (const BasicBlock *Block : L->blocks())
      for (const Instruction &I : *Block) {
        if (operationOf(&I) == Op::None || !I.mayReadFromMemory() || I.mayWriteToMemory())
          continue;
        auto On = [&](const Argument &A) {
          return any_of(I.operands(), [&](const Use &U) { return dependsOn(U, &A); });
        };
        const bool OnX = On(X), OnY = On(Y);
        ByX |= OnX && !OnY;
        ByY |= OnY && !OnX;
      }
  return ByX && ByY;
}

} // namespace

Walking walkingOf(const Function &Thread, const Argument &X, const Argument &Y) {
  const Walking Best = walksAcross(Thread, X, Y)      ? Walking::Tiles
                       : sharesBothWays(Thread, X, Y) ? Walking::NestedTiles
                                                      : Walking::Rows;
  return Best == Walking::Rows || pollingBlocks(Thread).empty() ? Best : Walking::Rows;
}

} // namespace pocm::cpu
