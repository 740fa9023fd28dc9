//===- WholeChanges.cpp - Arithmetic on most of a value is arithmetic on all of it ----------------===//
//
// A variable that is shifted and added to itself is cut where registers are not:
//
//     v.select<31, 1>(1) += v.select<31, 1>(0)
//
//     %a = rdregion <32 x i32> %v, 31 from 0           %a = rdregion <32 x i32> %v, 31 from 0
//     %b = rdregion <32 x i32> %v, 31 from 1           %s = wrregion <32 x i32> zero, %a, 31 from 1
//     %c = add <31 x i32> %b, %a                  ->   %r = add <32 x i32> %v, %s
//     %r = wrregion %v, %c, 31 from 1
//
// Left, %b is moved to where %a is and the sum moved back; right, only %a is moved. What is not meant gets a zero, if
// that leaves it as it is, or is chosen out of %v. Running sums in registers and sums of neighbours are of this kind.
//
// Needs:    masks lowered; whole vectors.
// Leaves:   changes of parts of a register, and regions that cover none.
// Not done: changes of less than half of a value, and of whole registers, which are in place already.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {

bool keepsWithZero(const BinaryOperator &I) {
  Constant *Identity = ConstantExpr::getBinOpIdentity(I.getOpcode(), I.getType(), /*AllowRHSConstant=*/true);
  return I.getType()->isIntOrIntVectorTy() && Identity && Identity->isNullValue();
}

namespace {

/// Operations that may be computed where nobody asks: all but integer divisions.
bool mayBeComputed(const BinaryOperator &I) { return !I.isIntDivRem() && I.getOpcode() != Instruction::FRem; }

/// Elements of the whole that a write changes.
SmallVector<bool, 64> changedBy(const RegionWrite &W) {
  SmallVector<bool, 64> Changed(std::size_t(countOf(W.Call->getType())));
  for (int K = 0; K < W.count(); ++K)
    Changed[std::size_t(W.Where.element(K))] = true;
  return Changed;
}

/// Whether some register of the value is changed in part.
bool cutsRegisters(ArrayRef<bool> Changed, unsigned Lanes) {
  for (std::size_t From = 0; From < Changed.size(); From += Lanes)
    if (!all_equal(Changed.slice(From, std::min<std::size_t>(Lanes, Changed.size() - From))))
      return true;
  return false;
}

/// Whether two regions have the same first elements.
bool sameElements(const Region &A, const Region &B, int Count) {
  for (int K = 0; K < Count; ++K)
    if (A.element(K) != B.element(K))
      return false;
  return true;
}

/// The region that a read of what W wrote has in the whole, where that is one.
std::optional<Region> inWhole(const RegionWrite &W, const RegionRead &R) {
  if (!R.Where.isConstant())
    return std::nullopt;
  SmallVector<int, 64> Elements;
  for (int K = 0; K < R.count(); ++K) {
    const int Written = R.Where.element(K);
    if (Written < 0 || Written >= W.count())
      return std::nullopt;
    Elements.push_back(W.Where.element(Written));
  }
  return Region::through(Elements);
}

class WholeChange {
public:
  /// The change that W makes, if it is one that pays.
  static std::optional<WholeChange> match(const RegionWrite &W, unsigned VectorBits) {
    auto *Arithmetic = dyn_cast<BinaryOperator>(W.value());
    if (!Arithmetic || !W.Where.isConstant() || !mayBeComputed(*Arithmetic) || !othersReadParts(W, *Arithmetic))
      return std::nullopt;
    const int All = countOf(W.Call->getType());
    const unsigned Bits = W.Call->getType()->getScalarSizeInBits();
    if (W.count() < 2 || 2 * W.count() < All || Bits < 8 || W.Where.element(W.count() - 1) >= All)
      return std::nullopt;
    SmallVector<bool, 64> Changed = changedBy(W);
    if (count(Changed, true) != W.count() || !cutsRegisters(Changed, VectorBits / Bits))
      return std::nullopt;
    for (unsigned N = 0; N < (Arithmetic->isCommutative() ? 2u : 1u); ++N)
      if (auto Was = RegionRead::match(Arithmetic->getOperand(N));
          Was && Was->source() == W.old() && Was->Where.isConstant() && sameElements(Was->Where, W.Where, W.count()))
        return WholeChange{W, *Arithmetic, Arithmetic->getOperand(1 - N), std::move(Changed)};
    return std::nullopt;
  }

  void replace() {
    IRBuilder<> B(W.Call);
    Value *Moved = RegionWrite::create(B, Constant::getNullValue(W.Call->getType()), Other, W.Where);
    Value *All = B.CreateBinOp(Arithmetic.getOpcode(), W.old(), Moved);
    if (auto *New = dyn_cast<Instruction>(All); New && isa<FPMathOperator>(New))
      New->copyFastMathFlags(&Arithmetic);
    if (!keepsWithZero(Arithmetic)) {
      SmallVector<Constant *, 64> Mask;
      for (bool Here : Changed)
        Mask.push_back(B.getInt1(Here));
      All = B.CreateSelect(ConstantVector::get(Mask), All, W.old());
    }
    for (User *U : make_early_inc_range(Arithmetic.users())) {
      auto R = RegionRead::match(U);
      if (!R)
        continue; // the write
      IRBuilder<> There(R->Call);
      R->Call->replaceAllUsesWith(RegionRead::create(There, R->Call->getType(), All, *inWhole(W, *R)));
      R->Call->eraseFromParent();
    }
    W.Call->replaceAllUsesWith(All);
    W.Call->eraseFromParent();
    Arithmetic.eraseFromParent();
  }

private:
  /// Whether the result is written once, and read in parts behind that: from the whole then.
  static bool othersReadParts(const RegionWrite &W, BinaryOperator &Arithmetic) {
    return all_of(Arithmetic.users(), [&](User *U) {
      if (U == W.Call)
        return true;
      auto R = RegionRead::match(U);
      return R && R->source() == &Arithmetic && R->Call->getParent() == W.Call->getParent() &&
             W.Call->comesBefore(R->Call) && inWhole(W, *R);
    });
  }

  WholeChange(const RegionWrite &W, BinaryOperator &Arithmetic, Value *Other, SmallVector<bool, 64> Changed)
      : W(W), Arithmetic(Arithmetic), Other(Other), Changed(std::move(Changed)) {}

  RegionWrite W;
  BinaryOperator &Arithmetic;
  Value *Other; ///< What the changed part is combined with.
  SmallVector<bool, 64> Changed;
};

} // namespace

bool changeWhole(Function &F, unsigned VectorBits) {
  SmallVector<RegionWrite, 16> Writes;
  for (Instruction &I : instructions(F))
    if (auto W = RegionWrite::match(&I))
      Writes.push_back(*W);
  bool Any = false;
  for (const RegionWrite &W : Writes) // in order: a later one reads what an earlier one wrote
    if (auto Change = WholeChange::match(W, VectorBits)) {
      Change->replace();
      Any = true;
    }
  return Any;
}

} // namespace pocm
