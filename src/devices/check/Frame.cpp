//===- Frame.cpp - Variables of a kernel that live in memory, and who reads them first -----===//
#include "devices/check/Frame.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::check {

//===- Accesses -----------------------------------------------------------------------------===//

Value *readPointer(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return const_cast<Value *>(Load->getPointerOperand());
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return Copy->getRawSource();
  return operationOf(&I) == Op::MemoryRead ? operandOf(cast<CallInst>(I), Role::First) : nullptr;
}

Value *writtenPointer(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return const_cast<Value *>(Store->getPointerOperand());
  if (auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return Fill->getRawDest();
  return operationOf(&I) == Op::MemoryWrite ? operandOf(cast<CallInst>(I), Role::First) : nullptr;
}

Value *writtenValue(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return const_cast<Value *>(Store->getValueOperand());
  return operationOf(&I) == Op::MemoryWrite ? operandOf(cast<CallInst>(I), Role::Data) : nullptr;
}

namespace {

/// do(offset from its pointer, bytes) for all that an access reaches; false when that is not known.
bool eachStretch(const Instruction &I, const DataLayout &DL, function_ref<void(std::int64_t, std::int64_t)> Do) {
  if (auto *Move = dyn_cast<MemIntrinsic>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Move->getLength());
    if (Length)
      Do(0, Length->getSExtValue());
    return Length;
  }
  if (operationOf(&I) == Op::None) {
    Type *T = isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
    Do(0, std::int64_t(DL.getTypeStoreSize(T).getFixedValue()));
    return true;
  }
  auto Shape = constantShapeOf(cast<CallInst>(I));
  if (!Shape)
    return false;
  Type *T = dataTypeOf(cast<CallInst>(I));
  const std::int64_t Bytes = elementBytes(T), Width = std::max<std::int64_t>(1, Shape->Width);
  for (std::int64_t K = 0; K < countOf(T); ++K)
    Do(K / Width * Shape->RowStride + K % Width * Shape->Stride * Bytes, Bytes);
  return true;
}

} // namespace

//===- Objects ------------------------------------------------------------------------------===//

namespace {

/// All pointers into a variable; none when one of them is used otherwise.
SetVector<Value *> pointersOf(AllocaInst &Variable) {
  SetVector<Value *> All;
  All.insert(&Variable);
  for (unsigned K = 0; K < All.size(); ++K)
    for (User *U : All[K]->users()) {
      auto *I = cast<Instruction>(U);
      if (isa<GetElementPtrInst, PHINode, SelectInst>(I) && I->getType()->isPointerTy())
        All.insert(I);
      else if (writtenValue(*I) == All[K] ||
               !(isa<LifetimeIntrinsic, ICmpInst>(I) || readPointer(*I) == All[K] || writtenPointer(*I) == All[K]))
        return {};
    }
  return All;
}

/// Where it may also lead elsewhere.
bool isMixed(const Value *Pointer, function_ref<bool(const Value *)> Leads) {
  if (auto *Phi = dyn_cast<PHINode>(Pointer))
    return !all_of(Phi->incoming_values(), [&](const Use &V) { return Leads(V); });
  if (auto *Select = dyn_cast<SelectInst>(Pointer))
    return !Leads(Select->getTrueValue()) || !Leads(Select->getFalseValue());
  return false;
}

} // namespace

Frame::Frame(Function &F) {
  EquivalenceClasses<Value *> Together;
  for (Instruction &I : instructions(F)) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    if (!Variable || !Variable->isStaticAlloca())
      continue;
    for (Value *Pointer : pointersOf(*Variable))
      Together.unionSets(Variable, Pointer);
  }
  auto Leads = [&](const Value *V) { return Together.findLeader(const_cast<Value *>(V)) != Together.member_end(); };
  for (auto *Class : Together) {
    if (!Class->isLeader())
      continue;
    auto Members = Together.members(*Class);
    if (any_of(Members, [&](const Value *V) { return isMixed(V, Leads); }))
      continue;
    Objects.push_back(std::make_unique<Object>());
    for (Value *Pointer : Members) {
      Pointers[Pointer] = Objects.back().get();
      if (auto *Variable = dyn_cast<AllocaInst>(Pointer))
        Objects.back()->Variables.push_back(Variable);
    }
  }
  if (Objects.empty())
    return;
  for (Instruction &I : instructions(F)) {
    if (auto *Read = const_cast<Object *>(readBy(I)))
      Read->Reads.push_back(&I);
    if (auto *Written = const_cast<Object *>(writtenBy(I)))
      Written->Writes.push_back(&I);
  }
  findReads(F);
}

const Frame::Object *Frame::objectOf(const Value *Pointer) const {
  return Pointer ? Pointers.lookup(Pointer) : nullptr;
}
const Frame::Object *Frame::readBy(const Instruction &I) const { return objectOf(readPointer(I)); }
const Frame::Object *Frame::writtenBy(const Instruction &I) const { return objectOf(writtenPointer(I)); }

//===- Who reads first ----------------------------------------------------------------------===//

namespace {

/// Which bytes of variables have been written on every path. A bit for each byte of each variable that is an object of
/// its own.
class Written {
public:
  Written(const Frame &Of, const DataLayout &DL) : Of(Of), DL(DL) {
    for (const auto &Object : Of.objects())
      if (Object->Variables.size() == 1) {
        AllocaInst *Variable = Object->Variables[0];
        Begins[Variable] = All;
        All += bytesOf(*Variable);
      }
  }
  std::uint64_t bits() const { return All; }

  void after(const Instruction &I, BitVector &State) const {
    if (auto *Start = dyn_cast<LifetimeIntrinsic>(&I)) {
      if (auto *Variable = dyn_cast<AllocaInst>(*std::prev(Start->arg_end()));
          Start->getIntrinsicID() == Intrinsic::lifetime_start && Begins.contains(Variable))
        set(State, *Variable, 0, std::int64_t(bytesOf(*Variable)), false);
      return;
    }
    const Value *Pointer = writtenPointer(I);
    std::int64_t Offset;
    const AllocaInst *Variable = placeOf(Pointer, Offset);
    const bool Writes = operationOf(writtenValue(I)) != Op::Unwritten;
    if (Variable)
      eachStretch(I, DL,
                  [&](std::int64_t At, std::int64_t Bytes) { set(State, *Variable, Offset + At, Bytes, Writes); });
  }

  /// Whether all that an instruction reads has been.
  bool covers(const Instruction &Read, const BitVector &State) const {
    const Value *Pointer = readPointer(Read);
    std::int64_t Offset = 0;
    const AllocaInst *Variable = placeOf(Pointer, Offset);
    bool Covers = true;
    auto Look = [&](std::int64_t At, std::int64_t Bytes) {
      Covers = Covers && isSet(State, *Variable, Offset + At, Bytes);
    };
    if (Variable && eachStretch(Read, DL, Look))
      return Covers;
    auto *Object = Of.objectOf(Pointer);
    Variable = Object->Variables[0];
    return Object->Variables.size() == 1 && isSet(State, *Variable, 0, std::int64_t(bytesOf(*Variable)));
  }

private:
  std::uint64_t bytesOf(const AllocaInst &Variable) const { return Variable.getAllocationSize(DL)->getFixedValue(); }

  /// The variable that a pointer leads to at a constant offset; null for others.
  const AllocaInst *placeOf(const Value *Pointer, std::int64_t &Offset) const {
    if (!Of.objectOf(Pointer))
      return nullptr;
    APInt Constant(64, 0);
    auto *Variable = dyn_cast<AllocaInst>(Pointer->stripAndAccumulateConstantOffsets(DL, Constant, true));
    Offset = Constant.getSExtValue();
    return Variable && Begins.contains(Variable) ? Variable : nullptr;
  }
  void set(BitVector &State, const AllocaInst &Variable, std::int64_t At, std::int64_t Bytes, bool To) const {
    const auto Size = std::int64_t(bytesOf(Variable));
    const std::int64_t From = std::clamp<std::int64_t>(At, 0, Size),
                       End = std::clamp<std::int64_t>(At + Bytes, From, Size);
    const auto Begin = unsigned(Begins.lookup(&Variable));
    To ? State.set(Begin + unsigned(From), Begin + unsigned(End))
       : State.reset(Begin + unsigned(From), Begin + unsigned(End));
  }
  /// What lies outside is another matter.
  bool isSet(const BitVector &State, const AllocaInst &Variable, std::int64_t At, std::int64_t Bytes) const {
    const auto Size = std::int64_t(bytesOf(Variable));
    const std::int64_t From = std::clamp<std::int64_t>(At, 0, Size),
                       End = std::clamp<std::int64_t>(At + Bytes, From, Size);
    const auto Begin = unsigned(Begins.lookup(&Variable));
    return From == End || State.find_first_unset_in(Begin + unsigned(From), Begin + unsigned(End)) < 0;
  }

  const Frame &Of;
  const DataLayout &DL;
  DenseMap<const AllocaInst *, std::uint64_t> Begins;
  std::uint64_t All = 0;
};

} // namespace

void Frame::findReads(Function &F) {
  constexpr std::uint64_t MostBits = 1u << 27;
  const Written Bytes(*this, F.getDataLayout());
  if (Bytes.bits() * F.size() > MostBits) {
    for (const auto &Object : Objects)
      First.insert(Object->Reads.begin(), Object->Reads.end());
    return;
  }
  DenseMap<const BasicBlock *, BitVector> Ends;
  ReversePostOrderTraversal<Function *> Order(&F);
  auto Begin = [&](const BasicBlock &Block) {
    BitVector State(unsigned(Bytes.bits()), !Block.isEntryBlock());
    for (const BasicBlock *Before : predecessors(&Block))
      if (auto End = Ends.find(Before); End != Ends.end())
        State &= End->second;
    return State;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *Block : Order) {
      BitVector State = Begin(*Block);
      for (const Instruction &I : *Block)
        Bytes.after(I, State);
      auto [End, New] = Ends.try_emplace(Block, State);
      Changed |= New || End->second != State;
      End->second = std::move(State);
    }
  }
  for (const BasicBlock *Block : Order) {
    BitVector State = Begin(*Block);
    for (const Instruction &I : *Block) {
      if (readBy(I) && !Bytes.covers(I, State))
        First.insert(&I);
      Bytes.after(I, State);
    }
  }
}

} // namespace pocm::check
