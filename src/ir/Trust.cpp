//===- Trust.cpp - CM IR from files ------------------------------------------------------===//
//
// A program file may come from anywhere. LLVM's verifier looks whether a module is well
// formed; this looks whether it is a program of CM: known operations and functions of LLVM,
// nothing that names or calls what lies outside, nothing that runs by itself, and sizes that
// code can be made for in seconds.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Trust.h"
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace pocm {
namespace {

/// Functions of LLVM that programs use, or could: arithmetic, memory, hints.
constexpr Intrinsic::ID Known[] = {
    Intrinsic::abs,
    Intrinsic::acos,
    Intrinsic::asin,
    Intrinsic::arithmetic_fence,
    Intrinsic::assume,
    Intrinsic::atan,
    Intrinsic::atan2,
    Intrinsic::bitreverse,
    Intrinsic::bswap,
    Intrinsic::canonicalize,
    Intrinsic::ceil,
    Intrinsic::copysign,
    Intrinsic::cos,
    Intrinsic::cosh,
    Intrinsic::ctlz,
    Intrinsic::ctpop,
    Intrinsic::cttz,
    Intrinsic::dbg_assign,
    Intrinsic::dbg_declare,
    Intrinsic::dbg_label,
    Intrinsic::dbg_value,
    Intrinsic::exp,
    Intrinsic::exp10,
    Intrinsic::exp2,
    Intrinsic::expect,
    Intrinsic::experimental_noalias_scope_decl,
    Intrinsic::fabs,
    Intrinsic::fake_use,
    Intrinsic::floor,
    Intrinsic::fma,
    Intrinsic::fmuladd,
    Intrinsic::fptosi_sat,
    Intrinsic::fptoui_sat,
    Intrinsic::fptrunc_round,
    Intrinsic::frexp,
    Intrinsic::fshl,
    Intrinsic::fshr,
    Intrinsic::is_constant,
    Intrinsic::is_fpclass,
    Intrinsic::ldexp,
    Intrinsic::lifetime_end,
    Intrinsic::lifetime_start,
    Intrinsic::llrint,
    Intrinsic::llround,
    Intrinsic::log,
    Intrinsic::log10,
    Intrinsic::log2,
    Intrinsic::lrint,
    Intrinsic::lround,
    Intrinsic::maximum,
    Intrinsic::maximumnum,
    Intrinsic::maxnum,
    Intrinsic::memcpy,
    Intrinsic::memcpy_inline,
    Intrinsic::memmove,
    Intrinsic::memset,
    Intrinsic::memset_inline,
    Intrinsic::minimum,
    Intrinsic::minimumnum,
    Intrinsic::minnum,
    Intrinsic::nearbyint,
    Intrinsic::pow,
    Intrinsic::powi,
    Intrinsic::ptrmask,
    Intrinsic::readcyclecounter,
    Intrinsic::rint,
    Intrinsic::round,
    Intrinsic::roundeven,
    Intrinsic::sadd_sat,
    Intrinsic::sadd_with_overflow,
    Intrinsic::scmp,
    Intrinsic::sin,
    Intrinsic::sinh,
    Intrinsic::smax,
    Intrinsic::smin,
    Intrinsic::smul_with_overflow,
    Intrinsic::sqrt,
    Intrinsic::sshl_sat,
    Intrinsic::ssub_sat,
    Intrinsic::ssub_with_overflow,
    Intrinsic::tan,
    Intrinsic::tanh,
    Intrinsic::trunc,
    Intrinsic::uadd_sat,
    Intrinsic::uadd_with_overflow,
    Intrinsic::ucmp,
    Intrinsic::umax,
    Intrinsic::umin,
    Intrinsic::umul_with_overflow,
    Intrinsic::ushl_sat,
    Intrinsic::usub_sat,
    Intrinsic::usub_with_overflow,
    Intrinsic::vector_extract,
    Intrinsic::vector_insert,
    Intrinsic::vector_reduce_add,
    Intrinsic::vector_reduce_and,
    Intrinsic::vector_reduce_fadd,
    Intrinsic::vector_reduce_fmax,
    Intrinsic::vector_reduce_fmin,
    Intrinsic::vector_reduce_fmul,
    Intrinsic::vector_reduce_mul,
    Intrinsic::vector_reduce_or,
    Intrinsic::vector_reduce_smax,
    Intrinsic::vector_reduce_smin,
    Intrinsic::vector_reduce_umax,
    Intrinsic::vector_reduce_umin,
    Intrinsic::vector_reduce_xor,
};

std::string quoted(const Value &V) { return "'" + V.getName().str() + "'"; }

/// Whether a value may have the type.
bool isBounded(Type *T, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 64;
  if (Depth > MostDepth)
    return false;
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return V->getNumElements() <= MostElements && isBounded(V->getElementType(), Depth + 1);
  if (auto *A = dyn_cast<ArrayType>(T))
    return A->getNumElements() <= MostVariables && isBounded(A->getElementType(), Depth + 1);
  if (auto *S = dyn_cast<StructType>(T))
    return !S->isOpaque() && all_of(S->elements(), [&](Type *E) { return isBounded(E, Depth + 1); });
  if (T->isIntegerTy())
    return T->getIntegerBitWidth() <= MostIntegerBits;
  return T->isVoidTy() || T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy() || T->isPointerTy() ||
         T->isLabelTy() || T->isMetadataTy();
}

/// What runs by itself, lies outside, or is laid out by hand.
std::string aboutGlobal(const GlobalVariable &G) {
  if (G.getName().starts_with("llvm."))
    return "it has " + quoted(G) + ", which makes functions run by themselves or keeps what is not used";
  if (G.isDeclaration() || G.isExternallyInitialized() || G.isThreadLocal() || G.hasSection() || G.hasComdat() ||
      G.hasAvailableExternallyLinkage() || G.hasDLLImportStorageClass())
    return "variable " + quoted(G) + " lies outside of it, or in a section of its own";
  return isBounded(G.getValueType()) ? "" : "variable " + quoted(G) + " has a type that CM does not have";
}

std::string aboutDeclaration(const Function &F) {
  bool IsKnown = isOperation(F) || is_contained(Known, F.getIntrinsicID());
  return IsKnown || F.use_empty() ? "" : "it calls " + quoted(F) + ", which is no operation of CM";
}

std::string aboutInstruction(const Instruction &I) {
  if (!isBounded(I.getType()) || any_of(I.operands(), [](const Use &U) { return !isBounded(U->getType()); }))
    return "a value has a type that CM does not have, or is too large";
  switch (I.getOpcode()) {
  case Instruction::Invoke:
  case Instruction::CallBr:
  case Instruction::IndirectBr:
  case Instruction::Resume:
  case Instruction::LandingPad:
  case Instruction::CatchPad:
  case Instruction::CatchRet:
  case Instruction::CatchSwitch:
  case Instruction::CleanupPad:
  case Instruction::CleanupRet:
  case Instruction::VAArg:
    return std::string("it has '") + I.getOpcodeName() + "', which CM does not use";
  case Instruction::Alloca: {
    auto &A = cast<AllocaInst>(I);
    return A.isStaticAlloca() && isBounded(A.getAllocatedType()) ? "" : "a variable's size is known at run time only";
  }
  case Instruction::Call: {
    auto &Call = cast<CallInst>(I);
    if (isOptimizationFence(I))
      return "";
    const Function *Callee = Call.getCalledFunction();
    if (!Callee)
      return Call.isInlineAsm() ? "it holds assembly" : "it calls an address";
    if (Call.hasOperandBundles() && Callee->getIntrinsicID() != Intrinsic::assume)
      return "a call of " + quoted(*Callee) + " has operand bundles";
    if (operationOf(&I) == Op::None)
      return "";
    if (std::string Wrong = wrongOperands(Call); !Wrong.empty())
      return Wrong + " (it may come from another version of PoCM)";
    return spellsItsTypes(Call) ? "" : "operation " + quoted(*Callee) + " has other types than its name says";
  }
  default:
    return "";
  }
}

std::string aboutFunction(const Function &F, std::uint64_t &Instructions) {
  if (F.hasGC() || F.hasPersonalityFn() || F.hasPrefixData() || F.hasPrologueData() || F.hasSection() ||
      F.hasComdat() || F.isVarArg() || F.hasFnAttribute(Attribute::Naked))
    return "function " + quoted(F) + " has more than instructions";
  const DataLayout &DL = F.getParent()->getDataLayout();
  std::uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F)) {
    if (++Instructions > MostInstructions)
      return "it has more than " + std::to_string(MostInstructions) + " instructions";
    if (std::string Problem = aboutInstruction(I); !Problem.empty())
      return Problem;
    if (auto *A = dyn_cast<AllocaInst>(&I)) {
      auto Size = A->getAllocationSize(DL);
      Bytes += Size && !Size->isScalable() && Size->getFixedValue() < MostVariables ? Size->getFixedValue()
                                                                                    : MostVariables + 1;
      if (Bytes > MostVariables)
        return "the variables of " + quoted(F) + " take more than " + std::to_string(MostVariables) + " bytes";
    }
  }
  return "";
}

} // namespace

std::string distrust(const Module &M) {
  if (!M.getModuleInlineAsm().empty())
    return "it holds assembly";
  if (!M.alias_empty() || !M.ifunc_empty())
    return "it has aliases";
  std::uint64_t Instructions = 0, Bytes = 0;
  for (const GlobalVariable &G : M.globals()) {
    if (std::string Problem = aboutGlobal(G); !Problem.empty())
      return Problem;
    Bytes += std::min<std::uint64_t>(M.getDataLayout().getTypeAllocSize(G.getValueType()).getFixedValue(),
                                     MostVariables + 1);
    if (Bytes > MostVariables)
      return "its variables take more than " + std::to_string(MostVariables) + " bytes";
  }
  for (const Function &F : M)
    if (std::string Problem = F.isDeclaration() ? aboutDeclaration(F) : aboutFunction(F, Instructions);
        !Problem.empty())
      return Problem;
  return "";
}

} // namespace pocm
