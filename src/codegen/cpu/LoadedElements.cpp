//===- LoadedElements.cpp - Elements of what was loaded are loaded ---------------------------------===//
//
// Elements that choose others are taken out of a register one by one, which takes two instructions' time each and, what
// costs more, comes late: loads that follow do not know yet what the stores in front of them change, and are done again
// where they have guessed wrong. Where the register comes from a thread's own memory, by arithmetic with constants, an
// element does, too, as early as anybody asks:
//
//     %v = load <16 x i32>, %p                          %e = load i32, %p + 20
//     %d = and <16 x i32> %v, splat(15)             ->  %x = and i32 %e, 15
//     %x = extractelement %d, 5
//
// Needs:    whole registers, and that no pass comes which takes loads from what was stored.
// Leaves:   loads that no pass may combine again.
// Not done: memory that others may write, of which a value is read once; elements in other blocks than the load.
//
//===------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Inside.h"
#include "ir/Messages.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// So many elements pay for loads of their own: the register is loaded still.
constexpr unsigned Enough = 4;

/// Operations between a load and an element.
constexpr unsigned MostSteps = 3;

/// Whether an operation does the same to each element, with constants.
bool isStep(const Instruction &I) {
  if (!isa<FixedVectorType>(I.getType()) || !I.getType()->isIntOrIntVectorTy())
    return false;
  if (isa<ZExtInst, SExtInst, TruncInst>(I))
    return true;
  auto *Arithmetic = dyn_cast<BinaryOperator>(&I);
  auto *By = Arithmetic ? dyn_cast<Constant>(Arithmetic->getOperand(1)) : nullptr;
  return By && !Arithmetic->isIntDivRem() && By->getAggregateElement(0u);
}

/// The lane of an element that is known; -1: none is.
int laneOf(const ExtractElementInst &Element) {
  auto *Lane = dyn_cast<ConstantInt>(Element.getIndexOperand());
  return Lane && Lane->getValue().ult(cast<FixedVectorType>(Element.getVectorOperandType())->getNumElements())
             ? int(Lane->getZExtValue())
             : -1;
}

class LoadedElements {
public:
  explicit LoadedElements(LoadInst &Load) : Load(Load), Object(getUnderlyingObject(Load.getPointerOperand())) {}

  bool run() {
    collect(Load, 0);
    if (Elements.size() < Enough)
      return false;
    SmallVector<ExtractElementInst *, 16> Taken = beforeWriters();
    if (Taken.size() < Enough)
      return false;
    for (ExtractElementInst *Element : Taken) {
      IRBuilder<> B(Element);
      Element->replaceAllUsesWith(loaded(B, Element->getVectorOperand(), unsigned(laneOf(*Element))));
      Element->eraseFromParent();
    }
    return true;
  }

private:
  void collect(Instruction &Vector, unsigned Steps) {
    for (User *U : Vector.users())
      if (auto *Element = dyn_cast<ExtractElementInst>(U)) {
        if (Element->getParent() == Load.getParent() && laneOf(*Element) >= 0)
          Elements.insert(Element);
      } else if (auto *Step = cast<Instruction>(U); Steps < MostSteps && isStep(*Step)) {
        collect(*Step, Steps + 1);
      }
  }

  /// Whether an instruction writes other memory of the thread's, or none.
  bool spares(const Instruction &I) const {
    if (!changesMemory(I))
      return true;
    auto *Store = dyn_cast<StoreInst>(&I);
    const Value *Written = Store ? getUnderlyingObject(Store->getPointerOperand()) : nullptr;
    return Written && Written != Object && isa<AllocaInst>(Written);
  }

  /// The elements that come while the memory is as it was loaded.
  SmallVector<ExtractElementInst *, 16> beforeWriters() {
    SmallVector<ExtractElementInst *, 16> Found;
    for (Instruction *I = &Load; Found.size() < Elements.size() && spares(*I); I = I->getNextNode())
      if (auto *Element = dyn_cast<ExtractElementInst>(I); Element && Elements.contains(Element))
        Found.push_back(Element);
    return Found;
  }

  Value *loaded(IRBuilder<> &B, Value *Vector, unsigned Lane) {
    if (Vector == &Load) {
      auto *T = cast<FixedVectorType>(Load.getType());
      const unsigned Bytes = T->getScalarSizeInBits() / CHAR_BIT;
      Value *At = B.CreateConstInBoundsGEP1_64(T->getElementType(), Load.getPointerOperand(), Lane);
      return B.CreateAlignedLoad(T->getElementType(), At, commonAlignment(Load.getAlign(), Lane * Bytes));
    }
    auto *Step = cast<Instruction>(Vector);
    Instruction *Element = Step->clone();
    Element->dropLocation();
    Element->mutateType(cast<FixedVectorType>(Step->getType())->getElementType());
    Element->setOperand(0, loaded(B, Step->getOperand(0), Lane));
    if (auto *Arithmetic = dyn_cast<BinaryOperator>(Step))
      Element->setOperand(1, cast<Constant>(Arithmetic->getOperand(1))->getAggregateElement(Lane));
    return B.Insert(Element);
  }

  LoadInst &Load;
  const Value *Object;
  SmallPtrSet<ExtractElementInst *, 16> Elements; ///< In the load's block, all of them behind it.
};

/// Whether a load is of a vector of integers, as arrays have them, in memory that nobody else may write.
bool isOfOwn(const LoadInst &Load) {
  auto *T = dyn_cast<FixedVectorType>(Load.getType());
  return T && Load.isSimple() && T->isIntOrIntVectorTy() && T->getScalarSizeInBits() >= CHAR_BIT &&
         isPowerOf2_32(T->getScalarSizeInBits()) && isOwnMemory(Load.getPointerOperand());
}

} // namespace

bool loadElements(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      SmallVector<LoadInst *, 16> Loads;
      for (Instruction &I : Block)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && isOfOwn(*Load))
          Loads.push_back(Load);
      for (LoadInst *Load : Loads)
        Changed |= LoadedElements(*Load).run();
    }
  return Changed;
}

} // namespace pocm::cpu
