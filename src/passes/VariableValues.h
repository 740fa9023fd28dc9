//===- VariableValues.h - Values of variables stay for debuggers ---------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"

namespace pocm {

/// Each value that a variable of the source has is used where it gets it, so that it is computed.
bool useVariableValues(llvm::Function &F);

/// Where vectors and matrices are, out of the sight of a pass that would say it less well.
class HiddenVariables {
public:
  void hide(llvm::Function &F);
  void show();

private:
  struct Hidden {
    llvm::WeakTrackingVH Storage;
    llvm::DbgVariableRecord *Record;
  };
  llvm::SmallVector<Hidden, 16> All;
};

} // namespace pocm
