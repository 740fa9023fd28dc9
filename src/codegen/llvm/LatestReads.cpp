//===- LatestReads.cpp - Parts are read from the latest value that has them ---------------------===//
#include "codegen/llvm/LatestReads.h"
#include "codegen/llvm/Changes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

using namespace llvm;

namespace pocm {
namespace {

/// Whether a region of so many elements names one of these.
bool meets(const Region &Where, int Count, const BitVector &Elements) {
  for (int K = 0; K < Count; ++K)
    if (const int E = Where.element(K); E >= 0 && unsigned(E) < Elements.size() && Elements.test(unsigned(E)))
      return true;
  return false;
}

/// What a value becomes by a change at a known place.
struct Later {
  Instruction *Value;
  BitVector Changed;
};

class Latest {
public:
  Latest(const SetVector<Value *> &Values, const DominatorTree &Dominators) : Dominators(Dominators) {
    for (Value *V : Values)
      if (auto C = Change::match(V); C && !C->chosen() && Values.contains(C->Old)) {
        BitVector Changed(unsigned(countOf(V->getType())));
        for (int K = 0; K < countOf(C->New->getType()); ++K)
          if (const int E = C->Where.element(K); E >= 0 && unsigned(E) < Changed.size())
            Changed.set(unsigned(E));
        After[C->Old].push_back({C->Self, std::move(Changed)});
      }
  }

  /// The latest value at the place of the read that has what it takes; where there are several it stays the earlier
  /// one.
  Value *of(const Part &P) const {
    const int Count = P.Splat ? 1 : countOf(P.Self->getType());
    Value *V = P.From;
    while (true) {
      Instruction *Next = nullptr;
      auto Found = After.find(V);
      if (Found == After.end())
        return V;
      for (const Later &L : Found->second)
        if (!meets(P.Where, Count, L.Changed) && Dominators.dominates(L.Value, P.Self)) {
          if (Next)
            return V;
          Next = L.Value;
        }
      if (!Next)
        return V;
      V = Next;
    }
  }

private:
  const DominatorTree &Dominators;
  DenseMap<Value *, SmallVector<Later, 2>> After;
};

} // namespace

LatestReads::LatestReads(const SetVector<Value *> &Values, const DominatorTree &Dominators) {
  const Latest Now(Values, Dominators);
  for (Value *V : Values)
    for (Use &U : make_early_inc_range(V->uses()))
      if (auto P = Part::match(U.getUser()); P && !P->chosen() && &U == &P->Self->getOperandUse(0))
        if (Value *Latest = Now.of(*P); Latest != V) {
          Before.push_back({&U, V});
          U.set(Latest);
        }
}

void LatestReads::undo() {
  for (auto &[Read, Was] : Before)
    Read->set(Was);
  Before.clear();
}

} // namespace pocm
