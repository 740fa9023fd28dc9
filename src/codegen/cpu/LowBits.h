//===- LowBits.h - What needs no upper bits -----------------------------------------------------===//
#pragma once

#include "llvm/IR/Instruction.h"

namespace pocm::cpu {

/// Operations whose low bits depend on the low bits of their operands only.
inline bool hasLowBitsOfLowBits(const llvm::Instruction &I) {
  switch (I.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::Mul:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return true;
  default:
    return false;
  }
}

} // namespace pocm::cpu
