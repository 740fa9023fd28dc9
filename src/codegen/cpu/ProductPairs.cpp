//===- ProductPairs.cpp - Products of words, added lane by lane, are taken two at a time ----------===//
//
// x86 has an instruction that multiplies words and adds the products of neighbours. Products of words that are added
// lane by lane are such, too, when their words are put beside each other, which is one permutation where they come from
// the same registers:
//
//     %p = mul (sext <16 x i16> %a), splat (sext %s)          %ac = a0 c0 a1 c1 ..       <32 x i16>
//     %q = mul (sext <16 x i16> %c), splat (sext %t)          %st = splat (%s | %t << 16)
//     %r = %x + %p + %q                                  ->   %r = %x + pmaddwd(%ac, %st)
//
// where two widenings, products and sums were six instructions. A product with the sum of two words, which need not be
// one, is the sum of two products.
//
// Needs:    vectors of a register's size; behind sums of which only the total is used (SumsOfProducts.cpp).
// Leaves:   sums with one such product.
// Not done: differences of products.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lanes.h"
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

constexpr unsigned WordBits = 16;

/// An operand of a product that fits in words with a sign.
struct Words {
  Value *Narrow; ///< A vector of at most as many bits, or a scalar, for all lanes.
  bool Signed;
  bool isScalar() const { return !Narrow->getType()->isVectorTy(); }

  static std::optional<Words> of(Value *V) {
    const APInt *Number;
    if (match(V, m_APInt(Number)))
      return Number->isSignedIntN(WordBits)
                 ? std::optional(Words{ConstantInt::get(V->getContext(), Number->trunc(WordBits)), true})
                 : std::nullopt;
    Value *Splat = getSplatValue(V), *From;
    Value *Wide = Splat ? Splat : V;
    const bool Signed = match(Wide, m_SExt(m_Value(From)));
    if ((!Signed && !match(Wide, m_ZExt(m_Value(From)))) || From->getType()->getScalarSizeInBits() < 8 ||
        From->getType()->getScalarSizeInBits() > WordBits - !Signed)
      return std::nullopt;
    Value *Same = From->getType()->isVectorTy() ? getSplatValue(From) : nullptr;
    return Words{Same ? Same : From, Signed};
  }

  Value *words(IRBuilder<> &B) const {
    return B.CreateIntCast(Narrow, Narrow->getType()->getWithNewBitWidth(WordBits), Signed);
  }
};

struct Product {
  Instruction *Self;
  Words X, Y; ///< A vector, and another one or a scalar.

  static std::optional<Product> match(Value *V) {
    Value *A, *B;
    if (!PatternMatch::match(V, m_OneUse(m_Mul(m_Value(A), m_Value(B)))))
      return std::nullopt;
    auto X = Words::of(A), Y = Words::of(B);
    if (!X || !Y || (X->isScalar() && Y->isScalar()))
      return std::nullopt;
    if (X->isScalar())
      std::swap(X, Y);
    return Product{cast<Instruction>(V), *X, *Y};
  }
};

/// (X + Y) * By.
struct ProductOfSum {
  Instruction *Self;
  Words X, Y, By;

  static std::optional<ProductOfSum> match(Value *V) {
    Value *A, *B, *C;
    if (!PatternMatch::match(V, m_OneUse(m_c_Mul(m_OneUse(m_Add(m_Value(A), m_Value(B))), m_Value(C)))))
      return std::nullopt;
    auto X = Words::of(A), Y = Words::of(B), By = Words::of(C);
    if (!X || !Y || !By || X->isScalar() || Y->isScalar())
      return std::nullopt;
    return ProductOfSum{cast<Instruction>(V), *X, *Y, *By};
  }
};

/// What is computed as often: in the same loop, if any.
class Often {
public:
  explicit Often(Function &F) : Tree(F), Loops(Tree) {}
  bool alike(const Instruction &A, const Instruction &B) const {
    return Loops.getLoopFor(A.getParent()) == Loops.getLoopFor(B.getParent());
  }
  /// Of two that dominate a third one.
  bool comesBefore(const Instruction &A, const Instruction &B) const {
    return A.getParent() == B.getParent() ? A.comesBefore(&B) : Tree.properlyDominates(A.getParent(), B.getParent());
  }

private:
  DominatorTree Tree;
  LoopInfo Loops;
};

class PairedSum {
public:
  PairedSum(Instruction &Root, const Often &Runs, Intrinsic::ID Pairs, unsigned VectorBits)
      : Root(Root), Runs(Runs), Pairs(Pairs), VectorBits(VectorBits), B(&Root) {}

  /// Whether two products or more are added, of which those with a sum are two.
  bool collect() {
    SmallSetVector<Instruction *, 16> Parts;
    Parts.insert(&Root);
    for (unsigned N = 0; N < Parts.size(); ++N)
      for (Value *Operand : Parts[N]->operands())
        if (auto *I = dyn_cast<Instruction>(Operand); !I || !Runs.alike(*I, Root))
          Others.push_back(Operand);
        else if (auto P = Product::match(Operand))
          Products[!P->Y.isScalar()].push_back(*P);
        else if (auto P = ProductOfSum::match(Operand))
          OfSums.push_back(*P);
        else if (match(Operand, m_OneUse(m_Add(m_Value(), m_Value()))))
          Parts.insert(I);
        else
          Others.push_back(Operand);
    return Products[0].size() > 1 || Products[1].size() > 1 || !OfSums.empty();
  }

  void replace() {
    Value *All = nullptr;
    auto Add = [&](Value *V) { All = All ? B.CreateAdd(All, V) : V; };
    for (Value *V : Others)
      Add(V);
    for (auto &Alike : Products) {
      // Those from the same registers follow each other.
      sort(Alike, [&](const Product &P, const Product &Q) { return Runs.comesBefore(*P.Self, *Q.Self); });
      for (std::size_t N = 0; N + 1 < Alike.size(); N += 2)
        Add(B.CreateIntrinsic(Pairs, {}, {beside(Alike[N].X, Alike[N + 1].X), beside(Alike[N].Y, Alike[N + 1].Y)}));
      if (Alike.size() % 2)
        Add(Alike.back().Self);
    }
    sort(OfSums, [&](const auto &P, const auto &Q) { return Runs.comesBefore(*P.Self, *Q.Self); });
    for (const ProductOfSum &P : OfSums)
      Add(B.CreateIntrinsic(Pairs, {}, {beside(P.X, P.Y), beside(P.By, P.By)}));
    Root.replaceAllUsesWith(All);
  }

private:
  Instruction &Root;
  const Often &Runs;
  const Intrinsic::ID Pairs;
  const unsigned VectorBits;
  IRBuilder<> B;
  SmallVector<Product, 16> Products[2]; ///< With scalars, and without.
  SmallVector<ProductOfSum, 4> OfSums;
  SmallVector<Value *, 4> Others;

  /// Words of one and of the other in turn.
  Value *beside(const Words &First, const Words &Second) {
    const auto Count = unsigned(countOf(Root.getType()));
    if (First.isScalar()) {
      Value *Low = B.CreateZExt(First.words(B), B.getInt32Ty()), *High = B.CreateZExt(Second.words(B), B.getInt32Ty());
      Value *Both = B.CreateVectorSplat(Count, B.CreateOr(Low, B.CreateShl(High, WordBits)));
      return B.CreateBitCast(Both, FixedVectorType::get(B.getInt16Ty(), 2 * Count));
    }
    Value *Left = First.words(B), *Right = Second.words(B);
    SmallVector<Value *, 2> Sources;
    SmallVector<std::pair<Value *, int>, 32> Lanes;
    for (unsigned K = 0; K < 2 * Count; ++K) {
      const Lane L = Lane::of(K % 2 ? Right : Left, K / 2);
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(L.Vector);
      const bool Anything = Shuffle && Shuffle->getMaskValue(L.Number) < 0;
      Lanes.push_back({L.Vector, Anything ? PoisonMaskElem : int(L.Number)});
      if (!Anything && !is_contained(Sources, L.Vector))
        Sources.push_back(L.Vector);
    }
    constexpr unsigned HasPermutes = 512; // of words of two registers
    auto IsRegister = [&](Value *V) { return unsigned(countOf(V->getType())) * WordBits <= VectorBits; };
    if (VectorBits < HasPermutes || Sources.empty() || Sources.size() > 2 || !all_of(Sources, IsRegister)) {
      Sources = {Left, Right};
      for (unsigned K = 0; K < 2 * Count; ++K)
        Lanes[K] = {K % 2 ? Right : Left, int(K / 2)};
    }
    Sources.resize(2, Sources[0]);
    const int Widest = std::max(countOf(Sources[0]->getType()), countOf(Sources[1]->getType()));
    SmallVector<int, 32> Mask;
    for (auto [From, Number] : Lanes)
      Mask.push_back(Number < 0 ? Number : From == Sources[0] ? Number : Number + Widest);
    return B.CreateShuffleVector(widened(Sources[0], Widest), widened(Sources[1], Widest), Mask);
  }

  Value *widened(Value *V, int To) {
    SmallVector<int, 32> Mask(std::size_t(To), PoisonMaskElem);
    for (int K = 0; K < countOf(V->getType()); ++K)
      Mask[std::size_t(K)] = K;
    return countOf(V->getType()) == To ? V : B.CreateShuffleVector(V, Mask);
  }
};

/// An add that is not a part of another sum.
bool isRoot(const Instruction &I, const Often &Runs, unsigned VectorBits) {
  auto *T = dyn_cast<FixedVectorType>(I.getType());
  if (I.getOpcode() != Instruction::Add || !T || !T->getElementType()->isIntegerTy(32) ||
      T->getNumElements() * 32 > VectorBits || !is_contained({4U, 8U, 16U}, T->getNumElements()))
    return false;
  auto *User = I.hasOneUse() ? cast<Instruction>(*I.user_begin()) : nullptr;
  return !User || User->getOpcode() != Instruction::Add || !Runs.alike(*User, I);
}

} // namespace

bool pairProducts(Module &M, unsigned VectorBits) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const Often Runs(F);
    SmallVector<Instruction *, 16> Roots;
    for (Instruction &I : instructions(F))
      if (isRoot(I, Runs, VectorBits))
        Roots.push_back(&I);
    for (Instruction *Root : Roots) {
      const int Lanes = countOf(Root->getType());
      const Intrinsic::ID Pairs = Lanes == 16  ? Intrinsic::x86_avx512_pmaddw_d_512
                                  : Lanes == 8 ? Intrinsic::x86_avx2_pmadd_wd
                                               : Intrinsic::x86_sse2_pmadd_wd;
      if (PairedSum S(*Root, Runs, Pairs, VectorBits); S.collect()) {
        S.replace();
        Changed = true;
      }
    }
  }
  return Changed;
}

} // namespace pocm::cpu
