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
// Halves that the CPU computes in float are compared and chosen there, one minimum after the other: as halves, LLVM
// would choose by masks of two comparisons. They are halves again where anybody else wants them, and lose nothing.
//
// Needs:    phis in their last form; of halves, no pass of LLVM's behind it, which would choose halves again.
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
#include "llvm/IR/ValueMap.h"
#include "llvm/Transforms/Utils/Local.h"

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
    if (isa<FPExtInst, FPTruncInst>(V))
      return (*this)(cast<CastInst>(V)->getOperand(0));
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

/// Minima of halves in float.
class HalvesInFloat {
public:
  Value *operator()(IRBuilder<> &B, Value *V) {
    if (Value *Float = Floats.lookup(V))
      return Float;
    return B.CreateFPExt(V, V->getType()->getWithNewType(B.getFloatTy()));
  }
  Value *half(IRBuilder<> &B, Value *Float, Type *T) {
    Value *Half = B.CreateFPTrunc(Float, T);
    Floats[Half] = Float;
    return Half;
  }

private:
  ValueMap<Value *, Value *> Floats; ///< Of halves that were made of them, and are still there.
};

/// A half that is chosen by a comparison of the two, as one that saturates is; never a NaN, of which a conversion would
/// change bits.
bool isComparedHalf(Instruction &I) {
  auto *Select = dyn_cast<SelectInst>(&I);
  auto *Comparison = Select ? dyn_cast<FCmpInst>(Select->getCondition()) : nullptr;
  if (!Comparison || !I.getType()->getScalarType()->isHalfTy() ||
      !is_contained(Comparison->operands(), Select->getTrueValue()) ||
      !is_contained(Comparison->operands(), Select->getFalseValue()))
    return false;
  const bool Ordered = FCmpInst::isOrdered(Comparison->getPredicate());
  return NeverNan(*I.getModule())(Ordered ? Select->getFalseValue() : Select->getTrueValue());
}

Value *chosenInFloat(IRBuilder<> &B, SelectInst &Select, HalvesInFloat &Float) {
  auto &Comparison = *cast<FCmpInst>(Select.getCondition());
  Value *X = Float(B, Comparison.getOperand(0)), *Y = Float(B, Comparison.getOperand(1));
  auto either = [&](Value *V) { return V == Comparison.getOperand(0) ? X : Y; };
  Value *Better = B.CreateFCmp(Comparison.getPredicate(), X, Y);
  return Float.half(B, B.CreateSelect(Better, either(Select.getTrueValue()), either(Select.getFalseValue())),
                    Select.getType());
}

} // namespace

bool takeMinima(Module &M, bool HasHalves) {
  bool Changed = false;
  for (Function &F : M) {
    HalvesInFloat Float;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (!HasHalves && isComparedHalf(I)) {
        IRBuilder<> B(&I);
        I.replaceAllUsesWith(chosenInFloat(B, cast<SelectInst>(I), Float));
        RecursivelyDeleteTriviallyDeadInstructions(&I);
        Changed = true;
        continue;
      }
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (!Call || !isMinimum(*Call))
        continue;
      auto Operands = withNumber(*Call);
      if (!Operands)
        continue;
      auto [Number, Other] = *Operands;
      IRBuilder<> B(Call);
      const bool InFloat = !HasHalves && Call->getType()->getScalarType()->isHalfTy();
      if (InFloat)
        Number = Float(B, Number), Other = Float(B, Other);
      Value *Better =
          Call->getIntrinsicID() == Intrinsic::minnum ? B.CreateFCmpOLT(Other, Number) : B.CreateFCmpOGT(Other, Number);
      Value *Chosen = B.CreateSelect(Better, Other, Number);
      Call->replaceAllUsesWith(InFloat ? Float.half(B, Chosen, Call->getType()) : Chosen);
      Call->eraseFromParent();
      Changed = true;
    }
  }
  return Changed;
}

} // namespace pocm::cpu
