//===- Strips.cpp - Kernels whose threads are walked in strips ------------------===//
//
//     read(in, x * 64, y * 16, m);        neighbours in a row of threads read the same rows of `in`,
//     write(out, y * 64, x * 16, t);      but write one below the other: each to other pages
//
// Threads go row by row, which streams through what they touch. A surface whose rows are chosen
// by the thread's x alone, or its columns by y alone, is walked across then: every access meets a
// page of its own, and the cache lines around it are gone before the next row of threads comes.
// Such a kernel goes down strips of a few threads instead: each row of a strip reads some whole
// cache lines in one go, and each row that is written grows from one row of the strip to the next.
//
// Needs:    bound threads (Walker.cpp), surface operations as they are in CM IR.
// Not done: offsets in buffers.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
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

unsigned stripWidth(const Function &Thread, const Argument &X, const Argument &Y) {
  constexpr unsigned StripBytes = 256, Most = 32;
  auto Alone = [](const Value *V, const Value &One, const Value &Other) {
    return dependsOn(V, &One) && !dependsOn(V, &Other);
  };
  bool Across = false;
  unsigned Bytes = StripBytes; // of a row of a block, the narrowest
  for (const Instruction &I : instructions(Thread))
    if (Op Operation = operationOf(&I); Operation == Op::MediaRead || Operation == Op::MediaWrite) {
      const auto &Block = cast<CallBase>(I);
      if (auto *Width = dyn_cast<ConstantInt>(operandOf(Block, Role::Width)))
        Bytes = unsigned(std::clamp<std::uint64_t>(Width->getZExtValue(), 1, Bytes));
      Across |= Alone(operandOf(Block, Role::X), Y, X) || Alone(operandOf(Block, Role::Y), X, Y);
    }
  return Across ? std::min(StripBytes / Bytes, Most) : 0;
}

} // namespace pocm::cpu
