//===- MayBeUnwritten.cpp - Which elements of values may hold what nobody has written ------===//
#include "devices/check/MayBeUnwritten.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Unwritten.h"
#include "passes/LiveElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::check {
namespace {

bool hasElements(const Type *T) { return T->isIntOrIntVectorTy() || T->isFPOrFPVectorTy(); }

BitVector ofConstant(const Constant &C) {
  BitVector All(unsigned(countOf(C.getType())));
  if (isa<UndefValue>(C)) // poison, too
    All.set();
  else if (isa<ConstantVector>(C))
    for (unsigned K = 0; K < All.size(); ++K)
      if (const Constant *Element = C.getAggregateElement(K); Element && isa<UndefValue>(Element))
        All.set(K);
  return All;
}

} // namespace

MayBeUnwritten::MayBeUnwritten(Function &F) : Memory(F) {
  SetVector<Instruction *> Work;
  for (Instruction &I : reverse(instructions(F))) // the first is taken first
    Work.insert(&I);
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    if (auto *Object = Memory.writtenBy(*I); Object && writesUnwritten(*I) && Spoiled.insert(Object).second)
      Work.insert(Object->Reads.begin(), Object->Reads.end());
    if (!hasElements(I->getType()) && !I->getType()->isPointerTy())
      continue;
    BitVector Now = after(*I);
    if (Now.none())
      continue;
    BitVector &Before = Known.try_emplace(I, Now.size()).first->second;
    if (!Now.test(Before)) // nothing new
      continue;
    Before |= Now;
    for (User *U : I->users())
      if (auto *Reader = dyn_cast<Instruction>(U))
        Work.insert(Reader);
  }
}

BitVector MayBeUnwritten::of(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V); C && hasElements(V->getType()))
    return ofConstant(*C);
  auto Found = Known.find(V);
  return Found == Known.end() ? BitVector(unsigned(countOf(V->getType()))) : Found->second;
}

bool MayBeUnwritten::any(const Value *V) const { return of(V).any(); }

bool MayBeUnwritten::reads(const Instruction &I) const {
  auto *Object = Memory.readBy(I);
  return Object && (Memory.mayBeFirst(I) || Spoiled.contains(Object));
}

bool MayBeUnwritten::isOpen(const Frame::Object &Object) const {
  return any_of(Object.Reads, [&](const Instruction *I) { return reads(*I); });
}

bool MayBeUnwritten::writesUnwritten(const Instruction &I) const {
  const Value *V = writtenValue(I);
  return V ? hasElements(V->getType()) && any(V) : reads(I);
}

bool MayBeUnwritten::isRead(const Instruction &I) {
  Op Operation = operationOf(&I);
  return Operation != Op::None && I.mayReadOrWriteMemory();
}

BitVector MayBeUnwritten::afterOperation(const CallInst &I, unsigned Count) const {
  BitVector Result(Count);
  Op Operation = operationOf(&I);
  if (Operation == Op::Unwritten)
    return BitVector(Count, true);
  if (Operation == Op::Dpas) // sums of what the accumulator has; products count as written
    return of(operandOf(I, Role::Accumulator));
  if (!isRead(I)) {
    if (any_of(I.args(), [&](const Use &Operand) { return any(Operand); }))
      Result.set();
    return Result;
  }
  if (!has(Operation, Role::Old) || !has(Operation, Role::Predicate))
    return Result;
  auto *Predicate = dyn_cast<Constant>(operandOf(I, Role::Predicate));
  return Predicate && Predicate->isAllOnesValue() ? Result : of(operandOf(I, Role::Old));
}

BitVector MayBeUnwritten::after(const Instruction &I) const {
  auto Count = unsigned(countOf(I.getType()));
  BitVector Result(Count);
  if (I.getType()->isPointerTy()) {
    Result[0] = isa<GetElementPtrInst, PHINode, SelectInst, IntToPtrInst>(I) &&
                any_of(I.operands(), [&](const Use &Operand) { return any(Operand); });
    return Result;
  }
  if (const Value *Pointer = readPointer(I))
    return BitVector(Count, reads(I) || any(Pointer));
  auto *Call = const_cast<CallInst *>(dyn_cast<CallInst>(&I));
  if (auto R = RegionRead::match(Call)) {
    BitVector Source = of(R->source());
    if (!R->Where.isConstant())
      return BitVector(Count, Source.any() || any(R->Where.Dynamic));
    for (unsigned K = 0; K < Count; ++K)
      if (int E = R->Where.element(int(K)); E >= 0 && E < int(Source.size()))
        Result[K] = Source[unsigned(E)];
    return Result;
  }
  if (auto W = RegionWrite::matchMasked(Call)) {
    Result = of(W->old());
    BitVector New = of(W->value());
    if (!W->Where.isConstant())
      return New.any() || any(W->Where.Dynamic) ? BitVector(Count, true) : Result;
    const Value *Mask = W->mask();
    bool MaskToo = Mask && any(Mask);
    for (unsigned K = 0; K < New.size(); ++K)
      if (int E = W->Where.element(int(K)); E >= 0 && E < int(Count))
        Result[unsigned(E)] = MaskToo || New[K] || (Mask && Result[unsigned(E)]);
    return Result;
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    for (const Value *V : Phi->incoming_values())
      Result |= of(V);
    return Result;
  }
  if (isa<InsertElementInst>(I)) {
    Result = of(I.getOperand(0));
    bool New = any(I.getOperand(1));
    if (auto Index = LiveElements::constantIndex(I))
      Result[*Index] = New;
    else if (New || any(I.getOperand(2)))
      Result.set();
    return Result;
  }
  if (isa<ExtractElementInst>(I)) {
    BitVector Source = of(I.getOperand(0));
    auto Index = LiveElements::constantIndex(I);
    Result[0] = Index ? Source[*Index] : Source.any() || any(I.getOperand(1));
    return Result;
  }
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    BitVector One = of(I.getOperand(0)), Other = of(I.getOperand(1));
    for (unsigned K = 0; K < Count; ++K) {
      int From = Shuffle->getMaskValue(K);
      auto E = unsigned(From);
      Result[K] = From < 0 || (E < One.size() ? One[E] : Other[E - One.size()]);
    }
    return Result;
  }
  if (isa<BitCastInst>(I) && hasElements(I.getOperand(0)->getType())) {
    BitVector Source = of(I.getOperand(0));
    unsigned Bits = I.getType()->getScalarSizeInBits(), Wide = I.getOperand(0)->getType()->getScalarSizeInBits();
    for (unsigned K = 0; K < Count; ++K)
      for (unsigned E = K * Bits / Wide; E <= ((K + 1) * Bits - 1) / Wide; ++E)
        Result[K] = Result[K] || Source[E];
    return Result;
  }
  if (isElementWise(I)) {
    for (const Use &Operand : I.operands()) {
      if (!hasElements(Operand->getType()))
        continue;
      BitVector One = of(Operand);
      if (One.size() == Count)
        Result |= One;
      else if (One.any())
        Result.set();
    }
    return Result;
  }
  if (Call && operationOf(Call) != Op::None)
    return afterOperation(*Call, Count);
  if (Call && isa<IntrinsicInst>(Call) &&
      any_of(Call->args(), [&](const Use &Operand) { return hasElements(Operand->getType()) && any(Operand); }))
    Result.set();
  return Result; // what comes from elsewhere counts as written
}

//===- Undefined constants ------------------------------------------------------------------===//

namespace {

/// The constant with Op::Unwritten in its undefined elements.
Value *named(IRBuilder<> &B, Constant &C, const BitVector &Undefined) {
  Value *Unwritten = createUnwritten(B, C.getType());
  if (Undefined.all())
    return Unwritten;
  SmallVector<Constant *, 32> Parts, Mask;
  for (unsigned K = 0; K < Undefined.size(); ++K) {
    Constant *Element = C.getAggregateElement(K);
    Parts.push_back(Undefined[K] ? Constant::getNullValue(Element->getType()) : Element);
    Mask.push_back(B.getInt1(Undefined[K]));
  }
  return B.CreateSelect(ConstantVector::get(Mask), Unwritten, ConstantVector::get(Parts));
}

/// Elements that a shuffle takes from nowhere.
void nameShuffle(ShuffleVectorInst &Shuffle) {
  SmallVector<int, 32> Mask(Shuffle.getShuffleMask());
  if (!is_contained(Mask, -1))
    return;
  IRBuilder<> B(Shuffle.getNextNode());
  SmallVector<Constant *, 32> Nowhere;
  for (int &From : Mask) {
    Nowhere.push_back(B.getInt1(From < 0));
    From = std::max(From, 0);
  }
  Shuffle.setShuffleMask(Mask);
  Value *Unwritten = createUnwritten(B, Shuffle.getType());
  auto *Choice = cast<SelectInst>(
      B.Insert(SelectInst::Create(ConstantVector::get(Nowhere), Unwritten, Constant::getNullValue(Shuffle.getType()))));
  Shuffle.replaceAllUsesWith(Choice);
  Choice->setFalseValue(&Shuffle);
}

} // namespace

void nameUndefined(Function &F) {
  SmallVector<Instruction *, 64> All;
  for (Instruction &I : instructions(F))
    All.push_back(&I);
  for (Instruction *I : All) {
    if (operationOf(I) == Op::Unwritten)
      continue;
    for (Use &Operand : I->operands()) {
      auto *C = dyn_cast<Constant>(Operand);
      if (!C || !hasElements(C->getType()))
        continue;
      BitVector Undefined = ofConstant(*C);
      if (Undefined.none())
        continue;
      auto *Phi = dyn_cast<PHINode>(I);
      IRBuilder<> B(Phi ? Phi->getIncomingBlock(Operand)->getTerminator() : I);
      Value *New = named(B, *C, Undefined);
      if (Phi) // one block may come in several times
        for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K) {
          if (Phi->getIncomingBlock(K) == Phi->getIncomingBlock(Operand))
            Phi->setIncomingValue(K, New);
        }
      else
        Operand.set(New);
    }
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(I))
      nameShuffle(*Shuffle);
  }
}

} // namespace pocm::check
