//===- ElementNests.cpp - Loops around loops over elements -----------------------------===//
#include "passes/ElementNests.h"
#include "passes/ElementSums.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned MostUnrolled = 1024;     ///< Instructions of a loop, and iterations together.
constexpr unsigned MostUnrolledAround = 16; ///< Iterations of a loop that decides how many those inside have.

/// Whether something is computed from a value of the iteration before and from constants alone, as `len *= 2`.
bool isOfPhi(const Value *V, const PHINode &Phi, unsigned Depth = 4) {
  if (V == &Phi || isa<ConstantInt>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  return I && Depth && isa<BinaryOperator, CastInst>(I) &&
         all_of(I->operands(), [&](const Value *Operand) { return isOfPhi(Operand, Phi, Depth - 1); });
}

std::size_t instructionsOf(const Loop &L) {
  std::size_t All = 0;
  for (const BasicBlock *Block : L.blocks())
    All += Block->size();
  return All;
}

} // namespace

bool isInsideElements(const Loop &L, ScalarEvolution &SE) {
  const Loop *Outer = L.getParentLoop();
  if (!Outer || !L.isInnermost() || !L.getLoopPreheader() || L.getExitingBlock() != L.getLoopLatch())
    return false;
  const std::uint64_t Size = instructionsOf(L);
  std::uint64_t All = SE.getSmallConstantTripCount(&L), Around = SE.getSmallConstantTripCount(Outer);
  for (; Outer->getParentLoop() && Around && Around < LeastIterations && All <= MostUnrolled;
       Around = SE.getSmallConstantTripCount(Outer)) {
    All *= Around;
    Outer = Outer->getParentLoop();
  }
  if (!All || Around < LeastIterations || Around > MostIterations || All * Size > MostUnrolled)
    return false;
  auto movesOn = [&](const StoreInst &Store) { // or else all iterations would write the same
    return SCEVExprContains(SE.getSCEV(const_cast<Value *>(Store.getPointerOperand())), [&](const SCEV *S) {
      auto *Count = dyn_cast<SCEVAddRecExpr>(S);
      return Count && Count->getLoop() == Outer;
    });
  };
  return all_of(Outer->blocks(), [&](BasicBlock *Block) {
    return all_of(*Block, [&](Instruction &I) {
      if (auto *Store = dyn_cast<StoreInst>(&I))
        return movesOn(*Store);
      return isa<LoadInst, GetElementPtrInst, PHINode, BranchInst, SwitchInst>(I) || isArithmetic(I);
    });
  });
}

bool decidesNumbers(const Loop &L, ScalarEvolution &SE) {
  const unsigned Times = SE.getSmallConstantTripCount(&L);
  if (L.isInnermost() || !L.getLoopPreheader() || L.getExitingBlock() != L.getLoopLatch() || Times < 2 ||
      Times > MostUnrolledAround)
    return false;
  auto isCounter = [&](const PHINode &Phi) {
    return Phi.getType()->isIntegerTy() && !isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi))) &&
           isa<ConstantInt>(Phi.getIncomingValueForBlock(L.getLoopPreheader())) &&
           isOfPhi(Phi.getIncomingValueForBlock(L.getLoopLatch()), Phi);
  };
  return instructionsOf(L) * Times <= MostUnrolled && any_of(L.getHeader()->phis(), isCounter) &&
         none_of(L.getLoopsInPreorder(), [&](const Loop *Inner) {
           return Inner != &L && Inner->isInnermost() && SE.getSmallConstantTripCount(Inner);
         });
}

void closeLoop(Loop &L, LoopAnalyses &Now) {
  formLCSSARecursively(*L.getOutermostLoop(), Now.Dominators, &Now.Loops, &Now.SE);
}

bool unroll(Loop &L, LoopAnalyses &Now) {
  closeLoop(L, Now); // as UnrollLoop wants it
  UnrollLoopOptions Options;
  Options.Count = Now.SE.getSmallConstantTripCount(&L);
  Options.Force = true;
  Options.Runtime = Options.AllowExpensiveTripCount = Options.UnrollRemainder = Options.ForgetAllSCEV = false;
  Function &F = *L.getHeader()->getParent();
  TargetTransformInfo Costs(F.getDataLayout());
  OptimizationRemarkEmitter Emitter(&F);
  return UnrollLoop(&L, Options, &Now.Loops, &Now.SE, &Now.Dominators, &Now.Assumptions, &Costs, &Emitter,
                    /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
}

void cutLoop(Loop &L, ScalarEvolution &SE, unsigned Times, unsigned Part) {
  BasicBlock *Before = L.getLoopPreheader(), *Behind = L.getExitBlock(), *Latch = L.getLoopLatch();
  BasicBlock *Header = L.getHeader();
  LLVMContext &C = Header->getContext();
  BasicBlock *Begin = BasicBlock::Create(C, Header->getName() + ".part", Header->getParent(), Header);
  BasicBlock *End = BasicBlock::Create(C, Header->getName() + ".end", Header->getParent(), Behind);
  IRBuilder<> AtBegin(Begin), AtEnd(End);
  const DebugLoc Where = L.getStartLoc();
  AtBegin.SetCurrentDebugLocation(Where);
  AtEnd.SetCurrentDebugLocation(Where);
  SmallVector<PHINode *, 4> Carried(make_pointer_range(Header->phis()));
  for (PHINode *Phi : Carried) {
    PHINode *Outer = AtBegin.CreatePHI(Phi->getType(), 2, Phi->getName());
    Outer->addIncoming(Phi->getIncomingValueForBlock(Before), Before);
    auto *Next = cast<Instruction>(Phi->getIncomingValueForBlock(Latch));
    if (const APInt *Step = isReadBehind(*Next, L) ? nullptr : stepOf(*Phi, L, SE)) {
      auto *Sum = dyn_cast<AddOperator>(Next);
      Value *Steps = ConstantInt::get(C, *Step * APInt(Step->getBitWidth(), Part, false, true));
      Outer->addIncoming(
          AtEnd.CreateAdd(Outer, Steps, "", Sum && Sum->hasNoUnsignedWrap(), Sum && Sum->hasNoSignedWrap()), End);
    } else {
      PHINode *After = PHINode::Create(Phi->getType(), 1, "", End->begin());
      Next->replaceUsesWithIf(After, [&](Use &U) { return !L.contains(cast<Instruction>(U.getUser())); });
      After->addIncoming(Next, Latch);
      Outer->addIncoming(After, End);
    }
    Phi->setIncomingValueForBlock(Before, Outer);
    Phi->replaceIncomingBlockWith(Before, Begin);
  }
  auto countTo = [&](BasicBlock *First, BasicBlock *Enters, BasicBlock *Last, BasicBlock *Leaves, unsigned Number) {
    PHINode *Count = PHINode::Create(Type::getInt32Ty(C), 2, "", First->begin());
    IRBuilder<> At(Last);
    At.SetCurrentDebugLocation(Where);
    Value *Next = At.CreateNUWAdd(Count, At.getInt32(1));
    Count->addIncoming(At.getInt32(0), Enters);
    Count->addIncoming(Next, Last);
    At.CreateCondBr(At.CreateICmpULT(Next, At.getInt32(Number)), First, Leaves);
  };
  Before->getTerminator()->replaceSuccessorWith(Header, Begin);
  AtBegin.CreateBr(Header);
  MDNode *Wishes = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
  Latch->getTerminator()->eraseFromParent();
  countTo(Header, Begin, Latch, End, Part);
  countTo(Begin, Before, End, Behind, Times / Part);
  End->getTerminator()->setMetadata(LLVMContext::MD_loop, Wishes);
  Behind->replacePhiUsesWith(Latch, End);
}

bool foldPhis(Function &F) {
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  bool Changed = false;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : make_early_inc_range(Block.phis())) {
      auto *V = dyn_cast_or_null<Instruction>(Phi.hasConstantValue());
      const Loop *Of = V ? Loops.getLoopFor(V->getParent()) : nullptr;
      if (!V || !Tree.dominates(V, &Phi) || (Of && !Of->contains(&Block)))
        continue;
      Phi.replaceAllUsesWith(V);
      Phi.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm
