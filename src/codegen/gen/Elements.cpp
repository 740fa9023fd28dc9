//===- Elements.cpp - Elements and shuffles of vectors are regions ----------------------------===//
//
//     insertelement %v, %x, 3              ->  wrregion(%v, %x, 0, 1, 1, 12)
//     extractelement %v, %i                ->  rdregion(%v, 0, 1, 0, 4 * %i)
//     shufflevector %v, <0,0,0,0>          ->  rdregion(%v, 0, 1, 0, 0)
//
// A part of gen-operations. Those of predicates are done on words, one a channel.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Operations.h"
#include "codegen/gen/Predicates.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// Where an element begins, in 16 bits: offsets of `%i + 3` are those of `%i`, and a constant further.
Value *byteOffset(IRBuilderBase &B, Value *Index, int Bytes) {
  if (auto *Cast = dyn_cast<CastInst>(Index); Cast && isa<ZExtInst, SExtInst>(Cast)) { // of a byte, to a word
    Value *Narrow = Cast->getOperand(0);
    bool IsByte = Narrow->getType()->isIntegerTy(8) && !Index->getType()->isIntegerTy(16);
    if (Narrow->getType()->getIntegerBitWidth() >= 16 || IsByte)
      Index = IsByte ? B.CreateCast(Cast->getOpcode(), Narrow, B.getInt16Ty()) : Narrow;
  }
  const APInt *Further;
  if (Value *Base;
      Index->getType()->getIntegerBitWidth() >= 16 && match(Index, m_AddLike(m_Value(Base), m_APInt(Further))))
    return B.CreateAdd(byteOffset(B, Base, Bytes),
                       B.getInt16(uint16_t(Further->getLoBits(16).getZExtValue() * uint64_t(Bytes))));
  return B.CreateShl(B.CreateZExtOrTrunc(Index, B.getInt16Ty()), Log2_32(unsigned(Bytes)));
}

/// What a shuffle has in all channels, put into a vector by itself before; null for other shuffles.
Value *scalarOfSplat(ShuffleVectorInst &I) {
  Value *Scalar = nullptr;
  if (match(&I, m_Shuffle(m_InsertElt(m_Value(), m_Value(Scalar), m_ZeroInt()), m_Value(), m_ZeroMask())))
    return Scalar;
  auto W = I.isZeroEltSplat() ? RegionWrite::match(I.getOperand(0)) : std::nullopt; // made of the insertion by now
  return W && !W->value()->getType()->isVectorTy() && W->Where.isConstant() && W->Where.Offset == 0 ? W->value()
                                                                                                    : nullptr;
}

/// A read of one element as a read of it for all channels, where the vector stays as it is; null for other values.
Value *readForAll(IRBuilderBase &B, Value *Element, Type *T) {
  auto R = RegionRead::match(Element);
  if (!R || Element->getType()->isVectorTy() || (R->Where.Dynamic && R->Where.Dynamic->getType()->isVectorTy()))
    return nullptr;
  bool Changes = any_of(R->source()->users(), [&](User *U) {
    auto W = RegionWrite::matchMasked(U);
    return W && W->old() == R->source();
  });
  return !isa<Constant>(R->source()) && Changes
             ? nullptr
             : RegionRead::create(B, T, R->source(), {0, 1, 0, R->Where.Offset, R->Where.Dynamic});
}

/// Whether a predicate is only asked which channels are on, which one of more channels can be as well.
bool isGuard(const Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  return isa<CallInst>(User) || (isa<SelectInst>(User) && U.getOperandNo() == 0) ||
         (isa<BitCastInst>(User) && User->getType()->isIntegerTy());
}

} // namespace

bool isWhole(Type *T) { return is_contained({8u, 16u, 32u, 64u}, T->getScalarSizeInBits()); }

Value *splatPredicate(IRBuilderBase &B, Value *Bit, Type *Shape) {
  if (auto *C = dyn_cast<Constant>(Bit))
    return ConstantVector::getSplat(cast<FixedVectorType>(Shape)->getElementCount(), C);
  // A comparison of scalars is made once per channel instead.
  if (auto *Compare = dyn_cast<CmpInst>(Bit)) {
    Value *L = Compare->getOperand(0), *R = Compare->getOperand(1);
    if (L->getType()->isIntegerTy() || L->getType()->isFloatingPointTy())
      return B.CreateCmp(Compare->getPredicate(), splat(B, L, Shape), splat(B, R, Shape));
  }
  Value *Word = B.CreateSelect(Bit, B.getInt16(0xFFFF), B.getInt16(0));
  return B.CreateICmpNE(splat(B, Word, Shape), Constant::getNullValue(vectorLike(B.getInt16Ty(), Shape)));
}

Value *pick(IRBuilderBase &B, Type *T, Value *Left, Value *Right, ArrayRef<int> Mask) {
  int Split = countOf(Left->getType()), Count = int(Mask.size());
  auto SourceOf = [&](int M) { return M < Split ? Left : Right; };
  Value *All = nullptr;
  for (int Start = 0; Start < Count;) {
    if (Mask[size_t(Start)] < 0) {
      ++Start;
      continue;
    }
    int Best = 1;
    std::optional<Region> Where = Region::through({Mask[size_t(Start)] % Split});
    for (int Size = 2; Start + Size <= Count; ++Size) {
      int M = Mask[size_t(Start + Size - 1)];
      if (M < 0 || SourceOf(M) != SourceOf(Mask[size_t(Start)]))
        break;
      SmallVector<int, 32> Elements;
      for (int K = 0; K < Size; ++K)
        Elements.push_back(Mask[size_t(Start + K)] % Split);
      if (auto R = Region::through(Elements))
        Best = Size, Where = R;
    }
    Value *From = SourceOf(Mask[size_t(Start)]);
    if (Best == Count)
      return From->getType() == T && Where->isIdentity(Count) ? From : RegionRead::create(B, T, From, *Where);
    Value *Part = RegionRead::create(B, FixedVectorType::get(T->getScalarType(), unsigned(Best)), From, *Where);
    All = RegionWrite::create(B, All ? All : PoisonValue::get(T), Part, Region::contiguous(Best, Start));
    Start += Best;
  }
  return All ? All : PoisonValue::get(T);
}

Value *insertElement(InsertElementInst &I) {
  IRBuilder<> B(&I);
  Value *Vector = I.getOperand(0), *Element = I.getOperand(1), *Index = I.getOperand(2);
  bool Bits = isPredicate(I.getType());
  if (Bits) {
    Vector = asWords(B, Vector);
    Element = B.CreateSelect(Element, B.getInt16(0xFFFF), B.getInt16(0));
  }
  Region R{0, 1, 1, 0};
  if (auto *C = dyn_cast<ConstantInt>(Index)) {
    if (C->getZExtValue() >= unsigned(countOf(I.getType())))
      return PoisonValue::get(I.getType());
    R.Offset = int(C->getZExtValue());
  } else {
    R.Dynamic = byteOffset(B, Index, elementBytes(Vector->getType()));
  }
  Value *New = RegionWrite::create(B, Vector, Element, R);
  return Bits ? asPredicate(B, New) : New;
}

Value *extractElement(ExtractElementInst &I) {
  IRBuilder<> B(&I);
  Value *Vector = I.getOperand(0), *Index = I.getOperand(1);
  bool Bits = isPredicate(I.getType());
  if (Bits)
    Vector = asWords(B, Vector);
  Region R{0, 1, 0, 0};
  if (auto *C = dyn_cast<ConstantInt>(Index)) {
    if (C->getZExtValue() >= unsigned(countOf(Vector->getType())))
      return PoisonValue::get(I.getType());
    R.Offset = int(C->getZExtValue());
  } else {
    R.Dynamic = byteOffset(B, Index, elementBytes(Vector->getType()));
  }
  Value *New = RegionRead::create(B, Vector->getType()->getScalarType(), Vector, R);
  return Bits ? B.CreateICmpNE(New, B.getInt16(0)) : New;
}

Value *shuffle(ShuffleVectorInst &I) {
  IRBuilder<> B(&I);
  Type *T = I.getType();
  Value *Left = I.getOperand(0), *Right = I.getOperand(1);
  SmallVector<int, 32> Mask(I.getShuffleMask());
  if (isPredicate(T)) {
    if ((isLowerChannels(I) && all_of(I.uses(), isGuard)) ||
        (widened(I) && countOf(T) <= 16 && all_of(I.users(), [](User *U) { return isa<BitCastInst>(U); })))
      return nullptr;
    Value *Scalar = nullptr;
    if (match(&I, m_Shuffle(m_InsertElt(m_Value(), m_Value(Scalar), m_ZeroInt()), m_Value(), m_ZeroMask())))
      return splatPredicate(B, Scalar, T);
    return asPredicate(B, pick(B, vectorLike(B.getInt16Ty(), T), asWords(B, Left), asWords(B, Right), Mask));
  }
  if (Value *Scalar = scalarOfSplat(I)) {
    // An element that is extended for all channels is extended by the operands that read it.
    if (auto *Cast = dyn_cast<CastInst>(Scalar);
        isa_and_nonnull<SExtInst, ZExtInst>(Cast) && T->getScalarSizeInBits() <= 32 && isWhole(Cast->getSrcTy()))
      if (Value *Narrow = readForAll(B, Cast->getOperand(0), vectorLike(Cast->getSrcTy(), T)))
        return B.CreateCast(Cast->getOpcode(), Narrow, T);
    return splat(B, Scalar, T);
  }
  // Elements that nobody defines repeat their neighbours, which keeps regions whole.
  const auto *Known = find_if(Mask, [](int M) { return M >= 0; });
  if (Known == Mask.end())
    return PoisonValue::get(T);
  if (is_contained(Mask, -1) && all_of(Mask, [&](int M) { return M < 0 || M == *Known; }))
    Mask.assign(Mask.size(), int(*Known));
  return pick(B, T, Left, Right, Mask);
}

bool pickElements(Module &M) {
  return replaceEach<ShuffleVectorInst>(
      M, [](ShuffleVectorInst &I) { return isPredicate(I.getType()) ? nullptr : shuffle(I); });
}

} // namespace pocm::gen
