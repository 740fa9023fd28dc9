//===- Subroutines.cpp - Functions that keep their calls ----------------------------------===//
//
//     define internal void @f(ptr sret(%"class.cm::detail::vector_of") %r, ptr byval(%"class.cm::detail::vector_of")
//     %v, ptr byval(%"class.cm::detail::vector_ref_of") %w) call void @f(ptr %y, ptr %x, ptr %region)
//  -> define internal { <16 x i32>, <8 x i32> } @f(<16 x i32> %v, <8 x i32> %w)
//     %all = call { <16 x i32>, <8 x i32> } @f(<16 x i32> %x, <8 x i32> %region)     its parts go to %y and the region
//
// A device function that is to stay one (CM_NOINLINE, _GENX_STACKCALL_) and is called twice at least becomes a
// subroutine of Gen code. Registers have no addresses, so objects are passed and returned whole; regions passed by
// reference come back changed, which is what the language allows for (a program means the same when references are
// copied in and out).
//
// Needs:    functions marked by internalize, not yet inlined.
// Leaves:   to be inlined what is not marked or called once, recursive functions (which are refused later), plain
//           references and pointers, functions that touch variables of the file or set up shared local memory.
//
//===--------------------------------------------------------------------------------------===//
#include "ir/Intrinsics.h"
#include "ir/ObjectNames.h"
#include "ir/Operands.h"
#include "passes/ClassTypes.h"
#include "passes/Passes.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace pocm {
namespace {

// What a function reaches

/// Whether a value, or what a constant is made of, is a variable of the file that can change.
bool isVariable(const Value *V) {
  if (auto *G = dyn_cast<GlobalVariable>(V))
    return !G->isConstant();
  auto *C = dyn_cast<ConstantExpr>(V);
  return C && any_of(C->operands(), [](const Use &U) { return isVariable(U); });
}

/// Whether everything that F calls, directly or not, stays within parameters, surfaces and memory.
bool isClosed(Function &F) {
  SmallPtrSet<Function *, 8> Seen;
  SmallVector<Function *, 8> Open{&F};
  while (!Open.empty())
    for (Instruction &I : instructions(*Open.pop_back_val())) {
      if (auto *Call = dyn_cast<CallInst>(&I)) {
        Function *Callee = Call->getCalledFunction();
        if (!Callee || Callee == &F || operationOf(Call) == Op::SlmInit)
          return false;
        if (!Callee->isDeclaration() && Seen.insert(Callee).second)
          Open.push_back(Callee);
      }
      for (Use &Operand : I.operands())
        if (isVariable(Operand) || (isa<Function>(Operand) && !isa<CallInst>(I)))
          return false;
    }
  return true;
}

bool isCalledOften(const Function &F) {
  return F.hasNUsesOrMore(2) && all_of(F.uses(), [](const Use &U) {
           auto *Call = dyn_cast<CallInst>(U.getUser());
           return Call && Call->isCallee(&U);
         });
}

// Parameters

struct Parameter {
  enum { Plain, Object, Region } Kind = Plain;
  Type *T = nullptr;    ///< Of the value that is passed.
  StructType *Class{};  ///< Of an object, or of a region: { first, [row stride,] stride }.
  unsigned Columns = 0; ///< Of a region.

  bool hasRows() const { return Class->getName().starts_with("class.cm::detail::matrix_ref_of"); }
};

/// The type of elements that C++ calls so.
Type *elementNamed(StringRef Name, LLVMContext &C) {
  return StringSwitch<Type *>(Name)
      .Cases({"char", "signed char", "unsigned char"}, Type::getInt8Ty(C))
      .Cases({"short", "unsigned short"}, Type::getInt16Ty(C))
      .Cases({"int", "unsigned int"}, Type::getInt32Ty(C))
      .Cases({"long", "unsigned long", "long long", "unsigned long long"}, Type::getInt64Ty(C))
      .Case("_Float16", Type::getHalfTy(C))
      .Case("float", Type::getFloatTy(C))
      .Case("double", Type::getDoubleTy(C))
      .Default(nullptr);
}

/// The parameters of "void f<int>(vector_ref<int, 8>, matrix_ref<float, 2, 8>)", split at the outer commas.
SmallVector<std::string, 8> parametersNamed(const Function &F) {
  std::string Name = withObjectNames(demangle(F.getName()));
  SmallVector<std::string, 8> All;
  int Depth = 0;
  std::string Now;
  for (char C : Name) {
    Depth += C == '<' || C == '(' ? 1 : C == '>' || C == ')' ? -1 : 0;
    bool Outside = Depth == 0 || (Depth == 1 && C == '(');
    if (Outside && C == '(') {
      All.clear();
      Now.clear();
    } else if (C == ',' && Depth == 1) {
      All.push_back(std::exchange(Now, ""));
    } else if (C == ')' && Depth == 0) {
      All.push_back(std::exchange(Now, ""));
    } else {
      Now += C;
    }
  }
  for (std::string &Text : All)
    Text = StringRef(Text).trim().str();
  return All;
}

std::optional<Parameter> regionNamed(StringRef Name, StructType *Class) {
  bool Matrix = Name.consume_front("matrix_ref<");
  if (!(Matrix || Name.consume_front("vector_ref<")) || !Name.consume_back(">"))
    return std::nullopt;
  SmallVector<StringRef, 3> Parts;
  Name.split(Parts, ',');
  unsigned Rows = 1, Columns = 0;
  Type *Element = elementNamed(Parts[0].trim(), Class->getContext());
  if (!Element || Parts.size() != (Matrix ? 3 : 2) || Parts.back().trim().getAsInteger(10, Columns) ||
      (Matrix && Parts[1].trim().getAsInteger(10, Rows)))
    return std::nullopt;
  return Parameter{Parameter::Region, FixedVectorType::get(Element, Rows * Columns), Class, Columns};
}

/// What an object of one of the language's classes with a value holds; null for others.
Type *valueOf(Type *Class) {
  auto *Struct = dyn_cast<StructType>(Class);
  StringRef Name = Struct && Struct->hasName() ? Struct->getName().split('.').second.split('.').first : "";
  return is_contained({"cm::detail::vector_of", "cm::detail::matrix_of", "SurfaceIndex", "SamplerIndex"}, Name)
             ? leafOf(Class)
             : nullptr;
}

/// How its parameters are passed; none when one cannot be, or the result.
std::optional<SmallVector<Parameter, 8>> parametersOf(Function &F) {
  SmallVector<std::string, 8> Names = parametersNamed(F);
  unsigned Results = F.hasStructRetAttr() ? 1 : 0;
  SmallVector<Parameter, 8> All;
  if (F.getReturnType()->isPointerTy() || F.getReturnType()->isStructTy() ||
      (Results && !valueOf(F.getParamStructRetType(0))))
    return std::nullopt;
  for (Argument &A : drop_begin(F.args(), Results)) {
    if (!A.getType()->isPointerTy()) {
      All.push_back({Parameter::Plain, A.getType()});
      continue;
    }
    auto *Class = A.hasByValAttr() ? dyn_cast<StructType>(A.getParamByValType()) : nullptr;
    if (!Class)
      return std::nullopt;
    Type *Leaf = valueOf(Class);
    unsigned Index = A.getArgNo() - Results;
    if (Leaf)
      All.push_back({Parameter::Object, Leaf, Class});
    else if (auto Region = Index < Names.size() ? regionNamed(Names[Index], Class) : std::nullopt)
      All.push_back(*Region);
    else
      return std::nullopt;
  }
  return All;
}

// Rewriting

Value *field(IRBuilderBase &B, const Parameter &P, Value *Object, unsigned Index) {
  return B.CreateStructGEP(P.Class, Object, Index);
}

/// The region that an object of class vector_ref or matrix_ref names.
struct Place {
  Value *First, *RowStride, *Stride;

  Place(IRBuilderBase &B, const Parameter &P, Value *Object) {
    First = B.CreateLoad(B.getPtrTy(), field(B, P, Object, 0));
    Value *Elements = B.getInt32(0);
    if (P.hasRows())
      Elements = B.CreateLoad(B.getInt32Ty(), field(B, P, Object, 1));
    uint64_t Bytes = P.T->getScalarSizeInBits() / 8;
    RowStride = B.CreateMul(B.CreateSExt(Elements, B.getInt64Ty()), B.getInt64(Bytes));
    Stride = B.CreateLoad(B.getInt32Ty(), field(B, P, Object, P.hasRows() ? 2 : 1));
  }
};

Value *readRegion(IRBuilderBase &B, const Parameter &P, const Place &At) {
  return createOperation(B, Op::MemoryRead, P.T,
                         {At.First, At.RowStride, B.getInt32(P.Columns), At.Stride, B.getInt32(0)});
}

/// The function with values for objects.
Function *withValues(Function &Old, ArrayRef<Parameter> Parameters) {
  Type *Result = Old.hasStructRetAttr() ? valueOf(Old.getParamStructRetType(0)) : Old.getReturnType();
  SmallVector<Type *, 8> Types, Results;
  if (!Result->isVoidTy())
    Results.push_back(Result);
  for (const Parameter &P : Parameters) {
    Types.push_back(P.T);
    if (P.Kind == Parameter::Region)
      Results.push_back(P.T);
  }
  LLVMContext &C = Old.getContext();
  Type *Returned = Results.empty()       ? Type::getVoidTy(C)
                   : Results.size() == 1 ? Results[0]
                                         : StructType::get(C, Results);
  auto *New = Function::Create(FunctionType::get(Returned, Types, false), Old.getLinkage(), Old.getAddressSpace());
  Old.getParent()->getFunctionList().insert(Old.getIterator(), New);
  New->takeName(&Old);
  New->setCallingConv(Old.getCallingConv());
  New->setAttributes(AttributeList::get(C, Old.getAttributes().getFnAttrs(), {}, {}));
  New->removeFnAttr(Attribute::Memory); // what it did to objects
  New->splice(New->begin(), &Old);
  New->setSubprogram(Old.getSubprogram());
  Old.setSubprogram(nullptr);

  IRBuilder<> B(&New->getEntryBlock(), New->getEntryBlock().getFirstInsertionPt());
  AllocaInst *ResultObject = nullptr;
  if (Old.hasStructRetAttr()) {
    ResultObject = B.CreateAlloca(Old.getParamStructRetType(0));
    Old.getArg(0)->replaceAllUsesWith(ResultObject);
  }
  SmallVector<AllocaInst *, 4> Regions;
  for (auto [P, From, To] : zip(Parameters, drop_begin(Old.args(), ResultObject ? 1 : 0), New->args())) {
    To.setName(From.getName());
    if (P.Kind == Parameter::Plain) {
      From.replaceAllUsesWith(&To);
      continue;
    }
    AllocaInst *Object = B.CreateAlloca(P.Class);
    From.replaceAllUsesWith(Object);
    if (P.Kind == Parameter::Object) {
      B.CreateStore(&To, Object);
      continue;
    }
    AllocaInst *Elements = Regions.emplace_back(B.CreateAlloca(P.T));
    B.CreateStore(&To, Elements);
    B.CreateStore(Elements, field(B, P, Object, 0));
    if (P.hasRows())
      B.CreateStore(B.getInt32(P.Columns), field(B, P, Object, 1));
    B.CreateStore(B.getInt32(1), field(B, P, Object, P.hasRows() ? 2 : 1));
  }
  for (BasicBlock &Block : *New) {
    auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
    if (!Return)
      continue;
    B.SetInsertPoint(Return);
    SmallVector<Value *, 4> Parts;
    if (ResultObject)
      Parts.push_back(B.CreateLoad(Result, ResultObject));
    else if (Value *V = Return->getReturnValue())
      Parts.push_back(V);
    for (AllocaInst *Elements : Regions)
      Parts.push_back(B.CreateLoad(Elements->getAllocatedType(), Elements));
    if (Parts.size() > 1)
      B.CreateAggregateRet(Parts.data(), unsigned(Parts.size()));
    else if (Parts.size() == 1)
      B.CreateRet(Parts[0]);
    else
      continue;
    Return->eraseFromParent();
  }
  return New;
}

void callWithValues(CallInst &Call, Function &New, ArrayRef<Parameter> Parameters) {
  IRBuilder<> B(&Call);
  bool Object = Call.hasStructRetAttr();
  SmallVector<Value *, 8> Values;
  SmallVector<std::pair<Place, const Parameter *>, 4> Regions;
  for (auto [P, Given] : zip(Parameters, drop_begin(Call.args(), Object ? 1 : 0))) {
    if (P.Kind == Parameter::Region) {
      Regions.push_back({Place(B, P, Given), &P});
      Values.push_back(readRegion(B, P, Regions.back().first));
    } else {
      Values.push_back(P.Kind == Parameter::Object ? B.CreateLoad(P.T, Given) : Given.get());
    }
  }
  CallInst *Now = B.CreateCall(&New, Values);
  Now->setCallingConv(Call.getCallingConv());
  unsigned Index = 0;
  auto Part = [&]() -> Value * { return New.getReturnType()->isStructTy() ? B.CreateExtractValue(Now, Index++) : Now; };
  if (Object)
    B.CreateStore(Part(), firstArgument(Call));
  else if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Part());
  for (auto &[At, P] : Regions)
    createOperation(B, Op::MemoryWrite, B.getVoidTy(),
                    {At.First, Part(), At.RowStride, B.getInt32(P->Columns), At.Stride});
  Call.eraseFromParent();
}

} // namespace

bool isSubroutine(const Function &F) {
  return !F.isDeclaration() && F.hasFnAttribute(SubroutineAttribute) && F.hasFnAttribute(Attribute::NoInline);
}

bool keepSubroutines(Module &M) {
  SmallVector<Function *, 8> Marked;
  for (Function &F : M)
    if (F.hasFnAttribute(SubroutineAttribute))
      Marked.push_back(&F);
  bool Changed = false;
  for (Function *F : Marked) {
    auto Parameters = isCalledOften(*F) && isClosed(*F) ? parametersOf(*F) : std::nullopt;
    if (!Parameters)
      continue;
    Function *New = withValues(*F, *Parameters);
    New->removeFnAttr(Attribute::AlwaysInline);
    New->addFnAttr(Attribute::NoInline);
    Changed = true;
    for (User *U : make_early_inc_range(F->users()))
      callWithValues(*cast<CallInst>(U), *New, *Parameters);
    F->eraseFromParent();
  }
  return Changed;
}

bool foldUnchangedResults(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    auto *Results = dyn_cast<StructType>(F.getReturnType());
    if (F.isDeclaration() || !F.hasLocalLinkage() || !Results)
      continue;
    for (unsigned K = 0; K < Results->getNumElements(); ++K) {
      Argument *Same = nullptr;
      bool All = true;
      for (BasicBlock &Block : F)
        if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
          auto *A = dyn_cast_or_null<Argument>(FindInsertedValue(Return->getReturnValue(), K));
          All &= A && (!Same || A == Same);
          Same = A;
        }
      if (!All || !Same)
        continue;
      for (User *Call : F.users())
        for (User *U : make_early_inc_range(Call->users()))
          if (auto *Part = dyn_cast<ExtractValueInst>(U); Part && Part->getIndices() == ArrayRef(K)) {
            Part->replaceAllUsesWith(cast<CallInst>(Call)->getArgOperand(Same->getArgNo()));
            Part->eraseFromParent();
            Changed = true;
          }
    }
  }
  return Changed;
}

bool inlineSubroutines(Module &M, function_ref<bool(const Function &)> Which) {
  bool Any = false;
  for (Function &F : M)
    if (isSubroutine(F) && (!Which || Which(F))) {
      F.removeFnAttr(Attribute::NoInline);
      F.addFnAttr(Attribute::AlwaysInline);
      Any = true;
    }
  if (!Any)
    return false;
  runLlvmPasses(M, "always-inline,globaldce,function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce)");
  foldRegionsOfConstants(M);
  collapseRegions(M);
  removeDeadElements(M);
  return true;
}

} // namespace pocm
