//===- DirectCalls.cpp - Calls through pointers become direct calls -----------------------------===//
//
// A program is closed, so a pointer to a function is one of the functions whose address is
// taken. Each gets a number, which is all that a pointer to it holds; a call through a pointer
// compares and calls directly, so that it can be inlined like every other call:
//
//     %r = call i32 %p(i32 %x)
//  -> switch ptrtoint(%p): 1 -> %r1 = call i32 @f(i32 %x); 2 -> %r2 = call i32 @g(i32 %x)
//     %r = phi %r1, %r2
//
// A pointer that holds none of them is undefined behaviour, as in C++.
//
// Needs:    internal functions (internalize).
// Leaves:   calls for which no function has the type: an error says so later. Calls whose
//           callee is known after inlining are direct by then.
//
//===----------------------------------------------------------------------===//
#include "ir/Kernel.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// Functions whose address is taken; a function's number is its place, from 1.
SmallVector<Function *, 8> pointedTo(Module &M) {
  SmallVector<Function *, 8> All;
  for (Function &F : M)
    if (!F.isIntrinsic() && F.hasAddressTaken(nullptr, /*IgnoreCallbackUses=*/false, /*IgnoreAssumeLikeCalls=*/true,
                                              /*IgnoreLLVMUsed=*/false))
      All.push_back(&F);
  return All;
}

void callOneOf(CallInst &Call, ArrayRef<Function *> Functions, IntegerType *Word) {
  SmallVector<std::pair<unsigned, Function *>, 8> Candidates;
  for (auto [I, F] : enumerate(Functions))
    if (F->getFunctionType() == Call.getFunctionType() && !F->isDeclaration())
      Candidates.emplace_back(unsigned(I) + 1, F);
  if (Candidates.empty())
    return;
  BasicBlock *Before = Call.getParent();
  Function &In = *Before->getParent();
  BasicBlock *After = Before->splitBasicBlock(&Call, "called");
  BasicBlock *Nowhere = BasicBlock::Create(In.getContext(), "no.function", &In, After);
  new UnreachableInst(In.getContext(), Nowhere);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Call.getDebugLoc());
  SwitchInst *Switch =
      B.CreateSwitch(B.CreatePtrToInt(Call.getCalledOperand(), Word), Nowhere, unsigned(Candidates.size()));
  PHINode *Result = nullptr;
  if (!Call.getType()->isVoidTy())
    Result = PHINode::Create(Call.getType(), unsigned(Candidates.size()), "", After->begin());
  for (auto [Number, F] : Candidates) {
    BasicBlock *Block = BasicBlock::Create(In.getContext(), "call", &In, After);
    Switch->addCase(ConstantInt::get(Word, Number), Block);
    auto *Direct = cast<CallInst>(Call.clone());
    Direct->setCalledFunction(F);
    Direct->setCallingConv(F->getCallingConv());
    Direct->insertInto(Block, Block->end());
    BranchInst::Create(After, Block);
    if (Result)
      Result->addIncoming(Direct, Block);
  }
  if (Result)
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
}

} // namespace

bool makeCallsDirect(Module &M) {
  SmallVector<Function *, 8> Functions = pointedTo(M);
  if (Functions.empty())
    return false;
  IntegerType *Word = M.getDataLayout().getIntPtrType(M.getContext());
  SmallVector<CallInst *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isIndirectCall())
        Calls.push_back(Call);
  for (CallInst *Call : Calls)
    callOneOf(*Call, Functions, Word);
  for (auto [I, F] : enumerate(Functions)) {
    Constant *Number = ConstantExpr::getIntToPtr(ConstantInt::get(Word, I + 1), F->getType());
    F->replaceUsesWithIf(Number, [](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      return !Call || !Call->isCallee(&U);
    });
  }
  return true;
}

} // namespace pocm
