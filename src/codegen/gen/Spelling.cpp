//===- Spelling.cpp - How vISA spells types, operations and conditions ----------------------===//
#include "codegen/gen/Spelling.h"
#include "codegen/gen/Bales.h"
#include "ir/Intrinsics.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

std::string letterOf(Type *T, Sign S) {
  bool U = S == Sign::Unsigned;
  if (T->isPointerTy())
    return "uq";
  if (T->isHalfTy())
    return "hf";
  if (T->isBFloatTy())
    return U ? "uw" : "w"; // only ever moved
  if (T->isFloatTy())
    return "f";
  if (T->isDoubleTy())
    return "df";
  switch (T->getIntegerBitWidth()) {
  case 8:
    return U ? "ub" : "b";
  case 16:
    return U ? "uw" : "w";
  case 32:
    return U ? "ud" : "d";
  default:
    return U ? "uq" : "q";
  }
}

std::optional<Spelling> spellingOf(const Instruction &I) {
  using S = Sign;
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
    return Spelling{"add"};
  case Instruction::Sub:
  case Instruction::FSub:
    return Spelling{"add", S::Signed, S::Signed, false, true};
  case Instruction::Mul:
  case Instruction::FMul:
    return Spelling{"mul"};
  case Instruction::SDiv:
  case Instruction::FDiv:
    return Spelling{"div"};
  case Instruction::UDiv:
    return Spelling{"div", S::Unsigned, S::Unsigned};
  case Instruction::SRem:
    return Spelling{"mod"};
  case Instruction::URem:
    return Spelling{"mod", S::Unsigned, S::Unsigned};
  case Instruction::Shl:
    return Spelling{"shl"};
  case Instruction::LShr:
    return Spelling{"shr", S::Unsigned, S::Unsigned};
  case Instruction::AShr:
    return Spelling{"asr"};
  case Instruction::And:
    return Spelling{"and"};
  case Instruction::Or:
    return Spelling{"or"};
  case Instruction::Xor:
    return Spelling{complemented(&I) ? "not" : "xor"};
  case Instruction::ZExt:
  case Instruction::UIToFP:
    return Spelling{"mov", S::Unsigned, S::Unsigned};
  case Instruction::Trunc:
  case Instruction::SExt:
  case Instruction::SIToFP:
  case Instruction::FPToSI:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FNeg:
    return Spelling{"mov"};
  case Instruction::FPToUI:
    return Spelling{"mov", S::Signed, S::Unsigned};
  default:
    break;
  }
  switch (operationOf(&I)) {
  case Op::ReciprocalSqrt:
    return Spelling{"rsqrt"};
  case Op::Saturate: // by itself
    return Spelling{"mov", S::Signed, S::Signed, true};
  case Op::SignedProduct:
    return Spelling{"mul"};
  case Op::UnsignedProduct:
    return Spelling{"mul", S::Unsigned, S::Unsigned};
  case Op::RotateLeft:
    return Spelling{"rol", S::Unsigned, S::Unsigned};
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return std::nullopt;
  bool Elementary = is_contained({Intrinsic::sin, Intrinsic::cos, Intrinsic::exp2, Intrinsic::log2, Intrinsic::pow},
                                 Call->getIntrinsicID());
  if (Elementary && I.getType()->getScalarType()->isDoubleTy()) // the unit for them takes float and half
    return std::nullopt;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::fma:
    return Spelling{"mad"};
  case Intrinsic::fptosi_sat:
    return Spelling{"mov", S::Signed, S::Signed, true};
  case Intrinsic::fptoui_sat:
    return Spelling{"mov", S::Signed, S::Unsigned, true};
  case Intrinsic::smin:
  case Intrinsic::minnum:
    return Spelling{"min"};
  case Intrinsic::umin:
    return Spelling{"min", S::Unsigned, S::Unsigned};
  case Intrinsic::smax:
  case Intrinsic::maxnum:
    return Spelling{"max"};
  case Intrinsic::umax:
    return Spelling{"max", S::Unsigned, S::Unsigned};
  case Intrinsic::abs:
  case Intrinsic::fabs:
    return Spelling{"mov"};
  case Intrinsic::sadd_sat:
    return Spelling{"add", S::Signed, S::Signed, true};
  case Intrinsic::uadd_sat:
    return Spelling{"add", S::Unsigned, S::Unsigned, true};
  case Intrinsic::ssub_sat:
    return Spelling{"add", S::Signed, S::Signed, true, true};
  case Intrinsic::usub_sat:
    return Spelling{"add", S::Unsigned, S::Unsigned, true, true};
  case Intrinsic::ctpop:
    return Spelling{"cbit", S::Unsigned, S::Unsigned};
  case Intrinsic::ctlz:
    return Spelling{"lzd", S::Unsigned, S::Unsigned};
  case Intrinsic::cttz:
    return Spelling{"fbl", S::Unsigned, S::Unsigned};
  case Intrinsic::bitreverse:
    return Spelling{"bfrev", S::Unsigned, S::Unsigned};
  case Intrinsic::sqrt:
    return Spelling{"sqrt"};
  case Intrinsic::sin:
    return Spelling{"sin"};
  case Intrinsic::cos:
    return Spelling{"cos"};
  case Intrinsic::exp2:
    return Spelling{"exp"};
  case Intrinsic::log2:
    return Spelling{"log"};
  case Intrinsic::pow:
    return Spelling{"pow"};
  case Intrinsic::floor:
    return Spelling{"rndd"};
  case Intrinsic::ceil:
    return Spelling{"rndu"};
  case Intrinsic::trunc:
    return Spelling{"rndz"};
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Spelling{"rnde"};
  default:
    return std::nullopt;
  }
}

const char *conditionOf(CmpInst::Predicate P) {
  switch (P) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
    return "eq";
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_UNE:
    return "ne";
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::FCMP_OLT:
    return "lt";
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLE:
    return "le";
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
  case CmpInst::FCMP_OGT:
    return "gt";
  default:
    return "ge";
  }
}

} // namespace pocm::gen
