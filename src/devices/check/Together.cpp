//===- Together.cpp - Checks that stand together, and blocks that are checked as one --------===//

#include "devices/check/Together.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::check {

Instruction *earliest(Instruction &I, ArrayRef<Value *> Known) {
  Instruction *At = &I;
  while (Instruction *Before = At->getPrevNode()) {
    if (Before->mayHaveSideEffects() || isa<PHINode, AllocaInst>(Before) || is_contained(Known, Before))
      break;
    At = Before;
  }
  return At;
}

namespace {
/// A row as a value and a number.
std::pair<Value *, std::int64_t> rowOf(Value *Y) {
  Value *Base;
  const APInt *Add;
  if (match(Y, m_AddLike(m_Value(Base), m_APInt(Add))))
    return {Base, Add->getSExtValue()};
  if (match(Y, m_APInt(Add)))
    return {nullptr, Add->getSExtValue()};
  return {Y, 0};
}

std::int64_t rowsOf(const CallInst &I) {
  auto Width = cast<ConstantInt>(operandOf(I, Role::Width))->getZExtValue();
  Type *Data = dataTypeOf(I);
  return countOf(Data) * elementBytes(Data) / std::int64_t(std::max<uint64_t>(4, PowerOf2Ceil(Width)));
}

/// Whether `Next` writes below `Last`, the last block of those that begin with `First`.
bool isBelow(const CallInst &Next, const CallInst &Last, const CallInst &First) {
  if (Next.getParent() != First.getParent() || userLine(Next) != userLine(First) || lineOf(Next) != lineOf(First) ||
      dataTypeOf(Next) != dataTypeOf(First))
    return false;
  for (Role Same : {Role::Surface, Role::X, Role::Width, Role::Plane, Role::Modifiers})
    if (operandOf(Next, Same) != operandOf(First, Same))
      return false;
  if (!isa<ConstantInt>(operandOf(First, Role::Width)))
    return false;
  auto [Base, Row] = rowOf(operandOf(Last, Role::Y));
  return rowOf(operandOf(Next, Role::Y)) == std::pair(Base, Row + rowsOf(Last));
}
} // namespace

DenseMap<Instruction *, unsigned> blocksBelow(ArrayRef<Instruction *> All) {
  DenseMap<Instruction *, unsigned> Blocks;
  SmallVector<std::pair<CallInst *, CallInst *>, 4> Open; // first and last of those that may go on, side by side
  for (Instruction *I : All) {
    if (operationOf(I) != Op::MediaWrite) {
      if (I->mayReadOrWriteMemory())
        Open.clear();
      continue;
    }
    auto *Write = cast<CallInst>(I);
    auto *Above = find_if(Open, [&](auto Group) { return isBelow(*Write, *Group.second, *Group.first); });
    if (Above != Open.end()) {
      ++Blocks[Above->first];
      Above->second = Write;
      Blocks[Write] = 0;
    } else {
      Blocks[Write] = 1;
      Open.push_back({Write, Write});
    }
  }
  return Blocks;
}

} // namespace pocm::check
