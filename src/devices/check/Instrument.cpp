//===- Instrument.cpp - CM IR with checks in it ----------------------------------===//
//
//     %v = oword.ld(0, %in, %owords)    ->   call @pocm_check_block(%record, @site, %in, %offset)
//                                            %v = oword.ld(0, %in, %owords)
//
// The calls know their thread by a record that lives in the kernel, filled where it begins,
// and their line by a constant. What a helper gets of lanes lies in variables that all calls
// share. Elements of objects are compared here; only those outside cost a call. Reads of buffers
// that nobody writes are, too: the launch gives a table of how many bytes of each such may be read.
//
//     %fine = icmp ult i64 %offset, (bytes that may be read - 63)
//     br i1 %fine, label %read, label %ask                     ; %ask: call @pocm_check_block(...)
//
// Needs:    subroutines inlined, before the cpu device binds threads; debug information, for
//           lines and names.
// Not done: accesses by pointers to shared local memory and to __global variables.
//
//===----------------------------------------------------------------------===//
#include "devices/check/Instrument.h"
#include "codegen/cpu/Lowering.h"
#include "devices/check/Instrumenter.h"
#include "devices/check/Operations.h"
#include "devices/check/Together.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::check {

Function *Instrumenter::run() {
  SmallVector<Instruction *, 64> All;
  for (Instruction &I : instructions(F))
    All.push_back(&I);
  B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  Record = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), (sizeof(ThreadRecord) + 7) / 8), nullptr, "thread.record");
  Uses.assign(F.arg_size(), 0);
  HasImages = any_of(All, [](Instruction *I) {
    auto Message = messageOf(operationOf(I));
    return Message && Message->Is == MessageInfo::Form::Image;
  });
  for (Instruction *I : All)
    if (choosesElement(*I))
      Needs[I] = needsOf(*I);
  Blocks = blocksBelow(All);
  noteWritten(All);
  Counts ? countOperations() : findUnwritten(All);
  enter(any_of(All, [](Instruction *I) { return cpu::concernsGroups(operationOf(I)); }));
  for (Instruction *I : All)
    visit(*I);
  describe();
  dropUnwritten();
  return &F;
}

Function &Instrumenter::withChecker(Function &Old) {
  SmallVector<Type *, 16> Types;
  for (Argument &A : Old.args())
    Types.push_back(A.getType());
  Types.push_back(Type::getInt64Ty(Old.getContext()));
  auto *New =
      Function::Create(FunctionType::get(Old.getReturnType(), Types, false), Old.getLinkage(), "", Old.getParent());
  New->takeName(&Old);
  New->copyAttributesFrom(&Old);
  New->setSubprogram(Old.getSubprogram());
  Old.setSubprogram(nullptr);
  New->splice(New->begin(), &Old);
  for (Argument &A : Old.args()) {
    Argument *Other = New->getArg(A.getArgNo());
    Other->takeName(&A);
    A.replaceAllUsesWith(Other);
  }
  Old.eraseFromParent();
  return *New;
}

std::uint32_t Instrumenter::slmByAddress() const {
  std::uint32_t First = F.hasFnAttribute(LocalParametersAttribute) ? 0 : ~0u;
  for (Instruction &I : instructions(F))
    if (auto *Base = asOperation(&I, Op::LocalBase)) {
      auto *Offset = dyn_cast<ConstantInt>(operandOf(*Base, Role::Offset));
      First = std::min(First, Offset ? std::uint32_t(Offset->getZExtValue()) : 0);
    }
  return First;
}

void Instrumenter::describe() {
  SmallVector<Constant *, 16> Names;
  for (unsigned I = 0; I + 1 < F.arg_size(); ++I)
    Names.push_back(text(F.getArg(I)->getName()));
  Names.push_back(ConstantPointerNull::get(B.getPtrTy()));
  Constant *Table = variable(ConstantArray::get(ArrayType::get(B.getPtrTy(), Names.size()), Names));
  Kernel->setInitializer(
      ConstantStruct::getAnon({Table, numbers(Uses), B.getInt32(unsigned(F.arg_size()) - 1), B.getInt32(SlmBytes),
                               B.getInt32(AnyUse), B.getInt32(Mixed), B.getInt32(slmByAddress())}));
}

void Instrumenter::enter(bool ByGroups) {
  Type *Pointer = B.getPtrTy(), *Number = B.getInt32Ty();
  auto *Layout = StructType::get(C, {Pointer, Pointer, Number, Number, Number, Number, Number});
  Kernel = variable(Constant::getNullValue(Layout));
  B.SetCurrentDebugLocation({});
  auto *Memory = B.CreateAlloca(ArrayType::get(B.getInt32Ty(), sizeof(Place) / 4));
  unsigned Next = 0;
  auto Put = [&](Value *V) {
    B.CreateStore(B.CreateZExtOrTrunc(V, B.getInt32Ty()), B.CreateConstInBoundsGEP1_64(B.getInt32Ty(), Memory, Next++));
  };
  auto Ask = [&](Op Operation, Type *T) { return createOperation(B, Operation, T, {}); };
  Put(Ask(Op::ThreadX, B.getInt16Ty()));
  Put(Ask(Op::ThreadY, B.getInt16Ty()));
  auto PutThree = [&](Op Operation) {
    Value *V = Ask(Operation, FixedVectorType::get(B.getInt32Ty(), 3));
    for (uint64_t K = 0; K < 3; ++K)
      Put(B.CreateExtractElement(V, K));
  };
  if (ByGroups) {
    PutThree(Op::LocalId);
    PutThree(Op::LocalSize);
    for (Op Operation : {Op::GroupIdX, Op::GroupIdY, Op::GroupIdZ})
      Put(Ask(Operation, B.getInt32Ty()));
    PutThree(Op::GroupCount);
  }
  Value *Checker = B.CreateIntToPtr(F.getArg(unsigned(F.arg_size()) - 1), B.getPtrTy());
  Tables = call(EnterHelper, {Record, Checker, Kernel, Memory, B.getInt32(ByGroups)}, B.getPtrTy());
}

void Instrumenter::leave() {
  if (Done)
    call(WorkHelper, {Record, B.CreateLoad(B.getInt64Ty(), Done)});
  if (HasImages)
    call(LeaveHelper, {Record});
}

void Instrumenter::countOperations() {
  Done = B.CreateAlloca(B.getInt64Ty(), nullptr, "operations");
  B.CreateStore(B.getInt64(0), Done);
  for (BasicBlock &Block : F) {
    std::uint64_t Here = 0;
    for (const Instruction &I : Block)
      Here += operationsOf(I);
    if (!Here)
      continue;
    IRBuilder<> Begin(&Block, Block.getFirstInsertionPt());
    if (Block.isEntryBlock())
      Begin.SetInsertPoint(B.GetInsertBlock(), B.GetInsertPoint());
    Begin.CreateStore(Begin.CreateAdd(Begin.CreateLoad(B.getInt64Ty(), Done), B.getInt64(Here)), Done);
  }
}

void Instrumenter::visit(Instruction &I) {
  checkValues(I);
  B.SetInsertPoint(&I);
  B.SetCurrentDebugLocation({});
  if (isa<ReturnInst>(I)) {
    leave();
  } else if (auto Message = lsc::Message::match(&I)) {
    visitLsc(*Message);
  } else if (auto Block = lsc::Block2d::match(&I)) {
    visitBlock2d(*Block);
  } else if (Op Operation = operationOf(&I); Operation != Op::None) {
    visitOperation(cast<CallInst>(I), Operation);
  } else if (isa<ExtractElementInst>(I)) {
    element(I, I.getOperand(0), I.getOperand(1));
  } else if (isa<InsertElementInst>(I)) {
    element(I, I.getOperand(0), I.getOperand(2));
  } else if (isa<LoadInst>(I)) {
    memory(I, I.getOperand(0), M.getDataLayout().getTypeStoreSize(I.getType()));
  } else if (isa<StoreInst>(I)) {
    memory(I, I.getOperand(1), M.getDataLayout().getTypeStoreSize(I.getOperand(0)->getType()));
  }
}

void Instrumenter::visitOperation(CallInst &I, Op Operation) {
  auto Arg = [&](Role What) { return operandOf(I, What); };
  if (auto Info = messageOf(Operation))
    return message(I, *Info);
  switch (Operation) {
  case Op::SlmInit:
    if (auto *Bytes = dyn_cast<ConstantInt>(Arg(Role::Bytes)))
      SlmBytes = std::max(SlmBytes, std::uint32_t(Bytes->getZExtValue()));
    else
      SlmBytes = MostSlm;
    return;
  case Op::Barrier:
    arrive(I);
    return wait(I);
  case Op::SplitBarrier: {
    auto *Arrives = dyn_cast<ConstantInt>(Arg(Role::Arrives));
    return Arrives && Arrives->isZero() ? wait(I) : arrive(I);
  }
  case Op::NamedArrive:
    return named(I, /*Arrives=*/true);
  case Op::NamedWait:
    return named(I, /*Arrives=*/false);
  case Op::PairExchange:
  case Op::DpasPair:
    return exchange(I);
  case Op::Fence:
    call(FenceHelper, {Record});
    return setOperand(I, Role::FenceBits, B.getInt8(cpu::CompilerFence)); // one host thread runs all
  case Op::EndOfThread:
    return leave();
  case Op::RegionRead:
    return region(I, Arg(Role::Source), *RegionRead::match(&I), nullptr);
  case Op::RegionWrite:
    if (auto Write = RegionWrite::matchMasked(&I))
      region(I, Write->old(), *Write, Write->mask());
    return;
  case Op::MemoryRead:
  case Op::MemoryWrite:
    return memoryRegion(I);
  case Op::Bounds:
    return bounds(I, Arg(Role::Source), Arg(Role::Second), Arg(Role::Number));
  default:
    return;
  }
}

void Instrumenter::barrier(CallInst &I, Meeting How) {
  call(ArriveHelper, {Record, site(I, {"barrier", Access::Read}), B.getInt32(std::uint32_t(How))});
}

void Instrumenter::arrive(CallInst &I) { barrier(I, Meeting::Arrives); }

void Instrumenter::wait(CallInst &I) {
  if (operationOf(&I) == Op::SplitBarrier)
    barrier(I, Meeting::Waits);
  B.SetInsertPoint(I.getNextNode());
  call(WaitHelper, {Record});
}

void Instrumenter::named(CallInst &I, bool Arrives) {
  Mixed = 1;
  if (!Arrives) {
    barrier(I, Meeting::WaitsForOthers);
    B.SetInsertPoint(I.getNextNode());
  }
  call(NamedHelper, {Record, B.CreateZExt(operandOf(I, Role::Id), B.getInt32Ty()), B.getInt32(Arrives)});
}

void Instrumenter::exchange(CallInst &I) {
  Mixed = 1;
  call(ExchangeHelper, {Record, B.getInt32(1)});
  B.SetInsertPoint(I.getNextNode());
  call(ExchangeHelper, {Record, B.getInt32(0)});
}

Function *instrument(Function &Kernel) { return Instrumenter(Kernel, /*Counts=*/false).run(); }
Function *instrumentToCount(Function &Kernel) { return Instrumenter(Kernel, /*Counts=*/true).run(); }

} // namespace pocm::check
