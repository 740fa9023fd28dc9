//===- PromoteStorage.cpp - Variables become whole values --------------------===//
//
// The first pass that sees CM as CM. A variable of vector or matrix type is storage;
// its regions are pointers into it. Every access becomes a region of the whole value:
//
//     %in  = alloca <256 x i8>
//     %p   = getelementptr i8, ptr %in, i64 35
//     %r   = cm.region.read(%p, i64 32, i32 24, i32 1)
//  -> %r   = rdregion(%whole, 32, 24, 1, i16 35)
//
// and the variable dissolves into SSA values. Single elements become extractelement and
// insertelement, offsets known only at run time stay run-time offsets of the region.
//
// Needs:    references and loop counters resolved (resolve-regions).
// Leaves:   no access to a promoted variable; wrregion chains for region-collapsing.
// Not done: a variable whose address escapes, flows through phi or select, or that is
//           made of several vectors; it stays in memory, which all targets can address.
//           promoteArrays, for targets whose registers have addresses, takes arrays and
//           structures too.
//
//===----------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned MostFixedBytes = 3072 - 1; ///< Of arrays whose elements are known when they are compiled.

/// A byte address inside a variable: Constant + Dynamic (null: nothing), which is a multiple of 2^Zeros.
struct Place {
  int64_t Constant = 0;
  Value *Dynamic = nullptr;
  unsigned Zeros = 63;
};

/// An instruction that reads or writes the variable, and where.
struct Access {
  Instruction *Where;
  Place At;
};

/// The vector that a variable of type T holds, or null.
FixedVectorType *storageType(Type *T) {
  while (auto *Struct = dyn_cast<StructType>(T)) {
    if (Struct->getNumElements() != 1)
      return nullptr;
    T = Struct->getElementType(0);
  }
  auto *Vector = dyn_cast<FixedVectorType>(T);
  bool Bytes = Vector && Vector->getScalarSizeInBits() % 8 == 0 && !Vector->getElementType()->isPointerTy();
  return Bytes ? Vector : nullptr;
}

class Variable {
public:
  Variable(AllocaInst &Old, FixedVectorType *Storage, const DataLayout &DL) : Old(Old), Storage(Storage), DL(DL) {}

  /// Finds all accesses; false when one of them is of a kind that cannot be promoted.
  bool collect() { return collectUses(&Old, {}); }
  /// Whether all that is known when it is compiled.
  bool isFixed() const {
    return none_of(Accesses, [](const Access &A) { return A.At.Dynamic; });
  }
  /// Takes back what that computed, of a variable that stays as it is.
  void forget() {
    for (WeakTrackingVH &Offset : reverse(Offsets))
      if (Offset)
        RecursivelyDeleteTriviallyDeadInstructions(Offset);
  }

  /// Rewrites all accesses to whole loads and stores of a new variable, and returns that.
  AllocaInst *rewrite();

private:
  bool collectUses(Value *Pointer, Place At);
  bool isFill(const MemSetInst &Fill, const Place &At) const;
  bool isWholeCopy(const MemTransferInst &Copy, const Place &At) const;
  bool canAccess(Type *T, const Place &At) const;
  bool canAccess(Type *T, const Place &At, const MemoryShape &Shape) const;
  void rewriteAccess(const Access &A);
  Value *read(IRBuilder<> &B, Type *T, const Place &At, int RowStride, int Width, int Stride);
  void write(IRBuilder<> &B, Value *New, const Place &At, int RowStride, int Width, int Stride);
  Value *whole(IRBuilder<> &B, Type *Element);
  Region regionOf(IRBuilder<> &B, Type *T, const Place &At, int RowStride, int Width, int Stride) const;
  int64_t bytes() const { return int64_t(countOf(Storage)) * elementBytes(Storage); }

  AllocaInst &Old;
  FixedVectorType *Storage;
  const DataLayout &DL;
  AllocaInst *New = nullptr;
  SmallVector<Access, 32> Accesses;
  SmallVector<Instruction *, 16> Dead;
  SmallVector<WeakTrackingVH, 8> Offsets; // that were computed for Accesses
};

int64_t constantOf(Value *V) { return cast<ConstantInt>(V)->getSExtValue(); }

/// Bytes of the pieces that elements of type T are read in: themselves, or less where the elements of a formatted
/// reference do not lie at multiples of their size. `v.select<4, 1>(1).format<ushort>()` of bytes has pieces of one.
int pieceBytes(Type *T, const Place &At, int64_t RowStride) {
  int Size = elementBytes(T);
  while (Size > 1 && (At.Constant % Size || At.Zeros < Log2_32(unsigned(Size)) || RowStride % Size))
    Size /= 2;
  return Size;
}

/// Whether a value of type T at this place is made of whole pieces inside the storage.
bool Variable::canAccess(Type *T, const Place &At) const {
  Type *Element = T->getScalarType();
  if (Element->isPointerTy() || Element->getPrimitiveSizeInBits().isZero() || Element->getScalarSizeInBits() % 8 ||
      bytes() % pieceBytes(T, At, 0))
    return false;
  return At.Dynamic || (At.Constant >= 0 && At.Constant + int64_t(countOf(T)) * elementBytes(T) <= bytes());
}

/// The same for the elements of a region. Pieces of elements that lie apart are no region.
bool Variable::canAccess(Type *T, const Place &At, const MemoryShape &Shape) const {
  int Piece = pieceBytes(T, At, Shape.RowStride);
  return bytes() % Piece == 0 && (Piece == elementBytes(T) || Shape.Stride == 1 || Shape.Width == 1);
}

bool Variable::isWholeCopy(const MemTransferInst &Copy, const Place &At) const {
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  return Length && !Copy.isVolatile() && !At.Dynamic && At.Constant == 0 && int64_t(Length->getZExtValue()) >= bytes();
}

/// One byte over a stretch that is known.
bool Variable::isFill(const MemSetInst &Fill, const Place &At) const {
  auto *Length = dyn_cast<ConstantInt>(Fill.getLength());
  return Length && !Fill.isVolatile() && isa<ConstantInt>(Fill.getValue()) && !At.Dynamic && At.Constant >= 0 &&
         Length->getSExtValue() > 0 && At.Constant + Length->getSExtValue() <= bytes();
}

bool Variable::collectUses(Value *Pointer, Place At) {
  for (User *U : Pointer->users()) {
    auto *I = cast<Instruction>(U);
    if (auto *Address = dyn_cast<GEPOperator>(I)) {
      SmallMapVector<Value *, APInt, 4> Variables;
      APInt Constant(64, 0);
      if (!Address->collectOffset(DL, 64, Variables, Constant))
        return false;
      Place Inner{At.Constant + Constant.getSExtValue(), At.Dynamic, At.Zeros};
      IRBuilder<> B(I);
      for (auto &[Index, Scale] : Variables) {
        Value *Offset = B.CreateMul(B.CreateSExtOrTrunc(Index, B.getInt64Ty()), B.getInt64(Scale.getSExtValue()));
        Inner.Dynamic = Inner.Dynamic ? B.CreateAdd(Inner.Dynamic, Offset) : Offset;
        Inner.Zeros = std::min(Inner.Zeros, computeKnownBits(Offset, DL).countMinTrailingZeros());
        Offsets.emplace_back(Inner.Dynamic);
      }
      if (!collectUses(I, Inner))
        return false;
      Dead.push_back(I);
    } else if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (Load->isVolatile() || !canAccess(Load->getType(), At))
        return false;
      Accesses.push_back({I, At});
    } else if (auto *Store = dyn_cast<StoreInst>(I)) {
      if (Store->getValueOperand() == Pointer || Store->isVolatile() ||
          !canAccess(Store->getValueOperand()->getType(), At))
        return false;
      Accesses.push_back({I, At});
    } else if (auto *Read = asOperation(I, Op::MemoryRead)) {
      if (!constantShapeOf(*Read) || !canAccess(Read->getType(), At, *constantShapeOf(*Read)))
        return false;
      Accesses.push_back({I, At});
    } else if (auto *Write = asOperation(I, Op::MemoryWrite)) {
      if (operandOf(*Write, Role::Data) == Pointer || !constantShapeOf(*Write) ||
          !canAccess(dataTypeOf(*Write), At, *constantShapeOf(*Write)))
        return false;
      Accesses.push_back({I, At});
    } else if (auto *Copy = dyn_cast<MemTransferInst>(I)) {
      if (!isWholeCopy(*Copy, At))
        return false;
      Accesses.push_back({I, At});
    } else if (auto *Fill = dyn_cast<MemSetInst>(I)) {
      if (!isFill(*Fill, At))
        return false;
      Accesses.push_back({I, At});
    } else if (isa<LifetimeIntrinsic>(I)) {
      Dead.push_back(I);
    } else {
      return false;
    }
  }
  return true;
}

/// The whole value, seen as elements of type `Element`.
Value *Variable::whole(IRBuilder<> &B, Type *Element) {
  Value *V = B.CreateLoad(Storage, New);
  if (Element == Storage->getElementType())
    return V;
  return B.CreateBitCast(V, FixedVectorType::get(Element, unsigned(bytes() / elementBytes(Element))));
}

Region Variable::regionOf(IRBuilder<> &B, Type *T, const Place &At, int RowStride, int Width, int Stride) const {
  int Size = elementBytes(T);
  Region R{RowStride / Size, Width, Stride, 0, nullptr};
  if (countOf(T) == Width)
    R.VStride = 0;
  if (At.Dynamic)
    R.Dynamic = B.CreateTrunc(B.CreateAdd(At.Dynamic, B.getInt64(At.Constant)), B.getInt16Ty());
  else
    R.Offset = int(At.Constant / Size);
  return R;
}

/// Index of a single element of type T as an extractelement operand.
Value *elementIndex(IRBuilder<> &B, Type *T, const Place &At) {
  if (!At.Dynamic)
    return B.getInt32(uint32_t(At.Constant / elementBytes(T)));
  Value *Offset = B.CreateAdd(At.Dynamic, B.getInt64(At.Constant));
  return B.CreateTrunc(B.CreateLShr(Offset, Log2_32(unsigned(elementBytes(T)))), B.getInt32Ty());
}

/// The pieces of a value of type T, as a vector.
FixedVectorType *piecesOf(Type *T, int Bytes) {
  return FixedVectorType::get(IntegerType::get(T->getContext(), unsigned(Bytes) * 8),
                              unsigned(countOf(T) * elementBytes(T) / Bytes));
}

Value *Variable::read(IRBuilder<> &B, Type *T, const Place &At, int RowStride, int Width, int Stride) {
  int Size = elementBytes(T);
  if (int Piece = pieceBytes(T, At, RowStride); Piece < Size)
    return B.CreateBitCast(read(B, piecesOf(T, Piece), At, RowStride, Width * (Size / Piece), 1), T);
  Value *Source = whole(B, T->getScalarType());
  if (!T->isVectorTy())
    return B.CreateExtractElement(Source, elementIndex(B, T, At));
  Region R = regionOf(B, T, At, RowStride, Width, Stride);
  if (Source->getType() == T && R.isIdentity(countOf(T)))
    return Source;
  return RegionRead::create(B, T, Source, R);
}

void Variable::write(IRBuilder<> &B, Value *Value_, const Place &At, int RowStride, int Width, int Stride) {
  Type *T = Value_->getType();
  int Size = elementBytes(T);
  if (int Piece = pieceBytes(T, At, RowStride); Piece < Size)
    return write(B, B.CreateBitCast(Value_, piecesOf(T, Piece)), At, RowStride, Width * (Size / Piece), 1);
  Type *Element = T->getScalarType();
  Value *Result;
  Region R = regionOf(B, T, At, RowStride, Width, Stride);
  if (T->isVectorTy() && countOf(T) * elementBytes(T) == bytes() && R.isIdentity(countOf(T))) {
    Result = Value_;
  } else {
    Value *Before = whole(B, Element);
    Result = T->isVectorTy() ? RegionWrite::create(B, Before, Value_, R)
                             : B.CreateInsertElement(Before, Value_, elementIndex(B, T, At));
  }
  B.CreateStore(B.CreateBitCast(Result, Storage), New);
}

void Variable::rewriteAccess(const Access &A) {
  IRBuilder<> B(A.Where);
  if (auto *Load = dyn_cast<LoadInst>(A.Where)) {
    Type *T = Load->getType();
    Load->replaceAllUsesWith(read(B, T, A.At, 0, countOf(T), 1));
  } else if (auto *Store = dyn_cast<StoreInst>(A.Where)) {
    Value *V = Store->getValueOperand();
    write(B, V, A.At, 0, countOf(V->getType()), 1);
  } else if (auto *Read = asOperation(A.Where, Op::MemoryRead)) {
    MemoryShape Shape = *constantShapeOf(*Read);
    Read->replaceAllUsesWith(read(B, Read->getType(), A.At, int(Shape.RowStride), int(Shape.Width), int(Shape.Stride)));
  } else if (auto *Write = asOperation(A.Where, Op::MemoryWrite)) {
    MemoryShape Shape = *constantShapeOf(*Write);
    write(B, operandOf(*Write, Role::Data), A.At, int(Shape.RowStride), int(Shape.Width), int(Shape.Stride));
  } else if (auto *Fill = dyn_cast<MemSetInst>(A.Where)) {
    unsigned Length = unsigned(constantOf(Fill->getLength()));
    Constant *Bytes = ConstantVector::getSplat(ElementCount::getFixed(Length), cast<Constant>(Fill->getValue()));
    write(B, Bytes, A.At, 0, int(Length), 1);
  } else {
    auto *Copy = cast<MemTransferInst>(A.Where);
    if (Copy->getDest() == &Old)
      B.CreateStore(B.CreateAlignedLoad(Storage, Copy->getSource(), Copy->getSourceAlign().valueOrOne()), New);
    else
      B.CreateAlignedStore(B.CreateLoad(Storage, New), Copy->getDest(), Copy->getDestAlign().valueOrOne());
  }
  A.Where->eraseFromParent();
}

AllocaInst *Variable::rewrite() {
  IRBuilder<> B(&Old);
  New = B.CreateAlloca(Storage);
  New->takeName(&Old);
  for (const Access &A : Accesses)
    rewriteAccess(A);
  for (Instruction *I : Dead)
    I->eraseFromParent();
  Old.replaceAllUsesWith(New); // debug records only
  Old.eraseFromParent();
  return New;
}

/// The vector that holds an array or a structure: of its elements when all are of one type, of bytes otherwise. Null
/// when that is more than `Most` bytes, or nothing.
FixedVectorType *arrayStorage(Type *T, unsigned Most, const DataLayout &DL) {
  uint64_t Bytes = DL.getTypeAllocSize(T);
  if (!Bytes || Bytes > Most)
    return nullptr;
  Type *Leaf = T;
  while (true) {
    if (auto *Array = dyn_cast<ArrayType>(Leaf))
      Leaf = Array->getElementType();
    else if (auto *Struct = dyn_cast<StructType>(Leaf); Struct && Struct->getNumElements() == 1)
      Leaf = Struct->getElementType(0);
    else
      break;
  }
  Leaf = Leaf->getScalarType();
  bool Whole = (Leaf->isIntegerTy() || Leaf->isFloatingPointTy()) && Leaf->getScalarSizeInBits() % 8 == 0 &&
               Bytes % unsigned(elementBytes(Leaf)) == 0;
  Type *Element = Whole ? Leaf : Type::getInt8Ty(T->getContext());
  return FixedVectorType::get(Element, unsigned(Bytes) / unsigned(elementBytes(Element)));
}

/// Masks in memory, which LLVM makes of bitcasts next to a load or a store, become the numbers that they are there.
bool storeMasksAsNumbers(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *T = dyn_cast_or_null<FixedVectorType>(Load    ? Load->getType()
                                                : Store ? Store->getValueOperand()->getType()
                                                        : nullptr);
    if (!T || !T->getElementType()->isIntegerTy(1) || T->getNumElements() % 8)
      continue;
    Changed = true;
    IRBuilder<> B(&I);
    unsigned Bits = T->getNumElements();
    Type *Number = is_contained({8u, 16u, 32u, 64u}, Bits) ? cast<Type>(B.getIntNTy(Bits))
                                                           : FixedVectorType::get(B.getInt8Ty(), Bits / 8);
    if (Store) {
      Store->setOperand(0, B.CreateBitCast(Store->getValueOperand(), Number));
      continue;
    }
    auto *New = B.CreateAlignedLoad(Number, Load->getPointerOperand(), Load->getAlign(), Load->isVolatile());
    Load->replaceAllUsesWith(B.CreateBitCast(New, T));
    Load->eraseFromParent();
  }
  return Changed;
}

/// One variable promoted, or false when none is left that can be. `MostArray`: bytes of arrays that are promoted too.
bool promoteOne(Function &F, SmallPtrSetImpl<const AllocaInst *> &Refused, unsigned MostArray) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : F.getEntryBlock()) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    FixedVectorType *Storage = Alloca ? storageType(Alloca->getAllocatedType()) : nullptr;
    const bool Fixed = Alloca && !Storage && !MostArray;
    if (Alloca && (MostArray || Fixed))
      Storage = arrayStorage(Alloca->getAllocatedType(), Fixed ? MostFixedBytes : MostArray, DL);
    if (!Storage || Alloca->isArrayAllocation() || Refused.contains(Alloca))
      continue;
    Variable V(*Alloca, Storage, DL);
    if (!V.collect() || (Fixed && !V.isFixed())) {
      V.forget();
      Refused.insert(Alloca);
      continue;
    }
    AllocaInst *New = V.rewrite();
    if (isAllocaPromotable(New)) {
      DominatorTree Tree(F);
      PromoteMemToReg({New}, Tree);
    } else {
      Refused.insert(New);
    }
    return true;
  }
  return false;
}

} // namespace

static bool promoteAll(Module &M, unsigned MostArray, const DenseSet<const AllocaInst *> &Others) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    Changed |= storeMasksAsNumbers(F);
    SmallPtrSet<const AllocaInst *, 8> Refused(Others.begin(), Others.end());
    while (promoteOne(F, Refused, MostArray))
      Changed = true;
  }
  return Changed;
}

bool promoteStorage(Module &M) { return promoteAll(M, 0, {}); }

SmallVector<AllocaInst *, 8> promotableArrays(Function &F, unsigned MostBytes) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<AllocaInst *, 8> All;
  for (Instruction &I : F.getEntryBlock()) {
    auto *Alloca = dyn_cast<AllocaInst>(&I);
    FixedVectorType *Storage =
        Alloca && !Alloca->isArrayAllocation() ? arrayStorage(Alloca->getAllocatedType(), MostBytes, DL) : nullptr;
    if (!Storage)
      continue;
    Variable V(*Alloca, Storage, DL);
    if (V.collect())
      All.push_back(Alloca);
    V.forget();
  }
  return All;
}

bool promoteArrays(Module &M, unsigned MostBytes, const DenseSet<const AllocaInst *> &Others) {
  return promoteAll(M, MostBytes, Others);
}

} // namespace pocm
