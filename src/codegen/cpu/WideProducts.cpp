//===- WideProducts.cpp - 64-bit arithmetic between 32-bit integers, where these are -------------------===//
//
// x86 multiplies every other 32-bit integer of a register to 64 bits. Numbers that are widened for a product, and cut
// again behind it, stay where they are: those of even lanes in one register, those of odd lanes in another one.
//
//     %x = zext <16 x i32> %a to <16 x i64>                %p = bitcast <16 x i32> %a to <8 x i64>
//     %m = mul <16 x i64> %x, splat %c                ->   %even = mul <8 x i64> (and %p, 0xffffffff), splat %c
//     %h = trunc <16 x i64> (lshr %m, 32) to <16 x i32>    %odd = mul <8 x i64> (lshr %p, 32), splat %c
//                                                          %h = upper words of %even and %odd, in turn
//
// Otherwise each half is widened and narrowed by permutes of the whole register, and LLVM multiplies once more for the
// upper words.
//
// What needs no upper words is done behind the cut.
//
// Needs:    whole vectors; behind what computes in fewer bits.
// Leaves:   what is needed in 64 bits by others, shifts by different numbers, selections.
//
//===--------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/LowBits.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <array>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

bool isWide(const Value *V) { return V->getType()->isVectorTy() && V->getType()->getScalarType()->isIntegerTy(64); }
bool isNarrow(const Value *V) { return V->getType()->isVectorTy() && V->getType()->getScalarType()->isIntegerTy(32); }

/// Whether a value is all that it is in any lane: both registers have it.
bool isSplat(Value *V) { return getSplatValue(V) != nullptr; }

/// A widening of 32-bit integers, which arithmetic in 64 bits begins with.
bool isBegin(const Value *V) {
  auto *Cast = dyn_cast<CastInst>(V);
  return Cast && isa<ZExtInst, SExtInst>(Cast) && isNarrow(Cast->getOperand(0)) && isWide(Cast);
}
bool isEnd(const User *U) {
  auto *Cut = dyn_cast<TruncInst>(U);
  return Cut && isNarrow(Cut) && isWide(Cut->getOperand(0));
}

class WideProducts {
public:
  WideProducts(Function &F, unsigned VectorBits) : F(F), Lanes(VectorBits / 32), B(F.getContext()) {}

  bool run() {
    bool Changed = EliminateUnreachableBlocks(F); // there, something may be computed from itself
    Changed |= cutEarlier();
    for (Instruction &I : instructions(F))
      Place[&I] = unsigned(Place.size());
    SmallVector<Instruction *, 16> Products;
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::Mul && isWide(&I) && isPowerOf2_32(unsigned(countOf(I.getType()))) &&
          countOf(I.getType()) >= 4)
        Products.push_back(&I);
    for (Instruction *Product : Products)
      if (!Done.contains(Product) && find(*Product)) {
        replace();
        Changed = true;
      }
    return Changed;
  }

private:
  using Halves = std::array<Value *, 2>; ///< Of even lanes and of odd ones.
  Function &F;
  const unsigned Lanes; ///< Of a register, of 32-bit integers.
  IRBuilder<> B;
  SmallPtrSet<Instruction *, 16> Done;
  DenseMap<Instruction *, unsigned> Place;   ///< In the function.
  SmallSetVector<Instruction *, 16> Members; ///< 64-bit arithmetic that belongs together, and widenings.
  SmallSetVector<Instruction *, 8> Ends;

  static bool isOfProducts(const Value *V, unsigned Depth = 0) {
    constexpr unsigned Deepest = 6;
    auto *I = dyn_cast<BinaryOperator>(V);
    return I && Depth < Deepest &&
           (I->getOpcode() == Instruction::Mul ||
            any_of(I->operands(), [&](const Value *Operand) { return isOfProducts(Operand, Depth + 1); }));
  }

  /// What needs no upper words is done behind the cut, once for all lanes.
  bool cutEarlier() {
    SmallVector<Instruction *, 16> Cuts;
    for (Instruction &I : instructions(F))
      if (isEnd(&I))
        Cuts.push_back(&I);
    bool Changed = false;
    while (!Cuts.empty()) {
      Instruction *Cut = Cuts.pop_back_val();
      auto *Wide = dyn_cast<BinaryOperator>(Cut->getOperand(0));
      if (!Wide || !Wide->hasOneUse() || Wide->getOpcode() == Instruction::Mul || !hasLowBitsOfLowBits(*Wide) ||
          !isOfProducts(Wide))
        continue;
      B.SetInsertPoint(Cut);
      Value *Operands[2];
      for (unsigned K : {0, 1}) {
        Operands[K] = B.CreateTrunc(Wide->getOperand(K), Cut->getType());
        if (auto *Next = dyn_cast<TruncInst>(Operands[K]))
          Cuts.push_back(Next);
      }
      Cut->replaceAllUsesWith(B.CreateBinOp(Wide->getOpcode(), Operands[0], Operands[1]));
      Cut->eraseFromParent();
      Wide->eraseFromParent();
      Changed = true;
    }
    return Changed;
  }

  /// Collects what a product is made of, and what is made of it; false where some of it is needed as it is.
  bool find(Instruction &Product) {
    constexpr unsigned Most = 256;
    Members.clear();
    Ends.clear();
    Members.insert(&Product);
    for (unsigned K = 0; K < Members.size(); ++K) {
      Instruction *I = Members[K];
      if (Members.size() > Most || !canBeHalved(*I))
        return false;
      if (!isBegin(I))
        for (Value *Operand : I->operands()) {
          if (isSplat(Operand))
            continue;
          auto *From = dyn_cast<Instruction>(Operand);
          if (!From || !isWide(From))
            return false;
          Members.insert(From);
        }
      for (User *U : I->users())
        if (isEnd(U))
          Ends.insert(cast<Instruction>(U));
        else if (isWide(U))
          Members.insert(cast<Instruction>(U));
        else if (!isBegin(I))
          return false;
    }
    Done.insert(Members.begin(), Members.end());
    return !Ends.empty();
  }

  static bool canBeHalved(const Instruction &I) {
    if (isBegin(&I))
      return true;
    return hasLowBitsOfLowBits(I) || (I.isShift() && isSplat(I.getOperand(1)));
  }

  void replace() {
    DenseMap<Value *, SmallVector<Halves, 2>> New; // by register
    SmallVector<Instruction *, 16> InOrder(Members.begin(), Members.end());
    sort(InOrder, [&](Instruction *X, Instruction *Y) { return Place.lookup(X) < Place.lookup(Y); });
    for (bool Left = true; Left;) { // blocks are in no order that definitions follow
      Left = false;
      for (Instruction *I : InOrder)
        if (New[I].empty()) {
          if (isBegin(I) || all_of(I->operands(), [&](Value *V) { return isSplat(V) || !New[V].empty(); }))
            New[I] = halve(*I, New);
          else
            Left = true;
        }
    }
    for (Instruction *End : Ends) {
      B.SetInsertPoint(End);
      Value *From = End->getOperand(0), *Whole = nullptr;
      const bool Upper = match(From, m_Shr(m_Value(Whole), m_SpecificInt(32))) && New.contains(Whole);
      End->replaceAllUsesWith(join(End->getType(), New[Upper ? Whole : From], Upper));
    }
    for (Instruction *End : Ends)
      End->eraseFromParent();
    for (Instruction *I : Members)
      if (!isBegin(I))
        I->dropAllReferences();
    for (Instruction *I : Members)
      if (I->use_empty() || !isBegin(I))
        I->eraseFromParent();
  }

  SmallVector<Halves, 2> halve(Instruction &I, DenseMap<Value *, SmallVector<Halves, 2>> &New) {
    SmallVector<Halves, 2> All;
    const unsigned Count = unsigned(countOf(I.getType())), Each = std::min(Lanes, Count);
    B.SetInsertPoint(&I);
    for (unsigned Start = 0; Start < Count; Start += Each) {
      if (isBegin(&I)) {
        Value *Part = I.getOperand(0);
        if (Each < Count)
          Part = RegionRead::create(B, ofCount(Part->getType(), int(Each)), Part,
                                    Region::contiguous(int(Each), int(Start)));
        Value *Pairs = B.CreateBitCast(B.CreateFreeze(Part), // or a lane that is nothing would spoil the one beside it
                                       FixedVectorType::get(B.getInt64Ty(), Each / 2));
        if (isa<SExtInst>(I))
          All.push_back({B.CreateAShr(B.CreateShl(Pairs, 32), 32), B.CreateAShr(Pairs, 32)});
        else
          All.push_back({B.CreateAnd(Pairs, 0xFFFFFFFF), B.CreateLShr(Pairs, 32)});
        continue;
      }
      Halves Both;
      for (unsigned Half : {0, 1}) {
        auto operand = [&](unsigned K) -> Value * {
          Value *V = I.getOperand(K);
          if (auto Found = New.find(V); Found != New.end() && !Found->second.empty())
            return Found->second[Start / Each][Half];
          return B.CreateVectorSplat(Each / 2, getSplatValue(V));
        };
        Both[Half] = B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), operand(0), operand(1));
        if (auto *Computed = dyn_cast<Instruction>(Both[Half]))
          Computed->copyIRFlags(&I);
      }
      All.push_back(Both);
    }
    return All;
  }

  /// The lower or upper words of both, in turn.
  Value *join(Type *T, ArrayRef<Halves> Registers, bool Upper) {
    const int Each = countOf(T) / int(Registers.size());
    Type *Words = ofCount(T, Each);
    SmallVector<int, 16> InTurn;
    for (int K = 0; K < Each; ++K)
      InTurn.push_back((K & ~1) + Upper + (K % 2 ? Each : 0));
    Value *All = PoisonValue::get(T);
    for (auto [N, Both] : enumerate(Registers)) {
      Value *Part = B.CreateShuffleVector(B.CreateBitCast(Both[0], Words), B.CreateBitCast(Both[1], Words), InTurn);
      All = Registers.size() == 1 ? Part : RegionWrite::create(B, All, Part, Region::contiguous(Each, int(N) * Each));
    }
    return All;
  }
};

} // namespace

bool multiplyInPlace(Function &F, unsigned VectorBits) { return WideProducts(F, VectorBits).run(); }

} // namespace pocm::cpu
