//===- NarrowArithmetic.cpp - Integers have as many bits as somebody needs --------------------===//
//
// The languages' integers have 32 bits, also where bytes and words are computed: in twice as many registers, and on x86
// by the slow product. Two mechanisms.
//
// What is cut off in the end is not computed:
//
//     %p = mul <256 x i32> (zext <256 x i8> %x), splat %s      %t = trunc i32 %s to i16
//     %r = trunc <256 x i32> %p to <256 x i16>              -> %r = mul <256 x i16> (zext <256 x i8> %x), splat %t
//
// So are bits above those that are shifted down: (a * x + b * y) >> 8 is a byte of a word. What is shifted down on the
// way must have no bits above, as in (t + (t >> 8)) >> 8 of words.
//
// Sums that fit are taken before their parts are widened. In (sum + 64) >> 1, which is a word,
//
//     %w = zext <256 x i16> %sum to <256 x i32>                %n = add nuw <256 x i16> %sum, 64
//     %s = add <256 x i32> %w, 64                           -> %s = zext <256 x i16> %n to <256 x i32>
//
// where %sum is at most 65,471, as nine weighted bytes are; LLVM then shifts and truncates words, too. Sums and
// differences of signed words that fit are words as well. LLVM does both itself where elements are not copies of one at
// run time, and where known bits tell; ranges tell more, and see through regions.
//
// What LLVM makes of words on their way through other words is undone first:
//
//     ((zext %a << 15) + 0x8000) >> 16       ->   (zext %a + 1) >> 1                where no bit is lost
//     (%a << 16) >> 16, with the sign        ->   %a                                where it is a word
//
// Needs:    whole vectors with regions (ir/Ranges.h).
// Leaves:   fewer bits where ranges allow it, extensions behind; LLVM cleans up.
// Not done: products that fit, where one of their users needs all bits: those are added in pairs later.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/LowBits.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

constexpr unsigned Narrowest = 8;

//===- What is cut off --------------------------------------------------------------===//

bool fits(Value *V, unsigned Bits) { return integerRange(V).getUnsignedMax().getActiveBits() <= Bits; }
bool fitsSigned(Value *V, unsigned Bits) { return integerRange(V).getMinSignedBits() <= Bits; }

/// A shift by a constant, to the left or, of what has no bits above the low ones, to the right.
bool shiftsLowBits(const BinaryOperator &I, unsigned Bits) {
  const APInt *By;
  if (!I.isShift() || !match(I.getOperand(1), m_APInt(By)) || By->uge(Bits))
    return false;
  Value *X = I.getOperand(0);
  return I.getOpcode() == Instruction::Shl ||
         (I.getOpcode() == Instruction::AShr ? fitsSigned(X, Bits) : fits(X, Bits));
}

/// Whether the low `Bits` of V cost less than all of it; says whether that saves an operation.
bool hasCheapLowBits(Value *V, unsigned Bits, unsigned Depth, bool &Saves) {
  constexpr unsigned DepthLimit = 8;
  if (isa<Constant>(V) || copied(V))
    return true;
  if (isa<ZExtInst, SExtInst>(V))
    return cast<CastInst>(V)->getSrcTy()->getScalarSizeInBits() <= Bits;
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || !I->hasOneUse() || Depth == DepthLimit)
    return false;
  const bool Shifts = shiftsLowBits(*I, Bits);
  if (!Shifts && !hasLowBitsOfLowBits(*I))
    return false;
  Saves = true;
  return hasCheapLowBits(I->getOperand(0), Bits, Depth + 1, Saves) &&
         hasCheapLowBits(I->getOperand(1), Bits, Depth + 1, Saves);
}

Value *lowBits(IRBuilder<> &B, Value *V, Type *Narrow) {
  if (isa<Constant>(V))
    return B.CreateTrunc(V, Narrow);
  if (Value *Scalar = copied(V))
    return B.CreateVectorSplat(unsigned(countOf(Narrow)), B.CreateTrunc(Scalar, Narrow->getScalarType()));
  if (auto *Cast = dyn_cast<CastInst>(V))
    return B.CreateIntCast(Cast->getOperand(0), Narrow, isa<SExtInst>(Cast));
  auto *I = cast<BinaryOperator>(V);
  Value *Left = lowBits(B, I->getOperand(0), Narrow), *Right = lowBits(B, I->getOperand(1), Narrow);
  return B.CreateBinOp(I->getOpcode(), Left, Right);
}

/// A shift to the right by a constant.
struct Shift {
  BinaryOperator *I;
  unsigned By;
};
std::optional<Shift> shiftRight(Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  const APInt *By;
  if (I && I->hasOneUse() && match(I, m_Shr(m_Value(), m_APInt(By))) && By->ult(I->getType()->getScalarSizeInBits()))
    return Shift{I, unsigned(By->getZExtValue())};
  return std::nullopt;
}

bool cutOff(TruncInst &I) {
  Value *Wide = I.getOperand(0), *From = Wide;
  unsigned Bits = I.getType()->getScalarSizeInBits();
  auto Down = shiftRight(Wide);
  if (Down) // the bits that are shifted down are needed, too
    From = Down->I->getOperand(0), Bits = unsigned(PowerOf2Ceil(Bits + Down->By));
  bool Saves = false;
  if (Bits < Narrowest || Bits >= Wide->getType()->getScalarSizeInBits() || !hasCheapLowBits(From, Bits, 0, Saves) ||
      !Saves)
    return false;
  IRBuilder<> B(&I);
  Value *New = lowBits(B, From, vectorLike(B.getIntNTy(Bits), I.getType()));
  if (Down)
    New = B.CreateTrunc(B.CreateLShr(New, Down->By), I.getType());
  I.replaceAllUsesWith(New);
  I.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Wide);
  return true;
}

//===- What fits ----------------------------------------------------------------------===//

/// The type that an operand had before it was widened; null for others.
Type *narrowOf(Value *V) {
  auto *Cast = dyn_cast<ZExtInst>(V);
  return Cast ? Cast->getSrcTy() : nullptr;
}

/// Whether all that becomes of a product has no more bits either.
bool staysNarrow(const BinaryOperator &Product, unsigned Bits) {
  return all_of(Product.users(), [&](const User *U) {
    return isa<TruncInst>(U) || (isa<BinaryOperator>(U) && fits(const_cast<User *>(U), Bits));
  });
}

/// The operand without its widening, if it has one that ends at `Narrow`, or a constant of that type.
Value *asNarrow(Value *V, Type *Narrow) {
  const APInt *Splat;
  if (match(V, m_APInt(Splat)))
    return Splat->getActiveBits() <= Narrow->getScalarSizeInBits()
               ? ConstantInt::get(Narrow, Splat->trunc(Narrow->getScalarSizeInBits()))
               : nullptr;
  return narrowOf(V) == Narrow ? cast<ZExtInst>(V)->getOperand(0) : nullptr;
}

/// The operation on narrow operands, of which nothing is lost, and widened then.
void takeBefore(IRBuilder<> &B, BinaryOperator &I, Value *Left, Value *Right, bool Signed) {
  Value *New = B.CreateBinOp(I.getOpcode(), Left, Right);
  if (auto *Made = dyn_cast<BinaryOperator>(New))
    Signed ? Made->setHasNoSignedWrap() : Made->setHasNoUnsignedWrap();
  I.replaceAllUsesWith(B.CreateIntCast(New, I.getType(), Signed));
  I.eraseFromParent();
}

bool sumBefore(BinaryOperator &I) {
  const unsigned Operation = I.getOpcode();
  if (Operation != Instruction::Add && Operation != Instruction::Sub && Operation != Instruction::Mul)
    return false;
  Type *Narrow = narrowOf(I.getOperand(0));
  if (!Narrow)
    Narrow = narrowOf(I.getOperand(1));
  if (!Narrow || Narrow->getScalarSizeInBits() < Narrowest)
    return false;
  Value *Left = asNarrow(I.getOperand(0), Narrow), *Right = asNarrow(I.getOperand(1), Narrow);
  const unsigned Bits = Narrow->getScalarSizeInBits();
  if (!Left || !Right || !fits(&I, Bits) || (Operation == Instruction::Mul && !staysNarrow(I, Bits)))
    return false;
  IRBuilder<> B(&I);
  takeBefore(B, I, Left, Right, /*Signed=*/false);
  return true;
}

/// The same of numbers with a sign, one of which has been widened as such.
bool signedSumBefore(BinaryOperator &I) {
  if (I.getOpcode() != Instruction::Add && I.getOpcode() != Instruction::Sub)
    return false;
  Type *Narrow = nullptr;
  for (Value *V : I.operands())
    if (auto *Cast = dyn_cast<SExtInst>(V))
      Narrow = Cast->getSrcTy();
  const unsigned Bits = Narrow ? Narrow->getScalarSizeInBits() : 0;
  if (Bits <= Narrowest || !fitsSigned(&I, Bits))
    return false;
  auto isNarrow = [&](Value *V) {
    const APInt *Splat;
    if (match(V, m_APInt(Splat)))
      return Splat->isSignedIntN(Bits);
    auto *Cast = dyn_cast<CastInst>(V);
    if (!Cast || (!isa<SExtInst>(Cast) && !isa<ZExtInst>(Cast)))
      return false;
    return Cast->getSrcTy()->getScalarSizeInBits() < Bits || (Cast->getSrcTy() == Narrow && isa<SExtInst>(Cast));
  };
  if (!isNarrow(I.getOperand(0)) || !isNarrow(I.getOperand(1)))
    return false;
  IRBuilder<> B(&I);
  Value *Left = lowBits(B, I.getOperand(0), Narrow), *Right = lowBits(B, I.getOperand(1), Narrow);
  takeBefore(B, I, Left, Right, /*Signed=*/true);
  return true;
}

//===- Words on their way through words ------------------------------------------------===//

/// ((x << a) + c) >> b as (x + (c >> a)) >> (b - a), and (x << a) >> a as x.
bool scaleBack(BinaryOperator &I) {
  Value *X, *Sum = I.getOperand(0);
  const APInt *Up, *Down, *More = nullptr;
  if (!I.isShift() || I.getOpcode() == Instruction::Shl || !match(I.getOperand(1), m_APInt(Down)))
    return false;
  const unsigned Size = I.getType()->getScalarSizeInBits();
  if (Value *Inner; match(Sum, m_OneUse(m_NUWAdd(m_Value(Inner), m_APInt(More)))))
    Sum = Inner;
  if (!match(Sum, m_OneUse(m_Shl(m_Value(X), m_APInt(Up)))) || (More && Up->isZero()) || Up->ugt(*Down) ||
      Down->uge(Size))
    return false;
  const unsigned By = unsigned(Up->getZExtValue());
  IRBuilder<> B(&I);
  if (I.getOpcode() == Instruction::AShr) {
    if (More || *Up != *Down || !fitsSigned(X, Size - By))
      return false;
    I.replaceAllUsesWith(X);
  } else {
    if (!fits(X, Size - By) || (More && More->countr_zero() < By))
      return false;
    const APInt Added = More ? More->lshr(By) : APInt(Size, 0), Left = *Down - *Up;
    auto *Cast = dyn_cast<ZExtInst>(X); // a sum that fits is taken before
    const unsigned Bits = Cast ? Cast->getSrcTy()->getScalarSizeInBits() : Size;
    const bool Before =
        Cast && Bits >= Narrowest && Left.ult(Bits) && !(integerRange(X).getUnsignedMax() + Added).lshr(Bits);
    if (Before)
      X = Cast->getOperand(0);
    auto number = [&](const APInt &N) { return ConstantInt::get(X->getType(), N.zextOrTrunc(Before ? Bits : Size)); };
    if (More)
      X = B.CreateNUWAdd(X, number(Added));
    I.replaceAllUsesWith(B.CreateZExt(B.CreateLShr(X, number(Left)), I.getType()));
  }
  RecursivelyDeleteTriviallyDeadInstructions(&I);
  return true;
}

} // namespace

Value *copied(Value *V) { return isa<Constant>(V) ? nullptr : getSplatValue(V); }

bool narrowArithmetic(Function &F) {
  bool Changed = false;
  SmallVector<WeakVH, 16> Shifts;
  for (Instruction &I : instructions(F))
    if (auto *Shift = dyn_cast<BinaryOperator>(&I); Shift && Shift->isShift() && Shift->getType()->isVectorTy())
      Shifts.push_back(Shift);
  for (const WeakVH &Shift : reverse(Shifts)) // what is shifted down, before that of which it is made
    if (Shift)
      Changed |= scaleBack(*cast<BinaryOperator>(Shift));
  SmallVector<TruncInst *, 16> Cuts;
  for (Instruction &I : instructions(F))
    if (auto *Cut = dyn_cast<TruncInst>(&I); Cut && Cut->getType()->isVectorTy())
      Cuts.push_back(Cut);
  for (TruncInst *Cut : Cuts)
    Changed |= cutOff(*Cut);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Sum = dyn_cast<BinaryOperator>(&I); Sum && Sum->getType()->isVectorTy())
      Changed |= sumBefore(*Sum) || signedSumBefore(*Sum);
  return Changed;
}

} // namespace pocm::cpu
