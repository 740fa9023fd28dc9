//===- ByteShuffles.cpp - No shuffle of many bytes with few that anybody reads ----------------===//
//
// The x86 back end of LLVM 22 makes wrong code of shuffles of 32 and 64 bytes of which three or
// four that lie side by side are read: it takes all of them from one place. Their other lanes are
// not left open:
//
//     shufflevector <32 x i8> %a, <32 x i8> %b, <poison x 16, 16, 17, 50, poison x 13>
//  -> shufflevector <32 x i8> %a, <32 x i8> %b, <0, ..., 15, 16, 17, 50, 19, ..., 31>
//
// It opens lanes again where later operations show that nobody reads them, so that the result goes through an empty
// piece of assembly, of which it knows nothing. Shuffles that take parts of a dword from two values and move none,
// which it also takes for whole dwords, do the same.
//
// Needs:    shuffles in their last form: LLVM's passes open lanes.
// Leaves:   shuffles without open lanes, hidden from LLVM where a register holds them.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
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

/// Whether a shuffle takes parts of a dword from two values, and moves none.
bool dividesDwords(const ShuffleVectorInst &Shuffle) {
  constexpr unsigned Dword = 32, Ymm = 256;
  auto *T = cast<FixedVectorType>(Shuffle.getType());
  const unsigned Count = T->getNumElements(), Bits = T->getScalarSizeInBits();
  if (Shuffle.getOperand(0)->getType() != T || isa<UndefValue>(Shuffle.getOperand(1)) || !T->isIntOrIntVectorTy() ||
      Bits % 8 || Bits >= Dword || Count * Bits < Ymm)
    return false;
  bool Divides = false;
  for (unsigned K = 0; K < Count; ++K) {
    const int Lane = Shuffle.getMaskValue(K);
    if (Lane >= 0 && unsigned(Lane) % Count != K)
      return false;
    const bool Second = Lane >= int(Count), Before = K > 0 && Shuffle.getMaskValue(K - 1) >= int(Count);
    Divides |= K % (Dword / Bits) && Second != Before;
  }
  return Divides;
}

bool isHidden(const Value &V) {
  return !V.use_empty() && all_of(V.users(), [](const User *U) {
    auto *Call = dyn_cast<CallInst>(U);
    return Call ? Call->isInlineAsm() : isa<ShuffleVectorInst>(U) && isHidden(*U);
  });
}

Value *hidden(IRBuilder<> &B, Value *V) {
  auto *T = FunctionType::get(V->getType(), V->getType(), false);
  CallInst *Call = B.CreateCall(InlineAsm::get(T, "", "=v,0", /*hasSideEffects=*/false), V);
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  return Call;
}

/// Its users get the value from where LLVM does not look, register by register.
void hideFromUsers(ShuffleVectorInst &Shuffle, unsigned VectorBits) {
  IRBuilder<> B(Shuffle.getNextNode());
  SmallVector<Use *, 8> Uses(map_range(Shuffle.uses(), [](Use &U) { return &U; }));
  auto *T = cast<FixedVectorType>(Shuffle.getType());
  const unsigned Count = T->getNumElements(), Lanes = std::min(Count, VectorBits / T->getScalarSizeInBits());
  SmallVector<Value *, 4> Parts;
  for (unsigned First = 0; First < Count; First += Lanes)
    Parts.push_back(hidden(B, Lanes == Count ? cast<Value>(&Shuffle)
                                             : B.CreateShuffleVector(&Shuffle, createSequentialMask(First, Lanes, 0))));
  Value *All = concatenateVectors(B, Parts);
  for (Use *U : Uses)
    U->set(All);
}

} // namespace

bool fillByteShuffles(Module &M, unsigned VectorBits) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
      if (!Shuffle || Shuffle->use_empty() || isHidden(*Shuffle) ||
          (!dividesDwords(*Shuffle) && !isDangerous(*Shuffle)))
        continue;
      SmallVector<int, 64> Lanes(Shuffle->getShuffleMask());
      for (int K = 0; K < int(Lanes.size()); ++K)
        if (Lanes[size_t(K)] < 0)
          Lanes[size_t(K)] = K;
      Shuffle->setShuffleMask(Lanes);
      if (isPowerOf2_32(unsigned(Lanes.size())))
        hideFromUsers(*Shuffle, VectorBits);
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::cpu
