//===- Extracts.cpp - One operation for the elements of a vector ------------------------------===//
//
//     mul (element 0 of %v), 4            %w = mul %v, 4
//     mul (element 1 of %v), 4      ->    element 0 of %w
//     mul (element 2 of %v), 4            element 1 of %w ...
//
// Why:      offsets of elements are counted in bytes, and are computed one by one from a vector of
//           indices; the vector takes an instruction or two.
// Needs:    whole vectors, before bales give each use its own copy.
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

/// Scalar operations alike but for the element: the vector, the opcode of the cast that extends its elements (or 0),
/// the operation, the constant.
using Key = std::tuple<Value *, unsigned, unsigned, ConstantInt *>;

/// What extends the element that an operation is done to; null for an element as its vector has it.
CastInst *extensionIn(const Instruction &I) {
  auto *Cast = dyn_cast<CastInst>(I.getOperand(0));
  return isa_and_nonnull<ZExtInst, SExtInst>(Cast) && !isPredicate(Cast->getSrcTy()) ? Cast : nullptr;
}

std::optional<RegionRead> elementIn(const Instruction &I) {
  CastInst *Extension = extensionIn(I);
  return RegionRead::match(Extension ? Extension->getOperand(0) : I.getOperand(0));
}

std::optional<Key> keyOf(const Instruction &I) {
  if (!is_contained({Instruction::Mul, Instruction::Shl, Instruction::Add, Instruction::And}, I.getOpcode()) ||
      I.getType()->isVectorTy() || I.getType()->getScalarSizeInBits() > 32)
    return std::nullopt;
  auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  auto R = elementIn(I);
  if (!Number || !R || !R->Where.isConstant() || !isa<Instruction>(R->source()) || isa<PHINode>(R->source()))
    return std::nullopt;
  CastInst *Extension = extensionIn(I);
  return Key{R->source(), Extension ? Extension->getOpcode() : 0u, I.getOpcode(), Number};
}

bool compute(const Key &K, ArrayRef<Instruction *> Group, unsigned GrfBytes) {
  auto [Vector, Extension, Opcode, Number] = K;
  Type *Element = Number->getType();
  int Bytes = countOf(Vector->getType()) * elementBytes(Element);
  if (Group.size() <= size_t(1 + Bytes / int(2 * GrfBytes)))
    return false;
  auto *Source = cast<Instruction>(Vector);
  IRBuilder<> B(Source->getNextNode());
  auto Count = cast<FixedVectorType>(Vector->getType())->getElementCount();
  if (Extension)
    Vector = B.CreateCast(Instruction::CastOps(Extension), Vector, VectorType::get(Element, Count));
  Value *All = B.CreateBinOp(Instruction::BinaryOps(Opcode), Vector, ConstantVector::getSplat(Count, Number));
  for (Instruction *I : Group) {
    B.SetInsertPoint(I);
    Region Where = elementIn(*I)->Where;
    I->replaceAllUsesWith(RegionRead::create(B, I->getType(), All, Where));
    I->eraseFromParent();
  }
  return true;
}

bool combineOnce(Function &F, unsigned GrfBytes) {
  MapVector<Key, SmallVector<Instruction *, 8>> Groups;
  for (Instruction &I : instructions(F))
    if (auto K = keyOf(I))
      Groups[*K].push_back(&I);
  bool Changed = false;
  for (auto &[K, Group] : Groups)
    Changed |= compute(K, Group, GrfBytes);
  return Changed;
}

} // namespace

bool combineExtracts(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M)
    while (combineOnce(F, Target.GrfBytes)) // what is done to the results of that comes next
      Changed = true;
  return Changed;
}

} // namespace pocm::gen
