//===- Spelling.h - Which vISA instruction does an operation, and with which types ----------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace pocm::gen {

enum class Opcode : unsigned char {
#define OPCODE(name, text) name,
#include "codegen/gen/Opcodes.def"
};

/// What may stand behind an instruction's name.
enum class Part : unsigned char {
#define PART(name, text) name,
#include "codegen/gen/Parts.def"
};

/// The types that vISA has for elements, and for packed immediates: of eight small integers, of four small floats.
enum class ElementType : unsigned char { B, UB, W, UW, D, UD, Q, UQ, HF, F, DF, V, UV, VF };

llvm::StringRef nameOf(Opcode Code);
llvm::StringRef nameOf(Part P);
/// ud, hf, ...
llvm::StringRef nameOf(ElementType Type);
unsigned bytesOf(ElementType Type);
/// Whether an atomic's operation goes on with the name, which no dot divides then.
bool takesOperation(Opcode Code);

enum class Sign { Signed, Unsigned };

/// The type that elements are read or written as.
ElementType elementTypeOf(llvm::Type *T, Sign S);

/// The vISA instruction that does an operation.
struct Spelling {
  Opcode Code;
  Sign Operands = Sign::Signed, Result = Sign::Signed;
  bool Saturate = false;
  bool NegateLast = false; ///< a - b is an add.
};

/// Nothing for what is no instruction of its own.
std::optional<Spelling> spellingOf(const llvm::Instruction &I);

/// Of a comparison that selectOperations leaves.
Part conditionOf(llvm::CmpInst::Predicate P);

} // namespace pocm::gen
