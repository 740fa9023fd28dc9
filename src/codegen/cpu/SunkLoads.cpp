//===- SunkLoads.cpp - Loads come behind the checks that follow them ---------------------------------===//
//
// A kernel that reads two surfaces checks one, loads, checks the other, loads, and computes. What is loaded first takes
// registers while the second read goes its rare way, through a function call, and so is kept on the stack at all times:
//
//     %a = load float, %p                                   br %inside, use, rare
//     br %inside, use, rare                                rare:
//   rare:                                                    call read(..., %block)
//     call read(..., %block)                         ->      br use
//     br use                                               use:
//   use:                                                     %a = load float, %p
//     fma(splat %a, ...)                                     fma(splat %a, ...)
//
// Then the address is all that waits, and the load can be the operand of what takes it. In its block, too, a load comes
// in front of what takes it first: LLVM keeps to the order that it finds, and registers would fill with what is needed
// much later.
//
// Where what loops carry fills half of the registers, machine instructions keep this order, too (InOrder.cpp).
//
// Needs:    whole registers.
// Leaves:   loads in front of what takes them, and functions marked whose machine instructions keep that order.
// Not done: branches with more than one block on the way; integers, which have other registers, but bytes and words
//           that choose elements, of which there may be as many as a vector has.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/InOrder.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Messages.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// A block that ends in a branch around another one.
struct Around {
  BasicBlock *Rare = nullptr, *Join = nullptr;

  static Around match(const BasicBlock &Head) {
    auto *Branch = dyn_cast<BranchInst>(Head.getTerminator());
    if (!Branch || !Branch->isConditional())
      return {};
    for (unsigned K : {0u, 1u}) {
      BasicBlock *Rare = Branch->getSuccessor(K), *Join = Branch->getSuccessor(1 - K);
      if (Rare != Join && Rare->getSinglePredecessor() == &Head && Rare->getSingleSuccessor() == Join &&
          Join->hasNPredecessors(2))
        return {Rare, Join};
    }
    return {};
  }
};

class SunkLoads {
public:
  explicit SunkLoads(Function &F)
      : F(F), Library(Triple(F.getParent()->getTargetTriple())), Info(Library, &F), Assumptions(F), Dominators(F),
        Basic(F.getDataLayout(), F, Info, Assumptions, &Dominators), All(Info) {
    All.addAAResult(Basic);
  }

  bool run() {
    bool Changed = false;
    for (BasicBlock *Head : ReversePostOrderTraversal<Function *>(&F))
      if (Around Way = Around::match(*Head); Way.Rare)
        Changed |= sink(*Head, Way);
    for (BasicBlock &Block : F)
      Changed |= sinkInside(Block);
    return Changed;
  }

private:
  Function &F;
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo Info;
  AssumptionCache Assumptions;
  DominatorTree Dominators;
  BasicAAResult Basic;
  AAResults All;

  bool sink(BasicBlock &Head, const Around &Way) {
    BatchAAResults Aliases(All);
    SmallVector<Instruction *, 8> Writers; // behind the load
    for (Instruction &I : *Way.Rare)
      if (changesMemory(I))
        Writers.push_back(&I);
    bool Changed = false;
    for (Instruction &I : make_early_inc_range(reverse(Head))) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && isUsedOnlyBehind(*Load, Way) &&
          none_of(Writers, [&](Instruction *W) { return isChangedBy(*Load, W, Aliases); })) {
        Load->moveBefore(Way.Join->getFirstInsertionPt());
        Changed = true;
      } else if (changesMemory(I)) {
        if (Writers.size() == MostWriters)
          break;
        Writers.push_back(&I);
      }
    }
    return Changed;
  }

  bool isChangedBy(const LoadInst &Load, Instruction *Writer, BatchAAResults &Aliases) {
    // The analysis finds more for the whole of what an address leads into than for an address with an offset.
    const Value *Object = getUnderlyingObject(Load.getPointerOperand());
    return isModSet(Aliases.getModRefInfo(Writer, MemoryLocation::getBeforeOrAfter(Object)));
  }

  /// Moves loads down to what takes them first, past writes of other memory.
  bool sinkInside(BasicBlock &Block) {
    BatchAAResults Aliases(All);
    bool Changed = false;
    unsigned Number = 0; // of an instruction, from the end
    DenseMap<const Instruction *, unsigned> Numbers;
    for (Instruction &I : reverse(Block))
      Numbers[&I] = ++Number;
    SmallVector<Instruction *, 16> Writers; // that are behind, the nearest one last
    for (Instruction &I : make_early_inc_range(reverse(Block))) {
      if (changesMemory(I))
        Writers.push_back(&I);
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !(isOfRegisters(*Load) || isPlace(*Load)))
        continue;
      Instruction *First = nullptr;
      for (User *U : Load->users())
        if (auto *Taker = cast<Instruction>(U); Taker->getParent() == &Block && !isa<PHINode>(Taker))
          if (!First || Numbers[Taker] > Numbers[First])
            First = Taker;
      if (!First || First == Load->getNextNode())
        continue;
      auto Between = reverse(Writers);
      auto End = find_if(Between, [&](Instruction *W) { return Numbers[W] <= Numbers[First]; });
      if (std::distance(Between.begin(), End) > MostWriters ||
          std::any_of(Between.begin(), End, [&](Instruction *W) { return isChangedBy(*Load, W, Aliases); }))
        continue;
      Load->moveBefore(First->getIterator());
      Numbers[Load] = Numbers[First];
      Changed = true;
    }
    return Changed;
  }

  static constexpr unsigned MostWriters = 64; ///< To look at for each load.

  /// A byte or word that chooses an element: as many as a vector has, one behind the other.
  static bool isPlace(const LoadInst &Load) {
    return Load.isSimple() && Load.getType()->isIntegerTy() && Load.hasOneUse() && isa<ZExtInst>(*Load.user_begin());
  }

  static bool isOfRegisters(const LoadInst &Load) {
    return Load.isSimple() && !Load.use_empty() &&
           (Load.getType()->isFloatingPointTy() || Load.getType()->isVectorTy());
  }

  static bool isUsedOnlyBehind(const LoadInst &Load, const Around &Way) {
    if (!isOfRegisters(Load))
      return false;
    return all_of(Load.users(), [&](const User *U) {
      const BasicBlock *Where = cast<Instruction>(U)->getParent();
      return Where != Load.getParent() && Where != Way.Rare && !(isa<PHINode>(U) && Where == Way.Join);
    });
  }
};

/// How many vectors a block chooses on entry.
unsigned carriedBy(const BasicBlock &Block) {
  return unsigned(count_if(Block.phis(), [](const PHINode &Phi) { return Phi.getType()->isVectorTy(); }));
}

} // namespace

bool sinkLoads(Module &M, unsigned Registers) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Changed |= SunkLoads(F).run();
    if (any_of(F, [&](const BasicBlock &Block) { return carriedBy(Block) >= Registers / 2; }))
      F.addFnAttr(InOrderAttribute);
  }
  return Changed;
}

} // namespace pocm::cpu
