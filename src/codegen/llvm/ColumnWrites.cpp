//===- ColumnWrites.cpp - A matrix that is written column by column is read so instead -----------===//
//
// Columns that all come from one other value are a permutation of it, where elements stay with their neighbours, as in
// mirrored rows or in pixels with another order of channels:
//
//     %m1 = wrregion(undef, rdregion(%p, column 7), column 0)
//     ..                                                        %m8 = shufflevector %p, 7 6 5 4 3 2 1 0 15 14 ..
//     %m8 = wrregion(%m7, rdregion(%p, column 0), column 7) ->
//
// A row of a matrix whose columns were written one after the other is put together of an element of each. Columns that
// are read, from rows, share what they are put together of (SplitVectors.cpp); so the columns become rows:
//
//     %m1 = wrregion(undef, %c0, column 0)               %s1 = wrregion(poison, %c0, row 0)
//     ..                                                 ..
//     %m8 = wrregion(%m7, %c7, column 7)           ->    %s8 = wrregion(%s7, %c7, row 7)
//                                                        %m8 = rdregion(%s8, each column as a row)
//
// Needs:    whole values.
// Leaves:   matrices of which not all columns are written so, or that somebody reads in between; permutations of which
//           a register of 16 bytes needs several.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr int Least = 8; ///< Rows and columns for which it pays.

/// The number of the column that is written, of `Columns`; -1: it is none.
int columnOf(const RegionWrite &Write, int Columns) {
  if (!Write.Where.isConstant() || Write.Where.Offset >= Columns)
    return -1;
  for (int K = 0; K < Write.count(); ++K)
    if (Write.Where.element(K) != Write.Where.Offset + K * Columns)
      return -1;
  return Write.Where.Offset;
}

/// The columns that the last of these writes has completed; empty: they are not all of them.
SmallVector<Value *, 16> columnsOf(const RegionWrite &Last) {
  const int Rows = Last.count(), Columns = countOf(Last.Call->getType()) / std::max(Rows, 1);
  SmallVector<Value *, 16> All(std::size_t(Columns), nullptr);
  if (Rows < Least || Columns < Least || Rows * Columns != countOf(Last.Call->getType()))
    return {};
  std::optional<RegionWrite> Write = Last;
  for (int N = 0; N < Columns; ++N) {
    const int Column = Write && Write->count() == Rows ? columnOf(*Write, Columns) : -1;
    if (Column < 0 || All[std::size_t(Column)] || (N && !Write->Call->hasOneUse()))
      return {};
    All[std::size_t(Column)] = Write->value();
    Write = RegionWrite::match(Write->old());
  }
  return All;
}

/// Where the elements of a value come from that regions of one other value are written to, all over it.
struct Permutation {
  Value *From = nullptr;
  SmallVector<int, 128> Elements;

  static std::optional<Permutation> of(const RegionWrite &Last) {
    auto *T = cast<FixedVectorType>(Last.Call->getType());
    if (any_of(Last.Call->users(), [&](User *U) {
          auto Next = RegionWrite::match(U);
          return Next && Next->old() == Last.Call;
        }))
      return std::nullopt;
    const int Count = countOf(T);
    Permutation All;
    All.Elements.assign(std::size_t(Count), -1);
    int Left = Count;
    std::optional<RegionWrite> Write = Last;
    for (; Write && Left; Write = RegionWrite::match(Write->old())) {
      auto Read = RegionRead::match(Write->value());
      if (!Read || !Read->Where.isConstant() || !Write->Where.isConstant() ||
          !Read->source()->getType()->isVectorTy() || (All.From && Read->source() != All.From) ||
          Read->source()->getType()->getScalarType() != T->getElementType())
        return std::nullopt;
      All.From = Read->source();
      for (int K = Write->count() - 1; K >= 0; --K) { // the last of those to one place stays
        const int To = Write->Where.element(K), From = Read->Where.element(K);
        if (To < 0 || To >= Count || From < 0 || From >= countOf(All.From->getType()))
          return std::nullopt;
        if (int &Element = All.Elements[std::size_t(To)]; Element < 0)
          Element = From, --Left;
      }
    }
    return Left ? std::nullopt : std::optional(All);
  }

  /// Whether each 16 bytes come from the same 16 bytes: one instruction permutes those of a whole register.
  bool isNear(unsigned ElementBytes) const {
    const int Together = int(16 / ElementBytes);
    for (auto [To, From] : enumerate(Elements))
      if (From / Together != Elements[To / std::size_t(Together) * std::size_t(Together)] / Together)
        return false;
    return true;
  }
};

bool permuteNear(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto Last = RegionWrite::match(&I);
    if (!Last || !RegionWrite::match(Last->old()) || !I.getType()->isVectorTy() || elementBytes(I.getType()) > 8)
      continue;
    auto All = Permutation::of(*Last);
    if (!All || !All->isNear(unsigned(elementBytes(I.getType()))))
      continue;
    I.replaceAllUsesWith(IRBuilder<>(&I).CreateShuffleVector(All->From, All->Elements));
    Changed = true;
  }
  return Changed;
}

} // namespace

bool writeColumnsAsRows(Function &F) {
  bool Changed = permuteNear(F);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    std::optional<RegionWrite> Last = RegionWrite::match(&I);
    const SmallVector<Value *, 16> Columns = Last ? columnsOf(*Last) : SmallVector<Value *, 16>();
    if (Columns.empty())
      continue;
    IRBuilder<> B(&I);
    const int Rows = Last->count();
    Value *All = PoisonValue::get(I.getType());
    for (auto [N, Column] : enumerate(Columns))
      All = RegionWrite::create(B, All, Column, Region::contiguous(Rows, int(N) * Rows));
    const Region Turned{1, int(Columns.size()), Rows, 0, nullptr};
    I.replaceAllUsesWith(RegionRead::create(B, I.getType(), All, Turned));
    Changed = true; // what is dead goes with the next pass that asks
  }
  return Changed;
}

} // namespace pocm
