//===- IncludePaths.cpp - Includes of programs that were written on Windows -----------===//
//
// Media programs come from Windows, where folders of an include are written with \ as well:
//
//     #include "..\include\motion_search.h"
//     #if __has_include("..\include\motion_search.h")
//
// The text is as long as before, so that all places in it stay what they are.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/IncludePaths.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace pocm::frontend {
namespace {

/// Follows raw strings and comments over their lines: what looks like a directive in them is none.
class Lines {
public:
  /// Whether the next line begins outside of them.
  bool isCode() const { return End.empty(); }

  void read(StringRef Line) {
    while (!Line.empty()) {
      if (!End.empty()) {
        auto [Inside, Rest] = Line.split(End);
        if (Inside.size() == Line.size())
          return;
        End.clear();
        Line = Rest;
      } else if (Line.starts_with("//")) {
        return;
      } else if (Line.consume_front("/*")) {
        End = "*/";
      } else if (Line.starts_with("R\"")) {
        End = (")" + Line.drop_front(2).take_until([](char C) { return C == '('; }) + "\"").str();
        Line = Line.drop_front(End.size());
      } else if (Line.front() == '"' || Line.front() == '\'') {
        skipLiteral(Line);
      } else {
        skipWord(Line);
      }
    }
  }

private:
  static void skipLiteral(StringRef &Line) {
    char Quote = Line.front();
    Line = Line.drop_front();
    while (!Line.empty() && Line.front() != Quote)
      Line = Line.drop_front(Line.front() == '\\' ? std::min<size_t>(2, Line.size()) : 1);
    Line = Line.drop_front(Line.empty() ? 0 : 1);
  }
  /// A character, or a name or number with quotes between its digits, but for the R of a raw string.
  static void skipWord(StringRef &Line) {
    auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
    if (isDigit(Line.front())) {
      Line = Line.drop_while([&](char C) { return IsWord(C) || C == '\''; });
      return;
    }
    StringRef Word = Line.take_while(IsWord);
    bool Raw = Word == "u8R" || Word == "uR" || Word == "UR" || Word == "LR";
    Line = Line.drop_front(Raw && Line.drop_front(Word.size()).starts_with("\"") ? Word.size() - 1
                                                                                 : std::max<size_t>(1, Word.size()));
  }

  std::string End; ///< What ends the raw string or comment.
};

/// The path of an include behind its directive; empty where none is.
StringRef pathIn(StringRef Text) {
  Text = Text.ltrim();
  const size_t End = Text.starts_with("\"") ? Text.find('"', 1) : Text.starts_with("<") ? Text.find('>') : Text.npos;
  return End == Text.npos ? "" : Text.take_front(End);
}

/// The paths of an #include line, or those that a condition asks for; none of other lines.
SmallVector<StringRef, 1> pathsOf(StringRef Line) {
  Line = Line.ltrim();
  if (!Line.consume_front("#"))
    return {};
  Line = Line.ltrim();
  StringRef Directive = Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
  StringRef Rest = Line.drop_front(Directive.size());
  if (Directive == "include" || Directive == "include_next" || Directive == "import")
    return {pathIn(Rest)};
  SmallVector<StringRef, 1> Paths;
  if (Directive == "if" || Directive == "elif")
    while (true) {
      Rest = Rest.split("__has_include").second;
      if (Rest.empty())
        break;
      Rest.consume_front("_next");
      Rest = Rest.ltrim();
      if (Rest.consume_front("("))
        Paths.push_back(pathIn(Rest));
    }
  return Paths;
}

/// A copy of `Text` with plain paths; null when it has them already.
std::unique_ptr<MemoryBuffer> plain(const MemoryBuffer &Text) {
  std::unique_ptr<WritableMemoryBuffer> Copy;
  StringRef Rest = Text.getBuffer();
  Lines Before;
  while (!Rest.empty()) {
    auto [Line, Next] = Rest.split('\n');
    for (StringRef Path : Before.isCode() ? pathsOf(Line) : SmallVector<StringRef, 1>()) {
      if (!Path.contains('\\'))
        continue;
      if (!Copy) {
        Copy = WritableMemoryBuffer::getNewUninitMemBuffer(Text.getBufferSize(), Text.getBufferIdentifier());
        std::copy(Text.getBufferStart(), Text.getBufferEnd(), Copy->getBufferStart());
      }
      char *Begin = Copy->getBufferStart() + (Path.data() - Text.getBufferStart());
      std::replace(Begin, Begin + Path.size(), '\\', '/');
    }
    Before.read(Line);
    Rest = Next;
  }
  return Copy;
}

class PlainFile : public vfs::File {
public:
  explicit PlainFile(std::unique_ptr<vfs::File> Whole) : Whole(std::move(Whole)) {}

  ErrorOr<vfs::Status> status() override { return Whole->status(); }
  ErrorOr<std::string> getName() override { return Whole->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t Size, bool NullTerminated,
                                                   bool Volatile) override {
    auto Text = Whole->getBuffer(Name, Size, NullTerminated, Volatile);
    if (!Text || !NullTerminated) // no text, such as parsed headers
      return Text;
    if (auto Changed = plain(**Text))
      return Changed;
    return Text;
  }
  std::error_code close() override { return Whole->close(); }

private:
  std::unique_ptr<vfs::File> Whole;
};

class PlainFiles : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    if (!Opened)
      return Opened;
    return std::make_unique<PlainFile>(std::move(*Opened));
  }
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> withPlainIncludes(IntrusiveRefCntPtr<vfs::FileSystem> Files) {
  return makeIntrusiveRefCnt<PlainFiles>(std::move(Files));
}

} // namespace pocm::frontend
