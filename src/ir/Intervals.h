//===- Intervals.h - What counters and places can be, where they are used ---------------------------===//
//
//     for (i = 15; i >= 0; --i) {                   i: 0 to 15
//       int k = i;
//       while (2 * k + 1 < 32) {                    k: 0 to 15 in here, 0 to 31 behind it
//         int c = 2 * k + 1;                        c: 1 to 31
//         ..
//         k = c;
//
// Intervals of integers, through loops: what a condition says holds where only its edge leads. LLVM's analyses know
// counters (ScalarEvolution) or what comes before without a loop (LazyValueInfo); places that a loop chooses are
// neither. A bound that grows from one iteration to the next goes on to the next number that something is compared
// with.
//
// Nothing is known of what may be undefined: a `freeze` can be anything.
//
//===-----------------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include <set>

namespace pocm {

class Intervals {
public:
  /// Of some integers of up to 64 bits, in a function that does not change as long as it is asked.
  Intervals(const llvm::Function &F, const llvm::DominatorTree &Dominators, llvm::ArrayRef<llvm::Value *> Asked);

  /// What one of them can be where an instruction uses it.
  llvm::ConstantRange at(llvm::Value *V, const llvm::Instruction &User) const { return in(V, User.getParent(), 0); }

private:
  using Range = llvm::ConstantRange;
  using Block = llvm::BasicBlock;

  void collect(llvm::ArrayRef<llvm::Value *> Asked);
  bool settle(const llvm::Function &F);
  Range known(llvm::Value *V) const;
  Range in(llvm::Value *V, const Block *Where, unsigned Depth) const;
  Range after(llvm::Value *V, const Block *From, const Block *To) const;
  Range made(llvm::Instruction &I, const Block *Where, unsigned Depth) const;
  Range where(llvm::Value *V, Range Now, llvm::Value *Condition, bool Holds, unsigned Depth) const;
  Range wider(const Range &Before, const Range &Now) const;

  const llvm::DominatorTree &Dominators;
  llvm::SetVector<llvm::Instruction *> Values; ///< What they are made of, and compared with.
  llvm::DenseMap<const llvm::Value *, Range> Ranges;
  std::set<std::int64_t> Steps; ///< Where bounds that grow stop.
};

} // namespace pocm
