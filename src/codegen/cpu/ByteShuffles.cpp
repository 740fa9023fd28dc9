//===- ByteShuffles.cpp - No shuffle of many bytes with few that anybody reads ----------------===//
//
// The x86 back end of LLVM 22 makes wrong code of shuffles of 32 and 64 bytes of which three or
// four that lie side by side are read: it takes all of them from one place. Their other lanes are
// not left open:
//
//     shufflevector <32 x i8> %a, <32 x i8> %b, <poison x 16, 16, 17, 50, poison x 13>
//  -> shufflevector <32 x i8> %a, <32 x i8> %b, <0, ..., 15, 16, 17, 50, 19, ..., 31>
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// More than back ends may come down to when they find other lanes open.
constexpr int Few = 8;

bool isDangerous(const ShuffleVectorInst &Shuffle) {
  auto Mask = Shuffle.getShuffleMask();
  auto *T = cast<FixedVectorType>(Shuffle.getType());
  bool SameLength = cast<FixedVectorType>(Shuffle.getOperand(0)->getType()) == T;
  return SameLength && T->getElementType()->isIntegerTy(8) && T->getNumElements() > 16 &&
         count_if(Mask, [](int Lane) { return Lane >= 0; }) <= Few;
}

} // namespace

bool fillByteShuffles(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && isDangerous(*Shuffle)) {
        SmallVector<int, 64> Lanes(Shuffle->getShuffleMask());
        for (int K = 0; K < int(Lanes.size()); ++K)
          if (Lanes[size_t(K)] < 0)
            Lanes[size_t(K)] = K;
        Shuffle->setShuffleMask(Lanes);
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::cpu
