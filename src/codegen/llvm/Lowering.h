//===- Lowering.h - What every LLVM back end shares ---------------------------===//
//
// CM IR works on values of hundreds of elements and on regions of them; LLVM's back ends
// want vectors of about a register. These passes lie between the two.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include <functional>
#include <optional>
#include <string>

namespace pocm {
class SurfacePolicy;
struct Change;
struct Part;

/// Systolic products of pairs of threads become exchanges and products of one (Pairs.cpp). While threads ask for their
/// groups.
bool expandPairs(llvm::Function &F);

/// Sums and shifts of numbers that are not negative get the form that says so (NotedBits.cpp).
bool noteBits(llvm::Function &F);
/// Rows of values that were joined from media blocks are read from the blocks (JoinedBlocks.cpp). Before those become
/// memory regions.
bool readJoinedBlocks(llvm::Function &F);
/// Media block operations become memory regions (MediaBlocks.cpp). Returns what is not supported, empty on success.
std::string lowerMediaBlocks(llvm::Function &F, const SurfacePolicy &Policy);
/// Messages to the load/store cache become older ones, blocks of two dimensions memory regions (LscAccess.cpp).
void lowerLscAccess(llvm::Function &F, const SurfacePolicy &Policy);
/// OWord blocks and scattered reads and writes become memory accesses (BufferAccess.cpp).
void lowerBufferAccess(llvm::Function &F, const SurfacePolicy &Policy);

/// Accesses to a thread's frame become loads and stores (ThreadMemory.cpp).
bool expandThreadMemory(llvm::Function &F);

/// What the program says of its values is dropped: ranges, assumptions, flags (Claims.cpp). Before accesses are
/// bounded.
bool dropClaims(llvm::Function &F);
/// What branches ask, and what places in memory are made of, has a value (Decisions.cpp). Before anything is
/// simplified.
bool settleDecisions(llvm::Function &F);
/// Accesses to variables whose place is known at run time only stay inside the variable (BoundStorage.cpp).
bool boundStorage(llvm::Function &F);

/// Writes of a region with a mask: what stays is written over itself.
bool expandMaskedWrites(llvm::Function &F);

/// Sums of systolic products do not wait for products that write other parts of a matrix (SystolicSums.cpp).
bool detachSums(llvm::Function &F);

/// Elements of systolic products that are floats: CM_PRECISION_*.
namespace precision {
enum : unsigned { Bf = 8, Hf = 9, Tf32 = 11, Bf8 = 12, Hf8 = 13, E2M1 = 14 };
} // namespace precision

struct DpasFeatures {
  bool Fused;        ///< Multiply-adds are rounded once.
  unsigned PairBits; ///< Registers in which x86 adds products of words in pairs; 0: it is another CPU.
  bool Fours;        ///< It adds four products of bytes there, too.
  bool Bfloats; ///< It adds two products of bfloat16 there, too, and what is denormal counts as 0, as it does then.
  unsigned Registers; ///< How many vector registers it has.
};
/// Adds products of two bfloat16 in a dword to floats, of a whole register, by x86's instruction.
llvm::Value *addTwos(llvm::IRBuilderBase &B, llvm::Value *Sums, llvm::Value *OfA, llvm::Value *OfB);
/// Systolic matrix products become vector arithmetic (Dpas.cpp).
bool expandDpas(llvm::Function &F, DpasFeatures Has);
/// Moves what takes results of products of a block, which are in order, behind the last of them; no change, and false,
/// where that is not possible.
bool moveUsersBehind(llvm::ArrayRef<llvm::CallInst *> Calls);

/// Approximate functions and wide products become what LLVM has instructions for (Elementary.cpp).
bool expandElementary(llvm::Function &F);

/// Integer divisions never trap (SafeDivision.cpp).
bool makeDivisionsSafe(llvm::Function &F);

/// Arithmetic that changes most of a value becomes arithmetic on all of it, where registers of `VectorBits` bits would
/// be cut otherwise (WholeChanges.cpp). After masked writes have been lowered.
bool changeWhole(llvm::Function &F, unsigned VectorBits);

/// Regions that a loop changes, and that lie among each other, are values of their own (CarriedRegions.cpp).
bool carryRegions(llvm::Function &F);

/// Matrices that are written column by column are put together of rows and read by columns (ColumnWrites.cpp).
bool writeColumnsAsRows(llvm::Function &F);

/// Whether a zero on the right of an operation on integers changes nothing: `x + 0`, `x << 0` (WholeChanges.cpp).
bool keepsWithZero(const llvm::BinaryOperator &I);

/// What parts at places known at run time cost in registers, where they need not go through memory.
struct ChosenCosts {
  std::function<std::optional<unsigned>(const Change &)> Write;
  std::function<std::optional<unsigned>(const Part &)> Read;
};

/// Values whose elements are chosen at run time live in memory and are changed there, where that is cheaper than
/// registers of `VectorBits` bits (InPlace.cpp). After media blocks and masked writes have been lowered. Leaves parts
/// that `InRegisters` knows.
bool changeInPlace(llvm::Function &F, unsigned VectorBits, const ChosenCosts &InRegisters);

/// Cuts vectors into pieces of at most `VectorBits` bits, along the rows of the regions that use them, and regions
/// into shuffles, loads and stores of pieces (SplitVectors.cpp). Leaves no CM IR region behind. Returns what it could
/// not lower, empty on success.
std::string splitVectors(llvm::Function &F, unsigned VectorBits);

} // namespace pocm
