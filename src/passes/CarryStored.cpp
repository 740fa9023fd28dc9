//===- CarryStored.cpp - Elements that former iterations have stored are not read again ------------------===//
//
//     for (int i = 2; i < n; ++i)               one = y(1), two = y(0);
//       y(i) += y(i - 1) ^ y(i - 2);     ->     for (int i = 2; i < n; ++i) {
//                                                 y(i) = next = y(i) + (one ^ two);
//                                                 two = one, one = next;
//                                               }
//
// What is read from memory waits for the store behind it. LLVM carries what the last iteration has stored
// (loop-load-elim), and not what earlier ones have.
//
// Needs:    loops in LLVM's simple form with counters (loop-rotate, indvars), variables still in memory.
// Leaves:   loops that store to the variable elsewhere, too, that end in their middle, or that call something; loops
//           that read further back only, which may become operations on vectors.
//
//===------------------------------------------------------------------------------------------------------===//
#include "ir/LoopAnalyses.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned Furthest = 4; // iterations back: as many values are carried

/// A store that each iteration does to the next element, and what reads elements it has stored before.
struct StoredElements {
  StoreInst *Store;
  const SCEVAddRecExpr *Place;
  std::int64_t Step;                                  ///< Bytes from one iteration to the next.
  SmallVector<std::pair<LoadInst *, unsigned>> Loads; ///< With the number of iterations back.
  unsigned furthest() const {
    unsigned Most = 0;
    for (auto [Load, Back] : Loads)
      Most = std::max(Most, Back);
    return Most;
  }
};

class CarryingLoop {
public:
  CarryingLoop(Loop &L, LoopAnalyses &Now) : L(L), Now(Now) {}

  /// The first store whose elements may be carried; null when there is none.
  std::optional<StoredElements> find() {
    if (!L.isInnermost() || !L.getLoopPreheader() || !L.getLoopLatch() || L.getExitingBlock() != L.getLoopLatch())
      return std::nullopt;
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block)
        if (I.mayReadOrWriteMemory()) {
          if (!isOfVariable(I))
            return std::nullopt;
          All.push_back(&I);
        }
    for (Instruction *I : All)
      if (auto *Store = dyn_cast<StoreInst>(I))
        if (std::optional<StoredElements> Found = readBehind(*Store))
          return Found;
    return std::nullopt;
  }

  /// Whether it could be done, that is, first elements could be read in front of the loop.
  bool carry(const StoredElements &Of) {
    BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch();
    SCEVExpander Expander(Now.SE, "");
    const unsigned Count = Of.furthest();
    SmallVector<const SCEV *> Places;
    for (unsigned Back = 1; Back <= Count; ++Back) {
      const SCEV *Start = Of.Place->getStart();
      Places.push_back(Now.SE.getAddExpr(Start, Now.SE.getConstant(Now.SE.getEffectiveSCEVType(Start->getType()),
                                                                   -Of.Step * std::int64_t(Back), true)));
      if (!Expander.isSafeToExpandAt(Places.back(), Before->getTerminator()))
        return false;
    }
    Type *T = Of.Store->getValueOperand()->getType();
    const Align Alignment = commonAlignment(Of.Store->getAlign(), std::uint64_t(std::abs(Of.Step)));
    IRBuilder<> B(Before->getTerminator());
    SmallVector<Value *> First;
    for (const SCEV *Place : Places)
      First.push_back(
          B.CreateAlignedLoad(T, Expander.expandCodeFor(Place, nullptr, Before->getTerminator()), Alignment));
    B.SetInsertPoint(L.getHeader(), L.getHeader()->begin());
    SmallVector<PHINode *> Carried;
    for (unsigned K = 0; K < Count; ++K) {
      Carried.push_back(B.CreatePHI(T, 2));
      Carried[K]->addIncoming(First[K], Before);
      Carried[K]->addIncoming(K ? Carried[K - 1] : Of.Store->getValueOperand(), Latch);
    }
    for (auto [Load, Back] : Of.Loads) {
      Load->replaceAllUsesWith(Carried[Back - 1]);
      Load->eraseFromParent();
    }
    Now.SE.forgetLoop(&L);
    return true;
  }

private:
  static bool isOfVariable(Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    return (Load ? Load->isSimple() : Store && Store->isSimple()) && isa<AllocaInst>(variableOf(I));
  }
  static Value *variableOf(Instruction &I) { return getUnderlyingObject(getLoadStorePointerOperand(&I)); }
  bool isAlways(Instruction &I) const { return Now.Dominators.dominates(I.getParent(), L.getLoopLatch()); }

  std::optional<StoredElements> readBehind(StoreInst &Store) {
    Type *T = Store.getValueOperand()->getType();
    auto *Place = dyn_cast<SCEVAddRecExpr>(Now.SE.getSCEV(Store.getPointerOperand()));
    auto *Step = Place && Place->getLoop() == &L ? dyn_cast<SCEVConstant>(Place->getStepRecurrence(Now.SE)) : nullptr;
    constexpr unsigned StepBits = 32; // and a sign
    if (!Step || !Step->getAPInt().isSignedIntN(StepBits) || !(T->isIntegerTy() || T->isFloatingPointTy()) ||
        !isAlways(Store))
      return std::nullopt;
    StoredElements Found{&Store, Place, Step->getAPInt().getSExtValue(), {}};
    if (std::uint64_t(std::abs(Found.Step)) < Store.getDataLayout().getTypeStoreSize(T).getFixedValue())
      return std::nullopt; // elements that overlap
    bool Seen[Furthest + 1] = {};
    for (Instruction *I : All)
      if (variableOf(*I) != variableOf(Store)) {
        continue;
      } else if (auto *Load = dyn_cast<LoadInst>(I)) {
        const std::optional<unsigned> Back = iterationsBack(Found, *Load);
        if (Back && Load->getType() == T && isAlways(*Load)) {
          Found.Loads.push_back({Load, *Back});
          Seen[*Back] = true;
        }
      } else if (I != &Store) {
        return std::nullopt;
      }
    // What the last iteration has stored may be carried already.
    for (PHINode &Phi : L.getHeader()->phis())
      Seen[1] |= Phi.getIncomingValueForBlock(L.getLoopLatch()) == Store.getValueOperand();
    // All that is read in front of the loop would be read in it: nobody may have written others.
    const unsigned Count = Found.furthest();
    const bool AllRead = Now.SE.getSmallConstantTripCount(&L) >= Count ||
                         all_of(ArrayRef(Seen).slice(1, Count), [](bool Is) { return Is; });
    return Count && AllRead && (Seen[1] || Seen[2]) ? std::optional(Found) : std::nullopt;
  }

  /// How many iterations before the load its element was stored; empty when none has, or one too far back.
  std::optional<unsigned> iterationsBack(const StoredElements &Of, LoadInst &Load) const {
    auto *Distance = dyn_cast<SCEVConstant>(Now.SE.getMinusSCEV(Of.Place, Now.SE.getSCEV(Load.getPointerOperand())));
    if (!Distance)
      return std::nullopt;
    const std::int64_t Bytes = Distance->getAPInt().getSExtValue(), Back = Bytes / Of.Step;
    return Bytes % Of.Step == 0 && Back >= 1 && Back <= Furthest ? std::optional(unsigned(Back)) : std::nullopt;
  }

  Loop &L;
  LoopAnalyses &Now;
  SmallVector<Instruction *> All;
};

} // namespace

bool carryStored(Module &M) {
  return changeLoops(M, [](Loop &L, LoopAnalyses &Now) {
    CarryingLoop Carrying(L, Now);
    const std::optional<StoredElements> Found = Carrying.find();
    return Found && Carrying.carry(*Found);
  });
}

} // namespace pocm
