//===- Diagnostics.cpp - Errors where the user made them ----------------------===//
#include "frontend/Diagnostics.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"

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

/// Why the headers deleted a function that is used, or empty.
StringRef reasonOf(StringRef Message) {
  if (Message.starts_with("call to deleted member function") || Message.starts_with("call to deleted function"))
    return Message.drop_front(std::min(Message.size(), Message.find("': ") + 3));
  return Message.consume_front("attempt to use a deleted function: ") ? Message : "";
}

} // namespace

void Diagnostics::BeginSourceFile(const LangOptions &LanguageOptions, const Preprocessor *PP) {
  Language = &LanguageOptions;
  Printer.BeginSourceFile(LanguageOptions, PP);
}

void Diagnostics::EndSourceFile() {
  flush();
  Printer.EndSourceFile();
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
    TextDiagnostic(Stream, *Language, Options).emitDiagnostic(Where, Held->Level, Held->Message, {}, {});
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
    if (Held && Where.isValid() && !Inside) {
      report(Where.getExpansionLoc());
      DropNotes = true;
    }
    if (Held || DropNotes || Inside) // a candidate or a declaration in the headers says nothing to users
      return;
  } else {
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
    StringRef Reason = Where.isValid() && Level >= DiagnosticsEngine::Error ? reasonOf(Message) : "";
    if (!Reason.empty()) { // it says it all
      Held = Pending{Level, Where, Reason.str(), true};
      report(Where.getExpansionLoc());
      DropNotes = true;
      return;
    }
  }
  Printer.HandleDiagnostic(Level, Info);
}

} // namespace pocm::frontend
