//===- UnrollIndexed.cpp - Loops over the elements of a variable -----------------------===//
//
//     for (int i = 0; i < 16; ++i)       !llvm.loop !{!"llvm.loop.unroll.full"}
//       v(i) = a + i;                ->
//     for (int i = 0; i < 4; ++i)        and this one, too
//       v(4 + (i + 1 & 3)) += v(i);
//
// An element of a vector that is chosen at run time costs an address computation on Gen, and
// takes the vector through memory elsewhere. Loops that a constant number of times choose
// elements of a variable by their counter are unrolled, as far as that stays small; a
// `#pragma unroll` or `#pragma nounroll` of the user's stays what it is.
//
// Needs:    loops in LLVM's simple form with counters (loop-rotate, indvars).
// Leaves:   the loops as they are, with a request to LLVM's unroller, which comes next.
//
//===------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/LoopAnalyses.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned MostTimes = 64;          ///< Iterations.
constexpr unsigned MostInstructions = 1024; ///< Afterwards.
constexpr uint64_t MostBytes = 4096;        ///< Of a variable: what registers can hold.

/// What an unrolled loop knows of a value, as counters and numbers are all that it is made of.
enum class Counted : std::uint8_t {
  No,
  Fixed,  ///< Of counters of loops around it, or in it, at most.
  Changes ///< Of its own counter, too.
};

/// Such as 4 + ((i + j) & 3), which LLVM does not follow from one iteration to the next.
Counted countedFrom(Value *V, const Loop &L, ScalarEvolution &SE, unsigned Depth = 0) {
  constexpr unsigned Deepest = 8;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<ConstantInt>(V) ? Counted::Fixed : Counted::No;
  if (isa<PHINode>(I)) {
    auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(I));
    if (!Counter || !all_of(Counter->operands(), [](const SCEV *S) { return isa<SCEVConstant>(S); }))
      return Counted::No;
    if (Counter->getLoop() == &L)
      return Counted::Changes;
    return Counter->getLoop()->contains(&L) || L.contains(Counter->getLoop()) ? Counted::Fixed : Counted::No;
  }
  if (Depth == Deepest || !isa<BinaryOperator, CastInst>(I) || !I->getType()->isIntegerTy())
    return Counted::No;
  Counted All = Counted::Fixed;
  for (Value *Operand : I->operands()) {
    const Counted One = countedFrom(Operand, L, SE, Depth + 1);
    if (One == Counted::No)
      return One;
    All = std::max(All, One);
  }
  return All;
}

/// Whether an instruction chooses a place in a variable that changes from one iteration to the next, as constants do.
bool choosesElement(Instruction &I, const Loop &L, ScalarEvolution &SE) {
  auto *Address = dyn_cast<GetElementPtrInst>(&I);
  auto *Variable = Address ? dyn_cast<AllocaInst>(getUnderlyingObject(Address)) : nullptr;
  if (!Variable)
    return false;
  auto Size = Variable->getAllocationSize(I.getDataLayout());
  if (!Size || Size->getFixedValue() > MostBytes)
    return false;
  auto *Place = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Address));
  return (Place && Place->getLoop() == &L) ||
         any_of(Address->indices(), [&](Value *Index) { return countedFrom(Index, L, SE) == Counted::Changes; });
}

/// How often it runs; 0 when that is not known or too much.
unsigned timesOf(const Loop &L, ScalarEvolution &SE) {
  unsigned Times = SE.getSmallConstantTripCount(&L);
  return Times <= MostTimes ? Times : 0;
}

/// Instructions of a loop that has been unrolled, with the loops in it; 0 when it would not be.
unsigned sizeUnrolled(const Loop &L, ScalarEvolution &SE) {
  unsigned Size = 0, Times = timesOf(L, SE);
  for (BasicBlock *Block : L.blocks())
    if (none_of(L.getSubLoops(), [&](const Loop *Inner) { return Inner->contains(Block); }))
      Size += unsigned(Block->size());
  for (const Loop *Inner : L.getSubLoops())
    if (unsigned Part = sizeUnrolled(*Inner, SE))
      Size += Part;
    else
      return 0;
  return Size * Times;
}

bool request(Loop &L, ScalarEvolution &SE) {
  bool Changed = false;
  for (Loop *Inner : L.getSubLoops())
    Changed |= request(*Inner, SE);
  unsigned Size = sizeUnrolled(L, SE);
  bool Asked = any_of(ArrayRef{"llvm.loop.unroll.full", "llvm.loop.unroll.enable", "llvm.loop.unroll.disable",
                               "llvm.loop.unroll.count"},
                      [&](StringRef Name) { return findOptionMDForLoop(&L, Name); });
  bool Chooses = any_of(L.blocks(), [&](BasicBlock *Block) {
    return any_of(*Block, [&](Instruction &I) { return choosesElement(I, L, SE); });
  });
  if (!Size || Size > MostInstructions || Asked || !Chooses)
    return Changed;
  addStringMetadataToLoop(&L, "llvm.loop.unroll.full", 1);
  return true;
}

} // namespace

bool unrollIndexed(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    LoopAnalyses Now(F);
    for (Loop *L : Now.Loops)
      Changed |= request(*L, Now.SE);
  }
  return Changed;
}

} // namespace pocm
