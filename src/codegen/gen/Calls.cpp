//===- Calls.cpp - Functions that Gen code calls -----------------------------------------===//
//
// A subroutine shares the variables of its kernel: the caller writes those of the parameters,
// `call` keeps the place to return to, and the result lies in a variable of its own. That
// takes values that registers hold as they are:
//
//     call <16 x i32> @plus(<16 x i32> %x, i32 %n)      stays a call
//     call i64 @wide(i64 %x)                            is inlined where 64 bits are two halves
//     call i32 @table(i32 %i)                           is inlined if @table has an array
//
// Needs:    functions that keepSubroutines has left.
// Leaves:   kernels and subroutines alone, each called from two places at least.
//
// gen-call-results: several results lie in variables that the next call overwrites:
//
//     %r = call {<8 x i32>, i32} @f(...)                     %r = call {<8 x i32>, i32} @f(...)
//     call {<8 x i32>, i32} @f(...)                    ->    %n = extractvalue %r, 1
//     %n = extractvalue %r, 1                                call {<8 x i32>, i32} @f(...)
//
// A phi of structures becomes one for each part, and what is returned is put together right before.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Region.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {
namespace {

bool isHeld(Type *T, const GenTarget &Target) {
  Type *Element = T->getScalarType();
  if (Element->isIntegerTy(64))
    return Target.has(HasInt64);
  if (Element->isDoubleTy())
    return Target.has(HasFp64);
  return Element->isIntegerTy(8) || Element->isIntegerTy(16) || Element->isIntegerTy(32) || Element->isFloatTy() ||
         Element->isHalfTy();
}

bool canBeCalled(const Function &F, const GenTarget &Target) {
  Type *Result = F.getReturnType();
  auto *Results = dyn_cast<StructType>(Result);
  auto Held = [&](Type *T) { return isHeld(T, Target); };
  return F.hasNUsesOrMore(2) && (Result->isVoidTy() || (Results ? all_of(Results->elements(), Held) : Held(Result))) &&
         all_of(F.getFunctionType()->params(), Held) && none_of(instructions(F), [](const Instruction &I) {
           return isa<AllocaInst>(I) || operationOf(&I) == Op::EndOfThread;
         });
}

/// A structure as a row of insertvalue.
Value *structureOf(IRBuilderBase &B, Type *T, ArrayRef<Value *> Parts) {
  Value *New = PoisonValue::get(T);
  for (auto [K, Part] : enumerate(Parts))
    New = B.CreateInsertValue(New, Part, unsigned(K));
  return New;
}

/// The same of one that comes from elsewhere, in front of a terminator.
Value *putTogether(Value *Whole, Instruction &Before) {
  if (isa<InsertValueInst>(Whole))
    return Whole;
  IRBuilder<> B(&Before);
  SmallVector<Value *, 4> Parts;
  for (unsigned K = 0; K < Whole->getType()->getStructNumElements(); ++K)
    Parts.push_back(B.CreateExtractValue(Whole, K));
  return structureOf(B, Whole->getType(), Parts);
}

/// A phi for each part.
void splitPhi(PHINode &Phi) {
  IRBuilder<> B(&Phi);
  SmallVector<PHINode *, 4> Parts;
  for (Type *T : cast<StructType>(Phi.getType())->elements())
    Parts.push_back(B.CreatePHI(T, Phi.getNumIncomingValues()));
  for (unsigned In = 0; In < Phi.getNumIncomingValues(); ++In) {
    Instruction *End = Phi.getIncomingBlock(In)->getTerminator();
    for (unsigned K = 0; K < Parts.size(); ++K) {
      Value *Part = FindInsertedValue(Phi.getIncomingValue(In), K);
      B.SetInsertPoint(End);
      Parts[K]->addIncoming(Part ? Part : B.CreateExtractValue(Phi.getIncomingValue(In), K), Phi.getIncomingBlock(In));
    }
  }
  B.SetInsertPoint(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  Phi.replaceAllUsesWith(structureOf(B, Phi.getType(), SmallVector<Value *, 4>(Parts.begin(), Parts.end())));
  Phi.eraseFromParent();
}

void takeResultsOf(Function &F) {
  SmallVector<PHINode *, 4> Phis;
  for (Instruction &I : instructions(F))
    if (auto *Phi = dyn_cast<PHINode>(&I); Phi && Phi->getType()->isStructTy())
      Phis.push_back(Phi);
  for (PHINode *Phi : Phis)
    splitPhi(*Phi);
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()); Return && F.getReturnType()->isStructTy())
      Return->setOperand(0, putTogether(Return->getReturnValue(), *Return));
  SmallVector<ExtractValueInst *, 8> Parts;
  for (Instruction &I : instructions(F))
    if (auto *Part = dyn_cast<ExtractValueInst>(&I))
      Parts.push_back(Part);
  for (ExtractValueInst *Part : Parts)
    if (auto *Call = dyn_cast<CallInst>(Part->getAggregateOperand())) {
      Part->moveAfter(Call);
    } else if (Value *V = FindInsertedValue(Part->getAggregateOperand(), Part->getIndices())) {
      Part->replaceAllUsesWith(V);
      Part->eraseFromParent();
    }
}

} // namespace

bool keepCalls(Module &M, const GenTarget &Target) {
  return inlineSubroutines(M, [&](const Function &F) { return !canBeCalled(F, Target); });
}

bool takeResults(Module &M, const GenTarget &) {
  for (Function &F : M)
    takeResultsOf(F);
  return true;
}

} // namespace pocm::gen
