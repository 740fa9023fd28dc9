//===- Spelling.h - How vISA spells types, operations and conditions ------------------------===//
#pragma once

#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace pocm::gen {

enum class Sign { Signed, Unsigned };

/// Spelling of an element type: d, ub, hf, ...
std::string letterOf(llvm::Type *T, Sign S);

/// How the vISA instruction for an operation is spelled.
struct Spelling {
  const char *Name = nullptr;
  Sign Operands = Sign::Signed, Result = Sign::Signed;
  bool Saturate = false;
  bool NegateLast = false; ///< a - b is an add.
};

/// Nothing for what is no instruction of its own.
std::optional<Spelling> spellingOf(const llvm::Instruction &I);

/// eq, ne, lt, ... of a comparison that selectOperations leaves.
const char *conditionOf(llvm::CmpInst::Predicate P);

} // namespace pocm::gen
