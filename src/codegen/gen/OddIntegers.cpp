//===- OddIntegers.cpp - Integers of 1, 2, 4, ... bytes only --------------------------------===//
//
//     %m = bitcast <4 x i1> %p to i4        %m = bitcast <8 x i1> (%p and four zeros) to i8
//     %c = icmp eq i4 %m, -1            ->  %c = icmp eq i8 %m, 15
//
//     %e = extractelement <64 x i2> %v, 5   ->  lshr (extractelement <16 x i8> %v, 1), 2, of which two bits
//
//     %t = trunc <8 x i64> %x to <8 x i59>
//     %c = icmp slt <8 x i59> %t, -1023     ->  %c = icmp slt <8 x i64> (shl %x, 5), -32736
//
// Questions to a whole predicate come as integers of as many bits as it has channels, and LLVM
// compares what a shift leaves as integers of so many bits. They are done in the next size that
// registers have, the upper bits being 0, numbers and vectors alike.
//
// Needs:    no divisions of integers, which are expanded in the sizes that the source has.
// Leaves:   integers of 8, 16, 32 and 64 bits.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Predicates.h"
#include "ir/Operands.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm::gen {
namespace {

bool isOdd(Type *T) {
  if (!T->isIntOrIntVectorTy())
    return false;
  unsigned Bits = T->getScalarSizeInBits();
  return Bits > 1 && !is_contained({8u, 16u, 32u}, Bits) && Bits < 64;
}

/// The first N elements of V, zeros behind its own.
Value *firstElements(IRBuilderBase &B, Value *V, int N) {
  return channels(B, V, 0, std::min(N, countOf(V->getType())), N);
}

class Widener {
  const DataLayout &Layout;
  DenseMap<Value *, Value *> Wide;

  static Type *wideType(Type *T) {
    return T->getWithNewBitWidth(std::max(8u, unsigned(bit_ceil(T->getScalarSizeInBits()))));
  }

  static Value *masked(IRBuilderBase &B, Value *V, Type *Narrow) {
    return B.CreateAnd(V, APInt::getLowBitsSet(V->getType()->getScalarSizeInBits(), Narrow->getScalarSizeInBits()));
  }

  /// V in a legal type, zeros above; V itself when its type is legal.
  Value *widened(Value *V) {
    Type *T = V->getType();
    if (!isOdd(T))
      return V;
    if (isa<UndefValue>(V))
      return Constant::getNullValue(wideType(T));
    if (auto *C = dyn_cast<Constant>(V))
      return ConstantFoldCastOperand(Instruction::ZExt, C, wideType(T), Layout);
    if (auto Found = Wide.find(V); Found != Wide.end())
      return Found->second;
    auto *I = cast<Instruction>(V);
    Type *W = wideType(T);
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      IRBuilder<> B(Phi);
      PHINode *New = B.CreatePHI(W, Phi->getNumIncomingValues());
      Wide[V] = New;
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        New->addIncoming(widened(Phi->getIncomingValue(K)), Phi->getIncomingBlock(K));
      return New;
    }
    IRBuilder<> B(I);
    return Wide[V] = computed(B, *I, W);
  }

  Value *computed(IRBuilderBase &B, Instruction &I, Type *W) {
    Type *T = I.getType();
    Value *First = I.getOperand(0);
    switch (I.getOpcode()) {
    case Instruction::BitCast: {
      if (T->isVectorTy())
        break;
      unsigned Each = First->getType()->getScalarSizeInBits();
      return B.CreateBitCast(firstElements(B, First, int(W->getIntegerBitWidth() / Each)), W);
    }
    case Instruction::ZExt:
      return B.CreateZExtOrTrunc(widened(First), W);
    case Instruction::SExt:
      return masked(B, extended(B, First, W), T);
    case Instruction::Trunc:
      return masked(B, B.CreateZExtOrTrunc(widened(First), W), T);
    case Instruction::Select:
      return B.CreateSelect(First, widened(I.getOperand(1)), widened(I.getOperand(2)));
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::LShr:
    case Instruction::UDiv:
    case Instruction::URem:
      return B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), widened(First), widened(I.getOperand(1)));
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return masked(B, B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), widened(First), widened(I.getOperand(1))),
                    T);
    case Instruction::AShr:
      return masked(B, B.CreateAShr(extended(B, First, W), widened(I.getOperand(1))), T);
    case Instruction::SDiv:
    case Instruction::SRem:
      return masked(
          B,
          B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), extended(B, First, W), extended(B, I.getOperand(1), W)),
          T);
    case Instruction::FPToUI:
      return B.CreateFPToUI(First, W);
    case Instruction::FPToSI:
      return masked(B, B.CreateFPToSI(First, W), T);
    case Instruction::Freeze:
      return widened(First);
    case Instruction::ExtractElement:
      if (Value *New = partOfByte(B, cast<ExtractElementInst>(I), W))
        return New;
      return B.CreateExtractElement(widened(First), I.getOperand(1));
    case Instruction::InsertElement:
      return B.CreateInsertElement(widened(First), widened(I.getOperand(1)), I.getOperand(2));
    case Instruction::ShuffleVector:
      return B.CreateShuffleVector(widened(First), widened(I.getOperand(1)),
                                   cast<ShuffleVectorInst>(I).getShuffleMask());
    default:
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        if (Value *New = intrinsic(B, *Call, W))
          return New;
      break;
    }
    B.SetInsertPoint(I.getParent(), std::next(I.getIterator()));
    return B.CreateZExt(&I, W); // left as it is; the emitter says what is not supported
  }

  /// Null for those that are not known.
  Value *intrinsic(IRBuilderBase &B, IntrinsicInst &I, Type *W) {
    Type *T = I.getType();
    const Intrinsic::ID Id = I.getIntrinsicID();
    const unsigned Bits = T->getScalarSizeInBits(), WideBits = W->getScalarSizeInBits();
    Value *First = I.getOperand(0), *Second = I.arg_size() > 1 ? I.getOperand(1) : nullptr;
    auto Number = [&](const APInt &N) { return ConstantInt::get(W, N.sext(WideBits)); };
    auto Clamped = [&](Instruction::BinaryOps Operation) { // the sum of two has a bit more, for which there is room
      Value *Sum = B.CreateBinOp(Operation, extended(B, First, W), extended(B, Second, W));
      Sum = B.CreateBinaryIntrinsic(Intrinsic::smax, Sum, Number(APInt::getSignedMinValue(Bits)));
      return masked(B, B.CreateBinaryIntrinsic(Intrinsic::smin, Sum, Number(APInt::getSignedMaxValue(Bits))), T);
    };
    switch (Id) {
    case Intrinsic::ctpop:
      return B.CreateUnaryIntrinsic(Id, widened(First));
    case Intrinsic::cttz: // a one above the last bit stops the count
      return B.CreateIntrinsic(W, Id, {B.CreateOr(widened(First), APInt::getOneBitSet(WideBits, Bits)), B.getFalse()});
    case Intrinsic::ctlz:
      return B.CreateSub(B.CreateIntrinsic(W, Id, {widened(First), B.getFalse()}),
                         ConstantInt::get(W, WideBits - Bits));
    case Intrinsic::bitreverse:
      return B.CreateLShr(B.CreateUnaryIntrinsic(Id, widened(First)), WideBits - Bits);
    case Intrinsic::abs:
      return masked(B, B.CreateIntrinsic(W, Id, {extended(B, First, W), B.getFalse()}), T);
    case Intrinsic::umin:
    case Intrinsic::umax:
    case Intrinsic::usub_sat:
      return B.CreateBinaryIntrinsic(Id, widened(First), widened(Second));
    case Intrinsic::smin:
    case Intrinsic::smax:
      return masked(B, B.CreateBinaryIntrinsic(Id, extended(B, First, W), extended(B, Second, W)), T);
    case Intrinsic::uadd_sat:
      return B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateAdd(widened(First), widened(Second)),
                                     ConstantInt::get(W, APInt::getLowBitsSet(WideBits, Bits)));
    case Intrinsic::sadd_sat:
      return Clamped(Instruction::Add);
    case Intrinsic::ssub_sat:
      return Clamped(Instruction::Sub);
    default:
      return nullptr;
    }
  }

  /// An element of less than a byte, of numbers or a predicate read as such: some bits of the byte that it lies in.
  static Value *partOfByte(IRBuilderBase &B, ExtractElementInst &I, Type *W) {
    if (!isa<BitCastInst>(I.getVectorOperand()))
      return nullptr;
    auto *Index = dyn_cast<ConstantInt>(I.getIndexOperand());
    auto *Whole = cast<FixedVectorType>(I.getVectorOperandType());
    unsigned Bits = Whole->getScalarSizeInBits(), All = Bits * Whole->getNumElements();
    if (!Index || Index->getZExtValue() >= Whole->getNumElements() || 8 % Bits || All % 8)
      return nullptr;
    unsigned At = unsigned(Index->getZExtValue()) * Bits;
    Value *Source = I.getVectorOperand();
    while (auto *Cast = dyn_cast<BitCastInst>(Source))
      Source = Cast->getOperand(0);
    if (isPredicate(Source->getType()) && is_contained({8u, 16u, 32u}, All)) { // a number, which has no elements
      Value *Number = B.CreateLShr(B.CreateBitCast(Source, B.getIntNTy(All)), At);
      return masked(B, B.CreateTrunc(Number, W), I.getType());
    }
    Value *Bytes = B.CreateBitCast(registerOf(I.getVectorOperand()), FixedVectorType::get(B.getInt8Ty(), All / 8));
    return masked(B, B.CreateLShr(B.CreateExtractElement(Bytes, uint64_t(At / 8)), At % 8), I.getType());
  }

  /// With the sign in the highest bit, for signed comparisons.
  Value *atTop(IRBuilderBase &B, Value *Narrow) {
    Value *X = widened(Narrow);
    return B.CreateShl(X, X->getType()->getScalarSizeInBits() - Narrow->getType()->getScalarSizeInBits());
  }

  /// Narrow as a signed number in a legal type.
  Value *extended(IRBuilderBase &B, Value *Narrow, Type *Legal) {
    unsigned Above = Legal->getScalarSizeInBits() - Narrow->getType()->getScalarSizeInBits();
    return B.CreateAShr(B.CreateShl(B.CreateZExtOrTrunc(widened(Narrow), Legal), Above), Above);
  }

  /// Whether any bit (every bit) of a predicate that no register holds as a number is set.
  Value *wholePredicate(ICmpInst &I) {
    auto *Cast = dyn_cast<BitCastInst>(I.getOperand(0));
    auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
    if (!Cast || !C || !isPredicate(Cast->getSrcTy()) || !I.isEquality() || C->getBitWidth() <= 32 ||
        (!C->isZero() && !C->isMinusOne()))
      return nullptr;
    IRBuilder<> B(&I);
    Value *P = Cast->getOperand(0);
    Value *Yes = C->isZero() ? B.CreateOrReduce(P) : B.CreateAndReduce(P);
    return (I.getPredicate() == CmpInst::ICMP_EQ) == C->isMinusOne() ? Yes : B.CreateNot(Yes);
  }

  /// How many bits of such a predicate are set.
  Value *countOfBits(Instruction &I) {
    auto *Call = isa<TruncInst, ZExtInst>(I) ? dyn_cast<IntrinsicInst>(I.getOperand(0)) : nullptr;
    auto *Cast =
        Call && Call->getIntrinsicID() == Intrinsic::ctpop ? dyn_cast<BitCastInst>(firstArgument(*Call)) : nullptr;
    if (!Cast || !isPredicate(Cast->getSrcTy()) || Cast->getType()->getIntegerBitWidth() <= 32)
      return nullptr;
    IRBuilder<> B(&I);
    Type *T = FixedVectorType::get(B.getInt16Ty(), unsigned(countOf(Cast->getSrcTy())));
    Value *Ones = B.CreateSelect(Cast->getOperand(0), ConstantInt::get(T, 1), Constant::getNullValue(T));
    return B.CreateZExtOrTrunc(B.CreateAddReduce(Ones), I.getType());
  }

public:
  explicit Widener(const DataLayout &Layout) : Layout(Layout) {}

  /// What replaces a user of an odd integer that is none itself; null for all others.
  Value *replacement(Instruction &I) {
    if (auto *Compare = dyn_cast<ICmpInst>(&I))
      if (Value *New = wholePredicate(*Compare))
        return New;
    if (Value *New = countOfBits(I))
      return New;
    if (isOdd(I.getType()) || none_of(I.operands(), [](Use &U) { return isOdd(U->getType()); }))
      return nullptr;
    IRBuilder<> B(&I);
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      Value *L = I.getOperand(0), *R = I.getOperand(1);
      return Compare->isSigned() ? B.CreateICmp(Compare->getPredicate(), atTop(B, L), atTop(B, R))
                                 : B.CreateICmp(Compare->getPredicate(), widened(L), widened(R));
    }
    if (isa<ZExtInst>(I))
      return B.CreateZExtOrTrunc(widened(I.getOperand(0)), I.getType());
    if (isa<SExtInst>(I))
      return extended(B, I.getOperand(0), I.getType());
    if (isa<UIToFPInst>(I))
      return B.CreateUIToFP(widened(I.getOperand(0)), I.getType());
    if (isa<SIToFPInst>(I))
      return B.CreateSIToFP(extended(B, I.getOperand(0), wideType(I.getOperand(0)->getType())), I.getType());
    if (isa<TruncInst>(I) && !I.getType()->isIntOrIntVectorTy(1))
      return B.CreateTrunc(widened(I.getOperand(0)), I.getType());
    if (isa<TruncInst>(I)) {
      Value *X = widened(I.getOperand(0));
      return B.CreateICmpNE(B.CreateAnd(X, 1), Constant::getNullValue(X->getType()));
    }
    if (isa<BitCastInst>(I) && I.getOperand(0)->getType()->isIntegerTy() && I.getType()->isVectorTy()) {
      Value *X = widened(I.getOperand(0));
      unsigned All = X->getType()->getIntegerBitWidth() / I.getType()->getScalarSizeInBits();
      return firstElements(B, B.CreateBitCast(X, FixedVectorType::get(I.getType()->getScalarType(), All)),
                           countOf(I.getType()));
    }
    return nullptr;
  }
};

} // namespace

bool widenOddIntegers(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    Widener W(M.getDataLayout());
    SmallVector<Instruction *, 16> Users;
    for (Instruction &I : instructions(F))
      Users.push_back(&I);
    for (Instruction *I : Users)
      if (Value *New = W.replacement(*I)) {
        I->replaceAllUsesWith(New);
        I->eraseFromParent();
        Changed = true;
      }
    SmallVector<WeakTrackingVH, 16> Left;
    for (Instruction &I : instructions(F))
      if (isOdd(I.getType()->getScalarType()))
        Left.push_back(&I);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Left);
  }
  return Changed;
}

} // namespace pocm::gen
