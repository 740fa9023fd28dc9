//===- Tables.cpp - Elements of small tables, chosen by permutes --------------------------------===//
//
// A table in registers has no addresses, but AVX-512 chooses every element of a register out of two others at once.
//
//     %r = rdregion(<256 x i8> %table, <64 x i16> %offsets)
//  -> %low = vpermi2b(%table 0-127, %offsets); %high = vpermi2b(%table 128-255, %offsets)
//     %r = %offsets < 128 ? %low : %high
//
// Needs:    masks and media blocks lowered; whole vectors.
// Leaves:   tables with places in memory to InPlace.cpp.
// Not done: tables of more registers than that pays for, and those that are changed at such offsets: they are in
//           memory (InPlace.cpp).
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/llvm/Changes.h"
#include "codegen/llvm/Inside.h"
#include "ir/Region.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr int RegisterBytes = 64, MostPairs = 4;

Intrinsic::ID permuteOf(int Size) {
  return Size == 1   ? Intrinsic::x86_avx512_vpermi2var_qi_512
         : Size == 2 ? Intrinsic::x86_avx512_vpermi2var_hi_512
         : Size == 4 ? Intrinsic::x86_avx512_vpermi2var_d_512
                     : Intrinsic::x86_avx512_vpermi2var_q_512;
}

class Table {
public:
  explicit Table(const RegionRead &R)
      : R(R), B(R.Call), Size(elementBytes(R.Call->getType())), Lanes(RegisterBytes / Size),
        Count(countOf(R.source()->getType())), Pairs((Count + 2 * Lanes - 1) / (2 * Lanes)) {}

  /// Loads of the elements take a few instructions each; a permute and the choice of its result, one and two.
  bool pays(bool HasBytes) const {
    constexpr int Each = 4;
    return (Size > 1 || HasBytes) && R.Where.Dynamic->getType()->getScalarSizeInBits() == 16 && Pairs <= MostPairs &&
           R.count() >= Each * Pairs * ((R.count() + Lanes - 1) / Lanes) && !changedByChoice(R.source());
  }

  Value *read() {
    Type *Element = B.getIntNTy(unsigned(8 * Size));
    for (int N = 0; N < 2 * Pairs; ++N)
      Registers.push_back(part(R.source(), N * Lanes, Element));
    Value *Result = PoisonValue::get(R.Call->getType());
    for (int Start = 0; Start < R.count(); Start += Lanes) {
      int N = std::min(Lanes, R.count() - Start);
      Value *Chosen =
          B.CreateBitCast(choose(part(R.Where.Dynamic, Start, B.getInt16Ty())), ofCount(R.Call->getType(), Lanes));
      Value *Some =
          N == Lanes ? Chosen : RegionRead::create(B, ofCount(Chosen->getType(), N), Chosen, Region::contiguous(N));
      Result = N == R.count() ? Some : RegionWrite::create(B, Result, Some, Region::contiguous(N, Start));
    }
    return Result;
  }

private:
  /// A register of elements Start, Start + 1, ... of V, as far as it has them.
  Value *part(Value *V, int Start, Type *Element) {
    int All = countOf(V->getType());
    SmallVector<int, 64> Which;
    for (int K = Start; K < Start + Lanes; ++K)
      Which.push_back(K < All ? K : PoisonMaskElem);
    Value *Part = B.CreateShuffleVector(V, Which);
    return B.CreateBitCast(Part, Part->getType()->getWithNewType(Element));
  }

  /// The elements at these offsets, which stay inside the table.
  Value *choose(Value *Offsets) {
    Type *Index = Registers[0]->getType();
    auto All = [&](int N) { return ConstantInt::get(Offsets->getType(), unsigned(N)); };
    Value *Inside = movedInside(B, Offsets, unsigned((Count - 1) * Size));
    if (Size > 1)
      Inside = B.CreateLShr(Inside, All(Log2_32(unsigned(Size))));
    Value *At = B.CreateZExtOrTrunc(Inside, Index), *Result = nullptr;
    Value *Number =
        Index->getScalarSizeInBits() > 8 ? At : Inside; // which is compared in the registers of the permutes
    for (int Pair = 0; Pair < Pairs; ++Pair) {
      Value *Here = B.CreateIntrinsic(permuteOf(Size), {}, {Registers[2 * Pair], At, Registers[2 * Pair + 1]});
      Value *Begin = ConstantInt::get(Number->getType(), unsigned(2 * Lanes * Pair));
      Result = Result ? B.CreateSelect(B.CreateICmpULT(Number, Begin), Result, Here) : Here;
    }
    return Result;
  }

  const RegionRead &R;
  IRBuilder<> B;
  int Size, Lanes, Count, Pairs;
  SmallVector<Value *, 2 * MostPairs> Registers;
};

} // namespace

bool permuteTables(Function &F, bool HasBytes) {
  SmallVector<RegionRead, 8> Reads;
  for (Instruction &I : instructions(F))
    if (auto R = RegionRead::match(&I); R && R->Where.Dynamic && R->Where.Dynamic->getType()->isVectorTy())
      Reads.push_back(*R);
  bool Changed = false;
  for (const RegionRead &R : Reads)
    if (Table T(R); T.pays(HasBytes)) {
      R.Call->replaceAllUsesWith(T.read());
      R.Call->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::cpu
