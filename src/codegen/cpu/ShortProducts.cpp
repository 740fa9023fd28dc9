//===- ShortProducts.cpp - Products of words have 32 bits -------------------------------------===//
//
// The x86 back end of LLVM 22 makes no code at all of the upper half of a product that it finds short, where that half
// is a word: it takes the high halves of products of words and shifts them by 16. Such products are made of 32 bits:
//
//     %p = mul <8 x i64> (zext <8 x i16> %a), (sext <8 x i16> %b)      %s = mul <8 x i32> (trunc ...), (trunc ...)
//     %h = trunc (lshr %p, 32) to <8 x i16>                         -> %p = sext <8 x i32> %s to <8 x i64>
//
// Needs:    no pass of LLVM's behind it that widens the product again.
// Leaves:   products of 32 bits or of all 64.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

bool shortProduct(BinaryOperator &I) {
  constexpr unsigned Dword = 32;
  Type *Wide = I.getType();
  const unsigned Bits = Wide->getScalarSizeInBits();
  if (I.getOpcode() != Instruction::Mul || Bits <= Dword)
    return false;
  const DataLayout &Layout = I.getDataLayout();
  auto BitsOf = [&](bool WithSign) {
    unsigned Sum = 0;
    for (Value *V : I.operands())
      Sum += WithSign ? Bits - ComputeNumSignBits(V, Layout) + 1 : computeKnownBits(V, Layout).countMaxActiveBits();
    return Sum;
  };
  const bool Signed = BitsOf(true) <= Dword;
  if (!Signed && BitsOf(false) > Dword)
    return false;
  IRBuilder<> B(&I);
  Type *Short = vectorLike(B.getIntNTy(Dword), Wide);
  Value *Product = B.CreateMul(B.CreateTrunc(I.getOperand(0), Short), B.CreateTrunc(I.getOperand(1), Short));
  I.replaceAllUsesWith(B.CreateIntCast(Product, Wide, Signed));
  I.eraseFromParent();
  return true;
}

} // namespace

bool shortenProducts(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Product = dyn_cast<BinaryOperator>(&I); Product && Product->getType()->isVectorTy())
        Changed |= shortProduct(*Product);
  return Changed;
}

} // namespace pocm::cpu
