//===- Blocks.h - Messages that move rows of memory ------------------------------------------===//
#pragma once

#include "ir/Region.h"

namespace pocm {

/// The operands of a message that moves a row.
struct BlockShape {
  unsigned Offset; ///< Which operand is the place,
  int Data;        ///< and which the data; -1: a read.
  int Unit;        ///< Bytes that the place counts in.
};

/// None for operations that move none.
std::optional<BlockShape> blockShape(Op Operation);

/// Blocks become blocks of 1, 2, 4, ..., MostOwords owords; of what is moved by address, less than an oword goes
/// element by element.
bool cutBlocks(llvm::Module &M, int MostOwords);

} // namespace pocm
