//===- Legalization.cpp - Bales cut to what one instruction can do ------------------------===//
//
//     %c = uitofp <144 x i8> rdregion(<256 x i8> %m, 32, 24, 1, 35)
//  ->
//     %c0 = uitofp <16 x i8> rdregion(%m, 0, 16, 1, 35)            r4.3<8;8,1>:ub
//     %w0 = wrregion(undef, %c0, 0)
//     %c1 = uitofp <16 x i8> rdregion(%m, 32, 8, 1, 51)            r4.19<16;8,1>:ub ...
//     %w1 = wrregion(%w0, %c1, 16)
//
// Each piece is as wide as its types, its regions and the two registers that an operand may
// touch allow: 32 channels at most, a power of two. When one operand's region would cut all
// pieces small, it is moved into a register of its own first if that takes fewer instructions.
// Predicates are cut into sixteens (and a rest), and everything that they guard with them.
//
// Needs:    bales (gen-baling).
// Leaves:   bales, each of which is one instruction.
//
//===--------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/GenRegion.h"
#include "codegen/gen/Predicates.h"
#include "ir/Operands.h"
#include "ir/Ranges.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace pocm::gen {
namespace {

struct Piece {
  int Start, Count;
};
using Cut = SmallVector<Piece, 16>;

int bytesOf(Type *T) { return countOf(T) * elementBytes(T); }

class Legalizer {
  const GenTarget &Target;
  MapVector<Value *, SmallVector<Value *, 4>> Predicates; // predicate -> its pieces
  // Of the bale that is being cut:
  SmallPtrSet<Instruction *, 8> Members; // without its head
  Value *Overwritten = nullptr;          // the register that it writes a region of, if any
  Value *Running = nullptr;              // the result, as far as it is written

  Placement placementOf(Value *Base, Type *Element) {
    return {elementBytes(Element), Target.GrfBytes, bytesOf(Base->getType()) >= int(Target.GrfBytes)};
  }

  /// Whether channels [Start, Start + Count) of an operand can be read by one instruction.
  bool isLegal(const Source &S, const Piece &P) {
    if (isa<Constant>(S.Base) || !S.Base->getType()->isVectorTy())
      return true;
    SmallVector<int, 32> Elements;
    for (int K = 0; K < P.Count; ++K)
      Elements.push_back(S.Where.element(P.Start + K));
    Placement At = placementOf(S.Base, S.Element);
    if (S.Where.Dynamic) {
      if (S.Where.Dynamic->getType()->isVectorTy())
        return P.Count <= 8;
      At.Aligned &= isMultipleOf(S.Where.Dynamic, Target.GrfBytes);
      // Of several rows the finalizer takes the wrong elements where it cuts the instruction for another operand.
      auto R = sourceRegion(Elements, At);
      return R && R->W == 1;
    }
    // Where there are no moves of 64 bits the finalizer makes some of dwords, from one step of at most two.
    if (S.Element->getPrimitiveSizeInBits() == 64 && !Target.has(HasInt64) && P.Count > 1) {
      const int Step = Elements[1] - Elements[0];
      for (int K = 1; K < P.Count; ++K)
        if (Step < 0 || Step > 2 || Elements[size_t(K)] - Elements[size_t(K) - 1] != Step)
          return false;
    }
    return sourceRegion(Elements, At).has_value();
  }

  bool isLegal(const RegionWrite &W, const Piece &P) {
    SmallVector<int, 32> Elements;
    for (int K = 0; K < P.Count; ++K)
      Elements.push_back(W.Where.element(P.Start + K));
    Type *T = W.old()->getType();
    Placement At = placementOf(W.Call, T);
    if (W.Where.Dynamic) {
      if (W.Where.Dynamic->getType()->isVectorTy())
        return P.Count == 1;
      At.Aligned &= isMultipleOf(W.Where.Dynamic, Target.GrfBytes);
    }
    // What has 64 bits is moved as dwords twice as far apart, of which there are none eight apart, and none two apart
    // at places known at run time.
    int Step = P.Count > 1 ? Elements[1] - Elements[0] : 1, Furthest = W.Where.Dynamic ? 1 : 2;
    if (Target.has(LacksWideMoves) && T->getScalarSizeInBits() == 64 && Step > Furthest)
      return false;
    return destinationRegion(Elements, At).has_value();
  }

  /// Whether 64-bit integers are moved from far apart to not quite as far apart.
  bool lacksMove(const Bale &B, const Source &S, const Piece &P) {
    if (!Target.has(LacksWideMoves) || P.Count == 1 || !B.Into || !S.Element->isIntegerTy(64) ||
        !B.Into->value()->getType()->isIntOrIntVectorTy(64))
      return false;
    auto Stride = [&](const Region &R) { return std::abs(R.element(P.Start + 1) - R.element(P.Start)); };
    return Stride(S.Where) > 2 && Stride(B.Into->Where) > 1;
  }

  /// Whether all of a systolic product's result is moved to where no register begins: the finalizer would have the
  /// product write there itself, which it cannot.
  bool movesProduct(const Bale &B, const Source &S, const Piece &P) {
    auto *Call = dyn_cast_or_null<CallInst>(S.Base);
    if (!B.Into || !Call || !is_contained({Op::Dpas, Op::DpasPair}, operationOf(Call)) || B.Into->Where.Dynamic)
      return false;
    const int To = B.Into->Where.element(P.Start) * elementBytes(B.Into->old()->getType());
    return P.Count == countOf(Call->getType()) && To % int(Target.GrfBytes);
  }

  /// How every predicate of that many channels is cut: sixteens, then what is left in powers of two.
  Cut predicateCut(int Count) {
    Cut C;
    for (int Start = 0; Start < Count;) {
      int Most = 16;
      while (Most > Count - Start || (Most == 2 && Target.has(CutsGuardedPairs)))
        Most /= 2;
      C.push_back({Start, Most});
      Start += Most;
    }
    return C;
  }

  /// The fewest pieces, taken greedily from the left; `Widest` channels at most.
  template <class Test> static Cut cut(int Count, int Widest, Test IsLegal) {
    Cut C;
    for (int Start = 0; Start < Count;) {
      int Size = Widest;
      while (Size > 1 && (Size > Count - Start || !IsLegal(Piece{Start, Size})))
        Size /= 2;
      C.push_back({Start, Size});
      Start += Size;
    }
    return C;
  }

  /// Channels whose elements of that many bytes fill two registers.
  int widestOf(int Bytes) { return std::clamp(int(2 * Target.GrfBytes) / std::max(1, Bytes), 1, 32); }

  // Building pieces

  /// Channels [Start, Start + Count) of an operand, as members of the piece's bale.
  Value *slice(IRBuilderBase &B, Value *V, const Piece &P) {
    Type *T = V->getType();
    if (!T->isVectorTy() || countOf(T) == P.Count)
      return V;
    if (isPredicate(T))
      return predicatePiece(B, V, P);
    Type *Part = ofCount(T, P.Count);
    if (auto *C = dyn_cast<Constant>(V)) {
      SmallVector<Constant *, 32> Elements;
      for (int K = 0; K < P.Count; ++K)
        Elements.push_back(C->getAggregateElement(unsigned(P.Start + K)));
      return ConstantVector::get(Elements);
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Members.contains(I))
      return RegionRead::create(B, Part, current(B, V), Region::contiguous(P.Count, P.Start));
    if (auto R = RegionRead::match(I))
      return sliceOfRead(B, *R, P);
    return sliceOf(B, *I, P);
  }

  Value *sliceOfRead(IRBuilderBase &B, const RegionRead &R, const Piece &P) {
    Type *T = R.Call->getType();
    return RegionRead::create(B, ofCount(T, P.Count), current(B, R.source()), sliceOf(B, R.Where, P, elementBytes(T)));
  }

  /// What is read where a bale in pieces reads the vector that it writes: the vector as far as it is written, in which
  /// nothing that is still to be read has changed (isSafeInPlace).
  Value *current(IRBuilderBase &B, Value *V) {
    return Overwritten && registerOf(V) == Overwritten ? B.CreateBitCast(Running, V->getType()) : V;
  }

  /// Each use of an element of a vector as an offset has a copy of the read.
  static bool isSameOffset(Value *A, Value *B) {
    auto *I = dyn_cast_or_null<Instruction>(A), *J = dyn_cast_or_null<Instruction>(B);
    return A == B || (I && J && I->isIdenticalTo(J) && RegionRead::match(I));
  }

  /// An offset that is an element of a vector is read by each piece, as part of its operand.
  static Value *ownRead(IRBuilderBase &B, Value *Offset) {
    auto *I = dyn_cast<Instruction>(Offset);
    auto R = RegionRead::match(Offset);
    return I && R && isBaled(*I) && !isOverwritten(registerOf(R->source())) ? B.Insert(I->clone()) : Offset;
  }

  /// The first element of the row that all elements of a region lie in, of rows of as many bytes; of a region at a
  /// run-time offset, from that on. Nothing where they lie in several.
  static std::optional<int> rowOf(const Region &R, int Count, int Each, int RowBytes) {
    int First = R.element(0), Last = First;
    for (int K = 1; K < Count; ++K)
      First = std::min(First, R.element(K)), Last = std::max(Last, R.element(K));
    const int Elements = RowBytes / Each;
    return First >= 0 && Elements && First / Elements == Last / Elements ? std::optional(First / Elements * Elements)
                                                                         : std::nullopt;
  }

  /// Whether no piece writes what a later one reads. Offsets that differ may be those of rows, one or two of them.
  static bool isSafeInPlace(const Source &S, const RegionWrite &W, const Cut &Pieces) {
    constexpr unsigned Most = 16; // bits of an offset
    Type *Old = W.old()->getType();
    if (S.Element != Old->getScalarType())
      return false;
    int From = 0, To = 0;
    if (!isSameOffset(S.Where.Dynamic, W.Where.Dynamic)) {
      unsigned Zeros = Most;
      for (Value *Offset : {S.Where.Dynamic, W.Where.Dynamic})
        if (Offset)
          Zeros = std::min(Zeros, Offset->getType()->isVectorTy() ? 0 : trailingZeros(Offset));
      auto Read = rowOf(S.Where, W.count(), elementBytes(Old), 1 << Zeros);
      auto Written = rowOf(W.Where, W.count(), elementBytes(Old), 1 << Zeros);
      if (!Read || !Written)
        return false;
      From = *Read, To = *Written;
    } else if (S.Where.Dynamic && S.Where.Dynamic->getType()->isVectorTy()) {
      return false;
    }
    SmallDenseSet<int, 64> Written;
    for (const Piece &P : Pieces) {
      for (int K = 0; K < P.Count; ++K)
        if (Written.contains(S.Where.element(P.Start + K) - From))
          return false;
      for (int K = 0; K < P.Count; ++K)
        Written.insert(W.Where.element(P.Start + K) - To);
    }
    return true;
  }

  void collectMembers(Instruction &I) {
    for (Value *Operand : I.operands())
      if (auto *Member = dyn_cast<Instruction>(Operand); Member && isBaled(*Member)) {
        Members.insert(Member);
        collectMembers(*Member);
      }
  }

  /// The same of a region.
  Region sliceOf(IRBuilderBase &B, const Region &R, const Piece &P, int Bytes) {
    SmallVector<int, 32> Elements;
    for (int K = 0; K < P.Count; ++K)
      Elements.push_back(R.element(P.Start + K));
    Region Part = *Region::through(Elements);
    if (!R.Dynamic)
      return Part;
    if (R.Dynamic->getType()->isVectorTy()) {
      Part.Dynamic = RegionRead::create(B, ofCount(R.Dynamic->getType(), P.Count), R.Dynamic,
                                        Region::contiguous(P.Count, P.Start));
      if (P.Count == 1)
        Part.Dynamic = RegionRead::create(B, R.Dynamic->getType()->getScalarType(), R.Dynamic, {0, 1, 0, P.Start});
    } else {
      Step At = Step::of(R.Dynamic);
      int Further = At.Bytes + (Part.Offset - R.Offset) * Bytes;
      Value *Base = ownRead(B, At.Base);
      Part.Dynamic = Further ? B.CreateAdd(Base, ConstantInt::getSigned(Base->getType(), Further)) : Base;
    }
    Part.Offset = R.Offset;
    return Part;
  }

  /// A copy of `I` on those channels of its operands.
  Value *sliceOf(IRBuilderBase &B, Instruction &I, const Piece &P) {
    SmallVector<Value *, 4> Operands;
    unsigned Count = isa<CallInst>(I) ? cast<CallInst>(I).arg_size() : I.getNumOperands();
    for (unsigned K = 0; K < Count; ++K)
      Operands.push_back(slice(B, I.getOperand(K), P));
    Type *T = ofCount(I.getType(), P.Count);
    if (Op Operation = operationOf(&I); Operation != Op::None)
      return createOperation(B, Operation, T, Operands);
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      return B.CreateIntrinsic(T, Call->getIntrinsicID(), Operands);
    Instruction *Copy = I.clone();
    for (unsigned K = 0; K < Count; ++K)
      Copy->setOperand(K, Operands[K]);
    Copy->mutateType(T);
    B.Insert(Copy);
    if (Constant *Known = ConstantFoldInstruction(Copy, Copy->getDataLayout())) {
      Copy->eraseFromParent();
      return Known;
    }
    return Copy;
  }

  Value *predicatePiece(IRBuilderBase &B, Value *V, const Piece &P) {
    if (auto *C = dyn_cast<Constant>(V)) {
      SmallVector<Constant *, 32> Elements;
      for (int K = 0; K < P.Count; ++K)
        Elements.push_back(C->getAggregateElement(unsigned(P.Start + K)));
      return ConstantVector::get(Elements);
    }
    auto Parts = Predicates.find(V);
    if (Parts == Predicates.end()) // defined by something that no pass leaves: the emitter says so
      return B.CreateShuffleVector(V, createSequentialMask(unsigned(P.Start), unsigned(P.Count), 0));
    Cut All = predicateCut(countOf(V->getType()));
    for (unsigned K = 0; K < All.size(); ++K)
      if (All[K].Start == P.Start && All[K].Count == P.Count)
        return Parts->second[K];
    llvm_unreachable("predicates are cut alike everywhere");
  }

  // Cutting

  static bool touchesPredicates(const Instruction &Main) {
    return isPredicate(Main.getType()) || any_of(Main.operands(), [](const Use &U) {
             return isPredicate(U->getType()) && U->getType()->isVectorTy();
           });
  }

  static bool isMultiplyAdd(const Instruction &Main) {
    auto *Call = dyn_cast<IntrinsicInst>(&Main);
    return Call && Call->getIntrinsicID() == Intrinsic::fma;
  }

  /// Multiply-adds have no encoding of two channels on SKL, and of 32 halves nowhere: the finalizer makes a product and
  /// a sum of those, which round twice.
  bool lacks(const Instruction &Main, int Channels) {
    if (!isMultiplyAdd(Main))
      return false;
    return Channels == 2 ? Target.has(HasAlign16Ternary)
                         : Channels == 32 && Main.getType()->getScalarType()->isHalfTy();
  }

  /// Moves an operand into a register of its own.
  void materialize(Instruction &Main, unsigned Index) {
    Value *V = Main.getOperand(Index);
    IRBuilder<> B(&Main);
    Value *Moved = RegionWrite::create(B, PoisonValue::get(V->getType()), V, Region::contiguous(countOf(V->getType())));
    Main.setOperand(Index, Moved);
    legalizeBale(*cast<Instruction>(Moved));
  }

  /// The pieces of a bale, and which operand had better be moved to a register first (-1: none).
  Cut planOf(const Bale &B, int &Unbale) {
    Instruction &Worker = B.Main ? *B.Main : *B.Head;
    SmallVector<unsigned, 4> Operands = regionOperandsOf(Worker);
    SmallVector<Source, 4> Sources;
    int Bytes = B.Into ? elementBytes(B.Into->value()->getType()) : elementBytes(B.Head->getType());
    for (unsigned Index : Operands) {
      Sources.push_back(Source::of(Worker.getOperand(Index)));
      Bytes = std::max(Bytes, elementBytes(Sources.back().Element));
    }
    if (auto R = RegionRead::match(&Worker)) // alone
      Sources.push_back(Source::ofRead(*R));
    int Count = B.count(), Widest = widestOf(Bytes);
    bool Guarded = touchesPredicates(Worker);
    auto LegalBut = [&](int Left) {
      return [&, Left](const Piece &P) {
        if (lacks(Worker, P.Count))
          return false;
        if (B.Into && !isLegal(*B.Into, P))
          return false;
        for (unsigned K = 0; K < Sources.size(); ++K)
          if (int(K) != Left && (!isLegal(Sources[K], P) || (Sources.size() == 1 && (lacksMove(B, Sources[K], P) ||
                                                                                     movesProduct(B, Sources[K], P)))))
            return false;
        return true;
      };
    };
    Unbale = -1;
    if (Guarded) {
      Cut Fixed = predicateCut(Count), Taken = Fixed;
      if (isPredicate(B.Head->getType()) && Count <= 16 && isPowerOf2_32(unsigned(Count)))
        Taken.push_back({0, Count}); // by who asks for its bits, in any case
      for (unsigned K = 0; K < Sources.size(); ++K)
        for (const Piece &P : Taken) // in a register of its own it is as legal as it gets: the finalizer cuts the rest
          if (Sources[K].Base != Worker.getOperand(Operands[K]) && !isLegal(Sources[K], P))
            Unbale = int(Operands[K]);
      return Fixed;
    }
    Cut Best = cut(Count, Widest, LegalBut(-1));
    size_t Fewest = Best.size();
    for (unsigned K = 0; K < Operands.size() && Operands.size() > 1; ++K) {
      if (!RegionRead::match(Worker.getOperand(Operands[K])) && Sources[K].Base == Worker.getOperand(Operands[K]))
        continue;
      auto Alone = [&, K](const Piece &P) { return isLegal(Sources[K], P); };
      size_t With = cut(Count, Widest, LegalBut(int(K))).size() + cut(Count, Widest, Alone).size();
      if (With < Fewest)
        Fewest = With, Unbale = int(Operands[K]);
    }
    return Best;
  }

  static std::optional<Region> everyOther(const Region &R, int First, int Step, int Count) {
    SmallVector<int, 64> Elements;
    for (int K = First; K < Count; K += Step)
      Elements.push_back(R.element(K));
    return Region::through(Elements);
  }

  /// A region that is moved, element by element far apart: every 2nd, 4th, ... element is often in a row, as the
  /// columns of a matrix that is transposed are. Tries that where it takes fewer instructions than pieces from the
  /// left.
  bool interleave(const Bale &B, size_t Fewest) {
    auto Read = B.Main || !B.Into ? std::nullopt : RegionRead::match(B.Into->value());
    if (!Read || !Read->Where.isConstant() || !B.Into->Where.isConstant() ||
        registerOf(Read->source()) == registerOf(B.Into->old()))
      return false;
    int Count = B.count(), Best = 0;
    Type *T = Read->Call->getType();
    struct Slice {
      Region From, To;
    };
    SmallVector<Slice, 32> BestSlices;
    for (int Step = 2; Step <= 32 && Step < Count; Step *= 2) {
      if (Count % Step)
        break;
      SmallVector<Slice, 32> Slices;
      size_t Pieces = 0;
      for (int First = 0; First < Step; ++First) {
        auto From = everyOther(Read->Where, First, Step, Count), To = everyOther(B.Into->Where, First, Step, Count);
        if (!From || !To)
          break;
        Source S = Source::ofRead(*Read);
        S.Where = *From;
        RegionWrite W = *B.Into;
        W.Where = *To;
        Pieces += cut(Count / Step, widestOf(elementBytes(T)), [&](const Piece &P) {
                    return isLegal(S, P) && isLegal(W, P);
                  }).size();
        Slices.push_back({*From, *To});
      }
      if (int(Slices.size()) == Step && Pieces < Fewest) {
        Fewest = Pieces, Best = Step;
        BestSlices = Slices;
      }
    }
    if (!Best)
      return false;
    IRBuilder<> Builder(B.Head);
    Value *All = B.Into->old();
    SmallVector<Instruction *, 32> Heads;
    for (const Slice &S : BestSlices) {
      Value *Part = RegionRead::create(Builder, ofCount(T, Count / Best), Read->source(), S.From);
      All = RegionWrite::create(Builder, All, Part, S.To);
      Heads.push_back(cast<Instruction>(All));
    }
    B.Head->replaceAllUsesWith(All);
    Dead.push_back(B.Head);
    for (Instruction *Head : Heads)
      legalizeBale(*Head);
    return true;
  }

  void legalizeBale(Instruction &Head) {
    Bale B = Bale::of(Head);
    Instruction &Worker = B.Main ? *B.Main : Head;
    // Results that predicates guard are put together before they are written elsewhere.
    if (B.Into && B.Main && touchesPredicates(Worker)) {
      Cut C = predicateCut(B.count());
      auto IsRow = [&](const Piece &P) { // which the finalizer cuts where it is too long
        const Region &Where = B.Into->Where;
        return P.Count == 1 || (Where.isConstant() && all_of(seq(1, P.Count), [&](int K) {
                                  return Where.element(P.Start + K) == Where.element(P.Start) + K;
                                }));
      };
      if (any_of(C, [&](const Piece &P) { return !isLegal(*B.Into, P) && !IsRow(P); })) {
        IRBuilder<> Builder(&Head);
        Value *Apart =
            RegionWrite::create(Builder, PoisonValue::get(Worker.getType()), B.Result, Region::contiguous(B.count()));
        setOperand(*B.Into->Call, Role::Data, Apart);
        legalizeBale(*cast<Instruction>(Apart));
        legalizeBale(Head);
        return;
      }
    }
    int Unbale = -1;
    Cut Pieces = planOf(B, Unbale);
    if (Unbale >= 0) {
      materialize(Worker, unsigned(Unbale));
      legalizeBale(Head);
      return;
    }
    if (Pieces.size() == 1 && Pieces[0].Count == B.count())
      return;
    if (interleave(B, Pieces.size()))
      return;
    if (B.Into)
      for (unsigned Index : regionOperandsOf(Worker)) {
        Source S = Source::of(Worker.getOperand(Index));
        if (S.Base == registerOf(B.Into->old()) && !isSafeInPlace(S, *B.Into, Pieces)) {
          materialize(Worker, Index);
          legalizeBale(Head);
          return;
        }
      }
    Members.clear();
    collectMembers(Head);
    Overwritten = B.Into && !isa<Constant>(B.Into->old()) ? registerOf(B.Into->old()) : nullptr;
    IRBuilder<> Builder(&Head);
    if (isPredicate(Head.getType())) {
      SmallVector<Value *, 4> Parts;
      for (const Piece &P : Pieces)
        Parts.push_back(sliceOf(Builder, Head, P));
      Predicates[&Head] = Parts;
      return;
    }
    Running = B.Into ? B.Into->old() : PoisonValue::get(Head.getType());
    for (const Piece &P : Pieces) {
      Value *Part = B.Main   ? sliceOf(Builder, *B.Result, P)
                    : B.Into ? slice(Builder, B.Into->value(), P)
                             : sliceOfRead(Builder, *RegionRead::match(&Head), P);
      Region Where = B.Into ? sliceOf(Builder, B.Into->Where, P, elementBytes(Head.getType()))
                            : Region::contiguous(P.Count, P.Start);
      Running = RegionWrite::create(Builder, Running, Part, Where);
    }
    Overwritten = nullptr;
    Head.replaceAllUsesWith(Running);
    Dead.push_back(&Head);
  }

  /// Bits of a predicate as an integer, sixteen at a time.
  void bitsOf(BitCastInst &Cast) {
    int Count = countOf(Cast.getSrcTy());
    if (Count <= 16)
      return;
    IRBuilder<> B(&Cast);
    Type *Words = FixedVectorType::get(B.getInt16Ty(), unsigned(Count / 16));
    Value *All = PoisonValue::get(Words);
    for (const Piece &P : predicateCut(Count)) {
      Value *Word = B.CreateBitCast(predicatePiece(B, Cast.getOperand(0), P), B.getInt16Ty());
      All = RegionWrite::create(B, All, Word, Region{0, 1, 1, P.Start / 16});
    }
    Cast.replaceAllUsesWith(B.CreateBitCast(All, Cast.getType()));
    Dead.push_back(&Cast);
  }

  /// A predicate from the bits of an integer.
  void fromBits(BitCastInst &Cast) {
    int Count = countOf(Cast.getType());
    if (Count <= 16)
      return;
    IRBuilder<> B(&Cast);
    Value *Words = B.CreateBitCast(Cast.getOperand(0), FixedVectorType::get(B.getInt16Ty(), unsigned(Count / 16)));
    SmallVector<Value *, 4> Parts;
    for (const Piece &P : predicateCut(Count)) {
      Value *Word = RegionRead::create(B, B.getInt16Ty(), Words, Region{0, 1, 1, P.Start / 16});
      Parts.push_back(B.CreateBitCast(Word, ofCount(B.getInt1Ty(), P.Count)));
    }
    Predicates[&Cast] = Parts;
  }

  void logic(Instruction &I) {
    Members.clear();
    Cut Pieces = predicateCut(countOf(I.getType()));
    if (Pieces.size() == 1)
      return;
    IRBuilder<> B(&I);
    SmallVector<Value *, 4> Parts;
    for (const Piece &P : Pieces)
      Parts.push_back(sliceOf(B, I, P));
    Predicates[&I] = Parts;
  }

  /// The lower channels of a predicate, of a number that no predicate has: a piece further up is compared as words.
  void lowerChannels(ShuffleVectorInst &I) {
    Cut Pieces = predicateCut(countOf(I.getType()));
    if (Pieces.size() == 1)
      return;
    IRBuilder<> B(I.getParent(), std::next(I.getIterator()));
    Value *Words = asWords(B, I.getOperand(0));
    SmallVector<Value *, 4> Parts;
    for (const Piece &P : Pieces)
      Parts.push_back(asPredicate(
          B, RegionRead::create(B, ofCount(Words->getType(), P.Count), Words, Region::contiguous(P.Count, P.Start))));
    Predicates[&I] = Parts;
    legalizeBale(*cast<Instruction>(Words));
  }

public:
  SmallVector<WeakTrackingVH, 32> Dead;

  explicit Legalizer(const GenTarget &Target) : Target(Target) {}

  void run(Function &F) {
    SmallVector<Instruction *, 128> Heads;
    ReversePostOrderTraversal<Function *> Order(&F); // definitions of predicates before their uses
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (!isBaled(I))
          Heads.push_back(&I);
    for (Instruction *I : Heads) {
      if (auto *Cast = dyn_cast<BitCastInst>(I); Cast && isPredicate(Cast->getSrcTy()))
        bitsOf(*Cast);
      else if (Cast && isPredicate(Cast->getType()))
        fromBits(*Cast);
      else if (isPredicate(I->getType()) && isa<BinaryOperator, FreezeInst>(I))
        logic(*I);
      else if (isLowerChannels(*I))
        lowerChannels(*cast<ShuffleVectorInst>(I));
      else if (RegionWrite::match(I) || RegionRead::match(I) || (isVectorInstruction(*I) && !I->getType()->isVoidTy()))
        legalizeBale(*I);
    }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead); // members of bales that were cut among them
  }
};

} // namespace

bool legalize(Module &M, const GenTarget &Target) {
  for (Function &F : M)
    if (!F.isDeclaration())
      Legalizer(Target).run(F);
  return true;
}

} // namespace pocm::gen
