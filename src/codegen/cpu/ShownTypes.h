//===- ShownTypes.h - Types of the source as debuggers show them ----------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"

namespace pocm::cpu {

/// Types as debuggers show them: vectors and matrices are arrays with the names of their CM types, in structures and
/// arrays, too, and references what they refer to.
class ShownTypes {
public:
  ShownTypes(llvm::DIBuilder &Builder, llvm::DIFile *File) : Builder(Builder), File(File) {}

  llvm::DIType *of(llvm::DIType *T);

private:
  llvm::DIBuilder &Builder;
  llvm::DIFile *File;
  llvm::DenseMap<llvm::DIType *, llvm::DIType *> Known;

  llvm::DIType *named(llvm::DIType &Elements, llvm::StringRef Name);
  llvm::DIType *changed(llvm::DIType *T);
  llvm::DIType *changedName(llvm::DIDerivedType &T);
  llvm::DIType *changedArray(llvm::DICompositeType &T);
  llvm::DIType *changedMembers(llvm::DICompositeType &T);
};

} // namespace pocm::cpu
