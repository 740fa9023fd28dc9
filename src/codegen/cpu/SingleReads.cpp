//===- SingleReads.cpp - What a load gave is one value -------------------------------------------===//
//
// LLVM takes it that nobody else writes what is loaded. An element that fills a register it loads again, even where the
// vector is loaded for others, too:
//
//     %a = load <8 x i32>, %p                          vmovdqu (%p), %ymm0
//     %b = shufflevector %a, <1, 1, ... 1>             vpbroadcastd 4(%p), %zmm1
//
// Threads of a kernel may write what others read, whenever they like. What comes out then is the program's affair, but
// it has to be one value: an offset that has been checked is the one that is used. Such loads become volatile.
//
// Needs:    the last form of the IR.
// Leaves:   volatile loads, of which LLVM makes one each.
// Not done: loads in memory of the thread's own, which nobody else writes; loads with one use, which stay one.
//
//===---------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Inside.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Whether an element of V, or of a part of it, fills a register.
bool fills(const Value &V) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Todo{&V};
  while (!Todo.empty())
    for (const User *U : Todo.pop_back_val()->users()) {
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
      if (Shuffle && Shuffle->getShuffleMask().size() > 1 && all_equal(Shuffle->getShuffleMask()))
        return true;
      if ((Shuffle || isa<BitCastInst>(U)) && Seen.insert(U).second)
        Todo.push_back(U);
    }
  return false;
}

/// Whether V is used in two places, seen through what only names it otherwise.
bool isUsedTwice(const Value &V) {
  if (V.hasOneUse())
    return isa<BitCastInst, ShuffleVectorInst>(V.user_back()) && isUsedTwice(*V.user_back());
  return !V.use_empty();
}

} // namespace

bool readOnce(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple() && Load->getType()->isVectorTy() &&
                                               !Load->hasMetadata(LLVMContext::MD_invariant_load) &&
                                               !isOwnMemory(Load->getPointerOperand()) && isUsedTwice(*Load) &&
                                               fills(*Load)) {
        Load->setVolatile(true);
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::cpu
