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
// instructions for bytes and words; LLVM finds some of them in the code of single registers.
//
// Needs:    whole vectors; behind narrow-splats.
// Leaves:   clamped sums that are used wide, of three and more, and of other types.
//
//===--------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
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

/// The narrow sum or difference whose saturation is what is cut off; null where it is another value.
Value *saturated(IRBuilder<> &B, TruncInst &I) {
  Type *Narrow = I.getType();
  const unsigned Bits = Narrow->getScalarSizeInBits();
  const Clamped C(I.getOperand(0));
  auto *Sum = dyn_cast<BinaryOperator>(C.Of);
  if (!Sum || !Sum->hasOneUse() || (Bits != 8 && Bits != 16) || Sum->getType()->getScalarSizeInBits() < 2 * Bits ||
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
  return Whole ? of(true, Adds ? Intrinsic::sadd_sat : Intrinsic::ssub_sat) : nullptr;
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
