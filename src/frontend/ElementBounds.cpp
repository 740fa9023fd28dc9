//===- ElementBounds.cpp - Which elements of arrays the source means ----------------------===//
//
// Only the source knows that a[1][n] of int a[4][4] means one of four elements; in memory it
// is one of sixteen. Clang's sanitizer of array bounds asks for that, with a branch:
//
//     %in = icmp ult i64 %n, 4
//     br i1 %in, label %cont, label %handler        ; calls __ubsan_handle_out_of_bounds
//  -> call void @cm.bounds(i64 %n, i64 4, i32 0)
//     br label %cont
//
// The check device compares where the operation stands (Instrument.cpp); others drop it.
// Vectors and matrices say the same by themselves (include/cm/detail/regions.h).
//
//===----------------------------------------------------------------------===//
#include "frontend/ElementBounds.h"
#include "ir/Intrinsics.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::frontend {
namespace {

constexpr const char *Handler = "__ubsan_handle_out_of_bounds";

CallInst *handlerIn(BasicBlock &Block) {
  for (Instruction &I : Block)
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction())
      if (Call->getCalledFunction()->getName() == Handler)
        return Call;
  return nullptr;
}

/// What leads to a handler asks no more.
void note(BasicBlock &From, CallInst &Call) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(1) != Call.getParent())
    return;
  CmpPredicate Compare;
  Value *Index;
  const APInt *Count;
  if (match(Branch->getCondition(), m_ICmp(Compare, m_Value(Index), m_APInt(Count))) &&
      (Compare == ICmpInst::ICMP_ULT || Compare == ICmpInst::ICMP_ULE)) {
    IRBuilder<> B(Branch);
    B.SetCurrentDebugLocation(Call.getDebugLoc());
    const uint64_t Has = Count->getZExtValue();
    Value *Chosen = B.CreateSExtOrTrunc(Index, B.getInt64Ty());
    if (Compare == ICmpInst::ICMP_ULE && Has) // the place behind the last may be named
      Chosen = B.CreateSelect(B.CreateICmpEQ(Chosen, B.getInt64(Has)), B.getInt64(Has - 1), Chosen);
    createOperation(B, Op::Bounds, B.getVoidTy(), {Chosen, B.getInt64(Has), B.getInt32(0)});
  }
  IRBuilder<> B(Branch);
  B.CreateBr(Branch->getSuccessor(0));
  Branch->eraseFromParent();
}

} // namespace

void noteElementBounds(Module &M) {
  Function *Called = M.getFunction(Handler);
  if (!Called)
    return;
  for (Function &F : M)
    for (BasicBlock &Block : make_early_inc_range(F))
      if (CallInst *Call = handlerIn(Block)) {
        for (BasicBlock *From : SmallVector<BasicBlock *, 2>(predecessors(&Block)))
          note(*From, *Call);
        Call->eraseFromParent();
      }
  if (Called->use_empty())
    Called->eraseFromParent();
}

} // namespace pocm::frontend
