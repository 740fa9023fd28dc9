//===- Needs.cpp - Where, and on what condition, a value is needed ------------------------===//
#include "devices/check/Needs.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {
namespace {

/// LLVM brings no more than a few instructions in front of a choice.
constexpr unsigned MostSteps = 8, MostVisits = 128, MostNeeds = 8;

bool isPure(const Instruction &I) {
  return !isa<PHINode, AllocaInst>(I) && !I.isTerminator() && !I.mayHaveSideEffects() && !I.mayReadFromMemory();
}

class Walk {
public:
  explicit Walk(Instruction &Of) : Of(Of), Lanes(countOf(Of.getType())) {}

  SmallVector<Need, 1> run() {
    follow(Of, {}, /*ByLane=*/Of.getType()->isVectorTy(), 0);
    if (Everywhere)
      return {Need{&Of}};
    return std::move(Found);
  }

private:
  /// Goes on to what uses V, which is needed under these conditions. ByLane: lane k of V has what lane k of the value
  /// came to.
  void follow(Instruction &V, ArrayRef<Condition> Conditions, bool ByLane, unsigned Steps) {
    for (Use &U : V.uses()) {
      if (Everywhere)
        return;
      if (++Visits > MostVisits)
        Everywhere = true;
      else
        visit(U, Conditions, ByLane, Steps + 1);
    }
  }

  void visit(Use &U, ArrayRef<Condition> Before, bool ByLane, unsigned Steps) {
    auto &User = *cast<Instruction>(U.getUser());
    SmallVector<Condition, 2> Conditions(Before);
    if (auto *Select = dyn_cast<SelectInst>(&User); Select && U.getOperandNo() != 0) {
      Value *Is = Select->getCondition();
      if (Select->getTrueValue() != Select->getFalseValue() && (!Is->getType()->isVectorTy() || ByLane))
        Conditions.push_back({Is, U.getOperandNo() == 1});
    } else if (auto Write = RegionWrite::matchMasked(&User);
               Write && Write->mask() && ByLane && U.get() == Write->value() && Write->value() != Write->old()) {
      if (countOf(Write->mask()->getType()) == Lanes)
        Conditions.push_back({Write->mask(), true});
      ByLane &= isWhole(*Write);
    } else if (auto *Phi = dyn_cast<PHINode>(&User)) {
      return atEdge(*Phi, *Phi->getIncomingBlock(U), Conditions);
    } else if (!isElementWise(User)) {
      if (Value *Predicate = ByLane ? predicateOf(User, U) : nullptr)
        Conditions.push_back({Predicate, true});
      ByLane = false;
    }
    if (!isPure(User) || Steps >= MostSteps)
      return add(User, Conditions);
    if (User.use_empty()) // nobody needs it
      return;
    follow(User, Conditions, ByLane, Steps);
  }

  static bool isWhole(const RegionWrite &Write) {
    return !Write.Where.Dynamic && Write.count() == countOf(Write.Call->getType()) &&
           Write.Where.isIdentity(Write.count());
  }

  /// The predicate of a message whose lanes take what is used.
  Value *predicateOf(Instruction &I, Use &U) const {
    Op Operation = operationOf(&I);
    if (Operation == Op::None || !has(Operation, Role::Predicate))
      return nullptr;
    Value *Predicate = operandOf(cast<CallInst>(I), Role::Predicate);
    return countOf(U->getType()) == Lanes && countOf(Predicate->getType()) == Lanes ? Predicate : nullptr;
  }

  /// A value that comes into a block by an edge.
  void atEdge(PHINode &Phi, BasicBlock &From, SmallVector<Condition, 2> &Conditions) {
    auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
    if (Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1))
      Conditions.push_back({Branch->getCondition(), Branch->getSuccessor(0) == Phi.getParent()});
    add(*From.getTerminator(), Conditions);
  }

  void add(Instruction &At, ArrayRef<Condition> Conditions) {
    if (Conditions.empty() && At.getParent() == Of.getParent())
      Everywhere = true;
    if (any_of(Found, [&](const Need &N) {
          return N.At->getParent() == At.getParent() && ArrayRef(N.Conditions) == Conditions;
        }))
      return;
    if (Found.size() == MostNeeds)
      Everywhere = true;
    Found.push_back({&At, SmallVector<Condition, 2>(Conditions)});
  }

  Instruction &Of;
  const int Lanes;
  unsigned Visits = 0;
  bool Everywhere = false; ///< Always, or nothing better is known.
  SmallVector<Need, 1> Found;
};

Value *together(IRBuilderBase &B, ArrayRef<Condition> Conditions, bool Vectors) {
  Value *All = nullptr;
  for (const Condition &C : reverse(Conditions)) { // the outermost first: inner ones may be poison where it is false
    if (C.Is->getType()->isVectorTy() != Vectors)
      continue;
    Value *Holds = C.True ? C.Is : B.CreateNot(C.Is);
    All = All ? Vectors ? B.CreateAnd(All, Holds) : B.CreateLogicalAnd(All, Holds) : Holds;
  }
  return All;
}

} // namespace

Value *Need::whole(IRBuilderBase &B) const { return together(B, Conditions, /*Vectors=*/false); }
Value *Need::lanes(IRBuilderBase &B) const { return together(B, Conditions, /*Vectors=*/true); }

SmallVector<Need, 1> needsOf(Instruction &I) { return Walk(I).run(); }

} // namespace pocm::check
