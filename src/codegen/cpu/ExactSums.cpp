//===- ExactSums.cpp - Float sums of small integers, in integers --------------===//
//
// A kernel that converts bytes to float and adds them computes integers all the way, and
// a float holds every integer up to 2^24 exactly. So the sum may be taken in the integers,
// where twice as many elements fit a register and one conversion serves the whole sum:
//
//     %a = uitofp <144 x i8> %x to <144 x float>
//     %b = uitofp <144 x i8> %y to <144 x float>
//     %s = fadd <144 x float> %a, %b
//  -> %w = add <144 x i16> (zext %x), (zext %y)
//     %s = uitofp <144 x i16> %w to <144 x float>
//
// Same bits: all partial sums are within the exact range, by interval analysis; a sum of
// non-negative numbers has no negative zero. Products count when both sides are not
// negative. Why here: it pays on machines with narrow integer lanes; the Gen ISA converts
// for free while it adds, so CM IR keeps the floats.
//
// Also: a saturating float-to-integer conversion whose operand provably fits becomes a
// plain one.
//
// Needs:    whole vectors, sums as one expression.
// Leaves:   sums whose range is not known, or too large, in float.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include <cmath>

using namespace llvm;

namespace pocm::cpu {
namespace {

/// A float value known to be an integer in [Low, High], and how to compute it in the integers.
struct Exact {
  int64_t Low = 0, High = 0;
  bool Sum = false; // fadd or fmul of exact values; otherwise a converted integer or a constant
};

class ExactSums {
public:
  explicit ExactSums(Function &F) : F(F) {}

  bool run() {
    SmallVector<Instruction *, 16> Roots;
    for (Instruction &I : instructions(F))
      if (auto E = exact(&I); E && E->Sum && hasOtherUser(I))
        Roots.push_back(&I);
    for (Instruction *Root : Roots)
      rewrite(*Root);
    return !Roots.empty();
  }

private:
  static int64_t limit(Type *T) {
    T = T->getScalarType();
    return T->isHalfTy() ? 1 << 11 : T->isFloatTy() ? 1 << 24 : T->isDoubleTy() ? int64_t(1) << 31 : 0;
  }

  std::optional<Exact> exact(Value *V) {
    auto Found = Known.find(V);
    if (Found != Known.end())
      return Found->second;
    std::optional<Exact> E = compute(V);
    if (E && (E->Low < -limit(V->getType()) || E->High > limit(V->getType())))
      E = std::nullopt;
    Known[V] = E;
    return E;
  }

  std::optional<Exact> compute(Value *V) {
    if (auto *C = dyn_cast<Constant>(V)) {
      auto *Splat = dyn_cast_or_null<ConstantFP>(C->getType()->isVectorTy() ? C->getSplatValue() : C);
      if (!Splat || !Splat->getValueAPF().isInteger() || Splat->isNegative())
        return std::nullopt;
      double X = Splat->getValueAPF().convertToDouble();
      return X < 1e9 ? std::optional(Exact{int64_t(X), int64_t(X), false}) : std::nullopt;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return std::nullopt;
    switch (I->getOpcode()) {
    case Instruction::UIToFP:
    case Instruction::SIToFP: {
      ConstantRange R = integerRange(I->getOperand(0));
      if (R.getBitWidth() > 32 || R.getBitWidth() < 8)
        return std::nullopt;
      if (I->getOpcode() == Instruction::SIToFP)
        return Exact{R.getSignedMin().getSExtValue(), R.getSignedMax().getSExtValue(), false};
      return Exact{int64_t(R.getUnsignedMin().getZExtValue()), int64_t(R.getUnsignedMax().getZExtValue()), false};
    }
    case Instruction::FAdd:
    case Instruction::FMul: {
      auto A = exact(I->getOperand(0)), B = exact(I->getOperand(1));
      if (!A || !B)
        return std::nullopt;
      if (I->getOpcode() == Instruction::FAdd)
        return Exact{A->Low + B->Low, A->High + B->High, true};
      if (A->Low < 0 || B->Low < 0 || A->High > (1 << 24) || B->High > (1 << 24))
        return std::nullopt;
      return Exact{A->Low * B->Low, A->High * B->High, true};
    }
    default:
      return std::nullopt;
    }
  }

  /// Whether somebody uses I as a float, beyond larger exact sums.
  bool hasOtherUser(Instruction &I) {
    return any_of(I.users(), [&](User *U) {
      auto E = exact(U);
      return !E || !E->Sum;
    });
  }

  /// V as integers of `Bits` bits; the whole tree below V is computed in that width.
  Value *integers(Value *V, unsigned Bits) {
    auto Found = Integers.find({V, Bits});
    if (Found != Integers.end())
      return Found->second;
    Type *T = V->getType()->getWithNewType(Type::getIntNTy(F.getContext(), Bits));
    Value *Result;
    if (isa<Constant>(V)) {
      Result = ConstantInt::get(T, uint64_t(exact(V)->Low));
    } else {
      auto *I = cast<Instruction>(V);
      if (!exact(I)->Sum) {
        IRBuilder<> B(I);
        Result = B.CreateIntCast(I->getOperand(0), T, I->getOpcode() == Instruction::SIToFP);
      } else {
        Value *Left = integers(I->getOperand(0), Bits), *Right = integers(I->getOperand(1), Bits);
        IRBuilder<> B(I);
        Result = I->getOpcode() == Instruction::FAdd ? B.CreateAdd(Left, Right) : B.CreateMul(Left, Right);
      }
    }
    Integers[{V, Bits}] = Result;
    return Result;
  }

  void rewrite(Instruction &Root) {
    Exact E = *exact(&Root);
    bool Signed = E.Low < 0;
    bool Short = Signed ? E.Low >= INT16_MIN && E.High <= INT16_MAX : E.High <= UINT16_MAX;
    Value *Sum = integers(&Root, Short ? 16 : 32);
    IRBuilder<> B(Root.getNextNode());
    // A signed conversion of 32 bits is the one that every machine has.
    Value *Wide = B.CreateIntCast(Sum, Sum->getType()->getWithNewBitWidth(32), Signed);
    Value *Float = B.CreateSIToFP(Wide, Root.getType());
    Root.replaceUsesWithIf(Float, [&](Use &U) {
      auto User = exact(U.getUser());
      return !User || !User->Sum;
    });
  }

  Function &F;
  DenseMap<Value *, std::optional<Exact>> Known;
  DenseMap<std::pair<Value *, unsigned>, Value *> Integers;
};

/// Whether truncating a value of this range needs no clamping to a type of so many bits.
bool fits(const FloatRange &R, unsigned Bits, bool Signed) {
  double Most = Signed ? std::ldexp(1.0, int(Bits) - 1) : std::ldexp(1.0, int(Bits));
  double Least = Signed ? -Most - 1 : -1;
  return R.Low > Least && R.High < Most;
}

} // namespace

bool sumExactly(Function &F) { return ExactSums(F).run(); }

bool dropSaturation(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Op Operation = operationOf(&I);
    if (Operation != Op::FloatToSigned && Operation != Op::FloatToUnsigned)
      continue;
    unsigned Bits = I.getType()->getScalarSizeInBits();
    auto R = floatRange(I.getOperand(0));
    bool Signed = Operation == Op::FloatToSigned;
    if (!R || !fits(*R, Bits, Signed))
      continue;
    IRBuilder<> B(&I);
    Value *Converted;
    if (Bits < 32 || fits(*R, 32, true))
      Converted = B.CreateTruncOrBitCast(
          B.CreateFPToSI(I.getOperand(0), I.getType()->getWithNewBitWidth(std::max(32u, Bits))), I.getType());
    else
      Converted = Signed ? B.CreateFPToSI(I.getOperand(0), I.getType()) : B.CreateFPToUI(I.getOperand(0), I.getType());
    I.replaceAllUsesWith(Converted);
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
