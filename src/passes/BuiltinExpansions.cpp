//===- BuiltinExpansions.cpp - Builtins that are a few LLVM instructions --------===//
//
// Part of lower-builtins. Some builtins of include/cm need no operation of their own:
//
//     select_lanes(<8 x i16> %m, %x, %y)   ->   %b = icmp ne (and %m, 1), 0
//                                               select <8 x i1> %b, %x, %y
//     pack_mask(<8 x i16> %m)              ->   zext (bitcast <8 x i1> %b to i8) to i32
//     gather(<16 x i32> %v, <8 x i16> %i)  ->   rdregion with a vector of offsets, in bytes
//
//===----------------------------------------------------------------------===//
#include "passes/BuiltinExpansions.h"
#include "ir/Intrinsics.h"
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
  return B.CreateSelect(isBitZeroSet(B, Call.getArgOperand(0)), Call.getArgOperand(1), Call.getArgOperand(2));
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
  Value *Bits = B.CreateBitCast(Call.getArgOperand(0), FixedVectorType::get(B.getInt1Ty(), ScalarMaskBits));
  return B.CreateZExt(resized(B, Bits, unsigned(countOf(Call.getType()))), Call.getType());
}

Value *packMask(CallInst &Call, IRBuilder<> &B) {
  Value *Bits = resized(B, isBitZeroSet(B, Call.getArgOperand(0)), ScalarMaskBits);
  return B.CreateBitCast(Bits, B.getInt32Ty());
}

Value *gather(CallInst &Call, IRBuilder<> &B) {
  Value *Source = Call.getArgOperand(0), *Index = Call.getArgOperand(1);
  Value *Offsets = B.CreateMul(Index, ConstantInt::get(Index->getType(), unsigned(elementBytes(Source->getType()))));
  return createOperation(B, Op::RegionRead, Call.getType(),
                         {Source, B.getInt32(0), B.getInt32(1), B.getInt32(0), Offsets,
                          UndefValue::get(B.getInt32Ty())});
}

Value *log2Bytes(IRBuilder<> &B, Type *T) { return B.getInt32(Log2_32(unsigned(elementBytes(T)))); }

Value *everyLane(IRBuilder<> &B, Value *Offsets) {
  return Constant::getAllOnesValue(FixedVectorType::get(B.getInt1Ty(), unsigned(countOf(Offsets->getType()))));
}

/// (scale, surface, global, offsets)
Value *scatteredRead(CallInst &Call, IRBuilder<> &B) {
  Value *Offsets = Call.getArgOperand(3);
  return createOperation(B, Op::Gather, Call.getType(),
                         {everyLane(B, Offsets), log2Bytes(B, Call.getType()),
                          B.CreateTrunc(Call.getArgOperand(0), B.getInt16Ty()), Call.getArgOperand(1),
                          Call.getArgOperand(2), Offsets, UndefValue::get(Call.getType())});
}

/// (scale, surface, global, offsets, data)
Value *scatteredWrite(CallInst &Call, IRBuilder<> &B) {
  Value *Offsets = Call.getArgOperand(3), *Data = Call.getArgOperand(4);
  return createOperation(B, Op::Scatter, B.getVoidTy(),
                         {everyLane(B, Offsets), log2Bytes(B, Data->getType()),
                          B.CreateTrunc(Call.getArgOperand(0), B.getInt16Ty()), Call.getArgOperand(1),
                          Call.getArgOperand(2), Offsets, Data});
}

struct Row {
  StringRef Name;
  Value *(*Expand)(CallInst &, IRBuilder<> &);
};
constexpr Row Rows[] = {
    {"select_lanes", selectLanes},
    {"unpack_mask", unpackMask},
    {"pack_mask", packMask},
    {"gather", gather},
    {"scattered_read", scatteredRead},
    {"scattered_write", scatteredWrite},
};

} // namespace

Value *expandBuiltin(StringRef Name, CallInst &Call, IRBuilder<> &B) {
  for (const Row &R : Rows)
    if (R.Name == Name)
      return R.Expand(Call, B);
  return nullptr;
}

} // namespace pocm
