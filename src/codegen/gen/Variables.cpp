//===- Variables.cpp - Which values share a register variable ---------------------------===//
#include "codegen/gen/Variables.h"
#include "codegen/gen/Bales.h"
#include "ir/Messages.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include <numeric>

using namespace llvm;

namespace pocm::gen {

bool needsRegister(const Value &V) {
  if (V.getType()->isVoidTy() || V.getType()->isStructTy() || isPredicate(V.getType()) || isAlias(&V))
    return false;
  if (isa<Argument>(V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  return I && !isBaled(*I) && !isa<AllocaInst>(I); // a frame is a place in memory
}

SmallVector<Type *, 2> resultsOf(const Function &F) {
  Type *T = F.getReturnType();
  if (auto *Parts = dyn_cast<StructType>(T))
    return SmallVector<Type *, 2>(Parts->elements());
  return T->isVoidTy() ? SmallVector<Type *, 2>() : SmallVector<Type *, 2>{T};
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
      else if (auto *Member = dyn_cast<Instruction>(Operand);
               Member && (isBaled(*Member) || isa<InsertValueInst>(Member)))
        Members.push_back(Member);
    }
  }
  return All;
}

Variables::Variables(Functions All, bool Coalesce, unsigned GrfBytes) : Coalesce(Coalesce) {
  number(All);
  Ranges.resize(Types.size());
  int Position = 0;
  for (Function *F : All)
    Position = findRanges(*F, Position);
  for (Range &R : Ranges)
    sort(R, [](const Segment &A, const Segment &B) { return A.First < B.First; });
  mergeWrites(All); // first: a copy for them moves a whole vector in the middle of a computation
  mergePhis(All);
  mergeCalls(All);
  if (Coalesce)
    placeResults(All, GrfBytes);
  sumLive();
}

void Variables::mergeWrites(Functions All) {
  SmallVector<const CallInst *, 16> Copied;
  for (Function *F : All)
    for (Instruction &I : instructions(*F))
      if (auto W = RegionWrite::matchMasked(&I)) {
        Value *Old = registerOf(W->old());
        if (needsRegister(*Old) ? !merge(Old, &I) : isa<Constant>(Old) && !isa<UndefValue>(Old))
          Copied.push_back(W->Call);
      }
  // A copy happens before anything else is read: its variable is taken from then on.
  for (const CallInst *Call : Copied)
    for (Segment &S : Ranges[leader(Number.lookup(Call))])
      if (S.First == Starts.lookup(Call))
        --S.First;
}

bool fillsRegisters(Op Operation) {
  auto Message = messageOf(Operation);
  return Message && Message->isRow() && Message->Does == MessageInfo::Action::Read;
}

/// How many bytes behind a register's place in `Message` it is put, by a write that puts whole stretches of it.
static std::optional<int> distance(const RegionWrite &W, const Instruction &Message) {
  auto R = RegionRead::match(W.value());
  if (W.value() != &Message && (!R || !R->Call->hasOneUse() || registerOf(R->source()) != &Message))
    return std::nullopt;
  Region From = R ? R->Where : Region::contiguous(W.count());
  int Bytes = elementBytes(W.Call->getType());
  if (!From.isConstant() || !W.Where.isConstant() ||
      W.value()->getType()->getScalarType() != W.Call->getType()->getScalarType())
    return std::nullopt;
  auto IsRow = [&](Region Where) {
    Where.Offset = 0;
    return Where.isIdentity(W.count());
  };
  if (!IsRow(From) || !IsRow(W.Where))
    return std::nullopt;
  return (W.Where.Offset - From.Offset) * Bytes;
}

void Variables::placeResults(Functions All, unsigned GrfBytes) {
  for (Function *F : All)
    for (Instruction &I : instructions(*F))
      if (needsRegister(I) && fillsRegisters(operationOf(&I)))
        placeResult(I, GrfBytes);
}

/// The bales behind a message that put its result, all of it and nothing else does, into one variable.
void Variables::placeResult(Instruction &Message, unsigned GrfBytes) {
  const unsigned Mine = Number.lookup(&Message);
  if (llvm::count_if(Parent, [&](unsigned P) { return P == Mine; }) != 1 || leader(Mine) != Mine)
    return; // it shares a variable
  unsigned Bytes = unsigned(countOf(Message.getType()) * elementBytes(Message.getType())), Put = 0;
  SmallVector<const CallInst *, 8> Writes;
  std::optional<int> At;
  for (Instruction *I = Message.getNextNode(); I && Put < Bytes; I = I->getNextNode()) {
    if (isBaled(*I) || isAlias(I))
      continue;
    auto W = RegionWrite::match(I);
    auto Distance = W ? distance(*W, Message) : std::nullopt;
    if (!Distance || *Distance < 0 || unsigned(*Distance) % GrfBytes || (At && At != Distance))
      return;
    Value *Old = registerOf(W->old());
    if (!isa<UndefValue>(Old) && (isa<Constant>(Old) || variableOf(Old) != variableOf(I)))
      return; // which is copied first
    if (!Writes.empty() && Old != Writes.back())
      return;
    At = Distance;
    Writes.push_back(W->Call);
    Put += unsigned(W->count() * elementBytes(W->Call->getType()));
  }
  size_t Reads = 0;
  SmallVector<const Instruction *, 4> Same{&Message};
  while (!Same.empty())
    for (const User *U : Same.pop_back_val()->users())
      isAlias(U) ? Same.push_back(cast<Instruction>(U)) : void(++Reads);
  if (!Bytes || Bytes % GrfBytes || Put != Bytes || Reads != Writes.size())
    return;
  Places[&Message] = {Writes.back(), unsigned(*At)};
  There.insert(Writes.begin(), Writes.end());
  Ranges[Mine].clear();
}

std::optional<Variables::Place> Variables::placeOf(const Instruction &Message) const {
  auto Found = Places.find(&Message);
  return Found == Places.end() ? std::nullopt : std::optional(Found->second);
}

void Variables::mergePhis(Functions All) {
  for (Function *F : All)
    for (Instruction &I : instructions(*F))
      if (auto *Phi = dyn_cast<PHINode>(&I); Phi && needsRegister(*Phi))
        for (Value *In : Phi->incoming_values())
          if (needsRegister(*registerOf(In)))
            merge(Phi, registerOf(In));
}

/// Parts of a call's result are written by the call.
static const Instruction &writerOf(const Instruction &I) {
  auto *Part = dyn_cast<ExtractValueInst>(&I);
  return Part ? *cast<Instruction>(Part->getAggregateOperand()) : I;
}

/// A call writes what it gives after it has read everything, and results before its own value; calls within the callee
/// do both at any time.
void Variables::addCall(const Function &Callee, int Here, bool Direct) {
  for (const Argument &A : Callee.args())
    Ranges[Number.lookup(&A)].push_back({Direct ? 2 * Here + 1 : 2 * Here, 2 * Here + 1});
  for (unsigned K = 0; K < resultsOf(Callee).size(); ++K)
    Ranges[FirstResult.lookup(&Callee) + K].push_back({2 * Here, Direct ? 2 * Here : 2 * Here + 1});
  for (const Instruction &I : instructions(Callee))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && FirstResult.contains(Call->getCalledFunction()))
      addCall(*Call->getCalledFunction(), Here, false);
}

void Variables::mergeCalls(Functions All) {
  auto Share = [&](unsigned Variable, Value *V) {
    Value *Register = registerOf(V);
    if (needsRegister(*Register) && Register->getType() == Types[Variable])
      merge(Variable, Number.lookup(Register));
  };
  for (Function *F : All)
    for (Instruction &I : instructions(*F)) {
      if (auto *Call = dyn_cast<CallInst>(&I); Call && FirstResult.contains(Call->getCalledFunction())) {
        const Function &Callee = *Call->getCalledFunction();
        for (auto [Parameter, Given] : zip(Callee.args(), Call->args()))
          Share(Number.lookup(&Parameter), Given);
        if (needsRegister(*Call))
          Share(FirstResult.lookup(&Callee), Call);
        for (User *U : Call->users())
          if (auto *Part = dyn_cast<ExtractValueInst>(U))
            Share(FirstResult.lookup(&Callee) + Part->getIndices()[0], Part);
      } else if (auto *Return = dyn_cast<ReturnInst>(&I); Return && F != All.front()) {
        Value *Whole = Return->getReturnValue();
        for (unsigned K = 0; K < resultsOf(*F).size(); ++K)
          if (Value *Part = F->getReturnType()->isStructTy() ? FindInsertedValue(Whole, K) : Whole)
            Share(FirstResult.lookup(F) + K, Part);
      }
    }
}

void Variables::sumLive() {
  std::vector<int> Size(Types.size()); // of each class, at its leader
  for (unsigned N = 0; N < Types.size(); ++N) {
    Type *T = Types[N];
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

void Variables::number(Functions All) {
  auto Add = [&](const Value &V) {
    if (!needsRegister(V))
      return;
    Number[&V] = unsigned(Types.size());
    Types.push_back(V.getType());
  };
  for (Function *F : All) {
    for (Argument &A : F->args())
      Add(A);
    for (Instruction &I : instructions(*F))
      Add(I);
    if (F == All.front())
      continue;
    FirstResult[F] = unsigned(Types.size());
    append_range(Types, resultsOf(*F));
  }
  Parent.resize(Types.size());
  for (unsigned N = 0; N < Parent.size(); ++N)
    Parent[N] = N;
}

/// Of one function, whose positions begin with that one; returns the next one's.
int Variables::findRanges(Function &F, int Position) {
  struct BlockInfo {
    int Begin = 0, End = 0;
    BitVector LiveIn, LiveOut, Uses, Defs;
  };
  DenseMap<const BasicBlock *, BlockInfo> Blocks;
  unsigned Count = unsigned(Types.size());
  const int Arguments = 2 * Position++ + 1; // they are written before the first instruction
  for (BasicBlock &Block : F) {
    BlockInfo &Info = Blocks[&Block];
    Info.LiveIn = Info.LiveOut = Info.Uses = Info.Defs = BitVector(Count);
    Info.Begin = 2 * Position++;
    for (Instruction &I : Block) {
      if (isBaled(I))
        continue;
      const Instruction &Writer = writerOf(I);
      Positions[&I] = &Writer == &I ? Position++ : Positions.lookup(&Writer);
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
  for (BasicBlock &Block : F) {
    BlockInfo &Info = Blocks[&Block];
    std::vector<int> First(Count, -1), Last(Count, -1);
    for (unsigned N : Info.LiveIn.set_bits())
      First[N] = Last[N] = Info.Begin;
    if (&Block == &F.getEntryBlock())
      for (Argument &A : F.args())
        if (auto Found = Number.find(&A); Found != Number.end())
          First[Found->second] = Last[Found->second] = Arguments;
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
      if (auto *Call = dyn_cast<CallInst>(&I); Call && FirstResult.contains(Call->getCalledFunction()))
        addCall(*Call->getCalledFunction(), Here, true);
      if (auto Results = FirstResult.find(&F); Results != FirstResult.end() && isa<ReturnInst>(I))
        for (unsigned K = 0; K < resultsOf(F).size(); ++K)
          Ranges[Results->second + K].push_back({2 * Here + 1, 2 * Here + 1});
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
  return Position;
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

bool Variables::merge(unsigned A, unsigned B) {
  unsigned X = leader(A), Y = leader(B);
  if (X == Y)
    return true;
  if (!Coalesce || overlap(Ranges[X], Ranges[Y]))
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
