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
#include "ir/Unwritten.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
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

/// The variable of the source that lives at a place; empty when that is not known.
std::string nameOf(Value &Variable) {
  SmallVector<DIGlobalVariableExpression *, 1> Known;
  if (auto *Global = dyn_cast<GlobalVariable>(&Variable))
    Global->getDebugInfo(Known);
  else if (isa<AllocaInst>(Variable))
    for (DbgVariableRecord *Record : findDVRDeclares(&Variable))
      return Record->getVariable()->getName().str();
  return Known.empty() ? "" : Known[0]->getVariable()->getName().str();
}

/// Where a block first takes an element of an array of so many; null when it does not.
GetElementPtrInst *elementIn(BasicBlock &Block, uint64_t Count) {
  for (Instruction &I : Block) {
    auto *Step = dyn_cast<GetElementPtrInst>(&I);
    auto *Type = Step ? dyn_cast<ArrayType>(Step->getSourceElementType()) : nullptr;
    if (Type && Type->getNumElements() == Count)
      return Step;
  }
  return nullptr;
}

/// The array, as the source calls it: "'a'", "a part of 'a'".
std::string arrayOf(GetElementPtrInst &Element) {
  Value *Array = Element.getPointerOperand(), *Variable = getUnderlyingObject(Array, 0);
  std::string Name = nameOf(*Variable);
  return Name.empty() ? "" : (Variable == Array ? "'" : "a part of '") + Name + "'";
}

/// Whether a place is given to a function as a reference: the place behind the last element is none.
bool isReferredTo(const GetElementPtrInst &Element) {
  return any_of(Element.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isArgOperand(&U) && Call->getParamDereferenceableBytes(Call->getArgOperandNo(&U)) > 0;
  });
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
    GetElementPtrInst *Element = elementIn(*Branch->getSuccessor(0), Has);
    if (Compare == ICmpInst::ICMP_ULE && Has &&
        !(Element && isReferredTo(*Element))) // the place behind the last may be named
      Chosen = B.CreateSelect(B.CreateICmpEQ(Chosen, B.getInt64(Has)), B.getInt64(Has - 1), Chosen);
    CallInst *Asks = createOperation(B, Op::Bounds, B.getVoidTy(), {Chosen, B.getInt64(Has), B.getInt32(0)});
    if (std::string Name = Element ? arrayOf(*Element) : ""; !Name.empty())
      Asks->setMetadata(BoundsMetadata, MDNode::get(B.getContext(), MDString::get(B.getContext(), Name)));
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
