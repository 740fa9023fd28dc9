//===- Duration.cpp - Whether a thread is done soon ------------------------------===//
//
// A host thread that waits with a limit of time may only run kernels of which it is known
// that they end: without loops, or with loops that count to a small constant.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/LoopAnalyses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"

using namespace llvm;

namespace pocm::cpu {

bool endsSoon(Function &F) {
  constexpr std::uint64_t Most = 1u << 16; // instructions that run, each on whole vectors
  LoopAnalyses Now(F);
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, Now.Loops))
    return false;
  std::uint64_t Instructions = 0;
  for (BasicBlock &Block : F) {
    std::uint64_t Runs = 1;
    for (Loop *L = Now.Loops.getLoopFor(&Block); L; L = L->getParentLoop()) {
      std::uint64_t Trips = Now.SE.getSmallConstantMaxTripCount(L);
      if (!Trips || Trips > Most)
        return false;
      Runs = std::min(Runs * Trips, Most);
    }
    Instructions = std::min(Instructions + Runs * Block.size(), Most);
  }
  return Instructions < Most;
}

} // namespace pocm::cpu
