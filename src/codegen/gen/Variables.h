//===- Variables.h - Which values share a register variable -----------------------------===//
//
// vISA has variables, not SSA values; the finalizer gives them registers. A value that a
// region write changes and the result of that write want to be one variable, else the
// whole vector has to be copied first; so do a phi and what comes in:
//
//     %w = wrregion(%old, %x, ...)       V3(1,0)<1> = ...            %old dies here
//                                        V4 = V3; V4(1,0)<1> = ...   it is read later on
//
// Values share a variable when no point of the program needs both. Functions share the variables of their kernel: what
// is given to a parameter shares its variable, if no other call comes in between, and so do results. It is the step
// gen-coalescing of emission.
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
  /// Of a kernel and the functions that it calls. Without `Coalesce` every value has a variable of its own.
  Variables(llvm::ArrayRef<llvm::Function *> Functions, bool Coalesce);

  /// The number of the variable that holds a register value (not an alias, not part of a larger bale).
  unsigned variableOf(const llvm::Value *Register) const;
  /// That of a result of a function that others call.
  unsigned resultOf(const llvm::Function &F, unsigned Index) const { return leader(FirstResult.lookup(&F) + Index); }
  /// Variables are numbered below this.
  unsigned count() const { return unsigned(Parent.size()); }
  /// Bytes of variables that hold something when the bale of `Head` has read its operands.
  unsigned liveBytes(const llvm::Instruction &Head) const;

private:
  struct Segment {
    int First, Last; // slots, both included: an instruction reads at 2n and writes at 2n + 1
  };
  using Range = std::vector<Segment>;

  const bool Coalesce;
  llvm::DenseMap<const llvm::Value *, unsigned> Number;
  llvm::DenseMap<const llvm::Function *, unsigned> FirstResult;
  std::vector<llvm::Type *> Types;
  mutable std::vector<unsigned> Parent;
  std::vector<Range> Ranges;                       // of the whole class, at its leader
  llvm::DenseMap<const llvm::Value *, int> Starts; // slot that an instruction writes at
  llvm::DenseMap<const llvm::Instruction *, int> Positions;
  std::vector<int> Live; // bytes by slot

  using Functions = llvm::ArrayRef<llvm::Function *>;
  void number(Functions All);
  int findRanges(llvm::Function &F, int Position);
  void mergeWrites(Functions All);
  void mergePhis(Functions All);
  void mergeCalls(Functions All);
  void addCall(const llvm::Function &Callee, int Here, bool Direct);
  void sumLive();
  unsigned leader(unsigned N) const;
  bool overlap(const Range &A, const Range &B) const;
  bool merge(const llvm::Value *A, const llvm::Value *B) { return merge(Number.lookup(A), Number.lookup(B)); }
  bool merge(unsigned A, unsigned B);
};

/// The types of what a function returns: several, one or none.
llvm::SmallVector<llvm::Type *, 2> resultsOf(const llvm::Function &F);

/// Whether a value lives in a general register variable.
bool needsRegister(const llvm::Value &V);

/// The register values that the bale of `Head` reads.
llvm::SmallVector<llvm::Value *, 8> registersRead(llvm::Instruction &Head);

} // namespace pocm::gen
