//===- FixedPoint.cpp - Small integers that go through float and back, in integers ---------------===//
//
// Filters weight a sum of bytes in float and make bytes of it again. Few numbers can go in, and what comes out of each
// is known: where a product of words and a shift give the same for all of them, that is what is computed, for twice as
// many elements at once and without conversions.
//
//     %f = uitofp <144 x i16> %s to <144 x float>          ; %s is 0 to 2295
//     %p = fmul <144 x float> %f, splat (float 0.1111)
//     %b = cm.float.to.unsigned.v144i8 (%p)
//  -> %h = llvm.umul.fix.v144i16 (%s, 7281, 16)             ; the upper words of the products
//     %b = trunc %h                                        ; shifted, where more bits of the factor are needed
//
// Between the conversions may be products and sums with constants. The factor is looked for, and tried with every
// number that can go in: same bits.
//
// Needs:    whole vectors; conversions to integers that still saturate; the rounding of IEEE's default.
// Leaves:   what may be negative or more than 65535 at its begin or its end, and what no factor gives exactly.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include <cmath>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

constexpr unsigned Most = UINT16_MAX;

/// One step between the conversions: x * By, x + By, By - x.
struct Step {
  unsigned Opcode;
  float By;
  bool FromBy;

  float of(float X) const {
    switch (Opcode) {
    case Instruction::FMul:
      return X * By;
    case Instruction::FAdd:
      return X + By;
    default:
      return FromBy ? By - X : X - By;
    }
  }
};

/// (x + Before) * Factor, shifted to the right by Shift, which is 16 at least.
struct Product {
  unsigned Before, Factor, Shift;
  unsigned of(unsigned X) const { return unsigned(std::uint64_t(X + Before) * Factor >> Shift); }
};

/// Numbers that go through float: from First to Last, and what becomes of each.
class Chain {
public:
  /// The one that ends in this conversion, if that is one.
  static std::optional<Chain> endingIn(CallInst &Conversion) {
    Chain C;
    Value *V = Conversion.getOperand(0);
    if (!V->getType()->getScalarType()->isFloatTy())
      return std::nullopt;
    while (auto *Operation = dyn_cast<BinaryOperator>(V)) {
      const unsigned Opcode = Operation->getOpcode();
      const APFloat *By = nullptr;
      const bool Right = match(Operation->getOperand(1), m_APFloat(By));
      if ((!Right && !match(Operation->getOperand(0), m_APFloat(By))) || !Operation->hasOneUse() ||
          !is_contained({Instruction::FMul, Instruction::FAdd, Instruction::FSub}, Opcode))
        return std::nullopt;
      C.Steps.insert(C.Steps.begin(), {Opcode, By->convertToFloat(), !Right && Opcode == Instruction::FSub});
      V = Operation->getOperand(Right ? 0 : 1);
    }
    if (C.Steps.empty() || !isa<UIToFPInst, SIToFPInst>(V))
      return std::nullopt;
    const bool Signed = isa<SIToFPInst>(V);
    C.Source = cast<CastInst>(V)->getOperand(0);
    const ConstantRange Range = integerRange(C.Source);
    if (Range.getBitWidth() < 8)
      return std::nullopt;
    const APInt First = Signed ? Range.getSignedMin() : Range.getUnsignedMin(),
                Last = Signed ? Range.getSignedMax() : Range.getUnsignedMax();
    if ((Signed && First.isNegative()) || Last.ugt(Most))
      return std::nullopt;
    C.First = unsigned(First.getZExtValue());
    C.Last = unsigned(Last.getZExtValue());
    if (!C.tabulate(Conversion))
      return std::nullopt;
    return C;
  }

  /// What gives the same for all of them.
  std::optional<Product> product() const {
    double Scale = 1, Offset = 0;
    for (const Step &S : Steps) {
      Scale *= S.Opcode == Instruction::FMul ? S.By : S.FromBy ? -1 : 1;
      Offset = S.of(float(Offset));
    }
    if (!(Scale > 0) || !(Offset >= 0))
      return std::nullopt;
    const double Before = std::floor(Offset / Scale);
    for (unsigned Shift = 16; Shift < 32; ++Shift) {
      const double Factor = std::floor(std::ldexp(Scale, int(Shift)));
      for (const double B : {Before, Before + 1})
        for (const double F : {Factor, Factor + 1})
          if (F >= 1 && F <= Most && B + Last <= Most)
            if (const Product P{unsigned(B), unsigned(F), Shift}; gives(P))
              return P;
      if (Factor > Most)
        break;
    }
    return std::nullopt;
  }

  Value *Source = nullptr;

private:
  /// What the conversion makes of each; false where that is not known, less than 0 or more than a word.
  bool tabulate(const CallInst &Conversion) {
    const unsigned Bits = Conversion.getType()->getScalarSizeInBits();
    const bool Signed = operationOf(&Conversion) == Op::FloatToSigned;
    const float Greatest = Bits > 16 || (Bits == 16 && !Signed) ? float(Most) : float((1 << (Bits - Signed)) - 1);
    for (unsigned X = First; X <= Last; ++X) {
      float Y = float(X);
      for (const Step &S : Steps) {
        Y = S.of(Y);
        if (Y != 0 && !std::isnormal(Y)) // which a kernel may flush
          return false;
      }
      if (!(Y > -1) || (Bits > 16 && !(Y < float(Most) + 1)) || Y > Greatest + 1)
        return false;
      Results.push_back(std::uint16_t(std::min(std::trunc(Y), Greatest)));
    }
    return true;
  }

  bool gives(const Product &P) const {
    for (unsigned X = First; X <= Last; ++X)
      if (P.of(X) != Results[X - First])
        return false;
    return true;
  }

  SmallVector<Step, 2> Steps;
  unsigned First = 0, Last = 0;
  SmallVector<std::uint16_t, 0> Results;
};

Value *build(IRBuilder<> &B, const Chain &C, const Product &P, Type *Result) {
  Type *Words = Result->getWithNewBitWidth(16);
  Value *V = B.CreateZExtOrTrunc(C.Source, Words);
  if (P.Before)
    V = B.CreateNUWAdd(V, ConstantInt::get(Words, P.Before));
  V = B.CreateIntrinsic(Words, Intrinsic::umul_fix, {V, ConstantInt::get(Words, P.Factor), B.getInt32(16)});
  if (P.Shift > 16)
    V = B.CreateLShr(V, P.Shift - 16);
  return B.CreateZExtOrTrunc(V, Result);
}

} // namespace

bool multiplyAsWords(Function &F, bool ToNearest) {
  if (!ToNearest)
    return false;
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const Op Operation = operationOf(&I);
    if (Operation != Op::FloatToSigned && Operation != Op::FloatToUnsigned)
      continue;
    auto &Conversion = cast<CallInst>(I);
    if (!Conversion.getType()->isVectorTy())
      continue;
    const std::optional<Chain> C = Chain::endingIn(Conversion);
    const std::optional<Product> P = C ? C->product() : std::nullopt;
    if (!P)
      continue;
    IRBuilder<> B(&I);
    I.replaceAllUsesWith(build(B, *C, *P, I.getType()));
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

/// x86's instruction for a register of words, where there is one.
static Intrinsic::ID upperProductOfX86(Type *T, unsigned VectorBits) {
  const unsigned Bits = unsigned(countOf(T)) * 16;
  if (Bits > VectorBits)
    return Intrinsic::not_intrinsic;
  switch (Bits) {
  case 512:
    return Intrinsic::x86_avx512_pmulhu_w_512;
  case 256:
    return Intrinsic::x86_avx2_pmulhu_w;
  case 128:
    return Intrinsic::x86_sse2_pmulhu_w;
  default:
    return Intrinsic::not_intrinsic;
  }
}

bool expandUpperProducts(Module &M, unsigned VectorBits) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Product = dyn_cast<IntrinsicInst>(&I);
      if (!Product || Product->getIntrinsicID() != Intrinsic::umul_fix)
        continue;
      IRBuilder<> B(Product);
      Type *T = Product->getType(), *Wide = T->getWithNewBitWidth(32);
      auto wide = [&](unsigned K) { return B.CreateZExt(Product->getOperand(K), Wide); };
      const Intrinsic::ID Whole = upperProductOfX86(T, VectorBits);
      Product->replaceAllUsesWith(Whole ? B.CreateIntrinsic(Whole, {Product->getOperand(0), Product->getOperand(1)})
                                        : B.CreateTrunc(B.CreateLShr(B.CreateNUWMul(wide(0), wide(1)), 16), T));
      Product->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::cpu
