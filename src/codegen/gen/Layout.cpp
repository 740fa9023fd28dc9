//===- Layout.cpp - Which blocks are printed, and where jumps end up ----------------------===//
#include "codegen/gen/Layout.h"
#include "codegen/gen/Bales.h"

using namespace llvm;

namespace pocm::gen {

bool Layout::needsCopy(PHINode &Phi, const BasicBlock *From) const {
  Value *V = Phi.getIncomingValueForBlock(From);
  if (isPredicate(Phi.getType()) || isa<UndefValue>(V) || !needsRegister(Phi))
    return false;
  return isa<Constant>(V) || Registers.variableOf(registerOf(V)) != Registers.variableOf(&Phi);
}

bool Layout::isThrough(BasicBlock *Block) const {
  auto *Branch = dyn_cast<BranchInst>(&Block->front());
  if (!Branch || Branch->isConditional() || Block->isEntryBlock() || Branch->getSuccessor(0) == Block)
    return false;
  return none_of(Branch->getSuccessor(0)->phis(), [&](PHINode &Phi) { return needsCopy(Phi, Block); });
}

BasicBlock *Layout::landing(BasicBlock *Block) const {
  for (int Steps = 0; Steps < 64 && isThrough(Block); ++Steps)
    Block = Block->getSingleSuccessor();
  return Block;
}

BasicBlock *Layout::printedAfter(BasicBlock *Block) const {
  do
    Block = Block->getNextNode();
  while (Block && isThrough(Block));
  return Block;
}

} // namespace pocm::gen
