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
// A vector that was loaded, from memory that nothing has written since, and that does nothing else is not loaded, nor
// stored:
//
//     %a = load <8 x i32>, %p                          load i32 at %p + 4, in all lanes
//     shufflevector %a, <1, 1, 1, ... 1>           ->
//
// Each element is read once, for all that it fills: other threads may write the memory at any time, and what a value
// was in one place it must be in all. Twice it is read only in the thread's own memory.
//
// Needs:    whole registers, and that no pass comes which takes loads from what was stored.
// Leaves:   loads and stores that no pass may combine again.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Inside.h"
#include "ir/Messages.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
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
  const int Lane = Mask.front();
  return Fits && all_equal(Mask) && Lane >= 0 && Lane < int(From->getNumElements()) ? Lane : -1;
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
      if (auto *Load = dyn_cast<LoadInst>(From);
          Load && isThereUntil(*Load, Shuffles) &&
          (isOwnMemory(Load->getPointerOperand()) || Load->hasNUses(unsigned(Shuffles.size())))) {
        replace(*Load, Load->getPointerOperand(), Load->getAlign(), Shuffles, /*Once=*/true);
        Changed = true;
      } else if (Shuffles.size() >= Enough) {
        replace(*From, store(*From), Align(SlotAlign), Shuffles, /*Once=*/false);
        Changed = true;
      }
    return Changed;
  }

private:
  static bool isFill(const Instruction &I) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
    return Shuffle && laneOfAll(*Shuffle) >= 0;
  }

  static constexpr unsigned SlotAlign = 64;

  /// Whether all that fills is in the load's block, and nothing writes before the last of it.
  static bool isThereUntil(const LoadInst &Load, ArrayRef<ShuffleVectorInst *> Shuffles) {
    SmallPtrSet<const Instruction *, 16> Pending(Shuffles.begin(), Shuffles.end());
    if (!Load.isSimple() || !all_of(Pending, [&](const Instruction *I) { return I->getParent() == Load.getParent(); }))
      return false;
    for (const Instruction *I = &Load; !Pending.empty(); I = I->getNextNode()) {
      if (changesMemory(*I))
        return false;
      Pending.erase(I);
    }
    return true;
  }

  /// The place that the value is stored to.
  Value *store(Instruction &From) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Slot = B.CreateAlloca(From.getType());
    Slot->setAlignment(Align(SlotAlign));
    B.SetInsertPoint(From.getParent(), *From.getInsertionPointAfterDef());
    B.CreateAlignedStore(&From, Slot, Align(SlotAlign));
    return Slot;
  }

  /// What fills is read at the place: an element once for all, which are in one block then, or for each.
  static void replace(Instruction &From, Value *Place, Align Aligned, ArrayRef<ShuffleVectorInst *> Shuffles,
                      bool Once) {
    auto *T = cast<FixedVectorType>(From.getType());
    DenseMap<unsigned, Value *> Elements;
    for (ShuffleVectorInst *Shuffle : Shuffles) {
      IRBuilder<> B(Shuffle);
      const auto Lane = unsigned(laneOfAll(*Shuffle));
      Value *&Element = Elements[Lane];
      if (!Element || !Once) {
        Value *At = B.CreateConstInBoundsGEP1_64(T->getElementType(), Place, Lane);
        Element = B.CreateAlignedLoad(T->getElementType(), At,
                                      commonAlignment(Aligned, Lane * T->getScalarSizeInBits() / CHAR_BIT));
      }
      Shuffle->replaceAllUsesWith(B.CreateVectorSplat(unsigned(Shuffle->getShuffleMask().size()), Element));
      Shuffle->eraseFromParent();
    }
    if (From.use_empty())
      From.eraseFromParent();
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
