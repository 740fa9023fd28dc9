//===- VariableValues.cpp - Values of variables stay for debuggers -------------------------===//
//
// For programs of -O0 -g. A value that nothing but debug information names is not computed:
//
//     #dbg_value(<8 x i16> %new, !"m")   ->   #dbg_value(<8 x i16> %new, !"m")
//                                             call void (...) @llvm.fake.use(<8 x i16> %new)
//
// forgetUnwritten() drops the uses when code is made. And LLVM's instcombine would say of each
// write of one element that the whole variable has no known value from there on; what declares
// vectors and matrices is hidden from it until they are whole values.
//
//===----------------------------------------------------------------------===//
#include "passes/VariableValues.h"
#include "ir/Lines.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm {
namespace {

bool isOfSource(const DbgVariableRecord &Record) {
  const DILocalVariable *Variable = Record.getVariable();
  return !Variable->isArtificial() && !Variable->getFilename().starts_with(headerFolder());
}

bool isUsedSo(const Value &V) {
  return any_of(V.users(), [](const User *U) {
    auto *Call = dyn_cast<IntrinsicInst>(U);
    return Call && Call->getIntrinsicID() == Intrinsic::fake_use;
  });
}

} // namespace

bool useVariableValues(Function &F) {
  bool Changed = false;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      if (!Record.isDbgValue() || Record.hasArgList() || !isOfSource(Record))
        continue;
      auto *V = dyn_cast_or_null<Instruction>(Record.getValue());
      if (!V || V->getType()->isPointerTy() || !V->getType()->isSingleValueType() || isUsedSo(*V))
        continue;
      IRBuilder<> B(isa<PHINode>(I) ? &*I.getParent()->getFirstInsertionPt() : &I);
      B.SetCurrentDebugLocation({});
      B.CreateIntrinsic(B.getVoidTy(), Intrinsic::fake_use, {V});
      Changed = true;
    }
  return Changed;
}

void HiddenVariables::hide(Function &F) {
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : make_early_inc_range(filterDbgVars(I.getDbgRecordRange()))) {
      auto *Storage = Record.isDbgDeclare() ? dyn_cast_or_null<AllocaInst>(Record.getAddress()) : nullptr;
      if (!Storage || !Storage->getAllocatedType()->isVectorTy())
        continue;
      Record.removeFromParent();
      All.push_back({Storage, &Record});
    }
}

void HiddenVariables::show() {
  for (Hidden &H : All) {
    auto *Storage = dyn_cast_or_null<AllocaInst>(static_cast<Value *>(H.Storage));
    if (Storage && Storage == H.Record->getAddress())
      Storage->getParent()->insertDbgRecordBefore(H.Record, std::next(Storage->getIterator()));
    else
      H.Record->deleteRecord();
  }
  All.clear();
}

} // namespace pocm
