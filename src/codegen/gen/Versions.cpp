//===- Versions.cpp - Parts of a vector are read from its latest version ------------------===//
//
//     %w = wrregion(%v, %x, 16..31)            %w = wrregion(%v, %x, 16..31)
//     %r = rdregion(%v, 0..15)           ->    %r = rdregion(%w, 0..15)
//     %u = wrregion(%w, %r, 32..47)            %u = wrregion(%w, %r, 32..47)
//
// and, of a vector that a loop changes part by part,
//
//     %v = phi [%start], [%b]                  %v = phi [%start], [%b]
//     %x = f(rdregion(%v, 0..15))              %x = f(rdregion(%v, 0..15))
//     %a = wrregion(undef, %x, 0..15)    ->    %a = wrregion(%v, %x, 0..15)
//     %y = f(rdregion(%v, 16..31))             %y = f(rdregion(%a, 16..31))
//     %b = wrregion(%a, %y, 16..31)            %b = wrregion(%a, %y, 16..31)
//
// What other blocks read of a part that was written to a vector they read of the vector, which goes on to be there:
//
//     %b = wrregion(%a, %y, 16..31)                 %b = wrregion(%a, %y, 16..31)
//     br ...                                        br ...
//     %r = rdregion(%y, 0..7)                ->     %r = rdregion(%b, 16..23)
//
// The result of a message that goes into a vector goes there right behind the message, which then fills registers of
// the vector itself (Variables.h):
//
//     %m = oword read                          %m = oword read
//     ...                                ->    %w = wrregion(%v, %m, 0..31)
//     %w = wrregion(%v, %m, 0..31)             ...
//
// Why:      a write changes its vector in place when nobody reads what was there before; here
//           the elements are the same, but %v and %w would have to be there side by side.
// Needs:    regions as simplifyRegions leaves them, which look for the oldest version.
// Costs:    a vector stays until other blocks have read it: no more than it takes to keep the parts instead.
// Leaves:   reads at run-time offsets, reads of elements that a write changes, vectors that
//           several writes begin with, which are copied anyway.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Variables.h"
#include "ir/Operands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace pocm::gen {
namespace {

/// The bytes of a vector that a region names; nothing when that is not known, or beyond its end.
std::optional<BitVector> bytesOf(const Region &Where, int Count, Type *T) {
  const int Each = elementBytes(T), Size = countOf(T) * Each;
  auto Places = placesOf(Where, Count, Each);
  if (!Places || any_of(*Places, [&](int At) { return At < 0 || At + Each > Size; }))
    return std::nullopt;
  BitVector Bytes{unsigned(Size)};
  for (int At : *Places)
    Bytes.set(unsigned(At), unsigned(At + Each));
  return Bytes;
}

/// A write and the bytes that it may change.
struct Change {
  CallInst *Call;
  BitVector Bytes;
};

class Versions {
  DenseMap<Value *, std::optional<Change>> After; // by the version before; nothing where that has several

public:
  void note(const RegionWrite &W) {
    auto Bytes = bytesOf(W.Where, W.count(), W.Call->getType());
    auto [At, IsNew] = After.try_emplace(registerOf(W.old()));
    if (IsNew && Bytes)
      At->second = Change{W.Call, std::move(*Bytes)};
    else
      At->second.reset();
  }

  /// The latest version that has the same elements there.
  Value *latest(Value *Version, const BitVector &Bytes) const {
    for (auto Found = After.find(Version); Found != After.end(); Found = After.find(Version)) {
      const auto &Next = Found->second;
      if (!Next || Next->Bytes.anyCommon(Bytes))
        break;
      Version = Next->Call;
    }
    return Version;
  }
};

bool readLatest(const RegionRead &R, const Versions &Known) {
  auto Bytes = bytesOf(R.Where, R.count(), R.source()->getType());
  if (!Bytes || isPredicate(R.source()->getType()))
    return false;
  Value *Before = registerOf(R.source()), *Latest = Known.latest(Before, *Bytes);
  if (Latest == Before)
    return false;
  IRBuilder<> B(R.Call);
  setOperand(*R.Call, Role::Source, B.CreateBitCast(Latest, R.source()->getType()));
  return true;
}

/// The first write of a chain in one block that makes up a vector from nothing.
std::optional<RegionWrite> firstOf(Value *Last) {
  std::optional<RegionWrite> First;
  const auto *Start = dyn_cast<Instruction>(Last);
  for (auto W = RegionWrite::match(Last); W && W->Call->getParent() == Start->getParent();
       W = RegionWrite::match(W->old()))
    First = W;
  return First && isa<UndefValue>(First->old()) ? First : std::nullopt;
}

/// Whether no part of a loop's vector is read any more once the chain that makes up the next one writes there.
bool isReplaced(PHINode &Vector, CallInst &Last, const DominatorTree &Dominators) {
  SmallVector<Change, 16> Writes;
  for (auto W = RegionWrite::match(&Last); W; W = RegionWrite::match(W->old())) {
    auto Bytes = bytesOf(W->Where, W->count(), W->Call->getType());
    if (!Bytes)
      return false;
    Writes.push_back({W->Call, std::move(*Bytes)});
  }
  SmallVector<Instruction *, 16> Same{&Vector};
  while (!Same.empty())
    for (User *U : Same.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (isAlias(I)) {
        Same.push_back(I);
        continue;
      }
      auto R = RegionRead::match(I);
      auto Bytes = R ? bytesOf(R->Where, R->count(), R->source()->getType()) : std::nullopt;
      bool Before = Bytes && Dominators.dominates(I->getParent(), Last.getParent());
      if (!Before || (I->getParent() == Last.getParent() && any_of(Writes, [&](const Change &W) {
                        return W.Call->comesBefore(I) && W.Bytes.anyCommon(*Bytes);
                      })))
        return false;
    }
  return true;
}

/// A vector that a loop changes part by part is changed in place.
bool goOn(PHINode &Vector, const DominatorTree &Dominators) {
  for (unsigned K = 0; K < Vector.getNumIncomingValues(); ++K) {
    auto *Last = dyn_cast<CallInst>(registerOf(Vector.getIncomingValue(K)));
    auto First = Last && Last->getType() == Vector.getType() ? firstOf(Last) : std::nullopt;
    if (!First || !Dominators.dominates(Vector.getParent(), Last->getParent()) ||
        !isReplaced(Vector, *Last, Dominators))
      continue;
    setOperand(*First->Call, Role::Old, &Vector);
    return true;
  }
  return false;
}

/// The only write of a message's result, if nothing between them needs the vector as it was there.
bool putBehind(CallInst &Message) {
  if (!Message.hasOneUse() || !Message.getType()->isVectorTy() || !fillsRegisters(operationOf(&Message)))
    return false;
  auto W = RegionWrite::match(Message.user_back());
  auto Bytes = W ? bytesOf(W->Where, W->count(), W->Call->getType()) : std::nullopt;
  if (!Bytes || W->value() != &Message || W->Call->getParent() != Message.getParent() ||
      Message.getNextNode() == W->Call)
    return false;
  auto *Old = dyn_cast<Instruction>(W->old());
  if (Old && Old->getParent() == Message.getParent() && !Old->comesBefore(&Message))
    return false;
  for (const User *U : W->old()->users()) {
    auto *Other = dyn_cast<Instruction>(U);
    if (isa<Constant>(W->old()) || Other == W->Call || !Other || Other->getParent() != Message.getParent() ||
        Other->comesBefore(&Message))
      continue;
    auto R = RegionRead::match(const_cast<Instruction *>(Other));
    auto Read = R ? bytesOf(R->Where, R->count(), R->source()->getType()) : std::nullopt;
    if (Other->comesBefore(W->Call) && (!Read || Read->anyCommon(*Bytes)))
      return false;
  }
  W->Call->moveAfter(&Message);
  return true;
}

/// A part that was written to a vector, and who reads it in other blocks.
struct Part {
  RegionWrite Write;
  Value *Latest; ///< Version of the vector that still has it.
  SmallVector<Use *, 4> Later;
};

bool isUsedLater(const Value &V, const BasicBlock &Block) {
  return any_of(V.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    return I->getParent() != &Block || isa<PHINode>(I) || (isAlias(I) && isUsedLater(*I, Block));
  });
}

/// The parts that a block writes to vectors, of what it computes itself, and that others read.
SmallVector<Part, 8> partsReadLater(BasicBlock &Block, const Versions &Known, const DominatorTree &Dominators) {
  SmallVector<Part, 8> All;
  for (Instruction &I : Block) {
    auto W = RegionWrite::match(&I);
    auto *Value = W ? dyn_cast<Instruction>(W->value()) : nullptr;
    if (!Value || Value->getParent() != &Block || !Value->getType()->isVectorTy() || isPredicate(I.getType()))
      continue;
    auto Bytes = bytesOf(W->Where, W->count(), I.getType());
    Part P{*W, Bytes ? Known.latest(&I, *Bytes) : nullptr, {}};
    if (!Bytes || !isUsedLater(*P.Latest, Block))
      continue;
    for (Use &U : Value->uses())
      if (auto *Reader = cast<Instruction>(U.getUser());
          Reader->getParent() != &Block && !isa<PHINode>(Reader) && Dominators.dominates(&Block, Reader->getParent()))
        P.Later.push_back(&U);
    if (!P.Later.empty())
      All.push_back(std::move(P));
  }
  return All;
}

/// A part, or a region of it, is read where the vector has it.
void readFromVector(const Part &P, Use &Read) {
  auto *Reader = cast<Instruction>(Read.getUser());
  IRBuilder<> B(Reader);
  auto R = RegionRead::match(Reader);
  SmallVector<int, 32> Elements;
  for (int K = 0; R && R->Where.isConstant() && K < R->count(); ++K)
    Elements.push_back(P.Write.Where.element(R->Where.element(K)));
  if (auto Where = Elements.empty() ? std::nullopt : Region::through(Elements)) {
    Reader->replaceAllUsesWith(RegionRead::create(B, Reader->getType(), P.Latest, *Where));
    Reader->eraseFromParent();
  } else {
    Read.set(RegionRead::create(B, Read->getType(), P.Latest, P.Write.Where));
  }
}

/// What other blocks read of the parts of a vector, where that takes no more registers than the parts would.
bool readLater(BasicBlock &Block, const Versions &Known, const DominatorTree &Dominators) {
  SmallVector<Part, 8> Parts = partsReadLater(Block, Known, Dominators);
  DenseMap<Value *, int> Bytes;
  auto sizeOf = [](const Value *V) { return countOf(V->getType()) * elementBytes(V->getType()); };
  for (const Part &P : Parts)
    Bytes[P.Latest] += sizeOf(P.Write.value());
  SmallPtrSet<Value *, 8> Moved; // what several vectors have is read of the first of them
  bool Changed = false;
  for (const Part &P : Parts)
    if (Bytes[P.Latest] >= sizeOf(P.Latest) && Moved.insert(P.Write.value()).second) {
      for (Use *Read : P.Later)
        readFromVector(P, *Read);
      Changed = true;
    }
  return Changed;
}

bool readLatest(BasicBlock &Block, const DominatorTree &Dominators) {
  bool Changed = false;
  Versions Known;
  for (Instruction &I : make_early_inc_range(Block))
    if (auto R = RegionRead::match(&I)) {
      Changed |= readLatest(*R, Known);
    } else if (auto W = RegionWrite::matchMasked(&I); W && !isPredicate(I.getType())) {
      auto Same = RegionRead::match(W->value()); // what a region has anyway
      if (Same && Same->source() == W->old() && Same->Where == W->Where) {
        I.replaceAllUsesWith(W->old());
        I.eraseFromParent();
      } else {
        Known.note(*W);
      }
    }
  return readLater(Block, Known, Dominators) || Changed;
}

} // namespace

bool readLatestVersions(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Dominators(F);
    for (BasicBlock &Block : F)
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *Message = dyn_cast<CallInst>(&I))
          Changed |= putBehind(*Message);
    for (BasicBlock &Block : F)
      for (PHINode &Phi : Block.phis())
        Changed |= Phi.getType()->isVectorTy() && !isPredicate(Phi.getType()) && goOn(Phi, Dominators);
    for (BasicBlock &Block : F)
      Changed |= readLatest(Block, Dominators);
  }
  return Changed;
}

} // namespace pocm::gen
