//===- VisaTraps.cpp - What the finalizer makes of pieces and of one for all -------------===//
#include "codegen/gen/VisaTraps.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pocm::gen {

void VisaTraps::write(StringRef Variable, ArrayRef<int> Offsets, unsigned ElementBytes, bool Aside, bool Sum) {
  auto &Bytes = Writers[Variable];
  for (int At : Offsets) {
    for (unsigned I = 0; I < ElementBytes; ++I)
      Bytes[At + int(I)] = unsigned(Instructions.size());
  }
  Instructions.push_back({SmallVector<int, 32>(Offsets), int(ElementBytes), Aside, Sum});
  changes({Variable, *min_element(Offsets), *max_element(Offsets) + int(ElementBytes)});
}

void VisaTraps::message(StringRef Variable, unsigned First, unsigned Bytes) {
  auto &Writer = Writers[Variable];
  for (unsigned At = First; At < First + Bytes; ++At)
    Writer.erase(int(At));
  changes({Variable, int(First), int(First + Bytes)});
}

void VisaTraps::changes(const Span &S) {
  erase_if(Copies, [&](const Copy &C) {
    return S.Variable == C.To.Variable && any_of(C.To.Offsets, [&](int At) { return S.First <= At && At < S.Last; });
  });
  erase_if(Widened, [&](const Widening &W) { return W.To.meets(S); });
  for (Widening &W : Widened)
    W.Changed |= W.From.isAnywhere() ? Addressed.contains(S.Variable) : W.From.meets(S);
}

void VisaTraps::writesAnywhere() {
  for (Widening &W : Widened)
    W.Changed |= W.From.isAnywhere() || Addressed.contains(W.From.Variable);
}

bool VisaTraps::readsKept(const Span &Read, bool Modified) {
  bool Wrong = false;
  for (Widening &W : Widened)
    if (W.To.meets(Read)) {
      W.Unlike |= Modified;
      Wrong |= W.Changed && W.Unlike;
    }
  return Wrong;
}

bool VisaTraps::readsPutAside(const OperandBytes &To, const OperandBytes &From) const {
  return any_of(Copies, [&](const Copy &C) {
    if (C.To.Variable != From.Variable || C.From.Variable != To.Variable ||
        !all_of(From.Offsets, [&](int At) { return is_contained(C.To.Offsets, At); }))
      return false;
    for (size_t J = 0; J < From.Offsets.size(); ++J) {
      const int Lay = C.From.Offsets[size_t(find(C.To.Offsets, From.Offsets[J]) - C.To.Offsets.begin())];
      for (size_t I = 0; I < To.Offsets.size(); ++I)
        if (I != J && To.Offsets[I] == Lay)
          return true;
    }
    return false;
  });
}

bool VisaTraps::readsWidened(const Span &Read, bool Signed) const {
  return any_of(Widened, [&](const Widening &W) { return W.Signed == Signed && W.To.meets(Read); });
}

/// Whether elements are as far from each other where they are moved from these places as where they are written.
bool VisaTraps::keepsDistance(const Instruction &W, ArrayRef<int> Offsets, unsigned ElementBytes) {
  if (W.ElementBytes != int(ElementBytes))
    return false;
  SmallVector<int, 32> Channels;
  for (int At : W.Offsets) {
    if (count(Offsets, At) != 1)
      return false;
    Channels.push_back(int(find(Offsets, At) - Offsets.begin()));
  }
  for (size_t K = 0; K < Channels.size(); ++K)
    if ((Channels[K] - Channels[0]) * W.ElementBytes != W.Offsets[K] - W.Offsets[0])
      return false;
  return true;
}

/// Whether an instruction writes some of what is moved, not only what lies in between.
bool VisaTraps::overlap(const Instruction &W, ArrayRef<int> Offsets, unsigned ElementBytes) {
  return any_of(W.Offsets, [&](int Written) {
    return any_of(Offsets, [&](int At) { return Written < At + int(ElementBytes) && At < Written + W.ElementBytes; });
  });
}

bool VisaTraps::movesPieces(StringRef Variable, ArrayRef<int> Offsets, unsigned ElementBytes) const {
  auto Bytes = Writers.find(Variable);
  int Low = *min_element(Offsets), High = *max_element(Offsets) + int(ElementBytes);
  if (Bytes == Writers.end() || High - Low == int(Offsets.size() * ElementBytes) || all_equal(Offsets))
    return false;
  SmallDenseSet<unsigned> Pieces; // what wrote some of it, or of what lies in between
  for (int At = Low; At < High; ++At)
    if (auto Found = Bytes->second.find(At); Found != Bytes->second.end())
      Pieces.insert(Found->second);
    else if (is_contained(Offsets, At))
      return false; // from another block, or from a message
  bool Wrong = false;
  unsigned Inside = 0;
  for (unsigned Number : Pieces) {
    const Instruction &W = Instructions[Number];
    if (*min_element(W.Offsets) >= Low && *max_element(W.Offsets) + W.ElementBytes <= High) {
      ++Inside;
      Wrong |= !keepsDistance(W, Offsets, ElementBytes);
    } else if (overlap(W, Offsets, ElementBytes)) {
      return false; // then the move stays
    }
  }
  return Wrong && Inside > 1;
}

bool VisaTraps::isComputedAside(StringRef Variable, ArrayRef<int> Offsets) const {
  auto Bytes = Writers.find(Variable);
  if (Bytes == Writers.end())
    return false;
  auto Found = Bytes->second.find(Offsets[0]);
  return Found != Bytes->second.end() && Instructions[Found->second].Aside &&
         ArrayRef<int>(Instructions[Found->second].Offsets) == Offsets;
}

bool VisaTraps::isSum(StringRef Variable, ArrayRef<int> Offsets) const {
  auto Bytes = Writers.find(Variable);
  return Bytes != Writers.end() && any_of(Offsets, [&](int At) {
           auto Found = Bytes->second.find(At);
           return Found != Bytes->second.end() && Instructions[Found->second].Sum;
         });
}

} // namespace pocm::gen
