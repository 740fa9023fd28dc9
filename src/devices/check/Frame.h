//===- Frame.h - Variables of a kernel that live in memory, and who reads them first -------===//
//
// Arrays and structures that did not become values. A pointer is followed from its variable
// through geps, phis and selects; variables that share pointers are one object. Objects that
// are used in another way, whose address is given away, are not followed.
//
//     %a = alloca [4 x i32]
//     store i32 %x, %a
//     %p = gep %a, 4
//     %v = load i32, %p            ; first: no write comes before on every path
//     %w = load i32, %a            ; not first
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <memory>

namespace pocm::check {

class Frame {
public:
  explicit Frame(llvm::Function &F);

  struct Object {
    llvm::SmallVector<llvm::AllocaInst *, 1> Variables;
    llvm::SmallVector<llvm::Instruction *, 8> Reads, Writes;
  };
  /// Null for what is not followed.
  const Object *objectOf(const llvm::Value *Pointer) const;
  /// What an instruction reads or writes.
  const Object *readBy(const llvm::Instruction &I) const;
  const Object *writtenBy(const llvm::Instruction &I) const;
  /// Whether something that it reads may have been written by nobody before.
  bool mayBeFirst(const llvm::Instruction &Read) const { return First.contains(&Read); }
  const std::vector<std::unique_ptr<Object>> &objects() const { return Objects; }

private:
  void follow(llvm::AllocaInst &Variable);
  void findReads(llvm::Function &F);

  std::vector<std::unique_ptr<Object>> Objects;
  llvm::DenseMap<const llvm::Value *, Object *> Pointers;
  llvm::DenseSet<const llvm::Instruction *> First;
};

/// The pointer through which an instruction reads or writes memory; null when it does not.
llvm::Value *readPointer(const llvm::Instruction &I);
llvm::Value *writtenPointer(const llvm::Instruction &I);
/// What it writes; null for copies and fills.
llvm::Value *writtenValue(const llvm::Instruction &I);

} // namespace pocm::check
