//===- RegionCollapsing.cpp - Fewer regions between a value and its use ------===//
//
//     rdregion(%x, everything in order)                 ->  %x
//     rdregion(rdregion(%x, A), B)                      ->  rdregion(%x, B through A)
//     rdregion(wrregion(%old, %new, A), B)              ->  rdregion(%new, ...)  B inside A
//                                                       ->  rdregion(%old, B)    B beside A
//     rdregion(bitcast rdregion(%x, A), B)              ->  rdregion(bitcast %x, B through A), of a write too
//     rdregion(rdregion(%x, A at run time), B)          ->  rdregion(%x, B through A), for a read of its own
//     wrregion(%old, %new, everything in order)         ->  %new
//     wrregion(wrregion(%old, %a, A), %b, A)            ->  wrregion(%old, %b, A)
//     wrregion(%old, rdregion(%old, A), A)              ->  %old
//     wrregion(%old, wrregion(rdregion(%old, A), %n, B), A)
//                                                       ->  wrregion(%old, %n, B through A), seen as other elements too
//     rdregion(%x, rows 7, width 7, stride 1)           ->  rdregion(%x, one row), so that equal regions look equal
//
// Why:      selects of selects and row-by-row updates leave such chains; each survivor
//           is a move on the Gen ISA and a shuffle on a CPU.
// Needs:    whole values (promote-storage).
// Leaves:   writes without readers for dead-vector-removal and adce.
// Not done: regions that overlap in part, other run-time offsets, masked writes, a result that
//           no single region can name.
//
//===----------------------------------------------------------------------===//
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

/// V seen as elements of that type; null when they do not fill it.
Value *seenAs(IRBuilderBase &B, Value *V, Type *Element) {
  Type *T = V->getType();
  unsigned Bytes = unsigned(countOf(T) * elementBytes(T)), Size = unsigned(elementBytes(Element));
  if (T->getScalarType() == Element)
    return V;
  if (!Size || Bytes % Size)
    return nullptr;
  auto *As = FixedVectorType::get(Element, Bytes / Size);
  if (auto *C = dyn_cast<Constant>(V))
    return ConstantFoldCastOperand(Instruction::BitCast, C, As, B.GetInsertBlock()->getModule()->getDataLayout());
  return B.CreateBitCast(V, As);
}

/// The elements of `Source`, counted as those of T, as a value of type T: Source itself, or one region of it; null when
/// neither will do.
Value *pick(Instruction *Before, Type *T, Value *Source, ArrayRef<int> Elements) {
  std::optional<Region> R = Region::through(Elements);
  if (!R || (!Source->getType()->isVectorTy() && Source->getType() != T))
    return nullptr;
  IRBuilder<> B(Before);
  Source = seenAs(B, Source, T->getScalarType());
  if (!Source)
    return nullptr;
  if (Source->getType() == T && R->isIdentity(int(Elements.size())))
    return Source;
  return Source->getType()->isVectorTy() ? RegionRead::create(B, T, Source, *R) : nullptr;
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

/// Elements of a vector that is also seen as smaller or larger ones.
class View {
  int Inner, Outer; // bytes of an element

public:
  View(Type *Inner, Type *Outer) // bits and pointers are only seen as themselves
      : Inner(std::max(1, elementBytes(Inner))), Outer(std::max(1, elementBytes(Outer))) {}

  /// Where the outer element `E` lies when Move says where each inner element has gone: counted in outer elements; none
  /// when its parts no longer lie side by side, or Move says so of one (-1).
  template <class Function> std::optional<int> place(int E, Function Move) const {
    if (Outer <= Inner) {
      int Ratio = Inner / Outer, To = Move(E / Ratio);
      return To < 0 ? std::nullopt : std::optional(To * Ratio + E % Ratio);
    }
    int Ratio = Outer / Inner, First = Move(E * Ratio);
    for (int K = 1; K < Ratio; ++K)
      if (Move(E * Ratio + K) != First + K)
        return std::nullopt;
    return First < 0 || First % Ratio ? std::nullopt : std::optional(First / Ratio);
  }
};

/// Elements through what Move does to those of a vector; none when one of them is not there.
template <class Function>
std::optional<SmallVector<int, 64>> through(ArrayRef<int> Elements, const View &Seen, Function Move) {
  SmallVector<int, 64> All;
  for (int E : Elements) {
    auto To = Seen.place(E, Move);
    if (!To)
      return std::nullopt;
    All.push_back(*To);
  }
  return All;
}

/// The other side of a change of the elements' type.
Value *uncast(Value *V) {
  auto *Cast = dyn_cast<BitCastInst>(V);
  bool Bytes = Cast && Cast->getSrcTy()->isVectorTy() && elementBytes(Cast->getSrcTy()) && elementBytes(V->getType());
  return Bytes ? Cast->getOperand(0) : V;
}

Value *readOfRead(const RegionRead &Outer, ArrayRef<int> Elements) {
  auto Inner = RegionRead::match(uncast(Outer.source()));
  if (!Inner || (!Inner->Where.isConstant() && (!Inner->Call->hasOneUse() || Inner->Call != Outer.source())) ||
      (Inner->Where.Dynamic && Inner->Where.Dynamic->getType()->isVectorTy()))
    return nullptr;
  Type *T = Outer.Call->getType();
  if (!Inner->Where.isConstant()) {
    SmallVector<int, 64> Places;
    for (int E : Elements)
      Places.push_back(Inner->Where.element(E));
    auto R = Region::through(Places);
    if (!R)
      return nullptr;
    IRBuilder<> B(Outer.Call);
    Type *Offset = Inner->Where.Dynamic->getType();
    R->Dynamic = B.CreateAdd(Inner->Where.Dynamic, ConstantInt::get(Offset, unsigned(R->Offset * elementBytes(T))));
    R->Offset = 0;
    return RegionRead::create(B, T, Inner->source(), *R);
  }
  int Count = countOf(Inner->source()->getType());
  auto Places = through(Elements, View(Inner->Call->getType(), T), [&](int E) {
    int To = Inner->Where.element(E);
    return To < Count ? To : -1;
  });
  return Places ? pick(Outer.Call, T, Inner->source(), *Places) : nullptr;
}

Value *readOfWrite(const RegionRead &Outer, ArrayRef<int> Elements, bool InPlace) {
  auto W = RegionWrite::match(uncast(Outer.source()));
  if (!W || !W->Where.isConstant())
    return nullptr;
  const int Count = countOf(W->Call->getType());
  SmallVector<int, 256> Written(std::size_t(Count), -1); // element of the parent -> element of the written value
  for (int K = 0; K < W->count(); ++K)
    if (int E = W->Where.element(K); E >= 0 && E < Count)
      Written[std::size_t(E)] = K;
  auto In = [&](int E) { return E >= 0 && E < Count ? Written[std::size_t(E)] : -1; };
  Type *T = Outer.Call->getType();
  View Seen(W->Call->getType(), T);
  auto InNew = through(Elements, Seen, In);
  if (InNew)
    return pick(Outer.Call, T, W->value(), *InNew);
  // What is there before the write would have to stay beside it.
  if (Outer.source() != W->Call || (InPlace && !W->Call->hasOneUse() && !isa<Constant>(W->old())))
    return nullptr;
  auto InOld = through(Elements, Seen, [&](int E) { return In(E) < 0 ? E : -1; });
  return InOld ? pick(Outer.Call, T, W->old(), *InOld) : nullptr;
}

/// The same elements as one row, where they are one and do not look it.
std::optional<Region> asRow(const Region &R, int Count) {
  Region Row = Region::contiguous(Count, R.Offset);
  Row.Dynamic = R.Dynamic;
  bool Vector = R.Dynamic && R.Dynamic->getType()->isVectorTy();
  if (Vector || Count < 2 || R == Row)
    return std::nullopt;
  for (int K = 1; K < Count; ++K)
    if (R.element(K) != Row.element(K))
      return std::nullopt;
  return Row;
}

Value *collapseRead(const RegionRead &R, bool InPlace) {
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
  return readOfWrite(R, Elements, InPlace);
}

/// A part of a region is changed and the region put back: only that part is written.
Value *writeOfWrite(const RegionWrite &W) {
  auto Inner = RegionWrite::match(uncast(W.value()));
  auto Read = Inner ? RegionRead::match(uncast(Inner->old())) : std::nullopt;
  if (!Read || !Inner->Where.isConstant() || Read->source() != W.old() || Read->Where != W.Where ||
      Read->count() != W.count() || !elementBytes(Inner->Call->getType()))
    return nullptr;
  Type *T = Inner->Call->getType();
  auto Places = through(elementsOf(Inner->Where, Inner->count()), View(W.value()->getType(), T),
                        [&](int E) { return W.Where.element(E); });
  auto R = Places ? Region::through(*Places) : std::nullopt;
  if (!R)
    return nullptr;
  IRBuilder<> B(W.Call);
  Value *Old = seenAs(B, W.old(), T->getScalarType());
  if (!Old)
    return nullptr;
  return B.CreateBitCast(RegionWrite::create(B, Old, Inner->value(), *R), W.old()->getType());
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
  return writeOfWrite(W);
}

Value *collapse(Instruction &I, bool InPlace) {
  if (auto R = RegionRead::match(&I))
    return collapseRead(*R, InPlace);
  if (auto W = RegionWrite::match(&I))
    return collapseWrite(*W);
  return nullptr;
}

} // namespace

/// What I comes to; what is made on the way there is gone again. Null when nothing can be done.
static Value *collapseWhole(Instruction &I, bool InPlace) {
  Value *Simpler = collapse(I, InPlace);
  while (auto *Step = dyn_cast_or_null<Instruction>(Simpler)) {
    Value *Next = collapse(*Step, InPlace);
    if (!Next)
      break;
    if (Step->use_empty())
      Step->eraseFromParent();
    Simpler = Next;
  }
  return Simpler;
}

static bool collapseAll(Module &M, bool InPlace) {
  bool Changed = false, Again = true;
  while (Again) {
    Again = false;
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (Value *Simpler = collapseWhole(I, InPlace)) {
          I.replaceAllUsesWith(Simpler);
          I.eraseFromParent();
          Again = Changed = true;
        }
  }
  return Changed;
}

bool collapseRegions(Module &M) { return collapseAll(M, /*InPlace=*/false); }
bool collapseRegionsInPlace(Module &M) { return collapseAll(M, /*InPlace=*/true); }

} // namespace pocm
