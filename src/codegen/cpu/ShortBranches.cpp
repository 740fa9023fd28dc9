//===- ShortBranches.cpp - Few instructions under a mask need no branch -----------------------===//
//
//     SIMD_IF_BEGIN((x & 1) == 1) { x = x * 3 + 1; } SIMD_IF_END;
//
//     br (%mask == 0), %join, %then                      %new = add (mul %x, 3), 1
//   then:                                                %r = select %channels, %new, %x
//     %new = add (mul %x, 3), 1
//     %r = select %channels, %new, %x            ->
//   join:
//     %v = phi [%x], [%r]                                %v is %r
//
// A branch around what no channel needs takes more time than a few instructions, where channels go several ways it is
// not foreseen, and the mask has to leave its register for it. Without a channel the selection is what the branch
// around would have left: no choice is made for it.
//
// What is read in front of such a branch and used behind it only was moved behind it by LLVM, so that a branch around a
// sum became one around a read. Blocks of surfaces are therefore read anyway, while they are messages.
//
// Masks are bits of an integer or, where the CPU has registers for them, vectors of bits (MaskRegisters.cpp).
//
// Needs:    vectors of the size of registers.
// Leaves:   blocks joined, for LLVM to simplify.
// Not done: what writes memory or reads other than blocks of surfaces, divides or calls; values that are not the same
//           without a channel.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Messages.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

constexpr unsigned Few = 10;

/// A block that is entered under a condition only, and leads to where the branch around it goes.
struct Under {
  BranchInst *Branch;
  BasicBlock *Then, *Join;
  bool WhenTrue; ///< The branch goes to Join where its condition holds.

  static std::optional<Under> match(BasicBlock &Then) {
    BasicBlock *Head = Then.getSinglePredecessor(), *Join = Then.getSingleSuccessor();
    auto *Branch = Head ? dyn_cast<BranchInst>(Head->getTerminator()) : nullptr;
    if (!Branch || !Branch->isConditional() || !Join || Join == &Then || Then.hasAddressTaken())
      return std::nullopt;
    const bool WhenTrue = Branch->getSuccessor(0) == Join;
    if (Branch->getSuccessor(WhenTrue ? 0 : 1) != Join || Branch->getSuccessor(WhenTrue ? 1 : 0) != &Then)
      return std::nullopt;
    return Under{Branch, &Then, Join, WhenTrue};
  }
};

/// Bits of a vector, where an integer is that.
Value *vectorOf(Value *V) {
  Value *Vector;
  return match(V, m_BitCast(m_Value(Vector))) && Vector->getType()->isIntOrIntVectorTy(1) ? Vector : nullptr;
}

/// What is known to be zero where a condition holds, or does not; null if nothing.
struct Zero {
  Value *V = nullptr;
  APInt Bits = APInt(); ///< A mask of those that are.
  bool Inverse = false; ///< V is all ones instead: what its complement is.
};
Zero zeroAround(Value *Condition, bool WhenTrue) {
  CmpPredicate How;
  Value *Left;
  const APInt *Right, *Mask;
  if (Condition->getType()->isVectorTy() || !match(Condition, m_ICmp(How, m_Value(Left), m_APInt(Right))) ||
      (WhenTrue ? How != ICmpInst::ICMP_EQ : How != ICmpInst::ICMP_NE))
    return Zero();
  if (Right->isZero()) { // or of some of its bits
    Value *Whole;
    if (match(Left, m_And(m_Value(Whole), m_APInt(Mask))))
      return {Whole, *Mask};
    return {Left, APInt::getAllOnes(Right->getBitWidth())};
  }
  if (Right->isAllOnes() && vectorOf(Left))
    return {Left, *Right, true};
  Value *Whole = Left; // all of some bits are set: those of its complement are zero
  if (Right->isAllOnes() || (match(Left, m_And(m_Value(Whole), m_APInt(Mask))) && *Mask == *Right))
    for (User *Of : Whole->users())
      if (match(Of, m_Not(m_Specific(Whole))))
        return {Of, *Right};
  return Zero();
}

/// Channels that are zero because a vector is: itself or its complement, parts of it, and what else is asked of them in
/// `Then`.
SmallVector<Value *, 4> channelsOf(BasicBlock &Then, Value *Vector, bool Inverse) {
  SmallVector<Value *, 4> Channels;
  if (!Inverse)
    Channels.push_back(Vector);
  else
    for (User *Of : Vector->users())
      if (match(Of, m_Not(m_Specific(Vector))))
        Channels.push_back(Of);
  for (Instruction &I : Then) {
    auto *Part = dyn_cast<ShuffleVectorInst>(&I);
    bool IsPart = Part && isa<PoisonValue>(Part->getOperand(1)) && is_contained(Channels, Part->getOperand(0));
    Value *X, *Y;
    bool IsFewer = match(&I, m_And(m_Value(X), m_Value(Y))) && (is_contained(Channels, X) || is_contained(Channels, Y));
    if (IsPart || IsFewer)
      Channels.push_back(&I);
  }
  return Channels;
}

/// Channels of `Then` that are bits of what is zero without them.
SmallVector<Value *, 4> channelsOf(BasicBlock &Then, const Zero &None) {
  if (Value *Vector = vectorOf(None.V))
    return channelsOf(Then, Vector, None.Inverse);
  SmallVector<Value *, 4> Channels;
  if (None.Bits.isAllOnes())
    Channels.push_back(None.V);
  for (Instruction &I : Then) {
    if (match(&I, m_BitCast(m_Specific(None.V))) && None.Bits.isAllOnes())
      Channels.push_back(&I);
    auto *Part = dyn_cast<ShuffleVectorInst>(&I);
    if (!Part || !match(Part->getOperand(0), m_BitCast(m_Specific(None.V))) ||
        !Part->getOperand(0)->getType()->getScalarType()->isIntegerTy(1))
      continue;
    const int Size = int(None.Bits.getBitWidth());
    if (all_of(Part->getShuffleMask(), [&](int K) { return K < 0 || (K < Size && None.Bits[unsigned(K)]); }))
      Channels.push_back(&I);
  }
  return Channels;
}

/// What V is where none of `Channels` is set, as selections and operations on what changes nothing say.
Value *without(Value *V, ArrayRef<Value *> Channels) {
  auto *Select = dyn_cast<SelectInst>(V);
  if (Select && is_contained(Channels, Select->getCondition()))
    return without(Select->getFalseValue(), Channels);
  auto *Operator = V->getType()->isIntOrIntVectorTy() ? dyn_cast<BinaryOperator>(V) : nullptr; // others flush denormals
  auto *Nothing = Operator
                      ? ConstantExpr::getBinOpIdentity(Operator->getOpcode(), V->getType(), /*AllowRHSConstant=*/true)
                      : nullptr;
  if (!Nothing)
    return V;
  Value *Left = Operator->getOperand(0), *Right = Operator->getOperand(1);
  auto isNothing = [&](Value *Side) { return isa<SelectInst>(Side) && without(Side, Channels) == Nothing; };
  if (isNothing(Right))
    return without(Left, Channels);
  return Operator->isCommutative() && isNothing(Left) ? without(Right, Channels) : V;
}

/// Whether V is `Same` where none of `Channels` is set.
bool isWithout(Value *V, ArrayRef<Value *> Channels, Value *Same, const SimplifyQuery &Query) {
  return without(V, Channels) == Same || any_of(Channels, [&](Value *C) {
           return match(V, m_Select(m_Specific(C), m_Value(), m_Specific(Same))) ||
                  simplifyWithOpReplaced(V, C, Constant::getNullValue(C->getType()), Query,
                                         /*AllowRefinement=*/false) == Same;
         });
}

/// One takes longer than a branch that is not foreseen, by constants, too.
bool divides(const Instruction &I) {
  return I.isIntDivRem() || I.getOpcode() == Instruction::FDiv || I.getOpcode() == Instruction::FRem;
}

/// Of a surface, outside of which something is read, too.
bool isBlockRead(const Instruction &I) {
  const auto Message = messageOf(operationOf(&I));
  return Message && Message->isRow() && Message->Of == MessageInfo::Memory::Surface &&
         Message->Does == MessageInfo::Action::Read;
}

bool isShort(const BasicBlock &Then) {
  unsigned Count = 0;
  for (const Instruction &I : Then) {
    if (I.isTerminator() || I.isDebugOrPseudoInst())
      continue;
    if (++Count > Few)
      return false;
    if (isBlockRead(I))
      continue;
    if (isa<PHINode>(I) || I.mayReadOrWriteMemory() || isa<CallInst>(I) || divides(I) ||
        !isSafeToSpeculativelyExecute(&I))
      return false;
  }
  return true;
}

bool remove(const Under &U) {
  Zero None = zeroAround(U.Branch->getCondition(), U.WhenTrue);
  if (!None.V || !isShort(*U.Then))
    return false;
  SmallVector<Value *, 4> Channels = channelsOf(*U.Then, None);
  BasicBlock *Head = U.Branch->getParent();
  const SimplifyQuery Query(U.Then->getDataLayout(), U.Branch);
  for (PHINode &Phi : U.Join->phis()) {
    Value *Under = Phi.getIncomingValueForBlock(U.Then), *Around = Phi.getIncomingValueForBlock(Head);
    if (Under != Around && !isWithout(Under, Channels, Around, Query))
      return false;
  }
  Head->splice(U.Branch->getIterator(), U.Then, U.Then->begin(), U.Then->getTerminator()->getIterator());
  for (PHINode &Phi : U.Join->phis())
    Phi.setIncomingValueForBlock(Head, Phi.getIncomingValueForBlock(U.Then));
  U.Join->removePredecessor(U.Then, /*KeepOneInputPHIs=*/true);
  BranchInst::Create(U.Join, U.Branch->getIterator())->setDebugLoc(U.Branch->getDebugLoc());
  U.Branch->eraseFromParent();
  U.Then->getTerminator()->eraseFromParent();
  U.Then->eraseFromParent();
  return true;
}

/// A selection that gives what its other operand is anyway where no channel is set.
bool remove(SelectInst &Select) {
  const SimplifyQuery Query(Select.getDataLayout(), &Select);
  for (bool WhenTrue : {true, false}) {
    Value *Around = WhenTrue ? Select.getTrueValue() : Select.getFalseValue();
    Value *Under = WhenTrue ? Select.getFalseValue() : Select.getTrueValue();
    Zero None = zeroAround(Select.getCondition(), WhenTrue);
    if (!None.V || !isWithout(Under, channelsOf(*Select.getParent(), None), Around, Query))
      continue;
    Select.replaceAllUsesWith(Under);
    Select.eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

bool readAnyway(Function &F) {
  bool Changed = false;
  for (BasicBlock &BB : make_early_inc_range(F))
    if (auto U = Under::match(BB); U && any_of(BB, isBlockRead))
      Changed |= remove(*U);
  return Changed;
}

bool removeShortBranches(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Select = dyn_cast<SelectInst>(&I))
        Changed |= remove(*Select);
  for (Function &F : M)
    for (BasicBlock &BB : make_early_inc_range(F))
      if (auto U = Under::match(BB))
        Changed |= remove(*U);
  return Changed;
}

} // namespace pocm::cpu
