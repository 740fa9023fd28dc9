//===- Minima.cpp - Minima and maxima with what is never NaN are one instruction ----------------===//
//
// minnum gives the number where one operand is NaN; x86's minimum gives its second operand. LLVM adds a comparison and
// a selection where it does not know which one may be NaN, and it knows nothing of values that a loop carries:
//
//     loop:                                              loop:
//       %least = phi [ 3e38, ... ], [ %next, %loop ]       %least = phi [ 3e38, ... ], [ %next, %loop ]
//       %next = minnum(%least, %x)                   ->    %next = select (%x olt %least), %x, %least
//
// A phi is no NaN if it begins with numbers and what the loop makes of it is none either, given that it was none
// before.
//
// Needs:    phis in their last form.
// Leaves:   minima of what may be NaN as LLVM has them.
// Not done: CPUs whose instruction is minnum.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

bool isMinimum(const IntrinsicInst &Call) {
  return Call.getIntrinsicID() == Intrinsic::minnum || Call.getIntrinsicID() == Intrinsic::maxnum;
}

/// Whether a value is never NaN: phis are taken for numbers while what they are made of is looked at.
class NeverNan {
public:
  explicit NeverNan(const Module &M) : Query(M.getDataLayout()) {}

  bool operator()(Value *V) {
    constexpr unsigned Most = 100; // values to look at
    if (++Seen > Most)
      return false;
    if (isKnownNeverNaN(V, Query))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(V))
      return !Met.insert(Phi).second || all_of(Phi->incoming_values(), [&](Value *In) { return (*this)(In); });
    if (auto *Call = dyn_cast<IntrinsicInst>(V); Call && isMinimum(*Call)) {
      auto [X, Y] = argumentsOf<2>(*Call);
      const auto Before = Met; // what did not turn out a number was none
      if ((*this)(X))
        return true;
      Met = Before;
      return (*this)(Y);
    }
    auto *Select = dyn_cast<SelectInst>(V);
    return Select && (isCompared(*Select) || (*this)(Select->getTrueValue())) && (*this)(Select->getFalseValue());
  }

private:
  /// What is taken where it is smaller or larger than something is no NaN.
  static bool isCompared(const SelectInst &Select) {
    auto *Comparison = dyn_cast<FCmpInst>(Select.getCondition());
    return Comparison && FCmpInst::isOrdered(Comparison->getPredicate()) &&
           is_contained(Comparison->operands(), Select.getTrueValue());
  }

  SimplifyQuery Query;
  SmallPtrSet<const PHINode *, 8> Met;
  unsigned Seen = 0;
};

/// The operand that is never NaN, and the other one.
std::optional<std::pair<Value *, Value *>> withNumber(IntrinsicInst &Call) {
  auto [X, Y] = argumentsOf<2>(Call);
  if (NeverNan(*Call.getModule())(X))
    return std::pair(X, Y);
  if (NeverNan(*Call.getModule())(Y))
    return std::pair(Y, X);
  return std::nullopt;
}

} // namespace

bool takeMinima(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call || !isMinimum(*Call))
        continue;
      auto Operands = withNumber(*Call);
      if (!Operands)
        continue;
      auto [Number, Other] = *Operands;
      IRBuilder<> B(Call);
      Value *Better =
          Call->getIntrinsicID() == Intrinsic::minnum ? B.CreateFCmpOLT(Other, Number) : B.CreateFCmpOGT(Other, Number);
      Call->replaceAllUsesWith(B.CreateSelect(Better, Other, Number));
      Call->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::cpu
