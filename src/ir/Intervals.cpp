//===- Intervals.cpp - What counters and places can be, where they are used -------------------------===//
#include "ir/Intervals.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

constexpr unsigned MostDepth = 4;      ///< Of what a value is made of, and of conditions, at a place.
constexpr unsigned MostConditions = 8; ///< That lead to a place.
constexpr unsigned MostSweeps = 64, MostValues = 4096;
constexpr unsigned Exact = 3;      ///< Sweeps before bounds that grow are moved on.
constexpr unsigned BackSweeps = 3; ///< When all have grown.

bool isNumber(const Value *V) { return V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64; }
unsigned bitsOf(const Value *V) { return V->getType()->getIntegerBitWidth(); }
ConstantRange anything(const Value *V) { return ConstantRange::getFull(bitsOf(V)); }

/// Whether an interval says more of a value than that it has a type.
bool isMade(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return ConstantRange::isIntrinsicSupported(Call->getIntrinsicID()) && isa<IntegerType>(I.getType());
  return isa<PHINode, BinaryOperator, SelectInst, ZExtInst, SExtInst, TruncInst>(I) &&
         all_of(I.operands(), [](const Value *V) { return !isa<Constant>(V) || isa<ConstantInt>(V); }) &&
         (!isa<CastInst>(I) || isNumber(I.getOperand(0)));
}

/// The largest interval without a step through the ends of signed numbers.
ConstantRange hull(const ConstantRange &A, const ConstantRange &B) { return A.unionWith(B, ConstantRange::Signed); }

} // namespace

Intervals::Intervals(const Function &F, const DominatorTree &Dominators, ArrayRef<Value *> Asked)
    : Dominators(Dominators) {
  collect(Asked);
  if (Values.size() > MostValues || !settle(F))
    Ranges.clear();
}

void Intervals::collect(ArrayRef<Value *> Asked) {
  SmallVector<Value *, 16> Open(Asked);
  while (!Open.empty()) {
    auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (!I || !isNumber(I) || !isMade(*I) || !Values.insert(I))
      continue;
    append_range(Open, I->operands());
    for (User *U : I->users())
      if (auto *Compared = dyn_cast<ICmpInst>(U))
        for (Value *Side : Compared->operands()) {
          Open.push_back(Side);
          if (auto *C = dyn_cast<ConstantInt>(Side))
            for (const std::int64_t Near : {-1, 0, 1})
              Steps.insert(C->getSExtValue() + Near);
        }
  }
}

/// False where it takes too long.
bool Intervals::settle(const Function &F) {
  DenseMap<const BasicBlock *, SmallVector<Instruction *, 4>> InBlock;
  for (Instruction *I : Values) {
    InBlock[I->getParent()].push_back(I);
    Ranges.insert_or_assign(I, Range::getEmpty(bitsOf(I)));
  }
  SmallVector<Instruction *, 32> InOrder;
  for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(&F))
    if (auto Some = InBlock.find(B); Some != InBlock.end()) {
      sort(Some->second, [](const Instruction *A, const Instruction *B) { return A->comesBefore(B); });
      append_range(InOrder, Some->second);
    }
  bool Changed = true;
  for (unsigned Sweep = 0; Changed && Sweep < MostSweeps; ++Sweep) {
    Changed = false;
    for (Instruction *I : InOrder) {
      const Range Before = known(I);
      Range Now = hull(Before, made(*I, I->getParent(), 0));
      if (Now == Before)
        continue;
      if (isa<PHINode>(I) && Sweep >= Exact)
        Now = wider(Before, Now);
      Ranges.insert_or_assign(I, Now);
      Changed = true;
    }
  }
  if (Changed)
    return false;
  // Some grew to what others were for a while only, or to a step that is too far.
  for (unsigned Sweep = 0; Sweep < BackSweeps; ++Sweep)
    for (Instruction *I : InOrder)
      Ranges.insert_or_assign(I, known(I).intersectWith(made(*I, I->getParent(), 0)));
  return true;
}

/// A bound that has moved goes on to the next step.
ConstantRange Intervals::wider(const Range &Before, const Range &Now) const {
  const unsigned Bits = Now.getBitWidth();
  if (Before.isEmptySet() || Now.isFullSet())
    return Now;
  APInt Low = Now.getSignedMin(), High = Now.getSignedMax();
  if (Low.slt(Before.getSignedMin())) {
    auto Next = Steps.upper_bound(Low.getSExtValue());
    Low = Next == Steps.begin() ? APInt::getSignedMinValue(Bits)
                                : APInt(Bits, std::uint64_t(*std::prev(Next)), true, true);
  }
  if (High.sgt(Before.getSignedMax())) {
    auto Next = Steps.lower_bound(High.getSExtValue());
    High = Next == Steps.end() ? APInt::getSignedMaxValue(Bits) : APInt(Bits, std::uint64_t(*Next), true, true);
  }
  return Range::getNonEmpty(Low, High + 1).unionWith(Now);
}

ConstantRange Intervals::known(Value *V) const {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return Range(C->getValue());
  auto Found = Ranges.find(V);
  return Found == Ranges.end() ? anything(V) : Found->second;
}

/// The branch that chooses the block behind this one; null when it does not.
static const BranchInst *choiceBehind(const BasicBlock &From) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  return Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1) ? Branch : nullptr;
}

/// In a block: by the conditions that lead there, and by what it is made of there.
ConstantRange Intervals::in(Value *V, const Block *Where, unsigned Depth) const {
  Range Now = known(V);
  if (isa<Constant>(V) || Depth > MostDepth)
    return Now;
  unsigned Conditions = 0;
  for (const auto *Node = Dominators.getNode(Where); Node && Conditions < MostConditions; Node = Node->getIDom()) {
    const BasicBlock *Here = Node->getBlock(), *From = Here->getSinglePredecessor();
    const BranchInst *Choice = From ? choiceBehind(*From) : nullptr;
    if (!Choice)
      continue;
    ++Conditions;
    Now = where(V, Now, Choice->getCondition(), Choice->getSuccessor(0) == Here, Depth);
  }
  if (auto *I = dyn_cast<Instruction>(V); I && Values.contains(I) && !isa<PHINode>(I) && I->getParent() != Where)
    Now = Now.intersectWith(made(*I, Where, Depth + 1));
  return Now;
}

/// Behind an edge.
ConstantRange Intervals::after(Value *V, const Block *From, const Block *To) const {
  Range Now = in(V, From, 1);
  const BranchInst *Choice = choiceBehind(*From);
  return Choice ? where(V, Now, Choice->getCondition(), Choice->getSuccessor(0) == To, 0) : Now;
}

/// What it is, where all that it is made of is what that is in a block.
ConstantRange Intervals::made(Instruction &I, const Block *Where, unsigned Depth) const {
  if (Depth > MostDepth)
    return anything(&I);
  auto operand = [&](unsigned N) { return in(I.getOperand(N), Where, Depth + 1); };
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    Range All = Range::getEmpty(bitsOf(Phi));
    for (auto [V, From] : zip(Phi->incoming_values(), Phi->blocks()))
      All = hull(All, after(V, From, Phi->getParent()));
    return All;
  }
  if (auto *Choice = dyn_cast<SelectInst>(&I))
    return hull(where(Choice->getTrueValue(), operand(1), Choice->getCondition(), true, Depth),
                where(Choice->getFalseValue(), operand(2), Choice->getCondition(), false, Depth));
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return operand(0).castOp(Cast->getOpcode(), bitsOf(&I));
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    SmallVector<Range, 2> Operands;
    for (Value *V : Call->args())
      Operands.push_back(in(V, Where, Depth + 1));
    return Range::intrinsic(Call->getIntrinsicID(), Operands);
  }
  const Range One = operand(0), Two = operand(1);
  if (One.isEmptySet() || Two.isEmptySet())
    return Range::getEmpty(bitsOf(&I));
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I); Or && Or->isDisjoint())
    return One.add(Two);
  return One.binaryOp(cast<BinaryOperator>(I).getOpcode(), Two);
}

/// What is left of an interval where a condition holds, or does not.
ConstantRange Intervals::where(Value *V, Range Now, Value *Condition, bool Holds, unsigned Depth) const {
  Value *A, *B;
  if (Depth < MostDepth && (Holds ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
                                  : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))))
    return where(V, where(V, Now, A, Holds, Depth + 1), B, Holds, Depth + 1);
  auto *Compared = dyn_cast<ICmpInst>(Condition);
  if (!Compared || !isNumber(Compared->getOperand(0)))
    return Now;
  CmpInst::Predicate Is = Holds ? Compared->getPredicate() : Compared->getInversePredicate();
  A = Compared->getOperand(0);
  B = Compared->getOperand(1);
  auto narrowed = [&](Value *Side, Range Values) {
    Value *Other = Side == A ? B : A;
    const CmpInst::Predicate By = Side == A ? Is : CmpInst::getSwappedPredicate(Is);
    return Values.intersectWith(Range::makeAllowedICmpRegion(By, known(Other)));
  };
  const APInt *Step;
  for (Value *Side : {A, B}) {
    if (Side == V)
      return narrowed(Side, Now);
    if (match(Side, m_Add(m_Specific(V), m_APInt(Step)))) // what it is a step away from is compared
      return Now.intersectWith(narrowed(Side, anything(V)).sub(Range(*Step)));
    if (match(V, m_Add(m_Specific(Side), m_APInt(Step)))) // or what that is
      return Now.intersectWith(narrowed(Side, known(Side)).add(Range(*Step)));
  }
  return Now;
}

} // namespace pocm
