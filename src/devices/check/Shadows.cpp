//===- Shadows.cpp - Which bits of values nobody has written, found out at run time --------===//
#include "devices/check/Shadows.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Unwritten.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::check {
namespace {

/// Of integers as wide as the elements of `T`; a flag for a pointer.
Type *shadowOf(Type *T) {
  if (T->isPointerTy())
    return Type::getInt1Ty(T->getContext());
  Type *Bits = IntegerType::get(T->getContext(), T->getScalarSizeInBits());
  return vectorLike(Bits, T);
}

Value *ones(Type *T) { return Constant::getAllOnesValue(shadowOf(T)); }
Value *zeros(Type *T) { return Constant::getNullValue(shadowOf(T)); }

/// All bits of elements of which any is set, for values of another type, too.
Value *spread(IRBuilderBase &B, Value *Shadow, Type *As) { return B.CreateSExt(anyBit(B, Shadow), shadowOf(As)); }

/// All bits of all elements where the flag is set.
Value *everywhere(IRBuilderBase &B, Value *Flag, Type *As) { return B.CreateSelect(Flag, ones(As), zeros(As)); }

Value *anyOf(IRBuilderBase &B, Value *Flags) {
  return Flags->getType()->isVectorTy() ? B.CreateOrReduce(Flags) : Flags;
}

} // namespace

Value *anyBit(IRBuilderBase &B, Value *Shadow) {
  return B.CreateICmpNE(Shadow, Constant::getNullValue(Shadow->getType()));
}

Value *Shadows::full(Value *V) {
  Value *Shadow = of(V);
  return Shadow ? Shadow : zeros(V->getType());
}

Value *Shadows::of(Value *V) {
  if (isa<Constant>(V) || !May.any(V))
    return nullptr;
  if (auto Found = Made.find(V); Found != Made.end())
    return Found->second;
  auto *I = cast<Instruction>(V);
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    Builder B(Phi);
    PHINode *Shadow = B.CreatePHI(shadowOf(Phi->getType()), Phi->getNumIncomingValues());
    Made[V] = Shadow;
    for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
      Shadow->addIncoming(full(Phi->getIncomingValue(K)), Phi->getIncomingBlock(K));
    return Shadow;
  }
  I->dropPoisonGeneratingAnnotations(); // zeros in the place of what is unwritten may break what they promise
  for (Value *Operand : I->operands())
    of(Operand); // each behind its own value
  Builder B(I->getNextNode());
  B.SetCurrentDebugLocation({});
  Value *Shadow = make(B, *I);
  Made[V] = Shadow;
  return Shadow;
}

Value *Shadows::make(Builder &B, Instruction &I) {
  if (readPointer(I))
    return ofRead(B, I);
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return ofBinary(B, *Binary);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return ofCast(B, *Cast);
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return ofCompare(B, *Compare);
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return ofSelect(B, *Select);
  if (isa<FreezeInst>(I))
    return full(I.getOperand(0));
  if (isa<InsertElementInst>(I))
    return chosen(B, B.CreateInsertElement(full(I.getOperand(0)), full(I.getOperand(1)), I.getOperand(2)),
                  I.getOperand(2));
  if (isa<ExtractElementInst>(I))
    return chosen(B, B.CreateExtractElement(full(I.getOperand(0)), I.getOperand(1)), I.getOperand(1));
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return B.CreateShuffleVector(full(I.getOperand(0)), full(I.getOperand(1)), Shuffle->getShuffleMask());
  if (auto R = RegionRead::match(&I)) {
    Value *Shadow = RegionRead::create(B, shadowOf(I.getType()), full(R->source()), R->Where);
    return R->Where.Dynamic ? chosen(B, Shadow, R->Where.Dynamic) : Shadow;
  }
  if (auto W = RegionWrite::matchMasked(&I)) {
    Value *Old = full(W->old()), *New = full(W->value());
    if (Value *Mask = W->mask(); Mask && of(Mask)) // what the mask decides
      New = B.CreateOr(New, spread(B, of(Mask), W->value()->getType()));
    Value *Shadow = RegionWrite::create(B, Old, New, W->Where, W->mask()), *Index = W->Where.Dynamic;
    if (!Index || !of(Index))
      return Shadow;
    Value *Open = anyBit(B, of(Index)); // of lanes that are written
    if (Value *Mask = W->mask(); Mask && Mask->getType() == Open->getType())
      Open = B.CreateAnd(Open, Mask);
    return B.CreateOr(Shadow, everywhere(B, anyOf(B, Open), Shadow->getType()));
  }
  auto *Call = dyn_cast<CallInst>(&I);
  if (Call && operationOf(Call) != Op::None && !isElementWise(I))
    return ofOperation(B, *Call);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    switch (Intrinsic->getIntrinsicID()) {
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
      return ofReduction(B, *Intrinsic);
    case Intrinsic::fshl:
    case Intrinsic::fshr:
      return ofShift(B, I);
    case Intrinsic::bswap:
    case Intrinsic::bitreverse:
      return B.CreateUnaryIntrinsic(Intrinsic->getIntrinsicID(), full(I.getOperand(0)));
    default:
      break;
    }
  return isElementWise(I) ? eachFrom(B, I) : allFrom(B, I);
}

Value *Shadows::ofBinary(Builder &B, BinaryOperator &I) {
  Value *Both;
  switch (I.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
    return ofBits(B, I);
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
    return B.CreateOr(full(I.getOperand(0)), full(I.getOperand(1)));
  case Instruction::Mul: // what lies below the lowest unwritten bit is decided
    Both = B.CreateOr(full(I.getOperand(0)), full(I.getOperand(1)));
    return B.CreateOr(Both, B.CreateNeg(Both));
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return ofShift(B, I);
  default:
    return eachFrom(B, I);
  }
}

/// A written bit that decides alone leaves nothing to the other.
Value *Shadows::ofBits(Builder &B, BinaryOperator &I) {
  Value *One = full(I.getOperand(0)), *Other = full(I.getOperand(1));
  auto Open = [&](Value *V, Value *Shadow) { // what may not decide
    Value *Bits = I.getOpcode() == Instruction::And ? V : B.CreateNot(V);
    return B.CreateOr(Bits, Shadow);
  };
  Value *Either = B.CreateOr(One, Other);
  return B.CreateAnd(Either, B.CreateAnd(Open(I.getOperand(0), One), Open(I.getOperand(1), Other)));
}

/// By an amount; bits that funnel shifts bring in are shifted as well.
Value *Shadows::ofShift(Builder &B, Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  Value *Amount = I.getOperand(Call ? 2 : 1), *Shadow;
  if (Call)
    Shadow = B.CreateIntrinsic(Call->getIntrinsicID(), {Amount->getType()},
                               {full(I.getOperand(0)), full(I.getOperand(1)), Amount});
  else
    Shadow = B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), full(I.getOperand(0)), Amount);
  return of(Amount) ? B.CreateOr(Shadow, spread(B, of(Amount), I.getType())) : Shadow;
}

Value *Shadows::ofCast(Builder &B, CastInst &I) {
  Value *Shadow = full(I.getOperand(0));
  Type *T = shadowOf(I.getType());
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return B.CreateCast(I.getOpcode(), Shadow, T);
  case Instruction::BitCast:
    return B.CreateBitCast(Shadow, T);
  default:
    return spread(B, Shadow, I.getType());
  }
}

/// Decided when the least and the greatest that either side may be give the same.
Value *Shadows::ofCompare(Builder &B, ICmpInst &I) {
  Value *A = I.getOperand(0), *C = I.getOperand(1);
  if (!A->getType()->isIntOrIntVectorTy())
    return ones(I.getType());
  Value *ShadowA = full(A), *ShadowC = full(C);
  if (I.isEquality()) { // written bits that differ decide
    Value *Open = B.CreateOr(ShadowA, ShadowC);
    Value *Differs = anyBit(B, B.CreateAnd(B.CreateXor(A, C), B.CreateNot(Open)));
    return B.CreateAnd(anyBit(B, Open), B.CreateNot(Differs));
  }
  Constant *Sign = ConstantInt::get(A->getType(), APInt::getSignMask(A->getType()->getScalarSizeInBits()));
  auto Bound = [&](Value *V, Value *Shadow, bool Greatest) {
    V = I.isSigned() ? B.CreateXor(V, Sign) : V;
    return Greatest ? B.CreateOr(V, Shadow) : B.CreateAnd(V, B.CreateNot(Shadow));
  };
  auto Order = I.getUnsignedPredicate();
  return B.CreateXor(B.CreateICmp(Order, Bound(A, ShadowA, false), Bound(C, ShadowC, true)),
                     B.CreateICmp(Order, Bound(A, ShadowA, true), Bound(C, ShadowC, false)));
}

Value *Shadows::ofSelect(Builder &B, SelectInst &I) {
  Value *True = full(I.getTrueValue()), *False = full(I.getFalseValue()), *Condition = I.getCondition();
  Value *Shadow = B.CreateSelect(Condition, True, False);
  Value *Open = of(Condition);
  if (!Open)
    return Shadow;
  if (I.getType()->isPointerTy())
    return B.CreateOr(Shadow, Open);
  auto Bits = [&](Value *V) { return B.CreateBitCast(V, shadowOf(V->getType())); };
  Value *Differ = B.CreateXor(Bits(I.getTrueValue()), Bits(I.getFalseValue()));
  return B.CreateSelect(Open, B.CreateOr(B.CreateOr(Differ, True), False), Shadow);
}

/// An element that decides alone leaves nothing to the others.
Value *Shadows::ofReduction(Builder &B, IntrinsicInst &I) {
  Value *V = I.getOperand(0), *Shadow = full(V);
  if (I.getIntrinsicID() == Intrinsic::vector_reduce_and)
    V = B.CreateNot(V);
  Value *Decided = B.CreateOrReduce(B.CreateAnd(V, B.CreateNot(Shadow)));
  return B.CreateAnd(B.CreateOrReduce(Shadow), B.CreateNot(Decided));
}

Value *Shadows::ofOperation(Builder &B, CallInst &I) {
  if (operationOf(&I) == Op::Unwritten)
    return ones(I.getType());
  if (operationOf(&I) == Op::Dpas)
    return full(operandOf(I, Role::Accumulator));
  if (!MayBeUnwritten::isRead(I))
    return allFrom(B, I);
  Value *Old = full(operandOf(I, Role::Old)), *Predicate = operandOf(I, Role::Predicate);
  return B.CreateSelect(repeated(B, Predicate, I.getType()), Constant::getNullValue(Old->getType()), Old);
}

/// Elements of which any operand's is unwritten.
Value *Shadows::eachFrom(Builder &B, Instruction &I) {
  Value *Any = nullptr;
  auto *Call = dyn_cast<CallBase>(&I);
  for (Use &Operand : Call ? make_range(Call->arg_begin(), Call->arg_end()) : I.operands()) {
    Value *Shadow = of(Operand);
    if (!Shadow)
      continue;
    Shadow = anyBit(B, Shadow);
    if (countOf(Shadow->getType()) != countOf(I.getType()))
      return allFrom(B, I);
    Any = Any ? B.CreateOr(Any, Shadow) : Shadow;
  }
  return B.CreateSExt(Any, shadowOf(I.getType()));
}

/// All elements, when any of any operand is unwritten.
Value *Shadows::allFrom(Builder &B, Instruction &I) {
  Value *Any = B.getFalse();
  auto *Call = dyn_cast<CallBase>(&I);
  for (Use &Operand : Call ? make_range(Call->arg_begin(), Call->arg_end()) : I.operands())
    if (Value *Shadow = of(Operand))
      Any = B.CreateOr(Any, anyOf(B, anyBit(B, Shadow)));
  return everywhere(B, Any, I.getType());
}

/// The shadow of what an unwritten number has chosen: of each element its own number, or one of all.
Value *Shadows::chosen(Builder &B, Value *Shadow, Value *Index) {
  Value *Open = of(Index);
  if (!Open)
    return Shadow;
  if (Open->getType()->isVectorTy() && countOf(Open->getType()) == countOf(Shadow->getType()))
    return B.CreateOr(Shadow, spread(B, Open, Shadow->getType()));
  return B.CreateOr(Shadow, everywhere(B, anyOf(B, anyBit(B, Open)), Shadow->getType()));
}

Value *repeated(IRBuilderBase &B, Value *Lanes, Type *Shape) {
  int Count = countOf(Shape), Some = countOf(Lanes->getType());
  if (Some == Count || !Shape->isVectorTy())
    return Lanes;
  if (!Lanes->getType()->isVectorTy())
    return B.CreateVectorSplat(unsigned(Count), Lanes);
  SmallVector<int, 64> Mask;
  for (int K = 0; K < Count; ++K)
    Mask.push_back(K % Some);
  return B.CreateShuffleVector(Lanes, Mask);
}

//===- Variables in memory --------------------------------------------------------------===//

void Shadows::followMemory(Function &F) {
  SmallVector<Instruction *, 32> Writes;
  for (const auto &Object : May.frame().objects())
    if (May.isOpen(*Object)) {
      Writes.append(Object->Writes);
      for (AllocaInst *Variable : Object->Variables)
        beginLives(*Variable);
    }
  for (Instruction *I : Writes)
    write(*I);
}

void Shadows::beginLives(AllocaInst &Variable) {
  const auto Size = Variable.getAllocationSize(Variable.getDataLayout())->getFixedValue();
  Builder B(Variable.getNextNode());
  auto *Shadow = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size));
  Shadow->setAlignment(Variable.getAlign());
  Beside[&Variable] = Shadow;
  bool Starts = false;
  for (User *U : Variable.users())
    if (auto *Start = dyn_cast<LifetimeIntrinsic>(U); Start && Start->getIntrinsicID() == Intrinsic::lifetime_start) {
      Builder(Start->getNextNode()).CreateMemSet(Shadow, B.getInt8(0xFF), Size, Shadow->getAlign());
      Starts = true;
    }
  if (!Starts)
    B.CreateMemSet(Shadow, B.getInt8(0xFF), Size, Shadow->getAlign());
}

/// The place in the shadow of where a pointer leads.
Value *Shadows::besides(Value *Pointer) {
  if (Value *Known = Beside.lookup(Pointer))
    return Known;
  auto *I = cast<Instruction>(Pointer)->clone();
  Beside[Pointer] = I;
  I->insertAfter(cast<Instruction>(Pointer)->getIterator());
  I->dropPoisonGeneratingAnnotations();
  for (Use &Operand : I->operands())
    if (May.frame().objectOf(Operand))
      Operand.set(besides(Operand));
  return I;
}

void Shadows::write(Instruction &I) {
  Builder B(&I);
  B.SetCurrentDebugLocation({});
  Value *Place = besides(writtenPointer(I)), *New = writtenValue(I);
  if (auto *Copy = dyn_cast<MemTransferInst>(&I); Copy && May.reads(I)) {
    auto *Moved = cast<MemTransferInst>(Copy->clone());
    Moved->setDest(Place);
    Moved->setSource(besides(Copy->getRawSource()));
    B.Insert(Moved);
  } else if (auto *Fill = dyn_cast<MemIntrinsic>(&I)) {
    B.CreateMemSet(Place, B.getInt8(0), Fill->getLength(), Fill->getDestAlign());
  } else if (auto *Call = asOperation(&I, Op::MemoryWrite)) {
    SmallVector<Value *, 6> Operands(Call->args());
    Operands[indexOf(Op::MemoryWrite, Role::First)] = Place;
    Operands[indexOf(Op::MemoryWrite, Role::Data)] = full(New);
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), Operands);
  } else if (New->getType()->isIntOrIntVectorTy() || New->getType()->isFPOrFPVectorTy()) {
    B.CreateAlignedStore(full(New), Place, cast<StoreInst>(I).getAlign());
  } else {
    B.CreateMemSet(Place, B.getInt8(0), I.getDataLayout().getTypeStoreSize(New->getType()).getFixedValue(), {});
  }
}

Value *Shadows::ofRead(Builder &B, Instruction &I) {
  Value *Shadow = zeros(I.getType()), *Pointer = readPointer(I);
  if (May.reads(I)) {
    Value *Place = besides(Pointer);
    if (auto *Call = asOperation(&I, Op::MemoryRead)) {
      SmallVector<Value *, 6> Operands(Call->args());
      Operands[indexOf(Op::MemoryRead, Role::First)] = Place;
      Shadow = createOperation(B, Op::MemoryRead, shadowOf(I.getType()), Operands);
    } else {
      Shadow = B.CreateAlignedLoad(shadowOf(I.getType()), Place, cast<LoadInst>(I).getAlign());
    }
  }
  return chosen(B, Shadow, Pointer);
}

//===- Names ----------------------------------------------------------------------------===//

namespace {

std::string inWords(StringRef Name, unsigned Line) { return ("'" + Name + "' of line ").str() + std::to_string(Line); }

/// The variable of the source, as long as there is debug information; empty when it has none.
std::string nameOf(AllocaInst &Variable) {
  for (DbgVariableRecord *Record : findDVRDeclares(&Variable))
    if (!Record->getVariable()->isArtificial() && !Record->getVariable()->getName().empty())
      return inWords(Record->getVariable()->getName(), Record->getVariable()->getLine());
  return "";
}

} // namespace

std::string Shadows::originOf(Value *V) const {
  constexpr unsigned MostSteps = 4096, MostNames = 2;
  SetVector<Value *> Seen;
  SmallVector<std::string, 4> Names;
  auto Add = [&](std::string Name) {
    if (!Name.empty() && !is_contained(Names, Name))
      Names.push_back(std::move(Name));
  };
  Seen.insert(V);
  for (unsigned K = 0; K < Seen.size() && K < MostSteps && Names.size() <= MostNames; ++K) {
    auto *I = dyn_cast<Instruction>(Seen[K]);
    if (!I)
      continue;
    if (auto *Begin = asOperation(I, Op::Unwritten)) {
      auto Variable = variableOf(*Begin);
      Add(Variable ? inWords(Variable->Name, Variable->Line) : "");
    }
    if (May.reads(*I)) {
      const Frame::Object &Object = *May.frame().readBy(*I);
      for (AllocaInst *Variable : Object.Variables)
        if (May.frame().mayBeFirst(*I))
          Add(nameOf(*Variable));
      for (Instruction *Write : Object.Writes)
        Seen.insert(writtenValue(*Write) ? writtenValue(*Write) : Write);
    }
    if (!May.any(I))
      continue;
    for (Value *Operand : I->operands())
      if (May.any(Operand))
        Seen.insert(Operand);
  }
  if (Names.empty() || Names.size() > MostNames)
    return "";
  return Names.size() == 1 ? Names[0] : Names[0] + " or " + Names[1];
}

} // namespace pocm::check
