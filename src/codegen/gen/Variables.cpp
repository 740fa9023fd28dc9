//===- Variables.cpp - Which values share a register variable ---------------------------===//
#include "codegen/gen/Variables.h"
#include "codegen/gen/Bales.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include <numeric>

using namespace llvm;

namespace pocm::gen {

bool needsRegister(const Value &V) {
  if (V.getType()->isVoidTy() || isPredicate(V.getType()) || isAlias(&V))
    return false;
  if (isa<Argument>(V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  return I && !isBaled(*I) && !isa<AllocaInst>(I); // a frame is a place in memory
}

SmallVector<Value *, 8> registersRead(Instruction &Head) {
  SmallVector<Value *, 8> All;
  SmallVector<Instruction *, 8> Members{&Head};
  while (!Members.empty()) {
    Instruction *I = Members.pop_back_val();
    for (Value *Operand : I->operands()) {
      Value *Register = registerOf(Operand);
      if (needsRegister(*Register))
        All.push_back(Register);
      else if (auto *Member = dyn_cast<Instruction>(Operand); Member && isBaled(*Member))
        Members.push_back(Member);
    }
  }
  return All;
}

Variables::Variables(Function &F) {
  number(F);
  findRanges(F);
  // Writes first: a copy for them moves a whole vector in the middle of a computation.
  SmallVector<const CallInst *, 16> Copied;
  for (Instruction &I : instructions(F))
    if (auto W = RegionWrite::matchMasked(&I)) {
      Value *Old = registerOf(W->old());
      if (needsRegister(*Old) && !merge(Old, &I))
        Copied.push_back(W->Call);
    }
  // A copy happens before anything else is read: its variable is taken from then on.
  for (const CallInst *Call : Copied) {
    for (Segment &S : Ranges[leader(Number.lookup(Call))])
      if (S.First == Starts.lookup(Call))
        --S.First;
  }
  for (Instruction &I : instructions(F))
    if (auto *Phi = dyn_cast<PHINode>(&I); Phi && needsRegister(*Phi))
      for (Value *In : Phi->incoming_values())
        if (needsRegister(*registerOf(In)))
          merge(Phi, registerOf(In));
  sumLive();
}

void Variables::sumLive() {
  std::vector<int> Size(Values.size()); // of each class, at its leader
  for (unsigned N = 0; N < Values.size(); ++N) {
    Type *T = Values[N]->getType();
    int Bytes = countOf(T) * (T->isPtrOrPtrVectorTy() ? 8 : elementBytes(T));
    Size[leader(N)] = std::max(Size[leader(N)], Bytes);
  }
  int Last = 0;
  for (const Range &R : Ranges)
    for (const Segment &S : R)
      Last = std::max(Last, S.Last);
  Live.resize(size_t(Last) + 2);
  for (unsigned N = 0; N < Ranges.size(); ++N) {
    int Until = 0; // segments of one class may touch
    for (const Segment &S : Ranges[N]) {
      int First = std::max(S.First, Until);
      if (First > S.Last)
        continue;
      Live[size_t(First)] += Size[N];
      Live[size_t(S.Last) + 1] -= Size[N];
      Until = S.Last + 1;
    }
  }
  std::partial_sum(Live.begin(), Live.end(), Live.begin());
}

unsigned Variables::liveBytes(const Instruction &Head) const {
  size_t Slot = 2 * size_t(Positions.lookup(&Head)) + 1;
  return Slot < Live.size() ? unsigned(Live[Slot]) : 0;
}

void Variables::number(Function &F) {
  auto Add = [&](const Value &V) {
    if (!needsRegister(V))
      return;
    Number[&V] = unsigned(Values.size());
    Values.push_back(&V);
  };
  for (Argument &A : F.args())
    Add(A);
  for (Instruction &I : instructions(F))
    Add(I);
  Parent.resize(Values.size());
  for (unsigned N = 0; N < Parent.size(); ++N)
    Parent[N] = N;
}

void Variables::findRanges(Function &F) {
  struct BlockInfo {
    int Begin = 0, End = 0;
    BitVector LiveIn, LiveOut, Uses, Defs;
  };
  DenseMap<const BasicBlock *, BlockInfo> Blocks;
  unsigned Count = unsigned(Values.size());
  int Position = 1; // arguments are written before the first instruction
  for (BasicBlock &Block : F) {
    BlockInfo &Info = Blocks[&Block];
    Info.LiveIn = Info.LiveOut = Info.Uses = Info.Defs = BitVector(Count);
    Info.Begin = 2 * Position++;
    for (Instruction &I : Block) {
      if (isBaled(I))
        continue;
      Positions[&I] = Position++;
      if (!isa<PHINode>(I))
        for (Value *V : registersRead(I))
          if (unsigned N = Number.lookup(V); !Info.Defs.test(N))
            Info.Uses.set(N);
      if (auto Found = Number.find(&I); Found != Number.end())
        Info.Defs.set(Found->second);
    }
    Info.End = 2 * (Position - 1) + 1;
  }
  for (bool Again = true; Again;) {
    Again = false;
    for (BasicBlock *Block : post_order(&F)) {
      BlockInfo &Info = Blocks[Block];
      BitVector Out(Count);
      for (BasicBlock *Next : successors(Block))
        Out |= Blocks[Next].LiveIn;
      BitVector In = Out;
      for (BasicBlock *Next : successors(Block)) // read by a phi at the very end of this block
        for (PHINode &Phi : Next->phis())
          if (Value *V = registerOf(Phi.getIncomingValueForBlock(Block)); needsRegister(*V))
            In.set(Number.lookup(V));
      In.reset(Info.Defs);
      In |= Info.Uses;
      Info.LiveOut = Out;
      if (In != Info.LiveIn)
        Info.LiveIn = In, Again = true;
    }
  }
  Ranges.resize(Count);
  for (BasicBlock &Block : F) {
    BlockInfo &Info = Blocks[&Block];
    std::vector<int> First(Count, -1), Last(Count, -1);
    for (unsigned N : Info.LiveIn.set_bits())
      First[N] = Last[N] = Info.Begin;
    if (&Block == &F.getEntryBlock())
      for (Argument &A : F.args())
        if (auto Found = Number.find(&A); Found != Number.end())
          First[Found->second] = Last[Found->second] = 1;
    for (Instruction &I : Block) {
      if (isBaled(I))
        continue;
      int Here = Positions[&I];
      if (!isa<PHINode>(I))
        for (Value *V : registersRead(I))
          Last[Number.lookup(V)] = 2 * Here;
      if (auto Found = Number.find(&I); Found != Number.end()) {
        First[Found->second] = Last[Found->second] = isa<PHINode>(I) ? Info.Begin : 2 * Here + 1;
        Starts[&I] = 2 * Here + 1;
      }
    }
    for (BasicBlock *Next : successors(&Block))
      for (PHINode &Phi : Next->phis())
        if (Value *V = registerOf(Phi.getIncomingValueForBlock(&Block)); needsRegister(*V))
          Last[Number.lookup(V)] = std::max(Last[Number.lookup(V)], Info.End - 1);
    for (unsigned N : Info.LiveOut.set_bits())
      Last[N] = Info.End;
    for (unsigned N = 0; N < Count; ++N)
      if (First[N] >= 0)
        Ranges[N].push_back({First[N], Last[N]});
    for (BasicBlock *Next : successors(&Block)) // phis are written at the end of what comes before
      for (PHINode &Phi : Next->phis())
        if (auto Found = Number.find(&Phi); Found != Number.end())
          Ranges[Found->second].push_back({Info.End, Info.End});
  }
  for (Range &R : Ranges)
    sort(R, [](const Segment &A, const Segment &B) { return A.First < B.First; });
}

unsigned Variables::leader(unsigned N) const {
  while (Parent[N] != N)
    N = Parent[N] = Parent[Parent[N]];
  return N;
}

bool Variables::overlap(const Range &A, const Range &B) const {
  for (size_t I = 0, J = 0; I < A.size() && J < B.size();) {
    if (A[I].Last < B[J].First)
      ++I;
    else if (B[J].Last < A[I].First)
      ++J;
    else
      return true;
  }
  return false;
}

bool Variables::merge(const Value *A, const Value *B) {
  unsigned X = leader(Number.lookup(A)), Y = leader(Number.lookup(B));
  if (X == Y)
    return true;
  if (overlap(Ranges[X], Ranges[Y]))
    return false;
  Parent[Y] = X;
  Range All;
  std::merge(Ranges[X].begin(), Ranges[X].end(), Ranges[Y].begin(), Ranges[Y].end(), std::back_inserter(All),
             [](const Segment &P, const Segment &Q) { return P.First < Q.First; });
  Ranges[X] = std::move(All);
  Ranges[Y].clear();
  return true;
}

unsigned Variables::variableOf(const Value *Register) const { return leader(Number.lookup(Register)); }

} // namespace pocm::gen
