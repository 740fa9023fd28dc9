//===- LiveElements.cpp - Which elements of vectors are ever read ----------------===//
#include "passes/LiveElements.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {

std::optional<unsigned> LiveElements::constantIndex(const Instruction &I) {
  const Value *Index = nullptr;
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    Index = Insert->getOperand(2);
  else if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
    Index = Extract->getIndexOperand();
  auto *C = dyn_cast_or_null<ConstantInt>(Index);
  unsigned Count = C ? unsigned(countOf(I.getOperand(0)->getType())) : 0;
  return C && C->getValue().ult(Count) ? std::optional(unsigned(C->getZExtValue())) : std::nullopt;
}

LiveElements::LiveElements(Function &F) {
  for (Instruction &I : instructions(F))
    visit(I, /*First=*/true);
  while (!Work.empty())
    visit(*Work.pop_back_val(), /*First=*/false);
}

bool LiveElements::anyLive(Value *V, const Region &R, int Count) const {
  const BitVector *Live = find(V);
  for (int K = 0; Live && K < Count; ++K)
    if (int I = R.element(K); I >= 0 && I < int(Live->size()) && Live->test(unsigned(I)))
      return true;
  return false;
}

bool LiveElements::allLiveInside(Value *V, const Region &R, int Count) const {
  const BitVector *Live = find(V);
  if (!Live)
    return true;
  BitVector Rest = *Live;
  for (int K = 0; K < Count; ++K)
    if (int I = R.element(K); I >= 0 && I < int(Rest.size()))
      Rest.reset(unsigned(I));
  return Rest.none();
}

static bool tracked(Value *V) { return V->getType()->isVectorTy() && isa<Instruction>(V); }

void LiveElements::demand(Value *V, const BitVector &Elements) {
  if (!tracked(V))
    return;
  BitVector &Known = Live.try_emplace(V, unsigned(countOf(V->getType()))).first->second;
  if (Elements.test(Known)) { // some of Elements is not in Known
    Known |= Elements;
    Work.insert(cast<Instruction>(V));
  }
}

void LiveElements::demandAll(Value *V) {
  if (tracked(V))
    demand(V, BitVector(unsigned(countOf(V->getType())), true));
}

/// Passes what is live of I on to its operands. Roots (no vector result) are only visited first.
void LiveElements::visit(Instruction &I, bool First) {
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

} // namespace pocm
