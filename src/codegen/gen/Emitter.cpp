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
#include "codegen/gen/EmitMessages.h"
#include "ir/Lines.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

namespace pocm::gen {
namespace {

class Emitter : EmitMessages {
  // Inputs

  void inputs() {
    // Level Zero puts a thread's local ids first, as words, if the kernel wants them; the CM runtime in any case.
    bool Cm = For == Runtime::Cm, First = Cm ? usesGroups() : uses(Op::LocalId);
    unsigned At = First ? 2 * Target.GrfBytes : Target.GrfBytes;
    auto Implicit = [&](const char *Keyword, unsigned Number, Op Operation, unsigned Offset, bool Words = false) {
      if (!uses(Operation))
        return false;
      unsigned Size = Words ? 6 : 12;
      std::string Name;
      if (Instruction *Only = Words ? nullptr : asksOnce(Operation)) {
        Name = variable(Only).Name;
        GivenAs.insert(Only);
      } else {
        Name = "V" + std::to_string(NextVariable++);
        Decl << ".decl " << Name << " v_type=G type=" << (Words ? "uw" : "ud") << " num_elts=3 align=dword\n";
      }
      ImplicitIn << ".implicit_UNDEFINED_" << Number << " " << Name << " offset=" << Offset << " size=" << Size << "\n";
      ImplicitInputs[Keyword] = Name;
      Result.Inputs.push_back({8 * Number, Offset, Size});
      return true;
    };
    Implicit("local_id", 3, Op::LocalId, Target.GrfBytes, !Cm);
    if (Implicit("local_size", 1, Op::LocalSize, At))
      At += 12;
    if (Implicit("group_count", 2, Op::GroupCount, At))
      At += 12;
    if (uses(Op::ProgramAddress))
      programAddress(At);
    unsigned NextBinding = 1, NextSampler = 0; // surface 0 is the debugger's
    for (Argument &A : F.args()) {
      const KernelParameter &P = Kernel.Parameters[A.getArgNo()];
      unsigned Size = bytesOf(A.getType());
      unsigned Natural = std::min(bytesOf(A.getType()->getScalarType()), 8u);
      At = alignTo(At, P.Kind == IrParameterKind::General ? (Size >= Target.GrfBytes ? Target.GrfBytes : Natural) : 4);
      if (P.Kind == IrParameterKind::General && At / Target.GrfBytes != (At + Size - 1) / Target.GrfBytes)
        At = unsigned(alignTo(At, Target.GrfBytes)); // no argument straddles two registers that need not
      if (P.Kind == IrParameterKind::General) {
        In << ".input " << variable(&A).Name << " offset=" << At << " size=" << Size << "\n";
      } else {
        bool IsSurface = P.Kind == IrParameterKind::Surface;
        std::string Name = IsSurface ? "T" + std::to_string(NextSurface++) : "S" + std::to_string(6 + A.getArgNo());
        Decl << ".decl " << Name << " v_type=" << (IsSurface ? "T" : "S") << " num_elts=1\n";
        SurfaceNames[&A] = Name;
        if (!Cm) {
          unsigned &Next = IsSurface ? NextBinding : NextSampler;
          Out << "    movs (M1, 1) " << Name << "(0) " << Next << ":ud\n";
          if (isCalculatedWith(A))
            Out << "    mov (M1, 1) " << variable(&A).Name << "(0,0)<1> " << Next << ":ud\n";
          auto IsUsedBy = [&](ArrayRef<Op> Any) {
            return any_of(A.users(), [&](User *U) { return is_contained(Any, operationOf(U)); });
          };
          GenInput Bound{unsigned(P.Kind), 0, 0, Next++};
          Bound.image = IsUsedBy({Op::MediaRead, Op::MediaWrite, Op::TypedRead, Op::TypedWrite, Op::TypedAtomic});
          Bound.sampled = IsSurface && IsUsedBy(Op::Sample);
          Result.Inputs.push_back(Bound);
          continue;
        }
        In << ".input " << Name << " offset=" << At << " size=4\n";
        if (isCalculatedWith(A))
          Out << "    movs (M1, 1) " << variable(&A).Name << "(0,0)<1> " << Name << "(0)\n";
        Size = 4;
      }
      Result.Inputs.push_back({unsigned(P.Kind), At, Size});
      At += Size;
    }
  }

  /// Where the program's __global variables lie.
  void programAddress(unsigned &At) {
    constexpr unsigned Size = 8, KindOfInput = 32;
    if (For != Runtime::Cm)
      fail("a __global variable of the program in a Level Zero program");
    At = unsigned(alignTo(At, Size));
    std::string Name = "V" + std::to_string(NextVariable++);
    if (Instruction *Only = asksOnce(Op::ProgramAddress)) {
      Name = variable(Only).Name;
      GivenAs.insert(Only);
    } else {
      Decl << ".decl " << Name << " v_type=G type=ud num_elts=2 align=qword\n";
    }
    In << ".input " << Name << " offset=" << At << " size=" << Size << "\n";
    ImplicitInputs["program"] = Name;
    Result.Inputs.push_back({KindOfInput, At, Size});
    At += Size;
  }

  /// Whether a surface's number is also used as a number.
  bool isCalculatedWith(const Argument &A) {
    return any_of(A.users(), [&](const User *U) {
      if (Target.has(HasLsc) && !is_contained({Op::MediaRead, Op::MediaWrite, Op::Sample}, operationOf(U)))
        return true; // the load/store cache takes a surface's number
      unsigned Index = surfaceOperand(operationOf(U));
      if (operationOf(U) == Op::Sample && cast<CallInst>(U)->getArgOperand(1) == &A)
        return false;
      return Index == ~0u || cast<CallInst>(U)->getArgOperand(Index) != &A;
    });
  }

  /// Which operand of a message is its surface; ~0u for operations without one.
  static unsigned surfaceOperand(Op Operation) {
    switch (Operation) {
    case Op::MediaRead:
    case Op::MediaWrite:
    case Op::OwordRead:
    case Op::OwordReadUnaligned:
      return 1;
    case Op::TypedRead:
    case Op::TypedWrite:
    case Op::TypedAtomic:
    case Op::Sample:
      return 2;
    case Op::OwordWrite:
      return 0;
    case Op::Gather:
    case Op::Scatter:
      return 3;
    default:
      return atomicInfo(Operation).Sources >= 0 && !atomicInfo(Operation).ByAddress ? 1 : ~0u;
    }
  }

  std::vector<std::reference_wrapper<Instruction>> instructions() {
    std::vector<std::reference_wrapper<Instruction>> All;
    for (Function *G : Functions)
      for (Instruction &I : llvm::instructions(*G))
        All.push_back(I);
    return All;
  }

  /// The only instruction with that operation, when it is one of the first block: what it asks for is in its own
  /// variable from the beginning.
  Instruction *asksOnce(Op Operation) {
    Instruction *Only = nullptr;
    for (Instruction &I : instructions())
      if (operationOf(&I) == Operation) {
        if (Only || I.getParent() != &F.getEntryBlock())
          return nullptr;
        Only = &I;
      }
    return Only;
  }

  bool uses(Op Operation) {
    return any_of(instructions(), [&](Instruction &I) { return operationOf(&I) == Operation; });
  }

  bool usesGroups() {
    static constexpr Op OfGroups[] = {Op::LocalId,  Op::LocalSize, Op::GroupCount,   Op::GroupIdX, Op::GroupIdY,
                                      Op::GroupIdZ, Op::Barrier,   Op::SplitBarrier, Op::SlmInit};
    return any_of(OfGroups, [&](Op Operation) { return uses(Operation); });
  }

  // Instructions

  /// "(P7) ", or "(!P7) " when the mask is the opposite of what P7 holds.
  std::string guardOf(Value *Mask) {
    auto *Not = dyn_cast<Instruction>(Mask);
    bool Inverted = Not && isBaled(*Not);
    return std::string(Inverted ? "(!" : "(") + predicate(Inverted ? Not->getOperand(0) : Mask) + ") ";
  }

  void vectorInstruction(const Bale &B) {
    Value *Mask = B.Into ? B.Into->mask() : nullptr;
    Direct = Mask && Mask == Masked.lookup(B.Head->getParent());
    std::string Guard = Mask && !Direct ? guardOf(Mask) : "";
    if (!Guard.empty() && B.Main && !canBeGuarded(*B.Main))
      return throughCopy(B, Guard);
    compute(B, Guard, "");
  }

  /// What takes no predicate is computed for all channels, and some of them kept.
  void throughCopy(const Bale &B, const std::string &Guard) {
    Type *T = B.Main->getType();
    auto S = spellingOf(*B.Main);
    std::string Aside = declare(T->getScalarType(), unsigned(countOf(T)), S ? S->Result : Sign::Signed);
    compute(B, "", Aside + "(0,0)<1>");
    std::string To = destination(B, Sign::Signed);
    Out << "    " << Guard << "mov" << width(B.count()) << To << " " << Aside << "(0,0)<1;1,0>\n";
  }

  /// One instruction; to where the bale writes, unless another place is given.
  void compute(const Bale &B, const std::string &Guard, const std::string &Elsewhere) {
    int Count = B.count();
    if (!B.Main) {
      std::string From = B.Into ? source(B.Into->value(), Count, Sign::Signed)
                                : source(Source::ofRead(*RegionRead::match(B.Head)), Count, Sign::Signed);
      std::string To = destination(B, Sign::Signed);
      Out << "    " << Guard << "mov" << width(Count) << To << " " << From << "\n";
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
    for (unsigned K = 0; K < Operands.size(); ++K) {
      Source From = Source::of(I.getOperand(Operands[K]));
      bool Last = K + 1 == Operands.size();
      if (StringRef(S->Name) == "not" && Last)
        break;
      if (S->NegateLast && Last) {
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
      Text += " " + source(From, Count, S->Operands);
    }
    std::string To = Elsewhere.empty() ? destination(B, S->Result) : Elsewhere;
    Out << "    " << Guard << S->Name << (S->Saturate ? ".sat" : "") << width(Count) << To << Text << "\n";
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
    std::string L = source(I.getOperand(0), Count, S), R = source(I.getOperand(1), Count, S);
    Out << "    cmp." << conditionOf(I.getPredicate()) << width(Count) << predicateName(&I) << " " << L << " " << R
        << "\n";
  }

  void logic(BinaryOperator &I) {
    int Count = countOf(I.getType());
    Value *Inverted;
    if (match(&I, m_Not(m_Value(Inverted)))) {
      std::string P = predicate(Inverted);
      Out << "    not" << width(Count) << predicateName(&I) << " " << P << "\n";
      return;
    }
    std::string L = predicate(I.getOperand(0)), R = predicate(I.getOperand(1));
    Out << "    " << I.getOpcodeName() << width(Count) << predicateName(&I) << " " << L << " " << R << "\n";
  }

  void cast(BitCastInst &I) {
    if (isPredicate(I.getSrcTy())) {
      auto *Upper = dyn_cast<ShuffleVectorInst>(I.getOperand(0));
      std::string P = predicate(Upper ? Upper->getOperand(0) : I.getOperand(0));
      std::string To = view(&I, I.getType()->getScalarType(), Sign::Unsigned) + "(0,0)";
      Out << "    mov (M1, 1) " << To << "<1> " << P << "\n";
      if (Upper)
        Out << "    and (M1, 1) " << To << "<1> " << To << "<0;1,0> "
            << (1u << countOf(Upper->getOperand(0)->getType())) - 1 << ":uw\n";
      return;
    }
    int Count = countOf(I.getType());
    std::string From = source(I.getOperand(0), 1, Sign::Unsigned);
    Out << "    setp" << width(Count) << predicateName(&I) << " " << From << "\n";
  }

  // Blocks

  /// Whether a block does nothing but go on to another.
  bool isThrough(BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(&Block->front());
    if (!Branch || Branch->isConditional() || Block->isEntryBlock() || Branch->getSuccessor(0) == Block)
      return false;
    return none_of(Branch->getSuccessor(0)->phis(), [&](PHINode &Phi) { return needsCopy(Phi, Block); });
  }

  /// Where a jump to a block ends up.
  BasicBlock *landing(BasicBlock *Block) {
    for (int Steps = 0; Steps < 64 && isThrough(Block); ++Steps)
      Block = Block->getSingleSuccessor();
    return Block;
  }

  /// The block whose code is printed next.
  BasicBlock *printedAfter(BasicBlock *Block) {
    do
      Block = Block->getNextNode();
    while (Block && isThrough(Block));
    return Block;
  }

  bool needsCopy(PHINode &Phi, BasicBlock *From) {
    Value *V = Phi.getIncomingValueForBlock(From);
    if (isPredicate(Phi.getType()) || isa<UndefValue>(V) || !needsRegister(Phi))
      return false;
    return isa<Constant>(V) || Registers.variableOf(registerOf(V)) != Registers.variableOf(&Phi);
  }

  std::string label(const BasicBlock *Block) { return "BB_" + std::to_string(BlockNumbers.lookup(Block)); }

  /// A variable that gets a value: that of another variable, or a constant.
  struct Move {
    unsigned To, From = 0;
    Type *T;
    Constant *Number = nullptr;
    bool Saved = false; // From was put aside, in Aside, before it was overwritten
    Declared Aside{};
  };

  /// Of a value that is no region or other part of a bale.
  Move moveOf(unsigned To, Value *V) {
    if (auto *C = dyn_cast<Constant>(V))
      return {.To = To, .T = V->getType(), .Number = C};
    return {.To = To, .From = Registers.variableOf(registerOf(V)), .T = V->getType()};
  }

  /// All at once: a move goes when nobody still has to read what it overwrites; in a circle that is put aside first.
  void moveAll(SmallVector<Move, 8> Moves) {
    auto Reads = [](const Move &M, unsigned Variable) { return !M.Saved && !M.Number && M.From == Variable; };
    erase_if(Moves, [&](const Move &M) { return Reads(M, M.To) || isa_and_nonnull<UndefValue>(M.Number); });
    while (!Moves.empty()) {
      auto Next = find_if(Moves, [&](const Move &M) {
        return none_of(Moves, [&](const Move &N) { return &N != &M && Reads(N, M.To); });
      });
      if (Next == Moves.end()) {
        Next = Moves.begin();
        Declared Aside{declare(Next->T->getScalarType(), unsigned(countOf(Next->T))),
                       letterOf(Next->T->getScalarType(), Sign::Signed),
                       bytesOf(Next->T),
                       {}};
        copy(Aside, variable(Next->To, Next->T), Next->T);
        for (Move &M : Moves)
          if (Reads(M, Next->To))
            M.Saved = true, M.Aside = Aside;
      }
      Declared &To = variable(Next->To, Next->T);
      if (Next->Number)
        constantInto(To, Next->Number);
      else
        copy(To, Next->Saved ? Next->Aside : variable(Next->From, Next->T), Next->T);
      Moves.erase(Next);
    }
  }

  /// What the phis of `To` hold when control comes from `From`.
  void phiCopies(BasicBlock *From, BasicBlock *To) {
    SmallVector<Move, 8> Moves;
    for (PHINode &Phi : To->phis())
      if (needsCopy(Phi, From))
        Moves.push_back(moveOf(Registers.variableOf(&Phi), Phi.getIncomingValueForBlock(From)));
    moveAll(std::move(Moves));
  }

  /// Doubles are refused where there are none.
  void checkTypes(Instruction &I) {
    auto IsDouble = [](Value *V) { return V->getType()->getScalarType()->isDoubleTy(); };
    if (!Target.has(HasFp64) && isVectorInstruction(I) && (IsDouble(&I) || any_of(I.operands(), IsDouble)))
      fail("arithmetic on double");
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
        if (isa<UndefValue>(B.Into->value()))
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
    auto *Part = dyn_cast<ExtractValueInst>(&I);
    if (isa<InsertValueInst>(I) || (Part && isa<CallInst>(Part->getAggregateOperand())))
      return; // with the return, or with the call
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

  /// The predicate that a branch jumps on, and whether it is the opposite.
  std::pair<std::string, bool> condition(BranchInst &Branch) {
    auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
    if (!Compare || !isBaled(*Compare))
      return {predicate(Branch.getCondition()), false};
    bool All = llvm::cast<ConstantInt>(Compare->getOperand(1))->isMinusOne();
    bool Equal = Compare->getPredicate() == CmpInst::ICMP_EQ;
    return {predicate(llvm::cast<BitCastInst>(Compare->getOperand(0))->getOperand(0)) + (All ? ".all" : ".any"),
            Equal != All}; // not any: equal to zero
  }

  /// The block that a branch goes around when no channel is on, where `goto` can turn the others off in it: it comes
  /// next, what follows comes behind it, and enough in it is done under the mask.
  BasicBlock *maskable(BranchInst &Branch) {
    BasicBlock *Block = printedAfter(Branch.getParent());
    Value *Mask = Block ? maskOf(*Block) : nullptr;
    if (!Mask || Block->getSinglePredecessor() != Branch.getParent())
      return nullptr;
    BasicBlock *Around = Branch.getSuccessor(Branch.getSuccessor(0) == Block ? 1 : 0);
    BasicBlock *After = landing(Block->getSingleSuccessor());
    auto NeedsMask = [&](Instruction &I) {
      auto W = RegionWrite::matchMasked(&I);
      Instruction *Main = W && W->mask() == Mask ? Bale::of(I).Main : nullptr;
      return Main && !canBeGuarded(*Main);
    };
    bool Pays = count_if(*Block, NeedsMask) >= int(FewestForGoto);
    return Pays && landing(Around) == After && printedAfter(Block) == After ? Block : nullptr;
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

  // Calls

  std::string subroutine(const Function &G) {
    std::string Name = "SUB_" + std::to_string(find(Functions, &G) - Functions.begin()) + "_";
    for (char C : G.getName())
      Name += isAlnum(C) ? C : '_';
    return Name;
  }

  void call(CallInst &Call) {
    Function &G = *Call.getCalledFunction();
    SmallVector<Move, 8> Given, Results;
    for (auto [Parameter, Value] : zip(G.args(), Call.args()))
      if (!Parameter.use_empty())
        Given.push_back(moveOf(Registers.variableOf(&Parameter), Value));
    moveAll(std::move(Given));
    Out << "    call (M1, 16) " << subroutine(G) << "\n";
    Taken.clear();
    auto Take = [&](Value &To, unsigned Index) {
      if (!To.use_empty())
        Results.push_back({.To = Registers.variableOf(&To), .From = Registers.resultOf(G, Index), .T = To.getType()});
    };
    if (needsRegister(Call))
      Take(Call, 0);
    for (User *U : Call.users())
      if (auto *Part = dyn_cast<ExtractValueInst>(U))
        Take(*Part, Part->getIndices()[0]);
    moveAll(std::move(Results));
  }

  void giveBack(ReturnInst &Return) {
    Function &G = *Return.getFunction();
    SmallVector<Move, 8> Results;
    for (unsigned K = 0; K < resultsOf(G).size(); ++K) {
      Value *Whole = Return.getReturnValue();
      Value *Part = G.getReturnType()->isStructTy() ? FindInsertedValue(Whole, K) : Whole;
      if (!Part)
        bug("a result that is put together elsewhere");
      Results.push_back(moveOf(Registers.resultOf(G, K), Part));
    }
    moveAll(std::move(Results));
    Out << "    ret (M1, 16)\n";
  }

  void terminator(Instruction &I) {
    BasicBlock *Block = I.getParent();
    for (BasicBlock *Next : successors(Block))
      phiCopies(Block, Next);
    if (auto *Return = dyn_cast<ReturnInst>(&I)) {
      if (I.getFunction() != &F)
        return giveBack(*Return);
      Out << "    ret (M1, 1)\n";
      return;
    }
    if (isa<UnreachableInst>(I)) {
      Out << "    ret (M1, 1)\n";
      return;
    }
    auto *Branch = dyn_cast<BranchInst>(&I);
    if (!Branch)
      fail(nameOf(I));
    BasicBlock *Next = printedAfter(Block), *Yes = landing(Branch->getSuccessor(0));
    if (Branch->isUnconditional()) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    BasicBlock *No = landing(Branch->getSuccessor(1));
    if (Yes == No) {
      if (Yes != Next)
        Out << "    jmp (M1, 1) " << label(Yes) << "\n";
      return;
    }
    if (BasicBlock *Block = maskable(*Branch)) {
      Value *Mask = Masked[Block] = maskOf(*Block);
      Out << "    (!" << predicate(Mask) << ") goto (M1, " << countOf(Mask->getType()) << ") "
          << label(Yes == Block ? No : Yes) << "\n";
      return;
    }
    auto [P, Inverted] = condition(*Branch);
    auto Jump = [&, P = P, Inverted = Inverted](bool Otherwise, BasicBlock *To) {
      Out << "    (" << (Inverted != Otherwise ? "!" : "") << P << ") jmp (M1, 1) " << label(To) << "\n";
    };
    if (Yes == Next)
      return Jump(true, No);
    Jump(false, Yes);
    if (No != Next)
      Out << "    jmp (M1, 1) " << label(No) << "\n";
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

  DenseMap<const BasicBlock *, Value *> Masked; // blocks that `goto` masks
  bool Direct = false;                          // the mask stands for this instruction's predicate
  DominatorTree Dominators;                     // of the function being printed
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
      if (isThrough(&Block))
        continue;
      if (!Block.isEntryBlock())
        Out << label(&Block) << ":\n";
      Taken.clear();
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
  Emitter(const KernelInfo &Kernel, const GenTarget &Target, Runtime For) : EmitMessages(Kernel, Target, For) {}

  VisaKernel run() {
    try {
      unsigned Number = 0;
      for (Function *G : Functions)
        for (BasicBlock &Block : *G)
          BlockNumbers[&Block] = Number++;
      inputs();
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

VisaKernel emitVisa(const KernelInfo &Kernel, const GenTarget &Target, Runtime For) {
  return Emitter(Kernel, Target, For).run();
}

} // namespace pocm::gen
