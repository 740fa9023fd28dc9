//===- ChosenParts.cpp - Parts of values in registers, at places known at run time ----------------===//
//
// Registers have no addresses, and a load from memory of which a part has just been stored waits for the store. AVX-512
// and AVX2 move elements to where a register of numbers says:
//
//     %r = rdregion(<16 x i32> %v, i16 %offset) : <4 x i32>
//  -> %r = vpermd(%v, (0, 1, 2, 3) + splat(%offset / 4))
//
//     %w = wrregion(<16 x i32> %old, <4 x i32> %new, i16 %offset)
//  -> %from = (0, 1, 2 .. 15) - splat(%offset / 4)
//     %w = %from < 4 ? vpermd(%new, %from) : %old
//
// A single element that is written, or several equal ones, are compared and selected on every CPU.
//
// Needs:    masked writes lowered; values that are cheaper in memory are there (InPlace.cpp asks here what they cost in
//           registers).
// Leaves:   other writes at such offsets to SplitVectors.cpp, which goes through memory.
// Not done: single elements that are read: a number comes sooner from memory.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Changes.h"
#include "codegen/llvm/Inside.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr int MostWritten = 4, MostRead = 2; // registers
constexpr int MostBytes = 128; // elements of a byte have numbers of a byte, and those below 0 are not among them

/// Permutes of a register of `Bits` bits, and of two, by elements of `Size` bytes.
constexpr struct Permute {
  unsigned Bits;
  int Size;
  Intrinsic::ID One, Two;
} Permutes[] = {{512, 1, Intrinsic::x86_avx512_permvar_qi_512, Intrinsic::x86_avx512_vpermi2var_qi_512},
                {512, 2, Intrinsic::x86_avx512_permvar_hi_512, Intrinsic::x86_avx512_vpermi2var_hi_512},
                {512, 4, Intrinsic::x86_avx512_permvar_si_512, Intrinsic::x86_avx512_vpermi2var_d_512},
                {512, 8, Intrinsic::x86_avx512_permvar_di_512, Intrinsic::x86_avx512_vpermi2var_q_512},
                {256, 4, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic}};

using Numbers = SmallVector<int, 64>;

/// A part of a value, as registers see it.
class ChosenPart {
public:
  ChosenPart(Type *Whole, Type *Part, const Region &Where, Value *Index, PermuteFeatures Has)
      : Whole(Whole), Where(Where), Index(Index), Size(elementBytes(Whole)), Count(countOf(Whole)),
        Lanes(int(Has.VectorBits) / 8 / Size), Registers((Count + Lanes - 1) / Lanes), Elements(countOf(Part)),
        Span(last() + 1) {
    for (const Permute &P : Permutes)
      if (Has.X86 && P.Bits == Has.VectorBits && P.Size == Size && (Size > 1 || Has.Bytes))
        How = &P;
  }

protected:
  static constexpr unsigned Number = 3; // of the first element, in all lanes

  bool fits(int Most) const { return Registers <= Most && Span <= Count && (Size > 1 || Count <= MostBytes); }
  int at(int K) const { return Where.element(K) - Where.element(0); }
  int last() const {
    int Last = 0;
    for (int K = 0; K < Elements; ++K)
      Last = std::max(Last, at(K));
    return Last;
  }

  Type *number(IRBuilder<> &B) const { return B.getIntNTy(unsigned(8 * Size)); }
  Constant *numbers(IRBuilder<> &B, ArrayRef<int> All) const {
    SmallVector<Constant *, 64> Each;
    for (int N : All)
      Each.push_back(ConstantInt::getSigned(number(B), N));
    return ConstantVector::get(Each);
  }

  /// The first element in all of so many lanes, such that the last one is inside; one alone may be outside.
  Value *first(IRBuilder<> &B, int Lanes) const {
    Value *At = Index;
    if (!At) {
      const unsigned Last = unsigned(std::max(0, Count - Span) * Size);
      Value *Offset = Elements == 1 ? Where.Dynamic : movedInside(B, Where.Dynamic, Last);
      At = B.CreateLShr(Offset, uint64_t(Log2_32(unsigned(Size))));
    }
    return B.CreateVectorSplat(unsigned(Lanes), B.CreateZExtOrTrunc(At, number(B)));
  }

  /// Elements Start, Start + 1, ... of V in a register of numbers.
  Value *registerOf(IRBuilder<> &B, Value *V, int Start) const {
    const int All = countOf(V->getType());
    Numbers Which;
    for (int K = Start; K < Start + Lanes; ++K)
      Which.push_back(K < All ? K : PoisonMaskElem);
    return B.CreateBitCast(B.CreateShuffleVector(V, Which), FixedVectorType::get(number(B), unsigned(Lanes)));
  }

  Type *Whole;
  const Region &Where;
  Value *Index;
  int Size, Count, Lanes, Registers, Elements, Span;
  const Permute *How = nullptr;
};

class Read : ChosenPart {
public:
  Read(const Part &P, PermuteFeatures Has)
      : ChosenPart(P.From->getType(), P.Self->getType(), P.Where, P.Index, Has), P(P) {}

  std::optional<unsigned> cost() const {
    bool Can = P.Where.Dynamic && !P.Where.Dynamic->getType()->isVectorTy() && Elements > 1 && Elements <= Lanes &&
               fits(MostRead) && How && (Registers == 1 || How->Two);
    return Can ? std::optional(Number + unsigned(Registers)) : std::nullopt;
  }

  Value *lower() const {
    IRBuilder<> B(P.Self);
    Numbers Own;
    for (int K = 0; K < Lanes; ++K)
      Own.push_back(K < Elements ? at(K) : 0);
    Value *From = B.CreateAdd(numbers(B, Own), first(B, Lanes));
    Value *V = registerOf(B, P.From, 0);
    Value *All = Registers == 1 ? B.CreateIntrinsic(How->One, {}, {V, From})
                                : B.CreateIntrinsic(How->Two, {}, {V, From, registerOf(B, P.From, Lanes)});
    All = B.CreateBitCast(All, ofCount(Whole, Lanes));
    return Elements == Lanes ? All : RegionRead::create(B, P.Self->getType(), All, Region::contiguous(Elements));
  }

private:
  const Part &P;
};

class Write : ChosenPart {
public:
  Write(const Change &C, PermuteFeatures Has)
      : ChosenPart(C.Self->getType(), C.New->getType(), C.Where, C.Index, Has), C(C) {}

  std::optional<unsigned> cost() const {
    constexpr unsigned Each = 3;
    if (!C.chosen() || !fits(MostWritten))
      return std::nullopt;
    if (Elements == 1)
      return Registers == 1 ? 4 : Number + 2 * unsigned(Registers);
    if (isSame())
      return Number + 2 * unsigned(Registers);
    if (!How || !increases() || Span > Lanes)
      return std::nullopt;
    return Number + Each * unsigned(Registers) * (Span == Elements ? 1 : 2);
  }

  Value *lower() const {
    IRBuilder<> B(C.Self);
    Numbers Own;
    for (int K = 0; K < Count; ++K)
      Own.push_back(K);
    Value *From = B.CreateSub(numbers(B, Own), first(B, Count));
    auto All = [&](int N) { return ConstantInt::get(From->getType(), unsigned(N)); };
    if (Elements == 1)
      return B.CreateSelect(B.CreateICmpEQ(From, All(0)), B.CreateVectorSplat(unsigned(Count), same(B)), C.Old);
    if (isSame())
      return B.CreateSelect(B.CreateICmpULT(From, All(Elements)), B.CreateVectorSplat(unsigned(Count), same(B)), C.Old);
    // The part, spread as in the region, and which elements of that it has.
    Numbers Spread(std::size_t(Span), PoisonMaskElem), Has(std::size_t(Lanes), 0);
    for (int K = 0; K < Elements; ++K) {
      Spread[std::size_t(at(K))] = K;
      Has[std::size_t(at(K))] = -1;
    }
    Value *New = registerOf(B, B.CreateShuffleVector(C.New, Spread), 0);
    Value *Inside = B.CreateICmpULT(From, All(Span));
    if (Span != Elements)
      Inside = B.CreateAnd(Inside, B.CreateICmpNE(permuted(B, numbers(B, Has), From), All(0)));
    return B.CreateSelect(Inside, B.CreateBitCast(permuted(B, New, From), Whole), C.Old);
  }

private:
  /// Whether all elements of a region without gaps get the same.
  bool isSame() const { return Span == Elements && increases() && getSplatValue(C.New); }
  Value *same(IRBuilder<> &B) const {
    if (!C.New->getType()->isVectorTy())
      return C.New;
    Value *Splat = getSplatValue(C.New);
    return Splat ? Splat : B.CreateExtractElement(C.New, uint64_t(0));
  }

  /// Whether elements of the part stand in the region in their order: none is written twice.
  bool increases() const {
    for (int K = 1; K < Elements; ++K)
      if (at(K) <= at(K - 1))
        return false;
    return true;
  }

  /// For each of the numbers the element of a register.
  Value *permuted(IRBuilder<> &B, Value *Register, Value *From) const {
    Value *All = PoisonValue::get(From->getType());
    for (int Start = 0; Start < Count; Start += Lanes) {
      const int N = std::min(Lanes, Count - Start);
      Value *There = B.CreateIntrinsic(How->One, {}, {Register, registerOf(B, From, Start)});
      Value *Some =
          N == Lanes ? There : RegionRead::create(B, ofCount(There->getType(), N), There, Region::contiguous(N));
      All = N == Count ? Some : RegionWrite::create(B, All, Some, Region::contiguous(N, Start));
    }
    return All;
  }

  const Change &C;
};

} // namespace

ChosenCosts costsOfPermutes(PermuteFeatures Has) {
  return {[=](const Change &C) { return Write(C, Has).cost(); }, [=](const Part &P) { return Read(P, Has).cost(); }};
}

bool permuteChosenParts(Function &F, PermuteFeatures Has) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *New = nullptr;
    if (auto C = Change::match(&I)) {
      if (Write W(*C, Has); W.cost())
        New = W.lower();
    } else if (auto P = Part::match(&I)) {
      if (Read R(*P, Has); R.cost())
        New = R.lower();
    }
    if (!New)
      continue;
    I.replaceAllUsesWith(New);
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace pocm::cpu
