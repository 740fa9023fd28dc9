//===- Decomposition.cpp - Vectors that fall into pieces ----------------------------------===//
//
//     %w0 = wrregion(undef, %a, 0..15)
//     %w1 = wrregion(%w0, %b, 16..31)
//     %r0 = rdregion(%w1, 0..15)             ->   %a
//     %r1 = rdregion(%w1, 16..31)            ->   %b
//
// Why:      a vector occupies its registers from the first piece written to the last one
//           read; a piece only while it is needed.
// Pieces that a use needs together, as the payload of a message does, stay together:
//
//     %r = rdregion(%w3, 0..31)              ->   a vector of %a and %b alone
//
// Needs:    legal bales (gen-legalization).
// Leaves:   vectors all pieces of which hang together, and those with reads at run-time offsets.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "ir/Operands.h"
#include "ir/Replace.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace pocm::gen {
namespace {

/// The piece that each element of a chain of writes comes from.
struct Chain {
  SmallVector<RegionWrite, 16> Writes;               // the last one first
  SmallVector<int, 64> WriteOf, ElementOf;           // per element: which write, which element of its value
  SmallVector<std::pair<RegionRead, int>, 16> Reads; // of the chain as it is after which write
};

/// Notes the reads of what a write leaves; false when something else is done with it than reading regions, or going on
/// with the chain.
bool takeReads(Chain &C, int Write) {
  const Value *V = C.Writes[size_t(Write)].Call;
  const Value *Next = Write ? C.Writes[size_t(Write) - 1].Call : nullptr;
  for (const Use &U : V->uses()) {
    if (U.getUser() == Next && U.getOperandNo() == 0)
      continue;
    auto R = RegionRead::match(U.getUser());
    if (!R || !R->Where.isConstant())
      return false;
    C.Reads.push_back({*R, Write});
  }
  return true;
}

/// The writes that make up `Last` from nothing, when nobody sees the steps between but as regions that stay what they
/// are.
std::optional<Chain> chainTo(CallInst &Last) {
  Chain C;
  int Count = countOf(Last.getType());
  C.WriteOf.assign(size_t(Count), -1);
  C.ElementOf.assign(size_t(Count), -1);
  Value *V = &Last;
  SmallBitVector Twice(static_cast<unsigned>(Count));
  while (auto W = RegionWrite::match(V)) {
    C.Writes.push_back(*W);
    if (!W->Where.isConstant() || !takeReads(C, int(C.Writes.size()) - 1))
      return std::nullopt;
    for (int K = 0; K < W->count(); ++K) {
      int At = W->Where.element(K);
      if (At < 0 || At >= Count)
        return std::nullopt;
      if (C.WriteOf[size_t(At)] >= 0)
        Twice.set(unsigned(At));
      else { // a later write wins
        C.WriteOf[size_t(At)] = int(C.Writes.size()) - 1;
        C.ElementOf[size_t(At)] = K;
      }
    }
    V = W->old();
  }
  if (!isa<UndefValue>(V) || C.Writes.empty())
    return std::nullopt;
  for (auto &[Read, Write] : C.Reads)
    for (int K = 0; K < Read.count(); ++K) {
      int At = Read.Where.element(K);
      if (At < 0 || At >= Count || C.WriteOf[size_t(At)] < Write || (Write && Twice.test(unsigned(At))))
        return std::nullopt; // nothing there yet, or something else later
    }
  return C;
}

/// The number that is in all elements of a piece, as one of its reads has it.
Constant *splatFor(const RegionRead &R, Constant &Piece) {
  Constant *One = Piece.getType()->isVectorTy() ? Piece.getSplatValue() : &Piece;
  auto *T = dyn_cast<FixedVectorType>(R.Call->getType());
  return T && One ? ConstantVector::getSplat(T->getElementCount(), One) : One;
}

/// Whether a value is one number, also for those who read its bits as elements of another type.
bool isOneNumber(const Value &V, Constant *Known, const DataLayout &Layout) {
  if (Known->getType()->isVectorTy() && !Known->getSplatValue())
    return false;
  return all_of(V.users(), [&](const User *Alias) {
    if (!isAlias(Alias))
      return true;
    Constant *Cast = ConstantFoldCastOperand(Instruction::BitCast, Known, Alias->getType(), Layout);
    return Cast && isOneNumber(*Alias, Cast, Layout);
  });
}

/// What one of the reads of a chain reads of one piece; none when it needs several.
std::optional<std::pair<Value *, Region>> pieceOf(const Chain &C, const RegionRead &R) {
  SmallVector<int, 32> Elements;
  int Write = C.WriteOf[size_t(R.Where.element(0))];
  for (int K = 0; K < R.count(); ++K) {
    auto At = size_t(R.Where.element(K));
    if (C.WriteOf[At] != Write)
      return std::nullopt;
    Elements.push_back(C.ElementOf[At]);
  }
  auto Where = Region::through(Elements);
  auto *Known = dyn_cast<Constant>(C.Writes[size_t(Write)].value());
  if (!Where || (Known && !splatFor(R, *Known))) // only a register can be that
    return std::nullopt;
  return std::pair{C.Writes[size_t(Write)].value(), *Where};
}

/// Writes that some read needs together.
class Groups {
  SmallVector<int, 16> Parent;

public:
  explicit Groups(size_t Writes) : Parent(Writes) { std::iota(Parent.begin(), Parent.end(), 0); }
  int of(int Write) const {
    while (Parent[size_t(Write)] != Write)
      Write = Parent[size_t(Write)];
    return Write;
  }
  void join(int A, int B) { Parent[size_t(of(A))] = of(B); }
};

/// One value of a chain, or a region of it, in the place of a read.
void readPiece(const RegionRead &Read, Value *Piece, const Region &Where) {
  IRBuilder<> B(Read.Call);
  Type *Wanted = Read.Call->getType();
  Value *New = Piece;
  if (auto *Known = dyn_cast<Constant>(Piece)) { // one number, see pieceOf
    New = splatFor(Read, *Known);
  } else if (Piece->getType() != Wanted || (Wanted->isVectorTy() && !Where.isIdentity(Read.count()))) {
    if (!New->getType()->isVectorTy())
      New = B.CreateBitCast(New, FixedVectorType::get(New->getType(), 1));
    if (New->getType() != Wanted || !Where.isIdentity(Read.count()))
      New = RegionRead::create(B, Wanted, New, Where);
  }
  Read.Call->replaceAllUsesWith(New);
  Read.Call->eraseFromParent();
}

/// A group of writes as a vector of its own: whole registers of the one that they are in.
struct Part {
  int First, End;                                     // elements
  SmallVector<std::pair<int, Value *>, 8> Steps = {}; // what each write leaves of it, the last one last

  Value *after(int Write) const {
    for (auto &[Which, Step] : llvm::reverse(Steps))
      if (Which >= Write)
        return Step;
    return nullptr;
  }
};

/// The part that the writes of a group lie in; none when that is everything, or less than a register.
std::optional<Part> partOf(const Chain &C, const Groups &Together, int Group, int Count, int PerRegister) {
  Part P{Count, 0};
  for (size_t N = 0; N < C.Writes.size(); ++N)
    if (Together.of(int(N)) == Group)
      for (int K = 0; K < C.Writes[N].count(); ++K) {
        P.First = std::min(P.First, C.Writes[N].Where.element(K));
        P.End = std::max(P.End, C.Writes[N].Where.element(K) + 1);
      }
  P.First -= P.First % PerRegister;
  P.End = std::min(Count, int(alignTo(unsigned(P.End), unsigned(PerRegister))));
  return P.End - P.First < std::min(Count, PerRegister) || P.End - P.First == Count ? std::nullopt : std::optional(P);
}

bool takeApart(CallInst &Last, const GenTarget &Target) {
  auto C = chainTo(Last);
  if (!C || Last.use_empty())
    return false;
  Groups Together(C->Writes.size());
  auto WriteOf = [&](const RegionRead &R, int K) { return C->WriteOf[size_t(R.Where.element(K))]; };
  for (auto &[Read, _] : C->Reads)
    for (int K = 1; K < Read.count(); ++K)
      Together.join(WriteOf(Read, 0), WriteOf(Read, K));
  std::map<int, Part> Parts; // of the groups that are not read from one value each
  int Count = countOf(Last.getType()), PerRegister = int(Target.GrfBytes) / elementBytes(Last.getType());
  for (auto &[Read, _] : C->Reads)
    if (int Group = Together.of(WriteOf(Read, 0)); !pieceOf(*C, Read) && !Parts.contains(Group)) {
      auto P = partOf(*C, Together, Group, Count, PerRegister);
      if (!P)
        return false;
      Parts.emplace(Group, *P);
    }
  for (size_t N = C->Writes.size(); N-- > 0;) { // the last one comes first
    auto Found = Parts.find(Together.of(int(N)));
    if (Found == Parts.end())
      continue;
    Part &P = Found->second;
    RegionWrite &W = C->Writes[N];
    IRBuilder<> B(W.Call);
    Value *Before =
        P.Steps.empty() ? PoisonValue::get(ofCount(Last.getType(), P.End - P.First)) : P.Steps.back().second;
    Region Where = W.Where;
    Where.Offset -= P.First;
    P.Steps.push_back({int(N), RegionWrite::create(B, Before, W.value(), Where)});
  }
  for (auto &[Read, Write] : C->Reads) {
    if (auto Found = Parts.find(Together.of(WriteOf(Read, 0))); Found != Parts.end()) {
      Region Where = Read.Where;
      Where.Offset -= Found->second.First;
      readPiece(Read, Found->second.after(Write), Where);
    } else {
      auto [Piece, Where] = *pieceOf(*C, Read);
      readPiece(Read, Piece, Where);
    }
  }
  for (RegionWrite &W : C->Writes)
    W.Call->eraseFromParent();
  return true;
}

} // namespace

/// Operations on what turned out to be one number become that number.
static bool foldNumbers(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  return replaceEach(F, [&](Instruction &I) {
    Constant *Known = ConstantFoldInstruction(&I, Layout);
    return Known && isOneNumber(I, Known, Layout) ? Known : nullptr;
  });
}

/// A constant whose bits are read as elements of another type, which are more than one number, is in a register: runs
/// of one number, as many channels as a move has.
static bool placeAliased(Function &F, const GenTarget &Target) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *C = isAlias(&I) ? dyn_cast<Constant>(I.getOperand(0)) : nullptr;
    if (!C || isa<UndefValue>(C)) // what is one number, was folded
      continue;
    IRBuilder<> B(&I);
    Type *T = C->getType(), *Element = T->getScalarType();
    int Count = countOf(T), Most = std::min(16, 2 * int(Target.GrfBytes) / elementBytes(T));
    auto Number = [&](int K) { return T->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C; };
    Value *All = PoisonValue::get(FixedVectorType::get(Element, unsigned(Count)));
    for (int First = 0, Run; First < Count; First += Run) {
      for (Run = 1; First + Run < Count && Run < Most && Number(First + Run) == Number(First);)
        ++Run;
      Run = int(bit_floor(unsigned(Run)));
      if (!isa<UndefValue>(Number(First)))
        All =
            RegionWrite::create(B, All, ConstantVector::getSplat(ElementCount::getFixed(unsigned(Run)), Number(First)),
                                Region::contiguous(Run, First));
    }
    I.replaceAllUsesWith(B.CreateBitCast(All, I.getType()));
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

bool decompose(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    SmallVector<CallInst *, 32> Ends;
    for (Instruction &I : instructions(F))
      if (RegionWrite::match(&I) && !(I.hasOneUse() && RegionWrite::match(*I.user_begin()) &&
                                      operandOf(*cast<CallInst>(*I.user_begin()), Role::Old) == &I))
        Ends.push_back(cast<CallInst>(&I));
    for (CallInst *End : Ends)
      Changed |= takeApart(*End, Target);
    Changed |= foldNumbers(F);
    Changed |= placeAliased(F, Target);
  }
  return Changed;
}

} // namespace pocm::gen
