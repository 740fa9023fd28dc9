//===- HalfMultiplyAdd.cpp - Multiply-adds of half, rounded once -----------------------------===//
//
//     %s = llvm.fma(<16 x half> %a, %b, %c)
//  ->  %p = float(%a) * float(%b)              exact: 22 digits
//      %s = %p + float(%c), and what it lacks, %e, exactly (Knuth's sum of two)
//      %o = %s, or its neighbour that is odd   where %e is not zero: rounded to odd
//      half(%o)                                rounds as if once, for float has more than two digits more
//
// Why:      few CPUs have the operation. LLVM makes a multiply-add of floats of it, which is rounded to float first.
//           In other rounding modes rounding the sum to float first does no harm.
//
// Needs:    multiply-adds of halves, their operands flushed.
// Leaves:   arithmetic of float, and conversions.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

Value *multiplyAdd(IRBuilder<> &B, Value *X, Value *Y, Value *Z, bool ToNearest) {
  Type *T = X->getType(), *Float = T->getWithNewType(B.getFloatTy()), *Bits = T->getWithNewType(B.getInt32Ty());
  auto Wide = [&](Value *V) { return B.CreateFPExt(V, Float); };
  Value *P = B.CreateFMul(Wide(X), Wide(Y)), *C = Wide(Z);
  Value *Sum = B.CreateFAdd(P, C);
  if (!ToNearest)
    return B.CreateFPTrunc(Sum, T);
  Value *Part = B.CreateFSub(Sum, P);
  Value *Error = B.CreateFAdd(B.CreateFSub(P, B.CreateFSub(Sum, Part)), B.CreateFSub(C, Part));
  // Toward zero where the sum is above the exact one in size, then the last digit tells that something is missing.
  Value *Inexact = B.CreateSExt(B.CreateFCmpONE(Error, Constant::getNullValue(Float)), Bits); // not of infinities
  Value *Raw = B.CreateBitCast(Sum, Bits);
  Value *Above = B.CreateAShr(B.CreateXor(Raw, B.CreateBitCast(Error, Bits)), ConstantInt::get(Bits, 31));
  Value *Odd =
      B.CreateOr(B.CreateAdd(Raw, B.CreateAnd(Above, Inexact)), B.CreateAnd(Inexact, ConstantInt::get(Bits, 1)));
  return B.CreateFPTrunc(B.CreateBitCast(Odd, Float), T);
}

} // namespace

bool fuseHalfs(Function &F, bool ToNearest) {
  return replaceEach<IntrinsicInst>(F, [&](IntrinsicInst &Call) -> Value * {
    if (Call.getIntrinsicID() != Intrinsic::fma || !Call.getType()->getScalarType()->isHalfTy())
      return nullptr;
    IRBuilder<> B(&Call);
    auto [X, Y, Z] = argumentsOf<3>(Call);
    return multiplyAdd(B, X, Y, Z, ToNearest);
  });
}

} // namespace pocm::cpu
