//===- Walker.cpp - The loop over threads, compiled with the kernel -----------===//
//
//     u32 NAME(const void *arguments, const SurfaceView *surfaces, Group *group, x0, x1, y0, y1) {
//       load the arguments
//       for (y = y0; y < y1; ++y)
//         for (x = x0; x < x1; ++x)
//           kernel(surfaces, group, x, y, 0, 0, 0, arguments...)         inlined
//     }
//
// A CM thread costs a loop iteration; what does not depend on x and y moves out. A kernel
// that asks for its group is walked group by group, x0 to x1, with a loop over the threads
// of each; one with barriers is a coroutine (Barriers.cpp) that this loop only starts. A
// kernel that walks across surfaces, or shares what it reads both ways, is walked in tiles (Tiles.cpp).
//
// Needs:    a kernel whose vectors are registers; its thread bound by bindThread.
// Leaves:   a function that the device calls, and the thread to be inlined into it.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/CodeGen.h"
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Waits.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Tiles of kernels that walk across surfaces are narrow, so that few rows of the other surface are written at a time.
constexpr unsigned TileWidth = 8;
/// Nested tiles: so many of them a side are in a larger one, and of how many threads a side the smallest are.
constexpr unsigned NestedTiles = 4, SmallestTile = 2;

/// Parameters of a bound kernel in front of the kernel's own.
enum Leading : unsigned {
  Surfaces,
  TheGroup,
  X,
  Y,
  LocalX,
  LocalY,
  LocalZ,
  GroupX,
  GroupY,
  GroupZ,
  SizeX,
  SizeY,
  SizeZ,
  CountX,
  CountY,
  CountZ,
  Count
};

Value *groupField(IRBuilder<> &B, Value *Group, std::size_t Offset) {
  return B.CreateLoad(B.getInt32Ty(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Group, Offset));
}
void setGroupField(IRBuilder<> &B, Value *Group, std::size_t Offset, Value *V) {
  B.CreateStore(V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Group, Offset));
}

Value *triple(IRBuilder<> &B, Value *First, Value *Second, Value *Third) {
  Value *V = PoisonValue::get(FixedVectorType::get(B.getInt32Ty(), 3));
  V = B.CreateInsertElement(V, First, uint64_t(0));
  V = B.CreateInsertElement(V, Second, uint64_t(1));
  return B.CreateInsertElement(V, Third, uint64_t(2));
}

/// A clock as CM gives it: low dword, high dword, 0, 0.
Value *timestamp(IRBuilder<> &B, Type *T) {
  Value *Clock = B.CreateIntrinsic(B.getInt64Ty(), Intrinsic::readcyclecounter, {});
  Value *V = B.CreateInsertElement(Constant::getNullValue(T), B.CreateTrunc(Clock, B.getInt32Ty()), uint64_t(0));
  return B.CreateInsertElement(V, B.CreateTrunc(B.CreateLShr(Clock, 32), B.getInt32Ty()), uint64_t(1));
}

/// `Bytes` behind the address that lies at `Offset` of a structure.
Value *address(IRBuilder<> &B, Value *Structure, std::size_t Offset, Value *Bytes) {
  Value *Base = B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Structure, Offset));
  return B.CreateGEP(B.getInt8Ty(), Base, B.CreateZExt(Bytes, B.getInt64Ty()));
}

/// The address of a variable in memory that the structure describes there; null where that has no room for it.
Value *addressOf(const CallInst &Variable, IRBuilder<> &B, Value *Structure, std::size_t View) {
  Value *At = operandOf(Variable, Role::Offset), *Bytes = operandOf(Variable, Role::Bytes);
  Value *Place = address(B, Structure, View + offsetof(SurfaceView, base), At);
  Value *All = B.CreateLoad(
      B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Structure, View + offsetof(SurfaceView, bytes)));
  Value *End = B.CreateAdd(B.CreateZExt(At, B.getInt64Ty()), B.CreateZExt(Bytes, B.getInt64Ty()));
  return B.CreateSelect(B.CreateICmpULE(End, All), Place, Constant::getNullValue(Place->getType()));
}

/// Which group it is, and how large: in registers, but for a thread that may wait, which would have to keep them.
Value *groupIdentity(Op Operation, IRBuilder<> &B, Function &F, bool Waits) {
  Value *Group = F.getArg(TheGroup);
  auto number = [&](unsigned Number, std::size_t Field) -> Value * {
    return Waits ? groupField(B, Group, Field) : F.getArg(Number);
  };
  auto numbers = [&](unsigned First, std::size_t Field) {
    return triple(B, number(First, Field), number(First + 1, Field + 4), number(First + 2, Field + 8));
  };
  switch (Operation) {
  case Op::LocalSize:
    return numbers(SizeX, offsetof(cpu::Group, localSize));
  case Op::GroupCount:
    return numbers(CountX, offsetof(cpu::Group, groupCount));
  case Op::GroupIdX:
    return number(GroupX, offsetof(cpu::Group, groupId));
  case Op::GroupIdY:
    return number(GroupY, offsetof(cpu::Group, groupId) + 4);
  case Op::GroupIdZ:
    return number(GroupZ, offsetof(cpu::Group, groupId) + 8);
  default:
    return nullptr;
  }
}

/// What an identity operation of the thread is; null for any other operation.
Value *identity(Op Operation, IRBuilder<> &B, Instruction &I, Function &F) {
  Value *Group = F.getArg(TheGroup);
  switch (Operation) {
  case Op::ThreadX:
    return B.CreateTrunc(F.getArg(X), I.getType());
  case Op::ThreadY:
    return B.CreateTrunc(F.getArg(Y), I.getType());
  case Op::LocalId:
    return triple(B, F.getArg(LocalX), F.getArg(LocalY), F.getArg(LocalZ));
  case Op::Color:
    return B.CreateTrunc(groupField(B, Group, offsetof(cpu::Group, color)), I.getType());
  case Op::HardwareId:
    return groupField(B, Group, offsetof(cpu::Group, worker));
  case Op::Timestamp:
    return timestamp(B, I.getType());
  case Op::LocalBase:
    return addressOf(cast<CallInst>(I), B, Group, offsetof(cpu::Group, slm));
  case Op::LocalOffset: {
    Value *Base = address(B, Group, offsetof(cpu::Group, slm) + offsetof(SurfaceView, base), B.getInt32(0));
    return B.CreateTrunc(B.CreatePtrDiff(B.getInt8Ty(), operandOf(cast<CallInst>(I), Role::Address), Base),
                         I.getType());
  }
  case Op::ProgramBase:
    return addressOf(cast<CallInst>(I), B, F.getArg(Surfaces), ProgramSurface * sizeof(SurfaceView));
  case Op::ProgramAddress:
    return B.CreatePtrToInt(address(B, F.getArg(Surfaces),
                                    ProgramSurface * sizeof(SurfaceView) + offsetof(SurfaceView, base), B.getInt32(0)),
                            I.getType());
  default:
    return nullptr;
  }
}

/// The thread ends here: what follows is cut off.
void returnAt(Instruction &I) {
  BasicBlock *Block = I.getParent();
  SplitBlock(Block, &I);
  Block->getTerminator()->eraseFromParent();
  ReturnInst::Create(I.getContext(), Block);
}

/// Whether the operation writes to the print buffer: its surface is a constant.
bool prints(const Instruction &I) {
  for (const Value *Operand : I.operands())
    if (auto *C = dyn_cast<ConstantInt>(Operand);
        C && C->getType()->isIntegerTy(32) && C->getZExtValue() == PrintSurface)
      return atomicInfo(operationOf(&I)).Sources >= 0;
  return false;
}

/// That LLVM is not to make vectors of several threads of: a thread has vectors of its own.
MDNode *ofThreads(LLVMContext &C) {
  Metadata *No[] = {MDString::get(C, "llvm.loop.vectorize.enable"), ConstantAsMetadata::get(ConstantInt::getFalse(C))};
  return makePostTransformationMetadata(C, nullptr, {}, {MDNode::get(C, No)});
}

/// Emits `for (i = from; i < to; i += step)`; the builder is left in the body, close() ends it.
class Loop {
public:
  Loop(IRBuilder<> &B, Value *From, Value *To, const char *Name, unsigned Step = 1) : B(B), To(To), Step(Step) {
    Function *F = B.GetInsertBlock()->getParent();
    LLVMContext &C = F->getContext();
    Body = BasicBlock::Create(C, Name, F);
    After = BasicBlock::Create(C, Twine(Name) + ".done", F);
    Before = B.GetInsertBlock();
    B.CreateCondBr(B.CreateICmpULT(From, To), Body, After);
    B.SetInsertPoint(Body);
    Counter = B.CreatePHI(B.getInt32Ty(), 2, Name);
    Counter->addIncoming(From, Before);
  }
  Value *counter() { return Counter; }
  /// Something else that each iteration has for the next one; before anything else is in the body.
  Value *carry(Value *First) {
    PHINode *Phi = B.CreatePHI(First->getType(), 2);
    Phi->addIncoming(First, Before);
    Carried.push_back(Phi);
    return Phi;
  }
  /// `Next`: of what is carried, in its order.
  void close(ArrayRef<Value *> NextOfCarried = {}) {
    Value *Next = B.CreateNUWAdd(Counter, B.getInt32(Step));
    for (auto [Phi, V] : zip_equal(Carried, NextOfCarried))
      Phi->addIncoming(V, B.GetInsertBlock());
    Counter->addIncoming(Next, B.GetInsertBlock());
    B.CreateCondBr(B.CreateICmpULT(Next, To), Body, After)
        ->setMetadata(LLVMContext::MD_loop, ofThreads(B.getContext()));
    B.SetInsertPoint(After);
  }

private:
  IRBuilder<> &B;
  Value *To;
  unsigned Step;
  BasicBlock *Before, *Body, *After;
  PHINode *Counter;
  SmallVector<PHINode *, 3> Carried;
};

class WalkerBuilder {
public:
  WalkerBuilder(Function &Bound, const KernelTraits &Traits, StringRef Name)
      : Bound(Bound), Traits(Traits), B(Bound.getContext()) {
    Type *I32 = B.getInt32Ty(), *Pointer = B.getPtrTy();
    Walk = Function::Create(FunctionType::get(I32, {Pointer, Pointer, Pointer, I32, I32, I32, I32}, false),
                            GlobalValue::ExternalLinkage, Name, Bound.getParent());
  }

  Function *build() {
    LLVMContext &C = Bound.getContext();
    Argument *Arguments = Walk->getArg(0), *Table = Walk->getArg(1), *Group = Walk->getArg(2);
    Table->addAttr(Attribute::get(C, Attribute::ReadOnly));
    // The table lives as long as the launch, so its entries may be read ahead of the checks.
    Table->addAttr(Attribute::getWithDereferenceableBytes(C, SurfaceSlots * sizeof(SurfaceView)));
    Arguments->addAttr(Attribute::get(C, Attribute::ReadOnly));
    for (Argument *A : {Arguments, Table})
      A->addAttr(Attribute::NoAlias);
    B.SetInsertPoint(BasicBlock::Create(C, "entry", Walk));
    Operands.assign(Leading::Count, B.getInt32(0)); // of groups, where there are none
    Operands[Leading::Surfaces] = Table;
    Operands[Leading::TheGroup] = Group;
    loadArguments(Arguments);
    Value *X0 = Walk->getArg(3), *X1 = Walk->getArg(4), *Y0 = Walk->getArg(5), *Y1 = Walk->getArg(6);
    if (Traits.ByGroups)
      walkGroups(X0, X1);
    else if (Traits.Order == Walking::Tiles)
      walkTiles(X0, X1, Y0, Y1, {TileWidth, TileSide}, TileSide);
    else if (Traits.Order == Walking::NestedTiles)
      walkTiles(X0, X1, Y0, Y1, {TileSide, TileSide}, SmallestTile);
    else
      walkRows(X0, X1, Y0, Y1);
    if (Traits.Streams) // what was written around the cache is there for those who wait for this walk
      B.CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
    B.CreateRet(B.getInt32(0));
    Bound.addFnAttr(Traits.Waits ? Attribute::NoInline : Attribute::AlwaysInline);
    return Walk;
  }

private:
  void loadArguments(Value *Block) {
    unsigned Offset = 0;
    for (unsigned I = Leading::Count; I < Bound.arg_size(); ++I) {
      Type *T = Bound.getArg(I)->getType();
      Value *From = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset);
      Operands.push_back(B.CreateAlignedLoad(T, From, Align(ArgumentAlign)));
      Offset = alignArgument(Offset + unsigned(countOf(T) * std::max(1, elementBytes(T))));
    }
  }

  void walkRows(Value *X0, Value *X1, Value *Y0, Value *Y1) {
    Loop Rows(B, Y0, Y1, "row");
    Operands[Leading::Y] = Rows.counter();
    notePosition(Leading::Y, offsetof(cpu::Group, y));
    Loop Threads(B, X0, X1, "thread");
    Operands[Leading::X] = Threads.counter();
    notePosition(Leading::X, offsetof(cpu::Group, x));
    B.CreateCall(&Bound, Operands);
    Threads.close();
    Rows.close();
  }

  struct Tile {
    unsigned Width, Height; ///< Threads.
  };

  /// In tiles, each in smaller ones down to `Smallest` high, whose threads go row by row.
  void walkTiles(Value *X0, Value *X1, Value *Y0, Value *Y1, Tile Of, unsigned Smallest) {
    auto End = [&](Value *Begin, unsigned Side, Value *Most) {
      return B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateNUWAdd(Begin, B.getInt32(Side)), Most);
    };
    Loop Rows(B, Y0, Y1, "tile.row", Of.Height);
    Value *YEnd = End(Rows.counter(), Of.Height, Y1);
    Loop Tiles(B, X0, X1, "tile", Of.Width);
    Value *XEnd = End(Tiles.counter(), Of.Width, X1);
    if (Of.Height <= Smallest)
      walkRows(Tiles.counter(), XEnd, Rows.counter(), YEnd);
    else
      walkTiles(Tiles.counter(), XEnd, Rows.counter(), YEnd, {Of.Width / NestedTiles, Of.Height / NestedTiles},
                Smallest);
    Tiles.close();
    Rows.close();
  }

  /// For messages about a thread that faults. Volatile, as the fault is not foreseen.
  void notePosition(Leading What, std::size_t Offset) {
    B.CreateStore(Operands[What], B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Walk->getArg(2), Offset),
                  /*isVolatile=*/true);
  }

  void walkGroups(Value *First, Value *Last) {
    Value *Group = Walk->getArg(2);
    auto Field = [&](std::size_t Offset) { return groupField(B, Group, Offset); };
    Value *Zero = B.getInt32(0);
    for (unsigned K = 0; K < 3; ++K) {
      Operands[Leading::CountX + K] = Field(offsetof(cpu::Group, groupCount) + 4 * K);
      Operands[Leading::SizeX + K] = Field(offsetof(cpu::Group, localSize) + 4 * K);
    }
    Value *CountX = Operands[Leading::CountX], *CountY = Operands[Leading::CountY];
    Value *SizeX = Operands[Leading::SizeX], *SizeY = Operands[Leading::SizeY], *SizeZ = Operands[Leading::SizeZ];
    Value *OriginX = Field(offsetof(cpu::Group, origin)), *OriginY = Field(offsetof(cpu::Group, origin) + 4);
    Value *Rest = B.CreateUDiv(First, CountX);
    Value *Ids[] = {B.CreateURem(First, CountX), B.CreateURem(Rest, CountY), B.CreateUDiv(Rest, CountY)};
    Loop Groups(B, First, Last, "group");
    Value *IdX = Groups.carry(Ids[0]), *IdY = Groups.carry(Ids[1]), *IdZ = Groups.carry(Ids[2]);
    Operands[Leading::GroupX] = IdX;
    Operands[Leading::GroupY] = IdY;
    Operands[Leading::GroupZ] = IdZ;
    setGroupField(B, Group, offsetof(cpu::Group, groupId), IdX);
    setGroupField(B, Group, offsetof(cpu::Group, groupId) + 4, IdY);
    setGroupField(B, Group, offsetof(cpu::Group, groupId) + 8, IdZ);
    Value *BaseX = B.CreateAdd(OriginX, B.CreateMul(IdX, SizeX)),
          *BaseY = B.CreateAdd(OriginY, B.CreateMul(IdY, SizeY));
    Loop Layers(B, Zero, SizeZ, "layer");
    Operands[Leading::LocalZ] = Layers.counter();
    Loop Rows(B, Zero, SizeY, "row");
    Operands[Leading::LocalY] = Rows.counter();
    Operands[Leading::Y] = B.CreateAdd(BaseY, Rows.counter());
    Loop Threads(B, Zero, SizeX, "thread");
    Operands[Leading::LocalX] = Threads.counter();
    Operands[Leading::X] = B.CreateAdd(BaseX, Threads.counter());
    notePosition(Leading::X, offsetof(cpu::Group, x));
    notePosition(Leading::Y, offsetof(cpu::Group, y));
    for (unsigned K = Leading::GroupX; K < Leading::Count; ++K)
      if (Bound.getArg(K)->use_empty())
        Operands[K] = PoisonValue::get(B.getInt32Ty());
    B.CreateCall(&Bound, Operands);
    Threads.close();
    Rows.close();
    Layers.close();
    if (Traits.Waits)
      finishGroup(Group);
    Value *NextX = B.CreateAdd(IdX, B.getInt32(1)), *EndsRow = B.CreateICmpEQ(NextX, CountX);
    Value *NextY = B.CreateAdd(IdY, B.CreateZExt(EndsRow, B.getInt32Ty())), *EndsAll = B.CreateICmpEQ(NextY, CountY);
    Value *NextZ = B.CreateAdd(IdZ, B.CreateZExt(EndsAll, B.getInt32Ty()));
    Groups.close({B.CreateSelect(EndsRow, Zero, NextX), B.CreateSelect(EndsAll, Zero, NextY), NextZ});
  }

  /// Runs the threads that wait until all are done; gives up when they never will be.
  void finishGroup(Value *Group) {
    FunctionType *Signature = FunctionType::get(B.getInt32Ty(), {B.getPtrTy()}, false);
    Value *Stuck = B.CreateCall(Walk->getParent()->getOrInsertFunction(FinishHelper, Signature), {Group});
    auto *GiveUp = BasicBlock::Create(B.getContext(), "stuck", Walk);
    auto *GoOn = BasicBlock::Create(B.getContext(), "finished", Walk);
    B.CreateCondBr(B.CreateIsNotNull(Stuck), GiveUp, GoOn);
    B.SetInsertPoint(GiveUp);
    B.CreateRet(B.getInt32(1));
    B.SetInsertPoint(GoOn);
  }

  Function &Bound;
  const KernelTraits &Traits;
  IRBuilder<> B;
  Function *Walk;
  SmallVector<Value *, 32> Operands;
};

} // namespace

bool concernsGroups(Op Operation) {
  switch (Operation) {
  case Op::SlmInit:
  case Op::Barrier:
  case Op::SplitBarrier:
  case Op::NamedArrive:
  case Op::NamedWait:
  case Op::PairExchange:
  case Op::LocalBase:
  case Op::LocalOffset:
  case Op::LocalId:
  case Op::LocalSize:
  case Op::GroupCount:
  case Op::GroupIdX:
  case Op::GroupIdY:
  case Op::GroupIdZ:
    return true;
  default:
    return false;
  }
}

Function *bindThread(Function &Kernel, KernelTraits &Traits) {
  LLVMContext &C = Kernel.getContext();
  Type *I32 = Type::getInt32Ty(C), *Pointer = PointerType::get(C, 0);
  SmallVector<Type *, 32> Types(Leading::Count, I32);
  Types[Surfaces] = Types[TheGroup] = Pointer;
  for (Argument &A : Kernel.args())
    Types.push_back(A.getType());
  auto *Bound = Function::Create(FunctionType::get(Type::getVoidTy(C), Types, false), GlobalValue::InternalLinkage,
                                 Kernel.getName() + ".thread", Kernel.getParent());
  Bound->addFnAttr(Attribute::NullPointerIsValid); // or the way to what is written there would be left out
  Bound->splice(Bound->begin(), &Kernel);
  Bound->setSubprogram(Kernel.getSubprogram());
  for (Argument &A : Kernel.args())
    A.replaceAllUsesWith(Bound->getArg(A.getArgNo() + Leading::Count));
  SmallVector<Instruction *, 64> All;
  for (Instruction &I : instructions(Bound))
    if (operationOf(&I) != Op::None)
      All.push_back(&I);
  const bool Waits = any_of(All, [](const Instruction *I) { return isWait(*I); });
  for (Instruction *Each : All) {
    Instruction &I = *Each;
    Op Operation = operationOf(&I);
    Traits.ByGroups |= concernsGroups(Operation);
    Traits.Prints |= prints(I);
    Traits.Exchanges |= Operation == Op::PairExchange;
    IRBuilder<> B(&I);
    if (Operation == Op::SlmInit) {
      auto *Bytes = dyn_cast<ConstantInt>(operandOf(cast<CallInst>(I), Role::Bytes));
      Traits.SlmBytes = std::max(Traits.SlmBytes, Bytes ? unsigned(Bytes->getZExtValue()) : MostSlm);
    } else if (Operation == Op::EndOfThread) {
      returnAt(I);
    } else if (Value *V = groupIdentity(Operation, B, *Bound, Waits)) {
      I.replaceAllUsesWith(V);
    } else if (Value *V = identity(Operation, B, I, *Bound)) {
      I.replaceAllUsesWith(V);
    } else {
      continue;
    }
    I.eraseFromParent();
  }
  removeUnreachableBlocks(*Bound);
  Traits.Order = walkingOf(*Bound, *Bound->getArg(X), *Bound->getArg(Y));
  return Bound;
}

Function *buildWalker(Function &Bound, const KernelTraits &Traits, StringRef Name) {
  return WalkerBuilder(Bound, Traits, Name).build();
}

void describeKernel(Module &M, const KernelTraits &Traits) {
  Type *I32 = Type::getInt32Ty(M.getContext()), *I64 = Type::getInt64Ty(M.getContext());
  auto *Info = ConstantStruct::getAnon(
      {ConstantInt::get(I32, Traits.ByGroups), ConstantInt::get(I32, Traits.SlmBytes),
       ConstantInt::get(I32, Traits.Prints), ConstantInt::get(I32, Traits.FloatControl),
       ConstantInt::get(I32, Traits.EndsSoon), ConstantInt::get(I32, Traits.Exchanges),
       ConstantInt::get(I32, Traits.Order == Walking::Rows ? 1 : TileSide), ConstantInt::get(I32, Traits.Streams),
       ConstantInt::get(I32, Traits.ByAddress), ConstantInt::get(I64, frameBytes(M))});
  new GlobalVariable(M, Info->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, Info, infoSymbol);
}

} // namespace pocm::cpu
