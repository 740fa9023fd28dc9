//===- RegionFormats.cpp - Formats of regions with gaps ---------------------------------===//
//
// format sees the bytes of a region as elements of another type. Where the region's
// elements do not lie side by side, no region of that type has these bytes, and each
// access goes through a copy that is current:
//
//     %p = cm.region.format(%first, i32 4, i32 1, i32 4, i32 4, i32 2)
//     store i32 %x, ptr %p
//  -> %all = cm.region.read(%first, i64 8, i32 1, i32 4)       <4 x i16>
//     store <4 x i16> %all, ptr %copy
//     store i32 %x, ptr %copy
//     %new = load <4 x i16>, ptr %copy
//     cm.region.write(%first, %new, i64 8, i32 1, i32 4)
//
// Needs:    strides resolved (resolve-regions).
// Leaves:   copies of their own, which promote-storage makes values of.
// Not done: addresses that flow through phi, select or a call that stays; the front end
//           reports what is left.
//
//===------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace pocm {
namespace {

/// What happens at an address: the instructions that read or write there.
struct Accesses {
  SmallVector<Instruction *, 8> Reads, Writes;

  /// False when it is used for anything else.
  bool collect(Value &Address) {
    for (User *U : Address.users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa<GEPOperator>(U)) {
        if (!collect(*U))
          return false;
      } else if (isa_and_nonnull<LoadInst>(I) || operationOf(I) == Op::MemoryRead) {
        Reads.push_back(I);
      } else if (auto *Store = dyn_cast_or_null<StoreInst>(I); Store && Store->getValueOperand() != &Address) {
        Writes.push_back(I);
      } else if (operationOf(I) == Op::MemoryWrite) {
        Writes.push_back(I);
      } else {
        return false;
      }
    }
    return true;
  }
};

bool copyAtAccesses(CallInst &Format) {
  Accesses All;
  for (Role What : {Role::VStride, Role::Width, Role::HStride, Role::Count, Role::ElementBytes})
    if (!isa<ConstantInt>(operandOf(Format, What)))
      return false;
  if (!All.collect(Format))
    return false;
  auto Number = [&](Role What) { return cast<ConstantInt>(operandOf(Format, What))->getSExtValue(); };
  Value *First = operandOf(Format, Role::First), *Width = operandOf(Format, Role::Width),
        *Stride = operandOf(Format, Role::HStride);
  unsigned Bytes = unsigned(Number(Role::ElementBytes));
  auto *Type = FixedVectorType::get(IntegerType::get(Format.getContext(), Bytes * 8), unsigned(Number(Role::Count)));
  BasicBlock &Entry = Format.getFunction()->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
  Value *RowStride = B.getInt64(uint64_t(Number(Role::VStride) * int64_t(Bytes)));
  Value *Copy = B.CreateAlloca(Type);
  for (ArrayRef<Instruction *> Some : {ArrayRef(All.Reads), ArrayRef(All.Writes)})
    for (Instruction *I : Some) {
      B.SetInsertPoint(I);
      B.CreateStore(createOperation(B, Op::MemoryRead, Type, {First, RowStride, Width, Stride, B.getInt32(0)}), Copy);
    }
  for (Instruction *I : All.Writes) {
    B.SetInsertPoint(I->getNextNode());
    B.SetCurrentDebugLocation(I->getDebugLoc());
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), {First, B.CreateLoad(Type, Copy), RowStride, Width, Stride});
  }
  Format.replaceAllUsesWith(Copy);
  Format.eraseFromParent();
  return true;
}

} // namespace

bool copyFormattedRegions(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 4> Formats;
    for (Instruction &I : instructions(F))
      if (CallInst *Format = asOperation(&I, Op::RegionFormat))
        Formats.push_back(Format);
    for (CallInst *Format : reverse(Formats)) // a format of a format: the outer one first
      Changed |= copyAtAccesses(*Format);
  }
  return Changed;
}

} // namespace pocm
