//===- KnownPlaces.cpp - Places that are inside need no limit -------------------------===//
//
//     for (j = 0; j < 15 - i; ++j)
//       %o = and i32 %j, 15               ->    %o = %j
//
// What keeps a place inside of its object (Inside.h) hides from LLVM that the next iteration reads what this one has
// written: v(j + 1) may be v(0). Where the bounds of a loop show that a counter stays inside, or conditions that
// another place does (Intervals.h), the limit goes, and what loops pass on by memory stays in registers.
//
// Needs:    loops in LLVM's simple form.
// Leaves:   limits of places that may be outside.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Intervals.h"
#include "ir/LoopAnalyses.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What is limited, and the largest value that a limit leaves as it is.
struct Limit {
  Instruction *I;
  Value *Place;
  APInt Most;
  bool IsMask;
};

std::optional<Limit> limited(Instruction &I) {
  Value *Place;
  const APInt *Most;
  const bool IsMask = match(&I, m_And(m_Value(Place), m_LowBitMask(Most)));
  if (!I.getType()->isIntegerTy() || (!IsMask && !match(&I, m_UMin(m_Value(Place), m_APInt(Most)))))
    return std::nullopt;
  return Limit{&I, Place, *Most, IsMask};
}

/// What a limit takes from each value of an interval, if that is the same: `(i + 31) & 31` is i - 1 where i is 1 to 31.
std::optional<APInt> taken(const Limit &L, const ConstantRange &Values) {
  if (Values.isEmptySet() || Values.isUpperWrapped())
    return std::nullopt;
  const APInt Least = Values.getUnsignedMin(), Largest = Values.getUnsignedMax();
  if (Largest.ule(L.Most))
    return APInt::getZero(Least.getBitWidth());
  if (!L.IsMask || (Least & ~L.Most) != (Largest & ~L.Most))
    return std::nullopt;
  return Least & ~L.Most;
}

bool dropIn(Function &F) {
  SmallVector<Limit> Limits;
  SmallVector<Value *> Places;
  for (Instruction &I : instructions(F))
    if (std::optional<Limit> L = limited(I)) {
      Limits.push_back(*L);
      Places.push_back(L->Place);
    }
  if (Limits.empty())
    return false;
  LoopAnalyses Now(F);
  const Intervals Known(F, Now.Dominators, Places);
  SmallVector<std::pair<Instruction *, APInt>> Dropped;
  for (const Limit &L : Limits) {
    std::optional<APInt> Less = taken(L, Known.at(L.Place, *L.I));
    if (!Less && Now.Loops.getLoopFor(L.I->getParent()))
      Less = taken(L, Now.SE.getUnsignedRange(Now.SE.getSCEV(L.Place)));
    if (Less)
      Dropped.emplace_back(L.I, *Less);
  }
  for (const auto &[I, Less] : Dropped) {
    Value *Place = limited(*I)->Place; // as it is by now: it may have been limited, too
    I->replaceAllUsesWith(Less.isZero() ? Place
                                        : IRBuilder<>(I).CreateAdd(Place, ConstantInt::get(I->getType(), -Less)));
    I->eraseFromParent();
  }
  return !Dropped.empty();
}

} // namespace

bool dropKnownLimits(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= dropIn(F);
  return Changed;
}

} // namespace pocm::cpu
