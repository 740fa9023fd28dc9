//===- PromotePlaces.cpp - An element that a loop changes at one place is a value there ------------------===//
//
//     for (int j = 0; j < 16; ++j) {               float s = r(i);
//       r(i) += a(i, j);                     ->    for (int j = 0; j < 16; ++j) {
//       r(16 + j) += a(i, j);                        s += a(i, j);
//     }                                              r(16 + j) += a(i, j);
//                                                  }
//                                                  r(i) = s;
//
// LLVM does so where it sees that nothing else in the loop is the same place; where the others are elements of the same
// variable it does not ask how far counters of the loops around count. What is a value is a sum, for the next pass, and
// waits for no store.
//
// Needs:    loops in LLVM's simple form with counters (loop-rotate, indvars), variables still in memory.
// Leaves:   places that are not read first in each iteration, loops that call something.
//
//===------------------------------------------------------------------------------------------------------===//
#include "ir/LoopAnalyses.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace pocm {
namespace {

/// A load or store of a loop.
struct PlaceAccess {
  Instruction *I;
  const Value *Variable;
  const SCEV *Place;
  std::int64_t Bytes;
  bool isSamePlace(const PlaceAccess &Other) const {
    return Place == Other.Place && getLoadStoreType(I) == getLoadStoreType(Other.I);
  }
};

/// What a loop without others in it does to memory.
class LoopAccesses {
public:
  LoopAccesses(Loop &L, ScalarEvolution &SE) : L(L), SE(SE) {}

  /// False when it is not known.
  bool collect() {
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (I.mayReadOrWriteMemory() && !add(I))
          return false;
    return true;
  }

  /// All of the first place that may be a value; empty when there is none.
  SmallVector<Instruction *> promotable() const {
    for (const PlaceAccess &First : All)
      if (isReadFirst(First)) {
        SmallVector<Instruction *> Same;
        bool Changes = false, Apart = true;
        for (const PlaceAccess &A : All)
          if (A.isSamePlace(First)) {
            Same.push_back(A.I);
            Changes |= isa<StoreInst>(A.I);
          } else {
            Apart = Apart && (A.Variable != First.Variable || areApart(A, First));
          }
        if (Changes && Apart)
          return Same;
      }
    return {};
  }

private:
  bool add(Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    if (Load ? !Load->isSimple() : !Store || !Store->isSimple())
      return false;
    Value *Pointer = getLoadStorePointerOperand(&I), *Variable = getUnderlyingObject(Pointer);
    Type *T = getLoadStoreType(&I);
    if (!isa<AllocaInst>(Variable) || !T->isSingleValueType() || T->isVectorTy() || T->isPointerTy())
      return false;
    All.push_back({&I, Variable, SE.getSCEV(Pointer), std::int64_t(I.getDataLayout().getTypeStoreSize(T))});
    return true;
  }

  /// Whether each iteration reads it, at one place, before anything is written there.
  bool isReadFirst(const PlaceAccess &A) const {
    if (!isa<LoadInst>(A.I) || A.I->getParent() != L.getHeader() || !SE.isLoopInvariant(A.Place, &L))
      return false;
    return none_of(All, [&](const PlaceAccess &Other) {
      return isa<StoreInst>(Other.I) && Other.isSamePlace(A) && Other.I->getParent() == A.I->getParent() &&
             Other.I->comesBefore(A.I);
    });
  }

  bool areApart(const PlaceAccess &One, const PlaceAccess &Two) const {
    const SCEV *Distance = SE.getMinusSCEV(One.Place, Two.Place);
    if (isa<SCEVCouldNotCompute>(Distance))
      return false;
    const ConstantRange Range = SE.getSignedRange(Distance);
    return Range.getSignedMin().sge(Two.Bytes) || Range.getSignedMax().sle(-One.Bytes);
  }

  Loop &L;
  ScalarEvolution &SE;
  SmallVector<PlaceAccess> All;
};

/// Loads and stores of a place in a loop become a value, which is stored behind it.
class Promotion : public LoadAndStorePromoter {
public:
  Promotion(ArrayRef<Instruction *> All, SSAUpdater &Values, const Loop &L, Value *Place)
      : LoadAndStorePromoter(SmallVector<const Instruction *>(All), Values), L(L), Place(Place),
        Alignment(getLoadStoreAlignment(All.front())) {}

  void doExtraRewritesBeforeFinalDeletion() override {
    BasicBlock *Behind = L.getExitBlock(), *Latch = L.getLoopLatch();
    Value *Last = SSA.GetValueAtEndOfBlock(Latch);
    IRBuilder<> B(Behind, Behind->begin());
    PHINode *Carried = B.CreatePHI(Last->getType(), 1);
    Carried->addIncoming(Last, Latch);
    B.SetInsertPoint(Behind, Behind->getFirstInsertionPt());
    B.CreateAlignedStore(Carried, Place, Alignment);
  }

private:
  const Loop &L;
  Value *Place;
  Align Alignment;
};

bool promoteIn(Loop &L, ScalarEvolution &SE) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!L.isInnermost() || !Before || !L.getExitBlock() || !L.hasDedicatedExits() ||
      L.getExitingBlock() != L.getLoopLatch())
    return false;
  LoopAccesses All(L, SE);
  if (!All.collect())
    return false;
  SmallVector<Instruction *> Same = All.promotable();
  if (Same.empty())
    return false;
  SCEVExpander Expander(SE, "");
  const SCEV *Where = SE.getSCEV(getLoadStorePointerOperand(Same.front()));
  if (!Expander.isSafeToExpandAt(Where, Before->getTerminator()))
    return false;
  IRBuilder<> B(Before->getTerminator());
  Value *Place = Expander.expandCodeFor(Where, nullptr, Before->getTerminator());
  SSAUpdater Values;
  Promotion Promoted(Same, Values, L, Place);
  Values.AddAvailableValue(
      Before, B.CreateAlignedLoad(getLoadStoreType(Same.front()), Place, getLoadStoreAlignment(Same.front())));
  Promoted.run(Same);
  SE.forgetLoop(&L);
  return true;
}

} // namespace

bool promotePlaces(Module &M) {
  return changeLoops(M, [](Loop &L, LoopAnalyses &Now) { return promoteIn(L, Now.SE); });
}

} // namespace pocm
