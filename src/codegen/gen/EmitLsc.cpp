//===- EmitLsc.cpp - Memory accesses of DG2 and later as vISA instructions ------------------===//
#include "codegen/gen/EmitLsc.h"
#include "ir/Operands.h"
#include "program/KernelInterface.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

bool EmitLsc::message(CallInst &I) {
  if (auto M = lsc::Message::match(&I))
    return lscMessage(*M);
  if (auto Block = lsc::Block2d::match(&I))
    return block2d(*Block);
  if (operationOf(&I) == Op::Fence)
    return fence(I);
  const auto Info = messageOf(operationOf(&I));
  return Info && older(I, *Info);
}

/// A message that older targets have as well.
bool EmitLsc::older(CallInst &I, const MessageInfo &Info) {
  const Op Operation = operationOf(&I);
  switch (Info.Is) {
  case MessageInfo::Form::Block: {
    Memory M = memoryOf(I, Info);
    Payload Place = Info.Of == MessageInfo::Memory::Address
                        ? Payloads.of(operandOf(I, Role::Address))
                        : inBytes(operandOf(I, Role::Offset), Log2_32(unsigned(Info.Unit)));
    return block(I, M, Place, has(Operation, Role::Data) ? operandOf(I, Role::Data) : nullptr);
  }
  case MessageInfo::Form::Lanes:
  case MessageInfo::Form::Pixels:
    if (Info.Does == MessageInfo::Action::Atomic)
      return atomic(I, Info);
    return has(Operation, Role::Components) ? quad(I, Info)
                                            : scattered(I, memoryOf(I, Info), !has(Operation, Role::Data));
  default:
    return false;
  }
}

// Memory

/// The thread's scratch memory: the surface whose state lies at so many bytes.
EmitLsc::Memory EmitLsc::frame() const {
  return {.Function = Part::Untyped, .Where = {LscMemory::Kind::State, {Out.Scratch.Owords}}};
}

void EmitLsc::numberOf(Memory &M, Value *Surface) {
  M.Where.Is = LscMemory::Kind::Binding;
  Declaration *Given = Surfaces.given(Surface);
  Value *Register = registerOf(Surface);
  if (auto *C = dyn_cast<ConstantInt>(Surface)) {
    M.Where.Surface.Number = Surfaces.slotOf(*C);
  } else if (Given && Given->Binding) {
    M.Where.Surface.Number = *Given->Binding;
  } else if (countOf(Register->getType()) == 1 && needsRegister(*Register)) { // no payload: it may lie anywhere
    M.Where.Surface.Of = Operands.view(Register, Surface->getType(), Sign::Unsigned);
  } else {
    Payload P = Payloads.of(Surface);
    M.Where.Surface.Of = P.Of;
    M.Meant = P.Meant;
  }
}

EmitLsc::Memory EmitLsc::onSurface(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V); C && C->getZExtValue() == SlmSurface)
    return shared();
  Memory M{.Function = Part::Untyped};
  numberOf(M, V);
  return M;
}

EmitLsc::Memory EmitLsc::typedSurface(Value *V) {
  Memory M{.Function = Part::Typed};
  numberOf(M, V);
  return M;
}

EmitLsc::Memory EmitLsc::memoryOf(CallInst &I, const MessageInfo &Info) {
  if (Info.Of == MessageInfo::Memory::Address)
    return byAddress();
  if (Info.Of == MessageInfo::Memory::Frame)
    return frame();
  Value *Surface = operandOf(I, Role::Surface);
  return Info.isImage() ? typedSurface(Surface) : onSurface(Surface);
}

EmitLsc::Memory EmitLsc::memoryOf(const lsc::Message &M) {
  switch (M.Where) {
  case lsc::Space::Slm:
    return shared();
  case lsc::Space::Stateless:
    return byAddress();
  default:
    Memory Where{.Function = Part::Untyped};
    numberOf(Where, M.surface());
    return Where;
  }
}

Operand EmitLsc::at(const Memory &M, ArrayRef<Payload> Places, int Offset) {
  LscAddress Address{M.Where, {}, Offset, M.AddressBits};
  Operand O{Address, M.Meant};
  for (const Payload &P : Places) {
    std::get<LscAddress>(O.Form).Places.push_back({P.Of});
    append_range(O.Meant, P.Meant);
  }
  return O;
}

Operand EmitLsc::data(const Payload &P, const LscLane &Lane) { return {LscData{P.Of, Lane}, P.Meant}; }

/// A variable by its name, without what lanes move.
static Operand whole(const Payload &P) { return {NameOperand{P.Of}, P.Meant}; }

// Payloads

/// A variable that holds an element for each lane. GenX_IR gives a message all channels that the shortest has, and
/// wants variables of 64-bit elements to have room for them. The finalizer puts the sources of an atomic with two of
/// them one behind the other, and takes each from where its variable begins: no part of another one.
Payload EmitLsc::lanes(Value *V, unsigned Sources) {
  unsigned Bytes = bytesOf(V->getType()), Room = Out.Target.lscChannels() * 8;
  bool Short = elementBytes(V->getType()->getScalarType()) == 8 && Bytes < Room;
  return Payloads.of(V, Sign::Unsigned, Short ? Room : Sources > 1 ? Bytes : 0);
}

/// A variable with an offset in bytes of what counts in units of 1 << Shift.
Payload EmitLsc::inBytes(Value *Offset, unsigned Shift) {
  if (Shift == 0)
    return Payloads.of(Offset);
  Declaration *To = Out.declare(Offset->getType(), 1, Sign::Unsigned, /*Payload=*/true);
  Operand From = Operands.scalar(Offset);
  if (auto *C = dyn_cast<ConstantInt>(Offset))
    Out.add(Opcode::Mov, 1,
            {Builder::destination(To), {BitsOperand{uint32_t(C->getZExtValue() << Shift), ElementType::UD}}});
  else
    Out.add(Opcode::Shl, 1, {Builder::destination(To), From, {NumberOperand{Shift, ElementType::UD}}});
  return {To};
}

/// The variable that a message writes, of elements of so many bytes in lanes.
Payload EmitLsc::resultInLanes(CallInst &I, unsigned Bytes) {
  if (Bytes == 8)
    Builder::makeRoom(Operands.variable(&I), Out.Target.lscChannels() * Bytes);
  return Payloads.result(&I);
}

static LscLane laneOf(int Bytes) {
  return {Bytes == 8 ? LscSize::D64 : Bytes == 4 ? LscSize::D32 : Bytes == 2 ? LscSize::D16C32 : LscSize::D8C32};
}

/// Where lanes are: offsets, or the coordinates of a typed access, of which those that are 0 and come last are left
/// out.
SmallVector<Payload, 3> EmitLsc::placesOf(CallInst &I) {
  if (has(operationOf(&I), Role::Places))
    return {lanes(operandOf(I, Role::Places))};
  SmallVector<Payload, 3> All;
  All.push_back(Payloads.of(operandOf(I, Role::U)));
  All.push_back(Payloads.of(operandOf(I, Role::V)));
  if (has(operationOf(&I), Role::R) && !match(operandOf(I, Role::R), m_Zero()))
    All.push_back(Payloads.of(operandOf(I, Role::R)));
  return All;
}

// Messages that older targets have as well

/// Contiguous dwords, of one lane. Written when there is Data.
bool EmitLsc::block(CallInst &I, const Memory &M, const Payload &Place, Value *Data) {
  unsigned Bytes = bytesOf(Data ? Data->getType() : I.getType()), Dwords = Bytes / 4;
  if (Bytes % 4 || !is_contained({1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u}, Dwords))
    fail("a block of " + std::to_string(Bytes) + " bytes");
  const LscLane Lane{.Size = LscSize::D32, .Elements = Dwords, .Block = true};
  if (Data)
    Out.add(Opcode::LscStore, 1, {at(M, Place), data(Payloads.of(Data), Lane)}).part(M.Function);
  else
    Out.add(Opcode::LscLoad, 1, {data(Payloads.result(&I), Lane), at(M, Place)}).part(M.Function);
  return true;
}

bool EmitLsc::scattered(CallInst &I, const Memory &M, bool Read) {
  Value *OldOrData = operandOf(I, valueRole(operationOf(&I)));
  Type *T = OldOrData->getType();
  int Lanes = countOf(T), Bytes = elementBytes(T);
  const bool Narrow = Bytes < 4;
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Operand Place = at(M, lanes(operandOf(I, Role::Places)));
  Payload Data = Narrow ? Payload{Out.dwords(Lanes)} : Read ? resultInLanes(I, unsigned(Bytes)) : lanes(OldOrData);
  Operand InLanes = data(Data, laneOf(Bytes));
  if (Read) {
    if (!Narrow)
      Payloads.keepOld(I, OldOrData, bool(G));
    Out.add(Opcode::LscLoad, Lanes, {InLanes, Place}).guarded(G).part(M.Function);
    if (Narrow)
      Payloads.fromDwords(I, Data.Of, G, OldOrData);
    return true;
  }
  if (Narrow)
    Payloads.toDwords(Data.Of, OldOrData);
  Out.add(Opcode::LscStore, Lanes, {Place, InLanes}).guarded(G).part(M.Function);
  return true;
}

bool EmitLsc::quad(CallInst &I, const MessageInfo &Info) {
  const bool Read = Info.Does == MessageInfo::Action::Read;
  unsigned Mask = constantOf(operandOf(I, Role::Components), "a mask of components");
  if (!Read && !isMask_32(Mask)) // only x, xy, xyz and xyzw are written
    return false;
  const LscLane Lane{.Size = LscSize::D32, .Components = Mask & 15};
  int Lanes = countOf(operandOf(I, Role::Predicate)->getType());
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Memory M = memoryOf(I, Info);
  Operand Place = at(M, placesOf(I));
  if (Read) {
    Payloads.keepOld(I, operandOf(I, Role::Old), bool(G));
    Out.add(Opcode::LscLoadQuad, Lanes, {data(Payloads.result(&I), Lane), Place}).guarded(G).part(M.Function);
  } else {
    Payload Data = Payloads.of(operandOf(I, Role::Data));
    Out.add(Opcode::LscStoreQuad, Lanes, {Place, data(Data, Lane)}).guarded(G).part(M.Function);
  }
  return true;
}

bool EmitLsc::fence(CallInst &I) {
  constexpr unsigned Local = 0x20; // of the fence's mask
  unsigned Bits = constantOf(operandOf(I, Role::FenceBits), "a fence's mask");
  if (Bits & Local) {
    Out.add(Opcode::LscFence, 0).parts({Part::Shared, Part::NoFlush, Part::OfGroup});
    return true;
  }
  for (Part Function : {Part::Untyped, Part::Typed})
    Out.add(Opcode::LscFence, 0).parts({Function, Part::NoFlush, Part::OfGpu});
  return true;
}

static Part partOf(lsc::Atomic What) { return Part(unsigned(Part::LscInc) + unsigned(What)); }
static_assert(unsigned(Part::LscXor) - unsigned(Part::LscInc) == unsigned(lsc::Atomic::Xor));

static const lsc::AtomicRow &rowOf(CallInst &I, const AtomicInfo &Info) {
  auto *Row = find_if(
      lsc::Atomics, [&](const lsc::AtomicRow &R) { return R.Older == Info.Number && int(R.Sources) == Info.Sources; });
  if (Row == std::end(lsc::Atomics))
    fail(nameOf(I));
  return *Row;
}

/// The first source of a comparing exchange is the new value; the message has what to compare with before it.
bool EmitLsc::atomic(CallInst &I, const MessageInfo &Message) {
  const Op Operation = operationOf(&I);
  const AtomicInfo Info = atomicInfo(
      has(Operation, Role::Number) ? atomicOfNumber(constantOf(operandOf(I, Role::Number), "an atomic")) : Operation);
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Memory M = memoryOf(I, Message);
  SmallVector<Payload, 3> Places = placesOf(I);
  int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
  bool InDwords = Bytes < 4;
  Payload Sources[2] = {none(), none()};
  for (int K = 0; K < Info.Sources && K < 2; ++K) {
    Value *V = sourceOf(I, unsigned(K));
    if (InDwords) {
      Sources[K] = {Out.dwords(Lanes)};
      Payloads.toDwords(Sources[K].Of, V);
    } else {
      Sources[K] = lanes(V, unsigned(Info.Sources));
    }
  }
  const lsc::AtomicRow &Row = rowOf(I, Info);
  if (Row.Swaps)
    std::swap(Sources[0], Sources[1]);
  Payload To = I.use_empty() ? none() : InDwords ? Payload{Out.dwords(Lanes)} : resultInLanes(I, unsigned(Bytes));
  Value *Old = has(Operation, Role::Old) ? operandOf(I, Role::Old) : PoisonValue::get(I.getType());
  if (!I.use_empty() && !InDwords)
    Payloads.keepOld(I, Old, bool(G));
  Out.add(Opcode::LscAtomic, Lanes, {data(To, laneOf(Bytes)), at(M, Places), whole(Sources[0]), whole(Sources[1])})
      .guarded(G)
      .part(partOf(Row.What))
      .part(M.Function);
  if (InDwords && !I.use_empty())
    Payloads.fromDwords(I, To.Of, G, Old);
  return true;
}

// Messages that CM IR has as they are

using Parts = SmallVector<Part, 2>;

/// How the caches of both levels keep what a message moves: nothing is said where that is left to the target.
static Parts caching(unsigned L1, unsigned L3) {
  static constexpr Part Names[] = {Part::CacheDefault, Part::Uncached,  Part::Cached,        Part::WriteBack,
                                   Part::WriteThrough, Part::Streaming, Part::ReadInvalidate};
  if ((L1 == lsc::Default && L3 == lsc::Default) || std::max(L1, L3) >= std::size(Names))
    return {};
  return {Names[L1], Names[L3]};
}
/// A prefetch goes somewhere in any case.
static Parts prefetchCaching(unsigned L1, unsigned L3) {
  Parts Said = caching(L1, L3);
  return Said.empty() || (L1 == lsc::Uncached && L3 == lsc::Uncached) ? Parts{Part::Uncached, Part::Cached} : Said;
}

static LscLane laneOf(const lsc::Message &M) {
  static constexpr LscSize Sizes[] = {LscSize::D32, LscSize::D8,    LscSize::D16,    LscSize::D32,
                                      LscSize::D64, LscSize::D8C32, LscSize::D16C32, LscSize::D16C32H};
  return {Sizes[M.number(lsc::Size)], M.elements(), M.isQuad() ? M.number(lsc::Components) & 15 : 0, M.isBlock()};
}

bool EmitLsc::lscMessage(const lsc::Message &M) {
  CallInst &I = *M.Call;
  Memory Where = memoryOf(M);
  unsigned L1 = M.number(lsc::CacheL1), L3 = M.number(lsc::CacheL3);
  const bool Prefetches = M.What == lsc::Kind::Prefetch;
  Parts Caching;
  if (M.Where != lsc::Space::Slm)
    Caching = Prefetches ? prefetchCaching(L1, L3) : caching(L1, L3);
  Guard G = Operands.guard(M.predicate());
  Operand Place = at(Where, M.isBlock() ? Payloads.of(M.places()) : lanes(M.places()), int(M.number(lsc::Offset)));
  if (M.What == lsc::Kind::Atomic)
    return lscAtomic(M, G, Where, Caching, Place);
  const LscLane Lane = laneOf(M);
  const int Channels = M.isBlock() ? 1 : countOf(M.places()->getType());
  auto Add = [&](Opcode Code, ArrayRef<Operand> Of) {
    Out.add(Code, Channels, Of).guarded(G).part(Where.Function).parts(Caching);
  };
  if (Prefetches) {
    Add(Opcode::LscLoad, {data(none(), Lane), Place});
  } else if (M.reads()) {
    Payload To = M.isBlock() ? Payloads.result(&I) : resultInLanes(I, M.bytes());
    Payloads.keepOld(I, M.old(), bool(G));
    Add(M.isQuad() ? Opcode::LscLoadQuad : Opcode::LscLoad, {data(To, Lane), Place});
  } else {
    Payload From = M.isBlock() ? Payloads.of(M.value()) : lanes(M.value());
    Add(M.isQuad() ? Opcode::LscStoreQuad : Opcode::LscStore, {Place, data(From, Lane)});
  }
  return true;
}

bool EmitLsc::lscAtomic(const lsc::Message &M, const Guard &G, const Memory &Where, const Parts &Caching,
                        const Operand &Place) {
  SmallVector<Operand, 2> Values;
  for (unsigned K = 0; K < 2; ++K)
    Values.push_back(whole(K < M.atomic().Sources ? lanes(sourceOf(*M.Call, K), M.atomic().Sources) : none()));
  const bool Unused = M.Call->use_empty();
  Payload To = Unused ? none() : resultInLanes(*M.Call, M.bytes());
  if (!Unused)
    Payloads.keepOld(*M.Call, M.value(), bool(G));
  const int Channels = M.isBlock() ? 1 : countOf(M.places()->getType());
  Out.add(Opcode::LscAtomic, Channels, {data(To, laneOf(M)), Place, Values[0], Values[1]})
      .guarded(G)
      .part(partOf(M.atomic().What))
      .part(Where.Function)
      .parts(Caching);
  return true;
}

bool EmitLsc::block2d(const lsc::Block2d &Block) {
  if (!Out.Target.has(HasLsc2d))
    fail("a block of two dimensions");
  Op Operation = operationOf(Block.Call);
  unsigned L1 = Block.number(lsc::L1Of2d), L3 = Block.number(lsc::L3Of2d);
  const LscRectangle Shape{.Bits = 8 * unsigned(Block.bytes()),
                           .Blocks = Block.number(lsc::Blocks),
                           .Width = unsigned(Block.width()),
                           .Height = unsigned(Block.height()),
                           .Transposed = Block.isTransposed(),
                           .Transformed = Block.number(lsc::Vnni) != 0};
  LscAddress Address;
  SmallVector<OperandBytes, 1> Meant;
  for (unsigned K = lsc::Base; K <= lsc::Y; ++K) {
    if (auto *C = dyn_cast<ConstantInt>(Block.operand(K)); C && K != lsc::Base) { // which is no immediate
      Address.Places.push_back({nullptr, C->getZExtValue()});
      continue;
    }
    Payload P = Payloads.of(Block.operand(K));
    Address.Places.push_back({P.Of});
    append_range(Meant, P.Meant);
  }
  Operand Place{Address, Meant};
  if (Operation == Op::LscStore2d) {
    Payload From = Payloads.of(Block.operand(lsc::Data2d));
    Out.add(Opcode::LscStoreBlock2d, 1, {Place, {LscData{From.Of, Shape}, From.Meant}})
        .part(Part::Untyped)
        .parts(caching(L1, L3));
  } else {
    bool Reads = Operation == Op::LscLoad2d;
    Payload To = Reads ? Payloads.result(Block.Call) : none();
    Out.add(Opcode::LscLoadBlock2d, 1, {{LscData{To.Of, Shape}}, Place})
        .part(Part::Untyped)
        .parts(Reads ? caching(L1, L3) : prefetchCaching(L1, L3));
  }
  return true;
}

} // namespace pocm::gen
