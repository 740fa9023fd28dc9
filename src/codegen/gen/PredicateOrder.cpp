//===- PredicateOrder.cpp - What a predicate is made of stands right before it --------------===//
//
//     %p1 = icmp eq %a1, %x                       %p1 = icmp eq %a1, %x
//     %p2 = icmp eq %a2, %x                       %q1 = icmp eq %b1, %y
//     ...                                         %r1 = and %p1, %q1
//     %q1 = icmp eq %b1, %y                 ->    %s1 = select %r1, 1, 0
//     %r1 = and %p1, %q1                          %p2 = icmp eq %a2, %x
//     %q2 = icmp eq %b2, %y                       %q2 = icmp eq %b2, %y
//     ...                                         ...
//     %s1 = select %r1, 1, 0
//
// What takes more predicates comes first, so that as few as possible are there at a time.
//
// Why:      there are two flag registers, of two words each; long vectors that are cut to what an instruction compares
//           have all pieces of one predicate before all of the next, and the finalizer moves them to registers and
//           back.
// Costs:    what is compared has to be there until then; only blocks that have more predicates at a time than flag
//           registers hold are changed.
// Needs:    legal bales (gen-legalization), guards and conditions where they stay (gen-predication).
// Leaves:   predicates that several instructions read.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr int FlagWords = 4;
constexpr unsigned Deepest = 64; // what is made of more steps is gathered from the last of them

int words(const Value &Predicate) { return int(divideCeil(unsigned(countOf(Predicate.getType())), 16u)); }

/// Whether a value takes a flag register.
bool isFlag(const Value &V) {
  auto *I = dyn_cast<Instruction>(&V);
  return isPredicate(V.getType()) && !isa<Constant>(V) && !(I && isBaled(*I));
}

/// The most words of flag registers that are taken at a time.
int mostWords(BasicBlock &Block) {
  SmallPtrSet<const Value *, 16> Live;
  int Now = 0, Most = 0;
  auto Need = [&](const Value &V) {
    if (isFlag(V) && Live.insert(&V).second)
      Now += words(V);
  };
  for (Instruction &I : Block)
    if (I.isUsedOutsideOfBlock(&Block))
      Need(I);
  for (Instruction &I : reverse(Block)) {
    if (Live.erase(&I))
      Now -= words(I);
    for (const Value *Operand : I.operands())
      Need(*Operand);
    Most = std::max(Most, Now);
  }
  return Most;
}

class PredicateOrder {
  DenseMap<const Instruction *, int> Words; // that computing it takes at a time

  /// What an instruction reads that can come right before it, the one that takes most first.
  SmallVector<Instruction *, 4> partsOf(Instruction &User) {
    SmallVector<Instruction *, 4> Parts;
    for (Value *Operand : User.operands())
      if (auto *I = dyn_cast<Instruction>(Operand);
          I && isFlag(*I) && I->hasOneUse() && I->getParent() == User.getParent() && isa<CmpInst, BinaryOperator>(I))
        Parts.push_back(I);
    stable_sort(Parts, [&](Instruction *A, Instruction *B) { return wordsOf(*A) > wordsOf(*B); });
    return Parts;
  }

  int wordsOf(Instruction &I, unsigned Depth = 0) {
    if (Depth == Deepest)
      return words(I);
    if (auto Known = Words.find(&I); Known != Words.end())
      return Known->second;
    int Most = words(I), Done = 0;
    for (Instruction *Part : partsOf(I)) {
      Most = std::max(Most, Done + wordsOf(*Part, Depth + 1));
      Done += words(*Part);
    }
    return Words[&I] = Most;
  }

public:
  bool gather(Instruction &User, unsigned Depth = 0) {
    if (Depth == Deepest)
      return false;
    bool Changed = false;
    SmallVector<Instruction *, 4> Parts = partsOf(User);
    for (Instruction *Part : Parts)
      if (canSinkTo(*Part, User)) {
        moveWithOperands(*Part, User);
        Changed = true;
      }
    for (Instruction *Part : Parts)
      Changed |= gather(*Part, Depth + 1);
    return Changed;
  }

  /// Whether an instruction is gathered with the one that reads it.
  bool isPart(Instruction &I) { return I.hasOneUse() && is_contained(partsOf(*cast<Instruction>(I.user_back())), &I); }
};

} // namespace

bool orderPredicates(Module &M, const GenTarget &) {
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      if (mostWords(Block) <= FlagWords)
        continue;
      PredicateOrder Order;
      SmallVector<Instruction *, 32> Readers;
      for (Instruction &I : Block)
        if (!isa<PHINode>(I) && !Order.isPart(I))
          Readers.push_back(&I);
      for (Instruction *Reader : reverse(Readers))
        Changed |= Order.gather(*Reader);
    }
  return Changed;
}

} // namespace pocm::gen
