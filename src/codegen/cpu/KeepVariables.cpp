//===- KeepVariables.cpp - Variables of the source where debuggers find them --------===//
//
//     cm.kept.write(<16 x i32> %add, i32 3, i32 0)   ->   memory.write(%v.kept, %add); asm "" (%v.kept)
//
// A program of -O0 -g has a copy in memory of each variable, written where the source writes
// the variable (passes/MirrorVariables.cpp), and the position of the CM thread as cm_thread_x
// and cm_thread_y. The empty assembly keeps the passes behind this from dropping it; at the
// end giveVariables() describes the memory, with vectors and matrices as arrays that have
// the names of their CM types.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/Scopes.h"
#include "codegen/cpu/ShownTypes.h"
#include "codegen/llvm/Waits.h"
#include "ir/KeptVariables.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "ir/Region.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Marks the memory of a variable: which, and from which byte of it on.
constexpr const char *Mark = "pocm.variable";

/// Without what fills a class up to a power of two, as of a matrix with 12 rows.
std::uint64_t bytesOf(const DILocalVariable &Variable) {
  const DIType *Elements = elementsOf(Variable.getType());
  const std::uint64_t Bits = Elements ? Elements->getSizeInBits() : 0;
  return (Bits ? Bits : Variable.getSizeInBits().value_or(0)) / 8;
}

class Keeper {
public:
  Keeper(Function &F, ArrayRef<std::optional<KeptVariable>> Variables, ArrayRef<KeptName> Names)
      : F(F), B(F.getContext()), Variables(Variables), Names(Names) {}

  void run() {
    position(*F.getSubprogram());
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (operationOf(&I) == Op::KeptWrite)
        write(cast<CallInst>(I));
      else if (operationOf(&I) == Op::SourceLine)
        stop(cast<CallInst>(I));
    for (const KeptName &N : Names)
      if (auto Known = Memories.find(N.Number); Known != Memories.end() && N.Offset < bytesIn(*Known->second))
        Marks.push_back({Known->second, N.Variable, N.InlinedAt, N.Offset});
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    markAll();
    // what comes behind a barrier is another function of native code, which knows a variable by what is said there
    SmallVector<Instruction *, 8> Waits;
    for (Instruction &I : instructions(F))
      if (isWait(I))
        Waits.push_back(&I);
    for (Instruction *Wait : Waits) {
      B.SetInsertPoint(Wait->getNextNode());
      markAll();
    }
  }

private:
  struct Marked {
    AllocaInst *Memory;
    DILocalVariable *Variable;
    DILocation *InlinedAt;
    std::uint64_t Offset;
  };
  Function &F;
  IRBuilder<> B;
  ArrayRef<std::optional<KeptVariable>> Variables;
  ArrayRef<KeptName> Names;
  DenseMap<unsigned, AllocaInst *> Memories; ///< By number.
  SmallVector<Marked, 16> Marks;
  AllocaInst *Lines = nullptr; ///< Written where lines begin.

  static std::uint64_t bytesIn(const AllocaInst &Memory) {
    return cast<ArrayType>(Memory.getAllocatedType())->getNumElements();
  }

  /// An instruction where a line of the source begins.
  void stop(CallInst &Line) {
    if (!Lines)
      Lines = memory(4, "lines");
    B.SetInsertPoint(&Line);
    B.SetCurrentDebugLocation(Line.getDebugLoc());
    B.CreateStore(B.getInt32(0), Lines, /*isVolatile=*/true);
  }

  /// What is noted becomes what memory holds.
  void write(CallInst &Note) {
    auto *Number = dyn_cast<ConstantInt>(operandOf(Note, Role::Id));
    if (!Number || Number->getValue().uge(Variables.size()) || !Variables[Number->getZExtValue()])
      return;
    AllocaInst *Memory = memoryOf(unsigned(Number->getZExtValue()));
    Value *V = operandOf(Note, Role::Source), *Offset = operandOf(Note, Role::Offset);
    const std::uint64_t Bytes =
        std::uint64_t(countOf(V->getType())) * std::uint64_t(std::max(1, elementBytes(V->getType())));
    if (isa<UndefValue>(V) || Bytes > bytesIn(*Memory))
      return;
    B.SetInsertPoint(&Note);
    B.SetCurrentDebugLocation(Note.getDebugLoc());
    Value *Most = B.getInt32(unsigned(bytesIn(*Memory) - Bytes)); // an element that there is not
    Offset = B.CreateBinaryIntrinsic(Intrinsic::umin, Offset, Most);
    if (V->getType()->isVectorTy())
      createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                      {B.CreatePtrAdd(Memory, B.CreateZExt(Offset, B.getInt64Ty())), V, B.getInt64(0),
                       B.getInt32(unsigned(countOf(V->getType()))), B.getInt32(1)});
    else
      B.CreateAlignedStore(V, B.CreatePtrAdd(Memory, B.CreateZExt(Offset, B.getInt64Ty())), Align(1));
    see(*Memory);
  }

  AllocaInst *memoryOf(unsigned Number) {
    AllocaInst *&Memory = Memories[Number];
    if (!Memory) {
      const KeptVariable &Known = *Variables[Number];
      Memory = memory(std::max<std::uint64_t>(1, bytesOf(*Known.Variable)), Known.Variable->getName());
      Marks.push_back({Memory, Known.Variable, Known.InlinedAt, 0});
    }
    return Memory;
  }

  AllocaInst *memory(std::uint64_t Bytes, StringRef Name) {
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    auto *Memory = Entry.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, Name + ".kept");
    Memory->setAlignment(Align(64));
    return Memory;
  }

  /// Passes do not know that nobody reads it.
  CallInst *see(AllocaInst &Memory) {
    auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
    return B.CreateCall(InlineAsm::get(Type, "", "r,~{memory}", /*hasSideEffects=*/true), {&Memory});
  }

  void markAll() {
    B.SetCurrentDebugLocation({});
    LLVMContext &C = F.getContext();
    for (const Marked &M : Marks) {
      CallInst *Seen = see(*M.Memory);
      Seen->setMetadata(Mark, MDNode::get(C, {M.Variable, ConstantAsMetadata::get(B.getInt64(M.Offset))}));
      if (M.InlinedAt)
        Seen->setDebugLoc(DILocation::get(C, 0, 0, M.Variable->getScope(), M.InlinedAt));
    }
  }

  void position(DISubprogram &Kernel) {
    DIBuilder Builder(*F.getParent());
    DIType *Int = Builder.createBasicType("int", 32, dwarf::DW_ATE_signed);
    for (auto [Name, Operation] : {std::pair{"cm_thread_x", Op::ThreadX}, {"cm_thread_y", Op::ThreadY}}) {
      auto *Variable = Builder.createAutoVariable(&Kernel, Name, Kernel.getFile(), Kernel.getLine(), Int, true);
      AllocaInst *Memory = memory(4, Name);
      Marks.push_back({Memory, Variable, nullptr, 0});
      B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      B.SetCurrentDebugLocation({});
      Value *Where = createOperation(B, Operation, B.getInt16Ty(), {});
      B.CreateStore(B.CreateZExt(Where, B.getInt32Ty()), Memory);
      see(*Memory);
    }
  }
};

} // namespace

void keepVariables(Module &M) {
  if (!M.getModuleFlag(KeepVariablesFlag))
    return;
  const std::vector<std::optional<KeptVariable>> Variables = keptVariables(M);
  const std::vector<KeptName> Names = keptNames(M);
  for (Function &F : M)
    if (!F.isDeclaration() && F.getSubprogram())
      Keeper(F, Variables, Names).run();
}

bool marksVariable(const Instruction &I) { return I.getMetadata(Mark); }

void giveVariables(Function &F, DIBuilder &Builder, Scopes &Blocks) {
  ShownTypes Types(Builder, F.getSubprogram()->getFile());
  DenseMap<std::pair<DILocalVariable *, DILocation *>, DILocalVariable *> Described;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    MDNode *Given = I.getMetadata(Mark);
    if (!Given)
      continue;
    auto *Variable = cast<DILocalVariable>(Given->getOperand(0));
    const std::uint64_t Offset = mdconst::extract<ConstantInt>(Given->getOperand(1))->getZExtValue();
    DILocation *InlinedAt = I.getDebugLoc() ? I.getDebugLoc()->getInlinedAt() : nullptr;
    I.setDebugLoc(DebugLoc());
    DILocalScope *Scope = Blocks.of(Variable->getScope(), InlinedAt);
    I.setMetadata(Mark, nullptr);
    Value *Memory = cast<CallInst>(I).args().begin()->get()->stripPointerCasts();
    DILocalVariable *&Here = Described[{Variable, InlinedAt}];
    const bool Frame = !isa<AllocaInst>(Memory); // a part of a coroutine's, whose address no register keeps
    if (Here && !Frame)
      continue;
    if (!Here)
      Here = Builder.createAutoVariable(Scope, Variable->getName(), Scope->getFile(), Variable->getLine(),
                                        Types.of(Variable->getType()), /*AlwaysPreserve=*/true);
    DILocation *Line = DILocation::get(F.getContext(), Variable->getLine(), 0, Scope);
    SmallVector<std::uint64_t, 4> Steps;
    if (Frame)
      Steps.push_back(dwarf::DW_OP_deref);
    if (Offset)
      Steps.append({dwarf::DW_OP_plus_uconst, Offset});
    if (!Frame) {
      Builder.insertDeclare(Memory, Here, Builder.createExpression(Steps), Line, std::next(I.getIterator()));
      continue;
    }
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Address = Entry.CreateAlloca(Memory->getType());
    new StoreInst(Memory, Address, I.getIterator());
    Steps.push_back(dwarf::DW_OP_deref);
    Builder.insertDbgValueIntrinsic(Address, Here, Builder.createExpression(Steps), Line, std::next(I.getIterator()));
  }
}

} // namespace pocm::cpu
