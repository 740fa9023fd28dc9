//===- Scopes.h - Blocks of the source, for debuggers ---------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"

namespace pocm::cpu {

/// The blocks of a function of native code, made anew as they are asked for. What the source's functions were that are
/// part of it are blocks, too, where they were called; those of headers are not seen.
class Scopes {
public:
  Scopes(llvm::DIBuilder &Builder, llvm::DISubprogram &Function) : Builder(Builder), Function(Function) {}

  /// Of a line that the user wrote.
  llvm::DILocalScope *of(const llvm::DILocation &Line);
  /// Of what the source has in a scope that came to where At says; null: it is the kernel's own.
  llvm::DILocalScope *of(llvm::DILocalScope *Source, const llvm::DILocation *At);

private:
  llvm::DIBuilder &Builder;
  llvm::DISubprogram &Function;
  llvm::DenseMap<std::pair<const llvm::DIScope *, const llvm::DILocation *>, llvm::DILocalScope *> Made;
  llvm::DenseMap<std::pair<const llvm::DIScope *, const llvm::DIFile *>, llvm::DILocalScope *> OtherFiles;
};

} // namespace pocm::cpu
