//===- VectorizeElements.cpp - Loops over elements become operations on vectors ------------------===//
//
//     for (int j = 0; j < 16; ++j)                %x = cm.region.read(&a(i, 0), i64 0, i32 16, i32 1, ..)
//       r(j, i) = a(i, j) * 2 + j;          ->    %y = fmul <16 x float> %x, splat 2
//                                                 %z = fadd <16 x float> %y, <0, 1, 2, ..>
//                                                 cm.region.write(&r(0, i), %z, i64 64, i32 1, i32 1)
//
// What is written element by element is what CM's vectors are made for: an instruction for all of them on Gen, whole
// registers elsewhere. Iterations must not depend on each other: no element is read that an earlier one has written,
// and sums of floats keep their order. Loops inside, as that over k in a product of matrices, are unrolled first where
// they are small.
//
// Needs:    loops in LLVM's simple form with counters (loop-rotate, indvars), variables still in memory.
// Leaves:   loops whose number of iterations is not a constant, which carry a value, or with stores under conditions.
//
//===----------------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned LeastTimes = 4, MostTimes = 256; ///< Iterations.
constexpr unsigned MostLanes = 64;                  ///< Of a vector; the iterations behind them follow.
constexpr unsigned MostUnrolled = 512;              ///< Instructions of a loop inside, and iterations together.

/// What the analyses of a function say, until it changes.
struct Analyses {
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  TargetLibraryInfo Functions;
  ScalarEvolution SE;

  Analyses(Function &F, const TargetLibraryInfoImpl &Library)
      : Dominators(F), Loops(Dominators), Assumptions(F), Functions(Library, &F),
        SE(F, Functions, Assumptions, Dominators, Loops) {}
};

bool isElement(const Type *T) {
  return (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) || T->isFloatTy() || T->isHalfTy() || T->isDoubleTy();
}
/// Of which a vector may be stored as it is.
bool isStored(const Type *T) { return isElement(T) && T->getScalarSizeInBits() % CHAR_BIT == 0; }

/// Intrinsics that do to each element what they do to one, with a type of their own for the result alone.
bool isElementWise(const IntrinsicInst &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
    return true;
  default:
    return false;
  }
}

bool isComputed(const Instruction &I) {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return isElementWise(*Call);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return isElement(Cast->getSrcTy()) && isElement(Cast->getDestTy());
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, FreezeInst>(I);
}

/// A load or store of a loop: in iteration n at `First` + n * `Stride` bytes of `Variable`.
struct Access {
  Instruction *I;
  const AllocaInst *Variable;
  const SCEV *First;
  std::int64_t Stride, Bytes;
  bool isStore() const { return isa<StoreInst>(I); }
};

/// A loop without others in it.
class ElementLoop {
public:
  ElementLoop(Loop &L, ScalarEvolution &SE)
      : L(L), SE(SE), Body(L.getHeader()), Before(L.getLoopPreheader()), Behind(L.getExitBlock()),
        Times(SE.getSmallConstantTripCount(&L)) {}

  bool isVector() {
    if (!L.isInnermost() || L.getNumBlocks() != 1 || !Before || !Behind || Times < LeastTimes || Times > MostTimes)
      return false;
    for (Instruction &I : *Body)
      if (!takes(I))
        return false;
    return any_of(All, [](const Access &A) { return A.isStore(); }) && areIndependent() &&
           all_of(All,
                  [&](const Access &A) { return !A.isStore() || isVector(cast<StoreInst>(A.I)->getValueOperand()); });
  }

  /// The same without a loop.
  void vectorize() {
    B.SetInsertPoint(Before->getTerminator());
    for (unsigned Start = 0; Start < Times; Start += MostLanes) {
      First = Start;
      Lanes = std::min(Times - Start, MostLanes);
      Vectors.clear();
      Scalars.clear();
      for (const Access &A : All)
        access(A);
    }
    Before->getTerminator()->eraseFromParent();
    BranchInst::Create(Behind, Before);
    Behind->replacePhiUsesWith(Body, Before);
    DeleteDeadBlock(Body);
  }

  unsigned times() const { return Times; }

private:
  bool takes(Instruction &I) {
    if (any_of(I.users(), [&](User *U) { return cast<Instruction>(U)->getParent() != Body; }))
      return false;
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      auto *Count = SE.isSCEVable(Phi->getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Phi)) : nullptr;
      return Phi->getType()->isIntegerTy() && Count && Count->getLoop() == &L && Count->isAffine() &&
             isa<SCEVConstant>(Count->getStart()) && isa<SCEVConstant>(Count->getOperand(1));
    }
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && add(I, Load->getPointerOperand(), Load->getType());
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->isSimple() && add(I, Store->getPointerOperand(), Store->getValueOperand()->getType());
    return I.isTerminator() || isa<GetElementPtrInst>(I) || isComputed(I);
  }

  bool add(Instruction &I, Value *Pointer, Type *T) {
    auto *Variable = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer));
    if (!Variable || !isStored(T))
      return false;
    const std::int64_t Bytes = T->getScalarSizeInBits() / CHAR_BIT;
    const SCEV *Place = SE.getSCEV(Pointer);
    if (SE.isLoopInvariant(Place, &L)) {
      All.push_back({&I, Variable, Place, 0, Bytes});
      return isa<LoadInst>(I);
    }
    auto *Moves = dyn_cast<SCEVAddRecExpr>(Place);
    auto *Stride =
        Moves && Moves->getLoop() == &L && Moves->isAffine() ? dyn_cast<SCEVConstant>(Moves->getOperand(1)) : nullptr;
    if (!Stride || Stride->getAPInt().getSignificantBits() > 32)
      return false;
    All.push_back({&I, Variable, Moves->getStart(), Stride->getAPInt().getSExtValue(), Bytes});
    return All.back().Stride > 0 && All.back().Stride % Bytes == 0;
  }

  /// Whether all lanes of each access may follow all lanes of the one before it.
  bool areIndependent() const {
    for (auto [N, Store] : enumerate(All)) {
      if (!Store.isStore())
        continue;
      for (auto [M, Other] : enumerate(All)) {
        if (Other.Variable != Store.Variable || M == N)
          continue;
        auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Store.First, Other.First));
        if (!Apart || Apart->getAPInt().getSignificantBits() > 32)
          return false;
        const std::int64_t First = Apart->getAPInt().getSExtValue();
        for (std::int64_t One = 0; One < Times; ++One) // iteration of the store, and of the other
          for (std::int64_t Two = 0; Two < Times; Two += One && Store.Stride == Other.Stride ? Times : 1) {
            const std::int64_t Offset = First + One * Store.Stride - Two * Other.Stride;
            const bool Meet = Offset < Other.Bytes && -Offset < Store.Bytes;
            const bool InOrder = One == Two || (One > Two && M < N && !Other.isStore());
            if (Meet && !InOrder)
              return false;
          }
      }
    }
    return true;
  }

  /// Whether there is a vector of what it is in each iteration.
  bool isVector(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != Body)
      return isElement(V->getType());
    if (!isElement(I->getType()) || (!isa<PHINode, LoadInst>(I) && !isComputed(*I)))
      return false;
    return isa<PHINode, LoadInst>(I) ||
           all_of(I->operands(), [&](Value *Operand) { return isa<Function>(Operand) || isVector(Operand); });
  }

  Type *vectorOf(Type *Element) const { return FixedVectorType::get(Element, Lanes); }

  void access(const Access &A) {
    B.SetCurrentDebugLocation(A.I->getDebugLoc());
    Value *Place = scalar(getLoadStorePointerOperand(A.I));
    const bool Dense = A.Stride == A.Bytes;
    SmallVector<Value *, 6> Region{B.getInt64(Dense ? 0 : std::uint64_t(A.Stride)), B.getInt32(Dense ? Lanes : 1),
                                   B.getInt32(1)};
    if (auto *Store = dyn_cast<StoreInst>(A.I)) {
      SmallVector<Value *, 6> Operands{Place, vector(Store->getValueOperand())};
      Operands.append(Region);
      createOperation(B, Op::MemoryWrite, B.getVoidTy(), Operands);
    } else if (A.Stride == 0) {
      Vectors[A.I] = B.CreateVectorSplat(Lanes, B.CreateAlignedLoad(A.I->getType(), Place, getLoadStoreAlignment(A.I)));
    } else {
      Region.insert(Region.begin(), Place);
      Region.push_back(B.getInt32(0));
      Vectors[A.I] = createOperation(B, Op::MemoryRead, vectorOf(A.I->getType()), Region);
    }
  }

  /// What it is in all iterations.
  Value *vector(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != Body)
      return B.CreateVectorSplat(Lanes, V);
    if (Value *Known = Vectors.lookup(I))
      return Known;
    Value *Made = nullptr;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      SmallVector<Constant *, 64> Counts;
      for (unsigned N = 0; N < Lanes; ++N)
        Counts.push_back(countIn(*Phi, First + N));
      Made = ConstantVector::get(Counts);
    } else {
      Instruction *Wide = I->clone();
      if (auto *Call = dyn_cast<IntrinsicInst>(I)) {
        SmallVector<Value *, 3> Arguments;
        for (Value *Argument : Call->args())
          Arguments.push_back(vector(Argument));
        Wide->deleteValue();
        Wide = B.CreateIntrinsic(Call->getIntrinsicID(), {vectorOf(I->getType())}, Arguments);
        Wide->copyIRFlags(I);
      } else {
        SmallVector<Value *, 3> Operands;
        for (Value *Operand : I->operands())
          Operands.push_back(vector(Operand));
        for (auto [N, Operand] : enumerate(Operands))
          Wide->setOperand(unsigned(N), Operand);
        Wide->mutateType(vectorOf(I->getType()));
        Wide->dropUnknownNonDebugMetadata();
        B.Insert(Wide);
      }
      Made = Wide;
    }
    return Vectors[I] = Made;
  }

  /// What it is in the first iteration of these.
  Value *scalar(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != Body)
      return V;
    if (Value *Known = Scalars.lookup(I))
      return Known;
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Scalars[I] = countIn(*Phi, First);
    SmallVector<Value *, 4> Operands;
    for (Value *Operand : I->operands())
      Operands.push_back(scalar(Operand));
    Instruction *Copy = I->clone();
    for (auto [N, Operand] : enumerate(Operands))
      Copy->setOperand(unsigned(N), Operand);
    return Scalars[I] = B.Insert(Copy);
  }

  Constant *countIn(PHINode &Phi, unsigned Iteration) const {
    auto *Count = cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    const APInt Start = cast<SCEVConstant>(Count->getStart())->getAPInt();
    const APInt Step = cast<SCEVConstant>(Count->getOperand(1))->getAPInt();
    return ConstantInt::get(Phi.getType(), Start + Step * APInt(Start.getBitWidth(), Iteration, false, true));
  }

  Loop &L;
  ScalarEvolution &SE;
  BasicBlock *Body, *Before, *Behind;
  unsigned Times;
  SmallVector<Access, 8> All; ///< In order.
  IRBuilder<> B{Body->getContext()};
  unsigned First = 0, Lanes = 0; ///< Iterations that are written.
  DenseMap<Instruction *, Value *> Vectors, Scalars;
};

/// Whether a loop is inside one over elements: then that one may be all vectors, once this one is unrolled.
bool isInsideElements(const Loop &L, ScalarEvolution &SE) {
  const Loop *Outer = L.getParentLoop();
  const unsigned Times = SE.getSmallConstantTripCount(&L);
  if (!Outer || !L.isInnermost() || L.getNumBlocks() != 1 || !L.getLoopPreheader() || !Times)
    return false;
  const unsigned Around = SE.getSmallConstantTripCount(Outer);
  if (Around < LeastTimes || Around > MostTimes || Times * L.getHeader()->size() > MostUnrolled)
    return false;
  return all_of(Outer->blocks(), [&](BasicBlock *Block) {
    return all_of(*Block, [&](Instruction &I) {
      return isa<LoadInst, StoreInst, GetElementPtrInst, PHINode, BranchInst>(I) || isComputed(I);
    });
  });
}

void remark(const Loop &L, unsigned Times) {
  OptimizationRemarkEmitter Emitter(L.getHeader()->getParent());
  Emitter.emit([&] {
    return OptimizationRemark("vectorize-elements", "Vectorized", L.getStartLoc(), L.getHeader())
           << "loop over elements became operations on vectors of " + std::to_string(std::min(Times, MostLanes));
  });
}

/// One loop of a function, after which all is looked at again.
bool improve(Function &F, const TargetLibraryInfoImpl &Library) {
  Analyses Now(F, Library);
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (ElementLoop Elements(*L, Now.SE); L->isInnermost() && Elements.isVector()) {
      remark(*L, Elements.times());
      Elements.vectorize();
      return true;
    }
  for (Loop *L : Now.Loops.getLoopsInPreorder())
    if (isInsideElements(*L, Now.SE)) {
      UnrollLoopOptions Options;
      Options.Count = Now.SE.getSmallConstantTripCount(L);
      Options.Force = true;
      Options.Runtime = Options.AllowExpensiveTripCount = Options.UnrollRemainder = Options.ForgetAllSCEV = false;
      TargetTransformInfo Costs(F.getDataLayout());
      OptimizationRemarkEmitter Emitter(&F);
      BasicBlock *Outer = L->getParentLoop()->getHeader();
      if (UnrollLoop(L, Options, &Now.Loops, &Now.SE, &Now.Dominators, &Now.Assumptions, &Costs, &Emitter,
                     /*PreserveLCSSA=*/true) == LoopUnrollResult::Unmodified)
        return false;
      while (BasicBlock *Next = Outer->getSingleSuccessor())
        if (!MergeBlockIntoPredecessor(Next))
          break;
      return true;
    }
  return false;
}

} // namespace

bool vectorizeElements(Module &M) {
  bool Changed = false;
  TargetLibraryInfoImpl Library(M.getTargetTriple());
  for (Function &F : M)
    if (!F.isDeclaration())
      while (improve(F, Library))
        Changed = true;
  return Changed;
}

} // namespace pocm
