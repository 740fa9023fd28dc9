//===- SplitStructures.cpp - An array of structures becomes an array of each member ----------------------===//
//
//     struct { float x, y; } p[16];        ->    float x[16], y[16];
//     p[i].x += p[i].y;                          x[i] += y[i];
//
//     p[i] = p[j];                               x[i] = x[j], y[i] = y[j];
//
//     cm.region.read(&p[0].y, i64 8, i32 1, i32 1)   ->   cm.region.read(&y[0], i64 0, i32 16, i32 1)
//
// Loops over structures become operations on one member of all of them (vectorize-elements), which lie apart in memory
// and in registers; side by side they are a vector.
//
// Needs:    references and loop counters as values (resolve-variables).
// Leaves:   structures of which parts of several members are accessed together, or whose address is used otherwise;
//           arrays that do not fit in a first-level cache.
//
//===------------------------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr std::size_t MostCopied = 16; ///< Members one by one instead of their structure as a whole.

/// A byte of an array of structures: so many structures, known at run time in part, and so many bytes of one.
struct MemberPlace {
  std::int64_t Structures = 0, Bytes = 0;
  SmallVector<std::pair<Value *, std::int64_t>, 2> More; ///< Numbers, and how many structures each counts.
};

class ArrayOfStructures {
public:
  ArrayOfStructures(AllocaInst &Old, StructType &Of, const DataLayout &DL)
      : Old(Old), DL(DL), Layout(*DL.getStructLayout(&Of)), Of(Of), Size(std::int64_t(Layout.getSizeInBytes())),
        Count(std::uint64_t(DL.getTypeAllocSize(Old.getAllocatedType())) / std::uint64_t(Size)) {}

  /// Finds all accesses; false when one of them is neither of one member nor of a whole structure.
  bool collect() { return collect(Old, {}) && (Copies.empty() || !leaves(Of, 0).empty()); }

  /// Copies of whole structures become copies of what is in them; false when there are none.
  bool copyMembers() {
    const SmallVector<std::pair<Type *, std::uint64_t>, 8> Parts = leaves(Of, 0);
    for (MemTransferInst *Copy : Copies) {
      IRBuilder<> B(Copy);
      SmallVector<Value *, 8> Values;
      for (auto [T, At] : Parts)
        Values.push_back(B.CreateAlignedLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy->getRawSource(), At),
                                             commonAlignment(Copy->getSourceAlign().valueOrOne(), At)));
      for (auto [Part, V] : zip(Parts, Values))
        B.CreateAlignedStore(V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Copy->getRawDest(), Part.second),
                             commonAlignment(Copy->getDestAlign().valueOrOne(), Part.second));
      Copy->eraseFromParent();
    }
    return !Copies.empty();
  }

  /// The variables that hold its members now.
  SmallVector<AllocaInst *, 4> split() {
    SmallVector<AllocaInst *, 4> Members;
    IRBuilder<> B(&Old);
    for (Type *T : Of.elements())
      Members.push_back(B.CreateAlloca(ArrayType::get(T, Count), nullptr, Old.getName()));
    for (const auto &[I, At] : Accesses)
      rewrite(*I, At, Members);
    for (LifetimeIntrinsic *Life : Lives) {
      for (AllocaInst *Member : Members) {
        Instruction *Its = Life->clone();
        Its->replaceUsesOfWith(&Old, Member);
        Its->insertBefore(Life->getIterator());
      }
      Life->eraseFromParent();
    }
    for (Instruction *I : reverse(Dead))
      I->eraseFromParent();
    Old.replaceAllUsesWith(PoisonValue::get(Old.getType())); // debug records only
    Old.eraseFromParent();
    return Members;
  }

private:
  bool collect(Instruction &Pointer, const MemberPlace &At) {
    for (User *U : Pointer.users()) {
      auto *I = cast<Instruction>(U);
      if (auto *Step = dyn_cast<GetElementPtrInst>(I)) {
        std::optional<MemberPlace> Further = behind(*Step, At);
        Dead.push_back(I);
        if (!Further || !collect(*I, *Further))
          return false;
      } else if (auto *Life = dyn_cast<LifetimeIntrinsic>(I)) {
        Lives.push_back(Life);
      } else if (isOfMember(*I, Pointer, At)) {
        Accesses.emplace_back(I, At);
      } else if (auto *Copy = dyn_cast<MemTransferInst>(I); Copy && isOfStructure(*Copy, At)) {
        Copies.insert(Copy);
      } else {
        return false;
      }
    }
    return true;
  }

  std::optional<MemberPlace> behind(GetElementPtrInst &Step, const MemberPlace &At) const {
    const unsigned Bits = DL.getIndexTypeSizeInBits(Step.getType());
    SmallMapVector<Value *, APInt, 4> Variables;
    APInt Constant(Bits, 0);
    if (Step.getType()->isVectorTy() || !cast<GEPOperator>(Step).collectOffset(DL, Bits, Variables, Constant))
      return std::nullopt;
    MemberPlace To = At;
    for (const auto &[Index, Scale] : Variables) {
      if (Scale.getSExtValue() % Size)
        return std::nullopt;
      To.More.emplace_back(Index, Scale.getSExtValue() / Size);
    }
    const std::int64_t Bytes = To.Bytes + Constant.getSExtValue(), Whole = divideFloorSigned(Bytes, Size);
    To.Structures += Whole;
    To.Bytes = Bytes - Whole * Size;
    return To;
  }

  bool isOfStructure(const MemTransferInst &Copy, const MemberPlace &At) const {
    auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
    return Length && Length->getSExtValue() == Size && At.Bytes == 0 && !Copy.isVolatile();
  }
  /// The numbers and vectors in a type, each with its place; none when there are many.
  SmallVector<std::pair<Type *, std::uint64_t>, 8> leaves(Type &T, std::uint64_t At) const {
    auto *Array = dyn_cast<ArrayType>(&T);
    auto *Structure = dyn_cast<StructType>(&T);
    if (!Array && !Structure)
      return {{&T, At}};
    SmallVector<std::pair<Type *, std::uint64_t>, 8> All;
    for (unsigned N = 0; N < (Array ? Array->getNumElements() : Structure->getNumElements()); ++N) {
      Type &Inner = Array ? *Array->getElementType() : *Structure->getElementType(N);
      const std::uint64_t Place = Array ? N * DL.getTypeAllocSize(&Inner).getFixedValue()
                                        : DL.getStructLayout(Structure)->getElementOffset(N).getFixedValue();
      const auto More = leaves(Inner, At + Place);
      All.append(More);
      if (More.empty() || All.size() > MostCopied)
        return {};
    }
    return All;
  }

  unsigned memberAt(const MemberPlace &At) const { return Layout.getElementContainingOffset(std::uint64_t(At.Bytes)); }
  bool isInMember(const MemberPlace &At, std::int64_t Bytes) const {
    const unsigned Member = memberAt(At);
    const std::uint64_t From = std::uint64_t(At.Bytes) - Layout.getElementOffset(Member);
    return From + std::uint64_t(Bytes) <= DL.getTypeAllocSize(Of.getElementType(Member));
  }
  bool isOfMember(Instruction &I, const Value &Pointer, const MemberPlace &At) const {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return !Load->isVolatile() && isInMember(At, std::int64_t(DL.getTypeStoreSize(Load->getType())));
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->getValueOperand() != &Pointer && !Store->isVolatile() &&
             isInMember(At, std::int64_t(DL.getTypeStoreSize(Store->getValueOperand()->getType())));
    const CallInst *Read = asOperation(&I, Op::MemoryRead), *Call = Read ? Read : asOperation(&I, Op::MemoryWrite);
    const std::optional<MemoryShape> Shape = Call ? constantShapeOf(*Call) : std::nullopt;
    if (!Shape || Shape->RowStride % Size || (!Read && operandOf(*Call, Role::Data) == &Pointer))
      return false;
    Type *T = Read ? I.getType() : dataTypeOf(*Call);
    const std::int64_t Bytes = elementBytes(T), Row = Shape->Width * Shape->Stride * Bytes;
    return Bytes && isInMember(At, Shape->Width == 1 ? Bytes : Row);
  }

  void rewrite(Instruction &I, const MemberPlace &At, ArrayRef<AllocaInst *> Members) {
    IRBuilder<> B(&I);
    const unsigned Member = memberAt(At);
    Type *MemberType = Of.getElementType(Member);
    const auto MemberBytes = std::int64_t(DL.getTypeAllocSize(MemberType));
    Value *Pointer = Members[Member];
    for (const auto &[Index, Structures] : At.More) {
      Value *Number = B.CreateSExtOrTrunc(Index, B.getInt64Ty());
      if (Structures != 1)
        Number = B.CreateMul(Number, B.getInt64(std::uint64_t(Structures)));
      Pointer = B.CreateGEP(MemberType, Pointer, Number);
    }
    Pointer = B.CreatePtrAdd(
        Pointer, B.getInt64(std::uint64_t(At.Structures * MemberBytes + At.Bytes) - Layout.getElementOffset(Member)));
    const Align Least =
        commonAlignment(DL.getABITypeAlign(MemberType), std::uint64_t(At.Bytes) - Layout.getElementOffset(Member));
    if (auto *Load = dyn_cast<LoadInst>(&I)) {
      Load->setOperand(LoadInst::getPointerOperandIndex(), Pointer);
      Load->setAlignment(std::min(Load->getAlign(), Least));
      return;
    }
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      Store->setOperand(StoreInst::getPointerOperandIndex(), Pointer);
      Store->setAlignment(std::min(Store->getAlign(), Least));
      return;
    }
    auto *Call = cast<CallInst>(&I);
    MemoryShape Shape = *constantShapeOf(*Call);
    Type *T = asOperation(Call, Op::MemoryRead) ? Call->getType() : dataTypeOf(*Call);
    Shape.RowStride = Shape.RowStride / Size * MemberBytes;
    if (Shape.Width == 1 && Shape.RowStride == elementBytes(T)) // all side by side
      Shape = {0, countOf(T), 1};
    if (has(operationOf(Call), Role::Slack)) // behind the last member lies another variable
      setOperand(*Call, Role::Slack, B.getInt32(0));
    setOperand(*Call, Role::First, Pointer);
    setOperand(*Call, Role::VStride, B.getInt64(std::uint64_t(Shape.RowStride)));
    setOperand(*Call, Role::Width, B.getInt32(std::uint32_t(Shape.Width)));
    setOperand(*Call, Role::HStride, B.getInt32(std::uint32_t(Shape.Stride)));
  }

  AllocaInst &Old;
  const DataLayout &DL;
  const StructLayout &Layout;
  StructType &Of;
  const std::int64_t Size;
  const std::uint64_t Count;
  SmallVector<std::pair<Instruction *, MemberPlace>, 16> Accesses;
  SmallPtrSet<MemTransferInst *, 4> Copies; ///< Of a structure.
  SmallVector<LifetimeIntrinsic *, 2> Lives;
  SmallVector<Instruction *, 16> Dead;
};

/// Bytes of an array. In larger ones a structure is in one line of the cache, its members in several.
constexpr std::uint64_t MostOfStructures = 32768;

/// What an array is of, if that is a structure of several members, and there are several.
StructType *structureOf(Type *T, const DataLayout &DL) {
  if (DL.getTypeAllocSize(T).getFixedValue() > MostOfStructures)
    return nullptr;
  bool Several = false;
  while (auto *Array = dyn_cast<ArrayType>(T)) {
    Several |= Array->getNumElements() > 1;
    T = Array->getElementType();
  }
  auto *Structure = dyn_cast<StructType>(T);
  return Several && Structure && Structure->getNumElements() > 1 ? Structure : nullptr;
}

} // namespace

/// The variables that hold its members; none when it stays whole.
static SmallVector<AllocaInst *, 4> split(AllocaInst &Variable) {
  const DataLayout &DL = Variable.getDataLayout();
  StructType *Of = structureOf(Variable.getAllocatedType(), DL);
  if (!Of)
    return {};
  ArrayOfStructures Array(Variable, *Of, DL);
  if (!Array.collect())
    return {};
  if (Array.copyMembers())
    return split(Variable);
  return Array.split();
}

bool splitStructures(Module &M) {
  SmallVector<AllocaInst *> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && !Variable->isArrayAllocation())
        All.push_back(Variable);
  bool Changed = false;
  while (!All.empty()) {
    SmallVector<AllocaInst *, 4> Members = split(*All.pop_back_val());
    Changed |= !Members.empty();
    All.append(Members); // structures again
  }
  return Changed;
}

} // namespace pocm
