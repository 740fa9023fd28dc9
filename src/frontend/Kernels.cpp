//===- Kernels.cpp - The kernels of a translation unit ------------------------===//
//
// Watches Clang's AST go by and notes, for every function marked _GENX_MAIN_, its name
// and the kind, element type and count of each parameter. A kernel is called by a host:
// it returns nothing and takes nothing by reference; instances of a template are kernels.
//
//===----------------------------------------------------------------------===//
#include "frontend/Kernels.h"
#include "frontend/Objects.h"
#include "frontend/Spaces.h"
#include "program/KernelNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace pocm::frontend {

bool isKernel(const FunctionDecl &F) {
  for (const auto *A : F.specific_attrs<AnnotateAttr>())
    if (A->getAnnotation() == "genx_main")
      return true;
  return false;
}

namespace {

/// CM's name of a scalar type.
std::string scalarName(QualType T, const ASTContext &Context) {
  T = T.getCanonicalType().getUnqualifiedType();
  if (const auto *Enum = T->getAsEnumDecl())
    T = Enum->getIntegerType().getCanonicalType();
  if (const auto *Builtin = T->getAs<BuiltinType>())
    switch (Builtin->getKind()) {
    case BuiltinType::Bool:
      return "bool";
    case BuiltinType::UChar:
      return "uchar";
    case BuiltinType::UShort:
      return "ushort";
    case BuiltinType::UInt:
      return "uint";
    case BuiltinType::Char_S:
    case BuiltinType::SChar:
      return "char";
    case BuiltinType::Short:
      return "short";
    case BuiltinType::Int:
      return "int";
    case BuiltinType::Long:
    case BuiltinType::LongLong:
      return "longlong";
    case BuiltinType::ULong:
    case BuiltinType::ULongLong:
      return "ulonglong";
    case BuiltinType::Float16:
      return "half";
    case BuiltinType::BFloat16:
      return "bfloat16";
    case BuiltinType::Float:
      return "float";
    case BuiltinType::Double:
      return "double";
    default:
      break;
    }
  return "";
}

class Collector : public ASTConsumer {
public:
  explicit Collector(std::vector<ParsedKernel> &Kernels) : Kernels(Kernels) {}

  void Initialize(ASTContext &C) override { Context = &C; }
  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      visit(D);
    return true;
  }
  /// The kernels of a template are its explicit instances: template void scale<float>(SurfaceIndex);
  void HandleTranslationUnit(ASTContext &) override {
    for (FunctionTemplateDecl *T : Templates)
      if (llvm::none_of(T->specializations(), [](const FunctionDecl *F) {
            return F->getTemplateSpecializationKind() == TSK_ExplicitInstantiationDefinition;
          }))
        error(T->getLocation(),
              "kernel '%0' is a template without an instance; a host can only call a function: write 'template void "
              "%0<...>(...);' behind it",
              T->getNameAsString());
    DiagnosticsEngine &Diags = Context->getDiagnostics();
    if (Kernels.empty() && !Diags.hasErrorOccurred())
      reportWarning(Diags, diag::Group::Unused, SourceLocation(),
                    "no function of this file is a kernel: mark one with _GENX_MAIN_");
  }

private:
  void visit(Decl *D) {
    if (auto *Scope = dyn_cast<LinkageSpecDecl>(D))
      for (Decl *Inner : Scope->decls())
        visit(Inner);
    else if (auto *Scope = dyn_cast<NamespaceDecl>(D))
      for (Decl *Inner : Scope->decls())
        visit(Inner);
    else if (auto *F = dyn_cast<FunctionDecl>(D); F && isKernel(*F) && F->isThisDeclarationADefinition())
      add(*F);
    else if (auto *T = dyn_cast<FunctionTemplateDecl>(D); T && isKernel(*T->getTemplatedDecl()))
      Templates.push_back(T);
  }

  /// What hosts call a kernel: an instance of a template has its arguments in the name.
  std::string nameOf(const FunctionDecl &F) const {
    std::string Name;
    llvm::raw_string_ostream Stream(Name);
    F.getDeclName().print(Stream, Context->getPrintingPolicy());
    if (const TemplateArgumentList *Arguments = F.getTemplateSpecializationArgs())
      printTemplateArgumentList(Stream, Arguments->asArray(), Context->getPrintingPolicy());
    return Name;
  }

  template <unsigned N, class... Args> void error(SourceLocation Where, const char (&Text)[N], Args... Arguments) {
    reportError(*Context, Where, Text, Arguments...);
  }

  void add(FunctionDecl &F) {
    std::string Name = nameOf(F);
    if (!pocm::program::isKernelName(Name))
      error(F.getTemplateSpecializationArgs() ? F.getPointOfInstantiation() : F.getLocation(),
            "the name of kernel '%0', as it is written out, has a slash, a backslash or a quote in it, with which no "
            "host "
            "can load it; pass the number instead of the character",
            Name);
    if (!F.getReturnType()->isVoidType())
      error(F.getLocation(), "kernel '%0' returns a value; a kernel returns void and writes its results to surfaces",
            Name);
    if (F.getFormalLinkage() != Linkage::External || F.isInlined())
      error(F.getLocation(), "kernel '%0' is static or inline; the host cannot see it", Name);
    if (F.isVariadic())
      error(F.getLocation(), "kernel '%0' takes any number of arguments; a host sets each of them by its place", Name);
    for (const ParsedKernel &Other : Kernels)
      if (Other.Name == Name)
        error(F.getLocation(), "a second kernel '%0'; hosts find kernels by this name alone", Name);
    ParsedKernel Kernel{ASTNameGenerator(*Context).getName(&F), Name, {}};
    for (const auto *A : F.specific_attrs<AnnotateAttr>())
      if (A->getAnnotation() == "genx_float_control" && A->args_size() == 1)
        if (Expr::EvalResult Bits; (*A->args_begin())->EvaluateAsInt(Bits, *Context))
          Kernel.FloatControl |= unsigned(Bits.Val.getInt().getZExtValue());
    for (const ParmVarDecl *P : F.parameters())
      Kernel.Parameters.push_back(parameter(*P, Name));
    Kernels.push_back(std::move(Kernel));
  }

  // What a message calls a parameter: its name, or its place where it has none.
  static std::string calledOf(const ParmVarDecl &P) {
    return P.getName().empty() ? std::to_string(P.getFunctionScopeIndex() + 1) : "'" + P.getNameAsString() + "'";
  }

  pocm::KernelParameter parameter(const ParmVarDecl &P, const std::string &Kernel) {
    QualType T = P.getType().getCanonicalType();
    if (T->isReferenceType()) {
      error(P.getLocation(), "parameter %0 of kernel '%1' is a reference; pass the value", calledOf(P), Kernel);
      return {};
    }
    if (T->isPointerType() && (T->getPointeeType().getAddressSpace() == LangAS::opencl_generic || isMarkedPrivate(P)))
      error(P.getLocation(),
            "parameter %0 of kernel '%1' points to memory that may be a thread's own, which no host has; "
            "write __global or no address space",
            calledOf(P), Kernel);
    if (T->isPointerType() && T->getPointeeType().getAddressSpace() == LangAS::opencl_local)
      return {pocm::ParameterKind::General, "uint", 1}; // where it points to in shared local memory, in bytes
    if (T->isPointerType())                             // an address that the host shares
      return {pocm::ParameterKind::General, "ulonglong", 1};
    if (std::string Scalar = scalarName(T, *Context); !Scalar.empty())
      return {pocm::ParameterKind::General, Scalar, 1};
    const auto *Class = T->getAsCXXRecordDecl();
    std::string ClassName = Class ? Class->getNameAsString() : "";
    if (ClassName == "SurfaceIndex")
      return {pocm::ParameterKind::Surface, "SurfaceIndex", 1};
    if (ClassName == "SamplerIndex")
      return {pocm::ParameterKind::Sampler, "SamplerIndex", 1};
    if (std::optional<Object> Found = objectOf(T); Found && !Found->Reference) {
      const auto *OfSurfaces = Found->Element->getAsCXXRecordDecl();
      if (OfSurfaces && OfSurfaces->getName() == "SurfaceIndex")
        return {pocm::ParameterKind::Surface, "SurfaceIndex", Found->count()};
      if (std::string Element = scalarName(Found->Element, *Context); !Element.empty())
        return {pocm::ParameterKind::General, Element, Found->count()};
    }
    error(P.getLocation(),
          "parameter %0 of kernel '%1' has type '%2'; kernels take scalars, vectors, matrices, pointers and "
          "SurfaceIndex",
          calledOf(P), Kernel, P.getType().getAsString());
    return {};
  }

  std::vector<ParsedKernel> &Kernels;
  std::vector<FunctionTemplateDecl *> Templates;
  ASTContext *Context = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer> collectKernels(std::vector<ParsedKernel> &Kernels) {
  return std::make_unique<Collector>(Kernels);
}

} // namespace pocm::frontend
