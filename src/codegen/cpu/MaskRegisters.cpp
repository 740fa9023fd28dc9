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
// Which integers are masks, MaskAnalysis says. Those that depend on each other change together, if fewer of them go
// from one kind of register to the other then.
//
// Needs:    vectors of the size of registers, and registers of masks, with instructions for 8, 16 and 32 channels.
// Leaves:   masks as vectors of bits, for selections and stores of cpu-optimize and cpu-masked-operations.
// Not done: sums and shifts of masks, and what calls or memory give and take: that stays as it is.
//
//===--------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/MaskAnalysis.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::cpu {
namespace {

/// What depends on each other, and how many fewer of them change registers as channels.
class Groups {
public:
  explicit Groups(const MaskAnalysis &Masks) : Masks(Masks) {
    for (Instruction *I : Masks.found())
      Joined.insert(I);
    MapVector<Instruction *, int> Each;
    for (Instruction *I : Masks.found()) {
      int &Gain = Each[I];
      if (isa<BitCastInst>(I))
        ++Gain; // a vector's bits
      else
        for (Value *X : drop_begin(I->operands(), isa<SelectInst>(I) ? 1 : 0)) {
          if (Masks.isChannels(X))
            Joined.unionSets(I, cast<Instruction>(X));
          else if (!isUniform(X))
            --Gain;
        }
      bool Elsewhere = false;
      for (User *U : I->users())
        if (Masks.isVector(U))
          ++Gain;
        else
          Elsewhere |= !Masks.isChannels(U) && !Masks.comparedWith(U, I);
      Gain -= Elsewhere;
    }
    for (auto [I, Gain] : Each)
      Saved[Joined.getLeaderValue(I)] += Gain;
  }

  /// Whether a mask, and all that depends on it, shall be channels.
  bool pays(Instruction &I) const { return Saved.lookup(Joined.getLeaderValue(&I)) > 0; }

private:
  /// All channels or none.
  bool isUniform(const Value *V) const {
    auto *C = dyn_cast<ConstantInt>(V);
    return C && (C->getValue().trunc(Masks.channels()).isZero() || C->getValue().trunc(Masks.channels()).isAllOnes());
  }

  const MaskAnalysis &Masks;
  EquivalenceClasses<Instruction *> Joined;
  DenseMap<Instruction *, int> Saved;
};

/// Integers that are channels become vectors of bits.
class Rewriter {
public:
  Rewriter(Function &F, const MaskAnalysis &Masks) : F(F), Masks(Masks), N(Masks.channels()) {}

  bool run() {
    const Groups Joined(Masks);
    SmallVector<Instruction *, 32> Replaced;
    for (Instruction *I : Masks.found())
      if (Joined.pays(*I)) {
        replace(*I);
        if (!isa<BitCastInst>(I) || all_of(I->users(), [&](User *U) { return Masks.isChannels(U); }))
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
  static unsigned bitsOf(const Value *V) { return V->getType()->getIntegerBitWidth(); }

  /// The channels as a vector, at I or where they are known.
  Value *lanesOf(Value *V, Instruction *At) {
    auto *T = FixedVectorType::get(Type::getInt1Ty(F.getContext()), N);
    if (auto *I = dyn_cast<Instruction>(V); I && Masks.isChannels(I))
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

  /// Bits behind the channels, which are none now, leave operations without effect. Nobody may look further than at the
  /// operands: of a phi that is being made not all is known yet.
  static Value *combined(IRBuilder<> &B, BinaryOperator &I, Value *X, Value *Y) {
    Constant *Identity = ConstantExpr::getBinOpIdentity(I.getOpcode(), X->getType());
    Constant *Absorber = ConstantExpr::getBinOpAbsorber(I.getOpcode(), X->getType());
    if (Y == Identity || (Absorber && X == Absorber))
      return X;
    if (X == Identity || (Absorber && Y == Absorber))
      return Y;
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
    const bool Ones = Masks.restOf(&I) == Rest::Ones;
    SmallVector<Use *, 8> Elsewhere;
    for (Use &U : make_early_inc_range(I.uses())) {
      auto *By = cast<Instruction>(U.getUser());
      if (Masks.isVector(By)) {
        replaceVector(*By, New, Ones);
      } else if (const APInt *C = Masks.comparedWith(By, &I)) {
        compare(*cast<ICmpInst>(By), New, *C, Ones);
      } else if (!Masks.isChannels(By)) {
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
    const bool Never = bitsOf(By.getOperand(0)) > N && (Masks.restOf(C) == Rest::Ones) != Ones;
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
  const MaskAnalysis &Masks;
  const unsigned N;
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
        Changed |= Rewriter(F, MaskAnalysis(F, Channels)).run();
  return Changed;
}

} // namespace pocm::cpu
