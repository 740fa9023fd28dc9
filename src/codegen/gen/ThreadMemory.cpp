//===- ThreadMemory.cpp - What pointers lead to -----------------------------------------------===//
//
//     %a = alloca [1024 x i32]                    %frame = alloca [4096 x i8]
//     %x = load i32, (%a + 4 * %i)      ->        %x = frame.gather(%frame, one channel at 4 * %i)
//     %v = load <16 x i32>, %b, align 64          %v = frame.read(%frame, owords from 4096 / 16 + ... on)
//
//     %p = inttoptr i64 %address
//     %x = load i32, (%p + 4 * %i)      ->        %x = svm.gather(one channel at %address + 4 * %i)
//
// Arrays of 3 KB and more, and those that pointers are taken of which meet others', stay in
// memory: all of a kernel's in one frame, in scratch memory of the thread. A pointer is then an
// offset in the frame, so that pointers may meet as they like. What is aligned goes in blocks
// of owords, the rest by scattered accesses. Pointers to a group's variables are offsets in shared local memory,
// others addresses that the host shares. A pointer may be kept in memory of its own kind, and addresses that the host
// shares in any, the program's variables among them; an offset is kept as the number behind it there, so that null is
// 0.
//
// Where pointers of several kinds meet, or are kept in memory of another kind, all of them are numbers of 64 bits that
// have their kind in the upper two, and every access asks for it:
//
//     %x = load i32, (%c ? %local : %private)   ->   frame.gather, where the kind of %p is 1
//                                                    gather of shared local memory, where it is 2
//
// Needs:    promoted arrays (gen-arrays).
// Leaves:   memory of one of these kinds when a pointer into it goes where it is not followed: into a function, or a
//           private one into a number. The emitter refuses that.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr unsigned Oword = 16, MostOwords = 8;
constexpr unsigned MostCopy = 4096; ///< Bytes that a copy moves without a loop.

/// The memory that a pointer leads to: the thread's own, its group's, what the host shares, or the one that it says.
enum class Memory { Scratch, Shared, Flat, Any };
/// The kinds as a pointer that may be of any says them, in its upper bits, and as bits of a set.
constexpr unsigned KindShift = 62;
enum Kind : unsigned { FlatKind = 0, ScratchKind = 1, SharedKind = 2 };

/// Pointers of a function into one kind of memory.
class Pointing {
public:
  Pointing(Function &F, Memory To) : To(To), F(F), DL(F.getDataLayout()) {}

  bool run() {
    bool Followed;
    do {
      Pointers.clear();
      Accesses.clear();
      for (Instruction &I : instructions(F))
        if (isRoot(I))
          Pointers.insert(&I);
      if (Pointers.empty())
        return false;
      Followed = follow();
      classify();
    } while (findKept());
    if (!Followed || !isKeptRight())
      return false;
    if (To == Memory::Any && !findKinds())
      return false;
    if (To == Memory::Scratch || To == Memory::Any)
      place();
    for (Value *P : Pointers)
      offset(*P);
    for (auto [From, To] : Phis)
      for (unsigned K = 0; K < From->getNumIncomingValues(); ++K)
        To->addIncoming(offsetOf(From->getIncomingValue(K)), From->getIncomingBlock(K));
    for (Instruction *I : Accesses)
      access(*I);
    for (Instruction *I : Accesses)
      I->eraseFromParent();
    for (Value *P : Pointers)
      cast<Instruction>(P)->dropAllReferences();
    for (Value *P : Pointers)
      cast<Instruction>(P)->eraseFromParent();
    return true;
  }

private:
  /// Where a pointer into that memory comes from.
  bool isRoot(const Instruction &I) const {
    auto Known = kindOfRoot(I);
    return Known && (To == Memory::Any || *Known == (To == Memory::Scratch  ? ScratchKind
                                                     : To == Memory::Shared ? SharedKind
                                                                            : FlatKind));
  }
  static std::optional<Kind> kindOfRoot(const Instruction &I) {
    if (isa<AllocaInst>(I) && none_of(I.users(), isFrameAccess))
      return ScratchKind;
    if (operationOf(&I) == Op::LocalBase)
      return SharedKind;
    if (isa<IntToPtrInst>(I) && I.getOperand(0)->getType()->isIntegerTy(64))
      return FlatKind;
    return std::nullopt;
  }
  static bool isFrameAccess(const User *U) {
    return is_contained({Op::FrameRead, Op::FrameWrite, Op::FrameGather, Op::FrameScatter}, operationOf(U));
  }

  /// Whether pointers are numbers of 64 bits, as memory that the host shares has them.
  bool areAddresses() const { return To == Memory::Flat || To == Memory::Any; }
  Type *offsetType() const { return IntegerType::get(F.getContext(), areAddresses() ? 64 : 32); }

  /// Everything that points into it, and what they are accessed with. False when a pointer gets away.
  bool follow() {
    for (size_t K = 0; K < Pointers.size(); ++K)
      for (Use &U : Pointers[K]->uses())
        if (!follow(U))
          return false;
    // All that meets these pointers points into variables too.
    for (Instruction *I : Accesses)
      if (isa<ICmpInst, MemIntrinsic>(I) && any_of(I->operands(), [&](Value *V) {
            return V->getType()->isPointerTy() && !isa<Function>(V) && !isKnown(V);
          }))
        return false;
    return all_of(Pointers, [&](Value *P) {
      if (auto *Phi = dyn_cast<PHINode>(P))
        return all_of(Phi->incoming_values(), [&](Value *V) { return isKnown(V); });
      if (auto *Select = dyn_cast<SelectInst>(P))
        return isKnown(Select->getTrueValue()) && isKnown(Select->getFalseValue());
      auto *Variable = dyn_cast<AllocaInst>(P);
      return !Variable || Variable->getAllocationSize(DL).has_value();
    });
  }

  bool follow(Use &U) {
    auto *I = cast<Instruction>(U.getUser());
    if (isa<GetElementPtrInst>(I) || isa<PHINode>(I) || isa<AddrSpaceCastInst>(I) || isa<FreezeInst>(I)) {
      Pointers.insert(I);
      return I->getType()->isPointerTy();
    }
    if (isa<SelectInst>(I) && U.getOperandNo() > 0) {
      Pointers.insert(I);
      return I->getType()->isPointerTy();
    }
    if (isa<ICmpInst>(I) || (operationOf(I) == Op::LocalOffset && (To == Memory::Shared || To == Memory::Any)) ||
        (areAddresses() && isa<PtrToIntInst>(I) && I->getType()->isIntegerTy(64))) {
      Accesses.insert(I);
      return true;
    }
    if (auto *Copy = dyn_cast<MemIntrinsic>(I)) {
      auto *Size = dyn_cast<ConstantInt>(Copy->getLength());
      Accesses.insert(I);
      return Size && Size->getZExtValue() <= MostCopy;
    }
    if (I->isLifetimeStartOrEnd()) {
      Accesses.insert(I);
      return true;
    }
    if (isa<LoadInst>(I) && I->getType()->isPointerTy() && (areAddresses() || Kept.contains(I))) {
      Pointers.insert(I);
      return true;
    }
    if (auto *Store = dyn_cast<StoreInst>(I); Store && Store->getValueOperand()->getType()->isPointerTy()) {
      Accesses.insert(I);
      return true;
    }
    Type *T = nullptr;
    if (auto *Load = dyn_cast<LoadInst>(I))
      T = Load->getType();
    else if (auto *Store = dyn_cast<StoreInst>(I); Store && U.getOperandNo() == 1)
      T = Store->getValueOperand()->getType();
    else if (operationOf(I) == Op::MemoryRead)
      T = I->getType();
    else if (operationOf(I) == Op::MemoryWrite && U.getOperandNo() == 0)
      T = I->getOperand(1)->getType();
    if (!T || !(T->isPointerTy() || isPlain(T)))
      return false;
    Accesses.insert(I);
    return true;
  }

  /// Pointers that may lead to the same variable are of one class, and so are those that memory of one class keeps.
  void classify() {
    Classes = {};
    for (Value *P : Pointers)
      for (Value *From : cast<Instruction>(P)->operands())
        if (Pointers.contains(From) && !isa<LoadInst>(P))
          Classes.unionSets(P, From);
    for (Instruction *I : Accesses)
      if (auto *Copy = dyn_cast<MemTransferInst>(I);
          Copy && Pointers.contains(Copy->getRawDest()) && Pointers.contains(Copy->getRawSource()))
        Classes.unionSets(Copy->getRawDest(), Copy->getRawSource());
    for (bool Changed = true; Changed;) {
      Changed = false;
      Content.clear();
      auto Keep = [&](Value *In, Value *What) {
        Value *&Other = Content[leader(In)];
        if (!Other)
          Other = What;
        else if (leader(Other) != leader(What))
          Classes.unionSets(Other, What), Changed = true;
      };
      for (Instruction *I : Accesses)
        if (auto *Store = dyn_cast<StoreInst>(I); Store && Pointers.contains(Store->getValueOperand()))
          Keep(Store->getPointerOperand(), Store->getValueOperand());
      for (Value *P : Pointers)
        if (auto *Load = dyn_cast<LoadInst>(P))
          Keep(Load->getPointerOperand(), P);
    }
  }
  Value *leader(Value *P) {
    Classes.insert(P);
    return Classes.getLeaderValue(P);
  }
  /// Whether what this points to keeps pointers of the same kind of memory; else they are addresses.
  bool keepsOwn(Value *P) { return areAddresses() || Content.contains(leader(P)); }

  /// Notes loads of such pointers; true when there are more than before.
  bool findKept() {
    bool More = false;
    for (Instruction *I : Accesses)
      if (auto *Load = dyn_cast<LoadInst>(I);
          Load && Load->getType()->isPointerTy() && keepsOwn(Load->getPointerOperand()))
        More |= Kept.insert(Load).second;
    return More;
  }
  /// Whether pointers of one kind are kept in memory of the same kind, and no others beside them.
  bool isKeptRight() {
    return all_of(Accesses, [&](Instruction *I) {
      auto *Store = dyn_cast<StoreInst>(I);
      return !Store || !Store->getValueOperand()->getType()->isPointerTy() ||
             (Pointers.contains(Store->getPointerOperand()) &&
              (!keepsOwn(Store->getPointerOperand()) || isKnown(Store->getValueOperand())));
    });
  }

  bool isKnown(Value *V) {
    return Pointers.contains(V) || isa<UndefValue>(V) || isa<ConstantPointerNull>(V) ||
           (areAddresses() && isAddress(V));
  }
  /// A number as a pointer, such as that of a function.
  static bool isAddress(Value *V) {
    auto *C = dyn_cast<ConstantExpr>(V);
    return C && C->getOpcode() == Instruction::IntToPtr;
  }

  /// Numbers that fill their bytes.
  bool isPlain(Type *T) {
    Type *Element = T->getScalarType();
    return (Element->isIntegerTy() || Element->isFloatingPointTy()) && !isa<ScalableVectorType>(T) &&
           is_contained({8u, 16u, 32u, 64u}, Element->getScalarSizeInBits());
  }

  /// Notes which kinds pointers of each class may have. False when one that may be private becomes a number: messages
  /// take numbers for addresses.
  bool findKinds() {
    for (Value *P : Pointers) {
      auto Root = kindOfRoot(*cast<Instruction>(P));
      if (Root || isa<LoadInst>(P)) // memory may have been filled by others
        Kinds[leader(P)] |= 1u << (Root ? *Root : FlatKind);
    }
    return none_of(Accesses, [&](Instruction *I) {
      return isa<PtrToIntInst>(I) && Kinds.lookup(leader(I->getOperand(0))) != 1u << FlatKind;
    });
  }
  /// What the next access may lead to.
  void reach(Value *P) {
    if (To == Memory::Any)
      Reached = Pointers.contains(P) ? Kinds.lookup(leader(P)) : 1u << FlatKind;
  }

  /// Gives every variable its place.
  void place() {
    uint64_t Size = 0;
    Align Most(Oword);
    for (Value *P : Pointers)
      if (auto *Variable = dyn_cast<AllocaInst>(P)) {
        Align A = std::max(Variable->getAlign(), Align(Oword));
        Most = std::max(Most, A);
        Size = alignTo(Size, A);
        Places[Variable] = Size;
        Size += Variable->getAllocationSize(DL)->getFixedValue();
      }
    if (Places.empty())
      return;
    IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
    Whole = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), alignTo(Size, Oword)), nullptr, "frame");
    Whole->setAlignment(Most);
  }

  Value *offsetOf(Value *P) {
    Type *T = offsetType();
    if (Pointers.contains(P))
      return offset(*P);
    if (isAddress(P))
      return ConstantFoldIntegerCast(cast<ConstantExpr>(P)->getOperand(0), T, false, DL);
    bool Null = isa<ConstantPointerNull>(P) && !areAddresses();
    return Null ? Constant::getAllOnesValue(T) : Constant::getNullValue(T);
  }

  /// The offset of a pointer in the frame or in shared local memory, or its address.
  Value *offset(Value &P) {
    if (Value *Known = Offsets.lookup(&P))
      return Known;
    IRBuilder<> B(cast<Instruction>(&P));
    Value *Result;
    if (auto *Variable = dyn_cast<AllocaInst>(&P)) {
      Result = tagged(B, B.getInt32(uint32_t(Places[Variable])), ScratchKind);
    } else if (isRoot(*cast<Instruction>(&P))) {
      Value *At = cast<Instruction>(P).getOperand(0);
      Result = operationOf(&P) == Op::LocalBase ? tagged(B, At, SharedKind) : At;
    } else if (auto *Phi = dyn_cast<PHINode>(&P)) {
      auto *New = B.CreatePHI(offsetType(), Phi->getNumIncomingValues());
      Phis.push_back({Phi, New});
      Result = New;
    } else if (auto *Select = dyn_cast<SelectInst>(&P)) {
      Value *Yes = offsetOf(Select->getTrueValue()), *No = offsetOf(Select->getFalseValue());
      Result = B.CreateSelect(Select->getCondition(), Yes, No);
    } else if (auto *Gep = dyn_cast<GetElementPtrInst>(&P)) {
      Value *Base = offsetOf(Gep->getPointerOperand());
      Result = B.CreateAdd(Base, B.CreateTrunc(emitGEPOffset(&B, DL, Gep), offsetType()));
    } else if (auto *Load = dyn_cast<LoadInst>(&P)) {
      Result = kept(B, *Load);
      if (!areAddresses())
        Result = B.CreateSub(B.CreateTrunc(Result, offsetType()), B.getInt32(1));
    } else {
      Result = offsetOf(cast<Instruction>(P).getOperand(0));
    }
    return Offsets[&P] = Result;
  }

  /// An offset with its kind, where pointers say it.
  Value *tagged(IRBuilderBase &B, Value *Offset, Kind Of) {
    if (To != Memory::Any)
      return Offset;
    return B.CreateOr(B.CreateZExt(Offset, B.getInt64Ty()), B.getInt64(uint64_t(Of) << KindShift));
  }

  /// The bits of a pointer in memory.
  Value *kept(IRBuilderBase &B, LoadInst &Load) {
    Value *At = offsetOf(Load.getPointerOperand());
    reach(Load.getPointerOperand());
    return read(B, B.getInt64Ty(), At, alignmentOf(At, Load.getAlign()));
  }
  /// The bits that a pointer has in this memory.
  Value *toKeep(IRBuilderBase &B, StoreInst &Store) {
    Value *P = Store.getValueOperand();
    if (!keepsOwn(Store.getPointerOperand()))
      return B.CreatePtrToInt(P, B.getInt64Ty());
    Value *Offset = offsetOf(P);
    return areAddresses() ? Offset : B.CreateZExt(B.CreateAdd(Offset, B.getInt32(1)), B.getInt64Ty());
  }

  // Accesses

  /// Bytes that every offset is a multiple of, 16 at most.
  unsigned alignmentOf(Value *Offset, Align Known = Align(1)) {
    unsigned Zeros = std::min(4u, computeKnownBits(Offset, DL).countMinTrailingZeros());
    unsigned Most = To == Memory::Any ? Oword / 2 : Oword; // blocks are of one kind
    return std::min<unsigned>(Most, std::max<uint64_t>(1u << Zeros, Known.value()));
  }

  /// Elements that a value of so many bytes is moved as.
  static unsigned unitOf(unsigned Bytes, unsigned Alignment) {
    unsigned Unit = std::min(4u, Alignment);
    while (Bytes % Unit)
      Unit /= 2;
    return Unit;
  }

  /// The pieces of a contiguous access: (first byte, bytes, whether it is a block).
  struct Piece {
    unsigned At, Bytes;
    bool Block;
  };
  static SmallVector<Piece, 8> piecesOf(unsigned Bytes, unsigned Alignment) {
    SmallVector<Piece, 8> All;
    unsigned At = 0;
    while (Alignment == Oword && Bytes - At >= Oword) {
      unsigned Size = Oword * std::min(MostOwords, llvm::bit_floor((Bytes - At) / Oword));
      All.push_back({At, Size, true});
      At += Size;
    }
    if (At < Bytes)
      All.push_back({At, Bytes - At, false});
    return All;
  }

  /// Places of elements of Unit bytes in a row.
  Value *row(IRBuilderBase &B, Value *Offset, unsigned Count, unsigned Unit) {
    SmallVector<Constant *, 32> Steps;
    for (unsigned K = 0; K < Count; ++K)
      Steps.push_back(ConstantInt::get(offsetType(), K * Unit));
    Constant *All = ConstantVector::get(Steps);
    return B.CreateAdd(splat(B, Offset, All->getType()), All);
  }

  static Value *allChannels(IRBuilderBase &B, unsigned Count) {
    return ConstantInt::getTrue(FixedVectorType::get(B.getInt1Ty(), Count));
  }

  Value *gather(IRBuilderBase &B, Type *T, Value *Places) {
    if (To != Memory::Any)
      return gather(B, T, To, allChannels(B, unsigned(countOf(T))), Places, PoisonValue::get(T));
    Value *All = PoisonValue::get(T);
    ofEachKind(B, Places, [&](Memory From, Value *On, Value *At) { All = gather(B, T, From, On, At, All); });
    return All;
  }
  void scatter(IRBuilderBase &B, Value *Data, Value *Places) {
    if (To != Memory::Any)
      return scatter(B, Data, To, allChannels(B, unsigned(countOf(Data->getType()))), Places);
    ofEachKind(B, Places, [&](Memory Into, Value *On, Value *At) { scatter(B, Data, Into, On, At); });
  }

  /// Calls with each kind that such pointers may have, where they have it, and their offsets.
  template <class Do> void ofEachKind(IRBuilderBase &B, Value *Places, Do Access) {
    static constexpr std::pair<Kind, Memory> All[] = {
        {FlatKind, Memory::Flat}, {ScratchKind, Memory::Scratch}, {SharedKind, Memory::Shared}};
    auto Count = unsigned(countOf(Places->getType()));
    Type *Short = FixedVectorType::get(B.getInt32Ty(), Count);
    Value *Kinds = B.CreateTrunc(B.CreateLShr(Places, KindShift), Short), *Offsets = B.CreateTrunc(Places, Short);
    for (auto [Which, In] : All)
      if (Reached >> Which & 1) {
        bool Only = Reached == 1u << Which;
        Value *On = Only ? allChannels(B, Count) : B.CreateICmpEQ(Kinds, ConstantInt::get(Short, Which));
        Access(In, On, In == Memory::Flat ? Places : Offsets);
      }
  }

  Value *gather(IRBuilderBase &B, Type *T, Memory From, Value *On, Value *Places, Value *Old) {
    if (From == Memory::Scratch)
      return createOperation(B, Op::FrameGather, T, {On, Whole, Places, Old});
    if (From == Memory::Flat)
      return createOperation(B, Op::SvmGather, T, {On, B.getInt32(0), Places, Old});
    return createOperation(B, Op::Gather, T, {On, log2Bytes(B, T), B.getInt16(0), slm(B), B.getInt32(0), Places, Old});
  }
  void scatter(IRBuilderBase &B, Value *Data, Memory Into, Value *On, Value *Places) {
    if (Into == Memory::Scratch)
      createOperation(B, Op::FrameScatter, B.getVoidTy(), {On, Whole, Places, Data});
    else if (Into == Memory::Flat)
      createOperation(B, Op::SvmScatter, B.getVoidTy(), {On, B.getInt32(0), Places, Data});
    else
      createOperation(B, Op::Scatter, B.getVoidTy(),
                      {On, log2Bytes(B, Data->getType()), B.getInt16(0), slm(B), B.getInt32(0), Places, Data});
  }
  Value *readBlock(IRBuilderBase &B, Type *T, Value *At) {
    if (To == Memory::Scratch)
      return createOperation(B, Op::FrameRead, T, {Whole, B.CreateLShr(At, 4)});
    if (To == Memory::Flat)
      return createOperation(B, Op::SvmBlockRead, T, {At});
    return createOperation(B, Op::OwordRead, T, {B.getInt32(0), slm(B), B.CreateLShr(At, 4)});
  }
  void writeBlock(IRBuilderBase &B, Value *Data, Value *At) {
    if (To == Memory::Scratch)
      createOperation(B, Op::FrameWrite, B.getVoidTy(), {Whole, B.CreateLShr(At, 4), Data});
    else if (To == Memory::Flat)
      createOperation(B, Op::SvmBlockWrite, B.getVoidTy(), {At, Data});
    else
      createOperation(B, Op::OwordWrite, B.getVoidTy(), {slm(B), B.CreateLShr(At, 4), Data});
  }

  static Value *log2Bytes(IRBuilderBase &B, Type *T) { return B.getInt32(Log2_32(unsigned(elementBytes(T)))); }
  static Value *slm(IRBuilderBase &B) { return B.getInt32(SlmSurface); }

  static Type *ofUnits(IRBuilderBase &B, unsigned Bytes, unsigned Unit) {
    return FixedVectorType::get(B.getIntNTy(8 * Unit), Bytes / Unit);
  }

  Value *read(IRBuilderBase &B, Type *T, Value *Offset, unsigned Alignment) {
    unsigned Bytes = unsigned(DL.getTypeStoreSize(T)), Unit = unitOf(Bytes, Alignment);
    Value *All = PoisonValue::get(ofUnits(B, Bytes, Unit));
    for (Piece P : piecesOf(Bytes, Alignment)) {
      Type *Part = ofUnits(B, P.Bytes, Unit);
      Value *At = B.CreateAdd(Offset, ConstantInt::get(offsetType(), P.At));
      Value *Read = P.Block ? readBlock(B, Part, At) : gather(B, Part, row(B, At, P.Bytes / Unit, Unit));
      All = P.Bytes == Bytes ? Read
                             : RegionWrite::create(B, All, Read, Region::contiguous(countOf(Part), int(P.At / Unit)));
    }
    return B.CreateBitCast(All, T);
  }

  void write(IRBuilderBase &B, Value *Data, Value *Offset, unsigned Alignment) {
    unsigned Bytes = unsigned(DL.getTypeStoreSize(Data->getType())), Unit = unitOf(Bytes, Alignment);
    Value *All = B.CreateBitCast(Data, ofUnits(B, Bytes, Unit));
    for (Piece P : piecesOf(Bytes, Alignment)) {
      Type *Part = ofUnits(B, P.Bytes, Unit);
      Value *At = B.CreateAdd(Offset, ConstantInt::get(offsetType(), P.At));
      Value *Slice = P.Bytes == Bytes
                         ? All
                         : RegionRead::create(B, Part, All, Region::contiguous(countOf(Part), int(P.At / Unit)));
      if (P.Block)
        writeBlock(B, Slice, At);
      else
        scatter(B, Slice, row(B, At, P.Bytes / Unit, Unit));
    }
  }

  /// Places of a region's elements, in units of which Per make an element. (row stride in bytes, width, stride)
  Value *places(IRBuilderBase &B, Value *First, Type *T, ArrayRef<Value *> Shape, unsigned Unit, unsigned Per) {
    unsigned Count = unsigned(countOf(T)), Width = unsigned(cast<ConstantInt>(Shape[1])->getZExtValue());
    int64_t Stride = cast<ConstantInt>(Shape[2])->getSExtValue();
    SmallVector<Constant *, 32> Inside, Rows;
    for (unsigned K = 0; K < Count; ++K)
      for (unsigned U = 0; U < Per; ++U) {
        Inside.push_back(ConstantInt::getSigned(offsetType(), K % Width * Stride * elementBytes(T) + U * Unit));
        Rows.push_back(ConstantInt::get(offsetType(), K / Width));
      }
    Constant *InRow = ConstantVector::get(Inside);
    Value *Row = splat(B, B.CreateTrunc(Shape[0], offsetType()), InRow->getType());
    return B.CreateAdd(B.CreateAdd(splat(B, First, InRow->getType()), InRow),
                       B.CreateMul(Row, ConstantVector::get(Rows)));
  }

  /// A region in memory: in a row when it is one, else element by element. Writes Data, or returns what is read.
  Value *region(CallInst &I, Value *Data) {
    IRBuilder<> B(&I);
    Type *T = Data ? Data->getType() : I.getType();
    SmallVector<Value *, 3> Shape(drop_begin(I.args(), Data ? 2 : 1));
    Value *First = offsetOf(operandOf(I, Role::First));
    reach(operandOf(I, Role::First));
    unsigned Count = unsigned(countOf(T)), Bytes = unsigned(elementBytes(T));
    if (cast<ConstantInt>(Shape[1])->getZExtValue() >= Count && (cast<ConstantInt>(Shape[2])->isOne() || Count == 1)) {
      if (!Data)
        return read(B, T, First, alignmentOf(First));
      write(B, Data, First, alignmentOf(First));
      return nullptr;
    }
    unsigned Unit = std::min(Bytes, 4u), Per = Bytes / Unit;
    Value *Places = places(B, First, T, Shape, Unit, Per);
    Type *Units = ofUnits(B, Count * Bytes, Unit);
    if (!Data)
      return B.CreateBitCast(gather(B, Units, Places), T);
    scatter(B, B.CreateBitCast(Data, Units), Places);
    return nullptr;
  }

  void copy(MemIntrinsic &I) {
    IRBuilder<> B(&I);
    unsigned Size = unsigned(cast<ConstantInt>(I.getLength())->getZExtValue());
    Value *To = offsetOf(I.getRawDest());
    unsigned ToAlign = alignmentOf(To, I.getDestAlign().valueOrOne());
    reach(I.getRawDest());
    if (Size == 0)
      return;
    Type *Bytes = FixedVectorType::get(B.getInt8Ty(), Size);
    if (auto *Transfer = dyn_cast<MemTransferInst>(&I)) {
      Value *From = offsetOf(Transfer->getRawSource());
      reach(Transfer->getRawSource());
      Value *Data = read(B, Bytes, From, alignmentOf(From, Transfer->getSourceAlign().valueOrOne()));
      reach(I.getRawDest());
      return write(B, Data, To, ToAlign);
    }
    Value *Byte = cast<MemSetInst>(I).getValue();
    Value *All =
        isa<Constant>(Byte)
            ? cast<Value>(ConstantVector::getSplat(ElementCount::getFixed(Size), cast<Constant>(Byte)))
            : RegionRead::create(B, Bytes, B.CreateBitCast(Byte, FixedVectorType::get(B.getInt8Ty(), 1)), {0, 1, 0, 0});
    write(B, All, To, ToAlign);
  }

  void access(Instruction &I) {
    IRBuilder<> B(&I);
    if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
      return copy(*Copy);
    if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
      Value *L = offsetOf(I.getOperand(0)), *R = offsetOf(I.getOperand(1));
      I.replaceAllUsesWith(B.CreateICmp(Compare->getUnsignedPredicate(), L, R));
    } else if (operationOf(&I) == Op::LocalOffset) {
      I.replaceAllUsesWith(B.CreateTrunc(offsetOf(I.getOperand(0)), I.getType()));
    } else if (isa<PtrToIntInst>(I)) {
      I.replaceAllUsesWith(offsetOf(I.getOperand(0)));
    } else if (auto *Load = dyn_cast<LoadInst>(&I); Load && I.getType()->isPointerTy()) {
      I.replaceAllUsesWith(B.CreateIntToPtr(kept(B, *Load), I.getType()));
    } else if (Load) {
      Value *At = offsetOf(Load->getPointerOperand());
      reach(Load->getPointerOperand());
      I.replaceAllUsesWith(read(B, I.getType(), At, alignmentOf(At, Load->getAlign())));
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      Value *At = offsetOf(Store->getPointerOperand());
      Value *Data = Store->getValueOperand();
      reach(Store->getPointerOperand());
      write(B, Data->getType()->isPointerTy() ? toKeep(B, *Store) : Data, At, alignmentOf(At, Store->getAlign()));
    } else if (operationOf(&I) == Op::MemoryRead) {
      I.replaceAllUsesWith(region(cast<CallInst>(I), nullptr));
    } else if (operationOf(&I) == Op::MemoryWrite) {
      region(cast<CallInst>(I), I.getOperand(1));
    }
  }

  const Memory To;
  SmallPtrSet<Instruction *, 8> Kept; ///< Loads of pointers into that memory.
  EquivalenceClasses<Value *> Classes;
  DenseMap<Value *, Value *> Content; ///< Of a class: one of the pointers that its memory keeps.
  Function &F;
  const DataLayout &DL;
  SetVector<Value *> Pointers;
  SetVector<Instruction *> Accesses;
  DenseMap<AllocaInst *, uint64_t> Places;
  DenseMap<Value *, Value *> Offsets;
  SmallVector<std::pair<PHINode *, PHINode *>, 4> Phis;
  AllocaInst *Whole = nullptr;
  DenseMap<Value *, unsigned> Kinds; ///< Of a class: bits of the kinds that its pointers may have.
  unsigned Reached = 0;              ///< By the access at hand.
};

} // namespace

/// The program's variables lie at addresses.
static bool addressProgramData(Function &F) {
  SmallVector<CallInst *, 4> Bases;
  for (Instruction &I : instructions(F))
    if (auto *Base = asOperation(&I, Op::ProgramBase))
      Bases.push_back(Base);
  if (Bases.empty())
    return false;
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Value *Address = createOperation(B, Op::ProgramAddress, B.getInt64Ty(), {});
  for (CallInst *Base : Bases) {
    B.SetInsertPoint(Base);
    Value *At = B.CreateAdd(Address, B.CreateZExt(operandOf(*Base, Role::Offset), B.getInt64Ty()));
    Base->replaceAllUsesWith(B.CreateIntToPtr(At, Base->getType()));
    Base->eraseFromParent();
  }
  return true;
}

bool placeInThreadMemory(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= addressProgramData(F);
  for (Function &F : M)
    for (Memory To : {Memory::Scratch, Memory::Shared, Memory::Flat, Memory::Any})
      if (!F.isDeclaration())
        Changed |= Pointing(F, To).run();
  return Changed;
}

} // namespace pocm::gen
