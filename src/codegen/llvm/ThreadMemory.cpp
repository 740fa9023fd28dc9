//===- ThreadMemory.cpp - A thread's frame as a variable of the host's stack ----------------===//
//
//     %v = frame.read(%frame, %oword)             ->  load <4 x i32>, %frame + 16 * %oword
//     frame.scatter(%on, %frame, %places, %data)  ->  a store for each channel that is on
//
// Kernels that the Gen middle end has prepared keep large arrays in a frame; this is what runs
// them on a CPU.
//
// Needs:    frames as the Gen middle end leaves them.
// Leaves:   accesses to an alloca, to be bounded.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

Value *block(IRBuilderBase &B, CallInst &I) {
  Value *Bytes = B.CreateShl(B.CreateZExt(operandOf(I, Role::Offset), B.getInt64Ty()), 4);
  return B.CreatePtrAdd(operandOf(I, Role::Frame), Bytes);
}

/// Channel by channel. One that is off touches the frame's first element, and leaves it as it is.
Value *channels(IRBuilderBase &B, CallInst &I, bool Read) {
  Value *On = operandOf(I, Role::Predicate), *Frame = operandOf(I, Role::Frame), *Places = operandOf(I, Role::Places),
        *All = operandOf(I, valueRole(operationOf(&I)));
  Type *Element = All->getType()->getScalarType();
  for (unsigned K = 0; K < unsigned(countOf(All->getType())); ++K) {
    Value *Is = B.CreateExtractElement(On, K), *At = B.CreateExtractElement(Places, K);
    Value *Place = B.CreatePtrAdd(Frame, B.CreateZExt(B.CreateSelect(Is, At, B.getInt32(0)), B.getInt64Ty()));
    Value *Have = B.CreateAlignedLoad(Element, Place, Align(1)), *Other = B.CreateExtractElement(All, K);
    if (Read)
      All = B.CreateInsertElement(All, B.CreateSelect(Is, Have, Other), K);
    else
      B.CreateAlignedStore(B.CreateSelect(Is, Other, Have), Place, Align(1));
  }
  return All;
}

} // namespace

bool expandThreadMemory(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    IRBuilder<> B(&I);
    auto *Call = dyn_cast<CallInst>(&I);
    switch (operationOf(&I)) {
    case Op::FrameRead:
      I.replaceAllUsesWith(B.CreateAlignedLoad(I.getType(), block(B, *Call), Align(16)));
      break;
    case Op::FrameWrite:
      B.CreateAlignedStore(operandOf(*Call, Role::Data), block(B, *Call), Align(16));
      break;
    case Op::FrameGather:
      I.replaceAllUsesWith(channels(B, *Call, true));
      break;
    case Op::FrameScatter:
      channels(B, *Call, false);
      break;
    default:
      continue;
    }
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
