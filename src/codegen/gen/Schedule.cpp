//===- Schedule.cpp - Long vectors piece by piece, where registers do not hold all ---------===//
//
//     %a1 = umin %x1, %y1                         %a1 = umin %x1, %y1
//     %a2 = umin %x2, %y2                         %b1 = umax %a1, %z1
//     ...                                   ->    %w1 = wrregion(undef, %b1, 0..15)
//     %b1 = umax %a1, %z1                         %a2 = umin %x2, %y2
//     %b2 = umax %a2, %z2                         %b2 = umax %a2, %z2
//     ...                                         %w2 = wrregion(%w1, %b2, 16..31)
//     %w1 = wrregion(undef, %b1, 0..15)           ...
//
// Every message and every value that other blocks read gets what it needs right before it, what takes more registers
// first (Sethi and Ullman's order).
//
// Why:      long vectors are cut to what an instruction does, all pieces of an operation before the next operation:
//           what lies between two operations is there as a whole then, and the finalizer spills what is too much.
// Costs:    what is computed early and read late now waits for its readers; only blocks that take more registers than
//           there should be are ordered anew, and only if they take fewer then.
// Needs:    vectors in their final pieces (gen-decomposition), bales that stay what they are (gen-predication).
// Leaves:   messages in their order; reads of a vector before the writes over it, which happen in place.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Bales.h"
#include "codegen/gen/GenPasses.h"
#include "codegen/gen/Variables.h"
#include "ir/Operands.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr int Registers = 128;

/// A bale, or what stands for no instruction.
struct Unit {
  SmallVector<Instruction *, 4> Members; // its head comes last
  SmallVector<unsigned, 4> Before;       // what has to stand before it; sorted once it is known what each takes
  int Needs = 0;                         // bytes of registers that computing it takes at a time

  Instruction &head() const { return *Members.back(); }
};

class Schedule {
  BasicBlock &Block;
  const int GrfBytes;
  std::vector<Unit> Units; // in the order that they have; each after those before it
  Unit Last;               // the terminator
  DenseMap<const Instruction *, unsigned> Of;

  /// Of registers; bytes that are computed lie in words.
  int bytesOf(const Value &V) const {
    if (!needsRegister(V))
      return 0;
    Type *T = V.getType();
    auto *I = dyn_cast<Instruction>(&V);
    int Each = T->isPtrOrPtrVectorTy() ? 8 : std::max(elementBytes(T), I && isVectorInstruction(*I) ? 2 : 1);
    int Bytes = countOf(T) * Each;
    return Bytes <= GrfBytes / 2 ? Bytes : int(alignTo(unsigned(Bytes), unsigned(GrfBytes)));
  }

  static void addMembers(Instruction &I, SmallVectorImpl<Instruction *> &All) {
    for (Value *Operand : I.operands())
      if (auto *Member = dyn_cast<Instruction>(Operand); Member && isBaled(*Member))
        addMembers(*Member, All);
    All.push_back(&I);
  }

  /// What a unit reads: values that have registers or flags.
  SmallVector<Value *, 8> readsOf(const Unit &U) const {
    SmallVector<Value *, 8> All;
    for (Instruction *Member : U.Members)
      for (Value *Operand : Member->operands())
        if (isa<Instruction, Argument>(Operand) && !is_contained(U.Members, Operand))
          All.push_back(registerOf(Operand));
    return All;
  }

  static bool staysInOrder(const Unit &U) {
    return any_of(U.Members, [](Instruction *I) { return I->mayHaveSideEffects() || I->mayReadFromMemory(); });
  }

  /// Reads of a value come before what is written to its registers: its next version, in place or around a loop.
  void keepReadsBefore(Value *Read, const Value *Written, const DenseMap<Value *, SmallVector<unsigned, 4>> &Readers) {
    auto *I = dyn_cast<Instruction>(Written);
    auto By = I ? Of.find(I) : Of.end();
    auto Found = Readers.find(registerOf(Read));
    if (By == Of.end() || Found == Readers.end())
      return;
    for (unsigned Reader : Found->second)
      if (Reader < By->second)
        Units[By->second].Before.push_back(Reader);
  }

  void link() {
    std::optional<unsigned> Message;
    DenseMap<Value *, SmallVector<unsigned, 4>> Readers;
    for (unsigned N = 0; N < Units.size(); ++N) {
      Unit &U = Units[N];
      for (Instruction *Member : U.Members)
        for (Value *Operand : Member->operands())
          if (auto *I = dyn_cast<Instruction>(Operand))
            if (auto Found = Of.find(I); Found != Of.end() && Found->second != N)
              U.Before.push_back(Found->second);
      for (Value *V : readsOf(U))
        Readers[V].push_back(N);
      if (staysInOrder(U)) {
        if (Message)
          U.Before.push_back(*Message);
        Message = N;
      }
    }
    for (Unit &U : Units)
      if (auto *W = asOperation(&U.head(), Op::RegionWrite))
        keepReadsBefore(operandOf(*W, Role::Old), W, Readers);
    for (BasicBlock *Next : successors(&Block))
      for (PHINode &Phi : Next->phis())
        keepReadsBefore(&Phi, registerOf(Phi.getIncomingValueForBlock(&Block)), Readers);
  }

  /// What a unit needs in the order that takes least, but the vector that it writes to first.
  void sortBefore(Unit &U) {
    llvm::sort(U.Before);
    U.Before.erase(llvm::unique(U.Before), U.Before.end());
    SmallVector<Value *, 8> Reads = readsOf(U);
    auto Kept = [&](unsigned N) {
      return is_contained(Reads, registerOf(&Units[N].head())) ? bytesOf(*registerOf(&Units[N].head())) : 0;
    };
    auto *W = asOperation(&U.head(), Op::RegionWrite);
    auto *Old = W ? dyn_cast<Instruction>(registerOf(operandOf(*W, Role::Old))) : nullptr;
    stable_sort(U.Before, [&](unsigned A, unsigned B) {
      bool FirstA = &Units[A].head() == Old, FirstB = &Units[B].head() == Old;
      return FirstA != FirstB ? FirstA : Units[A].Needs - Kept(A) > Units[B].Needs - Kept(B);
    });
    int Done = 0;
    U.Needs = bytesOf(U.head());
    for (unsigned N : U.Before) {
      U.Needs = std::max(U.Needs, Done + Units[N].Needs);
      Done += Kept(N);
    }
    U.Needs = std::max(U.Needs, Done);
  }

  void place(unsigned Root, BitVector &Done, SmallVectorImpl<unsigned> &Order) const {
    SmallVector<std::pair<unsigned, size_t>, 32> Path; // units, and how many of those before each are done
    auto Enter = [&](unsigned N) {
      if (!Done.test(N))
        Path.push_back({N, 0});
      Done.set(N);
    };
    for (Enter(Root); !Path.empty();) {
      auto &[N, K] = Path.back();
      if (K < Units[N].Before.size()) {
        Enter(Units[N].Before[K++]);
      } else {
        Order.push_back(N);
        Path.pop_back();
      }
    }
  }

public:
  Schedule(BasicBlock &Block, unsigned GrfBytes) : Block(Block), GrfBytes(int(GrfBytes)) {
    for (Instruction &I : Block) {
      if (isa<PHINode>(I) || isBaled(I))
        continue;
      Unit &U = I.isTerminator() ? Last : Units.emplace_back();
      addMembers(I, U.Members);
      if (!I.isTerminator())
        for (Instruction *Member : U.Members)
          Of[Member] = unsigned(Units.size()) - 1;
    }
  }

  SmallVector<unsigned, 32> asItIs() const { return to_vector<32>(seq(0u, unsigned(Units.size()))); }

  /// Messages in their order, each behind what it needs, then what other blocks need.
  SmallVector<unsigned, 32> pieceByPiece() {
    link();
    for (Unit &U : Units)
      sortBefore(U);
    SmallVector<unsigned, 32> Order;
    BitVector Done(unsigned(Units.size()));
    for (bool Messages : {true, false})
      for (unsigned N = 0; N < Units.size(); ++N)
        if (!Messages || staysInOrder(Units[N]))
          place(N, Done, Order);
    return Order;
  }

  /// The most bytes of registers that are taken at a time, of what this block computes or reads.
  int mostBytes(ArrayRef<unsigned> Order) const {
    SmallPtrSet<Value *, 32> Live;
    int Now = 0, Most = 0;
    auto Need = [&](Value *V) {
      if (needsRegister(*V) && Live.insert(V).second)
        Now += bytesOf(*V);
    };
    for (Value *V : readsOf(Last))
      Need(V);
    for (Instruction &I : Block)
      if (I.isUsedOutsideOfBlock(&Block))
        Need(registerOf(&I));
    for (unsigned N : reverse(Order)) {
      Most = std::max(Most, Now);
      if (Live.erase(&Units[N].head()))
        Now -= bytesOf(Units[N].head());
      for (Value *V : readsOf(Units[N]))
        Need(V);
    }
    return std::max(Most, Now);
  }

  void arrange(ArrayRef<unsigned> Order) {
    auto *End = Block.getTerminator();
    for (unsigned N : Order)
      for (Instruction *Member : Units[N].Members)
        Member->moveBefore(End->getIterator());
    for (Instruction *Member : ArrayRef(Last.Members).drop_back())
      Member->moveBefore(End->getIterator());
  }
};

} // namespace

bool scheduleBlocks(Module &M, const GenTarget &Target) {
  const int Most = int(Target.GrfBytes) * Registers * 3 / 4; // the finalizer needs some, and rounds
  bool Changed = false;
  for (Function &F : M)
    for (BasicBlock &Block : F) {
      Schedule S(Block, Target.GrfBytes);
      int Taken = S.mostBytes(S.asItIs());
      if (Taken <= Most)
        continue;
      auto Order = S.pieceByPiece();
      if (S.mostBytes(Order) >= Taken)
        continue;
      S.arrange(Order);
      Changed = true;
    }
  return Changed;
}

} // namespace pocm::gen
