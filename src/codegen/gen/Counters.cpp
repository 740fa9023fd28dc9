//===- Counters.cpp - Loops that ask for the next value of their counter ----------------------===//
//
//     loop:                                            loop:
//       %i = phi [0, %entry], [%next, %loop]             %i = phi [0, %entry], [%next, %loop]
//       %next = add nuw %i, 1                            ... %i ...
//       ... %i ...                               ->      %next = add nuw %i, 1
//       %more = icmp ult %i, 63                          %more = icmp ult %next, 64
//       br %more, %loop, %end                            br %more, %loop, %end
//
// Why:      a counter and its next value share a register when no point of the program needs both;
//           otherwise each iteration copies one to the other, in a block of its own that it jumps to.
// Needs:    loops as LLVM leaves them, whose conditions it writes with the smaller constant.
// Leaves:   conditions on sums that may wrap around, counters that start anywhere, and those that
//           are needed behind the loop.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// Whether a counter that starts at constants, and goes on by `Step` while it compares so with `Bound`, never wraps
/// around, its last value's sum included.
bool staysInRange(const PHINode &Counter, const Instruction &Next, CmpInst::Predicate P, const APInt &Step,
                  const APInt &Bound) {
  bool Signed = ICmpInst::isSigned(P), Up = Step.isStrictlyPositive();
  if (Up ? !ICmpInst::isLT(P) && !ICmpInst::isLE(P) : !ICmpInst::isGT(P) && !ICmpInst::isGE(P))
    return false;
  unsigned Bits = Step.getBitWidth(), Wide = Bits + 2; // where no sum wraps around
  auto widened = [&](const APInt &X) { return Signed ? X.sext(Wide) : X.zext(Wide); };
  APInt By = Step.sext(Wide);
  APInt Furthest = widened(Bound) + By; // the last value that goes on is on this side of the bound
  for (auto [V, From] : zip(Counter.incoming_values(), Counter.blocks())) {
    auto *Start = dyn_cast<ConstantInt>(V);
    if (!Start && (V != &Next || From != Next.getParent())) // another way around asks for nothing
      return false;
    if (Start)
      Furthest = Up ? APIntOps::smax(Furthest, widened(Start->getValue()))
                    : APIntOps::smin(Furthest, widened(Start->getValue()));
  }
  APInt Sum = Furthest + By;
  return Up ? Sum.sle(widened(Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits)))
            : Sum.sge(widened(Signed ? APInt::getSignedMinValue(Bits) : APInt::getZero(Bits)));
}

/// The condition of the loop's last branch, when only the branch needs it, asks for the next value.
bool compareNext(PHINode &Counter, BinaryOperator &Next, const APInt &Step) {
  auto *Branch = dyn_cast<BranchInst>(Next.getParent()->getTerminator());
  auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  auto *Bound = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Bound || Compare->getOperand(0) != &Counter || !Compare->hasOneUse() ||
      Compare->getParent() != Next.getParent() || Branch->getSuccessor(0) == Branch->getSuccessor(1) ||
      !is_contained(successors(Branch), Counter.getParent()))
    return false;
  CmpInst::Predicate GoesOn =
      Branch->getSuccessor(0) == Counter.getParent() ? Compare->getPredicate() : Compare->getInversePredicate();
  if (!Compare->isEquality() && !staysInRange(Counter, Next, GoesOn, Step, Bound->getValue()))
    return false;
  Next.dropPoisonGeneratingFlags(); // its last value was not looked at before
  Compare->dropPoisonGeneratingFlags();
  Compare->moveBefore(Branch->getIterator());
  Compare->setOperand(0, &Next);
  Compare->setOperand(1, ConstantInt::get(Bound->getType(), Bound->getValue() + Step));
  return true;
}

/// Computes the next value behind the last use of the counter, where nobody needs it earlier.
bool sink(PHINode &Counter, BinaryOperator &Next) {
  BasicBlock &Block = *Next.getParent();
  auto usedBy = [](const Instruction &User, const Value &V) { return is_contained(User.operands(), &V); };
  Instruction *Last = nullptr;
  for (Instruction &I : make_range(std::next(Next.getIterator()), Block.end())) {
    if (usedBy(I, Next))
      break;
    if (usedBy(I, Counter))
      Last = &I;
  }
  if (!Last)
    return false;
  Next.moveAfter(Last);
  return true;
}

} // namespace

bool countAhead(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (PHINode &Counter : Block.phis())
        for (Value *V : Counter.incoming_values()) {
          auto *Next = dyn_cast<BinaryOperator>(V);
          auto *Step =
              Next && Next->getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(Next->getOperand(1)) : nullptr;
          if (!Step || Next->getOperand(0) != &Counter)
            continue;
          Changed |= compareNext(Counter, *Next, Step->getValue());
          Changed |= sink(Counter, *Next);
        }
  return Changed;
}

} // namespace pocm::gen
