//===- ElementAccess.cpp - What a loop over elements reads and writes ---------------------------===//
#include "passes/ElementAccess.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace pocm {
namespace {

/// A store and another access of its variable.
struct Pair {
  const ElementAccess &Store, &Other;
  bool OtherFirst; ///< In an iteration.

  bool areAlike() const { return Store.Stride == Other.Stride; }

  /// Of so many bytes between both.
  bool isInOrder(std::int64_t Apart, std::int64_t Times) const {
    for (std::int64_t One = 0; One < Times; ++One) // iteration of the store, and of the other
      for (std::int64_t Two = 0; Two < Times; Two += One && areAlike() ? Times : 1) {
        const std::int64_t Offset = Apart + One * Store.Stride - Two * Other.Stride;
        const bool Meet = Offset < Other.Bytes && -Offset < Store.Bytes;
        const bool InOrder = One == Two || (One > Two && OtherFirst && !Other.isStore());
        if (Meet && !InOrder)
          return false;
      }
    return true;
  }

  /// Of a number of bytes that is not known.
  Distance distance(const SCEV *Apart, std::int64_t Times) const {
    const auto [Begin, End] = reach(Store, Times);
    const auto [OtherBegin, OtherEnd] = reach(Other, Times);
    Distance D{Apart, OtherEnd - Begin, OtherBegin - End, areAlike()};
    if (areAlike() && OtherFirst && !Other.isStore()) // what is read is written in a later iteration
      Store.Stride > 0 ? D.AtMost = 0 : D.AtLeast = 0;
    return D;
  }

private:
  /// Bytes of all iterations, from the first one's place on.
  static std::pair<std::int64_t, std::int64_t> reach(const ElementAccess &A, std::int64_t Times) {
    const std::int64_t Last = (Times - 1) * A.Stride;
    return {std::min<std::int64_t>(0, Last), std::max<std::int64_t>(0, Last) + A.Bytes};
  }
};

bool isKnown(const Distance &D, ScalarEvolution &SE) {
  const ConstantRange Bytes = SE.getSignedRange(D.Bytes);
  const unsigned Bits = Bytes.getBitWidth();
  return Bytes.getSignedMin().sge(APInt(Bits, std::uint64_t(D.AtLeast), true)) ||
         Bytes.getSignedMax().sle(APInt(Bits, std::uint64_t(D.AtMost), true));
}

} // namespace

std::optional<SmallVector<Distance, 2>> whenInOrder(ArrayRef<ElementAccess> All, std::int64_t Times,
                                                    ScalarEvolution &SE) {
  SmallVector<Distance, 2> Conditions;
  for (const auto &[N, Store] : enumerate(All)) {
    if (!Store.isStore())
      continue;
    for (const auto &[M, Other] : enumerate(All)) {
      if (Other.Variable != Store.Variable || M == N)
        continue;
      const Pair Both{Store, Other, M < N};
      const SCEV *Apart = SE.getMinusSCEV(Store.First, Other.First);
      if (isa<SCEVCouldNotCompute>(Apart))
        return std::nullopt;
      if (auto *Known = dyn_cast<SCEVConstant>(Apart)) {
        if (Known->getAPInt().getSignificantBits() > 32 || !Both.isInOrder(Known->getAPInt().getSExtValue(), Times))
          return std::nullopt;
      } else if (const Distance D = Both.distance(Apart, Times); !isKnown(D, SE)) {
        Conditions.push_back(D);
      }
    }
  }
  return Conditions;
}

Value *holds(const Distance &D, IRBuilderBase &B, SCEVExpander &Expander) {
  Value *Bytes = Expander.expandCodeFor(D.Bytes, D.Bytes->getType(), B.GetInsertPoint());
  auto number = [&](std::int64_t N) { return ConstantInt::getSigned(Bytes->getType(), N); };
  Value *Holds = B.CreateOr(B.CreateICmpSGE(Bytes, number(D.AtLeast)), B.CreateICmpSLE(Bytes, number(D.AtMost)));
  return D.OrNone ? B.CreateOr(Holds, B.CreateICmpEQ(Bytes, number(0))) : Holds;
}

} // namespace pocm
