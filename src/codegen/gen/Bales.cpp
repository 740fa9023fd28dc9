//===- Bales.cpp - Which IR instructions become one Gen instruction ---------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/Predicates.h"
#include "ir/Lsc.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Ranges.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

bool isExtension(const Instruction &I) {
  return isa<ZExtInst, SExtInst>(I) && !isPredicate(I.getOperand(0)->getType()) &&
         I.getType()->getScalarSizeInBits() <= 32;
}

bool isComplement(const Instruction &I) { return complemented(&I) && !isPredicate(I.getType()); }

bool isFloatModifier(const Instruction &I) {
  if (I.getOpcode() == Instruction::FNeg)
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::fabs;
}

/// Integer operations whose result is exact whatever the widths and signs of the operands.
bool takesNarrowIntegers(const Instruction &User, unsigned Index, bool Signed) {
  switch (User.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::SIToFP:
    return true;
  case Instruction::UIToFP:
    return !Signed;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor: // which type narrow signed operands of different signs are computed in is not said
    return !Signed && !isComplement(User);
  case Instruction::Select:
    return Index > 0;
  case Instruction::ICmp:
    return cast<ICmpInst>(User).isSigned() || cast<ICmpInst>(User).isEquality() || !Signed;
  case Instruction::Call:
    if (auto *Call = dyn_cast<IntrinsicInst>(&User))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::smin:
      case Intrinsic::smax:
        return true;
      case Intrinsic::umin:
      case Intrinsic::umax:
        return !Signed;
      default:
        return false;
      }
    return false;
  default:
    return false;
  }
}

/// Whether the instruction that computes `I` clamps it, too.
bool saturatesItself(const Instruction &I) {
  if (is_contained<unsigned>(
          {Instruction::FAdd, Instruction::FSub, Instruction::FMul, Instruction::FPExt, Instruction::FPTrunc},
          I.getOpcode()))
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::fma;
}

bool takesModifiers(const Instruction &User, unsigned Index) {
  switch (User.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FCmp:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return true;
  case Instruction::Select:
    return Index > 0;
  case Instruction::Call:
    if (operationOf(&User) == Op::Saturate)
      return true;
    if (auto *Call = dyn_cast<IntrinsicInst>(&User))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::fma:
      case Intrinsic::minnum:
      case Intrinsic::maxnum:
        return true;
      default:
        return false;
      }
    return false;
  default:
    return false;
  }
}

bool isModifier(const Instruction &I) { return isExtension(I) || isFloatModifier(I) || isComplement(I); }

/// The read of elements that are chosen channel by channel, through as many addresses.
std::optional<RegionRead> chosenBy(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  while (I && isModifier(*I))
    I = dyn_cast<Instruction>(isComplement(*I) ? complemented(I) : I->getOperand(0));
  auto Read = I ? RegionRead::match(const_cast<Instruction *>(I)) : std::nullopt;
  return Read && Read->Where.Dynamic && Read->Where.Dynamic->getType()->isVectorTy() ? Read : std::nullopt;
}
bool isChosen(const Value *V) { return chosenBy(V).has_value(); }

/// Whether an operand may be of such elements: the first of two, or one that the finalizer makes the first. Any other
/// it copies, as numbers with a sign; those of divisions it loses, bytes that become floats it takes from words, and
/// where two channels compute 64 bits of fewer one after the other, both get the first one's.
bool takesChosen(const Instruction &User, unsigned Index) {
  auto *Call = dyn_cast<IntrinsicInst>(&User);
  auto Read = chosenBy(User.getOperand(Index));
  if (isa<SIToFPInst, UIToFPInst>(User) && Read && Read->Call->getType()->getScalarSizeInBits() == 8)
    return false;
  if (User.getType()->getScalarSizeInBits() == 64 && Read && Read->Call->getType()->getScalarSizeInBits() < 64)
    return false;
  if (User.isIntDivRem() || (Call && Call->getIntrinsicID() == Intrinsic::fma))
    return false;
  SmallVector<unsigned, 4> Operands = regionOperandsOf(User);
  if (any_of(Operands, [&](unsigned K) { return K != Index && isChosen(User.getOperand(K)); }))
    return false;
  return Operands.front() == Index || isa<CmpInst>(User) ||
         is_contained<unsigned>({Instruction::Add, Instruction::Sub, Instruction::FAdd, Instruction::FSub,
                                 Instruction::FMul, Instruction::And, Instruction::Or, Instruction::Xor},
                                User.getOpcode());
}

/// Whether a register, or a region of it, holds constants that one move puts there: a packed immediate, perhaps.
bool isOfConstants(Value *V) {
  if (auto Read = RegionRead::match(V))
    V = Read->source();
  auto Write = RegionWrite::match(V);
  return Write && isa<Constant>(Write->value());
}

bool isRegionOperand(const Instruction &User, unsigned Index) { return is_contained(regionOperandsOf(User), Index); }

/// Whether a read of such elements is an instruction of its own, for who takes them, perhaps modified, as an operand.
bool staysApart(const Instruction &Read, const Instruction &User, unsigned Index) {
  if (!RegionRead::match(const_cast<Instruction *>(&Read)))
    return false; // the modification of one: that may be the operand
  const Instruction *Reader = &User;
  while (isModifier(*Reader) && Reader->hasOneUse()) {
    const Use &Only = *Reader->use_begin();
    auto *Next = cast<Instruction>(Only.getUser());
    if (Next->getParent() != Reader->getParent() || isa<PHINode>(Next) || !canBale(*Reader, *Next, Only.getOperandNo()))
      break;
    Reader = Next;
    Index = Only.getOperandNo();
  }
  return isRegionOperand(*Reader, Index) && !takesChosen(*Reader, Index);
}

/// Whether an operand is the run-time offset of a region.
bool isOffset(const Instruction &User, unsigned Index) {
  return (operationOf(&User) == Op::RegionRead && Index == 4) || (operationOf(&User) == Op::RegionWrite && Index == 5);
}

/// Whether an operand is the payload of a message: registers one after the other, from the beginning of one on.
bool isPayload(const Instruction &User, unsigned Index) {
  Op Operation = operationOf(&User);
  if (lsc::Block2d::match(const_cast<Instruction *>(&User))) // constants and single numbers among them
    return Index >= lsc::Base && !isa<ConstantInt>(User.getOperand(Index));
  return Operation != Op::None && pocm::isPayload(Operation, Index); // of an old value a copy is made
}

/// Whether a region is a payload where it lies.
bool isPayloadRegion(const RegionRead &R) {
  constexpr unsigned FewestGrfBytes = 32;
  Type *T = R.Call->getType();
  return T->isVectorTy() && R.Where == Region::contiguous(R.count(), R.Where.Offset) && elementBytes(T) >= 4 &&
         unsigned(R.Where.Offset * elementBytes(T)) % FewestGrfBytes == 0 &&
         unsigned(countOf(R.source()->getType()) * elementBytes(T)) >= FewestGrfBytes;
}

constexpr int FarthestStep = 511; ///< That an address register is away from an operand's last element.

/// x plus a number, as an offset.
std::optional<int> step(const Instruction &I) {
  const APInt *Bytes;
  bool Adds = !I.getType()->isVectorTy() && match(&I, m_AddLike(m_Value(), m_APInt(Bytes)));
  return Adds && Bytes->isSignedIntN(10) ? std::optional(int(Bytes->getSExtValue())) : std::nullopt;
}

/// Whether an operand reaches its elements from the address register of x, where x plus a number is its offset.
bool takesStep(const Instruction &User, const Instruction &Offset) {
  auto Bytes = step(Offset);
  auto R = RegionRead::match(const_cast<Instruction *>(&User));
  auto W = RegionWrite::matchMasked(const_cast<Instruction *>(&User));
  if (!Bytes || (!R && !W))
    return false;
  const Region &Where = R ? R->Where : W->Where;
  int Each = elementBytes(User.getType()), Farthest = *Bytes;
  for (int K = 0; K < (R ? R->count() : W->count()); ++K)
    Farthest = std::max(Farthest, *Bytes + (Where.element(K) - Where.element(0)) * Each);
  return Farthest <= FarthestStep;
}

/// Whether a vector of several instructions is carried on by a phi, which shares its registers when nobody reads it
/// later.
bool isCarriedOn(const Value *Base) {
  constexpr int OneMove = 64; // bytes
  return countOf(Base->getType()) * elementBytes(Base->getType()) > OneMove &&
         any_of(Base->users(), [](const User *U) { return isa<PHINode>(U); });
}

/// Whether `Read` may be done at `User` instead: nothing between them writes over the register it reads.
bool canSink(const Instruction &Read, const Instruction &User) {
  Value *Base = registerOf(Read.getOperand(0));
  const bool Here = Read.getParent() == User.getParent();
  if (!isOverwritten(Base))
    return Here || !isCarriedOn(Base);
  if (!Here)
    return false;
  for (const Instruction *I = Read.getNextNode(); I && I != &User; I = I->getNextNode())
    if (operationOf(I) == Op::RegionWrite && registerOf(I->getOperand(0)) == Base)
      return false;
  return true;
}

/// The same of the region that is modified, where the modifier does not have it in a register of its own.
bool canSinkModified(const Instruction &Modifier, const Instruction &User) {
  auto *Of = dyn_cast<Instruction>(isComplement(Modifier) ? complemented(&Modifier) : Modifier.getOperand(0));
  if (!Of || !Of->hasOneUse() || Of->getParent() != Modifier.getParent())
    return true;
  if (isModifier(*Of))
    return !canBale(*Of, Modifier, Of->use_begin()->getOperandNo()) || canSinkModified(*Of, User);
  return !RegionRead::match(Of) || !canSink(*Of, Modifier) || canSink(*Of, User);
}

} // namespace

bool isOverwritten(const Value *Base) {
  return !isa<Constant>(Base) && any_of(Base->users(), [&](const User *U) {
    if (isAlias(U))
      return isOverwritten(U);
    return operationOf(U) == Op::RegionWrite && operandOf(*cast<CallInst>(U), Role::Old) == Base;
  });
}

Value *complemented(const Value *V) {
  Value *Of;
  return match(V, m_Not(m_Value(Of))) ? Of : nullptr;
}

bool isPredicate(const Type *T) { return T->getScalarType()->isIntegerTy(1); }

bool isMultipleOf(Value *Offset, unsigned Bytes) {
  if (Offset->getType()->isVectorTy())
    return false;
  return isa<Instruction>(Offset) && trailingZeros(Offset) >= Log2_32(Bytes);
}

bool isAlias(const Value *V) {
  auto *Cast = dyn_cast<BitCastInst>(V);
  return Cast && !isPredicate(Cast->getSrcTy()) && !isPredicate(Cast->getDestTy());
}

Value *registerOf(Value *V) {
  while (isAlias(V))
    V = cast<BitCastInst>(V)->getOperand(0);
  return V;
}

bool asksComparison(const Instruction &I) {
  auto *Compare = dyn_cast<ICmpInst>(I.getOperand(0));
  return Compare && Compare->hasOneUse() && Compare->getParent() == I.getParent() &&
         I.getType()->isIntOrIntVectorTy(32) && Compare->getOperand(0)->getType() == I.getType();
}

bool isMask(const Instruction &I) { return isa<SExtInst>(I) && asksComparison(I); }

bool isVectorInstruction(const Instruction &I) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(I))
    return !isPredicate(I.getType()) || isa<CmpInst>(I);
  if (isMask(I))
    return true;
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return !isa<BitCastInst>(I) && !isPredicate(Cast->getSrcTy()) && !isPredicate(Cast->getDestTy());
  if (is_contained({Op::ReciprocalSqrt, Op::Saturate, Op::SignedProduct, Op::UnsignedProduct, Op::RotateLeft},
                   operationOf(&I)))
    return true;
  return isa<IntrinsicInst>(I) && !isPredicate(I.getType()) && !I.getType()->isVoidTy() && !I.getType()->isStructTy() &&
         isElementWise(I);
}

SmallVector<unsigned, 4> regionOperandsOf(const Instruction &Main) {
  SmallVector<unsigned, 4> Indices;
  if (operationOf(&Main) == Op::RegionWrite)
    return {1};
  if (isa<SelectInst>(Main))
    return {1, 2};
  if (isa<ZExtInst, SExtInst, UIToFPInst, SIToFPInst>(Main) && isPredicate(Main.getOperand(0)->getType()))
    return {};
  if (!isVectorInstruction(Main))
    return {};
  unsigned Operands = isa<CallInst>(Main) ? cast<CallInst>(Main).arg_size() : Main.getNumOperands();
  for (unsigned I = 0; I < Operands; ++I)
    if (Main.getOperand(I)->getType()->isVectorTy() == Main.getType()->isVectorTy() &&
        !isPredicate(Main.getOperand(I)->getType()))
      Indices.push_back(I);
  if (auto *Call = dyn_cast<IntrinsicInst>(&Main))
    if (is_contained({Intrinsic::ctlz, Intrinsic::cttz, Intrinsic::abs}, Call->getIntrinsicID()))
      Indices.resize(1); // the other says what happens to zero
  return Indices;
}

bool canBale(const Instruction &I, const Instruction &User, unsigned Index) {
  if (isMask(User))
    return true;
  // A branch asks for any or all channels itself.
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return isa<BranchInst>(User) && flagsCompared(*Compare) && I.getNextNode() == &User &&
           isBaled(*cast<Instruction>(I.getOperand(0)));
  if (auto *Compare = dyn_cast<ICmpInst>(&User); Compare && Index == 0 && isa<BitCastInst>(I))
    return flagsCompared(*Compare) && I.getNextNode() == &User && User.hasOneUse() &&
           User.getNextNode() == User.user_back() && isa<BranchInst>(User.user_back());
  // The number with a predicate's bits has zeros above them.
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return isa<BitCastInst>(User) && widened(*Shuffle);
  // A guard asks for the channels that are off itself.
  if (operationOf(&User) == Op::RegionWrite && Index == 7)
    return complemented(&I);
  // A result goes straight into the region that it is written to.
  if (operationOf(&User) == Op::RegionWrite && Index == 1 && isVectorInstruction(I) && !isPredicate(I.getType()))
    return I.getParent() == User.getParent();
  if (operationOf(&User) == Op::Saturate && saturatesItself(I))
    return I.getParent() == User.getParent();
  if (isOffset(User, Index) && takesStep(User, I))
    return true;
  if (isChosen(&I) && staysApart(I, User, Index))
    return false;
  auto Read = RegionRead::match(const_cast<Instruction *>(&I));
  if (Read && isOffset(User, Index)) { // elements are added to the address as they lie
    bool Row = Read->Where == Region::contiguous(Read->count(), Read->Where.Offset);
    return (Read->count() == 1 || (Row && Read->count() <= 8)) && Read->Where.isConstant() && canSink(I, User);
  }
  if (Read && isPayload(User, Index))
    return isPayloadRegion(*Read) && canSink(I, User);
  if (Read)
    return !isPredicate(I.getType()) && canSink(I, User) &&
           (isRegionOperand(User, Index) || isExtension(User) || isFloatModifier(User) || isComplement(User));
  if (isExtension(I) && isa<CmpInst>(User) && isOfConstants(I.getOperand(0))) // the finalizer takes them into it
    return false;
  if (isModifier(I) && !canSinkModified(I, User))
    return false;
  if (isExtension(I))
    return isRegionOperand(User, Index) && takesNarrowIntegers(User, Index, isa<SExtInst>(I));
  if (isFloatModifier(I))
    return isRegionOperand(User, Index) && takesModifiers(User, Index);
  if (isComplement(I))
    return isRegionOperand(User, Index) && User.isBitwiseLogicOp() && !isComplement(User);
  return false;
}

std::optional<unsigned> packedFloat(const APInt &Bits) {
  auto Raw = uint32_t(Bits.getZExtValue()), Sign = Raw >> 31, Exponent = (Raw >> 23) & 0xFF, Fraction = Raw & 0x7FFFFF;
  if ((Raw & 0x7FFFFFFF) == 0)
    return Sign << 7;
  bool Fits = Exponent >= 124 && Exponent <= 131 && Fraction % (1 << 19) == 0 && (Exponent > 124 || Fraction);
  return Fits ? std::optional(Sign << 7 | (Exponent - 124) << 4 | Fraction >> 19) : std::nullopt;
}

Value *flagsCompared(const ICmpInst &Compare) {
  auto *Bits = dyn_cast<BitCastInst>(Compare.getOperand(0));
  auto *To = dyn_cast<ConstantInt>(Compare.getOperand(1));
  if (!Compare.isEquality() || !Bits || !To || (!To->isZero() && !To->isMinusOne()) || !isPredicate(Bits->getSrcTy()))
    return nullptr;
  Value *P = Bits->getOperand(0);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(P); Shuffle && widened(*Shuffle))
    P = To->isZero() ? Shuffle->getOperand(0) : nullptr;
  if (auto *I = dyn_cast_or_null<Instruction>(P); I && isLowerChannels(*I))
    return nullptr;                                                             // what holds them has more
  return P && is_contained({2, 4, 8, 16}, countOf(P->getType())) ? P : nullptr; // longer ones are in pieces
}

bool isBaled(const Instruction &I) {
  if (!I.hasOneUse())
    return false;
  const Use &Only = *I.use_begin();
  auto *User = dyn_cast<Instruction>(Only.getUser());
  return User && User->getParent() == I.getParent() && !isa<PHINode>(User) && canBale(I, *User, Only.getOperandNo());
}

Step Step::of(Value *Offset) {
  auto *I = dyn_cast<Instruction>(Offset);
  if (!I || !step(*I) || !isBaled(*I))
    return {Offset, 0};
  return {I->getOperand(0), int(cast<ConstantInt>(I->getOperand(1))->getSExtValue())};
}

Source Source::of(Value *V) {
  Source S;
  S.Element = V->getType()->getScalarType();
  S.Where = Region::contiguous(countOf(V->getType()));
  auto Baled = [](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && isBaled(*I) ? I : nullptr;
  };
  for (Instruction *I = Baled(V); I; I = Baled(V)) {
    if (auto R = RegionRead::match(I)) {
      S.Where = R->Where;
      V = R->source();
      break;
    }
    if (isExtension(*I)) {
      S.Extended = true;
      S.Signed = isa<SExtInst>(I);
      S.Element = I->getOperand(0)->getType()->getScalarType();
    } else if (isComplement(*I)) {
      S.Complement = true;
      V = complemented(I);
      continue;
    } else if (I->getOpcode() == Instruction::FNeg) {
      S.Negate ^= !S.Absolute;
    } else if (isFloatModifier(*I)) {
      S.Absolute = true;
    } else {
      break;
    }
    V = I->getOperand(0);
  }
  S.Base = registerOf(V);
  return S;
}

Source Source::ofRead(const RegionRead &Read) {
  Source S;
  S.Base = registerOf(Read.source());
  S.Element = Read.Call->getType()->getScalarType();
  S.Where = Read.Where;
  return S;
}

Bale Bale::of(Instruction &Head) {
  Bale B;
  B.Head = B.Main = &Head;
  if (RegionRead::match(&Head))
    B.Main = nullptr;
  if (auto W = RegionWrite::matchMasked(&Head)) {
    B.Into = W;
    auto *Value = dyn_cast<Instruction>(W->value());
    bool Computed = Value && isBaled(*Value) && !RegionRead::match(Value) && !isFloatModifier(*Value);
    B.Main = Computed ? Value : nullptr;
  }
  B.Result = B.Main;
  if (operationOf(B.Main) == Op::Saturate)
    if (auto *Value = dyn_cast<Instruction>(B.Main->getOperand(0)); Value && isBaled(*Value) && saturatesItself(*Value))
      B.Main = Value;
  return B;
}

int Bale::count() const {
  if (Main && isa<CmpInst>(Main))
    return countOf(Main->getType());
  return Into ? Into->count() : countOf(Head->getType());
}

std::optional<SmallVector<int, 32>> placesOf(const Region &R, int Count, int Bytes) {
  if (R.Dynamic)
    return std::nullopt;
  SmallVector<int, 32> Places;
  for (int K = 0; K < Count; ++K)
    Places.push_back(R.element(K) * Bytes);
  return Places;
}

void moveWithOperands(Instruction &I, Instruction &To) {
  for (Value *Operand : I.operands())
    if (auto *Member = dyn_cast<Instruction>(Operand); Member && isBaled(*Member))
      moveWithOperands(*Member, To);
  I.moveBefore(To.getIterator());
}

bool canSinkTo(const Instruction &I, const Instruction &To) {
  for (const Instruction *At = I.getNextNode(); At != &To; At = At->getNextNode())
    if (auto *W = asOperation(const_cast<Instruction *>(At), Op::RegionWrite))
      for (const Value *Operand : I.operands()) {
        auto *Member = dyn_cast<Instruction>(Operand);
        const Value *Register = Member && isBaled(*Member) ? Source::of(const_cast<Value *>(Operand)).Base : Operand;
        if (registerOf(operandOf(*W, Role::Old)) == registerOf(const_cast<Value *>(Register)))
          return false;
      }
  return true;
}

} // namespace pocm::gen
