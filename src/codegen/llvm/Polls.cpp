//===- Polls.cpp - Loops that wait for what other threads write ---------------------------------===//
//
// Whoever runs threads in another order, or reads again what such a loop has read, must leave these alone. LLVM would
// read once, in front of the loop, what nobody writes in it:
//
//   loop:                                             loop:
//     %v = load i32, %p                          ->     %v = load volatile i32, %p
//     br (%v == 0), loop, done                          br (%v == 0), loop, done
//
// Gathers and loads under masks cannot be volatile. In front of each comes a fence for the thread itself, which is no
// instruction of the CPU and says that the memory may have changed:
//
//   loop:                                             loop:
//                                                       fence syncscope("singlethread") acq_rel
//     %v = masked.gather(%ps)                    ->     %v = masked.gather(%ps)
//
// Needs:    any form of the IR, the second function that before LLVM moves loads.
// Leaves:   volatile loads and gathers behind fences, which are done as often as the program says.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Polls.h"
#include "codegen/llvm/Inside.h"
#include "ir/Operands.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// The address or the addresses that an instruction accesses; null if it does not say.
const Value *addressOf(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && is_contained({Intrinsic::masked_load, Intrinsic::masked_gather}, Call->getIntrinsicID()))
    return firstArgument(*Call);
  return getLoadStorePointerOperand(&I);
}

/// Whether the instruction reads memory that other threads may write.
bool readsShared(const Instruction &I) {
  if (!I.mayReadFromMemory() || isa<FenceInst>(I) || I.hasMetadata(LLVMContext::MD_invariant_load))
    return false;
  const Value *Address = addressOf(I);
  return !Address || !isOwnMemory(Address);
}

/// Whether V has something of what the loop reads: by operands, by variables that the loop changes in memory of the
/// thread's own, or, where ways join, by the branches that chose one.
bool followsReads(const Value *V, const Loop &L) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> Todo{V};
  bool Branches = false, Writers = false;
  while (!Todo.empty()) {
    auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (readsShared(*I))
      return true;
    Todo.append(I->op_begin(), I->op_end());
    const bool IsJoin = isa<PHINode>(I) && I->getParent() != L.getHeader();
    if ((IsJoin || I->mayReadFromMemory()) && !std::exchange(Branches, true))
      for (const BasicBlock *Block : L.blocks())
        Todo.push_back(Block->getTerminator());
    if (I->mayReadFromMemory() && !std::exchange(Writers, true))
      for (const BasicBlock *Block : L.blocks())
        for (const Instruction &Writer : *Block)
          if (Writer.mayWriteToMemory())
            Todo.push_back(&Writer);
  }
  return false;
}

/// Whether the address is another one in each iteration, as far as it can be told.
bool movesOn(const Value *Address, const Loop &L) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Todo{Address};
  while (!Todo.empty()) {
    auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    const bool IsCarried = isa<PHINode>(I) && I->getParent() == L.getHeader();
    if (IsCarried || (I->mayReadFromMemory() && !I->hasMetadata(LLVMContext::MD_invariant_load)))
      return true;
    Todo.append(I->op_begin(), I->op_end());
  }
  return false;
}

bool polls(const Loop &L) {
  SmallVector<BasicBlock *, 4> Ends;
  L.getExitingBlocks(Ends);
  return any_of(Ends, [&](const BasicBlock *End) { return followsReads(End->getTerminator(), L); });
}

} // namespace

SmallPtrSet<const BasicBlock *, 16> pollingBlocks(const Function &F) {
  const DominatorTree Dominators(const_cast<Function &>(F));
  const LoopInfo Loops(Dominators);
  SmallPtrSet<const BasicBlock *, 16> Blocks;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (polls(*L))
      Blocks.insert_range(L->blocks());
  return Blocks;
}

/// Has a read done where it stands. Returns whether that is new.
static bool keep(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Load->setVolatile(true);
    return true;
  }
  if (isa_and_nonnull<FenceInst>(I.getPrevNode()))
    return false;
  IRBuilder<>(&I).CreateFence(AtomicOrdering::AcquireRelease, SyncScope::SingleThread);
  return true;
}

bool keepPolling(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const DominatorTree Dominators(F);
    const LoopInfo Loops(Dominators);
    for (const Loop *L : Loops.getLoopsInPreorder())
      if (polls(*L))
        for (BasicBlock *Block : L->blocks())
          for (Instruction &I : *Block)
            if (const Value *Address = addressOf(I);
                readsShared(I) && !I.mayWriteToMemory() && (!Address || !movesOn(Address, *L)))
              Changed |= keep(I);
  }
  return Changed;
}

} // namespace pocm
