//===- Freezes.cpp - Values that are the same for all who read them -------------------------===//
//
//     %b = freeze <16 x i1> %a      ->  %a
//     %b = freeze i32 poison        ->  0
//
// A register has the same bits for all readers. Until LLVM has folded its last constants its
// freezes say so, for what it folds an operation to that has no value may be anything to each of
// them: `(c & a) | (~c & b)` without a value where `b` has none and `c` does not ask for it.
//
// Needs:    nothing.
// Leaves:   no freezes.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// A constant with 0 in elements that have no value.
Constant *withValues(Constant *C) {
  C = Constant::replaceUndefsWith(C, Constant::getNullValue(C->getType()->getScalarType()));
  return isa<UndefValue>(C) ? Constant::getNullValue(C->getType()) : C;
}

Value *frozen(FreezeInst &Freeze) {
  Value *V = Freeze.getOperand(0);
  auto *C = dyn_cast<Constant>(V);
  return C ? withValues(C) : V;
}

} // namespace

bool dropFreezes(Module &M, const GenTarget &) { return replaceEach<FreezeInst>(M, frozen); }

} // namespace pocm::gen
