//===- Channels.cpp - Predicates of as many channels as compute something ------------------===//
//
//     %w = shufflevector <16 x i1> %p, zeroinitializer, <0, ..., 15, 16, ...>    %b = bitcast <16 x i1> %p to i16
//     %m = bitcast <32 x i1> %w to i32                                     ->    %m = zext i16 %b to i32
//
//     %v = bitcast <32 x i1> %w to <16 x i2>                                     the lower two bits of %m
//     %e = extractelement <16 x i2> %v, 0                                  ->    %e = trunc i32 %m to i2
//
//     %b = bitcast i32 %m to <32 x i1>                                           %t = trunc i32 %m to i16
//     %p = shufflevector <32 x i1> %b, poison, <0, ..., 15>                ->    %p = bitcast i16 %t to <16 x i1>
//
//     %b = bitcast <29 x i8> %v to <232 x i1>                                    %s = shufflevector <29 x i8> %v, <25,
//     25> %p = shufflevector <232 x i1> %b, poison, <200, 200>                 ->    %p = icmp ne (and %s, 1), 0
//
// Two or four channels are the lower ones of a byte: a shuffle that is no instruction.
//
// Control flow of the language keeps the mask of its channels in 32 bits, whatever the width of
// the vectors. Gen's predicates are bits of a flag register: the lower ones are a predicate of
// their own, and moving them to the upper ones costs instructions.
//
// Needs:    masks as the middle end leaves them.
// Leaves:   parts of a mask that begin further up.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Predicates.h"
#include "ir/Replace.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include <algorithm>
#include <functional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// Whether flags and numbers have that many bits.
bool isFlagWidth(unsigned N) { return N == 8 || N == 16 || N == 32; }

FixedVectorType *flags(LLVMContext &C, unsigned N) { return FixedVectorType::get(Type::getInt1Ty(C), N); }

/// The number of lower channels that can be true.
unsigned channelsOf(Value *V, unsigned Depth = 0) {
  auto All = unsigned(countOf(V->getType()));
  if (auto *S = dyn_cast<ShuffleVectorInst>(V))
    if (unsigned Have = widened(*S))
      return Have;
  if (Value *L, *R; Depth < 8 && match(V, m_And(m_Value(L), m_Value(R))))
    return std::min(channelsOf(L, Depth + 1), channelsOf(R, Depth + 1));
  if (Value *L, *R; Depth < 8 && match(V, m_CombineOr(m_Or(m_Value(L), m_Value(R)), m_Xor(m_Value(L), m_Value(R)))))
    return std::max(channelsOf(L, Depth + 1), channelsOf(R, Depth + 1));
  return All;
}

/// The predicate of N channels whose bits are the lower ones of a number; null when that would have to be moved into a
/// flag register.
Value *flagsOf(IRBuilderBase &B, Value *Bits, unsigned N, unsigned Depth = 0) {
  Value *P, *L, *R;
  if (match(Bits, m_ZExtOrSelf(m_BitCast(m_Value(P)))) && P->getType() == flags(B.getContext(), N))
    return P;
  if (auto *C = dyn_cast<ConstantInt>(Bits)) {
    SmallVector<Constant *, 32> Elements;
    for (unsigned K = 0; K < N; ++K)
      Elements.push_back(B.getInt1(K < C->getBitWidth() && C->getValue()[K]));
    return ConstantVector::get(Elements);
  }
  auto *Logic = dyn_cast<BinaryOperator>(Bits);
  if (!Logic || !Logic->isBitwiseLogicOp() || Depth == 4 || !match(Bits, m_BinOp(m_Value(L), m_Value(R))))
    return nullptr;
  L = flagsOf(B, L, N, Depth + 1);
  R = L ? flagsOf(B, R, N, Depth + 1) : nullptr;
  return R ? B.CreateBinOp(Logic->getOpcode(), L, R) : nullptr;
}

/// The lower N channels of a predicate; null when they are no simpler than the whole.
Value *lower(IRBuilderBase &B, Value *V, unsigned N, unsigned Depth = 0) {
  if (unsigned(countOf(V->getType())) == N)
    return V;
  if (auto *C = dyn_cast<Constant>(V)) {
    SmallVector<Constant *, 32> Elements;
    for (unsigned K = 0; K < N; ++K)
      Elements.push_back(C->getAggregateElement(K));
    return ConstantVector::get(Elements);
  }
  if (auto *S = dyn_cast<ShuffleVectorInst>(V)) {
    unsigned Have = widened(*S);
    return Have && Have == N ? S->getOperand(0) : nullptr;
  }
  if (auto *Cast = dyn_cast<BitCastInst>(V); Cast && Cast->getSrcTy()->isIntegerTy() && isFlagWidth(N)) {
    if (Value *Flags = flagsOf(B, Cast->getOperand(0), N))
      return Flags;
    return B.CreateBitCast(B.CreateTrunc(Cast->getOperand(0), B.getIntNTy(N)), flags(B.getContext(), N));
  }
  if (Value *Byte = isa<BitCastInst>(V) && N < 8 ? lower(B, V, 8, Depth + 1) : nullptr; Byte && !isa<Constant>(Byte))
    return B.CreateShuffleVector(Byte, createSequentialMask(0, N, 0));
  auto *Logic = dyn_cast<BinaryOperator>(V);
  if (!Logic || Depth == 8)
    return nullptr;
  Value *L = lower(B, Logic->getOperand(0), N, Depth + 1);
  Value *R = L ? lower(B, Logic->getOperand(1), N, Depth + 1) : nullptr;
  return R ? B.CreateBinOp(Logic->getOpcode(), L, R) : nullptr;
}

/// A byte of flags, of which the upper ones are not set.
Value *byteOf(IRBuilderBase &B, Value *Flags) {
  auto N = unsigned(countOf(Flags->getType()));
  SmallVector<int, 16> Lanes = createSequentialMask(0, N, 0);
  Lanes.resize(8, int(N));
  return B.CreateBitCast(B.CreateShuffleVector(Flags, Constant::getNullValue(Flags->getType()), Lanes), B.getInt8Ty());
}

Value *narrowed(Instruction &I) {
  IRBuilder<> B(&I);
  if (auto *Cast = dyn_cast<BitCastInst>(&I); Cast && isPredicate(Cast->getSrcTy()) && I.getType()->isIntegerTy()) {
    Value *V = Cast->getOperand(0);
    unsigned N = V->getType()->isVectorTy() ? channelsOf(V) : 1, All = I.getType()->getIntegerBitWidth();
    Value *Low = N < All && (isFlagWidth(N) || (N < 8 && N > 1)) ? lower(B, V, N) : nullptr;
    if (!Low || (N < 8 && All == 8))
      return nullptr;
    return B.CreateZExt(N < 8 ? byteOf(B, Low) : B.CreateBitCast(Low, B.getIntNTy(N)), I.getType());
  }
  auto *S = dyn_cast<ShuffleVectorInst>(&I);
  if (!S || !isPredicate(I.getType()) || !match(S->getOperand(1), m_Undef()))
    return nullptr;
  ArrayRef<int> Mask = S->getShuffleMask();
  for (unsigned K = 0; K < Mask.size(); ++K)
    if (Mask[K] != int(K))
      return nullptr;
  return Mask.size() < unsigned(countOf(S->getOperand(0)->getType()))
             ? lower(B, S->getOperand(0), unsigned(Mask.size()))
             : nullptr;
}

/// The lower bits of a mask, as LLVM reads them: an element of the mask as a vector of numbers, of which the others may
/// be anything.
Value *lowerBits(ExtractElementInst &I) {
  auto *Cast = dyn_cast<BitCastInst>(I.getVectorOperand());
  if (!Cast || !isPredicate(Cast->getSrcTy()) || !I.getType()->isIntegerTy() || !match(I.getIndexOperand(), m_Zero()))
    return nullptr;
  unsigned N = I.getType()->getIntegerBitWidth();
  IRBuilder<> B(&I);
  Value *Low = lower(B, Cast->getOperand(0), N);
  if (!Low)
    Low = B.CreateShuffleVector(Cast->getOperand(0), createSequentialMask(0, N, 0));
  return isFlagWidth(N) ? B.CreateBitCast(Low, I.getType()) : B.CreateTrunc(byteOf(B, Low), I.getType());
}

/// Bits of the elements of a vector, taken one by one: how LLVM says whether numbers are odd.
Value *bitsOfElements(Instruction &I) {
  auto *S = dyn_cast<ShuffleVectorInst>(&I);
  auto *E = dyn_cast<ExtractElementInst>(&I);
  if (!S && !E)
    return nullptr;
  auto *Cast = dyn_cast<BitCastInst>(I.getOperand(0));
  auto *From = Cast && isPredicate(Cast->getType()) ? dyn_cast<FixedVectorType>(Cast->getSrcTy()) : nullptr;
  if (!From || !From->getElementType()->isIntegerTy())
    return nullptr;
  SmallVector<int, 32> Chosen;
  if (S)
    append_range(Chosen, S->getShuffleMask());
  else if (auto *Index = dyn_cast<ConstantInt>(E->getIndexOperand()))
    Chosen.push_back(int(Index->getZExtValue()));
  const unsigned Bits = From->getScalarSizeInBits(), All = Bits * From->getNumElements();
  auto IsInside = [&](int Bit) { return Bit < int(All); };
  auto IsNext = [](int Before, int Bit) { return Bit == Before + 1; };
  bool InOrder = Chosen.size() > 1 && std::ranges::adjacent_find(Chosen, std::not_fn(IsNext)) == Chosen.end();
  if (Chosen.empty() || InOrder || !all_of(Chosen, IsInside)) // those in order are a part of a mask
    return nullptr;
  IRBuilder<> B(&I);
  SmallVector<int, 32> Elements;
  SmallVector<Constant *, 32> Shifts;
  for (int Bit : Chosen) {
    Elements.push_back(Bit < 0 ? Bit : Bit / int(Bits));
    Shifts.push_back(ConstantInt::get(From->getElementType(), Bit < 0 ? 0 : unsigned(Bit) % Bits));
  }
  Value *Numbers = S ? B.CreateShuffleVector(Cast->getOperand(0), Elements)
                     : B.CreateExtractElement(Cast->getOperand(0), unsigned(Elements[0]));
  Value *Shift = S ? ConstantVector::get(Shifts) : Shifts[0];
  Type *T = Numbers->getType();
  return B.CreateICmpNE(B.CreateAnd(B.CreateLShr(Numbers, Shift), ConstantInt::get(T, 1)), Constant::getNullValue(T));
}

} // namespace

bool narrowPredicates(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    Changed |= replaceEach<ExtractElementInst>(F, lowerBits);
  for (Function &F : M)
    Changed |= replaceEach(F, narrowed);
  for (Function &F : M)
    Changed |= replaceEach(F, bitsOfElements);
  return Changed;
}

} // namespace pocm::gen
