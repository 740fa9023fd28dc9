//===- BufferAccess.cpp - OWord blocks and scattered access as memory ----------------===//
//
//     %v = oword.ld(0, %s, %owords)       ->   %p = inside ? surface + offset : zero-filled buffer
//                                              %v = cm.region.read(%p, ...)
//     %v = gather.scaled(%pred, ...)      ->   %ok = %pred & (address + size <= bytes)
//                                              %v = masked.gather(surface + address, %ok), 0 elsewhere
//
//     %v = dword.atomic.add(...)          ->   a call of the device's helper
//     svm.*                               ->   the same by address, without the checks
//
// Blocks that are read at constant distances, or in rows, are bounded together: when one of them is not inside, all are
// read into a buffer.
//
// Scattered accesses at equal distances are blocks, where they are inside.
//
// Beyond the end of a buffer 0 is read and nothing is written, byte by byte in blocks and
// element by element in scattered access.
//
// Needs:    a policy that finds surfaces (SurfacePolicy.h); older messages only (LscAccess.cpp).
// Leaves:   regions of memory, masked gathers and scatters, calls of helpers.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/BlockReads.h"
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/ScatteredBlocks.h"
#include "codegen/llvm/SurfaceAccess.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "program/KernelInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

class BufferAccess : SurfaceAccess {
public:
  using SurfaceAccess::SurfaceAccess;

  void run() {
    for (const BlockReads &Reads : connectedReads(F))
      readTogether(Reads);
    for (const ScatteredBlock &Block : scatteredBlocks(F))
      Block.writes() ? writeScattered(Block) : readScattered(Block);
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (lowering(operationOf(&I)))
        Calls.push_back(cast<CallInst>(&I));
    for (CallInst *Call : Calls) {
      (this->*lowering(operationOf(Call)))(*Call);
      Call->eraseFromParent();
    }
  }

private:
  using Lower = void (BufferAccess::*)(CallInst &);
  static Lower lowering(Op Operation) {
    switch (Operation) {
    case Op::OwordRead:
      return &BufferAccess::readOwords;
    case Op::OwordReadUnaligned:
      return &BufferAccess::readBytes;
    case Op::OwordWrite:
      return &BufferAccess::writeOwords;
    case Op::BlockWrite:
      return &BufferAccess::writeBytes;
    case Op::Gather:
    case Op::SvmGather:
      return &BufferAccess::gather;
    case Op::Scatter:
    case Op::SvmScatter:
      return &BufferAccess::scatter;
    case Op::TypedRead:
      return &BufferAccess::typedRead;
    case Op::TypedWrite:
      return &BufferAccess::typedWrite;
    case Op::TypedAtomic:
      return &BufferAccess::typedAtomic;
    case Op::Sample:
      return &BufferAccess::sample;
    case Op::SvmBlockRead:
      return &BufferAccess::readAddress;
    case Op::SvmBlockWrite:
      return &BufferAccess::writeAddress;
    default:
      return atomicInfo(Operation).Sources >= 0 ? &BufferAccess::atomic : nullptr;
    }
  }

  static constexpr int OwordShift = 4;

  /// A block of consecutive bytes: where it is, or the buffer that stands for it over the end.
  struct Stretch {
    Value *View, *Offset, *Count, *Inside, *Direct; ///< Count: of offsets that are inside.
    AllocaInst *Buffer;
    unsigned Bytes;
  };

  /// `Reach`: what lies farther is not inside either; 0 is without end. `Rows`: so often is room in the buffer.
  Stretch locate(IRBuilder<> &B, Value *Surface, Value *Offset, unsigned Bytes, int64_t Reach = 0, unsigned Rows = 1) {
    Stretch S;
    S.Bytes = Bytes;
    S.View = viewOf(B, Surface);
    S.Offset = Offset;
    S.Buffer = edgeBuffer(S.Bytes * Rows);
    // As many offsets are inside as this; negative ones are large numbers without a sign.
    Value *End = field(B, S.View, B.getInt64Ty(), offsetof(SurfaceView, bytes));
    if (Reach)
      End = B.CreateBinaryIntrinsic(Intrinsic::smin, End, B.getInt64(Reach));
    S.Count =
        B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSub(End, B.getInt64(int64_t(S.Bytes) - 1)), B.getInt64(0));
    S.Inside = B.CreateICmpULT(Offset, S.Count);
    Value *Base = field(B, S.View, B.getPtrTy(), offsetof(SurfaceView, base));
    S.Direct = B.CreateGEP(B.getInt8Ty(), Base, Offset);
    return S;
  }

  static unsigned bytesIn(Type *T) { return unsigned(countOf(T) * elementBytes(T)); }

  Value *readBlock(IRBuilder<> &B, Type *T, Value *From) {
    Value *Count = B.getInt32(unsigned(countOf(T)));
    return createOperation(B, Op::MemoryRead, T, {From, B.getInt64(0), Count, B.getInt32(1), B.getInt32(0)});
  }

  void writeBlock(IRBuilder<> &B, Value *To, Value *Data) {
    Value *Count = B.getInt32(unsigned(countOf(Data->getType())));
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), {To, Data, B.getInt64(0), Count, B.getInt32(1)});
  }

  void readAt(CallInst &Call, Value *Surface, Value *Offset) {
    IRBuilder<> B(&Call);
    Type *T = Call.getType();
    Stretch S = locate(B, Surface, Offset, bytesIn(T));
    Instruction *Rare =
        callUnless(S.Inside, &Call, Helper::BufferRead, {S.View, S.Offset, B.getInt64(S.Bytes), S.Buffer});
    B.SetInsertPoint(&Call);
    Call.replaceAllUsesWith(readBlock(B, T, behind(Rare, S.Direct, S.Buffer)));
  }

  /// What LLVM knows nothing of: it would keep the sums that rare code computes of it in registers, all through a loop.
  static Value *hidden(IRBuilder<> &B, Value *V) {
    auto *Type = FunctionType::get(V->getType(), V->getType(), /*isVarArg=*/false);
    return B.CreateCall(InlineAsm::get(Type, "", "=r,0", /*hasSideEffects=*/false), V);
  }

  void readTogether(const BlockReads &All) {
    const BlockOrigin &O = All.Origin;
    IRBuilder<> B(All.first());
    const int64_t RowBytes = All.bytesOfRow();
    // One value of it, which the first row and the last are bounded by and the others found by.
    Value *Step = All.Step ? B.CreateMul(B.CreateFreeze(All.Step), B.getInt32(uint32_t(All.Scale))) : nullptr;
    Value *Start = Step ? O.unrounded(B, All.Low) : O.offset(B, All.Low), *Distance = nullptr;
    if (Step) {
      Distance = B.CreateMul(B.CreateSExt(Step, B.getInt64Ty()), B.getInt64(O.Shift ? 1 : O.Unit));
      Start = B.CreateAdd(Start, B.CreateMul(Distance, B.getInt64(All.FirstRow)));
    }
    Stretch S = locate(B, O.Surface, Start, unsigned(RowBytes), O.reach(), unsigned(All.rows()));
    if (Step) {
      Value *Last = B.CreateAdd(Start, B.CreateMul(Distance, B.getInt64(All.rows() - 1)));
      S.Inside = B.CreateAnd(S.Inside, B.CreateICmpULT(Last, S.Count));
      // Rows that do not begin at whole owords are rounded down one by one.
      if (O.Shift && !O.Exact)
        S.Inside = B.CreateAnd(
            S.Inside, B.CreateIsNull(B.CreateAnd(B.CreateOr(Start, Distance), B.getInt64((1u << OwordShift) - 1))));
    }
    Instruction *Rare = rarely(S.Inside, All.first());
    Value *First = behind(Rare, S.Direct, S.Buffer);
    if (Step)
      Distance = behind(Rare, Distance, B.getInt64(RowBytes));
    auto At = [&](Value *Rows, Value *Apart, const BlockRead &Read) {
      if (int64_t Row = Read.Row - All.FirstRow; Row && Apart)
        Rows = B.CreateGEP(B.getInt8Ty(), Rows, B.CreateMul(Apart, B.getInt64(Row)));
      return B.CreateConstGEP1_64(B.getInt8Ty(), Rows, uint64_t(Read.Start - All.Low));
    };
    B.SetInsertPoint(Rare);
    BlockOrigin Rarely = O;
    if (Step)
      Rarely.Base = hidden(B, O.Base);
    auto unitsTo = [&](int64_t Row) { return Step && Row ? B.CreateMul(Step, B.getInt32(uint32_t(Row))) : nullptr; };
    for (const BlockRead &Read : All.Reads)
      callRarely(B, Helper::BufferRead,
                 {S.View, Rarely.offset(B, Read.Start, unitsTo(Read.Row)), B.getInt64(bytesIn(Read.Call->getType())),
                  At(S.Buffer, B.getInt64(RowBytes), Read)});
    for (const BlockRead &Read : All.Reads) {
      B.SetInsertPoint(Read.Call);
      Read.Call->replaceAllUsesWith(readBlock(B, Read.Call->getType(), At(First, Distance, Read)));
      Read.Call->eraseFromParent();
    }
  }

  /// Owords to bytes, in 64 bits. Bytes that have become owords by a shift are there already, but for their last bits.
  Value *bytesOf(IRBuilder<> &B, Value *Owords) {
    if (Value *Bytes = shiftedBy(Owords, OwordShift))
      return B.CreateSExt(wholeUnits(B, Bytes, OwordShift, cast<PossiblyExactOperator>(Owords)->isExact()),
                          B.getInt64Ty());
    return B.CreateShl(B.CreateSExt(Owords, B.getInt64Ty()), OwordShift);
  }

  void readOwords(CallInst &Call) {
    IRBuilder<> B(&Call);
    readAt(Call, operandOf(Call, Role::Surface), bytesOf(B, operandOf(Call, Role::Offset)));
  }

  void readBytes(CallInst &Call) {
    IRBuilder<> B(&Call);
    readAt(Call, operandOf(Call, Role::Surface), B.CreateSExt(operandOf(Call, Role::Offset), B.getInt64Ty()));
  }

  void writeAt(CallInst &Call, Value *Surface, Value *Offset, Value *Data) {
    IRBuilder<> B(&Call);
    Stretch S = locate(B, Surface, Offset, bytesIn(Data->getType()));
    Instruction *Rare = store(Call, S.View, S.Inside, {S.Direct, B.getInt64(0)}, {S.Buffer, B.getInt64(0)}, Data,
                              unsigned(countOf(Data->getType())));
    B.SetInsertPoint(Rare);
    callRarely(B, Helper::BufferWrite, {S.View, S.Offset, B.getInt64(S.Bytes), S.Buffer});
  }

  void writeOwords(CallInst &Call) {
    IRBuilder<> B(&Call);
    writeAt(Call, operandOf(Call, Role::Surface), bytesOf(B, operandOf(Call, Role::Offset)),
            operandOf(Call, Role::Data));
  }

  void writeBytes(CallInst &Call) {
    IRBuilder<> B(&Call);
    writeAt(Call, operandOf(Call, Role::Surface), B.CreateSExt(operandOf(Call, Role::Offset), B.getInt64Ty()),
            operandOf(Call, Role::Data));
  }

  void readAddress(CallInst &Call) {
    IRBuilder<> B(&Call);
    Value *From = B.CreateIntToPtr(operandOf(Call, Role::Address), B.getPtrTy());
    Call.replaceAllUsesWith(readBlock(B, Call.getType(), From));
  }

  void writeAddress(CallInst &Call) {
    IRBuilder<> B(&Call);
    Value *To = B.CreateIntToPtr(operandOf(Call, Role::Address), B.getPtrTy()), *Data = operandOf(Call, Role::Data);
    writeBlock(B, To, Data);
  }

  /// Addresses of lanes, and which of them are wanted and inside their surface.
  using Lanes = std::pair<Value *, Value *>;

  /// By address.
  Lanes addresses(IRBuilder<> &B, Value *Predicate, Value *Where) {
    unsigned N = unsigned(countOf(Where->getType()));
    Value *Wide = B.CreateZExt(Where, FixedVectorType::get(B.getInt64Ty(), N));
    return {B.CreateIntToPtr(Wide, FixedVectorType::get(B.getPtrTy(), N)), Predicate};
  }

  /// By offsets of 2^Scale bytes in a surface.
  Lanes addresses(IRBuilder<> &B, Value *Predicate, Value *Surface, Value *Scale, Value *Offsets, unsigned Size) {
    unsigned N = unsigned(countOf(Offsets->getType()));
    Value *View = viewOf(B, Surface);
    Value *Last = B.CreateSub(field(B, View, B.getInt64Ty(), offsetof(SurfaceView, bytes)), B.getInt64(Size));
    Value *Base = field(B, View, B.getPtrTy(), offsetof(SurfaceView, base));
    if (auto *Shift = dyn_cast<ConstantInt>(Scale); Shift && Shift->getZExtValue() < 4)
      return narrowAddresses(B, Predicate, Base, Last, Offsets, unsigned(Shift->getZExtValue()));
    Type *Wide = FixedVectorType::get(B.getInt64Ty(), N);
    Value *Shift = B.CreateVectorSplat(N, B.CreateZExt(Scale, B.getInt64Ty()));
    Value *Bytes = B.CreateShl(B.CreateZExt(Offsets, Wide), Shift);
    // Where nothing is wanted, the offset may be poison, which an and would pass on.
    Value *Inside = B.CreateLogicalAnd(Predicate, B.CreateICmpSLE(Bytes, B.CreateVectorSplat(N, Last)));
    return {B.CreateGEP(B.getInt8Ty(), Base, Bytes), Inside};
  }

  /// The same in 32 bits, which halves what is compared, and lets a CPU gather a whole register at once: it takes
  /// offsets as signed numbers.
  Lanes narrowAddresses(IRBuilder<> &B, Value *Predicate, Value *Base, Value *Last, Value *Offsets, unsigned Shift) {
    if (Shift == 0)
      return narrowBytes(B, Predicate, Base, Last, Offsets);
    // No surface of a GPU has more than 4 GiB, so elements of two bytes and more have numbers that no sign is needed
    // for.
    constexpr uint64_t Most = 1u << 31;
    Value *Count = B.CreateAShr(B.CreateAdd(Last, B.getInt64(int64_t(1) << Shift)), Shift);
    Count = B.CreateBinaryIntrinsic(Intrinsic::smax, Count, B.getInt64(0));
    Count = B.CreateTrunc(B.CreateBinaryIntrinsic(Intrinsic::umin, Count, B.getInt64(Most)), B.getInt32Ty());
    Value *Inside = B.CreateICmpULT(Offsets, B.CreateVectorSplat(unsigned(countOf(Offsets->getType())), Count));
    // Where nothing is wanted, the offset may be poison, which an and would pass on.
    return {B.CreateGEP(B.getIntNTy(8u << Shift), Base, Offsets), B.CreateLogicalAnd(Predicate, Inside)};
  }

  /// Of bytes: offsets count from the middle of what 32 bits without a sign reach.
  Lanes narrowBytes(IRBuilder<> &B, Value *Predicate, Value *Base, Value *Last, Value *Offsets) {
    constexpr uint64_t Most = UINT32_MAX, Middle = 1u << 31;
    unsigned N = unsigned(countOf(Offsets->getType()));
    auto Splat = [&](Value *V) { return B.CreateVectorSplat(N, V); };
    Value *Limit = B.CreateBinaryIntrinsic(Intrinsic::umin, Last, B.getInt64(Most));
    Value *Below = B.CreateICmpULE(Offsets, Splat(B.CreateTrunc(Limit, B.getInt32Ty())));
    Value *Room = Splat(B.CreateICmpSGE(Last, B.getInt64(0)));
    Value *FromMiddle = B.CreateXor(Offsets, Splat(B.getInt32(Middle)));
    Value *Center = B.CreateConstGEP1_64(B.getInt8Ty(), Base, Middle);
    return {B.CreateGEP(B.getInt8Ty(), Center, FromMiddle), B.CreateLogicalAnd(Predicate, B.CreateAnd(Below, Room))};
  }

  /// Of a gather or scatter.
  Lanes addressesOf(IRBuilder<> &B, CallInst &Call, Type *Data, uint64_t Units = 0) {
    Value *Offsets = operandOf(Call, Role::Places);
    unsigned N = unsigned(countOf(Offsets->getType()));
    if (isByAddress(Call)) {
      if (Units)
        Offsets = B.CreateAdd(Offsets, ConstantInt::get(Offsets->getType(), Units));
      return addresses(B, operandOf(Call, Role::Predicate), Offsets);
    }
    Value *Global = B.CreateAdd(operandOf(Call, Role::GlobalOffset), B.getInt32(uint32_t(Units)));
    Value *Sum = B.CreateAdd(B.CreateVectorSplat(N, Global), Offsets); // 32 bits, wraps
    return addresses(B, operandOf(Call, Role::Predicate), operandOf(Call, Role::Surface),
                     operandOf(Call, Role::Log2Scale), Sum, unsigned(elementBytes(Data)));
  }

  /// Whether a block is there as a whole: nobody leaves a lane out, and it is inside, as `S` says where there is one.
  static Value *isWhole(IRBuilder<> &B, const ScatteredBlock &Block, const Stretch *S) {
    Value *Wanted = Block.Wanted ? B.CreateAndReduce(Block.Wanted) : nullptr;
    // Where nothing is wanted, the places may be poison, which an and would pass on.
    return !S ? Wanted : Wanted ? B.CreateLogicalAnd(Wanted, S->Inside) : S->Inside;
  }

  /// The type of a block's elements: what all accesses have, or the bits where they have several.
  static Type *elementOf(const ScatteredBlock &Block) {
    Type *First = dataTypeOf(*Block.Accesses[0].Call)->getScalarType();
    const bool Same = all_of(
        Block.Accesses, [&](const ScatteredBlock::Access &A) { return dataTypeOf(*A.Call)->getScalarType() == First; });
    return Same ? First : IntegerType::get(First->getContext(), Block.ElementBytes * 8);
  }

  /// A block of elements; where it is not there as a whole each access gathers its own.
  void readScattered(const ScatteredBlock &Block) {
    CallInst &First = *Block.Accesses[0].Call;
    IRBuilder<> B(&First);
    Value *Begin = Block.begin(B), *Whole, *From;
    const unsigned Bytes = Block.Elements * Block.ElementBytes;
    AllocaInst *Buffer = nullptr;
    if (isByAddress(First)) {
      From = B.CreateIntToPtr(Begin, B.getPtrTy());
      Whole = isWhole(B, Block, nullptr);
      Buffer = Whole ? edgeBuffer(Bytes) : nullptr;
    } else {
      const Stretch S = locate(B, operandOf(First, Role::Surface), Begin, Bytes);
      From = S.Direct, Buffer = S.Buffer;
      Whole = isWhole(B, Block, &S);
    }
    if (Whole) {
      Instruction *Rare = rarely(Whole, &First);
      B.SetInsertPoint(Rare);
      for (const ScatteredBlock::Access &A : Block.Accesses) {
        Value *Lanes = gathered(B, *A.Call, First, Block.unitsTo(A));
        createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                        {B.CreateConstGEP1_64(B.getInt8Ty(), Buffer, uint64_t(A.Start) * Block.ElementBytes),
                         Block.Reversed ? B.CreateVectorReverse(Lanes) : Lanes, B.getInt64(0), B.getInt32(Block.Lanes),
                         B.getInt32(Block.Stride)});
      }
      B.SetInsertPoint(&First);
      From = behind(Rare, From, Buffer);
    }
    Type *Element = elementOf(Block);
    Value *All = readBlock(B, FixedVectorType::get(Element, Block.Elements), From);
    for (const ScatteredBlock::Access &A : Block.Accesses) {
      B.SetInsertPoint(A.Call);
      const Region Where{0, int(Block.Lanes), int(Block.Stride), int(A.Start), nullptr};
      Value *Lanes =
          Block.Stride == 1 ? All : RegionRead::create(B, FixedVectorType::get(Element, Block.Lanes), All, Where);
      Lanes = B.CreateBitCast(Lanes, A.Call->getType());
      A.Call->replaceAllUsesWith(Block.Reversed ? B.CreateVectorReverse(Lanes) : Lanes);
      A.Call->eraseFromParent();
    }
  }

  /// All elements of a block in turns; where it is not there as a whole each access scatters its own.
  void writeScattered(const ScatteredBlock &Block) {
    CallInst &Last = *Block.Accesses.back().Call;
    IRBuilder<> B(&Last);
    Type *Element = elementOf(Block), *T = FixedVectorType::get(Element, Block.Elements);
    Value *Data = PoisonValue::get(T);
    for (const ScatteredBlock::Access &A : Block.Accesses) {
      Value *Lanes = B.CreateBitCast(operandOf(*A.Call, Role::Data), FixedVectorType::get(Element, Block.Lanes));
      if (Block.Reversed)
        Lanes = B.CreateVectorReverse(Lanes);
      const Region Where{0, int(Block.Lanes), int(Block.Stride), int(A.Start), nullptr};
      Data = Block.Stride == 1 ? Lanes : RegionWrite::create(B, Data, Lanes, Where);
    }
    Value *Begin = Block.begin(B);
    if (!isByAddress(Last)) {
      const Stretch S = locate(B, operandOf(Last, Role::Surface), Begin, bytesIn(T));
      B.SetInsertPoint(store(Last, S.View, isWhole(B, Block, &S), {S.Direct, B.getInt64(0)}, {S.Buffer, B.getInt64(0)},
                             Data, Block.Elements));
      for (const ScatteredBlock::Access &A : Block.Accesses)
        scattered(B, *A.Call);
    } else {
      Value *To = B.CreateIntToPtr(Begin, B.getPtrTy());
      if (Value *Whole = isWhole(B, Block, nullptr)) {
        Instruction *Often, *Rare;
        SplitBlockAndInsertIfThenElse(Whole, Last.getIterator(), &Often, &Rare);
        B.SetInsertPoint(Rare);
        for (const ScatteredBlock::Access &A : Block.Accesses)
          scattered(B, *A.Call);
        B.SetInsertPoint(Often);
      }
      writeBlock(B, To, Data);
    }
    for (const ScatteredBlock::Access &A : Block.Accesses)
      A.Call->eraseFromParent();
  }

  void gather(CallInst &Call) {
    IRBuilder<> B(&Call);
    Call.replaceAllUsesWith(gathered(B, Call, Call));
  }

  /// What a call gathers `Units` behind the places of `At`, which is alike.
  Value *gathered(IRBuilder<> &B, CallInst &Call, CallInst &At, uint64_t Units = 0) {
    Type *T = Call.getType();
    auto [Addresses, Inside] = addressesOf(B, At, T, Units);
    // Lanes that are not wanted keep the old value, lanes beyond the end read 0.
    Value *Old = operandOf(Call, Role::Old);
    Value *Otherwise = B.CreateSelect(operandOf(Call, Role::Predicate), Constant::getNullValue(T), Old);
    Value *All = nullptr;
    for (auto [Start, Count] : pieces(countOf(T))) {
      Value *Part = B.CreateMaskedGather(ofCount(T, Count), slice(B, Addresses, Start, Count), Align(1),
                                         slice(B, Inside, Start, Count), slice(B, Otherwise, Start, Count));
      All = All ? joined(B, All, Part) : Part;
    }
    return All;
  }

  void scatter(CallInst &Call) {
    IRBuilder<> B(&Call);
    scattered(B, Call);
  }

  void scattered(IRBuilder<> &B, CallInst &Call) {
    Value *Data = operandOf(Call, Role::Data);
    auto [Addresses, Inside] = addressesOf(B, Call, Data->getType());
    for (auto [Start, Count] : pieces(countOf(Data->getType())))
      B.CreateMaskedScatter(slice(B, Data, Start, Count), slice(B, Addresses, Start, Count), Align(1),
                            slice(B, Inside, Start, Count));
  }

  // LLVM pads a number of lanes that is no power of two, and may access memory for those that it adds.

  struct Piece {
    int Start, Count;
  };
  static SmallVector<Piece, 6> pieces(int Count) {
    SmallVector<Piece, 6> All;
    for (int Start = 0; Start < Count;) {
      All.push_back({Start, int(bit_floor(unsigned(Count - Start)))});
      Start += All.back().Count;
    }
    return All;
  }

  static Value *slice(IRBuilder<> &B, Value *V, int Start, int Count) {
    return countOf(V->getType()) == Count
               ? V
               : B.CreateShuffleVector(V, createSequentialMask(unsigned(Start), unsigned(Count), 0));
  }

  /// The elements of First, then those of Second, which has no more.
  static Value *joined(IRBuilder<> &B, Value *First, Value *Second) {
    auto M = unsigned(countOf(First->getType())), N = unsigned(countOf(Second->getType()));
    Value *Wide = M == N ? Second : B.CreateShuffleVector(Second, createSequentialMask(0, N, M - N));
    return B.CreateShuffleVector(First, Wide, createSequentialMask(0, M + N, 0));
  }

  /// A variable that holds a vector, for the helper.
  AllocaInst *inMemory(IRBuilder<> &B, Value *V) {
    AllocaInst *Memory = edgeBuffer(unsigned(countOf(V->getType()) * elementBytes(V->getType())));
    createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                    {Memory, V, B.getInt64(0), B.getInt32(unsigned(countOf(V->getType()))), B.getInt32(1)});
    return Memory;
  }

  Value *resultIn(IRBuilder<> &B, AllocaInst *Memory, Type *T) {
    return createOperation(B, Op::MemoryRead, T,
                           {Memory, B.getInt64(0), B.getInt32(unsigned(countOf(T))), B.getInt32(1), B.getInt32(0)});
  }
  Value *flags(IRBuilder<> &B, Value *Predicate) {
    Type *T = FixedVectorType::get(B.getInt8Ty(), unsigned(countOf(Predicate->getType())));
    return inMemory(B, B.CreateZExt(Predicate, T));
  }

  void typedRead(CallInst &Call) {
    IRBuilder<> B(&Call);
    Type *T = Call.getType();
    unsigned N = unsigned(countOf(operandOf(Call, Role::U)->getType()));
    AllocaInst *Channels = edgeBuffer(unsigned(countOf(T) * elementBytes(T)));
    callHelper(B, Helper::TypedRead,
               {viewOf(B, operandOf(Call, Role::Surface)), operandOf(Call, Role::Components), B.getInt32(N),
                flags(B, operandOf(Call, Role::Predicate)), inMemory(B, operandOf(Call, Role::U)),
                inMemory(B, operandOf(Call, Role::V)), inMemory(B, operandOf(Call, Role::R)), Channels});
    Call.replaceAllUsesWith(resultIn(B, Channels, T));
  }

  void typedWrite(CallInst &Call) {
    IRBuilder<> B(&Call);
    unsigned N = unsigned(countOf(operandOf(Call, Role::U)->getType()));
    callHelper(B, Helper::TypedWrite,
               {viewOf(B, operandOf(Call, Role::Surface)), operandOf(Call, Role::Components), B.getInt32(N),
                flags(B, operandOf(Call, Role::Predicate)), inMemory(B, operandOf(Call, Role::U)),
                inMemory(B, operandOf(Call, Role::V)), inMemory(B, operandOf(Call, Role::R)),
                inMemory(B, operandOf(Call, Role::Data))});
  }

  void sample(CallInst &Call) {
    IRBuilder<> B(&Call);
    Type *T = Call.getType();
    unsigned N = unsigned(countOf(operandOf(Call, Role::U)->getType()));
    AllocaInst *Channels = edgeBuffer(unsigned(countOf(T) * elementBytes(T)));
    auto *Compare = dyn_cast<ConstantInt>(operandOf(Call, Role::Compares));
    Value *Reference = Compare && Compare->isZero() ? static_cast<Value *>(ConstantPointerNull::get(B.getPtrTy()))
                                                    : inMemory(B, operandOf(Call, Role::Reference));
    callHelper(B, Helper::Sample,
               {viewOf(B, operandOf(Call, Role::Surface)), viewOf(B, B.getInt32(SamplerSurface)),
                operandOf(Call, Role::Sampler), operandOf(Call, Role::Components), B.getInt32(N),
                inMemory(B, operandOf(Call, Role::U)), inMemory(B, operandOf(Call, Role::V)),
                inMemory(B, operandOf(Call, Role::R)), Reference, Channels});
    Call.replaceAllUsesWith(resultIn(B, Channels, T));
  }

  void atomic(CallInst &Call) {
    IRBuilder<> B(&Call);
    Type *T = Call.getType();
    unsigned Size = unsigned(elementBytes(T));
    AtomicInfo Info = atomicInfo(operationOf(&Call));
    auto [Addresses, Inside] = Info.ByAddress
                                   ? addresses(B, operandOf(Call, Role::Predicate), operandOf(Call, Role::Places))
                                   : addresses(B, operandOf(Call, Role::Predicate), operandOf(Call, Role::Surface),
                                               B.getInt16(0), operandOf(Call, Role::Places), Size);
    const bool Alone = !Info.ByAddress && Policy.isAlone(operandOf(Call, Role::Surface));
    performAtomic(B, Call, Info, Addresses, Inside, Alone ? Helper::AtomicAlone : Helper::Atomic);
  }

  /// On pixels of 4 bytes.
  void typedAtomic(CallInst &Call) {
    IRBuilder<> B(&Call);
    AtomicInfo Info =
        atomicInfo(atomicOfNumber(unsigned(cast<ConstantInt>(operandOf(Call, Role::Number))->getZExtValue())));
    Value *U = operandOf(Call, Role::U), *V = operandOf(Call, Role::V),
          *View = viewOf(B, operandOf(Call, Role::Surface));
    unsigned N = unsigned(countOf(U->getType()));
    Type *Wide = FixedVectorType::get(B.getInt64Ty(), N);
    auto Splat = [&](Value *X) { return B.CreateVectorSplat(N, X); };
    Value *Columns = B.CreateLShr(field(B, View, B.getInt32Ty(), offsetof(SurfaceView, width)), 2);
    Value *Inside =
        B.CreateAnd(B.CreateICmpULT(U, Splat(Columns)),
                    B.CreateICmpULT(V, Splat(field(B, View, B.getInt32Ty(), offsetof(SurfaceView, height)))));
    Inside = B.CreateLogicalAnd(operandOf(Call, Role::Predicate), Inside);
    Value *Row =
        B.CreateMul(B.CreateZExt(V, Wide), Splat(field(B, View, B.getInt64Ty(), offsetof(SurfaceView, pitch))));
    Value *Offset = B.CreateAdd(Row, B.CreateShl(B.CreateZExt(U, Wide), ConstantInt::get(Wide, 2)));
    Value *Addresses = B.CreateGEP(B.getInt8Ty(), field(B, View, B.getPtrTy(), offsetof(SurfaceView, base)), Offset);
    performAtomic(B, Call, Info, Addresses, Inside, Helper::Atomic);
  }

  void performAtomic(IRBuilder<> &B, CallInst &Call, const AtomicInfo &Info, Value *Addresses, Value *Inside,
                     Helper How) {
    Type *T = Call.getType();
    unsigned N = unsigned(countOf(T)), Size = unsigned(elementBytes(T));
    Value *Where = B.CreatePtrToInt(Addresses, FixedVectorType::get(B.getInt64Ty(), N));
    Where = B.CreateAnd(Where, ConstantInt::get(Where->getType(), ~std::uint64_t(Size - 1))); // as messages do
    Value *Places = inMemory(B, Where);
    Value *Sources[2] = {};
    for (int I = 0; I < Info.Sources; ++I)
      Sources[I] = inMemory(B, sourceOf(Call, unsigned(I)));
    AllocaInst *Old = edgeBuffer(N * Size);
    constexpr unsigned Most = 64; // lanes, whose mask is a number
    for (unsigned First = 0, Count; First < N; First += Count) {
      Count = std::min(N - First, Most);
      Value *Lanes = B.CreateShuffleVector(Inside, createSequentialMask(First, Count, 0));
      auto From = [&](Value *Memory, unsigned Bytes) -> Value * {
        return Memory ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Memory, std::uint64_t(First) * Bytes)
                      : ConstantPointerNull::get(B.getPtrTy());
      };
      callHelper(B, How,
                 {B.getInt32(Info.Number), B.getInt32(Count), B.getInt32(Size),
                  B.CreateZExt(B.CreateBitCast(Lanes, B.getIntNTy(Count)), B.getInt64Ty()),
                  From(Places, sizeof(std::uint64_t)), From(Sources[0], Size), From(Sources[1], Size),
                  From(Old, Size)});
    }
    Call.replaceAllUsesWith(
        createOperation(B, Op::MemoryRead, T, {Old, B.getInt64(0), B.getInt32(N), B.getInt32(1), B.getInt32(0)}));
  }
};

} // namespace

void lowerBufferAccess(Function &F, const SurfacePolicy &Policy) { BufferAccess(F, Policy).run(); }

} // namespace pocm
