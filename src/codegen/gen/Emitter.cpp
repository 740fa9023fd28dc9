//===- Emitter.cpp - Bales as vISA instructions -------------------------------------------===//
//
//     %r = rdregion <16 x i8> %m, 0, 16, 1, 35
//     %c = uitofp <16 x i8> %r to <16 x float>
//     %w = wrregion %old, %c, 0, 16, 1, 64       ->   mov (M1, 16) V40(2,0)<1> V33_ub(1,3)<1;1,0>
//
// One instruction per head of a bale; nothing is decided here but the spelling. Variables
// come from Variables.h, operands from Source::of.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Emitter.h"
#include "codegen/gen/EmitControl.h"
#include "codegen/gen/EmitMessages.h"
#include "codegen/gen/EmitTraps.h"
#include "codegen/gen/Pieces.h"
#include "codegen/gen/Predicates.h"
#include "codegen/gen/Print.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace pocm::gen {
namespace {

/// Where an instruction comes from.
SourceLine sourceLineOf(const Instruction &I) {
  if (const DILocation *Line = userLine(I); Line && Line->getLine())
    return {Line->getFilename().str(), Line->getLine()};
  return {"", lineOf(I)};
}

class Emitter {
  Builder Out;
  EmitOperands Operands;
  EmitPayloads Payloads;
  EmitSurfaces Surfaces;
  EmitInputs Inputs;
  EmitControl Control;
  EmitMessages Messages;
  EmitTraps Traps;

  bool Direct = false;      // the mask stands for this instruction's predicate
  DominatorTree Dominators; // of the function being emitted
  LoopInfo Loops;
  size_t Noted = 0; // so many instructions have been looked at

  // Vector instructions

  /// (P7), or (!P7) when the mask is the opposite of what P7 holds.
  Guard guardOf(Value *Mask) {
    auto *Not = dyn_cast<Instruction>(Mask);
    bool Inverted = Not && isBaled(*Not);
    return {Operands.predicate(Inverted ? complemented(Not) : Mask), Inverted};
  }

  void vectorInstruction(const Bale &B) {
    Value *Mask = B.Into ? B.Into->mask() : nullptr;
    Direct = Mask && Mask == Control.maskOf(B.Head->getParent());
    Guard If = Mask && !Direct ? guardOf(Mask) : Guard{};
    if (Traps.shiftsBytesInPlace(B))
      return throughCopy(B, If, Copy::Or);
    if (If && B.Main && !canBeGuarded(*B.Main))
      return throughCopy(B, If, Copy::Move);
    if (B.Into && B.Into->Where.Dynamic && isWrittenAside(B))
      return throughCopy(B, If, Copy::Move);
    compute(B, If);
  }

  /// Whether no instruction may write to a place known at run time: vISA has no comparison that does, and conversions
  /// from halves and to 64 bits, which the finalizer may take a few channels at a time, go on one byte behind the
  /// first.
  static bool isWrittenAside(const Bale &B) {
    if (!B.Main)
      return false;
    constexpr int Qword = 8;
    const int Bytes = elementBytes(B.Main->getType());
    return isMask(*B.Main) || any_of(sourcesOf(B), [&](const Source &S) {
             const int Read = elementBytes(S.Element);
             return (S.Element->isHalfTy() && Read < Bytes) || (Bytes == Qword && Read < Qword / 2);
           });
  }

  /// What takes no predicate is computed for all channels, and some of them kept.
  void throughCopy(const Bale &B, const Guard &If, Copy How) {
    Type *T = B.Main ? B.Main->getType() : ofCount(B.Head->getType(), B.count());
    auto S = B.Main ? spellingOf(*B.Main) : std::nullopt;
    Declaration *Aside = Out.declare(T->getScalarType(), unsigned(countOf(T)), S ? S->Result : Sign::Signed);
    compute(B, {}, Aside);
    Operand To = Operands.destination(B, Sign::Signed);
    addCopy(Out, How, B.count(), To, Builder::contiguous(Aside)).guarded(If);
  }

  /// One instruction; to where the bale writes, unless it writes aside.
  void compute(const Bale &B, const Guard &If, Declaration *Aside = nullptr) {
    if (!B.Main)
      return move(B, If, Aside);
    if (isMask(*B.Main))
      return mask(B, Aside);
    if (isa<SelectInst>(B.Main))
      return select(B, Aside);
    arithmetic(B, If, Aside);
  }

  Operand placeOf(const Bale &B, Sign S, Declaration *Aside) {
    return Aside ? Builder::destination(Aside) : Operands.destination(B, S);
  }

  void move(const Bale &B, const Guard &If, Declaration *Aside) {
    const int Count = B.count();
    Source S = movedBy(B);
    // bytes are put aside and back by what is no move, which would be made one in place again
    bool NoMove =
        Aside || Traps.isLookedThrough(B) || isTakenApart(S, Count, *B.Head->getParent(), Out.Registers) || isChosen(S);
    Type *Element = B.Head->getType()->getScalarType();
    if (NoMove && Element->isFloatingPointTy())
      S.Element = Element = bitsOf(Element);
    Operand From = Operands.source(S, Count, Sign::Signed);
    Operand To = Aside ? Builder::destination(Aside) : Operands.destination(B, Sign::Signed, Element);
    addCopy(Out, NoMove ? Copy::Or : Copy::Move, Count, To, From).guarded(If);
  }

  /// A comparison of dwords, which gives -1 where it holds.
  void mask(const Bale &B, Declaration *Aside) {
    const int Count = B.count();
    auto &Compare = *cast<ICmpInst>(B.Main->getOperand(0));
    Sign S = Compare.isUnsigned() ? Sign::Unsigned : Sign::Signed;
    Operand L = Operands.source(Compare.getOperand(0), Count, S), R = Operands.source(Compare.getOperand(1), Count, S);
    Out.add(Opcode::Cmp, Count, {placeOf(B, S, Aside), L, R}).part(conditionOf(Compare.getPredicate()));
  }

  void select(const Bale &B, Declaration *Aside) {
    const int Count = B.count();
    auto &Select = *cast<SelectInst>(B.Main);
    Guard If{Operands.predicate(Select.getCondition())};
    Operand To = placeOf(B, Sign::Signed, Aside), T = Operands.source(Select.getTrueValue(), Count, Sign::Signed),
            E = Operands.source(Select.getFalseValue(), Count, Sign::Signed);
    Out.add(Opcode::Sel, Count, {To, T, E}).guarded(If);
  }

  void arithmetic(const Bale &B, const Guard &If, Declaration *Aside) {
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
    From.insert(From.begin(), placeOf(B, S->Result, Aside));
    Out.add(Code, B.count(), From).guarded(If).saturated(S->Saturate || B.Result != B.Main);
  }

  /// A source of the main instruction, with the modifiers that the operation itself is.
  Operand argument(const Bale &B, const Spelling &S, unsigned Index, bool Last) {
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

  Operand hiddenZero(Instruction &I) {
    return Operands.hiddenNumber(*ConstantInt::get(cast<IntegerType>(I.getType()->getScalarType()), 0), Sign::Signed);
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

  // Predicates

  void compare(CmpInst &I) {
    int Count = countOf(I.getType());
    Sign S = I.isUnsigned() ? Sign::Unsigned : Sign::Signed;
    Operand L = Operands.source(I.getOperand(0), Count, S);
    Operand R = Traps.isComparedTooEarly(I)
                    ? Operands.hiddenNumber(*ConstantInt::get(Type::getInt16Ty(Out.F.getContext()), 0), S)
                    : Operands.source(I.getOperand(1), Count, S);
    Out.add(Opcode::Cmp, Count, {named(&I), L, R}).part(conditionOf(I.getPredicate()));
  }

  Operand named(Instruction *Predicate) { return {NameOperand{Operands.predicateOf(Predicate)}}; }
  Operand read(Value *Predicate) { return {NameOperand{Operands.predicate(Predicate)}}; }

  void logic(BinaryOperator &I) {
    int Count = countOf(I.getType());
    SmallVector<Operand, 2> From;
    if (Value *Inverted = complemented(&I))
      From = {read(Inverted)};
    else
      From = {read(I.getOperand(0)), read(I.getOperand(1))};
    From.insert(From.begin(), named(&I));
    Out.add(spellingOf(I)->Code, Count, From);
  }

  /// The bits of a predicate as a number; with zeros above them where only the lower ones are to be set.
  void bits(Declaration *Number, Value *P, bool Widened) {
    Operand Flags = read(P);
    Out.add(Opcode::Mov, 1, {Builder::destination(Number), Flags});
    if (Widened)
      Out.add(Opcode::And, 1,
              {Builder::destination(Number),
               Builder::scalar(Number),
               {NumberOperand{(1u << countOf(P->getType())) - 1, ElementType::UW}}});
  }

  /// A predicate with channels above it that are off.
  void widen(ShuffleVectorInst &I) {
    Declaration *Number = Out.declare(Type::getInt16Ty(Out.F.getContext()), 1, Sign::Unsigned);
    bits(Number, I.getOperand(0), true);
    Out.add(Opcode::Setp, countOf(I.getType()), {named(&I), Builder::scalar(Number)}).forAll();
  }

  void bitCast(BitCastInst &I) {
    if (isPredicate(I.getSrcTy())) {
      auto *Upper = dyn_cast<ShuffleVectorInst>(I.getOperand(0));
      if (!Upper || !isBaled(*Upper))
        Upper = nullptr;
      Declaration *Number = Operands.view(&I, I.getType()->getScalarType(), Sign::Unsigned);
      return bits(Number, Upper ? Upper->getOperand(0) : I.getOperand(0), Upper);
    }
    int Count = countOf(I.getType());
    Operand From = Operands.scalar(I.getOperand(0));
    Out.add(Opcode::Setp, Count, {named(&I), From});
  }

  // Any instruction

  /// Doubles are refused where there are none, integers of sizes that no registers have everywhere.
  void checkTypes(Instruction &I) {
    if (Type *T = I.getType()->getScalarType();
        T->isIntegerTy() && !is_contained({1u, 8u, 16u, 32u, 64u}, T->getIntegerBitWidth()))
      fail("an integer of " + std::to_string(T->getIntegerBitWidth()) + " bits");
    auto IsDouble = [](Value *V) { return V->getType()->getScalarType()->isDoubleTy(); };
    if (!Out.Target.has(HasFp64) && isVectorInstruction(I) && (IsDouble(&I) || any_of(I.operands(), IsDouble)))
      fail("arithmetic on double");
    if (operationOf(&I) == Op::RotateLeft &&
        (!Out.Target.has(HasRotation) || !I.getType()->getScalarType()->isIntegerTy(32)))
      fail("a rotation of " + std::to_string(I.getType()->getScalarSizeInBits()) + " bits");
  }

  void instruction(Instruction &I) {
    checkTypes(I);
    if (isBaled(I) || isAlias(&I) || isa<PHINode>(I) || isLowerChannels(I))
      return;
    if (auto *Compare = dyn_cast<CmpInst>(&I))
      return compare(*Compare);
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      return bitCast(*Cast);
    if (auto *Logic = dyn_cast<BinaryOperator>(&I); Logic && isPredicate(I.getType()))
      return logic(*Logic);
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && widened(*Shuffle) && countOf(I.getType()) <= 16)
      return widen(*Shuffle);
    if (I.isTerminator())
      return Control.terminator(I);
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      return frame(*Variable);
    if (RegionWrite::matchMasked(&I) || RegionRead::match(&I) || isVectorInstruction(I)) {
      Bale B = Bale::of(I);
      if (B.Into) {
        Value *Old = registerOf(B.Into->old());
        if (!isa<Constant>(Old) && Out.Registers.variableOf(Old) != Out.Registers.variableOf(&I))
          Payloads.copy(&I, Old);
        else if (isa<Constant>(Old) && !isa<UndefValue>(Old))
          Payloads.constantInto(&I, cast<Constant>(Old));
        if (isa<UndefValue>(B.Into->value()) || Out.Registers.isThere(I))
          return;
      }
      return vectorInstruction(B);
    }
    if (auto *Call = dyn_cast<CallInst>(&I); Call && operationOf(&I) != Op::None)
      return Messages.message(*Call);
    if (auto *Call = dyn_cast<CallInst>(&I); Call && is_contained(Out.Functions, Call->getCalledFunction()))
      return Control.call(*Call);
    if (isOptimizationFence(I))
      return;
    if (isa<InsertValueInst>(I))
      return; // with the return
    if (auto *Part = dyn_cast<ExtractValueInst>(&I)) {
      const Instruction *Before = &I;
      while (isa_and_nonnull<ExtractValueInst>(Before))
        Before = Before->getPrevNode();
      if (Before == Part->getAggregateOperand())
        return; // with the call
    }
    fail(nameOf(I));
  }

  /// Scratch memory begins with the frame; the finalizer spills behind it. A thread's scratch memory begins at bits
  /// 31:10 of r0.5 among all threads'; from DG2 on those bits, as an index, say where the surface state of it lies.
  void frame(AllocaInst &I) {
    constexpr uint64_t MostBytes = 2 << 20; // of a thread
    if (any_of(I.users(), [](User *U) {
          return !is_contained({Op::FrameRead, Op::FrameWrite, Op::FrameGather, Op::FrameScatter}, operationOf(U));
        }))
      fail("a variable whose address goes into memory, a function or a number");
    uint64_t Bytes = alignTo(I.getAllocationSize(Out.F.getDataLayout())->getFixedValue(), 2 * Out.Target.GrfBytes);
    if (Bytes > MostBytes)
      fail("thread memory of " + std::to_string(Bytes) + " bytes");
    Out.Result.FrameBytes = unsigned(Bytes);
    constexpr std::uint64_t Place = 0xfffffc00;
    constexpr int HeaderDword = 5, OwordShift = 4;
    Frame &S = Out.Scratch;
    S.Bytes = Out.declare(Out.dword(), 1, Sign::Unsigned);
    S.Owords = Out.declare(Out.dword(), 1, Sign::Unsigned);
    Out.add(Opcode::And, 1,
            {Builder::destination(S.Bytes),
             Builder::scalar(Out.predefined("%r0"), HeaderDword),
             {BitsOperand{Place, ElementType::UD}}});
    Out.add(Opcode::Shr, 1,
            {Builder::destination(S.Owords), Builder::scalar(S.Bytes), {NumberOperand{OwordShift, ElementType::UD}}});
  }

  /// In a block that `goto` masks, everything is done for all channels but what is meant for those that are on: the
  /// last instruction of such a bale.
  void ignoreMask(size_t From) {
    for (EmittedInstruction &I : MutableArrayRef(Out.Text.Code).drop_front(From).drop_back(Direct ? 1 : 0))
      I.NoMask = true;
  }

  /// Rounding and denormals as the kernel wants them: those bits are 0 when a thread begins.
  void floatControl() {
    constexpr unsigned Denormals = DoubleDenormals | FloatDenormals | HalfDenormals;
    unsigned Bits = 0;
    Out.F.getFnAttribute(FloatControlAttribute).getValueAsString().getAsInteger(10, Bits);
    Declaration *Control = Out.predefined("%cr0");
    if (Bits &= RoundingMode | Denormals)
      Out.add(Opcode::Or, 1,
              {Builder::destination(Control), Builder::scalar(Control), {BitsOperand{Bits, ElementType::UD}}})
          .forAll();
  }

  // Where it comes from

  MutableArrayRef<EmittedInstruction> newOnes() { return MutableArrayRef(Out.Text.Code).drop_front(Noted); }

  /// Notes the origin of the instructions that were appended since the last call.
  void noteLines(const SourceLine &Source, unsigned LiveBytes) {
    for (EmittedInstruction &New : newOnes())
      New.Origin = {Source, LiveBytes};
    Noted = Out.Text.Code.size();
  }

  /// The vISA instructions of one of IR, and what is slow about them.
  void noteInstruction(const Instruction &I, SourceLine &Last) {
    auto SomeOperand = [&](auto Is) {
      return any_of(newOnes(), [&](const EmittedInstruction &New) { return any_of(New.Operands, Is); });
    };
    SourceLine Here = sourceLineOf(I);
    if (Here.Line)
      Last = Here;
    bool Indexed = SomeOperand([](const Operand &O) { return O.isIndirect(); });
    if (Indexed)
      Out.Result.IndexedLines.insert(Last);
    if (Last.Line && Loops.getLoopFor(I.getParent())) {
      auto Say = [&](const char *What) { Out.Result.Remarks.insert({Last, What}); };
      Op Operation = operationOf(&I);
      if (Indexed)
        Say("elements are chosen at run time in a loop, through address registers; constant indices (#pragma unroll) "
            "need none");
      if (is_contained({Op::FrameRead, Op::FrameWrite, Op::FrameGather, Op::FrameScatter}, Operation))
        Say("a variable in scratch memory is accessed in a loop, by a message each time");
      if (Operation == Op::OwordReadUnaligned)
        Say("a block whose place is not known to be a multiple of 16 bytes is read in a loop");
      if (SomeOperand([](const Operand &O) { return O.Crosses; }))
        Say("an operand in a loop begins inside a register and reaches into one more than its size takes");
    }
    noteLines(Last, Out.Registers.liveBytes(I));
  }

  // The whole

  void function(Function &G) {
    Dominators.recalculate(G);
    Loops.releaseMemory();
    Loops.analyze(Dominators);
    if (&G != &Out.F) {
      Control.function(G);
      noteLines({}, 0);
    }
    for (BasicBlock &Block : G)
      if (Control.block(Block))
        block(Block);
  }

  void block(BasicBlock &Block) {
    Operands.forgetAddresses();
    Surfaces.forgetBound();
    SourceLine Last;
    for (Instruction &I : Block) {
      try {
        Direct = false;
        size_t Before = Out.Text.Code.size();
        instruction(I);
        if (Control.maskOf(&Block))
          ignoreMask(Before);
        noteInstruction(I, Last);
      } catch (Unsupported &Problem) {
        if (Problem.IsBug)
          raw_string_ostream(Problem.What) << " in" << I;
        Problem.What += atLine(I);
        throw;
      }
    }
  }

  static std::string atLine(const Instruction &I) {
    SourceLine Here = sourceLineOf(I);
    return Here.Line ? ", line " + std::to_string(Here.Line) : "";
  }

  void attributes() {
    constexpr unsigned Kilobyte = 1024;
    const VisaKernel &Known = Out.Result;
    auto &All = Out.Text.Attributes;
    if (Known.SlmBytes)
      All.push_back({"SLMSize", (Known.SlmBytes + Kilobyte - 1) / Kilobyte});
    if (Known.FrameBytes)
      All.push_back({"SpillMemOffset", Known.FrameBytes});
    if (Out.NamedBarriers)
      All.push_back({"NBarrierCnt", Out.NamedBarriers});
    if (!Known.HasBarrier)
      All.push_back({"NoBarrier"});
    if (Out.For == Runtime::LevelZero && Out.Target.has(LoadsLocalIds) && Inputs.has(LocalIdInput))
      All.push_back({"PerThreadInputSize", Out.Target.GrfBytes});
  }

public:
  Emitter(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
      : Out(Kernel, Target, Options), Operands(Out, Options.ReuseAddresses), Payloads(Out, Operands),
        Surfaces(Out, Operands), Inputs(Out, Operands, Payloads, Surfaces),
        Control(Out, Operands, Payloads, Options.UseGoto), Messages(Out, Operands, Payloads, Surfaces, Inputs),
        Traps(Out.Functions, Out.Registers, Target) {}

  VisaKernel run() {
    try {
      Inputs.declareAll();
      floatControl();
      noteLines({}, 0);
      for (Function *G : Out.Functions)
        function(*G);
      attributes();
      print(Out.Text, Out.Kernel.Name, Out.Target, Out.Result);
    } catch (const Unsupported &Problem) {
      Out.Result.Problem = Problem.What;
    }
    return std::move(Out.Result);
  }
};

} // namespace

VisaKernel emitVisa(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options) {
  return Emitter(Kernel, Target, Options).run();
}

} // namespace pocm::gen
