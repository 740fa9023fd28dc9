//===- Extracts.cpp - One operation for the elements of a vector ------------------------------===//
//
//     mul (element 0 of %v), 4            %w = mul %v, 4
//     mul (element 1 of %v), 4      ->    element 0 of %w
//     mul (element 2 of %v), 4            element 1 of %w ...
//
// Why:      offsets of elements are counted in bytes, and are computed one by one from a vector of
//           indices; the vector takes an instruction or two.
// Leaves:   elements of which too few are used to pay for the vector.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// Scalar operations alike but for the element: the vector, the operation, the constant.
using Key = std::tuple<Value *, unsigned, ConstantInt *>;

std::optional<Key> keyOf(Instruction &I) {
  if (!is_contained({Instruction::Mul, Instruction::Shl, Instruction::Add, Instruction::And}, I.getOpcode()) ||
      I.getType()->isVectorTy() || I.getType()->getScalarSizeInBits() > 32)
    return std::nullopt;
  auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  auto R = RegionRead::match(I.getOperand(0));
  if (!Number || !R || !R->Where.isConstant() || !isa<Instruction>(R->source()) || isa<PHINode>(R->source()))
    return std::nullopt;
  return Key{R->source(), I.getOpcode(), Number};
}

bool compute(const Key &K, ArrayRef<Instruction *> Group, unsigned GrfBytes) {
  auto [Vector, Opcode, Number] = K;
  int Bytes = countOf(Vector->getType()) * elementBytes(Vector->getType());
  if (Group.size() <= size_t(1 + Bytes / int(2 * GrfBytes)))
    return false;
  auto *Source = cast<Instruction>(Vector);
  IRBuilder<> B(Source->getNextNode());
  auto Count = cast<FixedVectorType>(Vector->getType())->getElementCount();
  Value *All = B.CreateBinOp(Instruction::BinaryOps(Opcode), Vector, ConstantVector::getSplat(Count, Number));
  for (Instruction *I : Group) {
    B.SetInsertPoint(I);
    Region Where = RegionRead::match(I->getOperand(0))->Where;
    I->replaceAllUsesWith(RegionRead::create(B, I->getType(), All, Where));
    I->eraseFromParent();
  }
  return true;
}

} // namespace

bool combineExtracts(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    MapVector<Key, SmallVector<Instruction *, 8>> Groups;
    for (Instruction &I : instructions(F))
      if (auto K = keyOf(I))
        Groups[*K].push_back(&I);
    for (auto &[K, Group] : Groups)
      Changed |= compute(K, Group, Target.GrfBytes);
  }
  return Changed;
}

} // namespace pocm::gen
