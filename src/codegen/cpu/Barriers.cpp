//===- Barriers.cpp - Threads that wait for each other ------------------------------===//
//
// All threads of a group run on one host thread. Where one waits, it hands over to the
// next: the kernel is a coroutine, suspended while the barrier's phase is still the one
// in which the thread arrived.
//
//     barrier()       ->   mine = group.barrier.phase
//                          if (++group.barrier.producers == threads of the group)
//                            group.barrier = {0, 0, phase + 1}
//                          while (group.barrier.phase == mine)
//                            suspend
//
// The last thread to arrive goes on without a suspension. LLVM's coroutine passes keep in
// the frame what lives across a suspension and nothing else.
//
// Needs:    a bound thread (Walker.cpp), which has its group.
// Leaves:   a coroutine that is not split; suspensions where threads wait.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Inside.h"
#include "ir/Intrinsics.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr const char *WaitMark = "pocm.wait"; // (address of a phase, the phase to wait out, line)

class Barriers {
public:
  explicit Barriers(Function &F) : F(F), TheGroup(F.getArg(1)) {}

  bool run() {
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (lowering(operationOf(&I)))
        Calls.push_back(cast<CallInst>(&I));
    for (CallInst *Call : Calls) {
      IRBuilder<> B(Call);
      Line = lineOf(*Call);
      (this->*lowering(operationOf(Call)))(B, *Call);
      Call->eraseFromParent();
    }
    return Waits;
  }

private:
  using Lower = void (Barriers::*)(IRBuilder<> &, CallInst &);
  static Lower lowering(Op Operation) {
    switch (Operation) {
    case Op::Barrier:
      return &Barriers::barrier;
    case Op::SplitBarrier:
      return &Barriers::splitBarrier;
    case Op::NamedArrive:
      return &Barriers::namedArrive;
    case Op::NamedWait:
      return &Barriers::namedWait;
    case Op::PairExchange:
      return &Barriers::exchange;
    case Op::Fence:
      return &Barriers::fence;
    default:
      return nullptr;
    }
  }

  Value *at(IRBuilder<> &B, std::size_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), TheGroup, Offset);
  }
  Value *load(IRBuilder<> &B, std::size_t Offset) { return B.CreateLoad(B.getInt32Ty(), at(B, Offset)); }

  /// The phase in which this thread arrived last, at the group's barrier (slot 0) or a named one; the first while it
  /// has not, so that who waits without having arrived waits for the others.
  Value *noted(IRBuilder<> &B, Value *Slot) {
    Type *Table = ArrayType::get(B.getInt32Ty(), NamedBarriers + 1);
    if (!Phases) {
      IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
      Phases = Entry.CreateAlloca(Table);
      Entry.CreateMemSet(Phases, Entry.getInt8(0), *Phases->getAllocationSize(F.getDataLayout()), Phases->getAlign());
    }
    return B.CreateInBoundsGEP(Table, Phases, {B.getInt32(0), Slot});
  }

  Value *arrive(IRBuilder<> &B) {
    constexpr std::size_t Arrived = offsetof(Group, barrier) + offsetof(struct Barrier, producers);
    constexpr std::size_t Phase = offsetof(Group, barrier) + offsetof(struct Barrier, phase);
    Value *Mine = load(B, Phase), *Here = B.CreateAdd(load(B, Arrived), B.getInt32(1));
    Value *Threads = load(B, offsetof(Group, localSize));
    Threads = B.CreateMul(Threads, load(B, offsetof(Group, localSize) + 4));
    Threads = B.CreateMul(Threads, load(B, offsetof(Group, localSize) + 8));
    Value *All = B.CreateICmpEQ(Here, Threads);
    B.CreateStore(B.CreateSelect(All, B.getInt32(0), Here), at(B, Arrived));
    B.CreateStore(B.CreateAdd(Mine, B.CreateZExt(All, B.getInt32Ty())), at(B, Phase));
    return Mine;
  }

  void wait(IRBuilder<> &B, Value *Address, Value *Mine) {
    Waits = true;
    Type *I32 = B.getInt32Ty();
    FunctionType *Signature = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), I32, I32}, false);
    B.CreateCall(F.getParent()->getOrInsertFunction(WaitMark, Signature), {Address, Mine, B.getInt32(Line)});
  }
  Value *phase(IRBuilder<> &B) { return at(B, offsetof(Group, barrier) + offsetof(struct Barrier, phase)); }

  void barrier(IRBuilder<> &B, CallInst &) {
    Value *Mine = arrive(B);
    wait(B, phase(B), Mine);
  }

  void splitBarrier(IRBuilder<> &B, CallInst &Call) {
    auto *Arrive = dyn_cast<ConstantInt>(operandOf(Call, Role::Arrives));
    if (!Arrive || !Arrive->isZero()) {
      B.CreateStore(arrive(B), noted(B, B.getInt32(0)));
      return;
    }
    wait(B, phase(B), B.CreateLoad(B.getInt32Ty(), noted(B, B.getInt32(0))));
  }

  Value *wide(IRBuilder<> &B, Value *Byte) { return B.CreateZExt(Byte, B.getInt32Ty()); }
  Value *named(IRBuilder<> &B, Value *Id) { return B.CreateAnd(wide(B, Id), B.getInt32(NamedBarriers - 1)); }

  void namedArrive(IRBuilder<> &B, CallInst &Call) {
    Value *Id = named(B, operandOf(Call, Role::Id));
    Type *I32 = B.getInt32Ty();
    FunctionType *Signature = FunctionType::get(I32, {B.getPtrTy(), I32, I32, I32, I32}, false);
    Value *Mine = B.CreateCall(F.getParent()->getOrInsertFunction(ArriveHelper, Signature),
                               {TheGroup, Id, wide(B, operandOf(Call, Role::BarrierRole)),
                                wide(B, operandOf(Call, Role::Producers)), wide(B, operandOf(Call, Role::Consumers))});
    B.CreateStore(Mine, noted(B, B.CreateAdd(Id, B.getInt32(1))));
  }

  void namedWait(IRBuilder<> &B, CallInst &Call) {
    Value *Id = named(B, operandOf(Call, Role::Id));
    Value *Offset = B.CreateAdd(B.CreateMul(Id, B.getInt32(sizeof(struct Barrier))),
                                B.getInt32(offsetof(Group, named) + offsetof(struct Barrier, phase)));
    Value *Phase = B.CreateInBoundsGEP(B.getInt8Ty(), TheGroup, B.CreateZExt(Offset, B.getInt64Ty()));
    wait(B, Phase, B.CreateLoad(B.getInt32Ty(), noted(B, B.CreateAdd(Id, B.getInt32(1)))));
  }

  /// mine = mail[me]; mine.value[n & 1] = value; ++mine.given; wait while mail[me ^ 1].given == n; read that one's
  /// value
  void exchange(IRBuilder<> &B, CallInst &Call) {
    constexpr unsigned LocalX = 4; // parameters of a bound kernel (Walker.cpp)
    Type *I8 = B.getInt8Ty(), *I32 = B.getInt32Ty();
    Value *Me = B.CreateMul(F.getArg(LocalX + 2), load(B, offsetof(Group, localSize) + 4));
    Me = B.CreateMul(B.CreateAdd(Me, F.getArg(LocalX + 1)), load(B, offsetof(Group, localSize)));
    Me = B.CreateAdd(Me, F.getArg(LocalX));
    Value *Mail = B.CreateLoad(B.getPtrTy(), at(B, offsetof(Group, mail)));
    auto Box = [&](Value *Thread) {
      Value *Offset = B.CreateMul(B.CreateZExt(Thread, B.getInt64Ty()), B.getInt64(sizeof(Mailbox)));
      return B.CreateInBoundsGEP(I8, Mail, Offset);
    };
    Value *Mine = Box(Me), *Other = Box(B.CreateXor(Me, 1));
    Value *Given = B.CreateLoad(I32, Mine);
    Value *Slot = B.CreateAdd(B.CreateMul(B.CreateAnd(Given, 1), B.getInt32(sizeof(Mailbox::value[0]))),
                              B.getInt32(offsetof(Mailbox, value)));
    B.CreateStore(operandOf(Call, Role::Source), B.CreateInBoundsGEP(I8, Mine, Slot));
    B.CreateStore(B.CreateAdd(Given, B.getInt32(1)), Mine);
    B.CreateStore(B.CreateAdd(load(B, offsetof(Group, exchanges)), B.getInt32(1)), at(B, offsetof(Group, exchanges)));
    wait(B, Other, Given);
    Call.replaceAllUsesWith(B.CreateLoad(Call.getType(), B.CreateInBoundsGEP(I8, Other, Slot)));
  }

  /// Whether the thread ends behind a fence without reading or writing anything any more.
  static bool endsBehind(const CallInst &Fence) {
    SmallPtrSet<const BasicBlock *, 8> Seen;
    SmallVector<const Instruction *, 8> Todo{Fence.getNextNode()};
    while (!Todo.empty())
      for (const Instruction *I = Todo.pop_back_val(); I; I = I->getNextNode()) {
        if (I->mayReadOrWriteMemory() && operationOf(I) != Op::Fence && !isa<FenceInst>(I))
          return false;
        if (I->isTerminator())
          for (const BasicBlock *Next : successors(I->getParent()))
            if (Seen.insert(Next).second)
              Todo.push_back(&Next->front());
      }
    return true;
  }

  void fence(IRBuilder<> &B, CallInst &Call) {
    auto *Mask = dyn_cast<ConstantInt>(operandOf(Call, Role::FenceBits));
    bool OnlyCompiler = Mask && Mask->getZExtValue() == CompilerFence;
    // Those who start when this thread has ended see what it wrote. To wait for its stores takes the time of many.
    B.CreateFence(endsBehind(Call) ? AtomicOrdering::Release : AtomicOrdering::SequentiallyConsistent,
                  OnlyCompiler ? SyncScope::SingleThread : SyncScope::System);
  }

  Function &F;
  Value *TheGroup;
  AllocaInst *Phases = nullptr;
  unsigned Line = 0;
  bool Waits = false;
};

/// `Wait` becomes a loop around a suspension.
void suspendWhileWaiting(CallInst &Wait, BasicBlock *Suspended, BasicBlock *Destroyed) {
  auto [Phase, Mine, Line] = argumentsOf<3>(Wait);
  BasicBlock *Before = Wait.getParent(), *After = SplitBlock(Before, &Wait);
  LLVMContext &C = Before->getContext();
  auto *Check = BasicBlock::Create(C, "wait", Before->getParent(), After);
  auto *Yield = BasicBlock::Create(C, "yield", Before->getParent(), After);
  Before->getTerminator()->setSuccessor(0, Check);
  IRBuilder<> B(Check);
  Value *Now = B.CreateLoad(B.getInt32Ty(), Phase);
  B.CreateCondBr(B.CreateICmpEQ(Now, Mine), Yield, After);
  B.SetInsertPoint(Yield);
  B.CreateStore(Line,
                B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Before->getParent()->getArg(1), offsetof(Group, waitLine)));
  Value *Why = B.CreateIntrinsic(B.getInt8Ty(), Intrinsic::coro_suspend, {ConstantTokenNone::get(C), B.getFalse()});
  auto *Where = B.CreateSwitch(Why, Suspended, 2);
  Where->addCase(B.getInt8(0), Check);
  Where->addCase(B.getInt8(1), Destroyed);
  Wait.eraseFromParent();
}

} // namespace

void keepVectorsAcrossBarriers(Function &F) {
  // LLVM computes arithmetic again behind a suspension rather than to keep its result: right for an address, wrong for
  // a sum over a loop, whose operands then go to the frame in every round. It leaves freezes alone.
  SmallVector<Instruction *, 32> Kept;
  for (Instruction &I : instructions(F)) {
    bool Again = isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I);
    if (Again && I.getType()->isVectorTy() && any_of(I.users(), [&](User *U) {
          auto *User = cast<Instruction>(U);
          return User->getParent() != I.getParent() || isa<PHINode>(User);
        }))
      Kept.push_back(&I);
  }
  for (Instruction *I : Kept) {
    auto *Frozen = new FreezeInst(I, I->getName() + ".kept");
    Frozen->insertAfter(I->getIterator());
    I->replaceUsesWithIf(Frozen, [&](Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      return User != Frozen && (User->getParent() != I->getParent() || isa<PHINode>(User));
    });
  }
}

void nameFrames(const Function &F) {
  for (const char *Part : {".resume", ".destroy", ".cleanup"})
    if (Function *Split = F.getParent()->getFunction((F.getName() + Part).str()))
      Split->addParamAttr(0, Attribute::get(F.getContext(), OwnMemory));
}

std::uint64_t frameBytes(const Module &M) {
  // The coroutine passes have put the size where the frame is asked for.
  if (const Function *Helper = M.getFunction(FrameHelper))
    for (const User *U : Helper->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        if (auto *Bytes = dyn_cast<ConstantInt>(secondArgument(*Call)))
          return Bytes->getZExtValue();
  return 0;
}

void lowerBarriers(Function &F, KernelTraits &Traits) { Traits.Waits = Barriers(F).run(); }

void makeCoroutine(Function &F) {
  LLVMContext &C = F.getContext();
  constexpr unsigned FrameAlign = 64;
  Instruction *Begin = &*F.getEntryBlock().getFirstInsertionPt();
  IRBuilder<> B(Begin);
  Value *Null = ConstantPointerNull::get(B.getPtrTy());
  Value *Id = B.CreateIntrinsic(Type::getTokenTy(C), Intrinsic::coro_id, {B.getInt32(FrameAlign), Null, Null, Null});
  Value *Size = B.CreateIntrinsic(Intrinsic::coro_size, {B.getInt64Ty()}, {});
  FunctionType *Signature = FunctionType::get(B.getPtrTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  Value *Frame = B.CreateCall(F.getParent()->getOrInsertFunction(FrameHelper, Signature), {F.getArg(1), Size});
  Value *Handle = B.CreateIntrinsic(B.getPtrTy(), Intrinsic::coro_begin, {Id, Frame});

  auto *Final = BasicBlock::Create(C, "done", &F), *Destroyed = BasicBlock::Create(C, "destroyed", &F);
  auto *Suspended = BasicBlock::Create(C, "suspended", &F), *Never = BasicBlock::Create(C, "never", &F);
  SmallVector<CallInst *, 8> Waits;
  SmallVector<ReturnInst *, 4> Returns;
  for (Instruction &I : instructions(F)) {
    if (auto *Return = dyn_cast<ReturnInst>(&I))
      Returns.push_back(Return);
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == WaitMark)
      Waits.push_back(Call);
  }
  for (ReturnInst *Return : Returns) {
    IRBuilder<>(Return).CreateBr(Final);
    Return->eraseFromParent();
  }
  for (CallInst *Wait : Waits)
    suspendWhileWaiting(*Wait, Suspended, Destroyed);

  B.SetInsertPoint(Final);
  Value *Why = B.CreateIntrinsic(B.getInt8Ty(), Intrinsic::coro_suspend, {ConstantTokenNone::get(C), B.getTrue()});
  auto *Where = B.CreateSwitch(Why, Suspended, 2);
  Where->addCase(B.getInt8(0), Never);
  Where->addCase(B.getInt8(1), Destroyed);
  IRBuilder<>(Never).CreateUnreachable();
  B.SetInsertPoint(Destroyed);
  B.CreateIntrinsic(B.getPtrTy(), Intrinsic::coro_free, {Id, Handle});
  B.CreateBr(Suspended);
  B.SetInsertPoint(Suspended);
  Function *End = Intrinsic::getOrInsertDeclaration(F.getParent(), Intrinsic::coro_end);
  B.CreateCall(End, {Handle, B.getFalse(), ConstantTokenNone::get(C)});
  B.CreateRetVoid();
  F.setPresplitCoroutine();
}

} // namespace pocm::cpu
