//===- ColumnWrites.cpp - A matrix that is written column by column is read so instead -----------===//
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
// Leaves:   matrices of which not all columns are written so, or that somebody reads in between.
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

} // namespace

bool writeColumnsAsRows(Function &F) {
  bool Changed = false;
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
