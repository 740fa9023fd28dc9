//===- Reductions.cpp - The largest and the least float of a vector --------------------------------===//
//
// LLVM's x86 back end takes the largest of a vector one lane after the other where a lane may be NaN, through as many
// comparisons as there are lanes, each of which waits for the one before. Halves of the vector need as many as its
// size has bits:
//
//     %m = reduce.fmax(<16 x float> %v)      ->      %a = maxnum(<8 x float> lanes 0 to 7, lanes 8 to 15)
//                                                    %b = maxnum(<4 x float> lanes 0 to 3 of %a, lanes 4 to 7) ...
//
// Needs:    whole vectors; halves are floats (HalfFunctions.cpp).
// Leaves:   other reductions, and vectors whose size is no power of two.
//
//===-----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

Value *reduced(IntrinsicInst &Call) {
  if (!is_contained({Intrinsic::vector_reduce_fmin, Intrinsic::vector_reduce_fmax}, Call.getIntrinsicID()))
    return nullptr;
  const Intrinsic::ID OfTwo = getMinMaxReductionIntrinsicOp(Call.getIntrinsicID());
  auto [V] = argumentsOf<1>(Call);
  unsigned Lanes = unsigned(countOf(V->getType()));
  if (!isPowerOf2_32(Lanes))
    return nullptr;
  IRBuilder<> B(&Call);
  while ((Lanes /= 2)) {
    Value *Low = B.CreateShuffleVector(V, createSequentialMask(0, Lanes, 0));
    V = B.CreateBinaryIntrinsic(OfTwo, Low, B.CreateShuffleVector(V, createSequentialMask(Lanes, Lanes, 0)));
  }
  return B.CreateExtractElement(V, std::uint64_t(0));
}

} // namespace

bool reduceInHalves(Module &M) { return replaceEach<IntrinsicInst>(M, reduced); }

} // namespace pocm::cpu
