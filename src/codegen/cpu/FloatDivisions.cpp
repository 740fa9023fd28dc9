//===- FloatDivisions.cpp - Integer quotients by divisions of floats -------------------------------===//
//
// x86 divides integers one at a time, floats a register at a time. The quotient of two integers of up to 16 bits, as a
// float, is never rounded up to the next integer: it lies at least 2^-16 of itself below it, and a float has 24 digits.
// So, too, integers of up to 32 bits in double.
//
//     %q = udiv <16 x i16> %a, %b           %x, %y = uitofp %a, %b to <16 x float>
//                                      ->   %q = fptoui (fdiv %x, %y) to <16 x i16>
//     %r = urem <16 x i16> %a, %b           %r = %a - %q * %b
//
// Needs:    divisors that are not 0, and quotients that exist (SafeDivision.cpp).
// Leaves:   divisions by constants, which are products; integers with more digits; few lanes.
//
//===-----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned Word = 16, Dword = 32;

/// How many bits hold both operands.
unsigned bitsOf(const BinaryOperator &I, bool Signed) {
  const DataLayout &Layout = I.getDataLayout();
  unsigned Most = 0;
  for (const Value *V : I.operands())
    Most = std::max(Most,
                    Signed ? ComputeMaxSignificantBits(V, Layout) : computeKnownBits(V, Layout).countMaxActiveBits());
  return Most;
}

Value *quotient(BinaryOperator &I) {
  constexpr int Few = 4;
  if (!I.isIntDivRem() || !I.getType()->isVectorTy() || countOf(I.getType()) < Few)
    return nullptr;
  const bool Signed = I.getOpcode() == Instruction::SDiv || I.getOpcode() == Instruction::SRem;
  const unsigned Bits = bitsOf(I, Signed);
  Value *A = I.getOperand(0), *Divisor = I.getOperand(1);
  if (Bits > Dword || isa<Constant>(Divisor))
    return nullptr;
  IRBuilder<> B(&I);
  const bool InFloat = Bits <= Word;
  Type *T = I.getType(), *Floats = vectorLike(InFloat ? B.getFloatTy() : B.getDoubleTy(), T),
       *Dwords = vectorLike(B.getIntNTy(Dword), T);
  auto ToFloats = [&](Value *V) {
    V = B.CreateIntCast(V, Dwords, Signed);
    return Signed || InFloat ? B.CreateSIToFP(V, Floats) : B.CreateUIToFP(V, Floats); // the former takes less
  };
  Value *Quotient = B.CreateFDiv(ToFloats(A), ToFloats(Divisor));
  Quotient = Signed || InFloat ? B.CreateFPToSI(Quotient, Dwords) : B.CreateFPToUI(Quotient, Dwords);
  Quotient = B.CreateIntCast(Quotient, T, Signed);
  const bool IsRemainder = I.getOpcode() == Instruction::SRem || I.getOpcode() == Instruction::URem;
  return IsRemainder ? B.CreateSub(A, B.CreateMul(Quotient, Divisor)) : Quotient;
}

} // namespace

bool divideInFloat(Function &F) { return replaceEach<BinaryOperator>(F, quotient); }

} // namespace pocm::cpu
