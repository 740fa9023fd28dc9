//===- BuiltinExpansions.cpp - Builtins that are a few LLVM instructions --------===//
//
// Part of lower-builtins. Some builtins of include/cm need no operation of their own:
//
//     select_lanes(<8 x i16> %m, %x, %y)   ->   %b = icmp ne (and %m, 1), 0
//                                               select <8 x i1> %b, %x, %y
//     pack_mask(<8 x i16> %m)              ->   zext (bitcast <8 x i1> %b to i8) to i32
//     sum_up(<4 x i32> %l, <4 x i32> %h)   ->   %l and %h are added, and halves of that
//     gather(<16 x i32> %v, <8 x i16> %i)  ->   rdregion with a vector of offsets, in bytes
//
//===----------------------------------------------------------------------===//
#include "passes/BuiltinExpansions.h"
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned ScalarMaskBits = 32;

Value *isBitZeroSet(IRBuilder<> &B, Value *Mask) {
  Type *T = Mask->getType();
  return B.CreateICmpNE(B.CreateAnd(Mask, ConstantInt::get(T, 1)), ConstantInt::get(T, 0));
}

Value *selectLanes(CallInst &Call, IRBuilder<> &B) {
  auto [Mask, X, Y] = argumentsOf<3>(Call);
  return B.CreateSelect(isBitZeroSet(B, Mask), X, Y);
}

/// The first `Count` of a vector's lanes, zeros behind its end.
Value *resized(IRBuilder<> &B, Value *V, unsigned Count) {
  SmallVector<int, 64> Mask;
  unsigned Have = unsigned(countOf(V->getType()));
  for (unsigned I = 0; I < Count; ++I)
    Mask.push_back(int(I < Have ? I : Have));
  return B.CreateShuffleVector(V, Constant::getNullValue(V->getType()), Mask);
}

Value *unpackMask(CallInst &Call, IRBuilder<> &B) {
  Value *Bits = B.CreateBitCast(firstArgument(Call), FixedVectorType::get(B.getInt1Ty(), ScalarMaskBits));
  return B.CreateZExt(resized(B, Bits, unsigned(countOf(Call.getType()))), Call.getType());
}

Value *packMask(CallInst &Call, IRBuilder<> &B) {
  Value *Bits = resized(B, isBitZeroSet(B, firstArgument(Call)), ScalarMaskBits);
  return B.CreateBitCast(Bits, B.getInt32Ty());
}

/// The upper half of a vector is combined with the lower one until an element is left; at first there may be fewer
/// upper ones.
Value *folded(CallInst &Call, IRBuilder<> &B, Instruction::BinaryOps OfIntegers, Instruction::BinaryOps OfFloats) {
  auto [Low, High] = argumentsOf<2>(Call);
  const bool IsFloat = Call.getType()->isFloatingPointTy();
  IRBuilder<>::FastMathFlagGuard Flags(B);
  if (IsFloat)
    B.setFastMathFlags(Call.getFastMathFlags());
  auto part = [&](Value *Of, int Number, int From) {
    return RegionRead::create(B, ofCount(Of->getType(), Number), Of, Region::contiguous(Number, From));
  };
  auto both = [&](Value *X, Value *Y) { return B.CreateBinOp(IsFloat ? OfFloats : OfIntegers, X, Y); };
  const int Upper = countOf(High->getType()), Lower = countOf(Low->getType());
  Value *V = Upper == Lower
                 ? both(Low, High)
                 : RegionWrite::create(B, Low, both(part(Low, Upper, 0), High), Region::contiguous(Upper, 0));
  for (int Half = Lower / 2; Half; Half /= 2)
    V = both(part(V, Half, 0), part(V, Half, Half));
  return B.CreateExtractElement(V, std::uint64_t(0));
}
Value *sumUp(CallInst &Call, IRBuilder<> &B) { return folded(Call, B, Instruction::Add, Instruction::FAdd); }
Value *multiplyUp(CallInst &Call, IRBuilder<> &B) { return folded(Call, B, Instruction::Mul, Instruction::FMul); }

Value *gather(CallInst &Call, IRBuilder<> &B) {
  auto [Source, Index] = argumentsOf<2>(Call);
  Value *Offsets = B.CreateMul(Index, ConstantInt::get(Index->getType(), unsigned(elementBytes(Source->getType()))));
  return createOperation(
      B, Op::RegionRead, Call.getType(),
      {Source, B.getInt32(0), B.getInt32(1), B.getInt32(0), Offsets, UndefValue::get(B.getInt32Ty())});
}

Value *log2Bytes(IRBuilder<> &B, Type *T) { return B.getInt32(Log2_32(unsigned(elementBytes(T)))); }

//===- SIMD control flow ------------------------------------------------------------===//

// Where the first fields of the state lie.
constexpr unsigned WidthField = 0, OffField = 4;

GlobalVariable *executionState(Module &M) {
  auto State = find_if(M.globals(), [](const GlobalVariable &G) { return G.hasAttribute(ExecutionAttribute); });
  return State == M.global_end() ? nullptr : &*State;
}

Value *stateField(IRBuilder<> &B, GlobalVariable *State, unsigned Offset) {
  return B.CreateLoad(B.getInt32Ty(), B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), State, Offset));
}

/// Which of `Count` channels are active; null when all are, because there is no SIMD control flow of this width.
Value *activeChannels(IRBuilder<> &B, unsigned Count) {
  GlobalVariable *State = executionState(*B.GetInsertBlock()->getModule());
  if (!State || Count < 2 || Count > ScalarMaskBits || !isPowerOf2_32(Count))
    return nullptr;
  Value *On = B.CreateNot(stateField(B, State, OffField));
  Value *Width = stateField(B, State, WidthField);
  // Before the first condition has told the width, either all channels are on or all are off.
  Value *Applies = B.CreateOr(B.CreateICmpEQ(Width, B.getInt32(Count)), B.CreateICmpEQ(Width, B.getInt32(0)));
  Value *Bits = B.CreateSelect(Applies, On, ConstantInt::getAllOnesValue(B.getInt32Ty()));
  return resized(B, B.CreateBitCast(Bits, FixedVectorType::get(B.getInt1Ty(), ScalarMaskBits)), Count);
}

Value *predicated(CallInst &Call, IRBuilder<> &B) {
  auto [Old, New] = argumentsOf<2>(Call);
  Value *Active = activeChannels(B, unsigned(countOf(New->getType())));
  return Active ? B.CreateSelect(Active, New, Old) : New;
}

Value *activeLanes(CallInst &Call, IRBuilder<> &B) {
  Type *T = Call.getType();
  Value *Active = activeChannels(B, unsigned(countOf(T)));
  return Active ? B.CreateZExt(Active, T) : ConstantInt::get(T, 1);
}

Value *scatteredRead(CallInst &Call, IRBuilder<> &B) {
  auto [Mask, Scale, Surface, Global, Offsets] = argumentsOf<5>(Call);
  return createOperation(B, Op::Gather, Call.getType(),
                         {wantedLanes(B, Mask), log2Bytes(B, Call.getType()), B.CreateTrunc(Scale, B.getInt16Ty()),
                          Surface, Global, Offsets, Constant::getNullValue(Call.getType())});
}

Value *scatteredWrite(CallInst &Call, IRBuilder<> &B) {
  auto [Mask, Scale, Surface, Global, Offsets, Data] = argumentsOf<6>(Call);
  return createOperation(B, Op::Scatter, B.getVoidTy(),
                         {wantedLanes(B, Mask), log2Bytes(B, Data->getType()), B.CreateTrunc(Scale, B.getInt16Ty()),
                          Surface, Global, Offsets, Data});
}

Value *svmGather(CallInst &Call, IRBuilder<> &B) {
  auto [Mask, Addresses] = argumentsOf<2>(Call);
  return createOperation(B, Op::SvmGather, Call.getType(),
                         {wantedLanes(B, Mask), B.getInt32(0), Addresses, Constant::getNullValue(Call.getType())});
}

Value *svmScatter(CallInst &Call, IRBuilder<> &B) {
  auto [Mask, Addresses, Data] = argumentsOf<3>(Call);
  return createOperation(B, Op::SvmScatter, B.getVoidTy(), {wantedLanes(B, Mask), B.getInt32(0), Addresses, Data});
}

/// (number, mask, where ..., first, second); where is a surface and offsets, or addresses.
Value *atomic(CallInst &Call, IRBuilder<> &B, bool ByAddress) {
  SmallVector<Value *, 6> A(Call.args());
  auto *Number = dyn_cast<ConstantInt>(A[0]);
  Op Operation = Number ? atomicOfNumber(unsigned(Number->getZExtValue()), ByAddress) : Op::None;
  if (Operation == Op::None)
    return nullptr;
  SmallVector<Value *, 6> Operands{wantedLanes(B, A[1]), A[2]};
  if (!ByAddress)
    Operands.push_back(A[3]);
  ArrayRef<Value *> Sources = ArrayRef(A).take_back(2);
  append_range(Operands, Sources.take_front(unsigned(atomicInfo(Operation).Sources)));
  Operands.push_back(Constant::getNullValue(Call.getType()));
  return createOperation(B, Operation, Call.getType(), Operands);
}
Value *surfaceAtomic(CallInst &Call, IRBuilder<> &B) { return atomic(Call, B, false); }
Value *svmAtomic(CallInst &Call, IRBuilder<> &B) { return atomic(Call, B, true); }

struct Row {
  StringRef Name;
  Value *(*Expand)(CallInst &, IRBuilder<> &);
};
constexpr Row Rows[] = {
    {"select_lanes", selectLanes},
    {"unpack_mask", unpackMask},
    {"pack_mask", packMask},
    {"gather", gather},
    {"predicated", predicated},
    {"active_lanes", activeLanes},
    {"scattered_read", scatteredRead},
    {"scattered_write", scatteredWrite},
    {"surface_atomic", surfaceAtomic},
    {"svm_atomic", svmAtomic},
    {"svm_gather", svmGather},
    {"svm_scatter", svmScatter},
    {"sum_up", sumUp},
    {"multiply_up", multiplyUp},
};

} // namespace

Value *wantedLanes(IRBuilder<> &B, Value *Mask) {
  Value *Wanted = B.CreateIsNotNull(Mask);
  Value *Active = activeChannels(B, unsigned(countOf(Mask->getType())));
  return Active ? B.CreateAnd(Wanted, Active) : Wanted;
}

Value *expandBuiltin(StringRef Name, CallInst &Call, IRBuilder<> &B) {
  for (const Row &R : Rows)
    if (R.Name == Name)
      return R.Expand(Call, B);
  return expandLscBuiltin(Name, Call, B);
}

} // namespace pocm
