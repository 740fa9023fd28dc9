//===- VectorMath.cpp - Elementary functions a register at a time ---------------------------===//
//
// LLVM computes exp2, sin and their like lane by lane. On x86 the C library has them for
// whole registers too (glibc's libmvec, names of the x86-64 vector function ABI), with errors
// of a few units in the last place:
//
//     %r = call <16 x float> @llvm.exp2.v16f32(<16 x float> %x)
//  -> %r = call <16 x float> @_ZGVeN16v_exp2f(<16 x float> %x)
//
// Halves go through float.
//
// Needs:    vectors of a register's size (splitVectors).
// Leaves:   double, other sizes, other CPUs: lane by lane.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/VectorMath.h"
#include "codegen/cpu/Lowering.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// The C library's name of an intrinsic's function, without width and type; empty for others.
StringRef stemOf(Intrinsic::ID Id) {
  switch (Id) {
#define VECTOR_MATH(name, operands)                                                                                    \
  case Intrinsic::name:                                                                                                \
    return #name;
#include "codegen/cpu/VectorMath.def"
  default:
    return "";
  }
}

/// The function on a register's floats.
Value *callOn(IRBuilder<> &B, StringRef Stem, ArrayRef<Value *> Operands) {
  Type *T = Operands[0]->getType();
  SmallVector<Type *, 2> Types(Operands.size(), T);
  std::string Name = vectorMathName(Stem, unsigned(cast<FixedVectorType>(T)->getNumElements()), unsigned(Types.size()));
  Module *M = B.GetInsertBlock()->getModule();
  FunctionCallee Callee = M->getOrInsertFunction(Name, FunctionType::get(T, Types, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setDoesNotAccessMemory();
  return B.CreateCall(Callee, Operands);
}

/// The same on any multiple of `Lanes`, in any type that float holds.
Value *callInParts(IntrinsicInst &Call, StringRef Stem, unsigned Lanes) {
  IRBuilder<> B(&Call);
  auto *T = cast<FixedVectorType>(Call.getType());
  Type *Floats = FixedVectorType::get(B.getFloatTy(), T->getNumElements());
  SmallVector<Value *, 2> Operands;
  for (Value *Operand : Call.args())
    Operands.push_back(B.CreateFPExt(Operand, Floats));
  SmallVector<Value *, 4> Parts;
  for (unsigned From = 0; From < T->getNumElements(); From += Lanes) {
    SmallVector<Value *, 2> Part;
    for (Value *Operand : Operands)
      Part.push_back(B.CreateShuffleVector(Operand, createSequentialMask(From, Lanes, 0)));
    Parts.push_back(callOn(B, Stem, Part));
  }
  return B.CreateFPTrunc(concatenateVectors(B, Parts), T);
}

} // namespace

std::string vectorMathName(StringRef Stem, unsigned Lanes, unsigned Operands) {
  char Isa = Lanes == 16 ? 'e' : Lanes == 8 ? 'd' : 'b'; // AVX-512, AVX2, SSE
  return (Twine("_ZGV") + Twine(Isa) + "N" + Twine(Lanes) + (Operands == 2 ? "vv_" : "v_") + Stem + "f").str();
}

bool takeVectorMath(Function &F, unsigned VectorBits) {
  SmallVector<IntrinsicInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && !stemOf(Call->getIntrinsicID()).empty())
      Calls.push_back(Call);
  bool Changed = false;
  for (IntrinsicInst *Call : Calls) {
    auto *T = dyn_cast<FixedVectorType>(Call->getType());
    if (!T || T->getScalarSizeInBits() > 32)
      continue;
    constexpr unsigned Least = 4;
    unsigned Lanes = std::min(T->getNumElements(), VectorBits / 32);
    if (Lanes < Least || !isPowerOf2_32(Lanes) || T->getNumElements() % Lanes)
      continue;
    Call->replaceAllUsesWith(callInParts(*Call, stemOf(Call->getIntrinsicID()), Lanes));
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
