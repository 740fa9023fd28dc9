//===- Emitter.cpp - Bales as vISA text ---------------------------------------------------===//
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
#include "codegen/gen/EmitTraps.h"
#include "ir/Lines.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace pocm::gen {
namespace {

class Emitter : EmitTraps {
  /// "(P7) ", or "(!P7) " when the mask is the opposite of what P7 holds.
  std::string guardOf(Value *Mask) {
    auto *Not = dyn_cast<Instruction>(Mask);
    bool Inverted = Not && isBaled(*Not);
    return std::string(Inverted ? "(!" : "(") + predicate(Inverted ? complemented(Not) : Mask) + ") ";
  }

  void vectorInstruction(const Bale &B) {
    Value *Mask = B.Into ? B.Into->mask() : nullptr;
    Direct = Mask && Mask == Masked.lookup(B.Head->getParent());
    std::string Guard = Mask && !Direct ? guardOf(Mask) : "";
    if (shiftsBytesInPlace(B))
      return throughCopy(B, Guard, Copying);
    if (!Guard.empty() && B.Main && !canBeGuarded(*B.Main))
      return throughCopy(B, Guard, Moving);
    if (B.Into && B.Into->Where.Dynamic && isWrittenAside(B))
      return throughCopy(B, Guard, Moving);
    compute(B, Guard, "");
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
  void throughCopy(const Bale &B, const std::string &Guard, const Copy &How) {
    Type *T = B.Main ? B.Main->getType() : ofCount(B.Head->getType(), B.count());
    auto S = B.Main ? spellingOf(*B.Main) : std::nullopt;
    std::string Aside = declare(T->getScalarType(), unsigned(countOf(T)), S ? S->Result : Sign::Signed);
    compute(B, "", Aside + "(0,0)<1>");
    std::string To = destination(B, Sign::Signed);
    Out << "    " << Guard << How.Name << width(B.count()) << To << " " << Aside << "(0,0)<1;1,0>" << How.Rest << "\n";
  }

  /// One instruction; to where the bale writes, unless another place is given.
  void compute(const Bale &B, const std::string &Guard, const std::string &Elsewhere) {
    int Count = B.count();
    if (!B.Main) {
      Source S = movedBy(B);
      // bytes are put aside and back by what is no move, which would be made one in place again
      bool NoMove = !Elsewhere.empty() || isLookedThrough(B) ||
                    isTakenApart(S, Count, *B.Head->getParent(), Registers) || isChosen(S);
      Type *Element = B.Head->getType()->getScalarType();
      if (NoMove && Element->isFloatingPointTy())
        S.Element = Element = bitsOf(Element);
      std::string From = source(S, Count, Sign::Signed);
      std::string To = Elsewhere.empty() ? destination(B, Sign::Signed, Element) : Elsewhere;
      const Copy &How = NoMove ? Copying : Moving;
      Out << "    " << Guard << How.Name << width(Count) << To << " " << From << How.Rest << "\n";
      return;
    }
    Instruction &I = *B.Main;
    if (isMask(I)) {
      auto &Compare = *llvm::cast<ICmpInst>(I.getOperand(0));
      Sign S = Compare.isUnsigned() ? Sign::Unsigned : Sign::Signed;
      std::string L = source(Compare.getOperand(0), Count, S), R = source(Compare.getOperand(1), Count, S);
      std::string To = Elsewhere.empty() ? destination(B, S) : Elsewhere;
      Out << "    cmp." << conditionOf(Compare.getPredicate()) << width(Count) << To << " " << L << " " << R << "\n";
      return;
    }
    if (auto *Select = dyn_cast<SelectInst>(&I)) {
      std::string P = predicate(Select->getCondition());
      std::string To = Elsewhere.empty() ? destination(B, Sign::Signed) : Elsewhere,
                  T = source(I.getOperand(1), Count, Sign::Signed), E = source(I.getOperand(2), Count, Sign::Signed);
      Out << "    (" << P << ") sel" << width(Count) << To << " " << T << " " << E << "\n";
      return;
    }
    auto S = spellingOf(I);
    if (!S)
      fail(nameOf(I));
    std::string Text;
    SmallVector<unsigned, 4> Operands = regionOperandsOf(I);
    bool Complements = StringRef(S->Name) == "not";
    const bool WrapIsSeen = isWrapSeen(I);
    if (WrapIsSeen && S->NegateLast) {
      Text += " " + hiddenZero(I);
      Operands = {1};
    }
    if (Complements)
      Operands = {I.getOperand(0) == complemented(&I) ? 0u : 1u};
    for (unsigned K = 0; K < Operands.size(); ++K) {
      Source From = Source::of(I.getOperand(Operands[K]));
      bool Last = K + 1 == Operands.size();
      if (S->NegateLast && Last) {
        bool Exact = S->Saturate && S->Operands == Sign::Unsigned; // x - 1 is not x + 0xFFFFFFFF there
        if (auto *Number = Exact ? numberOf(From.Base) : nullptr) {
          Text += " (-)" + hiddenNumber(*Number, Sign::Unsigned);
          break;
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
      Text += " ";
      if (needsWholeDword(I, From.Base))
        Text += hiddenNumber(*numberOf(From.Base), S->Operands);
      else if (operationOf(&I) == Op::Saturate &&
               isTakenApart(From, Count, *I.getParent(), Registers)) // a move that saturates
        Text += together(From, Count);
      else
        Text += source(From, Count, S->Operands);
    }
    const char *Name = S->Name;
    if (WrapIsSeen && !S->NegateLast) { // of an absolute value: not a move
      Name = "add";
      Text += " " + hiddenZero(I);
    }
    if (isTakenAsDword(I) || isKeptNarrow(B)) { // not a move, which the finalizer would look through
      Name = "or";
      Text += isa<SExtInst>(I) ? " 0:w" : " 0:uw";
    }
    std::string To = Elsewhere.empty() ? destination(B, S->Result) : Elsewhere;
    bool Saturates = S->Saturate || B.Result != B.Main;
    Out << "    " << Guard << Name << (Saturates ? ".sat" : "") << width(Count) << To << Text << "\n";
  }

  std::string hiddenZero(Instruction &I) {
    return hiddenNumber(*ConstantInt::get(llvm::cast<IntegerType>(I.getType()->getScalarType()), 0), Sign::Signed);
  }

  Constant *negated(Constant *C) {
    Type *T = C->getType();
    if (T->isIntOrIntVectorTy())
      return ConstantExpr::getNeg(C);
    auto *Splat = dyn_cast_or_null<ConstantFP>(T->isVectorTy() ? C->getSplatValue(true) : C);
    if (!Splat)
      fail("a difference with a vector of different constants");
    return ConstantFP::get(T, -Splat->getValueAPF());
  }

  void compare(CmpInst &I) {
    int Count = countOf(I.getType());
    Sign S = I.isUnsigned() ? Sign::Unsigned : Sign::Signed;
    std::string L = source(I.getOperand(0), Count, S);
    std::string R = isComparedTooEarly(I) ? hiddenNumber(*ConstantInt::get(Type::getInt16Ty(F.getContext()), 0), S)
                                          : source(I.getOperand(1), Count, S);
    Out << "    cmp." << conditionOf(I.getPredicate()) << width(Count) << predicateName(&I) << " " << L << " " << R
        << "\n";
  }

  void logic(BinaryOperator &I) {
    int Count = countOf(I.getType());
    if (Value *Inverted = complemented(&I)) {
      std::string P = predicate(Inverted);
      Out << "    not" << width(Count) << predicateName(&I) << " " << P << "\n";
      return;
    }
    std::string L = predicate(I.getOperand(0)), R = predicate(I.getOperand(1));
    Out << "    " << I.getOpcodeName() << width(Count) << predicateName(&I) << " " << L << " " << R << "\n";
  }

  /// The bits of a predicate as a number; with zeros above them where only the lower ones are to be set.
  void bits(const std::string &Number, Value *P, bool Widened) {
    std::string Flags = predicate(P), To = Number + "(0,0)";
    Out << "    mov (M1, 1) " << To << "<1> " << Flags << "\n";
    if (Widened)
      Out << "    and (M1, 1) " << To << "<1> " << To << "<0;1,0> " << (1u << countOf(P->getType())) - 1 << ":uw\n";
  }

  /// A predicate with channels above it that are off.
  void widen(ShuffleVectorInst &I) {
    std::string Number = declare(Type::getInt16Ty(F.getContext()), 1, Sign::Unsigned);
    bits(Number, I.getOperand(0), true);
    Out << "    setp (M1_NM, " << countOf(I.getType()) << ") " << predicateName(&I) << " " << Number
        << "(0,0)<0;1,0>\n";
  }

  void cast(BitCastInst &I) {
    if (isPredicate(I.getSrcTy())) {
      auto *Upper = dyn_cast<ShuffleVectorInst>(I.getOperand(0));
      if (!Upper || !isBaled(*Upper))
        Upper = nullptr;
      bits(view(&I, I.getType()->getScalarType(), Sign::Unsigned), Upper ? Upper->getOperand(0) : I.getOperand(0),
           Upper);
      return;
    }
    int Count = countOf(I.getType());
    std::string From = source(I.getOperand(0), 1, Sign::Unsigned);
    Out << "    setp" << width(Count) << predicateName(&I) << " " << From << "\n";
  }

  /// Doubles are refused where there are none, integers of sizes that no registers have everywhere.
  void checkTypes(Instruction &I) {
    if (Type *T = I.getType()->getScalarType();
        T->isIntegerTy() && !is_contained({1u, 8u, 16u, 32u, 64u}, T->getIntegerBitWidth()))
      fail("an integer of " + std::to_string(T->getIntegerBitWidth()) + " bits");
    auto IsDouble = [](Value *V) { return V->getType()->getScalarType()->isDoubleTy(); };
    if (!Target.has(HasFp64) && isVectorInstruction(I) && (IsDouble(&I) || any_of(I.operands(), IsDouble)))
      fail("arithmetic on double");
    if (operationOf(&I) == Op::RotateLeft &&
        (!Target.has(HasRotation) || !I.getType()->getScalarType()->isIntegerTy(32)))
      fail("a rotation of " + std::to_string(I.getType()->getScalarSizeInBits()) + " bits");
  }

  void instruction(Instruction &I) {
    checkTypes(I);
    if (isBaled(I) || isAlias(&I) || isa<PHINode>(I) || isLowerChannels(I))
      return;
    if (auto *Compare = dyn_cast<CmpInst>(&I))
      return compare(*Compare);
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      return cast(*Cast);
    if (auto *Logic = dyn_cast<BinaryOperator>(&I); Logic && isPredicate(I.getType()))
      return logic(*Logic);
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && widened(*Shuffle) && countOf(I.getType()) <= 16)
      return widen(*Shuffle);
    if (I.isTerminator())
      return terminator(I);
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      return frame(*Variable);
    if (RegionWrite::matchMasked(&I) || RegionRead::match(&I) || isVectorInstruction(I)) {
      Bale B = Bale::of(I);
      if (B.Into) {
        Value *Old = registerOf(B.Into->old());
        if (!isa<Constant>(Old) && Registers.variableOf(Old) != Registers.variableOf(&I))
          copy(&I, Old);
        else if (isa<Constant>(Old) && !isa<UndefValue>(Old))
          constantInto(&I, llvm::cast<Constant>(Old));
        if (isa<UndefValue>(B.Into->value()) || Registers.isThere(I))
          return;
      }
      return vectorInstruction(B);
    }
    if (auto *Call = dyn_cast<CallInst>(&I); Call && operationOf(&I) != Op::None)
      return message(*Call);
    if (auto *Call = dyn_cast<CallInst>(&I); Call && is_contained(Functions, Call->getCalledFunction()))
      return call(*Call);
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
    uint64_t Bytes = alignTo(I.getAllocationSize(F.getDataLayout())->getFixedValue(), 2 * Target.GrfBytes);
    if (Bytes > MostBytes)
      fail("thread memory of " + std::to_string(Bytes) + " bytes");
    Result.FrameBytes = unsigned(Bytes);
    Type *Dword = Type::getInt32Ty(F.getContext());
    FrameBase = declare(Dword, 1, Sign::Unsigned);
    FrameOword = declare(Dword, 1, Sign::Unsigned);
    Out << "    and (M1, 1) " << FrameBase << "(0,0)<1> %r0(0,5)<0;1,0> 0xfffffc00:ud\n"
        << "    shr (M1, 1) " << FrameOword << "(0,0)<1> " << FrameBase << "(0,0)<0;1,0> 4:ud\n";
  }

  /// In a block that `goto` masks, everything is done for all channels but what is meant for those that are on: the
  /// last line of such an instruction.
  void ignoreMask(size_t From) {
    constexpr StringRef Masked = "(M1, ", Ignored = "(M1_NM, ";
    size_t Last = Direct ? Code.rfind('\n', Code.size() - 2) : Code.size();
    for (size_t At = Code.find(Masked, From); At < Last && At != std::string::npos; At = Code.find(Masked, At + 1)) {
      Code.replace(At, Masked.size(), Ignored);
      Last += Ignored.size() - Masked.size();
    }
  }

  /// Rounding and denormals as the kernel wants them: those bits are 0 when a thread begins.
  void floatControl() {
    constexpr unsigned Denormals = DoubleDenormals | FloatDenormals | HalfDenormals;
    unsigned Bits = 0;
    F.getFnAttribute(FloatControlAttribute).getValueAsString().getAsInteger(10, Bits);
    if (Bits &= RoundingMode | Denormals)
      Out << "    or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x" << utohexstr(Bits, true) << ":ud\n";
  }

  // Where it comes from

  SourceLine sourceOf(const Instruction &I) {
    if (const DILocation *Line = userLine(I); Line && Line->getLine())
      return {Line->getFilename().str(), Line->getLine()};
    return {"", lineOf(I)};
  }

  /// Notes the origin of the lines that were printed since the last call.
  void noteLines(const SourceLine &Source, unsigned LiveBytes) {
    for (; Noted < Code.size(); ++Noted)
      if (Code[Noted] == '\n')
        Result.Lines.push_back({Source, LiveBytes});
  }

  /// An instruction's lines, and what is slow about them.
  void noteInstruction(const Instruction &I, SourceLine &Last) {
    StringRef Text = StringRef(Code).drop_front(Noted);
    SourceLine Here = sourceOf(I);
    if (Here.Line)
      Last = Here;
    bool Indexed = Text.contains(" r[");
    if (Indexed)
      Result.IndexedLines.insert(Last);
    if (Last.Line && Loops.getLoopFor(I.getParent())) {
      auto Say = [&](const char *What) { Result.Remarks.insert({Last, What}); };
      Op Operation = operationOf(&I);
      if (Indexed)
        Say("elements are chosen at run time in a loop, through address registers; constant indices (#pragma unroll) "
            "need none");
      if (is_contained({Op::FrameRead, Op::FrameWrite, Op::FrameGather, Op::FrameScatter}, Operation))
        Say("a variable in scratch memory is accessed in a loop, by a message each time");
      if (Operation == Op::OwordReadUnaligned)
        Say("a block whose place is not known to be a multiple of 16 bytes is read in a loop");
      if (CrossesRegisters)
        Say("an operand in a loop begins inside a register and reaches into one more than its size takes");
    }
    noteLines(Last, Registers.liveBytes(I));
    CrossesRegisters = false;
  }

  bool Direct = false;      // the mask stands for this instruction's predicate
  DominatorTree Dominators; // of the function being printed
  LoopInfo Loops;
  size_t Noted = 0; // what of Code has been looked at

  void function(Function &G) {
    Dominators.recalculate(G);
    Loops.releaseMemory();
    Loops.analyze(Dominators);
    if (&G != &F) {
      Out << ".function \"" << subroutine(G) << "\"\n";
      noteLines({}, 0);
    }
    for (BasicBlock &Block : G) {
      if (Blocks.isThrough(&Block))
        continue;
      if (!Block.isEntryBlock())
        Out << label(&Block) << ":\n";
      Taken.clear();
      Bound.clear();
      SourceLine Last;
      for (Instruction &I : Block) {
        try {
          Direct = false;
          size_t Before = Code.size();
          instruction(I);
          if (Masked.contains(&Block))
            ignoreMask(Before);
          noteInstruction(I, Last);
        } catch (Unsupported &Problem) {
          if (StringRef(Problem.What).starts_with("bug"))
            raw_string_ostream(Problem.What) << " in" << I;
          Problem.What += atLine(I);
          throw;
        }
      }
    }
  }

public:
  Emitter(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options)
      : EmitTraps(Kernel, Target, Options) {}

  VisaKernel run() {
    try {
      unsigned Number = 0;
      for (Function *G : Functions)
        for (BasicBlock &Block : *G)
          BlockNumbers[&Block] = Number++;
      inputs();
      floatControl();
      noteLines({}, 0);
      for (Function *G : Functions)
        function(*G);
    } catch (const Unsupported &Problem) {
      Result.Problem = Problem.What;
      return Result;
    }
    raw_string_ostream Text(Result.Text);
    Text << ".version 3.6\n.kernel \"" << Kernel.Name << "\"\n";
    for (const GeneralVariable &G : General)
      Text << ".decl " << G.Name << " v_type=G type=" << G.Letter << " num_elts=" << G.Count << " align=" << G.Align
           << "\n";
    Text << Declarations << Inputs << ImplicitText << ".kernel_attr Target=\"cm\"\n.kernel_attr OutputAsmPath=\""
         << Kernel.Name << "\"\n";
    if (Result.SlmBytes)
      Text << ".kernel_attr SLMSize=" << (Result.SlmBytes + 1023) / 1024 << "\n";
    if (Result.FrameBytes)
      Text << ".kernel_attr SpillMemOffset=" << Result.FrameBytes << "\n";
    if (NamedBarriers)
      Text << ".kernel_attr NBarrierCnt=" << NamedBarriers << "\n";
    if (!Result.HasBarrier)
      Text << ".kernel_attr NoBarrier\n";
    if (For == Runtime::LevelZero && Target.has(LoadsLocalIds) && ImplicitInputs.contains("local_id"))
      Text << ".kernel_attr PerThreadInputSize=" << Target.GrfBytes << "\n";
    Result.FirstLine = unsigned(count(Result.Text, '\n'));
    Text << ".function \"" << Kernel.Name << "_BB_0\"\n" << Code;
    Result.Lines.insert(Result.Lines.begin(), VisaLine());
    return Result;
  }

private:
  std::string atLine(const Instruction &I) {
    SourceLine Here = sourceOf(I);
    return Here.Line ? ", line " + std::to_string(Here.Line) : "";
  }
};

} // namespace

VisaKernel emitVisa(const KernelInfo &Kernel, const GenTarget &Target, const EmissionOptions &Options) {
  return Emitter(Kernel, Target, Options).run();
}

} // namespace pocm::gen
