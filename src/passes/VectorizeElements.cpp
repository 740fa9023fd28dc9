//===- VectorizeElements.cpp - Loops over elements become operations on vectors ------------------===//
//
//     for (int j = 0; j < 16; ++j)                %x = cm.region.read(&a(i, 0), i64 0, i32 16, i32 1, ..)
//       r(j, i) = a(i, j) * 2 + j;          ->    %y = fmul <16 x float> %x, splat 2
//                                                 %z = fadd <16 x float> %y, <0, 1, 2, ..>
//                                                 cm.region.write(&r(0, i), %z, i64 64, i32 1, i32 1)
//
// What is written element by element is what CM's vectors are made for: an instruction for all of them on Gen, whole
// registers elsewhere. Iterations must not depend on each other: no element is read that an earlier one has written,
// and sums of floats keep their order: their products are a vector, whose lanes are added one by one. Loops inside, as
// that over k in a product of matrices, are unrolled first where they are small, with their conditions. What is done
// under a condition, or so often as is known at run time, is done to the elements that it concerns: the others are
// written as they were, divided by one, and not read where they are outside
// (`if (k >= 0 && k < 16) sum += v(k)`, where k is a constant in each iteration). A loop that sums integers up, or
// takes their largest, does so lane by lane:
//
//     for (int j = 0; j < 16; ++j)          ->    %s = cm.region.read(&a, ..)
//       sum += a(j);                              %sum.1 = add %sum, vector.reduce.add(%s)
//
// Loops of many iterations become loops of vectors. What a condition sets in any iteration (`if (a(j) == 0) found = 1`)
// is set when it is true in any lane. Those come last: where such a loop is inside another one, the elements of that
// one are lanes rather.
//
// Needs:    loops in LLVM's simple form with counters (loop-rotate, indvars), variables still in memory.
// Leaves:   loops that carry other values; sums of floats that are read only; stores of a number known at run time
// to parts that move.
//
//===----------------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/LoopAnalyses.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "passes/ElementAccess.h"
#include "passes/ElementNests.h"
#include "passes/ElementSums.h"
#include "passes/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <numeric>

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned MostLanes = 64;              ///< Of a vector; the iterations behind them follow.
constexpr unsigned LeastOfPart = 16;            ///< Of vectors that loops of more iterations are cut into.
constexpr std::int64_t MostBytesWithRoom = 512; ///< Of variables that are copied so that elements behind exist.
constexpr std::int64_t LeastLanesWithRoom = 16; ///< That are worth it.
constexpr unsigned MostConditions = 4;          ///< That are asked at run time.
constexpr const char *OtherwiseMark = "pocm.loop.otherwise"; ///< Of loops that stay for when conditions do not hold.

/// What a counter is in as many bits as an index has: who counts further, or less than 0, has left the variable of so
/// many bytes long before.
class WithoutWrap : public SCEVRewriteVisitor<WithoutWrap> {
public:
  WithoutWrap(ScalarEvolution &SE, const Loop &L, std::uint64_t Size) : SCEVRewriteVisitor(SE), L(L), Size(Size) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *Extended) {
    const SCEV *From = visit(Extended->getOperand());
    Type *To = Extended->getType();
    auto *Count = dyn_cast<SCEVAddRecExpr>(From);
    auto *Start = Count ? dyn_cast<SCEVConstant>(Count->getStart()) : nullptr;
    auto *Step = Count && Count->isAffine() ? dyn_cast<SCEVConstant>(Count->getOperand(1)) : nullptr;
    constexpr unsigned Far = 1u << 12;
    const std::uint64_t Bits = SE.getTypeSizeInBits(From->getType());
    if (!Start || !Step || Count->getLoop() != &L || Bits < 16 || Start->getAPInt().abs().ugt(Far) ||
        (Start->getAPInt().isNegative() && Start->getAPInt().ult(Size)) || Step->getAPInt().ugt(Far / MostLanes))
      return SE.getZeroExtendExpr(From, To);
    return SE.getAddRecExpr(SE.getSignExtendExpr(Start, To), SE.getZeroExtendExpr(Step, To), &L, SCEV::FlagAnyWrap);
  }

private:
  const Loop &L;
  const std::uint64_t Size;
};

/// A loop without others in it.
class ElementLoop {
public:
  ElementLoop(Loop &L, LoopInfo &Loops, ScalarEvolution &SE, bool WithSums, bool MayAsk)
      : L(L), SE(SE), WithSums(WithSums), MayAsk(MayAsk), Before(L.getLoopPreheader()), Behind(L.getExitBlock()),
        Latch(L.getLoopLatch()), Times(SE.getSmallConstantTripCount(&L)), Part(partOf(Times)), Order(&L),
        Expander(SE, "") {
    if (L.isInnermost() && Latch && L.getNumBlocks() <= MostBlocks)
      Order.perform(&Loops);
  }

  bool isVector() {
    if (!L.isInnermost() || !Before || !Behind || !Latch || L.getExitingBlock() != Latch ||
        L.getNumBlocks() > MostBlocks || !isa<BranchInst>(Latch->getTerminator()))
      return false;
    for (BasicBlock *Block : Order)
      for (Instruction &I : *Block)
        if (!takes(I))
          return false;
    if (!Times && !takesLast())
      return false;
    return Times >= LeastIterations && (Times <= MostIterations || Part >= LeastOfPart) &&
           (!Sums.empty() || any_of(All, [](const ElementAccess &A) { return A.isStore(); })) && isWorthTaking() &&
           all_of(Sums, [&](const Sum &S) { return isVectorOf(S); }) &&
           all_of(All,
                  [&](const ElementAccess &A) {
                    return (!A.isStore() || isVector(cast<StoreInst>(A.I)->getValueOperand())) && isThere(A) &&
                           isOfCounter(getLoadStorePointerOperand(A.I));
                  }) &&
           areIndependent();
  }

  /// The same without a loop.
  void vectorize() {
    if (!Conditions.empty())
      keepOtherwise();
    B.SetInsertPoint(Before->getTerminator());
    Value *Number = Last ? Expander.expandCodeFor(Last, Last->getType(), Before->getTerminator()) : nullptr;
    if (any_of(Sums, [](const Sum &S) { return S.isReadInside(); }))
      llvm::stable_sort(All,
                        [](const ElementAccess &A, const ElementAccess &B) { return !A.isStore() && B.isStore(); });
    for (unsigned Start = 0; Start < Times; Start += MostLanes) {
      First = Start;
      Lanes = std::min(Times - Start, MostLanes);
      Vectors.clear();
      Scalars.clear();
      Masks.clear();
      if (Number)
        Masks[L.getHeader()] = B.CreateICmpULE(counts(APInt(Number->getType()->getIntegerBitWidth(), 1)),
                                               B.CreateVectorSplat(Lanes, Number));
      for (const Sum &S : Sums)
        if (S.isOfLanes())
          Vectors[S.Carried] = B.CreateVectorSplat(Lanes, initial(S));
      for (const ElementAccess &A : All)
        access(A);
      for (const Sum &S : Sums)
        if (S.isReadInside()) // before totals are those up to the next iterations
          vector(S.Carried);
      for (const Sum &S : Sums)
        finish(S);
    }
    for (const Sum &S : Sums)
      S.Last->replaceUsesWithIf(Totals[S.Carried], [&](Use &U) { return !isInside(U.getUser()); });
    if (!Conditions.empty())
      return;
    Before->getTerminator()->eraseFromParent();
    BranchInst::Create(Behind, Before);
    Behind->replacePhiUsesWith(Latch, Before);
    Latch->getTerminator()->eraseFromParent(); // which leads to nobody's phis any more
    new UnreachableInst(Latch->getContext(), Latch);
    DeleteDeadBlocks(SmallVector<BasicBlock *, 8>(L.blocks()));
  }

  unsigned times() const { return Times; }
  unsigned part() const { return Part; }
  bool isLong() const { return Times > MostIterations; }
  /// Whether the loop stays as well, for when they do not hold.
  bool hasConditions() const { return !Conditions.empty(); }

private:
  /// The loop stays for when the conditions do not hold; in front of what is done without it is `Before` then.
  void keepOtherwise() {
    addStringMetadataToLoop(&L, OtherwiseMark, 1);
    addStringMetadataToLoop(&L, "llvm.loop.unroll.disable", 1);
    B.SetInsertPoint(Before->getTerminator());
    Value *All = B.getTrue();
    for (const Distance &D : Conditions)
      All = B.CreateAnd(All, holds(D, B, Expander));
    BasicBlock *Header = L.getHeader();
    BasicBlock *Exit = SplitEdge(Latch, Behind), *Otherwise = SplitEdge(Before, Header);
    BasicBlock *Vectors =
        BasicBlock::Create(B.getContext(), Header->getName() + ".vector", Header->getParent(), Header);
    BranchInst::Create(Behind, Vectors);
    for (PHINode &Phi : Behind->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(Exit), Vectors);
    Before->getTerminator()->eraseFromParent();
    BranchInst::Create(Vectors, Otherwise, All, Before);
    Before = Vectors;
  }

  /// Into how many iterations a long loop is cut: as many as leave no rest, registers filled rather than more of them.
  static unsigned partOf(unsigned Times) {
    for (unsigned Of : {16u, 8u, 1u})
      for (unsigned Part = MostLanes; Part >= LeastOfPart; Part -= Of)
        if (Times % Part == 0)
          return Part;
    return 1;
  }

  static constexpr unsigned MostBlocks = 128;

  bool isConditional(const Instruction &I) const { return I.getParent() != L.getHeader() && I.getParent() != Latch; }
  bool isCarried(const PHINode &Phi) const { return Phi.getParent() == L.getHeader(); }
  bool isCounter(const PHINode &Phi) const {
    return isCarried(Phi) && none_of(Sums, [&](const Sum &S) { return S.Carried == &Phi; });
  }
  bool isInside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I);
  }

  bool takes(Instruction &I) {
    if (isReadBehind(I, L) && none_of(Sums, [&](const Sum &S) { return S.Last == &I; }))
      return false;
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      if (!isCarried(*Phi))
        return true;
      const bool Counts = stepOf(*Phi, L, SE);
      if (std::optional<Sum> Found = WithSums ? sumOf(*Phi, L) : std::nullopt;
          Found && !(Counts && Found->isReadInside() && !isReadBehind(*Found->Last, L))) {
        Sums.push_back(*Found);
        return true;
      }
      return Counts;
    }
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && add(I, Load->getPointerOperand(), Load->getType());
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple() && add(I, Store->getPointerOperand(), Store->getValueOperand()->getType());
    return isa<BranchInst, SwitchInst, GetElementPtrInst>(I) || isArithmetic(I);
  }

  bool isVectorOf(const Sum &S) {
    if (S.isReadInside() && (!areReadFirst() || (S.isFormer() && Last)))
      return false;
    return S.Adds                       ? isVectorInOrder(S)
           : S.Kind == RecurKind::AnyOf ? isVector(cast<SelectInst>(S.Last)->getCondition())
                                        : isVector(S.Last);
  }
  bool isOfSum(const Instruction &I) const {
    return any_of(Sums, [&](const Sum &S) { return &I == S.Adds || &I == S.Last; });
  }
  /// Whether more is done for what is added in order, if anything is, than to take the lanes of a vector apart.
  bool isWorthTaking() const {
    std::size_t Work = 0, Taken = 0;
    for (const Sum &S : Sums)
      (S.isInOrder() ? Taken : Work) += 1;
    auto isWork = [&](const Instruction &I) { // counters are not
      const Type *T = isa<CmpInst, CastInst>(I) ? I.getOperand(0)->getType() : I.getType();
      return isa<LoadInst>(I) || (isArithmetic(I) && T->isFloatingPointTy() && (isa<CallInst>(I) || !isOfSum(I)));
    };
    for (BasicBlock *Block : Order)
      Work += std::size_t(count_if(*Block, isWork));
    return Work >= 2 * Taken || any_of(All, [](const ElementAccess &A) { return A.isStore(); });
  }
  /// Whether all that is read of a variable is read in an iteration before anything is written.
  bool areReadFirst() const {
    SmallPtrSet<const AllocaInst *, 4> Written;
    return all_of(All, [&](const ElementAccess &A) {
      if (A.isStore())
        Written.insert(A.Variable);
      return A.isStore() || !Written.contains(A.Variable);
    });
  }
  bool isVectorInOrder(const Sum &S) {
    const auto New = S.addends();
    if (!all_of(New, [&](Value *V) { return isVector(V); }))
      return false;
    if (auto *Merge = dyn_cast<PHINode>(S.Last))
      return all_of(Merge->blocks(), [&](BasicBlock *From) { return isVectorMask(From); });
    auto *Choice = dyn_cast<SelectInst>(S.Last);
    return !Choice || isVector(Choice->getCondition());
  }

  bool add(Instruction &I, Value *Pointer, Type *T) {
    auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer));
    const auto Known = Variable ? Variable->getAllocationSize(I.getDataLayout()) : std::nullopt;
    if (!Known || !isStored(T))
      return false;
    const auto Size = std::int64_t(Known->getFixedValue());
    const std::int64_t Bytes = T->getScalarSizeInBits() / CHAR_BIT;
    const SCEV *Place = SE.getSCEV(Pointer);
    if (!Times || !isa<SCEVAddRecExpr>(Place))
      Place = WithoutWrap(SE, L, std::uint64_t(Size)).visit(Place);
    if (SE.isLoopInvariant(Place, &L)) {
      All.push_back({&I, Variable, Place, 0, Bytes, Size});
      return isa<LoadInst>(I);
    }
    auto *Moves = dyn_cast<SCEVAddRecExpr>(Place);
    auto *Stride =
        Moves && Moves->getLoop() == &L && Moves->isAffine() ? dyn_cast<SCEVConstant>(Moves->getOperand(1)) : nullptr;
    if (!Stride || Stride->getAPInt().getSignificantBits() > 32)
      return false;
    All.push_back({&I, Variable, Moves->getStart(), Stride->getAPInt().getSExtValue(), Bytes, Size});
    return All.back().Stride && All.back().Stride % Bytes == 0;
  }

  /// Where in its variable the first iteration's element is.
  const SCEV *offset(const ElementAccess &A) const {
    return SE.getMinusSCEV(A.First, SE.getSCEV(const_cast<AllocaInst *>(A.Variable)));
  }
  /// Bytes of the variable from there on, at least; less than 0: that is not known.
  std::int64_t bytesFrom(const ElementAccess &A) const {
    const SCEV *Offset = offset(A);
    if (isa<SCEVCouldNotCompute>(Offset))
      return -1;
    const APInt Most = SE.getUnsignedRangeMax(Offset);
    return Most.getActiveBits() > 31 ? -1 : A.Size - std::int64_t(Most.getZExtValue());
  }

  /// As many iterations as there are elements, where how many run is known at run time.
  bool takesLast() {
    Last = SE.getBackedgeTakenCount(&L);
    if (isa<SCEVCouldNotCompute>(Last) || !Last->getType()->isIntegerTy() ||
        SE.getTypeSizeInBits(Last->getType()) < 8 || !Expander.isSafeToExpand(Last))
      return false;
    std::int64_t Most = MostLanes + 1, Least = LeastIterations;
    for (const ElementAccess &A : All) {
      if (!A.Stride || isConditional(*A.I))
        continue;
      std::int64_t Room = A.Size - A.Bytes;
      if (std::optional<std::int64_t> Offset = offsetOf(A)) {
        Room = A.Stride > 0 ? Room - *Offset : *Offset;
      } else if (A.isStore() || std::abs(A.Stride) != A.Bytes || A.Size % A.Bytes || A.Size > MostBytesWithRoom ||
                 any_of(Sums, [](const Sum &S) { return S.isInOrder(); })) {
        return false;
      } else {
        Least = LeastLanesWithRoom;
      }
      Most = std::min(Most, Room < 0 ? 0 : Room / std::abs(A.Stride) + 1);
    }
    Times = Most >= Least && Most <= MostLanes ? unsigned(Most) : 0;
    return Times;
  }

  /// Whether all iterations' elements exist, where not all of them are asked for, or it is known which ones do.
  bool isThere(const ElementAccess &A) const {
    return !isConditional(*A.I) || (A.Stride >= 0 && bytesFrom(A) >= std::int64_t(Times - 1) * A.Stride + A.Bytes) ||
           (A.Stride > 0 && offsetOf(A));
  }
  /// Where in its variable it begins, which may be in front of that.
  std::optional<std::int64_t> offsetOf(const ElementAccess &A) const {
    auto *Offset = dyn_cast<SCEVConstant>(offset(A));
    if (!Offset || Offset->getAPInt().getSignificantBits() > 32)
      return std::nullopt;
    return Offset->getAPInt().getSExtValue();
  }
  /// Which of the lanes that are written have an element: from one on, so many.
  std::pair<unsigned, unsigned> lanesThere(const ElementAccess &A) const {
    const std::optional<std::int64_t> Offset = isConditional(*A.I) ? offsetOf(A) : std::nullopt;
    if (!Offset)
      return {0, Lanes};
    const std::int64_t From = *Offset + std::int64_t(First) * A.Stride;
    const std::int64_t Begin = From < 0 ? divideCeil(-From, A.Stride) : 0;
    const std::int64_t End = From + A.Bytes > A.Size ? 0 : (A.Size - A.Bytes - From) / A.Stride + 1;
    const std::int64_t Count = std::min<std::int64_t>(End, Lanes) - Begin;
    return {unsigned(Begin), unsigned(std::max<std::int64_t>(Count, 0))};
  }

  /// Whether a place is computed from counters only.
  bool isOfCounter(Value *V) {
    if (!isInside(V) || !OfCounters.insert(V).second)
      return true;
    if (auto *Phi = dyn_cast<PHINode>(V))
      return isCounter(*Phi);
    auto *I = cast<Instruction>(V);
    return !isa<LoadInst>(I) &&
           all_of(I->operands(), [&](Value *Operand) { return isa<Function>(Operand) || isOfCounter(Operand); });
  }

  /// Whether all lanes of each access may follow all lanes of the one before it, or that can be asked.
  bool areIndependent() {
    std::optional<SmallVector<Distance, 2>> Found = whenInOrder(All, isLong() ? Part : Times, SE);
    if (!Found || Found->size() > MostConditions)
      return false;
    Conditions = *Found;
    return Conditions.empty() ||
           (MayAsk && !isLong() && Sums.empty() && !getBooleanLoopAttribute(&L, OtherwiseMark) &&
            all_of(Conditions, [&](const Distance &D) { return Expander.isSafeToExpand(D.Bytes); }));
  }

  /// Whether there is a vector of what it is in each iteration.
  bool isVector(Value *V) {
    if (!isInside(V))
      return isElement(V->getType());
    if (!OfVectors.insert(V).second)
      return true;
    auto *I = cast<Instruction>(V);
    if (!isElement(I->getType()) || (!isa<PHINode, LoadInst>(I) && !isArithmetic(*I)))
      return false;
    if (auto *Phi = dyn_cast<PHINode>(I); Phi && !isCarried(*Phi))
      return all_of(Phi->blocks(), [&](BasicBlock *From) { return isVectorMask(From); }) &&
             all_of(Phi->incoming_values(), [&](Value *Incoming) { return isVector(Incoming); });
    return isa<PHINode, LoadInst>(I) ||
           all_of(I->operands(), [&](Value *Operand) { return isa<Function>(Operand) || isVector(Operand); });
  }
  /// Of the conditions that lead to a block, and from it.
  bool isVectorMask(BasicBlock *Block) {
    if (!OfVectors.insert(Block).second)
      return true;
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    auto *Switch = dyn_cast<SwitchInst>(Block->getTerminator());
    Value *Condition = Switch ? Switch->getCondition() : Branch->isConditional() ? Branch->getCondition() : nullptr;
    if (Block != Latch && Condition && !isVector(Condition))
      return false;
    return Block == L.getHeader() || all_of(predecessors(Block), [&](BasicBlock *From) { return isVectorMask(From); });
  }

  /// Up to these iterations.
  Value *total(const Sum &S) const {
    Value *Now = Totals.lookup(S.Carried);
    return Now ? Now : begin(*S.Carried);
  }
  /// Whether the total may be added more than once.
  static bool isIdempotent(RecurKind Kind) {
    return RecurrenceDescriptor::isMinMaxRecurrenceKind(Kind) || Kind == RecurKind::And || Kind == RecurKind::Or;
  }
  /// What each lane begins with.
  Value *initial(const Sum &S) const {
    return isIdempotent(S.Kind) ? total(S) : getRecurrenceIdentity(S.Kind, S.Carried->getType(), FastMathFlags());
  }
  /// The lanes to the total.
  void add(const Sum &S) {
    Value *Some = vector(S.Last);
    if (Value *On = maskOf(L.getHeader()))
      Some = B.CreateSelect(On, Some, B.CreateVectorSplat(Lanes, initial(S)));
    if (const unsigned Padded = unsigned(NextPowerOf2(Lanes - 1)); Padded != Lanes) // halves of halves have no rest
      Some = RegionWrite::create(B, B.CreateVectorSplat(Padded, initial(S)), Some, Region::contiguous(int(Lanes)));
    Some = createSimpleReduction(B, Some, S.Kind);
    if (!isIdempotent(S.Kind))
      Some = B.CreateBinOp(Instruction::BinaryOps(RecurrenceDescriptor::getOpcode(S.Kind)), total(S), Some);
    Totals[S.Carried] = Some;
  }

  /// What it was, or becomes when the condition is true in a lane.
  void choose(const Sum &S) {
    Value *Any = B.CreateOrReduce(maskOf(S));
    Totals[S.Carried] = B.CreateSelect(Any, S.chosen(), total(S));
  }
  /// In which iterations something is added in order, or chosen; null: in all.
  Value *maskOf(const Sum &S) {
    if (auto *Merge = dyn_cast<PHINode>(S.Last)) {
      SmallVector<Value *, 2> Masks;
      for (auto [Incoming, From] : zip(Merge->incoming_values(), Merge->blocks()))
        if (Incoming == S.Adds)
          Masks.push_back(maskOf(From, Merge->getParent()));
      return std::accumulate(Masks.begin() + 1, Masks.end(), Masks[0],
                             [&](Value *One, Value *Two) { return orElse(One, Two); });
    }
    Value *Mask = maskOf(L.getHeader());
    auto *Choice = dyn_cast<SelectInst>(S.Last);
    if (!Choice)
      return Mask;
    Value *Chosen = vector(Choice->getCondition());
    if (Choice->getTrueValue() == S.Carried)
      Chosen = B.CreateNot(Chosen);
    return Mask ? B.CreateAnd(Mask, Chosen) : Chosen;
  }
  void finish(const Sum &S) {
    if (S.isInOrder())
      addInOrder(S);
    else if (S.isReadInside())
      Totals[S.Carried] = B.CreateExtractElement(vector(S.Last), B.getInt32(Lanes - 1));
    else
      S.isOfLanes() ? add(S) : choose(S);
  }

  /// Lanes moved up by some, behind others.
  Value *moveUp(Value *V, Value *Others, unsigned By) {
    const auto Rest = int(Lanes - By);
    Value *Moved = RegionRead::create(B, FixedVectorType::get(V->getType()->getScalarType(), unsigned(Rest)), V,
                                      Region::contiguous(Rest));
    return RegionWrite::create(B, Others, Moved, Region::contiguous(Rest, int(By)));
  }
  /// What a sum is as far as each lane: sums of 2, 4, 8 ... lanes that end in each.
  void addUp(const Sum &S) {
    B.SetCurrentDebugLocation(S.Adds->getDebugLoc());
    Value *New = vector(S.addends()[0]);
    if (S.Adds->getOpcode() == Instruction::Sub)
      New = B.CreateNeg(New);
    Value *Nothing = B.CreateVectorSplat(Lanes, getRecurrenceIdentity(S.Kind, S.Carried->getType(), FastMathFlags()));
    if (Value *On = maskOf(S))
      New = B.CreateSelect(On, New, Nothing);
    auto put = [&](Value *One, Value *Two) -> Value * {
      if (RecurrenceDescriptor::isMinMaxRecurrenceKind(S.Kind))
        return B.CreateBinaryIntrinsic(getMinMaxReductionIntrinsicOp(S.Kind), One, Two);
      return B.CreateBinOp(Instruction::BinaryOps(RecurrenceDescriptor::getOpcode(S.Kind)), One, Two);
    };
    for (unsigned By = 1; By < Lanes; By *= 2)
      New = put(New, moveUp(New, Nothing, By));
    Value *Before = B.CreateVectorSplat(Lanes, total(S));
    New = put(Before, New);
    Vectors[S.Last] = New;
    Vectors[S.Carried] = moveUp(New, Before, 1);
  }

  /// The lanes to the total, one after another.
  void addInOrder(const Sum &S) {
    B.SetCurrentDebugLocation(S.Adds->getDebugLoc());
    IRBuilderBase::FastMathFlagGuard Guard(B);
    B.setFastMathFlags(S.Adds->getFastMathFlags());
    const auto Factors = S.addends();
    Value *New = vector(Factors[0]);
    if (Factors.size() > 1)
      New = B.CreateFMul(New, vector(Factors[1]));
    if (Value *On = maskOf(S)) // -0 changes nothing that it is added to
      New = B.CreateSelect(On, New, ConstantFP::getNegativeZero(New->getType()));
    Value *Total = total(S);
    for (unsigned Lane = 0; Lane < Lanes; ++Lane)
      Total = B.CreateFAdd(Total, B.CreateExtractElement(New, B.getInt32(Lane)));
    Totals[S.Carried] = Total;
  }

  Type *vectorOf(Type *Element) const { return FixedVectorType::get(Element, Lanes); }

  void access(const ElementAccess &A) {
    Value *On = maskOf(A.I->getParent());
    B.SetCurrentDebugLocation(A.I->getDebugLoc());
    Value *Place = scalar(getLoadStorePointerOperand(A.I));
    if (A.Stride == 0) {
      Vectors[A.I] = B.CreateVectorSplat(Lanes, B.CreateAlignedLoad(A.I->getType(), Place, getLoadStoreAlignment(A.I)));
      return;
    }
    const auto [Begin, Count] = lanesThere(A);
    auto *Store = dyn_cast<StoreInst>(A.I);
    Type *T = Store ? Store->getValueOperand()->getType() : A.I->getType();
    if (Count < Lanes)
      Place = B.CreatePtrAdd(const_cast<AllocaInst *>(A.Variable),
                             B.getInt64(std::uint64_t(*offsetOf(A) + std::int64_t(First + Begin) * A.Stride)));
    const bool Dense = std::abs(A.Stride) == A.Bytes, Down = A.Stride < 0;
    const SmallVector<Value *, 3> Rows{B.getInt64(Dense ? 0 : std::uint64_t(std::abs(A.Stride))),
                                       B.getInt32(Dense ? Count : 1), B.getInt32(1)};
    if (Down)
      Place = B.CreatePtrAdd(Place, B.getInt64(std::uint64_t(std::int64_t(Lanes - 1) * A.Stride)));
    const Region There = Region::contiguous(int(Count), int(Begin));
    auto readAll = [&] {
      if (Last && !isConditional(*A.I) && !offsetOf(A))
        return readWithRoom(A, T);
      Value *All = Constant::getNullValue(vectorOf(T));
      if (!Count)
        return All;
      Value *Read = createOperation(B, Op::MemoryRead, FixedVectorType::get(T, Count),
                                    {Place, Rows[0], Rows[1], Rows[2], B.getInt32(0)});
      if (Down)
        Read = B.CreateVectorReverse(Read);
      return Count < Lanes ? RegionWrite::create(B, All, Read, There) : Read;
    };
    if (!Store) {
      Vectors[A.I] = readAll();
      return;
    }
    if (!Count)
      return;
    Value *New = vector(Store->getValueOperand());
    if (On)
      New = B.CreateSelect(On, New, readAll());
    if (Count < Lanes)
      New = RegionRead::create(B, FixedVectorType::get(T, Count), New, There);
    if (Down)
      New = B.CreateVectorReverse(New);
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), {Place, New, Rows[0], Rows[1], Rows[2]});
  }

  /// Elements from a place on that is known at run time, where not all iterations run: of a copy of the variable with
  /// room for the others.
  Value *readWithRoom(const ElementAccess &A, Type *T) {
    const bool Down = A.Stride < 0;
    const auto Count = unsigned(A.Size / A.Bytes);
    auto *Wide = FixedVectorType::get(T, Count + Times), *Its = FixedVectorType::get(T, Count);
    auto *Variable = const_cast<AllocaInst *>(A.Variable);
    AllocaInst *Copy = IRBuilder<>(Variable->getNextNode()).CreateAlloca(Wide);
    auto rows = [&](unsigned Width) { return std::array<Value *, 3>{B.getInt64(0), B.getInt32(Width), B.getInt32(1)}; };
    const auto OfIts = rows(Count), OfCopy = rows(Count + Times), OfLanes = rows(Lanes);
    Value *Elements = createOperation(B, Op::MemoryRead, Its, {Variable, OfIts[0], OfIts[1], OfIts[2], B.getInt32(0)});
    Elements = RegionWrite::create(B, Constant::getNullValue(Wide), Elements,
                                   Region::contiguous(int(Count), Down ? int(Times) : 0));
    createOperation(B, Op::MemoryWrite, B.getVoidTy(), {Copy, Elements, OfCopy[0], OfCopy[1], OfCopy[2]});
    Value *Place = Expander.expandCodeFor(offset(A), B.getInt64Ty(), B.GetInsertPoint());
    Place = B.CreatePtrAdd(Copy, Down ? B.CreateAdd(Place, B.getInt64(std::uint64_t(A.Bytes))) : Place);
    Value *Read =
        createOperation(B, Op::MemoryRead, vectorOf(T), {Place, OfLanes[0], OfLanes[1], OfLanes[2], B.getInt32(0)});
    return Down ? B.CreateVectorReverse(Read) : Read;
  }

  /// In which iterations a block runs; null: in all.
  Value *maskOf(BasicBlock *Block) {
    if (auto Known = Masks.find(Block); Known != Masks.end())
      return Known->second;
    Value *Mask = nullptr;
    if (Block == Latch && Block != L.getHeader())
      Mask = maskOf(L.getHeader());
    else if (Block != L.getHeader())
      for (BasicBlock *From : predecessors(Block)) {
        Value *Edge = maskOf(From, Block);
        Mask = From == *pred_begin(Block) ? Edge : orElse(Mask, Edge);
        if (!Mask) // it always comes here
          break;
      }
    return Masks[Block] = Mask;
  }
  Value *maskOf(BasicBlock *From, BasicBlock *To) {
    Value *Mask = maskOf(From);
    if (auto *Switch = dyn_cast<SwitchInst>(From->getTerminator())) {
      Value *Taken = maskOf(*Switch, To);
      return Mask ? B.CreateAnd(Mask, Taken) : Taken;
    }
    auto *Branch = cast<BranchInst>(From->getTerminator());
    if (Branch->isUnconditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return Mask;
    Value *Taken = vector(Branch->getCondition());
    if (Branch->getSuccessor(0) != To)
      Taken = B.CreateNot(Taken);
    return Mask ? B.CreateAnd(Mask, Taken) : Taken;
  }

  /// In which a switch goes there.
  Value *maskOf(const SwitchInst &From, const BasicBlock *To) {
    const bool Else = From.getDefaultDest() == To; // but in the cases that go elsewhere
    Value *Of = vector(From.getCondition()), *Any = ConstantInt::getFalse(vectorOf(B.getInt1Ty()));
    for (const auto &Case : From.cases())
      if ((Case.getCaseSuccessor() == To) != Else)
        Any = B.CreateOr(Any, B.CreateICmpEQ(Of, ConstantInt::get(Of->getType(), Case.getCaseValue()->getValue())));
    return Else ? B.CreateNot(Any) : Any;
  }

  /// What it is in all iterations.
  Value *vector(Value *V) {
    if (!isInside(V))
      return B.CreateVectorSplat(Lanes, V);
    auto *I = cast<Instruction>(V);
    if (Value *Known = Vectors.lookup(I))
      return Known;
    for (const Sum &S : Sums) {
      if (S.isFormer() && I == S.Carried)
        return Vectors[I] = moveUp(vector(S.Last), B.CreateVectorSplat(Lanes, total(S)), 1);
      if (S.isRunning() && is_contained(ArrayRef<Instruction *>{S.Carried, S.Last, S.Adds}, I)) {
        addUp(S);
        return Vectors[I == S.Adds ? S.Last : I];
      }
    }
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Vectors[I] = isCounter(*Phi) ? counter(*Phi) : chosen(*Phi);
    SmallVector<Value *, 3> Operands;
    for (Value *Operand : isa<CallInst>(I) ? SmallVector<Value *, 3>(cast<CallInst>(I)->args())
                                           : SmallVector<Value *, 3>(I->operand_values()))
      Operands.push_back(isForAll(Operand, *I) ? Operand : vector(Operand));
    if (Value *On = I->isIntDivRem() ? maskOf(I->getParent()) : nullptr; On && !isa<Constant>(I->getOperand(1)))
      Operands[1] = B.CreateSelect(On, Operands[1], ConstantInt::get(Operands[1]->getType(), 1)); // others may be zero
    Instruction *Wide = nullptr;
    if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
      Wide = B.CreateIntrinsic(Call->getIntrinsicID(), {vectorOf(I->getType())}, Operands);
      Wide->copyIRFlags(I);
    } else {
      Wide = I->clone();
      for (auto [N, Operand] : enumerate(Operands))
        Wide->setOperand(unsigned(N), Operand);
      Wide->mutateType(vectorOf(I->getType()));
      Wide->dropUnknownNonDebugMetadata();
      if (any_of(Sums, [](const Sum &S) { return S.isOfLanes(); })) // in another order they may overflow
        Wide->dropPoisonGeneratingFlags();
      B.Insert(Wide);
    }
    return Vectors[I] = Wide;
  }

  /// A value by the way that leads to it: the one that most ways bring, but on the others.
  Value *chosen(PHINode &Phi) {
    MapVector<Value *, SmallVector<BasicBlock *, 4>> Ways;
    for (auto [Incoming, From] : zip(Phi.incoming_values(), Phi.blocks()))
      Ways[Incoming].push_back(From);
    const auto *Most = max_element(Ways, [](auto &A, auto &B) { return A.second.size() < B.second.size(); });
    Value *All = vector(Most->first);
    for (const auto &[Incoming, From] : Ways) {
      if (Incoming == Most->first)
        continue;
      Value *Other = vector(Incoming), *On = maskOf(From[0], Phi.getParent());
      for (BasicBlock *Next : drop_begin(From))
        if (On)
          On = orElse(On, maskOf(Next, Phi.getParent()));
      All = On ? B.CreateSelect(On, Other, All) : Other;
    }
    return All;
  }
  /// In which iterations one of two masks is on; null is in all.
  Value *orElse(Value *One, Value *Two) { return One && Two ? B.CreateOr(One, Two) : nullptr; }

  /// What it is in the first iteration of these.
  Value *scalar(Value *V) {
    if (!isInside(V))
      return V;
    auto *I = cast<Instruction>(V);
    if (Value *Known = Scalars.lookup(I))
      return Known;
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Scalars[I] = B.CreateAdd(begin(*Phi), counts(*stepOf(*Phi, L, SE))->getAggregateElement(0U));
    SmallVector<Value *, 4> Operands;
    for (Value *Operand : I->operands())
      Operands.push_back(scalar(Operand));
    Instruction *Copy = I->clone();
    for (auto [N, Operand] : enumerate(Operands))
      Copy->setOperand(unsigned(N), Operand);
    return Scalars[I] = B.Insert(Copy);
  }

  /// What a counter or sum begins with.
  Value *begin(const PHINode &Phi) const { return Phi.getIncomingValue(Phi.getIncomingBlock(0) == Latch); }
  Value *counter(PHINode &Phi) {
    return B.CreateAdd(B.CreateVectorSplat(Lanes, begin(Phi)), counts(*stepOf(Phi, L, SE)));
  }
  /// How far a counter has counted.
  Constant *counts(const APInt &Step) const {
    SmallVector<Constant *, 64> All;
    for (unsigned N = 0; N < Lanes; ++N)
      All.push_back(
          ConstantInt::get(L.getHeader()->getContext(), Step * APInt(Step.getBitWidth(), First + N, false, true)));
    return ConstantVector::get(All);
  }

  Loop &L;
  ScalarEvolution &SE;
  bool WithSums; ///< Whether it may carry some.
  bool MayAsk;   ///< Whether it may stay as well, for elements that turn out to be written by an earlier iteration.
  BasicBlock *Before, *Behind, *Latch;
  unsigned Times, Part;       ///< Iterations, and those that a vector is of where there are many.
  const SCEV *Last = nullptr; ///< The number of the last iteration, where it is known at run time.
  LoopBlocksRPO Order;
  SCEVExpander Expander;
  SmallVector<ElementAccess, 8> All;   ///< In order.
  SmallVector<Distance, 2> Conditions; ///< Under which iterations do not depend on each other.
  SmallVector<Sum, 2> Sums;
  DenseMap<PHINode *, Value *> Totals; ///< Up to the iterations that are written.
  /// What has been asked about, once: where one answer is no, the loop is left alone.
  SmallPtrSet<Value *, 32> OfVectors, OfCounters;
  IRBuilder<> B{L.getHeader()->getContext()};
  unsigned First = 0, Lanes = 0; ///< Iterations that are written.
  DenseMap<Instruction *, Value *> Vectors, Scalars;
  DenseMap<BasicBlock *, Value *> Masks;
};

void remark(const Loop &L, unsigned Times) {
  OptimizationRemarkEmitter Emitter(L.getHeader()->getParent());
  Emitter.emit([&] {
    return OptimizationRemark("vectorize-elements", "Vectorized", L.getStartLoc(), L.getHeader())
           << "loop over elements became operations on vectors of " + std::to_string(std::min(Times, MostLanes));
  });
}

/// Vectorizes a loop, if there is one.
bool vectorizeOne(LoopAnalyses &Now, bool WithSums, bool MayAsk = false) {
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (ElementLoop Elements(*L, Now.Loops, Now.SE, WithSums, MayAsk); Elements.isVector()) {
      if (Elements.isLong()) {
        cutLoop(*L, Now.SE, Elements.times(), Elements.part());
      } else {
        remark(*L, Elements.times());
        if (Elements.hasConditions())
          closeLoop(*L, Now);
        Elements.vectorize();
      }
      return true;
    }
  return false;
}

/// What calls give that depend on nothing, as that for a thread's place, is asked for in front of loops that ask
/// anyway.
bool askBefore(Function &F) {
  bool Changed = false;
  LoopAnalyses Now(F);
  const auto Loops = Now.Loops.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) { // inner ones first
    BasicBlock *Before = L->getLoopPreheader(), *Latch = L->getLoopLatch();
    if (!Before || !Latch || L->getExitingBlock() != Latch)
      continue;
    for (BasicBlock *Block : L->blocks())
      for (Instruction &I : make_early_inc_range(*Block)) {
        auto *Call = dyn_cast<CallInst>(&I);
        if ((isa<ExtractElementInst>(I) || (Call && Call->doesNotAccessMemory() && Call->doesNotThrow() &&
                                            Call->willReturn() && !Call->isConvergent())) &&
            L->hasLoopInvariantOperands(&I) && Now.Dominators.dominates(Block, Latch)) {
          I.moveBefore(Before->getTerminator()->getIterator());
          Changed = true;
        }
      }
  }
  return Changed;
}

/// One loop of a function, after which all is looked at again.
bool improve(Function &F) {
  LoopAnalyses Now(F);
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (decidesNumbers(*L, Now.SE))
      return unroll(*L, Now);
  if (vectorizeOne(Now, /*WithSums=*/false))
    return true;
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (isInsideElements(*L, Now.SE)) {
      BasicBlock *Outer = L->getParentLoop()->getHeader();
      if (!unroll(*L, Now))
        return false;
      while (BasicBlock *Next = Outer->getSingleSuccessor())
        if (!MergeBlockIntoPredecessor(Next))
          break;
      return true;
    }
  return vectorizeOne(Now, /*WithSums=*/true) || vectorizeOne(Now, /*WithSums=*/false, /*MayAsk=*/true);
}

} // namespace

bool vectorizeElements(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    while (foldPhis(F))
      Changed = true;
    Changed |= askBefore(F);
    while (improve(F))
      Changed = true;
  }
  return Changed;
}

} // namespace pocm
