//===- EmitMessages.cpp - Messages to memory, samplers and the gateway as vISA instructions -===//
#include "codegen/gen/EmitMessages.h"
#include "ir/Messages.h"
#include "ir/Operands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

static Operand unsignedDword(unsigned Number) { return {NumberOperand{Number, ElementType::UD}}; }

static unsigned owords(Type *T) {
  unsigned Bytes = bytesOf(T);
  if (Bytes % 16 || !isPowerOf2_32(Bytes / 16) || Bytes / 16 > 8)
    fail("an oword block of " + std::to_string(Bytes) + " bytes");
  return Bytes / 16;
}

// Blocks of surfaces

void EmitMessages::mediaBlock(CallInst &I, bool Read) {
  // by CmBufferAttrib: alignment says nothing here
  static constexpr Part Modifiers[] = {Part::NoModifier, Part::Top,         Part::Bottom,         Part::NoModifier,
                                       Part::Modified,   Part::TopModified, Part::BottomModified, Part::Modified,
                                       Part::NoModifier, Part::NoModifier};
  unsigned Modifier = constantOf(operandOf(I, Role::Modifiers), "a media block's modifier");
  unsigned Plane = constantOf(operandOf(I, Role::Plane), "a media block's plane");
  unsigned Width = constantOf(operandOf(I, Role::Width), "a media block's width");
  if (Plane && Out.For == Runtime::LevelZero)
    fail("a plane of a surface in a Level Zero program");
  Type *T = dataTypeOf(I);
  unsigned Pitch = std::max(4u, bit_ceil(Width)), Bytes = bytesOf(T);
  unsigned Height = std::max(1u, Bytes / Pitch);
  if (Modifier >= std::size(Modifiers) || Width > 64 || Pitch * Height > 256)
    fail("a media block of " + std::to_string(Width) + " x " + std::to_string(Height) + " bytes");
  SmallVector<Operand, 5> All{Surfaces.surface(operandOf(I, Role::Surface))};
  if (Plane)
    All.push_back({PlainNumber{Plane}});
  All.push_back(Operands.scalar(operandOf(I, Role::X)));
  All.push_back(Operands.scalar(operandOf(I, Role::Y)));
  All.push_back(Read ? Payloads.result(&I) : Payloads.of(operandOf(I, Role::Data)));
  Out.add(Read ? Opcode::MediaLoad : Opcode::MediaStore, 0, All).part(Modifiers[Modifier]).Block = {Width, Height};
}

// Channels of surfaces

/// Dwords, or the low bytes of dwords, of the channels that the predicate has on.
void EmitMessages::readChannels(CallInst &I, bool Scaled, const Place &From, const Operand &At) {
  int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
  Value *Old = operandOf(I, Role::Old);
  if (Bytes > 4)
    bug("a scattered message of elements of " + Twine(Bytes) + " bytes");
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Payload To = Bytes == 4 ? Payloads.result(&I) : Payload{Out.dwords(Lanes)};
  if (Bytes == 4)
    Payloads.keepOld(I, Old, bool(G));
  Out.add(Scaled ? Opcode::GatherScaled : Opcode::Gather, Lanes, {From.Surface, From.Offset, At, To})
      .guarded(G)
      .part(unsigned(Bytes));
  if (Bytes < 4)
    Payloads.fromDwords(I, To.Of, G, Old);
}

void EmitMessages::writeChannels(CallInst &I, bool Scaled, const Place &To, const Operand &At) {
  Value *Data = operandOf(I, Role::Data);
  int Lanes = countOf(Data->getType()), Bytes = elementBytes(Data->getType());
  if (Bytes > 4)
    bug("a scattered message of elements of " + Twine(Bytes) + " bytes");
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Payload From = Bytes == 4 ? Payloads.of(Data) : Payload{Out.dwords(Lanes)};
  if (Bytes < 4)
    Payloads.toDwords(From.Of, Data);
  Out.add(Scaled ? Opcode::ScatterScaled : Opcode::Scatter, Lanes, {To.Surface, To.Offset, At, From})
      .guarded(G)
      .part(unsigned(Bytes));
}

EmitMessages::Place EmitMessages::placeOf(CallInst &I) {
  return {Surfaces.surface(operandOf(I, Role::Surface)), Operands.scalar(operandOf(I, Role::GlobalOffset))};
}

/// Whether offsets are in bytes.
static bool isScaled(CallInst &I) { return match(operandOf(I, Role::Log2Scale), m_Zero()); }

// Thread memory, as a part of all threads'

EmitMessages::Place EmitMessages::scratch() { return {{NameOperand{Out.predefined("%scratch")}}, unsignedDword(0)}; }

void EmitMessages::frameRead(CallInst &I) {
  Operand At = frameOword(operandOf(I, Role::Offset)), To = Payloads.result(&I);
  Out.add(Opcode::OwordLoad, 0, {scratch().Surface, At, To}).Block = {owords(I.getType())};
}

void EmitMessages::frameWrite(CallInst &I) {
  Value *Data = operandOf(I, Role::Data);
  Operand At = frameOword(operandOf(I, Role::Offset)), From = Payloads.of(Data);
  Out.add(Opcode::OwordStore, 0, {scratch().Surface, At, From}).Block = {owords(Data->getType())};
}

Operand EmitMessages::frameOword(Value *Offset) {
  Declaration *Sum = Out.declare(Offset->getType(), 1, Sign::Unsigned);
  Operand From = Operands.scalar(Offset);
  Out.add(Opcode::Add, 1, {Builder::destination(Sum), Builder::scalar(Out.Scratch.Owords), From});
  return Builder::scalar(Sum);
}

Operand EmitMessages::frameBytes(Value *Offsets) {
  int Lanes = countOf(Offsets->getType());
  Declaration *Sums = Out.dwords(Lanes);
  Operand From = Operands.source(Offsets, Lanes, Sign::Unsigned);
  Out.add(Opcode::Add, Lanes, {Builder::destination(Sums), Builder::scalar(Out.Scratch.Bytes), From});
  return Payload{Sums};
}

// Atomics

static Part atomicPart(CallInst &I, const AtomicInfo &Info) {
  const Op Operation = atomicOfNumber(Info.Number);
  if (Operation == Op::AtomicRevsub) // which vISA does not have
    fail(nameOf(I));
  switch (Operation) {
#define ATOMIC(id, name, number, sources)                                                                              \
  case Op::id:                                                                                                         \
    return Part::id;
#include "ir/Atomics.def"
  default:
    fail(nameOf(I));
  }
}

static bool isFloat(const AtomicInfo &Info) { return Info.Number >= 0x10; }
static Sign signOf(const AtomicInfo &Info) {
  return Info.Number == 0x0B || Info.Number == 0x0C ? Sign::Signed : Sign::Unsigned;
}

Operand EmitMessages::atomicSource(CallInst &I, const AtomicInfo &Info, int K) {
  if (K >= Info.Sources)
    return Out.null();
  Value *V = sourceOf(I, unsigned(K));
  Payload P = Payloads.of(V, signOf(Info));
  return isFloat(Info) && V->getType()->isIntOrIntVectorTy() ? Payloads.asFloats(P) : P;
}

Operand EmitMessages::atomicResult(CallInst &I, const AtomicInfo &Info, bool Guarded) {
  if (I.use_empty())
    return Out.null();
  Payloads.keepOld(I, operandOf(I, Role::Old), Guarded);
  Payload P = Payloads.result(&I, signOf(Info));
  return isFloat(Info) && I.getType()->isIntOrIntVectorTy() ? Payloads.asFloats(P) : P;
}

void EmitMessages::atomic(CallInst &I, const AtomicInfo &Info) {
  int Lanes = countOf(operandOf(I, Role::Places)->getType());
  if (unsigned Bits = I.getType()->getScalarSizeInBits(); Bits != 32)
    fail("an atomic of " + std::to_string(Bits) + " bits");
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Operand S = Surfaces.surface(operandOf(I, Role::Surface)), Offsets = Payloads.of(operandOf(I, Role::Places)),
          First = atomicSource(I, Info, 0), Second = atomicSource(I, Info, 1), To = atomicResult(I, Info, bool(G));
  Out.add(Opcode::DwordAtomic, Lanes, {S, Offsets, First, Second, To}).guarded(G).part(atomicPart(I, Info));
}

// Typed surfaces and samplers

/// The channels of a mask whose bit 0 is R.
static PixelChannels components(CallInst &I, unsigned Mask, int Have) {
  constexpr unsigned All = 15;
  if (popcount(Mask & All) != Have)
    fail(nameOf(I) + " of " + std::to_string(Have) + " components");
  return {Mask & All};
}

/// A coordinate, absent when it is 0 and nothing comes after it.
Operand EmitMessages::coordinate(Value *V) { return match(V, m_Zero()) ? Out.null() : Operand(Payloads.of(V)); }

/// The mask of components, and the operand with the texel offsets above them.
std::pair<unsigned, Operand> EmitMessages::sampled(Value *Components) {
  if (auto *C = dyn_cast<ConstantInt>(Components))
    return {unsigned(C->getZExtValue() & 0xFFFF), {BitsOperand{C->getZExtValue() >> 16, ElementType::UW}}};
  KnownBits Known = computeKnownBits(Components, Out.F.getDataLayout()).trunc(16);
  Value *Register = registerOf(Components);
  if (!Known.isConstant() || !needsRegister(*Register))
    fail("a mask of components that is no constant");
  Declaration *Words = Operands.view(Register, Type::getInt16Ty(Out.F.getContext()), Sign::Unsigned);
  return {unsigned(Known.getConstant().getZExtValue()), Builder::scalar(Words, 1)};
}

void EmitMessages::sample(CallInst &I) {
  int Lanes = countOf(operandOf(I, Role::U)->getType());
  auto [Mask, Texels] = sampled(operandOf(I, Role::Components));
  bool Compares = !match(operandOf(I, Role::Compares), m_Zero());
  if (Compares && !match(operandOf(I, Role::Compares), m_One()))
    fail("sampling that compares or does not, as a variable says,");
  if (Lanes != 8 && Lanes != 16)
    fail("sampling " + std::to_string(Lanes) + " places");
  PixelChannels Names = components(I, Mask, countOf(I.getType()) / Lanes);
  Declaration *Given = Surfaces.given(operandOf(I, Role::Sampler));
  if (!Given)
    fail("a sampler that is no argument of the kernel");
  Operand Sampler = Surfaces.bound(Given), S = Surfaces.surface(operandOf(I, Role::Surface));
  SmallVector<Operand, 4> Coordinates;
  if (Compares)
    Coordinates.push_back(Payloads.of(operandOf(I, Role::Reference), Sign::Signed));
  for (Role K : {Role::U, Role::V, Role::R})
    Coordinates.push_back(Payloads.of(operandOf(I, K), Sign::Signed));
  SmallVector<Operand, 8> All{Texels, Sampler, S, Payloads.result(&I)};
  All.append(Coordinates);
  Out.add(Compares ? Opcode::SampleCompareLz : Opcode::SampleLz, Lanes, All).part(Names);
}

// Memory by address

void EmitMessages::svmScattered(CallInst &I, bool Read) {
  Value *OldOrData = operandOf(I, valueRole(operationOf(&I)));
  Type *T = OldOrData->getType();
  int Lanes = countOf(T), Bytes = elementBytes(T);
  Channels On = Payloads.channelsOn(operandOf(I, Role::Predicate), Lanes);
  Operand Addresses = Payloads.of(operandOf(I, Role::Places));
  auto Add = [&](const Payload &Data) {
    // what is smaller than a dword travels as so many bytes of a dword
    const bool Whole = Bytes >= 4;
    Out.add(Read ? Opcode::SvmGather : Opcode::SvmScatter, On.Count, {Addresses, Data})
        .guarded(On.On)
        .part(Whole ? unsigned(Bytes) : 1u)
        .part(Whole ? 1u : unsigned(Bytes));
  };
  if (Bytes >= 4) {
    Payload Data = Read ? Payloads.result(&I) : Payloads.of(OldOrData);
    if (Read)
      Payloads.keepOld(I, OldOrData, On.On || On.Count < Lanes);
    return Add(Data);
  }
  Declaration *Dwords = Out.dwords(Lanes);
  if (!Read)
    Payloads.toDwords(Dwords, OldOrData);
  Add({Dwords});
  if (Read)
    Payloads.fromDwords(I, Dwords, On.Count < Lanes ? Operands.guard(operandOf(I, Role::Predicate)) : On.On, OldOrData);
}

void EmitMessages::svmAtomic(CallInst &I, const AtomicInfo &Info) {
  int Lanes = countOf(operandOf(I, Role::Places)->getType());
  Guard G = Operands.guard(operandOf(I, Role::Predicate));
  Operand Addresses = Payloads.of(operandOf(I, Role::Places)), First = atomicSource(I, Info, 0),
          Second = atomicSource(I, Info, 1);
  unsigned Bits = I.getType()->getScalarSizeInBits();
  if (Bits < 32)
    fail("an atomic by address of " + std::to_string(Bits) + " bits");
  Operand To = atomicResult(I, Info, bool(G));
  EmittedInstruction &Atomic = Out.add(Opcode::SvmAtomic, Lanes, {Addresses, To, First, Second});
  Atomic.guarded(G).part(atomicPart(I, Info));
  if (Bits == 64)
    Atomic.part(Bits);
}

// What a thread knows of itself

void EmitMessages::predefined(CallInst &I, StringRef Name) {
  Declaration *To = Operands.view(&I, I.getType()->getScalarType(), Sign::Unsigned);
  Out.add(Opcode::Mov, 1, {Builder::destination(To), Builder::scalar(Out.predefined(Name))});
}

void EmitMessages::timestamp(CallInst &I) {
  Declaration *To = Operands.view(&I, I.getType()->getScalarType(), Sign::Unsigned);
  Out.add(Opcode::Mov, 4, {Builder::destination(To), Builder::contiguous(Out.predefined("%tsc"))});
}

// Systolic products

void EmitMessages::dpas(CallInst &I) {
  static const std::map<unsigned, Part> Precisions{{2, Part::U2},     {3, Part::S2},   {4, Part::U4},
                                                   {5, Part::S4},     {6, Part::U8},   {7, Part::S8},
                                                   {8, Part::Bfloat}, {9, Part::Half}, {11, Part::Tfloat}};
  auto Number = [&](Role K) { return constantOf(operandOf(I, K), "a number of a systolic product"); };
  auto B = Precisions.find(Number(Role::PrecisionB)), A = Precisions.find(Number(Role::PrecisionA));
  bool Pair = operationOf(&I) == Op::DpasPair;
  const GenTarget &Target = Out.Target;
  unsigned Rows = Number(Role::Rows), Lanes = countOf(I.getType()), Columns = Target.GrfBytes / 4;
  if (Rows && Target.has(Pair ? HasDpasPairs : HasDpas) && elementBytes(I.getType()) == 4 && Lanes != Rows * Columns)
    fail("a systolic product of " + std::to_string(Lanes / Rows) + " columns, which are " + std::to_string(Columns) +
         " in a source that is compiled with -march=" + Target.Platform + ",");
  if (!Target.has(Pair ? HasDpasPairs : HasDpas) || B == Precisions.end() || A == Precisions.end() ||
      (B->first == 11 && !Target.has(HasDpasTf32)) || Number(Role::Depth) != 8 || Lanes != Rows * Columns ||
      elementBytes(I.getType()) != 4)
    fail(nameOf(I));
  auto SignOf = [&](Role K) { return Number(K) ? Sign::Signed : Sign::Unsigned; };
  Operand To = Payloads.result(&I, SignOf(Role::SignedResult)),
          Sum = match(operandOf(I, Role::Accumulator), m_Zero())
                    ? Out.null()
                    : Operand(Payloads.of(operandOf(I, Role::Accumulator), SignOf(Role::SignedAccumulator))),
          First = Payloads.of(operandOf(I, Role::MatrixB));
  Payload Second = Payloads.of(operandOf(I, Role::MatrixA));
  Out.add(Pair ? Opcode::Dpasw : Opcode::Dpas, int(Columns),
          {To, Sum, First, {RegisterOperand{Second.Of}, Second.Meant}})
      .part(B->second)
      .part(A->second)
      .part(8u)
      .part(Rows);
}

// Barriers

Operand EmitMessages::byteScalar(Value *V) {
  if (auto *C = dyn_cast<ConstantInt>(V))
    return {NumberOperand{int64_t(C->getZExtValue() & 0xFF), ElementType::UB}};
  Source S = Source::of(V);
  Declaration *Byte = Out.declare(Type::getInt8Ty(Out.F.getContext()), 1, Sign::Unsigned);
  Operand From = Operands.source(S, 1, Sign::Unsigned);
  Out.add(Opcode::Mov, 1, {Builder::destination(Byte), From});
  return Builder::scalar(Byte);
}

void EmitMessages::namedArrive(CallInst &I) {
  if (!Out.Target.has(HasNamedBarriers))
    fail(nameOf(I));
  noteBarrier(I);
  if (!match(operandOf(I, Role::BarrierRole), m_Zero()) ||
      operandOf(I, Role::Producers) != operandOf(I, Role::Consumers))
    return namedArriveAs(I, constantOf(operandOf(I, Role::BarrierRole), "a role at a named barrier"));
  Operand Id = byteScalar(operandOf(I, Role::Id)), Count = byteScalar(operandOf(I, Role::Producers));
  Out.add(Opcode::NamedBarrier, 0, {Id, Count}).part(Part::Signal);
}

/// vISA's own signal says that a thread produces and consumes, as many as do both. The message to the gateway that it
/// becomes has bytes for all of it: in the payload's dword 2 the id, the role in the upper bits, and the two counts.
void EmitMessages::namedArriveAs(CallInst &I, unsigned BarrierRole) {
  constexpr unsigned RoleShift = 6;
  constexpr int FirstByte = 8;
  constexpr std::uint64_t Gateway = 0x3, Signal = 0x2000004; // function, descriptor
  Declaration *Dwords = Out.dwords(int(Out.Target.GrfBytes / 4)),
              *Bytes = Out.alias(Dwords, Type::getInt8Ty(Out.F.getContext()), Sign::Unsigned);
  Operand All[] = {byteScalar(operandOf(I, Role::Id)),
                   {NumberOperand{BarrierRole << RoleShift, ElementType::UB}},
                   byteScalar(operandOf(I, Role::Producers)),
                   byteScalar(operandOf(I, Role::Consumers))};
  for (auto [K, Byte] : enumerate(All))
    Out.add(Opcode::Mov, 1, {Builder::destination(Bytes, FirstByte + int(K)), Byte});
  Out.add(Opcode::RawSends, 1,
          {{BitsOperand{Gateway, ElementType::UD}},
           {BitsOperand{Signal, ElementType::UD}},
           Payload{Dwords},
           Out.null(),
           Out.null()})
      .part(3u)
      .part(1u)
      .part(0u)
      .part(0u);
}

void EmitMessages::namedWait(CallInst &I) {
  if (!Out.Target.has(HasNamedBarriers))
    fail(nameOf(I));
  Out.add(Opcode::NamedBarrier, 0, {byteScalar(operandOf(I, Role::Id))}).part(Part::Wait);
  noteBarrier(I);
}

void EmitMessages::noteBarrier(CallInst &I) {
  constexpr unsigned MostNamedBarriers = 32;
  auto *Id = dyn_cast<ConstantInt>(operandOf(I, Role::Id));
  Out.Result.HasBarrier = true;
  Out.NamedBarriers = std::max(Out.NamedBarriers, Id ? unsigned(Id->getZExtValue()) + 1 : MostNamedBarriers);
}

void EmitMessages::barrier(CallInst &I) {
  Out.Result.HasBarrier = true;
  if (operationOf(&I) == Op::Barrier)
    Out.add(Opcode::Barrier, 0);
  else
    Out.add(Opcode::SplitBarrier, 0)
        .part(constantOf(operandOf(I, Role::Arrives), "a barrier's half") ? Part::Signal : Part::Wait);
}

void EmitMessages::fence(CallInst &I) {
  constexpr unsigned Enabled = 1, Local = 0x20; // of the fence's mask
  unsigned Bits = constantOf(operandOf(I, Role::FenceBits), "a fence's mask");
  EmittedInstruction &Fence = Out.add(Bits & Local ? Opcode::FenceLocal : Opcode::FenceGlobal, 0);
  if (Bits & Enabled)
    Fence.part(Part::Enabled);
}

// Messages that are rows of Opcodes.def

struct MessageRow {
  Op Operation;
  Opcode Code;
  int Part;
  unsigned Count;
  std::array<int, 8> Columns;

  template <class... Each> constexpr MessageRow(Op Operation, Opcode Code, int Part, Each... All)
      : Operation(Operation), Code(Code), Part(Part), Count(sizeof...(All)), Columns{All...} {}
};

/// Columns of a row: roles, or one of these.
namespace columns {
enum Column : int { Nothing = -1, Zero = -2, Value = -3 };
#define ROLE(name) constexpr int name = int(Role::name);
#include "ir/Roles.def"

constexpr MessageRow All[] = {
#define OPCODE(name, text)
#define MESSAGE(name, text, operation, ...) MessageRow(Op::operation, Opcode::name, __VA_ARGS__),
#include "codegen/gen/Opcodes.def"
};
} // namespace columns

static const MessageRow *rowOf(Op Operation) {
  auto *Found = find_if(columns::All, [&](const MessageRow &R) { return R.Operation == Operation; });
  return Found == std::end(columns::All) ? nullptr : Found;
}

std::optional<NamePart> EmitMessages::partOf(CallInst &I, Role What, int Lanes) {
  switch (What) {
  case Role::Components:
    return components(I, constantOf(operandOf(I, What), "a mask of components"), countOf(dataTypeOf(I)) / Lanes);
  case Role::Modifiers:
    return constantOf(operandOf(I, What), "an oword block's modifier") ? std::optional(Part::OwordModified)
                                                                       : std::nullopt;
  case Role::Number:
    return atomicPart(I, atomicInfo(atomicOfNumber(constantOf(operandOf(I, What), "an atomic"))));
  default:
    bug("a part of a message's name that is no operand");
  }
}

/// An address in a register: the finalizer of ICLLP and TGLLP crashes on an immediate.
Operand EmitMessages::address(Value *V) {
  Operand At = Operands.scalar(V);
  if (!std::holds_alternative<NumberOperand>(At.Form) && !std::holds_alternative<BitsOperand>(At.Form))
    return At;
  Declaration *Register = Out.declare(Type::getInt64Ty(Out.F.getContext()), 1, Sign::Unsigned, /*Payload=*/true);
  Out.add(Opcode::Mov, 1, {Out.destination(Register), At});
  return Out.scalar(Register);
}

Operand EmitMessages::columnOf(CallInst &I, int Column) {
  const Op Operation = operationOf(&I);
  switch (Column) {
  case columns::Nothing:
    return Out.null();
  case columns::Zero:
    return unsignedDword(0);
  case columns::Value:
    if (has(Operation, Role::Data))
      return Payloads.of(operandOf(I, Role::Data));
    return I.use_empty() && messageOf(Operation)->Does == MessageInfo::Action::Atomic ? Out.null()
                                                                                      : Operand(Payloads.result(&I));
  default:
    break;
  }
  Value *V = operandOf(I, Role(Column));
  switch (Role(Column)) {
  case Role::Surface:
    return Surfaces.surface(V);
  case Role::Address:
    return address(V);
  case Role::Source:
  case Role::Second: {
    AtomicInfo Info = atomicInfo(atomicOfNumber(constantOf(operandOf(I, Role::Number), "an atomic")));
    return int(Role(Column) == Role::Second) < Info.Sources ? Operand(Payloads.of(V)) : Out.null();
  }
  case Role::R:
    return coordinate(V);
  default:
    return pocm::isPayload(Operation, indexOf(Operation, Role(Column))) ? Operand(Payloads.of(V)) : Operands.scalar(V);
  }
}

void EmitMessages::byRow(CallInst &I, const MessageRow &R) {
  const Op Operation = operationOf(&I);
  Guard G = has(Operation, Role::Predicate) ? Operands.guard(operandOf(I, Role::Predicate)) : Guard{};
  const bool IsBlock = messageOf(Operation)->Is == MessageInfo::Form::Block;
  const int Lanes = IsBlock ? 0 : countOf(I.getArgOperand(laneOperands(Operation).front())->getType());
  auto Named = R.Part == columns::Nothing ? std::nullopt : partOf(I, Role(R.Part), Lanes);
  const unsigned Block = IsBlock ? owords(dataTypeOf(I)) : 0;
  SmallVector<Operand, 8> All;
  for (int Column : ArrayRef(R.Columns).take_front(R.Count))
    All.push_back(columnOf(I, Column));
  if (has(Operation, Role::Old))
    Payloads.keepOld(I, operandOf(I, Role::Old), bool(G));
  EmittedInstruction &Message = Out.add(R.Code, Lanes, All).guarded(G);
  if (Named)
    Message.part(*Named);
  if (IsBlock)
    Message.Block = {Block};
}

void EmitMessages::message(CallInst &I) {
  if (Out.Target.has(HasLsc) && Lsc.message(I))
    return;
  if (lsc::Message::match(&I) || lsc::Block2d::match(&I))
    fail("a message to the load/store cache");
  if (const MessageRow *R = rowOf(operationOf(&I)))
    return byRow(I, *R);
  switch (Op Operation = operationOf(&I)) {
  case Op::ThreadX:
    return predefined(I, ThreadsAreGroups ? "%group_id_x" : "%thread_x");
  case Op::ThreadY:
    return predefined(I, ThreadsAreGroups ? "%group_id_y" : "%thread_y");
  case Op::Color:
    return predefined(I, "%color");
  case Op::HardwareId:
    return predefined(I, "%hw_id");
  case Op::GroupIdX:
    return predefined(I, "%group_id_x");
  case Op::GroupIdY:
    return predefined(I, "%group_id_y");
  case Op::GroupIdZ:
    return predefined(I, "%group_id_z");
  case Op::Timestamp:
    return timestamp(I);
  case Op::LocalId:
    return Inputs.ask(I, LocalIdInput);
  case Op::ProgramAddress:
    return Inputs.ask(I, ProgramDataInput);
  case Op::LocalSize:
    return Inputs.ask(I, GroupSizeInput);
  case Op::GroupCount:
    return Inputs.ask(I, GroupCountInput);
  case Op::SlmInit: {
    unsigned Bytes = constantOf(operandOf(I, Role::Bytes), "shared local memory of a size");
    Out.Result.SlmBytes = std::max(Out.Result.SlmBytes, Bytes);
    return;
  }
  case Op::Barrier:
  case Op::SplitBarrier:
    return barrier(I);
  case Op::FrameRead:
    return frameRead(I);
  case Op::FrameWrite:
    return frameWrite(I);
  case Op::FrameGather:
    return readChannels(I, true, scratch(), frameBytes(operandOf(I, Role::Places)));
  case Op::FrameScatter:
    return writeChannels(I, true, scratch(), frameBytes(operandOf(I, Role::Places)));
  case Op::Dpas:
  case Op::DpasPair:
    return dpas(I);
  case Op::NamedArrive:
    return namedArrive(I);
  case Op::NamedWait:
    return namedWait(I);
  case Op::Fence:
    return fence(I);
  case Op::MediaRead:
    return mediaBlock(I, true);
  case Op::MediaWrite:
    return mediaBlock(I, false);
  case Op::Gather: {
    Place From = placeOf(I);
    return readChannels(I, isScaled(I), From, Payloads.of(operandOf(I, Role::Places)));
  }
  case Op::Scatter: {
    Place To = placeOf(I);
    return writeChannels(I, isScaled(I), To, Payloads.of(operandOf(I, Role::Places)));
  }
  case Op::Sample:
    return sample(I);
  case Op::SvmGather:
    return svmScattered(I, true);
  case Op::SvmScatter:
    return svmScattered(I, false);
  default:
    if (AtomicInfo Info = atomicInfo(Operation); Info.Sources >= 0)
      return Info.ByAddress ? svmAtomic(I, Info) : atomic(I, Info);
    fail(nameOf(I));
  }
}

} // namespace pocm::gen
