//===- Diagnostics.cpp - Errors where the user made them ----------------------===//
#include "frontend/Diagnostics.h"
#include "frontend/Forms.h"
#include "frontend/Hints.h"
#include "ir/ObjectNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "clang/Lex/LexDiagnostic.h"
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

/// Whether a note says that a vector is no vector_ref, or the like, which one of the template's forms takes
/// (Deduction.cpp).
bool isAboutKindOfObject(StringRef Message) {
  return Message.contains(" match 'vector_ref' against 'vector'") ||
         Message.contains(" match 'vector' against 'vector_ref'") ||
         Message.contains(" match 'matrix_ref' against 'matrix'") ||
         Message.contains(" match 'matrix' against 'matrix_ref'");
}

/// Whether a pragma names one of the groups of warnings that Intel's compiler alone has.
bool isAboutOtherGroup(const Diagnostic &Info) {
  if (Info.getID() != diag::warn_pragma_diagnostic_unknown_warning)
    return false;
  SmallString<64> Text;
  Info.FormatDiagnostic(Text);
  return Text.str().contains("'-Wcm-");
}

bool saysWhoInstantiates(const Diagnostic &Info) {
  SmallString<256> Text;
  Info.FormatDiagnostic(Text);
  return Text.str().starts_with("in instantiation of") && Text.str().ends_with("requested here");
}

} // namespace

void Diagnostics::BeginSourceFile(const LangOptions &LanguageOptions, const Preprocessor *PP) {
  Language = &LanguageOptions;
  Printer.BeginSourceFile(LanguageOptions, PP);
}

/// Calls Do for every declaration of a name for kernels, with what stands before it in a form.
template <class F> static void forms(const ASTContext &Context, DeclarationName Name, F Do) {
  const DeclContext *Inner = Context.getTranslationUnitDecl();
  auto ofSpace = [&](auto &&Self, const DeclContext &Space, const std::string &Of) -> void {
    for (const NamedDecl *D : Space.lookup(Name))
      Do(*D, Of);
    for (const char *Nested : {"cmtl", "details", "dataport", "global", "lsc", "std"}) // not cm, which is inner
      for (const NamedDecl *D : Space.lookup(&Context.Idents.get(Nested)))
        if (const auto *N = dyn_cast<NamespaceDecl>(D); N && N->isFirstDecl())
          Self(Self, *N, Of + Nested + "::");
  };
  ofSpace(ofSpace, *Inner, "");
  for (const char *Space : {"cm", "detail"}) {
    auto Found = Inner->lookup(&Context.Idents.get(Space));
    if (Found.empty() || !isa<NamespaceDecl>(Found.front()))
      return;
    Inner = cast<NamespaceDecl>(Found.front());
  }
  for (auto [Class, Of] : {std::pair{"regions", "v."}, {"vector_regions", "v."}, {"matrix_regions", "m."}})
    for (const NamedDecl *D : Inner->lookup(&Context.Idents.get(Class)))
      if (const auto *Template = dyn_cast<ClassTemplateDecl>(D))
        for (const NamedDecl *Member : Template->getTemplatedDecl()->lookup(Name))
          Do(*Member, Name.isIdentifier() ? Of : StringRef(Of).drop_back());
}

/// Why a candidate does not fit, in the words of the language.
static std::string reasonFor(StringRef Message, const FunctionDecl &F) {
  StringRef Reason = Message.split(": ").second;
  if (Reason.consume_front("couldn't infer template argument '"))
    return ("template argument " + Reason.split('\'').first + " is missing").str();
  if (Reason.consume_front("invalid explicitly-specified argument for template parameter '")) {
    StringRef Name = Reason.split('\'').first;
    const FunctionTemplateDecl *Template = F.getDescribedFunctionTemplate();
    for (const NamedDecl *P : *Template->getTemplateParameters())
      if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P); Value && P->getName() == Name)
        return ("template argument " + Name + " is a constant of type " + Value->getType().getAsString()).str();
    return ("template argument " + Name + " is a type").str();
  }
  if (Reason.starts_with("could not match 'char[N]'"))
    return "the format is a string literal";
  if (Reason.contains("too many template arguments"))
    return "it takes fewer template arguments";
  if (Reason.starts_with("constraints not satisfied") || Reason.starts_with("substitution failure"))
    return "an argument is of a type that it does not take";
  return Reason.split(" [with ").first.str();
}

/// The same of a note that says which requirement is not met; empty when it says nothing to users.
static std::string requirement(StringRef Message) {
  if (!Message.consume_front("because '"))
    return "";
  StringRef Type = Message.split("' does not satisfy '").first, Concept = Message.split("' does not satisfy '").second;
  if (Concept.starts_with("object"))
    return ("'" + Type + "' is no vector, matrix or reference").str();
  if (Concept.starts_with("operand") || Concept.starts_with("scalar"))
    return ("'" + Type + "' is neither an object nor a number").str();
  unsigned Sources = 0;
  if (StringRef(Message).contains("_sources(") && !Message.split(" (").second.consumeInteger(10, Sources))
    return "this operation takes " + std::to_string(Sources) + " source" + (Sources == 1 ? "" : "s");
  return "";
}

/// The function that a call names and no form of which fits; nothing for other messages.
DeclarationName Diagnostics::nameOfCall(const Diagnostic &Info) const {
  if (Info.getID() == diag::err_ovl_no_viable_object_call && Context)
    return Context->DeclarationNames.getCXXOperatorName(OO_Call);
  bool Named = Info.getID() == diag::err_ovl_no_viable_function_in_call ||
               Info.getID() == diag::err_ovl_no_viable_member_function_in_call;
  return Named && Info.getArgKind(0) == DiagnosticsEngine::ak_declarationname
             ? DeclarationName::getFromOpaqueInteger(uintptr_t(Info.getRawArg(0)))
             : DeclarationName();
}

void Diagnostics::keepForm(const Diagnostic &Note) {
  if (!Context || !Called)
    return;
  SmallString<256> Message;
  Note.FormatDiagnostic(Message);
  if (std::string Required = requirement(Message); !Required.empty() && Refined < Forms.size()) {
    Forms[Refined].Reason = Required;
    Refined = Forms.size();
    return;
  }
  forms(*Context, Called, [&](const NamedDecl &D, StringRef Of) {
    const FunctionDecl *F = D.getAsFunction();
    if (!F || D.getLocation() != Note.getLocation() || F->isDeleted() || isForwarder(*F))
      return;
    Form New{Of.str() + formOf(*F), reasonFor(Message, *F)};
    if (llvm::any_of(Forms, [&](const Form &Old) { return Old.Text == New.Text; }))
      return;
    Refined = New.Reason.starts_with("an argument is of a type") ? Forms.size() : ~size_t(0);
    Forms.push_back(std::move(New));
  });
}

void Diagnostics::printForms() {
  constexpr size_t Most = 3;
  // Those with as many parameters as there are arguments are nearest.
  std::vector<const Form *> Nearest;
  for (bool Apart : {false, true})
    for (const Form &F : Forms)
      if (F.Reason.starts_with("requires") == Apart)
        Nearest.push_back(&F);
  for (const Form *F : ArrayRef(Nearest).take_front(Most))
    printNote(F->Text + ": " + F->Reason);
  Forms.clear();
  passOn();
}

void Diagnostics::printNote(StringRef Text) {
  if (Language)
    TextDiagnostic(Buffer, *Language, Options).emitDiagnostic(FullSourceLoc(), DiagnosticsEngine::Note, Text, {}, {});
}

void Diagnostics::passOn() {
  Stream << withObjectNames(Written);
  Written.clear();
}

void Diagnostics::EndSourceFile() {
  endCandidates();
  printForms();
  Context = nullptr;
  flush();
  Printer.EndSourceFile();
  passOn();
  Language = nullptr;
}

bool Diagnostics::isSaidBetter(FullSourceLoc Where, StringRef Note) {
  if (!Note.starts_with("candidate template ignored"))
    return false;
  std::string Candidate = std::to_string(Where.getRawEncoding());
  if (isAboutKindOfObject(Note)) {
    OfKind.push_back({DiagnosticsEngine::Note, Where, Note.str(), false});
    return true;
  }
  Candidates.insert(Candidate);
  return !Candidates.insert(Candidate + Note.str()).second;
}

void Diagnostics::endCandidates() {
  for (const Pending &Note : OfKind)
    if (std::string Candidate = std::to_string(Note.Where.getRawEncoding());
        Language && Candidates.insert(Candidate).second)
      TextDiagnostic(Buffer, *Language, Options).emitDiagnostic(Note.Where, Note.Level, Note.Message, {}, {});
  OfKind.clear();
  Candidates.clear();
  passOn();
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
  Complaint = Line + Held->Message;
  NameCallers = !Follows && Language && Reported.insert(Complaint).second;
  if (NameCallers) {
    TextDiagnostic(Buffer, *Language, Options).emitDiagnostic(Where, Held->Level, Held->Message, {}, {});
    if (std::string Hint = Held->Sentence ? "" : hintFor(withObjectNames(Held->Message)); !Hint.empty())
      printNote(Hint);
  } else {
    --(Held->Level >= DiagnosticsEngine::Error ? NumErrors : NumWarnings); // it is not shown
    Called = DeclarationName();
  }
  passOn();
  LastLine = Where;
  Again.reset();
  if (!Follows && Language && !NameCallers)
    Again = Pending{Held->Level, Where, Held->Message, true};
  Held.reset();
}

void Diagnostics::nameCaller(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  SmallString<256> Caller;
  Info.FormatDiagnostic(Caller);
  bool New = Reported.insert(Complaint + Caller.str().str()).second;
  if (Again && New) { // another instance of the template that the line is in
    TextDiagnostic(Buffer, *Language, Options).emitDiagnostic(Again->Where, Again->Level, Again->Message, {}, {});
    ++(Again->Level >= DiagnosticsEngine::Error ? NumErrors : NumWarnings);
    NameCallers = true;
  }
  Again.reset();
  if (NameCallers)
    Printer.HandleDiagnostic(Level, Info);
  passOn();
}

void Diagnostics::flush() {
  if (!Held)
    return;
  report(LastLine.isValid() ? LastLine : Held->Where);
}

void Diagnostics::HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) {
  if (isAboutOtherGroup(Info))
    return;
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
      return;
    }
    if (DropNotes && (NameCallers || Again) && Where.isValid() && !Inside && saysWhoInstantiates(Info))
      return nameCaller(Level, Info);
    if (Held && Inside && saysWhoInstantiates(Info))
      LastLine = FullSourceLoc(); // it does not follow the one before: its callers are its own
    if (Inside && !Held)
      keepForm(Info);
    if (Held || DropNotes || Inside) // a candidate or a declaration in the headers says nothing to users
      return;
  } else {
    endCandidates();
    printForms();
    Called = DeclarationName();
    flush();
    DropNotes = NameCallers = false;
    Again.reset();
    SmallString<256> Message;
    Info.FormatDiagnostic(Message);
    if (Level >= DiagnosticsEngine::Error && !Inside && Conversions.look(Info, Message)) {
      --NumErrors; // of the program that is read next there are none
      DropNotes = true;
      return;
    }
    if (Inside && Level >= DiagnosticsEngine::Warning) {
      std::string Sentence = sentenceOf(Message);
      Held = Pending{Level, Where, Sentence.empty() ? Message.str().str() : Sentence, !Sentence.empty()};
      if (Sentence.empty()) // sizes and types that are written out go through a form of their own
        Called = nameOfCall(Info);
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
  SmallString<256> Message;
  Info.FormatDiagnostic(Message);
  if (Level == DiagnosticsEngine::Note) {
    if (isSaidBetter(Where, withObjectNames(Message)))
      return;
    printForms(); // they stand before what called the function
  } else {
    Called = nameOfCall(Info);
  }
  Printer.HandleDiagnostic(Level, Info);
  if (std::string Hint = hintFor(withObjectNames(Message)); !Hint.empty())
    printNote(Hint);
  if (StringRef(Message) == "expected '}'" && Where.isValid() && Level >= DiagnosticsEngine::Error)
    if (std::string Block = unendedBlock(Where.getBufferData()); !Block.empty())
      printNote(Block);
  passOn();
}

} // namespace pocm::frontend
