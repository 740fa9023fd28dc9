//===- Ranges.cpp - What values a vector's elements can have ------------------===//
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {
constexpr unsigned DepthLimit = 48;

/// The one value that all elements of a constant of floats have, or null.
Constant *splatConstant(Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->getType()->isVectorTy() ? C->getSplatValue() : C;
}

ConstantRange rangeOf(const Constant &C) {
  unsigned Bits = C.getType()->getScalarSizeInBits();
  ConstantRange All = ConstantRange::getEmpty(Bits);
  for (unsigned K = 0; K < unsigned(countOf(C.getType())); ++K) {
    auto *Element = dyn_cast_or_null<ConstantInt>(C.getType()->isVectorTy() ? C.getAggregateElement(K) : &C);
    if (!Element)
      return ConstantRange::getFull(Bits);
    All = All.unionWith(ConstantRange(Element->getValue()));
  }
  return All;
}

/// What LLVM's own analyses say, which do not see through regions.
ConstantRange knownToLlvm(const Instruction &I) {
  return ConstantRange::fromKnownBits(computeKnownBits(&I, I.getDataLayout()), /*IsSigned=*/false)
      .intersectWith(computeConstantRange(&I, /*ForSigned=*/false));
}

/// Through the instruction that computes it; none where that tells nothing.
std::optional<ConstantRange> throughInstruction(Instruction &I, unsigned Depth) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  auto Of = [&](Value *From) { return integerRange(From, Depth + 1); };
  auto Operand = [&](unsigned N) { return Of(I.getOperand(N)); };
  if (auto R = RegionRead::match(&I)) {
    Value *Whole;
    if (!I.getType()->isVectorTy() && R->Where.isConstant() && !R->Where.Offset &&
        match(R->source(), m_BitCast(m_Value(Whole))) && Whole->getType()->isIntegerTy() &&
        Whole->getType()->getScalarSizeInBits() > Bits)
      return Of(Whole).truncate(Bits); // the low bytes
    if (R->source()->getType()->isIntOrIntVectorTy(Bits))
      return Of(R->source());
    return std::nullopt;
  }
  switch (I.getOpcode()) {
  case Instruction::ZExt:
    return Operand(0).zeroExtend(Bits);
  case Instruction::SExt:
    return Operand(0).signExtend(Bits);
  case Instruction::Trunc:
    return Operand(0).truncate(Bits);
  case Instruction::Add:
    return Operand(0).add(Operand(1));
  case Instruction::Sub:
    return Operand(0).sub(Operand(1));
  case Instruction::Mul:
    return Operand(0).multiply(Operand(1));
  case Instruction::And:
    return Operand(0).binaryAnd(Operand(1));
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(I).isDisjoint() ? std::optional(Operand(0).add(Operand(1))) : std::nullopt;
  case Instruction::Shl: {
    const APInt *By; // a product, whose range may be on both sides of zero
    if (match(I.getOperand(1), m_APInt(By)) && By->ult(Bits))
      return Operand(0).multiply(APInt::getOneBitSet(Bits, unsigned(By->getZExtValue())));
    return isa<Constant>(I.getOperand(1)) ? std::optional(Operand(0).shl(Operand(1))) : std::nullopt;
  }
  case Instruction::LShr:
    return Operand(0).lshr(Operand(1));
  case Instruction::Select:
    return Operand(1).unionWith(Operand(2));
  default:
    return std::nullopt;
  }
}
} // namespace

ConstantRange integerRange(Value *V, unsigned Depth) {
  if (auto *C = dyn_cast<Constant>(V))
    return rangeOf(*C);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > DepthLimit)
    return ConstantRange::getFull(V->getType()->getScalarSizeInBits());
  std::optional<ConstantRange> Through = throughInstruction(*I, Depth);
  if (!Through)
    return knownToLlvm(*I);
  return Depth ? *Through : Through->intersectWith(knownToLlvm(*I));
}

std::optional<FloatRange> floatRange(Value *V, unsigned Depth) {
  if (auto *C = dyn_cast_or_null<ConstantFP>(splatConstant(V))) {
    double X = C->getValueAPF().convertToDouble();
    return C->getValueAPF().isFinite() ? std::optional(FloatRange{X, X}) : std::nullopt;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > DepthLimit)
    return std::nullopt;
  // The ends are computed in double and moved outwards at every step: by one part in 2^10 for half and 2^7 for bfloat,
  // whose rounded results lie within that of the exact ones; for float and double by far more than a rounding step of
  // float.
  Type *Scalar = V->getType()->getScalarType();
  bool Narrow = Scalar->isHalfTy() || Scalar->isBFloatTy();
  double Slack = Scalar->isBFloatTy() ? 0x1p-7 : Narrow ? 0x1p-10 : 0x1p-22;
  auto Result = [&](double Low, double High) -> std::optional<FloatRange> {
    if (std::abs(Low) > 1e30 || std::abs(High) > 1e30)
      return std::nullopt;
    return FloatRange{Low - std::abs(Low) * Slack, High + std::abs(High) * Slack};
  };
  auto Operand = [&](unsigned N) { return floatRange(I->getOperand(N), Depth + 1); };
  switch (I->getOpcode()) {
  case Instruction::UIToFP:
  case Instruction::SIToFP: {
    ConstantRange R = integerRange(I->getOperand(0));
    if (R.getBitWidth() > 32 || Narrow)
      return std::nullopt;
    bool Signed = I->getOpcode() == Instruction::SIToFP;
    return Result(Signed ? double(R.getSignedMin().getSExtValue()) : double(R.getUnsignedMin().getZExtValue()),
                  Signed ? double(R.getSignedMax().getSExtValue()) : double(R.getUnsignedMax().getZExtValue()));
  }
  case Instruction::FAdd:
  case Instruction::FMul: {
    auto A = Operand(0), B = Operand(1);
    if (!A || !B)
      return std::nullopt;
    if (I->getOpcode() == Instruction::FAdd)
      return Result(A->Low + B->Low, A->High + B->High);
    double Ends[] = {A->Low * B->Low, A->Low * B->High, A->High * B->Low, A->High * B->High};
    return Result(*std::min_element(Ends, Ends + 4), *std::max_element(Ends, Ends + 4));
  }
  default:
    return std::nullopt;
  }
}

} // namespace pocm
