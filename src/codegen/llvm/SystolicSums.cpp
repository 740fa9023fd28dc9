//===- SystolicSums.cpp - Sums of systolic products that wait for no other ----------------------===//
//
// Sums are rows of a matrix, which each product writes a part of. Where the next one's part is read from the matrix
// that the last one has written, it seems to wait for it:
//
//     %m1 = wrregion(%m0, %d0, rows 0 to 7)                 %m1 = wrregion(%m0, %d0, rows 0 to 7)
//     %m2 = wrregion(%m1, %x, rows 8 to 15)                 %m2 = wrregion(%m1, %x, rows 8 to 15)
//     %c  = rdregion(%m2, rows 8 to 15)
//     %d1 = dpas2(%c, ..)                              ->   %d1 = dpas2(%x, ..)
//
// A part is put together from what was written there instead, however small its pieces.
//
// Needs:    nothing.
// Leaves:   parts that are not consecutive, and pieces that reach beyond a part.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

/// So many writes are looked at for a part.
constexpr unsigned Most = 256;

bool isConsecutive(const RegionRead &Read) {
  Region Where = Read.Where;
  Where.Offset = 0;
  return Where.isIdentity(Read.count());
}

/// The value of the part without writes that do not concern it; null: it cannot be told apart from them.
Value *detached(const RegionRead &Read) {
  if (!isConsecutive(Read))
    return nullptr;
  const int First = Read.Where.Offset, Count = Read.count();
  BitVector Known{unsigned(Count)};
  SmallVector<RegionWrite, 16> Pieces; // the last one first
  Value *From = Read.source();
  bool Passes = false;
  for (unsigned N = 0; N < Most && !Known.all(); ++N) {
    std::optional<RegionWrite> Write = RegionWrite::match(From);
    if (!Write || !Write->Where.isConstant())
      break;
    bool Inside = false, Outside = false, News = false;
    for (int K = 0; K < Write->count(); ++K) {
      const int At = Write->Where.element(K) - First;
      const bool Is = At >= 0 && At < Count;
      (Is ? Inside : Outside) = true;
      News |= Is && !Known.test(unsigned(At));
    }
    if (Inside && Outside)
      break;
    for (int K = 0; Inside && K < Write->count(); ++K)
      Known.set(unsigned(Write->Where.element(K) - First));
    if (News)
      Pieces.push_back(*Write);
    Passes |= !Inside;
    From = Write->old();
  }
  if (!Passes && !Known.all())
    return nullptr;
  IRBuilder<> B(Read.Call);
  Value *Part = Known.all() ? PoisonValue::get(Read.Call->getType())
                            : RegionRead::create(B, Read.Call->getType(), From, Read.Where);
  for (const RegionWrite &Piece : reverse(Pieces)) {
    Region Where = Piece.Where;
    Where.Offset -= First;
    Part = Piece.value()->getType() == Part->getType() && Where.isIdentity(Count)
               ? Piece.value()
               : RegionWrite::create(B, Part, Piece.value(), Where);
  }
  return Part;
}

} // namespace

bool detachSums(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    CallInst *Call = asOperation(&I, Op::Dpas);
    std::optional<RegionRead> Read = Call ? RegionRead::match(operandOf(*Call, Role::Accumulator)) : std::nullopt;
    Value *Part = Read ? detached(*Read) : nullptr;
    if (!Part)
      continue;
    Call->replaceUsesOfWith(Read->Call, Part);
    if (Read->Call->use_empty())
      Read->Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
