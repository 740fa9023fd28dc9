//===- CountedLanes.cpp - Totals of masks are counts of their bits --------------------------------===//
//
//     cm_sum<uint>(v >= 5)
//
//     %w = zext <64 x i1> %m to <64 x i32>                %n = ctpop(bitcast <64 x i1> %m to i64)
//     halves of %w are added until one is left     ->
//
// Comparisons leave bits, and bits are counted in an instruction or two, where each would become a dword to be added.
//
// Needs:    whole vectors with their regions.
// Leaves:   totals of anything else, and of numbers of lanes that are no power of two.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The vector whose halves are added; null when it is no such sum.
Value *addedUp(Value *V) {
  Value *X, *Y;
  if (!match(V, m_Add(m_Value(X), m_Value(Y))))
    return nullptr;
  auto A = RegionRead::match(X), B = RegionRead::match(Y);
  const int Half = countOf(V->getType());
  if (!A || !B || A->source() != B->source() || countOf(A->source()->getType()) != 2 * Half)
    return nullptr;
  if (A->Where.Offset > B->Where.Offset)
    std::swap(A, B);
  auto isHalf = [&](const RegionRead &R, int From) {
    return R.Where.isConstant() && R.Where.element(0) == From && R.Where.element(Half - 1) == From + Half - 1 &&
           R.Where.isInside(Half, 2 * Half) && (Half == 1 || R.Where.element(1) == From + 1);
  };
  return isHalf(*A, 0) && isHalf(*B, Half) ? A->source() : nullptr;
}

/// Of one lane.
Value *counted(BinaryOperator &Sum) {
  constexpr int Least = 8, Most = 128;
  if (!Sum.getType()->isVectorTy() || countOf(Sum.getType()) != 1)
    return nullptr;
  Value *All = &Sum, *Mask;
  while (Value *Of = addedUp(All))
    All = Of;
  const bool Negative = match(All, m_SExt(m_Value(Mask)));
  if ((!Negative && !match(All, m_ZExt(m_Value(Mask)))) || !Mask->getType()->isIntOrIntVectorTy(1))
    return nullptr;
  const int Lanes = countOf(Mask->getType());
  if (Lanes < Least || Lanes > Most)
    return nullptr;
  IRBuilder<> B(&Sum);
  Value *Bits = B.CreateBitCast(Mask, B.getIntNTy(unsigned(Lanes)));
  Value *Count = B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits), Sum.getType()->getScalarType());
  return B.CreateInsertElement(PoisonValue::get(Sum.getType()), Negative ? B.CreateNeg(Count) : Count,
                               std::uint64_t(0));
}

} // namespace

bool countLanes(Function &F) { return replaceEach<BinaryOperator>(F, counted); }

} // namespace pocm::cpu
