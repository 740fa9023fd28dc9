//===- Emitter.cpp - Bales as vISA instructions -------------------------------------------===//
//
//     %r = rdregion <16 x i8> %m, 0, 16, 1, 35
//     %c = uitofp <16 x i8> %r to <16 x float>
//     %w = wrregion %old, %c, 0, 16, 1, 64       ->   mov (M1, 16) V40(2,0)<1> V33_ub(1,3)<1;1,0>
//
// Goes through a kernel's instructions and has each emitted by the part that knows how: bales (EmitVectors.h),
// predicates, messages, control. Notes for each vISA instruction where in the source it comes from, and what is slow
// about it.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/Emitter.h"
#include "codegen/gen/EmitControl.h"
#include "codegen/gen/EmitMessages.h"
#include "codegen/gen/EmitPredicates.h"
#include "codegen/gen/EmitVectors.h"
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
  EmitVectors Vectors;
  EmitPredicates Predicates;

  bool Direct = false;      // the mask stands for this instruction's predicate
  DominatorTree Dominators; // of the function being emitted
  LoopInfo Loops;
  size_t Noted = 0; // so many instructions have been looked at

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
      return Predicates.compare(*Compare);
    if (auto *Cast = dyn_cast<BitCastInst>(&I))
      return Predicates.bitCast(*Cast);
    if (auto *Logic = dyn_cast<BinaryOperator>(&I); Logic && isPredicate(I.getType()))
      return Predicates.logic(*Logic);
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && widened(*Shuffle) && countOf(I.getType()) <= 16)
      return Predicates.widen(*Shuffle);
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
      Value *Mask = B.Into ? B.Into->mask() : nullptr;
      Direct = Mask && Mask == Control.maskOf(I.getParent());
      return Vectors.bale(B, Direct);
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
    const unsigned Bits = floatControlOf(Out.F) & (RoundingMode | Denormals);
    Declaration *Control = Out.predefined("%cr0");
    if (Bits)
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
        Problem.What += lineText(I);
        throw;
      }
    }
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
        Traps(Out.Functions, Out.Registers, Target), Vectors(Out, Operands, Traps), Predicates(Out, Operands, Traps) {}

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
