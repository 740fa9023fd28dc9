//===- SharedSums.cpp - What several sums have in common is added once ---------------------------===//
//
// Sums of neighbours, as of a filter's rows, have most of what they add in common. Integers wrap, so that the order of
// their sums does not matter:
//
//     %t0 = %a0 + %a1 + %b0 + %b1            %b = %b0 + %b1
//     %t1 = %b0 + %b1 + %c0 + %c1        ->  %t0 = %a0 + %a1 + %b
//                                            %t1 = %b + %c0 + %c1
//
// Two that stand in several sums of a block are added first, those that stand in most of them before others, until no
// two stand together twice.
//
// Needs:    vectors of a register's size, and all sums of a block as one expression each: loads are shared already.
// Leaves:   sums in which something stands twice, very long ones, and blocks with very many.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

BinaryOperator *sumIn(Value *V, const BasicBlock &Block) {
  auto *Add = dyn_cast<BinaryOperator>(V);
  return Add && Add->getOpcode() == Instruction::Add && Add->getType()->isVectorTy() && Add->getParent() == &Block
             ? Add
             : nullptr;
}

/// A sum, and what it adds.
struct Tree {
  BinaryOperator *Root;
  SmallVector<Value *, 16> Leaves;
  bool NeverWraps = true; ///< As unsigned numbers.
  bool Changed = false;

  bool has(Value *V) const { return is_contained(Leaves, V); }
};

using Pair = std::pair<Value *, Value *>;

class Sharer {
public:
  explicit Sharer(BasicBlock &Block) : Block(Block) {}

  bool run() {
    for (Instruction &I : Block)
      if (BinaryOperator *Add = sumIn(&I, Block); Add && !isInner(*Add))
        collect(*Add);
    if (Pairs > MostPairs) // sharing in some would part others that have the same beginning
      return false;
    while (mergeBest())
      ;
    bool Changed = false;
    for (Tree &T : Trees)
      if (T.Changed) {
        rebuild(T);
        Changed = true;
      }
    return Changed;
  }

private:
  static constexpr unsigned MostLeaves = 64,
                            MostPairs = 40000; // of a block, looked through each time that two are added

  /// Whether it is a part of another sum, and nothing else.
  bool isInner(BinaryOperator &Add) const { return Add.hasOneUse() && sumIn(*Add.user_begin(), Block); }

  void collect(BinaryOperator &Root) {
    Tree T{&Root, {}};
    SmallVector<BinaryOperator *, 16> Open{&Root};
    while (!Open.empty()) {
      BinaryOperator *Add = Open.pop_back_val();
      T.NeverWraps &= Add->hasNoUnsignedWrap();
      for (Value *Operand : Add->operands())
        if (BinaryOperator *Inner = sumIn(Operand, Block); Inner && isInner(*Inner))
          Open.push_back(Inner);
        else
          T.Leaves.push_back(Operand);
    }
    const size_t Count = T.Leaves.size();
    SmallPtrSet<Value *, 16> Different(T.Leaves.begin(), T.Leaves.end());
    if (Count > MostLeaves || Different.size() != Count)
      return;
    Pairs += Count * (Count - 1) / 2;
    Trees.push_back(std::move(T));
  }

  /// Adds the two that stand together in most sums; false when none do in two.
  bool mergeBest() {
    MapVector<Pair, unsigned> Together;
    for (const Tree &T : Trees)
      for (size_t I = 0; I < T.Leaves.size(); ++I)
        for (size_t J = I + 1; J < T.Leaves.size(); ++J)
          ++Together[numberOf(T.Leaves[I]) < numberOf(T.Leaves[J]) ? Pair(T.Leaves[I], T.Leaves[J])
                                                                   : Pair(T.Leaves[J], T.Leaves[I])];
    const auto Best = max_element(Together, [](const auto &A, const auto &B) { return A.second < B.second; });
    if (Best == Together.end() || Best->second < 2)
      return false;
    auto [Left, Right] = Best->first;
    const bool NeverWraps = all_of(Trees, [&](const Tree &T) { return T.NeverWraps || !T.has(Left) || !T.has(Right); });
    IRBuilder<> B(&Block, std::max(behind(Left), behind(Right), [](auto A, auto C) { return A->comesBefore(&*C); }));
    B.SetCurrentDebugLocation(DebugLoc());
    Value *Sum = B.CreateAdd(Left, Right, "", NeverWraps);
    for (Tree &T : Trees)
      if (T.has(Left) && T.has(Right)) {
        erase(T.Leaves, Left);
        erase(T.Leaves, Right);
        T.Leaves.push_back(Sum);
        T.Changed = true;
      }
    return true;
  }

  /// In the order in which they are met, which is the same each time.
  size_t numberOf(Value *V) { return Numbers.try_emplace(V, Numbers.size()).first->second; }

  /// The first place in the block where V is there.
  BasicBlock::iterator behind(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && I->getParent() == &Block && !isa<PHINode>(I) ? std::next(I->getIterator())
                                                             : Block.getFirstInsertionPt();
  }

  void rebuild(Tree &T) {
    IRBuilder<> B(T.Root);
    for (Value *&Leaf : T.Leaves) // which may be another sum
      if (Value *New = Rebuilt.lookup(Leaf))
        Leaf = New;
    while (T.Leaves.size() > 1) {
      SmallVector<Value *, 16> Sums;
      for (size_t I = 0; I + 1 < T.Leaves.size(); I += 2)
        Sums.push_back(B.CreateAdd(T.Leaves[I], T.Leaves[I + 1], "", T.NeverWraps));
      if (T.Leaves.size() % 2)
        Sums.push_back(T.Leaves.back());
      T.Leaves = std::move(Sums);
    }
    T.Root->replaceAllUsesWith(T.Leaves.front());
    Rebuilt[T.Root] = T.Leaves.front();
  }

  BasicBlock &Block;
  SmallVector<Tree, 8> Trees; ///< In the block's order.
  DenseMap<Value *, size_t> Numbers;
  DenseMap<Value *, Value *> Rebuilt;
  size_t Pairs = 0; ///< Of all sums.
};

} // namespace

bool shareSums(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      Changed |= Sharer(Block).run();
  return Changed;
}

} // namespace pocm::cpu
