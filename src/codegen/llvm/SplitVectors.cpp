//===- SplitVectors.cpp - From whole values to registers ----------------------===//
//
// A value of CM IR can have thousands of bits; a machine register has 128 to 512. This
// pass cuts every vector into pieces and computes piece by piece. Where it cuts matters:
// a matrix is cut along its rows, so that a region of it starts and ends with pieces:
//
//     %r = cm.region.read(%p, i64 %pitch, 24, 1) : <144 x i8>     6 rows of 24
//     %z = zext <144 x i8> %r to <144 x i16>
//  -> %r0 = load <32 x i8>, %p                  24 lanes and 8 that nobody reads
//     %z0 = zext <32 x i8> %r0 to <32 x i16>
//     %r1 = load <32 x i8>, %p + %pitch ...
//
// A piece has a power of two of lanes, the last of them perhaps unused. Regions, shuffles
// and format casts become shuffles of pieces, or loads and stores where they are on memory.
//
// Needs:    media blocks lowered to memory regions.
// Leaves:   vectors of at most about a register; no CM IR region.
// Not done: an operation on vectors that is not known here works on the value put together
//           again, and is cut afterwards.
//
//===----------------------------------------------------------------------===//
#include "codegen/llvm/Inside.h"
#include "codegen/llvm/Lowering.h"
#include "codegen/llvm/Streaming.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

using namespace llvm;

namespace pocm {
namespace {

/// Lanes Start .. Start + Count - 1 of a value, held in a vector of Lanes >= Count elements.
struct Piece {
  int Start, Count, Lanes;
};
using Cut = SmallVector<Piece, 8>;
using Values = SmallVector<Value *, 8>;
using Indices = SmallVector<int, 64>;

constexpr int Unused = -1; // a lane that nobody reads

bool isVector(const Value *V) { return V->getType()->isVectorTy(); }

/// Bits of an element for the purpose of cutting; masks are cut like what was compared.
int bitsOf(Value *V) {
  if (auto *Compare = dyn_cast<CmpInst>(V))
    return int(Compare->getOperand(0)->getType()->getScalarSizeInBits());
  constexpr int MaskBits = 16;
  int Bits = int(V->getType()->getScalarSizeInBits());
  return Bits == 1 ? MaskBits : V->getType()->getScalarType()->isPointerTy() ? 64 : Bits;
}

/// Decides where values are cut: values that element-wise operations connect share the length of their rows.
class Rows {
public:
  Rows(Function &F, int VectorBits) : ShortestRow(VectorBits == 512 ? 256 : 0) {
    for (Instruction &I : instructions(F))
      note(I);
    for (auto &[V, Lengths] : Hints) {
      auto &Counts = ByClass[leader(V)];
      for (int Length : Lengths)
        ++Counts[Length];
    }
    for (const auto *Class : Classes)
      if (Class->isLeader()) {
        int &Bits = LeastBits[Class->getData()];
        for (auto Member = Classes.member_begin(*Class); Member != Classes.member_end(); ++Member)
          Bits = Bits ? std::min(Bits, bitsOf(*Member)) : bitsOf(*Member);
      }
  }

  /// Length of the rows of V, a divisor of its count.
  int lengthOf(Value *V) const {
    int Count = countOf(V->getType());
    auto Found = ByClass.find(leader(V));
    if (Found == ByClass.end())
      return Count;
    int Best = Count, Votes = 0;
    for (auto [Length, N] : Found->second)
      if (Count % Length == 0 && (N > Votes || (N == Votes && Length < Best)))
        Best = Length, Votes = N;
    return Best;
  }

  /// Bits of an element of the narrowest value that shares V's rows.
  int leastBitsOf(Value *V) const {
    auto Found = LeastBits.find(leader(V));
    return Found == LeastBits.end() ? bitsOf(V) : Found->second;
  }

private:
  Value *leader(Value *V) const {
    auto Found = Classes.findLeader(V);
    return Found == Classes.member_end() ? V : *Found;
  }
  void unite(Value *A, Value *B) {
    if (countOf(A->getType()) == countOf(B->getType()) && !isa<Constant>(A) && !isa<Constant>(B))
      Classes.unionSets(A, B);
  }
  void hint(Value *V, int Length) {
    int Count = countOf(V->getType());
    if (Length > 0 && Length < Count && Count % Length == 0 && !isa<Constant>(V))
      Hints[V].push_back(Length);
  }
  /// An element of each row.
  static bool isColumn(const Region &Where) { return Where.Width <= 1; }
  void note(Instruction &I) {
    if (isVector(&I) && (isElementWise(I) || isa<PHINode>(I)))
      for (Value *Operand : I.operands())
        if (isVector(Operand))
          unite(&I, Operand);
    if (auto R = RegionRead::match(&I)) {
      hint(&I, R->Where.Width);
      if (!isColumn(R->Where) || R->Where.VStride * bitsOf(R->source()) >= ShortestRow)
        hint(R->source(), R->Where.VStride);
      if (auto W = RegionWrite::match(R->source()); W && isColumn(W->Where) && R->Where.HStride == 1)
        hint(R->source(), R->Where.Width); // which is taken row by row
    } else if (auto W = RegionWrite::match(&I)) {
      hint(W->value(), W->Where.Width);
      if (!isColumn(W->Where)) // registers take columns beside each other as they come
        hint(&I, W->Where.VStride);
      unite(&I, W->old());
    } else if (asOperation(&I, Op::MemoryRead)) {
      if (auto *Width = dyn_cast<ConstantInt>(I.getOperand(2)))
        hint(&I, int(Width->getZExtValue()));
    } else if (asOperation(&I, Op::MemoryWrite)) {
      if (auto *Width = dyn_cast<ConstantInt>(I.getOperand(3)))
        hint(I.getOperand(1), int(Width->getZExtValue()));
    }
  }

  /// Bits of a row that has registers of its own where it is read by columns: registers of 512 bits are permuted at
  /// once, two of them by one instruction.
  const int ShortestRow;
  EquivalenceClasses<Value *> Classes;
  MapVector<Value *, SmallVector<int, 4>> Hints;
  DenseMap<Value *, std::map<int, int>> ByClass;
  DenseMap<Value *, int> LeastBits; ///< Of classes.
};

class Splitter {
public:
  Splitter(Function &F, unsigned VectorBits)
      : F(F), VectorBits(int(VectorBits)), RowsOf(F, int(VectorBits)), B(F.getContext()) {}

  std::string run() {
    Old.reserve(64);
    ReversePostOrderTraversal<Function *> Order(&F);
    for (BasicBlock *Block : Order)
      for (Instruction &I : make_early_inc_range(*Block))
        if (Problem.empty() && concernsVectors(I)) {
          B.SetInsertPoint(&I);
          lower(I);
          Old.push_back(&I);
        }
    if (!Problem.empty())
      return Problem;
    for (PHINode *Phi : Phis)
      finishPhi(*Phi);
    for (Instruction *I : Old)
      splitRecords(*I);
    for (Instruction *I : reverse(Old)) {
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
    return "";
  }

private:
  static bool concernsVectors(const Instruction &I) {
    return isVector(&I) || any_of(I.operands(), [](const Use &U) { return isVector(U.get()); });
  }

  /// Variables that a value is the value of are those of its pieces.
  void splitRecords(Instruction &I) {
    SmallVector<DbgVariableRecord *, 2> Records;
    auto Parts = isVector(&I) ? Pieces.find(&I) : Pieces.end();
    if (Parts == Pieces.end() || (findDbgUsers(&I, Records), Records.empty()))
      return; // it has none, or has been replaced as a whole
    const unsigned Bits = I.getType()->getScalarSizeInBits();
    const Cut Where = cutOf(&I);
    for (DbgVariableRecord *Record : Records) {
      const auto Within = Record->getExpression()->getFragmentInfo();
      if (Record->hasArgList() || Record->getExpression()->getNumElements() != (Within ? 3u : 0u) || Bits % 8)
        continue; // of parts of an element, which the whole is lost for
      if (Where.size() == 1) {
        Record->setRawLocation(ValueAsMetadata::get(Parts->second[0]));
        continue;
      }
      for (unsigned N = 0; N < Where.size(); ++N)
        if (auto Part = DIExpression::createFragmentExpression(Record->getExpression(), unsigned(Where[N].Start) * Bits,
                                                               unsigned(Where[N].Count) * Bits)) {
          DbgVariableRecord *New = Record->clone();
          New->setRawLocation(ValueAsMetadata::get(Parts->second[N]));
          New->setExpression(*Part);
          New->insertBefore(Record);
        }
      Record->eraseFromParent();
    }
  }

  //===- Where to cut ---------------------------------------------------------===//

  Cut cutOf(Value *V) const {
    int Count = countOf(V->getType()), Bits = bitsOf(V), Row = RowsOf.lengthOf(V);
    int Most = std::max(1, VectorBits / Bits); // lanes of a register
    constexpr int LeastBits = 128;             // shorter rows are put together, of wider values, too, that share them
    if (Row * RowsOf.leastBitsOf(V) < LeastBits) {
      int Together = Row;
      for (int N = 2; N * Row <= std::min(Most, Count); ++N)
        if (Count % (N * Row) == 0)
          Together = N * Row;
      Row = Together;
    }
    Cut Pieces;
    for (int Start = 0; Start < Count; Start += Row)
      for (int At = 0; At < Row; At += Most) {
        int N = std::min(Most, Row - At);
        Pieces.push_back({Start + At, N, int(PowerOf2Ceil(unsigned(N)))});
      }
    return Pieces;
  }

  //===- Lanes of values ------------------------------------------------------===//

  Type *vectorOf(Type *Like, int Lanes) { return FixedVectorType::get(Like->getScalarType(), unsigned(Lanes)); }

  /// The pieces of V; values from outside (arguments) are cut where they are first asked for.
  const Values &piecesOf(Value *V) {
    auto Found = Pieces.find(V);
    if (Found != Pieces.end())
      return Found->second;
    IRBuilder<>::InsertPointGuard Guard(B);
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    return cut(V, V);
  }

  /// Cuts `Whole`, a real vector, into the pieces of V.
  const Values &cut(Value *V, Value *Whole) {
    Values Result;
    for (const Piece &P : cutOf(V))
      Result.push_back(B.CreateShuffleVector(Whole, lanesFrom(P.Start, P)));
    return Pieces[V] = Result;
  }

  static Indices lanesFrom(int First, const Piece &P) {
    Indices Lanes;
    for (int I = 0; I < P.Lanes; ++I)
      Lanes.push_back(I < P.Count ? First + I : Unused);
    return Lanes;
  }

  /// A vector whose lane k is element Want[k] of V.
  Value *gather(Value *V, ArrayRef<int> Want) {
    if (auto *C = dyn_cast<Constant>(V)) {
      C = ConstantFoldConstant(C, B.GetInsertBlock()->getDataLayout()); // an expression shows no elements
      SmallVector<Constant *, 64> Elements;
      for (int I : Want)
        Elements.push_back(I == Unused || I < 0 || I >= countOf(V->getType())
                               ? PoisonValue::get(V->getType()->getScalarType())
                               : C->getAggregateElement(unsigned(I)));
      return ConstantVector::get(Elements);
    }
    Cut Where = cutOf(V);
    const Values Parts = piecesOf(V);
    if (Value *Column = gatherColumn(Where, Parts, Want))
      return Column;
    SmallVector<std::pair<Value *, Indices>, 8> From;
    for (unsigned N = 0; N < Parts.size(); ++N) {
      const Piece &P = Where[N];
      Indices Mask;
      bool Any = false, Same = P.Lanes == int(Want.size());
      for (unsigned K = 0; K < Want.size(); ++K) {
        bool Here = Want[K] >= P.Start && Want[K] < P.Start + P.Count;
        Mask.push_back(Here ? Want[K] - P.Start : Unused);
        Any |= Here;
        Same &= Want[K] == Unused || (Here && Want[K] == P.Start + int(K));
      }
      if (!Any)
        continue;
      if (Same)
        return Parts[N];
      From.push_back({Parts[N], std::move(Mask)});
    }
    return From.empty() ? PoisonValue::get(vectorOf(V->getType(), int(Want.size()))) : gather(From);
  }

  /// A column of a matrix that fills a power of two of registers: register by register two become one, with half the
  /// columns and twice the rows, column behind column, until one register is left. What other columns need on the way
  /// is the same, and is computed once: 8 registers of 2 rows take 24 shuffles for all 8 columns. Null for other
  /// elements, and few registers.
  ///
  ///     a0 b0 c0 d0 | a1 b1 c1 d1 | ...  ->  a0 a1 b0 b1 | a2 a3 b2 b3  ->  a0 a1 a2 a3
  Value *gatherColumn(const Cut &Where, const Values &Parts, ArrayRef<int> Want) {
    constexpr int Least = 4;
    int Count = int(Want.size());
    if (Count < Least || !isPowerOf2_32(unsigned(Count)) || Want[0] < 0 || Want[1] < 0)
      return nullptr;
    int Columns = Want[1] - Want[0];
    if (Columns < Least || !isPowerOf2_32(unsigned(Columns)))
      return nullptr;
    for (int K = 0; K < Count; ++K)
      if (Want[unsigned(K)] != Want[0] + K * Columns)
        return nullptr;
    int Column = Want.front() % Columns, Start = Want.front() - Column;
    Values Now;
    int Lanes = 0; // of a register
    for (unsigned N = 0; N < Where.size(); ++N)
      if (const Piece &P = Where[N]; P.Start >= Start && P.Start < Start + Count * Columns) {
        if (P.Count != P.Lanes || (Lanes && P.Count != Lanes) || (P.Start - Start) % P.Count)
          return nullptr;
        Lanes = P.Count;
        Now.push_back(Parts[N]);
      }
    if (int(Now.size()) * Lanes != Count * Columns)
      return nullptr;
    for (; Lanes < Count; Lanes *= 2)
      Now = inPairs(Now, consecutive(0, 2 * Lanes));
    if (int(Now.size()) < Least || Columns > Lanes)
      return nullptr;
    int Rows = Lanes / Columns, RowPitch = Columns, ColumnPitch = 1; // of one register
    for (int Left = Columns; Now.size() > 1; Left /= 2, Rows *= 2) {
      int First = Column % Left / (Left / 2) * (Left / 2); // of the columns that stay
      Indices Mask;
      for (int K = 0; K < Lanes; ++K) {
        int C = First + K / (2 * Rows), R = K % (2 * Rows);
        Mask.push_back(R / Rows * Lanes + C * ColumnPitch + R % Rows * RowPitch);
      }
      Now = inPairs(Now, Mask);
      RowPitch = 1, ColumnPitch = 2 * Rows;
    }
    return Lanes == Count ? Now[0] : B.CreateShuffleVector(Now[0], consecutive(Column * Rows % Lanes, Count));
  }

  static Indices consecutive(int First, int Count) {
    Indices Lanes;
    for (int K = 0; K < Count; ++K)
      Lanes.push_back(First + K);
    return Lanes;
  }

  Values inPairs(const Values &All, ArrayRef<int> Mask) {
    Values Result;
    for (unsigned N = 0; N < All.size(); N += 2)
      Result.push_back(B.CreateShuffleVector(All[N], All[N + 1], Mask));
    return Result;
  }

  /// A vector whose lane k is element Mask[k] of the vector whose mask uses that lane. Of many vectors, two at a time.
  Value *gather(MutableArrayRef<std::pair<Value *, Indices>> From) {
    constexpr size_t Few = 3;
    if (From.size() == 1)
      return B.CreateShuffleVector(From[0].first, From[0].second);
    if (From.size() == 2 && From[0].first->getType() == From[1].first->getType()) {
      Indices Both = From[0].second;
      for (unsigned K = 0; K < Both.size(); ++K)
        if (From[1].second[K] != Unused)
          Both[K] = countOf(From[0].first->getType()) + From[1].second[K];
      return B.CreateShuffleVector(From[0].first, From[1].first, Both);
    }
    size_t First = From.size() > Few ? From.size() / 2 / 2 * 2 : From.size() - 1;
    Indices Over(From[0].second.size(), Unused);
    for (const auto &[_, Mask] : From.drop_front(First))
      for (unsigned K = 0; K < Mask.size(); ++K)
        if (Mask[K] != Unused)
          Over[K] = int(K);
    Value *Under = gather(From.take_front(First));
    return blend(Under, gather(From.drop_front(First)), Over);
  }

  /// Lane k of `Over` where Mask[k] is used, else of `Under`.
  Value *blend(Value *Under, Value *Over, ArrayRef<int> Mask) {
    Indices Both;
    int Lanes = int(Mask.size());
    for (int K = 0; K < Lanes; ++K)
      Both.push_back(Mask[K] == Unused ? K : Lanes + K);
    return B.CreateShuffleVector(Under, Over, Both);
  }

  Value *gather(Value *V, const Piece &P) { return gather(V, lanesFrom(P.Start, P)); }

  /// V put together again.
  Value *whole(Value *V) {
    Indices All;
    for (int I = 0; I < countOf(V->getType()); ++I)
      All.push_back(I);
    return gather(V, All);
  }

  void result(Instruction &I, Values Parts) { Pieces[&I] = std::move(Parts); }

  //===- Operations -----------------------------------------------------------===//

  void lower(Instruction &I) {
    if (auto *Phi = dyn_cast<PHINode>(&I))
      return startPhi(*Phi);
    if (isElementWise(I))
      return elementWise(I);
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      return format(*Cast);
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
      return shuffle(*Shuffle);
    if (auto *Extract = dyn_cast<ExtractElementInst>(&I))
      return extract(*Extract);
    if (auto *Insert = dyn_cast<InsertElementInst>(&I))
      return insert(*Insert);
    switch (operationOf(&I)) {
    case Op::RegionRead:
      return regionRead(cast<CallInst>(I));
    case Op::RegionWrite:
      return regionWrite(cast<CallInst>(I));
    case Op::MemoryRead:
      return memoryRead(cast<CallInst>(I));
    case Op::MemoryWrite:
      return memoryWrite(cast<CallInst>(I));
    default:
      return unknown(I);
    }
  }

  void elementWise(Instruction &I) {
    Values Parts;
    for (const Piece &P : cutOf(&I)) {
      Values Operands;
      for (Value *Operand : I.operands())
        if (isVector(Operand))
          Operands.push_back(gather(Operand, P));
        else
          Operands.push_back(Operand);
      Parts.push_back(rebuild(I, Operands, P));
    }
    result(I, Parts);
  }

  /// The operation of I on these operands.
  Value *rebuild(Instruction &I, ArrayRef<Value *> Operands, const Piece &P) {
    Type *T = vectorOf(I.getType(), P.Lanes);
    Value *New;
    if (auto *Binary = dyn_cast<BinaryOperator>(&I)) {
      Value *Right = Operands[1];
      if (Binary->isIntDivRem() && P.Count != P.Lanes && !isa<Constant>(Right))
        Right = onesInUnusedLanes(Right, P); // division by an unused lane must not trap
      else if (Binary->isIntDivRem() && P.Count != P.Lanes)
        Right = constantOnesInUnusedLanes(cast<Constant>(Right), P);
      New = B.CreateBinOp(Binary->getOpcode(), Operands[0], Right);
    } else if (auto *Unary = dyn_cast<UnaryOperator>(&I)) {
      New = B.CreateUnOp(Unary->getOpcode(), Operands[0]);
    } else if (auto *Compare = dyn_cast<CmpInst>(&I)) {
      New = B.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
    } else if (isa<SelectInst>(I)) {
      New = B.CreateSelect(Operands[0], Operands[1], Operands[2]);
    } else if (isa<FreezeInst>(I)) {
      New = B.CreateFreeze(Operands[0]);
    } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
      New = B.CreateCast(Cast->getOpcode(), Operands[0], T);
    } else {
      auto &Call = cast<CallInst>(I); // the callee is the last operand
      Op Operation = operationOf(&I);
      New = Operation == Op::None ? B.CreateIntrinsic(T, Call.getIntrinsicID(), Operands.drop_back())
                                  : createOperation(B, Operation, T, Operands.drop_back());
    }
    if (auto *Instr = dyn_cast<Instruction>(New); Instr && Instr->getOpcode() == I.getOpcode() && !isa<CallInst>(I))
      Instr->copyIRFlags(&I);
    return New;
  }

  Value *onesInUnusedLanes(Value *V, const Piece &P) {
    Indices Mask;
    for (int K = 0; K < P.Lanes; ++K)
      Mask.push_back(K < P.Count ? K : P.Lanes + K);
    return B.CreateShuffleVector(V, ConstantInt::get(V->getType(), 1), Mask);
  }
  static Constant *constantOnesInUnusedLanes(Constant *C, const Piece &P) {
    SmallVector<Constant *, 64> Elements;
    for (int K = 0; K < P.Lanes; ++K)
      Elements.push_back(K < P.Count ? C->getAggregateElement(unsigned(K))
                                     : ConstantInt::get(C->getType()->getScalarType(), 1));
    return ConstantVector::get(Elements);
  }

  void startPhi(PHINode &Phi) {
    Values Parts;
    for (const Piece &P : cutOf(&Phi))
      Parts.push_back(B.CreatePHI(vectorOf(Phi.getType(), P.Lanes), Phi.getNumIncomingValues()));
    result(Phi, Parts);
    Phis.push_back(&Phi);
  }

  void finishPhi(PHINode &Phi) {
    Cut Where = cutOf(&Phi);
    const Values Parts = Pieces[&Phi];
    for (unsigned N = 0; N < Where.size(); ++N)
      for (unsigned In = 0; In < Phi.getNumIncomingValues(); ++In) {
        BasicBlock *From = Phi.getIncomingBlock(In);
        B.SetInsertPoint(From->getTerminator());
        cast<PHINode>(Parts[N])->addIncoming(gather(Phi.getIncomingValue(In), Where[N]), From);
      }
  }

  /// A cast between vectors of elements of different size: the same bytes.
  void format(BitCastInst &Cast) {
    Value *Source = Cast.getOperand(0);
    if (!isVector(Source) || !isVector(&Cast)) {
      unknown(Cast);
      return;
    }
    int To = int(Cast.getType()->getScalarSizeInBits()), From = int(Source->getType()->getScalarSizeInBits());
    Values Parts;
    for (const Piece &P : cutOf(&Cast)) {
      if (P.Start * To % From || P.Lanes * To % From) {
        unknown(Cast);
        return;
      }
      Indices Lanes;
      for (int K = 0; K < P.Lanes * To / From; ++K)
        Lanes.push_back(K * From < P.Count * To ? P.Start * To / From + K : Unused);
      Parts.push_back(B.CreateBitCast(gather(Source, Lanes), vectorOf(Cast.getType(), P.Lanes)));
    }
    result(Cast, Parts);
  }

  void shuffle(ShuffleVectorInst &Shuffle) {
    Value *First = Shuffle.getOperand(0), *Second = Shuffle.getOperand(1);
    int FirstCount = countOf(First->getType());
    Value *Splat = getSplatValue(&Shuffle);
    Values Parts;
    for (const Piece &P : cutOf(&Shuffle)) {
      if (Splat) {
        Parts.push_back(B.CreateVectorSplat(unsigned(P.Lanes), Splat));
        continue;
      }
      Indices FromFirst, FromSecond;
      for (int K = 0; K < P.Lanes; ++K) {
        int I = K < P.Count ? Shuffle.getMaskValue(unsigned(P.Start + K)) : Unused;
        FromFirst.push_back(I >= 0 && I < FirstCount ? I : Unused);
        FromSecond.push_back(I >= FirstCount ? I - FirstCount : Unused);
      }
      Parts.push_back(merge(First, FromFirst, Second, FromSecond));
    }
    result(Shuffle, Parts);
  }

  /// Lane k is element FromA[k] of A or element FromB[k] of B_, whichever is used.
  Value *merge(Value *A, ArrayRef<int> FromA, Value *B_, ArrayRef<int> FromB) {
    auto Used = [](int I) { return I != Unused; };
    if (none_of(FromB, Used))
      return gather(A, FromA);
    if (none_of(FromA, Used))
      return gather(B_, FromB);
    return blend(gather(A, FromA), gather(B_, FromB), FromB);
  }

  void extract(ExtractElementInst &Extract) {
    Value *V = Extract.getVectorOperand();
    Value *New;
    if (auto *Index = dyn_cast<ConstantInt>(Extract.getIndexOperand());
        Index && int(Index->getZExtValue()) < countOf(V->getType()))
      New = B.CreateExtractElement(gather(V, Indices{int(Index->getZExtValue())}), uint64_t(0));
    else
      New = B.CreateExtractElement(whole(V), Extract.getIndexOperand());
    Extract.replaceAllUsesWith(New);
  }

  void insert(InsertElementInst &Insert) {
    Value *V = Insert.getOperand(0);
    auto *Index = dyn_cast<ConstantInt>(Insert.getOperand(2));
    if (!Index) {
      cut(&Insert, B.CreateInsertElement(whole(V), Insert.getOperand(1), Insert.getOperand(2)));
      return;
    }
    int At = int(Index->getZExtValue());
    Values Parts;
    for (const Piece &P : cutOf(&Insert)) {
      Value *Part = gather(V, P);
      if (At >= P.Start && At < P.Start + P.Count)
        Part = B.CreateInsertElement(Part, Insert.getOperand(1), uint64_t(At - P.Start));
      Parts.push_back(Part);
    }
    result(Insert, Parts);
  }

  /// An operation that is not known here: whole operands, whole result.
  void unknown(Instruction &I) {
    Instruction *New = I.clone();
    for (Use &U : New->operands())
      if (isVector(U.get()) && !isa<Constant>(U.get()))
        U.set(whole(U.get()));
    B.Insert(New);
    if (isVector(&I))
      cut(&I, New);
    else if (!I.getType()->isVoidTy())
      I.replaceAllUsesWith(New);
  }

  //===- Regions --------------------------------------------------------------===//

  void regionRead(CallInst &Call) {
    auto R = RegionRead::match(&Call);
    if (!R)
      return refuse("a region with run-time strides");
    if (!R->Where.isConstant())
      return dynamicRead(*R);
    auto Lanes = [&](int Start, int Count, int Width) {
      Indices L;
      for (int K = 0; K < Width; ++K) {
        int E = K < Count ? R->Where.element(Start + K) : Unused;
        L.push_back(E >= countOf(R->source()->getType()) ? Unused : E);
      }
      return L;
    };
    if (!isVector(&Call)) {
      Call.replaceAllUsesWith(B.CreateExtractElement(gather(R->source(), Lanes(0, 1, 1)), uint64_t(0)));
      return;
    }
    Values Parts;
    for (const Piece &P : cutOf(&Call))
      Parts.push_back(gather(R->source(), Lanes(P.Start, P.Count, P.Lanes)));
    result(Call, Parts);
  }

  void regionWrite(CallInst &Call) {
    auto W = RegionWrite::match(&Call);
    if (!W)
      return refuse("a masked region write, or one with run-time strides");
    if (!W->Where.isConstant())
      return dynamicWrite(*W);
    int Count = countOf(Call.getType());
    Indices Written(unsigned(Count), Unused);
    for (int K = 0; K < W->count(); ++K)
      if (int E = W->Where.element(K); E >= 0 && E < Count)
        Written[unsigned(E)] = K;
    Value *New = W->value();
    if (!isVector(New))
      New = scalarAsVector(New);
    Values Parts;
    for (const Piece &P : cutOf(&Call)) {
      Indices FromOld, FromNew;
      for (int K = 0; K < P.Lanes; ++K) {
        int Lane = K < P.Count ? Written[unsigned(P.Start + K)] : Unused;
        FromNew.push_back(Lane);
        FromOld.push_back(K < P.Count && Lane == Unused && !isa<UndefValue>(W->old()) ? P.Start + K : Unused);
      }
      Parts.push_back(merge(W->old(), FromOld, New, FromNew));
    }
    result(Call, Parts);
  }

  Value *scalarAsVector(Value *Scalar) {
    Value *One = B.CreateVectorSplat(1, Scalar);
    Pieces[One] = {One};
    return One;
  }

  /// A variable in memory that holds V, with room for reads behind its end.
  AllocaInst *spill(Value *V) {
    constexpr int Room = 64;
    int Bytes = countOf(V->getType()) * elementBytes(V->getType());
    AllocaInst *Memory;
    {
      IRBuilder<>::InsertPointGuard Guard(B);
      B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
      Memory = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), unsigned(Bytes + Room)));
      Memory->setAlignment(Align(64));
    }
    if (!isa<UndefValue>(V))
      storeRow(Memory, V, 0, countOf(V->getType()));
    return Memory;
  }

  /// Address of a region whose offset is known at run time only; an offset that would leave the value is moved inside.
  Value *dynamicAddress(Value *Memory, Value *Parent, const Region &R, int Count) {
    int Size = elementBytes(Parent->getType()), Last = 0;
    for (int K = 0; K < Count; ++K)
      Last = std::max(Last, (K / R.Width) * R.VStride + (K % R.Width) * R.HStride);
    int Most = std::max(0, (countOf(Parent->getType()) - 1 - Last) * Size);
    Value *Offset = movedInside(B, B.CreateZExtOrTrunc(R.Dynamic, B.getInt64Ty()), unsigned(Most));
    return B.CreateInBoundsGEP(B.getInt8Ty(), Memory, Offset);
  }

  /// Elements at offsets of their own.
  void gatherRead(const RegionRead &R) {
    AllocaInst *Memory = spill(R.source());
    const auto Most = unsigned((countOf(R.source()->getType()) - 1) * elementBytes(R.source()->getType()));
    Values Parts;
    for (const Piece &P : cutOf(R.Call)) {
      Value *Part = PoisonValue::get(vectorOf(R.Call->getType(), P.Lanes));
      for (int K = 0; K < P.Count; ++K) {
        Value *Offset = B.CreateExtractElement(gather(R.Where.Dynamic, Indices{P.Start + K}), uint64_t(0));
        Offset = movedInside(B, B.CreateZExtOrTrunc(Offset, B.getInt64Ty()), Most);
        Value *From = B.CreateInBoundsGEP(B.getInt8Ty(), Memory, Offset);
        Value *Element = B.CreateAlignedLoad(R.Call->getType()->getScalarType(), From, Align(1));
        Part = B.CreateInsertElement(Part, Element, uint64_t(K));
      }
      Parts.push_back(Part);
    }
    result(*R.Call, Parts);
  }

  void dynamicRead(const RegionRead &R) {
    if (isVector(R.Where.Dynamic))
      return gatherRead(R);
    Value *First = dynamicAddress(spill(R.source()), R.source(), R.Where, R.count());
    Value *RowStride = B.getInt64(unsigned(R.Where.VStride * elementBytes(R.Call->getType())));
    if (!isVector(R.Call)) {
      R.Call->replaceAllUsesWith(B.CreateAlignedLoad(R.Call->getType(), First, Align(1)));
      return;
    }
    loadRegion(*R.Call, First, RowStride, R.Where.Width, R.Where.HStride, 0);
  }

  void dynamicWrite(const RegionWrite &W) {
    AllocaInst *Memory = spill(W.old());
    Value *First = dynamicAddress(Memory, W.old(), W.Where, W.count());
    if (!isVector(W.value()))
      B.CreateAlignedStore(W.value(), First, Align(1));
    else
      storeRegion(First, W.value(), B.getInt64(unsigned(W.Where.VStride * elementBytes(W.value()->getType()))),
                  W.Where.Width, W.Where.HStride);
    loadRegion(*W.Call, Memory, B.getInt64(0), countOf(W.Call->getType()), 1, 0);
  }

  //===- Regions of memory ----------------------------------------------------===//

  void memoryRead(CallInst &Call) {
    auto *Width = dyn_cast<ConstantInt>(operandOf(Call, Role::Width)),
         *Stride = dyn_cast<ConstantInt>(operandOf(Call, Role::HStride));
    auto *Slack = dyn_cast<ConstantInt>(operandOf(Call, Role::Slack));
    if (!Width || !Stride || !Slack)
      return refuse("a region of memory with run-time width or stride");
    loadRegion(Call, operandOf(Call, Role::First), operandOf(Call, Role::VStride), int(Width->getZExtValue()),
               int(Stride->getSExtValue()), int(Slack->getZExtValue()));
  }

  void memoryWrite(CallInst &Call) {
    auto *Width = dyn_cast<ConstantInt>(operandOf(Call, Role::Width)),
         *Stride = dyn_cast<ConstantInt>(operandOf(Call, Role::HStride));
    if (!Width || !Stride)
      return refuse("a region of memory with run-time width or stride");
    storeRegion(operandOf(Call, Role::First), operandOf(Call, Role::Data), operandOf(Call, Role::VStride),
                int(Width->getZExtValue()), int(Stride->getSExtValue()), isStreaming(Call));
  }

  Value *address(Value *First, Value *RowStride, int Row, int Bytes) {
    Value *At = Row ? B.CreateGEP(B.getInt8Ty(), First, B.CreateMul(RowStride, B.getInt64(unsigned(Row)))) : First;
    return Bytes ? B.CreateGEP(B.getInt8Ty(), At, B.getInt64(Bytes)) : At;
  }

  /// Loads the pieces of I from a region of memory. `Slack` bytes behind each row may be read.
  void loadRegion(Instruction &I, Value *First, Value *RowStride, int Width, int Stride, int Slack) {
    int Size = elementBytes(I.getType());
    Values Parts;
    for (const Piece &P : cutOf(&I)) {
      Value *Part = nullptr;
      for (int K = 0; K < P.Count;) { // a stretch of P inside one row
        int Row = (P.Start + K) / Width, Column = (P.Start + K) % Width, N = std::min(P.Count - K, Width - Column);
        Value *From = address(First, RowStride, Row, Column * Stride * Size);
        bool Alone = N == P.Count;
        Value *Stretch = loadStretch(From, I.getType(), N, Stride, Alone ? P.Lanes : N, Slack);
        if (Alone) {
          Part = Stretch;
          break;
        }
        Indices Place;
        for (int L = 0; L < P.Lanes; ++L) {
          bool Here = L >= K && L < K + N;
          Place.push_back(Here ? L - K : Unused);
        }
        Stretch = B.CreateShuffleVector(Stretch, Place);
        Part = Part ? blend(Part, Stretch, Place) : Stretch;
        K += N;
      }
      Parts.push_back(Part);
    }
    result(I, Parts);
  }

  /// N elements, Stride apart, as a vector of `Lanes` lanes.
  Value *loadStretch(Value *From, Type *Like, int N, int Stride, int Lanes, int Slack) {
    int Size = elementBytes(Like);
    if (Stride == 1) {
      int Extra = Lanes - N;
      if (Extra * Size <= Slack)
        return B.CreateAlignedLoad(vectorOf(Like, Lanes), From, Align(1));
      Value *Exact = B.CreateAlignedLoad(vectorOf(Like, N), From, Align(1));
      return B.CreateShuffleVector(Exact, lanesFrom(0, {0, N, Lanes}));
    }
    if (Value *Result = loadBetween(From, Like, N, Stride, Lanes, Slack))
      return Result;
    Value *Result = PoisonValue::get(vectorOf(Like, Lanes));
    for (int K = 0; K < N; ++K) {
      Value *Element =
          B.CreateAlignedLoad(Like->getScalarType(), address(From, nullptr, 0, K * Stride * Size), Align(1));
      Result = B.CreateInsertElement(Result, Element, uint64_t(K));
    }
    return Result;
  }

  /// The same by loads of what lies between them, too, where a register holds several of them; else null.
  Value *loadBetween(Value *From, Type *Like, int N, int Stride, int Lanes, int Slack) {
    constexpr int Several = 2;
    if (Stride < 1)
      return nullptr;
    int Size = elementBytes(Like), Span = (N - 1) * Stride + 1;
    int Loaded = std::min(VectorBits / 8 / Size, int(PowerOf2Ceil(unsigned(Span))));
    int Each = (Loaded - 1) / Stride + 1, Last = (N - 1) / Each * Each; // of the last load
    if (N <= Several || Each < Several || (Last * Stride + Loaded - Span) * Size > Slack)
      return nullptr;
    SmallVector<std::pair<Value *, Indices>, 8> Loads;
    for (int K = 0; K < N; K += Each) {
      Indices Mask(unsigned(Lanes), Unused);
      for (int I = 0; I < Each && K + I < N; ++I)
        Mask[unsigned(K + I)] = I * Stride;
      Loads.push_back(
          {B.CreateAlignedLoad(vectorOf(Like, Loaded), address(From, nullptr, 0, K * Stride * Size), Align(1)),
           std::move(Mask)});
    }
    return gather(Loads);
  }

  void storeRegion(Value *First, Value *V, Value *RowStride, int Width, int Stride, bool Streaming = false) {
    int Rows = countOf(V->getType()) / Width, Size = elementBytes(V->getType());
    for (int Row = 0; Row < Rows; ++Row) {
      Value *To = address(First, RowStride, Row, 0);
      if (Stride == 1) {
        storeRow(To, V, Row * Width, Width, Streaming);
        continue;
      }
      for (int K = 0; K < Width; ++K)
        B.CreateAlignedStore(B.CreateExtractElement(gather(V, Indices{Row * Width + K}), uint64_t(0)),
                             address(To, nullptr, 0, K * Stride * Size), Align(1));
    }
  }

  /// Stores elements Start .. Start + Count - 1 of V, in powers of two, without touching a byte more. What is written
  /// around the cache is aligned.
  void storeRow(Value *To, Value *V, int Start, int Count, bool Streaming = false) {
    int Size = elementBytes(V->getType()), Most = std::max(1, VectorBits / 8 / Size);
    for (int K = 0; K < Count;) {
      int N = std::min(Most, int(bit_floor(unsigned(Count - K))));
      Value *Place = address(To, nullptr, 0, K * Size), *Lanes = gather(V, lanesFrom(Start + K, {0, N, N}));
      StoreInst *Store = B.CreateAlignedStore(Lanes, Place, Streaming ? Align(unsigned(N * Size)) : Align(1));
      if (Streaming)
        Store->setMetadata(LLVMContext::MD_nontemporal,
                           MDNode::get(F.getContext(), ConstantAsMetadata::get(B.getInt32(1))));
      K += N;
    }
  }

  void refuse(const char *What) { Problem = std::string(What) + " is not supported by this code generator"; }

  Function &F;
  int VectorBits;
  Rows RowsOf;
  IRBuilder<> B;
  DenseMap<Value *, Values> Pieces;
  SmallVector<Instruction *, 0> Old;
  SmallVector<PHINode *, 8> Phis;
  std::string Problem;
};

} // namespace

std::string splitVectors(Function &F, unsigned VectorBits) { return Splitter(F, VectorBits).run(); }

} // namespace pocm
