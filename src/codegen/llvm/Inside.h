//===- Inside.h - Objects that pointers lead to, and offsets inside them ------------------------===//
//
// What a pointer leads to says who may write there: memory of the thread's own no other thread knows. Offsets known at
// run time are moved inside their object:
//
//     0 .. 1008 in steps of 16:   %o = and %offset, 1023      the object has a power of two bytes: one instruction
//     0 .. 1000:                  %o = umin %offset, 1000     otherwise
//
// Where an offset outside goes does not matter, as long as it is inside.
//
//===----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

namespace pocm {

/// Whether a pointer may lead to an object of a kind, through phis and selections.
inline bool mayLeadTo(const llvm::Value *Pointer, llvm::function_ref<bool(const llvm::Value *)> Kind) {
  llvm::SmallVector<const llvm::Value *, 4> Objects;
  llvm::getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return llvm::any_of(Objects, Kind);
}

/// An attribute of a parameter that points to memory of which no other thread knows.
constexpr const char *OwnMemory = "pocm-own-memory";

/// Whether a pointer, or each of a vector of them, leads to memory of which no other thread knows.
inline bool isOwnMemory(const llvm::Value *Pointer) {
  const llvm::Value *Object = llvm::getUnderlyingObject(Pointer);
  auto *Parameter = llvm::dyn_cast<llvm::Argument>(Object);
  return llvm::isa<llvm::AllocaInst>(Object) ||
         (Parameter && Parameter->getParent()->getAttributes().hasParamAttr(Parameter->getArgNo(), OwnMemory));
}

/// The offset or offsets, if not more than Most; else some others that are not more than it.
inline llvm::Value *movedInside(llvm::IRBuilderBase &B, llvm::Value *Offset, std::uint64_t Most) {
  using namespace llvm;
  const KnownBits Known = computeKnownBits(Offset, B.GetInsertBlock()->getModule()->getDataLayout());
  if (Known.getMaxValue().ule(Most))
    return Offset;
  const std::uint64_t Mask = NextPowerOf2(Most) - 1; // the least that keeps all that is inside
  const APInt Largest = APInt(64, Mask) & ~Known.Zero.zextOrTrunc(64);
  Value *Limit = ConstantInt::get(Offset->getType(), Largest.ule(Most) ? Mask : Most);
  return Largest.ule(Most) ? B.CreateAnd(Offset, Limit) : B.CreateBinaryIntrinsic(Intrinsic::umin, Offset, Limit);
}

} // namespace pocm
