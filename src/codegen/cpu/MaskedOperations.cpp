//===- MaskedOperations.cpp - What is done where a mask is set is one operation ------------------===//
//
//     SIMD_IF_BEGIN(x > y) { count += 1; } SIMD_IF_END;
//
// LLVM makes numbers of the mask, which it then adds, shifts by or selects with: three instructions where AVX-512 has
// one, which leaves the lanes alone whose bit is not set.
//
//     %n = zext <16 x i1> %m to <16 x i32>               %all = add %count, 1
//     %r = add <16 x i32> %count, %n             ->      %r = select %m, %all, %count
//
// Needs:    registers of masks, and that no pass of LLVM's comes that makes it what it was.
// Leaves:   selections between a value and what an operation makes of it, which are one instruction.
// Not done: numbers with other uses, which are there anyway; what stays as it is where it is used once more, as the
//           operation would take a copy of it; sums of masks, which LLVM counts.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// A number that is 0 where a mask is not set.
struct MaskedNumber {
  Instruction *From;
  Value *Mask;
  Constant *Number; ///< Where it is set.
};

std::optional<MaskedNumber> asNumber(Value *V) {
  auto *From = dyn_cast<CastInst>(V);
  if (!From || !isa<ZExtInst, SExtInst>(From) || !From->hasOneUse() || !From->getSrcTy()->isIntOrIntVectorTy(1))
    return std::nullopt;
  Type *T = From->getType();
  return MaskedNumber{From, From->getOperand(0),
                      isa<ZExtInst>(From) ? ConstantInt::get(T, 1) : Constant::getAllOnesValue(T)};
}

/// How many masks are set, lane by lane.
bool isCount(const Value *V) {
  const Value *X, *Y;
  if (match(V, m_ZExtOrSExt(m_Value(X))))
    return X->getType()->isIntOrIntVectorTy(1);
  return match(V, m_Add(m_Value(X), m_Value(Y))) && isCount(X) && isCount(Y);
}

/// The operation with a mask, of a number that is added to `Numbers`; or null.
Value *masked(BinaryOperator &I, SmallVectorImpl<WeakTrackingVH> &Numbers) {
  if (!isa<FixedVectorType>(I.getType()) || !keepsWithZero(I))
    return nullptr;
  Value *Same = I.getOperand(0);
  auto Number = asNumber(I.getOperand(1));
  if (!Number && I.isCommutative()) {
    Same = I.getOperand(1);
    Number = asNumber(I.getOperand(0));
  }
  if (!Number || isa<Constant>(Same) || !Same->hasOneUse() || isCount(Same))
    return nullptr;
  Numbers.push_back(Number->From);
  IRBuilder<> B(&I);
  return B.CreateSelect(Number->Mask, B.CreateBinOp(I.getOpcode(), Same, Number->Number), Same);
}

} // namespace

bool maskOperations(Module &M) {
  SmallVector<WeakTrackingVH, 8> Numbers;
  for (Function &F : M)
    replaceEach<BinaryOperator>(F, [&](BinaryOperator &I) { return masked(I, Numbers); });
  const bool Changed = !Numbers.empty();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Numbers);
  return Changed;
}

} // namespace pocm::cpu
