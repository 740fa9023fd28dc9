//===- Readable.cpp - Reads that need no call ----------------------------------------===//
//
// The launch gives a table of how many bytes may be read of each buffer that nobody writes, and how large images are. A
// read that lies inside asks for no more:
//
//     %fine = icmp ult i64 %offset, (bytes that may be read - 63)
//     br i1 %fine, label %read, label %ask                     ; %ask: call @pocm_check_block(...)
//
//===---------------------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "devices/check/Instrumenter.h"
#include "ir/Operands.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace pocm::check {

void Instrumenter::noteWritten(ArrayRef<Instruction *> All) {
  for (Instruction *I : All)
    if (auto *Call = dyn_cast<CallInst>(I))
      if (Op Operation = operationOf(I); I->getType()->isVoidTy() && has(Operation, Role::Surface))
        Written.insert(operandOf(*Call, Role::Surface));
}

bool Instrumenter::mayBeReadable(const What &W, Value *Surface) const {
  return !Counts && W.How == Access::Read && !isa<Constant>(Surface) && !Written.contains(Surface);
}

void Instrumenter::unlessReadable(Instruction &I, const What &W, Value *Surface, Value *Most, Value *Low) {
  Value *Bytes = readableOf(Surface, offsetof(Readable, bytes), B.getInt64Ty());
  Value *Fine =
      B.CreateICmpULT(Most, B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, B.getInt64(std::max(1u, W.Bytes) - 1)));
  if (W.Align > 1)
    Fine = B.CreateAnd(Fine, B.CreateICmpEQ(B.CreateAnd(Low, B.getInt64(W.Align - 1)), B.getInt64(0)));
  unless(Fine, I);
}

void Instrumenter::unlessReadableImage(Instruction &I, const What &W, Value *Surface, Value *X, Value *Y) {
  Type *Number = B.getInt32Ty();
  Value *Size = readableOf(Surface, offsetof(Readable, image), FixedVectorType::get(Number, 2));
  auto Inside = [&](Value *At, std::uint64_t K, std::uint32_t Count) {
    Value *Room = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, B.CreateExtractElement(Size, K),
                                          B.getInt32(std::max(1u, Count) - 1));
    return B.CreateICmpULT(At, Room);
  };
  Value *Fine = B.CreateAnd(Inside(X, 0, W.Bytes), Inside(Y, 1, W.Rows));
  Value *Reached = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, offsetof(ThreadRecord, reached));
  Value *Bit = B.CreateShl(B.CreateZExt(Fine, B.getInt64Ty()), B.CreateAnd(wide(Surface, false), B.getInt64(63)));
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt64Ty(), Reached), Bit), Reached);
  unless(Fine, I);
}

Value *Instrumenter::readableOf(Value *Surface, std::uint64_t Table, Type *Entry) {
  Value *Slot = B.CreateZExtOrTrunc(Surface, B.getInt32Ty());
  Slot = B.CreateSelect(B.CreateICmpULT(Slot, B.getInt32(SlotCount)), Slot, B.getInt32(SlmSurface));
  Value *First = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Tables, Table);
  auto *Value = B.CreateAlignedLoad(Entry, B.CreateInBoundsGEP(Entry, First, Slot), Align(8));
  Value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
  return Value;
}

void Instrumenter::unless(Value *Fine, Instruction &I) {
  B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateNot(Fine), I.getIterator(), /*Unreachable=*/false,
                                             MDBuilder(C).createUnlikelyBranchWeights()));
}

} // namespace pocm::check
