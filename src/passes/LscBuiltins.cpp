//===- LscBuiltins.cpp - Builtins for messages to the load/store cache ----------===//
//
// Part of lower-builtins:
//
//     lsc_load(%mask, 2, 2, 2, 3, 2, 1, 0, %addresses, 0)
//  -> lsc.load.merge.stateless(<16 x i1> %on, 0, 2, 2, 1, 0, 3, 2, 1, 0, %addresses, 0, zeroinitializer)
//
//===----------------------------------------------------------------------===//
#include "ir/Lsc.h"
#include "passes/BuiltinExpansions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace pocm {
namespace {

unsigned numberOf(Value *V) { return unsigned(cast<ConstantInt>(V)->getZExtValue()); }

/// (mask, space, L1, L3, size, elements, order, channels, places, surface, [value])
Value *message(CallInst &Call, IRBuilder<> &B, bool Reads) {
  SmallVector<Value *, 12> A(Call.args());
  unsigned Channels = numberOf(A[7]);
  bool Row = numberOf(A[6]) == lsc::Transpose; // of one lane that is never off
  auto What = Reads      ? Channels ? lsc::Kind::LoadQuad
                           : Row    ? lsc::Kind::PlainLoad
                                    : lsc::Kind::Load
              : Channels ? lsc::Kind::StoreQuad
                         : lsc::Kind::Store;
  unsigned Subop = Reads      ? Channels ? lsc::LoadQuadSubop : lsc::LoadSubop
                   : Channels ? lsc::StoreQuadSubop
                              : lsc::StoreSubop;
  auto Operands = lsc::operandsOf(
      B, {Subop, numberOf(A[2]), numberOf(A[3]), numberOf(A[4]), numberOf(A[5]), numberOf(A[6]), Channels},
      wantedLanes(B, A[0]), A[8]);
  if (Reads)
    Operands.push_back(A[9]);
  if (Reads && !Row)
    Operands.push_back(Constant::getNullValue(Call.getType()));
  if (!Reads)
    Operands.append({A[10], A[9]});
  return createOperation(B, lsc::Message::operation(What, lsc::Space(numberOf(A[1]))), Call.getType(), Operands);
}
Value *load(CallInst &Call, IRBuilder<> &B) { return message(Call, B, true); }
Value *store(CallInst &Call, IRBuilder<> &B) { return message(Call, B, false); }

/// (mask, space, L1, L3, size, elements, order, places, surface)
Value *prefetch(CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 12> A(Call.args());
  auto Operands = lsc::operandsOf(
      B, {lsc::LoadSubop, numberOf(A[2]), numberOf(A[3]), numberOf(A[4]), numberOf(A[5]), numberOf(A[6])},
      wantedLanes(B, A[0]), A[7]);
  Operands.push_back(A[8]);
  return createOperation(B, lsc::Message::operation(lsc::Kind::Prefetch, lsc::Space(numberOf(A[1]))), Call.getType(),
                         Operands);
}

/// (mask, operation, space, L1, L3, size, places, surface, first, second)
Value *atomic(CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 12> A(Call.args());
  auto Operands =
      lsc::operandsOf(B, {numberOf(A[1]), numberOf(A[3]), numberOf(A[4]), numberOf(A[5])}, wantedLanes(B, A[0]), A[6]);
  unsigned Number = numberOf(A[1]) - lsc::FirstAtomic;
  if (Number >= std::size(lsc::Atomics))
    return nullptr;
  unsigned Sources = lsc::Atomics[Number].Sources;
  auto Source = [&](unsigned K) { return K < Sources ? A[8 + K] : PoisonValue::get(A[8 + K]->getType()); };
  Operands.append({Source(0), Source(1), A[7], Constant::getNullValue(Call.getType())});
  return createOperation(B, lsc::Message::operation(lsc::Kind::Atomic, lsc::Space(numberOf(A[2]))), Call.getType(),
                         Operands);
}

// Two dimensions

Value *block2d(IRBuilder<> &B, Op Operation, Type *Result, ArrayRef<Value *> Caching, Value *Size,
               ArrayRef<unsigned> Shape, ArrayRef<Value *> Rest) {
  auto Number = [&](Value *V) { return B.getInt8(uint8_t(numberOf(V))); };
  SmallVector<Value *, 16> Operands{ConstantInt::getTrue(FixedVectorType::get(B.getInt1Ty(), 1)),
                                    Number(Caching[0]),
                                    Number(Caching[1]),
                                    Number(Size),
                                    B.getInt8(Shape[0] ? lsc::Transpose : lsc::NonTransposed),
                                    B.getInt8(uint8_t(Shape[1])),
                                    B.getInt16(uint16_t(Shape[2])),
                                    B.getInt16(uint16_t(Shape[3])),
                                    B.getInt8(uint8_t(Shape[4]))};
  Operands.append(Rest.begin(), Rest.end());
  return createOperation(B, Operation, Result, Operands);
}

/// (L1, L3, size, transposed, blocks, width, height, VNNI, base, width - 1, height - 1, pitch - 1, x, y)
Value *load2d(CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 16> A(Call.args());
  return block2d(B, Op::LscLoad2d, Call.getType(), {A[0], A[1]}, A[2],
                 {numberOf(A[3]), numberOf(A[4]), numberOf(A[5]), numberOf(A[6]), numberOf(A[7])},
                 ArrayRef(A).drop_front(8));
}
/// (L1, L3, size, width, height, base, width - 1, height - 1, pitch - 1, x, y, data)
Value *store2d(CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 16> A(Call.args());
  return block2d(B, Op::LscStore2d, Call.getType(), {A[0], A[1]}, A[2], {0, 1, numberOf(A[3]), numberOf(A[4]), 0},
                 ArrayRef(A).drop_front(5));
}
/// (L1, L3, size, blocks, width, height, base, width - 1, height - 1, pitch - 1, x, y)
Value *prefetch2d(CallInst &Call, IRBuilder<> &B) {
  SmallVector<Value *, 16> A(Call.args());
  return block2d(B, Op::LscPrefetch2d, Call.getType(), {A[0], A[1]}, A[2],
                 {0, numberOf(A[3]), numberOf(A[4]), numberOf(A[5]), 0}, ArrayRef(A).drop_front(6));
}

struct Row {
  StringRef Name;
  Value *(*Expand)(CallInst &, IRBuilder<> &);
  unsigned FirstNumber, Numbers; // operands that have to be known
};
constexpr Row Rows[] = {
    {"lsc_load", load, 1, 7},
    {"lsc_store", store, 1, 7},
    {"lsc_prefetch", prefetch, 1, 6},
    {"lsc_atomic", atomic, 1, 5},
    {"lsc_load_2d", load2d, 0, 8},
    {"lsc_store_2d", store2d, 0, 5},
    {"lsc_prefetch_2d", prefetch2d, 0, 6},
};

} // namespace

Value *expandLscBuiltin(StringRef Name, CallInst &Call, IRBuilder<> &B) {
  for (const Row &R : Rows)
    if (R.Name == Name)
      return all_of(seq(R.FirstNumber, R.FirstNumber + R.Numbers),
                    [&](unsigned K) { return isa<ConstantInt>(Call.getArgOperand(K)); })
                 ? R.Expand(Call, B)
                 : nullptr;
  return nullptr;
}

} // namespace pocm
