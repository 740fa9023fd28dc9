//===- EmitControl.h - Branches, phis and calls as vISA text --------------------------------===//
//
//     br (any of %p), %then, %after   ->   (!P1.any) jmp (M1, 1) BB_2
//     %x = call i32 @f(i32 %a)        ->   mov (M1, 1) V40(0,0)<1> V33(0,0)<0;1,0>    unless they share a variable
//                                          call (M1, 16) SUB_1_f
//
// What phis, parameters and results hold is moved at once, as if all were read before any is written. Included by
// Emitter.cpp alone.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/EmitInputs.h"
#include "codegen/gen/Goto.h"
#include "codegen/gen/Layout.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

namespace pocm::gen {

class EmitControl : protected EmitInputs {
protected:
  EmitControl(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
      : EmitInputs(Kernel, Target, Options), UseGoto(Options.UseGoto), Blocks(Registers) {}

  const bool UseGoto;
  const Layout Blocks;
  DenseMap<const BasicBlock *, unsigned> BlockNumbers;
  DenseMap<const BasicBlock *, Value *> Masked; // blocks that `goto` masks

  std::string label(const BasicBlock *Block) { return "BB_" + std::to_string(BlockNumbers.lookup(Block)); }

  /// A variable that gets a value: that of another variable, or a constant.
  struct Move {
    unsigned To, From = 0;
    Type *T;
    Constant *Number = nullptr;
    BitVector Defined{}; // bytes of From, of another variable
    bool Saved = false;  // From was put aside, in Aside, before it was overwritten
    Declared Aside{};
  };

  /// Of a value that is no region or other part of a bale.
  Move moveOf(unsigned To, Value *V) {
    if (auto *C = dyn_cast<Constant>(V))
      return {.To = To, .T = V->getType(), .Number = C};
    return {.To = To, .From = Registers.variableOf(registerOf(V)), .T = V->getType(), .Defined = definedBytes(V)};
  }

  /// All at once: a move goes when nobody still has to read what it overwrites; in a circle that is put aside first.
  void moveAll(SmallVector<Move, 8> Moves) {
    auto Reads = [](const Move &M, unsigned Variable) { return !M.Saved && !M.Number && M.From == Variable; };
    erase_if(Moves, [&](const Move &M) { return Reads(M, M.To) || isa_and_nonnull<UndefValue>(M.Number); });
    while (!Moves.empty()) {
      auto Next = find_if(Moves, [&](const Move &M) {
        return none_of(Moves, [&](const Move &N) { return &N != &M && Reads(N, M.To); });
      });
      if (Next == Moves.end()) {
        Next = Moves.begin();
        Declared Aside{declare(Next->T->getScalarType(), unsigned(countOf(Next->T))),
                       letterOf(Next->T->getScalarType(), Sign::Signed),
                       bytesOf(Next->T),
                       {}};
        BitVector Defined(bytesOf(Next->T));
        for (const Move &M : Moves)
          if (Reads(M, Next->To))
            Defined |= M.Defined;
        copy(Aside, variable(Next->To, Next->T), Defined);
        for (Move &M : Moves)
          if (Reads(M, Next->To))
            M.Saved = true, M.Aside = Aside;
      }
      Declared &To = variable(Next->To, Next->T);
      if (Next->Number)
        constantInto(To, Next->Number);
      else
        copy(To, Next->Saved ? Next->Aside : variable(Next->From, Next->T), Next->Defined);
      Moves.erase(Next);
    }
  }

  /// What the phis of `To` hold when control comes from `From`.
  void phiCopies(BasicBlock *From, BasicBlock *To) {
    SmallVector<Move, 8> Moves;
    for (PHINode &Phi : To->phis())
      if (Blocks.needsCopy(Phi, From))
        Moves.push_back(moveOf(Registers.variableOf(&Phi), Phi.getIncomingValueForBlock(From)));
    moveAll(std::move(Moves));
  }

  /// The predicate that a branch jumps on, and whether it is the opposite.
  std::pair<std::string, bool> condition(BranchInst &Branch) {
    auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
    if (!Compare || !isBaled(*Compare))
      return {predicate(Branch.getCondition()), false};
    bool All = llvm::cast<ConstantInt>(Compare->getOperand(1))->isMinusOne();
    bool Equal = Compare->getPredicate() == CmpInst::ICMP_EQ;
    return {predicate(flagsCompared(*Compare)) + (All ? ".all" : ".any"), Equal != All}; // not any: equal to zero
  }

  std::string subroutine(const Function &G) {
    std::string Name = "SUB_" + std::to_string(find(Functions, &G) - Functions.begin()) + "_";
    for (char C : G.getName())
      Name += isAlnum(C) ? C : '_';
    return Name;
  }

  void call(CallInst &Call) {
    Function &G = *Call.getCalledFunction();
    SmallVector<Move, 8> Given, Results;
    for (auto [Parameter, Value] : zip(G.args(), Call.args()))
      if (!Parameter.use_empty())
        Given.push_back(moveOf(Registers.variableOf(&Parameter), Value));
    moveAll(std::move(Given));
    Out << "    call (M1, 16) " << subroutine(G) << "\n";
    Taken.clear();
    auto Take = [&](Value &To, unsigned Index) {
      if (!To.use_empty())
        Results.push_back({.To = Registers.variableOf(&To),
                           .From = Registers.resultOf(G, Index),
                           .T = To.getType(),
                           .Defined = BitVector(bytesOf(To.getType()), true)});
    };
    if (needsRegister(Call))
      Take(Call, 0);
    for (User *U : Call.users())
      if (auto *Part = dyn_cast<ExtractValueInst>(U))
        Take(*Part, Part->getIndices()[0]);
    moveAll(std::move(Results));
  }

  void giveBack(ReturnInst &Return) {
    Function &G = *Return.getFunction();
    SmallVector<Move, 8> Results;
    for (unsigned K = 0; K < resultsOf(G).size(); ++K) {
      Value *Whole = Return.getReturnValue();
      Value *Part = G.getReturnType()->isStructTy() ? FindInsertedValue(Whole, K) : Whole;
      if (!Part)
        bug("a result that is put together elsewhere");
      Results.push_back(moveOf(Registers.resultOf(G, K), Part));
    }
    moveAll(std::move(Results));
    Out << "    ret (M1, 16)\n";
  }

  void terminator(Instruction &I) {
    BasicBlock *Block = I.getParent();
    for (BasicBlock *Next : successors(Block))
      phiCopies(Block, Next);
    if (auto *Return = dyn_cast<ReturnInst>(&I)) {
      if (I.getFunction() != &F)
        return giveBack(*Return);
      Out << "    ret (M1, 1)\n";
      return;
    }
    if (isa<UnreachableInst>(I)) {
      Out << "    ret (M1, 1)\n";
      return;
    }
    auto *Branch = dyn_cast<BranchInst>(&I);
    if (!Branch)
      fail(nameOf(I));
    BasicBlock *Next = Blocks.printedAfter(Block), *Yes = Blocks.landing(Branch->getSuccessor(0));
    if (Branch->isUnconditional()) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    BasicBlock *No = Blocks.landing(Branch->getSuccessor(1));
    if (Yes == No) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    if (BasicBlock *Block = UseGoto ? enteredByGoto(*Branch, Blocks) : nullptr) {
      Value *Mask = Masked[Block] = maskOf(*Block);
      Out << "    (!" << predicate(Mask) << ") goto (M1, " << countOf(Mask->getType()) << ") "
          << label(Yes == Block ? No : Yes) << "\n";
      return;
    }
    auto [P, Inverted] = condition(*Branch);
    auto Jump = [&, P = P, Inverted = Inverted](bool Otherwise, BasicBlock *To) {
      Out << "    (" << (Inverted != Otherwise ? "!" : "") << P << ") jmp (M1, 1) " << label(To) << "\n";
    };
    if (Yes == Next)
      return Jump(true, No);
    Jump(false, Yes);
    if (No != Next)
      Out << "    jmp (M1, 1) " << label(No) << "\n";
  }
};

} // namespace pocm::gen
