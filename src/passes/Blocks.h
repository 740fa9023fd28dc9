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

/// Data goes to a surface from a byte on, as scattered dwords where it is whole ones, else as its own elements of less.
void scatterRow(llvm::IRBuilderBase &B, llvm::Value *Surface, llvm::Value *First, llvm::Value *Data);

} // namespace pocm
