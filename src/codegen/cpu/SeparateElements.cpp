//===- SeparateElements.cpp - Loops carry single elements as those ------------------------------------===//
//
//     s = phi <4 x i32> [first, entry], [t, loop]        a = phi [first(0), entry], [sum, loop]
//     a, d = s(0), s(3)                             ->   b, c, d = phi [first(1), entry], [a, loop] ..
//     sum = f(a, d)                                      sum = f(a, d)
//     t = {sum, s(0), s(1), s(2)}
//
// An array that is used at places known when compiled is a vector, and so is the state of a filter. Where a loop only
// moves its elements, and computes with single ones, each would go to a register of vectors and back for nothing.
//
// Needs:    vectors of at most a register's length (split-vectors), walker and kernel in one function.
// Leaves:   vectors that operations of the loop take whole, and those of many elements.
//
//===----------------------------------------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "ir/Region.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <bit>

using namespace llvm;

namespace pocm::cpu {
namespace {

constexpr unsigned Most = 16; ///< Elements: about as many registers there are.

using Elements = std::uint32_t; ///< A bit for each.

/// How many elements; 0 for what is no such vector.
unsigned lanesOf(const Value *V) {
  auto *Type = dyn_cast<FixedVectorType>(V->getType());
  return Type && Type->getNumElements() <= Most && !Type->getElementType()->isIntegerTy(1) ? Type->getNumElements() : 0;
}
Elements allOf(const Value *V) { return (Elements(1) << lanesOf(V)) - 1; }

std::optional<unsigned> constantPlace(const Value *Index, const Value *Vector) {
  auto *Number = dyn_cast<ConstantInt>(Index);
  return Number && Number->getValue().ult(lanesOf(Vector)) ? std::optional(unsigned(Number->getZExtValue()))
                                                           : std::nullopt;
}

/// Whether an instruction does nothing but to move elements to places that are known.
bool moves(const Instruction &I) {
  if (!lanesOf(&I))
    return false;
  if (isa<PHINode>(I))
    return true;
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return constantPlace(Insert->getOperand(2), Insert).has_value();
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return lanesOf(Shuffle->getOperand(0));
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return Select->getCondition()->getType()->isIntegerTy(1);
  return false;
}

/// Whether an instruction computes each element of those at the same place.
bool computesEach(const Instruction &I) {
  return lanesOf(&I) && (isa<BinaryOperator>(I) || (isa<CastInst>(I) && lanesOf(I.getOperand(0)) == lanesOf(&I)));
}

/// A read of one element at a place that is known.
bool isRead(const Instruction &I) {
  auto *Read = dyn_cast<ExtractElementInst>(&I);
  return Read && constantPlace(Read->getIndexOperand(), Read->getVectorOperand());
}

/// Where the elements of an instruction come from that moves them, or computes each.
struct Source {
  Value *Vector;
  Elements Which;
};
SmallVector<Source, 2> sourcesOf(Instruction &I, Elements Wanted) {
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return {Source{Insert->getOperand(0), Wanted & ~(Elements(1) << *constantPlace(Insert->getOperand(2), Insert))}};
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    const int Count = countOf(Shuffle->getOperand(0)->getType());
    Source First{Shuffle->getOperand(0), 0}, Second{Shuffle->getOperand(1), 0};
    for (unsigned Lane = 0; Lane < lanesOf(&I); ++Lane)
      if (const int From = Shuffle->getMaskValue(Lane); (Wanted >> Lane & 1) && From >= 0)
        (From < Count ? First : Second).Which |= Elements(1) << From % Count;
    return {First, Second};
  }
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return {Source{Select->getTrueValue(), Wanted}, Source{Select->getFalseValue(), Wanted}};
  SmallVector<Source, 2> All; // of a phi, or of what is computed
  for (Value *Operand : I.operands())
    All.push_back({Operand, Wanted});
  return All;
}

/// Vectors that moves connect, arithmetic too if it may, and what reads them.
class ElementWeb {
public:
  ElementWeb(PHINode &First, const LoopInfo &Loops, bool WithArithmetic) : Loops(Loops) {
    auto add = [&](Value *V) {
      if (auto *I = dyn_cast<Instruction>(V); I && (moves(*I) || (WithArithmetic && computesEach(*I))))
        Members.insert(I);
    };
    add(&First);
    for (unsigned Next = 0; Next < Members.size(); ++Next) {
      Instruction *I = Members[Next];
      for (const Source &From : sourcesOf(*I, allOf(I)))
        add(From.Vector);
      for (User *By : I->users())
        add(By);
    }
    findWanted();
  }
  ArrayRef<Instruction *> members() const { return Members.getArrayRef(); }
  bool pays() const { return isCarried() && costApart() < costTogether(); }
  void separate();

private:
  bool has(const Value *V) const { return Members.contains(dyn_cast<Instruction>(const_cast<Value *>(V))); }
  /// Whether something else takes the vector whole there.
  bool takesWhole(const Use &By) const { return !has(By.getUser()) && !isRead(*cast<Instruction>(By.getUser())); }
  void findWanted();
  bool isCarried() const {
    return any_of(Members, [&](const Instruction *I) { return isa<PHINode>(I) && Loops.isLoopHeader(I->getParent()); });
  }
  /// How often a block runs: in a loop some more times than the loop is come to.
  double often(const BasicBlock *Block) const {
    return double(std::uint64_t(1) << 3 * std::min(Loops.getLoopDepth(Block), 10u));
  }
  double costTogether() const;
  double costApart() const;
  BasicBlock *whereTaken(const Use &By) const {
    auto *I = cast<Instruction>(By.getUser());
    return isa<PHINode>(I) ? cast<PHINode>(I)->getIncomingBlock(By) : I->getParent();
  }

  Value *element(Value *Vector, unsigned Lane);
  Value *newElement(Instruction &I, unsigned Lane);
  Value *latest(Value *V) const {
    for (auto Known = Read.find(V); Known != Read.end(); Known = Read.find(V))
      V = Known->second;
    return V;
  }

  const LoopInfo &Loops;
  SmallSetVector<Instruction *, 16> Members;
  DenseMap<const Value *, Elements> Wanted; ///< Of members, and of what comes in.
  DenseMap<std::pair<Value *, unsigned>, Value *> Known;
  DenseMap<Value *, Value *> Read; ///< What a read of an element is now.
};

void ElementWeb::findWanted() {
  SmallVector<std::pair<Value *, Elements>> Pending;
  for (Instruction *I : Members)
    for (const Use &By : I->uses())
      if (takesWhole(By))
        Pending.emplace_back(I, allOf(I));
      else if (auto *One = dyn_cast<ExtractElementInst>(By.getUser()))
        Pending.emplace_back(I, Elements(1) << *constantPlace(One->getIndexOperand(), I));
  while (!Pending.empty()) {
    const auto [Vector, Which] = Pending.pop_back_val();
    Elements &Before = Wanted[Vector];
    const Elements New = Which & ~Before;
    Before |= Which;
    if (New && has(Vector))
      for (const Source &From : sourcesOf(*cast<Instruction>(Vector), New))
        Pending.emplace_back(From.Vector, From.Which);
  }
}

constexpr double InOrOut = 1.5; ///< Of an element: it goes from one kind of register to another.

double ElementWeb::costTogether() const {
  double Cost = 0;
  for (const Instruction *I : Members) {
    if (auto *Insert = dyn_cast<InsertElementInst>(I); Insert && !isa<Constant>(Insert->getOperand(1)))
      Cost += InOrOut * often(I->getParent());
    else if (isa<ShuffleVectorInst>(I) || computesEach(*I))
      Cost += often(I->getParent());
    for (const User *By : I->users())
      if (isRead(*cast<Instruction>(By)))
        Cost += InOrOut * often(cast<Instruction>(By)->getParent());
  }
  return Cost;
}

double ElementWeb::costApart() const {
  double Cost = 0;
  for (const auto &[Vector, Which] : Wanted) {
    auto *I = dyn_cast<Instruction>(const_cast<Value *>(Vector));
    if (!isa<Constant>(Vector) && !has(Vector))
      Cost += InOrOut * std::popcount(Which) * (I ? often(I->getParent()) : 1);
    else if (I && (isa<SelectInst>(I) || computesEach(*I)))
      Cost += std::popcount(Which) * often(I->getParent());
    else if (I && isa<PHINode>(I)) // some of many wait in memory
      Cost += std::max(0, std::popcount(Which) - int(Most) * 3 / 4) * often(I->getParent());
  }
  for (Instruction *I : Members)
    for (const Use &By : I->uses())
      if (takesWhole(By))
        Cost += InOrOut * lanesOf(I) * often(whereTaken(By));
  return Cost;
}

Value *ElementWeb::element(Value *Vector, unsigned Lane) {
  if (auto *Number = dyn_cast<Constant>(Vector))
    if (Constant *One = Number->getAggregateElement(Lane))
      return One;
  if (Value *One = Known.lookup({Vector, Lane}))
    return One;
  Value *One = nullptr;
  if (has(Vector)) {
    One = newElement(*cast<Instruction>(Vector), Lane);
  } else {
    auto *I = dyn_cast<Instruction>(Vector);
    Function *F = Members.front()->getFunction();
    IRBuilder<> B(I ? &**I->getInsertionPointAfterDef() : &*F->getEntryBlock().getFirstInsertionPt());
    One = B.CreateExtractElement(Vector, Lane);
  }
  Known[{Vector, Lane}] = One;
  return One;
}

Value *ElementWeb::newElement(Instruction &I, unsigned Lane) {
  if (auto *Insert = dyn_cast<InsertElementInst>(&I))
    return *constantPlace(Insert->getOperand(2), Insert) == Lane ? Insert->getOperand(1)
                                                                 : element(Insert->getOperand(0), Lane);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    const int From = Shuffle->getMaskValue(Lane), Count = countOf(Shuffle->getOperand(0)->getType());
    return From < 0 ? PoisonValue::get(I.getType()->getScalarType())
                    : element(Shuffle->getOperand(From < Count ? 0 : 1), unsigned(From % Count));
  }
  IRBuilder<> B(&I);
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    Value *True = element(Select->getTrueValue(), Lane), *False = element(Select->getFalseValue(), Lane);
    return B.CreateSelect(Select->getCondition(), True, False);
  }
  if (computesEach(I)) {
    Instruction *One = I.clone();
    for (Use &Operand : One->operands())
      Operand.set(element(Operand.get(), Lane));
    One->mutateType(I.getType()->getScalarType());
    return B.Insert(One, I.getName());
  }
  auto &Phi = cast<PHINode>(I);
  PHINode *One = B.CreatePHI(I.getType()->getScalarType(), Phi.getNumIncomingValues(), I.getName());
  Known[{&I, Lane}] = One; // it may come from itself
  for (unsigned Edge = 0; Edge < Phi.getNumIncomingValues(); ++Edge)
    One->addIncoming(element(Phi.getIncomingValue(Edge), Lane), Phi.getIncomingBlock(Edge));
  return One;
}

void ElementWeb::separate() {
  SmallVector<Use *> Whole;
  SmallVector<Instruction *> Reads;
  for (Instruction *I : Members)
    for (Use &By : I->uses())
      if (takesWhole(By)) {
        Whole.push_back(&By);
      } else if (auto *One = dyn_cast<ExtractElementInst>(By.getUser())) {
        Read[One] = element(I, *constantPlace(One->getIndexOperand(), I));
        Reads.push_back(One);
      }
  DenseMap<std::pair<Instruction *, BasicBlock *>, Value *> Made; // for phis, which take one value from a block
  for (Use *By : Whole) {
    auto *User = cast<Instruction>(By->getUser()), *I = cast<Instruction>(By->get());
    Value *&Vector = Made[{I, isa<PHINode>(User) ? whereTaken(*By) : nullptr}];
    if (!isa<PHINode>(User) || !Vector) {
      IRBuilder<> B(isa<PHINode>(User) ? whereTaken(*By)->getTerminator() : User);
      Vector = PoisonValue::get(I->getType());
      for (unsigned Lane = 0; Lane < lanesOf(I); ++Lane)
        Vector = B.CreateInsertElement(Vector, element(I, Lane), Lane);
    }
    By->set(Vector);
  }
  for (Instruction *One : Reads)
    One->replaceAllUsesWith(latest(One));
  for (Instruction *One : Reads)
    One->eraseFromParent();
  for (Instruction *I : Members)
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Members)
    I->eraseFromParent();
}

bool separateIn(Function &F) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  SmallVector<PHINode *> Carried;
  for (const Loop *L : Loops.getLoopsInPreorder())
    for (PHINode &Phi : L->getHeader()->phis())
      if (lanesOf(&Phi))
        Carried.push_back(&Phi);
  SmallPtrSet<const Instruction *, 32> Gone;
  SmallPtrSet<const Instruction *, 32> Refused[2];
  for (PHINode *Phi : Carried)
    for (bool WithArithmetic : {false, true}) {
      if (Gone.contains(Phi))
        break;
      if (Refused[WithArithmetic].contains(Phi))
        continue;
      ElementWeb All(*Phi, Loops, WithArithmetic);
      const bool Pays = All.pays();
      (Pays ? Gone : Refused[WithArithmetic]).insert_range(All.members());
      if (Pays)
        All.separate();
    }
  return !Gone.empty();
}

} // namespace

bool separateElements(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    if (!F.isDeclaration())
      Changed |= separateIn(F);
  return Changed;
}

} // namespace pocm::cpu
