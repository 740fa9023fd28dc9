//===- Pieces.cpp - Moves that the finalizer takes apart ----------------------------------===//
#include "codegen/gen/Pieces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// What a move reads of its variable, and which bytes between the first and the last of it have a writer that was seen.
struct Moved {
  SmallVector<int, 32> Places; // in bytes, channel by channel
  int Bytes, Low, High;        // of an element; of all
  BitVector Known;

  Moved(const Source &From, int Count) : Places(*placesOf(From.Where, Count, elementBytes(From.Element))) {
    Bytes = elementBytes(From.Element);
    Low = *min_element(Places);
    High = *max_element(Places) + Bytes;
    Known.resize(unsigned(High - Low));
  }

  /// The very bytes from the first to the last, or one element for all channels: these are right.
  bool isPlain() const { return High - Low == int(Places.size()) * Bytes || all_equal(Places); }

  /// Whether an element that is written there is part of it, and was not written again since.
  bool sees(int At, int Size) const {
    for (int Byte = std::max(At, Low); Byte < std::min(At + Size, High); ++Byte)
      if (!Known.test(unsigned(Byte - Low)))
        return true;
    return false;
  }
  /// Whether an element that is written there is one of those that are moved, or part of one.
  bool takes(int At, int Size) const {
    return any_of(Places, [&](int Place) { return At < Place + Bytes && Place < At + Size; });
  }
  /// Whether all that is moved has a writer that was seen.
  bool knowsPlaces() const {
    return all_of(Places, [&](int Place) {
      return all_of(seq(Place - Low, Place - Low + Bytes), [&](int Byte) { return Known.test(unsigned(Byte)); });
    });
  }
  void know(int At, int Size) {
    if (std::max(At, Low) < std::min(At + Size, High))
      Known.set(unsigned(std::max(At, Low) - Low), unsigned(std::min(At + Size, High) - Low));
  }

  /// Whether elements are as far from each other where they are moved from these places as where they are written.
  bool keepsDistance(const Region &Where, int Count, int Size) const {
    if (Size != Bytes)
      return false;
    int First = -1, Stride = Where.element(1) - Where.element(0);
    for (int K = 0; K < Count; ++K) {
      const int *At = find(Places, Where.element(K) * Bytes);
      int Channel = int(At - Places.begin());
      First = K ? First : Channel;
      if (At == Places.end() || Channel - First != K * Stride || count(Places, *At) > 1)
        return false;
    }
    return true;
  }
};

/// Whether the finalizer makes one block of two: where nothing else leads from the one or into the other.
bool isSameBlock(const BasicBlock *Earlier, const BasicBlock *Later) {
  for (; Later && Later != Earlier; Later = Later->getSinglePredecessor())
    if (!Later->getSinglePredecessor() || !Later->getSinglePredecessor()->getSingleSuccessor())
      return false;
  return Later;
}

} // namespace

bool isTakenApart(const Source &From, int Count, const BasicBlock &Block, const Variables &Registers) {
  if (isa<Constant>(From.Base) || From.Where.Dynamic || From.Extended || From.Negate || From.Absolute ||
      From.Complement || From.Element->isPointerTy())
    return false;
  Moved Move(From, Count);
  bool Wrong = false;
  int Pieces = 0;
  for (Value *V = From.Base; !Move.isPlain() && !Move.Known.all() && !isa<UndefValue>(V);) {
    if (isa<Constant>(V)) // in runs of one number
      return true;
    auto W = RegionWrite::matchMasked(V);
    auto *Writer = dyn_cast<Instruction>(V);
    bool Computed = W || (Writer && (RegionRead::match(V) || isVectorInstruction(*Writer))); // no message writes it
    if (!Computed || (W && W->Where.Dynamic) || !isSameBlock(Writer->getParent(), &Block)) {
      if (!Move.knowsPlaces())
        return false;
      break; // it writes some of what lies in between
    }
    int Elements = W ? W->count() : countOf(V->getType());
    int Size = elementBytes(W ? W->value()->getType() : V->getType());
    const Region Where = W ? W->Where : Region::contiguous(Elements);
    SmallVector<int, 32> Written = *placesOf(Where, Elements, Size);
    if (any_of(Written, [&](int At) { return Move.sees(At, Size); })) {
      if (all_of(Written, [&](int At) { return At >= Move.Low && At + Size <= Move.High; })) {
        ++Pieces;
        Wrong |= !Move.keepsDistance(Where, Elements, Size);
      } else if (any_of(Written, [&](int At) { return Move.takes(At, Size); })) {
        return false; // then the move stays
      }
    }
    if (!W)
      break;
    for (int At : Written)
      if (!W->mask())
        Move.know(At, Size);
    V = registerOf(W->old());
    if (!isa<Constant>(V) && Registers.variableOf(V) != Registers.variableOf(W->Call) && !Move.Known.all())
      return true; // copied here, in runs of what is defined
  }
  return Wrong && Pieces > 1;
}

} // namespace pocm::gen
