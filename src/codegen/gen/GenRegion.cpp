//===- GenRegion.cpp - Regions as the Gen ISA can name them -----------------------------===//
#include "codegen/gen/GenRegion.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace pocm::gen {
namespace {

bool isOneOf(int X, std::initializer_list<int> All) { return is_contained(All, X); }
bool isVertical(int X) { return isOneOf(X, {0, 1, 2, 4, 8, 16, 32}); }
bool isHorizontal(int X) { return isOneOf(X, {0, 1, 2, 4}); }

/// Whether the bytes from the first to the last element lie in two neighbouring registers.
bool inTwoRegisters(ArrayRef<int> Elements, const Placement &P) {
  auto [Least, Most] = std::minmax_element(Elements.begin(), Elements.end());
  int First = *Least * P.ElementBytes, End = (*Most + 1) * P.ElementBytes, Grf = int(P.GrfBytes);
  if (!P.Aligned)
    return End - First <= Grf;
  return (End - 1) / Grf - First / Grf <= 1;
}

bool matches(ArrayRef<int> Elements, const GenRegion &R) {
  for (int K = 0; K < int(Elements.size()); ++K)
    if (Elements[K] != R.Offset + (K / R.W) * R.V + (K % R.W) * R.H)
      return false;
  return true;
}

/// Whether each row of several lies in one register: of a second operand the finalizer makes one row of all otherwise.
bool rowsAreWhole(ArrayRef<int> Elements, int Width, const Placement &P) {
  if (!P.Aligned || int(Elements.size()) == Width)
    return true;
  for (size_t K = 0; K < Elements.size(); K += size_t(Width)) {
    int First = Elements[K] * P.ElementBytes, Last = (Elements[K + size_t(Width) - 1] + 1) * P.ElementBytes - 1;
    if (First / int(P.GrfBytes) != Last / int(P.GrfBytes))
      return false;
  }
  return true;
}

} // namespace

std::optional<GenRegion> sourceRegion(ArrayRef<int> Elements, const Placement &P) {
  int Count = int(Elements.size()), First = Elements[0];
  if (all_equal(Elements))
    return GenRegion{0, 1, 0, First};
  if (!inTwoRegisters(Elements, P))
    return std::nullopt;
  int Stride = Elements[1] - First;
  // One stride throughout: rows of one element.
  if (GenRegion R{Stride, 1, 0, First}; isVertical(Stride) && matches(Elements, R))
    return R;
  for (int W = std::min(16, Count); W > 1; W /= 2) {
    if (Count % W)
      continue;
    GenRegion R{W < Count ? Elements[W] - First : 0, W, Stride, First};
    if (isVertical(R.V) && isHorizontal(R.H) && matches(Elements, R) && rowsAreWhole(Elements, W, P))
      return R;
  }
  return std::nullopt;
}

std::optional<GenRegion> destinationRegion(ArrayRef<int> Elements, const Placement &P) {
  int Stride = Elements.size() > 1 ? Elements[1] - Elements[0] : 1;
  if (!isOneOf(Stride, {1, 2, 4}) || !inTwoRegisters(Elements, P))
    return std::nullopt;
  GenRegion R{Stride, 1, Stride, Elements[0]};
  if (!matches(Elements, R))
    return std::nullopt;
  return R;
}

} // namespace pocm::gen
