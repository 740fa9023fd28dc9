//===- Operations.cpp - How much an instruction computes ---------------------------------===//
#include "devices/check/Operations.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::check {
namespace {

/// Products of matrices: for each element of the result a multiply-add for each element of a row of A.
std::uint64_t ofMatrices(const CallInst &I) {
  auto Number = [&](Role What) {
    auto *N = dyn_cast<ConstantInt>(operandOf(I, What));
    return N ? N->getZExtValue() : 0;
  };
  const std::uint64_t Rows = Number(Role::Rows),
                      Dwords = std::uint64_t(countOf(operandOf(I, Role::MatrixA)->getType())) *
                               std::uint64_t(elementBytes(operandOf(I, Role::MatrixA)->getType())) / 4;
  if (!Rows)
    return 0;
  // A holds Rows x Depth x elements; how many of these make a dword follows from its size.
  constexpr std::uint64_t Bits[] = {0, 0, 2, 2, 4, 4, 8, 8, 16, 16, 0, 32, 8, 8, 4};
  std::uint64_t Precision = Number(Role::PrecisionA);
  std::uint64_t Width = Precision < std::size(Bits) ? Bits[Precision] : 0;
  if (!Width)
    return 0;
  return 2 * std::uint64_t(countOf(I.getType())) * (Dwords * 32 / Width / Rows);
}

/// Which intrinsics only bring a value into another type or form; casts are no operations anyway.
bool isConversion(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  const Intrinsic::ID Which = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
  return is_contained({Op::Saturate, Op::Flush, Op::FloatToSigned, Op::FloatToUnsigned}, operationOf(&I)) ||
         is_contained({Intrinsic::fptosi_sat, Intrinsic::fptoui_sat, Intrinsic::arithmetic_fence}, Which);
}

} // namespace

std::uint64_t operationsOf(const Instruction &I) {
  if (Op Operation = operationOf(&I); Operation == Op::Dpas || Operation == Op::DpasPair)
    return ofMatrices(cast<CallInst>(I));
  if (isConversion(I))
    return 0;
  auto Lanes = I.getType()->isVectorTy() ? std::uint64_t(countOf(I.getType())) : 0;
  if (isa<BinaryOperator>(I) || I.getOpcode() == Instruction::FNeg)
    return Lanes;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return operationOf(&I) != Op::None && isElementWise(I) ? Lanes : 0;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2 * Lanes;
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_fadd:
  case Intrinsic::vector_reduce_fmul:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
    return std::uint64_t(countOf(Call->getArgOperand(Call->arg_size() - 1)->getType()));
  default:
    return isElementWise(I) ? Lanes : 0;
  }
}

} // namespace pocm::check
