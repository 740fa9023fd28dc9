//===- Rotations.cpp - Rotations of dwords that one instruction does -----------------------===//
//
//     llvm.fshl(%x, %x, 7)      ->   cm.rol(%x, 7)
//     llvm.fshr(%x, %x, %n)     ->   cm.rol(%x, 32 - %n)
//
// Why:      two shifts and an or otherwise, which LLVM's simplification makes one call of.
// Needs:    rotations as LLVM writes them.
// Leaves:   other sizes, targets without the instruction, and what may be widened from fewer
//           bits or negated: the finalizer moves such operands into rol, which cannot have them.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// What moves values from one register to another, as the finalizer sees it.
bool isMove(const Instruction &I) {
  return isa<PHINode, SelectInst, BitCastInst, FreezeInst, ShuffleVectorInst>(I) ||
         is_contained({Op::RegionRead, Op::RegionWrite}, operationOf(&I));
}

/// What the finalizer may do in the operand of who reads it: it widens, negates, complements.
bool isModifier(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return isa<CastInst>(I) || I.getOpcode() == Instruction::FNeg || match(&I, m_Neg(m_Value())) ||
         match(&I, m_Not(m_Value())) ||
         (Call && is_contained({Intrinsic::abs, Intrinsic::fabs}, Call->getIntrinsicID()));
}

/// The operands with modifiers of a function, and what may be a copy of one.
class Modified {
  SmallPtrSet<const Value *, 32> All;

public:
  explicit Modified(Function &F) {
    SmallVector<const Value *, 16> Next;
    auto Note = [&](const Instruction &I) {
      if (All.insert(&I).second)
        Next.push_back(&I);
    };
    for (const Instruction &I : instructions(F))
      if (isModifier(I))
        Note(I);
    while (!Next.empty())
      for (const User *U : Next.pop_back_val()->users())
        if (const auto &I = *cast<Instruction>(U); isMove(I))
          Note(I);
  }

  bool hasInstruction(Type *T, const Value *X, const Value *By) const {
    return T->getScalarType()->isIntegerTy(32) && !All.contains(X) && !All.contains(By);
  }
};

/// One of a program that holds what only some targets have, for LLVM to do otherwise.
Value *plain(CallInst &I) {
  Value *X = operandOf(I, Role::Source);
  return IRBuilder<>(&I).CreateIntrinsic(I.getType(), Intrinsic::fshl, {X, X, operandOf(I, Role::Second)});
}

Value *rotation(IntrinsicInst &I, const Modified &Some) {
  Value *X, *By;
  bool Left = match(&I, m_FShl(m_Value(X), m_Deferred(X), m_Value(By)));
  if ((!Left && !match(&I, m_FShr(m_Value(X), m_Deferred(X), m_Value(By)))) || !Some.hasInstruction(I.getType(), X, By))
    return nullptr;
  IRBuilder<> B(&I);
  if (const APInt *Known; match(By, m_APInt(Known)))
    By = ConstantInt::get(By->getType(), Left ? Known->urem(32) : (32 - Known->urem(32)) % 32);
  else if (!Left)
    By = B.CreateSub(ConstantInt::get(By->getType(), 32), By); // no negation, see isModifier
  return createOperation(B, Op::RotateLeft, I.getType(), {X, By});
}

/// What stands for an instruction on a target with rotations or without; null for itself.
Value *replacement(Instruction &I, bool HasInstructions, const Modified &Some) {
  if (operationOf(&I) == Op::RotateLeft) {
    auto &Given = cast<CallInst>(I);
    bool Stays = HasInstructions &&
                 Some.hasInstruction(I.getType(), operandOf(Given, Role::Source), operandOf(Given, Role::Second));
    return Stays ? nullptr : plain(Given);
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && HasInstructions ? rotation(*Call, Some) : nullptr;
}

} // namespace

bool selectRotations(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    const Modified Some(F); // replacements are neither modifiers nor moves
    Changed |= replaceEach(F, [&](Instruction &I) { return replacement(I, Target.has(HasRotation), Some); });
  }
  return Changed;
}

} // namespace pocm::gen
