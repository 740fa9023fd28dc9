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
// Blocks behind a loop read the latest version that all ways to them have, and the vector that %b takes the place of
// need not be a phi if it ends there.
//
// What other blocks read of a part that was written to a vector they read of the vector, which goes on to be there, and
// so does the same block if the part is not needed longer than the vector:
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
#include "codegen/gen/GenTarget.h"
#include "codegen/gen/Variables.h"
#include "ir/Operands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
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
  const DominatorTree &Dominators;
  DenseMap<Value *, SmallVector<Change, 1>> After; // by the version before

  /// The write of a version that has happened before an instruction; null when there is none, or when there are
  /// several.
  const Change *next(Value *Version, const Instruction &Reader) const {
    auto Found = After.find(Version);
    const Change *Next = nullptr;
    if (Found != After.end())
      for (const Change &C : Found->second)
        if (Dominators.dominates(C.Call, &Reader)) {
          if (Next)
            return nullptr;
          Next = &C;
        }
    return Next;
  }

public:
  explicit Versions(const DominatorTree &Dominators) : Dominators(Dominators) {}

  void note(const RegionWrite &W) {
    if (isa<Constant>(W.old()))
      return;
    Type *T = W.Call->getType();
    auto Bytes = bytesOf(W.Where, W.count(), T);
    if (!Bytes)
      Bytes.emplace(unsigned(countOf(T) * elementBytes(T)), true); // any of them
    After[registerOf(W.old())].push_back({W.Call, std::move(*Bytes)});
  }

  /// A write that goes: what it left is what it began with.
  void forget(const RegionWrite &W) {
    SmallVector<Change, 1> Next = After.lookup(W.Call), &Changes = After[registerOf(W.old())];
    After.erase(W.Call);
    erase_if(Changes, [&](const Change &C) { return C.Call == W.Call; });
    Changes.append(Next);
  }

  /// The latest version that has the same elements there, of those before an instruction.
  Value *latest(Value *Version, const BitVector &Bytes, const Instruction &Reader) const {
    for (const Change *Next = next(Version, Reader); Next && !Next->Bytes.anyCommon(Bytes);
         Next = next(Version, Reader))
      Version = Next->Call;
    return Version;
  }
};

bool readLatest(const RegionRead &R, const Versions &Known) {
  auto Bytes = bytesOf(R.Where, R.count(), R.source()->getType());
  if (!Bytes || isPredicate(R.source()->getType()))
    return false;
  Value *Before = registerOf(R.source()), *Latest = Known.latest(Before, *Bytes, *R.Call);
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

/// Whether a block is reached from behind another one before a value is there anew.
bool isReached(const BasicBlock &Block, const BasicBlock &From, const Instruction &Value,
               const DominatorTree &Dominators) {
  SmallPtrSet<BasicBlock *, 1> Anew{const_cast<BasicBlock *>(Value.getParent())};
  return &Block != Value.getParent() && any_of(successors(&From), [&](const BasicBlock *Next) {
    return Next != Value.getParent() && isPotentiallyReachable(Next, &Block, &Anew, &Dominators);
  });
}

/// Whether no part of a vector is read any more once the chain that makes up the next one writes there.
bool isReplaced(Instruction &Vector, CallInst &Last, const DominatorTree &Dominators) {
  SmallVector<Change, 16> Writes;
  for (auto W = RegionWrite::match(&Last); W; W = RegionWrite::match(W->old())) {
    auto Bytes = bytesOf(W->Where, W->count(), W->Call->getType());
    if (!Bytes)
      return false;
    Writes.push_back({W->Call, std::move(*Bytes)});
  }
  const BasicBlock &Block = *Last.getParent();
  SmallVector<Instruction *, 16> Same{&Vector};
  while (!Same.empty())
    for (Use &U : Same.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isAlias(I)) {
        Same.push_back(I);
        continue;
      }
      auto *Phi = dyn_cast<PHINode>(I);
      if (const BasicBlock *Where = Phi ? Phi->getIncomingBlock(U) : I->getParent(); Where != &Block) {
        if (isReached(*Where, Block, Vector, Dominators))
          return false;
        continue;
      }
      auto R = RegionRead::match(I);
      auto Bytes = R ? bytesOf(R->Where, R->count(), R->source()->getType()) : std::nullopt;
      if (!Bytes || isReached(Block, Block, Vector, Dominators) ||
          any_of(Writes, [&](const Change &W) { return W.Call->comesBefore(I) && W.Bytes.anyCommon(*Bytes); }))
        return false;
    }
  return true;
}

/// Whether something is done with a vector that it must not be in pieces for (gen-decomposition).
bool isWhole(const Value &V) {
  return any_of(V.users(), [](const User *U) {
    auto R = RegionRead::match(const_cast<User *>(U));
    return isa<PHINode>(U) || (R && R->Where.Dynamic) || (isAlias(U) && isWhole(*U));
  });
}

/// The vectors that a chain may take the place of: what carries its result, and what its block reads before its end.
SmallSetVector<Instruction *, 4> formerOf(CallInst &Last) {
  SmallSetVector<Instruction *, 4> All;
  for (User *U : Last.users())
    if (auto *Phi = dyn_cast<PHINode>(U))
      All.insert(Phi);
  for (Instruction *I = Last.getPrevNode(); I; I = I->getPrevNode())
    if (auto R = RegionRead::match(I))
      if (auto *From = dyn_cast<Instruction>(registerOf(R->source())))
        All.insert(From);
  return All;
}

/// A vector that is made up part by part while another one ends, of which all parts are read by then, is that one
/// changed in place.
bool goOn(CallInst &Last, Versions &Known, const DominatorTree &Dominators) {
  auto First = firstOf(&Last);
  bool Whole = isWhole(Last);
  for (auto W = RegionWrite::match(&Last); First && !Whole && W; W = RegionWrite::match(W->old()))
    Whole = isWhole(*W->Call);
  if (!First || !Whole)
    return false;
  for (Instruction *Vector : formerOf(Last))
    if (Vector->getType() == Last.getType() && Dominators.dominates(Vector, First->Call) &&
        (isa<PHINode>(Vector) || isWhole(*Vector)) && !isOverwritten(Vector) && isReplaced(*Vector, Last, Dominators)) {
      setOperand(*First->Call, Role::Old, Vector);
      Known.note(*First);
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
    Part P{*W, Bytes ? Known.latest(&I, *Bytes, *Block.getTerminator()) : nullptr, {}};
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

/// Whether a vector goes on to be there behind an instruction.
bool isUsedBehind(const Value &V, const Instruction &Here) {
  return any_of(V.users(), [&](const User *U) {
    auto *I = cast<Instruction>(U);
    return I->getParent() != Here.getParent() || isa<PHINode>(I) || Here.comesBefore(I) ||
           (isAlias(I) && isUsedBehind(*I, Here));
  });
}

/// Whether a part would have to be computed apart from the vector: of elements of it that lie elsewhere, and that it is
/// written over.
bool isShifted(const Instruction &Part, const RegionWrite &W, const BitVector &Written, int GrfBytes) {
  return any_of(Part.operands(), [&](Value *Operand) {
    while (auto *I = dyn_cast<CastInst>(Operand))
      Operand = I->getOperand(0);
    auto R = RegionRead::match(Operand);
    if (!R || registerOf(R->source()) != registerOf(W.old()))
      return false;
    auto Read = bytesOf(R->Where, R->count(), R->source()->getType());
    return !Read || (*Read != Written && Read->anyCommon(Written) && int(Read->count()) > GrfBytes);
  });
}

/// Who reads a part that was written to whole registers of a vector: all of them behind the write, and no longer than
/// the vector is there; nothing where that is not so. With the version that each of them finds.
SmallVector<std::pair<Use *, Value *>, 4> readersBehind(const RegionWrite &W, const Versions &Known, int GrfBytes) {
  SmallVector<std::pair<Use *, Value *>, 4> All;
  auto *Part = dyn_cast<Instruction>(W.value());
  Type *T = W.Call->getType();
  auto Bytes = bytesOf(W.Where, W.count(), T);
  if (!Part || !isVectorInstruction(*Part) || Part->getParent() != W.Call->getParent() ||
      !Part->getType()->isVectorTy() || isPredicate(T) || !Bytes ||
      W.Where != Region::contiguous(W.count(), W.Where.Offset) || W.Where.Offset * elementBytes(T) % GrfBytes ||
      W.count() * elementBytes(T) < GrfBytes || isShifted(*Part, W, *Bytes, GrfBytes))
    return {};
  for (Use &U : Part->uses()) {
    auto *Reader = cast<Instruction>(U.getUser());
    if (Reader == W.Call)
      continue;
    if (Reader->getParent() != Part->getParent() || isa<PHINode>(Reader) || isAlias(Reader) ||
        !W.Call->comesBefore(Reader) || RegionWrite::matchMasked(Reader))
      return {};
    Value *Latest = Known.latest(W.Call, *Bytes, *Reader);
    if (!isUsedBehind(*Latest, *Reader))
      return {};
    All.push_back({&U, Latest});
  }
  return All;
}

/// What a block computes into a vector and reads again is nowhere else.
bool readBehind(BasicBlock &Block, const Versions &Known, int GrfBytes) {
  bool Changed = false;
  for (Instruction &I : Block)
    if (auto W = RegionWrite::match(&I))
      for (auto [Read, Latest] : readersBehind(*W, Known, GrfBytes)) {
        readFromVector({*W, Latest, {}}, *Read);
        Changed = true;
      }
  return Changed;
}

/// Reads of a block, and writes of what a region has anyway, whose versions are known up to there.
bool readInOrder(BasicBlock &Block, Versions &Known) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(Block))
    if (auto R = RegionRead::match(&I)) {
      Changed |= readLatest(*R, Known);
    } else if (auto W = RegionWrite::matchMasked(&I); W && !isPredicate(I.getType())) {
      auto Same = RegionRead::match(W->value());
      if (Same && Same->source() == W->old() && Same->Where == W->Where) {
        Known.forget(*W);
        I.replaceAllUsesWith(W->old());
        I.eraseFromParent();
        Changed = true;
      }
    }
  return Changed;
}

bool readLatest(BasicBlock &Block, Versions &Known, const DominatorTree &Dominators) {
  for (Instruction &I : Block)
    if (auto W = RegionWrite::matchMasked(&I); W && !isPredicate(I.getType()))
      Known.note(*W);
  bool Changed = readInOrder(Block, Known), GoesOn = false;
  for (Instruction &I : Block)
    if (auto W = RegionWrite::match(&I); W && !isPredicate(I.getType()) && !isOverwritten(&I))
      GoesOn |= goOn(*W->Call, Known, Dominators);
  if (GoesOn)
    readInOrder(Block, Known);
  return readLater(Block, Known, Dominators) || Changed || GoesOn;
}

} // namespace

bool readLatestVersions(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Dominators(F);
    for (BasicBlock &Block : F)
      for (Instruction &I : make_early_inc_range(Block))
        if (auto *Message = dyn_cast<CallInst>(&I))
          Changed |= putBehind(*Message);
    Versions Known(Dominators);
    for (BasicBlock *Block : ReversePostOrderTraversal(&F)) // versions before those that read them
      Changed |= readLatest(*Block, Known, Dominators);
    for (BasicBlock &Block : F)
      Changed |= readBehind(Block, Known, int(Target.GrfBytes));
  }
  return Changed;
}

} // namespace pocm::gen
