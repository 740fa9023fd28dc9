//===- KnownPlaces.cpp - Places that are inside need no limit -------------------------===//
//
//     for (j = 0; j < 15 - i; ++j)
//       %o = and i32 %j, 15               ->    %o = %j
//
// What keeps a place inside of its object (Inside.h) hides from LLVM that the next iteration reads what this one has
// written: v(j + 1) may be v(0). Where the bounds of a loop show that a counter stays inside, or conditions that
// another place does (Intervals.h), the limit goes, and what loops pass on by memory stays in registers.
//
// Needs:    loops in LLVM's simple form.
// Leaves:   limits of places that may be outside.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Intervals.h"
#include "ir/LoopAnalyses.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What is limited, and the largest value that a limit leaves as it is.
struct Limit {
  Instruction *I;
  Value *Place;
  APInt Most;
  bool IsMask;
};

std::optional<Limit> limited(Instruction &I) {
  Value *Place;
  const APInt *Most;
  if (!I.getType()->isIntegerTy())
    return std::nullopt;
  if (match(&I, m_UMin(m_Value(Place), m_APInt(Most))))
    return Limit{&I, Place, *Most, false};
  if (!match(&I, m_And(m_Value(Place), m_APInt(Most))) || !Most->isShiftedMask())
    return std::nullopt;
  const unsigned Open = Most->countr_zero(); // as a place counted in bytes leaves them
  if (Open && computeKnownBits(Place, I.getDataLayout()).countMinTrailingZeros() < Open)
    return std::nullopt;
  return Limit{&I, Place, *Most | APInt::getLowBitsSet(Most->getBitWidth(), Open), true};
}

/// What a limit takes from each value of an interval, if that is the same: `(i + 31) & 31` is i - 1 where i is 1 to 31.
std::optional<APInt> taken(const Limit &L, const ConstantRange &Values) {
  if (Values.isEmptySet() || Values.isUpperWrapped())
    return std::nullopt;
  const APInt Least = Values.getUnsignedMin(), Largest = Values.getUnsignedMax();
  if (Largest.ule(L.Most))
    return APInt::getZero(Least.getBitWidth());
  if (!L.IsMask || (Least & ~L.Most) != (Largest & ~L.Most))
    return std::nullopt;
  return Least & ~L.Most;
}

/// From where to where a counter goes, by what it is in the last iteration: that it does not pass a number which is
/// known at run time, ranges do not show. None where it may wrap on the way.
std::optional<ConstantRange> betweenEnds(const SCEVAddRecExpr &Counter, ScalarEvolution &SE) {
  auto *Step = Counter.isAffine() ? dyn_cast<SCEVConstant>(Counter.getOperand(1)) : nullptr;
  const SCEV *Last = SE.getBackedgeTakenCount(Counter.getLoop());
  if (!Step || isa<SCEVCouldNotCompute>(Last) || SE.getTypeSizeInBits(Last->getType()) > 64)
    return std::nullopt;
  const unsigned Bits = unsigned(SE.getTypeSizeInBits(Counter.getType()));
  const APInt Iterations = SE.getUnsignedRangeMax(Last).zext(128), By = Step->getAPInt().abs().zext(128);
  if (Bits > 64 || (Iterations * By).getActiveBits() >= Bits)
    return std::nullopt;
  const ConstantRange First = SE.getUnsignedRange(Counter.getStart());
  const ConstantRange End = SE.getUnsignedRange(Counter.evaluateAtIteration(Last, SE));
  const ConstantRange Both = First.unionWith(End, ConstantRange::Unsigned);
  return Both.isUpperWrapped() || Both.getUnsignedMax().isNegative() ? std::nullopt : std::optional(Both);
}

/// Of a place that is computed from a counter. Where the counter ends is clear in the bits that it has.
ConstantRange rangeOf(Value *Place, ScalarEvolution &SE) {
  const SCEV *Scev = SE.getSCEV(Place);
  const ConstantRange Usual = SE.getUnsignedRange(Scev);
  std::optional<ConstantRange> By;
  Value *From;
  const APInt *Number;
  if (match(Place, m_ZExt(m_Value(From)))) {
    By = rangeOf(From, SE).zeroExtend(Usual.getBitWidth());
  } else if (match(Place, m_SExt(m_Value(From)))) {
    By = rangeOf(From, SE).signExtend(Usual.getBitWidth());
  } else if (match(Place, m_Shl(m_Value(From), m_APInt(Number)))) {
    By = rangeOf(From, SE).shl(*Number);
  } else if (match(Place, m_Mul(m_Value(From), m_APInt(Number)))) {
    By = rangeOf(From, SE).multiply(*Number);
  } else if (match(Place, m_Add(m_Value(From), m_APInt(Number)))) {
    By = rangeOf(From, SE).add(*Number);
  }
  if (auto *Counter = dyn_cast<SCEVAddRecExpr>(Scev); Counter && !By)
    By = betweenEnds(*Counter, SE);
  return By ? By->intersectWith(Usual, ConstantRange::Unsigned) : Usual;
}

bool dropIn(Function &F) {
  SmallVector<Limit> Limits;
  SmallVector<Value *> Places;
  for (Instruction &I : instructions(F))
    if (std::optional<Limit> L = limited(I)) {
      Limits.push_back(*L);
      Places.push_back(L->Place);
    }
  if (Limits.empty())
    return false;
  LoopAnalyses Now(F);
  const Intervals Known(F, Now.Dominators, Places);
  SmallVector<std::pair<Instruction *, APInt>> Dropped;
  for (const Limit &L : Limits) {
    std::optional<APInt> Less = taken(L, Known.at(L.Place, *L.I));
    if (!Less && Now.Loops.getLoopFor(L.I->getParent()))
      Less = taken(L, rangeOf(L.Place, Now.SE));
    if (Less)
      Dropped.emplace_back(L.I, *Less);
  }
  for (const auto &[I, Less] : Dropped) {
    Value *Place = limited(*I)->Place; // as it is by now: it may have been limited, too
    I->replaceAllUsesWith(Less.isZero() ? Place
                                        : IRBuilder<>(I).CreateAdd(Place, ConstantInt::get(I->getType(), -Less)));
    I->eraseFromParent();
  }
  return !Dropped.empty();
}

} // namespace

bool dropKnownLimits(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= dropIn(F);
  return Changed;
}

} // namespace pocm::cpu
