//===- Decisions.cpp - What decides where a kernel goes, and what it touches, has a value ----------===//
//
//     br i1 poison                                          br i1 (freeze poison)
//     %z = shl i8 1, 77                                     %z = shl i8 1, 77
//     %q = gep [16 x i8], %a, %z                    ->      %q = gep [16 x i8], %a, (freeze %z)
//     store i32 1, ptr undef                                store i32 1, ptr null
//
// A value that nobody has defined may be anything, but LLVM takes a way to which one would decide for a way that is
// never gone: it leaves out the conditions that lead there, the exit of a loop among them, on which the bounds of what
// comes before rest. So what a branch asks, what is divided by, and what places in memory are made of is some value.
// Which values may be undefined is known lane by lane, through loops as well; hardly any program has one in such a
// place.
//
// Needs:    one function of all that a kernel calls, whose parameters the launch defines; nothing is simplified yet.
// Leaves:   branches, divisors and addresses that have a value, for bounds and simplification.
// Not done: what is written to surfaces undefined and read again, which LLVM does not follow across their bounds;
//           addresses that came from memory.
//
//===-----------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Inside.h"
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/WrittenVariables.h"
#include "ir/Intervals.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace pocm {
namespace {

unsigned lanesOf(Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? V->getNumElements() : 1;
}

/// Which lanes of values may be undefined.
class Undefined {
public:
  explicit Undefined(Function &F)
      : DL(F.getParent()->getDataLayout()), Dominators(F), Variables(F, Dominators),
        Places(F, Dominators, placesOf(F)) {
    ReversePostOrderTraversal<Function *> Order(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Order)
        for (Instruction &I : *Block)
          if (auto *Store = dyn_cast<StoreInst>(&I))
            Changed |= hold(*Store);
          else if (!I.getType()->isVoidTy())
            Changed |= add(I, made(I));
    }
  }
  bool any(Value *V) const { return !lanes(V).isZero(); }
  /// Whether an instruction has a value where its operands have.
  bool passesOn(const Instruction &I) const {
    if (I.isShift())
      return isLess(I.getOperand(1), I.getType()->getScalarSizeInBits());
    if (I.isIntDivRem())
      return isKnownNonZero(I.getOperand(1), DL);
    return isa<BinaryOperator, CmpInst, PHINode, SelectInst>(I) ||
           (isa<CastInst>(I) && !isa<FPToSIInst, FPToUIInst, IntToPtrInst, PtrToIntInst>(I));
  }

private:
  static APInt all(unsigned Count) { return APInt::getAllOnes(Count); }

  /// Whether a variable holds something undefined now, and did not before.
  bool hold(StoreInst &Store) {
    Value *New = Store.getValueOperand();
    auto *C = dyn_cast<Constant>(New);
    const bool IsOpen =
        C ? isa<UndefValue>(C) || C->containsUndefOrPoisonElement() || C->getType()->isAggregateType() : any(New);
    const AllocaInst *Variable = IsOpen ? WrittenVariables::variableOf(Store) : nullptr;
    return Variable && Holding.insert(Variable).second;
  }
  bool findsUndefined(LoadInst &Load) const {
    if (const AllocaInst *Variable = Variables.writtenBefore(Load))
      return Holding.contains(Variable);
    return readsVariable(Load.getPointerOperand());
  }

  APInt lanes(Value *V) const {
    const unsigned Count = lanesOf(V->getType());
    auto *C = dyn_cast<Constant>(V);
    if (!C) {
      auto Found = Known.find(V);
      return Found == Known.end() ? APInt::getZero(Count) : Found->second;
    }
    if (isa<UndefValue>(C))
      return all(Count);
    APInt Open = APInt::getZero(Count);
    if (isa<ConstantVector>(C))
      for (unsigned K = 0; K < Count; ++K)
        if (isa_and_nonnull<UndefValue>(C->getAggregateElement(K)))
          Open.setBit(K);
    return Open;
  }
  bool add(Instruction &I, const APInt &Open) {
    if (Open.isZero())
      return false;
    auto [Place, New] = Known.try_emplace(&I, Open);
    if (New)
      return true;
    const APInt More = Place->second | Open;
    return std::exchange(Place->second, More) != More;
  }

  /// Of operand `V` as lanes of the result: all if any, where they are not the same.
  APInt as(Value *V, unsigned Count) const {
    const APInt Open = lanes(V);
    return Open.getBitWidth() == Count ? Open : Open.isZero() ? APInt::getZero(Count) : all(Count);
  }
  APInt operands(const Instruction &I, bool Wise) const {
    const unsigned Count = lanesOf(I.getType());
    APInt Open = APInt::getZero(Count);
    for (Value *V : I.operands())
      if (!isa<BasicBlock>(V) && !isa<Function>(V) && !V->getType()->isMetadataTy())
        Open |= Wise || !any(V) ? as(V, Count) : all(Count);
    return Open;
  }
  bool isLess(Value *V, unsigned Than) const { return computeKnownBits(V, DL).getMaxValue().ult(Than); }
  /// Whether an element that is chosen is one of so many.
  bool isInside(const Instruction &I, Value *Place, unsigned Count) const {
    return isLess(Place, Count) || (isNumber(Place) && !any(Place) && Places.at(Place, I).getUnsignedMax().ult(Count));
  }
  static bool isNumber(const Value *V) {
    return V->getType()->isIntegerTy() && V->getType()->getIntegerBitWidth() <= 64;
  }
  /// What elements are chosen by.
  static SmallVector<Value *> placesOf(Function &F) {
    SmallVector<Value *> All;
    for (Instruction &I : instructions(F))
      if (isa<ExtractElementInst, InsertElementInst>(I))
        All.push_back(I.getOperand(I.getNumOperands() - 1));
    return All;
  }

  APInt made(Instruction &I) const {
    const unsigned Count = lanesOf(I.getType());
    const APInt None = APInt::getZero(Count);
    switch (I.getOpcode()) {
    case Instruction::Freeze:
    case Instruction::Alloca:
    case Instruction::AtomicRMW:
    case Instruction::AtomicCmpXchg:
      return None;
    case Instruction::Load: // of a variable that nobody may have written; surfaces have bytes
      return findsUndefined(cast<LoadInst>(I)) ? all(Count) : None;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return all(Count);
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      return passesOn(I) ? operands(I, true) : all(Count);
    case Instruction::InsertElement:
      return inserted(cast<InsertElementInst>(I));
    case Instruction::ExtractElement: {
      const APInt From = lanes(I.getOperand(0));
      if (auto *At = dyn_cast<ConstantInt>(I.getOperand(1)); At && At->getValue().ult(From.getBitWidth()))
        return From[unsigned(At->getZExtValue())] ? all(1) : None;
      return From.isZero() && isInside(I, I.getOperand(1), From.getBitWidth()) ? None : all(1);
    }
    case Instruction::ShuffleVector:
      return shuffled(cast<ShuffleVectorInst>(I));
    case Instruction::Call:
      return called(cast<CallInst>(I));
    default:
      return operands(I, isa<PHINode>(I) || isa<SelectInst>(I) || isElementWise(I));
    }
  }
  static bool readsVariable(const Value *Pointer) {
    return mayLeadTo(Pointer, [](const Value *Object) { return isa<AllocaInst>(Object); });
  }
  APInt inserted(const InsertElementInst &I) const {
    APInt Open = lanes(I.getOperand(0));
    const bool New = any(I.getOperand(1));
    if (auto *At = dyn_cast<ConstantInt>(I.getOperand(2)); At && At->getValue().ult(Open.getBitWidth())) {
      Open.setBitVal(unsigned(At->getZExtValue()), New);
      return Open;
    }
    return New || !isInside(I, I.getOperand(2), Open.getBitWidth()) ? all(Open.getBitWidth()) : Open;
  }
  APInt shuffled(const ShuffleVectorInst &I) const {
    const APInt Left = lanes(I.getOperand(0)), Right = lanes(I.getOperand(1));
    const int Size = int(Left.getBitWidth());
    APInt Open = APInt::getZero(lanesOf(I.getType()));
    for (auto [K, From] : enumerate(I.getShuffleMask()))
      if (From < 0 || (From < Size ? Left[unsigned(From)] : Right[unsigned(From - Size)]))
        Open.setBit(unsigned(K));
    return Open;
  }
  APInt called(CallInst &I) const {
    const unsigned Count = lanesOf(I.getType());
    if (auto R = RegionRead::match(&I)) {
      const APInt From = lanes(R->source());
      APInt Open = APInt::getZero(Count);
      for (int K = 0; K < int(Count); ++K) {
        const int At = R->Where.element(K);
        const bool Outside = At < 0 || At >= int(From.getBitWidth());
        if (Outside || (R->Where.isConstant() ? From[unsigned(At)] : !From.isZero()))
          Open.setBit(unsigned(K));
      }
      return Open;
    }
    if (auto W = RegionWrite::matchMasked(&I)) {
      APInt Open = lanes(W->old());
      const APInt New = lanes(W->value());
      if (!W->Where.isConstant())
        return New.isZero() ? Open : all(Count);
      for (int K = 0; K < W->count(); ++K)
        if (const int At = W->Where.element(K); At >= 0 && At < int(Count))
          Open.setBitVal(unsigned(At), New[unsigned(K)] || (W->mask() && Open[unsigned(At)]));
      return Open;
    }
    if (asOperation(&I, Op::MemoryRead))
      return readsVariable(operandOf(I, Role::First)) ? all(Count) : APInt::getZero(Count);
    return operands(I, isElementWise(I));
  }

  const DataLayout &DL;
  const DominatorTree Dominators;
  const WrittenVariables Variables;
  const Intervals Places;
  SmallPtrSet<const AllocaInst *, 8> Holding; ///< Something undefined.
  DenseMap<const Value *, APInt> Known;
};

bool holdsPointers(Type *T) {
  if (auto *A = dyn_cast<ArrayType>(T))
    return holdsPointers(A->getElementType());
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), holdsPointers);
  return T->isPtrOrPtrVectorTy();
}

/// A pointer some of whose bits are cleared, as one that lies some bytes before.
Value *masked(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  auto [Pointer, Bits] = argumentsOf<2>(I);
  Value *Number = B.CreatePtrToInt(Pointer, Bits->getType());
  return B.CreatePtrAdd(Pointer, B.CreateSub(B.CreateAnd(Number, Bits), Number));
}

/// Addresses lead to their variable, which a freeze would hide: what they are made of is frozen instead.
bool showPointers(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (isa<FreezeInst>(I) && holdsPointers(I.getType())) {
      I.replaceAllUsesWith(I.getOperand(0));
      I.eraseFromParent();
      Changed = true;
      continue;
    }
    if (auto *Mask = dyn_cast<IntrinsicInst>(&I); Mask && Mask->getIntrinsicID() == Intrinsic::ptrmask) {
      Mask->replaceAllUsesWith(masked(*Mask));
      Mask->eraseFromParent();
      Changed = true;
      continue;
    }
    for (Use &U : I.operands())
      if (isa<UndefValue>(U) && U->getType()->isPointerTy()) {
        U = ConstantPointerNull::get(cast<PointerType>(U->getType()));
        Changed = true;
      }
  }
  return Changed;
}

bool isData(Role R) { return R == Role::Old || R == Role::Data || R == Role::Source || R == Role::Second; }

/// Operands that decide.
SmallVector<Use *, 4> decisionsOf(Instruction &I) {
  if (auto *Branch = dyn_cast<BranchInst>(&I))
    return Branch->isConditional() ? SmallVector<Use *, 4>{&I.getOperandUse(0)} : SmallVector<Use *, 4>{};
  if (isa<SwitchInst>(I) || (isa<SelectInst>(I) && holdsPointers(I.getType())))
    return {&I.getOperandUse(0)};
  if (I.isIntDivRem())
    return {&I.getOperandUse(1)};
  SmallVector<Use *, 4> All;
  if (isa<GetElementPtrInst>(I))
    for (Use &U : drop_begin(I.operands()))
      All.push_back(&U);
  if (auto *Fill = dyn_cast<MemIntrinsic>(&I))
    for (Use &U : Fill->args())
      if (U == Fill->getLength())
        All.push_back(&U);
  if (const Op Operation = operationOf(&I); Operation != Op::None)
    for (Use &U : cast<CallInst>(I).args())
      if (U->getType()->isIntOrIntVectorTy() && !isData(operandsOf(Operation)[U.getOperandNo()].What))
        All.push_back(&U);
  return All;
}

/// Gives values to what decisions are computed from, where it comes from: loops ask again and again, of what does not
/// change in them, and LLVM follows counters through arithmetic only.
class Origins {
public:
  explicit Origins(const Undefined &Open) : Open(Open) {}

  /// False when it has some already.
  bool settle(Use &U) {
    if (isa<UndefValue>(U)) { // which value one has is chosen once
      U.set(Constant::getNullValue(U->getType()));
      return true;
    }
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !Open.any(I) || !Settled.insert(I).second)
      return false;
    if (Open.passesOn(*I)) {
      bool Changed = false;
      for (Use &Operand : I->operands())
        Changed |= settle(Operand);
      return Changed;
    }
    IRBuilder<> B(I->getParent(), *I->getInsertionPointAfterDef());
    Value *Some = B.CreateFreeze(I);
    I->replaceUsesWithIf(Some, [&](Use &By) { return By.getUser() != Some; });
    return true;
  }

private:
  const Undefined &Open;
  SmallPtrSet<const Instruction *, 16> Settled;
};

} // namespace

bool settleDecisions(Function &F) {
  bool Changed = showPointers(F);
  const Undefined Open(F);
  Origins All(Open);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    for (Use *U : decisionsOf(I))
      Changed |= All.settle(*U);
  return Changed;
}

} // namespace pocm
