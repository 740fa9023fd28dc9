//===- WrittenVariables.cpp - Which reads of a thread's variables find what was written --------------===//
#include "codegen/llvm/WrittenVariables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr std::size_t MostPairs =
    1u << 18; ///< Of a read and a write that are compared: there may be thousands of both.

/// Bytes of a variable.
struct BytesOf {
  std::uint64_t Begin, End;
};

struct VariableAccess {
  const Instruction *I;
  std::optional<BytesOf> Where; ///< None: it is known at run time.
};

/// What is done with a variable, as far as that is all by its own address.
struct VariableUses {
  SmallVector<VariableAccess, 16> Reads, Writes;
  SmallVector<const Instruction *, 2> Begins; ///< Where its life does.

  /// False where its address goes elsewhere.
  bool collect(const AllocaInst &Variable, const DataLayout &DL);
};

bool VariableUses::collect(const AllocaInst &Variable, const DataLayout &DL) {
  SmallVector<std::pair<const Value *, std::optional<std::uint64_t>>, 16> Pointers{{&Variable, 0}};
  while (!Pointers.empty()) {
    auto [Pointer, Offset] = Pointers.pop_back_val();
    auto where = [&](TypeSize Size) -> std::optional<BytesOf> {
      return Offset ? std::optional(BytesOf{*Offset, *Offset + Size.getFixedValue()}) : std::nullopt;
    };
    for (const User *U : Pointer->users()) {
      auto *I = cast<Instruction>(U);
      if (auto *Address = dyn_cast<GetElementPtrInst>(I)) {
        APInt Steps(DL.getIndexTypeSizeInBits(Address->getType()), 0);
        const bool IsConstant = !Address->getType()->isVectorTy() && Address->accumulateConstantOffset(DL, Steps);
        if (Address->getType()->isVectorTy())
          return false;
        Pointers.push_back(
            {Address, Offset && IsConstant ? std::optional(*Offset + Steps.getSExtValue()) : std::nullopt});
      } else if (isa<LoadInst>(I)) {
        Reads.push_back({I, where(DL.getTypeStoreSize(I->getType()))});
      } else if (auto *Store = dyn_cast<StoreInst>(I); Store && Store->getValueOperand() != Pointer) {
        Writes.push_back({I, where(DL.getTypeStoreSize(Store->getValueOperand()->getType()))});
      } else if (I->isLifetimeStartOrEnd()) {
        if (cast<IntrinsicInst>(I)->getIntrinsicID() == Intrinsic::lifetime_start)
          Begins.push_back(I);
      } else if (auto *Fill = dyn_cast<MemSetInst>(I); Fill && isa<ConstantInt>(Fill->getValue())) {
        auto *Length = dyn_cast<ConstantInt>(Fill->getLength());
        Writes.push_back({I, Length ? where(TypeSize::getFixed(Length->getZExtValue())) : std::nullopt});
      } else if (!I->isDebugOrPseudoInst()) {
        return false;
      }
    }
  }
  return true;
}

/// Whether parts cover bytes.
bool cover(SmallVectorImpl<BytesOf> &Parts, BytesOf All) {
  sort(Parts, [](const BytesOf &A, const BytesOf &B) { return A.Begin < B.Begin; });
  for (const BytesOf &Part : Parts)
    if (Part.Begin <= All.Begin)
      All.Begin = std::max(All.Begin, Part.End);
  return All.Begin >= All.End;
}

} // namespace

WrittenVariables::WrittenVariables(Function &F, const DominatorTree &Dominators) {
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      look(*Variable, Dominators);
}

void WrittenVariables::look(AllocaInst &Variable, const DominatorTree &Dominators) {
  const DataLayout &DL = Variable.getDataLayout();
  const std::optional<TypeSize> Size = Variable.getAllocationSize(DL);
  VariableUses All;
  if (!Size || !All.collect(Variable, DL) || All.Reads.size() * All.Writes.size() > MostPairs)
    return;
  erase_if(All.Writes, [&](const VariableAccess &Write) {
    return !Write.Where ||
           any_of(All.Begins, [&](const Instruction *Begin) { return !Dominators.dominates(Begin, Write.I); });
  });
  for (const VariableAccess &Read : All.Reads) {
    SmallVector<BytesOf, 16> Parts;
    for (const VariableAccess &Write : All.Writes)
      if (Dominators.dominates(Write.I, Read.I))
        Parts.push_back(*Write.Where);
    if (cover(Parts, Read.Where.value_or(BytesOf{0, Size->getFixedValue()})))
      Reads[cast<LoadInst>(Read.I)] = &Variable;
  }
}

const AllocaInst *WrittenVariables::variableOf(const StoreInst &Store) {
  return dyn_cast<AllocaInst>(getUnderlyingObject(Store.getPointerOperand(), 0));
}

} // namespace pocm
