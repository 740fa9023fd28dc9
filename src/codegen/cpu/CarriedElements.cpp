//===- CarriedElements.cpp - An element that a loop has chosen is carried with its place ----------------===//
//
//     for (j = 1; j < 32; ++j)                    m = 0, y = v(0)
//       if (v(j) < v(m))                  ->      for (j = 1; j < 32; ++j)
//         m = j;                                    if (v(j) < y)
//                                                     m = j, y = v(j)
//
// The next iteration would wait for the place, and then for memory.
//
// Needs:    loops in LLVM's simple form, places without limits (known-places), choices as selections.
// Leaves:   loops that write to memory; elements that are not read where their place is chosen.
//
//===----------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// A load of an element by its place.
struct ElementRead {
  LoadInst *Load;
  GetElementPtrInst *Address;
  Value *Place; ///< As it is counted, before it is extended.

  static std::optional<ElementRead> match(Instruction &I) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Address = Load && Load->isSimple() ? dyn_cast<GetElementPtrInst>(Load->getPointerOperand()) : nullptr;
    if (!Address || Address->getNumIndices() != 1 || Address->getType()->isVectorTy())
      return std::nullopt;
    Value *Place = Address->getOperand(1);
    if (auto *Extended = dyn_cast<ZExtInst>(Place))
      Place = Extended->getOperand(0);
    return ElementRead{Load, Address, Place};
  }
  /// Whether they are of the same elements.
  bool isLike(const ElementRead &Other) const {
    return Address->getPointerOperand() == Other.Address->getPointerOperand() &&
           Address->getSourceElementType() == Other.Address->getSourceElementType() &&
           Address->getOperand(1)->getType() == Other.Address->getOperand(1)->getType() &&
           Load->getType() == Other.Load->getType() && Place->getType() == Other.Place->getType();
  }
};

bool carryIn(Loop &L, const DominatorTree &Dominators) {
  BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch(), *Header = L.getHeader();
  if (!L.isInnermost() || !Before || !Latch)
    return false;
  SmallVector<ElementRead> Reads;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (I.mayWriteToMemory())
        return false;
      if (std::optional<ElementRead> Read = ElementRead::match(I);
          Read && L.isLoopInvariant(Read->Address->getPointerOperand()))
        Reads.push_back(*Read);
    }
  for (const ElementRead &Read : Reads) {
    auto *Chosen = dyn_cast<PHINode>(Read.Place);
    if (!Chosen || Chosen->getParent() != Header || Read.Load->getParent() != Header)
      continue;
    auto *Choice = dyn_cast<SelectInst>(Chosen->getIncomingValueForBlock(Latch));
    if (!Choice || (Choice->getTrueValue() != Chosen) == (Choice->getFalseValue() != Chosen))
      continue;
    const bool Keeps = Choice->getTrueValue() == Chosen; // where the condition holds
    Value *New = Keeps ? Choice->getFalseValue() : Choice->getTrueValue();
    const auto *Other = find_if(Reads, [&](const ElementRead &R) {
      return R.Place == New && R.isLike(Read) && Dominators.dominates(R.Load, Choice);
    });
    if (Other == Reads.end())
      continue;
    IRBuilder<> B(Before->getTerminator());
    Value *First = Chosen->getIncomingValueForBlock(Before);
    Value *Address = B.CreateGEP(Read.Address->getSourceElementType(), Read.Address->getPointerOperand(),
                                 B.CreateZExt(First, Read.Address->getOperand(1)->getType()));
    Value *FirstElement = B.CreateAlignedLoad(Read.Load->getType(), Address, Read.Load->getAlign());
    B.SetInsertPoint(Header, Header->begin());
    PHINode *Carried = B.CreatePHI(Read.Load->getType(), 2, Read.Load->getName());
    B.SetInsertPoint(Choice);
    Carried->addIncoming(FirstElement, Before);
    Carried->addIncoming(B.CreateSelect(Choice->getCondition(), Keeps ? Carried : static_cast<Value *>(Other->Load),
                                        Keeps ? static_cast<Value *>(Other->Load) : Carried),
                         Latch);
    Read.Load->replaceAllUsesWith(Carried);
    Read.Load->eraseFromParent();
    return true; // others may have been of what is gone
  }
  return false;
}

} // namespace

bool carryElements(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    for (Loop *L : Loops.getLoopsInPreorder())
      while (carryIn(*L, Dominators))
        Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
