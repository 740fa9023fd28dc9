//===- EmitPayloads.cpp - Whole registers: what messages take and give, and copies of it ----===//
#include "codegen/gen/EmitPayloads.h"
#include "codegen/gen/Pieces.h"

using namespace llvm;

namespace pocm::gen {

static BitVector definedBytes(Value *V, SmallPtrSetImpl<Value *> &Seen) {
  BitVector Defined(bytesOf(V->getType()));
  for (V = registerOf(V); auto W = RegionWrite::matchMasked(V); V = registerOf(W->old())) {
    if (!W->Where.isConstant())
      return BitVector(Defined.size(), true);
    if (isa<UndefValue>(W->value()))
      continue;
    unsigned Bytes = unsigned(elementBytes(W->Call->getType()));
    for (int K = 0; K < W->count(); ++K)
      Defined.set(unsigned(W->Where.element(K)) * Bytes, unsigned(W->Where.element(K) + 1) * Bytes);
  }
  if (auto *Phi = dyn_cast<PHINode>(V)) {
    if (Seen.insert(V).second)
      for (Value *In : Phi->incoming_values())
        if (!Defined.all())
          Defined |= definedBytes(In, Seen);
  } else if (auto *C = dyn_cast<Constant>(V)) {
    unsigned Bytes = unsigned(elementBytes(C->getType()));
    for (unsigned K = 0; K * Bytes < Defined.size(); ++K)
      if (!isa<UndefValue>(C->getType()->isVectorTy() ? C->getAggregateElement(K) : C))
        Defined.set(K * Bytes, (K + 1) * Bytes);
  } else {
    Defined.set();
  }
  return Defined;
}

BitVector definedBytes(Value *V) {
  SmallPtrSet<Value *, 8> Seen;
  return definedBytes(V, Seen);
}

// Copies

/// Cuts a row of elements into what one instruction moves: Move(first, count).
template <class Function> void EmitPayloads::inMoves(int Count, int Bytes, Function Move) {
  int Most = std::clamp(int(2 * Out.Target.GrfBytes) / Bytes, 1, 16);
  for (int Start = 0; Start < Count;) {
    int Size = int(bit_floor(unsigned(std::min(Most, Count - Start))));
    Move(Start, Size);
    Start += Size;
  }
}

void EmitPayloads::move(Declaration *To, Declaration *From, int Start, int Size) {
  GenRegion Where = Size > 1 ? GenRegion{1, 1, 0, Start} : GenRegion{0, 1, 0, Start};
  Out.add(Opcode::Mov, Size, {Builder::destination(To, Start), {SourceOperand{From, Where}}});
}

void EmitPayloads::copy(Declaration *To, Declaration *From, const BitVector &Defined) {
  int Bytes = int(Defined.size()), Done = 0;
  for (int Unit : {4, 2, 1}) {
    Type *Element = Type::getIntNTy(Out.F.getContext(), unsigned(8 * Unit));
    int End = Done + (Bytes - Done) / Unit * Unit;
    auto IsDefined = [&](int At) { return Defined.find_first_in(unsigned(At), unsigned(At + Unit)) >= 0; };
    for (int First = Done, Last; First < End; First = Last + Unit) {
      for (Last = First; Last < End && IsDefined(Last);)
        Last += Unit;
      inMoves((Last - First) / Unit, Unit, [&](int Start, int Size) {
        Declaration *There = Out.view(To, Element, Sign::Unsigned), *Here = Out.view(From, Element, Sign::Unsigned);
        move(There, Here, First / Unit + Start, Size);
      });
    }
    Done = End;
  }
}

void EmitPayloads::copy(Value *To, Value *From) {
  Declaration *There = Operands.variable(To), *Here = Operands.variable(From);
  copy(There, Here, definedBytes(From));
}

void EmitPayloads::constantInto(Declaration *To, Constant *C) {
  Type *T = C->getType(), *Element = T->getScalarType();
  int Bytes = elementBytes(Element), Count = countOf(T);
  auto Number = [&](int K) { return T->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C; };
  for (int First = 0, Run = 1; First < Count; First += Run, Run = 1) {
    while (First + Run < Count && Number(First + Run) == Number(First))
      ++Run;
    if (isa<UndefValue>(Number(First)))
      continue;
    int Done = 0;
    auto *Integer = dyn_cast<ConstantInt>(Number(First));
    if (Integer && Bytes < 4 && First * Bytes % 4 == 0 && Run * Bytes > int(Out.Target.GrfBytes) / 2) {
      auto *Four = ConstantInt::get(Out.dword(), APInt::getSplat(32, Integer->getValue()));
      fill(Out.view(To, Out.dword(), Sign::Unsigned), Four, Sign::Unsigned, First * Bytes / 4, Run * Bytes / 4);
      Done = Run * Bytes / 4 * 4 / Bytes;
    }
    fill(Out.view(To, Element, Sign::Signed), Number(First), Sign::Signed, First + Done, Run - Done);
  }
}

void EmitPayloads::fill(Declaration *To, Constant *Number, Sign S, int First, int Count) {
  Type *Element = Number->getType();
  inMoves(Count, elementBytes(Element), [&](int Start, int Size) {
    Out.add(Opcode::Mov, Size, {Builder::destination(To, First + Start), Operands.immediate(Number, Element, S)});
  });
}

// Payloads

Payload EmitPayloads::partOf(Value *Register, unsigned At, Type *T, Sign S) {
  Declaration *Whole = Operands.variable(Register);
  Builder::alignForMessage(Whole);
  return {Out.partOf(Whole, At, T, S)};
}

/// Of the bytes of a variable that the source defines, those that a message takes, from a place in the variable on.
static OperandBytes taken(const Declaration &Of, const BitVector &Defined, unsigned First = 0, unsigned Bytes = ~0u) {
  OperandBytes Meant{Of.Name, 1, {}, /*All=*/true};
  for (unsigned Byte : Defined.set_bits())
    if (Byte >= First && Byte - First < Bytes)
      Meant.Offsets.push_back(int(Byte));
  return Meant;
}

/// Registers of a larger variable, by a name of their own; nothing when they do not begin where a register does.
std::optional<Payload> EmitPayloads::whereItLies(const RegionRead &Read, Sign S) {
  Type *Element = Read.Call->getType()->getScalarType();
  Value *Register = registerOf(Read.source());
  unsigned At = unsigned(Read.Where.Offset) * bytesOf(Element);
  if (isa<Constant>(Register) || isa<Argument>(Register) || At % Out.Target.GrfBytes)
    return std::nullopt;
  Payload P = partOf(Register, At, Read.Call->getType(), S);
  P.Meant = {
      taken(*Operands.variable(Register), definedBytes(Register), At, bytesOf(Element) * unsigned(Read.count()))};
  return P;
}

Payload EmitPayloads::of(Value *V, Sign S, unsigned Room) {
  Value *Register = registerOf(V);
  bool Placed = (isa<Argument>(Register) || isPlaced(Register)) &&
                bytesOf(Register->getType()) < Out.Target.GrfBytes; // where its input begins
  if (!isa<Constant>(Register) && needsRegister(*Register) && !Placed) {
    Declaration *Whole = Operands.variable(Register);
    Builder::alignForMessage(Whole);
    if (Room)
      Builder::makeRoom(Whole, Room);
    return {Out.view(Whole, V->getType()->getScalarType(), S), {taken(*Whole, definedBytes(Register))}};
  }
  if (auto *C = dyn_cast<Constant>(V);
      C && V->getType()->isVectorTy() && !isa<UndefValue>(C) && !C->getSplatValue(/*AllowPoison=*/true))
    bug("a payload of different constants");
  if (auto Read = RegionRead::match(V); Read && isBaled(*Read->Call) && !Room)
    if (auto There = whereItLies(*Read, S))
      return *There;
  return moved(V, S, Room);
}

/// A value in a variable of its own.
Payload EmitPayloads::moved(Value *V, Sign S, unsigned Room) {
  Type *Element = V->getType()->getScalarType();
  int Count = countOf(V->getType()), Bytes = elementBytes(Element);
  Declaration *Whole = Out.declare(Element, unsigned(Count), S, /*Payload=*/true);
  if (Room)
    Builder::makeRoom(Whole, Room);
  auto *I = dyn_cast<Instruction>(V);
  const bool TakenApart = I && isTakenApart(Source::of(V), Count, *I->getParent(), Out.Registers);
  Declaration *To = TakenApart ? Out.alias(Whole, bitsOf(Element), S) : Whole;
  inMoves(Count, Bytes, [&](int Start, int Size) {
    Source Part = Source::of(V);
    Part.Where.Offset = Part.Where.element(Start);
    if (TakenApart)
      Part.Element = bitsOf(Element);
    Operand From = Operands.source(Part, Size, S);
    addCopy(Out, TakenApart ? Copy::Or : Copy::Move, Size, Builder::destination(To, Start), From);
  });
  return {Whole};
}

Payload EmitPayloads::result(Instruction *I, Sign S) {
  if (auto Place = Out.Registers.placeOf(*I))
    return partOf(const_cast<CallInst *>(Place->Whole), Place->At, I->getType(), S);
  Declaration *Whole = Operands.variable(I);
  Builder::alignForMessage(Whole);
  return {Out.view(Whole, I->getType()->getScalarType(), S)};
}

Channels EmitPayloads::channelsOn(Value *P, int Lanes) {
  auto *C = dyn_cast<Constant>(P);
  for (int First = 1; C && First < Lanes && First <= 4; First *= 2) {
    bool Alone = true;
    for (int K = 0; K < Lanes; ++K) {
      auto *Bit = dyn_cast_or_null<ConstantInt>(C->getAggregateElement(unsigned(K)));
      Alone &= Bit && Bit->isOne() == (K < First);
    }
    if (Alone)
      return {{}, First};
  }
  return {Operands.guard(P), Lanes};
}

void EmitPayloads::keepOld(CallInst &I, Value *Old, bool Guarded) {
  if (!Guarded || isa<UndefValue>(Old))
    return;
  if (auto *C = dyn_cast<Constant>(Old))
    constantInto(&I, C);
  else if (Out.Registers.variableOf(registerOf(Old)) != Out.Registers.variableOf(&I))
    copy(&I, registerOf(Old));
}

/// Elements of less than a dword as an operand: those of floats as the bits that they are.
Operand EmitPayloads::narrow(Value *Data) {
  Source S = Source::of(Data);
  S.Element = bitsOf(S.Element);
  if (auto *C = dyn_cast<Constant>(S.Base))
    S.Base = ConstantExpr::getBitCast(C, vectorLike(S.Element, C->getType()));
  return Operands.source(S, countOf(Data->getType()), Sign::Unsigned);
}

void EmitPayloads::toDwords(Declaration *Dwords, Value *Data) {
  Operand From = narrow(Data);
  Out.add(Opcode::Mov, countOf(Data->getType()), {Builder::destination(Dwords), From});
}

void EmitPayloads::fromDwords(CallInst &I, Declaration *Dwords, Guard G, Value *Old) {
  int Lanes = countOf(I.getType()), Bytes = elementBytes(I.getType());
  Type *Bits = bitsOf(I.getType()->getScalarType());
  Declaration *Narrow = Out.alias(Dwords, Bits, Sign::Unsigned);
  if (G && Lanes == 2 && Out.Target.has(CutsGuardedPairs)) {
    if (!isa<UndefValue>(Old)) {
      Operand Kept = narrow(Old);
      Out.add(Opcode::Sel, Lanes, {Builder::destination(Dwords), Builder::contiguous(Dwords), Kept}).guarded(G);
    }
    G = {};
  }
  keepOld(I, Old, bool(G));
  Operand To = Builder::destination(Operands.view(&I, Bits, Sign::Unsigned)),
          From{SourceOperand{Narrow, GenRegion{4 / Bytes, 1, 0, 0}}};
  Out.add(Opcode::Mov, Lanes, {To, From}).guarded(G);
}

} // namespace pocm::gen
