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
// For the check device what is stored is an operation (ir/Unwritten.h), which is followed to
// where it is used; in each element of arrays and structures, too, unless they have very many. Without optimisation
// Clang does not say where lives begin; then it is the beginning of the function.
//
//===------------------------------------------------------------------------------------------===//
#include "passes/Lifetimes.h"
#include "ir/Unwritten.h"
#include "passes/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
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

/// Where in an aggregate a vector or scalar lies.
struct Part {
  Type *T;
  uint64_t Offset;
};

/// False when there are more than `Most`.
bool addParts(Type *T, uint64_t Offset, const DataLayout &DL, unsigned Most, SmallVectorImpl<Part> &All) {
  if (auto *S = dyn_cast<StructType>(T)) {
    for (unsigned K = 0; K < S->getNumElements(); ++K)
      if (!addParts(S->getElementType(K), Offset + DL.getStructLayout(S)->getElementOffset(K), DL, Most, All))
        return false;
    return true;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    for (uint64_t K = 0; K < A->getNumElements(); ++K)
      if (!addParts(A->getElementType(), Offset + K * DL.getTypeAllocSize(A->getElementType()), DL, Most, All))
        return false;
    return true;
  }
  if (T->isSingleValueType() && !T->isPtrOrPtrVectorTy())
    All.push_back({T, Offset});
  return All.size() <= Most;
}

} // namespace

static bool beginParts(AllocaInst &Variable, Instruction &Before) {
  constexpr unsigned MostParts = 256;
  SmallVector<Part, 32> All;
  if (!addParts(Variable.getAllocatedType(), 0, Variable.getDataLayout(), MostParts, All))
    return false;
  IRBuilder<> B(&Before);
  for (const Part &P : All)
    B.CreateStore(createUnwritten(B, P.T, Variable), B.CreatePtrAdd(&Variable, B.getInt64(P.Offset)));
  return !All.empty();
}

bool beginLife(AllocaInst &Variable, Instruction &Before) {
  Type *T = onlyMember(Variable.getAllocatedType());
  const bool Keeps = Variable.getModule()->getModuleFlag(KeepUnwrittenFlag);
  if (!T)
    return Keeps && !Variable.isArrayAllocation() && beginParts(Variable, Before);
  IRBuilder<> B(&Before);
  B.CreateStore(Keeps && !T->isPtrOrPtrVectorTy() ? createUnwritten(B, T, Variable) : UndefValue::get(T), &Variable);
  return true;
}

bool forgetFormerLives(Module &M) {
  bool Changed = false;
  SmallPtrSet<AllocaInst *, 32> Known;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Start = dyn_cast<LifetimeIntrinsic>(&I);
      auto *Variable = Start && Start->getIntrinsicID() == Intrinsic::lifetime_start
                           ? dyn_cast<AllocaInst>(*std::prev(Start->arg_end()))
                           : nullptr;
      if (!Variable)
        continue;
      Known.insert(Variable);
      Changed |= beginLife(*Variable, *I.getNextNode());
    }
  if (!M.getModuleFlag(KeepUnwrittenFlag))
    return Changed;
  for (Function &F : M)
    if (!F.isDeclaration())
      for (Instruction &I : make_early_inc_range(F.getEntryBlock()))
        if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !Known.contains(Variable))
          Changed |= beginLife(*Variable, *Variable->getNextNode());
  return Changed;
}

} // namespace pocm
