//===- EmitVectors.cpp - Bales that compute as vISA instructions ----------------------------===//
#include "codegen/gen/EmitVectors.h"
#include "codegen/gen/Pieces.h"
#include "codegen/gen/Predicates.h"
#include "ir/Operands.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm::gen {

constexpr int Qword = 8;

static bool isModified(const Source &S) { return S.Negate || S.Absolute; }

/// Whether no instruction may write to a place known at run time: vISA has no comparison that does, and what reads
/// halves or becomes 64 bits, which the finalizer may take a few channels at a time, goes on one byte behind the first.
static bool isWrittenAside(const Bale &B) {
  if (!B.Main) { // what moves bits as they are may
    const Source Moved = movedBy(B);
    return Moved.Element->isHalfTy() && isModified(Moved);
  }
  const int Bytes = elementBytes(B.Main->getType());
  return isMask(*B.Main) || any_of(sourcesOf(B), [&](const Source &S) {
           const int Read = elementBytes(S.Element);
           return S.Element->isHalfTy() || (Bytes == Qword && Read < Qword / 2);
         });
}

static Constant *negated(Constant *C) {
  Type *T = C->getType();
  if (T->isIntOrIntVectorTy())
    return ConstantExpr::getNeg(C);
  auto *Splat = dyn_cast_or_null<ConstantFP>(T->isVectorTy() ? C->getSplatValue(true) : C);
  if (!Splat)
    fail("a difference with a vector of different constants");
  return ConstantFP::get(T, -Splat->getValueAPF());
}

/// (P7), or (!P7) when the mask is the opposite of what P7 holds.
Guard EmitVectors::guardOf(Value *Mask) {
  auto *Not = dyn_cast<Instruction>(Mask);
  bool Inverted = Not && isBaled(*Not);
  return {Operands.predicate(Inverted ? complemented(Not) : Mask), Inverted};
}

void EmitVectors::bale(const Bale &B, bool Direct) {
  Value *Mask = B.Into ? B.Into->mask() : nullptr;
  Guard If = Mask && !Direct ? guardOf(Mask) : Guard{};
  if (Traps.shiftsBytesInPlace(B))
    return throughCopy(B, If, Copy::Or);
  if (If && B.Main && !canBeGuarded(*B.Main))
    return throughCopy(B, If, Copy::Move);
  if (B.Into && B.Into->Where.Dynamic && isWrittenAside(B)) {
    const bool Stays = (B.Main && isMask(*B.Main)) || elementBytes(B.Head->getType()) == Qword;
    return throughCopy(B, If, Stays ? Copy::Move : Copy::Or); // two moves are made one
  }
  compute(B, If);
}

/// What takes no predicate is computed for all channels, and some of them kept.
void EmitVectors::throughCopy(const Bale &B, const Guard &If, Copy How) {
  Type *T = B.Main ? B.Main->getType() : ofCount(B.Head->getType(), B.count());
  auto S = B.Main ? spellingOf(*B.Main) : std::nullopt;
  Declaration *Aside = Out.declare(T->getScalarType(), unsigned(countOf(T)), S ? S->Result : Sign::Signed);
  compute(B, {}, Aside);
  Type *Element = B.Head->getType()->getScalarType();
  if (How == Copy::Or && Element->isFloatingPointTy()) {
    Element = bitsOf(Element);
    Aside = Out.alias(Aside, Element, Sign::Signed);
  }
  Operand To = Operands.destination(B, Sign::Signed, Element);
  addCopy(Out, How, B.count(), To, Builder::contiguous(Aside)).guarded(If);
}

/// One instruction; to where the bale writes, unless it writes aside.
void EmitVectors::compute(const Bale &B, const Guard &If, Declaration *Aside) {
  if (!B.Main)
    return move(B, If, Aside);
  if (isMask(*B.Main))
    return mask(B, Aside);
  if (isa<SelectInst>(B.Main))
    return select(B, Aside);
  arithmetic(B, If, Aside);
}

Operand EmitVectors::placeOf(const Bale &B, Sign S, Declaration *Aside) {
  return Aside ? Builder::destination(Aside) : Operands.destination(B, S);
}

void EmitVectors::move(const Bale &B, const Guard &If, Declaration *Aside) {
  const int Count = B.count();
  Source S = movedBy(B);
  // bytes are put aside and back by what is no move, which would be made one in place again
  bool NoMove = !isModified(S) && (Aside || Traps.isLookedThrough(B) ||
                                   isTakenApart(S, Count, *B.Head->getParent(), Out.Registers) || isChosen(S));
  Type *Element = B.Head->getType()->getScalarType();
  if (NoMove && Element->isFloatingPointTy())
    S.Element = Element = bitsOf(Element);
  Operand From = !isModified(S) && Traps.isMovedAsFactor(B, S) ? Operands.hiddenNumber(*numberOf(S.Base), Sign::Signed)
                                                               : Operands.source(S, Count, Sign::Signed);
  Operand To = Aside ? Builder::destination(Aside) : Operands.destination(B, Sign::Signed, Element);
  addCopy(Out, NoMove ? Copy::Or : Copy::Move, Count, To, From).guarded(If);
}

/// A comparison of dwords, which gives -1 where it holds.
void EmitVectors::mask(const Bale &B, Declaration *Aside) {
  const int Count = B.count();
  auto &Compare = *cast<ICmpInst>(B.Main->getOperand(0));
  Sign S = Compare.isUnsigned() ? Sign::Unsigned : Sign::Signed;
  Operand L = Operands.source(Compare.getOperand(0), Count, S), R = Operands.source(Compare.getOperand(1), Count, S);
  Out.add(Opcode::Cmp, Count, {placeOf(B, S, Aside), L, R}).part(conditionOf(Compare.getPredicate()));
}

void EmitVectors::select(const Bale &B, Declaration *Aside) {
  const int Count = B.count();
  auto &Select = *cast<SelectInst>(B.Main);
  Guard If{Operands.predicate(Select.getCondition())};
  Operand To = placeOf(B, Sign::Signed, Aside), T = Operands.source(Select.getTrueValue(), Count, Sign::Signed),
          E = Operands.source(Select.getFalseValue(), Count, Sign::Signed);
  Out.add(Opcode::Sel, Count, {To, T, E}).guarded(If);
}

void EmitVectors::arithmetic(const Bale &B, const Guard &If, Declaration *Aside) {
  Instruction &I = *B.Main;
  auto S = spellingOf(I);
  if (!S)
    fail(nameOf(I));
  SmallVector<Operand, 3> From;
  SmallVector<unsigned, 4> Indices = regionOperandsOf(I);
  const bool WrapIsSeen = isWrapSeen(I);
  if (WrapIsSeen && S->NegateLast) {
    From.push_back(hiddenZero(I));
    Indices = {1};
  }
  if (S->Code == Opcode::Not)
    Indices = {I.getOperand(0) == complemented(&I) ? 0u : 1u};
  for (unsigned K = 0; K < Indices.size(); ++K)
    From.push_back(argument(B, *S, Indices[K], K + 1 == Indices.size()));
  Opcode Code = S->Code;
  if (WrapIsSeen && !S->NegateLast) { // of an absolute value: not a move
    Code = Opcode::Add;
    From.push_back(hiddenZero(I));
  }
  if (Traps.isTakenAsDword(I) || Traps.isKeptNarrow(B)) { // not a move, which the finalizer would look through
    Code = Opcode::Or;
    From.push_back({NumberOperand{0, isa<SExtInst>(I) ? ElementType::W : ElementType::UW}});
  }
  if (EmitTraps::isNarrowedSum(I)) {
    constexpr uint32_t One = 0x3F800000;
    Code = Opcode::Mul;
    From.push_back({BitsOperand{One, ElementType::F}});
  }
  From.insert(From.begin(), placeOf(B, S->Result, Aside));
  Out.add(Code, B.count(), From).guarded(If).saturated(S->Saturate || B.Result != B.Main);
}

/// A source of the main instruction, with the modifiers that the operation itself is.
Operand EmitVectors::argument(const Bale &B, const Spelling &S, unsigned Index, bool Last) {
  Instruction &I = *B.Main;
  const int Count = B.count();
  Source From = Source::of(I.getOperand(Index));
  if (S.NegateLast && Last) {
    bool Exact = S.Saturate && S.Operands == Sign::Unsigned; // x - 1 is not x + 0xFFFFFFFF there
    if (auto *Number = Exact ? numberOf(From.Base) : nullptr) {
      Operand Hidden = Operands.hiddenNumber(*Number, Sign::Unsigned);
      std::get<SourceOperand>(Hidden.Form).Does.Negate = true;
      return Hidden;
    }
    if (isa<Constant>(From.Base))
      From.Base = negated(cast<Constant>(From.Base));
    else
      From.Negate ^= true;
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && is_contained({Intrinsic::abs, Intrinsic::fabs}, Call->getIntrinsicID()))
    From.Absolute = true;
  if (I.getOpcode() == Instruction::FNeg)
    From.Negate ^= true;
  if (Traps.needsWholeDword(I, From.Base))
    return Operands.hiddenNumber(*numberOf(From.Base), S.Operands);
  if (operationOf(&I) == Op::Saturate && isTakenApart(From, Count, *I.getParent(), Out.Registers))
    return Operands.together(From, Count); // a move that saturates
  return Operands.source(From, Count, S.Operands);
}

Operand EmitVectors::hiddenZero(Instruction &I) {
  return Operands.hiddenNumber(*ConstantInt::get(cast<IntegerType>(I.getType()->getScalarType()), 0), Sign::Signed);
}

} // namespace pocm::gen
