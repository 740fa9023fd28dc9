//===- ShortFloats.cpp - Conversions between half and bfloat16 -------------------------===//
//
// In CM a half is assigned to a bfloat16 like any number, and the other way round. Clang
// has no conversion between the two, and no place where one could be added; but it says
// which expression has the wrong type:
//
//     bfloat16 b = h + 1;
//     error: cannot initialize a variable of type 'bfloat16' with an rvalue of type 'half'
//
// Then the source is read again with the expression in a call that makes a float of it,
// and of nothing else, for in a template it may have any type. Lines stay what they are; columns
// behind the expression move. In the body of a macro the call is in the body, and an argument
// that is the expression is called where the body names it, for the macro may write to it elsewhere.
// Arguments of functions and what references are bound to stay errors: nothing says where they are.
//
//===----------------------------------------------------------------------===//
#include "frontend/ShortFloats.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace pocm::frontend {

bool isBetweenShortFloats(StringRef Message) {
  constexpr StringRef Beginnings[] = {"assigning to '",     "cannot initialize ",  "cannot convert '",
                                      "static_cast from '", "C-style cast from '", "functional-style cast from '"};
  bool Conversion = llvm::any_of(Beginnings, [&](StringRef Beginning) { return Message.starts_with(Beginning); }) ||
                    Message.contains("no known conversion from '");
  return Conversion && Message.contains("'__bf16'") && (Message.contains("'half'") || Message.contains("'_Float16'"));
}

/// Where the expression of a range is written, in a file; invalid when it comes from several macros.
static CharSourceRange placeOf(SourceRange Tokens, const SourceManager &Sources, const LangOptions &Language) {
  SourceLocation Begin = Tokens.getBegin(), End = Tokens.getEnd();
  auto IsArgument = [&] {
    if (!Sources.isMacroArgExpansion(Begin) || Sources.getFileID(Begin) != Sources.getFileID(End))
      return false;
    unsigned Length = Lexer::MeasureTokenLength(Sources.getSpellingLoc(End), Sources, Language);
    return Sources.isAtStartOfImmediateMacroExpansion(Begin) &&
           Sources.isAtEndOfImmediateMacroExpansion(End.getLocWithOffset(int(Length)));
  };
  while (IsArgument()) {
    CharSourceRange Named = Sources.getImmediateExpansionRange(Begin);
    Begin = Named.getBegin();
    End = Named.getEnd();
  }
  if (!Sources.isMacroBodyExpansion(Begin) || !Sources.isMacroBodyExpansion(End))
    return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Begin, End), Sources, Language);
  if (Sources.getFileID(Begin) != Sources.getFileID(End))
    return {};
  return CharSourceRange::getCharRange(Sources.getSpellingLoc(Begin),
                                       Lexer::getLocForEndOfToken(Sources.getSpellingLoc(End), 0, Sources, Language));
}

bool ShortFloats::look(const Diagnostic &Info, StringRef Message) {
  bool IsArgument = Message.contains("no known conversion"); // the range is the parameter's
  if (Stopped || !isBetweenShortFloats(Message) || IsArgument || !Info.hasSourceManager() || Info.getNumRanges() == 0)
    return false;
  SourceManager &Sources = Info.getSourceManager();
  CharSourceRange Range = placeOf(Info.getRange(Info.getNumRanges() - 1).getAsRange(), Sources, LangOptions());
  OptionalFileEntryRef File =
      Range.isValid() ? Sources.getFileEntryRefForID(Sources.getFileID(Range.getBegin())) : std::nullopt;
  if (!File)
    return false;
  SmallString<128> Path(File->getName());
  Sources.getFileManager().makeAbsolutePath(Path);
  std::string Name = Path.str().str();
  Seen[Name] = Sources.getBufferData(Sources.getFileID(Range.getBegin())).str();
  Found.insert({Name, Sources.getFileOffset(Range.getBegin()), Sources.getFileOffset(Range.getEnd())});
  return true;
}

bool ShortFloats::rewrite() {
  if (Stopped)
    return false;
  std::map<std::string, std::multimap<unsigned, const char *>> Insertions;
  for (const auto &[Name, Begin, End] : Found) {
    Insertions[Name].insert({Begin, "::cm::detail::through_float("});
    Insertions[Name].insert({End, ")"});
  }
  for (auto &[Name, Places] : Insertions) {
    std::string &Text = Texts[Name];
    Text = Seen[Name];
    for (const auto &[Place, Inserted] : llvm::reverse(Places))
      Text.insert(Place, Inserted);
  }
  Found.clear();
  Seen.clear();
  return !Insertions.empty();
}

} // namespace pocm::frontend
