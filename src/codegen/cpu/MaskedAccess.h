//===- MaskedAccess.h - Gathers and scatters of elements in memory ---------------------------------===//
//
//     for (Instruction &I : instructions(F))
//       if (MaskedAccess::is(I))
//         lower(MaskedAccess{cast<IntrinsicInst>(I)});
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Operands.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

namespace pocm::cpu {

/// A gather or a scatter.
struct MaskedAccess {
  llvm::IntrinsicInst &Call;
  const bool IsGather = Call.getIntrinsicID() == llvm::Intrinsic::masked_gather;
  const std::array<llvm::Value *, 3> Arguments = argumentsOf<3>(Call);
  llvm::Value *const Addresses = Arguments[IsGather ? 0 : 1];
  llvm::Value *const Mask = Arguments[IsGather ? 1 : 2];
  llvm::Value *const Data = Arguments[IsGather ? 2 : 0]; ///< What is stored; of a gather what lanes have that are off.
  llvm::FixedVectorType *const Type = llvm::cast<llvm::FixedVectorType>(Data->getType());
  const llvm::Align Alignment = Call.getParamAlign(IsGather ? 0 : 1).valueOrOne();

  static bool is(const llvm::Instruction &I) {
    auto *Call = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
    return Call &&
           llvm::is_contained({llvm::Intrinsic::masked_gather, llvm::Intrinsic::masked_scatter},
                              Call->getIntrinsicID()) &&
           llvm::isa<llvm::FixedVectorType>(Call->args().begin()->get()->getType());
  }
};

/// Whether a mask is on in all lanes, as one bit.
llvm::Value *isOnEverywhere(llvm::IRBuilder<> &B, llvm::Value *Mask);

/// Where `Easy` holds, `access` does in another way what a gather or scatter does, and gives what it reads. Otherwise
/// the call is reached, with what only it needs.
void accessEasily(const MaskedAccess &A, llvm::Value *Easy, llvm::MDNode *Weights,
                  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> Access);

} // namespace pocm::cpu
