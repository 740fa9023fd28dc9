//===- Objects.cpp - Vectors, matrices and references among Clang's types ---------------===//
//
// vector<float, 8> is the class vector_of<float[8]>, matrix<float, 2, 8> is
// matrix_of<float[2][8]>, and so are their references (include/cm/detail/regions.h).
//
//===----------------------------------------------------------------------===//
#include "frontend/Objects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace pocm::frontend {

std::optional<Object> objectNamed(llvm::StringRef ClassTemplate) {
  if (!ClassTemplate.consume_back("_of"))
    return std::nullopt;
  Object Found;
  Found.Reference = ClassTemplate.consume_back("_ref");
  Found.Matrix = ClassTemplate == "matrix";
  return Found.Matrix || ClassTemplate == "vector" ? std::optional(Found) : std::nullopt;
}

std::optional<Object> objectOf(QualType T) {
  const auto *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  const auto *Instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Class);
  std::optional<Object> Found = Instance ? objectNamed(Instance->getName()) : std::nullopt;
  if (!Found || Instance->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  ASTContext &Context = Instance->getASTContext();
  const auto *Array = Context.getAsConstantArrayType(Instance->getTemplateArgs()[0].getAsType());
  if (Array && Found->Matrix) {
    Found->Rows = unsigned(Array->getSize().getZExtValue());
    Array = Context.getAsConstantArrayType(Array->getElementType());
  }
  if (!Array)
    return std::nullopt;
  Found->Columns = unsigned(Array->getSize().getZExtValue());
  Found->Element = Array->getElementType();
  return Found;
}

} // namespace pocm::frontend
