//===- Changes.cpp - Parts of values that are read or changed, where known and where chosen ------===//
#include "codegen/llvm/Changes.h"
#include "ir/Intrinsics.h"

using namespace llvm;

namespace pocm {

bool canBeInMemory(const Value *V) {
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  return T && !T->getElementType()->isPointerTy() && T->getScalarSizeInBits() % 8 == 0;
}

std::optional<Change> Change::match(Value *V) {
  if (auto *I = dyn_cast<InsertElementInst>(V); I && canBeInMemory(I)) {
    auto *C = dyn_cast<ConstantInt>(I->getOperand(2));
    bool Known = C && C->getValue().ult(uint64_t(countOf(I->getType())));
    return Change{I, I->getOperand(0), I->getOperand(1), Region::contiguous(1, Known ? int(C->getZExtValue()) : 0),
                  Known ? nullptr : I->getOperand(2)};
  }
  auto W = RegionWrite::match(V);
  if (!W || !canBeInMemory(V) || (W->Where.Dynamic && W->Where.Dynamic->getType()->isVectorTy()))
    return std::nullopt;
  return Change{W->Call, W->old(), W->value(), W->Where};
}

std::optional<Part> Part::match(Value *V) {
  if (auto *I = dyn_cast<ExtractElementInst>(V); I && canBeInMemory(I->getVectorOperand())) {
    auto *C = dyn_cast<ConstantInt>(I->getIndexOperand());
    bool Known = C && C->getValue().ult(uint64_t(countOf(I->getVectorOperandType())));
    return Part{I, I->getVectorOperand(), Region::contiguous(1, Known ? int(C->getZExtValue()) : 0),
                Known ? nullptr : I->getIndexOperand()};
  }
  if (auto *I = dyn_cast<ShuffleVectorInst>(V); I && canBeInMemory(I->getOperand(0))) {
    int Element = I->getMaskValue(0);
    bool Same = all_equal(I->getShuffleMask()) && Element >= 0 && Element < countOf(I->getOperand(0)->getType());
    return Same ? std::optional(Part{I, I->getOperand(0), Region::contiguous(1, Element), nullptr, true})
                : std::nullopt;
  }
  auto R = RegionRead::match(V);
  if (!R || !canBeInMemory(R->source()))
    return std::nullopt;
  return Part{R->Call, R->source(), R->Where};
}

SmallVector<Use *, 4> tiesOf(Value *V) {
  SmallVector<Use *, 4> Ties;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !canBeInMemory(I))
    return Ties;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    for (Use &U : Phi->incoming_values())
      Ties.push_back(&U);
  } else if (Change::match(I) || isa<FreezeInst>(I) || (isa<BitCastInst>(I) && canBeInMemory(I->getOperand(0)))) {
    Ties.push_back(&I->getOperandUse(0));
  }
  return Ties;
}

bool changedByChoice(Value *V) {
  SmallVector<Value *, 8> Open = {V};
  SmallPtrSet<Value *, 16> Seen;
  while (!Open.empty()) {
    Value *Now = Open.pop_back_val();
    if (!Seen.insert(Now).second)
      continue;
    if (auto C = Change::match(Now); C && C->chosen())
      return true;
    if (auto W = RegionWrite::match(Now); W && W->Where.Dynamic) // at several places, which is no Change
      return true;
    for (Use *Tie : tiesOf(Now))
      Open.push_back(Tie->get());
  }
  return false;
}

} // namespace pocm
