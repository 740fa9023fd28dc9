//===- Magnitudes.cpp - How small numbers of a vector can be ---------------------------------===//
//
// Of each value two exponents are known: every element is 0 or at least 2^Least, and a multiple of 2^Unit, where those
// that are denormal count as 0. Weights of few bits times a scale, sums of squares and of what is far from 0 are never
// denormal, and need no flush (Denormals.cpp):
//
//     %w = sitofp <16 x i8> %q to <16 x half>     Least 0, Unit 0
//     %x = fmul <16 x half> %w, %scale            Least -14, Unit -24: normal, if %scale is
//     %y = fadd <16 x half> %x, splat (half 1)    Least -11, as near 1 all halves are multiples of 2^-11
//
// Rounding changes neither: powers of 2 are numbers of the type, and what is rounded has a coarser unit.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/cpu/Magnitudes.h"
#include "ir/Intrinsics.h"
#include "ir/Region.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned MostDepth = 8;

/// A type's exponents.
struct Format {
  explicit Format(const fltSemantics &Semantics)
      : Least(APFloat::semanticsMinExponent(Semantics)), Digits(int(APFloat::semanticsPrecision(Semantics))) {}
  explicit Format(const Type *T) : Format(T->getScalarType()->getFltSemantics()) {}
  int Least;  ///< Of normal numbers.
  int Digits; ///< Of a number, in bits.
  int unit() const { return Least - (Digits - 1); }
};

struct Magnitude {
  int Least, Unit;
};
Magnitude both(Magnitude A, Magnitude B) { return {std::min(A.Least, B.Least), std::min(A.Unit, B.Unit)}; }

constexpr int Any = 1 << 12; // of zeros, which are multiples of everything

Magnitude ofNumber(const APFloat &X) {
  if (!X.isFiniteNonZero())
    return {Any, Any};
  const Format Of(X.getSemantics());
  const int Least = ilogb(X);
  const APInt Bits = X.bitcastToAPInt();
  const int Zeros = std::min(int(Bits.countr_zero()), Of.Digits - 1);
  return {Least, Least - (Of.Digits - 1) + Zeros};
}

/// Whether no element is less than +0; values that depend on themselves are asked about the rest. NaN may be.
bool isPositive(Value *V, SmallPtrSetImpl<Value *> &Seen) {
  if (auto *C = dyn_cast<Constant>(V)) {
    auto *Number = dyn_cast_or_null<ConstantFP>(C->getType()->isVectorTy() ? C->getSplatValue() : C);
    return Number && !Number->isNegative();
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Seen.size() > 32)
    return false;
  if (!Seen.insert(V).second)
    return true;
  auto All = [&](auto &&Operands) { return all_of(Operands, [&](Value *X) { return isPositive(X, Seen); }); };
  switch (I->getOpcode()) {
  case Instruction::UIToFP:
    return true;
  case Instruction::FMul:
    return I->getOperand(0) == I->getOperand(1) || All(I->operands());
  case Instruction::FAdd:
  case Instruction::FDiv:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return All(I->operands());
  case Instruction::PHI:
    return All(cast<PHINode>(I)->incoming_values());
  case Instruction::Select:
    return All(drop_begin(I->operands()));
  default:
    break;
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(I); Call && Call->getIntrinsicID() == Intrinsic::fabs)
    return true;
  if (auto R = RegionRead::match(I))
    return isPositive(R->source(), Seen);
  if (auto W = RegionWrite::matchMasked(I))
    return isPositive(W->old(), Seen) && isPositive(W->value(), Seen);
  return operationOf(I) == Op::Flush && isPositive(I->getOperand(0), Seen);
}

bool arePositive(Instruction &I) {
  SmallPtrSet<Value *, 16> Seen;
  return all_of(I.operands(), [&](Value *X) { return isPositive(X, Seen); });
}

/// Of a sum: where one number is far from 0, the other either leaves it there or is near it, and so of its unit.
Magnitude ofSum(Magnitude A, Magnitude B, int Digits, bool Positive) {
  const int Unit = std::min(A.Unit, B.Unit);
  if (Positive)
    return {std::min(A.Least, B.Least), Unit};
  return {std::max({Unit, std::min(B.Least, A.Least - Digits), std::min(A.Least, B.Least - Digits)}), Unit};
}

/// Of values made of others that have no denormals of one type, and perhaps of other types.
class Magnitudes {
  const Type *Flushed;

  int least(const Type *T) const { return T->getScalarType() == Flushed ? Format(T).Least : Format(T).unit(); }
  std::optional<Magnitude> ofConstant(const Constant &C) const;
  Magnitude of(Value *V, unsigned Depth) const;

public:
  explicit Magnitudes(const Type *Flushed) : Flushed(Flushed->getScalarType()) {}
  /// As its operands say, rounded or not.
  std::optional<Magnitude> ofResult(Instruction &I, unsigned Depth = 0) const;
};

std::optional<Magnitude> Magnitudes::ofConstant(const Constant &C) const {
  if (!C.getType()->isVectorTy()) {
    auto *Number = dyn_cast<ConstantFP>(&C);
    return Number ? std::optional(ofNumber(Number->getValueAPF())) : std::nullopt;
  }
  Magnitude All{Any, Any};
  for (int K = 0; K < countOf(C.getType()); ++K) {
    Constant *Element = C.getAggregateElement(unsigned(K));
    if (isa_and_nonnull<UndefValue>(Element))
      continue;
    auto *Number = dyn_cast_or_null<ConstantFP>(Element);
    if (!Number)
      return std::nullopt;
    All = both(All, ofNumber(Number->getValueAPF()));
  }
  return All;
}

Magnitude Magnitudes::of(Value *V, unsigned Depth) const {
  if (isa<UndefValue>(V))
    return {Any, Any};
  std::optional<Magnitude> Known;
  if (auto *C = dyn_cast<Constant>(V))
    Known = ofConstant(*C);
  else if (auto *I = dyn_cast<Instruction>(V); I && Depth < MostDepth)
    Known = ofResult(*I, Depth);
  const Magnitude Least{least(V->getType()), Format(V->getType()).unit()};
  return Known ? Magnitude{std::max(Known->Least, Least.Least), std::max(Known->Unit, Least.Unit)} : Least;
}

std::optional<Magnitude> Magnitudes::ofResult(Instruction &I, unsigned Depth) const {
  auto Of = [&](Value *Operand) { return of(Operand, Depth + 1); };
  auto First = [&] { return Of(I.getOperand(0)); };
  switch (I.getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return Magnitude{0, 0};
  case Instruction::FAdd:
  case Instruction::FSub:
    return ofSum(First(), Of(I.getOperand(1)), Format(I.getType()).Digits,
                 I.getOpcode() == Instruction::FAdd && arePositive(I));
  case Instruction::FMul: {
    const Magnitude A = First(), B = Of(I.getOperand(1));
    return Magnitude{A.Least + B.Least, A.Unit + B.Unit};
  }
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FNeg:
  case Instruction::ExtractElement:
  case Instruction::Freeze:
    return First();
  case Instruction::Select:
    return both(Of(I.getOperand(1)), Of(I.getOperand(2)));
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return both(First(), Of(I.getOperand(1)));
  default:
    break;
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::fabs)
    return First();
  if (auto R = RegionRead::match(&I))
    return Of(R->source());
  if (auto W = RegionWrite::matchMasked(&I))
    return both(Of(W->old()), Of(W->value()));
  if (operationOf(&I) == Op::Flush)
    return First();
  return std::nullopt;
}

} // namespace

bool staysNormal(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  std::optional<Magnitude> Known = I ? Magnitudes(V->getType()).ofResult(*I) : std::nullopt;
  return Known && std::max(Known->Least, Known->Unit) >= Format(V->getType()).Least;
}

} // namespace pocm::cpu
