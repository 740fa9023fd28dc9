//===- JoinedReductions.cpp - Reductions that become lanes of one vector are taken together -----------===//
//
// A vector is added up in halves. Where several sums become the lanes of one vector, as those of a matrix' rows do,
// halves of two vectors fill one, and each step leaves half as many of them:
//
//     %s0 = reduce.add(<4 x i32> %a)               %e = lanes 0 and 1 of %a, lanes 0 and 1 of %b
//     %s1 = reduce.add(<4 x i32> %b)               %o = lanes 2 and 3 of %a, lanes 2 and 3 of %b
//     ...                                          %ab = add %e, %o                     the same of %c and %d
//     %v = <4 x i32> %s0, %s1, %s2, %s3     ->     %v = add (even lanes of %ab, %cd), (odd lanes of %ab, %cd)
//
// What is added to what stays as it was, so that floats have the same sums. The same is done to minima, maxima,
// products and bits.
//
// Needs:    reductions in halves (Reductions.cpp), and vectors of a register's size.
// Leaves:   elements that somebody else wants, too; bytes.
//
//===--------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lanes.h"
#include "codegen/cpu/Lowering.h"
#include "ir/Operands.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// What two elements become.
struct Fold {
  unsigned Opcode = 0;                               ///< Of a binary operator; 0: it is a function.
  Intrinsic::ID Function = Intrinsic::not_intrinsic; ///< Of two.

  explicit operator bool() const { return Opcode || Function; }
  bool operator==(const Fold &) const = default;

  static Fold of(const Value *V) {
    if (auto *Operator = dyn_cast<BinaryOperator>(V))
      return {Operator->isCommutative() ? unsigned(Operator->getOpcode()) : 0, Intrinsic::not_intrinsic};
    auto *Call = dyn_cast<IntrinsicInst>(V);
    return {0, Call && Call->arg_size() == 2 && Call->isCommutative() && isTriviallyVectorizable(Call->getIntrinsicID())
                   ? Call->getIntrinsicID()
                   : Intrinsic::not_intrinsic};
  }
  /// Of a reduction of integers, in any order.
  static Fold ofReduction(const IntrinsicInst &Call) {
    switch (Call.getIntrinsicID()) {
    case Intrinsic::vector_reduce_add:
    case Intrinsic::vector_reduce_mul:
    case Intrinsic::vector_reduce_and:
    case Intrinsic::vector_reduce_or:
    case Intrinsic::vector_reduce_xor:
      return {getArithmeticReductionInstruction(Call.getIntrinsicID()), Intrinsic::not_intrinsic};
    case Intrinsic::vector_reduce_smin:
    case Intrinsic::vector_reduce_smax:
    case Intrinsic::vector_reduce_umin:
    case Intrinsic::vector_reduce_umax:
      return {0, getMinMaxReductionIntrinsicOp(Call.getIntrinsicID())};
    default:
      return {};
    }
  }
  Value *create(IRBuilder<> &B, Value *X, Value *Y) const {
    return Opcode ? B.CreateBinOp(Instruction::BinaryOps(Opcode), X, Y) : B.CreateBinaryIntrinsic(Function, X, Y);
  }
};

/// What elements are seen through: gone, where nobody else looks at it.
using Chain = SmallSetVector<Instruction *, 32>;

/// Where an element comes from, through shuffles, insertions and extractions; poison where it is open. A number is a
/// vector of one.
Lane sourceOf(Lane Of, Chain *Seen = nullptr) {
  while (true) {
    if (Of.Number >= unsigned(countOf(Of.Vector->getType())))
      return {PoisonValue::get(Of.Vector->getType()), 0};
    Lane From{nullptr, 0};
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(Of.Vector)) {
      const int Number = Shuffle->getMaskValue(Of.Number), Count = countOf(Shuffle->getOperand(0)->getType());
      if (Number < 0)
        return {PoisonValue::get(Shuffle->getType()), 0};
      From = {Shuffle->getOperand(Number < Count ? 0 : 1), unsigned(Number % Count)};
    } else if (auto *Insert = dyn_cast<InsertElementInst>(Of.Vector)) {
      if (auto *Place = dyn_cast<ConstantInt>(Insert->getOperand(2)))
        From = Place->equalsInt(Of.Number) ? Lane{Insert->getOperand(1), 0} : Lane{Insert->getOperand(0), Of.Number};
    } else if (auto *Extract = dyn_cast<ExtractElementInst>(Of.Vector)) {
      if (auto *Place = dyn_cast<ConstantInt>(Extract->getIndexOperand()))
        From = {Extract->getVectorOperand(), unsigned(Place->getZExtValue())};
    }
    if (!From.Vector)
      return Of;
    if (Seen)
      Seen->insert(cast<Instruction>(Of.Vector));
    Of = From;
  }
}

/// An element that is all that is left of some lanes of a vector, the first half of which was folded with the second
/// one, and so on.
struct Row {
  Instruction *Result = nullptr; ///< What gives the element.
  Fold By;
  Value *Vector = nullptr;
  SmallVector<int, 16> Lanes;
  FastMathFlags Floats; ///< What all of the operations may do.

  static Row of(Lane Element);

private:
  bool step(bool First);
  bool seeThrough();
};

/// Lanes of a vector, seen through shuffles: they may be those of another one.
bool Row::seeThrough() {
  SmallVector<int, 16> From;
  Value *Source = nullptr;
  for (int K : Lanes) {
    const Lane L = sourceOf({Vector, unsigned(K)});
    if (!L.Vector->getType()->isVectorTy() || (Source && L.Vector != Source))
      return false;
    Source = L.Vector;
    From.push_back(int(L.Number));
  }
  Vector = Source;
  Lanes = std::move(From);
  return true;
}

/// Whether the lanes are of an operation on others, which they are then.
bool Row::step(bool First) {
  auto *I = dyn_cast<Instruction>(Vector);
  if (!I || Fold::of(I) != By)
    return false;
  Row Sides[2];
  for (unsigned Side = 0; Side < 2; ++Side) {
    Sides[Side].Vector = I->getOperand(Side);
    Sides[Side].Lanes = Lanes;
    if (!Sides[Side].seeThrough())
      return false;
  }
  if (Sides[0].Vector != Sides[1].Vector)
    return false;
  if (auto *Operator = dyn_cast<FPMathOperator>(I))
    Floats = First ? Operator->getFastMathFlags() : Floats & Operator->getFastMathFlags();
  Vector = Sides[0].Vector;
  Lanes = std::move(Sides[0].Lanes);
  Lanes.append(Sides[1].Lanes);
  return true;
}

Row Row::of(Lane Element) {
  Row R;
  R.Result = dyn_cast<Instruction>(Element.Vector);
  if (auto *Call = dyn_cast_or_null<IntrinsicInst>(R.Result); Call && (R.By = Fold::ofReduction(*Call))) {
    auto [V] = argumentsOf<1>(*Call);
    R.Vector = V;
    R.Lanes = createSequentialMask(0, unsigned(countOf(R.Vector->getType())), 0);
    R.seeThrough();
    return R;
  }
  if (!R.Result || !(R.By = Fold::of(R.Result)))
    return R;
  R.Vector = R.Result;
  R.Lanes = {int(Element.Number)};
  for (bool First = true; R.step(First); First = false)
    ;
  return R;
}

/// Lanes of rows, of each as many, in a vector.
struct Part {
  struct Place {
    unsigned Row, Number; ///< Of its lanes.
  };
  Value *Vector;
  SmallVector<Place, 16> Places; ///< By lanes of the vector.
};

/// Rows of the same length and operation.
class Joiner {
public:
  Joiner(ArrayRef<Row> Rows, Instruction &Before)
      : Rows(Rows), Before(Before), Number(Rows.front().Vector->getType()->getScalarType()),
        Floats(Rows.front().Floats), Left(unsigned(Rows.front().Lanes.size())) {
    for (const Row &R : Rows)
      Floats &= R.Floats;
  }

  /// A vector with all that is left of them; where each row is in it.
  std::pair<Value *, SmallVector<int, 16>> join() {
    SmallVector<Part, 16> Parts = first();
    for (; Left > 1; Left /= 2) {
      SmallVector<Part, 16> Next;
      if (Parts.size() == 1 || isLong(Parts.front()))
        for (const Part &P : Parts)
          Next.push_back(halved(P));
      else
        for (unsigned K = 0; K < Parts.size(); K += 2)
          Next.push_back(folded(Parts[K], K + 1 < Parts.size() ? &Parts[K + 1] : nullptr));
      Parts = std::move(Next);
    }
    SmallVector<Value *, 16> Vectors;
    SmallVector<int, 16> Where(Rows.size());
    int At = 0;
    for (const Part &P : Parts) {
      const unsigned Count = unsigned(countOf(P.Vector->getType()));
      for (auto [K, Place] : enumerate(P.Places))
        Where[Place.Row] = At + int(K);
      At += int(Count);
      Vectors.push_back(P.Vector);
    }
    IRBuilder<> B(&Before);
    return {Vectors.size() == 1 ? Vectors.front() : concatenateVectors(B, Vectors), Where};
  }

private:
  /// Whether a row fills so long a vector that its own half costs no more than the half of one that two rows share.
  bool isLong(const Part &P) const {
    constexpr unsigned Long = 512;
    return Left * Number->getScalarSizeInBits() >= Long && P.Places.size() == Left;
  }

  /// Where the last of the rows of parts has its result: what they are made of is there.
  Instruction *behind(const Part &A, const Part *Other) const {
    Instruction *Last = nullptr;
    for (const Part *P : {&A, Other})
      for (const Part::Place &At : P ? ArrayRef(P->Places) : ArrayRef<Part::Place>()) {
        Instruction *Result = Rows[At.Row].Result;
        if (Result->getParent() != Before.getParent())
          return &Before;
        if (!Last || Last->comesBefore(Result))
          Last = Result;
      }
    return Last;
  }

  /// Vectors that are full of rows are parts as they are; of others each row is one.
  SmallVector<Part, 16> first() const {
    MapVector<Value *, SmallVector<Part::Place, 16>> Whole;
    bool Full = true;
    for (auto [R, Of] : enumerate(Rows)) {
      auto &Places = Whole[Of.Vector];
      Places.resize(unsigned(countOf(Of.Vector->getType())), {unsigned(Rows.size()), 0});
      for (auto [K, L] : enumerate(Of.Lanes)) {
        Full &= Places[unsigned(L)].Row == Rows.size(); // or another row has that lane, too
        Places[unsigned(L)] = {unsigned(R), unsigned(K)};
      }
    }
    SmallVector<Part, 16> Parts;
    const auto Size = Whole.front().second.size();
    for (auto &[V, Places] : Whole) {
      Full &=
          Places.size() == Size && all_of(Places, [&](auto &At) { return At.Row < Rows.size(); }) && inOrder(Places);
      Parts.push_back({V, Places});
    }
    if (Full)
      return Parts;
    Parts.clear();
    for (auto [R, Of] : enumerate(Rows)) {
      IRBuilder<> B(Of.Result->getParent() == Before.getParent() ? Of.Result : &Before);
      Part P{B.CreateShuffleVector(Of.Vector, Of.Lanes), {}};
      for (unsigned K = 0; K < Left; ++K)
        P.Places.push_back({unsigned(R), K});
      Parts.push_back(std::move(P));
    }
    return Parts;
  }
  bool inOrder(ArrayRef<Part::Place> Places) const {
    for (unsigned K = 0; K < Places.size(); ++K)
      if (Places[K].Number != K % Left || Places[K].Row != Places[K - K % Left].Row)
        return false;
    return true;
  }

  /// Lanes of one 16 bytes, within which lanes are cheap to move.
  unsigned chunk() const { return 128 / Number->getScalarSizeInBits(); }

  /// The lanes in lower halves of rows, of the first `Half` places and of those behind them, so that each stays in its
  /// chunk.
  SmallVector<unsigned, 32> lower(ArrayRef<Part::Place> Places, std::size_t Half) const {
    SmallVector<unsigned, 32> Found;
    auto take = [&](std::size_t Begin, std::size_t End) {
      for (std::size_t K = Begin; K < std::min(End, Places.size()); ++K)
        if (Places[K].Number < Left / 2)
          Found.push_back(unsigned(K));
    };
    const std::size_t Chunk = chunk();
    if (Left > Chunk || Half % Chunk)
      take(0, Places.size());
    else
      for (std::size_t K = 0; K < Half; K += Chunk) {
        take(K, K + Chunk);
        take(Half + K, Half + K + Chunk);
      }
    return Found;
  }

  Part fold(IRBuilder<> &B, Value *X, Value *Y, ArrayRef<Part::Place> Places, std::size_t Half) const {
    Part Sum{nullptr, {}};
    SmallVector<int, 16> Lower, Upper;
    for (unsigned K : lower(Places, Half)) {
      Sum.Places.push_back(Places[K]);
      Lower.push_back(int(K));
      Upper.push_back(int(find_if(Places,
                                  [&](const Part::Place &P) {
                                    return P.Row == Places[K].Row && P.Number == Places[K].Number + Left / 2;
                                  }) -
                          Places.begin()));
    }
    const unsigned Lanes = unsigned(countOf(X->getType()));
    for (auto *Mask : {&Lower, &Upper})
      if (Y)
        Mask->resize(Lanes, PoisonMaskElem);
    if (!Y)
      Y = PoisonValue::get(X->getType());
    Sum.Vector = Rows.front().By.create(B, B.CreateShuffleVector(X, Y, Lower), B.CreateShuffleVector(X, Y, Upper));
    return Sum;
  }
  Part folded(const Part &A, const Part *Other) const {
    IRBuilder<> B(behind(A, Other));
    B.setFastMathFlags(Floats);
    SmallVector<Part::Place, 32> Both(A.Places.begin(), A.Places.end());
    if (Other)
      append_range(Both, Other->Places);
    return fold(B, A.Vector, Other ? Other->Vector : PoisonValue::get(A.Vector->getType()), Both, A.Places.size());
  }
  Part halved(const Part &A) const {
    IRBuilder<> B(behind(A, nullptr));
    B.setFastMathFlags(Floats);
    return fold(B, A.Vector, nullptr, A.Places, A.Places.size() / 2);
  }
  ArrayRef<Row> Rows;
  Instruction &Before;
  Type *const Number;
  FastMathFlags Floats; ///< What the operations of all rows may do.
  unsigned Left;        ///< Lanes of each row.
};

bool isPart(const Instruction &I) { return isa<InsertElementInst, ShuffleVectorInst>(I); }

/// Whether another one of as many lanes is made of it, and nothing else.
bool isInner(const Instruction &I) {
  auto *User = I.hasOneUse() ? dyn_cast<Instruction>(I.user_back()) : nullptr;
  return User && isPart(*User) && User->getType() == I.getType();
}

/// The vector with reductions in some lanes, those of which are joined; null where there are too few.
Value *joined(Instruction &Top) {
  const unsigned Count = unsigned(countOf(Top.getType())), Bits = Top.getType()->getScalarSizeInBits();
  constexpr unsigned LeastLanes = 4, MostCount = 32;
  if ((Bits != 16 && Bits != 32 && Bits != 64) || Count < 2 || Count > MostCount)
    return nullptr;
  Chain Seen;
  SmallVector<Row, 16> Rows;
  SmallVector<Lane, 16> Elements;                   // of rows
  SmallVector<int, 16> Mask(Count, PoisonMaskElem); // of rows, and of others behind them
  Value *Others = nullptr;
  const int Behind = int(Count);
  for (unsigned K = 0; K < Count; ++K) {
    const Lane Element = sourceOf({&Top, K}, &Seen);
    if (isa<PoisonValue>(Element.Vector))
      continue;
    if (auto Known = find(Elements, Element); Known != Elements.end()) {
      Mask[K] = int(Known - Elements.begin());
      continue;
    }
    Row R = Row::of(Element);
    if (R.Vector && R.Lanes.size() >= LeastLanes && isPowerOf2_64(R.Lanes.size()) &&
        (Rows.empty() || (R.By == Rows.front().By && R.Lanes.size() == Rows.front().Lanes.size()))) {
      Mask[K] = int(Rows.size());
      Rows.push_back(std::move(R));
      Elements.push_back(Element);
    } else if ((!Others || Others == Element.Vector) && Element.Vector->getType() == Top.getType()) {
      Others = Element.Vector;
      Mask[K] = Behind + int(Element.Number);
    } else {
      return nullptr;
    }
  }
  if (Rows.size() < 2)
    return nullptr;
  Seen.remove(&Top);
  auto goes = [&](User *U) { return U == &Top || Seen.contains(cast<Instruction>(U)); };
  auto hasOthers = [&](Instruction *I) { return !all_of(I->users(), goes); };
  if (any_of(Seen, hasOthers) || any_of(Rows, [&](const Row &R) { return hasOthers(R.Result); }))
    return nullptr;

  auto [All, Where] = Joiner(Rows, Top).join();
  IRBuilder<> B(&Top);
  const int Size = int(std::max(unsigned(countOf(All->getType())), Count));
  for (int &M : Mask)
    if (M >= 0)
      M = M < Behind ? Where[unsigned(M)] : Size + M - Behind;
  auto resized = [&](Value *V) {
    const unsigned Has = unsigned(countOf(V->getType()));
    return int(Has) == Size ? V : B.CreateShuffleVector(V, createSequentialMask(0, Has, unsigned(Size) - Has));
  };
  if (!Others)
    return B.CreateShuffleVector(All, Mask);
  return B.CreateShuffleVector(resized(All), resized(Others), Mask);
}

} // namespace

bool joinReductions(Module &M) {
  SmallVector<WeakTrackingVH> Tops;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isPart(I) && !isInner(I))
        Tops.push_back(&I);
  bool Changed = false;
  for (WeakTrackingVH &Handle : Tops)
    if (auto *Top = dyn_cast_or_null<Instruction>(Handle))
      if (Value *New = joined(*Top)) {
        Top->replaceAllUsesWith(New);
        RecursivelyDeleteTriviallyDeadInstructions(Top);
        Changed = true;
      }
  return Changed;
}

} // namespace pocm::cpu
