//===- SourceNotes.h - What the source's variables and loops became -------------------===//
//
// Named metadata that modules with full debug information carry for `cmc --report`: the
// variables that a kernel's source has, noted before the passes dissolve them, and what
// became of its loops. Passes that decide where a variable lives say so here.
//
//     !pocm.variables = !{!0}
//     !0 = !{ptr @k, !"lookup", !"_ZL6lookup", !"float[40]", !"k.cpp", i32 7, i32 160, !"12 13", i32 1, !"..."}
//
//===------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace pocm {

/// Where a variable lives.
enum class Residence : unsigned {
  Registers = 0, ///< Its elements are named in the instructions.
  Indexed = 1,   ///< In registers, with elements chosen at run time through address registers.
  Scratch = 2,   ///< In the thread's scratch memory.
  Shared = 3,    ///< In the shared local memory of its group.
  Argument = 4,  ///< In the registers that a thread starts with.
};

/// A variable of a kernel's source; of functions called there too.
struct VariableNote {
  llvm::Function *Kernel = nullptr;
  std::string Name, Symbol, Type, File; ///< Symbol: of a file-scope variable.
  unsigned Line = 0, Bytes = 0;
  std::vector<unsigned> IndexedLines; ///< Where the source chooses elements by numbers that are not constants.
  Residence Place = Residence::Registers;
  std::string Rule; ///< Which one decided.
};

/// What became of a loop.
struct LoopNote {
  std::string File;
  unsigned Line = 0;
  std::string Text;
  std::string Function; ///< It was in, before that became part of others; as debug information calls it.
};
/// What debug information calls a function; nothing without.
std::string noteName(const llvm::DISubprogram *Of);

std::vector<VariableNote> variableNotes(const llvm::Module &M);
void setVariableNotes(llvm::Module &M, const std::vector<VariableNote> &Notes);
/// Of loops that are in a kernel, each once.
std::vector<LoopNote> loopNotes(const llvm::Function &Kernel);
void setLoopNotes(llvm::Module &M, const std::vector<LoopNote> &Notes);

/// The note of a variable that is still in memory, or null: by its debug information, or a file-scope variable's name.
VariableNote *noteOf(std::vector<VariableNote> &Notes, const llvm::AllocaInst &Variable);

/// Without them, and without debug information.
void stripSourceNotes(llvm::Module &M);

} // namespace pocm
