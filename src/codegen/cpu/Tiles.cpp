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
// Needs:    bound threads (Walker.cpp), surface operations as they are in CM IR.
// Not done: offsets in buffers.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/SmallPtrSet.h"
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

} // namespace

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

} // namespace pocm::cpu
