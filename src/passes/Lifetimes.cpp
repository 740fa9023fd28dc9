//===- Lifetimes.cpp - What a variable held before it was born again --------------------------===//
//
//     loop:                                          loop:
//       llvm.lifetime.start(%v)                 ->     store undef, %v
//
// Why:      a variable that a loop's body declares has no value at the beginning of each
//           iteration. Clang says where it begins; LLVM forgets it when the variable becomes a
//           value, which then comes from the iteration before: a register that is never free, and
//           a selection for each write of some of its channels.
// Needs:    variables as Clang leaves them, before anything makes values of them; functions that
//           loops call are not inlined yet either.
// Leaves:   arrays, and structures of several members.
//
//===------------------------------------------------------------------------------------------===//
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// The vector or scalar that a variable is, inside of structures of one member; null when it is several.
Type *onlyMember(Type *T) {
  for (auto *S = dyn_cast<StructType>(T); S; S = dyn_cast<StructType>(T)) {
    if (S->getNumElements() != 1)
      return nullptr;
    T = S->getElementType(0);
  }
  return T->isSingleValueType() ? T : nullptr;
}

} // namespace

bool forgetFormerLives(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Start = dyn_cast<LifetimeIntrinsic>(&I);
      auto *Variable = Start && Start->getIntrinsicID() == Intrinsic::lifetime_start
                           ? dyn_cast<AllocaInst>(*std::prev(Start->arg_end()))
                           : nullptr;
      Type *T = Variable ? onlyMember(Variable->getAllocatedType()) : nullptr;
      if (!T)
        continue;
      IRBuilder<>(I.getNextNode()).CreateStore(UndefValue::get(T), Variable);
      Changed = true;
    }
  return Changed;
}

} // namespace pocm
