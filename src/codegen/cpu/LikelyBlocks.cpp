//===- LikelyBlocks.cpp - Gathers whose places mostly follow each other ------------------------------===//
//
// What was written for threads that have an element each finds it by arithmetic: clamped at the borders of an image,
// wrapped around at the end of a ring, by i / width and i % width. The places of a vector of such threads follow each
// other, but for a few: a comparison tells, and then they are a block.
//
//     %x = smin (smax (add %lanes, splat %first), 0), %last       %follow = all of (%x == splat (%x[0]) + <0, 1, 2 ..>)
//     %v = gather (gep float, %row, %x), %inside            ->    br (%follow and all of %inside), straight, rare
//                                                               straight:
//                                                                 %b = load <16 x float>, (gep float, %row, %x[0])
//                                                               rare:
//                                                                 %r = gather (gep float, %row, %x), %inside
//
// Scatters alike. Which do is found by following the arithmetic: additions keep the distance of lanes, limits and
// remainders mostly do, quotients mostly have none. Places that come from memory may be any.
//
// Needs:    vectors of the size of registers; behind what knows loops by their blocks.
// Leaves:   gathers and scatters in blocks of their own (Gathers.cpp).
//
//===------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/MaskedAccess.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// How far each lane of a vector is from the one before, mostly or always.
struct Step {
  int64_t Distance;
  bool Always = true;
};

class LaneSteps {
public:
  /// Nothing where that is not known.
  std::optional<Step> of(Value *V, unsigned Depth = 0) {
    constexpr unsigned Deepest = 24;
    if (auto *C = dyn_cast<Constant>(V))
      return ofConstant(*C);
    if (getSplatValue(V))
      return Step{0};
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Depth == Deepest)
      return std::nullopt;
    if (auto [Known, New] = Steps.try_emplace(V, std::nullopt); !New)
      return Known->second; // nothing of a value that is made of itself: of what it begins with, then
    const std::optional<Step> Found = ofInstruction(*I, Depth + 1);
    Steps[V] = Found;
    return Found;
  }

private:
  DenseMap<Value *, std::optional<Step>> Steps;

  static std::optional<Step> ofConstant(Constant &C) {
    auto element = [&](unsigned K) { return dyn_cast_or_null<ConstantInt>(C.getAggregateElement(K)); };
    std::optional<Step> All;
    for (unsigned K = 1; K < cast<FixedVectorType>(C.getType())->getNumElements(); ++K) {
      const ConstantInt *Before = element(K - 1), *One = element(K);
      if (!Before || !One || One->getBitWidth() > 64)
        return std::nullopt;
      const int64_t Distance = (One->getValue() - Before->getValue()).getSExtValue();
      if (All && All->Distance != Distance)
        return std::nullopt;
      All = Step{Distance};
    }
    return All;
  }

  /// Of a value that is one or the other of two: where one does not grow, that of the other.
  static std::optional<Step> either(std::optional<Step> X, std::optional<Step> Y) {
    if (!X || !Y || (X->Distance && Y->Distance && X->Distance != Y->Distance))
      return std::nullopt;
    return Step{X->Distance ? X->Distance : Y->Distance, false};
  }

  static std::optional<Step> sum(std::optional<Step> X, std::optional<Step> Y, int64_t Times) {
    if (!X || !Y)
      return std::nullopt;
    return Step{int64_t(uint64_t(X->Distance) + uint64_t(Y->Distance) * uint64_t(Times)), X->Always && Y->Always};
  }

  std::optional<Step> ofInstruction(Instruction &I, unsigned Depth) {
    if (isa<CastInst, FreezeInst>(I) && !isa<BitCastInst, PtrToIntInst, IntToPtrInst>(I))
      return of(I.getOperand(0), Depth);
    if (isa<SelectInst>(I))
      return either(of(I.getOperand(1), Depth), of(I.getOperand(2), Depth));
    if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I))
      return either(of(MinMax->getLHS(), Depth), of(MinMax->getRHS(), Depth));
    if (auto *Sum = dyn_cast<SaturatingInst>(&I)) {
      auto All =
          sum(of(Sum->getLHS(), Depth), of(Sum->getRHS(), Depth), Sum->getBinaryOp() == Instruction::Add ? 1 : -1);
      return All ? std::optional(Step{All->Distance, false}) : std::nullopt;
    }
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      for (Value *Incoming : Phi->incoming_values())
        if (auto One = of(Incoming, Depth))
          return One;
      return std::nullopt;
    }
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
      return ofShuffle(*Shuffle, Depth);
    return isa<BinaryOperator>(I) ? ofOperation(I, Depth) : std::nullopt;
  }

  std::optional<Step> ofOperation(Instruction &I, unsigned Depth) {
    const std::optional<Step> X = of(I.getOperand(0), Depth), Y = of(I.getOperand(1), Depth);
    if (!X || !Y)
      return std::nullopt;
    const APInt *Number;
    const bool IsKnown = match(I.getOperand(1), m_APInt(Number)) && Number->getActiveBits() < 63;
    const uint64_t Known = IsKnown ? Number->getZExtValue() : 0;
    const bool IsSame = X->Distance == 0 && Y->Distance == 0; // in all lanes
    auto mostly = [](int64_t Distance) { return Step{Distance, false}; };
    switch (I.getOpcode()) {
    case Instruction::Add:
      return sum(X, Y, 1);
    case Instruction::Sub:
      return sum(X, Y, -1);
    case Instruction::Xor:
      return either(X, Y);
    case Instruction::Or:
      return cast<PossiblyDisjointInst>(I).isDisjoint() ? sum(X, Y, 1) : either(X, Y);
    case Instruction::And: // the lower bits wrap around seldom, the upper ones change seldom
      if (IsKnown && X->Distance)
        return mostly(isMask_64(Known) ? X->Distance : 0);
      return either(X, Y);
    case Instruction::Mul:
      if (IsKnown)
        return Step{int64_t(uint64_t(X->Distance) * Known), X->Always};
      return IsSame ? X : std::nullopt;
    case Instruction::Shl:
      if (IsKnown)
        return Step{Known < 64 ? int64_t(uint64_t(X->Distance) << Known) : 0, X->Always};
      return IsSame ? X : std::nullopt;
    case Instruction::LShr:
    case Instruction::AShr:
      return mostly(IsKnown && Known < 63 ? X->Distance / (int64_t(1) << Known) : 0);
    case Instruction::UDiv:
    case Instruction::SDiv:
      return mostly(IsKnown && Known ? X->Distance / int64_t(Known) : 0);
    case Instruction::URem:
    case Instruction::SRem:
      return mostly(X->Distance);
    case Instruction::FDiv: // quotients of integers are taken in float
      return Y->Distance ? std::nullopt : std::optional(mostly(0));
    default:
      return std::nullopt;
    }
  }

  std::optional<Step> ofShuffle(ShuffleVectorInst &I, unsigned Depth) {
    const ArrayRef<int> From = I.getShuffleMask();
    const int Count = int(cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements());
    for (size_t K = 0; K < From.size(); ++K)
      if (From[K] != From[0] + int(K) || From[K] < 0)
        return std::nullopt;
    const std::optional<Step> First = of(I.getOperand(0), Depth);
    return From.back() < Count ? First : either(First, of(I.getOperand(1), Depth));
  }
};

/// Places of an access that may follow each other: a base and numbers of `Unit` bytes.
struct Places {
  Value *Base, *Numbers; ///< As narrow as they were computed.
  Type *Unit;
  int64_t Distance; ///< Of numbers whose elements follow each other.
  bool Signed;

  static std::optional<Places> of(const MaskedAccess &A, LaneSteps &Steps) {
    constexpr unsigned Fewest = 4;
    auto *Address = dyn_cast<GetElementPtrInst>(A.Addresses);
    if (!Address || Address->getNumIndices() != 1 || Address->getPointerOperandType()->isVectorTy() ||
        !Address->getOperand(1)->getType()->isVectorTy() || A.Type->getNumElements() < Fewest)
      return std::nullopt;
    const DataLayout &Layout = A.Call.getDataLayout();
    const uint64_t Bytes = Layout.getTypeStoreSize(A.Type->getElementType());
    const uint64_t UnitBytes = Layout.getTypeAllocSize(Address->getSourceElementType());
    if (Bytes * 8 != A.Type->getScalarSizeInBits() || !UnitBytes || Bytes % UnitBytes)
      return std::nullopt;
    Places All{Address->getPointerOperand(), Address->getOperand(1), Address->getSourceElementType(),
               int64_t(Bytes / UnitBytes), true};
    if (auto *Cast = dyn_cast<CastInst>(All.Numbers); Cast && isa<SExtInst, ZExtInst>(Cast)) {
      All.Numbers = Cast->getOperand(0);
      All.Signed = isa<SExtInst>(Cast);
    }
    const unsigned Bits = All.Numbers->getType()->getScalarSizeInBits();
    if (Bits < 64 && uint64_t(All.Distance) * (A.Type->getNumElements() - 1) >> (Bits - 1)) // they wrap around
      return std::nullopt;
    const std::optional<Step> Found = Steps.of(All.Numbers);
    // Those that always follow each other are blocks already, and here where they are not there as a whole.
    return Found && Found->Distance == All.Distance && !Found->Always ? std::optional(All) : std::nullopt;
  }
};

void accessAsBlock(const MaskedAccess &A, const Places &P) {
  IRBuilder<> B(&A.Call);
  const unsigned Count = A.Type->getNumElements();
  auto *T = cast<FixedVectorType>(P.Numbers->getType());
  Value *Numbers = B.CreateFreeze(P.Numbers), *First = B.CreateExtractElement(Numbers, uint64_t(0));
  SmallVector<Constant *, 64> Following;
  for (unsigned K = 0; K < Count; ++K)
    Following.push_back(ConstantInt::get(T->getElementType(), uint64_t(P.Distance) * K));
  Value *Follow =
      B.CreateICmpEQ(Numbers, B.CreateAdd(B.CreateVectorSplat(Count, First), ConstantVector::get(Following)));
  Value *Easy = isOnEverywhere(B, B.CreateAnd(Follow, B.CreateFreeze(A.Mask)));
  if (T->getScalarSizeInBits() < 64) { // what wraps around does not follow
    Value *Last = B.CreateExtractElement(Numbers, uint64_t(Count - 1));
    Easy = B.CreateAnd(Easy, P.Signed ? B.CreateICmpSLE(First, Last) : B.CreateICmpULE(First, Last));
  }
  accessEasily(A, Easy, nullptr, [&](IRBuilder<> &Straight) -> Value * {
    Value *Address = Straight.CreateGEP(P.Unit, P.Base, Straight.CreateIntCast(First, B.getInt64Ty(), P.Signed));
    if (A.IsGather)
      return Straight.CreateAlignedLoad(A.Type, Address, A.Alignment);
    Straight.CreateAlignedStore(A.Data, Address, A.Alignment);
    return nullptr;
  });
}

} // namespace

bool accessLikelyBlocks(Module &M) {
  constexpr unsigned Most = 64; // of a function: each is a branch
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<IntrinsicInst *, 16> Calls;
    for (Instruction &I : instructions(F))
      if (MaskedAccess::is(I) && Calls.size() < Most)
        Calls.push_back(cast<IntrinsicInst>(&I));
    LaneSteps Steps;
    for (IntrinsicInst *Call : Calls) {
      const MaskedAccess A{*Call};
      if (auto P = Places::of(A, Steps)) {
        accessAsBlock(A, *P);
        Changed = true;
      }
    }
  }
  return Changed;
}

} // namespace pocm::cpu
