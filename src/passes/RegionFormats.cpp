//===- RegionFormats.cpp - Formats of regions with gaps ---------------------------------===//
//
// format sees the bytes of a region as elements of another type. Where the region's
// elements do not lie side by side, no region of that type has these bytes, and each
// access goes through a copy that is current:
//
//     %p = cm.region.format(%first, i32 4, i32 1, i32 4, i32 4, i32 2)
//     store i32 %x, ptr %p
//  -> %all = cm.region.read(%first, i64 8, i32 1, i32 4)       <4 x i16>
//     store <4 x i16> %all, ptr %copy
//     store i32 %x, ptr %copy
//     %new = load <4 x i16>, ptr %copy
//     cm.region.write(%first, %new, i64 8, i32 1, i32 4)
//
// Where the region is one of several, strides that are chosen with it become formats of each,
// and the address one of theirs. What is written there changes one of the copies; each writes
// back only the elements that are no longer what they were:
//
//     %p = cm.region.format(select(%c, %a, %b), ..., select(%c, 2, 3))
//  -> %of.a = cm.region.format(%a, ..., 2)
//     %of.b = cm.region.format(%b, ..., 3)
//     %p = select %c, %of.a, %of.b
//
// Needs:    strides resolved (resolve-regions).
// Leaves:   copies of their own, which promote-storage makes values of.
// Not done: addresses that flow into a call that stays, or around a loop; the front end
//           reports what is left.
//
//===------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr Role Numbers[] = {Role::VStride, Role::Width, Role::HStride, Role::Count, Role::ElementBytes};

/// What happens at an address: the instructions that read or write there.
struct Accesses {
  SmallVector<Instruction *, 8> Reads, Writes;
  bool Chosen = false; ///< Some of them may be at another address instead.

  /// False when it is used for anything else.
  bool collect(Value &Address) {
    if (!Seen.insert(&Address).second)
      return true;
    for (User *U : Address.users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (isa<GEPOperator>(U)) {
        if (!collect(*U))
          return false;
      } else if (isa_and_nonnull<SelectInst, PHINode>(I)) {
        Chosen = true;
        if (!collect(*U))
          return false;
      } else if (isa_and_nonnull<LoadInst>(I) || operationOf(I) == Op::MemoryRead) {
        Reads.push_back(I);
      } else if (auto *Store = dyn_cast_or_null<StoreInst>(I); Store && Store->getValueOperand() != &Address) {
        Writes.push_back(I);
      } else if (operationOf(I) == Op::MemoryWrite) {
        Writes.push_back(I);
      } else {
        return false;
      }
    }
    return true;
  }

private:
  SmallPtrSet<Value *, 8> Seen;
};

class Formats {
public:
  explicit Formats(Function &F) : F(F), Order(F) {}

  bool run() {
    bool Changed = false;
    SmallVector<CallInst *, 4> All;
    for (Instruction &I : instructions(F))
      if (CallInst *Format = asOperation(&I, Op::RegionFormat))
        All.push_back(Format);
    while (!All.empty()) { // a format of a format: the outer one first
      CallInst *Format = All.pop_back_val();
      const bool Apart = takeApart(*Format, All);
      Changed |= Apart || copyAtAccesses(*Format);
    }
    return Changed;
  }

private:
  /// The select or phi that a number comes from; null where it is none.
  static Instruction *choiceOf(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || isa<SelectInst, PHINode>(I))
      return I;
    if (isComputed(*I))
      for (Value *Operand : I->operands())
        if (Instruction *Found = choiceOf(Operand))
          return Found;
    return nullptr;
  }
  static bool isComputed(const Instruction &I) { return isa<BinaryOperator, CastInst, GetElementPtrInst>(I); }

  /// V, with what it is computed from as Of says; what is new stands in front of Before.
  static Value *rebuilt(Value *V, function_ref<Value *(Value *)> Of, Instruction &Before) {
    if (Value *Known = Of(V))
      return Known;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !isComputed(*I))
      return V;
    SmallVector<Value *, 4> Operands;
    for (Value *Operand : I->operands())
      Operands.push_back(rebuilt(Operand, Of, Before));
    if (equal(Operands, I->operands()))
      return V;
    Instruction *New = I->clone();
    for (auto [At, Operand] : enumerate(Operands))
      New->setOperand(unsigned(At), Operand);
    New->insertBefore(Before.getIterator());
    Constant *Known = ConstantFoldInstruction(New, New->getDataLayout());
    if (!Known)
      return New;
    New->eraseFromParent();
    return Known;
  }

  /// A format with a stride that is chosen becomes formats with one each.
  bool takeApart(CallInst &Format, SmallVectorImpl<CallInst *> &Made) {
    Instruction *Choice = nullptr;
    for (Role What : Numbers)
      if (Value *V = operandOf(Format, What); !isa<ConstantInt>(V) && !(Choice = choiceOf(V)))
        return false;
    auto Add = [&](Instruction &Before, function_ref<Value *(Value *)> Of) {
      auto *One = cast<CallInst>(Format.clone());
      One->insertBefore(Before.getIterator());
      for (Use &U : One->args())
        U.set(rebuilt(U.get(), Of, *One));
      Made.push_back(One);
      return One;
    };
    if (auto *Select = dyn_cast_or_null<SelectInst>(Choice)) {
      Value *Sides[2];
      for (bool Else : {false, true})
        Sides[Else] = Add(Format, [&](Value *V) -> Value * {
          auto *S = dyn_cast<SelectInst>(V);
          return !S || S->getCondition() != Select->getCondition() ? nullptr
                 : Else                                            ? S->getFalseValue()
                                                                   : S->getTrueValue();
        });
      IRBuilder<> B(&Format);
      Format.replaceAllUsesWith(B.CreateSelect(Select->getCondition(), Sides[0], Sides[1]));
    } else if (auto *Phi = dyn_cast_or_null<PHINode>(Choice)) {
      BasicBlock *Join = Phi->getParent();
      if (any_of(Phi->blocks(), [&](BasicBlock *From) { return Order.dominates(Join, From); }))
        return false; // around a loop: each format would be followed by another
      for (Value *V : Format.args())
        if (!isKnownBefore(V, *Join))
          return false;
      IRBuilder<> B(Join, Join->begin());
      PHINode *Address = B.CreatePHI(Format.getType(), Phi->getNumIncomingValues());
      for (BasicBlock *From : Phi->blocks()) {
        Value *One = incomingOf(*Address, From); // a switch comes from there several times
        if (!One)
          One = Add(*From->getTerminator(), [&](Value *V) -> Value * {
            auto *P = dyn_cast<PHINode>(V);
            return P && P->getParent() == Join ? P->getIncomingValueForBlock(From) : nullptr;
          });
        Address->addIncoming(One, From);
      }
      Format.replaceAllUsesWith(Address);
    } else {
      return false;
    }
    Format.eraseFromParent();
    return true;
  }

  /// Whether V is computed from what is known when a block begins and from its phis.
  bool isKnownBefore(Value *V, BasicBlock &Join) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Order.properlyDominates(I->getParent(), &Join))
      return true;
    if (isa<PHINode>(I))
      return I->getParent() == &Join;
    return isComputed(*I) && all_of(I->operands(), [&](Value *Operand) { return isKnownBefore(Operand, Join); });
  }

  static Value *incomingOf(PHINode &Phi, BasicBlock *From) {
    int At = Phi.getBasicBlockIndex(From);
    return At < 0 ? nullptr : Phi.getIncomingValue(unsigned(At));
  }

  /// Makes V known at an instruction; false where it cannot be computed that early.
  bool hoist(Value *V, Instruction &Before) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || Order.dominates(I, &Before))
      return true;
    if (isa<PHINode>(I) || !isSafeToSpeculativelyExecute(I))
      return false;
    for (Value *Operand : I->operands())
      if (!hoist(Operand, Before))
        return false;
    I->moveBefore(Before.getIterator());
    return true;
  }

  /// Makes the region known at all places that may access it.
  bool reaches(Value *First, ArrayRef<Instruction *> Places) {
    for (Instruction *Place : Places) {
      auto *I = dyn_cast<Instruction>(First);
      if (!I || Order.dominates(I, Place))
        continue;
      BasicBlock *Common = Order.findNearestCommonDominator(I->getParent(), Place->getParent());
      if (Common == Place->getParent() || !hoist(First, *Common->getTerminator()))
        return false;
    }
    return true;
  }

  bool copyAtAccesses(CallInst &Format) {
    Accesses All;
    for (Role What : Numbers)
      if (!isa<ConstantInt>(operandOf(Format, What)))
        return false;
    if (!All.collect(Format))
      return false;
    auto Number = [&](Role What) { return cast<ConstantInt>(operandOf(Format, What))->getSExtValue(); };
    Value *First = operandOf(Format, Role::First), *Width = operandOf(Format, Role::Width),
          *Stride = operandOf(Format, Role::HStride);
    if (All.Chosen && (!reaches(First, All.Reads) || !reaches(First, All.Writes)))
      return false;
    unsigned Bytes = unsigned(Number(Role::ElementBytes));
    auto *Type = FixedVectorType::get(IntegerType::get(Format.getContext(), Bytes * 8), unsigned(Number(Role::Count)));
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
    Value *RowStride = B.getInt64(uint64_t(Number(Role::VStride) * int64_t(Bytes)));
    Value *Copy = B.CreateAlloca(Type);
    auto Current = [&] {
      return createOperation(B, Op::MemoryRead, Type, {First, RowStride, Width, Stride, B.getInt32(0)});
    };
    for (Instruction *I : All.Reads) {
      B.SetInsertPoint(I);
      B.CreateStore(Current(), Copy);
    }
    for (Instruction *I : All.Writes) {
      B.SetInsertPoint(I);
      Value *Before = Current();
      if (All.Chosen)
        Before = B.CreateFreeze(Before); // elements without a value are unchanged, too
      B.CreateStore(Before, Copy);
      B.SetInsertPoint(I->getNextNode());
      B.SetCurrentDebugLocation(I->getDebugLoc());
      Value *After = B.CreateLoad(Type, Copy);
      if (All.Chosen)
        After = B.CreateSelect(B.CreateICmpNE(After, Before), After, Current());
      createOperation(B, Op::MemoryWrite, B.getVoidTy(), {First, After, RowStride, Width, Stride});
    }
    Format.replaceAllUsesWith(Copy);
    Format.eraseFromParent();
    return true;
  }

  Function &F;
  DominatorTree Order;
};

} // namespace

bool copyFormattedRegions(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= Formats(F).run();
  return Changed;
}

} // namespace pocm
