//===- NoteVariables.cpp - The variables of the source, for reports -------------------===//
//
//     %lut = alloca [40 x float]  #dbg_declare(%lut, "lut")
//     ... getelementptr float, %lut, i32 %i  (line 12)   ->   !pocm.variables: lut, float[40], 160 bytes, indexed in 12
//
// The passes that follow take variables apart. Notes what there was: of the kernels and what was
// inlined into them or is called by them, the headers' own left out.
//
// Needs:    device functions inlined into kernels; debug information with variables, else does nothing.
// Leaves:   the program as it is.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/Kernel.h"
#include "ir/Lines.h"
#include "ir/ObjectNames.h"
#include "ir/SourceNotes.h"
#include "passes/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace pocm {
namespace {

std::string nameOf(const DIType *T) {
  if (!T)
    return "void";
  if (auto *Array = dyn_cast<DICompositeType>(T); Array && T->getTag() == dwarf::DW_TAG_array_type) {
    std::string Name = nameOf(Array->getBaseType());
    for (const DINode *Part : Array->getElements())
      if (auto *Range = dyn_cast<DISubrange>(Part))
        if (auto *Count = dyn_cast_if_present<ConstantInt *>(Range->getCount()))
          Name += "[" + std::to_string(Count->getSExtValue()) + "]";
    return Name;
  }
  if (auto *Derived = dyn_cast<DIDerivedType>(T); Derived && T->getName().empty())
    return nameOf(Derived->getBaseType()) + (T->getTag() == dwarf::DW_TAG_pointer_type ? " *" : "");
  return withObjectNames(T->getName());
}

/// vector<T, N> is an alias.
const DIType *behindAliases(const DIType *T) {
  while (T && (T->getTag() == dwarf::DW_TAG_typedef || T->getTag() == dwarf::DW_TAG_template_alias))
    T = cast<DIDerivedType>(T)->getBaseType();
  return T;
}

/// Names for objects that are somewhere else.
bool isReference(const DIType *T) {
  T = behindAliases(T);
  unsigned Tag = T ? T->getTag() : 0;
  StringRef Name = T ? T->getName() : "";
  return Tag == dwarf::DW_TAG_reference_type || Tag == dwarf::DW_TAG_rvalue_reference_type ||
         Name.starts_with("vector_ref_of<") || Name.starts_with("matrix_ref_of<");
}

class Noter {
public:
  explicit Noter(Module &M) : M(M) {}

  bool run() {
    for (const KernelInfo &Kernel : kernelsOf(M)) {
      const size_t First = Notes.size();
      for (Function *F : functionsOf(Kernel))
        for (Instruction &I : instructions(*F))
          for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
            local(*Kernel.Entry, Record);
      for (GlobalVariable &G : M.globals())
        global(*Kernel.Entry, G);
      llvm::sort(make_range(Notes.begin() + long(First), Notes.end()),
                 [](const VariableNote &A, const VariableNote &B) {
                   return std::tie(A.File, A.Line, A.Name) < std::tie(B.File, B.Line, B.Name);
                 });
    }
    if (Notes.empty())
      return false;
    setVariableNotes(M, Notes);
    return true;
  }

private:
  Module &M;
  std::vector<VariableNote> Notes;

  void local(Function &Kernel, const DbgVariableRecord &Record) {
    const DILocalVariable &V = *Record.getVariable();
    if (V.getName().empty() || V.isArtificial() || V.getFilename().starts_with(headerFolder()) ||
        isReference(V.getType()))
      return;
    VariableNote N;
    N.Kernel = &Kernel;
    N.Name = V.getName().str(), N.Type = nameOf(V.getType()), N.File = V.getFilename().str(), N.Line = V.getLine();
    N.Bytes = bytesOf(V, Record);
    bool OfKernel = V.getScope()->getSubprogram() == Kernel.getSubprogram();
    N.Place = V.getArg() && OfKernel ? Residence::Argument : Residence::Registers;
    N.Rule = N.Place == Residence::Argument ? "a kernel's argument" : ruleOf(V.getType());
    if (Value *Place = Record.isDbgDeclare() ? Record.getAddress() : nullptr)
      findIndexed(*Place, N);
    add(std::move(N));
  }

  /// Without the bytes that fill vectors up to a power of two in memory.
  static unsigned bytesOf(const DILocalVariable &V, const DbgVariableRecord &Record) {
    auto *Variable = Record.isDbgDeclare() ? dyn_cast_if_present<AllocaInst>(Record.getAddress()) : nullptr;
    Type *T = Variable ? Variable->getAllocatedType() : nullptr;
    while (auto *Struct = dyn_cast_if_present<StructType>(T))
      T = Struct->getNumElements() == 1 ? Struct->getElementType(0) : nullptr;
    return unsigned(
        (T && T->isVectorTy() ? T->getPrimitiveSizeInBits().getFixedValue() : V.getSizeInBits().value_or(0)) / 8);
  }

  /// Why it is in registers, unless a pass finds that it cannot be.
  static std::string ruleOf(const DIType *T) {
    T = behindAliases(T);
    StringRef Name = T ? T->getName() : "";
    if (Name.starts_with("vector_of<") || Name.starts_with("matrix_of<"))
      return "vectors and matrices live in registers";
    return isa_and_nonnull<DICompositeType>(T) ? "which of its elements are meant is known when it is compiled"
                                               : "its address is not taken";
  }

  void global(Function &Kernel, GlobalVariable &G) {
    SmallVector<DIGlobalVariableExpression *, 1> All;
    G.getDebugInfo(All);
    if (All.empty() || !isUsedIn(G, Kernel))
      return;
    const DIGlobalVariable &V = *All[0]->getVariable();
    if (V.getFilename().starts_with(headerFolder()))
      return;
    VariableNote N;
    N.Kernel = &Kernel, N.Symbol = G.getName().str();
    N.Name = V.getName().str(), N.Type = nameOf(V.getType()), N.File = V.getFilename().str(), N.Line = V.getLine();
    N.Bytes = unsigned(M.getDataLayout().getTypeAllocSize(G.getValueType()));
    N.Place = G.getAddressSpace() == 3 ? Residence::Shared : Residence::Registers;
    N.Rule = N.Place == Residence::Shared ? "__local"
             : G.getAddressSpace()        ? "memory of the program, which all of its threads share"
             : G.isConstant()             ? "its elements are constants in the code"
                                          : ruleOf(V.getType());
    findIndexed(G, N);
    add(std::move(N));
  }

  static bool isUsedIn(const Value &V, const Function &F) {
    return any_of(V.users(), [&](const User *U) {
      auto *I = dyn_cast<Instruction>(U);
      return I ? I->getFunction() == &F : isa<ConstantExpr>(U) && isUsedIn(*U, F);
    });
  }

  /// Whether a number is a constant that only went through variables: arguments of inlined functions do.
  static bool isKnown(Value *V, int Steps) {
    if (isa<Constant>(V))
      return true;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Steps)
      return false;
    if (isa<CastInst, BinaryOperator>(I))
      return all_of(I->operands(), [&](Value *Operand) { return isKnown(Operand, Steps - 1); });
    auto *Variable = isa<LoadInst>(I) ? dyn_cast<AllocaInst>(I->getOperand(0)) : nullptr;
    Value *Stored = nullptr;
    for (User *U : Variable ? Variable->users() : iterator_range<Value::user_iterator>({}, {})) {
      auto *Store = dyn_cast<StoreInst>(U);
      if (Store && Store->getPointerOperand() == Variable && !Stored)
        Stored = Store->getValueOperand();
      else if (!isa<LoadInst>(U) && !cast<Instruction>(U)->isLifetimeStartOrEnd())
        return false;
    }
    return Stored && isKnown(Stored, Steps - 1);
  }

  /// Lines whose accesses have an offset that is no constant yet.
  void findIndexed(Value &Variable, VariableNote &N) {
    SetVector<Value *> Pointers;
    SetVector<unsigned> Lines;
    Pointers.insert(&Variable);
    for (size_t K = 0; K < Pointers.size(); ++K)
      for (User *U : Pointers[K]->users()) {
        auto *Address = dyn_cast<GEPOperator>(U);
        if (Address && Address->getPointerOperand() == Pointers[K])
          Pointers.insert(U);
        auto *I = dyn_cast<Instruction>(U);
        if (!I || I->getFunction() != N.Kernel)
          continue;
        bool Indexed = Address && !all_of(Address->indices(), [](Value *Index) { return isKnown(Index, 8); });
        if (const DILocation *Line = Indexed ? userLine(*I) : nullptr; Line && Line->getFilename() == N.File)
          Lines.insert(Line->getLine());
      }
    N.IndexedLines.assign(Lines.begin(), Lines.end());
    sort(N.IndexedLines);
  }

  /// Inlined in several places it is one variable.
  void add(VariableNote N) {
    for (VariableNote &Old : Notes)
      if (Old.Kernel == N.Kernel && Old.Name == N.Name && Old.Line == N.Line) {
        for (unsigned Line : N.IndexedLines)
          if (!is_contained(Old.IndexedLines, Line))
            Old.IndexedLines.push_back(Line);
        return;
      }
    Notes.push_back(std::move(N));
  }
};

} // namespace

bool noteVariables(Module &M) {
  bool Full = any_of(M.debug_compile_units(),
                     [](const DICompileUnit *Unit) { return Unit->getEmissionKind() == DICompileUnit::FullDebug; });
  return Full && Noter(M).run();
}

} // namespace pocm
