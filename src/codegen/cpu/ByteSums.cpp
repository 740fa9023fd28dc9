//===- ByteSums.cpp - Totals of bytes and of their distances ------------------------------------===//
//
// x86 adds distances of bytes, eight at a time, in one instruction. Where a total of all elements comes down to bytes,
// whatever order they are added in and whatever zeros are between them, it is made of those:
//
//     %d = abs(zext <64 x i8> %a - zext <64 x i8> %b)               %s = psadbw(%a, %b)     <8 x i64>
//     %p = %d(0, 2, 4 ...) + %d(1, 3, 5 ...)                    ->  halves of %s are added until one lane is left
//     %t = <64 x i16> 0, with %p in its even elements
//     halves of zext %t are added until one element is left
//
// Needs:    whole vectors with their regions.
// Leaves:   totals of anything else, if only in part.
// Not done: totals that loops go on adding to.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Bytes.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "ir/Ranges.h"
#include "ir/Region.h"
#include "ir/Replace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// The total of an expression's elements, as what its steps add up to of which elements.
class Total {
public:
  Total(Instruction &Root, unsigned VectorBits, size_t &Budget)
      : Root(Root), Bits(bitsOf(&Root)), Register(VectorBits / 8), Left(Budget), B(&Root) {}

  bool replace() {
    if (!visit(&Root))
      return false;
    Factors[&Root].assign(1, 1);
    for (Value *V : reverse(Order))
      spread(V);
    if (!sort())
      return false;
    Value *Sum = sumOfBytes();
    for (auto [V, Factor] : Others)
      Sum = B.CreateAdd(Sum, B.CreateMul(scalar(V), B.getIntN(Bits, Factor)));
    if (Constant)
      Sum = B.CreateAdd(Sum, B.getIntN(Bits, Constant));
    Root.replaceAllUsesWith(
        Root.getType()->isVectorTy() ? B.CreateInsertElement(PoisonValue::get(Root.getType()), Sum, uint64_t(0)) : Sum);
    return true;
  }

private:
  static constexpr size_t MostSteps = 1024;
  static constexpr unsigned Smallest = 16; ///< Bytes of the smallest register.

  Instruction &Root;
  const unsigned Bits, Register;
  size_t &Left; ///< Steps of all totals of a function.
  IRBuilder<> B;
  SmallVector<Value *, 64> Order;                      ///< Operands first.
  DenseMap<Value *, uint64_t> Most;                    ///< The largest of any element, were there bits enough.
  DenseSet<Value *> Steps;                             ///< What others make up; the rest are leaves.
  DenseMap<Value *, SmallVector<uint64_t, 0>> Factors; ///< How often each element is added.
  SmallVector<Bytes, 16> Terms;
  SmallVector<std::pair<Value *, uint64_t>, 4> Others;
  uint64_t Constant = 0;

  /// What a step is made of, whose elements are sums or copies of theirs; nothing for a leaf.
  SmallVector<Value *, 2> operandsOf(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || bitsOf(I) <= 8)
      return {};
    auto isInside = [](const auto &Access, Value *Parent) {
      return Access->Where.isConstant() && Access->Where.isInside(Access->count(), countOf(Parent->getType()));
    };
    if (auto Read = RegionRead::match(I); Read && isInside(Read, Read->source()))
      return {Read->source()};
    if (auto Write = RegionWrite::match(I); Write && isInside(Write, Write->old()))
      return {Write->old(), Write->value()};
    if (I->getOpcode() == Instruction::Add)
      return {I->getOperand(0), I->getOperand(1)};
    if (isa<ZExtInst, TruncInst>(I) && bitsOf(I->getOperand(0)) > 8)
      return {I->getOperand(0)};
    return {};
  }

  /// Puts an expression in order; false where it is too long.
  bool visit(Value *V) {
    if (!Most.try_emplace(V, ~uint64_t(0)).second) // also where nobody comes, and something is made of itself
      return true;
    if (Most.size() > MostSteps || !Left)
      return false;
    --Left;
    SmallVector<Value *, 2> Operands = operandsOf(V);
    uint64_t Largest = 0;
    for (Value *Operand : Operands) {
      if (!visit(Operand))
        return false;
      const uint64_t Its = Most.lookup(Operand);
      Largest = isa<BinaryOperator>(V) ? SaturatingAdd(Largest, Its) : std::max(Largest, Its);
    }
    const bool Wraps = bitsOf(V) < 64 && Largest >> bitsOf(V);
    if (!Operands.empty() && (!Wraps || bitsOf(V) >= Bits)) // as far as the total has bits, its elements are the sums
      Steps.insert(V);
    if (isa<UndefValue>(V))
      Largest = 0; // a total with one of those stays
    else if (Operands.empty() || Wraps)
      Largest = integerRange(V).getUnsignedMax().getLimitedValue();
    Most[V] = Largest;
    Order.push_back(V);
    return true;
  }

  /// Hands on how often its elements are added to what a step is made of.
  void spread(Value *V) {
    if (!Steps.contains(V))
      return;
    const SmallVector<Value *, 2> Operands = operandsOf(V);
    const SmallVector<uint64_t, 0> Mine = std::move(Factors[V]);
    Factors.erase(V);
    if (Mine.empty())
      return;
    auto of = [&](Value *Operand) -> SmallVector<uint64_t, 0> & {
      SmallVector<uint64_t, 0> &All = Factors[Operand];
      All.resize(size_t(countOf(Operand->getType())));
      return All;
    };
    if (auto Read = RegionRead::match(V)) {
      auto &All = of(Operands[0]);
      for (int K = 0; K < Read->count(); ++K)
        All[size_t(Read->Where.element(K))] += Mine[size_t(K)];
    } else if (auto Write = RegionWrite::match(V)) {
      SmallVector<uint64_t, 0> Old = Mine;
      for (int K = Write->count(); K--;) // of elements that are written twice the last counts
        of(Operands[1])[size_t(K)] += std::exchange(Old[size_t(Write->Where.element(K))], 0);
      auto &All = of(Operands[0]);
      for (auto [Sum, More] : zip(All, Old))
        Sum += More;
    } else {
      for (Value *Operand : Operands)
        for (auto [Sum, More] : zip(of(Operand), Mine))
          Sum += More;
    }
  }

  /// What is left, by what is done with it. False where something is neither bytes nor one element, or bytes are few.
  bool sort() {
    constexpr int Enough = 16;
    int Count = 0;
    for (Value *V : Order) {
      auto Found = Factors.find(V);
      if (Found == Factors.end() || all_of(Found->second, [](uint64_t Factor) { return Factor == 0; }))
        continue;
      const auto &Mine = Found->second;
      if (auto *C = dyn_cast<llvm::Constant>(V)) {
        for (unsigned K = 0; K < Mine.size(); ++K)
          if (Mine[K]) {
            auto *Element = dyn_cast_or_null<ConstantInt>(C->getType()->isVectorTy() ? C->getAggregateElement(K) : C);
            if (!Element)
              return false;
            Constant += Mine[K] * Element->getValue().getLimitedValue();
          }
      } else if (Mine.size() == 1) {
        Others.push_back({V, Mine[0]});
      } else if (auto Some = Bytes::of(V); Some && all_of(Mine, [](uint64_t Factor) { return Factor == 1; })) {
        Terms.push_back(*Some);
        Count += int(Mine.size());
      } else {
        return false;
      }
    }
    return Count >= Enough;
  }

  Value *scalar(Value *V) {
    if (V->getType()->isVectorTy())
      V = B.CreateExtractElement(V, uint64_t(0));
    return B.CreateZExtOrTrunc(V, B.getIntNTy(Bits));
  }

  /// Some bytes in a register, with zeros behind them.
  Value *inRegister(Value *V, unsigned Start, unsigned Count, unsigned Size) {
    auto *Part = FixedVectorType::get(B.getInt8Ty(), Count);
    if (V->getType() != Part)
      V = RegionRead::create(B, Part, V, Region::contiguous(int(Count), int(Start)));
    auto *All = FixedVectorType::get(B.getInt8Ty(), Size);
    return Count == Size ? V : RegionWrite::create(B, Constant::getNullValue(All), V, Region::contiguous(int(Count)));
  }

  /// Bytes that lie side by side where a value comes from.
  static unsigned rowOf(const Value *V) {
    auto *Read = dyn_cast<CallInst>(V);
    auto *Width =
        Read && operationOf(Read) == Op::MediaRead ? dyn_cast<ConstantInt>(operandOf(*Read, Role::Width)) : nullptr;
    return Width ? unsigned(Width->getZExtValue()) : ~0u;
  }

  Value *sumOfBytes() {
    DenseMap<unsigned, Value *> Sums; // by the size of registers in bytes
    auto add = [&](unsigned Size, Value *V) { Sums[Size] = Sums.contains(Size) ? B.CreateAdd(Sums[Size], V) : V; };
    for (Bytes Term : Terms) {
      if (Term.Signed) { // as far apart without their signs
        auto *Signs = ConstantInt::get(Term.First->getType(), 0x80);
        Term.First = B.CreateXor(Term.First, Signs);
        Term.Second = B.CreateXor(Term.Second, Signs);
      }
      if (!Term.Second)
        Term.Second = llvm::Constant::getNullValue(Term.First->getType());
      const auto Count = unsigned(countOf(Term.First->getType()));
      const unsigned Row = std::max(Smallest, std::min(rowOf(Term.First), rowOf(Term.Second)));
      for (unsigned Start = 0; Start < Count;) {
        const unsigned Left = Count - Start,
                       Size = std::max(Smallest, std::min({Register, bit_floor(Row), bit_floor(Left)})),
                       Some = std::min(Left, Size);
        add(Size, B.CreateIntrinsic(
                      Size == 64   ? Intrinsic::x86_avx512_psad_bw_512
                      : Size == 32 ? Intrinsic::x86_avx2_psad_bw
                                   : Intrinsic::x86_sse2_psad_bw,
                      {}, {inRegister(Term.First, Start, Some, Size), inRegister(Term.Second, Start, Some, Size)}));
        Start += Some;
      }
    }
    for (unsigned Size = Register; Size > Smallest; Size /= 2)
      if (Value *V = Sums.lookup(Size)) {
        const int Half = countOf(V->getType()) / 2;
        Type *T = ofCount(V->getType(), Half);
        add(Size / 2, B.CreateAdd(RegionRead::create(B, T, V, Region::contiguous(Half)),
                                  RegionRead::create(B, T, V, Region::contiguous(Half, Half))));
      }
    Value *Last = Sums.lookup(Smallest);
    return B.CreateZExtOrTrunc(
        B.CreateAdd(B.CreateExtractElement(Last, uint64_t(0)), B.CreateExtractElement(Last, uint64_t(1))),
        B.getIntNTy(Bits));
  }
};

/// What a mask keeps of numbers that have no other bits: a cut and a widening that LLVM has joined.
Value *unmasked(BinaryOperator &I) {
  const APInt *Mask;
  Value *X;
  return match(&I, m_And(m_Value(X), m_APInt(Mask))) && I.getType()->isVectorTy() && Mask->isMask() &&
                 integerRange(X).getUnsignedMax().ule(*Mask)
             ? X
             : nullptr;
}

/// Whether an instruction adds the last two elements of a total.
bool isTotal(const Instruction &I) {
  if (I.getOpcode() != Instruction::Add || countOf(I.getType()) != 1 || bitsOf(&I) > 64)
    return false;
  auto isOneOfTwo = [](Value *V) {
    auto Read = RegionRead::match(V);
    return Read && countOf(Read->source()->getType()) == 2;
  };
  return isOneOfTwo(I.getOperand(0)) && isOneOfTwo(I.getOperand(1));
}

} // namespace

bool sumBytes(Function &F, unsigned VectorBits) {
  bool Changed = replaceEach<BinaryOperator>(F, unmasked);
  SmallVector<Instruction *, 16> Totals;
  for (Instruction &I : instructions(F))
    if (isTotal(I))
      Totals.push_back(&I);
  size_t Budget = 32768; // as one total may be part of many
  for (Instruction *I : Totals)
    Changed |= Total(*I, VectorBits, Budget).replace();
  return Changed;
}

} // namespace pocm::cpu
