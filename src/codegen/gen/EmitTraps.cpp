//===- EmitTraps.cpp - What the finalizer makes wrong code of -----------------------------===//
#include "codegen/gen/EmitTraps.h"
#include "codegen/gen/EmitOperands.h"
#include "ir/Ranges.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

/// What a bale moves.
Source movedBy(const Bale &B) {
  return B.Into ? Source::of(B.Into->value()) : Source::ofRead(*RegionRead::match(B.Head));
}

SmallVector<Source, 4> sourcesOf(const Bale &B) {
  if (!B.Main)
    return {movedBy(B)};
  SmallVector<Source, 4> All;
  for (unsigned Index : regionOperandsOf(*B.Main))
    All.push_back(Source::of(B.Main->getOperand(Index)));
  return All;
}

static bool isOfBytes(const Value &V) { return V.getType()->getScalarType()->isIntegerTy(8); }

/// Whether bytes are read and written in one variable, not each channel's where it was. The finalizer cuts what
/// computes bytes in two, of which the second would read what the first wrote.
bool EmitTraps::shiftsBytesInPlace(const Bale &B) const {
  int Count = B.count();
  if (!isOfBytes(*B.Head) || Count == 1)
    return false;
  auto To = placesOf(B.Into ? B.Into->Where : Region::contiguous(Count), Count, 1);
  return any_of(sourcesOf(B), [&](const Source &S) {
    if (isa<Constant>(S.Base) || Registers.variableOf(S.Base) != Registers.variableOf(B.Head))
      return false;
    int Bytes = elementBytes(S.Element);
    auto From = placesOf(S.Where, Count, Bytes);
    if (!To || !From || Bytes > 1)
      return true;
    for (int I = 0; I < Count; ++I)
      for (int J = 0; J < Count; ++J)
        if (I != J && (*To)[size_t(I)] == (*From)[size_t(J)])
          return true;
    return false;
  });
}

/// The same where the finalizer itself would read what was moved from where it lay: bytes that somebody computes with
/// who writes where they came from, perhaps when others have been written beside them; or write what is moved to where
/// it goes: bytes computed from others that lie there.
bool EmitTraps::isLookedThrough(const Bale &B) const {
  if (B.Main || !isOfBytes(*B.Head) || B.count() == 1)
    return false;
  Source Moved = movedBy(B);
  if (isa<Constant>(Moved.Base) || Registers.variableOf(Moved.Base) == Registers.variableOf(B.Head))
    return false;
  return comesFromWhereItGoes(B, Moved) || goesWhereItComesFrom(B, Moved);
}

static bool hasBale(const Instruction &I) {
  return RegionWrite::matchMasked(const_cast<Instruction *>(&I)) || RegionRead::match(const_cast<Instruction *>(&I)) ||
         isVectorInstruction(I);
}

/// Whether what one channel writes, at a place that goes elsewhere, is what another reads there.
static bool writesWhatItReads(ArrayRef<int> Places, const SmallDenseMap<int, int, 32> &Goes,
                              const std::optional<SmallVector<int, 32>> &Read) {
  for (size_t I = 0; I < Places.size(); ++I) {
    auto To = Goes.find(Places[I]);
    if (To == Goes.end())
      continue;
    if (!Read)
      return true;
    for (size_t J = 0; J < Places.size(); ++J)
      if (I != J && (*Read)[J] == To->second)
        return true;
  }
  return false;
}

bool EmitTraps::comesFromWhereItGoes(const Bale &B, const Source &Moved) const {
  auto To = placesOf(B.Into ? B.Into->Where : Region::contiguous(B.count()), B.count(), 1),
       From = placesOf(Moved.Where, B.count(), 1);
  if (!To || !From)
    return false;
  SmallDenseMap<int, int, 32> Goes; // bytes of the one variable to those of the other
  for (int K = 0; K < B.count(); ++K)
    Goes[(*From)[size_t(K)]] = (*To)[size_t(K)];
  for (auto *V = dyn_cast<Instruction>(Moved.Base); V && V->getParent() == B.Head->getParent() && hasBale(*V);) {
    Bale Piece = Bale::of(*V);
    auto Places = placesOf(Piece.Into ? Piece.Into->Where : Region::contiguous(Piece.count()), Piece.count(), 1);
    if (Places && isOfBytes(*V) && any_of(sourcesOf(Piece), [&](const Source &S) {
          return !isa<Constant>(S.Base) && Registers.variableOf(S.Base) == Registers.variableOf(B.Head) &&
                 writesWhatItReads(*Places, Goes, placesOf(S.Where, Piece.count(), elementBytes(S.Element)));
        }))
      return true;
    V = Piece.Into ? dyn_cast<Instruction>(registerOf(Piece.Into->old())) : nullptr;
  }
  return false;
}

/// Whether one channel writes bytes of a variable that another reads of where they were moved to.
static bool writesWhatWasMoved(const Bale &Reader, const SmallDenseMap<int, int, 32> &CameFrom,
                               function_ref<bool(const Value *)> IsCopy) {
  const int Count = Reader.count();
  const auto To = placesOf(Reader.Into ? Reader.Into->Where : Region::contiguous(Count), Count, 1);
  return any_of(sourcesOf(Reader), [&](const Source &S) {
    if (isa<Constant>(S.Base) || !IsCopy(S.Base))
      return false;
    const auto Read = placesOf(S.Where, Count, 1);
    if (!To || !Read || elementBytes(S.Element) > 1)
      return true;
    for (size_t J = 0; J < Read->size(); ++J)
      if (auto From = CameFrom.find((*Read)[J]); From != CameFrom.end())
        for (size_t I = 0; I < To->size(); ++I)
          if (I != J && (*To)[I] == From->second)
            return true;
    return false;
  });
}

bool EmitTraps::goesWhereItComesFrom(const Bale &B, const Source &Moved) const {
  const auto To = placesOf(B.Into ? B.Into->Where : Region::contiguous(B.count()), B.count(), 1),
             From = placesOf(Moved.Where, B.count(), 1);
  SmallDenseMap<int, int, 32> CameFrom;
  for (int K = 0; To && From && K < B.count(); ++K)
    CameFrom[(*To)[size_t(K)]] = (*From)[size_t(K)];
  const bool Known = To && From;
  const unsigned Copies = Registers.variableOf(B.Head), Origin = Registers.variableOf(Moved.Base);
  SmallVector<Instruction *, 8> Versions{B.Head}; // of the variable: others may be written beside what is moved
  for (SmallPtrSet<Value *, 8> Seen; !Versions.empty();) {
    Instruction *V = Versions.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (User *U : V->users()) {
      auto *Reader = cast<Instruction>(U);
      while (isBaled(*Reader))
        Reader = Reader->user_back();
      if (isOfBytes(*Reader) && needsRegister(*Reader) && Registers.variableOf(Reader) == Origin &&
          (V == B.Head || !Known || !hasBale(*Reader) ||
           writesWhatWasMoved(Bale::of(*Reader), CameFrom,
                              [&](const Value *Base) { return Registers.variableOf(Base) == Copies; })))
        return true;
      auto Into = RegionWrite::matchMasked(Reader);
      if (Into && registerOf(Into->old()) == V && Reader->getParent() == V->getParent() &&
          Registers.variableOf(Reader) == Copies)
        Versions.push_back(Reader);
    }
  }
  return false;
}

// Operands that the finalizer takes as narrower than they are

/// Whether a product of all bits is made of parts, in an accumulator.
bool EmitTraps::isProductByParts(const Instruction &I) const {
  return is_contained({Op::SignedProduct, Op::UnsignedProduct}, operationOf(&I)) && !Target.has(HasInt64) &&
         I.getType()->getScalarSizeInBits() == 64;
}

/// The number that all elements of a constant are, or null.
ConstantInt *numberOf(Value *V) {
  auto *C = dyn_cast<Constant>(V);
  return C ? dyn_cast_or_null<ConstantInt>(C->getType()->isVectorTy() ? C->getSplatValue(true) : C) : nullptr;
}

/// Whether the finalizer would make a word of a number, of whose products it gets the upper half wrong: a negative one.
static bool isNegativeWord(Value *Number) {
  ConstantInt *N = numberOf(Number);
  return N && N->getValue().isNegative() && N->getValue().isSignedIntN(16);
}

bool EmitTraps::needsWholeDword(const Instruction &I, Value *Factor) const {
  return isProductByParts(I) && isNegativeWord(Factor);
}

/// Whether somebody reads a value as it is, perhaps a region of it or through a variable, who is such a reader.
template <class Predicate> static bool isReadBy(Instruction &I, Predicate Is) {
  SmallVector<Value *, 8> Left{&I};
  for (SmallPtrSet<Value *, 8> Seen; !Left.empty();) {
    Value *V = Left.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (User *U : V->users()) {
      auto *Reader = cast<Instruction>(U);
      if (isa<PHINode, BitCastInst>(Reader) || is_contained({Op::RegionRead, Op::RegionWrite}, operationOf(Reader)))
        Left.push_back(Reader);
      else if (Is(*Reader))
        return true;
    }
  }
  return false;
}

bool EmitTraps::isMovedAsFactor(const Bale &B, const Source &Moved) const {
  return Moved.Element->isIntegerTy(32) && Moved.Base->getType()->getScalarType() == Moved.Element &&
         isNegativeWord(Moved.Base) &&
         isReadBy(*B.Head, [this](Instruction &Reader) { return isProductByParts(Reader); });
}

/// Whether an extension is read by what the finalizer gets wrong when it reads the narrow integer instead: a product
/// of all bits, where that is negative, and signed division, where the other operand has a sign.
bool EmitTraps::isTakenAsDword(Instruction &I) const {
  if (!isa<SExtInst, ZExtInst>(I) || isMask(I) || !I.getType()->isIntOrIntVectorTy(32))
    return false;
  return isReadBy(I, [&](Instruction &Reader) {
    bool Divides = is_contained({Instruction::SDiv, Instruction::SRem}, Reader.getOpcode());
    return (isa<SExtInst>(I) && isProductByParts(Reader)) || (isa<ZExtInst>(I) && Divides);
  });
}

/// Whether a vector, or some of the elements that were written into it, is of products and sums.
static bool holdsSums(Value *V) {
  constexpr unsigned Most = 64; // writes, one into the other
  for (unsigned Seen = 0; Seen < Most; ++Seen) {
    if (auto Read = RegionRead::match(V))
      V = Read->source();
    auto *I = dyn_cast<Instruction>(V);
    auto Into = I ? RegionWrite::matchMasked(I) : std::nullopt;
    if (match(Into ? Into->value() : V, m_Intrinsic<Intrinsic::fma>()))
      return true;
    if (!Into)
      return false;
    V = Into->old();
  }
  return true;
}

/// The finalizer lets what computes the sums write halves, makes two instructions of it, of which the first rounds the
/// product, and for the second half of 16 channels the second may not find it.
bool EmitTraps::isNarrowedSum(const Instruction &I) {
  return isa<FPTruncInst>(I) && I.getType()->getScalarType()->isHalfTy() &&
         I.getOperand(0)->getType()->getScalarType()->isFloatTy() && holdsSums(I.getOperand(0));
}

/// Whether a variable is one that addresses may point into: the bale of some instruction reads or writes it at a
/// run-time place.
bool EmitTraps::isAddressed(unsigned Variable) {
  if (Addressed.empty()) {
    Addressed.resize(Registers.count() + 1);
    Addressed.set(Registers.count()); // it has been asked for
    for (Function *G : Functions)
      for (Instruction &I : instructions(*G)) {
        if (auto Read = RegionRead::match(&I); Read && Read->Where.Dynamic && !isa<Constant>(Read->source()))
          Addressed.set(Registers.variableOf(registerOf(Read->source())));
        if (auto Write = RegionWrite::matchMasked(&I); Write && Write->Where.Dynamic)
          Addressed.set(Registers.variableOf(Write->Call));
      }
  }
  return Addressed.test(Variable);
}

/// Whether an instruction may write what is read of a variable. At a run-time place it may write anything, and what
/// is read at one may be of any variable that has an address.
bool EmitTraps::mayWrite(const Instruction &I, const Source &Read) {
  if (!needsRegister(I) || isBaled(I))
    return false;
  auto IsRead = [&](const Value *V) {
    const unsigned Written = Registers.variableOf(V);
    return Written == Registers.variableOf(Read.Base) || (Read.Where.Dynamic && isAddressed(Written));
  };
  auto Into = RegionWrite::matchMasked(const_cast<Instruction *>(&I));
  auto Part = Registers.placeOf(I);
  return IsRead(&I) || (Part && IsRead(Part->Whole)) || (Into && Into->Where.Dynamic);
}

/// Whether a bale writes its elements with something in between.
static bool isSpread(const Bale &B) {
  const int Bytes = elementBytes(B.Head->getType()->getScalarType());
  auto To = B.Into ? placesOf(B.Into->Where, B.count(), Bytes) : std::nullopt;
  return To && To->back() - To->front() != (B.count() - 1) * Bytes;
}

/// Whether an extension is read with a minus, as an absolute value or complemented, or spread, and what it extends
/// may be written before the block's last reader comes. The finalizer keeps the narrow integers aside then, in a
/// variable without room for what is between them, and reads those without the modifier.
bool EmitTraps::isKeptNarrow(const Bale &B) {
  Instruction &I = *B.Main;
  if (!isa<SExtInst, ZExtInst>(I) || isMask(I))
    return false;
  bool Modified = isSpread(B);
  const Instruction *Last = &I;
  isReadBy(I, [&](Instruction &Read) {
    auto *Reader = &Read;
    auto Spelled = spellingOf(*Reader);
    Modified |=
        (Spelled && Spelled->NegateLast) || complemented(Reader) || match(Reader, m_Intrinsic<Intrinsic::abs>());
    while (isBaled(*Reader))
      Reader = Reader->user_back();
    if (Reader->getParent() == I.getParent() && Last->comesBefore(Reader))
      Last = Reader;
    return false;
  });
  const Source Extended = Source::of(I.getOperand(0));
  if (!Modified || isa<Constant>(Extended.Base))
    return false;
  for (const Instruction *Next = &I; (Next = Next->getNextNode()) && Next != Last;)
    if (mayWrite(*Next, Extended))
      return true;
  return false;
}

/// What an instruction negates, or takes without its sign though it may be the smallest number, or null.
static Value *signChanged(Instruction &I) {
  Value *Of;
  bool MayWrap = match(&I, m_Neg(m_Value(Of))) || match(&I, m_Intrinsic<Intrinsic::abs>(m_Value(Of), m_Zero()));
  return MayWrap ? Of : nullptr;
}

/// Whether a reader sees more of an integer than the bits that it has: its sign, or what is above.
static bool seesSign(const Instruction &Reader) {
  return isa<CmpInst, SExtInst, ZExtInst, SIToFPInst, UIToFPInst, IntrinsicInst>(Reader) || Reader.isIntDivRem() ||
         is_contained({Instruction::AShr, Instruction::LShr}, Reader.getOpcode());
}

/// Whether the smallest number may be negated here for those who see its sign. The finalizer makes a modifier of the
/// negation there, with a positive number for a result.
bool isWrapSeen(Instruction &I) {
  Value *Of = signChanged(I);
  if (!Of)
    return false;
  const unsigned Bits = I.getType()->getScalarSizeInBits();
  auto Sees = [&](Instruction &Reader) {
    return seesSign(Reader) ||
           (Reader.getType()->isIntOrIntVectorTy() && Reader.getType()->getScalarSizeInBits() > Bits);
  };
  // What is negated has no sign, or is the smallest number that it can be, and then the result is wrong for those. A
  // choice reads the narrow integer itself, where what that is read from has changed meanwhile.
  if (auto *Widened = dyn_cast<CastInst>(Of); Widened && isa<ZExtInst, SExtInst>(Of)) {
    Value *Narrow = Widened->getOperand(0);
    const unsigned Few = Narrow->getType()->getScalarSizeInBits();
    const bool MayBe = isa<ZExtInst>(Of) || integerRange(Narrow).contains(APInt::getSignedMinValue(Few));
    if (MayBe && isReadBy(I, [&](Instruction &Reader) { return Sees(Reader) || isa<SelectInst>(Reader); }))
      return true;
  }
  return integerRange(Of).contains(APInt::getSignedMinValue(Bits)) && isReadBy(I, seesSign);
}

/// Whether all channels compute the same integer. The finalizer may compute one then.
static bool isForAll(const Bale &B) {
  if (B.count() == 1)
    return false;
  bool Computed = false;
  for (const Source &S : sourcesOf(B)) {
    for (int K = 1; K < B.count(); ++K)
      if (S.Where.element(K) != S.Where.element(0) && !isa<Constant>(S.Base))
        return false;
    Computed |= !isa<Constant>(S.Base);
  }
  return Computed;
}

/// Whether an integer is computed as another type first, which may be 0 where it is not, and the other way round:
/// bytes multiplied as words, what halves become as floats.
static bool isComputedAside(const Bale &B) {
  return B.Main && ((B.Main->getOpcode() == Instruction::Mul && isOfBytes(*B.Main)) ||
                    (B.Main->getType()->isIntOrIntVectorTy() && B.Main->getNumOperands() > 0 &&
                     Source::of(B.Main->getOperand(0)).Element->isHalfTy()));
}

/// Whether two channels of bytes, words or 64 bits are compared with 0 where the finalizer may cut what computes them
/// in two, which cannot set a predicate then.
bool EmitTraps::isComparedInPairs(const CmpInst &I) const {
  return Target.has(CutsGuardedPairs) && countOf(I.getType()) == 2 &&
         elementBytes(Source::of(I.getOperand(0)).Element) != 4; // which may be widened for the comparison
}

/// Whether integers are compared with 0 that are computed for one channel only, or as another type: the finalizer
/// takes the comparison into what it computes first, and sets a predicate by that.
bool EmitTraps::isComparedTooEarly(const CmpInst &I) const {
  Source Compared = Source::of(I.getOperand(0)), With = Source::of(I.getOperand(1));
  auto *Number = dyn_cast<Constant>(With.Base);
  bool IsZero = Number ? Number->isNullValue() : isUndefined(With, countOf(I.getType()));
  if (!IsZero || !isa<ICmpInst>(I))
    return false;
  if (isComparedInPairs(I))
    return true;
  auto Read = placesOf(Compared.Where, countOf(I.getType()), elementBytes(Compared.Element));
  for (auto *V = dyn_cast<Instruction>(Compared.Base); Read && V && V->getParent() == I.getParent() && hasBale(*V);) {
    Bale B = Bale::of(*V);
    Region Where = B.Into ? B.Into->Where : Region::contiguous(B.count());
    if (Read == placesOf(Where, B.count(), elementBytes(V->getType())) && (isForAll(B) || isComputedAside(B)))
      return true;
    V = B.Into ? dyn_cast<Instruction>(registerOf(B.Into->old())) : nullptr;
  }
  return false;
}

} // namespace pocm::gen
