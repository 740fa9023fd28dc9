//===- CarriedRegions.cpp - Regions that a loop changes are carried apart ------------------------===//
//
// Sums of complex numbers, or of the columns of a matrix, lie among each other in their vector. A loop that changes
// such regions, and does nothing else with the vector, would take them out of its registers and put them back in each
// iteration. Each is a value of its own instead, and they are put together behind the loop:
//
//     %s  = phi <16 x double> [ %before ], [ %s2 ]          %re = phi <8 x double> [ rdregion(%before, 0, 2, ..) ], ..
//     %r  = rdregion(%s, elements 0, 2, 4 ..)               %im = phi <8 x double> [ rdregion(%before, 1, 3, ..) ], ..
//     %s1 = wrregion(%s, %r + %x, elements 0, 2 ..)   ->    %re1 = %re + %x
//     %i  = rdregion(%s1, elements 1, 3, 5 ..)              %im1 = %im + %y
//     %s2 = wrregion(%s1, %i + %y, elements 1, 3 ..)
//
// Needs:    whole values, before they are cut into registers.
// Leaves:   regions that lie side by side, which are cut apart anyway; those that overlap, are of one element, or are
//           chosen at run time.
//
//===----------------------------------------------------------------------------------------------===//
#include "codegen/llvm/Lowering.h"
#include "ir/Region.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include <map>

using namespace llvm;

namespace pocm {
namespace {

constexpr unsigned MostRegions = 32, MostMembers = 256;

using Elements = SmallVector<int, 32>;

Elements elementsOf(const Region &Where, int Count) {
  Elements All;
  for (int K = 0; K < Count; ++K)
    All.push_back(Where.element(K));
  return All;
}

bool liesSideBySide(const Elements &All) {
  for (std::size_t K = 1; K < All.size(); ++K)
    if (All[K] != All[0] + int(K))
      return false;
  return true;
}

/// What a value of the loop, those that it becomes, and the phis that join them have in common: regions that are read
/// and written, and nothing else.
class Web {
public:
  Web(PHINode &Seed, const Loop &In, const LoopInfo &Loops) : Seed(Seed), In(In), Loops(Loops) {}

  bool isApart() {
    Members.insert(&Seed);
    for (unsigned N = 0; N < Members.size(); ++N)
      if (Members.size() > MostMembers || !addNeighbours(*Members[N]))
        return false;
    return areWorthIt();
  }

  void separate() {
    for (Instruction *I : Members)
      if (auto *Phi = dyn_cast<PHINode>(I))
        for (const Class &C : Classes)
          Parts[Phi].push_back(PHINode::Create(typeOf(C), Phi->getNumIncomingValues(), "", Phi->getIterator()));
    for (Instruction *I : Members)
      if (auto *Phi = dyn_cast<PHINode>(I)) {
        const Values Own = Parts[Phi];
        for (unsigned N = 0; N < Phi->getNumIncomingValues(); ++N) {
          BasicBlock *From = Phi->getIncomingBlock(N);
          for (auto [Part, Value] : zip_equal(Own, partsOf(Phi->getIncomingValue(N), *From->getTerminator())))
            cast<PHINode>(Part)->addIncoming(Value, From);
        }
      }
    for (CallInst *Read : Reads)
      Read->replaceAllUsesWith(partOf(*Read));
    for (Use *U : Exits)
      U->set(joined(*U));
    for (Instruction *I : Members) // which only use each other
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    for (CallInst *Read : Reads)
      Read->eraseFromParent();
    for (Instruction *I : Members)
      I->eraseFromParent();
  }

private:
  struct Class {
    Elements All;
    Region Where;
  };
  using Values = SmallVector<Value *, 4>;

  template <class Access> std::optional<unsigned> classOf(const Access &A) const {
    if (!A.Where.isConstant())
      return std::nullopt;
    const Elements All = elementsOf(A.Where, A.count());
    auto Found = find_if(Classes, [&](const Class &C) { return C.All == All; });
    return Found == Classes.end() ? std::nullopt : std::optional(unsigned(Found - Classes.begin()));
  }
  /// Whether the region is one of those that are apart, as which it counts from now on.
  template <class Access> bool note(const Access &A) {
    if (classOf(A))
      return true;
    if (!A.Where.isConstant() || A.count() < 2 || A.count() >= countOf(Seed.getType()) ||
        Classes.size() == MostRegions || !A.Where.isInside(A.count(), countOf(Seed.getType())))
      return false;
    Classes.push_back({elementsOf(A.Where, A.count()), A.Where});
    return true;
  }

  bool isInLoop(const Instruction &I) const { return In.contains(I.getParent()); }

  /// Whether an instruction runs no more often than the loop ends.
  bool isBehind(const Instruction &I) const {
    const Loop *Its = Loops.getLoopFor(I.getParent());
    return !isInLoop(I) && (!Its || Its->contains(&In));
  }

  /// What a member is made of, and made into. Outside of the loop, where it runs no more often, phis and changes of the
  /// same regions belong to it, and others do not matter.
  bool addNeighbours(Instruction &I) {
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      for (Value *From : Phi->incoming_values())
        addSource(From);
    } else {
      addSource(RegionWrite::match(&I)->old());
    }
    for (Use &U : I.uses()) {
      auto *User = cast<Instruction>(U.getUser());
      auto Read = RegionRead::match(User);
      auto Write = RegionWrite::match(User);
      if (isa<PHINode>(User) && (isInLoop(*User) || isBehind(*User)))
        Members.insert(User);
      else if (Write && Write->old() == &I && U.getOperandNo() == 0 && belongs(*Write))
        Members.insert(User);
      else if (Read && isInLoop(*User) ? note(*Read) : Read && classOf(*Read))
        Reads.insert(Read->Call);
      else if (isInLoop(*User) || (isInLoop(I) && !isBehind(*User)))
        return false;
      else
        Exits.push_back(&U);
    }
    return true;
  }
  void addSource(Value *From) {
    if (auto *Phi = dyn_cast<PHINode>(From); Phi && (isInLoop(*Phi) || isBehind(*Phi)))
      Members.insert(Phi);
    else if (auto Write = RegionWrite::match(From); Write && belongs(*Write))
      Members.insert(Write->Call);
  }
  bool belongs(const RegionWrite &Write) {
    return isInLoop(*Write.Call) ? note(Write) : isBehind(*Write.Call) && classOf(Write);
  }

  /// Whether regions make up all elements, each of which is in one of them, and some lie among each other.
  bool areWorthIt() const {
    std::vector<bool> Seen(std::size_t(countOf(Seed.getType())));
    for (const Class &C : Classes)
      for (int Element : C.All) {
        if (Seen[std::size_t(Element)])
          return false;
        Seen[std::size_t(Element)] = true;
      }
    return !is_contained(Seen, false) && any_of(Classes, [](const Class &C) { return !liesSideBySide(C.All); });
  }

  Type *typeOf(const Class &C) const { return ofCount(Seed.getType(), int(C.All.size())); }

  /// Those of a value, in front of an instruction if they have to be read.
  Values partsOf(Value *V, Instruction &Before) {
    if (auto Found = Parts.find(V); Found != Parts.end())
      return Found->second;
    Values All;
    auto *I = dyn_cast<Instruction>(V);
    if (I && Members.contains(I)) {
      auto Write = RegionWrite::match(I);
      All = partsOf(Write->old(), *I);
      Value *New = Write->value();
      if (auto *Call = dyn_cast<CallInst>(New); Call && Reads.contains(Call)) // which goes
        New = partOf(*Call);
      All[*classOf(*Write)] = New;
      return Parts[V] = All;
    }
    Values &Read = ReadParts[{V, &Before}]; // a phi takes the same from a block that it has twice
    if (!Read.empty())
      return Read;
    IRBuilder<> B(&Before);
    for (const Class &C : Classes)
      Read.push_back(isa<PoisonValue>(V)             ? PoisonValue::get(typeOf(C))
                     : isa<UndefValue>(V)            ? UndefValue::get(typeOf(C))
                     : isa<ConstantAggregateZero>(V) ? Constant::getNullValue(typeOf(C))
                                                     : RegionRead::create(B, typeOf(C), V, C.Where));
    return Read;
  }

  /// What is read of a member.
  Value *partOf(CallInst &Read) {
    auto R = RegionRead::match(&Read);
    return partsOf(R->source(), Read)[*classOf(*R)];
  }

  /// The whole: where it comes from outside of the loop, or where it is used behind it.
  Value *joined(Use &U) {
    auto *I = cast<Instruction>(U.get()), *User = cast<Instruction>(U.getUser());
    BasicBlock *At = isInLoop(*I) ? User->getParent() : I->getParent();
    Value *&Whole = Joined[{I, At}];
    if (Whole)
      return Whole;
    IRBuilder<> B(&*At->getFirstInsertionPt());
    if (!isInLoop(*I) && !isa<PHINode>(I))
      B.SetInsertPoint(I->getNextNode());
    Whole = PoisonValue::get(Seed.getType());
    for (auto [C, Part] : zip_equal(Classes, partsOf(I, *User)))
      Whole = RegionWrite::create(B, Whole, Part, C.Where);
    return Whole;
  }

  PHINode &Seed;
  const Loop &In;
  const LoopInfo &Loops;
  SetVector<Instruction *> Members; ///< Phis, and writes of regions.
  SetVector<CallInst *> Reads;
  SmallVector<Use *, 8> Exits; ///< By who takes all elements, behind the loop.
  SmallVector<Class, 4> Classes;
  DenseMap<Value *, Values> Parts;
  std::map<std::pair<Value *, Instruction *>, Values> ReadParts;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> Joined;
};

/// Whether elements of the phi that do not lie side by side are read or written.
bool hasScattered(PHINode &Phi) {
  return any_of(Phi.users(), [](User *U) {
    if (auto Read = RegionRead::match(U))
      return Read->Where.isConstant() && !liesSideBySide(elementsOf(Read->Where, Read->count()));
    auto Write = RegionWrite::match(U);
    return Write && Write->Where.isConstant() && !liesSideBySide(elementsOf(Write->Where, Write->count()));
  });
}

} // namespace

bool carryRegions(Function &F) {
  const DominatorTree Dominators(F);
  const LoopInfo Loops(Dominators);
  bool Changed = false;
  const auto InnerLast = Loops.getLoopsInPreorder();
  for (const Loop *In : reverse(InnerLast)) {
    SmallVector<WeakVH, 8> Seeds; // of which one may belong to another
    for (PHINode &Phi : In->getHeader()->phis())
      if (Phi.getType()->isVectorTy() && hasScattered(Phi))
        Seeds.push_back(&Phi);
    for (const WeakVH &Seed : Seeds)
      if (auto *Phi = cast_or_null<PHINode>(Seed))
        if (Web All(*Phi, *In, Loops); All.isApart()) {
          All.separate();
          Changed = true;
        }
  }
  return Changed;
}

} // namespace pocm
