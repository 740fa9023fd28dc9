//===- NotedBits.cpp - Which `or` is a sum, which number is not negative -------------------------------===//
//
// Where no bit can be set in both operands LLVM makes an `or` of a sum, and notes that; of numbers that are not
// negative it makes logical shifts. But programs are kept in a form of its IR that has no place for the note, and other
// passes forget it. What computes with places looks for both:
//
//     %x = phi i32 [ 4, %entry ], [ %next, %loop ]     ; 4 to 240, as the loop ends
//     %at = or i32 (shl %row, 8), %x               ->  %at = or disjoint i32 (shl %row, 8), %x
//     %oword = lshr exact i32 %at, 4               ->  %oword = ashr exact i32 %at, 4
//
// What a number can be is what LLVM knows of its bits, and how far loops count.
//
// Needs:    loops as they were read: their ends say how far they count.
// Leaves:   vectors.
//
//===--------------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/LoopAnalyses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

class LoopBits {
public:
  explicit LoopBits(Function &F) : Now(F), Layout(F.getParent()->getDataLayout()) {}

  bool areDisjoint(PossiblyDisjointInst &Or) {
    return KnownBits::haveNoCommonBitsSet(bitsOf(Or.getOperand(0)), bitsOf(Or.getOperand(1)));
  }

  bool isNotNegative(Value *V) { return bitsOf(V).isNonNegative(); }

private:
  LoopAnalyses Now;
  const DataLayout &Layout;
  DenseMap<Value *, KnownBits> Known;

  KnownBits bitsOf(Value *V, unsigned Depth = 0) {
    constexpr unsigned Deepest = 8;
    if (auto Found = Known.find(V); Found != Known.end())
      return Found->second;
    const KnownBits Bits = computed(V, Depth, Deepest).unionWith(computeKnownBits(V, Layout));
    return Known[V] = Bits;
  }

  KnownBits computed(Value *V, unsigned Depth, unsigned Deepest) {
    const unsigned Width = V->getType()->getScalarSizeInBits();
    const APInt *C;
    Value *X, *Y;
    if (isa<PHINode>(V) && Now.SE.isSCEVable(V->getType()))
      return Now.SE.getUnsignedRange(Now.SE.getSCEV(V)).toKnownBits();
    if (Depth == Deepest || !isa<Instruction>(V))
      return KnownBits(Width);
    auto of = [&](Value *Operand) { return bitsOf(Operand, Depth + 1); };
    if (match(V, m_Shl(m_Value(X), m_APInt(C))) && C->ult(Width))
      return KnownBits::shl(of(X), KnownBits::makeConstant(*C));
    if (match(V, m_LShr(m_Value(X), m_APInt(C))) && C->ult(Width))
      return KnownBits::lshr(of(X), KnownBits::makeConstant(*C));
    if (match(V, m_AShr(m_Value(X), m_APInt(C))) && C->ult(Width))
      return KnownBits::ashr(of(X), KnownBits::makeConstant(*C));
    if (match(V, m_Or(m_Value(X), m_Value(Y))))
      return of(X) | of(Y);
    if (match(V, m_And(m_Value(X), m_Value(Y))))
      return of(X) & of(Y);
    if (match(V, m_Add(m_Value(X), m_Value(Y))))
      return KnownBits::add(of(X), of(Y));
    if (match(V, m_Mul(m_Value(X), m_APInt(C))))
      return KnownBits::mul(of(X), KnownBits::makeConstant(*C));
    if (match(V, m_ZExt(m_Value(X))))
      return of(X).zext(Width);
    if (match(V, m_Trunc(m_Value(X))))
      return of(X).trunc(Width);
    return KnownBits(Width);
  }
};

} // namespace

bool noteBits(Function &F) {
  SmallVector<PossiblyDisjointInst *, 16> Ors;
  SmallVector<BinaryOperator *, 16> Shifts;
  for (Instruction &I : instructions(F))
    if (!I.getType()->isIntegerTy())
      continue;
    else if (auto *Or = dyn_cast<PossiblyDisjointInst>(&I); Or && !Or->isDisjoint())
      Ors.push_back(Or);
    else if (I.getOpcode() == Instruction::LShr && isa<ConstantInt>(I.getOperand(1)))
      Shifts.push_back(cast<BinaryOperator>(&I));
  if (Ors.empty() && Shifts.empty())
    return false;
  LoopBits Bits(F);
  bool Changed = false;
  for (PossiblyDisjointInst *Or : Ors)
    if (Bits.areDisjoint(*Or)) {
      Or->setIsDisjoint(true);
      Changed = true;
    }
  Shifts.erase(remove_if(Shifts, [&](BinaryOperator *Shift) { return !Bits.isNotNegative(Shift->getOperand(0)); }),
               Shifts.end());
  for (BinaryOperator *Shift : Shifts) {
    auto *Same = BinaryOperator::CreateAShr(Shift->getOperand(0), Shift->getOperand(1), "", Shift->getIterator());
    Same->setIsExact(Shift->isExact());
    Same->takeName(Shift);
    Shift->replaceAllUsesWith(Same);
    Shift->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
