//===- Blocks.cpp - Rows of memory of the sizes that messages have ---------------------------===//
//
//     oword.ld <12 x i32> (48 bytes)      ->  a block of 2 owords and one of 1, put together
//     svm.block.st <19 x i64> (152 bytes) ->  8 owords, 1 oword, and 8 bytes scattered
//     oword.ld <5 x i32> (20 bytes)       ->  1 oword, and 4 bytes of the next one
//     oword.st <5 x i32> (20 bytes)       ->  1 oword, and 4 bytes scattered
//
// Why:      a block message moves 1, 2, 4 or 8 owords (16 from DG2 on).
//
//===------------------------------------------------------------------------------------------===//
#include "passes/Blocks.h"
#include "ir/Messages.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm {

std::optional<BlockShape> blockShape(Op Operation) {
  auto Message = messageOf(Operation);
  if (!Message || !Message->isRow() || Message->isImage())
    return std::nullopt;
  const bool ByAddress = Message->Of == MessageInfo::Memory::Address;
  return BlockShape{ByAddress ? Role::Address : Role::Offset, Message->Unit, ByAddress};
}

namespace {

Value *plus(IRBuilderBase &B, Value *Offset, int Add) {
  return Add ? B.CreateAdd(Offset, ConstantInt::get(Offset->getType(), unsigned(Add))) : Offset;
}

/// A value of Bytes bytes as pieces of 8, 4, 2 and 1 owords and what is left: (first byte, bytes)
SmallVector<std::pair<int, int>, 4> blocksOf(int Bytes, int MostOwords) {
  SmallVector<std::pair<int, int>, 4> Pieces;
  for (int At = 0; At < Bytes;) {
    int Owords = std::min(MostOwords, int(llvm::bit_floor(unsigned((Bytes - At) / 16))));
    int Size = Owords ? 16 * Owords : Bytes - At;
    Pieces.push_back({At, Size});
    At += Size;
  }
  return Pieces;
}

Value *allChannels(IRBuilderBase &B, Type *T) {
  return ConstantInt::getTrue(FixedVectorType::get(B.getInt1Ty(), unsigned(countOf(T))));
}

Value *readRest(IRBuilderBase &B, Value *Address, Type *T) {
  return createOperation(
      B, Op::SvmGather, T,
      {allChannels(B, T), B.getInt32(0), placesFrom(B, Address, countOf(T), elementBytes(T)), PoisonValue::get(T)});
}

/// The first elements of an oword: beyond the end of a surface or of shared local memory are zeros.
Value *readFromOword(IRBuilderBase &B, Op Operation, ArrayRef<Value *> Operands, Type *T) {
  Value *Oword = createOperation(B, Operation, ofCount(T, 16 / elementBytes(T)), Operands);
  return RegionRead::create(B, T, Oword, Region::contiguous(countOf(T)));
}

void writeRest(IRBuilderBase &B, Value *Address, Value *Data) {
  Type *T = Data->getType();
  createOperation(B, Op::SvmScatter, B.getVoidTy(),
                  {allChannels(B, T), B.getInt32(0), placesFrom(B, Address, countOf(T), elementBytes(T)), Data});
}

bool cutBlock(CallInst &I, const BlockShape &Shape, int MostOwords) {
  Op Operation = operationOf(&I);
  const bool Writes = I.getType()->isVoidTy();
  Type *T = dataTypeOf(I);
  int Size = elementBytes(T);
  auto Pieces = blocksOf(countOf(T) * Size, MostOwords);
  bool Odd = Pieces.back().second % 16 != 0;
  if (!Odd && Pieces.size() < 2)
    return false;
  IRBuilder<> B(&I);
  Value *All = PoisonValue::get(T);
  for (auto [At, Bytes] : Pieces) {
    SmallVector<Value *, 4> Operands(I.args());
    Value *&Place = Operands[indexOf(Operation, Shape.Place)];
    Place = plus(B, Place, At / Shape.Unit);
    Type *Part = ofCount(T, Bytes / Size);
    Region Where = Region::contiguous(Bytes / Size, At / Size);
    bool Rest = Bytes % 16 != 0;
    if (!Writes) {
      Value *Read = !Rest             ? createOperation(B, Operation, Part, Operands)
                    : Shape.ByAddress ? readRest(B, Place, Part)
                                      : readFromOword(B, Operation, Operands, Part);
      All = T->isVectorTy() ? RegionWrite::create(B, All, Read, Where) : B.CreateBitCast(Read, T);
      continue;
    }
    Value *&Data = Operands[indexOf(Operation, Role::Data)];
    Data = T->isVectorTy() ? RegionRead::create(B, Part, Data, Where) : B.CreateBitCast(Data, Part);
    if (Rest && Shape.ByAddress)
      writeRest(B, Place, Data);
    else if (Rest)
      scatterRow(B, operandOf(I, Role::Surface), B.CreateShl(Place, 4), Data, scatteredUnitOf(Part));
    else
      createOperation(B, Operation, I.getType(), Operands);
  }
  if (!Writes)
    I.replaceAllUsesWith(All);
  I.eraseFromParent();
  return true;
}

} // namespace

Value *placesFrom(IRBuilderBase &B, Value *First, int Count, int Size) {
  auto *T = FixedVectorType::get(First->getType(), unsigned(Count));
  SmallVector<Constant *, 32> Places;
  for (int K = 0; K < Count; ++K)
    Places.push_back(ConstantInt::get(First->getType(), unsigned(K * Size)));
  return B.CreateAdd(splat(B, First, T), ConstantVector::get(Places));
}

int scatteredUnitOf(Type *T) { return countOf(T) * elementBytes(T) % 4 ? elementBytes(T) : 4; }

Value *scatterRow(IRBuilderBase &B, Value *Surface, Value *First, Value *Data, int Unit) {
  const int Count = countOf(Data->getType()) * elementBytes(Data->getType()) / Unit;
  auto *Units = FixedVectorType::get(B.getIntNTy(unsigned(8 * Unit)), unsigned(Count));
  auto *Known = dyn_cast<Constant>(Data);
  Data = Known ? ConstantFoldCastOperand(Instruction::BitCast, Known, Units, B.GetInsertBlock()->getDataLayout())
               : B.CreateBitCast(Data, Units);
  return createOperation(B, Op::Scatter, B.getVoidTy(),
                         {allChannels(B, Units), B.getInt32(Log2_32(unsigned(Unit))), B.getInt16(0), Surface,
                          B.getInt32(0), placesFrom(B, First, Count, Unit), Data});
}

bool cutBlocks(Module &M, int MostOwords) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto Shape = blockShape(operationOf(&I)))
        Changed |= cutBlock(cast<CallInst>(I), *Shape, MostOwords);
  return Changed;
}

} // namespace pocm
