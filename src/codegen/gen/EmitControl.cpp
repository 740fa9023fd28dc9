//===- EmitControl.cpp - Branches, phis and calls as vISA instructions ----------------------===//
#include "codegen/gen/EmitControl.h"
#include "codegen/gen/Goto.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace pocm::gen {

EmitControl::EmitControl(Builder &Out, EmitOperands &Operands, EmitPayloads &Payloads, bool UseGoto)
    : Out(Out), Operands(Operands), Payloads(Payloads), UseGoto(UseGoto), Blocks(Out.Registers) {
  for (Function *G : Out.Functions)
    for (BasicBlock &Block : *G)
      Numbers.try_emplace(&Block, Numbers.size());
}

Operand EmitControl::label(const BasicBlock *Block) const {
  return {PlaceInCode{"BB_" + std::to_string(Numbers.lookup(Block))}};
}

Operand EmitControl::subroutine(const Function &G) const {
  std::string Name = "SUB_" + std::to_string(find(Out.Functions, &G) - Out.Functions.begin()) + "_";
  for (char C : G.getName())
    Name += isAlnum(C) ? C : '_';
  return {PlaceInCode{Name}};
}

void EmitControl::function(const Function &G) { Out.add(Opcode::Function, 0, {subroutine(G)}); }

bool EmitControl::block(BasicBlock &Block) {
  if (Blocks.isThrough(&Block))
    return false;
  if (!Block.isEntryBlock())
    Out.add(Opcode::Label, 0, {label(&Block)});
  return true;
}

// Moves

/// A variable that gets a value: that of another variable, or a constant.
struct EmitControl::Move {
  unsigned To, From = 0;
  Type *T;
  Constant *Number = nullptr;
  BitVector Defined{};          // bytes of From, of another variable
  Declaration *Aside = nullptr; // where From was put before it was overwritten
};

/// Of a value that is no region or other part of a bale.
EmitControl::Move EmitControl::moveOf(unsigned To, Value *V) const {
  if (auto *C = dyn_cast<Constant>(V))
    return {.To = To, .T = V->getType(), .Number = C};
  return {.To = To, .From = Out.Registers.variableOf(registerOf(V)), .T = V->getType(), .Defined = definedBytes(V)};
}

/// All at once: a move goes when nobody still has to read what it overwrites; in a circle that is put aside first.
void EmitControl::moveAll(SmallVector<Move, 8> Moves) {
  auto Reads = [](const Move &M, unsigned Variable) { return !M.Aside && !M.Number && M.From == Variable; };
  erase_if(Moves, [&](const Move &M) { return Reads(M, M.To) || isa_and_nonnull<UndefValue>(M.Number); });
  while (!Moves.empty()) {
    auto Next = find_if(Moves, [&](const Move &M) {
      return none_of(Moves, [&](const Move &N) { return &N != &M && Reads(N, M.To); });
    });
    if (Next == Moves.end()) {
      Next = Moves.begin();
      Declaration *Aside = Out.declare(Next->T->getScalarType(), unsigned(countOf(Next->T)));
      BitVector Defined(bytesOf(Next->T));
      for (const Move &M : Moves)
        if (Reads(M, Next->To))
          Defined |= M.Defined;
      Payloads.copy(Aside, Operands.variable(Next->To, Next->T), Defined);
      for (Move &M : Moves)
        if (Reads(M, Next->To))
          M.Aside = Aside;
    }
    Declaration *To = Operands.variable(Next->To, Next->T);
    if (Next->Number)
      Payloads.constantInto(To, Next->Number);
    else
      Payloads.copy(To, Next->Aside ? Next->Aside : Operands.variable(Next->From, Next->T), Next->Defined);
    Moves.erase(Next);
  }
}

/// What the phis of `To` hold when control comes from `From`.
void EmitControl::phiCopies(BasicBlock *From, BasicBlock *To) {
  SmallVector<Move, 8> Moves;
  for (PHINode &Phi : To->phis())
    if (Blocks.needsCopy(Phi, From))
      Moves.push_back(moveOf(Out.Registers.variableOf(&Phi), Phi.getIncomingValueForBlock(From)));
  moveAll(std::move(Moves));
}

// Calls

constexpr int CallChannels = 16;

void EmitControl::call(CallInst &Call) {
  Function &G = *Call.getCalledFunction();
  SmallVector<Move, 8> Given, Results;
  for (auto [Parameter, Value] : zip(G.args(), Call.args()))
    if (!Parameter.use_empty())
      Given.push_back(moveOf(Out.Registers.variableOf(&Parameter), Value));
  moveAll(std::move(Given));
  Out.add(Opcode::Call, CallChannels, {subroutine(G)});
  Operands.forgetAddresses();
  auto Take = [&](Value &To, unsigned Index) {
    if (!To.use_empty())
      Results.push_back({.To = Out.Registers.variableOf(&To),
                         .From = Out.Registers.resultOf(G, Index),
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

void EmitControl::giveBack(ReturnInst &Return) {
  Function &G = *Return.getFunction();
  SmallVector<Move, 8> Results;
  for (unsigned K = 0; K < resultsOf(G).size(); ++K) {
    Value *Whole = Return.getReturnValue();
    Value *Part = G.getReturnType()->isStructTy() ? FindInsertedValue(Whole, K) : Whole;
    if (!Part)
      bug("a result that is put together elsewhere");
    Results.push_back(moveOf(Out.Registers.resultOf(G, K), Part));
  }
  moveAll(std::move(Results));
  Out.add(Opcode::Ret, CallChannels);
}

// Branches

void EmitControl::terminator(Instruction &I) {
  BasicBlock *Block = I.getParent();
  for (BasicBlock *Next : successors(Block))
    phiCopies(Block, Next);
  auto *Return = dyn_cast<ReturnInst>(&I);
  if (Return && I.getFunction() != &Out.F)
    return giveBack(*Return);
  if (Return || isa<UnreachableInst>(I)) {
    Out.add(Opcode::Ret, 1);
    return;
  }
  auto *Branch = dyn_cast<BranchInst>(&I);
  if (!Branch)
    fail(nameOf(I));
  branch(*Branch);
}

/// The predicate that a branch jumps on.
Guard EmitControl::condition(BranchInst &Branch) {
  auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  if (!Compare || !isBaled(*Compare))
    return {Operands.predicate(Branch.getCondition())};
  bool All = cast<ConstantInt>(Compare->getOperand(1))->isMinusOne();
  bool Equal = Compare->getPredicate() == CmpInst::ICMP_EQ;
  return {Operands.predicate(flagsCompared(*Compare)), Equal != All, // not any: equal to zero
          All ? Guard::Asks::All : Guard::Asks::Any};
}

void EmitControl::jump(BasicBlock *To, const Guard &If) { Out.add(Opcode::Jmp, 1, {label(To)}).guarded(If); }

void EmitControl::branch(BranchInst &Branch) {
  BasicBlock *Next = Blocks.printedAfter(Branch.getParent()), *Yes = Blocks.landing(Branch.getSuccessor(0)),
             *No = Branch.isConditional() ? Blocks.landing(Branch.getSuccessor(1)) : Yes;
  if (Yes == No) {
    if (Yes != Next)
      jump(Yes);
    return;
  }
  if (BasicBlock *Block = UseGoto ? enteredByGoto(Branch, Blocks) : nullptr) {
    Value *Mask = Masked[Block] = gen::maskOf(*Block);
    Guard Off{Operands.predicate(Mask), /*Inverted=*/true};
    Out.add(Opcode::Goto, countOf(Mask->getType()), {label(Yes == Block ? No : Yes)}).guarded(Off);
    return;
  }
  Guard If = condition(Branch), Otherwise = If;
  Otherwise.Inverted = !If.Inverted;
  if (Yes == Next)
    return jump(No, Otherwise);
  jump(Yes, If);
  if (No != Next)
    jump(No);
}

} // namespace pocm::gen
