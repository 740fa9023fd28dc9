//===- Broadcasts.cpp - Elements that fill registers come from memory -------------------------===//
//
// An element of a register fills another one in two instructions, both of the few units that move elements; from memory
// it takes none, as instructions have an operand that is read that way. Where many elements of a vector are taken so,
// the vector is stored once:
//
//     %a = <8 x i32>                                   %a = <8 x i32>, stored to %slot
//     shufflevector %a, <1, 1, 1, ... 1>           ->  load i32 at %slot + 4, in all lanes
//     shufflevector %a, <2, 2, 2, ... 2>               load i32 at %slot + 8, in all lanes
//
// Needs:    whole registers, and that no pass comes which takes loads from what was stored.
// Leaves:   loads and stores that no pass may combine again.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// So many elements pay for the store.
constexpr unsigned Enough = 4;

/// The lane of its first operand that a shuffle has everywhere; -1: it does something else.
int laneOfAll(const ShuffleVectorInst &Shuffle) {
  ArrayRef<int> Mask = Shuffle.getShuffleMask();
  auto *From = cast<FixedVectorType>(Shuffle.getOperand(0)->getType());
  unsigned Bits = From->getScalarSizeInBits();
  bool Fits = (Bits == 32 || Bits == 64) && From->getNumElements() > 1 && Mask.size() > 2;
  return Fits && all_equal(Mask) && Mask[0] >= 0 && Mask[0] < int(From->getNumElements()) ? Mask[0] : -1;
}

class Broadcasts {
public:
  explicit Broadcasts(Function &F) : F(F) {}

  bool run() {
    MapVector<Instruction *, SmallVector<ShuffleVectorInst *, 8>> Fills;
    for (Instruction &I : instructions(F))
      if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && laneOfAll(*Shuffle) >= 0)
        if (auto *From = dyn_cast<Instruction>(Shuffle->getOperand(0));
            From && From->getInsertionPointAfterDef() && !isFill(*From)) // which would be gone
          Fills[From].push_back(Shuffle);
    bool Changed = false;
    for (auto &[From, Shuffles] : Fills)
      if (Shuffles.size() >= Enough) {
        replace(*From, Shuffles);
        Changed = true;
      }
    return Changed;
  }

private:
  static bool isFill(const Instruction &I) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
    return Shuffle && laneOfAll(*Shuffle) >= 0;
  }

  void replace(Instruction &From, ArrayRef<ShuffleVectorInst *> Shuffles) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    auto *T = cast<FixedVectorType>(From.getType());
    AllocaInst *Slot = B.CreateAlloca(T);
    Slot->setAlignment(Align(64));
    B.SetInsertPoint(From.getParent(), *From.getInsertionPointAfterDef());
    B.CreateAlignedStore(&From, Slot, Align(64));
    for (ShuffleVectorInst *Shuffle : Shuffles) {
      B.SetInsertPoint(Shuffle);
      Value *At = B.CreateConstInBoundsGEP1_64(T->getElementType(), Slot, unsigned(laneOfAll(*Shuffle)));
      Value *Element = B.CreateLoad(T->getElementType(), At);
      Shuffle->replaceAllUsesWith(B.CreateVectorSplat(unsigned(Shuffle->getShuffleMask().size()), Element));
      Shuffle->eraseFromParent();
    }
  }

  Function &F;
};

} // namespace

bool broadcastFromMemory(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= Broadcasts(F).run();
  return Changed;
}

} // namespace pocm::cpu
