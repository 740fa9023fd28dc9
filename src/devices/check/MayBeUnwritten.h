//===- MayBeUnwritten.h - Which elements of values may hold what nobody has written --------===//
//
// Follows values forwards from what has no value, element by element:
//
//     %a = cm.unwritten(0)                    all 16 elements
//     %b = wrregion(%a, %x, 8 at 0)           elements 8 to 15
//     %c = rdregion(%b, 4 at 0)               none
//
// What may be unwritten in some executions counts, so code is only made for these; nearly
// all kernels have none. Shadows.h finds out at run time.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "devices/check/Frame.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace pocm::check {

class MayBeUnwritten {
public:
  explicit MayBeUnwritten(llvm::Function &F);

  /// A bit for each element.
  llvm::BitVector of(const llvm::Value *V) const;
  bool any(const llvm::Value *V) const;

  /// Variables in memory.
  const Frame &frame() const { return Memory; }
  /// Whether an instruction reads what may be unwritten in a variable in memory.
  bool reads(const llvm::Instruction &I) const;
  bool isOpen(const Frame::Object &Object) const;

  /// Whether an operation gives what it reads in memory, and its operand Role::Old where lanes are off.
  static bool isRead(const llvm::Instruction &I);

private:
  llvm::BitVector after(const llvm::Instruction &I) const;
  llvm::BitVector afterOperation(const llvm::CallInst &I, unsigned Count) const;
  bool writesUnwritten(const llvm::Instruction &I) const;

  const Frame Memory;
  llvm::SmallPtrSet<const Frame::Object *, 4> Spoiled;        ///< Into which something unwritten may be written.
  llvm::DenseMap<const llvm::Value *, llvm::BitVector> Known; ///< Of instructions of which any element may be.
};

/// Undefined constants, whole or in parts, become Op::Unwritten: so that everything has a value that can be looked at.
void nameUndefined(llvm::Function &F);

} // namespace pocm::check
