//===- Lowering.h - CM IR to what LLVM's CPU back ends compile ----------------===//
#pragma once

#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Intrinsics.h"
#include <string>

namespace llvm {
class DIBuilder;
class TargetMachine;
} // namespace llvm

namespace pocm {
struct ChosenCosts;
struct DpasFeatures;
} // namespace pocm

namespace pocm::cpu {

class Scopes;

/// Variables of programs with the flag get copies in memory; giveVariables describes them (KeepVariables.cpp).
void keepVariables(llvm::Module &M);
bool marksVariable(const llvm::Instruction &I); ///< Belongs to no line, but to where the variable is.
void giveVariables(llvm::Function &F, llvm::DIBuilder &Builder, Scopes &Blocks);
/// What variables hold in optimised code: records that tell it stay, if any are wanted, and others go; giveValues makes
/// them records of the variables that debuggers see (VariableValues.cpp).
void takeValues(llvm::Function &F, bool Wanted);
void giveValues(llvm::Function &F, llvm::DIBuilder &Builder, Scopes &Blocks);
/// Of the program's debug information only the lines of instructions and the values of variables stay, when there is
/// any (LineTable.cpp).
void takeLines(llvm::Module &M);
/// Lines that the user wrote go into the object file.
void giveLines(llvm::Module &M, llvm::StringRef Kernel);

/// In which order the walker runs threads (Tiles.cpp).
enum class Walking : unsigned char { Rows, Tiles, NestedTiles };

/// What the walker of a kernel depends on.
struct KernelTraits {
  bool ByGroups = false;  ///< It asks for its group.
  bool Waits = false;     ///< It has barriers.
  bool Prints = false;    ///< It calls printf.
  bool Exchanges = false; ///< Its threads exchange values in pairs.
  Walking Order = Walking::Rows;
  bool Streams = false;  ///< It may write around the cache.
  bool EndsSoon = false; ///< A thread runs few instructions, whatever its arguments.
  bool ByAddress = true; ///< It may reach memory besides surfaces and variables.
  unsigned FloatControl = 0;
  unsigned SlmBytes = 0; ///< Shared local memory of a group.
};

/// Whether the operation needs the walker to go group by group (Walker.cpp).
bool concernsGroups(Op operation);

/// Gives a kernel leading parameters: the surface table, the group, the thread's position and its index in the group
/// (CpuSurfaces.cpp relies on the first two), and replaces the thread identity operations. Returns the new function
/// and notes its traits (Walker.cpp).
llvm::Function *bindThread(llvm::Function &Kernel, KernelTraits &Traits);

/// In which order threads touch memory best (Tiles.cpp). Before surface operations are lowered.
Walking walkingOf(const llvm::Function &Thread, const llvm::Argument &X, const llvm::Argument &Y);

/// Marks blocks that may be written around the cache (Streams.cpp). Before surface operations are lowered.
void markStreams(llvm::Function &F, KernelTraits &Traits);

/// CM_SW_BARRIER: the bits of a fence that only the compiler minds.
constexpr unsigned CompilerFence = 0x80;

/// Barriers and fences. A kernel that waits becomes a coroutine, which finish-coroutines (CodeGen.cpp) splits
/// (Barriers.cpp).
void lowerBarriers(llvm::Function &F, KernelTraits &Traits);
/// Makes the coroutine of a kernel that waits. After all vectors have been split.
void makeCoroutine(llvm::Function &F);
/// Vectors that live across barriers are kept in the frame, not computed again from operands that would have to be kept
/// instead. Right before LLVM's coroutine passes.
void keepVectorsAcrossBarriers(llvm::Function &F);
/// Takes away the copies that LLVM's coroutine passes make for debuggers alone (FrameRecords.cpp).
bool dropFrameCopies(llvm::Module &M);
/// What a thread keeps while it waits is known to no other. After LLVM's coroutine passes.
void nameFrames(const llvm::Function &F);
/// What a thread of the module's coroutine keeps while it waits. After LLVM's coroutine passes.
std::uint64_t frameBytes(const llvm::Module &M);

/// The types whose denormal numbers count as zero without the CPU's doing (Denormals.cpp).
struct DenormalTypes {
  bool Half, Float, Double;

  bool contains(const llvm::Type *T) const;
  /// Half, and those of float and double that a kernel wants treated differently.
  static DenormalTypes halves(unsigned FloatControl);
  static DenormalTypes others(unsigned FloatControl);
};
/// Whether a function gives an operand, one rounded to an integer, or its root: what is denormal only if the operand
/// is, and has no more digits than an operand, or, of a half, than a float.
bool choosesRoundsOrTakesRoot(llvm::Intrinsic::ID Function);
/// What is computed with numbers of those types, and its results, is flushed: by cm.flush.
bool flushDenormals(llvm::Function &F, const DenormalTypes &Which);
/// The same of float and double, for remainders and inverse functions, which the CPU's own control does not reach.
bool flushFunctions(llvm::Function &F, unsigned FloatControl);
/// Which becomes operations on bits, behind LLVM's passes.
void expandFlushes(llvm::Function &F);

/// Multiply-adds of half are rounded once (HalfMultiplyAdd.cpp).
bool fuseHalfs(llvm::Function &F, bool ToNearest);

/// Functions of halves that lose nothing in float are computed in float (HalfFunctions.cpp). Behind LLVM's passes.
bool computeHalvesInFloat(llvm::Module &M);
/// The largest and the least float of a vector are found in halves of it (Reductions.cpp).
bool reduceInHalves(llvm::Module &M);
/// Reductions that become lanes of one vector are taken together (JoinedReductions.cpp).
bool joinReductions(llvm::Module &M);
/// Quotients of vectors of integers are those of floats or doubles, rounded towards 0 (FloatDivisions.cpp). Divisions
/// are safe.
bool divideInFloat(llvm::Function &F);

/// Saturating conversions from floats to integers become plain ones between comparisons (SaturatingConversions.cpp).
bool expandSaturation(llvm::Function &F);

/// Totals of masks are counts of their bits (CountedLanes.cpp).
bool countLanes(llvm::Function &F);
/// Float sums of small integers are taken in the integers (ExactSums.cpp).
bool sumExactly(llvm::Function &F);
/// Clamped sums and differences of bytes and words are the CPU's instructions (SaturatingSums.cpp).
bool takeSaturatingSums(llvm::Function &F);
/// Integers that are cut off in the end, or fit before they are widened, are computed in fewer bits
/// (NarrowArithmetic.cpp).
bool narrowArithmetic(llvm::Function &F);
/// Bytes and words are compared with any number as such (NarrowComparisons.cpp).
bool narrowComparisons(llvm::Function &F, unsigned VectorBits);
/// The scalar that all elements are copies of; null where they are others, or known.
llvm::Value *copied(llvm::Value *V);
/// Expressions of long integers all of whose values fit in 16 or 32 bits are computed in so many (ShortIntegers.cpp).
bool shortenIntegers(llvm::Function &F);
/// Small integers that go through float and back become products of words, where those give the same (FixedPoint.cpp).
bool multiplyAsWords(llvm::Function &F, bool ToNearest);
/// Which become operations of LLVM's that each CPU has, behind LLVM's passes, or x86's own for registers of as many
/// bits.
bool expandUpperProducts(llvm::Module &M, unsigned VectorBits);
/// Saturating conversions that cannot saturate become plain ones (ExactSums.cpp).
bool dropSaturation(llvm::Function &F);

/// Masks that are bits of integers become vectors of bits (MaskRegisters.cpp). Vectors are registers.
bool keepMasks(llvm::Module &M);
/// What is done where a mask is set is one operation with a mask (MaskedOperations.cpp).
bool maskOperations(llvm::Module &M);
/// A few instructions under a mask lose the branch around them (ShortBranches.cpp). Vectors are registers.
bool removeShortBranches(llvm::Module &M);
/// The same of those around blocks of surfaces that are read, while they are messages.
bool readAnyway(llvm::Function &F);

/// Takes limits off places that loops and conditions keep inside (KnownPlaces.cpp).
bool dropKnownLimits(llvm::Module &M);
/// Loops carry the elements that they have chosen with their places (CarriedElements.cpp).
bool carryElements(llvm::Module &M);
/// What a loop carries is not chosen again by what the way back has asked (KnownChoices.cpp).
bool resolveChoices(llvm::Module &M);
/// Vectors whose elements loops only move and read are carried one by one (SeparateElements.cpp).
bool separateElements(llvm::Module &M);

/// Fields of surfaces' views are loaded in front of loops (HoistViews.cpp).
bool hoistViews(llvm::Module &M);

/// What loops take from sums of products of bytes is taken behind them (LateDifferences.cpp). Vectors are registers.
bool takeLate(llvm::Module &M);

/// Loops carry elements that fill registers as registers (CarriedSplats.cpp).
bool carrySplats(llvm::Module &M);

/// Loops that only count compare for equality, so that they may count down (Counters.cpp).
bool compareCounters(llvm::Module &M);

/// Minima and maxima with what is never NaN become selections, as x86 has them (Minima.cpp).
bool takeMinima(llvm::Module &M, bool HasHalves);

/// What is loaded in front of a check of other memory is loaded behind it (SunkLoads.cpp). Vectors are registers,
/// of which the CPU has so many.
bool sinkLoads(llvm::Module &M, unsigned Registers);

/// What is only stored, and in other blocks, is narrowed beside the stores (SunkResults.cpp).
bool sinkResults(llvm::Module &M);

/// Elements of what was loaded from a thread's own memory are loaded one by one (LoadedElements.cpp).
bool loadElements(llvm::Module &M);

/// What was written in small parts at run-time places, and is only copied, is copied in small parts (CopiedParts.cpp).
bool copySmallParts(llvm::Module &M);

/// Gathers and scatters whose places mostly follow each other are blocks where they do (LikelyBlocks.cpp). Behind what
/// knows loops by their blocks.
bool accessLikelyBlocks(llvm::Module &M);

/// Gathers and scatters that the CPU has no instructions for become loads and stores without branches, and so do those
/// gathers whose mask only asks for bounds where the instructions are slow (Gathers.cpp). Behind what knows loops by
/// their blocks.
bool expandGathers(llvm::Module &M, const llvm::TargetMachine &Machine, bool GathersAreSlow);

/// Elements that fill registers are read from memory where a vector has many of them (Broadcasts.cpp).
bool broadcastFromMemory(llvm::Module &M);

/// Loads whose elements fill registers and that are used otherwise, too, are done once (SingleReads.cpp). Behind all
/// passes that move loads.
bool readOnce(llvm::Module &M);

/// Selections and permutations of bfloat16 are those of words (BfloatMoves.cpp).
bool moveBfloatsAsWords(llvm::Module &M);

/// Products of words have 32 bits, not 64 (ShortProducts.cpp).
bool shortenProducts(llvm::Module &M);
/// Shuffles of many bytes leave no lanes open, where few are read (ByteShuffles.cpp).
bool fillByteShuffles(llvm::Module &M, unsigned VectorBits);

/// Elements chosen out of small tables become AVX-512's permutes, of bytes where it has them (Tables.cpp).
bool permuteTables(llvm::Function &F, bool HasBytes);

/// What permutes a CPU has: those of x86 in registers of `VectorBits` bits, of 256 on; of bytes in 512.
struct PermuteFeatures {
  unsigned VectorBits;
  bool X86, Bytes;
};
/// Totals of bytes and of their distances by x86's sums of eight, in registers of `VectorBits` bits (ByteSums.cpp).
bool sumBytes(llvm::Function &F, unsigned VectorBits);
/// Every second element of widened ones from the narrow ones (SecondElements.cpp).
bool takeEverySecond(llvm::Function &F);
/// 64-bit arithmetic with products between 32-bit integers, in registers of even and of odd lanes (WideProducts.cpp).
bool multiplyInPlace(llvm::Function &F, unsigned VectorBits);

/// The instructions that parts of values at places known at run time cost in registers, where they need not go through
/// memory (ChosenParts.cpp).
ChosenCosts costsOfPermutes(PermuteFeatures Has);
/// Such writes and reads, as permutes and selections. After changeInPlace.
bool permuteChosenParts(llvm::Function &F, PermuteFeatures Has);

/// What estimates a CPU has: those of x86, of vectors up to `vectorBits`.
struct EstimateFeatures {
  bool avx512, fma;
  unsigned vectorBits; ///< 0: none.
  bool addsElsewhere;  ///< The CPU's units that add and compare are others than those that multiply.
};
/// Quotients that may be approximate take the CPU's estimates (Estimates.cpp).
bool takeEstimates(llvm::Function &F, const EstimateFeatures &Has);
/// Elementary functions on whole registers of up to `VectorBits` bits by the C library (VectorMath.cpp).
bool takeVectorMath(llvm::Function &F, unsigned VectorBits);
/// Systolic products share functions where a kernel has many (SystolicCalls.cpp). For x86 with multiply-adds.
bool shareSystolicCode(llvm::Function &F, const DpasFeatures &Has);
/// Products of words of which only the total is used are added in pairs, by instructions of x86 (SumsOfProducts.cpp).
bool addPairs(llvm::Module &M, unsigned VectorBits);
/// Products of words that are added lane by lane are taken two at a time, by the same instructions (ProductPairs.cpp).
bool pairProducts(llvm::Module &M, unsigned VectorBits);
/// Adds what several sums of vectors have in common once; leaves what is dead then.
bool shareSums(llvm::Module &M);

/// Builds the walker around a bound kernel: a function of type Walk (Walker.cpp).
llvm::Function *buildWalker(llvm::Function &Bound, const KernelTraits &Traits, llvm::StringRef Name);
/// Whether a thread of the function runs few instructions, whatever its arguments (Duration.cpp).
bool endsSoon(llvm::Function &F);

/// Whether a kernel may reach memory besides its surfaces and variables (Addresses.cpp). Before surface operations are
/// lowered and the thread gets addresses of the device's.
bool reachesByAddress(const llvm::Function &Kernel);
/// Adds the KernelInfo of a module's kernel. After LLVM's coroutine passes.
void describeKernel(llvm::Module &M, const KernelTraits &Traits);

} // namespace pocm::cpu
