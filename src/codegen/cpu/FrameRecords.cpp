//===- FrameRecords.cpp - What debuggers see costs threads that wait nothing --------------===//
//
//     %n.debug = alloca i32                            ->   #dbg_value(%n, "n", DW_OP_...)
//     store %n, %n.debug
//     #dbg_value(%n.debug, "n", DW_OP_deref, DW_OP_...)
//
//     %v.reload = load %frame + 96                     ->   #dbg_value(poison, "v", ...)
//     #dbg_value(%v.reload, "v", ...)
//
// LLVM's coroutine passes give parameters memory and read values from the frame for variables that nothing else asks
// for. Parameters are shown where they are; a value that no code reads is optimized out, as everywhere.
//
// Needs:    the functions of a coroutine that has been split.
// Leaves:   the code that there is without debug information.
// Why:      -g changes no instruction.
//
//===---------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// The store of a parameter that is all that an alloca is used for.
StoreInst *onlyStore(AllocaInst &Memory) {
  auto *Store = Memory.hasOneUse() ? dyn_cast<StoreInst>(*Memory.user_begin()) : nullptr;
  return Store && isa<Argument>(Store->getValueOperand()) ? Store : nullptr;
}

/// A record of what is in memory becomes one of the value that is stored there.
void showValue(DbgVariableRecord &Record, AllocaInst &Memory, Value *Stored) {
  const DIExpression *E = Record.getExpression();
  if (Record.isDbgDeclare()) {
    Record.eraseFromParent();
  } else if (Record.getNumVariableLocationOps() != 1 || !E->startsWithDeref()) {
    Record.setKillLocation();
  } else {
    Record.replaceVariableLocationOp(&Memory, Stored);
    Record.setExpression(DIExpression::get(E->getContext(), E->getElements().drop_front()));
  }
}

bool dropMemory(AllocaInst &Memory) {
  StoreInst *Store = onlyStore(Memory);
  if (!Store)
    return false;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(&Memory, Records);
  if (Records.empty())
    return false;
  for (DbgVariableRecord *Record : Records)
    showValue(*Record, Memory, Store->getValueOperand());
  Store->eraseFromParent();
  Memory.eraseFromParent();
  return true;
}

} // namespace

bool dropFrameCopies(Module &M) {
  SmallVector<WeakTrackingVH, 32> Unread;
  SmallVector<AllocaInst *, 16> Memories;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Memory = dyn_cast<AllocaInst>(&I))
        Memories.push_back(Memory);
      else if (I.isUsedByMetadata() && isInstructionTriviallyDead(&I))
        Unread.push_back(&I);
  bool Changed = !Unread.empty();
  for (AllocaInst *Memory : Memories)
    Changed |= dropMemory(*Memory);
  RecursivelyDeleteTriviallyDeadInstructions(Unread);
  return Changed;
}

} // namespace pocm::cpu
