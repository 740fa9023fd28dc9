//===- Baling.cpp - Each use gets its own copy of what an operand does --------------------===//
//
//     %r = rdregion(%m, A)              %r1 = rdregion(%m, A)
//     %x = add %r, %b            ->     %x  = add %r1, %b
//     ... other block                   ... other block
//     %y = add %r, %c                   %r2 = rdregion(%m, A)
//                                       %y  = add %r2, %c
//
// Why:      reading a region, extending an integer and negating cost nothing as part of an
//           operand, and an instruction each on their own. Results move down to the only
//           place that writes them into a larger vector.
// Needs:    whole values, regions collapsed.
// Leaves:   bales (Bales.h), the members of each right before its head.
// Not done: a region of several uses that no operand can have, which is gathered once; a read that
//           would move behind a write over the register that it reads.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/GenRegion.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// What takes as long as the move that it saves: sums, shifts, logic, products of floats.
bool isSimple(const Instruction &I) {
  auto *Operation = dyn_cast<BinaryOperator>(&I);
  return Operation && !Operation->isIntDivRem() && I.getType()->getScalarSizeInBits() <= 32 &&
         !is_contained({Instruction::Mul, Instruction::FDiv, Instruction::FRem}, Operation->getOpcode());
}

/// Whether a result is worth computing once for each of its uses: they all write it into vectors, and what it is
/// computed from stays as it is.
bool isWorthCopies(const Instruction &I) {
  return isSimple(I) && none_of(I.operands(), [](Value *V) { return isOverwritten(registerOf(V)); }) &&
         all_of(I.uses(), [&](const Use &U) {
           auto *User = cast<Instruction>(U.getUser());
           return operationOf(User) == Op::RegionWrite && U.getOperandNo() == 1 && User->getParent() == I.getParent();
         });
}

/// Whether a region takes an instruction for each few of its elements, wherever it is read.
bool isScattered(const Instruction &I) {
  auto R = RegionRead::match(const_cast<Instruction *>(&I));
  if (!R || !R->Where.isConstant() || R->count() < 4 || isPredicate(I.getType()))
    return false;
  SmallVector<int, 4> First;
  for (int K = 0; K < 4; ++K)
    First.push_back(R->Where.element(K) - R->Where.Offset);
  return !sourceRegion(First, {.ElementBytes = elementBytes(I.getType()), .Aligned = false});
}

/// Worth a copy per use: free in an operand.
bool isFree(const Instruction &I, const Instruction &User, unsigned Index) {
  if (!I.hasOneUse() && isScattered(I))
    return false;
  bool Computes = is_contained({Op::RegionWrite, Op::Saturate}, operationOf(&User)) && isVectorInstruction(I);
  return canBale(I, User, Index) && (!Computes || I.hasOneUse() || isWorthCopies(I));
}

/// Makes operand `U` of an instruction part of its bale where that is possible.
bool join(Use &U) {
  auto *I = dyn_cast<Instruction>(U.get());
  auto *User = cast<Instruction>(U.getUser());
  if (!I || isa<PHINode>(User) || !isFree(*I, *User, U.getOperandNo()))
    return false;
  bool Only = I->hasOneUse();
  if (Only && I->getNextNode() == User)
    return false;
  if (Only) {
    I->moveBefore(User->getIterator());
    return true;
  }
  Instruction *Copy = I->clone();
  Copy->insertBefore(User->getIterator());
  U.set(Copy);
  return true;
}

} // namespace

bool formBales(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (Instruction *I = Block.getTerminator(); I; I = I->getPrevNode())
        for (Use &U : I->operands())
          Changed |= join(U);
  for (Function &F : M)
    for (BasicBlock &Block : F)
      for (Instruction *I = Block.getTerminator(), *Before; I; I = Before) { // users before what they use
        Before = I->getPrevNode();
        if (I->use_empty() && (RegionRead::match(I) || isa<ZExtInst, SExtInst, BinaryOperator>(I)))
          I->eraseFromParent(), Changed = true;
      }
  return Changed;
}

} // namespace pocm::gen
