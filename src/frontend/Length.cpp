//===- Length.cpp - Expressions that nobody wrote ------------------------------------===//
//
// Clang takes expressions of any length and depth, and needs minutes for what generators of
// code make by mistake: 200,000 signs in a row, sums of 60,000 vectors. Counted are tokens
// without a semicolon, comma or brace between them, before Clang begins.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Length.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace pocm::frontend {

std::string tooLong(llvm::StringRef Source, llvm::StringRef Name) {
  constexpr unsigned Most = 20000;
  if (Source.size() < Most)
    return "";
  std::string Text = Source.str(); // the lexer wants a zero behind it
  LangOptions Language;
  Language.CPlusPlus = Language.LineComment = true;
  Lexer Reader(SourceLocation(), Language, Text.data(), Text.data(), Text.data() + Text.size());
  unsigned Count = 0;
  for (Token Next;;) {
    bool End = Reader.LexFromRawLexer(Next);
    if (End || Next.is(tok::eof))
      return "";
    if (Next.isOneOf(tok::semi, tok::comma, tok::l_brace, tok::r_brace))
      Count = 0;
    else if (++Count > Most)
      break;
  }
  auto Line = 1 + std::count(Text.c_str(), Reader.getBufferLocation(), '\n');
  return Name.str() + ":" + std::to_string(Line) + ": error: an expression of more than " + std::to_string(Most) +
         " tokens; use several statements, or a loop\n";
}

} // namespace pocm::frontend
