//===- ArraysTogether.cpp - Which arrays get registers, where they do not get them all ----------===//
//
//     %a = alloca [700 x i32]   ; accessed in a loop          in registers
//     %b = alloca [700 x i32]   ; once                   ->   in scratch memory
//
// An array whose elements are chosen at run time can only be spilled as a whole: two of them that
// do not fit would move through memory for each access. One of them stays there instead.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/gen/ArraysTogether.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/StackLifetime.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cmath>

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr double TimesInLoop = 8; ///< How often a loop is taken to run.

/// How often the instructions run that access what a pointer leads to.
double accessesOf(const Value &Pointer, const LoopInfo &Loops) {
  double All = 0;
  for (const User *U : Pointer.users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (I && isa<GetElementPtrInst>(I))
      All += accessesOf(*I, Loops);
    else if (I && !isa<LifetimeIntrinsic>(I))
      All += std::pow(TimesInLoop, Loops.getLoopDepth(I->getParent()));
  }
  return All;
}

} // namespace

DenseSet<const AllocaInst *> crowdedOut(Function &F, ArrayRef<AllocaInst *> Arrays, unsigned MostBytes) {
  struct Array {
    const AllocaInst *Variable;
    std::uint64_t Bytes;
    size_t Place; ///< Among `Arrays`.
    double PerByte = 0;
  };
  SmallVector<Array, 8> All;
  std::uint64_t Total = 0;
  for (const AllocaInst *Variable : Arrays) {
    All.push_back({Variable, Variable->getAllocationSize(F.getDataLayout())->getFixedValue(), All.size()});
    Total += All.back().Bytes;
  }
  if (Total <= MostBytes)
    return {};
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  for (Array &A : All)
    A.PerByte = accessesOf(*A.Variable, Loops) / double(A.Bytes);
  llvm::sort(All, [](const Array &A, const Array &B) {
    return std::pair(-A.PerByte, A.Place) < std::pair(-B.PerByte, B.Place);
  });
  SmallVector<const AllocaInst *, 8> Variables(Arrays);
  StackLifetime Lives(F, Variables, StackLifetime::LivenessType::May);
  Lives.run();
  SmallVector<const Array *, 8> Chosen;
  DenseSet<const AllocaInst *> Others;
  for (const Array &A : All) {
    std::uint64_t Bytes = A.Bytes;
    for (const Array *Other : Chosen)
      if (Lives.getLiveRange(A.Variable).overlaps(Lives.getLiveRange(Other->Variable)))
        Bytes += Other->Bytes;
    if (Bytes <= MostBytes)
      Chosen.push_back(&A);
    else
      Others.insert(A.Variable);
  }
  return Others;
}

} // namespace pocm::gen
