//===- Variables.h - Which values share a register variable -----------------------------===//
//
// vISA has variables, not SSA values; the finalizer gives them registers. A value that a
// region write changes and the result of that write want to be one variable, else the
// whole vector has to be copied first; so do a phi and what comes in:
//
//     %w = wrregion(%old, %x, ...)       V3(1,0)<1> = ...            %old dies here
//                                        V4 = V3; V4(1,0)<1> = ...   it is read later on
//
// Values share a variable when no point of the program needs both.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace pocm::gen {

class Variables {
public:
  explicit Variables(llvm::Function &F);

  /// The number of the variable that holds a register value (not an alias, not part of a larger bale).
  unsigned variableOf(const llvm::Value *Register) const;
  /// Variables are numbered below this.
  unsigned count() const { return unsigned(Parent.size()); }
  /// Bytes of variables that hold something when the bale of `Head` has read its operands.
  unsigned liveBytes(const llvm::Instruction &Head) const;

private:
  struct Segment {
    int First, Last; // slots, both included: an instruction reads at 2n and writes at 2n + 1
  };
  using Range = std::vector<Segment>;

  llvm::DenseMap<const llvm::Value *, unsigned> Number;
  std::vector<const llvm::Value *> Values;
  mutable std::vector<unsigned> Parent;
  std::vector<Range> Ranges;                       // of the whole class, at its leader
  llvm::DenseMap<const llvm::Value *, int> Starts; // slot that an instruction writes at
  llvm::DenseMap<const llvm::Instruction *, int> Positions;
  std::vector<int> Live; // bytes by slot

  void number(llvm::Function &F);
  void findRanges(llvm::Function &F);
  void sumLive();
  unsigned leader(unsigned N) const;
  bool overlap(const Range &A, const Range &B) const;
  bool merge(const llvm::Value *A, const llvm::Value *B);
};

/// Whether a value lives in a general register variable.
bool needsRegister(const llvm::Value &V);

/// The register values that the bale of `Head` reads.
llvm::SmallVector<llvm::Value *, 8> registersRead(llvm::Instruction &Head);

} // namespace pocm::gen
