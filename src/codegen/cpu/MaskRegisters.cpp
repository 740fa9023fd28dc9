//===- MaskRegisters.cpp - Masks stay in registers of masks -------------------------------------===//
//
// Which channels are active are bits of an integer in SIMD control flow. Where such integers only select, are combined
// and compared, on their way through loops, too, they are vectors of bits, one a channel:
//
//     %bits = bitcast <16 x i1> %c to i16              %live = and <16 x i1> (not %off), %c
//     %wide = zext i16 %bits to i32               ->   %now  = select <16 x i1> %live, ...
//     %live = and i32 (xor %off, -1), %wide            %done = icmp eq i16 (bitcast %live), 0
//     %now  = select (low 16 bits of %live), ...
//     %done = icmp eq i32 %live, 0
//
// An integer is N channels when its other bits are all zero or all one, wherever it comes from or where nobody reads
// them. Integers that depend on each other change together, if fewer of them go from one kind of register to the other
// then.
//
// Needs:    vectors of the size of registers, and registers of masks, with instructions for 8, 16 and 32 channels.
// Leaves:   masks as vectors of bits, for selections and stores of cpu-optimize and cpu-masked-operations.
// Not done: sums and shifts of masks, and what calls or memory give and take: that stays as it is.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

FixedVectorType *asMask(const Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V && V->getElementType()->isIntegerTy(1) ? const_cast<FixedVectorType *>(V) : nullptr;
}

/// An element of a vector without the permutations in between.
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

/// The bits of an integer behind the channels: all zero, all one, now one and now the other, which does where nobody
/// reads them, or not known, as the integer is no mask.
enum class Rest { Open, Zeros, Ones, Either, Unknown };

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

/// The integers of a function that are N channels.
class Masks {
public:
  Masks(Function &F, unsigned N) : F(F), N(N) {}

  bool run() {
    find();
    join();
    SmallVector<Instruction *, 32> Replaced;
    for (Instruction *I : Found)
      if (Saved[Joined.getLeaderValue(I)] > 0) {
        replace(*I);
        if (!isa<BitCastInst>(I) || all_of(I->users(), [&](User *U) { return isChannels(U); }))
          Replaced.push_back(I);
      }
    for (Instruction *I : Replaced) // which only use each other now
      I->dropAllReferences();
    for (Instruction *I : Replaced)
      I->eraseFromParent();
    for (PHINode *Phi : Phis)
      invert(*Phi);
    return !Replaced.empty();
  }

private:
  unsigned bitsOf(const Value *V) const { return V->getType()->getIntegerBitWidth(); }
  bool fits(const Value *V) const {
    return V->getType()->isIntegerTy() && bitsOf(V) >= N && bitsOf(V) <= 64 && isPowerOf2_32(bitsOf(V));
  }

  Rest restOf(Value *V) const {
    if (auto *C = dyn_cast<ConstantInt>(V))
      return restOf(C->getValue());
    if (auto Known = State.find(V); Known != State.end())
      return Known->second;
    return Rest::Unknown;
  }
  Rest restOf(const APInt &C) const {
    const APInt Behind = C.lshr(N);
    if (Behind.isZero())
      return Rest::Zeros;
    return Behind.countr_one() == C.getBitWidth() - N ? Rest::Ones : Rest::Unknown;
  }

  /// The bits of a vector behind the channels.
  Rest behind(Value *Vector) const {
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

  Rest compute(Instruction &I) const {
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

  /// All that may be channels are, until what they are computed from or where they are read shows otherwise.
  void find() {
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

  void compute() {
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
  bool dropRead() {
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
  bool readsChannels(User &Vector) const {
    return all_of(Vector.users(), [&](User *U) {
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
      return Shuffle && Shuffle->getOperand(0) == &Vector && Shuffle->getOperand(1) != &Vector &&
             all_of(Shuffle->getShuffleMask(), [&](int K) { return K < int(N); });
    });
  }

  bool isChannels(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && restOf(V) != Rest::Open && restOf(V) != Rest::Unknown;
  }

  /// A comparison with what has the same bits behind the channels, or others: then its result is known.
  const APInt *comparedWith(User *U, Value *V) const {
    const APInt *C;
    CmpPredicate How;
    bool Equal = match(U, m_ICmp(How, m_Specific(V), m_APInt(C))) && ICmpInst::isEquality(How);
    return Equal && restOf(*C) != Rest::Unknown ? C : nullptr;
  }
  /// All channels or none.
  bool isUniform(const Value *V) const {
    auto *C = dyn_cast<ConstantInt>(V);
    return C && (C->getValue().trunc(N).isZero() || C->getValue().trunc(N).isAllOnes());
  }
  static bool isVector(const User *U) { return isa<BitCastInst>(U) && asMask(U->getType()); }

  /// What depends on each other, and how many fewer of them change registers as channels.
  void join() {
    for (Instruction *I : Found)
      Joined.insert(I);
    MapVector<Instruction *, int> Each;
    for (Instruction *I : Found) {
      int &Gain = Each[I];
      if (isa<BitCastInst>(I))
        ++Gain; // a vector's bits
      else
        for (Value *X : drop_begin(I->operands(), isa<SelectInst>(I) ? 1 : 0)) {
          if (isChannels(X))
            Joined.unionSets(I, cast<Instruction>(X));
          else if (!isUniform(X))
            --Gain;
        }
      bool Elsewhere = false;
      for (User *U : I->users())
        if (isVector(U))
          ++Gain;
        else
          Elsewhere |= !isChannels(U) && !comparedWith(U, I);
      Gain -= Elsewhere;
    }
    for (auto [I, Gain] : Each)
      Saved[Joined.getLeaderValue(I)] += Gain;
  }

  /// The channels as a vector, at I or where they are known.
  Value *lanesOf(Value *V, Instruction *At) {
    auto *T = FixedVectorType::get(Type::getInt1Ty(F.getContext()), N);
    if (auto *I = dyn_cast<Instruction>(V); I && isChannels(I))
      return lanesOf(*I);
    IRBuilder<> B(At);
    if (auto *C = dyn_cast<ConstantInt>(V)) {
      SmallVector<Constant *, 32> Bits;
      for (unsigned K = 0; K < N; ++K)
        Bits.push_back(B.getInt1(C->getValue()[K]));
      return ConstantVector::get(Bits);
    }
    return B.CreateBitCast(B.CreateTrunc(V, B.getIntNTy(N)), T);
  }

  Value *lanesOf(Instruction &I) {
    if (auto Known = Lanes.find(&I); Known != Lanes.end())
      return Known->second;
    auto *T = FixedVectorType::get(Type::getInt1Ty(F.getContext()), N);
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      auto *New = PHINode::Create(T, Phi->getNumIncomingValues(), Phi->getName(), Phi->getIterator());
      New->setDebugLoc(Phi->getDebugLoc());
      Phis.push_back(New);
      Lanes[Phi] = New; // before what it comes from, which may come from it
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        New->addIncoming(lanesOf(Phi->getIncomingValue(K), Phi->getIncomingBlock(K)->getTerminator()),
                         Phi->getIncomingBlock(K));
      return New;
    }
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      Value *True = lanesOf(Select->getTrueValue(), &I), *False = lanesOf(Select->getFalseValue(), &I);
      return Lanes[&I] = IRBuilder<>(&I).CreateSelect(Select->getCondition(), True, False, I.getName());
    }
    Value *X = isa<BitCastInst>(I) ? nullptr : lanesOf(I.getOperand(0), &I);
    Value *Y = isa<BinaryOperator>(I) ? lanesOf(I.getOperand(1), &I) : nullptr;
    IRBuilder<> B(&I);
    if (auto *Operation = dyn_cast<BinaryOperator>(&I))
      X = combined(B, *Operation, X, Y);
    else if (!X)
      X = firstLanes(B, I.getOperand(0));
    return Lanes[&I] = X;
  }

  /// Bits behind the channels, which are none now, leave operations without effect.
  static Value *combined(IRBuilder<> &B, BinaryOperator &I, Value *X, Value *Y) {
    if (Value *Known = simplifyBinOp(I.getOpcode(), X, Y, SimplifyQuery(I.getDataLayout(), &I)))
      return Known;
    return B.CreateBinOp(I.getOpcode(), X, Y, I.getName());
  }

  /// The first N elements of a vector, as it was before others were joined to it.
  Value *firstLanes(IRBuilder<> &B, Value *Vector) const {
    Value *Whole = nullptr;
    for (unsigned Lane = 0; Lane < N; ++Lane) {
      auto [From, At] = elementOf(Vector, Lane);
      if (asMask(From->getType())->getNumElements() != N || At != Lane || (Whole && From != Whole)) {
        Whole = nullptr;
        break;
      }
      Whole = From;
    }
    if (Whole)
      return Whole;
    if (asMask(Vector->getType())->getNumElements() == N)
      return Vector;
    return B.CreateShuffleVector(Vector, createSequentialMask(0, N, 0));
  }

  void replace(Instruction &I) {
    Value *New = lanesOf(I);
    const bool Ones = restOf(&I) == Rest::Ones;
    SmallVector<Use *, 8> Elsewhere;
    for (Use &U : make_early_inc_range(I.uses())) {
      auto *By = cast<Instruction>(U.getUser());
      if (isVector(By)) {
        replaceVector(*By, New, Ones);
      } else if (const APInt *C = comparedWith(By, &I)) {
        compare(*cast<ICmpInst>(By), New, *C, Ones);
      } else if (!isChannels(By)) {
        Elsewhere.push_back(&U);
      }
    }
    if (!Elsewhere.empty() && !isa<BitCastInst>(I)) {
      auto Behind = I.getInsertionPointAfterDef();
      IRBuilder<> B(I.getParent(), *Behind);
      if (auto *AsInstruction = dyn_cast<Instruction>(New); AsInstruction && isa<PHINode>(I))
        B.SetInsertPoint(I.getParent(), *AsInstruction->getInsertionPointAfterDef());
      Value *Bits = B.CreateZExt(B.CreateBitCast(New, B.getIntNTy(N)), I.getType());
      if (Ones)
        Bits = B.CreateOr(Bits, ConstantInt::get(I.getType(), APInt::getHighBitsSet(bitsOf(&I), bitsOf(&I) - N)));
      for (Use *U : Elsewhere)
        U->set(Bits);
    }
  }

  /// Which channels are off becomes which are on: those choose.
  void invert(PHINode &Off) {
    if (!all_of(Off.incoming_values(), [](Value *In) { return isa<Constant>(In) || match(In, m_Not(m_Value())); }))
      return;
    auto *On = PHINode::Create(Off.getType(), Off.getNumIncomingValues(), Off.getName(), Off.getIterator());
    On->setDebugLoc(Off.getDebugLoc());
    for (auto [In, From] : zip(Off.incoming_values(), Off.blocks())) {
      Value *Complement;
      if (auto *C = dyn_cast<Constant>(In))
        Complement = ConstantExpr::getNot(C);
      else
        match(In.get(), m_Not(m_Value(Complement)));
      On->addIncoming(Complement, From);
    }
    IRBuilder<> B(Off.getParent(), Off.getParent()->getFirstInsertionPt());
    Off.replaceAllUsesWith(B.CreateNot(On));
    Off.eraseFromParent();
  }

  void compare(ICmpInst &By, Value *New, const APInt &C, bool Ones) {
    IRBuilder<> B(&By);
    const bool Equal = By.getPredicate() == ICmpInst::ICMP_EQ;
    const bool Never = bitsOf(By.getOperand(0)) > N && (restOf(C) == Rest::Ones) != Ones;
    Value *Result = Never ? B.getInt1(!Equal)
                          : B.CreateICmp(By.getPredicate(), B.CreateBitCast(New, B.getIntNTy(N)),
                                         ConstantInt::get(B.getIntNTy(N), C.trunc(N)));
    By.replaceAllUsesWith(Result);
    By.eraseFromParent();
  }

  /// A vector of all bits, and those that choose of its lanes.
  void replaceVector(Instruction &Vector, Value *New, bool Ones) {
    const unsigned All = asMask(Vector.getType())->getNumElements();
    SmallSetVector<User *, 8> Users(Vector.user_begin(), Vector.user_end());
    for (User *U : Users) {
      auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
      if (!Shuffle || Shuffle->getOperand(0) != &Vector ||
          !all_of(Shuffle->getShuffleMask(), [&](int K) { return K < int(N); }))
        continue;
      const bool Same = equal(Shuffle->getShuffleMask(), seq(0, int(N)));
      IRBuilder<> B(Shuffle);
      Shuffle->replaceAllUsesWith(Same ? New : B.CreateShuffleVector(New, Shuffle->getShuffleMask()));
      Shuffle->eraseFromParent();
    }
    IRBuilder<> B(&Vector);
    SmallVector<int, 64> Choice = to_vector(createSequentialMask(0, N, 0));
    Choice.append(All - N, int(N));
    auto *Behind = ConstantVector::getSplat(ElementCount::getFixed(N), B.getInt1(Ones));
    Vector.replaceAllUsesWith(All == N ? New : B.CreateShuffleVector(New, Behind, Choice));
    Vector.eraseFromParent();
  }

  Function &F;
  unsigned N;
  DenseMap<Value *, Rest> State;
  SmallVector<Instruction *, 32> Found;
  EquivalenceClasses<Instruction *> Joined;
  DenseMap<Instruction *, int> Saved;
  DenseMap<Instruction *, WeakTrackingVH> Lanes; // vectors that are replaced themselves later, too
  SmallVector<PHINode *, 8> Phis;                // new ones
};

/// Whether a function has bits of vectors as integers at all.
bool hasMasks(Function &F) {
  return any_of(instructions(F), [](Instruction &I) {
    return isa<BitCastInst>(I) && I.getType()->isIntegerTy() && asMask(I.getOperand(0)->getType());
  });
}

} // namespace

bool keepMasks(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (hasMasks(F))
      for (unsigned Channels : {8u, 16u, 32u})
        Changed |= Masks(F, Channels).run();
  return Changed;
}

} // namespace pocm::cpu
