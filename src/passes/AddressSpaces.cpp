//===- AddressSpaces.cpp - Named address spaces become one ---------------------------===//
//
// The language tells private, global, constant, local and generic pointers apart; memory
// does not. Variables of the named spaces get their places, questions after a pointer's
// space their answers, and all pointers become plain:
//
//     @tile  = internal addrspace(3) global [64 x float]     function's __local variable
//     @total = internal addrspace(1) global i32 7            __global variable
//     %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
//  -> cm.slm.init(old size + 256)
//     %tile = cm.local.base(old size, 256)
//     %p = getelementptr float, ptr %tile, i32 %i            and ptr @total: cm.program.base(0, 4)
//
// The initial values of __global variables lie in the constant cm.program.data: one block
// for all kernels of a program, which keeps its values between launches. __local variables
// follow what cm_slm_init asks for. What a kernel's __local parameters begin with gets its size.
//
// Needs:    device functions inlined. While there are others (recursion, refused later)
//           nothing is done.
// Leaves:   file-scope variables without a space (localize-globals).
//
//===----------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace pocm {
namespace {

/// Clang's numbers for spir64; the answers of cm.space.of are the same.
enum Space : unsigned { Private = 0, Global = 1, Fixed = 2, Local = 3, Generic = 4 };

/// The type with plain pointers.
Type *plain(Type *T) {
  if (T->isPointerTy())
    return PointerType::get(T->getContext(), 0);
  if (auto *V = dyn_cast<VectorType>(T); V && V->getElementType()->isPointerTy())
    return VectorType::get(plain(V->getElementType()), V->getElementCount());
  if (auto *A = dyn_cast<ArrayType>(T))
    return ArrayType::get(plain(A->getElementType()), A->getNumElements());
  auto *S = dyn_cast<StructType>(T);
  if (!S || none_of(S->elements(), [](Type *E) { return plain(E) != E; }))
    return T;
  SmallVector<Type *, 8> Elements;
  for (Type *E : S->elements())
    Elements.push_back(plain(E));
  return StructType::get(T->getContext(), Elements, S->isPacked());
}

Constant *plainConstant(Constant *C) {
  Type *T = plain(C->getType());
  if (T == C->getType())
    return C;
  if (C->isNullValue())
    return Constant::getNullValue(T);
  if (isa<PoisonValue>(C))
    return PoisonValue::get(T);
  if (isa<UndefValue>(C))
    return UndefValue::get(T);
  if (isa<ConstantAggregate>(C)) {
    SmallVector<Constant *, 8> Elements;
    for (Value *E : C->operands())
      Elements.push_back(plainConstant(cast<Constant>(E)));
    if (auto *A = dyn_cast<ArrayType>(T))
      return ConstantArray::get(A, Elements);
    if (auto *S = dyn_cast<StructType>(T))
      return ConstantStruct::get(S, Elements);
    return ConstantVector::get(Elements);
  }
  auto *Expression = dyn_cast<ConstantExpr>(C);
  if (Expression && Expression->getOpcode() == Instruction::IntToPtr)
    return ConstantExpr::getIntToPtr(Expression->getOperand(0), T);
  if (Expression && Expression->getOpcode() == Instruction::AddrSpaceCast)
    return plainConstant(Expression->getOperand(0));
  return C;
}

/// The space that a variable was declared in.
Space spaceOf(const GlobalVariable &G) {
  // Objects of classes have no space in their type; their section says it (frontend/Spaces.cpp).
  if (G.getSection() == "cm.local")
    return Local;
  if (G.isConstant() && G.getAddressSpace())
    return Fixed; // tables of virtual functions among them
  if (G.getSection() == "cm.global")
    return Global;
  return Space(G.getAddressSpace());
}

/// Uses of a variable in one function, as instructions' operands.
SmallVector<Use *, 16> usesIn(GlobalVariable &G, const Function &F) {
  SmallVector<Use *, 16> Uses;
  for (Use &U : G.uses())
    if (auto *I = dyn_cast<Instruction>(U.getUser()); I && I->getFunction() == &F)
      Uses.push_back(&U);
  return Uses;
}

/// Sends the uses in `Entry` to `Address`, whatever the spaces of their types.
void redirect(ArrayRef<Use *> Uses, Value *Address, IRBuilder<> &B) {
  for (Use *U : Uses) {
    Type *T = U->get()->getType();
    U->set(T == Address->getType() ? Address : B.CreateAddrSpaceCast(Address, T));
  }
}

// The answers.

/// Which space a pointer points to, as an i32. Pointers made of numbers are the host's: global.
class SpaceFinder {
public:
  Value *of(Value *Pointer) {
    auto [Known, New] = Seen.try_emplace(Pointer);
    if (!New)
      return Known->second;
    Value *Answer = compute(Pointer);
    return Seen[Pointer] = Answer;
  }

private:
  Value *compute(Value *P) {
    LLVMContext &C = P->getContext();
    auto Number = [&](unsigned N) { return ConstantInt::get(Type::getInt32Ty(C), N); };
    if (unsigned Named = P->getType()->getPointerAddressSpace(); Named != Generic && Named != Private)
      return Number(Named);
    if (auto *G = dyn_cast<GlobalVariable>(P))
      return Number(spaceOf(*G));
    if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(P))
      return of(Cast->getPointerOperand());
    if (auto *Gep = dyn_cast<GEPOperator>(P))
      return of(Gep->getPointerOperand());
    if (isa<AllocaInst>(P))
      return Number(Private);
    if (auto *Choice = dyn_cast<SelectInst>(P))
      return IRBuilder<>(Choice).CreateSelect(Choice->getCondition(), of(Choice->getTrueValue()),
                                              of(Choice->getFalseValue()));
    if (auto *Phi = dyn_cast<PHINode>(P)) {
      PHINode *Answer = PHINode::Create(Type::getInt32Ty(C), Phi->getNumIncomingValues(), "space", Phi->getIterator());
      Seen[P] = Answer; // a loop asks for itself
      for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
        Answer->addIncoming(of(Phi->getIncomingValue(I)), Phi->getIncomingBlock(I));
      return Answer;
    }
    return Number(Global);
  }

  DenseMap<Value *, Value *> Seen;
};

bool answerQuestions(Module &M) {
  SmallVector<CallInst *, 8> Questions;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = asOperation(&I, Op::SpaceOf))
        Questions.push_back(Call);
  SpaceFinder Finder;
  for (CallInst *Call : Questions)
    Call->replaceAllUsesWith(Finder.of(operandOf(*Call, Role::Address)));
  for (CallInst *Call : Questions)
    Call->eraseFromParent();
  return !Questions.empty();
}

// The places.

uint64_t place(GlobalVariable &G, uint64_t &End, const DataLayout &DL) {
  constexpr uint64_t Block = 16; // what block reads and writes ask for
  uint64_t At = alignTo(End, std::max(Block, DL.getValueOrABITypeAlignment(G.getAlign(), G.getValueType()).value()));
  End = At + DL.getTypeAllocSize(G.getValueType());
  return At;
}

Value *bytesOf(GlobalVariable &G, IRBuilder<> &B) {
  return B.getInt32(G.getParent()->getDataLayout().getTypeAllocSize(G.getValueType()));
}

/// Bytes that cm_slm_init asks for in the kernel; all there are when the number is known only at run time.
uint64_t slmOf(const Function &Entry) {
  uint64_t Most = 0;
  for (const Instruction &I : instructions(Entry))
    if (operationOf(&I) == Op::SlmInit) {
      auto *Bytes = dyn_cast<ConstantInt>(I.getOperand(0));
      Most = std::max(Most, Bytes ? Bytes->getZExtValue() : MostSlm);
    }
  return Most;
}

/// All of a group's memory, as parameters that point there begin with it.
SmallVector<CallInst *, 2> wholesIn(Function &Entry) {
  SmallVector<CallInst *, 2> Wholes;
  for (Instruction &I : instructions(Entry))
    if (auto *Slm = asOperation(&I, Op::LocalBase))
      Wholes.push_back(Slm);
  return Wholes;
}

bool placeLocals(Module &M, ArrayRef<GlobalVariable *> Variables) {
  bool Changed = !Variables.empty();
  for (const KernelInfo &Kernel : kernelsOf(M)) {
    uint64_t End = slmOf(*Kernel.Entry);
    SmallVector<CallInst *, 2> Wholes = wholesIn(*Kernel.Entry);
    IRBuilder<> B(&Kernel.Entry->getEntryBlock(), Kernel.Entry->getEntryBlock().getFirstInsertionPt());
    bool Any = false;
    for (GlobalVariable *G : Variables) {
      auto Uses = usesIn(*G, *Kernel.Entry);
      if (Uses.empty())
        continue;
      Any = true;
      Value *At = B.getInt32(place(*G, End, M.getDataLayout()));
      redirect(Uses, createOperation(B, Op::LocalBase, B.getPtrTy(), {At, bytesOf(*G, B)}, G->getName()), B);
    }
    for (CallInst *Slm : Wholes) {
      Any = true;
      End = End ? End : LeastSlm; // nothing says how much
      Slm->setArgOperand(indexOf(Op::LocalBase, Role::Bytes), B.getInt32(End));
    }
    Changed |= Any;
    if (Any)
      createOperation(B, Op::SlmInit, B.getVoidTy(), {B.getInt32(End)});
  }
  return Changed;
}

/// The bytes of an initial value; false when it holds an address.
bool bytesOf(Constant *Value, MutableArrayRef<uint8_t> Bytes, const DataLayout &DL) {
  Type *Byte = Type::getInt8Ty(Value->getContext());
  for (size_t I = 0; I < Bytes.size(); ++I) {
    auto *Folded = dyn_cast_or_null<ConstantInt>(ConstantFoldLoadFromConst(Value, Byte, APInt(64, I), DL));
    if (!Folded && !isa<UndefValue>(Value))
      return false;
    Bytes[I] = Folded ? uint8_t(Folded->getZExtValue()) : 0;
  }
  return true;
}

bool placeGlobals(Module &M, ArrayRef<GlobalVariable *> Variables) {
  const DataLayout &DL = M.getDataLayout();
  std::vector<uint8_t> Data;
  for (GlobalVariable *G : Variables) {
    uint64_t End = Data.size(), At = place(*G, End, DL);
    Data.resize(End);
    if (!bytesOf(G->getInitializer(), MutableArrayRef(Data).drop_front(At), DL))
      continue; // stays a variable that no kernel can reach: checkSimplified names it
    for (const KernelInfo &Kernel : kernelsOf(M)) {
      auto Uses = usesIn(*G, *Kernel.Entry);
      if (Uses.empty())
        continue;
      IRBuilder<> B(&Kernel.Entry->getEntryBlock(), Kernel.Entry->getEntryBlock().getFirstInsertionPt());
      redirect(Uses, createOperation(B, Op::ProgramBase, B.getPtrTy(), {B.getInt32(At), bytesOf(*G, B)}, G->getName()),
               B);
    }
  }
  if (!Data.empty()) {
    auto *Initial = ConstantDataArray::get(M.getContext(), Data);
    new GlobalVariable(M, Initial->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, Initial,
                       ProgramDataName, nullptr, GlobalValue::NotThreadLocal, Private);
  }
  return !Data.empty();
}

/// Constants lie in the program's code, as those of C++ do.
void placeConstants(Module &M, ArrayRef<GlobalVariable *> Variables) {
  for (GlobalVariable *G : Variables) {
    Constant *Initial = plainConstant(G->getInitializer());
    auto *Plain = new GlobalVariable(M, Initial->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, Initial,
                                     "", nullptr, GlobalValue::NotThreadLocal, Private);
    Plain->takeName(G);
    Plain->setAlignment(G->getAlign());
    for (Use &U : make_early_inc_range(G->uses()))
      U.set(Plain); // the types follow below
  }
}

bool placeVariables(Module &M) {
  SmallVector<GlobalVariable *, 8> Locals, Globals, Constants;
  for (GlobalVariable &G : M.globals()) {
    if (!G.hasInitializer())
      continue;
    Space S = spaceOf(G);
    if (S == Local || S == Global || S == Fixed)
      (S == Local ? Locals : S == Global ? Globals : Constants).push_back(&G);
  }
  for (auto *List : {&Locals, &Globals, &Constants})
    for (GlobalVariable *G : *List)
      convertUsersOfConstantsToInstructions({G});
  placeConstants(M, Constants);
  bool Changed = placeLocals(M, Locals);
  Changed |= placeGlobals(M, Globals);
  for (auto *List : {&Locals, &Globals, &Constants})
    for (GlobalVariable *G : *List)
      if (G->use_empty())
        G->eraseFromParent();
  return Changed || !Constants.empty();
}

// The types.

/// An intrinsic of LLVM under the name that goes with plain pointers.
void renameIntrinsic(IntrinsicInst &Call) {
  SmallVector<Type *, 4> Overloads;
  if (!Intrinsic::getIntrinsicSignature(Call.getCalledFunction(), Overloads))
    return;
  for (Type *&T : Overloads)
    T = plain(T);
  Call.setCalledFunction(Intrinsic::getOrInsertDeclaration(Call.getModule(), Call.getIntrinsicID(), Overloads));
}

bool makePlain(Function &F) {
  bool Changed = false;
  for (Instruction &I : instructions(F)) {
    for (Use &U : I.operands())
      if (auto *C = dyn_cast<Constant>(U.get()); C && plain(C->getType()) != C->getType()) {
        U.set(plainConstant(C));
        Changed = true;
      }
    if (Type *T = plain(I.getType()); T != I.getType()) {
      I.mutateType(T);
      Changed = true;
    }
  }
  if (!Changed)
    return false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Cast = dyn_cast<AddrSpaceCastInst>(&I)) {
      Cast->replaceAllUsesWith(Cast->getPointerOperand());
      Cast->eraseFromParent();
    } else if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
      renameIntrinsic(*Call);
    }
  }
  return true;
}

} // namespace

bool unifyAddressSpaces(Module &M) {
  SmallPtrSet<const Function *, 8> Entries;
  for (const KernelInfo &Kernel : kernelsOf(M))
    Entries.insert(Kernel.Entry);
  for (const Function &F : M)
    if (!F.isDeclaration() && !Entries.contains(&F))
      return false;
  bool Changed = answerQuestions(M);
  Changed |= placeVariables(M);
  for (Function &F : M)
    Changed |= makePlain(F);
  for (Function &F : make_early_inc_range(M)) // under their old names
    if (F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
  return Changed;
}

} // namespace pocm
