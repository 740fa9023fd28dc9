//===- Forms.cpp - How functions are called ----------------------------------------------===//
//
// For messages and the reference: what a call must say and what it may leave out.
//
//     template <class T0, operand A> auto cm_abs(const A &X, int Flag = 0)
//  -> cm_abs<T0>(X[, int Flag])            in <> what must be said, in [] what need not
//
//===----------------------------------------------------------------------===//
#include "frontend/Forms.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// Whether a function's parameters tell a template argument.
bool isDeduced(const NamedDecl &Parameter, const FunctionDecl &F) {
  return llvm::any_of(F.parameters(), [&](const ParmVarDecl *P) {
    std::string Type = " " + P->getType().getAsString() + " ";
    for (char &C : Type)
      C = llvm::isAlnum(C) || C == '_' ? C : ' ';
    return StringRef(Type).contains((" " + Parameter.getName() + " ").str());
  });
}

bool hasDefault(const NamedDecl &P) {
  if (auto *Type = dyn_cast<TemplateTypeParmDecl>(&P))
    return Type->hasDefaultArgument();
  auto *Value = dyn_cast<NonTypeTemplateParmDecl>(&P);
  return Value && Value->hasDefaultArgument();
}

} // namespace

bool isForwarder(const FunctionDecl &F) {
  return llvm::any_of(F.parameters(), [](const ParmVarDecl *P) { return P->isParameterPack(); }) &&
         F.parameters().back()->getName() == "Arguments" && F.getNumParams() == 1;
}

/// "<T, VectorSize VS[, L1, L2]>": what must be said and what need not be; "[<T>]" when nothing must.
static std::string templateArguments(const FunctionDecl &F) {
  const auto *Template = F.getDescribedFunctionTemplate();
  if (!Template)
    return "";
  ArrayRef<NamedDecl *> All = Template->getTemplateParameters()->asArray();
  auto isNeeded = [&](const NamedDecl *P) {
    return !isDeduced(*P, F) && !hasDefault(*P) && !P->isParameterPack() && !P->getName().empty();
  };
  auto Last = llvm::find_if(llvm::reverse(All), isNeeded).base(); // in front of it all are said
  std::string Said, Optional;
  for (auto At = All.begin(); At != All.end(); ++At) {
    const NamedDecl *P = *At;
    if ((isDeduced(*P, F) && At >= Last) || P->isParameterPack() || P->getName().empty())
      continue;
    const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P);
    if (hasDefault(*P))
      Optional += (Optional.empty() && Said.empty() ? "" : ", ") + P->getNameAsString();
    else
      Said += (Said.empty() ? "" : ", ") +
              (Value && Value->getType()->isEnumeralType() ? Value->getType().getAsString() + " " : "") +
              P->getNameAsString();
  }
  if (Said.empty())
    return Optional.empty() ? "" : "[<" + Optional + ">]";
  return "<" + Said + (Optional.empty() ? "" : "[" + Optional + "]") + ">";
}

std::string formOf(const FunctionDecl &F) {
  bool IsCall = F.getOverloadedOperator() == OO_Call; // v(I)
  std::string Text = (IsCall ? "" : F.getNameAsString()) + templateArguments(F) + "(", Optional;
  for (unsigned I = 0; I < F.getNumParams(); ++I) {
    const ParmVarDecl *P = F.getParamDecl(I);
    if (P->hasDefaultArg() && P->getName().empty())
      continue;
    std::string Name = P->getNameAsString();
    if (Name.empty() || !P->getType()->isDependentType())
      Name = P->isParameterPack() ? "..."
                                  : P->getType().getNonReferenceType().getUnqualifiedType().getAsString() +
                                        (Name.empty() ? "" : " ") + Name;
    if (P->hasDefaultArg())
      Text += "[", Optional += "]";
    Text += (I ? ", " : "") + Name;
  }
  return Text + Optional + ")";
}

} // namespace pocm::frontend
