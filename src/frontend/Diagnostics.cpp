//===- Diagnostics.cpp - Errors where the user made them ----------------------===//
#include "frontend/Diagnostics.h"
#include "frontend/Forms.h"
#include "ir/ObjectNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "clang/Sema/SemaDiagnostic.h"

using namespace clang;

namespace pocm::frontend {
namespace {

/// The sentence of a failed static_assert, or empty.
std::string sentenceOf(StringRef Message) {
  if (!Message.consume_front("static assertion failed"))
    return "";
  size_t Requirement = Message.find("': ");
  if (Requirement != StringRef::npos)
    return Message.drop_front(Requirement + 3).str();
  Message.consume_front(": ");
  return Message.str();
}

/// The name of a macro, type or enumerator of motion estimation or video scaling that is not known; else empty.
std::string videoName(StringRef Message) {
  if (!Message.consume_front("use of undeclared identifier '") && !Message.consume_front("unknown type name '"))
    return "";
  StringRef Name = Message.take_until([](char C) { return C == '\''; });
  for (StringRef Stem : {"VME_", "INIT_VME_", "CM_VME_", "VMESearchCtrl", "VME", "AVS_", "CM_AVS_"})
    if (Name.starts_with(Stem))
      return Name.str();
  return "";
}

bool isAboutAssembly(const Diagnostic &Info) {
  const DiagnosticIDs &All = *Info.getDiags()->getDiagnosticIDs();
  return All.getCategoryNameFromID(All.getCategoryNumberForDiag(Info.getID())) == "Inline Assembly Issue";
}

/// Why the headers deleted a function that is used, or empty.
StringRef reasonOf(StringRef Message) {
  if (Message.starts_with("call to deleted member function") || Message.starts_with("call to deleted function") ||
      Message.starts_with("overload resolution selected deleted operator"))
    return Message.drop_front(std::min(Message.size(), Message.find("': ") + 3));
  return Message.consume_front("attempt to use a deleted function: ") ? Message : "";
}

/// Whether a note is about a function's second form (Deduction.cpp): why it does not fit either, or that it calls the
/// first.
bool isOfSecondForm(const Diagnostic &Info) {
  SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  StringRef Message = Text;
  if (Message.contains("vector_source") || Message.contains("matrix_source"))
    return true;
  if (Info.getNumArgs() == 0 || Info.getArgKind(0) != DiagnosticsEngine::ak_nameddecl)
    return false;
  auto *Function = reinterpret_cast<const NamedDecl *>(Info.getRawArg(0))->getAsFunction();
  return Function && Info.getLocation() == Function->getLocation() && Message.contains("requested here");
}

} // namespace

void Diagnostics::BeginSourceFile(const LangOptions &LanguageOptions, const Preprocessor *PP) {
  Language = &LanguageOptions;
  Printer.BeginSourceFile(LanguageOptions, PP);
}

void Diagnostics::keepForm(const Diagnostic &Note) {
  if (!Context || !Called)
    return;
  for (const NamedDecl *D : Context->getTranslationUnitDecl()->lookup(Called)) {
    const FunctionDecl *F = D->getAsFunction();
    if (!F || D->getLocation() != Note.getLocation() || F->isDeleted() || isForwarder(*F))
      continue;
    SmallString<256> Message;
    Note.FormatDiagnostic(Message);
    StringRef Reason = Message.str().split(": ").second;
    if (Reason.starts_with("constraints not satisfied") || Reason.starts_with("substitution failure"))
      Reason = "an argument is of a type that it does not take";
    else if (Reason.starts_with("couldn't infer"))
      Reason = "a template argument is missing";
    Form New{formOf(*F), Reason.split(" [with ").first.str()};
    if (llvm::none_of(Forms, [&](const Form &Old) { return Old.Text == New.Text; }))
      Forms.push_back(std::move(New));
    return;
  }
}

void Diagnostics::printForms() {
  constexpr size_t Most = 3;
  // Those with as many parameters as there are arguments are nearest.
  llvm::stable_sort(Forms, [](const Form &A, const Form &B) {
    return !StringRef(A.Reason).starts_with("requires") && StringRef(B.Reason).starts_with("requires");
  });
  for (const Form &F : ArrayRef(Forms).take_front(Most))
    if (Language)
      TextDiagnostic(Buffer, *Language, Options)
          .emitDiagnostic(FullSourceLoc(), DiagnosticsEngine::Note, F.Text + ": " + F.Reason, {}, {});
  Forms.clear();
  passOn();
}

void Diagnostics::passOn() {
  Stream << withObjectNames(Written);
  Written.clear();
}

void Diagnostics::EndSourceFile() {
  printForms();
  Context = nullptr;
  flush();
  Printer.EndSourceFile();
  passOn();
  Language = nullptr;
}

bool Diagnostics::isInHeaders(FullSourceLoc Where) const {
  if (!Where.hasManager())
    return false;
  PresumedLoc Line = Where.getManager().getPresumedLoc(Where.getExpansionLoc());
  return Line.isValid() && StringRef(Line.getFilename()).starts_with(HeaderFolder);
}

void Diagnostics::report(FullSourceLoc Where) {
  std::string Line = std::to_string(Where.getRawEncoding());
  bool Follows = !Held->Sentence && Said.contains(Line);
  if (Held->Sentence)
    Said.insert(Line);
  if (!Follows && Language && Reported.insert(Line + Held->Message).second)
    TextDiagnostic(Buffer, *Language, Options).emitDiagnostic(Where, Held->Level, Held->Message, {}, {});
  passOn();
  LastLine = Where;
  Held.reset();
}

void Diagnostics::flush() {
  if (!Held)
    return;
  report(LastLine.isValid() ? LastLine : Held->Where);
}

void Diagnostics::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
  FullSourceLoc Where;
  if (Info.hasSourceManager() && Info.getLocation().isValid())
    Where = FullSourceLoc(Info.getLocation(), Info.getSourceManager());
  bool Inside = Where.isValid() && isInHeaders(Where);
  if (Level == DiagnosticsEngine::Note) {
    if (isOfSecondForm(Info))
      return;
    if (Held && Where.isValid() && !Inside) {
      report(Where.getExpansionLoc());
      DropNotes = true;
    }
    if (Inside && !Held)
      keepForm(Info);
    if (Held || DropNotes || Inside) // a candidate or a declaration in the headers says nothing to users
      return;
  } else {
    printForms();
    Called = DeclarationName();
    flush();
    DropNotes = false;
    SmallString<256> Message;
    Info.FormatDiagnostic(Message);
    if (Inside && Level >= DiagnosticsEngine::Warning) {
      std::string Sentence = sentenceOf(Message);
      Held = Pending{Level, Where, Sentence.empty() ? Message.str().str() : Sentence, !Sentence.empty()};
      return;
    }
    LastLine = FullSourceLoc();
    if (Level >= DiagnosticsEngine::Error && Where.isValid() &&
        (isAboutAssembly(Info) || StringRef(Message) == AssemblyRefused)) { // whatever else is wrong with it
      PresumedLoc Line = Where.getManager().getPresumedLoc(Where.getExpansionLoc());
      Held = Pending{Level, Where, AssemblyRefused, true};
      if (AssemblyLines.insert({Line.getFilename(), Line.getLine()}).second)
        report(Where.getExpansionLoc());
      else
        --NumErrors;
      Held.reset();
      DropNotes = true;
      return;
    }
    if (std::string Video = videoName(Message); !Video.empty() && Where.isValid() && !Inside) {
      Held = Pending{Level, Where, Video + ": fixed-function video hardware is not supported", true};
      report(Where.getExpansionLoc());
      DropNotes = true;
      return;
    }
    StringRef Reason = Where.isValid() && Level >= DiagnosticsEngine::Error ? reasonOf(Message) : "";
    if (!Reason.empty()) { // it says it all
      Held = Pending{Level, Where, Reason.str(), true};
      report(Where.getExpansionLoc());
      DropNotes = true;
      return;
    }
  }
  if (Level == DiagnosticsEngine::Note)
    printForms(); // they stand before what called the function
  else if (Info.getID() == diag::err_ovl_no_viable_function_in_call &&
           Info.getArgKind(0) == DiagnosticsEngine::ak_declarationname)
    Called = DeclarationName::getFromOpaqueInteger(uintptr_t(Info.getRawArg(0)));
  Printer.HandleDiagnostic(Level, Info);
  passOn();
}

} // namespace pocm::frontend
