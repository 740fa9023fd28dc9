//===- ScaledOffsets.cpp - Offsets of elements as offsets of bytes --------------------------===//
//
//     gather <16 x i32>, scale 2, surface %s, global %g, offsets %o
//  -> %t = add %o, %g
//     %m = umin %t, 0x3FFFFFFF              an element beyond 4 GB stays beyond every surface
//     %b = shl %m, 2
//     gather <16 x i32>, scale 0, surface %s, global 0, offsets %b
//
// Why:      scattered messages take offsets in bytes, as the public dialect does.
//
//===----------------------------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {

void addGlobalOffset(CallInst &Access) {
  Value *Global = operandOf(Access, Role::GlobalOffset), *Offsets = operandOf(Access, Role::Places);
  if (match(Global, m_Zero()))
    return;
  IRBuilder<> B(&Access);
  Type *T = Offsets->getType();
  setOperand(Access, Role::Places, B.CreateAdd(Offsets, T->isVectorTy() ? splat(B, Global, T) : Global));
  setOperand(Access, Role::GlobalOffset, ConstantInt::get(Global->getType(), 0));
}

void scaleOffsets(CallInst &Access) {
  addGlobalOffset(Access);
  Value *Scale = operandOf(Access, Role::Log2Scale), *Offsets = operandOf(Access, Role::Places);
  Type *T = Offsets->getType();
  uint64_t Shift = cast<ConstantInt>(Scale)->getZExtValue();
  if (!Shift)
    return;
  IRBuilder<> B(&Access);
  Value *Inside = B.CreateBinaryIntrinsic(Intrinsic::umin, Offsets, ConstantInt::get(T, 0xFFFFFFFFu >> Shift));
  setOperand(Access, Role::Places, B.CreateShl(Inside, ConstantInt::get(T, Shift)));
  setOperand(Access, Role::Log2Scale, ConstantInt::get(Scale->getType(), 0));
}

} // namespace pocm
