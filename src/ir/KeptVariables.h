//===- KeptVariables.h - Variables of the source that debuggers find -----------------------===//
//
// Lists in programs of -O0 -g (MirrorVariables.cpp), which are metadata.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <vector>

namespace pocm {

/// A variable, and where its function was called; null: it is the kernel's.
struct KeptVariable {
  llvm::DILocalVariable *Variable;
  llvm::DILocation *InlinedAt;
};
/// Another name of a part of one.
struct KeptName : KeptVariable {
  unsigned Number;
  std::uint64_t Offset;
};

/// Its number.
unsigned noteKept(llvm::Module &M, llvm::DILocalVariable &Variable, llvm::DILocation *InlinedAt);
void noteName(llvm::Module &M, llvm::DILocalVariable &Variable, llvm::DILocation *InlinedAt, unsigned Number,
              std::uint64_t Offset);
/// Null where the list, which may come from a file, has something else.
std::vector<std::optional<KeptVariable>> keptVariables(const llvm::Module &M);
std::vector<KeptName> keptNames(const llvm::Module &M);
/// The lists go, which debug information must not outlive.
void forgetKept(llvm::Module &M);

/// Whether the user wrote the variable, and not the headers or the compiler.
bool isOfSource(const llvm::DbgVariableRecord &Record);

/// The array that a vector's or matrix's class holds; null for other types.
llvm::DIType *elementsOf(llvm::DIType *T);

/// What a reference refers to.
struct Referred {
  llvm::DIType *Object;      ///< Of vectors and matrices the array.
  bool IsClass = false;      ///< One of the classes for references to vectors and matrices.
  std::uint64_t Columns = 0; ///< Of matrices.
};
/// Of references, and of the classes for references to vectors and matrices.
std::optional<Referred> referredObject(llvm::DIType *T);

} // namespace pocm
