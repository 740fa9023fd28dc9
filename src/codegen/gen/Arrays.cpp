//===- Arrays.cpp - Arrays in registers -----------------------------------------------------===//
//
//     %a = alloca [40 x i32]                      %a : <40 x i32>, a value
//     %x = load i32, (%a + 4 * %i)      ->        %x = rdregion(%a, offset 4 * %i)
//
// Registers have addresses on Gen: an array whose size is known, of less than 3 KB, that no
// pointer leads to but by plain indices, lives there and is accessed with run-time offsets. Where several together
// leave no registers for others, some stay in memory (ArraysTogether.cpp).
// A table of constants is such an array, filled at the start.
//
// Needs:    CM IR as the middle end leaves it.
// Leaves:   other variables in memory.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/ArraysTogether.h"
#include "codegen/gen/GenPasses.h"
#include "ir/SourceNotes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr unsigned MostArrayBytes = 3072 - 1; // in registers
constexpr unsigned MostTableBytes = 65536;    // in thread memory

/// Instructions of kernels that use a constant, through constant expressions too; false when one of them does more than
/// read.
bool collectReaders(Constant &C, SmallVectorImpl<Instruction *> &Readers) {
  for (User *U : C.users()) {
    if (auto *I = dyn_cast<Instruction>(U)) {
      if (isa<StoreInst, CallInst, PHINode, PtrToIntInst>(I))
        return false;
      Readers.push_back(I);
    } else if (auto *Inner = dyn_cast<ConstantExpr>(U)) {
      if (!collectReaders(*Inner, Readers))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

/// Stores a table's numbers. Small ones element by element: a vector of constants takes the form that suits registers
/// later on; large ones, which stay in memory, 32 at a time.
void fill(IRBuilderBase &B, Constant &Table, Value *To) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  const uint64_t MostTogether = DL.getTypeAllocSize(Table.getType()) > MostArrayBytes ? 32 : 1;
  SmallVector<Constant *, 32> Together;
  uint64_t First = 0, Size = 0;
  auto Store = [&] {
    if (Together.empty())
      return;
    Value *Data = Together.size() == 1 ? Together[0] : ConstantVector::get(Together);
    B.CreateAlignedStore(Data, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), To, First),
                         commonAlignment(Align(16), First));
    Together.clear();
  };
  auto Visit = [&](auto &Self, Constant *C, uint64_t At) -> void {
    Type *T = C->getType();
    if (auto *Struct = dyn_cast<StructType>(T)) {
      for (unsigned K = 0; K < Struct->getNumElements(); ++K)
        Self(Self, C->getAggregateElement(K), At + DL.getStructLayout(Struct)->getElementOffset(K));
    } else if (T->isArrayTy()) {
      uint64_t Step = DL.getTypeAllocSize(T->getArrayElementType());
      for (unsigned K = 0; K < T->getArrayNumElements(); ++K)
        Self(Self, C->getAggregateElement(K), At + K * Step);
    } else {
      bool Follows = !Together.empty() && Together[0]->getType() == T && At == First + Together.size() * Size;
      if (!Follows || Together.size() == MostTogether || T->isVectorTy())
        Store();
      if (Together.empty())
        First = At, Size = DL.getTypeAllocSize(T);
      Together.push_back(C);
    }
  };
  Visit(Visit, &Table, 0);
  Store();
}

/// A table becomes a variable of each function that reads it.
bool copyTable(GlobalVariable &Table) {
  if (!Table.isConstant() || !Table.hasInitializer() ||
      Table.getDataLayout().getTypeAllocSize(Table.getValueType()) > MostTableBytes)
    return false;
  SmallVector<Instruction *, 8> Readers;
  if (!collectReaders(Table, Readers) || Readers.empty())
    return false;
  convertUsersOfConstantsToInstructions({&Table}); // addresses inside it too
  MapVector<Function *, AllocaInst *> Copies;
  for (Use &U : make_early_inc_range(Table.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue;
    Function *F = I->getFunction();
    AllocaInst *&Copy = Copies[F];
    if (!Copy) {
      IRBuilder<> B(&*F->getEntryBlock().getFirstInsertionPt());
      Copy = B.CreateAlloca(Table.getValueType(), nullptr, Table.getName());
      Copy->setAlignment(Align(16));
      fill(B, *Table.getInitializer(), Copy);
    }
    U.set(Copy);
  }
  return true;
}

} // namespace

/// Nobody else sees a thread's own variables: what their source calls volatile may live in registers.
static bool forgetVolatile(Module &M) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Address = getLoadStorePointerOperand(&I);
      if (!Address || !isa<AllocaInst>(getUnderlyingObject(Address)))
        continue;
      Changed |= I.isVolatile();
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Load->setVolatile(false);
      else
        cast<StoreInst>(I).setVolatile(false);
    }
  return Changed;
}

/// Why a variable does not live in registers.
static std::string whyInMemory(const AllocaInst &Variable, const DenseSet<const AllocaInst *> &Crowded) {
  auto Size = Variable.getAllocationSize(Variable.getDataLayout());
  if (!Size || Size->getFixedValue() > MostArrayBytes)
    return "3 KB or more";
  if (Crowded.contains(&Variable))
    return "other arrays that live at the same time have the registers, 3 KB or more with this one";
  SmallVector<const Value *, 16> Pointers{&Variable};
  for (size_t K = 0; K < Pointers.size(); ++K)
    for (const User *U : Pointers[K]->users()) {
      if (isa<PHINode, SelectInst>(U))
        return "a pointer to it may point to another variable as well";
      if (isa<PtrToIntInst>(U) || (isa<StoreInst>(U) && U->getOperand(0) == Pointers[K]))
        return "its address is stored or made a number";
      if (isa<GetElementPtrInst>(U))
        Pointers.push_back(U);
    }
  return "elements of several sizes are accessed at places known only at run time";
}

/// Tells reports which variables this pass has placed.
static void noteResidence(Module &M, bool Promoted, const DenseSet<const AllocaInst *> &Crowded = {}) {
  std::vector<VariableNote> Notes = variableNotes(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Variable = dyn_cast<AllocaInst>(&I);
      VariableNote *Note = Variable ? noteOf(Notes, *Variable) : nullptr;
      if (!Note)
        continue;
      Note->Place = Promoted ? Residence::Scratch : Residence::Indexed;
      Note->Rule = Promoted ? whyInMemory(*Variable, Crowded) : "less than 3 KB, and every access is known to be to it";
    }
  if (!Notes.empty())
    setVariableNotes(M, Notes);
}

bool promoteArrays(Module &M, const GenTarget &Target) {
  const unsigned MostTogether = MostArrayBytes * Target.GrfBytes / 32; // three quarters of 128 registers
  bool Changed = forgetVolatile(M);
  for (GlobalVariable &G : M.globals())
    Changed |= copyTable(G);
  noteResidence(M, /*Promoted=*/false);
  DenseSet<const AllocaInst *> Crowded;
  for (Function &F : M)
    if (!F.isDeclaration())
      Crowded.insert_range(crowdedOut(F, promotableArrays(F, MostArrayBytes), MostTogether));
  Changed |= pocm::promoteArrays(M, MostArrayBytes, Crowded);
  noteResidence(M, /*Promoted=*/true, Crowded);
  return Changed;
}

} // namespace pocm::gen
