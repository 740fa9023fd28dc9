//===- Arrays.cpp - Arrays in registers -----------------------------------------------------===//
//
//     %a = alloca [40 x i32]                      %a : <40 x i32>, a value
//     %x = load i32, (%a + 4 * %i)      ->        %x = rdregion(%a, offset 4 * %i)
//
// Registers have addresses on Gen: an array whose size is known, of less than 3 KB, that no
// pointer leads to but by plain indices, lives there and is accessed with run-time offsets.
// A table of constants is such an array, filled at the start.
//
// Needs:    CM IR as the middle end leaves it.
// Leaves:   other variables in memory.
//
//===----------------------------------------------------------------------------------------===//
#include "codegen/gen/GenPasses.h"
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
      Copy = B.CreateAlloca(Table.getValueType());
      Copy->setAlignment(Align(16));
      fill(B, *Table.getInitializer(), Copy);
    }
    U.set(Copy);
  }
  return true;
}

} // namespace

/// Nobody else sees a thread's own variables: what their source calls volatile may live in registers.
static void forgetVolatile(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Address = getLoadStorePointerOperand(&I);
      if (!Address || !isa<AllocaInst>(getUnderlyingObject(Address)))
        continue;
      if (auto *Load = dyn_cast<LoadInst>(&I))
        Load->setVolatile(false);
      else
        cast<StoreInst>(I).setVolatile(false);
    }
}

bool promoteArrays(Module &M, const GenTarget &) {
  bool Changed = false;
  forgetVolatile(M);
  for (GlobalVariable &G : M.globals())
    Changed |= copyTable(G);
  return pocm::promoteArrays(M, MostArrayBytes) || Changed;
}

} // namespace pocm::gen
