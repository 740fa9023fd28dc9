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
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The mask of a number that is 0 where it is not set, and the number where it is.
std::optional<std::pair<Value *, Constant *>> asNumber(Value *V) {
  Value *Mask;
  if (!V->hasOneUse())
    return std::nullopt;
  if (match(V, m_ZExt(m_Value(Mask))) && Mask->getType()->getScalarType()->isIntegerTy(1))
    return std::pair(Mask, ConstantInt::get(V->getType(), 1));
  if (match(V, m_SExt(m_Value(Mask))) && Mask->getType()->getScalarType()->isIntegerTy(1))
    return std::pair(Mask, Constant::getAllOnesValue(V->getType()));
  return std::nullopt;
}

/// How many masks are set, lane by lane.
bool isCount(const Value *V) {
  const Value *X, *Y;
  if (match(V, m_ZExtOrSExt(m_Value(X))))
    return X->getType()->isIntOrIntVectorTy(1);
  return match(V, m_Add(m_Value(X), m_Value(Y))) && isCount(X) && isCount(Y);
}

bool replace(BinaryOperator &I) {
  if (!isa<FixedVectorType>(I.getType()) || !keepsWithZero(I))
    return false;
  Value *Same = I.getOperand(0);
  auto Number = asNumber(I.getOperand(1));
  if (!Number && I.isCommutative()) {
    Same = I.getOperand(1);
    Number = asNumber(I.getOperand(0));
  }
  if (!Number || isa<Constant>(Same) || !Same->hasOneUse() || isCount(Same))
    return false;
  IRBuilder<> B(&I);
  Value *All = B.CreateBinOp(I.getOpcode(), Same, Number->second);
  I.replaceAllUsesWith(B.CreateSelect(Number->first, All, Same));
  return true;
}

} // namespace

bool maskOperations(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Operation = dyn_cast<BinaryOperator>(&I); Operation && replace(*Operation)) {
        auto *Number = dyn_cast<Instruction>(Operation->getOperand(asNumber(Operation->getOperand(1)) ? 1 : 0));
        Operation->eraseFromParent();
        if (Number && Number->use_empty())
          Number->eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::cpu
