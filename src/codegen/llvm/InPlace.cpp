//===- InPlace.cpp - Values whose elements are chosen at run time live in memory -------------===//
//
// Registers have no addresses. A vector of which elements are chosen at run time is stored,
// changed there and loaded again, all of it, for every choice. This pass lets it stay in memory:
//
//     %h = phi <256 x i32> [zero], [%w]              store zero, %slot        once
//     %e = extractelement %h, %i                     %e = load %slot + 4 * %i
//     %w = insertelement %h, (%e + 1), %i       ->   store %e + 1, %slot + 4 * %i
//
// Phis, writes of regions and what they change form a web: in the source it was one variable,
// and as long as nobody needs the value before a change after it, one slot serves all. That is
// checked by following what the slot holds through the function; where it fails, the values
// that must not meet get slots of their own and are copied.
//
// Which webs: by cost. A choice at run time costs a store and a load of the whole value
// outside memory; inside, what takes all of it pays instead. A web that is only read by choice
// stays in registers and leaves a copy in memory, where that is written least often; a constant
// is in memory already, and so is what was read from there, when it is known which elements.
//
// Needs:    media blocks and masked writes lowered.
// Leaves:   accesses to slots; regions with run-time offsets where registers are cheaper, for
//           SplitVectors.
//
//===------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Changes.h"
#include "codegen/llvm/Inside.h"
#include "codegen/llvm/LatestReads.h"
#include "codegen/llvm/Lowering.h"
#include "ir/Intrinsics.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "ir/Remarks.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <tuple>

using namespace llvm;

namespace pocm {
namespace {

int bytesOf(const Value *V) { return countOf(V->getType()) * elementBytes(V->getType()); }

/// The changes by which a value is made of another, the first one first, where nobody else reads what is between them
/// and one is chosen; none otherwise.
SmallVector<Change, 2> changesBetween(Value *From, Value *To) {
  SmallVector<Change, 2> All;
  for (Value *V = To; V != From; V = All.back().Old) {
    auto C = Change::match(V);
    if (!C || !V->hasOneUse())
      return {};
    All.push_back(*C);
  }
  std::reverse(All.begin(), All.end());
  return any_of(All, [](const Change &C) { return C.chosen(); }) ? All : SmallVector<Change, 2>();
}

/// `select c, (x changed), x` is x changed to what it was or not; simplifycfg makes it of changes under a condition.
bool changeUnconditionally(Function &F) {
  SmallVector<SelectInst *> Selects;
  for (Instruction &I : instructions(F))
    if (auto *Select = dyn_cast<SelectInst>(&I);
        Select && canBeInMemory(Select) && !Select->getCondition()->getType()->isVectorTy())
      Selects.push_back(Select);
  bool Any = false;
  for (SelectInst *Select : Selects)
    for (bool Swap : {false, true}) {
      Value *Changed = Swap ? Select->getFalseValue() : Select->getTrueValue();
      Value *Now = Swap ? Select->getTrueValue() : Select->getFalseValue();
      const SmallVector<Change, 2> Changes = changesBetween(Now, Changed);
      if (Changes.empty())
        continue;
      IRBuilder<> B(Select);
      auto Choose = [&](Value *New, Value *Was) {
        return Swap ? B.CreateSelect(Select->getCondition(), Was, New)
                    : B.CreateSelect(Select->getCondition(), New, Was);
      };
      for (const Change &C : Changes)
        if (C.Index) { // an index that is outside without the condition must not become poison
          Value *Index = B.CreateFreeze(C.Index);
          Now = B.CreateInsertElement(Now, Choose(C.New, B.CreateExtractElement(Now, Index)), Index);
        } else {
          Region Where = C.Where;
          if (Where.Dynamic)
            Where.Dynamic = B.CreateFreeze(Where.Dynamic);
          Now = RegionWrite::create(B, Now, Choose(C.New, RegionRead::create(B, C.New->getType(), Now, Where)), Where);
        }
      Select->replaceAllUsesWith(Now);
      Select->eraseFromParent();
      for (const Change &C : reverse(Changes))
        C.Self->eraseFromParent();
      Any = true;
      break;
    }
  return Any;
}

/// Values that live in one slot.
using Members = SetVector<Value *>;

class InPlace {
public:
  InPlace(Function &F, unsigned VectorBits, const ChosenCosts &InRegisters)
      : F(F), RegisterBytes(int(VectorBits / 8)), InRegisters(InRegisters), Dominators(F), Loops(Dominators),
        B(F.getContext()) {}

  bool run() {
    bool Changed = false;
    for (const auto &Handles : webs()) {
      Members Web; // as they are now: what a web takes from the one before it has become a read of memory
      for (Value *V : Handles)
        if (V)
          Web.insert(V);
      if (hasManyChoices(Web))
        Changed |= place(Web);
    }
    Changed |= copyWhatIsRead();
    for (BasicBlock *Edge : Edges) // other instructions would be moved to where nothing was copied
      if (Edge->getFirstNonPHIIt() == Edge->getTerminator()->getIterator()) {
        Edge->getSinglePredecessor()->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr); // as both have it
        TryToSimplifyUncondBranchFromEmptyBlock(Edge);
      }
    return Changed;
  }

private:
  //===- Webs -----------------------------------------------------------------===//

  /// Whether an element of it is changed by choice, or read by choice from several of its values.
  static bool hasManyChoices(const Members &Web) {
    constexpr unsigned Several = 2;
    unsigned Read = 0;
    for (Value *V : Web) {
      if (auto C = Change::match(V); C && C->chosen())
        return true;
      Read += isReadByChoice(V);
    }
    return Read >= Several;
  }
  static bool isReadByChoice(Value *V) {
    return any_of(V->uses(), [](const Use &U) {
      auto P = partOf(U);
      return P && P->chosen();
    });
  }

  /// Connected values, those with a choice among them.
  std::vector<std::vector<WeakTrackingVH>> webs() {
    EquivalenceClasses<Value *> Classes;
    SmallVector<Value *> Seeds;
    for (Instruction &I : instructions(F)) {
      for (Use *Tie : tiesOf(&I))
        if (!isa<Constant>(Tie->get()))
          Classes.unionSets(&I, Tie->get());
      if (auto C = Change::match(&I); (C && C->chosen()) || isReadByChoice(&I))
        Classes.insert(&I), Seeds.push_back(&I);
    }
    MapVector<Value *, Members> ByLeader;
    for (Value *Seed : Seeds)
      ByLeader[*Classes.findLeader(Seed)];
    auto Add = [&](Value *V) {
      if (auto Leader = Classes.findLeader(V); Leader != Classes.member_end())
        if (auto Found = ByLeader.find(*Leader); Found != ByLeader.end())
          Found->second.insert(V);
    };
    for (Argument &A : F.args())
      Add(&A);
    for (Instruction &I : instructions(F))
      Add(&I);
    std::vector<std::vector<WeakTrackingVH>> All;
    for (auto &[Leader, Web] : ByLeader)
      All.emplace_back(Web.begin(), Web.end());
    return All;
  }

  //===- What a slot holds ----------------------------------------------------===//

  /// Whether what U takes is taken from the slot of its value: not where the value is computed as a whole anyway.
  static bool fromSlot(const Use &U) {
    if (!tiesOf(U.get()).empty())
      return true;
    if (any_of(tiesOf(cast<Instruction>(U.getUser())), [&](Use *Tie) { return Tie == &U; }))
      return true;
    auto P = Part::match(U.getUser());
    return P && P->chosen() && P->From == U.get();
  }

  /// What has the bytes that V has, seen as another type.
  static Value *sameBytes(Value *V) {
    while (isa<BitCastInst>(V) && !tiesOf(V).empty())
      V = cast<BitCastInst>(V)->getOperand(0);
    return V;
  }

  /// Whether one slot can hold these: wherever a member is taken, the slot holds that one.
  bool fits(const Members &Slot) {
    DenseMap<BasicBlock *, Value *> AtEnd; // absent: not reached yet; null: it depends
    auto Start = [&](BasicBlock &Block, bool &Known) -> Value * {
      Value *Held = nullptr;
      bool First = true;
      for (BasicBlock *Before : predecessors(&Block))
        if (auto Found = AtEnd.find(Before); Found != AtEnd.end()) {
          if (!First && Held != Found->second)
            return Known = true, nullptr;
          Held = Found->second;
          First = false;
        }
      Known = !First || &Block == &F.getEntryBlock();
      return Held;
    };
    auto Walk = [&](BasicBlock &Block, Value *Held, bool Check) -> std::optional<Value *> {
      bool Entered = false;
      for (Instruction &I : Block) {
        if (auto *Phi = dyn_cast<PHINode>(&I)) {
          if (Slot.contains(Phi)) {
            if (Entered)
              return std::nullopt; // two values at once
            Entered = true;
            Held = Phi;
          }
          continue;
        }
        if (Check)
          for (Use &U : I.operands())
            if (Slot.contains(U.get()) && Held != sameBytes(U.get()) && fromSlot(U))
              return std::nullopt;
        if (Slot.contains(&I))
          Held = sameBytes(&I);
      }
      if (Check)
        for (BasicBlock *Next : successors(&Block))
          for (PHINode &Phi : Next->phis())
            if (Value *In = Phi.getIncomingValueForBlock(&Block);
                Slot.contains(In) && (Slot.contains(&Phi) || fromSlotAt(Phi, In)) && Held != sameBytes(In))
              return std::nullopt;
      return Held;
    };
    auto Entry = [&]() -> Value * { // an argument is stored at the beginning
      for (Value *V : Slot)
        if (isa<Argument>(V))
          return V;
      return nullptr;
    };
    if (count_if(Slot, [](Value *V) { return isa<Argument>(V); }) > 1)
      return false;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock &Block : F) {
        bool Known;
        Value *Held = &Block == &F.getEntryBlock() ? (Known = true, Entry()) : Start(Block, Known);
        if (!Known)
          continue;
        auto End = Walk(Block, Held, false);
        if (!End)
          return false;
        auto [At, New] = AtEnd.insert({&Block, *End});
        Changed |= New || At->second != *End;
        At->second = *End;
      }
    }
    for (BasicBlock &Block : F) {
      bool Known;
      Value *Held = &Block == &F.getEntryBlock() ? (Known = true, Entry()) : Start(Block, Known);
      if (Known && !Walk(Block, Held, true))
        return false;
    }
    return true;
  }

  /// Whether a phi of another slot takes this value from its slot.
  static bool fromSlotAt(PHINode &Phi, Value *In) {
    return any_of(Phi.incoming_values(), [&](Use &U) { return U.get() == In && fromSlot(U); });
  }

  /// The web in as few slots as its ties allow: all in one, or the most frequent ties first.
  std::vector<Members> slotsOf(const Members &Web) {
    if (fits(Web))
      return {Web};
    constexpr unsigned MostTies = 200; // each is tried
    struct Tie {
      Value *A, *B;
      std::uint64_t Times;
      std::size_t Number;
    };
    SmallVector<Tie> Ties;
    for (Value *V : Web)
      for (Use *U : tiesOf(V))
        if (Web.contains(U->get()))
          Ties.push_back({V, U->get(), timesOf(*U), Ties.size()});
    if (Ties.size() > MostTies)
      return {};
    sort(Ties, [](const Tie &X, const Tie &Y) { return std::tie(Y.Times, X.Number) < std::tie(X.Times, Y.Number); });
    std::vector<Members> Slots;
    DenseMap<Value *, unsigned> SlotOf;
    for (Value *V : Web) {
      SlotOf[V] = unsigned(Slots.size());
      Slots.emplace_back();
      Slots.back().insert(V);
    }
    for (const Tie &T : Ties) {
      unsigned A = SlotOf[T.A], C = SlotOf[T.B];
      if (A == C)
        continue;
      Members Both = Slots[A];
      Both.insert(Slots[C].begin(), Slots[C].end());
      if (!fits(Both))
        continue;
      for (Value *V : Slots[C])
        SlotOf[V] = A;
      Slots[A] = std::move(Both);
      Slots[C].clear();
    }
    erase_if(Slots, [](const Members &Slot) { return Slot.empty(); });
    return Slots;
  }

  //===- Cost -----------------------------------------------------------------===//

  /// Whether branches on the way to a block say that they seldom go there: over an edge, for example.
  static bool isRare(const BasicBlock *Block) {
    constexpr uint64_t Seldom = 100;
    constexpr unsigned Most = 8; // of them: blocks that nobody reaches may lead to each other
    for (unsigned Steps = 0; Steps < Most; ++Steps) {
      const BasicBlock *From = Block->getSinglePredecessor();
      if (!From)
        return false;
      uint64_t First, Second;
      auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
      if (Branch && extractBranchWeights(*Branch, First, Second)) {
        uint64_t Here = Branch->getSuccessor(0) == Block ? First : Second;
        if (Here * Seldom < First + Second)
          return true;
      }
      Block = From;
    }
    return false;
  }
  /// How often a block runs, by the loops around it.
  std::uint64_t timesOf(const BasicBlock *Block) const {
    constexpr unsigned PerLoop = 3, Most = 18; // powers of two
    if (isRare(Block))
      return 0;
    return 1ull << std::min(Most, PerLoop * Loops.getLoopDepth(Block));
  }
  /// How often a tie takes its value: a phi does so at the end of the block before.
  std::uint64_t timesOf(const Use &Tie) const {
    auto *Phi = dyn_cast<PHINode>(Tie.getUser());
    return timesOf(Phi ? Phi->getIncomingBlock(Tie) : cast<Instruction>(Tie.getUser())->getParent());
  }
  int registers(Type *T) const {
    return std::max(1, (countOf(T) * elementBytes(T) + RegisterBytes - 1) / RegisterBytes);
  }

  /// What a web costs, in both places.
  struct Cost {
    std::uint64_t Registers = 0, Memory = 0;
  };
  Cost costOf(const std::vector<Members> &Slots) const {
    constexpr int Stall = 10; // a load of what was just stored in other pieces
    constexpr int Load = 2;   // of a part of what was just stored
    Cost All;
    auto &[Registers, Memory] = All;
    for (const Members &Slot : Slots)
      for (Value *V : Slot) {
        int Whole = registers(V->getType());
        auto *I = dyn_cast<Instruction>(V);
        std::uint64_t Times = I ? timesOf(I->getParent()) : 1;
        auto C = Change::match(V);
        if (C && C->chosen()) {
          Registers += Times * InRegisters.Write(*C).value_or(unsigned(2 * Whole + Stall));
          Memory += Times * std::uint64_t(registers(C->New->getType()));
        } else if (C) {
          Memory += Times * std::uint64_t(registers(C->New->getType()));
        } else if (tiesOf(V).empty()) {
          Memory += Times * std::uint64_t(Whole);
        }
        for (Use *Tie : tiesOf(V))
          if (!Slot.contains(Tie->get()) && !isa<UndefValue>(Tie->get()))
            Memory += std::uint64_t(Whole) * timesOf(*Tie);
        for (Use &U : V->uses()) {
          auto *User = cast<Instruction>(U.getUser());
          std::uint64_t Then = timesOf(User->getParent());
          auto P = Part::match(User);
          if (P && P->chosen()) {
            const bool Between = Whole > 1 && countOf(User->getType()) > 1; // in the stores of two registers
            const unsigned Copied = unsigned(Whole + (Between ? Stall : Load));
            Registers += Then * std::min(InRegisters.Read(*P).value_or(Copied), Copied), Memory += Then;
          } else if (P && fromSlot(U))
            Memory += Then * std::uint64_t(registers(User->getType()));
          else if (fromSlot(U) && !Slot.contains(User) && tiesOf(User).empty())
            Memory += Then * std::uint64_t(Whole + Stall);
        }
      }
    return All;
  }

  /// Says where a web lives, at the lines that choose elements.
  void say(const Members &Web, const std::vector<Members> &Slots, const Cost &Costs) const {
    if (!remarksWanted(F.getContext()))
      return;
    const unsigned Bytes = unsigned(bytesOf(Web[0]));
    const bool InMemory = !Slots.empty() && Costs.Memory < Costs.Registers;
    std::string Text = "an object of " + std::to_string(Bytes) + " bytes, elements of which are chosen at run time, ";
    if (InMemory)
      Text +=
          "lives in memory" + (Slots.size() > 1 ? ", in " + std::to_string(Slots.size()) + " slots" : std::string());
    else if (Slots.empty())
      Text += "lives in registers and goes through memory as a whole: former values of it are needed in too many ways";
    else
      Text += "stays in registers";
    if (!Slots.empty())
      Text += ": a thread pays about " + std::to_string(Costs.Memory) + " in memory and " +
              std::to_string(Costs.Registers) + " in registers";
    bool Said = false;
    for (Value *V : Web)
      if (auto C = Change::match(V); C && C->chosen()) {
        remark(*C->Self, [&] { return Text; }, Bytes);
        Said = true;
      }
    if (Said || !InMemory) // of elements that are only read more is said when they are copied
      return;
    for (Value *V : Web)
      for (const Use &U : V->uses())
        if (auto P = partOf(U); P && P->chosen())
          remark(*P->Self, [&] { return Text; }, Bytes);
  }

  //===- Slots ----------------------------------------------------------------===//

  bool place(const Members &Web) {
    const bool Split = splitEdgesInto(Web);
    std::optional<LatestReads> Later;
    if (!fits(Web))
      Later.emplace(Web, Dominators);
    std::vector<Members> Slots = slotsOf(Web);
    const Cost Costs = costOf(Slots);
    say(Web, Slots, Costs);
    if (Slots.empty() || Costs.Memory >= Costs.Registers) {
      if (Later)
        Later->undo();
      return Split;
    }
    for (const Members &Slot : Slots) {
      AllocaInst *Memory = allocate(Slot[0]);
      for (Value *V : Slot)
        SlotOf[V] = Memory;
    }
    // First what is put into slots, in terms of the old values; these become loads where they are taken, and vanish.
    SmallVector<Instruction *> Gone;
    SmallVector<Use *> Takes;
    for (bool Whole : {true, false}) // offsets of regions before what is read with them
      for (Value *V : Web)
        for (Use &U : V->uses())
          if (fromSlot(U) && !(SlotOf.contains(U.getUser()) && !tiesOf(U.getUser()).empty()) && Whole == !partOf(U))
            Takes.push_back(&U);
    for (Value *V : Web)
      define(V, Gone);
    for (Use *U : Takes)
      take(*U, Gone);
    for (Instruction *I : Gone) {
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
      I->eraseFromParent();
    }
    SlotOf.clear();
    Fills.clear();
    return true;
  }

  /// The read of a part that U is the whole of.
  static std::optional<Part> partOf(const Use &U) {
    auto P = Part::match(U.getUser());
    return P && P->From == U.get() && &P->Self->getOperandUse(0) == &U ? P : std::nullopt;
  }

  /// Where a phi gets a value of another slot, the edge needs a block of its own for the copy.
  bool splitEdgesInto(const Members &Web) {
    const std::size_t Before = Edges.size();
    for (Value *V : Web)
      if (auto *Phi = dyn_cast<PHINode>(V))
        for (unsigned In = 0; In < Phi->getNumIncomingValues(); ++In) {
          Instruction *Leave = Phi->getIncomingBlock(In)->getTerminator();
          for (unsigned S = 0; S < Leave->getNumSuccessors(); ++S)
            if (Leave->getSuccessor(S) == Phi->getParent())
              if (BasicBlock *Edge = SplitCriticalEdge(Leave, S, CriticalEdgeSplittingOptions(&Dominators, &Loops)))
                Edges.push_back(Edge);
        }
    return Edges.size() > Before;
  }

  AllocaInst *allocate(Value *V) {
    constexpr int Room = 64; // for reads behind the end
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    auto *Memory = Entry.CreateAlloca(ArrayType::get(Entry.getInt8Ty(), unsigned(bytesOf(V) + Room)));
    Memory->setAlignment(Align(Room));
    return Memory;
  }

  Instruction *storeWhole(Value *V, Value *To) {
    return createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                           {To, V, B.getInt64(0), B.getInt32(unsigned(countOf(V->getType()))), B.getInt32(1)});
  }
  Value *loadWhole(Type *T, Value *From) {
    constexpr unsigned Slack = 64;
    return createOperation(B, Op::MemoryRead, T,
                           {From, B.getInt64(0), B.getInt32(unsigned(countOf(T))), B.getInt32(1), B.getInt32(Slack)});
  }

  /// V at this place, loaded when it is in a slot only.
  Value *valueOf(Value *V) {
    AllocaInst *From = SlotOf.lookup(V);
    return From && !tiesOf(V).empty() ? loadWhole(V->getType(), From) : V;
  }

  /// Puts V, which has no slot here or another one, into a slot.
  void fill(Value *V, AllocaInst *To) {
    if (!isa<UndefValue>(V) && SlotOf.lookup(V) != To)
      storeWhole(valueOf(V), To);
  }

  /// The same at the end of a block, for a phi: what all phis take is loaded before the first of them is stored.
  void fillAtEnd(BasicBlock *Block, Value *V, AllocaInst *To) {
    if (isa<UndefValue>(V) || SlotOf.lookup(V) == To)
      return;
    Instruction *&First = Fills[Block];
    B.SetInsertPoint(First ? First : Block->getTerminator());
    V = valueOf(V);
    B.SetInsertPoint(Block->getTerminator());
    Instruction *Stored = storeWhole(V, To);
    if (!First)
      First = Stored;
  }

  /// Address of a region in a slot; offsets known at run time only are moved inside.
  Value *address(Value *Slot, Type *Whole, const Region &R, Value *Index, int Count) {
    int Size = elementBytes(Whole), Last = 0;
    if (Index) {
      Value *Inside = movedInside(B, Index, uint64_t(countOf(Whole) - 1));
      return B.CreateInBoundsGEP(Whole->getScalarType(), Slot, B.CreateZExtOrTrunc(Inside, B.getInt64Ty()));
    }
    if (!R.Dynamic)
      return R.Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Slot, uint64_t(R.Offset * Size)) : Slot;
    for (int K = 0; K < Count; ++K)
      Last = std::max(Last, (K / R.Width) * R.VStride + (K % R.Width) * R.HStride);
    int Most = std::max(0, (countOf(Whole) - 1 - Last) * Size);
    Value *Offset = movedInside(B, B.CreateZExtOrTrunc(R.Dynamic, B.getInt64Ty()), unsigned(Most));
    return B.CreateInBoundsGEP(B.getInt8Ty(), Slot, Offset);
  }

  /// What V being computed does to its slot.
  void define(Value *V, SmallVectorImpl<Instruction *> &Gone) {
    AllocaInst *Slot = SlotOf.lookup(V);
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      for (unsigned In = 0; In < Phi->getNumIncomingValues(); ++In)
        fillAtEnd(Phi->getIncomingBlock(In), Phi->getIncomingValue(In), Slot);
      Gone.push_back(Phi);
      return;
    }
    auto *I = dyn_cast<Instruction>(V);
    if (!I) {
      B.SetInsertPoint(&*std::next(Slot->getIterator()));
      storeWhole(V, Slot);
      return;
    }
    if (tiesOf(I).empty()) {
      B.SetInsertPoint(*I->getInsertionPointAfterDef());
      storeWhole(V, Slot);
      return;
    }
    B.SetInsertPoint(I);
    auto C = Change::match(I);
    Value *New = C ? valueOf(C->New) : nullptr;
    fill(I->getOperand(0), Slot);
    if (C)
      change(*C, New, Slot);
    Gone.push_back(I);
  }

  void change(const Change &C, Value *New, AllocaInst *Slot) {
    Type *T = New->getType(), *Whole = C.Self->getType();
    int Size = elementBytes(T);
    if (!C.chosen() && !C.Where.isInside(countOf(T), countOf(Whole))) {
      storeWhole(RegionWrite::create(B, loadWhole(Whole, Slot), New, C.Where), Slot); // what is beyond the end is lost
      return;
    }
    Value *To = address(Slot, Whole, C.Where, C.Index, countOf(T));
    if (!T->isVectorTy())
      B.CreateAlignedStore(New, To, Align(1));
    else
      createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                      {To, New, B.getInt64(uint64_t(C.Where.VStride * Size)), B.getInt32(uint32_t(C.Where.Width)),
                       B.getInt32(uint32_t(C.Where.HStride))});
  }

  /// A use outside of slots: what it takes is loaded there.
  void take(Use &U, SmallVectorImpl<Instruction *> &Gone) {
    auto *User = cast<Instruction>(U.getUser());
    AllocaInst *Slot = SlotOf.lookup(U.get());
    B.SetInsertPoint(User);
    auto P = partOf(U);
    if (!P) {
      U.set(loadWhole(U->getType(), Slot));
      return;
    }
    Value *Read = read(*P, Slot);
    if (AllocaInst *Own = SlotOf.lookup(User)) // it begins the life of another slot
      SlotOf[Read] = Own;
    User->replaceAllUsesWith(Read);
    Gone.push_back(User);
  }

  Value *read(const Part &P, Value *Slot) {
    Type *T = P.Self->getType(), *Whole = P.From->getType();
    int Size = elementBytes(T);
    if (P.Where.Dynamic && P.Where.Dynamic->getType()->isVectorTy())
      return readEach(P, Slot);
    if (P.Splat) {
      Value *Element = B.CreateAlignedLoad(T->getScalarType(), address(Slot, Whole, P.Where, nullptr, 1), Align(1));
      B.SetInsertPoint(P.Self); // all lanes where they are needed, wherever the element is loaded
      return B.CreateVectorSplat(unsigned(countOf(T)), Element);
    }
    if (!P.chosen() && !P.Where.isInside(countOf(T), countOf(Whole))) {
      auto *Same = P.Self->clone(); // elements beyond the end are nothing
      Same->setOperand(0, loadWhole(Whole, Slot));
      return B.Insert(Same);
    }
    Value *From = address(Slot, Whole, P.Where, P.Index, countOf(T));
    if (!T->isVectorTy())
      return B.CreateAlignedLoad(T, From, Align(1));
    return createOperation(B, Op::MemoryRead, T,
                           {From, B.getInt64(uint64_t(P.Where.VStride * Size)), B.getInt32(uint32_t(P.Where.Width)),
                            B.getInt32(uint32_t(P.Where.HStride)), B.getInt32(0)});
  }

  /// AVX-512 gathers a register of dwords or qwords at once; a load and a move into its lane are as much for a few.
  bool gathersPay(Type *T) const {
    constexpr int Few = 4, Avx512 = 64;
    const int Count = countOf(T), Bits = int(T->getScalarSizeInBits());
    return RegisterBytes == Avx512 && Count > Few && isPowerOf2_32(unsigned(Count)) && (Bits == 32 || Bits == 64);
  }
  Type *indexOfLanes(Type *T) { return FixedVectorType::get(B.getInt32Ty(), unsigned(countOf(T))); }

  /// Every element at an offset of its own.
  Value *readEach(const Part &P, Value *Slot) {
    Type *T = P.Self->getType(), *Whole = P.From->getType(), *Element = T->getScalarType();
    Value *Offsets = movedInside(B, P.Where.Dynamic, unsigned((countOf(Whole) - 1) * elementBytes(Whole)));
    if (gathersPay(T))
      return B.CreateMaskedGather(T, B.CreateGEP(B.getInt8Ty(), Slot, B.CreateZExtOrTrunc(Offsets, indexOfLanes(T))),
                                  Align(1));
    Value *All = PoisonValue::get(T);
    for (unsigned K = 0; K < unsigned(countOf(T)); ++K) {
      Value *Offset = B.CreateZExtOrTrunc(B.CreateExtractElement(Offsets, K), B.getInt64Ty());
      Value *From = B.CreateInBoundsGEP(B.getInt8Ty(), Slot, Offset);
      All = B.CreateInsertElement(All, B.CreateAlignedLoad(Element, From, Align(1)), K);
    }
    return All;
  }

  //===- Copies for reading ---------------------------------------------------===//

  static constexpr std::size_t ManyNumbers = 8;

  /// An element that leaves its vector: an index, an operand of scalar arithmetic, an operand in all lanes. Loading it
  /// is cheaper than taking it out of a register, and often part of the instruction that needs it.
  static bool isNumber(const Part &P) {
    if (P.Splat)
      return !isa<Constant>(P.From) && countOf(P.From->getType()) > 1;
    return P.Self->getType()->isIntegerTy() && !isa<Constant>(P.From) &&
           P.Where.isInside(1, countOf(P.From->getType())) &&
           none_of(P.Self->users(), [](User *U) { return Change::match(U).has_value(); });
  }

  /// What element K of V is an element of, behind the writes that made V.
  static std::pair<Value *, int> originOf(Value *V, int K) {
    while (auto W = RegionWrite::match(V)) {
      if (!W->Where.isConstant())
        break;
      Value *From = W->old();
      for (int N = W->count(); N-- > 0;)
        if (W->Where.element(N) == K) { // of several the last one stays
          From = W->value();
          K = N;
          break;
        }
      V = From;
    }
    return {V, K};
  }

  /// Elements of a value that was put together from several reads of memory are elements of those.
  bool takeFromParts() {
    bool Any = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto P = Part::match(&I);
      if (!P || !P->Splat || !isNumber(*P))
        continue;
      auto [From, K] = originOf(P->From, P->Where.element(0));
      if (From == P->From || !asOperation(From, Op::MemoryRead) || !From->getType()->isVectorTy())
        continue;
      B.SetInsertPoint(&I);
      SmallVector<int, 32> Everywhere(std::size_t(countOf(I.getType())), K);
      I.replaceAllUsesWith(B.CreateShuffleVector(From, Everywhere));
      I.eraseFromParent();
      Any = true;
    }
    return Any;
  }

  /// Values of which elements are chosen, but that nobody changes by choice.
  bool copyWhatIsRead() {
    const bool Taken = takeFromParts();
    MapVector<Value *, SmallVector<Part>> Reads, Numbers;
    for (Instruction &I : instructions(F)) {
      auto P = Part::match(&I);
      if (!P || isa<UndefValue>(P->From))
        continue;
      if (P->chosen())
        Reads[P->From].push_back(*P);
      else if (isNumber(*P))
        Numbers[P->From].push_back(*P);
    }
    for (auto &[V, Parts] : Numbers)
      if (Parts.size() >= ManyNumbers || Reads.contains(V))
        append_range(Reads[V], Parts);
    // What is read may be the index of another read, or the whole of it.
    DenseMap<Value *, Value *> Instead;
    for (auto &[Was, Parts] : Reads) {
      Value *V = Was;
      while (Value *New = Instead.lookup(V))
        V = New;
      if (readInRegisters(V, Parts))
        continue;
      Value *There = whereRead(V, Parts);
      Value *Copy = There ? There : isa<Constant>(V) ? constant(cast<Constant>(V)) : copyOf(V, Parts);
      for (const Part &P : Parts)
        if (P.chosen())
          remark(*P.Self, [&] { return copied(*V); }, unsigned(bytesOf(V)));
      for (const Part &P : Parts) {
        B.SetInsertPoint(There ? cast<Instruction>(V)->getNextNode() : P.Self);
        Value *New = read(*Part::match(P.Self), Copy);
        P.Self->replaceAllUsesWith(New);
        Instead[P.Self] = New;
      }
    }
    for (auto &[Was, New] : Instead)
      cast<Instruction>(Was)->eraseFromParent();
    return Taken || !Reads.empty();
  }

  static std::string copied(const Value &V) {
    return "an object of " + std::to_string(bytesOf(&V)) + " bytes, elements of which are read at run time, " +
           (isa<Constant>(V) ? "is a table of constants in memory" : "has a copy in memory");
  }

  /// Whether registers are as good as a copy in memory: that is made for many reads, or in front of a loop.
  bool readInRegisters(Value *V, ArrayRef<Part> Parts) const {
    constexpr std::size_t Few = 2;
    auto *I = dyn_cast<Instruction>(V);
    return I && Parts.size() <= Few && all_of(Parts, [&](const Part &P) {
             return timesOf(P.Self->getParent()) <= timesOf(I->getParent()) && InRegisters.Read(P).has_value();
           });
  }

  /// The memory that V was read from, where all parts are known and can be read along with it.
  static Value *whereRead(Value *V, ArrayRef<Part> Parts) {
    CallInst *Read = asOperation(V, Op::MemoryRead);
    if (!Read || any_of(Parts, [](const Part &P) { return P.chosen(); }))
      return nullptr;
    auto *Width = dyn_cast<ConstantInt>(operandOf(*Read, Role::Width)),
         *Stride = dyn_cast<ConstantInt>(operandOf(*Read, Role::HStride));
    bool OneRow = Width && Stride && Stride->isOne() && Width->equalsInt(uint64_t(countOf(V->getType())));
    return OneRow ? operandOf(*Read, Role::First) : nullptr;
  }

  Value *constant(Constant *C) {
    auto *Table = new GlobalVariable(*F.getParent(), C->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, C);
    Table->setAlignment(Align(64));
    Table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return Table;
  }

  /// A slot that holds V wherever it is read by choice, stored where that happens least often.
  Value *copyOf(Value *V, ArrayRef<Part> Parts) {
    AllocaInst *Slot = allocate(V);
    BasicBlock *Common = Parts[0].Self->getParent();
    for (const Part &P : Parts)
      Common = Dominators.findNearestCommonDominator(Common, P.Self->getParent());
    BasicBlock *From = isa<Argument>(V) ? &F.getEntryBlock() : cast<Instruction>(V)->getParent(), *Best = Common;
    for (BasicBlock *Block = Common; Block != From;) {
      Block = Dominators.getNode(Block)->getIDom()->getBlock();
      if (timesOf(Block) < timesOf(Best))
        Best = Block;
    }
    B.SetInsertPoint(Best->getTerminator());
    if (Best == Common) // before the first in it
      for (Instruction &I : *Best)
        if (any_of(Parts, [&](const Part &P) { return P.Self == &I; })) {
          B.SetInsertPoint(&I);
          break;
        }
    storeWhole(V, Slot);
    return Slot;
  }

  Function &F;
  int RegisterBytes;
  const ChosenCosts &InRegisters;
  DominatorTree Dominators;
  LoopInfo Loops;
  IRBuilder<> B;
  DenseMap<Value *, AllocaInst *> SlotOf;
  DenseMap<BasicBlock *, Instruction *> Fills; ///< The first store for a phi at the end of a block.
  SmallVector<BasicBlock *, 8> Edges;          ///< That have a block of their own.
};

} // namespace

bool changeInPlace(Function &F, unsigned VectorBits, const ChosenCosts &InRegisters) {
  const bool Unconditional = changeUnconditionally(F);
  return InPlace(F, VectorBits, InRegisters).run() || Unconditional;
}

} // namespace pocm
