//===- Layout.h - Which blocks are printed, and where jumps end up ------------------------===//
//
// A block that does nothing but go on to another is not printed; jumps to it go where it goes. It does something when a
// phi behind it takes a copy, which depends on what shares variables.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/Variables.h"
#include "llvm/IR/Instructions.h"

namespace pocm::gen {

class Layout {
public:
  explicit Layout(const Variables &Registers) : Registers(Registers) {}

  /// Whether a phi takes a copy when control comes from that block.
  bool needsCopy(llvm::PHINode &Phi, const llvm::BasicBlock *From) const;
  /// Whether a block does nothing but go on to another.
  bool isThrough(llvm::BasicBlock *Block) const;
  /// Where a jump to a block ends up.
  llvm::BasicBlock *landing(llvm::BasicBlock *Block) const;
  /// The block whose code is printed next; null behind the last.
  llvm::BasicBlock *printedAfter(llvm::BasicBlock *Block) const;

private:
  const Variables &Registers;
};

} // namespace pocm::gen
