//===- Pairs.cpp - Systolic products of two threads that share a source ----------------------===//
//
//     %d = dpasw(%c, %b, %half, ...)   ->   %other = pair.exchange(%half)
//                                           %a = both halves, that of the even thread first
//                                           %d = dpas2(%c, %b, %a, ...)
//
// Threads of a pair are those with the linear local ids 2k and 2k + 1.
//
// Needs:    nothing.
// Leaves:   dpas2, and an exchange that Barriers.cpp makes wait.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

Value *isUpper(IRBuilder<> &B) {
  Type *Three = FixedVectorType::get(B.getInt32Ty(), 3);
  Value *Id = createOperation(B, Op::LocalId, Three, {}), *Size = createOperation(B, Op::LocalSize, Three, {});
  Value *Linear = B.CreateExtractElement(Id, 2);
  for (uint64_t K : {1, 0})
    Linear = B.CreateAdd(B.CreateMul(Linear, B.CreateExtractElement(Size, K)), B.CreateExtractElement(Id, K));
  return B.CreateTrunc(Linear, B.getInt1Ty());
}

} // namespace

bool expandPairs(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = asOperation(&I, Op::DpasPair);
    if (!Call)
      continue;
    IRBuilder<> B(Call);
    Value *Mine = operandOf(*Call, Role::MatrixA),
          *Other = createOperation(B, Op::PairExchange, Mine->getType(), {Mine});
    setLine(*cast<Instruction>(Other), lineOf(*Call));
    Value *Upper = isUpper(B);
    int Half = countOf(Mine->getType());
    Value *Whole = PoisonValue::get(ofCount(Mine->getType(), 2 * Half));
    Whole = RegionWrite::create(B, Whole, B.CreateSelect(Upper, Other, Mine), Region::contiguous(Half));
    Whole = RegionWrite::create(B, Whole, B.CreateSelect(Upper, Mine, Other), Region::contiguous(Half, Half));
    SmallVector<Value *, 9> Operands(Call->args());
    Operands[indexOf(Op::DpasPair, Role::MatrixA)] = Whole;
    Call->replaceAllUsesWith(createOperation(B, Op::Dpas, Call->getType(), Operands));
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm
