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
#include "ir/Kernel.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "program/KernelNames.h"
#include "llvm/ADT/StringSet.h"
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

/// Of LLVM's: others are for linkers and profilers.
constexpr StringRef KnownLists[] = {"llvm.module.flags", "llvm.ident", "llvm.dbg.cu", "llvm.commandline"};

std::string quoted(const Value &V) { return "'" + V.getName().str() + "'"; }

/// What types programs may have. Each is looked at once: types may hold the same one again and again.
class KnownTypes {
public:
  /// Whether a variable may have the type.
  bool has(Type *T) { return of(T).Fields != TooMany; }
  /// Whether an instruction may make or take a value of the type: LLVM goes through its fields one by one.
  bool hasValues(Type *T) { return of(T).Fields <= MostFields; }
  /// Bytes of a variable, which are known to have room in the number.
  static std::uint64_t bytes(Type *T, const DataLayout &DL) { return DL.getTypeAllocSize(T).getFixedValue(); }

private:
  static constexpr std::uint64_t MostFields = 1024, TooMany = ~0ull;
  static constexpr unsigned MostDepth = 64;
  struct Size {
    std::uint64_t Fields = TooMany, Bytes = 0;
  };

  /// So many of them side by side.
  static Size times(Size One, std::uint64_t Count) {
    if (One.Fields == TooMany || Count > MostVariables || One.Fields * Count > MostVariables ||
        One.Bytes * Count > MostVariables)
      return {};
    return {One.Fields * Count, One.Bytes * Count};
  }

  Size of(Type *T, unsigned Depth = 0) {
    if (Depth > MostDepth)
      return {};
    if (auto Found = Seen.find(T); Found != Seen.end())
      return Found->second;
    const Size Result = lookAt(T, Depth);
    return Seen[T] = Result;
  }

  Size lookAt(Type *T, unsigned Depth) {
    constexpr unsigned Most = 64; // bytes that a field is aligned to, and may take more than it has
    if (auto *V = dyn_cast<FixedVectorType>(T)) {
      const Size Element = of(V->getElementType(), Depth + 1);
      return Element.Fields == TooMany || V->getNumElements() > MostElements || V->getElementType()->isPointerTy()
                 ? Size{}
                 : Size{1, Element.Bytes * V->getNumElements()};
    }
    if (auto *A = dyn_cast<ArrayType>(T)) {
      Size Element = of(A->getElementType(), Depth + 1);
      Element.Fields = std::max<std::uint64_t>(Element.Fields, 1); // LLVM goes through elements without fields, too
      return times(Element, A->getNumElements());
    }
    if (auto *S = dyn_cast<StructType>(T)) {
      Size All{0, 0};
      for (Type *Field : S->elements()) {
        const Size One = of(Field, Depth + 1);
        if (One.Fields == TooMany)
          return {};
        All = times({All.Fields + std::max<std::uint64_t>(One.Fields, 1), All.Bytes + One.Bytes + Most}, 1);
        if (All.Fields == TooMany)
          return {};
      }
      return S->isOpaque() ? Size{} : All;
    }
    if (T->isIntegerTy())
      return T->getIntegerBitWidth() <= MostIntegerBits ? Size{1, (T->getIntegerBitWidth() + 7) / 8} : Size{};
    if (T->isPointerTy())
      return T->getPointerAddressSpace() <= MostAddressSpace ? Size{1, sizeof(void *)} : Size{};
    const bool Plain = T->isVoidTy() || T->isHalfTy() || T->isBFloatTy() || T->isFloatTy() || T->isDoubleTy() ||
                       T->isLabelTy() || T->isMetadataTy();
    return Plain ? Size{1, sizeof(double)} : Size{};
  }

  DenseMap<Type *, Size> Seen;
};

/// What runs by itself, lies outside, or is laid out by hand.
std::string aboutGlobal(const GlobalVariable &G, KnownTypes &Types) {
  if (G.getName().starts_with("llvm."))
    return "it has " + quoted(G) + ", which makes functions run by themselves or keeps what is not used";
  if (G.isDeclaration() || G.isExternallyInitialized() || G.isThreadLocal() || G.hasSection() || G.hasComdat() ||
      G.hasDLLImportStorageClass() || G.hasPartition() || G.hasSanitizerMetadata() ||
      !(G.hasLocalLinkage() || G.hasExternalLinkage()))
    return "variable " + quoted(G) + " lies outside of it, or in a section of its own";
  if (G.getAlign().valueOrOne() > MostAlign)
    return "variable " + quoted(G) + " is aligned to more than " + std::to_string(MostAlign) + " bytes";
  return Types.has(G.getValueType()) && Types.has(G.getType())
             ? ""
             : "variable " + quoted(G) + " has a type that CM does not have, or is too large";
}

std::string aboutDeclaration(const Function &F) {
  bool IsKnown = isOperation(F) || is_contained(Known, F.getIntrinsicID());
  return IsKnown || F.use_empty() ? "" : "it calls " + quoted(F) + ", which is no operation of CM";
}

/// What Clang and our passes say of functions, parameters and results. Others change how code is made, call what is not
/// there, or are for the code of other languages.
constexpr Attribute::AttrKind KnownAttributes[] = {
    Attribute::Alignment,
    Attribute::AlwaysInline,
    Attribute::ByVal,
    Attribute::Captures,
    Attribute::Cold,
    Attribute::Convergent,
    Attribute::DeadOnReturn,
    Attribute::DeadOnUnwind,
    Attribute::Dereferenceable,
    Attribute::DereferenceableOrNull,
    Attribute::Hot,
    Attribute::ImmArg,
    Attribute::Initializes,
    Attribute::InlineHint,
    Attribute::Memory,
    Attribute::MinSize,
    Attribute::MustProgress,
    Attribute::NoAlias,
    Attribute::NoBuiltin,
    Attribute::NoCallback,
    Attribute::NoCreateUndefOrPoison,
    Attribute::NoDivergenceSource,
    Attribute::NoFPClass,
    Attribute::NoFree,
    Attribute::NoInline,
    Attribute::NoMerge,
    Attribute::NonNull,
    Attribute::NullPointerIsValid,
    Attribute::NoRecurse,
    Attribute::NoReturn,
    Attribute::NoSync,
    Attribute::NoUndef,
    Attribute::NoUnwind,
    Attribute::OptimizeForSize,
    Attribute::Range,
    Attribute::ReadNone,
    Attribute::ReadOnly,
    Attribute::Returned,
    Attribute::SExt,
    Attribute::Speculatable,
    Attribute::StructRet,
    Attribute::WillReturn,
    Attribute::Writable,
    Attribute::WriteOnly,
    Attribute::ZExt,
};
/// Those that are text begin so.
constexpr StringRef KnownTexts[] = {
    "CM",
    "cm.",
    "denormal-",
    "no-builtin",
    "no-trapping-math",
    "stack-protector-buffer-size",
    "uniform-work-group-size",
};

std::string aboutAttributes(const AttributeList &All, const Value &Of) {
  for (AttributeSet Set : All)
    for (Attribute A : Set) {
      if (!isKnownAttribute(A))
        return quoted(Of) + " has the attribute '" + A.getAsString() + "', which CM does not use";
      if (A.hasAttribute(Attribute::Alignment) && A.getAlignment().valueOrOne() > MostAlign)
        return quoted(Of) + " is aligned to more than " + std::to_string(MostAlign) + " bytes";
    }
  return "";
}

bool isKnownConvention(CallingConv::ID Convention) {
  return Convention == CallingConv::C || Convention == CallingConv::Fast || Convention == CallingConv::SPIR_FUNC ||
         Convention == CallingConv::SPIR_KERNEL;
}

/// How much a load or store may have below it.
std::uint64_t alignmentOf(const Instruction &I) {
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return A->getAlign().value();
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->getAlign().value();
  if (auto *S = dyn_cast<StoreInst>(&I))
    return S->getAlign().value();
  return 1;
}

/// Whether a region whose place is chosen at run time has one in its vector. Replicates may read somewhat more, which
/// is a "don't care".
bool hasRegions(const CallInst &Call) {
  constexpr std::int64_t Replicated = 4;
  auto fits = [](const Region &Where, int Count, std::int64_t Size) {
    const std::int64_t Width = Where.Width;
    return Where.isConstant() || all_of(seq(std::int64_t(Count)), [&](std::int64_t K) {
             const std::int64_t At = K / Width * Where.VStride + K % Width * Where.HStride;
             return At >= 0 && At < Size;
           });
  };
  auto *Of = const_cast<CallInst *>(&Call);
  if (auto R = RegionRead::match(Of))
    return fits(R->Where, R->count(), Replicated * countOf(R->source()->getType()));
  auto W = RegionWrite::matchMasked(Of);
  return !W || fits(W->Where, W->count(), countOf(W->old()->getType()));
}

/// Whether what an instruction takes is the address of a function, or made of one.
bool holdsFunction(const Value *V, unsigned Depth = 0) {
  constexpr unsigned Enough = 16;
  auto *C = dyn_cast<ConstantExpr>(V);
  return isa<Function>(V) ||
         (C && (Depth == Enough || any_of(C->operands(), [&](const Use &U) { return holdsFunction(U, Depth + 1); })));
}

std::string aboutCall(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return Call.isInlineAsm() ? "it holds assembly" : "it calls an address";
  if (Call.hasOperandBundles() && Callee->getIntrinsicID() != Intrinsic::assume)
    return "a call of " + quoted(*Callee) + " has operand bundles";
  if (Call.isMustTailCall() || Call.getCallingConv() != Callee->getCallingConv())
    return "a call of " + quoted(*Callee) + " is not one as CM has it";
  if (std::string Problem = aboutAttributes(Call.getAttributes(), *Callee); !Problem.empty())
    return "a call of " + Problem;
  if (auto *Fill = dyn_cast<MemIntrinsic>(&Call))
    if (auto *Length = dyn_cast<ConstantInt>(Fill->getLength()); Length && Length->getValue().ugt(MostVariables))
      return "a call of " + quoted(*Callee) + " moves more than a variable may have";
  const Op Operation = operationOf(&Call);
  if (Operation == Op::None)
    return "";
  if (std::string Wrong = wrongOperands(Call); !Wrong.empty())
    return Wrong + " (it may come from another version of PoCM)";
  if (!spellsItsTypes(Call))
    return "operation " + quoted(*Callee) + " has other types than its name says";
  if (is_contained({Op::LocalBase, Op::ProgramBase}, Operation) && !all_of(Call.args(), IsaPred<ConstantInt>))
    return "the place of a variable is known at run time only";
  return hasRegions(Call) ? "" : "a region chosen at run time is larger than its vector";
}

std::string aboutInstruction(const Instruction &I, KnownTypes &Types) {
  if (!Types.hasValues(I.getType()) ||
      any_of(I.operands(), [&](const Use &U) { return !Types.hasValues(U->getType()); }))
    return "a value has a type that CM does not have, or is too large";
  auto *Call = dyn_cast<CallInst>(&I);
  if (any_of(I.operands(), [&](const Use &U) { return !(Call && Call->isCallee(&U)) && holdsFunction(U); }))
    return "it takes the address of a function";
  if (alignmentOf(I) > MostAlign)
    return "a variable is aligned to more than " + std::to_string(MostAlign) + " bytes";
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
    if (!A.isStaticAlloca())
      return "a variable's size is known at run time only";
    return Types.has(A.getAllocatedType()) ? "" : "a variable has a type that CM does not have, or is too large";
  }
  case Instruction::Call:
    return isOptimizationFence(I) ? "" : aboutCall(cast<CallInst>(I));
  default:
    return "";
  }
}

std::string aboutFunction(const Function &F, std::uint64_t &Instructions, KnownTypes &Types) {
  if (F.hasGC() || F.hasPersonalityFn() || F.hasPrefixData() || F.hasPrologueData() || F.hasSection() ||
      F.hasComdat() || F.hasPartition() || F.isVarArg() || F.getAlign().valueOrOne() > MostAlign)
    return "function " + quoted(F) + " has more than instructions";
  if (!isKnownConvention(F.getCallingConv()))
    return "function " + quoted(F) + " is not called as those of CM";
  if (std::string Problem = aboutAttributes(F.getAttributes(), F); !Problem.empty())
    return "function " + Problem;
  if (any_of(F, [](const BasicBlock &Block) { return Block.hasAddressTaken(); }))
    return "an address inside of function " + quoted(F) + " is taken";
  const DataLayout &DL = F.getParent()->getDataLayout();
  std::uint64_t Bytes = 0;
  for (const Instruction &I : instructions(F)) {
    if (++Instructions > MostInstructions)
      return "it has more than " + std::to_string(MostInstructions) + " instructions";
    if (std::string Problem = aboutInstruction(I, Types); !Problem.empty())
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

/// What functions come to when each call is replaced by what it calls.
class Expansion {
public:
  explicit Expansion(const DataLayout &DL) : DL(DL) {}

  /// Why the function is not used; empty when it may be.
  std::string about(const Function &F) {
    const Sum All = of(F);
    if (All.Recurses)
      return "function " + quoted(F) + " calls itself, or what it calls does: CM has no recursion";
    if (All.Instructions > MostExpanded)
      return "function " + quoted(F) + " has more than " + std::to_string(MostExpanded) +
             " instructions with those that it calls";
    return All.Bytes > MostVariables ? "the variables of " + quoted(F) + " and of what it calls take more than " +
                                           std::to_string(MostVariables) + " bytes"
                                     : "";
  }

private:
  struct Sum {
    std::uint64_t Instructions = 0, Bytes = 0;
    bool Recurses = true; ///< Until all that it calls is known.
  };

  Sum of(const Function &F) {
    constexpr std::uint64_t Enough = 1ull << 40;
    if (auto [Place, New] = Known.try_emplace(&F, Sum{}); !New)
      return Place->second;
    Sum All{0, 0, false};
    for (const Instruction &I : instructions(F)) {
      ++All.Instructions;
      if (auto *A = dyn_cast<AllocaInst>(&I))
        All.Bytes += KnownTypes::bytes(A->getAllocatedType(), DL);
      auto *Call = dyn_cast<CallInst>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee->isDeclaration())
        continue;
      const Sum Called = of(*Callee);
      All.Instructions = std::min(Enough, All.Instructions + Called.Instructions);
      All.Bytes = std::min(Enough, All.Bytes + Called.Bytes);
      All.Recurses |= Called.Recurses;
    }
    return Known[&F] = All;
  }

  const DataLayout &DL;
  DenseMap<const Function *, Sum> Known;
};

} // namespace

namespace {
std::string aboutKernels(const Module &M) {
  StringSet<> Names;
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    if (!program::isKernelName(Kernel.Name))
      return "the name of a kernel is no identifier";
    if (!Names.insert(Kernel.Name).second)
      return "two kernels have the name '" + Kernel.Name + "'";
    if (!Kernel.Entry->getReturnType()->isVoidTy())
      return "kernel '" + Kernel.Name + "' returns something";
    if (any_of(Kernel.Parameters, [](const KernelParameter &P) { return P.Kind > ParameterKind::Surface; }))
      return "a parameter of kernel '" + Kernel.Name + "' is of no kind that CM has";
  }
  return "";
}
} // namespace

bool isKnownAttribute(Attribute A) {
  return A.isStringAttribute() ? any_of(KnownTexts, [&](StringRef T) { return A.getKindAsString().starts_with(T); })
                               : is_contained(KnownAttributes, A.getKindAsEnum());
}

std::string distrust(const Module &M) {
  if (!M.getModuleInlineAsm().empty())
    return "it holds assembly";
  if (!M.alias_empty() || !M.ifunc_empty())
    return "it has aliases";
  KnownTypes Types;
  std::uint64_t Instructions = 0, Bytes = 0;
  for (const GlobalVariable &G : M.globals()) {
    if (std::string Problem = aboutGlobal(G, Types); !Problem.empty())
      return Problem;
    Bytes += std::min<std::uint64_t>(M.getDataLayout().getTypeAllocSize(G.getValueType()).getFixedValue(),
                                     MostVariables + 1);
    if (Bytes > MostVariables)
      return "its variables take more than " + std::to_string(MostVariables) + " bytes";
  }
  for (const Function &F : M)
    if (std::string Problem = F.isDeclaration() ? aboutDeclaration(F) : aboutFunction(F, Instructions, Types);
        !Problem.empty())
      return Problem;
  if (std::string Problem = aboutKernels(M); !Problem.empty())
    return Problem;
  for (const NamedMDNode &List : M.named_metadata())
    if (List.getName().starts_with("llvm.") && !is_contained(KnownLists, List.getName()))
      return "it has the list '" + List.getName().str() + "', which is not for CM";
  Expansion All(M.getDataLayout());
  for (const Function &F : M)
    if (std::string Problem = F.isDeclaration() ? "" : All.about(F); !Problem.empty())
      return Problem;
  return "";
}

} // namespace pocm
