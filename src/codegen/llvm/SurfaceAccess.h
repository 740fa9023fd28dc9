//===- SurfaceAccess.h - What all lowerings of surface operations do -----------------===//
#pragma once

#include "codegen/helpers/Surface.h"
#include "codegen/llvm/HelperLibrary.h"
#include "codegen/llvm/SurfacePolicy.h"
#include "llvm/IR/IRBuilder.h"

namespace pocm {

/// A field of a view, which does not change while a launch runs.
llvm::Value *viewField(llvm::IRBuilder<> &B, llvm::Value *View, llvm::Type *T, std::size_t Offset);

/// Whether what messages read stays in memory as it was until all of `Readers`, which take parts of it, have read it:
/// in one basic block, in which nothing is written between the first message and the last reader.
bool stayInMemory(llvm::ArrayRef<const llvm::CallInst *> Messages, llvm::ArrayRef<const llvm::CallInst *> Readers);

/// Emits accesses to surfaces, where the policy finds them.
class SurfaceAccess {
public:
  SurfaceAccess(llvm::Function &F, const SurfacePolicy &Policy) : F(F), C(F.getContext()), Policy(Policy) {}

protected:
  /// Pointer to the view of a surface index, shared local memory among them.
  llvm::Value *viewOf(llvm::IRBuilder<> &B, llvm::Value *Surface) { return Policy.viewOf(B, Surface); }
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *View, llvm::Type *T, std::size_t Offset) {
    return viewField(B, View, T, Offset);
  }
  /// A buffer for a block that lies over the edge, with room for reads behind it.
  llvm::AllocaInst *edgeBuffer(unsigned Bytes);
  /// Where a block lies: address of its first byte, bytes from row to row.
  struct Place {
    llvm::Value *First, *Stride;
  };
  /// Writes data to its rows where all of the block is inside, and to others where it is not; the end of the new block
  /// that does so seldom. Where the operation that asked for it is marked so, around the cache when the view allows it
  /// and the rows are whole cache lines. Before `Call`, whose block ends there then.
  llvm::Instruction *store(llvm::Instruction &Call, llvm::Value *View, llvm::Value *Inside, const Place &Direct,
                           const Place &Outside, llvm::Value *Data, unsigned Width);
  /// Calls a helper, by its symbol: linkHelpers() gives it a body, or the device links it.
  llvm::CallInst *callHelper(llvm::IRBuilder<> &B, Helper Which, llvm::ArrayRef<llvm::Value *> Operands);
  /// The end of a new block before `Before` for what happens when `Inside` is false, which is seldom.
  llvm::Instruction *rarely(llvm::Value *Inside, llvm::Instruction *Before);
  /// Calls a helper there.
  void callRarely(llvm::IRBuilder<> &B, Helper Which, llvm::ArrayRef<llvm::Value *> Operands);
  /// Both; the end of the new block.
  llvm::Instruction *callUnless(llvm::Value *Inside, llvm::Instruction *Before, Helper Which,
                                llvm::ArrayRef<llvm::Value *> Operands);
  /// What is `Direct` behind the branch to the rare block, and `Instead` behind the block itself.
  static llvm::Value *behind(llvm::Instruction *EndOfRare, llvm::Value *Direct, llvm::Value *Instead);

  llvm::Function &F;
  llvm::LLVMContext &C;
  const SurfacePolicy &Policy;
};

} // namespace pocm
