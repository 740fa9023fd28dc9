//===- MirrorVariables.cpp - What variables hold, for debuggers ---------------------------===//
//
//     store i32 %n, ptr %b.low, !dbg line 19   ->   the same, and
//                                                   call void @cm.kept.write.i32(i32 %n, i32 3, i32 4), !dbg line 19
//     !pocm.kept = { ..., !3: the variable b, where its function was called }
//
// For programs of -O0 -g. Whatever is written to a variable of the source is noted where it is written:
// the value, the variable's number, the offset in it. Passes may take the variable apart and know its
// values; the notes stay in order, in their lines, one for each time that it is written.
// The cpu device writes the value to a copy of the variable, which debuggers find
// (codegen/cpu/KeepVariables.cpp); for others forgetUnwritten() drops the notes.
//
// hold-variables    variables are not taken apart while functions disappear into their callers; each line of the source
//                   gets an operation that stays: cm.source.line
// mirror-variables  references and pointers become values, then writes are noted
//
// References to what is known when the program is compiled are other names of a part of a variable:
//
//     !pocm.kept.names = { !{the variable ref, where its function was called, i32 3, i32 4} }
//
// Needs:    mirror-variables: device functions inlined into kernels.
// Leaves:   operations that say what is written to which variable, for devices that keep copies, and others drop.
// Not done: pointers, references to what is chosen at run time, and objects of more than 256 elements with places
//           written that are chosen at run time inside of structures.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/KeptVariables.h"
#include "ir/Lines.h"
#include "ir/Operands.h"
#include "passes/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace pocm {
namespace {

/// Elements and members that are read again after a write that does not say which of them it writes.
constexpr size_t MostLeaves = 256;

/// Variables of the source in memory, but those that say where others are.
MapVector<AllocaInst *, DbgVariableRecord *> variablesOf(Function &F) {
  MapVector<AllocaInst *, DbgVariableRecord *> All;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      auto *Storage = Record.isDbgDeclare() ? dyn_cast_or_null<AllocaInst>(Record.getAddress()) : nullptr;
      if (Storage && isOfSource(Record) && !Record.getExpression()->getNumElements() &&
          !Storage->getAllocatedType()->isPointerTy() && !referredObject(Record.getVariable()->getType()))
        All.insert({Storage, &Record});
    }
  return All;
}

/// LLVM does not take apart what a call knows the address of.
bool hold(Function &F) {
  auto Variables = variablesOf(F);
  for (auto [Storage, Record] : Variables) {
    IRBuilder<> B(F.getContext());
    B.SetInsertPoint(Storage->getNextNode());
    B.SetCurrentDebugLocation({});
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::fake_use, {Storage});
  }
  return !Variables.empty();
}

/// Each line of the source stays one, be it that nothing is left to do there.
bool markLines(Function &F) {
  if (F.getSubprogram()->getFilename().starts_with(headerFolder()))
    return false;
  for (BasicBlock &Block : F) {
    unsigned Last = 0;
    for (Instruction &I : make_early_inc_range(Block)) {
      const DebugLoc &Line = I.getDebugLoc();
      if (!Line || !Line.getLine() || Line.getLine() == Last || Line.getInlinedAt() || isa<PHINode, AllocaInst>(I) ||
          I.isLifetimeStartOrEnd())
        continue;
      Last = Line.getLine();
      IRBuilder<> B(&I);
      createOperation(B, Op::SourceLine, B.getVoidTy(), {B.getInt32(Last)})->addFnAttr(Attribute::NoMerge);
    }
  }
  return true;
}

void letGo(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::fake_use)
      if (Call->arg_size() == 1 && Call->args().begin()->get()->getType()->isPointerTy())
        Call->eraseFromParent();
}

/// A number, vector or pointer in an object.
struct Leaf {
  Type *T;
  std::uint64_t Offset, Bytes;
};

class Mirror {
public:
  explicit Mirror(Function &F) : F(F), Layout(F.getDataLayout()), B(F.getContext()) {}

  bool run() {
    for (auto [Storage, Record] : variablesOf(F))
      mirror(*Storage, *Record);
    references();
    return !Numbers.empty();
  }

private:
  Function &F;
  const DataLayout &Layout;
  IRBuilder<> B;
  DenseMap<const AllocaInst *, unsigned> Numbers;

  struct Place {
    std::optional<std::uint64_t> Offset; ///< When it is a constant.
    Value *Pointer;
  };

  void mirror(AllocaInst &Storage, DbgVariableRecord &Record) {
    SmallVector<Leaf, 8> Leaves;
    findLeaves(Storage.getAllocatedType(), 0, Leaves);
    SmallVector<std::pair<Instruction *, Place>, 16> Writes;
    if (!findWrites(Storage, Writes))
      return;
    for (auto &[I, P] : Writes) // nothing else is written where the program says exactly what
      if (Leaves.size() > MostLeaves && !(isa<StoreInst>(I) && isPlain(*cast<StoreInst>(I), P, Leaves)))
        return;
    Numbers[&Storage] = noteKept(*F.getParent(), *Record.getVariable(), Record.getDebugLoc()->getInlinedAt());
    for (auto &[I, P] : Writes)
      use(*I, P, Storage, Leaves);
  }

  void findLeaves(Type *T, std::uint64_t At, SmallVectorImpl<Leaf> &Leaves) const {
    if (auto *Struct = dyn_cast<StructType>(T)) {
      for (unsigned K = 0; K < Struct->getNumElements(); ++K)
        findLeaves(Struct->getElementType(K), At + Layout.getStructLayout(Struct)->getElementOffset(K), Leaves);
    } else if (auto *Array = dyn_cast<ArrayType>(T)) {
      for (std::uint64_t K = 0; K < Array->getNumElements() && Leaves.size() <= MostLeaves; ++K)
        findLeaves(Array->getElementType(), At + K * Layout.getTypeAllocSize(Array->getElementType()), Leaves);
    } else if (!T->isPointerTy() && T->getScalarSizeInBits() % 8 == 0) {
      Leaves.push_back({T, At, Layout.getTypeStoreSize(T)});
    }
  }

  /// Whatever may write to a variable; false: its address goes where it cannot be seen.
  bool findWrites(AllocaInst &Storage, SmallVectorImpl<std::pair<Instruction *, Place>> &Writes) {
    SmallVector<Place, 16> Places{{0, &Storage}};
    SmallPtrSet<Value *, 16> Seen{&Storage};
    for (size_t K = 0; K < Places.size(); ++K) {
      Place Here = Places[K]; // others are put behind it
      for (User *U : Here.Pointer->users()) {
        auto *I = dyn_cast<Instruction>(U);
        if (!I)
          return false;
        if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I) && I->getType()->isPointerTy()) {
          if (Seen.insert(I).second)
            Places.push_back({placeOf(*I, Here), I});
        } else if (mayWrite(*I, *Here.Pointer)) {
          Writes.push_back({I, Here});
        }
      }
    }
    return true;
  }

  std::optional<std::uint64_t> placeOf(Instruction &I, const Place &Before) const {
    auto *Address = dyn_cast<GetElementPtrInst>(&I);
    APInt Offset(Layout.getIndexTypeSizeInBits(I.getType()), 0);
    if (isa<CastInst>(I))
      return Before.Offset;
    if (!Address || !Before.Offset || !Address->accumulateConstantOffset(Layout, Offset))
      return std::nullopt;
    return *Before.Offset + Offset.getZExtValue();
  }

  static bool mayWrite(const Instruction &I, const Value &Pointer) {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return Store->getPointerOperand() == &Pointer;
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || Call->isLifetimeStartOrEnd() || operationOf(Call) == Op::MemoryRead)
      return false;
    if (auto *Copy = dyn_cast<MemTransferInst>(Call))
      return Copy->getRawDest() == &Pointer;
    return Call->getIntrinsicID() != Intrinsic::fake_use;
  }

  /// A number or vector is written over a whole one, or over one that is chosen at run time.
  bool isPlain(const StoreInst &Store, const Place &P, ArrayRef<Leaf> Leaves) const {
    Type *T = Store.getValueOperand()->getType();
    const std::uint64_t Bytes = Layout.getTypeStoreSize(T);
    if (P.Offset)
      return any_of(Leaves, [&](const Leaf &L) { return L.Offset == *P.Offset && L.Bytes == Bytes; });
    return !Leaves.empty() && all_of(Leaves, [&](const Leaf &L) { return L.T == T; });
  }

  void use(Instruction &Write, const Place &P, AllocaInst &Storage, ArrayRef<Leaf> Leaves) {
    auto *Store = dyn_cast<StoreInst>(&Write);
    if (Store && (isa<UndefValue>(Store->getValueOperand()) || operationOf(Store->getValueOperand()) == Op::Unwritten))
      return; // its life begins
    if (Write.isTerminator())
      return;
    B.SetInsertPoint(Write.getNextNode());
    B.SetCurrentDebugLocation(Write.getDebugLoc());
    if (Store && isPlain(*Store, P, Leaves)) {
      if (Value *Offset = P.Offset ? B.getInt32(unsigned(*P.Offset)) : distance(*P.Pointer, Storage))
        return use(Store->getValueOperand(), Storage, Offset);
    }
    for (const Leaf &L : Leaves) {
      if (P.Offset && !isTouched(L, *P.Offset, Write))
        continue;
      Value *Now = B.CreateLoad(L.T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), &Storage, L.Offset));
      use(Now, Storage, B.getInt32(unsigned(L.Offset)));
    }
  }

  /// At a constant offset only what is there can be written, unless it is a call of who knows what.
  bool isTouched(const Leaf &L, std::uint64_t At, const Instruction &Write) const {
    std::uint64_t End = ~std::uint64_t(0);
    if (auto *Store = dyn_cast<StoreInst>(&Write))
      End = At + Layout.getTypeStoreSize(Store->getValueOperand()->getType());
    else if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&Write))
      End = isa<ConstantInt>(Copy->getLength()) ? At + cast<ConstantInt>(Copy->getLength())->getZExtValue() : End;
    else if (operationOf(&Write) == Op::MemoryWrite) // inside of one object, which a leaf is
      return L.Offset <= At && At < L.Offset + L.Bytes;
    else
      At = 0;
    return L.Offset < End && At < L.Offset + L.Bytes;
  }

  /// In bytes; null where it is not known which variable a pointer points to.
  Value *distance(Value &Pointer, const AllocaInst &Storage) {
    Value *Sum = B.getInt64(0);
    for (Value *At = &Pointer; At != &Storage;) {
      auto *Address = dyn_cast<GEPOperator>(At);
      if (!Address && !isa<CastInst>(At))
        return nullptr;
      if (Address)
        Sum = B.CreateAdd(Sum, B.CreateSExtOrTrunc(emitGEPOffset(&B, Layout, Address), B.getInt64Ty()));
      At = cast<User>(At)->getOperand(0);
    }
    return B.CreateTrunc(Sum, B.getInt32Ty());
  }

  void use(Value *V, AllocaInst &Storage, Value *Offset) {
    createOperation(B, Op::KeptWrite, B.getVoidTy(), {V, B.getInt32(Numbers[&Storage]), Offset})
        ->addFnAttr(Attribute::NoMerge);
  }

  /// A part of a variable.
  struct Target {
    unsigned Number = 0;
    std::uint64_t Offset = 0;
    bool operator==(const Target &) const = default;
  };

  /// Of a name of something else. References to vectors and matrices say with which strides.
  struct Name {
    std::optional<Target> Refers;
    bool Wrong = false; ///< To several, or to elements that do not lie side by side.
  };

  std::optional<Target> targetOf(Value *Pointer) const {
    APInt Offset(Layout.getIndexTypeSizeInBits(Pointer->getType()), 0);
    Pointer = Pointer->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
    auto *Storage = dyn_cast<AllocaInst>(Pointer);
    auto Number = Storage ? Numbers.find(Storage) : Numbers.end();
    if (Number == Numbers.end())
      return std::nullopt;
    return Target{Number->second, Offset.getZExtValue()};
  }

  void references() {
    MapVector<std::pair<DILocalVariable *, DILocation *>, Name> Names;
    for (Instruction &I : instructions(F))
      for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
        DILocalVariable *Variable = Record.getVariable();
        const auto Object = referredObject(Variable->getType());
        if (Object && Record.isDbgValue() && !Record.hasArgList() && isOfSource(Record))
          note(Names[{Variable, Record.getDebugLoc()->getInlinedAt()}], Record, *Object);
      }
    for (auto &[Key, Known] : Names)
      if (Known.Refers && !Known.Wrong)
        noteName(*F.getParent(), *Key.first, Key.second, Known.Refers->Number, Known.Refers->Offset);
  }

  void note(Name &Known, const DbgVariableRecord &Record, const Referred &Object) const {
    Value *V = Record.getValue();
    if (isa_and_nonnull<UndefValue>(V))
      return;
    if (V && V->getType()->isPointerTy()) {
      std::optional<Target> Now = targetOf(V);
      Known.Wrong |= !Now || (Known.Refers && *Known.Refers != *Now);
      Known.Refers = Now;
      return;
    }
    const auto Part = Record.getExpression()->getFragmentInfo();
    auto *Number = dyn_cast_or_null<ConstantInt>(V);
    const bool Row = Object.Columns && Part && Part->OffsetInBits == 64; // objects.h: First, RowStride, Stride
    Known.Wrong |= !Number || Number->getZExtValue() != (Row ? Object.Columns : 1);
  }
};

bool forKept(Module &M, function_ref<bool(Function &)> Do) {
  bool Changed = false;
  if (M.getModuleFlag(KeepVariablesFlag))
    for (Function &F : M)
      if (!F.isDeclaration() && F.getSubprogram())
        Changed |= Do(F);
  return Changed;
}

} // namespace

bool holdVariables(Module &M) {
  return forKept(M, [](Function &F) {
    const bool Marks = markLines(F);
    return hold(F) || Marks;
  });
}

bool mirrorVariables(Module &M) {
  if (!forKept(M, hold)) // parameters have become variables of the callers meanwhile
    return false;
  runLlvmPasses(M, "function(sroa,instsimplify)");
  return forKept(M, [](Function &F) {
    letGo(F);
    Mirror(F).run();
    return true;
  });
}

} // namespace pocm
