//===- EmitPredicates.cpp - Comparisons and predicates as vISA instructions -----------------===//
#include "codegen/gen/EmitPredicates.h"
#include "codegen/gen/Predicates.h"

using namespace llvm;

namespace pocm::gen {

void EmitPredicates::compare(CmpInst &I) {
  int Count = countOf(I.getType());
  Sign S = I.isUnsigned() ? Sign::Unsigned : Sign::Signed;
  Operand L = Operands.source(I.getOperand(0), Count, S);
  Operand R = Traps.isComparedTooEarly(I)
                  ? Operands.hiddenNumber(*ConstantInt::get(Type::getInt16Ty(Out.F.getContext()), 0), S)
                  : Operands.source(I.getOperand(1), Count, S);
  Out.add(Opcode::Cmp, Count, {named(&I), L, R}).part(conditionOf(I.getPredicate()));
}

Operand EmitPredicates::named(Instruction *Predicate) { return {NameOperand{Operands.predicateOf(Predicate)}}; }
Operand EmitPredicates::read(Value *Predicate) { return {NameOperand{Operands.predicate(Predicate)}}; }

/// A predicate of as many channels as compute with it, as logic needs: the lower ones of another get their own. LLVM
/// may find that what is computed from a choice is its condition, so these come up behind gen-operations, too.
Operand EmitPredicates::readWhole(Value *P) {
  Value *Whole = P;
  for (auto *I = dyn_cast<Instruction>(P); I && isLowerChannels(*I); I = dyn_cast<Instruction>(Whole))
    Whole = I->getOperand(0);
  const int Count = countOf(P->getType());
  if (countOf(Whole->getType()) == Count)
    return read(P);
  Declaration *Number = Out.declare(Type::getInt16Ty(Out.F.getContext()), 1, Sign::Unsigned);
  bits(Number, P, false);
  Declaration *Lower = Out.declarePredicate(unsigned(Count));
  Out.add(Opcode::Setp, Count, {{NameOperand{Lower}}, Builder::scalar(Number)}).forAll();
  return {NameOperand{Lower}};
}

void EmitPredicates::logic(BinaryOperator &I) {
  int Count = countOf(I.getType());
  SmallVector<Operand, 2> From;
  if (Value *Inverted = complemented(&I))
    From = {readWhole(Inverted)};
  else
    From = {readWhole(I.getOperand(0)), readWhole(I.getOperand(1))};
  From.insert(From.begin(), named(&I));
  Out.add(spellingOf(I)->Code, Count, From);
}

/// The bits of a predicate as a number; with zeros above them where only the lower ones are to be set.
void EmitPredicates::bits(Declaration *Number, Value *P, bool Widened) {
  Operand Flags = read(P);
  Out.add(Opcode::Mov, 1, {Builder::destination(Number), Flags});
  if (Widened)
    Out.add(Opcode::And, 1,
            {Builder::destination(Number),
             Builder::scalar(Number),
             {NumberOperand{(1u << countOf(P->getType())) - 1, ElementType::UW}}});
}

void EmitPredicates::widen(ShuffleVectorInst &I) {
  Declaration *Number = Out.declare(Type::getInt16Ty(Out.F.getContext()), 1, Sign::Unsigned);
  bits(Number, I.getOperand(0), true);
  Out.add(Opcode::Setp, countOf(I.getType()), {named(&I), Builder::scalar(Number)}).forAll();
}

void EmitPredicates::bitCast(BitCastInst &I) {
  if (isPredicate(I.getSrcTy())) {
    auto *Upper = dyn_cast<ShuffleVectorInst>(I.getOperand(0));
    if (!Upper || !isBaled(*Upper))
      Upper = nullptr;
    Declaration *Number = Operands.view(&I, I.getType()->getScalarType(), Sign::Unsigned);
    return bits(Number, Upper ? Upper->getOperand(0) : I.getOperand(0), Upper);
  }
  int Count = countOf(I.getType());
  Operand From = Operands.scalar(I.getOperand(0));
  Out.add(Opcode::Setp, Count, {named(&I), From});
}

} // namespace pocm::gen
