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
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm {

void addGlobalOffset(CallInst &Access) {
  Value *Global = Access.getArgOperand(4), *Offsets = Access.getArgOperand(5);
  if (match(Global, m_Zero()))
    return;
  IRBuilder<> B(&Access);
  Type *T = Offsets->getType();
  Access.setArgOperand(5, B.CreateAdd(Offsets, T->isVectorTy() ? splat(B, Global, T) : Global));
  Access.setArgOperand(4, ConstantInt::get(Global->getType(), 0));
}

void scaleOffsets(CallInst &Access) {
  addGlobalOffset(Access);
  Value *Scale = Access.getArgOperand(2), *Offsets = Access.getArgOperand(5);
  Type *T = Offsets->getType();
  uint64_t Shift = cast<ConstantInt>(Scale)->getZExtValue();
  if (!Shift)
    return;
  IRBuilder<> B(&Access);
  Value *Inside = B.CreateBinaryIntrinsic(Intrinsic::umin, Offsets, ConstantInt::get(T, 0xFFFFFFFFu >> Shift));
  Access.setArgOperand(5, B.CreateShl(Inside, ConstantInt::get(T, Shift)));
  Access.setArgOperand(2, ConstantInt::get(Scale->getType(), 0));
}

} // namespace pocm
