//===- Diagnostics.h - Errors where the user made them ------------------------===//
#pragma once

#include "frontend/ShortFloats.h"
#include "clang/AST/DeclarationName.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include <set>

namespace pocm::frontend {

/// What is said of every assembly statement with text.
constexpr const char AssemblyRefused[] =
    "inline assembly is vISA text for the Gen hardware and has no meaning here; write it in CM";

/// Prints diagnostics as Clang does, with one change: what is found inside the language's own headers is reported at
/// the user's line that led there, as one sentence without a backtrace through the headers.
///
///     cm/detail/objects.h:22:5: error: static assertion failed due to requirement '...': both sides have ...
///     cm/detail/objects.h:130:12: note: in instantiation of ...
///     kernel.cpp:7:5: note: in instantiation of ...
///  -> kernel.cpp:7:5: error: both sides have ...
class Diagnostics : public clang::DiagnosticConsumer {
public:
  Diagnostics(llvm::raw_ostream &Stream, clang::DiagnosticOptions &Options, llvm::StringRef HeaderFolder,
              ShortFloats &Conversions)
      : Stream(Stream), Options(Options), HeaderFolder(HeaderFolder), Conversions(Conversions),
        Printer(Buffer, Options) {
    Buffer.enable_colors(Stream.colors_enabled());
  }

  void BeginSourceFile(const clang::LangOptions &Options, const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override;
  void finish() override { flush(); }
  /// What is being parsed, in which the forms of a built-in are found.
  void setContext(const clang::ASTContext *Now) { Context = Now; }

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
  /// Prints a note that says from where a template was instantiated, and before it what is complained of there again.
  void nameCaller(clang::DiagnosticsEngine::Level Level, const clang::Diagnostic &Info);

  /// A form of a built-in that a call does not fit, and why not.
  struct Form {
    std::string Text, Reason;
  };
  /// Keeps what a note about a candidate in the headers says.
  void keepForm(const clang::Diagnostic &Note);
  /// Prints the nearest of them.
  void printForms();
  clang::DeclarationName nameOfCall(const clang::Diagnostic &Info) const;
  /// Whether a note about a candidate is for later, or was printed of another form of the same template.
  bool isSaidBetter(clang::FullSourceLoc Where, llvm::StringRef Note);
  /// Prints what waited of candidates of which nothing else was said.
  void endCandidates();
  /// A note that belongs to no place.
  void printNote(llvm::StringRef Text);

  /// Prints what Clang has written, with the names of objects that users know.
  void passOn();

  llvm::raw_ostream &Stream;
  std::string Written;
  llvm::raw_string_ostream Buffer{Written};
  clang::DiagnosticOptions &Options;
  std::string HeaderFolder;
  ShortFloats &Conversions;
  clang::TextDiagnosticPrinter Printer;
  const clang::LangOptions *Language = nullptr;
  const clang::ASTContext *Context = nullptr;
  clang::DeclarationName Called; // by a call that no form fits
  std::vector<Form> Forms;
  size_t Refined = ~size_t(0);      // the form whose reason the next note may say more about
  std::vector<Pending> OfKind;      // notes about candidates that isSaidBetter keeps for later
  std::set<std::string> Candidates; // places of those that something was said of, and what
  std::optional<Pending> Held;
  std::optional<Pending> Again;  // a complaint that this line had before; shown when its caller is another
  std::string Complaint;         // the last one, with its line
  bool DropNotes = false;        // of a complaint that was reported
  bool NameCallers = false;      // but not those that say from where a template was instantiated
  clang::FullSourceLoc LastLine; // where it was; Clang does not repeat the notes of the next one from there
  std::set<std::pair<std::string, unsigned>> AssemblyLines; // files and lines with assembly that was refused
  std::set<std::string> Reported, Said;                     // messages with their lines; lines that have a sentence
};

} // namespace pocm::frontend
