//===- Blocks.h - Messages that move rows of memory ------------------------------------------===//
#pragma once

#include "ir/Operands.h"
#include "ir/Region.h"

namespace pocm {

/// Where a message that moves a row does so.
struct BlockShape {
  Role Place;
  int Unit; ///< Bytes that the place counts in.
  bool ByAddress;
};

/// None for operations that move none.
std::optional<BlockShape> blockShape(Op Operation);

/// Blocks become blocks of 1, 2, 4, ..., MostOwords owords; less than an oword goes element by element, but
/// what is read of surfaces is a part of one.
bool cutBlocks(llvm::Module &M, int MostOwords);

/// The places of `Count` elements of that size in a row: offsets or addresses, as the first one is.
llvm::Value *placesFrom(llvm::IRBuilderBase &B, llvm::Value *First, int Count, int Size);

/// Bytes of what goes to a surface one by one: dwords where a value is whole ones, else its own elements of less.
int scatteredUnitOf(llvm::Type *T);

/// Data goes to a surface from a byte on, as scattered elements of `Unit` bytes.
llvm::Value *scatterRow(llvm::IRBuilderBase &B, llvm::Value *Surface, llvm::Value *First, llvm::Value *Data, int Unit);

} // namespace pocm
