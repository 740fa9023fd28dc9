//===- DeadVectorRemoval.cpp - Elements that nobody reads --------------------===//
//
// Follows, from the uses backwards, which elements of every vector are ever read:
//
//     %a = wrregion(%old, %x, row 0)      row 0 is never read
//     %b = rdregion(%a, row 1)
//  -> %b = rdregion(%old, row 1)          and %x may die
//
//     %w = wrregion(%old, %new, R)        all that is read lies in R
//  -> %w = wrregion(undef, %new, R)       %old may die
//
// Elements that are inserted one by one are writes of regions of one.
//
// Why:      a matrix written row by row keeps all its history alive otherwise.
// Needs:    whole values; loops are fine, phis are followed to a fixed point.
// Not done: element-wise operations are not made narrower, only cut off from dead inputs.
//
//===----------------------------------------------------------------------===//
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

/// Of an element that an instruction inserts or extracts.
std::optional<unsigned> constantIndex(const Instruction &I) {
  const Value *Index = nullptr;
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    Index = Insert->getOperand(2);
  else if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
    Index = Extract->getIndexOperand();
  auto *C = dyn_cast_or_null<ConstantInt>(Index);
  unsigned Count = C ? unsigned(countOf(I.getOperand(0)->getType())) : 0;
  return C && C->getValue().ult(Count) ? std::optional(unsigned(C->getZExtValue())) : std::nullopt;
}

class Liveness {
public:
  explicit Liveness(Function &F) {
    for (Instruction &I : instructions(F))
      visit(I, /*First=*/true);
    while (!Work.empty())
      visit(*Work.pop_back_val(), /*First=*/false);
  }

  bool anyLive(Value *V, const Region &R, int Count) const {
    const BitVector *Live = find(V);
    for (int K = 0; Live && K < Count; ++K)
      if (int I = R.element(K); I >= 0 && I < int(Live->size()) && Live->test(unsigned(I)))
        return true;
    return false;
  }
  /// Whether every live element of V lies in the region.
  bool allLiveInside(Value *V, const Region &R, int Count) const {
    const BitVector *Live = find(V);
    if (!Live)
      return true;
    BitVector Rest = *Live;
    for (int K = 0; K < Count; ++K)
      if (int I = R.element(K); I >= 0 && I < int(Rest.size()))
        Rest.reset(unsigned(I));
    return Rest.none();
  }

private:
  const BitVector *find(Value *V) const {
    auto Found = Live.find(V);
    return Found == Live.end() ? nullptr : &Found->second;
  }
  static bool tracked(Value *V) { return V->getType()->isVectorTy() && isa<Instruction>(V); }

  void demand(Value *V, const BitVector &Elements) {
    if (!tracked(V))
      return;
    BitVector &Known = Live.try_emplace(V, unsigned(countOf(V->getType()))).first->second;
    if (Elements.test(Known)) { // some of Elements is not in Known
      Known |= Elements;
      Work.insert(cast<Instruction>(V));
    }
  }
  void demandAll(Value *V) {
    if (tracked(V))
      demand(V, BitVector(unsigned(countOf(V->getType())), true));
  }

  /// Passes what is live of I on to its operands. Roots (no vector result) are only visited first.
  void visit(Instruction &I, bool First) {
    bool Result = tracked(&I);
    if (First && Result && !I.mayHaveSideEffects())
      return; // visited when somebody demands it
    auto Found = Live.find(&I);
    BitVector Mine = Result && Found != Live.end() ? Found->second : BitVector();
    if (Result && !Mine.empty() && (isElementWise(I) || isa<PHINode>(I))) {
      for (Value *Operand : I.operands())
        if (countOf(Operand->getType()) == countOf(I.getType()) && Operand->getType()->isVectorTy())
          demand(Operand, Mine);
        else
          demandAll(Operand);
      return;
    }
    if (isa<BitCastInst>(I) && !Mine.empty() && tracked(I.getOperand(0))) {
      Value *From = I.getOperand(0);
      unsigned Bits = I.getType()->getScalarSizeInBits(), Wide = From->getType()->getScalarSizeInBits();
      BitVector Needed(unsigned(countOf(From->getType())));
      for (unsigned K : Mine.set_bits())
        Needed.set(K * Bits / Wide, ((K + 1) * Bits - 1) / Wide + 1);
      demand(From, Needed);
      return;
    }
    if (auto R = RegionRead::match(&I); R && R->Where.isConstant() && tracked(R->source())) {
      BitVector Needed(unsigned(countOf(R->source()->getType())));
      for (int K = 0; K < R->count(); ++K)
        if (int E = R->Where.element(K); (Mine.empty() || Mine.test(unsigned(K))) && E >= 0 && E < int(Needed.size()))
          Needed.set(unsigned(E));
      demand(R->source(), Needed);
      return;
    }
    if (auto W = RegionWrite::match(&I); W && W->Where.isConstant() && !Mine.empty()) {
      BitVector Old = Mine, New(unsigned(W->count()));
      for (int K = 0; K < W->count(); ++K)
        if (int E = W->Where.element(K); E >= 0 && E < int(Mine.size())) {
          if (Mine.test(unsigned(E)))
            New.set(unsigned(K));
          Old.reset(unsigned(E));
        }
      demand(W->old(), Old);
      demand(W->value(), New);
      return;
    }
    if (auto Index = constantIndex(I)) {
      if (isa<InsertElementInst>(I)) {
        if (Mine.empty())
          return;
        Mine.reset(*Index);
      } else {
        Mine = BitVector(unsigned(countOf(I.getOperand(0)->getType())));
        Mine.set(*Index);
      }
      demand(I.getOperand(0), Mine);
      return;
    }
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && !Mine.empty()) {
      unsigned Count = unsigned(countOf(I.getOperand(0)->getType()));
      BitVector Needed[2] = {BitVector(Count), BitVector(Count)};
      for (unsigned K : Mine.set_bits())
        if (int From = Shuffle->getMaskValue(K); From >= 0)
          Needed[unsigned(From) / Count].set(unsigned(From) % Count);
      demand(I.getOperand(0), Needed[0]);
      demand(I.getOperand(1), Needed[1]);
      return;
    }
    for (Value *Operand : I.operands())
      demandAll(Operand);
  }

  DenseMap<Value *, BitVector> Live;
  SetVector<Instruction *> Work;
};

bool removeDeadElements(Function &F) {
  Liveness Live(F);
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto Index = constantIndex(I); Index && isa<InsertElementInst>(I)) {
      Region Only = Region::contiguous(1, int(*Index));
      if (!Live.anyLive(&I, Only, 1)) {
        I.replaceAllUsesWith(I.getOperand(0));
        I.eraseFromParent();
        Changed = true;
      } else if (!isa<UndefValue>(I.getOperand(0)) && Live.allLiveInside(&I, Only, 1)) {
        I.setOperand(0, PoisonValue::get(I.getType()));
        Changed = true;
      }
      continue;
    }
    auto W = RegionWrite::match(&I);
    if (!W || !W->Where.isConstant())
      continue;
    if (!Live.anyLive(&I, W->Where, W->count())) {
      I.replaceAllUsesWith(W->old());
      I.eraseFromParent();
      Changed = true;
    } else if (!isa<UndefValue>(W->old()) && Live.allLiveInside(&I, W->Where, W->count())) {
      I.setOperand(0, UndefValue::get(I.getType()));
      Changed = true;
    }
  }
  return Changed;
}

} // namespace

bool removeDeadElements(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= removeDeadElements(F);
  return Changed;
}

} // namespace pocm
