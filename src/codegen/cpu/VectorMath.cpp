//===- VectorMath.cpp - Elementary functions a register at a time ---------------------------===//
//
// LLVM computes exp2, sin and their like lane by lane. On x86 the C library has them for
// whole registers too (glibc's libmvec, names of the x86-64 vector function ABI), with errors
// of a few units in the last place:
//
//     %r = call <16 x float> @llvm.exp2.v16f32(<16 x float> %x)
//  -> %r = call <16 x float> @_ZGVeN16v_exp2f(<16 x float> %x)
//
// Halves go through float. Lanes whose result overflows, or is that of 0, libmvec computes one by one, which takes ten
// times as long as all lanes together. What is frequent of that, as a dark pixel's power or the weight of what is
// masked out, is asked for in a function of the kernel's own, where libmvec's gets other operands:
//
//   @pocm.exp2.16:
//     br (any of |%x| > 126), rare, usual
//   rare:                                              usual:
//     %y = select (|%x| > 126), (%x - 64), %x            %r = call @_ZGVeN16v_exp2f(%x)
//     %s = call @_ZGVeN16v_exp2f(%y)
//     %r = select (|%x| > 126), (%s * 2^64), %s
//
// Needs:    vectors of a register's size (splitVectors).
// Leaves:   double, other sizes, other CPUs: lane by lane.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/VectorMath.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr double MostOfExp2 = 126; ///< 2 to the power of more, or less than its negative, is computed lane by lane.

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
CallInst *callOn(IRBuilder<> &B, StringRef Stem, ArrayRef<Value *> Operands) {
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

bool hasSlowLanes(StringRef Stem) { return Stem == "exp2" || Stem == "log2" || Stem == "pow"; }

/// The lanes that libmvec would compute one by one, where they are frequent.
Value *slowLanes(IRBuilder<> &B, StringRef Stem, ArrayRef<Value *> Operands) {
  Type *T = Operands[0]->getType();
  Value *X = Operands[0], *Zero = Constant::getNullValue(T);
  if (Stem == "exp2")
    return B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, X), ConstantFP::get(T, MostOfExp2));
  if (Stem == "log2")
    return B.CreateFCmpOEQ(X, Zero);
  return B.CreateAnd(B.CreateFCmpOEQ(X, Zero), B.CreateFCmpOGT(Operands[1], Zero));
}

/// The function where there are some.
Value *callOnSlow(IRBuilder<> &B, StringRef Stem, ArrayRef<Value *> Operands, Value *Slow) {
  Type *T = Operands[0]->getType();
  Value *X = Operands[0], *Zero = Constant::getNullValue(T), *One = ConstantFP::get(T, 1);
  if (Stem == "log2")
    return B.CreateSelect(Slow, ConstantFP::getInfinity(T, true), callOn(B, Stem, {B.CreateSelect(Slow, One, X)}));
  if (Stem == "pow")
    return B.CreateSelect(Slow, Zero, callOn(B, Stem, {B.CreateSelect(Slow, One, X), Operands[1]}));
  constexpr double Step = 64; // which x may lose exactly, and twice of which ends all floats
  Constant *Most = ConstantFP::get(T, MostOfExp2), *Least = ConstantFP::get(T, -MostOfExp2);
  Value *IsLarge = B.CreateFCmpOGT(X, Zero);
  auto BySign = [&](double Large, double Small) {
    return B.CreateSelect(IsLarge, ConstantFP::get(T, Large), ConstantFP::get(T, Small));
  };
  Value *Nearer = B.CreateFSub(X, BySign(Step, -Step));
  Nearer = B.CreateSelect(B.CreateFCmpOGT(Nearer, Most), Most, Nearer);
  Nearer = B.CreateSelect(B.CreateFCmpOLT(Nearer, Least), Least, Nearer);
  Value *Power = callOn(B, Stem, {B.CreateSelect(Slow, Nearer, X)});
  return B.CreateSelect(Slow, B.CreateFMul(Power, BySign(0x1p64, 0x1p-64)), Power);
}

/// The function that asks for slow lanes first, one of the module's own for all calls in F.
Function *asking(Function &F, StringRef Stem, ArrayRef<Value *> Operands) {
  Type *T = Operands[0]->getType();
  const std::string Name = ("pocm." + Stem + "." + Twine(countOf(T))).str();
  Module &M = *F.getParent();
  if (Function *Known = M.getFunction(Name))
    return Known;
  SmallVector<Type *, 2> Types(Operands.size(), T);
  Function *Own = Function::Create(FunctionType::get(T, Types, false), GlobalValue::InternalLinkage, Name, M);
  Own->addFnAttrs(AttrBuilder(M.getContext(), F.getAttributes().getFnAttrs())); // of the target
  Own->addFnAttr(Attribute::NoInline);
  Own->setDoesNotAccessMemory();
  Own->setWillReturn();
  BasicBlock *Entry = BasicBlock::Create(M.getContext(), "", Own);
  BasicBlock *Rare = BasicBlock::Create(M.getContext(), "rare", Own);
  BasicBlock *Usual = BasicBlock::Create(M.getContext(), "usual", Own);
  SmallVector<Value *, 2> Arguments(make_pointer_range(Own->args()));
  IRBuilder<> B(Entry);
  Value *Slow = slowLanes(B, Stem, Arguments);
  Value *Any = B.CreateIsNotNull(B.CreateBitCast(Slow, B.getIntNTy(unsigned(countOf(T)))));
  B.CreateCondBr(Any, Rare, Usual, MDBuilder(M.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Rare);
  B.CreateRet(callOnSlow(B, Stem, Arguments, Slow));
  B.SetInsertPoint(Usual);
  CallInst *Jump = callOn(B, Stem, Arguments);
  Jump->setTailCall();
  B.CreateRet(Jump);
  return Own;
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
    Parts.push_back(hasSlowLanes(Stem) ? B.CreateCall(asking(*Call.getFunction(), Stem, Part), Part)
                                       : callOn(B, Stem, Part));
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
