//===- BoundStorage.cpp - Indices known at run time stay inside their object -------------------===//
//
//     %p = gep [64 x i32], %table, %n               %o = (4 * %n) & 255
//     store i32 %v, %p                       ->     store i32 %v, %table + %o
//
// An index into an array of a kernel may be anything. Where it leads out of the array the access goes to some
// element of it instead (Inside.h): what is read there is a "don't care", and nobody else's data is touched. Regions of
// vectors (SplitVectors.cpp) do the same; of one that is larger than its vector, as a replicate may be, each element
// has a place of its own, which stays inside:
//
//     rdregion <8 x i32> of <4 x i32> %v at %o    ->    rdregion of %v at <%o, %o + 4, ... %o + 28>
//
// Indices that are known to be inside cost nothing.
//
// Needs:    variables as allocas, those of groups and programs as cm.local.base and cm.program.base; before vectors are
//           split, so that an access is one.
// Leaves:   accesses that stay inside of the object that they begin in.
// Not done: pointers that came from memory or from numbers, whose object nobody knows.
//
//===-------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Inside.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Intrinsics.h"
#include "ir/LoopAnalyses.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// Memory that an instruction touches: operand `Pointer` and `Bytes` from there on.
struct Access {
  Instruction *Where;
  unsigned Pointer;
  std::uint64_t Bytes;
};

/// Bytes from the first to the last element of a region in memory; none when its shape is not constant.
std::optional<std::uint64_t> regionBytes(const CallInst &I) {
  auto Shape = constantShapeOf(I);
  if (!Shape)
    return std::nullopt;
  Type *T = dataTypeOf(I);
  std::int64_t Count = countOf(T), Size = elementBytes(T), Width = std::max<std::int64_t>(1, Shape->Width), Last = 0;
  for (std::int64_t K = 0; K < Count; ++K) {
    std::int64_t At = K / Width * Shape->RowStride + K % Width * Shape->Stride * Size;
    if (At < 0)
      return std::nullopt;
    Last = std::max(Last, At);
  }
  return std::uint64_t(Last + Size);
}

void collect(Function &F, SmallVectorImpl<Access> &All) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  auto Add = [&](Instruction &I, unsigned Pointer, Type *T) {
    if (TypeSize Size = DL.getTypeStoreSize(T); !Size.isScalable())
      All.push_back({&I, Pointer, Size.getFixedValue()});
  };
  for (Instruction &I : instructions(F)) {
    if (isa<LoadInst>(I))
      Add(I, 0, I.getType());
    else if (isa<StoreInst>(I))
      Add(I, 1, I.getOperand(0)->getType());
    else if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
      Add(I, 0, I.getOperand(1)->getType());
    else if (Op Operation = operationOf(&I); Operation == Op::MemoryRead || Operation == Op::MemoryWrite) {
      if (auto Bytes = regionBytes(cast<CallInst>(I)))
        All.push_back({&I, indexOf(Operation, Role::First), *Bytes});
    }
  }
}

/// A variable: of the thread, of its group or of the program, or a table of constants.
bool isVariable(const Value *V) {
  Op Operation = operationOf(V);
  return isa<AllocaInst, GlobalVariable>(V) || Operation == Op::LocalBase || Operation == Op::ProgramBase;
}

/// Tells LLVM the sizes of variables of groups and programs, as long as it lives: they are calls.
class SizesOfVariables {
public:
  explicit SizesOfVariables(Function &F) {
    for (Instruction &I : instructions(F))
      if (Op Operation = operationOf(&I); Operation == Op::LocalBase || Operation == Op::ProgramBase) {
        Calls.push_back(cast<CallInst>(&I));
        Calls.back()->addFnAttr(
            Attribute::getWithAllocSizeArgs(F.getContext(), indexOf(Operation, Role::Bytes), std::nullopt));
      }
  }
  ~SizesOfVariables() {
    for (CallInst *Call : Calls)
      Call->removeFnAttr(Attribute::AllocSize);
  }

private:
  SmallVector<CallInst *, 8> Calls;
};

class Bounds {
public:
  explicit Bounds(Function &F)
      : DL(F.getParent()->getDataLayout()), Now(F), Sizes(DL, &Now.Functions, F.getContext()) {}

  bool keepInside(const Access &A) {
    Value *Pointer = A.Where->getOperand(A.Pointer);
    APInt Constant(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Constant, /*AllowNonInbounds=*/true);
    if (isVariable(Base) && Constant.isNonNegative())
      if (auto Size = sizeOf(Base); !Size || inside(*Size, A.Bytes, Constant))
        return false;
    IRBuilder<> B(A.Where);
    Value *Better = nullptr;
    if (Value *Object = getUnderlyingObject(Pointer, 0); isVariable(Object)) {
      auto Size = sizeOf(Object);
      if (!Size || known(Pointer, Object, *Size, A.Bytes))
        return false;
      if (A.Bytes > *Size) // there is no place for it: a fault
        Better = Constant::getNullValue(Pointer->getType());
      else
        Better = bounded(B, Pointer, Object, *Size, A.Bytes);
    } else if (reachesVariable(Pointer)) {
      Better = boundedAtRunTime(B, Pointer, A.Bytes);
    }
    if (!Better)
      return false;
    A.Where->setOperand(A.Pointer, Better);
    return true;
  }

  /// What moves bytes moves as many as the variable has from there on.
  bool keepInside(MemIntrinsic &Move) {
    const bool Two = isa<MemTransferInst>(Move);
    const bool Before = Two && hasRoom(Move.getLength(), cast<MemTransferInst>(Move).getRawSource());
    if (hasRoom(Move.getLength(), Move.getRawDest()) && (!Two || Before))
      return false;
    IRBuilder<> B(&Move);
    Value *Length = atMost(B, Move.getLength(), Move.getRawDest());
    if (Two)
      Length = atMost(B, Length, cast<MemTransferInst>(Move).getRawSource());
    if (Length == Move.getLength())
      return false;
    const bool Volatile = Move.isVolatile();
    if (auto *Fill = dyn_cast<MemSetInst>(&Move)) { // those that are inlined have constant lengths
      B.CreateMemSet(Fill->getRawDest(), Fill->getValue(), Length, Fill->getDestAlign(), Volatile);
    } else {
      auto &Copy = cast<MemTransferInst>(Move);
      isa<MemMoveInst>(Copy) ? B.CreateMemMove(Copy.getRawDest(), Copy.getDestAlign(), Copy.getRawSource(),
                                               Copy.getSourceAlign(), Length, Volatile)
                             : B.CreateMemCpy(Copy.getRawDest(), Copy.getDestAlign(), Copy.getRawSource(),
                                              Copy.getSourceAlign(), Length, Volatile);
    }
    Move.eraseFromParent();
    return true;
  }

private:
  /// Whether so many bytes are known to lie in the variable there, or it is known to be none.
  bool hasRoom(Value *Length, Value *Pointer) const {
    APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
    Value *Base = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
    auto *Bytes = dyn_cast<ConstantInt>(Length);
    if (!isVariable(Base))
      return !reachesVariable(Pointer);
    auto Size = sizeOf(Base);
    return !Size || (Bytes && Bytes->getValue().getActiveBits() <= 64 && inside(*Size, Bytes->getZExtValue(), Offset));
  }
  Value *atMost(IRBuilder<> &B, Value *Length, Value *Pointer) {
    SizeOffsetValue Found = reachesVariable(Pointer) ? Sizes.compute(Pointer) : SizeOffsetValue();
    if (!Found.bothKnown())
      return Length;
    Value *Room = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Found.Size, Found.Offset);
    Type *Wide = Length->getType()->getIntegerBitWidth() > 64 ? Length->getType() : Room->getType();
    return B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateZExt(Length, Wide), B.CreateZExt(Room, Wide));
  }
  std::optional<std::uint64_t> sizeOf(Value *Object) const {
    if (auto *Table = dyn_cast<GlobalVariable>(Object))
      return DL.getTypeAllocSize(Table->getValueType()).getFixedValue();
    if (auto *Base = dyn_cast<CallInst>(Object)) {
      auto *Bytes = dyn_cast<ConstantInt>(operandOf(*Base, Role::Bytes));
      return Bytes ? std::optional(Bytes->getZExtValue()) : std::nullopt;
    }
    auto Size = cast<AllocaInst>(Object)->getAllocationSize(DL);
    return Size && !Size->isScalable() ? std::optional(Size->getFixedValue()) : std::nullopt;
  }
  static bool inside(std::uint64_t Size, std::uint64_t Bytes, const APInt &Offset) {
    return Bytes <= Size && Offset.ule(Size - Bytes);
  }
  /// Whether the range of the offset shows that it stays inside.
  bool known(Value *Pointer, Value *Object, std::uint64_t Size, std::uint64_t Bytes) {
    const SCEV *Distance = Now.SE.getMinusSCEV(Now.SE.getSCEV(Pointer), Now.SE.getSCEV(Object));
    return !isa<SCEVCouldNotCompute>(Distance) && inside(Size, Bytes, Now.SE.getUnsignedRangeMax(Distance));
  }
  /// Object + the offset moved inside: through geps only.
  Value *bounded(IRBuilder<> &B, Value *Pointer, Value *Object, std::uint64_t Size, std::uint64_t Bytes) const {
    Value *Offset = nullptr;
    for (Value *V = Pointer; V != Object;) {
      if (auto *Step = dyn_cast<GEPOperator>(V)) {
        Value *More = emitGEPOffset(&B, DL, Step, /*NoAssumptions=*/true);
        Offset = Offset ? B.CreateAdd(Offset, More) : More;
        V = Step->getPointerOperand();
      } else if (auto *Cast = dyn_cast<Operator>(V); Cast && (Cast->getOpcode() == Instruction::BitCast ||
                                                              Cast->getOpcode() == Instruction::AddrSpaceCast)) {
        V = Cast->getOperand(0);
      } else {
        return nullptr;
      }
    }
    if (!Offset)
      return nullptr;
    Value *Place = B.CreatePtrAdd(Object, movedInside(B, Offset, Size - Bytes));
    return Place->getType() == Pointer->getType() ? Place : B.CreateAddrSpaceCast(Place, Pointer->getType());
  }
  static bool reachesVariable(const Value *Pointer) { return mayLeadTo(Pointer, isVariable); }
  /// Through phis and selects: size and offset are chosen as the pointer is.
  Value *boundedAtRunTime(IRBuilder<> &B, Value *Pointer, std::uint64_t Bytes) {
    SizeOffsetValue Found = Sizes.compute(Pointer);
    if (!Found.bothKnown())
      return nullptr;
    Value *All = ConstantInt::get(Found.Size->getType(), Bytes);
    Value *Last = B.CreateSub(Found.Size, All);
    Value *Offset = B.CreateZExtOrTrunc(Found.Offset, Last->getType());
    Value *Outside = B.CreateICmpUGT(Offset, Last);
    Value *Place =
        B.CreatePtrAdd(Pointer, B.CreateSelect(Outside, B.CreateNeg(Offset), ConstantInt::get(Offset->getType(), 0)));
    return B.CreateSelect(B.CreateICmpULT(Found.Size, All), Constant::getNullValue(Place->getType()), Place);
  }

  const DataLayout &DL;
  LoopAnalyses Now;
  ObjectSizeOffsetEvaluator Sizes;
};

} // namespace

/// Elements of regions that have a place in their vector nowhere get one each.
static bool placeElements(Function &F) {
  SmallVector<RegionRead, 4> Large;
  for (Instruction &I : instructions(F))
    if (auto R = RegionRead::match(&I); R && R->Where.Dynamic && !R->Where.Dynamic->getType()->isVectorTy()) {
      const Region Strides{R->Where.VStride, R->Where.Width, R->Where.HStride, 0, nullptr};
      if (any_of(seq(R->count()), [&](int K) { return Strides.element(K) >= countOf(R->source()->getType()); }))
        Large.push_back(*R);
    }
  for (const RegionRead &R : Large) {
    IRBuilder<> B(R.Call);
    const Region Strides{R.Where.VStride, R.Where.Width, R.Where.HStride, 0, nullptr};
    Type *T = R.Where.Dynamic->getType();
    SmallVector<Constant *, 32> Steps;
    for (int K = 0; K < R.count(); ++K)
      Steps.push_back(ConstantInt::get(T, std::uint64_t(Strides.element(K)) * unsigned(elementBytes(R.Call->getType())),
                                       /*IsSigned=*/false, /*ImplicitTrunc=*/true));
    Value *Places = B.CreateAdd(B.CreateVectorSplat(unsigned(R.count()), R.Where.Dynamic), ConstantVector::get(Steps));
    R.Call->replaceAllUsesWith(RegionRead::create(B, R.Call->getType(), R.source(), {0, 1, 0, 0, Places}));
    R.Call->eraseFromParent();
  }
  return !Large.empty();
}

bool boundStorage(Function &F) {
  bool Changed = placeElements(F);
  SmallVector<Access, 32> All;
  collect(F, All);
  SmallVector<MemIntrinsic *, 8> Moves;
  for (Instruction &I : instructions(F))
    if (auto *Move = dyn_cast<MemIntrinsic>(&I))
      Moves.push_back(Move);
  const bool Any =
      !F.getParent()->global_empty() || any_of(instructions(F), [](Instruction &I) { return isVariable(&I); });
  if (!Any || (All.empty() && Moves.empty()))
    return Changed;
  SizesOfVariables Told(F);
  Bounds Of(F);
  for (const Access &A : All)
    Changed |= Of.keepInside(A);
  for (MemIntrinsic *Move : Moves)
    Changed |= Of.keepInside(*Move);
  return Changed;
}

} // namespace pocm
