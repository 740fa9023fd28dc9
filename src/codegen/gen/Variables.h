//===- Variables.h - Which values share a register variable -----------------------------===//
//
// vISA has variables, not SSA values; the finalizer gives them registers. A value that a
// region write changes and the result of that write want to be one variable, else the
// whole vector has to be copied first; so do a phi and what comes in:
//
//     %w = wrregion(%old, %x, ...)       V3(1,0)<1> = ...            %old dies here
//                                        V4 = V3; V4(1,0)<1> = ...   it is read later on
//
// Registers that a message fills and that then move into a larger variable, right behind the message, are those of that
// variable:
//
//     %m = oword read <32 x i32>                  oword_ld (8) T6 V34 V41.0       V41 is V34 from register 4 on
//     %w = wrregion(%old, %m, 32..63)
//
// Values share a variable when no point of the program needs both. Functions share the variables of their kernel: what
// is given to a parameter shares its variable, if no other call comes in between, and so do results. It is the step
// gen-coalescing of emission.
//
//===--------------------------------------------------------------------------------------===//
#pragma once

#include "ir/Intrinsics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <vector>

namespace pocm::gen {

class Variables {
public:
  /// Of a kernel and the functions that it calls. Without `Coalesce` every value has a variable of its own.
  Variables(llvm::ArrayRef<llvm::Function *> Functions, bool Coalesce, unsigned GrfBytes);

  /// The number of the variable that holds a register value (not an alias, not part of a larger bale).
  unsigned variableOf(const llvm::Value *Register) const;
  /// That of a result of a function that others call.
  unsigned resultOf(const llvm::Function &F, unsigned Index) const { return leader(FirstResult.lookup(&F) + Index); }
  /// Variables are numbered below this.
  unsigned count() const { return unsigned(Parent.size()); }
  /// Where the result of a message is put: the value whose variable it is a part of, and at which byte.
  struct Place {
    const llvm::CallInst *Whole;
    unsigned At;
  };
  std::optional<Place> placeOf(const llvm::Instruction &Message) const;
  /// Whether what a region write moves is there already.
  bool isThere(const llvm::Instruction &Write) const { return There.contains(&Write); }
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
  llvm::DenseMap<const llvm::Instruction *, Place> Places;
  llvm::SmallPtrSet<const llvm::Instruction *, 16> There;

  using Functions = llvm::ArrayRef<llvm::Function *>;
  void number(Functions All);
  int findRanges(llvm::Function &F, int Position);
  void mergeWrites(Functions All);
  void mergePhis(Functions All);
  void mergeCalls(Functions All);
  void placeResults(Functions All, unsigned GrfBytes);
  void placeResult(llvm::Instruction &Message, unsigned GrfBytes);
  void addCall(const llvm::Function &Callee, int Here, bool Direct);
  void sumLive();
  unsigned leader(unsigned N) const;
  bool overlap(const Range &A, const Range &B) const;
  bool merge(const llvm::Value *A, const llvm::Value *B) { return merge(Number.lookup(A), Number.lookup(B)); }
  bool merge(unsigned A, unsigned B);
};

/// Messages whose result is whole registers, of all channels.
bool fillsRegisters(Op Operation);

/// The types of what a function returns: several, one or none.
llvm::SmallVector<llvm::Type *, 2> resultsOf(const llvm::Function &F);

/// Whether a value lives in a general register variable.
bool needsRegister(const llvm::Value &V);

/// The register values that the bale of `Head` reads.
llvm::SmallVector<llvm::Value *, 8> registersRead(llvm::Instruction &Head);

} // namespace pocm::gen
