//===- MaskAnalysis.cpp - Which integers are masks of N channels ----------------------------------===//
//
// A fixed point over what the bits behind the channels are: all integers may be masks at first, until what they are
// computed from, or where they are read, shows otherwise.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/cpu/MaskAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

Rest both(Rest A, Rest B) {
  if (A == Rest::Open || B == Rest::Open)
    return A == Rest::Open ? B : A;
  return A == Rest::Unknown || B == Rest::Unknown ? Rest::Unknown : A == B ? A : Rest::Either;
}

Rest inverse(Rest R) { return R == Rest::Zeros ? Rest::Ones : R == Rest::Ones ? Rest::Zeros : R; }

/// Of `and`, of which `or` is the inverse.
Rest together(Rest A, Rest B) {
  if (A == Rest::Zeros || B == Rest::Zeros)
    return Rest::Zeros;
  return A == Rest::Open || B == Rest::Open ? Rest::Open : both(A, B);
}

Rest exclusive(Rest A, Rest B) {
  if (A == Rest::Unknown || B == Rest::Unknown)
    return Rest::Unknown;
  if (A == Rest::Open || B == Rest::Open)
    return Rest::Open;
  if (A == Rest::Either || B == Rest::Either)
    return Rest::Either;
  return A == B ? Rest::Zeros : Rest::Ones;
}

unsigned bitsOf(const Value *V) { return V->getType()->getIntegerBitWidth(); }

} // namespace

FixedVectorType *asMask(const Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V && V->getElementType()->isIntegerTy(1) ? const_cast<FixedVectorType *>(V) : nullptr;
}

std::pair<Value *, unsigned> elementOf(Value *V, unsigned Lane) {
  while (auto *Shuffle = dyn_cast<ShuffleVectorInst>(V)) {
    const int From = Shuffle->getMaskValue(Lane);
    if (From < 0)
      return {PoisonValue::get(V->getType()), 0};
    const unsigned First = cast<FixedVectorType>(Shuffle->getOperand(0)->getType())->getNumElements();
    V = Shuffle->getOperand(unsigned(From) < First ? 0 : 1);
    Lane = unsigned(From) < First ? unsigned(From) : unsigned(From) - First;
  }
  return {V, Lane};
}

MaskAnalysis::MaskAnalysis(Function &F, unsigned N) : F(F), N(N) {
  for (Instruction &I : instructions(F))
    if (fits(&I))
      State[&I] = Rest::Open;
  do
    compute();
  while (dropRead());
  for (Instruction &I : instructions(F))
    if (fits(&I) && isChannels(&I))
      Found.push_back(&I);
}

bool MaskAnalysis::fits(const Value *V) const {
  return V->getType()->isIntegerTy() && bitsOf(V) >= N && bitsOf(V) <= 64 && isPowerOf2_32(bitsOf(V));
}

Rest MaskAnalysis::restOf(Value *V) const {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return restOf(C->getValue());
  if (auto Known = State.find(V); Known != State.end())
    return Known->second;
  return Rest::Unknown;
}

Rest MaskAnalysis::restOf(const APInt &C) const {
  const APInt Behind = C.lshr(N);
  if (Behind.isZero())
    return Rest::Zeros;
  return Behind.countr_one() == C.getBitWidth() - N ? Rest::Ones : Rest::Unknown;
}

/// The bits of a vector behind the channels.
Rest MaskAnalysis::behind(Value *Vector) const {
  Rest R = Rest::Open;
  for (unsigned Lane = N; Lane < asMask(Vector->getType())->getNumElements(); ++Lane) {
    auto [From, At] = elementOf(Vector, Lane);
    auto *C = dyn_cast<Constant>(From);
    Constant *Bit = C ? C->getAggregateElement(At) : nullptr;
    if (!Bit)
      return Rest::Unknown;
    if (!isa<UndefValue>(Bit))
      R = both(R, Bit->isNullValue() ? Rest::Zeros : Rest::Ones);
  }
  return R == Rest::Open ? Rest::Zeros : R;
}

Rest MaskAnalysis::compute(Instruction &I) const {
  Value *X, *Y;
  Rest R = Rest::Unknown;
  if (match(&I, m_BitCast(m_Value(X))) && asMask(X->getType()))
    R = behind(X);
  else if (match(&I, m_And(m_Value(X), m_Value(Y))))
    R = together(restOf(X), restOf(Y));
  else if (match(&I, m_Or(m_Value(X), m_Value(Y))))
    R = inverse(together(inverse(restOf(X)), inverse(restOf(Y))));
  else if (match(&I, m_Xor(m_Value(X), m_Value(Y))))
    R = exclusive(restOf(X), restOf(Y));
  else if (match(&I, m_ZExt(m_Value(X))) && fits(X) && (bitsOf(X) == N || restOf(X) == Rest::Zeros))
    R = restOf(X);
  else if (match(&I, m_ZExt(m_Value(X))) && restOf(X) == Rest::Open)
    R = Rest::Open;
  else if (match(&I, m_Trunc(m_Value(X))))
    R = restOf(X);
  else if (auto *Select = dyn_cast<SelectInst>(&I))
    R = both(restOf(Select->getTrueValue()), restOf(Select->getFalseValue()));
  else if (auto *Phi = dyn_cast<PHINode>(&I)) {
    R = Rest::Open;
    for (Value *In : Phi->incoming_values())
      R = both(R, restOf(In));
  }
  return R != Rest::Unknown && R != Rest::Open && bitsOf(&I) == N ? Rest::Zeros : R; // there are no others
}

void MaskAnalysis::compute() {
  for (bool More = true; More;) {
    More = false;
    for (Instruction &I : instructions(F)) {
      if (!fits(&I) || State[&I] == Rest::Unknown)
        continue;
      const Rest New = both(State[&I], compute(I));
      More |= New != State[&I];
      State[&I] = New;
    }
  }
}

/// Integers that are read behind the channels, where they are not always the same, are no masks.
bool MaskAnalysis::dropRead() {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    auto Of = State.find(&I);
    if (Of == State.end() || Of->second != Rest::Either)
      continue;
    if (!all_of(I.users(), [&](User *U) { return isVector(U) ? readsChannels(*U) : isChannels(U); })) {
      Of->second = Rest::Unknown;
      Changed = true;
    }
  }
  return Changed;
}

/// Whether a vector of all bits is only read where channels are.
bool MaskAnalysis::readsChannels(User &Vector) const {
  return all_of(Vector.users(), [&](User *U) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
    return Shuffle && Shuffle->getOperand(0) == &Vector && Shuffle->getOperand(1) != &Vector &&
           all_of(Shuffle->getShuffleMask(), [&](int K) { return K < int(N); });
  });
}

bool MaskAnalysis::isChannels(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && restOf(V) != Rest::Open && restOf(V) != Rest::Unknown;
}

const APInt *MaskAnalysis::comparedWith(User *U, Value *V) const {
  const APInt *C;
  CmpPredicate How;
  bool Equal = match(U, m_ICmp(How, m_Specific(V), m_APInt(C))) && ICmpInst::isEquality(How);
  return Equal && restOf(*C) != Rest::Unknown ? C : nullptr;
}

} // namespace pocm::cpu
