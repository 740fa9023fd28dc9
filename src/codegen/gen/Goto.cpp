//===- Goto.cpp - Blocks that only some channels execute ----------------------------------===//
#include "codegen/gen/Goto.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/Predicates.h"

using namespace llvm;

namespace pocm::gen {

Value *maskOf(const BasicBlock &Block) {
  const BasicBlock *Before = Block.getSinglePredecessor(), *After = Block.getSingleSuccessor();
  auto *Branch = Before && After ? dyn_cast<BranchInst>(Before->getTerminator()) : nullptr;
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  Value *P = Compare ? flagsCompared(*Compare) : nullptr;
  if (!P || !cast<ConstantInt>(Compare->getOperand(1))->isZero())
    return nullptr;
  unsigned Way = Compare->getPredicate() == ICmpInst::ICMP_NE ? 0 : 1; // any, or not none
  const BasicBlock *Around = Branch->getSuccessor(1 - Way);
  bool Joins = Around == After || (Around->getSingleSuccessor() == After && Around->getSinglePredecessor() == Before);
  bool Calls = any_of(Block, [](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return Call && Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration();
  }); // what is called wants all channels
  return Joins && !Calls && Branch->getSuccessor(Way) == &Block && is_contained({8, 16}, countOf(P->getType()))
             ? P
             : nullptr;
}

/// Whether a result is kept in the channels of a mask, by an instruction that takes no predicate.
static bool needsMask(Instruction &I, const Value *Mask) {
  auto W = RegionWrite::matchMasked(&I);
  Instruction *Main = W && W->mask() == Mask ? Bale::of(I).Main : nullptr;
  return Main && !canBeGuarded(*Main);
}

BasicBlock *enteredByGoto(const BranchInst &Branch, const Layout &Blocks) {
  auto *From = const_cast<BasicBlock *>(Branch.getParent());
  BasicBlock *Block = Blocks.printedAfter(From);
  Value *Mask = Block ? maskOf(*Block) : nullptr;
  if (!Mask || Block->getSinglePredecessor() != From)
    return nullptr;
  BasicBlock *Around = Branch.getSuccessor(Branch.getSuccessor(0) == Block ? 1 : 0);
  BasicBlock *After = Blocks.landing(Block->getSingleSuccessor());
  bool Pays = count_if(*Block, [&](Instruction &I) { return needsMask(I, Mask); }) >= int(FewestForGoto);
  return Pays && Blocks.landing(Around) == After && Blocks.printedAfter(Block) == After ? Block : nullptr;
}

} // namespace pocm::gen
