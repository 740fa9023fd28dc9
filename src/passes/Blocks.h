//===- Blocks.h - Messages that move rows of memory ------------------------------------------===//
#pragma once

#include "ir/Operands.h"
#include "ir/Region.h"

namespace pocm {

/// Where a message that moves a row does so.
struct BlockShape {
  Role Place;
  int Unit; ///< Bytes that the place counts in.
};

/// None for operations that move none.
std::optional<BlockShape> blockShape(Op Operation);

/// Blocks become blocks of 1, 2, 4, ..., MostOwords owords; of what is moved by address, less than an oword goes
/// element by element.
bool cutBlocks(llvm::Module &M, int MostOwords);

} // namespace pocm
