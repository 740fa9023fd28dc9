//===- IncludePaths.cpp - Includes of programs that were written on Windows -----------===//
//
// Media programs come from Windows, where folders of an include are written with \ as well:
//
//     #include "..\include\motion_search.h"
//
// The text is as long as before, so that all places in it stay what they are.
//
//===-----------------------------------------------------------------------------------===//
#include "frontend/IncludePaths.h"
#include <algorithm>

using namespace llvm;

namespace pocm::frontend {
namespace {

/// Where the path of an #include line begins and ends; empty of other lines.
StringRef pathOf(StringRef Line) {
  Line = Line.ltrim();
  if (!Line.consume_front("#"))
    return "";
  Line = Line.ltrim();
  if (!Line.consume_front("include"))
    return "";
  Line = Line.ltrim();
  const size_t End = Line.starts_with("\"") ? Line.find('"', 1) : Line.starts_with("<") ? Line.find('>') : Line.npos;
  return End == Line.npos ? "" : Line.take_front(End);
}

/// A copy of `Text` with plain paths; null when it has them already.
std::unique_ptr<MemoryBuffer> plain(const MemoryBuffer &Text) {
  std::unique_ptr<WritableMemoryBuffer> Copy;
  StringRef Rest = Text.getBuffer();
  while (!Rest.empty()) {
    auto [Line, Next] = Rest.split('\n');
    if (StringRef Path = pathOf(Line); Path.contains('\\')) {
      if (!Copy) {
        Copy = WritableMemoryBuffer::getNewUninitMemBuffer(Text.getBufferSize(), Text.getBufferIdentifier());
        std::copy(Text.getBufferStart(), Text.getBufferEnd(), Copy->getBufferStart());
      }
      char *Begin = Copy->getBufferStart() + (Path.data() - Text.getBufferStart());
      std::replace(Begin, Begin + Path.size(), '\\', '/');
    }
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
