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
#include "codegen/cpu/Abi.h"
#include "codegen/cpu/Lowering.h"
#include "devices/check/Abi.h"
#include "devices/check/Needs.h"
#include "devices/check/Operations.h"
#include "devices/check/Shadows.h"
#include "devices/check/Sinks.h"
#include "devices/check/Together.h"
#include "ir/Intrinsics.h"
#include "ir/Lines.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/LiveElements.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {
namespace {

/// What is known of a place when code is made: the fields of a Site that are not its line.
struct What {
  std::string Message;
  Access How;
  std::uint32_t Bytes = 0, Count = 1, Rows = 1, Align = 1, Part = 0;
  std::string Object = {};
  std::vector<std::uint8_t> Used = {}; ///< Site::used.
};

class Instrumenter {
public:
  Instrumenter(Function &Old, bool Counts)
      : Counts(Counts), M(*Old.getParent()), C(Old.getContext()), B(C), F(withChecker(Old)), Live(F) {}

  Function *run() {
    SmallVector<Instruction *, 64> All;
    for (Instruction &I : instructions(F))
      All.push_back(&I);
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    Record = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), (sizeof(ThreadRecord) + 7) / 8), nullptr, "thread.record");
    Uses.assign(F.arg_size(), 0);
    HasImages =
        any_of(All, [](Instruction *I) { return is_contained({Op::MediaRead, Op::MediaWrite}, operationOf(I)); });
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

private:
  //===- The kernel and its thread ----------------------------------------------===//

  static Function &withChecker(Function &Old) {
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

  Constant *text(StringRef Text) {
    Constant *&Known = Texts[Text];
    if (!Known)
      Known = variable(ConstantDataArray::getString(C, Text));
    return Known;
  }
  Constant *textOrNull(StringRef Text) { return Text.empty() ? ConstantPointerNull::get(B.getPtrTy()) : text(Text); }
  Constant *flagsOrNull(ArrayRef<std::uint8_t> Flags) {
    if (Flags.empty())
      return ConstantPointerNull::get(B.getPtrTy());
    return variable(ConstantDataArray::get(C, Flags));
  }
  GlobalVariable *variable(Constant *Value) {
    return new GlobalVariable(M, Value->getType(), true, GlobalValue::PrivateLinkage, Value, "check", nullptr,
                              GlobalValue::NotThreadLocal, /*AddressSpace=*/0);
  }
  Constant *numbers(ArrayRef<std::uint32_t> Numbers) { return variable(ConstantDataArray::get(C, Numbers)); }

  /// The first byte of shared local memory that pointers lead to.
  std::uint32_t slmByAddress() const {
    std::uint32_t First = F.hasFnAttribute(LocalParametersAttribute) ? 0 : ~0u;
    for (Instruction &I : instructions(F))
      if (auto *Base = asOperation(&I, Op::LocalBase)) {
        auto *Offset = dyn_cast<ConstantInt>(operandOf(*Base, Role::Offset));
        First = std::min(First, Offset ? std::uint32_t(Offset->getZExtValue()) : 0);
      }
    return First;
  }

  /// Fills the KernelSite.
  void describe() {
    SmallVector<Constant *, 16> Names;
    for (unsigned I = 0; I + 1 < F.arg_size(); ++I)
      Names.push_back(text(F.getArg(I)->getName()));
    Names.push_back(ConstantPointerNull::get(B.getPtrTy()));
    Constant *Table = variable(ConstantArray::get(ArrayType::get(B.getPtrTy(), Names.size()), Names));
    Kernel->setInitializer(
        ConstantStruct::getAnon({Table, numbers(Uses), B.getInt32(unsigned(F.arg_size()) - 1), B.getInt32(SlmBytes),
                                 B.getInt32(AnyUse), B.getInt32(Mixed), B.getInt32(slmByAddress())}));
  }

  void enter(bool ByGroups) {
    Type *Pointer = B.getPtrTy(), *Number = B.getInt32Ty();
    auto *Layout = StructType::get(C, {Pointer, Pointer, Number, Number, Number, Number, Number});
    Kernel = variable(Constant::getNullValue(Layout));
    B.SetCurrentDebugLocation({});
    auto *Memory = B.CreateAlloca(ArrayType::get(B.getInt32Ty(), sizeof(Place) / 4));
    unsigned Next = 0;
    auto Put = [&](Value *V) {
      B.CreateStore(B.CreateZExtOrTrunc(V, B.getInt32Ty()),
                    B.CreateConstInBoundsGEP1_64(B.getInt32Ty(), Memory, Next++));
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

  void leave() {
    if (Done)
      call(WorkHelper, {Record, B.CreateLoad(B.getInt64Ty(), Done)});
    if (HasImages)
      call(LeaveHelper, {Record});
  }

  /// Each block adds its operations where it begins.
  void countOperations() {
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

  //===- Sites and calls ----------------------------------------------------------===//

  Constant *site(const Instruction &I, const What &W) {
    std::string File;
    unsigned Line = lineOf(I), Column = 0;
    if (const DILocation *Place = userLine(I)) {
      File = Place->getFilename().str();
      Line = Place->getLine();
      Column = Place->getColumn();
    } else if (Line) {
      File = M.getSourceFileName();
    }
    auto Number = [&](std::uint32_t N) { return B.getInt32(N); };
    return variable(
        ConstantStruct::getAnon({textOrNull(File), text(W.Message), textOrNull(W.Object), Number(Line), Number(Column),
                                 Number(std::uint32_t(W.How)), Number(W.Bytes), Number(W.Count), Number(W.Rows),
                                 Number(W.Align), Number(W.Part), flagsOrNull(W.Used), Number(elementOf(I))}));
  }

  /// Bytes of an element of what a message reads or writes.
  static std::uint32_t elementOf(const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    bool Writes = Call && I.getType()->isVoidTy() && has(operationOf(&I), Role::Data);
    Type *T = Writes ? dataTypeOf(*Call) : I.getType();
    return T->isVoidTy() || T->isPointerTy() ? 1 : std::uint32_t(std::max(1, elementBytes(T)));
  }

  CallInst *call(const char *Helper, ArrayRef<Value *> Operands, Type *Result = nullptr) {
    SmallVector<Type *, 8> Types;
    for (Value *Operand : Operands)
      Types.push_back(Operand->getType());
    auto *T = FunctionType::get(Result ? Result : B.getVoidTy(), Types, false);
    auto *Call = B.CreateCall(M.getOrInsertFunction(Helper, T), Operands);
    for (unsigned I = 0; I < Operands.size(); ++I) // variables of lanes stay out of coroutine frames
      if (Operands[I]->getType()->isPointerTy())
        Call->addParamAttr(I, Attribute::getWithCaptureInfo(C, CaptureInfo::none()));
    return Call;
  }

  //===- Reads that need no call ----------------------------------------------------===//

  /// Surfaces that the kernel itself writes: no launch says that reading one of them needs no look.
  void noteWritten(ArrayRef<Instruction *> All) {
    for (Instruction *I : All)
      if (auto *Call = dyn_cast<CallInst>(I))
        if (Op Operation = operationOf(I); I->getType()->isVoidTy() && has(Operation, Role::Surface))
          Written.insert(operandOf(*Call, Role::Surface));
  }

  /// Whether a launch may say of the surface that reading it needs no look.
  bool mayBeReadable(const What &W, Value *Surface) const {
    return !Counts && W.How == Access::Read && !isa<Constant>(Surface) && !Written.contains(Surface);
  }
  /// Goes on where it is not known that stretches of bytes may be read, the last of which begins at `Most`. `Low` has
  /// the lowest bits of all their offsets.
  void unlessReadable(Instruction &I, const What &W, Value *Surface, Value *Most, Value *Low) {
    Value *Bytes = readableOf(Surface, offsetof(Readable, bytes), B.getInt64Ty());
    Value *Fine = B.CreateICmpULT(
        Most, B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, B.getInt64(std::max(1u, W.Bytes) - 1)));
    if (W.Align > 1)
      Fine = B.CreateAnd(Fine, B.CreateICmpEQ(B.CreateAnd(Low, B.getInt64(W.Align - 1)), B.getInt64(0)));
    unless(Fine, I);
  }
  /// The same of a block that lies inside of an image; the thread has reached that.
  void unlessReadableImage(Instruction &I, const What &W, Value *Surface, Value *X, Value *Y) {
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
  /// The launch's entry for a surface in a table of check::Readable.
  Value *readableOf(Value *Surface, std::uint64_t Table, Type *Entry) {
    Value *Slot = B.CreateZExtOrTrunc(Surface, B.getInt32Ty());
    Slot = B.CreateSelect(B.CreateICmpULT(Slot, B.getInt32(SlotCount)), Slot, B.getInt32(SlmSurface));
    Value *First = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Tables, Table);
    auto *Value = B.CreateAlignedLoad(Entry, B.CreateInBoundsGEP(Entry, First, Slot), Align(8));
    Value->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
    return Value;
  }
  /// What comes next is for where `Fine` is not so.
  void unless(Value *Fine, Instruction &I) {
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateNot(Fine), I.getIterator(), /*Unreachable=*/false,
                                               MDBuilder(C).createUnlikelyBranchWeights()));
  }

  /// Variables that calls share, by what they hold.
  enum Scratch : unsigned { Wanted, Offsets, Second, Third, ScratchCount };

  /// A value in memory, for a helper.
  Value *inMemory(Scratch Which, Value *V) {
    auto N = unsigned(countOf(V->getType())), Bytes = N * unsigned(elementBytes(V->getType()));
    AllocaInst *&Memory = Shared[Which];
    if (!Memory) {
      IRBuilder<> Entry(Record);
      Memory = Entry.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes));
      Memory->setAlignment(Align(64));
    }
    if (cast<ArrayType>(Memory->getAllocatedType())->getNumElements() < Bytes)
      Memory->setAllocatedType(ArrayType::get(B.getInt8Ty(), Bytes));
    if (V->getType()->isVectorTy())
      createOperation(B, Op::MemoryWrite, B.getVoidTy(), {Memory, V, B.getInt64(0), B.getInt32(N), B.getInt32(1)});
    else
      B.CreateStore(V, Memory);
    return Memory;
  }
  /// Null when all lanes are on.
  Value *flags(Value *Predicate) {
    if (match(Predicate, m_AllOnes()))
      return ConstantPointerNull::get(B.getPtrTy());
    Type *Byte = B.getInt8Ty();
    return inMemory(Wanted, B.CreateZExt(Predicate, vectorLike(Byte, Predicate->getType())));
  }
  Value *wide(Value *V, bool Signed = true) { return B.CreateIntCast(V, B.getInt64Ty(), Signed); }

  void noteUse(Value *Surface, Access How) {
    unsigned Bits = How == Access::Read ? 1 : How == Access::Write ? 2 : 3;
    if (auto *A = dyn_cast<Argument>(Surface))
      Uses[A->getArgNo()] |= Bits;
    else if (!isa<ConstantInt>(Surface))
      AnyUse |= Bits;
  }
  void noteAddress(Access How) { AnyUse |= How == Access::Read ? 1 : How == Access::Write ? 2 : 3; }
  static bool isPrinting(Value *Surface) {
    auto *Index = dyn_cast<ConstantInt>(Surface);
    return Index && Index->getZExtValue() == PrintSurface;
  }

  /// Which elements of what is read are used: nothing when all are, or when they are not so many.
  std::vector<std::uint8_t> usedOf(const Instruction &I, unsigned Count) {
    std::vector<std::uint8_t> Flags;
    auto *T = dyn_cast<FixedVectorType>(I.getType());
    if (!T || T->getNumElements() != Count)
      return Flags;
    const BitVector *Known = Live.find(const_cast<Instruction *>(&I));
    if (Known && Known->all())
      return Flags;
    Flags.resize(Count);
    for (unsigned K = 0; Known && K < Count; ++K)
      Flags[K] = Known->test(K);
    return Flags;
  }
  /// The same by bytes, of blocks whose rows have `Width` bytes and are `Pitch` bytes apart in the value.
  std::vector<std::uint8_t> usedBytes(const Instruction &I, unsigned Width, unsigned Pitch) {
    auto Count = unsigned(countOf(I.getType())), Bytes = elementOf(I.getType());
    std::vector<std::uint8_t> Elements = usedOf(I, Count), Flags;
    for (unsigned Row = 0; !Elements.empty() && Row < Count * Bytes / Pitch; ++Row)
      for (unsigned K = 0; K < Width; ++K)
        Flags.push_back(Elements[(Row * Pitch + K) / Bytes]);
    return Flags;
  }
  std::vector<std::uint8_t> usedBytes(const Instruction &I, unsigned Bytes) { return usedBytes(I, Bytes, Bytes); }

  //===- Operations ---------------------------------------------------------------===//

  void visit(Instruction &I) {
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

  void visitOperation(CallInst &I, Op Operation) {
    auto Arg = [&](Role What) { return operandOf(I, What); };
    auto BytesOf = [](Type *T) { return std::uint32_t(countOf(T) * elementBytes(T)); };
    switch (Operation) {
    case Op::MediaRead:
      return media(I, Access::Read);
    case Op::MediaWrite:
      return media(I, Access::Write);
    case Op::OwordRead:
      return stretch(I, {"oword block", Access::Read, BytesOf(I.getType())}, Arg(Role::Surface), Arg(Role::Offset), 4);
    case Op::OwordReadUnaligned:
      return stretch(I, {"oword block", Access::Read, BytesOf(I.getType()), 1, 1, 4}, Arg(Role::Surface),
                     Arg(Role::Offset), 0);
    case Op::OwordWrite:
      return stretch(I, {"oword block", Access::Write, BytesOf(dataTypeOf(I))}, Arg(Role::Surface), Arg(Role::Offset),
                     4);
    case Op::BlockWrite:
      return stretch(I, {"block", Access::Write, BytesOf(dataTypeOf(I))}, Arg(Role::Surface), Arg(Role::Offset), 0);
    case Op::Gather:
      return scattered(I, Access::Read);
    case Op::Scatter:
      return scattered(I, Access::Write);
    case Op::TypedRead:
      return typed(I, {"typed", Access::Read}, Arg(Role::Components), Arg(Role::R));
    case Op::TypedWrite:
      return typed(I, {"typed", Access::Write}, Arg(Role::Components), Arg(Role::R));
    case Op::TypedAtomic:
      return typed(I, {"typed atomic", Access::Atomic}, B.getInt32(1), nullptr);
    case Op::Sample:
      noteUse(Arg(Role::Surface), Access::Read);
      return (void)call(SurfaceHelper,
                        {Record, site(I, {"sampler", Access::Read, 1, unsigned(countOf(Arg(Role::U)->getType()))}),
                         Arg(Role::Surface)});
    case Op::SvmBlockRead:
      return address(I, {"block by address", Access::Read, BytesOf(I.getType())}, Arg(Role::Address));
    case Op::SvmBlockWrite:
      return address(I, {"block by address", Access::Write, BytesOf(dataTypeOf(I))}, Arg(Role::Address));
    case Op::SvmGather:
      return addresses(I, {"scattered by address", Access::Read, elementOf(I.getType())}, Arg(Role::Predicate),
                       Arg(Role::Places));
    case Op::SvmScatter:
      return addresses(I, {"scattered by address", Access::Write, elementOf(dataTypeOf(I))}, Arg(Role::Predicate),
                       Arg(Role::Places));
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
      if (atomicInfo(Operation).Sources >= 0)
        atomic(I, atomicInfo(Operation).ByAddress);
    }
  }
  static std::uint32_t elementOf(Type *T) { return std::uint32_t(elementBytes(T)); }

  void media(CallInst &I, Access How) {
    constexpr uint64_t Top = 1, Bottom = 2; // modifiers of the operation
    auto Number = [&](Role What) {
      auto *Constant = dyn_cast<ConstantInt>(operandOf(I, What));
      return Constant ? Constant->getZExtValue() : 0;
    };
    auto Width = std::uint32_t(Number(Role::Width));
    unsigned Pitch = std::max(4u, unsigned(PowerOf2Ceil(Width))); // rows of the value are padded
    Type *Data = dataTypeOf(I);
    std::uint32_t Rows = unsigned(countOf(Data) * elementBytes(Data)) / Pitch;
    std::uint32_t Part = std::uint32_t(Number(Role::Plane) & MediaPlane) |
                         (Number(Role::Modifiers) & Top ? MediaTop : 0) |
                         (Number(Role::Modifiers) & Bottom ? MediaBottom : 0);
    Value *Surface = operandOf(I, Role::Surface), *X = operandOf(I, Role::X), *Y = operandOf(I, Role::Y);
    noteUse(Surface, How);
    What W{"media block", How, Width, How == Access::Write ? Blocks.lookup(&I) : 1, Rows, 1, Part};
    if (!W.Count)
      return; // along with one above
    if (How == Access::Read)
      W.Used = usedBytes(I, Width, Pitch);
    if (mayBeReadable(W, Surface) && !Part)
      unlessReadableImage(I, W, Surface, X, Y);
    else
      B.SetInsertPoint(earliest(I, {Surface, X, Y}));
    call(MediaHelper, {Record, site(I, W), Surface, X, Y});
  }

  /// Bytes in a row at an offset in units of 2^Shift bytes. The headers round offsets that the source gives.
  void stretch(CallInst &I, What W, Value *Surface, Value *Offset, unsigned Shift) {
    if (isPrinting(Surface))
      return;
    Value *Given;
    const APInt *Mask;
    if (Shift && match(Offset, m_Shr(m_Value(Given), m_SpecificInt(Shift)))) {
      W.Align = 1u << Shift;
      Given = wide(Given);
    } else if (W.Align > 1 && match(Offset, m_And(m_Value(Given), m_APInt(Mask))) && Mask->isNegatedPowerOf2()) {
      Given = wide(Given);
    } else {
      Given = B.CreateShl(wide(Offset), Shift);
    }
    noteUse(Surface, W.How);
    if (W.How == Access::Read)
      W.Used = usedBytes(I, W.Bytes);
    if (mayBeReadable(W, Surface))
      unlessReadable(I, W, Surface, Given, Given);
    else
      B.SetInsertPoint(earliest(I, {Surface, Given}));
    call(BlockHelper, {Record, site(I, W), Surface, Given});
  }

  void lanes(Instruction &I, What W, Value *Surface, Value *Predicate, Value *Where, Value *Add, Value *Shift) {
    noteUse(Surface, W.How);
    if (W.How == Access::Read && W.Used.empty())
      for (std::uint8_t Flag : usedOf(I, W.Count * W.Rows))
        W.Used.insert(W.Used.end(), W.Bytes, Flag);
    if (mayBeReadable(W, Surface))
      lanesUnlessReadable(I, W, Surface, Predicate, Where, Add, Shift);
    call(LanesHelper,
         {Record, site(I, W), Surface, wide(Add, false), B.CreateZExtOrTrunc(Shift, B.getInt32Ty()), flags(Predicate),
          inMemory(Offsets, B.CreateZExtOrTrunc(Where, vectorLike(B.getInt32Ty(), Where->getType())))});
  }

  /// The greatest offset of the lanes that are on decides.
  void lanesUnlessReadable(Instruction &I, What W, Value *Surface, Value *Predicate, Value *Where, Value *Add,
                           Value *Shift) {
    Type *Dwords = vectorLike(B.getInt32Ty(), Where->getType());
    Where = B.CreateZExtOrTrunc(Where, Dwords);
    Add = B.CreateZExtOrTrunc(Add, B.getInt32Ty());
    Where =
        B.CreateAdd(Where, Where->getType()->isVectorTy() ? B.CreateVectorSplat(unsigned(countOf(Dwords)), Add) : Add);
    if (!match(Predicate, m_AllOnes()))
      Where = B.CreateSelect(Predicate, Where, Constant::getNullValue(Dwords));
    auto First = [&](Value *V) { return B.CreateShl(wide(V, false), wide(Shift, false)); };
    const bool Several = Dwords->isVectorTy();
    W.Bytes *= W.Part ? unsigned(llvm::bit_width(W.Part)) : W.Rows; // of a lane, all elements
    unlessReadable(I, W, Surface, First(Several ? B.CreateIntMaxReduce(Where) : Where),
                   W.Align > 1 ? First(Several ? B.CreateOrReduce(Where) : Where) : nullptr);
  }

  void scattered(CallInst &I, Access How) {
    Value *Surface = operandOf(I, Role::Surface), *Places = operandOf(I, Role::Places);
    if (!isPrinting(Surface))
      lanes(I, {"scattered", How, elementOf(dataTypeOf(I)), unsigned(countOf(Places->getType()))}, Surface,
            operandOf(I, Role::Predicate), Places, operandOf(I, Role::GlobalOffset), operandOf(I, Role::Log2Scale));
  }

  void atomic(CallInst &I, bool ByAddress) {
    std::uint32_t Bytes = elementOf(I.getType());
    Value *Predicate = operandOf(I, Role::Predicate), *Where = operandOf(I, Role::Places);
    if (ByAddress)
      return addresses(I, {"atomic by address", Access::Atomic, Bytes, 1, 1, Bytes}, Predicate, Where);
    Value *Surface = operandOf(I, Role::Surface);
    if (!isPrinting(Surface))
      lanes(I, {"atomic", Access::Atomic, Bytes, unsigned(countOf(Where->getType())), 1, Bytes}, Surface, Predicate,
            Where, B.getInt32(0), B.getInt32(0));
  }

  void typed(CallInst &I, What W, Value *Channels, Value *Slices) {
    auto *Mask = dyn_cast<ConstantInt>(Channels);
    W.Count = unsigned(countOf(operandOf(I, Role::U)->getType()));
    W.Part = Mask ? unsigned(Mask->getZExtValue()) : 0;
    if (W.How == Access::Read && Mask) { // a lane is used when any of its channels is
      auto Channels = usedOf(I, W.Count * unsigned(popcount(W.Part)));
      for (unsigned K = 0; K < Channels.size(); ++K)
        if (K < W.Count)
          W.Used.push_back(Channels[K]);
        else
          W.Used[K % W.Count] |= Channels[K];
    }
    noteUse(operandOf(I, Role::Surface), W.How);
    auto Dwords = [&](Value *V) { return B.CreateZExtOrTrunc(V, vectorLike(B.getInt32Ty(), V->getType())); };
    Value *Third = Slices ? inMemory(Scratch::Third, Dwords(Slices)) : ConstantPointerNull::get(B.getPtrTy());
    call(TypedHelper,
         {Record, site(I, W), operandOf(I, Role::Surface), flags(operandOf(I, Role::Predicate)),
          inMemory(Offsets, Dwords(operandOf(I, Role::U))), inMemory(Second, Dwords(operandOf(I, Role::V))), Third});
  }

  void address(Instruction &I, const What &W, Value *Address) {
    noteAddress(W.How);
    call(AddressHelper, {Record, site(I, W), wide(Address, false)});
  }
  void addresses(Instruction &I, What W, Value *Predicate, Value *Where, uint64_t Add = 0) {
    noteAddress(W.How);
    W.Count = unsigned(countOf(Where->getType()));
    Value *Wide = B.CreateZExt(Where, vectorLike(B.getInt64Ty(), Where->getType()));
    call(AddressesHelper, {Record, site(I, W), B.getInt64(Add), flags(Predicate), inMemory(Offsets, Wide)});
  }

  //===- Messages to the load/store cache -----------------------------------------===//

  void visitLsc(const lsc::Message &L) {
    if (L.What == lsc::Kind::Prefetch)
      return;
    bool Atomic = L.What == lsc::Kind::Atomic, ByAddress = L.Where == lsc::Space::Stateless;
    What W{"lsc", Atomic ? Access::Atomic : L.reads() ? Access::Read : Access::Write, L.bytes()};
    Value *Predicate = L.predicate(), *Where = L.places();
    if (!Atomic && L.isBlock()) { // the elements lie in a row at the first place
      W.Message = ByAddress ? "lsc block by address" : "lsc block";
      W.Align = W.Bytes;
      W.Bytes *= L.elements();
      if (W.How == Access::Read && !ByAddress)
        W.Used = usedBytes(*L.Call, W.Bytes);
      if (Where->getType()->isVectorTy())
        Where = B.CreateExtractElement(Where, uint64_t(0));
      if (Predicate->getType()->isVectorTy())
        Predicate = B.CreateExtractElement(Predicate, uint64_t(0));
    } else {
      W.Message = Atomic ? ByAddress ? "lsc atomic by address" : "lsc atomic" : ByAddress ? "lsc by address" : "lsc";
      W.Count = unsigned(countOf(Where->getType()));
      W.Align = Atomic ? W.Bytes : 1;
      W.Rows = Atomic ? 1 : L.elements();
      W.Part = L.isQuad() ? L.number(lsc::Components) : 0;
    }
    if (ByAddress)
      return addresses(*L.Call, W, Predicate, Where, L.number(lsc::Offset));
    Value *Surface = L.Where == lsc::Space::Slm ? B.getInt32(SlmSurface) : L.surface();
    lanes(*L.Call, W, Surface, Predicate, Where, B.getInt32(L.number(lsc::Offset)), B.getInt32(0));
  }

  void visitBlock2d(const lsc::Block2d &Block) {
    Op Operation = operationOf(Block.Call);
    if (Operation == Op::LscPrefetch2d)
      return;
    What W{"lsc 2d block",
           Operation == Op::LscStore2d ? Access::Write : Access::Read,
           std::uint32_t(Block.width() * Block.bytes()) * Block.number(lsc::Blocks),
           1,
           std::uint32_t(Block.height()),
           std::uint32_t(Block.bytes())};
    noteAddress(W.How);
    SmallVector<Value *, 8> Operands{Record, site(*Block.Call, W), wide(Block.operand(lsc::Base), false)};
    for (unsigned K = 0; K < 3; ++K)
      Operands.push_back(wide(Block.operand(lsc::Matrix + K), false));
    Operands.push_back(B.CreateMul(wide(Block.operand(lsc::X)), B.getInt64(uint64_t(Block.bytes()))));
    Operands.push_back(wide(Block.operand(lsc::Y)));
    call(MatrixHelper, Operands);
  }

  //===- Groups ---------------------------------------------------------------------===//

  void barrier(CallInst &I, Meeting How) {
    call(ArriveHelper, {Record, site(I, {"barrier", Access::Read}), B.getInt32(std::uint32_t(How))});
  }
  void arrive(CallInst &I) { barrier(I, Meeting::Arrives); }
  void wait(CallInst &I) {
    if (operationOf(&I) == Op::SplitBarrier)
      barrier(I, Meeting::Waits);
    B.SetInsertPoint(I.getNextNode());
    call(WaitHelper, {Record});
  }

  void named(CallInst &I, bool Arrives) {
    Mixed = 1;
    if (!Arrives) {
      barrier(I, Meeting::WaitsForOthers);
      B.SetInsertPoint(I.getNextNode());
    }
    call(NamedHelper, {Record, B.CreateZExt(operandOf(I, Role::Id), B.getInt32Ty()), B.getInt32(Arrives)});
  }
  /// Both threads of a pair give what they have, then take.
  void exchange(CallInst &I) {
    Mixed = 1;
    call(ExchangeHelper, {Record, B.getInt32(1)});
    B.SetInsertPoint(I.getNextNode());
    call(ExchangeHelper, {Record, B.getInt32(0)});
  }

  //===- Elements of objects ----------------------------------------------------------===//

  /// The name of a variable that holds the value, as debug information has it.
  static std::string nameOf(Value *V) {
    SmallVector<DbgVariableRecord *, 4> Records;
    for (unsigned Steps = 0; V && Steps < 16; ++Steps) {
      findDbgValues(V, Records);
      for (DbgVariableRecord *R : Records)
        if (!R->getVariable()->isArtificial() && !isa_and_nonnull<DILocation>(R->getDebugLoc()->getInlinedAt()))
          return R->getVariable()->getName().str();
      auto Write = RegionWrite::matchMasked(V);
      auto *Insert = dyn_cast<InsertElementInst>(V);
      V = Write ? Write->old() : Insert ? Insert->getOperand(0) : nullptr;
    }
    return "";
  }

  /// Whether elements of a value are chosen at run time.
  static bool choosesElement(Instruction &I) {
    if (isa<ExtractElementInst, InsertElementInst>(I))
      return !isa<Constant>(I.getOperand(isa<InsertElementInst>(I) ? 2 : 1));
    if (auto Read = RegionRead::match(&I))
      return Read->Where.Dynamic;
    auto Write = RegionWrite::matchMasked(&I);
    return Write && Write->Where.Dynamic;
  }

  /// Calls the helper in front of `At` with `Offset` bytes when it is greater than `Last` or negative.
  void outside(Instruction &At, Constant *Where, Value *Offset, uint64_t Last, uint64_t Size, Value *On = nullptr) {
    Value *Outside = B.CreateICmpUGT(Offset, B.getInt64(Last));
    if (On)
      Outside = B.CreateLogicalAnd(On, Outside);
    if (match(Outside, m_Zero()))
      return;
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Outside, At.getIterator(), /*Unreachable=*/false));
    call(ElementHelper, {Record, Where, Offset, B.getInt64(Size)});
    B.SetInsertPoint(&At);
  }

  /// The same wherever what I computes is needed. Offset: of a place and which lanes are needed there.
  void outsideWhereNeeded(Instruction &I, const What &W, uint64_t Last, uint64_t Size,
                          function_ref<Value *(Value *Lanes)> Offset, Value *Mask = nullptr) {
    Constant *Where = site(I, W);
    for (const Need &N : Needs[&I]) {
      B.SetInsertPoint(N.At);
      B.SetCurrentDebugLocation({});
      Value *On = N.whole(B), *Lanes = N.lanes(B);
      auto AnyOf = [&](Value *Some) {
        Value *Any = B.CreateOrReduce(Some);
        On = On ? B.CreateLogicalAnd(On, Any) : Any;
      };
      if (Lanes)
        AnyOf(Lanes);
      if (RegionWrite::matchMasked(&I)) { // its lanes are not those of what it gives
        Lanes = Mask && Mask->getType()->isVectorTy() ? Mask : nullptr;
        if (Lanes)
          AnyOf(Lanes);
      }
      outside(*N.At, Where, Offset(Lanes), Last, Size, On);
    }
  }

  /// What an element is chosen of, as the source calls it.
  static std::string objectOf(Instruction &I, Value *Parent) {
    bool Writes = isa<InsertElementInst>(I) || RegionWrite::matchMasked(&I);
    std::string Name = nameOf(Writes ? static_cast<Value *>(&I) : Parent);
    return Name.empty() ? nameOf(Parent) : Name;
  }

  /// An element of a vector by its number. The language takes numbers of 16 bits.
  void element(Instruction &I, Value *Vector, Value *Index) {
    if (isa<Constant>(Index) || !userLine(I))
      return;
    Value *Given;
    if (match(Index, m_And(m_Value(Given), m_SpecificInt(0xFFFF))))
      Index = Given;
    auto Bytes = std::uint32_t(std::max(1, elementBytes(Vector->getType())));
    auto Count = uint64_t(countOf(Vector->getType()));
    What W{"element", isa<InsertElementInst>(I) ? Access::Write : Access::Read, Bytes};
    W.Object = objectOf(I, Vector);
    outsideWhereNeeded(I, W, (Count - 1) * Bytes, Count * Bytes,
                       [&](Value *) { return B.CreateMul(wide(Index), B.getInt64(Bytes)); });
  }

  template <class Access_> void region(CallInst &I, Value *Parent, const Access_ &R, Value *Mask) {
    Value *Dynamic = R.Where.Dynamic;
    if (!Dynamic || isa<Constant>(Dynamic))
      return;
    if (Dynamic->getType()->isVectorTy())
      return chosen(I, Parent, R, Mask);
    Value *Given;
    if (match(Dynamic, m_Trunc(m_Value(Given))))
      Dynamic = Given;
    std::int64_t Least = 0, Most = 0, Bytes = elementBytes(Parent->getType());
    Region Shape = R.Where;
    Shape.Offset = 0;
    for (int K = 0; K < R.count(); ++K) {
      Least = std::min<std::int64_t>(Least, Shape.element(K));
      Most = std::max<std::int64_t>(Most, Shape.element(K));
    }
    std::int64_t Size = countOf(Parent->getType()) * Bytes, Last = Size - (Most + 1) * Bytes;
    if (Least < 0 || Last < 0)
      return; // lanes outside that nobody uses: constant strides are the compiler's matter
    What W{"elements", std::is_same_v<Access_, RegionWrite> ? Access::Write : Access::Read,
           std::uint32_t((Most + 1) * Bytes)};
    W.Object = objectOf(I, Parent);
    outsideWhereNeeded(I, W, uint64_t(Last), uint64_t(Size), [&](Value *) { return wide(Dynamic); }, Mask);
  }

  /// Elements by a vector of indices, of which those count that are used or written.
  template <class Access_> void chosen(CallInst &I, Value *Parent, const Access_ &R, Value *Mask) {
    constexpr bool writes = std::is_same_v<Access_, RegionWrite>;
    auto Bytes = std::uint32_t(elementBytes(Parent->getType()));
    SmallVector<Constant *, 32> Used;
    if (!writes)
      for (std::uint8_t Flag : usedOf(I, unsigned(R.count())))
        Used.push_back(B.getInt1(Flag != 0));
    What W{"element", writes ? Access::Write : Access::Read, Bytes};
    W.Object = objectOf(I, Parent);
    auto Count = std::uint64_t(countOf(Parent->getType()));
    auto Greatest = [&](Value *Lanes) {
      Value *Offsets = R.Where.Dynamic, *None = Constant::getNullValue(Offsets->getType());
      if (!Used.empty())
        Offsets = B.CreateSelect(ConstantVector::get(Used), Offsets, None);
      if (Lanes && Lanes->getType() == vectorLike(B.getInt1Ty(), Offsets->getType()))
        Offsets = B.CreateSelect(Lanes, Offsets, None);
      return wide(B.CreateIntMaxReduce(Offsets), false);
    };
    outsideWhereNeeded(I, W, (Count - 1) * Bytes, Count * Bytes, Greatest, Mask);
  }

  /// What the source says of a part of an object; code only knows the whole.
  void bounds(CallInst &I, Value *Chosen, Value *Count, Value *Dimension) {
    auto *Known = dyn_cast<ConstantInt>(Count), *Which = dyn_cast<ConstantInt>(Dimension);
    if (!Known || !Which || Known->isZero())
      return;
    What W{boundsNames[std::min<uint64_t>(Which->getZExtValue(), 2)], Access::Read, 1};
    outside(I, site(I, W), Chosen, Known->getZExtValue() - 1, Known->getZExtValue());
  }

  void memoryRegion(CallInst &I) {
    auto Shape = constantShapeOf(I);
    if (!Shape)
      return;
    Type *T = dataTypeOf(I);
    std::int64_t Most = 0, Bytes = elementBytes(T), Width = std::max<std::int64_t>(1, Shape->Width);
    for (std::int64_t K = 0; K < countOf(T); ++K)
      Most = std::max(Most, K / Width * Shape->RowStride + K % Width * Shape->Stride * Bytes);
    memory(I, operandOf(I, Role::First), std::uint64_t(Most + Bytes));
  }

  /// An access to a variable that lives in memory, such as an array.
  void memory(Instruction &I, Value *Pointer, std::uint64_t Bytes) {
    auto *Object = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, 0));
    if (!Object || Object == Record)
      return;
    const DataLayout &DL = M.getDataLayout();
    auto Size = Object->getAllocationSize(DL);
    APInt Constant(64, 0);
    if (!Size || Size->isScalable() || Pointer->stripAndAccumulateConstantOffsets(DL, Constant, true) == Object)
      return;
    std::uint64_t Whole = Size->getFixedValue();
    if (Bytes > Whole)
      return;
    for (Value *V = Pointer; V != Object;) { // what leaves its object is no poison here
      auto *Step = dyn_cast<GetElementPtrInst>(V);
      if (!Step)
        break;
      Step->setNoWrapFlags(GEPNoWrapFlags::none());
      V = Step->getPointerOperand();
    }
    What W{"elements", I.mayWriteToMemory() ? Access::Write : Access::Read, std::uint32_t(Bytes)};
    W.Object = variableOf(*Object);
    Value *Offset = B.CreateSub(B.CreatePtrToInt(Pointer, B.getInt64Ty()), B.CreatePtrToInt(Object, B.getInt64Ty()));
    outside(I, site(I, W), Offset, Whole - Bytes, Whole);
  }
  static std::string variableOf(AllocaInst &Object) {
    for (DbgVariableRecord *R : findDVRDeclares(&Object))
      return R->getVariable()->getName().str();
    return Object.getName().str();
  }

  //===- Values that nobody wrote -------------------------------------------------------===//

  static bool matters(const Sink &S, const MayBeUnwritten &May) {
    BitVector Unwritten = May.of(S.V);
    return S.Elements.empty() ? Unwritten.any() : Unwritten.anyCommon(S.Elements);
  }

  /// Kernels that use nothing unwritten, as nearly all, stay as they are.
  void findUnwritten(ArrayRef<Instruction *> All) {
    auto Found = std::make_unique<MayBeUnwritten>(F);
    auto Uses = [&](Instruction *I) { return any_of(sinksOf(*I), [&](const Sink &S) { return matters(S, *Found); }); };
    if (none_of(All, Uses))
      return;
    nameUndefined(F);
    May = std::make_unique<MayBeUnwritten>(F);
    Shadow = std::make_unique<Shadows>(*May);
    Shadow->followMemory(F);
  }

  void checkValues(Instruction &I) {
    if (May)
      for (const Sink &S : sinksOf(I))
        if (matters(S, *May))
          checkValue(I, S);
  }

  void checkValue(Instruction &I, const Sink &S) {
    Value *Bits = Shadow->of(S.V);
    if (!Bits)
      return;
    B.SetInsertPoint(&I);
    B.SetCurrentDebugLocation({});
    unsigned Width = Bits->getType()->getScalarSizeInBits();
    if (S.Bits && S.Bits < Width)
      Bits = B.CreateAnd(Bits, ConstantInt::get(Bits->getType(), APInt::getLowBitsSet(Width, S.Bits)));
    Value *Flags = anyBit(B, Bits);
    if (S.Lanes)
      Flags = B.CreateAnd(Flags, repeated(B, S.Lanes, Flags->getType()));
    if (!S.Elements.empty() && !S.Elements.all()) {
      SmallVector<Constant *, 32> Wanted;
      for (unsigned K = 0; K < S.Elements.size(); ++K)
        Wanted.push_back(B.getInt1(S.Elements[K]));
      Flags = B.CreateAnd(Flags, ConstantVector::get(Wanted));
    }
    Value *Any = Flags->getType()->isVectorTy() ? B.CreateOrReduce(Flags) : Flags;
    What W{S.What, Access::Read, unsigned(elementBytes(S.V->getType())), unsigned(countOf(S.V->getType()))};
    W.Object = Shadow->originOf(S.V);
    Constant *Where = site(I, W);
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Any, I.getIterator(), /*Unreachable=*/false));
    call(ValueHelper,
         {Record, Where, inMemory(Wanted, B.CreateZExt(Flags, vectorLike(B.getInt8Ty(), Flags->getType())))});
  }

  /// Code that depends on them gets zeros. What was only for this device, or for debuggers, goes, too.
  void dropUnwritten() {
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<IntrinsicInst>(&I);
      if (operationOf(&I) == Op::Bounds || (Call && Call->getIntrinsicID() == Intrinsic::fake_use)) {
        I.eraseFromParent();
      } else if (operationOf(&I) == Op::Unwritten) {
        I.replaceAllUsesWith(May ? Constant::getNullValue(I.getType()) : UndefValue::get(I.getType()));
        I.eraseFromParent();
      }
    }
  }

  const bool Counts;
  Module &M;
  LLVMContext &C;
  IRBuilder<> B;
  Function &F;
  bool HasImages = false;                        ///< What a thread reaches of images is looked at when it ends.
  Value *Tables = nullptr;                       ///< What the launch says may be read of each slot.
  AllocaInst *Record = nullptr, *Done = nullptr; ///< Done: operations so far, where they are counted.
  GlobalVariable *Kernel = nullptr;
  AllocaInst *Shared[ScratchCount] = {};
  StringMap<Constant *> Texts;
  SmallVector<std::uint32_t, 16> Uses;      // of each argument
  DenseMap<Instruction *, unsigned> Blocks; ///< Of media writes, that one check is of (Together.h).
  SmallPtrSet<Value *, 8> Written;          ///< Surfaces; only of operations that have no result.
  std::uint32_t SlmBytes = 0, AnyUse = 0, Mixed = 0;
  LiveElements Live;                                   // before anything is instrumented
  DenseMap<Instruction *, SmallVector<Need, 1>> Needs; // of what chooses elements; likewise
  std::unique_ptr<MayBeUnwritten> May;                 ///< These two when the kernel uses what may be unwritten.
  std::unique_ptr<Shadows> Shadow;
};

} // namespace

Function *instrument(Function &Kernel) { return Instrumenter(Kernel, /*Counts=*/false).run(); }
Function *instrumentToCount(Function &Kernel) { return Instrumenter(Kernel, /*Counts=*/true).run(); }

} // namespace pocm::check
