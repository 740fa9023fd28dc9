//===- KeepVariables.cpp - Variables of the source where debuggers find them --------===//
//
//     #dbg_value(<16 x i32> %add, !"v")   ->   memory.write(%v.kept, %add); asm "" (%v.kept), !pocm.variable !"v"
//
// A program of -O0 -g has a copy in memory of each variable whose value is known as a whole,
// written again where the value changes, and the position of the CM thread as cm_thread_x
// and cm_thread_y. The empty assembly keeps the passes behind this from dropping it; at the
// end giveVariables() describes the memory, with vectors and matrices as arrays that have
// the names of their CM types.
//
// The middle end sees to it that values are computed (passes/VariableValues.h).
// Not done: where a variable has no known value, debuggers say so.
//
//===----------------------------------------------------------------------===//
#include "codegen/cpu/Lowering.h"
#include "codegen/cpu/Scopes.h"
#include "ir/Lines.h"
#include "ir/Region.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace pocm::cpu {
namespace {

/// Marks of the memory of a variable: it has a new value, or one that is not known.
constexpr const char *Written = "pocm.variable", *Forgotten = "pocm.variable.forgotten";

/// The array that a vector's or matrix's class holds; null for other types.
DIType *elementsOf(DIType *T) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(T))
    T = Derived->getBaseType();
  auto *Class = dyn_cast_or_null<DICompositeType>(T);
  if (!Class || !(Class->getName().starts_with("vector_of<") || Class->getName().starts_with("matrix_of<")))
    return nullptr;
  DITemplateParameterArray Parameters = Class->getTemplateParams();
  return Parameters.size() ? Parameters[0]->getType() : nullptr;
}

/// Without what fills a class up to a power of two, as of a matrix with 12 rows.
std::uint64_t bitsOf(const DILocalVariable &Variable) {
  const DIType *Elements = elementsOf(Variable.getType());
  return Elements && Elements->getSizeInBits() ? Elements->getSizeInBits() : Variable.getSizeInBits().value_or(0);
}

class Keeper {
public:
  explicit Keeper(Function &F) : F(F), B(F.getContext()) {}

  void run() {
    SmallVector<std::pair<Instruction *, DbgVariableRecord *>, 32> All;
    for (Instruction &I : instructions(F))
      for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
        All.push_back({&I, &R});
    for (auto [Before, R] : All)
      if (R->isDbgValue())
        keep(*Before, *R);
    arguments(*F.getSubprogram());
    position(*F.getSubprogram());
    behindWaits();
  }

private:
  void keep(Instruction &Before, DbgVariableRecord &R) {
    Value *V = R.hasArgList() ? nullptr : R.getValue();
    DILocalVariable *Variable = R.getVariable();
    if (Variable->isArtificial() || Variable->getFilename().starts_with(headerFolder()))
      return;
    const DIExpression *Steps = R.getExpression();
    if (auto Part = Steps->getFragmentInfo()) { // LLVM has cut the class into its elements and what fills it up
      if (Part->OffsetInBits >= bitsOf(*Variable))
        return;
      if (Steps->getNumElements() == 3 && Part->OffsetInBits == 0 && Part->SizeInBits >= bitsOf(*Variable))
        Steps = DIExpression::get(F.getContext(), {});
    }
    Instruction *At = isa<PHINode>(Before) ? &*Before.getParent()->getFirstInsertionPt() : &Before;
    B.SetInsertPoint(At);
    B.SetCurrentDebugLocation({});
    if (V && Steps->getNumElements() && !isa<UndefValue>(V))
      V = computed(V, *Steps);
    if (!V || V->getType()->isPointerTy() || isPartly(*V, *Variable))
      return forget(R);
    std::uint64_t Bits = bitsOf(*Variable);
    auto Bytes = std::uint64_t(countOf(V->getType())) * std::uint64_t(std::max(1, elementBytes(V->getType())));
    bool Whole = Bits == Bytes * 8 && V->getType()->getScalarSizeInBits() % 8 == 0;
    if (!Whole || (!elementsOf(Variable->getType()) && V->getType()->isVectorTy()))
      return forget(R);
    DILocation *InlinedAt = R.getDebugLoc()->getInlinedAt();
    AllocaInst *&Memory = Slots[{Variable, InlinedAt}].Memory;
    if (!Memory)
      Memory = memory(Bytes, Variable->getName());
    B.SetInsertPoint(At);
    B.SetCurrentDebugLocation({});
    if (isa<UndefValue>(V)) // it has a value that is not known
      forget(R);
    else
      write(Memory, V, Variable, InlinedAt);
  }
  /// LLVM says of a value that only a part of it is written by another value of the part's type.
  static bool isPartly(const Value &V, const DILocalVariable &Variable) {
    return isa<UndefValue>(V) && V.getType()->getPrimitiveSizeInBits() != bitsOf(Variable);
  }
  /// From here on the variable has a value that is not known.
  void forget(const DbgVariableRecord &R) {
    DILocation *InlinedAt = R.getDebugLoc()->getInlinedAt();
    Slot &Here = Slots[{R.getVariable(), InlinedAt}];
    Here.Forgets = true;
    if (Here.Memory)
      mark(Here.Memory, Forgotten, R.getVariable(), InlinedAt);
  }
  /// What LLVM no longer computes, and debuggers are to compute: n * 5. Null for more than arithmetic of integers.
  Value *computed(Value *V, const DIExpression &Steps) {
    if (!V->getType()->isIntegerTy())
      return nullptr;
    Type *T = V->getType();
    SmallVector<Value *, 4> Stack{V};
    auto Two = [&](Instruction::BinaryOps Operation) {
      if (Stack.size() < 2)
        return false;
      Value *Second = Stack.pop_back_val();
      Stack.back() = B.CreateBinOp(Operation, Stack.back(), Second);
      return true;
    };
    auto Step = [&](const DIExpression::ExprOperand &S) {
      switch (S.getOp()) {
      case dwarf::DW_OP_stack_value:
        return true;
      case dwarf::DW_OP_constu:
      case dwarf::DW_OP_consts:
        Stack.push_back(ConstantInt::get(T, S.getArg(0), /*IsSigned=*/false, /*ImplicitTrunc=*/true));
        return true;
      case dwarf::DW_OP_plus_uconst:
        Stack.push_back(ConstantInt::get(T, S.getArg(0), /*IsSigned=*/false, /*ImplicitTrunc=*/true));
        return Two(Instruction::Add);
      case dwarf::DW_OP_plus:
        return Two(Instruction::Add);
      case dwarf::DW_OP_minus:
        return Two(Instruction::Sub);
      case dwarf::DW_OP_mul:
        return Two(Instruction::Mul);
      case dwarf::DW_OP_and:
        return Two(Instruction::And);
      case dwarf::DW_OP_or:
        return Two(Instruction::Or);
      case dwarf::DW_OP_xor:
        return Two(Instruction::Xor);
      case dwarf::DW_OP_shl:
        return Two(Instruction::Shl);
      default:
        return false;
      }
    };
    for (const DIExpression::ExprOperand &S : Steps.expr_ops())
      if (!Step(S))
        return nullptr;
    return Stack.size() == 1 ? Stack[0] : nullptr;
  }
  AllocaInst *memory(std::uint64_t Bytes, StringRef Name) {
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
    auto *Memory = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes), nullptr, Name + ".kept");
    Memory->setAlignment(Align(64));
    return Memory;
  }
  void write(AllocaInst *Memory, Value *V, DILocalVariable *Variable, DILocation *InlinedAt = nullptr) {
    auto N = unsigned(countOf(V->getType()));
    if (V->getType()->isVectorTy())
      createOperation(B, Op::MemoryWrite, B.getVoidTy(), {Memory, V, B.getInt64(0), B.getInt32(N), B.getInt32(1)});
    else
      B.CreateStore(V, Memory);
    mark(Memory, Written, Variable, InlinedAt);
  }
  void mark(AllocaInst *Memory, const char *Kind, DILocalVariable *Variable, DILocation *InlinedAt) {
    auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
    auto *Uses = B.CreateCall(InlineAsm::get(Type, "", "r,~{memory}", /*hasSideEffects=*/true), {Memory});
    if (Kind == Written)
      Slots[{Variable, InlinedAt}].Writes.push_back(Uses);
    Uses->setMetadata(Kind, MDNode::get(F.getContext(), {Variable}));
    if (InlinedAt)
      Uses->setDebugLoc(DILocation::get(F.getContext(), 0, 0, Variable->getScope(), InlinedAt));
  }
  /// Those that are numbers and vectors; the source's parameters are the function's.
  void arguments(DISubprogram &Kernel) {
    for (DINode *Node : Kernel.getRetainedNodes()) {
      auto *Variable = dyn_cast<DILocalVariable>(Node);
      if (!Variable || !Variable->getArg() || Variable->getArg() > F.arg_size())
        continue;
      Argument *A = F.getArg(Variable->getArg() - 1);
      AllocaInst *&Memory = Slots[{Variable, nullptr}].Memory;
      std::uint64_t Bytes = std::uint64_t(countOf(A->getType())) * std::uint64_t(elementBytes(A->getType()));
      bool Whole = bitsOf(*Variable) == Bytes * 8;
      bool Vector = A->getType()->isVectorTy();
      if (Memory || !Whole || A->getType()->isPointerTy() || Vector != (elementsOf(Variable->getType()) != nullptr))
        continue;
      Memory = memory(Bytes, Variable->getName());
      B.SetInsertPoint(Memory->getNextNode());
      write(Memory, A, Variable);
    }
  }
  void position(DISubprogram &Kernel) {
    DIBuilder Builder(*F.getParent());
    DIType *Int = Builder.createBasicType("int", 32, dwarf::DW_ATE_signed);
    for (auto [Name, Operation] : {std::pair{"cm_thread_x", Op::ThreadX}, {"cm_thread_y", Op::ThreadY}}) {
      auto *Variable = Builder.createAutoVariable(&Kernel, Name, Kernel.getFile(), Kernel.getLine(), Int, true);
      AllocaInst *Memory = memory(4, Name);
      Slots[{Variable, nullptr}].Memory = Memory;
      B.SetInsertPoint(Memory->getNextNode());
      Value *Where = createOperation(B, Operation, B.getInt16Ty(), {});
      write(Memory, B.CreateZExt(Where, B.getInt32Ty()), Variable);
    }
  }
  /// What comes behind a barrier is another function of native code, which knows a variable by what is said there.
  /// Those that have had a value on every way to it, and are known wherever they have one, still have what memory
  /// holds.
  void behindWaits() {
    SmallVector<Instruction *, 8> Waits;
    for (Instruction &I : instructions(F))
      if (is_contained({Op::Barrier, Op::SplitBarrier, Op::NamedWait, Op::PairExchange, Op::DpasPair}, operationOf(&I)))
        Waits.push_back(&I);
    if (Waits.empty())
      return;
    DominatorTree Before(F);
    for (Instruction *Wait : Waits)
      for (auto &[Key, Here] : Slots) {
        if (Here.Forgets || none_of(Here.Writes, [&](Instruction *W) { return Before.dominates(W, Wait); }))
          continue;
        B.SetInsertPoint(Wait->getNextNode());
        B.SetCurrentDebugLocation({});
        mark(Here.Memory, Written, Key.first, Key.second);
      }
  }

  struct Slot {
    AllocaInst *Memory = nullptr;         ///< Null as long as no value is known.
    SmallVector<Instruction *, 4> Writes; ///< Marks.
    bool Forgets = false;                 ///< Somewhere its value is not known.
  };
  Function &F;
  IRBuilder<> B;
  /// By variable, and where its function was called.
  MapVector<std::pair<DILocalVariable *, DILocation *>, Slot> Slots;
};

} // namespace

void keepVariables(Module &M) {
  if (!M.getModuleFlag(KeepVariablesFlag))
    return;
  for (Function &F : M)
    if (!F.isDeclaration() && F.getSubprogram())
      Keeper(F).run();
}

bool marksVariable(const Instruction &I) { return I.getMetadata(Written) || I.getMetadata(Forgotten); }

void giveVariables(Function &F, DIBuilder &Builder, Scopes &Blocks) {
  DenseMap<std::pair<DILocalVariable *, DILocation *>, DILocalVariable *> Described;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    const char *Kind = I.getMetadata(Written) ? Written : Forgotten;
    MDNode *Given = I.getMetadata(Kind);
    if (!Given)
      continue;
    auto *Variable = cast<DILocalVariable>(Given->getOperand(0));
    DILocation *InlinedAt = I.getDebugLoc() ? I.getDebugLoc()->getInlinedAt() : nullptr;
    I.setDebugLoc(DebugLoc());
    DILocalScope *Scope = Blocks.of(Variable->getScope(), InlinedAt);
    I.setMetadata(Kind, nullptr);
    Value *Memory = cast<CallInst>(I).args().begin()->get()->stripPointerCasts();
    DILocalVariable *&Here = Described[{Variable, InlinedAt}];
    if (!Here) {
      DIType *Type = Variable->getType();
      if (DIType *Elements = elementsOf(Type))
        Type = Builder.createTypedef(Elements, Type->getName(), Scope->getFile(), 0, Scope->getFile());
      Here = Builder.createAutoVariable(Scope, Variable->getName(), Scope->getFile(), Variable->getLine(), Type,
                                        /*AlwaysPreserve=*/true);
    }
    SmallVector<std::uint64_t, 2> Steps{dwarf::DW_OP_deref};
    if (Kind == Forgotten) {
      Memory = PoisonValue::get(Memory->getType());
    } else if (!isa<AllocaInst>(Memory)) { // a part of a coroutine's frame, whose address no register keeps
      IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
      AllocaInst *Address = Entry.CreateAlloca(Memory->getType());
      new StoreInst(Memory, Address, I.getIterator());
      Memory = Address;
      Steps.push_back(dwarf::DW_OP_deref);
    }
    Builder.insertDbgValueIntrinsic(Memory, Here, Builder.createExpression(Steps),
                                    DILocation::get(F.getContext(), Variable->getLine(), 0, Scope),
                                    std::next(I.getIterator()));
  }
}

} // namespace pocm::cpu
