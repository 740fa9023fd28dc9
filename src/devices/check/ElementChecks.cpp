//===- ElementChecks.cpp - Checks of elements that are chosen at run time ------------===//
//
//     %x = extractelement <8 x i32> %v, i32 %i   ->   br i1 (icmp ugt %i, 7), label %outside, ...
//                                                    ; %outside: call @pocm_check_element(%record, @site, %offset, 32)
//
// Elements are compared here; only those outside cost a call.
//
//===---------------------------------------------------------------------------------===//
#include "devices/check/Instrumenter.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Unwritten.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {

/// Whether a record says what a variable of the kernel itself holds.
static bool isOfKernel(const DbgVariableRecord &R) {
  return !R.getVariable()->isArtificial() && !isa_and_nonnull<DILocation>(R.getDebugLoc()->getInlinedAt());
}

/// The variable that first holds what an instruction computes; others may become the same later. Empty: none soon.
static std::string firstNameOf(Value &V) {
  constexpr unsigned Far = 64;
  auto *I = dyn_cast<Instruction>(&V);
  for (unsigned Steps = 0; I && Steps < Far; ++Steps, I = I->getNextNode())
    for (DbgVariableRecord &R : filterDbgVars(I->getDbgRecordRange()))
      if (isOfKernel(R) && is_contained(R.location_ops(), &V))
        return R.getVariable()->getName().str();
  return "";
}

std::string Instrumenter::nameOf(Value *V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  for (unsigned Steps = 0; V && Steps < 16; ++Steps) {
    findDbgValues(V, Records);
    if (Records.size() > 1)
      if (std::string Name = firstNameOf(*V); !Name.empty())
        return Name;
    for (DbgVariableRecord *R : Records)
      if (isOfKernel(*R))
        return R->getVariable()->getName().str();
    auto Write = RegionWrite::matchMasked(V);
    auto *Insert = dyn_cast<InsertElementInst>(V);
    V = Write ? Write->old() : Insert ? Insert->getOperand(0) : nullptr;
  }
  return "";
}

bool Instrumenter::choosesElement(Instruction &I) {
  if (isa<ExtractElementInst, InsertElementInst>(I))
    return !isa<Constant>(I.getOperand(isa<InsertElementInst>(I) ? 2 : 1));
  if (auto Read = RegionRead::match(&I))
    return Read->Where.Dynamic;
  auto Write = RegionWrite::matchMasked(&I);
  return Write && Write->Where.Dynamic;
}

void Instrumenter::outside(Instruction &At, Constant *Where, Value *Offset, uint64_t Last, uint64_t Size, Value *On) {
  Value *Outside = B.CreateICmpUGT(Offset, B.getInt64(Last));
  if (On)
    Outside = B.CreateLogicalAnd(On, Outside);
  if (match(Outside, m_Zero()))
    return;
  B.SetInsertPoint(SplitBlockAndInsertIfThen(Outside, At.getIterator(), /*Unreachable=*/false));
  call(ElementHelper, {Record, Where, Offset, B.getInt64(Size)});
  B.SetInsertPoint(&At);
}

void Instrumenter::outsideWhereNeeded(Instruction &I, const What &W, uint64_t Last, uint64_t Size,
                                      function_ref<Value *(Value *Lanes)> Offset, Value *Mask) {
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

/// The only variable of the kernel that ever holds a constant; empty where there are several, or none.
static std::string onlyNameOf(Function &F, const Constant &Held) {
  const DILocalVariable *Found = nullptr;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      if (isOfKernel(R) && is_contained(R.location_ops(), &Held)) {
        if (Found && Found != R.getVariable())
          return "";
        Found = R.getVariable();
      }
  return Found ? Found->getName().str() : "";
}

std::string Instrumenter::objectOf(Instruction &I, Value *Parent) {
  bool Writes = isa<InsertElementInst>(I) || RegionWrite::matchMasked(&I);
  std::string Name = nameOf(Writes ? static_cast<Value *>(&I) : Parent);
  if (Name.empty())
    Name = nameOf(Parent);
  auto *Held = dyn_cast<Constant>(Parent);
  return Name.empty() && Held ? onlyNameOf(*I.getFunction(), *Held) : Name;
}

/// How many of the numbers that make a sum stand for themselves less 65536.
static unsigned negatives(Value *Sum, unsigned Depth = 0) {
  const APInt *Number;
  if (match(Sum, m_APInt(Number)))
    return Number->getBitWidth() > 16 && Number->uge(1u << 15) && Number->ult(1u << 16);
  Value *One, *Two;
  constexpr unsigned Deep = 6;
  return Depth < Deep && match(Sum, m_AddLike(m_Value(One), m_Value(Two)))
             ? negatives(One, Depth + 1) + negatives(Two, Depth + 1)
             : 0;
}

/// What the source counts, of which 16 bits choose: LLVM adds 65528 to them where 8 are subtracted.
static Value *counted(IRBuilderBase &B, Value *Given) {
  const unsigned Less = negatives(Given);
  return Less ? B.CreateSub(Given, ConstantInt::get(Given->getType(), std::uint64_t(Less) << 16)) : Given;
}

void Instrumenter::element(Instruction &I, Value *Vector, Value *Index) {
  if (isa<Constant>(Index) || !userLine(I))
    return;
  B.SetInsertPoint(&I);
  Value *Given;
  if (match(Index, m_And(m_Value(Given), m_SpecificInt(0xFFFF))))
    Index = counted(B, Given);
  auto Bytes = std::uint32_t(std::max(1, elementBytes(Vector->getType())));
  auto Count = uint64_t(countOf(Vector->getType()));
  What W{"element", isa<InsertElementInst>(I) ? Access::Write : Access::Read, Bytes};
  W.Object = objectOf(I, Vector);
  outsideWhereNeeded(I, W, (Count - 1) * Bytes, Count * Bytes,
                     [&](Value *) { return B.CreateMul(wide(Index), B.getInt64(Bytes)); });
}

template <class Access_> void Instrumenter::region(CallInst &I, Value *Parent, const Access_ &R, Value *Mask) {
  Value *Dynamic = R.Where.Dynamic;
  if (!Dynamic)
    return;
  if (Dynamic->getType()->isVectorTy())
    return chosen(I, Parent, R, Mask);
  if (isa<Constant>(Dynamic))
    return;
  B.SetInsertPoint(&I);
  Value *Given;
  if (match(Dynamic, m_Trunc(m_Value(Given))))
    Dynamic = counted(B, Given);
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

/// Whether numbers are known, and none is greater; lanes that hold nothing choose nothing.
static bool areKnownUpTo(const Value *Numbers, std::uint64_t Last) {
  auto *Known = dyn_cast<Constant>(Numbers);
  for (unsigned K = 0; Known && K < unsigned(countOf(Known->getType())); ++K) {
    const Constant *Element = Known->getAggregateElement(K);
    auto *Number = dyn_cast_or_null<ConstantInt>(Element);
    if (Number ? Number->getValue().ugt(Last) : !isa_and_nonnull<UndefValue>(Element))
      return false;
  }
  return Known;
}

template <class Access_> void Instrumenter::chosen(CallInst &I, Value *Parent, const Access_ &R, Value *Mask) {
  constexpr bool writes = std::is_same_v<Access_, RegionWrite>;
  auto Bytes = std::uint32_t(elementBytes(Parent->getType()));
  auto Count = std::uint64_t(countOf(Parent->getType()));
  if (areKnownUpTo(R.Where.Dynamic, (Count - 1) * Bytes))
    return;
  SmallVector<Constant *, 32> Used;
  if (!writes)
    for (std::uint8_t Flag : usedOf(I, unsigned(R.count())))
      Used.push_back(B.getInt1(Flag != 0));
  What W{"element", writes ? Access::Write : Access::Read, Bytes};
  W.Object = objectOf(I, Parent);
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

void Instrumenter::bounds(CallInst &I, Value *Chosen, Value *Count, Value *Dimension) {
  auto *Known = dyn_cast<ConstantInt>(Count), *Which = dyn_cast<ConstantInt>(Dimension);
  if (!Known || !Which || Known->isZero() || Which->getZExtValue() >= std::size(boundsNames))
    return;
  constexpr unsigned ofVectors = 3; // at run time element() and region() know more
  if (Which->getZExtValue() == ofVectors && !isa<Constant>(Chosen))
    return;
  What W{boundsNames[Which->getZExtValue()], Access::Read, 1};
  if (const MDNode *Name = I.getMetadata(BoundsMetadata))
    W.Object = cast<MDString>(Name->getOperand(0))->getString().str();
  outside(I, site(I, W), Chosen, Known->getZExtValue() - 1, Known->getZExtValue());
}

void Instrumenter::memoryRegion(CallInst &I) {
  auto Shape = constantShapeOf(I);
  if (!Shape)
    return;
  Type *T = dataTypeOf(I);
  std::int64_t Most = 0, Bytes = elementBytes(T), Width = std::max<std::int64_t>(1, Shape->Width);
  for (std::int64_t K = 0; K < countOf(T); ++K)
    Most = std::max(Most, K / Width * Shape->RowStride + K % Width * Shape->Stride * Bytes);
  memory(I, operandOf(I, Role::First), std::uint64_t(Most + Bytes));
}

std::uint64_t Instrumenter::bytesOf(const Value &Object) const {
  const DataLayout &DL = M.getDataLayout();
  if (auto *Table = dyn_cast<GlobalVariable>(&Object))
    return Table->isConstant() && Table->hasInitializer() ? DL.getTypeAllocSize(Table->getValueType()) : 0;
  auto *Variable = dyn_cast<AllocaInst>(&Object);
  auto Size = Variable && Variable != Record ? Variable->getAllocationSize(DL) : std::nullopt;
  return Size && !Size->isScalable() ? Size->getFixedValue() : 0;
}

void Instrumenter::memory(Instruction &I, Value *Pointer, std::uint64_t Bytes) {
  Value *Object = getUnderlyingObject(Pointer, 0);
  const std::uint64_t Whole = bytesOf(*Object);
  APInt Constant(64, 0);
  if (Bytes > Whole || Pointer->stripAndAccumulateConstantOffsets(M.getDataLayout(), Constant, true) == Object)
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

std::string Instrumenter::variableOf(Value &Object) {
  if (auto *Table = dyn_cast<GlobalVariable>(&Object)) {
    SmallVector<DIGlobalVariableExpression *, 1> Known;
    Table->getDebugInfo(Known);
    return (Known.empty() ? Table->getName() : Known[0]->getVariable()->getName()).str();
  }
  for (DbgVariableRecord *R : findDVRDeclares(cast<AllocaInst>(&Object)))
    return R->getVariable()->getName().str();
  return Object.getName().str();
}

template void Instrumenter::region(CallInst &, Value *, const RegionRead &, Value *);
template void Instrumenter::region(CallInst &, Value *, const RegionWrite &, Value *);

} // namespace pocm::check
