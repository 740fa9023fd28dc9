//===- Denormals.cpp - Denormal numbers that the CPU does not flush itself -------------------===//
//
//     %s = fadd <16 x half> %a, %b    ->   %x = cm.flush(%a)               of what may be denormal
//                                          %t = fadd %x, cm.flush(%b)
//                                          %s = cm.flush(%t)
//
// A kernel's float control says for half, float and double whether denormal inputs and results count as zero of their
// sign. The CPU's own control does that for float and double alike, never for half, and not in functions of the C
// library that work on bits; what it does not do, is done here by the numbers' bits. Moving and selecting numbers
// leaves them as they are.
//
// Behind LLVM's passes (expandFlushes), for those would make comparisons of floats of the comparisons of bits, as they
// leave out llvm.canonicalize in front of some:
//
//     cm.flush(%x)                    ->   %i = bitcast %x to i16
//                                          (%i & 0x7C00) == 0 ? %i & 0x8000 : %i
//
// Needs:    arithmetic with its types in full: halves fused or not, systolic products apart.
// Leaves:   cm.flush, which nobody simplifies, for expandFlushes.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/Magnitudes.h"
#include "codegen/llvm/Changes.h"
#include "ir/Intrinsics.h"
#include "ir/Region.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

bool isCall(const Value *V, Intrinsic::ID Id) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Id;
}

/// Whether an instruction computes with floats, not only moves them or gives them another sign.
bool computes(const Instruction &I) {
  if (isa<FCmpInst, FPExtInst, FPTruncInst>(I))
    return true;
  if (isa<BinaryOperator>(I))
    return I.getType()->isFPOrFPVectorTy();
  if (is_contained({Op::ReciprocalSqrt, Op::Saturate, Op::ExactQuotient, Op::ExactRoot}, operationOf(&I)))
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Intrinsic::ID Id = Call->getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::is_fpclass:
    return false;
  case Intrinsic::ldexp:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
    return true;
  default:
    return isTriviallyVectorizable(Id);
  }
}

/// Whether the C library computes it, by the bits of its operands.
bool isOfLibrary(const Instruction &I) {
  static constexpr Intrinsic::ID Functions[] = {
#define VECTOR_MATH(name, operands) Intrinsic::name,
#include "codegen/cpu/VectorMath.def"
  };
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return I.getOpcode() == Instruction::FRem || (Call && is_contained(Functions, Call->getIntrinsicID()));
}

/// Whether the result may be denormal although no operand is.
bool makesDenormals(Instruction &I) {
  if (isa<BinaryOperator, FPTruncInst>(I) && staysNormal(&I))
    return false;
  if (isa<FCmpInst, FPExtInst>(I) || is_contained({Op::ReciprocalSqrt, Op::Saturate, Op::ExactRoot}, operationOf(&I)))
    return false;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return !Call || !choosesRoundsOrTakesRoot(Call->getIntrinsicID());
}

bool hasDenormals(const Constant &C) {
  auto IsDenormal = [](const Constant *Element) {
    auto *Number = dyn_cast_or_null<ConstantFP>(Element);
    return Number ? Number->getValueAPF().isDenormal() : !isa_and_nonnull<UndefValue>(Element);
  };
  if (!C.getType()->isVectorTy())
    return IsDenormal(&C);
  return any_of(seq(countOf(C.getType())), [&](int K) { return IsDenormal(C.getAggregateElement(unsigned(K))); });
}

class Flusher {
  Function &F;
  const DenormalTypes &Which;
  DenseMap<Value *, Value *> Known;

  bool concerns(const Type *T) const { return Which.contains(T->getScalarType()); }

  /// Whether no element can be denormal any more; values that depend on themselves are asked about the rest.
  bool isFlushed(Value *V, SmallPtrSetImpl<Value *> &Seen) {
    constexpr unsigned Most = 64;
    if (auto *C = dyn_cast<Constant>(V))
      return !hasDenormals(*C);
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Seen.size() > Most)
      return false;
    if (!Seen.insert(V).second || isa<SIToFPInst, UIToFPInst>(I) || operationOf(I) == Op::Flush)
      return true;
    if (computes(*I))
      return !makesDenormals(*I);
    auto All = [&](ArrayRef<Value *> From) { return all_of(From, [&](Value *X) { return isFlushed(X, Seen); }); };
    if (auto R = RegionRead::match(I))
      return All(R->source());
    if (auto W = RegionWrite::matchMasked(I))
      return All({W->old(), W->value()});
    if (isa<SelectInst>(I))
      return All({I->getOperand(1), I->getOperand(2)});
    if (isa<InsertElementInst, ShuffleVectorInst>(I))
      return All({I->getOperand(0), I->getOperand(1)});
    if (isa<ExtractElementInst, FreezeInst, UnaryOperator>(I) || isCall(I, Intrinsic::fabs) ||
        isCall(I, Intrinsic::copysign))
      return All(I->getOperand(0));
    if (auto *Phi = dyn_cast<PHINode>(I))
      return all_of(Phi->incoming_values(), [&](Value *X) { return isFlushed(X, Seen); });
    return false;
  }

  /// Of what is read from a vector that is small, or read in several places: all of it is flushed, once, and perhaps in
  /// front of a loop. Null for others, and for what is changed at places chosen at run time, which is in memory.
  Value *partOfFlushed(Value *V, unsigned Depth) {
    constexpr int Small = 64, Most = 256; // bytes
    constexpr unsigned Deepest = 16;      // parts of parts
    if (Depth == Deepest)
      return nullptr;
    auto *I = dyn_cast<Instruction>(V);
    auto Read = I ? RegionRead::match(I) : std::nullopt;
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
    if (!Read && !(Shuffle && isa<PoisonValue>(Shuffle->getOperand(1))) && !isa<ExtractElementInst>(V))
      return nullptr;
    Value *Source = Read ? Read->source() : I->getOperand(0);
    const int Bytes = countOf(Source->getType()) * elementBytes(Source->getType());
    if (isa<Constant>(Source) || isa<InsertElementInst>(Source) || changedByChoice(Source) ||
        (Bytes > Small && (Bytes > Most || Source->hasOneUse())))
      return nullptr;
    Value *All = flushed(Source, Depth + 1);
    IRBuilder<> B(I->getNextNode());
    if (Read)
      return RegionRead::create(B, I->getType(), All, Read->Where);
    Instruction *Same = B.Insert(I->clone());
    Same->setOperand(0, All);
    return Same;
  }

  Value *flushed(Value *V, unsigned Depth = 0) {
    SmallPtrSet<Value *, 16> Seen;
    if (isFlushed(V, Seen))
      return V;
    if (Value *Before = Known.lookup(V))
      return Before;
    Value *New = partOfFlushed(V, Depth);
    if (!New) {
      auto *I = dyn_cast<Instruction>(V);
      IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
      if (I)
        B.SetInsertPoint(*I->getInsertionPointAfterDef());
      New = createOperation(B, Op::Flush, V->getType(), {V});
    }
    return Known[V] = New;
  }

public:
  Flusher(Function &F, const DenormalTypes &Which) : F(F), Which(Which) {}

  bool run() {
    SmallVector<Instruction *, 64> All;
    for (Instruction &I : instructions(F))
      if (computes(I) &&
          (concerns(I.getType()) || any_of(I.operands(), [&](const Use &U) { return concerns(U->getType()); })))
        All.push_back(&I);
    for (Instruction *I : All)
      if (concerns(I->getType()) && makesDenormals(*I)) {
        IRBuilder<> B(I->getNextNode());
        Value *New = createOperation(B, Op::Flush, I->getType(), {I});
        I->replaceUsesWithIf(New, [&](Use &U) { return U.getUser() != New; });
      }
    for (Instruction *I : All)
      for (Use &U : I->operands())
        if (concerns(U->getType()))
          U.set(flushed(U.get()));
    return !All.empty();
  }
};

Value *zeroInstead(IRBuilder<> &B, Value *X) {
  const fltSemantics &Format = X->getType()->getScalarType()->getFltSemantics();
  unsigned Size = X->getType()->getScalarSizeInBits();
  Type *Bits = X->getType()->getWithNewType(B.getIntNTy(Size));
  APInt Exponent = APFloat::getInf(Format).bitcastToAPInt();
  Value *Raw = B.CreateBitCast(X, Bits);
  Value *Small = B.CreateICmpEQ(B.CreateAnd(Raw, ConstantInt::get(Bits, Exponent)), Constant::getNullValue(Bits));
  Value *Sign = B.CreateAnd(Raw, ConstantInt::get(Bits, APInt::getSignMask(Size)));
  return B.CreateBitCast(B.CreateSelect(Small, Sign, Raw), X->getType());
}

} // namespace

bool choosesRoundsOrTakesRoot(Intrinsic::ID Function) {
  switch (Function) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::sqrt:
  case Intrinsic::vector_reduce_fmax:
  case Intrinsic::vector_reduce_fmin:
    return true;
  default:
    return false;
  }
}

bool DenormalTypes::contains(const Type *T) const {
  return (T->isHalfTy() && Half) || (T->isFloatTy() && Float) || (T->isDoubleTy() && Double);
}

DenormalTypes DenormalTypes::halves(unsigned FloatControl) { return {!(FloatControl & HalfDenormals), false, false}; }

DenormalTypes DenormalTypes::others(unsigned FloatControl) {
  bool Float = FloatControl & FloatDenormals, Double = FloatControl & DoubleDenormals;
  return {false, !Float && Double, Float && !Double}; // else the CPU's control does it
}

bool flushDenormals(Function &F, const DenormalTypes &Which) { return Flusher(F, Which).run(); }

bool flushFunctions(Function &F, unsigned FloatControl) {
  const DenormalTypes Which{false, !(FloatControl & FloatDenormals), !(FloatControl & DoubleDenormals)};
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Type *T = I.getType();
    if (!isOfLibrary(I) || !Which.contains(T->getScalarType()))
      continue;
    IRBuilder<> B(&I);
    for (Use &U : I.operands())
      if (U->getType() == T)
        U.set(createOperation(B, Op::Flush, T, {U.get()}));
    B.SetInsertPoint(I.getNextNode());
    Value *Result = createOperation(B, Op::Flush, T, {&I});
    I.replaceUsesWithIf(Result, [&](Use &U) { return U.getUser() != Result; });
    Changed = true;
  }
  return Changed;
}

void expandFlushes(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (asOperation(&I, Op::Flush)) {
      IRBuilder<> B(&I);
      I.replaceAllUsesWith(zeroInstead(B, I.getOperand(0)));
      I.eraseFromParent();
    }
}

} // namespace pocm::cpu
