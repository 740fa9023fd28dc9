//===- PublicMessages.cpp - Messages as the public dialect has them --------------------------===//
//
//     gather <8 x i8>, scale 0            ->  gather <8 x i32> of one byte each, and their low bytes
//     gather <8 x i32>, scale 2           ->  scale 0, offsets << 2
//     svm.gather <8 x i8>                 ->  svm.gather <32 x i8>, four of a channel, and the first of each
//     svm.block.st <12 x i32>             ->  a block of 2 owords and one of 1
//
// Why:      other compilers take what is narrower than a dword in a dword of each channel, offsets in
//           bytes, and blocks of 1, 2, 4 or 8 owords; anything else they read in their own way.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/spirv/SpirvWriter.h"
#include "ir/Lsc.h"
#include "ir/Operands.h"
#include "passes/Blocks.h"
#include "passes/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::spirv {
namespace {

/// Values of lanes that are narrower than a dword go as dwords.
void widenChannels(CallInst &I) {
  Op Operation = operationOf(&I);
  bool ByAddress = Operation == Op::SvmGather || Operation == Op::SvmScatter;
  if (!ByAddress && Operation != Op::Gather && Operation != Op::Scatter)
    return;
  const unsigned Last = indexOf(Operation, valueRole(Operation));
  Type *T = dataTypeOf(I);
  auto *Narrow = dyn_cast<FixedVectorType>(T);
  if (!Narrow || elementBytes(T) >= 4)
    return;
  IRBuilder<> B(&I);
  unsigned Channels = Narrow->getNumElements();
  auto *Dwords = FixedVectorType::get(B.getInt32Ty(), Channels);
  auto *AsInteger = FixedVectorType::get(B.getIntNTy(T->getScalarSizeInBits()), Channels);
  auto *Bytes = FixedVectorType::get(B.getInt8Ty(), 4 * Channels);
  SmallVector<Value *, 8> Operands(I.args());
  Operands[Last] = B.CreateZExt(B.CreateBitCast(Operands[Last], AsInteger), Dwords);
  if (ByAddress) { // so many bytes of a channel: the logarithm
    Operands[Last] = B.CreateBitCast(Operands[Last], Bytes);
    Operands[indexOf(Operation, Role::Log2Blocks)] = B.getInt32(elementBytes(T) == 2);
  }
  bool Reads = !I.getType()->isVoidTy();
  Value *New = createOperation(B, Operation, Reads ? Operands[Last]->getType() : I.getType(), Operands);
  if (Reads)
    I.replaceAllUsesWith(B.CreateBitCast(B.CreateTrunc(B.CreateBitCast(New, Dwords), AsInteger), T));
  I.eraseFromParent();
}

/// Where no lane is off there is nothing that such lanes keep: other compilers would move it.
void dropOldValue(CallInst &I) {
  auto M = lsc::Message::match(&I);
  if (!M || !M->hasValue() || M->writes() || !match(M->predicate(), m_AllOnes()))
    return;
  if (M->What == lsc::Kind::Atomic)
    return I.setArgOperand(M->valueOperand(), PoisonValue::get(I.getType()));
  IRBuilder<> B(&I);
  SmallVector<Value *, 16> Operands(drop_end(I.args()));
  auto Plain = M->isQuad() ? lsc::Kind::PlainLoadQuad : lsc::Kind::PlainLoad;
  I.replaceAllUsesWith(createOperation(B, lsc::Message::operation(Plain, M->Where), I.getType(), Operands));
  I.eraseFromParent();
}

} // namespace

void makeMessagesPublic(Module &M) {
  constexpr int MostOwords = 8;
  cutBlocks(M, MostOwords);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        if (is_contained({Op::Gather, Op::Scatter}, operationOf(Call)))
          scaleOffsets(*Call);
        if (lsc::Message::match(Call))
          dropOldValue(*Call);
        else
          widenChannels(*Call);
      }
}

} // namespace pocm::spirv
