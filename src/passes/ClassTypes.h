//===- ClassTypes.h - What Clang makes of the language's classes ------------------------===//
#pragma once

#include "llvm/IR/DerivedTypes.h"

namespace pocm {

/// The only leaf of nested one-member structures: %class.vector = { <8 x float> } is <8 x float>. None (null) when
/// there are several.
inline llvm::Type *leafOf(llvm::Type *T) {
  while (auto *Struct = llvm::dyn_cast<llvm::StructType>(T)) {
    // Empty bases and trailing padding are not members worth passing.
    llvm::Type *Only = nullptr;
    for (llvm::Type *Element : Struct->elements()) {
      if (auto *Array = llvm::dyn_cast<llvm::ArrayType>(Element); Array && Array->getElementType()->isIntegerTy(8))
        continue;
      if (Only)
        return nullptr;
      Only = Element;
    }
    if (!Only)
      return nullptr;
    T = Only;
  }
  return T;
}

} // namespace pocm
