//===- SingleElements.cpp - Vectors of one element are scalars -----------------------------------===//
//
// Builtins of scalars are those of vectors, of one element:
//
//     %v = insertelement <1 x i32> poison, i32 %x, 0
//     %m = smax(<1 x i32> %v, <1 x i32> <3>)             ->   %s = smax(i32 %x, i32 3)
//     %s = extractelement <1 x i32> %m, 0
//
// LLVM takes some apart, but not what it has combined before, as `cm_add<uchar>(x, 30, SAT)`; in loops over elements
// such operations are found among scalars (VectorizeElements.cpp).
//
// Needs:    builtins as LLVM's operations.
// Leaves:   operations of CM IR on one element, and on parts of other vectors; values that go around loops as such.
//
//===---------------------------------------------------------------------------------------------===//
#include "ir/Region.h"
#include "passes/ElementSums.h"
#include "passes/Passes.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

bool isSingle(const Value *V) { return V->getType()->isVectorTy() && countOf(V->getType()) == 1; }

/// The one element of a vector, where it was a scalar before; null: it is part of another vector.
Value *elementOf(Value *V) {
  Value *Element;
  if (auto *C = dyn_cast<Constant>(V))
    return C->getAggregateElement(0U);
  return match(V, m_InsertElt(m_Value(), m_Value(Element), m_ZeroInt())) ? Element : nullptr;
}

/// The same operation on scalars; null where it is none.
Value *asScalar(Instruction &I) {
  IRBuilder<> B(&I);
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : isa<CallInst>(I) ? SmallVector<Value *, 4>(cast<CallInst>(I).args())
                                         : SmallVector<Value *, 4>(I.operand_values()))
    if (Operands.push_back(isSingle(Operand) ? elementOf(Operand) : Operand); !Operands.back())
      return nullptr;
  Type *Scalar = I.getType()->getScalarType();
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return isSingle(Cast->getOperand(0)) ? B.CreateCast(Cast->getOpcode(), Operands[0], Scalar) : nullptr;
  if (!isArithmetic(I))
    return nullptr;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return B.CreateIntrinsic(Call->getIntrinsicID(), {Scalar}, Operands, isa<FPMathOperator>(I) ? &I : nullptr);
  Instruction *Same = I.clone();
  for (auto [N, Operand] : enumerate(Operands))
    Same->setOperand(unsigned(N), Operand);
  Same->mutateType(Scalar);
  return B.Insert(Same);
}

/// An element that is known without the vector; null for others.
Value *knownElement(ExtractElementInst &I) {
  Value *V = I.getVectorOperand(), *Whole;
  if (!match(I.getIndexOperand(), m_ZeroInt()))
    return nullptr;
  if (isSingle(V))
    return elementOf(V);
  // The lowest bytes.
  if (!match(V, m_BitCast(m_Value(Whole))) || !isSingle(Whole) || !Whole->getType()->isIntOrIntVectorTy() ||
      !I.getType()->isIntegerTy())
    return nullptr;
  Value *Element = elementOf(Whole);
  return Element ? IRBuilder<>(&I).CreateTrunc(Element, I.getType()) : nullptr;
}

} // namespace

bool makeScalars(Module &M) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
      for (Instruction &I : make_early_inc_range(*Block)) {
        Value *New = nullptr;
        if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
          New = knownElement(*Extract);
        else if (isSingle(&I))
          if (Value *Scalar = asScalar(I))
            New = IRBuilder<>(&I).CreateInsertElement(PoisonValue::get(I.getType()), Scalar, uint64_t(0));
        if (!New)
          continue;
        I.replaceAllUsesWith(New);
        Dead.push_back(&I);
      }
  }
  const bool Changed = !Dead.empty();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return Changed;
}

} // namespace pocm
