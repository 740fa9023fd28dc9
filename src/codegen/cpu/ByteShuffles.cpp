//===- ByteShuffles.cpp - No shuffle of many bytes with few that anybody reads ----------------===//
//
// The x86 back end of LLVM 22 makes wrong code of shuffles of 32 and 64 bytes of which three or
// four that lie side by side are read: it takes all of them from one place. Their other lanes are
// not left open:
//
//     shufflevector <32 x i8> %a, <32 x i8> %b, <poison x 16, 16, 17, 50, poison x 13>
//  -> shufflevector <32 x i8> %a, <32 x i8> %b, <0, ..., 15, 16, 17, 50, 19, ..., 31>
//
// It opens lanes again where it finds that nobody reads them, and takes such selections for shuffles. Shuffles that
// leave every byte or word at its place, and divide a dword, are operations on bits, therefore:
//
//     shufflevector <64 x i8> %a, <64 x i8> %b, <0, 65, 66, 67, 4, ..., 63>
//  -> or (and (freeze %a), <255, 0, 0, 0, 255, ..., 255>), (and (freeze %b), <0, 255, 255, 255, 0, ..., 0>)
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
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

/// For a shuffle of bytes or words of two values that moves none of them, and takes parts of a dword from both: the
/// bits of the first.
Constant *bitsOfFirst(const ShuffleVectorInst &Shuffle) {
  constexpr unsigned Dword = 32, Ymm = 256;
  auto *T = cast<FixedVectorType>(Shuffle.getType());
  const unsigned Count = T->getNumElements(), Bits = T->getScalarSizeInBits();
  if (Shuffle.getOperand(0)->getType() != T || isa<UndefValue>(Shuffle.getOperand(1)) || !T->isIntOrIntVectorTy() ||
      Bits % 8 || Bits >= Dword || Count * Bits < Ymm)
    return nullptr;
  SmallVector<Constant *, 64> First;
  bool Divides = false;
  for (unsigned K = 0; K < Count; ++K) {
    const int Lane = Shuffle.getMaskValue(K);
    if (Lane >= 0 && unsigned(Lane) % Count != K)
      return nullptr;
    First.push_back(Lane < int(Count) ? Constant::getAllOnesValue(T->getElementType())
                                      : Constant::getNullValue(T->getElementType()));
    Divides |= K % (Dword / Bits) && First[K] != First[K - 1];
  }
  return Divides ? ConstantVector::get(First) : nullptr;
}

} // namespace

bool fillByteShuffles(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
      if (!Shuffle)
        continue;
      if (Constant *First = bitsOfFirst(*Shuffle)) {
        IRBuilder<> B(Shuffle);
        Value *Left = B.CreateAnd(B.CreateFreeze(Shuffle->getOperand(0)), First),
              *Right = B.CreateAnd(B.CreateFreeze(Shuffle->getOperand(1)), ConstantExpr::getNot(First));
        I.replaceAllUsesWith(B.CreateOr(Left, Right));
        I.eraseFromParent();
        Changed = true;
      } else if (isDangerous(*Shuffle)) {
        SmallVector<int, 64> Lanes(Shuffle->getShuffleMask());
        for (int K = 0; K < int(Lanes.size()); ++K)
          if (Lanes[size_t(K)] < 0)
            Lanes[size_t(K)] = K;
        Shuffle->setShuffleMask(Lanes);
        Changed = true;
      }
    }
  return Changed;
}

} // namespace pocm::cpu
