//===- Spaces.cpp - Variables of the named address spaces ------------------------------===//
//
// The headers spell __local, __global and __constant as Clang's own address spaces plus
// the attribute cm_space, which this file defines. It makes variables of what Clang allows
// in OpenCL only:
//
//     __local float tile[64];          a function's variable becomes static: one for all threads
//     __local vector<float, 16> sum;   methods know no spaces: the class's own type, in section cm.local
//
// The pass address-spaces (passes/AddressSpaces.cpp) gives them their places.
//
//===----------------------------------------------------------------------===//
#include "frontend/Spaces.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace pocm::frontend {
namespace {

constexpr const char PrivateMark[] = "cm_private";
constexpr llvm::StringRef LocalSection = "cm.local", GlobalSection = "cm.global", ConstantSection = "cm.constant";

class SpaceAttribute : public ParsedAttrInfo {
public:
  SpaceAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "cm_space"}};
    Spellings = Names;
  }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &) const override {
    auto *V = dyn_cast<VarDecl>(D);
    if (!V || isa<ParmVarDecl>(V))
      return AttributeApplied; // the type says it all
    LangAS Named = V->getType().getAddressSpace();
    if (Named == LangAS::opencl_local && V->isLocalVarDecl())
      V->setStorageClass(SC_Static);
    if (Named == LangAS::Default || !S.Context.getBaseElementType(V->getType())->isRecordType())
      return AttributeApplied;
    V->setType(S.Context.removeAddrSpaceQualType(V->getType()));
    llvm::StringRef Section = Named == LangAS::opencl_local    ? LocalSection
                              : Named == LangAS::opencl_global ? GlobalSection
                                                               : ConstantSection;
    V->addAttr(SectionAttr::CreateImplicit(S.Context, Section));
    return AttributeApplied;
  }
};

/// A pointer without a name is private too; only what is written as __private is noted, for kernels must not take it.
class PrivateAttribute : public ParsedAttrInfo {
public:
  PrivateAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, PrivateMark}};
    Spellings = Names;
  }
  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &) const override {
    StringRef Mark = PrivateMark;
    if (isa<ParmVarDecl>(D))
      D->addAttr(SuppressAttr::CreateImplicit(S.Context, &Mark, 1)); // an attribute without any effect
    return AttributeApplied;
  }
};

ParsedAttrInfoRegistry::Add<SpaceAttribute> Registered("cm_space", "a variable of a named address space");
ParsedAttrInfoRegistry::Add<PrivateAttribute> RegisteredPrivate(PrivateMark, "a pointer to the thread's own memory");

} // namespace

Space spaceOf(const VarDecl &V) {
  const auto *Section = V.getAttr<SectionAttr>();
  llvm::StringRef Name = Section ? Section->getName() : "";
  LangAS Named = V.getType().getAddressSpace();
  if (Name == LocalSection || Named == LangAS::opencl_local)
    return Space::Local;
  if (Name == GlobalSection || Named == LangAS::opencl_global)
    return Space::Global;
  if (Name == ConstantSection || Named == LangAS::opencl_constant)
    return Space::Constant;
  return Space::None;
}

bool isMarkedPrivate(const ParmVarDecl &P) {
  return llvm::any_of(P.specific_attrs<SuppressAttr>(), [](const SuppressAttr *A) {
    return llvm::is_contained(llvm::make_range(A->diagnosticIdentifiers_begin(), A->diagnosticIdentifiers_end()),
                              PrivateMark);
  });
}

} // namespace pocm::frontend
