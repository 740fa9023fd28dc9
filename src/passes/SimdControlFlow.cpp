//===- SimdControlFlow.cpp - SIMD control flow as other tools write it --------------------===//
//
//     %g = call {<32 x i1>, <16 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(%em, %rm, %c)
//  -> %stay = and <16 x i1> %em.low, %c                    channels that go on
//     %wait = or <16 x i1> %rm, (%em.low & ~%c)            channels that the join will wake
//     %jump = not (any %stay)                              whether the thread jumps there
//
//     %j = call {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(%em, %rm)
//  -> %on = or <16 x i1> %em.low, %rm
//     %jump = not (any %on)
//
// Why:      in the public dialect an execution mask is a value of 32 channels that goto, join
//           and phis hand on, of which the instructions read the lower ones. CM IR has masks of
//           as many channels as there are: they are carried beside it, and it is left without uses.
//           Regions of predicates, any and all have LLVM's names here.
// Needs:    IR of other tools, with masks of 32 channels, before any other pass.
// Leaves:   branches as they are.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "pocm/pocm.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

unsigned channelsOf(const Value *V) { return cast<FixedVectorType>(V->getType())->getNumElements(); }

bool isMask(const Value *V) {
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  return T && T->getElementType()->isIntegerTy(1);
}

/// The operation that a call names, without prefix and types ("simdcf.goto"); empty for others.
StringRef operationNamed(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee && Callee->isDeclaration() ? Callee->getName() : "";
  if (!Name.consume_front("llvm.genx."))
    return "";
  for (StringRef Known : {"simdcf.goto", "simdcf.join", "rdpredregion", "wrpredregion", "any", "all"})
    if (Name.starts_with(Known) && Name.drop_front(Known.size()).starts_with("."))
      return Known;
  return Name.starts_with("simdcf.") ? Name : "";
}

[[noreturn]] void refuse(const CallInst &Call, const Twine &Why) {
  throw Error(
      ("'" + Call.getCalledFunction()->getName() + "' in function '" + Call.getFunction()->getName() + "' " + Why)
          .str());
}

/// Refuses a call that does not fit, or whose operands of those numbers are not vectors of predicates.
void check(const CallInst &Call, ArrayRef<unsigned> Masks, bool Fits) {
  if (!Fits || any_of(Masks, [&](unsigned K) { return K >= Call.arg_size() || !isMask(Call.getArgOperand(K)); }))
    refuse(Call, "has other operands than the dialect gives it");
}

bool isBranch(StringRef Operation) { return Operation == "simdcf.goto" || Operation == "simdcf.join"; }

Value *slice(IRBuilder<> &B, Value *V, unsigned Start, unsigned Count) {
  return B.CreateShuffleVector(V, createSequentialMask(Start, Count, 0));
}

/// V with Part in its channels from Start on.
Value *withPart(IRBuilder<> &B, Value *V, Value *Part, unsigned Start) {
  unsigned All = channelsOf(V), Count = channelsOf(Part);
  if (All == Count)
    return Part;
  Value *Wide = B.CreateShuffleVector(Part, createSequentialMask(0, Count, All - Count));
  SmallVector<int, 32> Lanes;
  for (unsigned K = 0; K < All; ++K)
    Lanes.push_back(int(K >= Start && K < Start + Count ? All + K - Start : K));
  return B.CreateShuffleVector(V, Wide, Lanes);
}

class Expansion {
  struct Parts {
    Value *On, *Waiting, *Jump; // of as many channels as the call decides on
  };
  MapVector<CallInst *, Parts> Expanded;
  MapVector<std::pair<Value *, unsigned>, Value *> Low; // an execution mask's lower channels

  Value *low(Value *Mask, unsigned Count) {
    if (channelsOf(Mask) == Count)
      return Mask;
    if (auto Found = Low.find({Mask, Count}); Found != Low.end())
      return Found->second;
    if (auto *Phi = dyn_cast<PHINode>(Mask)) {
      auto *Narrow = PHINode::Create(FixedVectorType::get(Type::getInt1Ty(Mask->getContext()), Count),
                                     Phi->getNumIncomingValues(), Phi->getName(), Phi->getIterator());
      Low[{Mask, Count}] = Narrow; // before what it comes from, which may come from it
      for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K)
        Narrow->addIncoming(low(Phi->getIncomingValue(K), Count), Phi->getIncomingBlock(K));
      return Narrow;
    }
    auto *Part = dyn_cast<ExtractValueInst>(Mask);
    auto *Call = Part ? dyn_cast<CallInst>(Part->getAggregateOperand()) : nullptr;
    Value *Result;
    if (Call && Part->getIndices()[0] == 0 && isBranch(operationNamed(*Call)) &&
        channelsOf(secondArgument(*Call)) == Count) {
      Result = expand(*Call).On;
    } else {
      IRBuilder<> B(Mask->getContext());
      if (auto *I = dyn_cast<Instruction>(Mask)) {
        auto Behind = I->getInsertionPointAfterDef();
        if (!Behind)
          throw Error("an execution mask in function '" + I->getFunction()->getName().str() +
                      "' is defined by a branch");
        B.SetInsertPoint(*Behind);
      } else if (auto *A = dyn_cast<Argument>(Mask)) {
        B.SetInsertPoint(A->getParent()->getEntryBlock().getFirstInsertionPt());
      }
      Result = slice(B, Mask, 0, Count); // of a constant: a constant
    }
    return Low[{Mask, Count}] = Result;
  }

  const Parts &expand(CallInst &Call) {
    if (auto Found = Expanded.find(&Call); Found != Expanded.end())
      return Found->second;
    bool IsGoto = operationNamed(Call) == "simdcf.goto";
    check(Call, IsGoto ? ArrayRef<unsigned>{0, 1, 2} : ArrayRef<unsigned>{0, 1}, Call.arg_size() == (IsGoto ? 3 : 2));
    auto [Execution, Waiting] = argumentsOf<2>(Call);
    Value *Stays = IsGoto ? argumentsOf<3>(Call).back() : nullptr;
    Type *Mask = Execution->getType(), *Few = Waiting->getType(), *Jump = Type::getInt1Ty(Call.getContext());
    if (Call.getType() != (IsGoto ? StructType::get(Mask, Few, Jump) : StructType::get(Mask, Jump)))
      refuse(Call, "has another result than the dialect gives it");
    unsigned Count = channelsOf(Waiting);
    if (Count > channelsOf(Execution) || (Stays && Waiting->getType() != Stays->getType()))
      refuse(Call, "has other operands than the dialect gives it");
    Value *On = low(Execution, Count);
    if (auto Found = Expanded.find(&Call); Found != Expanded.end()) // by way of a phi of its own result
      return Found->second;
    IRBuilder<> B(&Call);
    Parts P{};
    if (Stays) {
      P.On = B.CreateAnd(On, Stays);
      P.Waiting = B.CreateOr(Waiting, B.CreateAnd(On, B.CreateNot(Stays)));
    } else {
      P.On = B.CreateOr(On, Waiting);
    }
    P.Jump = B.CreateNot(B.CreateOrReduce(P.On));
    return Expanded[&Call] = P;
  }

  /// Where others read the mask's lower channels.
  void replaceSlices(Value *Mask, Value *Part) {
    unsigned Count = channelsOf(Part);
    for (User *U : make_early_inc_range(Mask->users())) {
      auto *S = dyn_cast<ShuffleVectorInst>(U);
      if (S && S != Part && S->getOperand(0) == Mask && channelsOf(S) == Count &&
          equal(S->getShuffleMask(), seq(0, int(Count)))) {
        S->replaceAllUsesWith(Part);
        S->eraseFromParent();
      }
    }
  }

public:
  /// Puts masks where the calls' results and slices of them were.
  void run(ArrayRef<CallInst *> Branches) {
    for (CallInst *Call : Branches)
      expand(*Call);
    SmallVector<Instruction *, 32> Dead;
    for (auto &[Call, P] : Expanded) {
      for (User *U : Call->users()) {
        auto *Part = dyn_cast<ExtractValueInst>(U);
        if (!Part)
          refuse(*Call, "has a result that is used whole; its parts can be used");
        IRBuilder<> B(Call);
        if (unsigned Index = Part->getIndices()[0]) {
          Part->replaceAllUsesWith(Index == 1 && P.Waiting ? P.Waiting : P.Jump);
        } else {
          replaceSlices(Part, P.On);
          Part->replaceAllUsesWith(withPart(B, firstArgument(*Call), P.On, 0));
        }
        Dead.push_back(Part);
      }
      Dead.push_back(Call);
    }
    for (auto &[Key, Part] : Low)
      if (auto *Phi = dyn_cast<PHINode>(Key.first))
        replaceSlices(Phi, Part);
    for (Instruction *I : Dead)
      I->dropAllReferences();
    for (Instruction *I : Dead)
      I->eraseFromParent();
  }
};

/// What LLVM has names for.
Value *withLlvmName(CallInst &Call, StringRef Name) {
  IRBuilder<> B(&Call);
  if (Name == "any" || Name == "all") {
    check(Call, {0}, Call.arg_size() == 1 && Call.getType()->isIntegerTy(1));
    return Name == "any" ? B.CreateOrReduce(firstArgument(Call)) : B.CreateAndReduce(firstArgument(Call));
  }
  bool Writes = Name == "wrpredregion";
  check(Call, Writes ? ArrayRef<unsigned>{0, 1} : ArrayRef<unsigned>{0}, isMask(&Call));
  Value *Whole = firstArgument(Call);
  auto *Offset = dyn_cast<ConstantInt>(*std::prev(Call.arg_end()));
  unsigned All = channelsOf(Whole), Count = channelsOf(Writes ? secondArgument(Call) : &Call);
  if (!Offset || Count > All || Offset->getValue().ugt(All - Count) || (Writes && Call.getType() != Whole->getType()))
    refuse(Call, "does not name channels that its operand has");
  auto Start = unsigned(Offset->getZExtValue());
  if (!Writes)
    return slice(B, Whole, Start, Count);
  return withPart(B, Whole, secondArgument(Call), Start);
}

} // namespace

void readSimdControlFlow(Module &M) {
  bool Any = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 16> Branches;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallInst>(&I);
      StringRef Name = Call ? operationNamed(*Call) : "";
      if (Name.empty())
        continue;
      if (isBranch(Name)) {
        Branches.push_back(Call);
      } else if (Name.starts_with("simdcf.")) {
        refuse(*Call, "is not supported: SIMD control flow is read as goto and join");
      } else {
        Value *New = withLlvmName(*Call, Name);
        New->takeName(Call);
        Call->replaceAllUsesWith(New);
        Call->eraseFromParent();
      }
    }
    Expansion().run(Branches);
    Any |= !Branches.empty();
  }
  if (Any)
    runLlvmPasses(M, "function(adce)"); // masks of 32 channels that only hand themselves on
}

} // namespace pocm
