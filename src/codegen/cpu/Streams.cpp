//===- Streams.cpp - Blocks that may be written around the cache ------------------===//
//
//     write(out, x * 64, y, m);           whole cache lines, and the kernel does nothing else with `out`
//
// A store to a cache line that is not there reads it first. Where a surface is larger than the
// cache (SurfaceView::streams, which the device sets) and whole lines are written, that is in vain, and
// drives out what others need. This pass marks the blocks for which lowerings make both kinds of stores.
//
// Needs:    surface operations as they are in CM IR.
// Leaves:   messages as they were, with a mark.
// Not done: scattered writes, messages to the load/store cache, CPUs other than x86.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Streaming.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned CacheLine = 64;

bool writesBlock(const Instruction &I) {
  auto Message = messageOf(operationOf(&I));
  return Message && Message->isRow() && Message->Of == MessageInfo::Memory::Surface &&
         Message->Does == MessageInfo::Action::Write;
}

/// Bytes that lie side by side.
unsigned rowBytes(const CallInst &Call) {
  if (operationOf(&Call) == Op::MediaWrite) {
    auto *Width = dyn_cast<ConstantInt>(operandOf(Call, Role::Width));
    return Width ? unsigned(Width->getZExtValue()) : 0;
  }
  Type *Data = dataTypeOf(Call);
  return unsigned(countOf(Data) * elementBytes(Data));
}

bool onlyWritten(const Value *Surface) {
  return isa<Argument>(Surface) && all_of(Surface->uses(), [](const Use &U) {
           auto *User = dyn_cast<Instruction>(U.getUser());
           return User && writesBlock(*User) && U.getOperandNo() == indexOf(operationOf(User), Role::Surface);
         });
}

} // namespace

void markStreams(Function &F, KernelTraits &Traits) {
  if (!F.getParent()->getTargetTriple().isX86())
    return;
  for (Instruction &I : instructions(F)) {
    if (!writesBlock(I))
      continue;
    auto &Call = cast<CallInst>(I);
    unsigned Bytes = rowBytes(Call);
    if (Bytes == 0 || Bytes % CacheLine || !onlyWritten(operandOf(Call, Role::Surface)))
      continue;
    setStreaming(Call);
    Traits.Streams = true;
  }
}

} // namespace pocm::cpu
