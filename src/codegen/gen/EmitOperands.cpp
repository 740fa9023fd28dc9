//===- EmitOperands.cpp - Values as operands of vISA instructions -------------------------===//
#include "codegen/gen/EmitOperands.h"
#include "codegen/gen/Pieces.h"
#include "codegen/gen/Predicates.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {

// Variables

Declaration *EmitOperands::variable(unsigned Number, Type *T) {
  Declaration *&D = OfNumber[Number];
  if (!D)
    D = Out.declare(T->getScalarType(), unsigned(countOf(T)));
  return D;
}

Declaration *EmitOperands::variable(Value *Register) {
  return variable(Out.Registers.variableOf(Register), Register->getType());
}

// Predicates

Declaration *EmitOperands::predicateOf(Value *P) {
  for (auto *I = dyn_cast<Instruction>(P); I && isLowerChannels(*I); I = dyn_cast<Instruction>(P))
    P = I->getOperand(0);
  if (auto *I = dyn_cast<Instruction>(P); I && isBaled(*I))
    bug("a predicate that no instruction writes");
  Declaration *&D = Predicates[P];
  if (!D)
    D = Out.declarePredicate(unsigned(countOf(P->getType())));
  return D;
}

Declaration *EmitOperands::predicate(Value *P) {
  auto *C = dyn_cast<Constant>(P);
  if (!C)
    return predicateOf(P);
  int Count = countOf(P->getType());
  Declaration *D = Out.declarePredicate(unsigned(Count));
  unsigned Bits = 0;
  for (int K = 0; K < Count; ++K) {
    Constant *E = P->getType()->isVectorTy() ? C->getAggregateElement(unsigned(K)) : C;
    Bits |= unsigned(match(E, m_One())) << K;
  }
  constexpr unsigned Digits = 4;
  const ElementType Type = Count > 16 ? ElementType::UD : ElementType::UW;
  Out.add(Opcode::Setp, Count, {{NameOperand{D}}, {BitsOperand{Bits, Type, Digits}}}).forAll();
  return D;
}

Guard EmitOperands::guard(Value *P) {
  auto *C = dyn_cast<Constant>(P);
  return C && C->isAllOnesValue() ? Guard{} : Guard{predicate(P)};
}

// Immediates

/// <0, 1, ..., 7> as 0x76543210:uv, of small words with signs as :v, of four small floats as :vf.
static std::optional<Operand> packed(Constant *C) {
  constexpr unsigned Digits = 8;
  auto *T = cast<FixedVectorType>(C->getType());
  unsigned Count = T->getNumElements();
  if (C->getSplatValue(true))
    return std::nullopt;
  uint64_t Bits = 0;
  if (T->getElementType()->isFloatTy() && Count == 4) {
    for (unsigned K = 0; K < Count; ++K) {
      auto *E = dyn_cast<ConstantFP>(C->getAggregateElement(K));
      auto Eight = E ? packedFloat(E->getValueAPF().bitcastToAPInt()) : std::nullopt;
      if (!Eight)
        return std::nullopt;
      Bits |= uint64_t(*Eight) << (8 * K);
    }
    return Operand{BitsOperand{Bits, ElementType::VF, Digits}};
  }
  if (!T->getElementType()->isIntegerTy(16) || Count > 8)
    return std::nullopt;
  bool Unsigned = true, Signed = true;
  for (unsigned K = 0; K < Count; ++K) {
    auto *E = dyn_cast<ConstantInt>(C->getAggregateElement(K));
    if (!E)
      return std::nullopt;
    Unsigned &= E->getValue().isIntN(4);
    Signed &= E->getValue().isSignedIntN(4);
    Bits |= (E->getZExtValue() & 15) << (4 * K);
  }
  if (!Unsigned && !Signed)
    return std::nullopt;
  return Operand{BitsOperand{Bits, Unsigned ? ElementType::UV : ElementType::V, Digits}};
}

Operand EmitOperands::immediate(Constant *C, Type *Element, Sign S) {
  Constant *One = C;
  if (C->getType()->isVectorTy() && !isa<UndefValue>(C)) {
    if (auto Packed = packed(C))
      return *Packed;
    One = C->getSplatValue(/*AllowPoison=*/true);
    if (!One)
      bug("a vector of different constants");
  }
  if (isa<UndefValue>(One) || isa<ConstantPointerNull>(One))
    One = Constant::getNullValue(Element->isPointerTy() ? Type::getInt64Ty(C->getContext()) : Element);
  ElementType As = elementTypeOf(Element, S);
  if (auto *Number = dyn_cast<ConstantFP>(One)) {
    APInt Bits = Number->getValueAPF().bitcastToAPInt();
    return {BitsOperand{Bits.getZExtValue(), As, Bits.getBitWidth() / 4}};
  }
  auto *Number = dyn_cast<ConstantInt>(One);
  if (!Number)
    fail("a constant that is no number");
  if (As == ElementType::B || As == ElementType::UB)
    As = S == Sign::Unsigned ? ElementType::UW : ElementType::W; // there are no byte immediates
  APInt Bits = Number->getValue();
  if (Bits.getBitWidth() > 32)
    return {BitsOperand{Bits.getZExtValue(), As}};
  return {NumberOperand{S == Sign::Unsigned ? int64_t(Bits.getZExtValue()) : Bits.getSExtValue(), As}};
}

/// A constant as its operand's modifiers leave it.
static Constant *modified(Constant *C, const Source &S) {
  Type *T = C->getType();
  auto *Splat = T->isVectorTy() ? C->getSplatValue(true) : C;
  if ((!S.Complement && !S.Absolute && !S.Negate) || isa<UndefValue>(C))
    return C;
  if (!Splat)
    bug("an operation on a constant");
  if (auto *Number = dyn_cast<ConstantFP>(Splat)) {
    APFloat V = Number->getValueAPF();
    if (S.Absolute)
      V.clearSign();
    if (S.Negate)
      V.changeSign();
    return ConstantFP::get(Splat->getType(), V);
  }
  APInt V = isa<ConstantInt>(Splat) ? cast<ConstantInt>(Splat)->getValue() : APInt(T->getScalarSizeInBits(), 0);
  if (S.Complement)
    V.flipAllBits();
  if (S.Absolute)
    V = V.abs();
  if (S.Negate)
    V.negate();
  return ConstantInt::get(Splat->getType(), V);
}

/// A constant whose bits are read as elements of another type: one number for all of them.
static Constant *readAs(Constant *C, Type *Element, const DataLayout &Layout) {
  Type *T = C->getType();
  if (T->getScalarType() == Element || isa<UndefValue>(C) || C->isNullValue())
    return C;
  auto *Elements = FixedVectorType::get(Element, bytesOf(T) / bytesOf(Element));
  Constant *Cast = ConstantFoldCastOperand(Instruction::BitCast, C, Elements, Layout);
  if (!Cast || !Cast->getSplatValue())
    bug("a constant that is read as elements of another type");
  return Cast;
}

Operand EmitOperands::hiddenNumber(const ConstantInt &Number, Sign Natural) {
  Type *T = Number.getBitWidth() == 8 ? Type::getInt16Ty(Out.F.getContext()) : Number.getType();
  APInt Bits = ~Number.getValue().zext(T->getIntegerBitWidth());
  Declaration *D = Out.declare(T, 1, Natural);
  Out.add(Opcode::Not, 1, {Builder::destination(D), {BitsOperand{Bits.getZExtValue(), elementTypeOf(T, Natural)}}});
  return Builder::scalar(D);
}

// Sources

static bool isContiguous(ArrayRef<int> Elements) {
  for (size_t K = 1; K < Elements.size(); ++K)
    if (Elements[K] != Elements[K - 1] + 1)
      return false;
  return true;
}

/// Notes the bytes that an operand of a bale means.
void EmitOperands::expect(Operand &O, Value *Base, ArrayRef<int> Elements, int Bytes) {
  int Grf = int(Out.Target.GrfBytes), First = Elements.front() * Bytes / Grf, Last = (Elements.back() + 1) * Bytes - 1;
  O.Crosses =
      isContiguous(Elements) && Last / Grf - First >= int(divideCeil(Elements.size() * size_t(Bytes), size_t(Grf)));
  OperandBytes Meant{variable(Base)->Name, unsigned(Bytes), {}};
  for (int E : Elements)
    Meant.Offsets.push_back(E * Bytes);
  O.Meant = {std::move(Meant)};
}

/// Whether nothing is ever written to bytes of a register from one on up to another.
static bool isUndefined(Value *V, int From, int To) {
  for (auto W = RegionWrite::matchMasked(V); W; W = RegionWrite::matchMasked(V)) {
    int Bytes = elementBytes(W->Call->getType()), Last = W->Where.element(W->count() - 1);
    bool Reaches = !W->Where.isConstant() || (W->Where.Offset * Bytes < To && (Last + 1) * Bytes > From);
    if (Reaches && !isa<UndefValue>(W->value()))
      return false;
    V = registerOf(W->old());
  }
  return isa<UndefValue>(V);
}

bool isUndefined(const Source &S, int Count) {
  if (S.Where.Dynamic)
    return isUndefined(S.Base, 0, int(bytesOf(S.Base->getType())));
  int Least = S.Where.element(0), Most = Least, Bytes = S.Element->isPointerTy() ? 8 : elementBytes(S.Element);
  for (int K = 1; K < Count; ++K) {
    Least = std::min(Least, S.Where.element(K));
    Most = std::max(Most, S.Where.element(K));
  }
  return isUndefined(S.Base, Least * Bytes, (Most + 1) * Bytes);
}

static Modifiers modifiersOf(const Source &S) { return {S.Negate, S.Absolute, S.Complement}; }

Operand EmitOperands::source(Source S, int Count, Sign Natural) {
  Sign Read = S.Extended ? (S.Signed ? Sign::Signed : Sign::Unsigned) : Natural;
  if (auto *C = dyn_cast<Constant>(S.Base))
    return immediate(modified(readAs(C, S.Element, Out.F.getDataLayout()), S), S.Element, Read);
  int Bytes = elementBytes(S.Element->isPointerTy() ? Type::getInt64Ty(S.Element->getContext()) : S.Element);
  SmallVector<int, 32> Elements;
  for (int K = 0; K < Count; ++K)
    Elements.push_back(S.Where.element(K));
  unsigned Whole = bytesOf(S.Base->getType());
  if (isUndefined(S, Count)) // by the passes that came before
    return immediate(Constant::getNullValue(S.Element), S.Element, Read);
  Declaration *Of = view(S.Base, S.Element, Read);
  if (S.Where.Dynamic)
    return indirect(S, Of, Elements, Bytes, Read);
  auto R = sourceRegion(Elements, {Bytes, Out.Target.GrfBytes, Whole >= Out.Target.GrfBytes});
  if (!R && isContiguous(Elements)) // the finalizer cuts what lies in more than two registers
    R = GenRegion{1, 1, 0, Elements[0]};
  if (!R)
    bug("a region that no instruction has");
  for (int E : Elements)
    if (E < 0 || unsigned(E + 1) * unsigned(Bytes) > Whole)
      bug("a region outside its variable");
  Operand Region{SourceOperand{Of, *R, modifiersOf(S)}};
  expect(Region, S.Base, Elements, Bytes);
  return Region;
}

// Addresses: what is chosen at run time is read and written through address registers, of which there are 16; the step
// gen-addresses of emission takes the same address once, and those of neighbours together.

/// A variable as it was declared, wherever its elements are seen as others.
static Declaration *whole(Declaration *D) { return D->IsView ? D->Of : D; }

std::optional<unsigned> EmitOperands::TakenAddress::of(Declaration *Of, const Source &Wanted, int Channels) const {
  if (Variable != Of || Offset.Base != Wanted.Base || Offset.Element != Wanted.Element)
    return std::nullopt;
  if (Count == Channels && Offset.Where == Wanted.Where)
    return 0;
  bool OneOfSeveral = Count > 1 && Channels == 1 && Wanted.Where.isConstant() &&
                      Offset.Where == Region::contiguous(Count, Offset.Where.Offset);
  int Number = Wanted.Where.Offset - Offset.Where.Offset;
  return OneOfSeveral && Number >= 0 && Number < Count ? std::optional(unsigned(Number)) : std::nullopt;
}

constexpr int MostTogether = 8; // half of the address registers

/// The first of eight elements of which the rest of the block takes several as offsets into the same variable.
std::optional<unsigned> EmitOperands::neighbours(Declaration *Variable, Value *Offset, const Source &Of) {
  constexpr size_t Worthwhile = 3, Farthest = 500; // instructions: what comes later takes its own
  auto *From = dyn_cast<Instruction>(Offset);
  auto *Offsets = dyn_cast<FixedVectorType>(Of.Base->getType());
  if (!From || !Offsets || !Offsets->getElementType()->isIntegerTy(16) || !Of.Where.isConstant() || Of.Extended)
    return std::nullopt;
  int First = Of.Where.Offset / MostTogether * MostTogether;
  if (countOf(Offsets) < First + MostTogether)
    return std::nullopt;
  SmallDenseSet<int, 8> Wanted;
  auto Note = [&](Value *Vector, Value *Place) {
    Value *Register = registerOf(Vector);
    auto *Made = dyn_cast<Instruction>(Register);
    if (!Place || Place->getType()->isVectorTy() || isa<Constant>(Register) || (Made && isBaled(*Made)) ||
        whole(variable(Register)) != Variable)
      return;
    Source Other = Source::of(Step::of(Place).Base);
    int Element = Other.Where.Offset;
    if (Other.Base == Of.Base && Other.Element == Of.Element && Other.Where.isConstant() && Element >= First &&
        Element < First + MostTogether)
      Wanted.insert(Element);
  };
  for (auto [Distance, I] : enumerate(make_range(From->getIterator(), From->getParent()->end()))) {
    if (Distance == Farthest)
      break;
    if (auto *Call = dyn_cast<CallInst>(&I); Call && !isa<IntrinsicInst>(I) && operationOf(&I) == Op::None)
      break;
    if (auto R = RegionRead::match(&I))
      Note(R->source(), R->Where.Dynamic);
    else if (auto W = RegionWrite::matchMasked(&I))
      Note(&I, W->Where.Dynamic);
  }
  return Wanted.size() >= Worthwhile ? std::optional(unsigned(First)) : std::nullopt;
}

Address EmitOperands::take(Declaration *Variable, const Source &Offset, int Count, unsigned Number) {
  Declaration *A = Out.declareAddress(unsigned(Count));
  Operand From = source(Offset, Count, Sign::Unsigned);
  if (Offset.Where.Dynamic) { // the instruction reads no element that is chosen itself
    Declaration *Word = Out.declare(Type::getInt16Ty(Out.F.getContext()), unsigned(Count), Sign::Unsigned);
    Out.add(Opcode::Mov, Count, {Builder::destination(Word), From});
    From = Count == 1 ? Builder::scalar(Word) : Builder::contiguous(Word);
  }
  Out.add(Opcode::AddrAdd, Count, {{AddressOperand{A}}, {AddressOf{Variable}}, From});
  if (Count > 1) // that takes half of the address registers
    Taken.clear();
  if (Taken.size() == MostTaken)
    Taken.erase(Taken.begin());
  Taken.push_back({Variable, Offset, A, Count});
  return {A, Number};
}

Address EmitOperands::addresses(Declaration *Variable, Value *Offset, int Count) {
  Variable = whole(Variable);
  Source Of = Source::of(Offset);
  for (const TakenAddress &T : Taken)
    if (auto Number = T.of(Variable, Of, Count); Number && ReuseAddresses)
      return {T.Address, *Number};
  if (auto First = Count == 1 && ReuseAddresses ? neighbours(Variable, Offset, Of) : std::nullopt) {
    unsigned Number = unsigned(Of.Where.Offset) - *First;
    Of.Where = Region::contiguous(MostTogether, int(*First));
    return take(Variable, Of, MostTogether, Number);
  }
  return take(Variable, Of, Count, 0);
}

Operand EmitOperands::indirect(const Source &S, Declaration *Of, ArrayRef<int> Elements, int Bytes, Sign Read) {
  int Count = int(Elements.size());
  IndirectSource From{
      .At = {}, .Bytes = 0, .Where = {}, .Type = elementTypeOf(S.Element, Read), .Does = modifiersOf(S)};
  if (auto *V = dyn_cast<FixedVectorType>(S.Where.Dynamic->getType()); V && V->getNumElements() > 1) {
    From.At = addresses(Of, S.Where.Dynamic, Count);
    From.PerChannel = true;
    return {From};
  }
  bool Aligned =
      bytesOf(S.Base->getType()) >= Out.Target.GrfBytes && isMultipleOf(S.Where.Dynamic, Out.Target.GrfBytes);
  auto R = sourceRegion(Elements, {Bytes, Out.Target.GrfBytes, Aligned});
  if (!R)
    bug("an indirect region that no instruction has");
  Step Place = Step::of(S.Where.Dynamic);
  From.At = addresses(Of, Place.Base, 1);
  From.Bytes = Place.Bytes + R->Offset * Bytes;
  From.Where = *R;
  return {From};
}

bool isChosen(const Source &S) {
  auto *Places = S.Where.Dynamic ? dyn_cast<FixedVectorType>(S.Where.Dynamic->getType()) : nullptr;
  return Places && Places->getNumElements() > 1 && !S.Negate && !S.Absolute;
}

Type *bitsOf(Type *Element) { return Type::getIntNTy(Element->getContext(), unsigned(8 * elementBytes(Element))); }

EmittedInstruction &addCopy(Builder &Out, Copy How, int Channels, Operand To, Operand From) {
  if (How == Copy::Move)
    return Out.add(Opcode::Mov, Channels, {std::move(To), std::move(From)});
  return Out.add(Opcode::Or, Channels, {std::move(To), std::move(From), {NumberOperand{0, ElementType::W}}});
}

Operand EmitOperands::together(Source S, int Count) {
  Declaration *D = Out.declare(S.Element, unsigned(Count));
  S.Element = bitsOf(S.Element);
  Operand From = source(S, Count, Sign::Signed);
  addCopy(Out, Copy::Or, Count, Builder::destination(Out.alias(D, S.Element, Sign::Signed)), From);
  return Builder::contiguous(D);
}

// Destinations

Operand EmitOperands::destination(const Bale &B, Sign S, Type *Element) {
  Declaration *Of = view(B.Head, Element, S);
  if (!B.Into)
    return Builder::destination(Of);
  int Bytes = elementBytes(Element), Count = B.count();
  if (B.Into->Where.Dynamic) {
    int Stride = Count > 1 ? B.Into->Where.element(1) - B.Into->Where.element(0) : 1;
    Step Place = Step::of(B.Into->Where.Dynamic);
    return {IndirectDestination{addresses(Of, Place.Base, 1), Place.Bytes, Stride, elementTypeOf(Element, S)}};
  }
  SmallVector<int, 32> Elements;
  for (int K = 0; K < Count; ++K)
    Elements.push_back(B.Into->Where.element(K));
  auto R = destinationRegion(Elements, {Bytes, Out.Target.GrfBytes, bytesOf(B.Head->getType()) >= Out.Target.GrfBytes});
  if (!R && isContiguous(Elements))
    R = GenRegion{1, 1, 1, Elements[0]};
  if (!R)
    bug("a destination region that no instruction has");
  for (int E : Elements)
    if (E < 0 || E >= countOf(B.Head->getType()))
      bug("a region outside its variable");
  Operand To{DestinationOperand{Of, R->Offset, R->H}};
  expect(To, B.Head, Elements, Bytes);
  return To;
}

} // namespace pocm::gen
