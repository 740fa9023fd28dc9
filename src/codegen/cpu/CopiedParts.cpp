//===- CopiedParts.cpp - What was written in small parts is copied in small parts ------------------------===//
//
//     store i8 %a, %slot + %i                       store i8 %a, %slot + %i
//     %v = load <64 x i8>, %slot              ->    %v0 = load <16 x i8>, %slot
//     store <64 x i8> %v, %surface                  store <16 x i8> %v0, %surface
//                                                   ... three more
//
// A load that takes bytes of several stores waits until all of them have left the CPU's queue. What a loop has put
// together element by element is copied to a surface right behind it: a load of a whole register waits for the last of
// the elements, while of four small ones three need not.
//
// Needs:    the last form of the IR.
// Leaves:   loads that are more than copied; large objects, most of which was written long ago.
//
//===------------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned PartBytes = 16;
constexpr unsigned MostBytes = 512; // of an object

/// The variable that an address points into at a place that only a run knows; null for others.
const AllocaInst *chosenIn(const Value *Address) {
  auto *Object = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
  if (!Object)
    return nullptr;
  const DataLayout &Layout = Object->getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  return Address->stripAndAccumulateConstantOffsets(Layout, Offset, true) == Object ? nullptr : Object;
}

/// Whether a vector is several whole parts.
bool isOfParts(const FixedVectorType &T) {
  const unsigned Bits = T.getScalarSizeInBits(), Bytes = T.getNumElements() * (Bits / 8);
  return Bits && Bits % 8 == 0 && PartBytes % (Bits / 8) == 0 && Bytes > PartBytes && Bytes % PartBytes == 0;
}

bool isOnlyCopied(const LoadInst &Load) {
  return !Load.use_empty() && all_of(Load.users(), [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    return Store && Store->isSimple() && Store->getValueOperand() == &Load;
  });
}

void copyInParts(LoadInst &Load) {
  auto *T = cast<FixedVectorType>(Load.getType());
  const unsigned ElementBytes = T->getScalarSizeInBits() / 8;
  auto *Part = FixedVectorType::get(T->getElementType(), PartBytes / ElementBytes);
  SmallVector<StoreInst *, 4> Stores;
  for (User *U : Load.users())
    Stores.push_back(cast<StoreInst>(U));
  IRBuilder<> B(&Load);
  auto At = [&](Value *Address, unsigned Bytes) {
    return Bytes ? B.CreateConstGEP1_64(B.getInt8Ty(), Address, Bytes) : Address;
  };
  for (unsigned Bytes = 0; Bytes < T->getNumElements() * ElementBytes; Bytes += PartBytes) {
    B.SetInsertPoint(&Load);
    Value *V = B.CreateAlignedLoad(Part, At(Load.getPointerOperand(), Bytes), commonAlignment(Load.getAlign(), Bytes));
    for (StoreInst *Store : Stores) {
      B.SetInsertPoint(Store);
      StoreInst *New =
          B.CreateAlignedStore(V, At(Store->getPointerOperand(), Bytes), commonAlignment(Store->getAlign(), Bytes));
      New->copyMetadata(*Store);
    }
  }
  for (StoreInst *Store : Stores)
    Store->eraseFromParent();
  Load.eraseFromParent();
}

} // namespace

bool copySmallParts(Module &M) {
  const DataLayout &Layout = M.getDataLayout();
  bool Changed = false;
  for (Function &F : M) {
    SmallPtrSet<const AllocaInst *, 8> Written;
    SmallVector<LoadInst *, 16> Loads;
    for (Instruction &I : instructions(F)) {
      if (auto *Store = dyn_cast<StoreInst>(&I);
          Store && Layout.getTypeStoreSize(Store->getValueOperand()->getType()) < PartBytes) {
        if (const AllocaInst *Object = chosenIn(Store->getPointerOperand()))
          Written.insert(Object);
      } else if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple()) {
        auto *T = dyn_cast<FixedVectorType>(Load->getType());
        if (T && isOfParts(*T))
          Loads.push_back(Load);
      }
    }
    for (LoadInst *Load : Loads) {
      auto *Object = dyn_cast<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
      if (!Object || !Written.contains(Object) || !isOnlyCopied(*Load))
        continue;
      if (auto Bytes = Object->getAllocationSize(Layout); Bytes && *Bytes <= MostBytes) {
        copyInParts(*Load);
        Changed = true;
      }
    }
  }
  return Changed;
}

} // namespace pocm::cpu
