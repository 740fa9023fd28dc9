//===- Operations.cpp - Operations that the execution units have ---------------------------===//
//
//     insertelement %v, %x, 3              ->  wrregion(%v, %x, 0, 1, 1, 12)
//     shufflevector %v, <0,0,0,0>          ->  rdregion(%v, 0, 1, 0, 0)
//     zext <16 x i1> %p to <16 x i32>      ->  select %p, 1, 0
//     trunc <8 x i32> %v to <8 x i16>      ->  rdregion(<16 x i16> %v, 2, 1, 1, 0)
//     zext (xor <8 x i8> %a, %b)           ->  xor (zext %a), (zext %b)
//     fcmp ult %a, %b                      ->  xor (fcmp oge %a, %b), true
//     usub.sat %v, 16                      ->  sub (umax %v, 16), 16
//     select i1 %c, <16 x float> %a, %b    ->  select <16 x i1> (splat of %c), %a, %b
//     vector.reduce.add                    ->  sums of halves
//     rdregion(add %a, %b; one element)    ->  add of that element of %a and %b
//
// Elements and shuffles are in Elements.cpp, regions that leave their vectors in RegionBounds.cpp.
// Every other operation of LLVM IR that a kernel may hold and that no Gen instruction does is
// replaced here by those that do, so that the passes after this one see a small language:
// elementwise operations, regions, messages, uniform branches.
//
// Needs:    promoted storage.
// Leaves:   insertelement, extractelement and shufflevector on predicates only where they take
//           whole sixteens.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Operations.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Predicates.h"
#include "ir/Operands.h"
#include "ir/Ranges.h"
#include "ir/Replace.h"
#include "passes/Blocks.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// A scalar as a vector of one element, which regions can read.
Value *asVector(IRBuilderBase &B, Value *Scalar) {
  return Scalar->getType()->isVectorTy() ? Scalar : B.CreateBitCast(Scalar, FixedVectorType::get(Scalar->getType(), 1));
}

/// What is asked for in all channels, where a selection asks for some: LLVM may find that others have no value.
Value *frozen(IRBuilderBase &B, Value *V) { return isGuaranteedNotToBeUndefOrPoison(V) ? V : B.CreateFreeze(V); }

Value *select(SelectInst &I) {
  IRBuilder<> B(&I);
  Value *C = I.getCondition(), *T = I.getTrueValue(), *F = I.getFalseValue();
  if (isa<UndefValue>(T) || isa<UndefValue>(F)) // channels without a value may have any
    return isa<UndefValue>(T) ? F : T;
  if (isPredicate(I.getType())) {
    if (!C->getType()->isVectorTy() && I.getType()->isVectorTy())
      C = splatPredicate(B, C, I.getType());
    return B.CreateOr(B.CreateAnd(C, frozen(B, T)), B.CreateAnd(B.CreateNot(C), frozen(B, F)));
  }
  if (C->getType()->isVectorTy() || !I.getType()->isVectorTy())
    return nullptr;
  return B.CreateSelect(splatPredicate(B, C, I.getType()), T, F);
}

Value *compare(CmpInst &I) {
  IRBuilder<> B(&I);
  Value *L = I.getOperand(0), *R = I.getOperand(1);
  if (isPredicate(L->getType())) {
    Value *Unequal = B.CreateXor(L, R);
    if (I.getPredicate() == CmpInst::ICMP_NE)
      return Unequal;
    if (I.getPredicate() == CmpInst::ICMP_EQ)
      return B.CreateNot(Unequal);
    return nullptr;
  }
  if (!isa<FCmpInst>(I))
    return nullptr;
  auto Ordered = [&](Value *X) { return B.CreateFCmpOEQ(X, X); };
  switch (I.getPredicate()) {
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_UNE:
    return nullptr;
  case CmpInst::FCMP_TRUE:
    return Constant::getAllOnesValue(I.getType());
  case CmpInst::FCMP_FALSE:
    return Constant::getNullValue(I.getType());
  case CmpInst::FCMP_ORD:
    return B.CreateAnd(Ordered(L), Ordered(R));
  case CmpInst::FCMP_UNO:
    return B.CreateOr(B.CreateFCmpUNE(L, L), B.CreateFCmpUNE(R, R));
  case CmpInst::FCMP_ONE:
    return B.CreateOr(B.CreateFCmpOLT(L, R), B.CreateFCmpOGT(L, R));
  case CmpInst::FCMP_UEQ:
    return B.CreateNot(B.CreateOr(B.CreateFCmpOLT(L, R), B.CreateFCmpOGT(L, R)));
  default: // the unordered ones are what their ordered opposites are not
    return B.CreateNot(B.CreateFCmp(I.getInversePredicate(), L, R));
  }
}

Value *extend(CastInst &I) {
  IRBuilder<> B(&I);
  Type *From = I.getSrcTy(), *To = I.getDestTy();
  if (isPredicate(From) && !isPredicate(To) && !isa<BitCastInst>(I)) {
    Constant *One = isa<SExtInst>(I)   ? Constant::getAllOnesValue(To)
                    : isa<ZExtInst>(I) ? ConstantInt::get(To, 1)
                                       : ConstantFP::get(To, isa<SIToFPInst>(I) ? -1.0 : 1.0);
    return B.CreateSelect(I.getOperand(0), One, Constant::getNullValue(To));
  }
  // Integers to half, which had been kept apart (HalfOverflow.cpp).
  if (auto *Number = dyn_cast<CastInst>(I.getOperand(0)); isa<FPTruncInst>(I) && To->getScalarType()->isHalfTy() &&
                                                          isa_and_nonnull<UIToFPInst, SIToFPInst>(Number) &&
                                                          Number->getType()->getScalarType()->isFloatTy())
    return B.CreateCast(Number->getOpcode(), Number->getOperand(0), To);
  // The low bytes of a register are a region of it.
  if (isa<TruncInst>(I) && !isPredicate(To) && isWhole(From) && isWhole(To) && !isa<Constant>(I.getOperand(0))) {
    int Ratio = int(From->getScalarSizeInBits() / To->getScalarSizeInBits()), Count = countOf(From);
    // Of a region they are a region of the same register.
    if (auto R = RegionRead::match(I.getOperand(0));
        R && !(R->Where.Dynamic && R->Where.Dynamic->getType()->isVectorTy())) {
      Type *Whole = FixedVectorType::get(To->getScalarType(), unsigned(Ratio * countOf(R->source()->getType())));
      Region Low{Ratio * R->Where.VStride, R->Where.Width, Ratio * R->Where.HStride, Ratio * R->Where.Offset,
                 R->Where.Dynamic};
      if (!isa<Constant>(R->source()))
        return RegionRead::create(B, To, B.CreateBitCast(R->source(), Whole), Low);
    }
    Value *Parts = B.CreateBitCast(I.getOperand(0), FixedVectorType::get(To->getScalarType(), unsigned(Ratio * Count)));
    return RegionRead::create(B, To, Parts, To->isVectorTy() ? Region{Ratio, 1, 1, 0} : Region{0, 1, 0, 0});
  }
  // Results of bytes lie at every second byte at least; what becomes wider anyway is computed so from the start.
  if (auto *Bits = dyn_cast<BinaryOperator>(I.getOperand(0)); isa<ZExtInst>(I) && Bits && Bits->isBitwiseLogicOp() &&
                                                              Bits->hasOneUse() && From->getScalarSizeInBits() == 8 &&
                                                              To->getScalarSizeInBits() <= 32)
    return B.CreateBinOp(Bits->getOpcode(), B.CreateZExt(Bits->getOperand(0), To),
                         B.CreateZExt(Bits->getOperand(1), To));
  if (isPredicate(To) && isa<TruncInst>(I))
    return B.CreateICmpNE(B.CreateAnd(I.getOperand(0), ConstantInt::get(From, 1)), Constant::getNullValue(From));
  return nullptr;
}

Value *widenThrough(IntrinsicInst &I, unsigned Bits, bool Signed, function_ref<Value *(IRBuilderBase &, Value *)> Do) {
  IRBuilder<> B(&I);
  Type *Wide = vectorLike(B.getIntNTy(Bits), I.getType());
  Value *X = Signed ? B.CreateSExt(firstArgument(I), Wide) : B.CreateZExt(firstArgument(I), Wide);
  return B.CreateTrunc(Do(B, X), I.getType());
}

/// Integer functions of single bits, which are 0 and -1, or 0 and 1.
Value *onPredicates(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  Value *X = firstArgument(I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::bitreverse:
    return X;
  case Intrinsic::umin:
  case Intrinsic::smax:
    return B.CreateAnd(X, secondArgument(I));
  case Intrinsic::umax:
  case Intrinsic::smin:
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
    return B.CreateOr(X, secondArgument(I));
  case Intrinsic::usub_sat:
  case Intrinsic::ssub_sat:
    return B.CreateAnd(X, B.CreateNot(secondArgument(I)));
  default:
    return nullptr; // refused by the emitter
  }
}

/// The magnitude of one with the sign of another.
Value *withSign(IRBuilderBase &B, Value *Size, Value *Of) {
  Type *T = Size->getType();
  unsigned Bits = T->getScalarSizeInBits();
  Type *Integer = vectorLike(B.getIntNTy(Bits), T);
  Constant *Top = ConstantInt::get(Integer, APInt::getSignMask(Bits)),
           *Rest = ConstantInt::get(Integer, ~APInt::getSignMask(Bits));
  Value *X = B.CreateAnd(B.CreateBitCast(Size, Integer), Rest);
  return B.CreateBitCast(B.CreateOr(X, B.CreateAnd(B.CreateBitCast(Of, Integer), Top)), T);
}

/// A rounding of doubles, which no instruction does: X plus and minus the number whose last digit is 1 is a neighbour,
/// of which the one that is asked for is at most 1 away. Larger numbers, infinity and NaN have nothing behind the
/// point.
///     floor(x)   ->   t = (x + 2^52) - 2^52;  t > x ? t - 1 : t
Value *roundDouble(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  Type *T = I.getType();
  Constant *Large = ConstantFP::get(T, 0x1p52), *One = ConstantFP::get(T, 1), *Zero = ConstantFP::get(T, 0);
  Value *X = firstArgument(I), *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *Near = B.CreateFSub(B.CreateFAdd(Size, Large), Large); // of the magnitude
  auto SmallerBy1 = [&](Value *If) { return B.CreateFSub(Near, B.CreateSelect(If, One, Zero)); };
  auto LargerBy1 = [&](Value *If) { return B.CreateFAdd(Near, B.CreateSelect(If, One, Zero)); };
  Value *Over = B.CreateFCmpOGT(Near, Size), *Under = B.CreateFCmpOLT(Near, Size);
  Value *Negative = B.CreateFCmpOLT(X, Zero);
  switch (I.getIntrinsicID()) {
  case Intrinsic::trunc:
    Near = SmallerBy1(Over);
    break;
  case Intrinsic::floor:
    Near = B.CreateSelect(Negative, LargerBy1(Under), SmallerBy1(Over));
    break;
  case Intrinsic::ceil:
    Near = B.CreateSelect(Negative, SmallerBy1(Over), LargerBy1(Under));
    break;
  default: // to even, as sums are
    break;
  }
  return B.CreateSelect(B.CreateFCmpOLT(Size, Large), withSign(B, Near, X), X);
}

Value *intrinsic(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  Type *T = I.getType();
  unsigned Bits = T->isVoidTy() ? 0 : T->getScalarSizeInBits();
  if (isPredicate(T) && I.getNumOperands() > 1 && isPredicate(firstArgument(I)->getType()) &&
      firstArgument(I)->getType() == T)
    return onPredicates(I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::ctlz:
    if (Bits >= 32)
      return nullptr;
    return widenThrough(I, 32, false, [&](IRBuilderBase &B, Value *X) {
      Value *N = B.CreateIntrinsic(Intrinsic::ctlz, {X->getType()}, {X, B.getFalse()});
      return B.CreateSub(N, ConstantInt::get(X->getType(), 32 - Bits));
    });
  case Intrinsic::cttz:
    if (Bits == 32 && match(secondArgument(I), m_Zero())) // of 0 the execution unit finds bit -1
      return B.CreateSelect(B.CreateICmpEQ(firstArgument(I), Constant::getNullValue(T)), ConstantInt::get(T, Bits),
                            B.CreateIntrinsic(Intrinsic::cttz, {T}, {firstArgument(I), B.getTrue()}));
    if (Bits >= 32)
      return nullptr;
    return widenThrough(I, 32, false, [&](IRBuilderBase &B, Value *X) { // a one above the last bit stops the count
      Value *Y = B.CreateOr(X, ConstantInt::get(X->getType(), 1u << Bits));
      return B.CreateIntrinsic(Intrinsic::cttz, {X->getType()}, {Y, B.getTrue()});
    });
  case Intrinsic::ctpop:
    if (Bits >= 32)
      return nullptr;
    return widenThrough(I, 32, false,
                        [&](IRBuilderBase &B, Value *X) { return B.CreateUnaryIntrinsic(Intrinsic::ctpop, X); });
  case Intrinsic::usub_sat: // what is added saturates elsewhere than what is taken away
    if (!isa<Constant>(secondArgument(I)) || Bits > 32)
      return nullptr;
    return B.CreateSub(B.CreateBinaryIntrinsic(Intrinsic::umax, firstArgument(I), secondArgument(I)),
                       secondArgument(I));
  case Intrinsic::ssub_sat: // the least number has no opposite
    if (!match(secondArgument(I), m_SignMask()) || Bits > 32)
      return nullptr;
    return B.CreateSelect(B.CreateICmpSLT(firstArgument(I), Constant::getNullValue(T)),
                          B.CreateXor(firstArgument(I), secondArgument(I)),
                          ConstantInt::get(T, APInt::getSignedMaxValue(Bits)));
  case Intrinsic::copysign:
    return withSign(B, firstArgument(I), secondArgument(I));
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven: { // of float only
    if (T->getScalarType()->isDoubleTy())
      return roundDouble(I);
    if (!T->getScalarType()->isHalfTy())
      return nullptr;
    Value *X = B.CreateFPExt(firstArgument(I), vectorLike(B.getFloatTy(), T));
    return B.CreateFPTrunc(B.CreateUnaryIntrinsic(I.getIntrinsicID(), X), T);
  }
  case Intrinsic::arithmetic_fence:
    return firstArgument(I);
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
    I.eraseFromParent();
    return nullptr;
  default:
    return nullptr;
  }
}

/// A phi of predicates becomes one of words.
void phiOfPredicates(PHINode &Phi) {
  IRBuilder<> B(&Phi);
  Type *Words = vectorLike(B.getInt16Ty(), Phi.getType());
  PHINode *New = B.CreatePHI(Words, Phi.getNumIncomingValues());
  for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
    Value *V = Phi.getIncomingValue(K);
    IRBuilder<> At(Phi.getIncomingBlock(K)->getTerminator());
    Value *Bits = isa<Constant>(V)
                      ? cast<Value>(ConstantFoldSelectInstruction(cast<Constant>(V), Constant::getAllOnesValue(Words),
                                                                  Constant::getNullValue(Words)))
                      : asWords(At, V);
    New->addIncoming(Bits, Phi.getIncomingBlock(K));
  }
  B.SetInsertPoint(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  Phi.replaceAllUsesWith(asPredicate(B, New));
  Phi.eraseFromParent();
}

/// A block that is known to lie at a multiple of 16 bytes is written by owords, one that may lie anywhere by dwords.
Value *blockWrite(CallInst &I) {
  IRBuilder<> B(&I);
  Value *Surface = operandOf(I, Role::Surface), *Offset = operandOf(I, Role::Offset), *Data = operandOf(I, Role::Data);
  int Bytes = countOf(Data->getType()) * elementBytes(Data->getType());
  if (Bytes % 16 == 0 && computeKnownBits(Offset, I.getDataLayout()).countMinTrailingZeros() >= 4)
    return createOperation(B, Op::OwordWrite, I.getType(), {Surface, B.CreateLShr(Offset, 4), Data});
  bool Dwords = Bytes % 4 == 0 && computeKnownBits(Offset, I.getDataLayout()).countMinTrailingZeros() >= 2;
  return scatterRow(B, Surface, Offset, Data, Dwords ? 4 : std::min(4, elementBytes(Data->getType())));
}

/// One element of an operation that is done for nothing but that element is done on scalars:
///     rdregion(lshr <32 x i32> %a, %b; element 0)  ->  lshr (element 0 of %a), (element 0 of %b)
Value *narrow(CallInst &Call) {
  auto R = RegionRead::match(&Call);
  if (!R || !R->Where.isConstant())
    return nullptr;
  int Element = R->Where.element(0);
  for (int K = 1; K < R->count(); ++K)
    if (R->Where.element(K) != Element)
      return nullptr;
  Value *Source = R->source();
  for (auto Inner = RegionRead::match(Source); Inner && Inner->Where.isConstant() && Source->hasOneUse();
       Inner = RegionRead::match(Source)) {
    Element = Inner->Where.element(Element);
    Source = Inner->source();
  }
  // Seen as smaller elements, it is a part of one.
  auto *Whole = dyn_cast<Instruction>(Source);
  int Ratio = 1;
  if (Whole && isAlias(Whole) && Whole->hasOneUse()) {
    int From = elementBytes(Whole->getOperand(0)->getType()), To = elementBytes(Whole->getType());
    Whole = dyn_cast<Instruction>(Whole->getOperand(0));
    if (From % To)
      return nullptr;
    Ratio = From / To;
  }
  if (!Whole || !Whole->hasOneUse() || !Whole->getType()->isVectorTy() || countOf(Whole->getType()) == 1 ||
      !isElementWise(*Whole) || !isVectorInstruction(*Whole) || isa<CmpInst, SelectInst, FreezeInst>(Whole))
    return nullptr;
  IRBuilder<> B(&Call);
  auto ElementOf = [&](Value *V) -> Value * {
    if (!V->getType()->isVectorTy())
      return V;
    if (auto *C = dyn_cast<Constant>(V))
      return C->getAggregateElement(unsigned(Element / Ratio));
    return RegionRead::create(B, V->getType()->getScalarType(), V, {0, 1, 0, Element / Ratio});
  };
  SmallVector<Value *, 3> Operands;
  auto *Callee = dyn_cast<CallInst>(Whole);
  for (unsigned K = 0; K < (Callee ? Callee->arg_size() : Whole->getNumOperands()); ++K) {
    Operands.push_back(ElementOf(Whole->getOperand(K)));
    if (!Operands.back())
      return nullptr;
  }
  Type *Scalar = Whole->getType()->getScalarType();
  Value *New;
  if (Op Operation = operationOf(Whole); Operation != Op::None) {
    New = createOperation(B, Operation, Scalar, Operands);
  } else if (Callee) {
    New = B.CreateIntrinsic(Scalar, Callee->getIntrinsicID(), Operands);
  } else {
    Instruction *Copy = Whole->clone();
    for (unsigned K = 0; K < Operands.size(); ++K)
      Copy->setOperand(K, Operands[K]);
    Copy->mutateType(Scalar);
    New = B.Insert(Copy);
  }
  Type *Read = Call.getType()->getScalarType();
  Value *Parts = asVector(B, New);
  if (Ratio > 1)
    Parts = B.CreateBitCast(New, FixedVectorType::get(Read, unsigned(Ratio)));
  if (Ratio == 1 && !Call.getType()->isVectorTy())
    return New;
  return RegionRead::create(B, Call.getType(), Parts, {0, 1, 0, Element % Ratio});
}

Value *replacement(Instruction &I) {
  if (auto Read = RegionRead::match(&I); Read && Read->Where.isConstant())
    if (Value *Inside = readInside(*Read))
      return Inside;
  if (auto Write = RegionWrite::matchMasked(&I); Write && Write->mask()) {
    IRBuilder<> B(&I);
    return Write->unmasked(B);
  }
  if (auto Write = RegionWrite::match(&I); Write && Write->Where.isConstant())
    return writeInside(*Write);
  if (operationOf(&I) == Op::RegionRead)
    return narrow(cast<CallInst>(I));
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return insertElement(*Insert);
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
    return extractElement(*Extract);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return shuffle(*Shuffle);
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return select(*Select);
  if (auto *Compare = dyn_cast<CmpInst>(&I))
    return compare(*Compare);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return extend(*Cast);
  if (auto *Root = asOperation(&I, Op::ReciprocalSqrt); Root && I.getType()->getScalarType()->isDoubleTy()) {
    IRBuilder<> B(&I); // the function is one of float and half
    return B.CreateFDiv(ConstantFP::get(I.getType(), 1),
                        B.CreateUnaryIntrinsic(Intrinsic::sqrt, operandOf(*Root, Role::Source)));
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return intrinsic(*Call);
  if (auto *Write = asOperation(&I, Op::BlockWrite))
    return blockWrite(*Write);
  return nullptr;
}

bool selectOperations(Function &F) {
  bool Changed = moveInside(F);
  SmallVector<PHINode *, 8> Phis;
  for (BasicBlock &Block : F)
    for (PHINode &Phi : Block.phis())
      if (isPredicate(Phi.getType()))
        Phis.push_back(&Phi);
  for (PHINode *Phi : Phis)
    phiOfPredicates(*Phi), Changed = true;
  // What a replacement is made of may need replacing itself.
  Changed |= replaceAll(F, replacement);
  Changed |= moveInside(F); // elements that were put into vectors and taken out
  return Changed;
}

} // namespace

bool selectOperations(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= selectOperations(F);
  return Changed;
}

} // namespace pocm::gen
