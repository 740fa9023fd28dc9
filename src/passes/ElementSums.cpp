//===- ElementSums.cpp - What a loop over elements carries --------------------===//
#include "passes/ElementSums.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// What can be summed up in any order.
constexpr RecurKind InAnyOrder[] = {RecurKind::Add,  RecurKind::Mul,  RecurKind::Or,   RecurKind::And, RecurKind::Xor,
                                    RecurKind::SMin, RecurKind::SMax, RecurKind::UMin, RecurKind::UMax};

Instruction *lastOf(PHINode &Phi, const Loop &L) {
  auto *Last = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  return Last && L.contains(Last) ? Last : nullptr;
}

std::optional<Sum> sumInAnyOrder(PHINode &Phi, Loop &L) {
  RecurrenceDescriptor Found;
  if (!isStored(Phi.getType()) || !RecurrenceDescriptor::isReductionPHI(&Phi, &L, Found) ||
      !is_contained(InAnyOrder, Found.getRecurrenceKind()) || Found.getRecurrenceType() != Phi.getType() ||
      Found.getLoopExitInstr() != lastOf(Phi, L))
    return std::nullopt;
  return Sum{&Phi, Found.getLoopExitInstr(), Found.getRecurrenceKind()};
}

/// Whether something is added to what is carried.
bool adds(Value *V, const PHINode &Phi) {
  const bool IsSum = match(V, m_c_FAdd(m_Specific(&Phi), m_Value())) ||
                     match(V, m_Intrinsic<Intrinsic::fmuladd>(m_Value(), m_Value(), m_Specific(&Phi)));
  return IsSum && count(cast<Instruction>(V)->operands(), &Phi) == 1;
}

/// A sum of floats, whose order counts; what is added in each iteration may be a vector nevertheless.
std::optional<Sum> sumInOrder(PHINode &Phi, const Loop &L) {
  Instruction *Last = lastOf(Phi, L);
  if (!Last || !isStored(Phi.getType()) || !Phi.getType()->isFloatingPointTy())
    return std::nullopt;
  SmallVector<Value *, 4> Ways{Last}; // in some iterations it stays what it is
  if (auto *Merge = dyn_cast<PHINode>(Last); Merge && Merge->getParent() != L.getHeader())
    Ways.assign(Merge->value_op_begin(), Merge->value_op_end());
  else if (auto *Choice = dyn_cast<SelectInst>(Last))
    Ways = {Choice->getTrueValue(), Choice->getFalseValue()};
  erase(Ways, &Phi);
  if (Ways.empty() || !all_equal(Ways) || !adds(Ways[0], Phi))
    return std::nullopt;
  auto *Adds = cast<Instruction>(Ways[0]);
  auto isForItself = [&](Instruction *I) {
    return all_of(I->users(),
                  [&](User *U) { return U == &Phi || U == Last || U == Adds || !L.contains(cast<Instruction>(U)); });
  };
  if (!isForItself(&Phi) || !isForItself(Adds) || !isForItself(Last))
    return std::nullopt;
  return Sum{&Phi, Last, RecurKind::FAdd, Adds};
}

Value *otherOf(SelectInst &Choice, const Value &One) {
  return Choice.getTrueValue() == &One ? Choice.getFalseValue() : Choice.getTrueValue();
}

/// Something that it becomes when a condition is true in any iteration.
std::optional<Sum> choice(PHINode &Phi, const Loop &L) {
  auto *Last = dyn_cast_or_null<SelectInst>(lastOf(Phi, L));
  auto isInside = [&](Value *V) { return isa<Instruction>(V) && L.contains(cast<Instruction>(V)); };
  if (!Last || !isElement(Phi.getType()) || !Last->getCondition()->getType()->isIntegerTy(1) || !Phi.hasOneUse() ||
      !is_contained(ArrayRef{Last->getTrueValue(), Last->getFalseValue()}, &Phi) || isInside(otherOf(*Last, Phi)) ||
      any_of(Last->users(), [&](User *U) { return U != &Phi && isInside(U); }))
    return std::nullopt;
  return Sum{&Phi, Last, RecurKind::AnyOf};
}

} // namespace

SmallVector<Value *, 2> Sum::addends() const {
  if (isa<CallInst>(Adds))
    return {Adds->getOperand(0), Adds->getOperand(1)};
  return {Adds->getOperand(Adds->getOperand(0) == Carried)};
}

Value *Sum::chosen() const { return otherOf(*cast<SelectInst>(Last), *Carried); }

std::optional<Sum> sumOf(PHINode &Phi, Loop &L) {
  if (std::optional<Sum> Found = sumInAnyOrder(Phi, L))
    return Found;
  if (std::optional<Sum> Found = sumInOrder(Phi, L))
    return Found;
  return choice(Phi, L);
}

} // namespace pocm
