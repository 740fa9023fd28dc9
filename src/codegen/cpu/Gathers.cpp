//===- Gathers.cpp - Elements that each have an address, without a branch for each ------------------===//
//
// Where the CPU has no instruction that gathers elements of a type, LLVM makes a branch for each lane of the mask. Most
// masks ask whether all is inside a surface, and nearly always it is: one branch asks for all lanes, and behind it
// nothing is left to ask. So, too, where the CPU has such instructions, but they take longer than the loads would.
//
//     %inside = icmp ult <16 x i32> %at, %size              br (all of %inside), straight, rare
//     %v = gather (gep T, %base, %at), %inside      ->    straight:
//                                                           %v0 = load T, (gep T, %base, lane 0 of %at)
//                                                           ... without a branch
//                                                         rare:
//                                                           %r = gather (gep T, %base, %at), %inside
//
// 32-bit indices leave their register in pairs; those at constant distances from the least need not be there. Masks
// that the data give, and the rare side, go without a branch, too, where the CPU has no instruction: lanes that are not
// wanted have the address of a place of their own.
//
//     %v = gather %addresses, %mask                 ->    %w = select %mask, %addresses, %nowhere
//                                                         %v0 = load T, (lane 0 of %w) ...
//
// Scatters alike, but those for which there is an instruction; where that is slow and places were computed one by one,
// they stay in scalar registers.
//
// Needs:    vectors of the size of registers; behind what knows loops by their blocks.
// Leaves:   gathers and scatters that the CPU has instructions for.
// Not done: masks of which some lane is nearly always off, on CPUs that gather slowly.
//
//===------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lanes.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/MaskedAccess.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What a vector of addresses is computed from, lane by lane.
SmallPtrSet<const Value *, 16> sourcesOf(const Value *Addresses) {
  constexpr unsigned Most = 32;
  SmallPtrSet<const Value *, 16> Sources{Addresses};
  SmallVector<const Value *, 8> Todo{Addresses};
  while (!Todo.empty() && Sources.size() < Most)
    if (auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
        I && isa<CastInst, BinaryOperator, GetElementPtrInst, ShuffleVectorInst, FreezeInst>(I))
      for (const Value *Operand : I->operands())
        if (Operand->getType()->isVectorTy() && !isa<Constant>(Operand) && Sources.insert(Operand).second)
          Todo.push_back(Operand);
  return Sources;
}

/// Whether a number is not more than another one.
bool isAtMost(Value *Number, std::uint64_t Most) {
  while (match(Number, m_Freeze(m_Value(Number))) || match(Number, m_Trunc(m_Value(Number))))
    ;
  return computeConstantRange(Number, false).getUnsignedMax().ule(Most);
}

/// A mask that asks whether some numbers are below a limit.
struct Below {
  Value *Numbers, *Limit;
  bool Including; ///< They may be the limit.

  static std::optional<Below> match(Value *Mask) {
    CmpPredicate How;
    Value *X, *Y;
    if (!PatternMatch::match(Mask, m_ICmp(How, m_Value(X), m_Value(Y))) || !CmpInst::isUnsigned(How))
      return std::nullopt;
    if (getSplatValue(X)) {
      std::swap(X, Y);
      How = ICmpInst::getSwappedCmpPredicate(How);
    }
    Value *Limit = getSplatValue(Y);
    if (!Limit || (How != ICmpInst::ICMP_ULT && How != ICmpInst::ICMP_ULE))
      return std::nullopt;
    return Below{X, Limit, How == ICmpInst::ICMP_ULE};
  }
};

/// Whether a mask asks only whether addresses, or what they are computed from, are below something.
bool asksForBounds(Value *Mask, const SmallPtrSetImpl<const Value *> &Sources) {
  Value *X, *Y;
  if (match(Mask, m_AllOnes()) || isa<PoisonValue>(Mask) || getSplatValue(Mask))
    return true;
  if (match(Mask, m_Freeze(m_Value(X))))
    return asksForBounds(X, Sources);
  if (match(Mask, m_LogicalAnd(m_Value(X), m_Value(Y))) || match(Mask, m_Shuffle(m_Value(X), m_Value(Y))))
    return asksForBounds(X, Sources) && asksForBounds(Y, Sources);
  auto Asked = Below::match(Mask);
  return Asked && any_of(sourcesOf(Asked->Numbers), [&](const Value *V) { return Sources.contains(V); });
}

/// Whether a 32-bit number is not negative where a lane of a mask is on.
bool isPositive(Lane Number, Lane Mask) {
  Value *X, *Y;
  if (match(Mask.Vector, m_Freeze(m_Value(X))))
    return isPositive(Number, Lane::of(X, Mask.Number));
  if (match(Mask.Vector, m_LogicalAnd(m_Value(X), m_Value(Y))))
    return isPositive(Number, Lane::of(X, Mask.Number)) || isPositive(Number, Lane::of(Y, Mask.Number));
  auto Asked = Below::match(Mask.Vector);
  return Asked && Lane::of(Asked->Numbers, Mask.Number) == Number &&
         Number.Vector->getType()->getScalarType()->isIntegerTy(32) &&
         isAtMost(Asked->Limit, (1U << 31) - Asked->Including);
}

/// The scalar that a lane was made of, where its vector was put together lane by lane, or what was computed with such.
Value *scalarOf(IRBuilder<> &B, Lane From, int Depth = 0) {
  constexpr int Deepest = 3; // operations
  if (Value *Splat = getSplatValue(From.Vector))
    return Splat;
  if (auto *I = dyn_cast<BinaryOperator>(From.Vector); I && Depth < Deepest) {
    Value *X = scalarOf(B, Lane::of(I->getOperand(0), From.Number), Depth + 1);
    Value *Y = X ? scalarOf(B, Lane::of(I->getOperand(1), From.Number), Depth + 1) : nullptr;
    return Y ? B.CreateBinOp(I->getOpcode(), X, Y) : nullptr;
  }
  for (Value *V = From.Vector; auto *Insert = dyn_cast<InsertElementInst>(V); V = Insert->getOperand(0)) {
    auto *At = dyn_cast<ConstantInt>(Insert->getOperand(2));
    if (!At)
      return nullptr;
    if (At->equalsInt(From.Number))
      return Insert->getOperand(1);
  }
  return nullptr;
}

/// The lanes of vectors of addresses in scalar registers.
class ScalarAddresses {
public:
  /// Of lanes that a mask has on.
  ScalarAddresses(IRBuilder<> &B, Value *Mask) : B(B), Mask(Mask) {}

  SmallVector<Value *, 32> of(Value *Addresses) {
    SmallVector<Value *, 32> Scalars;
    for (unsigned K = 0; K < unsigned(countOf(Addresses->getType())); K++)
      Scalars.push_back(of(Lane::of(Addresses, K), Lane::of(Mask, K)));
    return Scalars;
  }

private:
  IRBuilder<> &B;
  Value *const Mask;
  /// Of 32-bit integers. A lane that is none, as LLVM's passes leave those that nobody reads, is some number in them,
  /// or it would spoil the one beside it.
  DenseMap<Value *, Value *> PairsOf;
  DenseMap<std::pair<Value *, unsigned>, Value *> PairOf;
  DenseMap<Value *, Value *> Everywhere; ///< What vectors have in all lanes.

  Value *of(Lane Address, Lane MaskLane) {
    auto *Place = dyn_cast<GetElementPtrInst>(Address.Vector);
    if (!Place || Place->getNumIndices() != 1 || Place->getPointerOperandType()->isVectorTy())
      return B.CreateExtractElement(Address.Vector, Address.Number);
    return B.CreateGEP(Place->getSourceElementType(), Place->getPointerOperand(),
                       index(Lane::of(Place->getOperand(1), Address.Number), MaskLane));
  }

  /// Of a number that is a constant more than that of another lane, which is not negative: in the address that is free.
  Value *behindLeast(Value *Numbers, Lane From) {
    Value *Same;
    Constant *More;
    if (!match(From.Vector, m_c_Add(m_Value(Same), m_Constant(More))) &&
        !match(From.Vector, m_c_DisjointOr(m_Value(Same), m_Constant(More))))
      return nullptr;
    auto moreOf = [&](unsigned Number) { return dyn_cast_or_null<ConstantInt>(More->getAggregateElement(Number)); };
    std::optional<unsigned> Least; // lane of Numbers
    for (unsigned K = 0; K < unsigned(countOf(Numbers->getType())); K++) {
      const Lane Other = Lane::of(Numbers, K);
      if (Other.Vector != From.Vector || !moreOf(Other.Number) || !isPositive(Other, Lane::of(Mask, K)))
        continue;
      if (!Least || moreOf(Other.Number)->getValue().ult(moreOf(Lane::of(Numbers, *Least).Number)->getValue()))
        Least = K;
    }
    Value *Scalar = Least && Same->getType()->getScalarType()->isIntegerTy(32) ? inAllLanes(Same) : nullptr;
    if (!Scalar || !moreOf(From.Number))
      return nullptr;
    ConstantInt *First = moreOf(Lane::of(Numbers, *Least).Number);
    const APInt Distance = moreOf(From.Number)->getValue() - First->getValue();
    if (moreOf(From.Number)->getValue().ult(First->getValue()) || Distance.isNegative())
      return nullptr;
    return B.CreateAdd(B.CreateZExt(B.CreateAdd(Scalar, First), B.getInt64Ty()), B.getInt64(Distance.getZExtValue()));
  }

  /// What a vector has in all lanes; null where it is not seen to be one number.
  Value *inAllLanes(Value *V, int Depth = 0) {
    constexpr int Deepest = 4; // operations
    if (Value *Scalar = getSplatValue(V))
      return Scalar;
    if (Value *Scalar = Everywhere.lookup(V))
      return Scalar;
    Value *Scalar = nullptr;
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
        Shuffle && all_equal(Shuffle->getShuffleMask()) && Shuffle->getMaskValue(0) >= 0) {
      const Lane One = Lane::of(Shuffle, 0);
      Scalar = B.CreateExtractElement(One.Vector, One.Number);
    } else if (Depth == Deepest) {
      return nullptr;
    } else if (auto *Cast = dyn_cast<CastInst>(V);
               Cast && Cast->getSrcTy()->isVectorTy() && countOf(Cast->getSrcTy()) == countOf(Cast->getType())) {
      if (Value *From = inAllLanes(Cast->getOperand(0), Depth + 1))
        Scalar = B.CreateCast(Cast->getOpcode(), From, Cast->getType()->getScalarType());
    } else if (auto *I = dyn_cast<BinaryOperator>(V)) {
      Value *X = inAllLanes(I->getOperand(0), Depth + 1);
      if (Value *Y = X ? inAllLanes(I->getOperand(1), Depth + 1) : nullptr)
        Scalar = B.CreateBinOp(I->getOpcode(), X, Y);
    }
    if (Scalar)
      Everywhere[V] = Scalar;
    return Scalar;
  }

  Value *index(Lane From, Lane MaskLane) {
    Value *Narrow, *Number;
    if (match(From.Vector, m_ZExtOrSExt(m_Value(Narrow))))
      if (Value *Sum = behindLeast(Narrow, Lane::of(Narrow, From.Number)))
        return Sum;
    if (match(From.Vector, m_ZExt(m_Value(Narrow))))
      return number(Lane::of(Narrow, From.Number), false);
    if (!match(From.Vector, m_SExt(m_Value(Narrow))))
      return number(From, false);
    From = Lane::of(Narrow, From.Number);
    if (match(From.Vector, m_Xor(m_Value(Number), m_SignMask()))) { // as unsigned numbers are made signed ones
      const unsigned Bits = Narrow->getType()->getScalarSizeInBits();
      return B.CreateAdd(number(Lane::of(Number, From.Number), false), B.getInt64(-(1ULL << (Bits - 1))));
    }
    return number(From, !isPositive(From, MaskLane));
  }

  /// An integer, widened to 64 bits.
  Value *number(Lane From, bool Signed) {
    Type *T = From.Vector->getType(), *Wide = B.getInt64Ty();
    if (Value *Alone = scalarOf(B, From))
      return B.CreateIntCast(Alone, Wide, Signed);
    if (countOf(T) % 2 || !T->getScalarType()->isIntegerTy(32) ||
        !B.GetInsertBlock()->getModule()->getDataLayout().isLittleEndian())
      return B.CreateIntCast(B.CreateExtractElement(From.Vector, From.Number), Wide, Signed);
    Value *&Pairs = PairsOf[From.Vector];
    if (!Pairs)
      Pairs = B.CreateBitCast(B.CreateFreeze(From.Vector), FixedVectorType::get(Wide, unsigned(countOf(T)) / 2));
    Value *&Pair = PairOf[{From.Vector, From.Number / 2}];
    if (!Pair)
      Pair = B.CreateExtractElement(Pairs, From.Number / 2);
    if (From.Number % 2)
      return Signed ? B.CreateAShr(Pair, 32) : B.CreateLShr(Pair, 32);
    return B.CreateIntCast(B.CreateTrunc(Pair, B.getInt32Ty()), Wide, Signed);
  }
};

class Gathers {
public:
  Gathers(Function &F, const TargetMachine &Machine, bool GathersAreSlow)
      : F(F), Info(Machine.getTargetTransformInfo(F)), GathersAreSlow(GathersAreSlow) {}

  bool run() {
    SmallVector<IntrinsicInst *, 16> Calls;
    for (Instruction &I : instructions(F))
      if (MaskedAccess::is(I))
        Calls.push_back(cast<IntrinsicInst>(&I));
    bool Changed = false;
    for (IntrinsicInst *Call : Calls)
      Changed |= expand(MaskedAccess{*Call});
    return Changed;
  }

private:
  Function &F;
  const TargetTransformInfo Info;
  const bool GathersAreSlow;
  DenseMap<Type *, Value *> Places;

  bool hasInstruction(const MaskedAccess &A) const {
    return A.IsGather
               ? Info.isLegalMaskedGather(A.Type, A.Alignment) && !Info.forceScalarizeMaskedGather(A.Type, A.Alignment)
               : Info.isLegalMaskedScatter(A.Type, A.Alignment) &&
                     !Info.forceScalarizeMaskedScatter(A.Type, A.Alignment);
  }

  /// Whether addresses were computed one by one.
  static bool isMadeOfScalars(const MaskedAccess &A) {
    return any_of(sourcesOf(A.Addresses), [&](const Value *V) {
      auto *Insert = dyn_cast<InsertElementInst>(V);
      return Insert && countOf(Insert->getType()) > 1 && isa<InsertElementInst>(Insert->getOperand(0));
    });
  }

  bool expand(MaskedAccess A) {
    const bool HasInstruction = hasInstruction(A), HasBounds = asksForBounds(A.Mask, sourcesOf(A.Addresses));
    IRBuilder<> B(&A.Call);
    if (HasInstruction && !(GathersAreSlow && HasBounds && (A.IsGather || isMadeOfScalars(A))))
      return false;
    if (match(A.Mask, m_AllOnes())) {
      replace(A.Call, access(B, A, ScalarAddresses(B, A.Mask).of(A.Addresses)));
      return true;
    }
    if (!HasBounds) {
      replace(A.Call, accessSome(B, A));
      return true;
    }
    accessEasily(
        A, isOnEverywhere(B, A.Mask), MDBuilder(F.getContext()).createLikelyBranchWeights(),
        [&](IRBuilder<> &Straight) { return access(Straight, A, ScalarAddresses(Straight, A.Mask).of(A.Addresses)); });
    if (!HasInstruction) {
      B.SetInsertPoint(&A.Call);
      replace(A.Call, accessSome(B, A));
    }
    return true;
  }

  static void replace(Instruction &Old, Value *New) {
    if (New)
      Old.replaceAllUsesWith(New);
    Old.eraseFromParent();
  }

  /// Reads or writes each lane; what is read.
  static Value *access(IRBuilder<> &B, const MaskedAccess &A, ArrayRef<Value *> Lanes) {
    Type *Element = A.Type->getElementType();
    if (!A.IsGather) {
      for (auto [K, Lane] : enumerate(Lanes))
        B.CreateAlignedStore(B.CreateExtractElement(A.Data, K), Lane, A.Alignment);
      return nullptr;
    }
    Value *All = PoisonValue::get(A.Type);
    for (auto [K, Lane] : enumerate(Lanes))
      All = B.CreateInsertElement(All, B.CreateAlignedLoad(Element, Lane, A.Alignment), K);
    return All;
  }

  /// The same of the lanes of the mask.
  Value *accessSome(IRBuilder<> &B, const MaskedAccess &A) {
    Value *Wanted = B.CreateSelect(A.Mask, A.Addresses, B.CreateVectorSplat(A.Type->getNumElements(), nowhere(A)));
    SmallVector<Value *, 32> Lanes;
    for (unsigned K = 0; K < A.Type->getNumElements(); K++)
      Lanes.push_back(B.CreateExtractElement(Wanted, K));
    Value *All = access(B, A, Lanes);
    return All ? B.CreateSelect(A.Mask, All, A.Data) : nullptr;
  }

  /// A place for an element that nobody wants.
  Value *nowhere(const MaskedAccess &A) {
    Value *&Place = Places[A.Type->getElementType()];
    if (!Place) {
      IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
      auto *Slot = B.CreateAlloca(A.Type->getElementType());
      Slot->setAlignment(std::max(Slot->getAlign(), A.Alignment));
      Place = Slot;
    }
    return Place;
  }
};

} // namespace

bool expandGathers(Module &M, const TargetMachine &Machine, bool GathersAreSlow) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= Gathers(F, Machine, GathersAreSlow).run();
  return Changed;
}

} // namespace pocm::cpu
