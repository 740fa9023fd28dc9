//===- Length.cpp - Expressions and statements that nobody wrote ---------------------===//
//
// Clang takes expressions of any length and depth, and needs minutes for what generators of
// code make by mistake: 200,000 signs in a row, sums of 60,000 vectors, 20,000 `else if`, each
// of which lies in the one before. Counted before Clang begins are tokens without a semicolon,
// comma or brace between them, and blocks and `else if` that are open.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/Length.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace pocm::frontend {

namespace {

constexpr unsigned MostTokens = 20000, MostOpen = 4096;

/// How deeply statements lie in each other.
class Nesting {
public:
  unsigned open() const { return Open; }
  void next(const Token &T) {
    bool Else = isWord(T, "else");
    if (Ended && !Else)
      close();
    Ended = false;
    if (AfterElse && isWord(T, "if")) {
      ++Chains.back();
      ++Open;
    }
    AfterElse = Else;
    if (T.is(tok::l_paren))
      ++Parentheses;
    else if (T.is(tok::r_paren))
      Parentheses -= Parentheses != 0;
    else if (T.is(tok::semi))
      Ended = !Parentheses; // else the head of a loop
    else if (T.is(tok::l_brace)) {
      Chains.push_back(0);
      ++Open;
    } else if (T.is(tok::r_brace) && Chains.size() > 1) {
      close();
      Chains.pop_back();
      --Open;
      Ended = true;
    }
  }

private:
  static bool isWord(const Token &T, llvm::StringRef Word) {
    return T.is(tok::raw_identifier) && T.getRawIdentifier() == Word;
  }
  /// What was `else if` has ended.
  void close() {
    Open -= Chains.back();
    Chains.back() = 0;
  }

  llvm::SmallVector<unsigned, 32> Chains{0}; ///< `else if` that are open, in each open block.
  unsigned Open = 0, Parentheses = 0;
  bool Ended = false, AfterElse = false;
};

} // namespace

std::string tooLong(llvm::StringRef Source, llvm::StringRef Name) {
  if (Source.size() < std::min(MostTokens, MostOpen))
    return "";
  std::string Text = Source.str(); // the lexer wants a zero behind it
  LangOptions Language;
  Language.CPlusPlus = Language.LineComment = true;
  Lexer Reader(SourceLocation(), Language, Text.data(), Text.data(), Text.data() + Text.size());
  unsigned Count = 0;
  Nesting Depth;
  for (Token Next;;) {
    bool End = Reader.LexFromRawLexer(Next);
    if (End || Next.is(tok::eof))
      return "";
    Depth.next(Next);
    Count = Next.isOneOf(tok::semi, tok::comma, tok::l_brace, tok::r_brace) ? 0 : Count + 1;
    if (Count > MostTokens || Depth.open() > MostOpen)
      break;
  }
  auto Line = 1 + std::count(Text.c_str(), Reader.getBufferLocation(), '\n');
  return Name.str() + ":" + std::to_string(Line) + ": error: " +
         (Count > MostTokens ? "an expression of more than " + std::to_string(MostTokens) +
                                   " tokens; use several statements, or a loop\n"
                             : "more than " + std::to_string(MostOpen) +
                                   " blocks or `else if` lie in each other; use a `switch`, a table or functions\n");
}

} // namespace pocm::frontend
