//===- NoteAlignment.cpp - Offsets that are multiples in the source -----------------------===//
//
//     %o = mul i32 (sdiv %n, 4), 16
//     %owords = ashr i32 %o, 4
//     oword.ld(0, %in, %owords)        ->   oword.ld(0, %in, %owords), !pocm.aligned
//
// Owords are counted, and bits of a byte offset below that do not count. LLVM may leave out what makes them 0 in %o:
// (4 * %n) >> 4 are the same owords, and the check device would take 4 * %n for the offset that the source gives.
//
// Why:      only here are offsets as the source has them.
// Needs:    values, one function; nothing simplified.
// Leaves:   messages whose offset LLVM knows to be a multiple, marked where that comes from a division or mask.
//
//===---------------------------------------------------------------------------------------===//
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {
namespace {

/// Whether a value is computed with operations that take bits away.
bool takesBitsAway(const Value *V, unsigned Depth = 0) {
  constexpr unsigned Deepest = 8;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == Deepest || isa<CallBase>(I) || isa<LoadInst>(I))
    return false;
  if (I->isBitwiseLogicOp() || I->isIntDivRem() || I->isLogicalShift() || I->getOpcode() == Instruction::AShr)
    return true;
  return any_of(I->operands(), [&](const Use &U) { return takesBitsAway(U, Depth + 1); });
}

/// The source's offset of a message in front of the shift or mask of the headers, and the bits that do not count.
std::pair<Value *, unsigned> givenOffset(Value *Offset, const MessageInfo &Info) {
  Value *Given;
  const APInt *Bits;
  if (Info.Unit > 1 && match(Offset, m_Shr(m_Value(Given), m_SpecificInt(Log2_32(unsigned(Info.Unit))))))
    return {Given, Log2_32(unsigned(Info.Unit))};
  if (Info.Unit == 1 && match(Offset, m_And(m_Value(Given), m_APInt(Bits))) && Bits->isNegatedPowerOf2())
    return {Given, Bits->countr_zero()};
  return {nullptr, 0};
}

bool note(Instruction &I, const DataLayout &Layout) {
  const auto Info = messageOf(operationOf(&I));
  if (!Info || !Info->OfOwords)
    return false;
  auto [Given, Bits] = givenOffset(operandOf(cast<CallInst>(I), Role::Offset), *Info);
  if (!Given || !takesBitsAway(Given) || computeKnownBits(Given, Layout).countMinTrailingZeros() < Bits)
    return false;
  I.setMetadata(AlignedMetadata, MDNode::get(I.getContext(), {}));
  return true;
}

} // namespace

bool noteAlignment(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      Changed |= note(I, M.getDataLayout());
  return Changed;
}

} // namespace pocm
