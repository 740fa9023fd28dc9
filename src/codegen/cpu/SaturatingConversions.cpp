//===- SaturatingConversions.cpp - Floats to integers of any size, as vectors -----------------===//
//
// A float that an integer type does not hold becomes the type's nearest number, and NaN becomes 0.
// x86 converts to 32 and 64 bits, and gives one number for all that does not fit; LLVM does the
// rest one element after the other. Here the rest is comparisons of whole vectors:
//
//     %r = fptosi.sat <16 x float> %x to <16 x i8>
//  -> %n = select (fcmp ord %x, %x), %x, 0
//     %l = select (fcmp ogt %n, -128), %n, -128         ; one instruction each
//     %h = select (fcmp olt %l, 127), %l, 127
//     %r = trunc (fptosi <16 x float> %h to <16 x i32>)
//
// A largest number that the float type does not have is selected behind the conversion. Halves and
// bfloats come by way of float, which holds them all.
//
// Needs:    conversions that may saturate: dropSaturation has taken the others.
// Leaves:   conversions of numbers that fit.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

Value *converted(IRBuilderBase &B, Value *X, Type *To, bool Signed) {
  Type *From = X->getType();
  unsigned Bits = To->getScalarSizeInBits();
  APInt Least = Signed ? APInt::getSignedMinValue(Bits) : APInt::getMinValue(Bits);
  APInt Most = Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits);
  auto asFloat = [&](const APInt &N) {
    APFloat F(From->getScalarType()->getFltSemantics());
    F.convertFromAPInt(N, Signed, APFloat::rmNearestTiesToEven); // of the largest number: itself, or one more
    return ConstantFP::get(From, F);
  };
  unsigned Digits = APFloat::semanticsPrecision(From->getScalarType()->getFltSemantics());
  bool HasMost = Most.getActiveBits() <= Digits;
  Constant *Low = asFloat(Least), *High = asFloat(Most);

  if (Signed) // below, the comparison with 0 does it
    X = B.CreateSelect(B.CreateFCmpORD(X, X), X, Constant::getNullValue(From));
  X = B.CreateSelect(B.CreateFCmpOGT(X, Low), X, Low);
  if (HasMost)
    X = B.CreateSelect(B.CreateFCmpOLT(X, High), X, High);
  Type *Wide = To->getWithNewBitWidth(std::max(32u, Bits));
  bool AsSigned = Signed || Bits < 32;
  Value *Result = AsSigned ? B.CreateFPToSI(X, Wide) : B.CreateFPToUI(X, Wide);
  return HasMost ? B.CreateTrunc(Result, To)
                 : B.CreateSelect(B.CreateFCmpOGE(X, High), ConstantInt::get(To, Most), Result);
}

} // namespace

bool expandSaturation(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || !is_contained({Intrinsic::fptosi_sat, Intrinsic::fptoui_sat}, Call->getIntrinsicID()))
      continue;
    IRBuilder<> B(Call);
    Value *X = firstArgument(*Call);
    if (X->getType()->getScalarSizeInBits() < 32)
      X = B.CreateFPExt(X, X->getType()->getWithNewType(B.getFloatTy()));
    bool Signed = Call->getIntrinsicID() == Intrinsic::fptosi_sat;
    Call->replaceAllUsesWith(converted(B, X, Call->getType(), Signed));
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
