//===- Constants.cpp - Vectors of constants in registers ------------------------------------===//
//
// An immediate is one number for all channels, or a packed vector of eight small integers.
// Other constant vectors are written into a register, piece by piece:
//
//     add %x, <0, 1, 2, ..., 15>     ->  %c0 = wrregion(undef, <0, ..., 7>, 0)
//                                        %c1 = wrregion(%c0, add(<0, ..., 7>, 8), 8)
//                                        add %x, %c1
//
// Runs of one number take a move each, small integers a packed immediate of words, four small
// floats one of their own, equal steps the numbers 0 to 7; words and bytes that make up equal
// dwords are moved as dwords. What several constants of a block begin with is set once. What takes several instructions
// is set before the loops that it is used in, as long as that leaves most registers to the loop.
//
// Needs:    sizes and operations that registers and instructions have.
// Leaves:   constants that immediates hold, and whole registers of the others.
//
//===----------------------------------------------------------------------------------------===//
#include "llvm/IR/Constants.h"
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

using namespace llvm;

namespace pocm::gen {
namespace {

/// Integer elements of a constant; nothing for undefined ones.
SmallVector<std::optional<APInt>, 32> bitsOf(Constant &C) {
  SmallVector<std::optional<APInt>, 32> Bits;
  for (int K = 0; K < countOf(C.getType()); ++K) {
    Constant *E = C.getAggregateElement(unsigned(K));
    if (auto *I = dyn_cast_or_null<ConstantInt>(E))
      Bits.push_back(I->getValue());
    else if (auto *F = dyn_cast_or_null<ConstantFP>(E))
      Bits.push_back(F->getValueAPF().bitcastToAPInt());
    else
      Bits.push_back(std::nullopt);
  }
  return Bits;
}

/// Whether an immediate can be this vector: one number everywhere.
bool isImmediate(Constant &C) {
  if (!C.getType()->isVectorTy() || isa<UndefValue>(C))
    return true;
  std::optional<APInt> Number;
  for (const auto &B : bitsOf(C)) {
    if (B && Number && *B != *Number)
      return false;
    if (B)
      Number = B;
  }
  return true;
}

/// Whether an operand has to be in a register: the first of a function of two halves, where the target has no such
/// immediates.
bool isInRegister(const Use &U, const GenTarget &Target) {
  auto *I = cast<Instruction>(U.getUser());
  if (!Target.has(LacksHalfImmediates) || U.getOperandNo() || !U->getType()->getScalarType()->isHalfTy())
    return false;
  auto *Call = dyn_cast<IntrinsicInst>(I);
  return I->getOpcode() == Instruction::FDiv || (Call && Call->getIntrinsicID() == Intrinsic::pow);
}

/// The same immediate with its number in undefined elements, too.
Constant *completed(Constant &C) {
  int Count = countOf(C.getType());
  for (int K = 0; K < Count; ++K)
    if (Constant *E = C.getAggregateElement(unsigned(K)); E && !isa<UndefValue>(E))
      return ConstantVector::getSplat(ElementCount::getFixed(unsigned(Count)), E);
  return PoisonValue::get(C.getType());
}

int lengthOfRun(ArrayRef<std::optional<APInt>> Bits, int Start) {
  int Length = 1;
  while (Start + Length < int(Bits.size()) &&
         (!Bits[size_t(Start + Length)] || Bits[size_t(Start + Length)] == Bits[size_t(Start)]))
    ++Length;
  return Length;
}

/// How a stretch of a constant gets into a register.
struct Piece {
  enum Kind {
    Run,         ///< One number: a move.
    Packed,      ///< Small integers: an immediate of words, and their conversion unless the elements are words.
    Progression, ///< Base, Base + Step, ...: from 0, 1, ..., 7 or 15 in a register.
    Doubled,     ///< The same with steps that no word holds: twice as much of it with each sum.
    Floats,      ///< Four numbers of eight bits: an immediate.
  } What;
  int Start, Count;
  APInt Base = APInt(), Step = APInt(); ///< Of a progression.

  bool isProgression() const { return What == Progression || What == Doubled; }
  /// How much of it comes first.
  int first() const { return What == Doubled ? 1 : Count; }
};

using Elements = ArrayRef<std::optional<APInt>>;

bool isSmall(Elements Part, Type *Element) {
  bool Signed = all_of(Part, [](const auto &B) { return !B || B->isSignedIntN(4); });
  bool Unsigned = all_of(Part, [](const auto &B) { return !B || B->isIntN(4); });
  return Element->isIntegerTy() && (Signed || Unsigned);
}

/// The step between neighbours when it is one; whether there is one.
bool isProgression(Elements Part, APInt &Step) {
  if (!Part[0] || !Part[1])
    return false;
  Step = *Part[1] - *Part[0];
  for (size_t K = 1; K < Part.size(); ++K)
    if (!Part[K] || *Part[K] - *Part[K - 1] != Step)
      return false;
  return !Step.isZero();
}

/// Immediates of several numbers go to whole owords.
bool isAligned(Elements Bits, int Start, Type *Element) {
  int Size = int(Element->getPrimitiveSizeInBits());
  return Start * Size % 128 == 0 && int(Bits.size()) * Size >= 128;
}

Piece pieceAt(Elements Bits, Type *Element, int Start, bool Compared) {
  int Run = lengthOfRun(Bits, Start), Left = int(Bits.size()) - Start;
  Piece P{Piece::Run, Start, Run};
  unsigned Width = Element->getPrimitiveSizeInBits();
  if (Element->isFloatTy() && Run < 4 && Left >= 4 && isAligned(Bits, Start, Element) &&
      all_of(Bits.slice(size_t(Start), 4), [](const auto &B) { return !B || packedFloat(*B); }))
    return {Piece::Floats, Start, 4};
  if (!Element->isIntegerTy() || Width > 32 || Run >= 8 || Left < 4)
    return P;
  for (int Count : {16, 8, 4}) {
    if (Count > Left || Run >= Count)
      continue;
    Elements Part = Bits.slice(size_t(Start), size_t(Count));
    bool Small = Count <= 8 && isSmall(Part, Element) && !(Compared && Width <= 16);
    if (Small && Width == 16 && isAligned(Bits, Start, Element))
      return {Piece::Packed, Start, Count};
    if (APInt Step;
        Width >= 16 && isProgression(Part, Step) && !(Compared && Width <= 16 && Part[0]->isZero() && Step.isOne()))
      return {Step.isSignedIntN(16) ? Piece::Progression : Piece::Doubled, Start, Count, *Part[0], Step};
    if (Small && Width != 16)
      return {Piece::Packed, Start, Count};
  }
  return P;
}

/// Words that are compared are set one by one, and others converted before: the finalizer (1.0.12504) puts a packed
/// immediate into the comparison, which it cannot encode.
SmallVector<Piece, 8> piecesOf(Constant &C, bool Compared) {
  SmallVector<std::optional<APInt>, 32> Bits = bitsOf(C);
  SmallVector<Piece, 8> All;
  for (int Start = 0; Start < int(Bits.size()); Start += All.back().Count)
    All.push_back(pieceAt(Bits, C.getType()->getScalarType(), Start, Compared));
  return All;
}

/// Instructions that it takes.
int cost(Constant &C, bool Compared) {
  int Moves = 0;
  for (const Piece &P : piecesOf(C, Compared))
    Moves += P.What == Piece::Doubled                                              ? 1 + int(Log2_32(unsigned(P.Count)))
             : P.What == Piece::Packed && C.getType()->getScalarSizeInBits() != 16 ? 2
                                                                                   : 1;
  return Moves;
}

/// What constants are made of and stands in registers already: small words, and multiples of 0, 1, ..., 7 or 15.
using Ready = std::map<std::pair<Constant *, Constant *>, Value *>;

/// Puts constants into registers.
class Placer {
public:
  Placer(IRBuilderBase &B, Ready &Known, bool Compared) : B(B), Known(Known), Compared(Compared) {}

  Value *inRegister(Constant &C) {
    auto *T = cast<FixedVectorType>(C.getType());
    Value *All = PoisonValue::get(T);
    SmallVector<Piece, 8> Pieces = piecesOf(C, Compared);
    if (!Compared && Pieces.size() == 1 && is_contained({Piece::Packed, Piece::Progression}, Pieces[0].What) &&
        T->getScalarSizeInBits() != 16)
      return part(C, Pieces[0]); // computed, so that it may become a part of an operand
    for (auto *P = Pieces.begin(); P != Pieces.end();) {
      All = RegionWrite::create(B, All, part(C, *P), Region::contiguous(P->first(), P->Start));
      All = goOn(All, P, Pieces.end());
    }
    return All;
  }

private:
  /// The rest of the progression that piece P begins: what is there, further on. Ends at the first piece of another.
  Value *goOn(Value *All, Piece *&P, Piece *End) {
    const Piece &First = *P++;
    int Length = First.Count, Done = First.first();
    for (; First.isProgression() && P != End && P->What == First.What && P->Step == First.Step &&
           P->Base == First.Base + Length * First.Step;
         ++P)
      Length += P->Count;
    while (Done < Length) {
      int Count = int(bit_floor(unsigned(std::min(Done, Length - Done))));
      auto *T = vectorOf(All->getType()->getScalarType(), Count);
      Value *Before = RegionRead::create(B, T, All, Region::contiguous(Count, First.Start));
      Value *Further = B.CreateAdd(Before, splat(Done * First.Step, T->getElementType(), Count));
      All = RegionWrite::create(B, All, Further, Region::contiguous(Count, First.Start + Done));
      Done += Count;
    }
    return All;
  }

  IRBuilderBase &B;
  Ready &Known;
  bool Compared;

  FixedVectorType *vectorOf(Type *Element, int Count) { return FixedVectorType::get(Element, unsigned(Count)); }

  /// Elements of a constant, with something for those that nobody defined.
  SmallVector<Constant *, 8> elements(Constant &C, int Start, int Count, Type *As) {
    SmallVector<Constant *, 8> Part;
    for (int K = Start; K < Start + Count; ++K) {
      Constant *E = C.getAggregateElement(unsigned(K));
      if (isa<UndefValue>(E))
        E = Constant::getNullValue(C.getType()->getScalarType());
      Part.push_back(E->getType() == As ? E : ConstantInt::get(As, cast<ConstantInt>(E)->getSExtValue(), true, true));
    }
    return Part;
  }

  /// Small words in a register: an oword of them in any case.
  Value *words(ArrayRef<Constant *> Values) {
    SmallVector<Constant *, 16> Eights(Values);
    Eights.resize(alignTo(Values.size(), 8), Values.back());
    Constant *C = ConstantVector::get(Eights);
    Value *&Register = Known[{C, nullptr}];
    if (!Register) {
      Register = PoisonValue::get(C->getType());
      for (size_t First = 0; First < Eights.size(); First += 8)
        Register = RegionWrite::create(B, Register, ConstantVector::get(ArrayRef(Eights).slice(First, 8)),
                                       Region::contiguous(8, int(First)));
    }
    auto Count = int(Values.size());
    return Count % 8 == 0 ? Register
                          : RegionRead::create(B, vectorOf(B.getInt16Ty(), Count), Register, Region::contiguous(Count));
  }

  Constant *splat(const APInt &Number, Type *Element, int Count) {
    return ConstantVector::getSplat(ElementCount::getFixed(unsigned(Count)), ConstantInt::get(Element, Number));
  }

  Value *part(Constant &C, const Piece &P) {
    Type *Element = C.getType()->getScalarType(), *Word = B.getInt16Ty();
    auto *T = vectorOf(Element, P.Count);
    bool Words = Element->isIntegerTy(16);
    switch (P.What) {
    case Piece::Run: {
      Constant *One = C.getAggregateElement(unsigned(P.Start));
      return ConstantVector::getSplat(ElementCount::getFixed(unsigned(P.Count)),
                                      isa<UndefValue>(One) ? Constant::getNullValue(Element) : One);
    }
    case Piece::Floats:
      return ConstantVector::get(elements(C, P.Start, P.Count, Element));
    case Piece::Packed: {
      SmallVector<Constant *, 8> Values = elements(C, P.Start, P.Count, Word);
      if (Words)
        return ConstantVector::get(Values);
      bool Negative = any_of(Values, [](Constant *E) { return cast<ConstantInt>(E)->isNegative(); });
      return Negative ? B.CreateSExtOrTrunc(words(Values), T) : B.CreateZExtOrTrunc(words(Values), T);
    }
    case Piece::Doubled:
      return splat(P.Base, Element, 1);
    case Piece::Progression:
      break;
    }
    SmallVector<Constant *, 16> Steps;
    for (int K = 0; K < P.Count; ++K)
      Steps.push_back(ConstantInt::get(Word, uint64_t(K)));
    Value *Ramp = words(Steps);
    if (!P.Step.isOne()) {
      Constant *Step = splat(P.Step, Element, P.Count);
      Value *Wide = Words ? Ramp : B.CreateZExt(Ramp, T);
      if (P.Base.isZero())
        return B.CreateMul(Wide, Step);
      Value *&Multiples = Known[{Step, Step}];
      Ramp = Multiples ? Multiples : Multiples = B.CreateMul(Wide, Step);
    }
    if (Ramp->getType() != T && !P.Base.isZero())
      Ramp = B.CreateZExt(Ramp, T);
    if (!P.Base.isZero())
      return B.CreateAdd(Ramp, splat(P.Base, Element, P.Count));
    return Words ? RegionRead::create(B, T, Ramp, Region::contiguous(P.Count)) : B.CreateZExt(Ramp, T);
  }
};

/// The same bytes as dwords, when that makes longer runs.
Constant *asDwords(Constant &C, const DataLayout &Layout) {
  auto *T = cast<FixedVectorType>(C.getType());
  unsigned Bits = T->getScalarSizeInBits(), Total = Bits * T->getNumElements();
  if (Bits >= 32 || Total % 32)
    return nullptr;
  auto *Dwords = FixedVectorType::get(Type::getInt32Ty(C.getContext()), Total / 32);
  Constant *Cast = ConstantFoldCastOperand(Instruction::BitCast, &C, Dwords, Layout);
  return Cast && isa<ConstantDataVector, ConstantVector, ConstantAggregateZero>(Cast) ? Cast : nullptr;
}

/// A region of one number everywhere, wherever it lies.
Constant *readOfImmediate(Instruction &I) {
  if (isa<BitCastInst>(I)) // seen as other elements it may be another number
    return ConstantFoldInstruction(&I, I.getDataLayout());
  auto R = RegionRead::match(&I);
  auto *C = R ? dyn_cast<Constant>(R->source()) : nullptr;
  if (!C || !isImmediate(*C))
    return nullptr;
  Type *T = I.getType();
  Constant *One = Constant::getNullValue(T->getScalarType());
  for (int K = 0; K < countOf(C->getType()); ++K)
    if (Constant *E = C->getAggregateElement(unsigned(K)); E && !isa<UndefValue>(E))
      One = E; // the others are anything
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? ConstantVector::getSplat(V->getElementCount(), One) : One;
}

/// What phis take as the same constant from both ways of a branch, and is more than one instruction sets, is set once
/// before it: the sum in front of a loop that may not run at all.
bool setBeforeBranch(BasicBlock &Block, unsigned GrfBytes) {
  auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  MapVector<Constant *, SmallVector<Use *, 2>> Ways[2];
  for (unsigned K = 0; K < 2; ++K) {
    BasicBlock *Way = Branch->getSuccessor(K);
    if (Way->getSinglePredecessor() != &Block || !Way->getSingleSuccessor())
      continue;
    for (PHINode &Phi : Way->getSingleSuccessor()->phis()) {
      Use &U = Phi.getOperandUse(PHINode::getOperandNumForIncomingValue(unsigned(Phi.getBasicBlockIndex(Way))));
      auto *C = dyn_cast<Constant>(U.get());
      if (C && C->getType()->isVectorTy() && !isPredicate(C->getType()) && !isa<UndefValue>(C) && isImmediate(*C) &&
          countOf(C->getType()) * elementBytes(C->getType()) > int(2 * GrfBytes))
        Ways[K][C].push_back(&U);
    }
  }
  bool Changed = false;
  for (auto &[C, Uses] : Ways[0]) {
    auto Other = Ways[1].find(C);
    if (Other == Ways[1].end())
      continue;
    IRBuilder<> B(Branch);
    Value *Set = RegionWrite::create(B, PoisonValue::get(C->getType()), C, Region::contiguous(countOf(C->getType())));
    for (Use *U : Uses)
      U->set(Set);
    for (Use *U : Other->second)
      U->set(Set);
    Changed = true;
  }
  return Changed;
}

/// Where constants of a function are set.
class Places {
public:
  Places(Function &F, unsigned GrfBytes) : Tree(F), Loops(Tree), Most(MostShare * GrfBytes) {}

  /// The block in front of the outermost loop around `Block` that has registers left for a constant; null when it is
  /// to be set where it is used.
  BasicBlock *before(BasicBlock *Block, Constant &C, bool Compared) {
    if (auto Found = Chosen.find({Block, &C}); Found != Chosen.end())
      return Found->second;
    BasicBlock *&Best = Chosen[{Block, &C}];
    const unsigned Bytes = unsigned(countOf(C.getType()) * elementBytes(C.getType()));
    if (cost(C, Compared) < 2)
      return nullptr;
    Loop *Outermost = nullptr;
    for (Loop *L = Loops.getLoopFor(Block); L && L->getLoopPreheader() && Held[L] + Bytes <= Most;
         L = L->getParentLoop())
      Outermost = L, Best = L->getLoopPreheader();
    for (Loop *L = Loops.getLoopFor(Block); Outermost && L; L = L == Outermost ? nullptr : L->getParentLoop())
      Held[L] += Bytes;
    return Best;
  }

  /// A register that another loop's block, through which `Block` is reached, has set to the constant; or null.
  Value *setBefore(BasicBlock *Block, Constant &C, bool Compared) const {
    auto Found = Set.find({&C, Compared});
    if (Found != Set.end())
      for (auto [Earlier, Register] : Found->second)
        if (Tree.dominates(Earlier, Block))
          return Register;
    return nullptr;
  }
  void note(BasicBlock *Block, Constant &C, bool Compared, Value *Register) {
    Set[{&C, Compared}].push_back({Block, Register});
  }

private:
  static constexpr unsigned MostShare = 32; // registers of a loop that constants may hold
  DominatorTree Tree;
  LoopInfo Loops;
  const unsigned Most;
  DenseMap<const Loop *, unsigned> Held; // bytes
  DenseMap<std::pair<BasicBlock *, Constant *>, BasicBlock *> Chosen;
  std::map<std::pair<Constant *, bool>, SmallVector<std::pair<BasicBlock *, Value *>, 2>> Set;
};

} // namespace

bool placeConstants(Module &M, const GenTarget &Target) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    for (BasicBlock &Block : F)
      Changed |= setBeforeBranch(Block, Target.GrfBytes);
    std::map<std::tuple<BasicBlock *, Constant *, bool, bool>, Value *>
        Placed; // the flags: at the end of the block; for a comparison
    std::map<std::pair<BasicBlock *, bool>, Ready> Parts;
    Places Where(F, Target.GrfBytes);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      Constant *Known = readOfImmediate(I);
      if (!Known && !isa<PHINode>(I)) // of what such reads were
        Known = ConstantFoldInstruction(&I, M.getDataLayout());
      if (Known) {
        I.replaceAllUsesWith(Known);
        I.eraseFromParent();
        Changed = true;
        continue;
      }
      for (Use &U : I.operands()) {
        auto *C = dyn_cast<Constant>(U.get());
        if (!C || isPredicate(C->getType()))
          continue;
        if (!C->getType()->isVectorTy()) {
          if (isInRegister(U, Target)) {
            IRBuilder<> B(&I);
            auto *One = FixedVectorType::get(C->getType(), 1);
            U.set(
                B.CreateBitCast(RegionWrite::create(B, PoisonValue::get(One), C, Region::contiguous(1)), C->getType()));
            Changed = true;
          }
          continue;
        }
        if (isImmediate(*C) && !isInRegister(U, Target)) {
          if (!isa<UndefValue>(C) && !C->getSplatValue()) {
            U.set(completed(*C));
            Changed = true;
          }
          continue;
        }
        auto *Phi = dyn_cast<PHINode>(&I);
        bool Compared = isa<CmpInst>(I);
        BasicBlock *Block = Phi ? Phi->getIncomingBlock(U) : I.getParent();
        BasicBlock *Before = Where.before(Block, *C, Compared);
        const bool AtEnd = Phi || Before;
        if (Before)
          Block = Before;
        Value *&Register = Placed[{Block, C, AtEnd, Compared}];
        if (Before && !Register)
          Register = Where.setBefore(Before, *C, Compared);
        if (!Register) {
          IRBuilder<> B(Block, AtEnd ? Block->getTerminator()->getIterator() : I.getIterator());
          Placer Place(B, Parts[{Block, AtEnd}], Compared);
          Constant *Dwords = asDwords(*C, M.getDataLayout());
          Register = Dwords && cost(*Dwords, Compared) < cost(*C, Compared)
                         ? B.CreateBitCast(isImmediate(*Dwords)
                                               ? RegionWrite::create(B, PoisonValue::get(Dwords->getType()), Dwords,
                                                                     Region::contiguous(countOf(Dwords->getType())))
                                               : Place.inRegister(*Dwords),
                                           C->getType())
                         : Place.inRegister(*C);
          if (Before)
            Where.note(Before, *C, Compared, Register);
        }
        U.set(Register);
        Changed = true;
      }
    }
  }
  return Changed;
}

} // namespace pocm::gen
