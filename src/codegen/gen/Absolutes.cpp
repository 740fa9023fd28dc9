//===- Absolutes.cpp - Absolute values that are no negative numbers ----------------------===//
//
//     %w = zext <16 x i8> %b to <16 x i16>             %w = zext <16 x i8> %b to <16 x i16>
//     %d = sub <16 x i16> %w, %v                       %d = sub <16 x i16> %w, %v
//     %a = llvm.abs(%d, i1 false)               ->     %a = llvm.abs(%d, i1 true)
//
// where %d cannot be the smallest number, whose absolute value is itself.
//
// Why:      who reads an absolute value has it as (abs) in an operand then; where it may be negative, the finalizer has
//           to be kept from that (EmitTraps.h), which takes an instruction more each.
// Needs:    whole values, which ranges are found of.
// Leaves:   what nothing is known of.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Ranges.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::gen {

static bool canBeSmallest(Value *V) {
  return integerRange(V).contains(APInt::getSignedMinValue(V->getType()->getScalarSizeInBits()));
}

bool boundAbsolutes(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::abs &&
                                                    cast<Constant>(Call->getOperand(1))->isNullValue() &&
                                                    !canBeSmallest(Call->getOperand(0))) {
        Call->setOperand(1, ConstantInt::getTrue(M.getContext()));
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::gen
