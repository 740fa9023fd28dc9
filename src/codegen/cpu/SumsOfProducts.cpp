//===- SumsOfProducts.cpp - Products of words, added in pairs ----------------------------------===//
//
// Where nobody sees the lanes of a sum but their total, neighbours may be added at once: x86 has an instruction that
// multiplies words and adds the products in pairs.
//
//     %s = phi <16 x i32> [0], [%t]                          %s = phi <8 x i32> [0], [%t]
//     %t = %s + sext(<16 x i16> %a) * sext(<16 x i16> %b) ->  %t = %s + pmaddwd(%a, %b)
//     (lanes 0-7 of %t + lanes 8-15 of %t) + ...             %t + ...
//
// Phis and sums that lead to the total and nowhere else are halved together. Integers wrap, so that the order of
// their sums does not matter.
//
// Needs:    vectors of a register's size, totals as halves that are added until one lane is left.
// Leaves:   other sums, and products of which somebody needs a lane.
// Not done: bytes four at a time.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The sum of both halves of V, when nothing else uses V.
BinaryOperator *sumOfHalves(Value *V) {
  int Half = countOf(V->getType()) / 2;
  if (!Half || !V->hasNUses(2))
    return nullptr;
  BinaryOperator *Sum = nullptr;
  int Starts = 0; // of both shuffles
  for (User *U : V->users()) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
    int Start = 0;
    if (!Shuffle || !Shuffle->isExtractSubvectorMask(Start) || countOf(Shuffle->getType()) != Half ||
        !Shuffle->hasOneUse())
      return nullptr;
    auto *Add = dyn_cast<BinaryOperator>(*Shuffle->user_begin());
    if (!Add || Add->getOpcode() != Instruction::Add || (Sum && Sum != Add))
      return nullptr;
    Sum = Add;
    Starts += Start;
  }
  return Starts == Half ? Sum : nullptr;
}

/// Whether only the total of V's lanes is used.
bool onlyTotal(Value *V) {
  while (countOf(V->getType()) > 1)
    if (!(V = sumOfHalves(V)))
      return false;
  return true;
}

/// V as words, when it is one of 16 bits with a sign that was widened, or a constant of such.
Value *asWords(IRBuilder<> *B, Value *V) {
  auto *Words = FixedVectorType::get(Type::getInt16Ty(V->getContext()), unsigned(countOf(V->getType())));
  if (auto *C = dyn_cast<Constant>(V)) {
    const APInt *Number;
    if (!match(C, m_APInt(Number)) || !Number->isSignedIntN(16))
      return nullptr;
    return ConstantInt::get(Words, Number->trunc(16));
  }
  Value *Narrow;
  bool Signed = match(V, m_SExt(m_Value(Narrow)));
  if (!Signed && !match(V, m_ZExt(m_Value(Narrow))))
    return nullptr;
  unsigned Bits = Narrow->getType()->getScalarSizeInBits();
  if (Bits > (Signed ? 16u : 15u))
    return nullptr;
  return B ? B->CreateIntCast(Narrow, Words, Signed) : Narrow;
}

bool isProduct(Value *V) {
  Value *X, *Y;
  return match(V, m_OneUse(m_Mul(m_Value(X), m_Value(Y)))) && asWords(nullptr, X) && asWords(nullptr, Y);
}

/// What leads to the total of a sum: phis and sums, products, constants.
struct Web {
  SetVector<Instruction *> Sums;

  /// False when something else is added, or somebody else uses a part.
  bool collect(Instruction *Root) {
    Sums.insert(Root);
    int Products = 0;
    for (unsigned N = 0; N < Sums.size(); ++N)
      for (Value *Operand : Sums[N]->operands()) {
        if (isProduct(Operand))
          ++Products;
        else if (isSum(Operand))
          Sums.insert(cast<Instruction>(Operand));
        else if (!isa<ConstantInt, ConstantAggregateZero, ConstantDataVector>(Operand))
          return false;
      }
    return Products && all_of(Sums, [&](Instruction *I) {
             return I == Root || all_of(I->users(), [&](User *U) { return Sums.contains(dyn_cast<Instruction>(U)); });
           });
  }

  static bool isSum(Value *V) { return isa<PHINode>(V) || match(V, m_Add(m_Value(), m_Value())); }
};

class Halves {
public:
  explicit Halves(Intrinsic::ID PairsOf) : PairsOf(PairsOf) {}

  void replace(const Web &W) {
    for (Instruction *I : W.Sums)
      Of[I] = emptyHalf(I);
    for (Instruction *I : W.Sums)
      if (auto *Phi = dyn_cast<PHINode>(I))
        for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N)
          cast<PHINode>(Of[Phi])->addIncoming(of(Phi->getIncomingValue(N)), Phi->getIncomingBlock(N));
      else
        for (unsigned N = 0; N < 2; ++N)
          Of[I]->setOperand(N, of(I->getOperand(N)));
    Instruction *Root = W.Sums[0];
    sumOfHalves(Root)->replaceAllUsesWith(Of[Root]);
    for (Instruction *I : W.Sums)
      I->replaceAllUsesWith(PoisonValue::get(I->getType())); // they go in circles
    for (Instruction *I : W.Sums)
      I->eraseFromParent();
  }

private:
  static Instruction *emptyHalf(Instruction *I) {
    Type *T = ofCount(I->getType(), countOf(I->getType()) / 2);
    if (auto *Phi = dyn_cast<PHINode>(I))
      return PHINode::Create(T, Phi->getNumIncomingValues(), "", I->getIterator());
    Value *Later = PoisonValue::get(T);
    Instruction *Sum = BinaryOperator::CreateAdd(Later, Later, "", I->getIterator());
    Sum->setDebugLoc(I->getDebugLoc());
    return Sum;
  }

  /// The lanes of what a web consists of, in pairs.
  Value *of(Value *V) {
    if (auto Found = Of.find(V); Found != Of.end())
      return Found->second;
    if (auto *C = dyn_cast<Constant>(V))
      return pairsOf(C);
    auto *Product = cast<Instruction>(V);
    IRBuilder<> B(Product);
    return B.CreateIntrinsic(PairsOf, {}, {asWords(&B, Product->getOperand(0)), asWords(&B, Product->getOperand(1))});
  }

  static Constant *pairsOf(Constant *C) {
    SmallVector<Constant *, 8> Sums;
    for (unsigned N = 0; N < unsigned(countOf(C->getType())); N += 2)
      Sums.push_back(ConstantExpr::getAdd(C->getAggregateElement(N), C->getAggregateElement(N + 1)));
    return ConstantVector::get(Sums);
  }

  Intrinsic::ID PairsOf;
  DenseMap<Value *, Instruction *> Of;
};

bool addPairs(Function &F, unsigned VectorBits) {
  SmallVector<Instruction *, 16> Totals;
  for (Instruction &I : instructions(F)) {
    auto *T = dyn_cast<FixedVectorType>(I.getType());
    if (T && T->getElementType()->isIntegerTy(32) && T->getNumElements() * 32 <= VectorBits &&
        (T->getNumElements() == 8 || T->getNumElements() == 16) && Web::isSum(&I) && onlyTotal(&I))
      Totals.push_back(&I);
  }
  bool Changed = false;
  for (Instruction *I : Totals)
    if (Web W; W.collect(I)) {
      Halves(countOf(I->getType()) == 16 ? Intrinsic::x86_avx2_pmadd_wd : Intrinsic::x86_sse2_pmadd_wd).replace(W);
      Changed = true;
    }
  return Changed;
}

} // namespace

bool addPairs(Module &M, unsigned VectorBits) {
  bool Changed = false;
  for (Function &F : M)
    Changed |= addPairs(F, VectorBits);
  return Changed;
}

} // namespace pocm::cpu
