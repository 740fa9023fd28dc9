//===- Ranges.cpp - What values a vector's elements can have ------------------===//
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {
constexpr unsigned DepthLimit = 48;
/// Of values that one question looks at: sums of sums would be seen many times over.
constexpr unsigned MostLooks = 500;

/// The one value that all elements of a constant of floats have, or null.
Constant *splatConstant(Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C && C->getType()->isVectorTy() ? C->getSplatValue() : C;
}

/// Which element of a vector is meant; none for all of them.
using Which = std::optional<int>;

ConstantRange rangeOf(const Constant &C, Which Only = std::nullopt) {
  unsigned Bits = C.getType()->getScalarSizeInBits();
  ConstantRange All = ConstantRange::getEmpty(Bits);
  for (unsigned K = 0; K < unsigned(countOf(C.getType())); ++K) {
    if (Only && K != unsigned(*Only))
      continue;
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

/// The last step of a loop that a counter goes around: the branch back, and what its condition lets through.
struct GoingOn {
  ICmpInst::Predicate How;
  const APInt *Bound;
  bool AsksNext; ///< The condition is on the next value, otherwise on the present one.
};

/// The branch that decides whether the edge From -> To is taken, when it compares a counter with a constant.
std::optional<GoingOn> conditionOf(const PHINode &Counter, const Value *Next, const BasicBlock *From) {
  const BasicBlock *To = Counter.getParent();
  for (unsigned Steps = 0; From->getSingleSuccessor() && From != Counter.getParent(); ++Steps) {
    To = From, From = From->getSinglePredecessor();
    if (!From || Steps == DepthLimit)
      return std::nullopt;
  }
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  const APInt *Bound;
  if (!Compare || Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      !match(Compare->getOperand(1), m_APInt(Bound)) ||
      (Compare->getOperand(0) != Next && Compare->getOperand(0) != &Counter))
    return std::nullopt;
  return GoingOn{Branch->getSuccessor(0) == To ? Compare->getPredicate() : Compare->getInversePredicate(), Bound,
                 Compare->getOperand(0) == Next};
}

/// A counter that begins with one constant and goes on, by another, as long as a third allows:
///     %i = phi [0, %entry], [%next, %loop]     %next = add %i, 32     br (icmp ne %next, 128), %loop, ...   ->  [0,
///     97)
std::optional<ConstantRange> ofCounter(const PHINode &Counter) {
  const APInt *Start, *Step;
  if (Counter.getNumIncomingValues() != 2 || !Counter.getType()->isIntegerTy())
    return std::nullopt;
  unsigned First = match(Counter.getIncomingValue(0), m_APInt(Start)) ? 0 : 1;
  const Value *Next = Counter.getIncomingValue(1 - First);
  if (!match(Counter.getIncomingValue(First), m_APInt(Start)) ||
      !match(Next, m_Add(m_Specific(&Counter), m_APInt(Step))) || Step->isZero())
    return std::nullopt;
  auto Goes = conditionOf(Counter, Next, Counter.getIncomingBlock(1 - First));
  if (!Goes)
    return std::nullopt;
  const bool Up = Step->isStrictlyPositive(), Signed = ICmpInst::isSigned(Goes->How);
  if (Goes->How == ICmpInst::ICMP_NE) { // it meets the bound when that is a whole number of steps away
    APInt Way = Up ? *Goes->Bound - *Start : *Start - *Goes->Bound, By = Step->abs();
    if (Way.urem(By) != 0 || (Goes->AsksNext && Way.isZero()))
      return std::nullopt;
    APInt Last = Goes->AsksNext ? *Goes->Bound - *Step : *Goes->Bound;
    return Up ? ConstantRange::getNonEmpty(*Start, Last + 1) : ConstantRange::getNonEmpty(Last, *Start + 1);
  }
  if (Up ? !ICmpInst::isLT(Goes->How) && !ICmpInst::isLE(Goes->How)
         : !ICmpInst::isGT(Goes->How) && !ICmpInst::isGE(Goes->How))
    return std::nullopt;
  const unsigned Wide = Step->getBitWidth() + 2; // where no sum wraps around
  auto Widened = [&](const APInt &X) { return Signed ? X.sext(Wide) : X.zext(Wide); };
  APInt By = Step->sext(Wide), Last = Widened(*Goes->Bound), Begin = Widened(*Start); // the last one that goes on
  if (ICmpInst::isLT(Goes->How) || ICmpInst::isGT(Goes->How))
    Up ? --Last : ++Last;
  if (!Goes->AsksNext)
    Last += By;
  Last = Up ? APIntOps::smax(Last, Begin) : APIntOps::smin(Last, Begin);
  APInt Beyond = Last + By, Lowest = Up ? Begin : Beyond, Highest = Up ? Beyond : Begin;
  const unsigned Bits = Step->getBitWidth();
  if (Lowest.slt(Widened(Signed ? APInt::getSignedMinValue(Bits) : APInt::getZero(Bits))) ||
      Highest.sgt(Widened(Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits))))
    return std::nullopt; // it may begin anew
  return Up ? ConstantRange::getNonEmpty(*Start, Last.trunc(Bits) + 1)
            : ConstantRange::getNonEmpty(Last.trunc(Bits), *Start + 1);
}

ConstantRange rangeOf(Value *V, unsigned Depth, Which Only, unsigned &Looks);

/// Of a vector that is written region by region: of what is to be seen in the end. What was there before counts only
/// where something of it stays.
ConstantRange ofWrites(Value *V, unsigned Depth, Which Only, unsigned &Looks) {
  ConstantRange All = ConstantRange::getEmpty(V->getType()->getScalarSizeInBits());
  auto Count = unsigned(countOf(V->getType()));
  BitVector Seen(Count, !Only);
  if (Only && unsigned(*Only) < Count)
    Seen.set(unsigned(*Only));
  while (auto W = RegionWrite::matchMasked(V)) {
    const bool Hides = W->Where.isConstant() && !W->mask();
    bool IsSeen = !Hides;
    Which One;
    for (int K = W->count() - 1; Hides && K >= 0; --K) // the last of those to one place stays
      if (int E = W->Where.element(K); E >= 0 && unsigned(E) < Count && Seen.test(unsigned(E))) {
        IsSeen = true;
        One = K;
        Seen.reset(unsigned(E));
      }
    if (IsSeen)
      All = All.unionWith(rangeOf(W->value(), Depth + 1,
                                  Only && Hides && W->value()->getType()->isVectorTy() ? One : std::nullopt, Looks));
    if (Seen.none() || All.isFullSet())
      return All;
    V = W->old();
  }
  return All.unionWith(rangeOf(V, Depth + 1, Only, Looks));
}

/// Through the instruction that computes it; none where that tells nothing.
std::optional<ConstantRange> throughInstruction(Instruction &I, unsigned Depth, Which Only, unsigned &Looks) {
  unsigned Bits = I.getType()->getScalarSizeInBits();
  auto Of = [&](Value *From) {
    return rangeOf(From, Depth + 1, From->getType()->isVectorTy() ? Only : std::nullopt, Looks);
  };
  auto Operand = [&](unsigned N) { return Of(I.getOperand(N)); };
  if (auto R = RegionRead::match(&I)) {
    Value *Whole;
    if (!I.getType()->isVectorTy() && R->Where.isConstant() && !R->Where.Offset &&
        match(R->source(), m_BitCast(m_Value(Whole))) && Whole->getType()->isIntegerTy() &&
        Whole->getType()->getScalarSizeInBits() > Bits)
      return Of(Whole).truncate(Bits); // the low bytes
    if (!R->source()->getType()->isIntOrIntVectorTy(Bits))
      return std::nullopt;
    Which One = I.getType()->isVectorTy() ? Only : 0;
    Which From = One && R->Where.isConstant() ? Which(R->Where.element(*One)) : std::nullopt;
    return rangeOf(R->source(), Depth + 1, From, Looks);
  }
  if (RegionWrite::matchMasked(&I))
    return ofWrites(&I, Depth, Only, Looks);
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
  case Instruction::AShr:
    return Operand(0).ashr(Operand(1));
  case Instruction::UDiv:
    return Operand(0).udiv(Operand(1));
  case Instruction::SDiv:
    return Operand(0).sdiv(Operand(1));
  case Instruction::URem:
    return Operand(0).urem(Operand(1));
  case Instruction::SRem:
    return Operand(0).srem(Operand(1));
  case Instruction::Call: {
    auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    if (!Intrinsic || !ConstantRange::isIntrinsicSupported(Intrinsic->getIntrinsicID()))
      return std::nullopt;
    SmallVector<ConstantRange, 2> Ranges;
    for (unsigned N = 0; N < Intrinsic->arg_size(); ++N)
      Ranges.push_back(Operand(N));
    return ConstantRange::intrinsic(Intrinsic->getIntrinsicID(), Ranges);
  }
  case Instruction::Select:
    return Operand(1).unionWith(Operand(2));
  case Instruction::PHI:
    return ofCounter(cast<PHINode>(I));
  default:
    return std::nullopt;
  }
}

ConstantRange rangeOf(Value *V, unsigned Depth, Which Only, unsigned &Looks) {
  if (auto *C = dyn_cast<Constant>(V))
    return rangeOf(*C, Only);
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > DepthLimit || ++Looks > MostLooks)
    return ConstantRange::getFull(V->getType()->getScalarSizeInBits());
  std::optional<ConstantRange> Through = throughInstruction(*I, Depth, Only, Looks);
  if (!Through)
    return knownToLlvm(*I);
  return Depth ? *Through : Through->intersectWith(knownToLlvm(*I));
}

unsigned trailingZeros(Value *V, unsigned Depth, unsigned &Looks) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > DepthLimit || !V->getType()->isIntOrIntVectorTy() || ++Looks > MostLooks)
    return isa<Constant>(V) ? rangeOf(*cast<Constant>(V)).toKnownBits().countMinTrailingZeros() : 0;
  unsigned Bits = V->getType()->getScalarSizeInBits();
  auto Operand = [&](unsigned N) { return trailingZeros(I->getOperand(N), Depth + 1, Looks); };
  auto Through = [&]() -> unsigned {
    if (auto R = RegionRead::match(I))
      return R->source()->getType()->isIntOrIntVectorTy(Bits) ? trailingZeros(R->source(), Depth + 1, Looks) : 0;
    const APInt *By;
    switch (I->getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
      return Operand(0);
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
      return std::min(Operand(0), Operand(1));
    case Instruction::Shl:
      return match(I->getOperand(1), m_APInt(By)) ? Operand(0) + unsigned(By->getLimitedValue(Bits)) : Operand(0);
    default:
      return 0;
    }
  };
  return std::min(Bits, std::max(Through(), computeKnownBits(I, I->getDataLayout()).countMinTrailingZeros()));
}

std::optional<FloatRange> floatRange(Value *V, unsigned Depth, unsigned &Looks);
} // namespace

ConstantRange integerRange(Value *V) {
  unsigned Looks = 0;
  return rangeOf(V, 0, std::nullopt, Looks);
}

unsigned trailingZeros(Value *V) {
  unsigned Looks = 0;
  return trailingZeros(V, 0, Looks);
}

std::optional<FloatRange> floatRange(Value *V) {
  unsigned Looks = 0;
  return floatRange(V, 0, Looks);
}

namespace {
/// Of a value between two numbers, whatever it is: of a number and a NaN, the number is taken.
std::optional<FloatRange> clampedRange(Instruction &I) {
  auto side = [](Value *V, Intrinsic::ID Id, Value *&Rest) -> std::optional<double> {
    auto *Call = dyn_cast<IntrinsicInst>(V);
    if (!Call || Call->getIntrinsicID() != Id)
      return std::nullopt;
    for (unsigned K = 0; K < 2; ++K)
      if (auto *C = dyn_cast_or_null<ConstantFP>(splatConstant(Call->getArgOperand(K)));
          C && C->getValueAPF().isFinite()) {
        Rest = Call->getArgOperand(1 - K);
        return C->getValueAPF().convertToDouble();
      }
    return std::nullopt;
  };
  Value *Inner, *X;
  std::optional<double> High = side(&I, Intrinsic::minnum, Inner),
                        Low = High ? side(Inner, Intrinsic::maxnum, X) : side(&I, Intrinsic::maxnum, Inner);
  if (!High && Low)
    High = side(Inner, Intrinsic::minnum, X);
  return Low && High && *Low <= *High ? std::optional(FloatRange{*Low, *High}) : std::nullopt;
}

std::optional<FloatRange> floatRange(Value *V, unsigned Depth, unsigned &Looks) {
  if (auto *C = dyn_cast_or_null<ConstantFP>(splatConstant(V))) {
    double X = C->getValueAPF().convertToDouble();
    return C->getValueAPF().isFinite() ? std::optional(FloatRange{X, X}) : std::nullopt;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > DepthLimit || ++Looks > MostLooks)
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
  auto Operand = [&](unsigned N) { return floatRange(I->getOperand(N), Depth + 1, Looks); };
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
    return clampedRange(*I);
  }
}
} // namespace

} // namespace pocm
