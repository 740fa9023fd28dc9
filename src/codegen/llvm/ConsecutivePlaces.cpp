//===- ConsecutivePlaces.cpp - Scattered accesses to elements that lie side by side -------------===//
//
//     %at = add (shl (splat %t), 4), <0, 1, 2, ..>          first %t * 16, step 1
//     %at = %x, %x + 1, %x + 2, .. element by element       first %x, step 1
//
// Needs:    places as CM IR has them: vectors, and splats that are regions.
// Leaves:   places that are loaded, or permuted.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/llvm/ConsecutivePlaces.h"
#include "ir/Region.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

uint64_t maskOf(const Type *T) { return maskTrailingOnes<uint64_t>(T->getScalarSizeInBits()); }

/// First + Step * lane, where First is `Start` and a sum of scalars with factors. All of it wraps in as many bits as
/// places have.
struct Progression {
  struct Term {
    Value *Whole; ///< The element `Lane` of it; a scalar has none.
    int Lane;
    uint64_t Factor;
    bool Signed = false; ///< When it is widened.

    Value *scalar(IRBuilder<> &B, Type *T) const {
      Value *X = Lane >= 0 && Whole->getType()->isVectorTy() ? B.CreateExtractElement(Whole, uint64_t(Lane)) : Whole;
      return B.CreateMul(B.CreateIntCast(X, T, Signed), ConstantInt::get(T, Factor & maskOf(T)));
    }
  };
  SmallVector<Term, 4> Terms;
  uint64_t Start = 0, Step = 0;

  bool add(Value *V, uint64_t Factor, unsigned Depth = 0) {
    constexpr unsigned MostDepth = 8;
    Value *X, *Y;
    const APInt *C;
    if (Depth == MostDepth)
      return false;
    if (auto *Numbers = dyn_cast<Constant>(V))
      return addNumbers(*Numbers, Factor);
    if (auto Same = sameInAll(V, Factor)) {
      Terms.push_back(*Same);
      return true;
    }
    if (isa<ZExtInst, SExtInst>(V))
      if (auto Same = sameInAll(cast<CastInst>(V)->getOperand(0), Factor)) {
        Terms.push_back(*Same);
        Terms.back().Signed = isa<SExtInst>(V);
        return true;
      }
    if (isa<InsertElementInst>(V))
      return addElements(V, Factor);
    if (match(V, m_AddLike(m_Value(X), m_Value(Y))))
      return add(X, Factor, Depth + 1) && add(Y, Factor, Depth + 1);
    if (match(V, m_Sub(m_Value(X), m_Value(Y))))
      return add(X, Factor, Depth + 1) && add(Y, -Factor, Depth + 1);
    if (match(V, m_Mul(m_Value(X), m_APInt(C))))
      return add(X, Factor * C->getZExtValue(), Depth + 1);
    if (match(V, m_Shl(m_Value(X), m_APInt(C))) && C->ult(C->getBitWidth()))
      return add(X, Factor << C->getZExtValue(), Depth + 1);
    return false;
  }

private:
  /// A scalar that all lanes have.
  static std::optional<Term> sameInAll(Value *V, uint64_t Factor) {
    if (Value *Same = getSplatValue(V))
      return Term{Same, -1, Factor};
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V); Shuffle && all_equal(Shuffle->getShuffleMask()))
      if (int Lane = Shuffle->getMaskValue(0); Lane >= 0 && Lane < countOf(Shuffle->getOperand(0)->getType()))
        return Term{Shuffle->getOperand(0), Lane, Factor};
    if (auto R = RegionRead::match(V); R && R->Where.isConstant())
      if (const int Lane = R->Where.element(0);
          Lane >= 0 && all_of(seq(R->count()), [&](int K) { return R->Where.element(K) == Lane; }))
        return Term{R->source(), Lane, Factor};
    return std::nullopt;
  }

  /// Put together of scalars that are one of them and constants.
  bool addElements(Value *V, uint64_t Factor) {
    SmallVector<Value *, 32> Elements(std::size_t(countOf(V->getType())), nullptr);
    uint64_t Place;
    for (Value *Rest = V, *Element; match(Rest, m_InsertElt(m_Value(V), m_Value(Element), m_ConstantInt(Place)));
         Rest = V)
      if (Place < Elements.size() && !Elements[Place])
        Elements[Place] = Element;
    if (is_contained(Elements, nullptr))
      return false;
    const uint64_t Mask = maskOf(V->getType());
    auto taken = [](Value *Element) { // a constant off the sum
      const APInt *C;
      uint64_t Sum = 0;
      for (Value *X; match(Element, m_AddLike(m_Value(X), m_APInt(C))); Element = X)
        Sum += C->getZExtValue();
      return std::pair(Element, Sum);
    };
    const auto [Common, First] = taken(Elements[0]);
    auto ahead = [&](Value *Element) -> std::optional<uint64_t> {
      const auto [X, Sum] = taken(Element);
      return X == Common ? std::optional((Sum - First) & Mask) : std::nullopt;
    };
    auto By = ahead(Elements[1]);
    for (std::size_t N = 1; N < Elements.size(); ++N)
      if (!By || ahead(Elements[N]) != ((*By * N) & Mask))
        return false;
    Terms.push_back({Elements[0], -1, Factor});
    Step += Factor * *By;
    return true;
  }

  bool addNumbers(const Constant &C, uint64_t Factor) {
    auto Number = [&](int N) { return dyn_cast_or_null<ConstantInt>(C.getAggregateElement(unsigned(N))); };
    const int Count = countOf(C.getType());
    if (!Number(0))
      return false;
    const uint64_t First = Number(0)->getZExtValue();
    uint64_t By = 0;
    const uint64_t Mask = maskOf(C.getType());
    for (int N = 1; N < Count; ++N) {
      if (!Number(N))
        return false;
      const uint64_t Ahead = Number(N)->getZExtValue() - First;
      if (N == 1)
        By = Ahead;
      else if ((Ahead - By * uint64_t(N)) & Mask)
        return false;
    }
    Start += Factor * First;
    Step += Factor * By;
    return true;
  }
};

} // namespace

Value *firstOfConsecutive(IRBuilder<> &B, Value *Places, unsigned Step) {
  Progression P;
  Type *T = Places->getType()->getScalarType();
  if (!P.add(Places, 1) || (P.Step & maskOf(T)) != Step)
    return nullptr;
  Value *First = ConstantInt::get(T, P.Start & maskOf(T));
  for (const Progression::Term &Term : P.Terms)
    First = B.CreateAdd(First, Term.scalar(B, T));
  return First;
}

} // namespace pocm
