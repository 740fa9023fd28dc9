//===- Complaints.cpp - What the finalizer says, by lines of the source ---------------------===//
#include "codegen/gen/Complaints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace pocm::gen {
namespace {

constexpr size_t MostText = 600; ///< Of what the finalizer says; it can list thousands of variables.

/// The line of the text that a message names, from 1; 0: none.
unsigned lineNamed(StringRef Message) {
  unsigned Line = 0;
  for (StringRef Key : {"near line ", "at line ", "line "}) {
    size_t At = Message.find(Key);
    if (At != StringRef::npos && !Message.drop_front(At + Key.size()).consumeInteger(10, Line) && Line)
      return Line;
  }
  return 0;
}

StringRef textLine(StringRef Text, unsigned Line) {
  for (unsigned K = 0; K < Line; ++K)
    Text = Text.split('\n').second;
  return Text.split('\n').first.trim();
}

/// "file:line: " of a line of vISA text, counted from 0; empty when it is not known.
std::string placeOf(const VisaKernel &Visa, unsigned TextLine) {
  if (TextLine < Visa.FirstLine || TextLine - Visa.FirstLine >= Visa.Lines.size())
    return "";
  const SourceLine &Source = Visa.Lines[TextLine - Visa.FirstLine].Source;
  return Source.Line ? Source.File + ":" + std::to_string(Source.Line) + ": " : "";
}

/// Where most bytes live in variables at once: an index into VisaKernel::Lines.
unsigned fullestLine(const VisaKernel &Visa) {
  auto Fullest =
      llvm::max_element(Visa.Lines, [](const VisaLine &A, const VisaLine &B) { return A.LiveBytes < B.LiveBytes; });
  return Fullest == Visa.Lines.end() ? 0 : unsigned(Fullest - Visa.Lines.begin());
}

} // namespace

std::string explain(const std::string &Problem, const std::string &Name, const VisaKernel &Visa,
                    const GenTarget &Target) {
  if (StringRef(Problem).contains("registers are NOT enough")) {
    unsigned Fullest = fullestLine(Visa);
    return placeOf(Visa, Visa.FirstLine + Fullest) + "kernel '" + Name + "' needs more registers than " +
           Target.Platform +
           " has, even with some of them in scratch memory: " + std::to_string(Visa.Lines[Fullest].LiveBytes) +
           " bytes are in use here at once; use fewer or smaller vectors, or compute in a loop that is not unrolled";
  }
  unsigned Line = lineNamed(Problem);
  std::string Short = StringRef(Problem).take_front(MostText).rtrim().str() + (Problem.size() > MostText ? " ..." : "");
  if (!Line)
    return Short;
  return placeOf(Visa, Line - 1) + Short + " (that line is '" + textLine(Visa.Text, Line - 1).str() + "')";
}

} // namespace pocm::gen
