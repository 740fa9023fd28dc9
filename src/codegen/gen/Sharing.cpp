//===- Sharing.cpp - What several vectors begin with is written once ----------------------===//
//
//     %a1 = wrregion(%old, %x, 0..15)            %b1 = wrregion(%old, %x', 0..15)
//     %a2 = wrregion(%a1, %y, 16..23)            %b2 = wrregion(%b1, %y', 16..23)
//     %a  = wrregion(%a2, %z, 24..25)            %b  = wrregion(%b2, %t, 24..27)
//
// with %x' and %y' what %x and %y are:       ->  %b  = wrregion(%a2, %t, 24..27)
//
// Why:      vectors of 27 and of 28 elements have nothing in common before they are cut to
//           what an instruction writes, and most of it afterwards.
// Costs:    a copy of the vector where both go on to write into it; a chain is shared when
//           it has more writes than that takes.
// Needs:    legal bales (gen-legalization).
// Leaves:   vectors of different types, and of different blocks.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Region.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

using namespace llvm;

namespace pocm::gen {
namespace {

using Number = std::uint64_t;

std::int64_t sizeOf(const Value *V) { return std::int64_t(countOf(V->getType())) * elementBytes(V->getType()); }

/// Consecutive bytes of a vector.
struct Span {
  std::int64_t First, Size;
  bool operator==(const Span &) const = default;
  bool overlaps(const Span &Other) const { return First < Other.First + Other.Size && Other.First < First + Size; }
};

/// The bytes that a region of constant offset names when they lie side by side.
std::optional<Span> spanOf(const Region &Where, int Count, int Bytes) {
  Region AtStart = Where;
  AtStart.Offset = 0;
  if (!Where.isConstant() || !AtStart.isIdentity(Count))
    return std::nullopt;
  return Span{std::int64_t(Where.Offset) * Bytes, std::int64_t(Count) * Bytes};
}

/// Numbers of values of a block: equal ones are the same bits.
class Numbers {
  enum Kind : Number { Opaque, Zeros, Part, Parts, Put, PutRegion, Operation };
  const BasicBlock &Block;
  std::map<SmallVector<Number, 10>, Number> Known;
  DenseMap<Value *, Number> Of;

  Number numbered(SmallVector<Number, 10> Key) { return Known.try_emplace(std::move(Key), Known.size()).first->second; }
  static Number id(const void *P) { return Number(reinterpret_cast<std::uintptr_t>(P)); }

  void append(SmallVector<Number, 10> &Key, const Region &R, int Count, int Bytes) {
    for (int N : {R.VStride, R.Width, R.HStride, R.Offset, Count, Bytes})
      Key.push_back(Number(N));
    Key.push_back(R.Dynamic ? of(R.Dynamic) + 1 : 0);
  }

  /// A part of what writes of parts have left is what the last of these wrote there.
  Number ofRead(const RegionRead &R) {
    Value *From = registerOf(R.source());
    int Bytes = elementBytes(R.Call->getType());
    auto Wanted = spanOf(R.Where, R.count(), Bytes);
    if (!Wanted) {
      SmallVector<Number, 10> Key{Parts, of(From)};
      append(Key, R.Where, R.count(), Bytes);
      return numbered(Key);
    }
    while (auto W = RegionWrite::match(From)) {
      auto Written = spanOf(W->Where, W->count(), elementBytes(W->value()->getType()));
      if (Written == Wanted)
        return of(W->value());
      if (!Written || Written->overlaps(*Wanted))
        break;
      From = registerOf(W->old());
    }
    if (Wanted == Span{0, sizeOf(From)})
      return of(From);
    return numbered({Part, of(From), Number(Wanted->First), Number(Wanted->Size)});
  }

  Number ofWrite(const RegionWrite &W) {
    int Bytes = elementBytes(W.Call->getType());
    if (auto Written = spanOf(W.Where, W.count(), Bytes))
      return numbered({Put, of(W.old()), of(W.value()), Number(Written->First), Number(Written->Size)});
    SmallVector<Number, 10> Key{PutRegion, of(W.old()), of(W.value())};
    append(Key, W.Where, W.count(), Bytes);
    return numbered(Key);
  }

  Number ofOperation(Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    bool IsPure = Call ? Call->doesNotAccessMemory() && Call->willReturn() && !Call->isConvergent()
                       : isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst>(I);
    if (!IsPure)
      return numbered({Opaque, id(&I)});
    SmallVector<Number, 10> Key{Operation, I.getOpcode(), id(I.getType()), I.getRawSubclassOptionalData()};
    if (auto *Cmp = dyn_cast<CmpInst>(&I))
      Key.push_back(Cmp->getPredicate());
    for (Value *Operand : I.operands())
      Key.push_back(of(Operand));
    return numbered(Key);
  }

  Number compute(Value *V) {
    if (auto *C = dyn_cast<Constant>(V);
        C && C->isNullValue() && V->getType()->isVectorTy() && !isPredicate(V->getType()))
      return numbered({Zeros, Number(sizeOf(V))});
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != &Block)
      return numbered({Opaque, id(V)});
    bool HasBytes = !isPredicate(I->getType());
    if (auto R = RegionRead::match(I); R && HasBytes)
      return ofRead(*R);
    if (auto W = RegionWrite::match(I); W && HasBytes)
      return ofWrite(*W);
    return ofOperation(*I);
  }

public:
  explicit Numbers(const BasicBlock &Block) : Block(Block) {}
  Number of(Value *V) {
    V = registerOf(V);
    if (auto Found = Of.find(V); Found != Of.end())
      return Found->second;
    Number N = compute(V);
    Of[V] = N;
    return N;
  }
};

/// A write of a chain that does what an earlier one does.
struct Repeated {
  WeakTrackingVH Write, First;
  int Saved; // instructions that go when the whole chain up to it does
};

bool shareWrites(BasicBlock &Block, const GenTarget &Target) {
  Numbers N(Block);
  std::map<std::pair<Number, Type *>, CallInst *> First;
  SmallVector<Repeated, 8> All;
  DenseMap<Value *, int> Saved;
  auto copies = [&](const Value *V) { return int(divideCeil(std::uint64_t(sizeOf(V)), 2 * Target.GrfBytes)); };
  for (Instruction &I : Block) {
    Number Mine = N.of(&I);
    auto W = RegionWrite::match(&I);
    if (!W || isPredicate(I.getType()))
      continue;
    auto [Known, IsNew] = First.try_emplace({Mine, I.getType()}, W->Call);
    if (IsNew)
      continue;
    auto Before = Saved.find(registerOf(W->old()));
    int Base = isa<UndefValue>(W->old()) ? 0 : copies(&I);
    Saved[&I] = 1 + (Before == Saved.end() ? Base : Before->second);
    All.push_back({&I, Known->second, Saved[&I]});
  }
  bool Changed = false;
  for (Repeated &R : llvm::reverse(All)) { // the end of a chain first
    auto *Write = dyn_cast_or_null<Instruction>(static_cast<Value *>(R.Write));
    Value *Earlier = R.First; // gone when a chain that it ended was
    if (!Write || !Earlier || Write->use_empty() || R.Saved <= copies(Write))
      continue;
    Write->replaceAllUsesWith(Earlier);
    RecursivelyDeleteTriviallyDeadInstructions(Write);
    Changed = true;
  }
  return Changed;
}

} // namespace

bool shareWrites(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F)
      Changed |= shareWrites(Block, Target);
  if (Changed)
    pocm::removeDeadElements(M);
  return Changed;
}

} // namespace pocm::gen
