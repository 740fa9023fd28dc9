//===- SaturatingSums.cpp - Sums and differences that saturate, of bytes and words ---------------------===//
//
//     %s = add <64 x i64> (zext <64 x i8> %a), (zext <64 x i8> %b)
//     %m = umin <64 x i64> %s, splat 255                            -> %r = uadd.sat <64 x i8> %a, %b
//     %r = trunc <64 x i64> %m to <64 x i8>
//
//     %d = sub <64 x i32> (zext %a), (zext %b)
//     %r = trunc <64 x i32> (smax %d, 0) to <64 x i8>               -> %r = usub.sat <64 x i8> %a, %b
//
// So are sums and differences with a sign between the least and the largest number (sadd.sat, ssub.sat). CPUs have
// instructions for bytes and words; LLVM finds some of them in the code of single registers. Those of dwords, which
// have 64 bits in the headers, saturate in 32 before they are clamped:
//
//     %s = add <16 x i64> (sext <16 x i32> %a), (sext <16 x i32> %b)      %s = sadd.sat <16 x i32> %a, %b
//     %r = trunc <16 x i64> (smin (smax %s, -128), 127) to <16 x i8>  ->  %r = trunc (smin (smax %s, -128), 127)
//
// Needs:    whole vectors; behind narrow-splats.
// Leaves:   clamped sums that are used wide, of three and more, and of other types.
//
//===--------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Ranges.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// Whether an operand is widened from so many bits, or a constant that has a value of as many.
bool isWidened(Value *V, unsigned Bits, bool Signed) {
  const APInt *Number;
  if (match(V, m_APInt(Number)))
    return Signed ? Number->isSignedIntN(Bits) : Number->isIntN(Bits);
  auto *Cast = dyn_cast<CastInst>(V);
  return Cast && (Signed ? isa<SExtInst>(Cast) : isa<ZExtInst>(Cast)) &&
         Cast->getSrcTy()->getScalarSizeInBits() <= Bits;
}

/// Such an operand of another type, which has as many bits.
Value *narrowed(IRBuilder<> &B, Value *V, Type *Narrow, bool Signed) {
  const APInt *Number;
  if (match(V, m_APInt(Number)))
    return ConstantInt::get(Narrow, Number->trunc(Narrow->getScalarSizeInBits()));
  return B.CreateIntCast(cast<CastInst>(V)->getOperand(0), Narrow, Signed);
}

/// What a value is clamped to, if it is.
struct Clamped {
  Value *Of;
  const APInt *Low = nullptr, *High = nullptr; ///< Null where there is no limit.
  bool WithoutSign = false;                    ///< The upper limit takes all for numbers without one.

  explicit Clamped(Value *V) : Of(V) {
    while (true) {
      const APInt *Number;
      Value *Inner;
      if (!Low && match(Of, m_OneUse(m_SMax(m_Value(Inner), m_APInt(Number)))))
        Low = Number;
      else if (!High && match(Of, m_OneUse(m_SMin(m_Value(Inner), m_APInt(Number)))))
        High = Number;
      else if (!High && match(Of, m_OneUse(m_UMin(m_Value(Inner), m_APInt(Number)))))
        High = Number, WithoutSign = true;
      else
        return;
      Of = Inner;
    }
  }
};

Value *clamped(IRBuilder<> &B, Value *V, int64_t Low, int64_t High) {
  V = B.CreateBinaryIntrinsic(Intrinsic::smax, V, ConstantInt::getSigned(V->getType(), Low));
  return B.CreateBinaryIntrinsic(Intrinsic::smin, V, ConstantInt::getSigned(V->getType(), High));
}

/// A clamped sum or difference of dwords of which one is known to be small: the other is clamped, too, beyond what
/// makes the result a limit, and then nothing overflows. Where it is the same for all elements, that is done once.
Value *withClampedOperand(IRBuilder<> &B, Value *X, Value *Y, bool Adds, int64_t Low, int64_t High) {
  struct Bounds {
    int64_t Least, Most;
    explicit Bounds(Value *V) {
      const ConstantRange Range = integerRange(V);
      Least = Range.getSignedMin().getSExtValue(), Most = Range.getSignedMax().getSExtValue();
    }
  };
  constexpr int64_t Small = 1 << 29;
  auto isSmall = [](const Bounds &K) { return K.Least > -Small && K.Most < Small; };
  if (Low <= -Small || High >= Small)
    return nullptr;
  if (const Bounds K(X); isSmall(K)) {
    Y = Adds ? clamped(B, Y, Low - K.Most, High - K.Least) : clamped(B, Y, K.Least - High, K.Most - Low);
  } else if (const Bounds K(Y); isSmall(K)) {
    X = Adds ? clamped(B, X, Low - K.Most, High - K.Least) : clamped(B, X, Low + K.Least, High + K.Most);
  } else {
    return nullptr;
  }
  return Adds ? B.CreateNSWAdd(X, Y) : B.CreateNSWSub(X, Y);
}

/// The same where one is a scalar in all elements: limits that saturate for it lead beyond the result's limits, to
/// which it is clamped in any case.
Value *withClampedVector(IRBuilder<> &B, Value *X, Value *Y, bool Adds, int64_t Low, int64_t High) {
  Value *OfX = getSplatValue(X), *OfY = getSplatValue(Y);
  Value *Scalar = OfY ? OfY : OfX;
  if (!Scalar)
    return nullptr;
  Value *&Vector = OfY ? X : Y;
  auto limit = [&](int64_t Number) {
    Value *Limit = B.getInt32(uint32_t(Number));
    Value *Most = Adds  ? B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Limit, Scalar)
                  : OfY ? B.CreateBinaryIntrinsic(Intrinsic::sadd_sat, Limit, Scalar)
                        : B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Scalar, Limit);
    return B.CreateVectorSplat(cast<FixedVectorType>(Vector->getType())->getNumElements(), Most);
  };
  const bool Turned = !Adds && !OfY; // the least number gives the largest difference
  Vector = B.CreateBinaryIntrinsic(Intrinsic::smax, Vector, limit(Turned ? High : Low));
  Vector = B.CreateBinaryIntrinsic(Intrinsic::smin, Vector, limit(Turned ? Low : High));
  return Adds ? B.CreateAdd(X, Y) : B.CreateSub(X, Y);
}

/// A sum or difference of dwords in 64 bits, in 32; null where it is another, or what it is clamped to does not say
/// all.
Value *saturatedDwords(IRBuilder<> &B, const Clamped &C, Type *Narrow) {
  constexpr unsigned Bits = 32;
  auto *Sum = cast<BinaryOperator>(C.Of);
  Value *X = Sum->getOperand(0), *Y = Sum->getOperand(1);
  Type *Dwords = Sum->getType()->getWithNewType(B.getInt32Ty());
  const bool Adds = Sum->getOpcode() == Instruction::Add;
  const bool Zero = C.Low && C.Low->isZero();
  if (isWidened(X, Bits, false) && isWidened(Y, Bits, false)) {
    if (Adds ? !C.High || !C.High->isIntN(Bits) || (C.Low && !Zero)
             : !Zero || C.WithoutSign || (C.High && !C.High->isIntN(Bits)))
      return nullptr;
    Value *S = B.CreateBinaryIntrinsic(Adds ? Intrinsic::uadd_sat : Intrinsic::usub_sat, narrowed(B, X, Dwords, false),
                                       narrowed(B, Y, Dwords, false));
    if (C.High)
      S = B.CreateBinaryIntrinsic(Intrinsic::umin, S, ConstantInt::get(Dwords, C.High->trunc(Bits)));
    return B.CreateTrunc(S, Narrow);
  }
  if (!isWidened(X, Bits, true) || !isWidened(Y, Bits, true) || !C.Low || !C.High || C.WithoutSign ||
      !C.Low->isSignedIntN(Bits) || !C.High->isSignedIntN(Bits))
    return nullptr;
  X = narrowed(B, X, Dwords, true), Y = narrowed(B, Y, Dwords, true);
  const int64_t Low = C.Low->getSExtValue(), High = C.High->getSExtValue();
  Value *S = withClampedOperand(B, X, Y, Adds, Low, High);
  if (!S)
    S = withClampedVector(B, X, Y, Adds, Low, High);
  if (!S)
    S = B.CreateBinaryIntrinsic(Adds ? Intrinsic::sadd_sat : Intrinsic::ssub_sat, X, Y);
  return B.CreateTrunc(clamped(B, S, Low, High), Narrow);
}

/// The narrow sum or difference whose saturation is what is cut off; null where it is another value.
Value *saturated(IRBuilder<> &B, TruncInst &I) {
  Type *Narrow = I.getType();
  const unsigned Bits = Narrow->getScalarSizeInBits();
  const Clamped C(I.getOperand(0));
  auto *Sum = dyn_cast<BinaryOperator>(C.Of);
  if (C.Low && C.High && C.Low->sgt(*C.High)) // then the order counts in which they come
    return nullptr;
  if (!Sum || Bits < 8 || Bits > 32 || Sum->getType()->getScalarSizeInBits() < 2 * Bits ||
      (Sum->getOpcode() != Instruction::Add && Sum->getOpcode() != Instruction::Sub))
    return nullptr;
  const bool Adds = Sum->getOpcode() == Instruction::Add;
  auto of = [&](bool Signed, Intrinsic::ID Number) -> Value * {
    Value *X = Sum->getOperand(0), *Y = Sum->getOperand(1);
    if (!isWidened(X, Bits, Signed) || !isWidened(Y, Bits, Signed))
      return nullptr;
    return B.CreateBinaryIntrinsic(Number, narrowed(B, X, Narrow, Signed), narrowed(B, Y, Narrow, Signed));
  };
  const bool FromZero = C.Low && C.Low->isZero(), ToMost = C.High && C.High->isMask(Bits);
  if (Adds ? ToMost && (!C.Low || FromZero) : FromZero && (!C.High || (ToMost && !C.WithoutSign)))
    if (Value *Found = of(false, Adds ? Intrinsic::uadd_sat : Intrinsic::usub_sat))
      return Found;
  const bool Whole = C.Low && C.High && !C.WithoutSign && C.High->isMask(Bits - 1) && *C.Low == ~*C.High;
  if (Whole)
    if (Value *Found = of(true, Adds ? Intrinsic::sadd_sat : Intrinsic::ssub_sat))
      return Found;
  return Sum->getType()->getScalarSizeInBits() == 64 ? saturatedDwords(B, C, Narrow) : nullptr;
}

} // namespace

bool takeSaturatingSums(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cut = dyn_cast<TruncInst>(&I);
    if (!Cut || !Cut->getType()->isVectorTy())
      continue;
    IRBuilder<> B(Cut);
    Value *Narrow = saturated(B, *Cut);
    if (!Narrow)
      continue;
    Value *Wide = Cut->getOperand(0);
    Cut->replaceAllUsesWith(Narrow);
    Cut->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(Wide);
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
