//===- ScatteredBlocks.cpp - Scattered accesses to elements at equal distances ------------------===//
//
//     %at = add (shl (splat %t), 4), <0, 1, 2, ..>          first %t * 16, step 1
//     %at = %x, %x + 1, %x + 2, .. element by element       first %x, step 1
//
// Needs:    places as CM IR has them: vectors, and splats that are regions.
// Leaves:   places that are loaded, or permuted; few of many elements; scatters that leave gaps.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/llvm/ScatteredBlocks.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

uint64_t maskOf(const Type *T) { return maskTrailingOnes<uint64_t>(T->getScalarSizeInBits()); }

/// A scalar that all lanes have.
std::optional<Progression::Term> sameInAll(Value *V, uint64_t Factor) {
  if (Value *Same = getSplatValue(V))
    return Progression::Term{Same, -1, Factor};
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V); Shuffle && all_equal(Shuffle->getShuffleMask()))
    if (int Lane = Shuffle->getMaskValue(0); Lane >= 0 && Lane < countOf(Shuffle->getOperand(0)->getType()))
      return Progression::Term{Shuffle->getOperand(0), Lane, Factor};
  if (auto R = RegionRead::match(V); R && R->Where.isConstant())
    if (const int Lane = R->Where.element(0);
        Lane >= 0 && all_of(seq(R->count()), [&](int K) { return R->Where.element(K) == Lane; }))
      return Progression::Term{R->source(), Lane, Factor};
  return std::nullopt;
}

} // namespace

bool Progression::add(Value *V, uint64_t Factor, unsigned Depth) {
  constexpr unsigned MostDepth = 8;
  Value *X, *Y;
  const APInt *C;
  if (Depth == MostDepth)
    return false;
  if (auto *Numbers = dyn_cast<Constant>(V))
    return addNumbers(*Numbers, Factor);
  if (auto Same = sameInAll(V, Factor)) {
    Terms.push_back(*Same);
    return true;
  }
  if (isa<ZExtInst, SExtInst>(V))
    if (auto Same = sameInAll(cast<CastInst>(V)->getOperand(0), Factor)) {
      Terms.push_back(*Same);
      Terms.back().Signed = isa<SExtInst>(V);
      return true;
    }
  if (isa<InsertElementInst>(V))
    return addElements(V, Factor);
  if (match(V, m_AddLike(m_Value(X), m_Value(Y))))
    return add(X, Factor, Depth + 1) && add(Y, Factor, Depth + 1);
  if (match(V, m_Sub(m_Value(X), m_Value(Y))))
    return add(X, Factor, Depth + 1) && add(Y, -Factor, Depth + 1);
  if (match(V, m_Mul(m_Value(X), m_APInt(C))))
    return add(X, Factor * C->getZExtValue(), Depth + 1);
  if (match(V, m_Shl(m_Value(X), m_APInt(C))) && C->ult(C->getBitWidth()))
    return add(X, Factor << C->getZExtValue(), Depth + 1);
  return false;
}

/// Put together of scalars that are one of them and constants.
bool Progression::addElements(Value *V, uint64_t Factor) {
  constexpr unsigned MostInserts = 1024; // where nobody comes one may go on for ever
  SmallVector<Value *, 32> Elements(std::size_t(countOf(V->getType())), nullptr);
  uint64_t Place;
  unsigned Inserts = 0;
  for (Value *Rest = V, *Element;
       ++Inserts < MostInserts && match(Rest, m_InsertElt(m_Value(V), m_Value(Element), m_ConstantInt(Place)));
       Rest = V)
    if (Place < Elements.size() && !Elements[Place])
      Elements[Place] = Element;
  if (is_contained(Elements, nullptr))
    return false;
  const uint64_t Mask = maskOf(V->getType());
  auto taken = [](Value *Element) { // a constant off the sum
    const APInt *C;
    uint64_t Sum = 0;
    for (Value *X; match(Element, m_AddLike(m_Value(X), m_APInt(C))); Element = X)
      Sum += C->getZExtValue();
    return std::pair(Element, Sum);
  };
  const auto [Common, First] = taken(Elements[0]);
  auto ahead = [&](Value *Element) -> std::optional<uint64_t> {
    const auto [X, Sum] = taken(Element);
    return X == Common ? std::optional((Sum - First) & Mask) : std::nullopt;
  };
  auto By = ahead(Elements[1]);
  for (std::size_t N = 1; N < Elements.size(); ++N)
    if (!By || ahead(Elements[N]) != ((*By * N) & Mask))
      return false;
  Terms.push_back({Elements[0], -1, Factor});
  Step += Factor * *By;
  return true;
}

bool Progression::addNumbers(const Constant &C, uint64_t Factor) {
  auto Number = [&](int N) { return dyn_cast_or_null<ConstantInt>(C.getAggregateElement(unsigned(N))); };
  const int Count = countOf(C.getType());
  if (!Number(0))
    return false;
  const uint64_t First = Number(0)->getZExtValue();
  uint64_t By = 0;
  const uint64_t Mask = maskOf(C.getType());
  for (int N = 1; N < Count; ++N) {
    if (!Number(N))
      return false;
    const uint64_t Ahead = Number(N)->getZExtValue() - First;
    if (N == 1)
      By = Ahead;
    else if ((Ahead - By * uint64_t(N)) & Mask)
      return false;
  }
  Start += Factor * First;
  Step += Factor * By;
  return true;
}

Value *Progression::first(IRBuilder<> &B, Type *T, uint64_t More) const {
  Value *First = ConstantInt::get(T, (Start + More) & maskOf(T));
  for (const Term &Some : Terms) {
    Value *X = Some.Lane >= 0 && Some.Whole->getType()->isVectorTy()
                   ? B.CreateExtractElement(Some.Whole, uint64_t(Some.Lane))
                   : Some.Whole;
    First = B.CreateAdd(First,
                        B.CreateMul(B.CreateIntCast(X, T, Some.Signed), ConstantInt::get(T, Some.Factor & maskOf(T))));
  }
  return First;
}

namespace {

bool isRead(Op Operation) { return Operation == Op::Gather || Operation == Op::SvmGather; }
bool isWrite(Op Operation) { return Operation == Op::Scatter || Operation == Op::SvmScatter; }

Type *placeOf(const CallInst &Call) { return operandOf(Call, Role::Places)->getType()->getScalarType(); }

/// An access alone; nothing where its places have no step of whole elements.
std::optional<ScatteredBlock> alone(CallInst &Call) {
  Value *Places = operandOf(Call, Role::Places), *Wanted = operandOf(Call, Role::Predicate);
  Type *Data = dataTypeOf(Call);
  const bool All = match(Wanted, m_AllOnes());
  if ((!All && isa<Constant>(Wanted)) || countOf(Data) < 4 || countOf(Data) != countOf(Places->getType()))
    return std::nullopt;
  ScatteredBlock S;
  S.Wanted = All ? nullptr : Wanted;
  S.UnitBytes = 1;
  if (!isByAddress(Call)) {
    auto *Scale = dyn_cast<ConstantInt>(operandOf(Call, Role::Log2Scale));
    constexpr unsigned MostScale = 3;
    if (!Scale || Scale->getZExtValue() > MostScale)
      return std::nullopt;
    S.UnitBytes = 1u << Scale->getZExtValue();
  }
  S.ElementBytes = unsigned(elementBytes(Data));
  S.Lanes = unsigned(countOf(Data));
  if (S.ElementBytes % S.UnitBytes || !S.Places.add(Places, 1))
    return std::nullopt;
  if (!isByAddress(Call))
    S.Places.addScalar(operandOf(Call, Role::GlobalOffset));
  const int64_t Step = SignExtend64(S.Places.Step, placeOf(Call)->getIntegerBitWidth()),
                Units = S.ElementBytes / S.UnitBytes;
  constexpr int64_t MostStride = 8;
  if (!Step || Step % Units || std::abs(Step / Units) > MostStride)
    return std::nullopt;
  S.Stride = unsigned(std::abs(Step / Units));
  S.Reversed = Step < 0;
  S.Elements = (S.Lanes - 1) * S.Stride + 1;
  S.Before = S.Reversed ? S.Elements - 1 : 0;
  S.Accesses.push_back({&Call, 0});
  return S;
}

/// Whether what lanes that are not wanted keep is there in front of an access.
bool hasOldBefore(const CallInst &Call, const CallInst &First) {
  auto *Old = isRead(operationOf(&Call)) ? dyn_cast<Instruction>(operandOf(Call, Role::Old)) : nullptr;
  return !Old || Old->getParent() != First.getParent() || Old->comesBefore(&First);
}

/// Puts an access to others of its block; false where it is of another.
bool join(ScatteredBlock &All, const ScatteredBlock &One) {
  CallInst &First = *All.Accesses[0].Call, &Call = *One.Accesses[0].Call;
  if (operationOf(&First) != operationOf(&Call) || All.UnitBytes != One.UnitBytes ||
      All.ElementBytes != One.ElementBytes || All.Lanes != One.Lanes || All.Places.Step != One.Places.Step ||
      All.Places.Terms != One.Places.Terms || placeOf(First) != placeOf(Call) || All.Wanted != One.Wanted ||
      (All.Wanted && !hasOldBefore(Call, First)) ||
      (!isByAddress(First) && operandOf(First, Role::Surface) != operandOf(Call, Role::Surface)))
    return false;
  const int64_t Bytes =
      SignExtend64(One.Places.Start - All.Places.Start, placeOf(First)->getIntegerBitWidth()) * int64_t(All.UnitBytes);
  if (Bytes % int64_t(All.ElementBytes))
    return false;
  const int64_t Start = All.Accesses[0].Start + Bytes / int64_t(All.ElementBytes), Low = std::min<int64_t>(Start, 0),
                High = std::max<int64_t>(Start + One.Elements, All.Elements);
  if (All.Stride == 1 || High - Low > int64_t(All.Lanes) * All.Stride)
    return false;
  for (ScatteredBlock::Access &A : All.Accesses)
    A.Start -= Low;
  All.Accesses.push_back({&Call, Start - Low});
  All.Before -= Low;
  All.Elements = unsigned(High - Low);
  return true;
}

/// Whether a block pays: the elements between those that are wanted cost less than one access to each that is.
bool pays(const ScatteredBlock &Block) {
  constexpr unsigned MostBytes = 1024, EnoughLanes = 8, StrideOfOne = 4;
  if (Block.Stride == 1)
    return true;
  if (Block.Lanes < EnoughLanes || Block.Elements * Block.ElementBytes > MostBytes)
    return false;
  if (!Block.writes())
    return Block.Stride <= StrideOfOne || Block.Accesses.size() > 1;
  SmallVector<bool, 8> There(Block.Stride); // no gaps, and nothing twice
  for (const ScatteredBlock::Access &A : Block.Accesses)
    There[size_t(A.Start) % Block.Stride] = true;
  return Block.Accesses.size() == Block.Stride && Block.Elements == Block.Lanes * Block.Stride &&
         !is_contained(There, false);
}

} // namespace

bool isByAddress(const CallInst &Call) { return is_contained({Op::SvmGather, Op::SvmScatter}, operationOf(&Call)); }

Value *ScatteredBlock::begin(IRBuilder<> &B) const {
  CallInst &Call = *Accesses[0].Call;
  Value *First = Places.first(B, placeOf(Call), -uint64_t(Before) * (ElementBytes / UnitBytes));
  return B.CreateMul(B.CreateZExt(First, B.getInt64Ty()), B.getInt64(UnitBytes));
}

std::vector<ScatteredBlock> scatteredBlocks(Function &F) {
  unsigned Stack = 16384; // bytes, of those whose elements lie apart: what stands for them over the end is there
  std::vector<ScatteredBlock> All;
  for (BasicBlock &Block : F) {
    std::vector<ScatteredBlock> Reads, Writes;
    auto close = [&](std::vector<ScatteredBlock> &Open) {
      for (ScatteredBlock &S : Open)
        if (const unsigned Bytes = S.Stride == 1 ? 0 : S.Elements * S.ElementBytes; pays(S) && Bytes <= Stack) {
          Stack -= Bytes;
          All.push_back(std::move(S));
        }
      Open.clear();
    };
    for (Instruction &I : Block) {
      const Op Operation = operationOf(&I);
      if (!isWrite(Operation) && I.mayReadOrWriteMemory())
        close(Writes);
      if (changesMemory(I))
        close(Reads);
      if (!isRead(Operation) && !isWrite(Operation))
        continue;
      auto One = alone(cast<CallInst>(I));
      std::vector<ScatteredBlock> &Open = isRead(Operation) ? Reads : Writes;
      if (One && any_of(Open, [&](ScatteredBlock &Other) { return join(Other, *One); }))
        continue;
      if (isWrite(Operation)) // what is open may be the same memory
        close(Open);
      if (One)
        Open.push_back(std::move(*One));
    }
    close(Reads);
    close(Writes);
  }
  return All;
}

} // namespace pocm
