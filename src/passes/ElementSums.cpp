//===- ElementSums.cpp - What a loop over elements carries --------------------===//
#include "passes/ElementSums.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// Intrinsics that do to each element what they do to one, with a type of their own for the result alone.
constexpr Intrinsic::ID OfEachElement[] = {
    Intrinsic::fma,      Intrinsic::fmuladd,  Intrinsic::fabs, Intrinsic::sqrt,     Intrinsic::minnum,
    Intrinsic::maxnum,   Intrinsic::floor,    Intrinsic::ceil, Intrinsic::trunc,    Intrinsic::smin,
    Intrinsic::smax,     Intrinsic::umin,     Intrinsic::umax, Intrinsic::sadd_sat, Intrinsic::uadd_sat,
    Intrinsic::ssub_sat, Intrinsic::usub_sat, Intrinsic::abs,  Intrinsic::fshl,     Intrinsic::fshr,
    Intrinsic::ctpop,    Intrinsic::ctlz,     Intrinsic::cttz};

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

/// What `Last` is where it is not what is carried, as in the other iterations.
Instruction *onlyWay(Instruction &Last, const PHINode &Phi, const Loop &L) {
  SmallVector<Value *, 4> Ways{&Last};
  if (auto *Merge = dyn_cast<PHINode>(&Last); Merge && Merge->getParent() != L.getHeader())
    Ways.assign(Merge->value_op_begin(), Merge->value_op_end());
  else if (auto *Choice = dyn_cast<SelectInst>(&Last))
    Ways = {Choice->getTrueValue(), Choice->getFalseValue()};
  erase(Ways, &Phi);
  return Ways.empty() || !all_equal(Ways) ? nullptr : dyn_cast<Instruction>(Ways[0]);
}

/// A sum of floats, whose order counts; what is added in each iteration may be a vector nevertheless.
std::optional<Sum> sumInOrder(PHINode &Phi, const Loop &L) {
  Instruction *Last = lastOf(Phi, L);
  if (!Last || !isStored(Phi.getType()) || !Phi.getType()->isFloatingPointTy())
    return std::nullopt;
  Instruction *Adds = onlyWay(*Last, Phi, L);
  if (!Adds || !adds(Adds, Phi))
    return std::nullopt;
  auto isForItself = [&](Instruction *I) {
    return all_of(I->users(),
                  [&](User *U) { return U == &Phi || U == Last || U == Adds || !L.contains(cast<Instruction>(U)); });
  };
  if (!isForItself(&Phi) || !isForItself(Adds) || !isForItself(Last))
    return std::nullopt;
  return Sum{&Phi, Last, RecurKind::FAdd, Adds};
}

/// How something new is put to what is carried, in any order of what is new.
std::optional<RecurKind> kindOf(const Instruction &Adds, const PHINode &Phi) {
  auto *Call = dyn_cast<IntrinsicInst>(&Adds);
  auto puts = [&](RecurKind Kind) {
    return RecurrenceDescriptor::isMinMaxRecurrenceKind(Kind)
               ? Call && Call->getIntrinsicID() == getMinMaxReductionIntrinsicOp(Kind)
               : Adds.getOpcode() == RecurrenceDescriptor::getOpcode(Kind);
  };
  if (Adds.getOpcode() == Instruction::Sub && Adds.getOperand(0) == &Phi)
    return RecurKind::Add;
  const auto *Kind = find_if(InAnyOrder, puts);
  return Kind == std::end(InAnyOrder) ? std::nullopt : std::optional(*Kind);
}

/// Whether a value depends on what is carried, in this iteration or in others.
bool dependsOn(const Value *V, const PHINode &Phi, const Loop &L, SmallPtrSetImpl<const Value *> &Seen) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || !Seen.insert(I).second)
    return false;
  return I == &Phi || any_of(I->operands(), [&](const Value *Operand) { return dependsOn(Operand, Phi, L, Seen); });
}

/// A sum of integers that others read on the way.
std::optional<Sum> runningSum(PHINode &Phi, const Loop &L) {
  Instruction *Last = lastOf(Phi, L);
  Instruction *Adds =
      Last && isStored(Phi.getType()) && Phi.getType()->isIntegerTy() ? onlyWay(*Last, Phi, L) : nullptr;
  const std::optional<RecurKind> Kind = Adds ? kindOf(*Adds, Phi) : std::nullopt;
  if (!Kind || !L.contains(Adds) || (Adds != Last && !Adds->hasOneUse()))
    return std::nullopt;
  const Sum Found{&Phi, Last, *Kind, Adds};
  SmallPtrSet<const Value *, 16> Seen;
  if (count(Adds->operands(), &Phi) != 1 || dependsOn(Found.addends()[0], Phi, L, Seen))
    return std::nullopt;
  auto isOfItself = [&](const BasicBlock *Block) { // when it is changed
    auto *Branch = Block->getTerminator();
    return Block != L.getLoopLatch() && Branch->getNumSuccessors() > 1 &&
           dependsOn(Branch->getOperand(0), Phi, L, Seen);
  };
  auto *Choice = dyn_cast<SelectInst>(Last);
  if (Choice ? dependsOn(Choice->getCondition(), Phi, L, Seen) : Adds != Last && any_of(L.blocks(), isOfItself))
    return std::nullopt;
  return Found;
}

/// What another iteration leaves to the next.
std::optional<Sum> formerValue(PHINode &Phi, const Loop &L) {
  Instruction *Last = lastOf(Phi, L);
  SmallPtrSet<const Value *, 16> Seen;
  if (!Last || !isStored(Phi.getType()) || dependsOn(Last, Phi, L, Seen))
    return std::nullopt;
  return Sum{&Phi, Last, RecurKind::None};
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

bool isForAll(const Value *Operand, const Instruction &I) {
  return isa<CallInst>(I) && isa<ConstantInt>(Operand) && Operand->getType()->isIntegerTy(1);
}

bool isArithmetic(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return is_contained(OfEachElement, Call->getIntrinsicID());
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return isElement(Cast->getSrcTy()) && isElement(Cast->getDestTy());
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(I);
}

const APInt *stepOf(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  auto *Counts = Phi.getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
  auto *Step =
      Counts && Counts->getLoop() == &L && Counts->isAffine() ? dyn_cast<SCEVConstant>(Counts->getOperand(1)) : nullptr;
  return Step ? &Step->getAPInt() : nullptr;
}

bool isReadBehind(const Instruction &I, const Loop &L) {
  return any_of(I.users(), [&](const User *U) { return !L.contains(cast<Instruction>(U)); });
}

SmallVector<Value *, 2> Sum::addends() const {
  if (isInOrder() && isa<CallInst>(Adds))
    return {Adds->getOperand(0), Adds->getOperand(1)};
  return {Adds->getOperand(Adds->getOperand(0) == Carried)};
}

Value *Sum::chosen() const { return otherOf(*cast<SelectInst>(Last), *Carried); }

std::optional<Sum> sumOf(PHINode &Phi, Loop &L) {
  if (std::optional<Sum> Found = sumInAnyOrder(Phi, L))
    return Found;
  if (std::optional<Sum> Found = sumInOrder(Phi, L))
    return Found;
  if (std::optional<Sum> Found = choice(Phi, L))
    return Found;
  if (std::optional<Sum> Found = runningSum(Phi, L))
    return Found;
  return formerValue(Phi, L);
}

} // namespace pocm
