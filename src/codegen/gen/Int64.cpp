//===- Int64.cpp - 64-bit integers by halves ------------------------------------------------===//
//
//     %s = add <8 x i64> %a, %b      ->  %l = add (low of %a), (low of %b)
//                                        %c = icmp ult %l, (low of %a)
//                                        %h = add (high of %a), (high of %b), %c
//                                        %s = the dwords %l, %h, interleaved
//
// A half is a region of stride 2 of the value seen as dwords, so that reading and writing
// halves costs no instruction.
//
// Needs:    selected operations, no odd integers.
// Leaves:   64-bit values only where they are moved as a whole: loads, stores, regions, phis.
// Not done: division; the emitter refuses it.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

bool isWide(Type *T) { return T->getScalarType()->isIntegerTy(64); }

Type *dwordsLike(Type *T) { return vectorLike(Type::getInt32Ty(T->getContext()), T); }

struct Halves {
  Value *Low, *High;
};

class Splitter {
  IRBuilder<> &B;

  Constant *dword(Type *Like, uint64_t C) { return ConstantInt::get(dwordsLike(Like), uint32_t(C)); }

public:
  explicit Splitter(IRBuilder<> &B) : B(B) {}

  Value *half(Value *V, bool High) {
    Type *T = V->getType();
    if (auto *C = dyn_cast<Constant>(V)) {
      auto Of = [&](Constant *E) -> Constant * {
        auto *Number = dyn_cast_or_null<ConstantInt>(E);
        uint64_t Bits = Number ? Number->getZExtValue() : 0;
        return B.getInt32(uint32_t(High ? Bits >> 32 : Bits));
      };
      if (!T->isVectorTy())
        return Of(C);
      SmallVector<Constant *, 16> Elements;
      for (int K = 0; K < countOf(T); ++K)
        Elements.push_back(Of(C->getAggregateElement(unsigned(K))));
      return ConstantVector::get(Elements);
    }
    Value *Dwords = B.CreateBitCast(V, FixedVectorType::get(B.getInt32Ty(), unsigned(2 * countOf(T))));
    return RegionRead::create(B, dwordsLike(T), Dwords,
                              {T->isVectorTy() ? 2 : 0, 1, T->isVectorTy() ? 1 : 0, High ? 1 : 0});
  }
  /// All of V as dwords.
  Value *dwords(Value *V) {
    auto *T = FixedVectorType::get(B.getInt32Ty(), unsigned(2 * countOf(V->getType())));
    auto *C = dyn_cast<Constant>(V);
    if (!C)
      return B.CreateBitCast(V, T);
    if (isa<PoisonValue>(C))
      return PoisonValue::get(T);
    SmallVector<Constant *, 32> Parts;
    for (int K = 0; K < countOf(V->getType()); ++K) {
      Constant *E = V->getType()->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C;
      auto *Number = dyn_cast_or_null<ConstantInt>(E);
      uint64_t Bits = Number ? Number->getZExtValue() : 0;
      Parts.push_back(B.getInt32(uint32_t(Bits)));
      Parts.push_back(B.getInt32(uint32_t(Bits >> 32)));
    }
    return ConstantVector::get(Parts);
  }

  /// The region as one of twice as many dwords when its elements are neighbours; width 0 when they are not.
  Region neighbours(const Region &R, int Count) {
    for (int K = 0; K < Count; ++K)
      if (R.element(K) != R.Offset + K)
        return {0, 0, 0, 0, nullptr};
    Region Whole = Region::contiguous(2 * Count, 2 * R.Offset);
    Whole.Dynamic = R.Dynamic;
    return Whole;
  }

  /// The low or high dwords of a region's elements.
  Region halfOf(const Region &R, bool High) {
    Region Half{2 * R.VStride, R.Width, 2 * R.HStride, 2 * R.Offset + High, R.Dynamic};
    if (R.Dynamic) {
      Half.Offset = 0;
      Half.Dynamic = High ? B.CreateAdd(R.Dynamic, ConstantInt::get(R.Dynamic->getType(), 4)) : R.Dynamic;
    }
    return Half;
  }

  Halves halves(Value *V) { return {half(V, false), half(V, true)}; }

  Value *join(Type *T, Halves H) {
    Value *All = PoisonValue::get(FixedVectorType::get(B.getInt32Ty(), unsigned(2 * countOf(T))));
    int Stride = T->isVectorTy() ? 2 : 1;
    All = RegionWrite::create(B, All, H.Low, {Stride, 1, 1, 0});
    All = RegionWrite::create(B, All, H.High, {Stride, 1, 1, 1});
    return B.CreateBitCast(All, T);
  }

  Value *asDword(Value *Predicate, Type *T) { return B.CreateSelect(Predicate, dword(T, 1), dword(T, 0)); }
  /// -1 where it holds, which a comparison gives by itself.
  Value *asMask(Value *Predicate, Type *T) { return B.CreateSelect(Predicate, dword(T, ~0u), dword(T, 0)); }

  Halves add(Halves X, Halves Y, Type *T) {
    Value *Low = B.CreateAdd(X.Low, Y.Low);
    Value *Carry = asMask(B.CreateICmpULT(Low, X.Low), T);
    return {Low, B.CreateSub(B.CreateAdd(X.High, Y.High), Carry)};
  }

  Halves subtract(Halves X, Halves Y, Type *T) {
    Value *Borrow = asMask(B.CreateICmpULT(X.Low, Y.Low), T);
    return {B.CreateSub(X.Low, Y.Low), B.CreateAdd(B.CreateSub(X.High, Y.High), Borrow)};
  }

  /// A factor that is a dword extended to 64 bits: that dword, and whether its sign goes on.
  struct Factor {
    Value *Dword = nullptr;
    bool Signed = false, Unsigned = false;
  };

  Factor factorOf(Value *V) {
    if (auto *C = dyn_cast<Constant>(V)) {
      auto *Number = dyn_cast_or_null<ConstantInt>(V->getType()->isVectorTy() ? C->getSplatValue() : C);
      if (!Number)
        return {};
      return {half(V, false), Number->getValue().isSignedIntN(32), Number->getValue().isIntN(32)};
    }
    bool Signed = isa<SExtInst>(V);
    if (!Signed && !isa<ZExtInst>(V))
      return {};
    Value *From = cast<Instruction>(V)->getOperand(0);
    unsigned Bits = From->getType()->getScalarSizeInBits();
    if (Bits == 32)
      return {From, Signed, !Signed};
    Value *Dword = Signed ? B.CreateSExt(From, dwordsLike(V->getType())) : B.CreateZExt(From, dwordsLike(V->getType()));
    return {Dword, true, !Signed};
  }

  /// A factor, where the other one is the number 1: its 64 bits are the product. The finalizer would make a move of a
  /// multiplication by 1, and read the dwords from where they come, which for some regions it cannot.
  Value *productByOne(Op Operation, Value *X, Value *Y, Type *T) {
    if (match(X, m_One()))
      std::swap(X, Y);
    if (!match(Y, m_One()))
      return nullptr;
    return Operation == Op::SignedProduct ? B.CreateSExt(X, T) : B.CreateZExt(X, T);
  }

  Value *product(Op Operation, Value *X, Value *Y, Type *T) {
    Value *Other = productByOne(Operation, X, Y, T);
    return Other ? Other : createOperation(B, Operation, T, {X, Y});
  }

  /// The execution units give all 64 bits of a product of dwords.
  Value *multiply(Value *L, Value *R) {
    Type *T = L->getType();
    Factor A = factorOf(L), C = factorOf(R);
    if ((A.Signed && C.Signed) || (A.Unsigned && C.Unsigned))
      return product(A.Signed && C.Signed ? Op::SignedProduct : Op::UnsignedProduct, A.Dword, C.Dword, T);
    Halves X = halves(L), Y = halves(R), P = halves(product(Op::UnsignedProduct, X.Low, Y.Low, T));
    P.High = B.CreateAdd(P.High, B.CreateAdd(B.CreateMul(X.Low, Y.High), B.CreateMul(X.High, Y.Low)));
    return join(T, P);
  }

  Halves shift(unsigned Opcode, Halves X, Value *Count, Type *T) {
    Value *N = B.CreateAnd(half(Count, false), dword(T, 63));
    Value *Within = B.CreateAnd(N, dword(T, 31)), *Rest = B.CreateSub(dword(T, 31), Within);
    Value *Far = B.CreateICmpUGE(N, dword(T, 32));
    if (Opcode == Instruction::Shl) {
      Value *Low = B.CreateShl(X.Low, Within);
      Value *Carried = B.CreateLShr(B.CreateLShr(X.Low, dword(T, 1)), Rest); // right for a shift by nothing too
      Value *High = B.CreateOr(B.CreateShl(X.High, Within), Carried);
      return {B.CreateSelect(Far, dword(T, 0), Low), B.CreateSelect(Far, Low, High)};
    }
    bool Arithmetic = Opcode == Instruction::AShr;
    Value *High = Arithmetic ? B.CreateAShr(X.High, Within) : B.CreateLShr(X.High, Within);
    Value *Carried = B.CreateShl(B.CreateShl(X.High, dword(T, 1)), Rest);
    Value *Low = B.CreateOr(B.CreateLShr(X.Low, Within), Carried);
    Value *Fill = Arithmetic ? B.CreateAShr(X.High, dword(T, 31)) : cast<Value>(dword(T, 0));
    return {B.CreateSelect(Far, High, Low), B.CreateSelect(Far, Fill, High)};
  }

  Value *compare(CmpInst::Predicate P, Value *L, Value *R) {
    Halves X = halves(L), Y = halves(R);
    if (P == CmpInst::ICMP_EQ || P == CmpInst::ICMP_NE) {
      Value *Different = B.CreateOr(B.CreateXor(X.Low, Y.Low), B.CreateXor(X.High, Y.High));
      return B.CreateICmp(P, Different, Constant::getNullValue(Different->getType()));
    }
    CmpInst::Predicate Strict = CmpInst::getStrictPredicate(P);
    Value *Above = B.CreateICmp(Strict, X.High, Y.High), *Same = B.CreateICmpEQ(X.High, Y.High);
    Value *Below = B.CreateICmp(ICmpInst::getUnsignedPredicate(P), X.Low, Y.Low);
    return B.CreateOr(Above, B.CreateAnd(Same, Below));
  }

  Value *select(Value *Condition, Halves X, Halves Y, Type *T) {
    return join(T, {B.CreateSelect(Condition, X.Low, Y.Low), B.CreateSelect(Condition, X.High, Y.High)});
  }

  /// Leading (or trailing) zeros, 64 for none set.
  Halves count(Intrinsic::ID Id, Halves X, Type *T) {
    bool Leading = Id == Intrinsic::ctlz;
    auto Zeros = [&](Value *V) { return B.CreateIntrinsic(V->getType(), Id, {V, B.getInt1(!Leading)}); };
    Value *First = Leading ? X.High : X.Low, *Second = Leading ? X.Low : X.High;
    Value *Empty = B.CreateICmpEQ(First, dword(T, 0)), *Rest = Zeros(Second);
    if (!Leading) // of 0 the execution unit finds bit -1
      Rest = B.CreateSelect(B.CreateICmpEQ(Second, dword(T, 0)), dword(T, 32), Rest);
    Value *N = B.CreateSelect(Empty, B.CreateAdd(Rest, dword(T, 32)), Zeros(First));
    return {N, dword(T, 0)};
  }

  /// To float, rounded once: the highest 32 bits with the rest stuck to them, scaled back.
  Value *toFloat(Value *V, Type *To, bool Signed) {
    Type *T = V->getType();
    Halves X = halves(V);
    Value *Negative = nullptr;
    if (Signed) {
      Negative = B.CreateICmpSLT(X.High, dword(T, 0));
      Halves Minus = subtract({dword(T, 0), dword(T, 0)}, X, T);
      X = {B.CreateSelect(Negative, Minus.Low, X.Low), B.CreateSelect(Negative, Minus.High, X.High)};
    }
    Value *Zeros = B.CreateIntrinsic(X.High->getType(), Intrinsic::ctlz, {X.High, B.getFalse()}); // 32 for none
    Halves Up = shift(Instruction::Shl, X, join(T, {Zeros, dword(T, 0)}), T);
    Value *Sticky = asDword(B.CreateICmpNE(Up.Low, dword(T, 0)), T);
    Type *Float = To->getScalarType()->isFloatTy() ? To : vectorLike(B.getFloatTy(), To);
    Value *F = B.CreateUIToFP(B.CreateOr(Up.High, Sticky), Float);
    // times 2 to the power of 32 - zeros
    Value *Power = B.CreateShl(B.CreateSub(dword(T, 127 + 32), Zeros), dword(T, 23));
    F = B.CreateFMul(F, B.CreateBitCast(Power, Float));
    if (Negative)
      F = B.CreateSelect(Negative, B.CreateFNeg(F), F);
    return Float == To ? F : B.CreateFPTrunc(F, To);
  }

  /// From float, toward zero, saturated; nothing for what is not a number.
  Value *fromFloat(Value *F, Type *To, bool Signed) {
    Type *Float = vectorLike(B.getFloatTy(), To);
    if (F->getType() != Float)
      F = B.CreateFPExt(F, Float);
    Value *Bits = B.CreateBitCast(F, dwordsLike(To));
    Value *Exponent = B.CreateSub(B.CreateAnd(B.CreateLShr(Bits, dword(To, 23)), dword(To, 255)), dword(To, 127));
    Value *Mantissa = B.CreateOr(B.CreateAnd(Bits, dword(To, 0x7FFFFF)), dword(To, 0x800000));
    // mantissa * 2^(exponent - 23): left by that much, or right
    Value *Left = B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(Exponent, dword(To, 23)), dword(To, 0));
    Value *Right = B.CreateBinaryIntrinsic(
        Intrinsic::smin, B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(dword(To, 23), Exponent), dword(To, 0)),
        dword(To, 31));
    Halves Up = shift(Instruction::Shl, {Mantissa, dword(To, 0)}, join(To, {Left, dword(To, 0)}), To);
    Value *Small = B.CreateICmpSLT(Exponent, dword(To, 23));
    Halves X{B.CreateSelect(Small, B.CreateLShr(Mantissa, Right), Up.Low),
             B.CreateSelect(Small, dword(To, 0), Up.High)};
    Value *Negative = B.CreateICmpSLT(Bits, dword(To, 0));
    Value *NotANumber = B.CreateFCmpUNE(F, F);
    auto Choose = [&](Value *C, Halves Y) { X = {B.CreateSelect(C, Y.Low, X.Low), B.CreateSelect(C, Y.High, X.High)}; };
    if (Signed) {
      Choose(Negative, subtract({dword(To, 0), dword(To, 0)}, X, To));
      Value *Large = B.CreateICmpSGE(Exponent, dword(To, 63));
      Value *Most = B.CreateSelect(Negative, dword(To, 0x80000000u), dword(To, 0x7FFFFFFFu));
      Choose(Large, {B.CreateSelect(Negative, dword(To, 0), dword(To, ~0u)), Most});
    } else {
      Choose(B.CreateICmpSGE(Exponent, dword(To, 64)), {dword(To, ~0u), dword(To, ~0u)});
      Choose(Negative, {dword(To, 0), dword(To, 0)});
    }
    Choose(NotANumber, {dword(To, 0), dword(To, 0)});
    return join(To, X);
  }

  static Type *vectorLike(Type *Element, Type *Shape) {
    auto *V = dyn_cast<FixedVectorType>(Shape);
    return V ? FixedVectorType::get(Element, V->getNumElements()) : Element;
  }
};

Value *minMax(Splitter &S, CmpInst::Predicate P, Value *L, Value *R) {
  return S.select(S.compare(P, L, R), S.halves(L), S.halves(R), L->getType());
}

Value *intrinsic(Splitter &S, IRBuilder<> &B, IntrinsicInst &I) {
  Type *T = I.getType();
  Value *X = firstArgument(I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::smin:
    return minMax(S, CmpInst::ICMP_SLT, X, secondArgument(I));
  case Intrinsic::smax:
    return minMax(S, CmpInst::ICMP_SGT, X, secondArgument(I));
  case Intrinsic::umin:
    return minMax(S, CmpInst::ICMP_ULT, X, secondArgument(I));
  case Intrinsic::umax:
    return minMax(S, CmpInst::ICMP_UGT, X, secondArgument(I));
  case Intrinsic::abs: {
    Halves H = S.halves(X),
           Minus =
               S.subtract({Constant::getNullValue(H.Low->getType()), Constant::getNullValue(H.Low->getType())}, H, T);
    return S.select(B.CreateICmpSLT(H.High, Constant::getNullValue(H.High->getType())), Minus, H, T);
  }
  case Intrinsic::ctpop: {
    Halves H = S.halves(X);
    Value *N =
        B.CreateAdd(B.CreateUnaryIntrinsic(Intrinsic::ctpop, H.Low), B.CreateUnaryIntrinsic(Intrinsic::ctpop, H.High));
    return S.join(T, {N, Constant::getNullValue(N->getType())});
  }
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return S.join(T, S.count(I.getIntrinsicID(), S.halves(X), T));
  case Intrinsic::bitreverse: {
    Halves H = S.halves(X);
    return S.join(T, {B.CreateUnaryIntrinsic(Intrinsic::bitreverse, H.High),
                      B.CreateUnaryIntrinsic(Intrinsic::bitreverse, H.Low)});
  }
  case Intrinsic::uadd_sat: {
    Value *Sum = B.CreateAdd(X, secondArgument(I));
    return B.CreateSelect(B.CreateICmpULT(Sum, X), Constant::getAllOnesValue(T), Sum);
  }
  case Intrinsic::usub_sat:
    return B.CreateSelect(B.CreateICmpULT(X, secondArgument(I)), Constant::getNullValue(T),
                          B.CreateSub(X, secondArgument(I)));
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat: {
    bool Add = I.getIntrinsicID() == Intrinsic::sadd_sat;
    Value *Y = secondArgument(I), *Z = Add ? B.CreateAdd(X, Y) : B.CreateSub(X, Y);
    // too far: the operands' signs agree (differ) and the result's is another
    Value *Over = B.CreateAnd(B.CreateXor(X, Z), Add ? B.CreateXor(Y, Z) : B.CreateXor(X, Y));
    Value *Most = B.CreateXor(B.CreateAShr(X, ConstantInt::get(T, 63)), ConstantInt::get(T, ~0ull >> 1));
    return B.CreateSelect(B.CreateICmpSLT(Over, Constant::getNullValue(T)), Most, Z);
  }
  case Intrinsic::fptosi_sat:
    return X->getType()->getScalarType()->isDoubleTy() ? nullptr : S.fromFloat(X, T, true);
  case Intrinsic::fptoui_sat:
    return X->getType()->getScalarType()->isDoubleTy() ? nullptr : S.fromFloat(X, T, false);
  default:
    return nullptr;
  }
}

/// Regions of 64-bit elements by dwords: neighbours in one, others by halves.
Value *regionRead(CallInst &I) {
  auto R = RegionRead::match(&I);
  if (!R || (R->Where.Dynamic && R->Where.Dynamic->getType()->isVectorTy()))
    return nullptr;
  IRBuilder<> B(&I);
  Splitter S(B);
  int Count = countOf(I.getType());
  Value *Dwords = S.dwords(R->source());
  if (Region Whole = S.neighbours(R->Where, Count); Whole.Width)
    return B.CreateBitCast(
        RegionRead::create(B, FixedVectorType::get(B.getInt32Ty(), unsigned(2 * Count)), Dwords, Whole), I.getType());
  return S.join(I.getType(), {RegionRead::create(B, dwordsLike(I.getType()), Dwords, S.halfOf(R->Where, false)),
                              RegionRead::create(B, dwordsLike(I.getType()), Dwords, S.halfOf(R->Where, true))});
}

Value *regionWrite(CallInst &I) {
  auto W = RegionWrite::match(&I);
  if (!W || (W->Where.Dynamic && W->Where.Dynamic->getType()->isVectorTy()))
    return nullptr;
  IRBuilder<> B(&I);
  Splitter S(B);
  Value *Dwords = S.dwords(W->old());
  if (Region Whole = S.neighbours(W->Where, W->count()); Whole.Width) {
    Value *New = RegionWrite::create(B, Dwords, S.dwords(W->value()), Whole);
    return B.CreateBitCast(New, I.getType());
  }
  Halves H = S.halves(W->value());
  Dwords = RegionWrite::create(B, Dwords, H.Low, S.halfOf(W->Where, false));
  Dwords = RegionWrite::create(B, Dwords, H.High, S.halfOf(W->Where, true));
  return B.CreateBitCast(Dwords, I.getType());
}

Value *replacement(Instruction &I) {
  if (isWide(I.getType()) && operationOf(&I) == Op::RegionRead)
    return regionRead(cast<CallInst>(I));
  if (isWide(I.getType()) && operationOf(&I) == Op::RegionWrite)
    return regionWrite(cast<CallInst>(I));
  if (Op Operation = operationOf(&I);
      isWide(I.getType()) && is_contained({Op::SignedProduct, Op::UnsignedProduct}, Operation)) {
    IRBuilder<> B(&I);
    return Splitter(B).productByOne(Operation, I.getOperand(0), I.getOperand(1), I.getType());
  }
  bool Result = isWide(I.getType()), Operand = I.getNumOperands() && isWide(I.getOperand(0)->getType());
  if (!Result && !Operand)
    return nullptr;
  IRBuilder<> B(&I);
  Splitter S(B);
  Type *T = I.getType();
  auto H = [&](unsigned K) { return S.halves(I.getOperand(K)); };
  auto Bitwise = [&](Instruction::BinaryOps Opcode) {
    Halves X = H(0), Y = H(1);
    return S.join(T, {B.CreateBinOp(Opcode, X.Low, Y.Low), B.CreateBinOp(Opcode, X.High, Y.High)});
  };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return S.join(T, S.add(H(0), H(1), T));
  case Instruction::Sub:
    return S.join(T, S.subtract(H(0), H(1), T));
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return Bitwise(Instruction::BinaryOps(I.getOpcode()));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return S.join(T, S.shift(I.getOpcode(), H(0), I.getOperand(1), T));
  case Instruction::Freeze: {
    Halves X = H(0);
    return S.join(T, {B.CreateFreeze(X.Low), B.CreateFreeze(X.High)});
  }
  case Instruction::ICmp:
    return S.compare(cast<ICmpInst>(I).getPredicate(), I.getOperand(0), I.getOperand(1));
  case Instruction::Select:
    return S.select(I.getOperand(0), H(1), H(2), T);
  case Instruction::Trunc: {
    Value *Low = S.half(I.getOperand(0), false);
    return Low->getType() == T ? Low : B.CreateTrunc(Low, T);
  }
  case Instruction::ZExt: {
    Value *Low = I.getOperand(0);
    if (Low->getType()->getScalarSizeInBits() < 32)
      Low = B.CreateZExt(Low, dwordsLike(T));
    return S.join(T, {Low, Constant::getNullValue(Low->getType())});
  }
  case Instruction::SExt: {
    Value *Low = I.getOperand(0);
    if (Low->getType()->getScalarSizeInBits() < 32)
      Low = B.CreateSExt(Low, dwordsLike(T));
    return S.join(T, {Low, B.CreateAShr(Low, ConstantInt::get(Low->getType(), 31))});
  }
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return T->getScalarType()->isDoubleTy() ? nullptr
                                            : S.toFloat(I.getOperand(0), T, I.getOpcode() == Instruction::SIToFP);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return I.getOperand(0)->getType()->getScalarType()->isDoubleTy()
               ? nullptr
               : S.fromFloat(I.getOperand(0), T, I.getOpcode() == Instruction::FPToSI);
  default:
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      return intrinsic(S, B, *Call);
    return nullptr;
  }
}

} // namespace

/// What no target does on 64 bits: counting and reversing bits and saturating, besides products.
static bool isByHalvesEverywhere(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && is_contained({Intrinsic::ctpop, Intrinsic::ctlz, Intrinsic::cttz, Intrinsic::bitreverse,
                               Intrinsic::uadd_sat, Intrinsic::usub_sat, Intrinsic::sadd_sat, Intrinsic::ssub_sat},
                              Call->getIntrinsicID());
}

bool splitInt64(Module &M, const GenTarget &Target) {
  auto Product = [](BinaryOperator &I) -> Value * {
    if (I.getOpcode() != Instruction::Mul || !isWide(I.getType()))
      return nullptr;
    IRBuilder<> B(&I);
    return Splitter(B).multiply(I.getOperand(0), I.getOperand(1));
  };
  auto Halves = [&](Instruction &I) {
    return !Target.has(HasInt64) || isByHalvesEverywhere(I) ? replacement(I) : nullptr;
  };
  bool Changed = false;
  for (Function &F : M) {
    Changed |= replaceEach<BinaryOperator>(F, Product); // while their factors are extensions
    Changed |= replaceAll(F, Halves);
  }
  return Changed;
}

} // namespace pocm::gen
