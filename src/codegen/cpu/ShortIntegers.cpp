//===- ShortIntegers.cpp - What fits in fewer bits is computed in fewer bits -------------------===//
//
// Saturating sums of words are exact in 64 bits, quotients of words have 32, in several times as many registers and by
// instructions that CPUs have for short integers alone. Where all values on the way fit, they are computed there:
//
//     %x = zext <32 x i16> %a to <32 x i64>               %x = zext <32 x i16> %a to <32 x i32>
//     %y = zext <32 x i16> %b to <32 x i64>               %y = zext <32 x i16> %b to <32 x i32>
//     %p = mul %x, %y                                ->   %p = mul %x, %y
//     %s = smin %p, 65535                                 %s = umin %p, 65535
//     %r = trunc %s to <32 x i16>                         %r = trunc %s to <32 x i16>
//
// All are signed numbers of 16 or 32 bits, or none is negative and all are unsigned ones.
//
// Needs:    whole vectors with regions (ir/Ranges.h).
// Leaves:   what is used elsewhere, too.
// Not done: sums and products alone, whose low bits are low bits of theirs (NarrowArithmetic.cpp); through regions.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What an operation asks of its operands, and its form where none is negative.
struct Row {
  unsigned Operation;
  bool Unsigned; ///< Means the same only where none is negative.
  bool Pays;     ///< Takes more instructions of long integers than of short ones.
  unsigned WithoutSign;
};
constexpr Row Operations[] = {
    {Instruction::Add, false, false, Instruction::Add},  {Instruction::Sub, false, false, Instruction::Sub},
    {Instruction::Mul, false, false, Instruction::Mul},  {Instruction::And, false, false, Instruction::And},
    {Instruction::Or, false, false, Instruction::Or},    {Instruction::Xor, false, false, Instruction::Xor},
    {Instruction::Shl, false, false, Instruction::Shl},  {Instruction::AShr, false, false, Instruction::LShr},
    {Instruction::LShr, true, false, Instruction::LShr}, {Instruction::SDiv, false, true, Instruction::UDiv},
    {Instruction::UDiv, true, true, Instruction::UDiv},  {Instruction::SRem, false, true, Instruction::URem},
    {Instruction::URem, true, true, Instruction::URem},
};
constexpr Row Functions[] = {
    {Intrinsic::smin, false, true, Intrinsic::umin},         {Intrinsic::smax, false, true, Intrinsic::umax},
    {Intrinsic::umin, true, true, Intrinsic::umin},          {Intrinsic::umax, true, true, Intrinsic::umax},
    {Intrinsic::abs, false, true, Intrinsic::not_intrinsic},
};

const Row *rowOf(const Instruction &I) {
  auto Find = [](ArrayRef<Row> Rows, unsigned Operation) -> const Row * {
    const Row *At = find_if(Rows, [&](const Row &R) { return R.Operation == Operation; });
    return At == Rows.end() ? nullptr : At;
  };
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return Find(Functions, Call->getIntrinsicID());
  return isa<BinaryOperator>(I) ? Find(Operations, I.getOpcode()) : nullptr;
}

bool isAbs(const Instruction &I) { return match(&I, m_Intrinsic<Intrinsic::abs>()); }

/// An expression that can be computed in fewer bits.
class Expression {
public:
  Expression(Instruction &Root, unsigned Bits) : Root(Root), Bits(Bits) {}

  /// Whether all of it fits, nobody else takes a part, and it costs less then.
  bool fits() {
    return take(Root.getOperand(0)) && (Unsigned || !AsksForUnsigned) && (Pays || isLong()) &&
           all_of(Parts, [&](Instruction *I) {
             return all_of(I->users(), [&](const User *U) {
               return U == &Root || Parts.contains(const_cast<Instruction *>(cast<Instruction>(U)));
             });
           });
  }

  void shorten() {
    IRBuilder<> B(&Root);
    Value *Short = made(Root.getOperand(0));
    B.SetInsertPoint(&Root);
    Value *Whole = isa<TruncInst>(Root)
                       ? B.CreateIntCast(Short, Root.getType(), Signed)
                       : B.CreateCast(Signed ? Instruction::SIToFP : Instruction::UIToFP, Short, Root.getType());
    Value *Long = Root.getOperand(0);
    Root.replaceAllUsesWith(Whole);
    Root.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Long);
  }

private:
  Instruction &Root;
  const unsigned Bits;
  SetVector<Instruction *> Parts;
  bool Signed = true, Unsigned = true; ///< Whether all of it fits as such.
  bool AsksForUnsigned = false;        ///< Some operations mean the same only without negative numbers.
  bool Pays = false;
  DenseMap<Value *, Value *> Made;

  bool isLong() const { return Root.getOperand(0)->getType()->getScalarSizeInBits() > 32; }

  bool take(Value *V) {
    constexpr unsigned Most = 32; // operations
    auto *I = dyn_cast<Instruction>(V);
    if (I && Parts.contains(I))
      return true;
    Value *Scalar = copied(V);
    ConstantRange R = integerRange(Scalar ? Scalar : V);
    Signed &= R.getSignedMin().getSignificantBits() <= Bits && R.getSignedMax().getSignificantBits() <= Bits;
    Unsigned &= R.getSignedMin().isNonNegative() && R.getSignedMax().getActiveBits() <= Bits;
    if (!Signed && !Unsigned)
      return false;
    if (isa<Constant>(V) || Scalar)
      return true;
    if (!I || Parts.size() == Most)
      return false;
    Parts.insert(I);
    if (isa<ZExtInst, SExtInst>(I)) {
      Value *From = I->getOperand(0);
      if (From->getType()->getScalarSizeInBits() <= Bits)
        return true;
      return (isa<SExtInst>(I) || integerRange(From).getSignedMin().isNonNegative()) && take(From);
    }
    if (isa<SelectInst>(I))
      return take(I->getOperand(1)) && take(I->getOperand(2));
    const Row *Kind = rowOf(*I);
    if (!Kind || !hasGoodConstant(*I))
      return false;
    AsksForUnsigned |=
        Kind->Unsigned && any_of(I->operands(), [](Value *Operand) {
          return Operand->getType()->isIntOrIntVectorTy() && !integerRange(Operand).getSignedMin().isNonNegative();
        });
    Pays |= Kind->Pays;
    return take(I->getOperand(0)) && (I->isShift() || isAbs(*I) || take(I->getOperand(1)));
  }

  /// Shifts are by less than the short ones' bits, divisors are constants: no quotient traps or wraps.
  bool hasGoodConstant(const Instruction &I) const {
    const APInt *C;
    if (I.isShift())
      return match(I.getOperand(1), m_APInt(C)) && C->ult(Bits);
    if (I.isIntDivRem())
      return match(I.getOperand(1), m_APInt(C)) && C->isStrictlyPositive();
    return true;
  }

  Value *made(Value *V) {
    Type *T = vectorLike(IntegerType::get(V->getContext(), Bits), V->getType());
    if (auto *C = dyn_cast<Constant>(V))
      return IRBuilder<>(&Root).CreateTrunc(C, T);
    if (Value *Before = Made.lookup(V))
      return Before;
    auto *I = cast<Instruction>(V);
    IRBuilder<> B(I);
    if (Value *Scalar = copied(V))
      return Made[V] = B.CreateVectorSplat(unsigned(countOf(T)), B.CreateTrunc(Scalar, T->getScalarType()));
    return Made[V] = [&]() -> Value * {
      if (auto *Cast = dyn_cast<CastInst>(I)) {
        Value *From = I->getOperand(0);
        return From->getType()->getScalarSizeInBits() <= Bits ? B.CreateIntCast(From, T, isa<SExtInst>(Cast))
                                                              : made(From);
      }
      if (auto *Select = dyn_cast<SelectInst>(I))
        return B.CreateSelect(Select->getCondition(), made(Select->getTrueValue()), made(Select->getFalseValue()));
      Value *X = made(I->getOperand(0));
      if (isAbs(*I)) // of what is not negative it is the same
        return Signed ? B.CreateBinaryIntrinsic(Intrinsic::abs, X, B.getFalse()) : X;
      Value *Y = I->isShift() ? B.CreateTrunc(I->getOperand(1), T) : made(I->getOperand(1));
      const Row &Kind = *rowOf(*I);
      const unsigned How = Signed ? Kind.Operation : Kind.WithoutSign;
      if (isa<IntrinsicInst>(I))
        return B.CreateBinaryIntrinsic(Intrinsic::ID(How), X, Y);
      return B.CreateBinOp(Instruction::BinaryOps(How), X, Y);
    }();
  }
};

bool isRoot(const Instruction &I) {
  if (!I.getOperand(0)->getType()->isVectorTy() || !I.getOperand(0)->getType()->isIntOrIntVectorTy())
    return false;
  return isa<TruncInst>(I) || (isa<SIToFPInst>(I) && I.getOperand(0)->getType()->getScalarSizeInBits() > 32);
}

} // namespace

bool shortenIntegers(Function &F) {
  SmallVector<Instruction *, 16> Roots;
  for (Instruction &I : instructions(F))
    if (isa<CastInst>(I) && isRoot(I))
      Roots.push_back(&I);
  bool Changed = false;
  for (Instruction *Root : Roots)
    for (unsigned Bits : {16u, 32u})
      if (Bits < Root->getOperand(0)->getType()->getScalarSizeInBits())
        if (Expression E(*Root, Bits); E.fits()) {
          E.shorten();
          Changed = true;
          break;
        }
  return Changed;
}

} // namespace pocm::cpu
