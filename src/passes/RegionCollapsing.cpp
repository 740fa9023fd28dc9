//===- RegionCollapsing.cpp - Fewer regions between a value and its use ------===//
//
//     rdregion(%x, everything in order)                 ->  %x
//     rdregion(rdregion(%x, A), B)                      ->  rdregion(%x, B through A)
//     rdregion(wrregion(%old, %new, A), B)              ->  rdregion(%new, ...)  B inside A
//                                                       ->  rdregion(%old, B)    B beside A
//     wrregion(%old, %new, everything in order)         ->  %new
//     wrregion(wrregion(%old, %a, A), %b, A)            ->  wrregion(%old, %b, A)
//     wrregion(%old, rdregion(%old, A), A)              ->  %old
//     rdregion(%x, rows 7, width 7, stride 1)           ->  rdregion(%x, one row), so that equal regions look equal
//
// Why:      selects of selects and row-by-row updates leave such chains; each survivor
//           is a move on the Gen ISA and a shuffle on a CPU.
// Needs:    whole values (promote-storage).
// Leaves:   writes without readers for dead-vector-removal and adce.
// Not done: regions that overlap in part, run-time offsets, masked writes, a result that
//           no single region can name.
//
//===----------------------------------------------------------------------===//
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

/// The elements of `Source` as a value of type T: Source itself, or one region of it; null when neither will do.
Value *pick(Instruction *Before, Type *T, Value *Source, ArrayRef<int> Elements) {
  if (!Source->getType()->isVectorTy())
    return Source->getType() == T ? Source : nullptr;
  std::optional<Region> R = Region::through(Elements);
  if (!R)
    return nullptr;
  if (Source->getType() == T && R->isIdentity(int(Elements.size())))
    return Source;
  IRBuilder<> B(Before);
  return RegionRead::create(B, T, Source, *R);
}

SmallVector<int, 64> elementsOf(const Region &R, int Count) {
  SmallVector<int, 64> Elements;
  for (int K = 0; K < Count; ++K)
    Elements.push_back(R.element(K));
  return Elements;
}

bool inside(ArrayRef<int> Elements, Type *T) {
  return all_of(Elements, [&](int I) { return I >= 0 && I < countOf(T); });
}

Value *readOfRead(const RegionRead &Outer, ArrayRef<int> Elements) {
  auto Inner = RegionRead::match(Outer.source());
  if (!Inner || !Inner->Where.isConstant())
    return nullptr;
  SmallVector<int, 64> Through;
  for (int I : Elements)
    Through.push_back(Inner->Where.element(I));
  return inside(Through, Inner->source()->getType()) ? pick(Outer.Call, Outer.Call->getType(), Inner->source(), Through)
                                                     : nullptr;
}

Value *readOfWrite(const RegionRead &Outer, ArrayRef<int> Elements) {
  auto W = RegionWrite::match(Outer.source());
  if (!W || !W->Where.isConstant())
    return nullptr;
  SmallDenseMap<int, int, 64> Written; // element of the parent -> element of the written value
  for (int K = 0; K < W->count(); ++K)
    Written[W->Where.element(K)] = K;
  SmallVector<int, 64> InNew;
  int Old = 0;
  for (int I : Elements) {
    auto Found = Written.find(I);
    if (Found == Written.end())
      ++Old;
    else
      InNew.push_back(Found->second);
  }
  if (InNew.empty())
    return pick(Outer.Call, Outer.Call->getType(), W->old(), Elements);
  if (Old == 0)
    return pick(Outer.Call, Outer.Call->getType(), W->value(), InNew);
  return nullptr;
}

/// The same elements as one row, where they are one and do not look it.
std::optional<Region> asRow(const Region &R, int Count) {
  Region Row = Region::contiguous(Count, R.Offset);
  Row.Dynamic = R.Dynamic;
  bool Vector = R.Dynamic && R.Dynamic->getType()->isVectorTy();
  return !Vector && Count > 1 && R != Row && elementsOf(R, Count) == elementsOf(Row, Count) ? std::optional(Row)
                                                                                           : std::nullopt;
}

Value *collapseRead(const RegionRead &R) {
  if (auto Row = asRow(R.Where, R.count())) {
    IRBuilder<> B(R.Call);
    return RegionRead::create(B, R.Call->getType(), R.source(), *Row);
  }
  if (!R.Where.isConstant())
    return nullptr;
  SmallVector<int, 64> Elements = elementsOf(R.Where, R.count());
  if (!inside(Elements, R.source()->getType()))
    return nullptr;
  if (R.source()->getType() == R.Call->getType() && R.Where.isIdentity(R.count()))
    return R.source();
  if (Value *V = readOfRead(R, Elements))
    return V;
  return readOfWrite(R, Elements);
}

Value *collapseWrite(const RegionWrite &W) {
  if (auto Row = asRow(W.Where, W.count())) {
    IRBuilder<> B(W.Call);
    return RegionWrite::create(B, W.old(), W.value(), *Row);
  }
  if (!W.Where.isConstant())
    return nullptr;
  if (W.value()->getType() == W.old()->getType() && W.Where.isIdentity(W.count()))
    return W.value();
  if (auto Inner = RegionWrite::match(W.old()); Inner && Inner->Where == W.Where && Inner->count() == W.count()) {
    IRBuilder<> B(W.Call);
    return RegionWrite::create(B, Inner->old(), W.value(), W.Where);
  }
  if (auto R = RegionRead::match(W.value()); R && R->source() == W.old() && R->Where == W.Where)
    return W.old();
  return nullptr;
}

Value *collapse(Instruction &I) {
  if (auto R = RegionRead::match(&I))
    return collapseRead(*R);
  if (auto W = RegionWrite::match(&I))
    return collapseWrite(*W);
  return nullptr;
}

} // namespace

bool collapseRegions(Module &M) {
  bool Changed = false, Again = true;
  while (Again) {
    Again = false;
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (Value *Simpler = collapse(I)) {
          I.replaceAllUsesWith(Simpler);
          I.eraseFromParent();
          Again = Changed = true;
        }
  }
  return Changed;
}

} // namespace pocm
