//===- Diagnostics.h - Errors where the user made them ------------------------===//
#pragma once

#include "clang/Frontend/TextDiagnosticPrinter.h"
#include <set>

namespace pocm::frontend {

/// Prints diagnostics as Clang does, with one change: what is found inside the language's own headers is reported at
/// the user's line that led there, as one sentence without a backtrace through the headers.
///
///     cm/detail/objects.h:22:5: error: static assertion failed due to requirement '...': both sides have ...
///     cm/detail/objects.h:130:12: note: in instantiation of ...
///     kernel.cpp:7:5: note: in instantiation of ...
///  -> kernel.cpp:7:5: error: both sides have ...
class Diagnostics : public clang::DiagnosticConsumer {
public:
  Diagnostics(llvm::raw_ostream &Stream, clang::DiagnosticOptions &Options, llvm::StringRef HeaderFolder)
      : Stream(Stream), Options(Options), HeaderFolder(HeaderFolder), Printer(Stream, Options) {}

  void BeginSourceFile(const clang::LangOptions &Options, const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override;
  void finish() override { flush(); }

private:
  /// A complaint inside the headers that waits for the note with the user's line.
  struct Pending {
    clang::DiagnosticsEngine::Level Level;
    clang::FullSourceLoc Where;
    std::string Message;
    bool Sentence; // meant for users; what else fails in the headers follows from that
  };

  bool isInHeaders(clang::FullSourceLoc Where) const;
  /// Reports what is held, at this line.
  void report(clang::FullSourceLoc Where);
  void flush();

  llvm::raw_ostream &Stream;
  clang::DiagnosticOptions &Options;
  std::string HeaderFolder;
  clang::TextDiagnosticPrinter Printer;
  const clang::LangOptions *Language = nullptr;
  std::optional<Pending> Held;
  bool DropNotes = false;               // of a complaint that was reported
  clang::FullSourceLoc LastLine;        // where it was; Clang does not repeat the notes of the next one from there
  std::set<std::string> Reported, Said; // messages with their lines; lines that have a sentence
};

} // namespace pocm::frontend
