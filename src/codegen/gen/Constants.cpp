//===- Constants.cpp - Vectors of constants in registers ------------------------------------===//
//
// An immediate is one number for all channels, or a packed vector of eight small integers.
// Other constant vectors are written into a register, piece by piece:
//
//     add %x, <0, 1, 2, ..., 15>     ->  %c0 = wrregion(undef, <0, ..., 7>, 0)
//                                        %c1 = wrregion(%c0, add(<0, ..., 7>, 8), 8)
//                                        add %x, %c1
//
// Runs of one number take a move each, runs of small steps the packed form; words and bytes
// that make up equal dwords are moved as dwords.
//
//===----------------------------------------------------------------------------------------===//
#include "llvm/IR/Constants.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include <map>

using namespace llvm;

namespace pocm::gen {
namespace {

/// Integer elements of a constant; nothing for undefined ones.
SmallVector<std::optional<APInt>, 32> bitsOf(Constant &C) {
  SmallVector<std::optional<APInt>, 32> Bits;
  for (int K = 0; K < countOf(C.getType()); ++K) {
    Constant *E = C.getAggregateElement(unsigned(K));
    if (auto *I = dyn_cast_or_null<ConstantInt>(E))
      Bits.push_back(I->getValue());
    else if (auto *F = dyn_cast_or_null<ConstantFP>(E))
      Bits.push_back(F->getValueAPF().bitcastToAPInt());
    else
      Bits.push_back(std::nullopt);
  }
  return Bits;
}

/// Whether an immediate can be this vector: one number everywhere.
bool isImmediate(Constant &C) {
  if (!C.getType()->isVectorTy() || isa<UndefValue>(C))
    return true;
  std::optional<APInt> Number;
  for (const auto &B : bitsOf(C)) {
    if (B && Number && *B != *Number)
      return false;
    if (B)
      Number = B;
  }
  return true;
}

int lengthOfRun(ArrayRef<std::optional<APInt>> Bits, int Start) {
  int Length = 1;
  while (Start + Length < int(Bits.size()) &&
         (!Bits[size_t(Start + Length)] || Bits[size_t(Start + Length)] == Bits[size_t(Start)]))
    ++Length;
  return Length;
}

/// Eight elements from Start on with one step between neighbours.
bool isProgression(ArrayRef<std::optional<APInt>> Bits, int Start) {
  if (Start + 8 > int(Bits.size()) || !Bits[size_t(Start)] || !Bits[size_t(Start + 1)])
    return false;
  APInt Step = *Bits[size_t(Start + 1)] - *Bits[size_t(Start)];
  if (Step.getSExtValue() > 1 || Step.getSExtValue() < 1)
    return false;
  for (int K = 1; K < 8; ++K)
    if (!Bits[size_t(Start + K)] || *Bits[size_t(Start + K)] - *Bits[size_t(Start + K - 1)] != Step)
      return false;
  return true;
}

Value *inRegister(IRBuilderBase &B, Constant &C) {
  auto *T = cast<FixedVectorType>(C.getType());
  Type *Element = T->getElementType();
  SmallVector<std::optional<APInt>, 32> Bits = bitsOf(C);
  Value *All = PoisonValue::get(T);
  for (int Start = 0; Start < countOf(T);) {
    int Run = lengthOfRun(Bits, Start);
    if (Run < 8 && Element->isIntegerTy() && Element->getIntegerBitWidth() <= 32 && isProgression(Bits, Start)) {
      SmallVector<Constant *, 8> Steps;
      for (unsigned K = 0; K < 8; ++K)
        Steps.push_back(ConstantInt::get(B.getInt16Ty(), K));
      Value *Words = RegionWrite::create(B, PoisonValue::get(FixedVectorType::get(B.getInt16Ty(), 8)),
                                         ConstantVector::get(Steps), Region::contiguous(8));
      auto *Eight = FixedVectorType::get(Element, 8);
      Value *Part = B.CreateZExtOrTrunc(Words, Eight);
      if (Element->getIntegerBitWidth() == 16)
        Part = RegionRead::create(B, Eight, Words, Region::contiguous(8));
      if (!Bits[size_t(Start)]->isZero())
        Part = B.CreateAdd(
            Part, ConstantVector::getSplat(ElementCount::getFixed(8), ConstantInt::get(Element, *Bits[size_t(Start)])));
      All = RegionWrite::create(B, All, Part, Region::contiguous(8, Start));
      Start += 8;
      continue;
    }
    SmallVector<Constant *, 32> Part;
    for (int K = 0; K < Run; ++K)
      Part.push_back(Bits[size_t(Start)] ? C.getAggregateElement(unsigned(Start)) : Constant::getNullValue(Element));
    All = RegionWrite::create(B, All, ConstantVector::get(Part), Region::contiguous(Run, Start));
    Start += Run;
  }
  return All;
}

/// The same bytes as dwords, when that makes longer runs.
Constant *asDwords(Constant &C, const DataLayout &Layout) {
  auto *T = cast<FixedVectorType>(C.getType());
  unsigned Bits = T->getScalarSizeInBits(), Total = Bits * T->getNumElements();
  if (Bits >= 32 || Total % 32)
    return nullptr;
  auto *Dwords = FixedVectorType::get(Type::getInt32Ty(C.getContext()), Total / 32);
  Constant *Cast = ConstantFoldCastOperand(Instruction::BitCast, &C, Dwords, Layout);
  return Cast && isa<ConstantDataVector, ConstantVector, ConstantAggregateZero>(Cast) ? Cast : nullptr;
}

int cost(Constant &C) {
  SmallVector<std::optional<APInt>, 32> Bits = bitsOf(C);
  int Moves = 0;
  for (int Start = 0; Start < int(Bits.size()); ++Moves) {
    int Run = lengthOfRun(Bits, Start);
    bool Steps = Run < 8 && C.getType()->getScalarType()->isIntegerTy() && isProgression(Bits, Start);
    Start += Steps ? 8 : Run;
    Moves += Steps;
  }
  return Moves;
}

/// A region of one number everywhere, wherever it lies.
Constant *readOfImmediate(Instruction &I) {
  if (isa<BitCastInst>(I)) // seen as other elements it may be another number
    return ConstantFoldInstruction(&I, I.getDataLayout());
  auto R = RegionRead::match(&I);
  auto *C = R ? dyn_cast<Constant>(R->source()) : nullptr;
  if (!C || !isImmediate(*C))
    return nullptr;
  Type *T = I.getType();
  Constant *One =
      isa<UndefValue>(C) ? Constant::getNullValue(T->getScalarType()) : C->getSplatValue(/*AllowPoison=*/true);
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? ConstantVector::getSplat(V->getElementCount(), One) : One;
}

/// What phis take as the same constant from both ways of a branch, and is more than one instruction sets, is set once
/// before it: the sum in front of a loop that may not run at all.
bool setBeforeBranch(BasicBlock &Block, unsigned GrfBytes) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  MapVector<Constant *, SmallVector<Use *, 2>> Ways[2];
  for (unsigned K = 0; K < 2; ++K) {
    BasicBlock *Way = Branch->getSuccessor(K);
    if (Way->getSinglePredecessor() != &Block || !Way->getSingleSuccessor())
      continue;
    for (PHINode &Phi : Way->getSingleSuccessor()->phis()) {
      Use &U = Phi.getOperandUse(PHINode::getOperandNumForIncomingValue(unsigned(Phi.getBasicBlockIndex(Way))));
      auto *C = dyn_cast<Constant>(U.get());
      if (C && C->getType()->isVectorTy() && !isPredicate(C->getType()) && !isa<UndefValue>(C) && isImmediate(*C) &&
          countOf(C->getType()) * elementBytes(C->getType()) > int(2 * GrfBytes))
        Ways[K][C].push_back(&U);
    }
  }
  bool Changed = false;
  for (auto &[C, Uses] : Ways[0]) {
    auto Other = Ways[1].find(C);
    if (Other == Ways[1].end())
      continue;
    IRBuilder<> B(Branch);
    Value *Set = RegionWrite::create(B, PoisonValue::get(C->getType()), C, Region::contiguous(countOf(C->getType())));
    for (Use *U : Uses)
      U->set(Set);
    for (Use *U : Other->second)
      U->set(Set);
    Changed = true;
  }
  return Changed;
}

} // namespace

bool placeConstants(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (BasicBlock &Block : F)
      Changed |= setBeforeBranch(Block, Target.GrfBytes);
    std::map<std::tuple<BasicBlock *, Constant *, bool>, Value *>
        Placed; // the flag: for a phi, at the end of the block
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (Constant *Known = readOfImmediate(I)) {
        I.replaceAllUsesWith(Known);
        I.eraseFromParent();
        Changed = true;
        continue;
      }
      for (Use &U : I.operands()) {
        auto *C = dyn_cast<Constant>(U.get());
        if (!C || !C->getType()->isVectorTy() || isPredicate(C->getType()) || isImmediate(*C))
          continue;
        auto *Phi = dyn_cast<PHINode>(&I);
        BasicBlock *Block = Phi ? Phi->getIncomingBlock(U) : I.getParent();
        Value *&Register = Placed[{Block, C, Phi != nullptr}];
        if (!Register) {
          IRBuilder<> B(Block, Phi ? Block->getTerminator()->getIterator() : I.getIterator());
          Constant *Dwords = asDwords(*C, M.getDataLayout());
          Register = Dwords && cost(*Dwords) < cost(*C)
                         ? B.CreateBitCast(isImmediate(*Dwords)
                                               ? RegionWrite::create(B, PoisonValue::get(Dwords->getType()), Dwords,
                                                                     Region::contiguous(countOf(Dwords->getType())))
                                               : inRegister(B, *Dwords),
                                           C->getType())
                         : inRegister(B, *C);
        }
        U.set(Register);
        Changed = true;
      }
    }
  }
  return Changed;
}

} // namespace pocm::gen
