//===- SecondElements.cpp - Every second element of what is widened -----------------------------===//
//
// Elements that lie two apart in widened ones are taken from the narrow ones, two of which are one of twice the size:
//
//     %w = zext <64 x i8> %x to <64 x i32>                     ->   %y = bitcast %x to <32 x i16>
//     %e = %w(0, 2, 4 ...), %o = %w(1, 3, 5 ...)                    %e = zext(%y & 255), %o = zext(%y >> 8)
//
// So are distances of bytes.
//
// Needs:    whole vectors with their regions; lower elements in lower bits.
// Leaves:   elements that lie farther apart.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Bytes.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Whether a region is every second element, and enough of them.
bool isEverySecond(const RegionRead &Read) {
  constexpr int Few = 8;
  if (!Read.Where.isConstant() || Read.count() < Few || Read.Where.element(0) < 0)
    return false;
  for (int K = 1; K < Read.count(); ++K)
    if (Read.Where.element(K) != Read.Where.element(0) + 2 * K)
      return false;
  return true;
}

/// Whether all elements are something, as what messages have read is: two that become one would spoil each other.
bool isDefined(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 8;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MostDepth)
    return isGuaranteedNotToBeUndefOrPoison(V);
  if (const Op Operation = operationOf(I); messageOf(Operation))
    return !has(Operation, Role::Old);
  if (auto Read = RegionRead::match(const_cast<Value *>(V)))
    return Read->Where.isConstant() && isDefined(Read->source(), Depth + 1);
  if (isa<MinMaxIntrinsic>(I) || (isa<BinaryOperator, CastInst>(I) && !I->hasPoisonGeneratingFlags()))
    return all_of(cast<User>(I)->operands(), [&](const Use &U) { return isa<Function>(U) || isDefined(U, Depth + 1); });
  return isGuaranteedNotToBeUndefOrPoison(V);
}

/// The elements of a region from what its source is widened from; null where there is none.
Value *everySecond(const RegionRead &Read) {
  Value *Source = Read.source();
  const int Count = Read.count(), Start = Read.Where.element(0) & ~1;
  const bool Upper = Read.Where.element(0) & 1;
  if (Start + 2 * Count > countOf(Source->getType()))
    return nullptr;
  IRBuilder<> B(Read.Call);
  Value *Narrow = nullptr;
  bool Signed = false;
  if (auto Some = Bytes::of(Source)) {
    Narrow = Some->narrow(B);
  } else if (isa<ZExtInst, SExtInst>(Source)) {
    Value *From = cast<CastInst>(Source)->getOperand(0);
    Signed = isa<SExtInst>(Source);
    if (bitsOf(From) == 8 || bitsOf(From) == 16)
      Narrow = From;
  }
  if (!Narrow || bitsOf(Source) < 2 * bitsOf(Narrow))
    return nullptr;
  const unsigned Bits = bitsOf(Narrow);
  if (2 * Count != countOf(Narrow->getType()))
    Narrow = RegionRead::create(B, ofCount(Narrow->getType(), 2 * Count), Narrow, Region::contiguous(2 * Count, Start));
  if (!isDefined(Narrow))
    Narrow = B.CreateFreeze(Narrow);
  Value *Pairs = B.CreateBitCast(Narrow, FixedVectorType::get(B.getIntNTy(2 * Bits), unsigned(Count)));
  if (Signed)
    Pairs = B.CreateAShr(Upper ? Pairs : B.CreateShl(Pairs, Bits), Bits);
  else
    Pairs = Upper ? B.CreateLShr(Pairs, Bits) : B.CreateAnd(Pairs, (uint64_t(1) << Bits) - 1);
  return B.CreateIntCast(Pairs, Read.Call->getType(), Signed);
}

} // namespace

bool takeEverySecond(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto Read = RegionRead::match(&I); Read && isEverySecond(*Read))
      if (Value *V = everySecond(*Read)) {
        I.replaceAllUsesWith(V);
        I.eraseFromParent();
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::cpu
