//===- DispatchInputs.cpp - What the dispatch gives a thread, asked for once ------------------===//
//
//     loop:                                            entry:
//       %s = llvm.genx.local.size()              ->      %s = llvm.genx.local.size()
//     after:                                           loop:
//       %t = llvm.genx.local.size()                      ... %s for both
//
//     in a kernel that has groups:
//     %x = llvm.genx.thread.x()                    ->  group id * size of a group + local id, of x
//
// Why:      it lies in registers when the thread begins. A kernel that asks once, at its beginning,
//           reads it there; others copy all of it each time.
// Needs:    functions that are not called inlined.
// Leaves:   functions that are not inlined to ask for themselves.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {

bool usesGroups(ArrayRef<Function *> Functions) {
  static constexpr Op OfGroups[] = {Op::LocalId,  Op::LocalSize, Op::GroupCount,   Op::GroupIdX, Op::GroupIdY,
                                    Op::GroupIdZ, Op::Barrier,   Op::SplitBarrier, Op::SlmInit};
  return any_of(Functions, [&](Function *F) {
    return any_of(instructions(F), [&](Instruction &I) { return is_contained(OfGroups, operationOf(&I)); });
  });
}

/// The thread header of a dispatch in groups has no place in a thread space: that of the thread among all of them.
static bool placeInGroups(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Op Operation = operationOf(&I);
    if (Operation != Op::ThreadX && Operation != Op::ThreadY)
      continue;
    IRBuilder<> B(&I);
    Type *Three = FixedVectorType::get(B.getInt32Ty(), 3);
    uint64_t Dimension = Operation == Op::ThreadY;
    auto Of = [&](Op Asked) { return B.CreateExtractElement(createOperation(B, Asked, Three, {}), Dimension); };
    Value *Group = createOperation(B, Dimension ? Op::GroupIdY : Op::GroupIdX, B.getInt32Ty(), {});
    Value *Place = B.CreateAdd(B.CreateMul(Group, Of(Op::LocalSize)), Of(Op::LocalId));
    I.replaceAllUsesWith(B.CreateZExtOrTrunc(Place, I.getType()));
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

bool askOnce(Module &M, const GenTarget &) {
  bool Changed = false;
  for (const KernelInfo &Kernel : kernelsOf(M))
    if (std::vector<Function *> Functions = functionsOf(Kernel); usesGroups(Functions))
      for (Function *F : Functions)
        Changed |= placeInGroups(*F);
  for (Function &F : M)
    for (Op Given : {Op::LocalId, Op::LocalSize, Op::GroupCount}) {
      SmallVector<Instruction *, 8> Asked;
      for (Instruction &I : instructions(F))
        if (operationOf(&I) == Given)
          Asked.push_back(&I);
      if (Asked.empty())
        continue;
      BasicBlock &Entry = F.getEntryBlock();
      Changed |= Asked.size() > 1 || Asked.front() != &*Entry.getFirstInsertionPt();
      Asked.front()->moveBefore(Entry, Entry.getFirstInsertionPt());
      for (Instruction *Again : drop_begin(Asked)) {
        Again->replaceAllUsesWith(Asked.front());
        Again->eraseFromParent();
      }
    }
  return Changed;
}

} // namespace pocm::gen
