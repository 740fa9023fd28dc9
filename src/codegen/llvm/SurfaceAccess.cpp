//===- SurfaceAccess.cpp - What all lowerings of surface operations do ---------------===//
#include "codegen/llvm/SurfaceAccess.h"
#include "codegen/llvm/Streaming.h"
#include "ir/Messages.h"
#include "ir/Region.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

using namespace llvm;

namespace pocm {

bool stayInMemory(ArrayRef<const CallInst *> Messages, ArrayRef<const CallInst *> Readers) {
  const CallInst *First = Messages.front();
  auto IsElsewhere = [Home = First->getParent()](const CallInst *I) { return I->getParent() != Home; };
  if (any_of(Messages, IsElsewhere) || any_of(Readers, IsElsewhere))
    return false;
  for (const CallInst *Message : Messages)
    if (Message->comesBefore(First))
      First = Message;
  SmallPtrSet<const Instruction *, 16> Pending(Readers.begin(), Readers.end());
  for (const Instruction *I = First; I && !Pending.empty(); I = I->getNextNode()) {
    if (changesMemory(*I))
      return false;
    Pending.erase(I);
  }
  return Pending.empty();
}

Value *viewField(IRBuilder<> &B, Value *View, Type *T, size_t Offset) {
  auto *Load = B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), View, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(B.getContext(), {}));
  return Load;
}

AllocaInst *SurfaceAccess::edgeBuffer(unsigned Bytes) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  auto *Buffer = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes + Policy.readSlack()));
  Buffer->setAlignment(Align(64));
  return Buffer;
}

Instruction *SurfaceAccess::store(Instruction &Call, Value *View, Value *Inside, const Place &Direct,
                                  const Place &Outside, Value *Data, unsigned Width) {
  auto write = [&](Instruction *Before, const Place &To) {
    IRBuilder<> B(Before);
    return createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                           {To.First, Data, To.Stride, B.getInt32(Width), B.getInt32(1)});
  };
  MDBuilder Weights(C);
  Instruction *Often, *Rare;
  SplitBlockAndInsertIfThenElse(Inside, Call.getIterator(), &Often, &Rare, Weights.createBranchWeights(1000, 1));
  write(Rare, Outside);
  if (isStreaming(Call)) {
    IRBuilder<> B(Often);
    BasicBlock *Behind = Often->getSuccessor(0);
    // Asked first and alone: it is the same for all blocks, and few surfaces are so large.
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Policy.mayStream(B, View), Often->getIterator(), /*Unreachable=*/false,
                                               Weights.createBranchWeights(1, 1000)));
    constexpr uint64_t LineMask = 63;
    Value *Bits =
        B.CreateAnd(B.CreateOr(B.CreatePtrToInt(Direct.First, B.getInt64Ty()), Direct.Stride), B.getInt64(LineMask));
    Instruction *Around = SplitBlockAndInsertIfThen(B.CreateIsNull(Bits), B.GetInsertPoint(), /*Unreachable=*/false);
    setStreaming(*write(Around, Direct));
    Around->setSuccessor(0, Behind);
  }
  write(Often, Direct);
  return Rare;
}

CallInst *SurfaceAccess::callHelper(IRBuilder<> &B, Helper Which, ArrayRef<Value *> Operands) {
  SmallVector<Type *, 8> Types;
  for (Value *Operand : Operands)
    Types.push_back(Operand->getType());
  FunctionType *Signature = FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false);
  Module &M = *F.getParent();
  if (Function *Other = M.getFunction(symbolOf(Which)); Other && !Other->isDeclaration()) // the program's own
    Other->setName("program." + Other->getName());
  auto *Call = B.CreateCall(M.getOrInsertFunction(symbolOf(Which), Signature), Operands);
  for (unsigned I = 0; I < Operands.size(); ++I) // blocks on the stack stay out of coroutine frames
    if (Operands[I]->getType()->isPointerTy())
      Call->addParamAttr(I, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
  if (Which == Helper::BufferRead) { // nothing is written but the block
    Call->setMemoryEffects(MemoryEffects::readOnly() | MemoryEffects::argMemOnly());
    Call->addParamAttr(0, Attribute::ReadOnly);
    Call->addFnAttr(Attribute::WillReturn);
    Call->addFnAttr(Attribute::NoUnwind);
  }
  return Call;
}

Instruction *SurfaceAccess::rarely(Value *Inside, Instruction *Before) {
  Value *Outside = IRBuilder<>(Before).CreateNot(Inside);
  MDNode *Rarely = MDBuilder(C).createBranchWeights(1, 1000);
  return SplitBlockAndInsertIfThen(Outside, Before->getIterator(), /*Unreachable=*/false, Rarely);
}

void SurfaceAccess::callRarely(IRBuilder<> &B, Helper Which, ArrayRef<Value *> Operands) {
  callHelper(B, Which, Operands)->addFnAttr(Attribute::Cold);
}

Instruction *SurfaceAccess::callUnless(Value *Inside, Instruction *Before, Helper Which, ArrayRef<Value *> Operands) {
  Instruction *End = rarely(Inside, Before);
  IRBuilder<> B(End);
  callRarely(B, Which, Operands);
  return End;
}

Value *SurfaceAccess::behind(Instruction *EndOfRare, Value *Direct, Value *Instead) {
  BasicBlock *Rare = EndOfRare->getParent(), *Join = Rare->getSingleSuccessor();
  auto *Both = PHINode::Create(Direct->getType(), 2, "", Join->begin());
  for (BasicBlock *From : predecessors(Join))
    Both->addIncoming(From == Rare ? Instead : Direct, From);
  return Both;
}

} // namespace pocm
