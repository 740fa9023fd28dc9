//===- LateDifferences.cpp - What a loop takes from sums in each turn is taken behind it ----------===//
//
// Sums of products of bytes with signs are too large by what the change of signs adds (codegen/llvm/Dpas.cpp), which is
// sums over bytes of one factor, taken away behind each of the products:
//
//     loop:                                              loop:
//       %sum = phi [ %start ], [ %next ]                   %sum = phi [ %start ], [ %more ]
//       %more = vpdpbusd(%sum, ...)                         %all = phi [ 0 ], [ %change ]
//       %change = vpdpbusd(0, 128, %row)             ->    %more = vpdpbusd(%sum, ...)
//       %total = ... %change, over its lanes                %change = vpdpbusd(%all, 128, %row)
//       %next = sub %more, %total                        end:
//     end:                                                 %total = ... %change, over its lanes
//                                                          %next = sub %more, %total
//
// Integers wrap, so the order does not matter. Between the change and what is taken are sums and shuffles of lanes
// alone, which are the same of a sum as the sum of theirs.
//
// Needs:    whole registers.
// Leaves:   differences behind loops.
// Not done: sums whose values on the way something else needs.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Sums of products of bytes: what is added to stands first.
IntrinsicInst *asAddition(Value *V) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::x86_avx512_vpdpbusd_512:
  case Intrinsic::x86_avx512_vpdpbusd_256:
  case Intrinsic::x86_avx512_vpdpbusd_128:
    return Call;
  default:
    return nullptr;
  }
}

/// What is taken away: the last of the additions to zero, and what is made of it, in order.
struct Difference {
  IntrinsicInst *First = nullptr, *Last = nullptr;
  SmallSetVector<Instruction *, 8> Made; // not Last itself
};

/// A sum that a loop carries, and what is taken from it on the way.
struct Sum {
  PHINode *Phi;
  Instruction *Next;
  SmallVector<BinaryOperator *, 2> Takers;
  SmallVector<Difference, 2> Taken;
};

class LateDifferences {
public:
  LateDifferences(Loop &L, LoopInfo &Loops, DominatorTree &Dominators) : L(L), Loops(Loops), Dominators(Dominators) {}

  bool run() {
    Header = L.getHeader();
    Latch = L.getLoopLatch();
    if (!Latch || !L.isInnermost())
      return false;
    SmallVector<Sum, 32> Found;
    for (PHINode &Phi : Header->phis())
      if (std::optional<Sum> S = sumOf(Phi))
        Found.push_back(std::move(*S));
    if (Found.empty() || !prepare())
      return false;
    erase_if(Found, [&](const Sum &S) { return !endsHere(S); });
    for (std::size_t Before = 0; Before != Found.size();) {
      Before = Found.size();
      SmallPtrSet<const User *, 32> Takers; // all of them go
      for (const Sum &S : Found)
        Takers.insert(S.Takers.begin(), S.Takers.end());
      erase_if(Found,
               [&](const Sum &S) { return any_of(S.Taken, [&](const Difference &D) { return isNeeded(D, Takers); }); });
    }
    SmallVector<WeakTrackingVH, 16> Old; // which would be taken for those behind the loop
    for (const Sum &S : Found) {
      takeLate(S);
      for (const Difference &D : S.Taken)
        Old.append(D.Made.rbegin(), D.Made.rend());
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
    return true; // at least the loop has a simple form
  }

private:
  bool isInside(const Value *V) const { return isa<Instruction>(V) && L.contains(cast<Instruction>(V)); }

  /// Additions and differences from a phi to its next value, which nothing else in the loop takes.
  std::optional<Sum> sumOf(PHINode &Phi) {
    auto *Type = dyn_cast<FixedVectorType>(Phi.getType());
    auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
    if (!Type || !Type->getElementType()->isIntegerTy() || !Next || Phi.getNumIncomingValues() != 2)
      return std::nullopt;
    Sum S{&Phi, Next, {}, {}};
    for (Value *V = Next, *Taker = &Phi; V != &Phi;) {
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !L.contains(I) || !isTakenBy(*I, *Taker, /*OutsideToo=*/V == Next))
        return std::nullopt;
      if (auto *Sub = dyn_cast<BinaryOperator>(I); Sub && Sub->getOpcode() == Instruction::Sub) {
        std::optional<Difference> D = differenceOf(Sub->getOperand(1));
        if (!D)
          return std::nullopt;
        S.Takers.push_back(Sub);
        S.Taken.push_back(std::move(*D));
      } else if (!asAddition(I))
        return std::nullopt;
      Taker = I;
      V = I->getOperand(0);
      if (V == &Phi && !isTakenBy(Phi, *Taker, /*OutsideToo=*/true))
        return std::nullopt;
    }
    return S.Takers.empty() ? std::nullopt : std::optional(S);
  }
  bool isTakenBy(const Instruction &I, const Value &Taker, bool OutsideToo) const {
    unsigned Times = 0;
    for (const User *U : I.users()) {
      if (U == &Taker)
        ++Times;
      else if (!OutsideToo || isInside(U))
        return false;
    }
    return Times == 1;
  }

  std::optional<Difference> differenceOf(Value *V) {
    Difference D;
    SmallVector<Value *, 8> Todo{V};
    SmallSetVector<Instruction *, 8> Backwards;
    while (!Todo.empty()) {
      auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
      if (!I || !L.contains(I) || Backwards.size() > MostMade)
        return std::nullopt;
      if (IntrinsicInst *Addition = asAddition(I)) {
        if (D.Last && D.Last != Addition)
          return std::nullopt;
        D.Last = Addition;
      } else if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(I); Shuffle && isa<UndefValue>(Shuffle->getOperand(1))) {
        Backwards.insert(I);
        Todo.push_back(Shuffle->getOperand(0));
      } else if (I->getOpcode() == Instruction::Add) {
        Backwards.insert(I);
        append_range(Todo, I->operands());
      } else
        return std::nullopt;
    }
    for (Value *At = D.Last; !isZero(At);) {
      IntrinsicInst *Addition = asAddition(At);
      if (!Addition || !L.contains(Addition) || (Addition != D.Last && !Addition->hasOneUse()))
        return std::nullopt;
      D.First = Addition;
      At = argumentsOf<3>(*Addition)[0];
    }
    // In the order of the loop: what was met first may need what was met later.
    SmallVector<Instruction *, 8> InOrder(Backwards.begin(), Backwards.end());
    sort(InOrder, [&](Instruction *A, Instruction *B) { return A != B && Dominators.dominates(A, B); });
    D.Made.insert(InOrder.begin(), InOrder.end());
    return D;
  }
  static bool isZero(const Value *V) {
    auto *C = dyn_cast<Constant>(V);
    return C && C->isNullValue();
  }

  /// One block before the loop, exits of the loop's own, and phis there for what is needed behind it.
  bool prepare() {
    simplifyLoop(&L, &Dominators, &Loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    formLCSSA(L, Dominators, &Loops, nullptr);
    return L.getLoopPreheader() && L.hasDedicatedExits() && L.getLoopLatch() == Latch && L.getHeader() == Header;
  }

  /// Whether phis behind the loop choose between the sum before and after a turn, and nothing else.
  bool endsHere(const Sum &S) const {
    for (const Instruction *End : {static_cast<const Instruction *>(S.Phi), static_cast<const Instruction *>(S.Next)})
      for (const User *U : End->users())
        if (auto *Exit = dyn_cast<PHINode>(U); !isInside(U))
          if (!Exit || !all_of(Exit->incoming_values(), [&](Value *V) { return V == S.Phi || V == S.Next; }))
            return false;
    return true;
  }
  /// Whether something else takes what those take away.
  static bool isNeeded(const Difference &D, const SmallPtrSetImpl<const User *> &Takers) {
    auto Needs = [&](const User *U) { return !Takers.contains(U) && !is_contained(D.Made, const_cast<User *>(U)); };
    return any_of(D.Last->users(), Needs) ||
           any_of(D.Made, [&](const Instruction *I) { return any_of(I->users(), Needs); });
  }

  /// The phi for all that the loop has added to zero.
  PHINode *carried(const Difference &D) {
    PHINode *&Phi = Carried[D.Last];
    if (!Phi) {
      Constant *Zero = Constant::getNullValue(D.Last->getType());
      Phi = PHINode::Create(D.Last->getType(), 2, "", Header->begin());
      Phi->addIncoming(Zero, L.getLoopPreheader());
      Phi->addIncoming(D.Last, Latch);
      D.First->replaceUsesOfWith(Zero, Phi);
    }
    return Phi;
  }

  void takeLate(const Sum &S) {
    SmallSetVector<PHINode *, 4> Exits;
    for (Instruction *End : {static_cast<Instruction *>(S.Phi), S.Next})
      for (User *U : End->users())
        if (!isInside(U))
          Exits.insert(cast<PHINode>(U));
    for (PHINode *Exit : Exits)
      finish(*Exit, S);
    for (BinaryOperator *Sub : S.Takers) {
      Sub->replaceAllUsesWith(Sub->getOperand(0));
      Sub->eraseFromParent();
    }
  }

  /// Takes from a sum behind the loop what was taken in it.
  void finish(PHINode &Exit, const Sum &S) {
    BasicBlock &Block = *Exit.getParent();
    IRBuilder<> B(&Block, Block.getFirstInsertionPt());
    Value *Rest = &Exit;
    SmallPtrSet<User *, 2> Takers;
    for (const Difference &D : S.Taken) {
      Rest = B.CreateSub(Rest, totalBehind(D, Exit, S, B));
      Takers.insert(cast<User>(Rest));
    }
    Exit.replaceUsesWithIf(Rest, [&](Use &U) { return !Takers.contains(U.getUser()); });
  }

  /// What a difference is over all turns that the sum behind the loop has.
  Value *totalBehind(const Difference &D, PHINode &Exit, const Sum &S, IRBuilder<> &B) {
    PHINode *All = carried(D), *Behind = PHINode::Create(All->getType(), Exit.getNumIncomingValues());
    for (unsigned N = 0; N < Exit.getNumIncomingValues(); ++N)
      Behind->addIncoming(Exit.getIncomingValue(N) == S.Next ? static_cast<Value *>(D.Last) : All,
                          Exit.getIncomingBlock(N));
    Behind->insertBefore(Exit.getParent()->begin());
    ValueToValueMapTy Map;
    Map[D.Last] = Behind;
    Value *Total = Behind;
    for (Instruction *I : D.Made) {
      Instruction *Copy = I->clone();
      RemapInstruction(Copy, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      Copy->dropPoisonGeneratingFlags();
      Map[I] = Total = B.Insert(Copy);
    }
    return Total;
  }

  static constexpr unsigned MostMade = 16; ///< Of a difference.

  Loop &L;
  LoopInfo &Loops;
  DominatorTree &Dominators;
  BasicBlock *Header = nullptr, *Latch = nullptr;
  DenseMap<IntrinsicInst *, PHINode *> Carried;
};

} // namespace

bool takeLate(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    for (Loop *L : Loops.getLoopsInPreorder())
      Changed |= LateDifferences(*L, Loops, Dominators).run();
  }
  return Changed;
}

} // namespace pocm::cpu
