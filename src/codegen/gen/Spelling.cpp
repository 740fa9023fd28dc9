//===- Spelling.cpp - Which vISA instruction does an operation, and with which types --------===//
#include "codegen/gen/Spelling.h"
#include "codegen/gen/Bales.h"
#include "ir/Intrinsics.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::gen {

StringRef nameOf(Opcode Code) {
  static constexpr StringRef Names[] = {
#define OPCODE(name, text) text,
#include "codegen/gen/Opcodes.def"
  };
  return Names[unsigned(Code)];
}

StringRef nameOf(Part P) {
  if (P == Part::AtomicMinSigned) // where vISA has names of its own
    return "minsint";
  if (P == Part::AtomicMaxSigned)
    return "maxsint";
  static constexpr StringRef Names[] = {
#define PART(name, text) text,
#include "codegen/gen/Parts.def"
  };
  return Names[unsigned(P)];
}

bool takesOperation(Opcode Code) {
  switch (Code) {
#define OPCODE(name, text)
#define OPCODE_OF(name, text) case Opcode::name:
#include "codegen/gen/Opcodes.def"
    return true;
  default:
    return false;
  }
}

StringRef nameOf(ElementType Type) {
  static constexpr StringRef Names[] = {"b", "ub", "w", "uw", "d", "ud", "q", "uq", "hf", "f", "df", "v", "uv", "vf"};
  return Names[unsigned(Type)];
}

unsigned bytesOf(ElementType Type) {
  static constexpr unsigned Bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 2, 2, 4};
  return Bytes[unsigned(Type)];
}

ElementType elementTypeOf(Type *T, Sign S) {
  bool U = S == Sign::Unsigned;
  if (T->isPointerTy())
    return ElementType::UQ;
  if (T->isHalfTy())
    return ElementType::HF;
  if (T->isBFloatTy())
    return U ? ElementType::UW : ElementType::W; // only ever moved
  if (T->isFloatTy())
    return ElementType::F;
  if (T->isDoubleTy())
    return ElementType::DF;
  switch (T->getIntegerBitWidth()) {
  case 8:
    return U ? ElementType::UB : ElementType::B;
  case 16:
    return U ? ElementType::UW : ElementType::W;
  case 32:
    return U ? ElementType::UD : ElementType::D;
  default:
    return U ? ElementType::UQ : ElementType::Q;
  }
}

namespace {

/// An operation, as IR numbers it, and what does it.
template <class Number> struct Row {
  Number Of;
  Spelling As;
};

constexpr Sign Signed = Sign::Signed, Unsigned = Sign::Unsigned;

constexpr Row<unsigned> Instructions[] = {
    {Instruction::Add, {Opcode::Add}},
    {Instruction::FAdd, {Opcode::Add}},
    {Instruction::Sub, {Opcode::Add, Signed, Signed, false, true}},
    {Instruction::FSub, {Opcode::Add, Signed, Signed, false, true}},
    {Instruction::Mul, {Opcode::Mul}},
    {Instruction::FMul, {Opcode::Mul}},
    {Instruction::SDiv, {Opcode::Div}},
    {Instruction::FDiv, {Opcode::Div}},
    {Instruction::UDiv, {Opcode::Div, Unsigned, Unsigned}},
    {Instruction::SRem, {Opcode::Mod}},
    {Instruction::URem, {Opcode::Mod, Unsigned, Unsigned}},
    {Instruction::Shl, {Opcode::Shl}},
    {Instruction::LShr, {Opcode::Shr, Unsigned, Unsigned}},
    {Instruction::AShr, {Opcode::Asr}},
    {Instruction::And, {Opcode::And}},
    {Instruction::Or, {Opcode::Or}},
    {Instruction::Xor, {Opcode::Xor}},
    {Instruction::ZExt, {Opcode::Mov, Unsigned, Unsigned}},
    {Instruction::UIToFP, {Opcode::Mov, Unsigned, Unsigned}},
    {Instruction::Trunc, {Opcode::Mov}},
    {Instruction::SExt, {Opcode::Mov}},
    {Instruction::SIToFP, {Opcode::Mov}},
    {Instruction::FPToSI, {Opcode::Mov}},
    {Instruction::FPTrunc, {Opcode::Mov}},
    {Instruction::FPExt, {Opcode::Mov}},
    {Instruction::FNeg, {Opcode::Mov}},
    {Instruction::FPToUI, {Opcode::Mov, Signed, Unsigned}},
};

constexpr Row<Op> Operations[] = {
    {Op::ReciprocalSqrt, {Opcode::Rsqrt}},
    {Op::Saturate, {Opcode::Mov, Signed, Signed, true}}, // by itself
    {Op::SignedProduct, {Opcode::Mul}},
    {Op::UnsignedProduct, {Opcode::Mul, Unsigned, Unsigned}},
    {Op::RotateLeft, {Opcode::Rol, Unsigned, Unsigned}},
};

constexpr Row<Intrinsic::ID> Intrinsics[] = {
    {Intrinsic::fma, {Opcode::Mad}},
    {Intrinsic::fptosi_sat, {Opcode::Mov, Signed, Signed, true}},
    {Intrinsic::fptoui_sat, {Opcode::Mov, Signed, Unsigned, true}},
    {Intrinsic::smin, {Opcode::Min}},
    {Intrinsic::minnum, {Opcode::Min}},
    {Intrinsic::umin, {Opcode::Min, Unsigned, Unsigned}},
    {Intrinsic::smax, {Opcode::Max}},
    {Intrinsic::maxnum, {Opcode::Max}},
    {Intrinsic::umax, {Opcode::Max, Unsigned, Unsigned}},
    {Intrinsic::abs, {Opcode::Mov}},
    {Intrinsic::fabs, {Opcode::Mov}},
    {Intrinsic::sadd_sat, {Opcode::Add, Signed, Signed, true}},
    {Intrinsic::uadd_sat, {Opcode::Add, Unsigned, Unsigned, true}},
    {Intrinsic::ssub_sat, {Opcode::Add, Signed, Signed, true, true}},
    {Intrinsic::usub_sat, {Opcode::Add, Unsigned, Unsigned, true, true}},
    {Intrinsic::ctpop, {Opcode::Cbit, Unsigned, Unsigned}},
    {Intrinsic::ctlz, {Opcode::Lzd, Unsigned, Unsigned}},
    {Intrinsic::cttz, {Opcode::Fbl, Unsigned, Unsigned}},
    {Intrinsic::bitreverse, {Opcode::Bfrev, Unsigned, Unsigned}},
    {Intrinsic::sqrt, {Opcode::Sqrt}},
    {Intrinsic::sin, {Opcode::Sin}},
    {Intrinsic::cos, {Opcode::Cos}},
    {Intrinsic::exp2, {Opcode::Exp}},
    {Intrinsic::log2, {Opcode::Log}},
    {Intrinsic::pow, {Opcode::Pow}},
    {Intrinsic::floor, {Opcode::Rndd}},
    {Intrinsic::ceil, {Opcode::Rndu}},
    {Intrinsic::trunc, {Opcode::Rndz}},
    {Intrinsic::rint, {Opcode::Rnde}},
    {Intrinsic::nearbyint, {Opcode::Rnde}},
    {Intrinsic::roundeven, {Opcode::Rnde}},
};

template <class Number, size_t N> std::optional<Spelling> find(const Row<Number> (&Table)[N], Number Of) {
  auto *Found = find_if(Table, [&](const Row<Number> &R) { return R.Of == Of; });
  return Found == std::end(Table) ? std::nullopt : std::optional(Found->As);
}

/// The unit for them takes float and half.
bool isElementary(Intrinsic::ID Number) {
  return is_contained({Intrinsic::sin, Intrinsic::cos, Intrinsic::exp2, Intrinsic::log2, Intrinsic::pow}, Number);
}

} // namespace

std::optional<Spelling> spellingOf(const Instruction &I) {
  if (complemented(&I))
    return Spelling{Opcode::Not};
  if (auto Found = find(Instructions, I.getOpcode()))
    return Found;
  if (auto Found = find(Operations, operationOf(&I)))
    return Found;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || (isElementary(Call->getIntrinsicID()) && I.getType()->getScalarType()->isDoubleTy()))
    return std::nullopt;
  return find(Intrinsics, Call->getIntrinsicID());
}

Part conditionOf(CmpInst::Predicate P) {
  switch (P) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
    return Part::Equal;
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_UNE:
    return Part::NotEqual;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::FCMP_OLT:
    return Part::Less;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLE:
    return Part::LessOrEqual;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::FCMP_OGT:
    return Part::Greater;
  default:
    return Part::GreaterOrEqual;
  }
}

} // namespace pocm::gen
