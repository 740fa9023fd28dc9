//===- Region.cpp - Which elements of a vector a region names ---------------===//
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// Reads the region operands (vstride, width, hstride, offset) of a call, the first of them at index `At`.
std::optional<Region> regionOperands(const CallInst &Call, unsigned At, Type *Parent) {
  auto Integer = [&](unsigned I) { return dyn_cast<ConstantInt>(Call.getArgOperand(At + I)); };
  auto *VStride = Integer(0), *Width = Integer(1), *HStride = Integer(2), *Offset = Integer(3);
  if (!VStride || !Width || !HStride || Width->isZero())
    return std::nullopt;
  Region R{int(VStride->getSExtValue()), int(Width->getSExtValue()), int(HStride->getSExtValue()), 0, nullptr};
  if (!Offset) {
    R.Dynamic = Call.getArgOperand(At + 3);
    return R;
  }
  int Bytes = int(Offset->getZExtValue());
  if (Bytes % elementBytes(Parent))
    return std::nullopt;
  R.Offset = Bytes / elementBytes(Parent);
  return R;
}

SmallVector<Value *, 8> regionArguments(IRBuilderBase &B, const Region &R, Type *Parent) {
  Value *Offset = R.Dynamic ? R.Dynamic : B.getInt16(uint16_t(R.Offset * elementBytes(Parent)));
  return {B.getInt32(R.VStride), B.getInt32(R.Width), B.getInt32(R.HStride), Offset, UndefValue::get(B.getInt32Ty())};
}

} // namespace

int countOf(Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? int(V->getNumElements()) : 1;
}

Type *ofCount(Type *T, int Count) { return FixedVectorType::get(T->getScalarType(), unsigned(Count)); }

Type *vectorLike(Type *Element, Type *Shape) {
  auto *V = dyn_cast<FixedVectorType>(Shape);
  return V ? FixedVectorType::get(Element, V->getNumElements()) : Element;
}

int elementBytes(Type *T) { return int(divideCeil(T->getScalarSizeInBits(), 8)); }

bool isElementWise(const Instruction &I) {
  if (isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(I))
    return true;
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return countOf(Cast->getSrcTy()) == countOf(Cast->getDestTy()) &&
           Cast->getSrcTy()->isVectorTy() == Cast->getDestTy()->isVectorTy();
  if (is_contained({Op::Saturate, Op::ExactQuotient, Op::ExactRoot, Op::Flush}, operationOf(&I)))
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call &&
         (isTriviallyVectorizable(Call->getIntrinsicID()) || Call->getIntrinsicID() == Intrinsic::arithmetic_fence);
}

// In 64 bits: IR of strangers has any strides.
bool Region::isInside(int Count, int Parents) const {
  if (Width < 1)
    return false;
  for (int K = 0; K < Count; ++K) {
    const int64_t Element = Offset + int64_t(K / Width) * VStride + int64_t(K % Width) * HStride;
    if (Element < 0 || Element >= Parents)
      return false;
  }
  return true;
}

bool Region::isIdentity(int Count) const {
  for (int K = 0; K < Count; ++K)
    if (!isConstant() || element(K) != K)
      return false;
  return true;
}

std::optional<Region> Region::through(ArrayRef<int> Elements) {
  int Count = int(Elements.size());
  Region R = contiguous(Count, Elements[0]);
  R.HStride = Count > 1 ? Elements[1] - Elements[0] : 1;
  // The first row ends where the stride breaks.
  int Width = 1;
  while (Width < Count && Elements[Width] == Elements[0] + Width * R.HStride)
    ++Width;
  R.Width = Width;
  if (Width < Count)
    R.VStride = Elements[Width] - Elements[0];
  if (Count % Width || R.HStride < 0 || R.VStride < 0)
    return std::nullopt;
  for (int K = 0; K < Count; ++K)
    if (R.element(K) != Elements[K])
      return std::nullopt;
  return R;
}

std::optional<RegionRead> RegionRead::match(Value *V) {
  auto *Call = asOperation(V, Op::RegionRead);
  if (!Call)
    return std::nullopt;
  auto Where = regionOperands(*Call, 1, Call->getArgOperand(0)->getType());
  if (!Where)
    return std::nullopt;
  return RegionRead{Call, *Where};
}

Value *RegionRead::create(IRBuilderBase &B, Type *Result, Value *Source, const Region &Where) {
  SmallVector<Value *, 8> Operands{Source};
  append_range(Operands, regionArguments(B, Where, Source->getType()));
  return createOperation(B, Op::RegionRead, Result, Operands);
}

std::optional<RegionWrite> RegionWrite::match(Value *V) {
  auto W = matchMasked(V);
  return W && !W->mask() ? W : std::nullopt;
}

std::optional<RegionWrite> RegionWrite::matchMasked(Value *V) {
  auto *Call = asOperation(V, Op::RegionWrite);
  if (!Call)
    return std::nullopt;
  auto Where = regionOperands(*Call, 2, Call->getArgOperand(0)->getType());
  if (!Where)
    return std::nullopt;
  return RegionWrite{Call, *Where};
}

Value *RegionWrite::mask() const {
  auto *Mask = dyn_cast<Constant>(Call->getArgOperand(7));
  return Mask && Mask->isAllOnesValue() ? nullptr : Call->getArgOperand(7);
}

Value *RegionWrite::create(IRBuilderBase &B, Value *Old, Value *New, const Region &Where, Value *Mask) {
  SmallVector<Value *, 8> Operands{Old, New};
  append_range(Operands, regionArguments(B, Where, Old->getType()));
  Operands.push_back(Mask ? Mask : B.getTrue());
  return createOperation(B, Op::RegionWrite, Old->getType(), Operands);
}

Value *RegionWrite::unmasked(IRBuilderBase &B) const {
  Value *New = value();
  if (Value *Mask = mask())
    New = B.CreateSelect(Mask, New, RegionRead::create(B, New->getType(), old(), Where));
  return create(B, old(), New, Where);
}

Value *splat(IRBuilderBase &B, Value *Scalar, Type *Shape) {
  Type *Element = Scalar->getType();
  auto *T = FixedVectorType::get(Element, unsigned(countOf(Shape)));
  if (auto *C = dyn_cast<Constant>(Scalar))
    return ConstantVector::getSplat(T->getElementCount(), C);
  return RegionRead::create(B, T, B.CreateBitCast(Scalar, FixedVectorType::get(Element, 1)), {0, 1, 0, 0});
}

} // namespace pocm
