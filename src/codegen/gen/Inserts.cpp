//===- Inserts.cpp - One operation for the elements that are put into a vector ----------------===//
//
//     element 0 of %v := %x                     %c = <0, 1, 2, 3, ...>
//     element 1 of %v := %y + %x          ->    %v := %y * %c + %x
//     element 2 of %v := (%y << 1) + %x
//     element 3 of %v := %y * 3 + %x ...
//
// Why:      offsets into surfaces are often computed in such loops, which unrolling leaves as
//           two operations for each element.
// Needs:    whole vectors; unrolled loops simplified by LLVM.
// Leaves:   anything but sums of one value and a constant multiple of another.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr int FewestElements = 8; ///< That pay for the vector.

/// Scalars that are written to elements of a vector, one after another.
struct Inserts {
  Value *Base = nullptr;        ///< What the first one is written to.
  std::map<int, Value *> Value; ///< By element.
};

Inserts insertsUpTo(CallInst &Last) {
  Inserts All;
  Value *V = &Last;
  while (auto W = RegionWrite::match(V)) {
    bool Scalar = W->value()->getType()->isIntegerTy() &&
                  W->value()->getType()->getIntegerBitWidth() <= 32; // there is no multiplication of more bits
    if (!Scalar || !W->Where.isConstant() || W->Call->getParent() != Last.getParent() ||
        (V != &Last && !V->hasOneUse()))
      break;
    All.Value.try_emplace(W->Where.element(0), W->value()); // a later write wins
    V = W->old();
  }
  All.Base = V;
  return All;
}

/// V as a constant multiple of something; of nothing when it is 0.
std::pair<Value *, uint64_t> multiple(Value *V) {
  auto *I = dyn_cast<BinaryOperator>(V);
  auto *Number = I ? dyn_cast<ConstantInt>(I->getOperand(1)) : dyn_cast<ConstantInt>(V);
  if (!I && Number && Number->isZero())
    return {nullptr, 0};
  if (I && Number && I->getOpcode() == Instruction::Mul)
    return {I->getOperand(0), Number->getZExtValue()};
  if (I && Number && I->getOpcode() == Instruction::Shl && Number->getZExtValue() < 16)
    return {I->getOperand(0), uint64_t(1) << Number->getZExtValue()};
  return {V, 1};
}

struct Multiples {
  Value *Factor = nullptr;
  SmallVector<uint64_t, 16> Counts;
};

/// The values without their common summand as multiples of one factor.
std::optional<Multiples> multiplesOf(ArrayRef<Value *> Values, Value *Summand) {
  Multiples M;
  for (Value *V : Values) {
    Value *Rest = V;
    auto *Sum = dyn_cast<BinaryOperator>(V);
    if (V == Summand)
      Rest = Constant::getNullValue(V->getType());
    else if (Summand && Sum && Sum->getOpcode() == Instruction::Add && is_contained(Sum->operands(), Summand))
      Rest = Sum->getOperand(Sum->getOperand(0) == Summand ? 1 : 0);
    else if (Summand)
      return std::nullopt;
    auto [Factor, Count] = multiple(Rest);
    if (Factor && M.Factor && Factor != M.Factor)
      return std::nullopt;
    M.Factor = Factor ? Factor : M.Factor;
    if (Count > UINT16_MAX)
      return std::nullopt;
    M.Counts.push_back(Count);
  }
  if (!M.Factor || isa<Constant>(M.Factor) || all_of(M.Counts, [&](uint64_t N) { return N == M.Counts[0]; }))
    return std::nullopt;
  return M;
}

bool combine(CallInst &Last) {
  Inserts All = insertsUpTo(Last);
  int Count = int(All.Value.size());
  if (Count < FewestElements || !isPowerOf2_32(unsigned(Count)))
    return false;
  int First = All.Value.begin()->first;
  SmallVector<Value *, 16> Values;
  for (auto [Element, V] : All.Value) {
    if (Element != First + int(Values.size()))
      return false;
    Values.push_back(V);
  }
  SmallVector<Value *, 3> Summands{nullptr};
  if (auto *Sum = dyn_cast<BinaryOperator>(Values.back()); Sum && Sum->getOpcode() == Instruction::Add)
    Summands = {Sum->getOperand(0), Sum->getOperand(1)};
  for (Value *Summand : Summands) {
    auto M = multiplesOf(Values, Summand);
    if (!M || (Summand && isa<Constant>(Summand)))
      continue;
    IRBuilder<> B(&Last);
    auto *T = FixedVectorType::get(Values[0]->getType(), unsigned(Count));
    auto *Words = FixedVectorType::get(B.getInt16Ty(), unsigned(Count));
    SmallVector<Constant *, 16> Numbers;
    for (uint64_t N : M->Counts)
      Numbers.push_back(B.getInt16(uint16_t(N)));
    // In words, which the multiplication takes as they are.
    Value *Counts =
        RegionWrite::create(B, PoisonValue::get(Words), ConstantVector::get(Numbers), Region::contiguous(Count));
    Value *Vector = B.CreateMul(splat(B, M->Factor, T), B.CreateZExtOrTrunc(Counts, T));
    if (Summand)
      Vector = B.CreateAdd(Vector, splat(B, Summand, T));
    Value *New = RegionWrite::create(B, All.Base, Vector, Region::contiguous(Count, First));
    Last.replaceAllUsesWith(New);
    RecursivelyDeleteTriviallyDeadInstructions(&Last);
    return true;
  }
  return false;
}

} // namespace

bool combineInserts(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<WeakTrackingVH, 16> Ends;
    for (Instruction &I : instructions(F))
      if (RegionWrite::match(&I) && none_of(I.users(), [&](User *U) {
            auto W = RegionWrite::match(U);
            return W && W->old() == &I && I.hasOneUse() && !W->value()->getType()->isVectorTy();
          }))
        Ends.push_back(&I);
    for (WeakTrackingVH &End : Ends)
      if (auto *Last = dyn_cast_or_null<CallInst>(static_cast<Value *>(End)))
        Changed |= combine(*Last);
  }
  return Changed;
}

} // namespace pocm::gen
