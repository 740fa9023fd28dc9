//===- HeaderCache.cpp - The language's headers, parsed once ----------------------===//
//
// Parsing include/cm takes most of the time of a small kernel's compilation. Clang keeps
// the result in a file (a precompiled header), one for each target and optimization level.
// Options that the headers look at, as -DCM_PTRSIZE=32, and CM_INCLUDE_DIR may change what they
// say; they are then parsed as text.
//
//===----------------------------------------------------------------------===//
#include "frontend/HeaderCache.h"
#include "frontend/EmbeddedHeaders.h"
#include "frontend/Frontend.h"
#include "frontend/Targets.h"
#include "frontend/UserMacros.h"
#include "program/DiskCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"

namespace pocm::frontend {
namespace {

/// Name of the entry: a hash of all that the parsed headers are made from.
std::string nameFor(const CompileOptions &Options) {
  llvm::BLAKE3 Hash;
  auto Part = [&](llvm::StringRef Text) {
    std::uint64_t Size = Text.size();
    Hash.update(llvm::StringRef(reinterpret_cast<const char *>(&Size), sizeof(Size)));
    Hash.update(Text);
  };
  Part(version());
  Part(LLVM_VERSION_STRING);
  for (const EmbeddedHeader &Header : embeddedHeaders())
    Part(Header.text);
  for (const std::string &Argument : clangArguments(Options))
    Part(Argument);
  auto Digest = Hash.final<32>();
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(Digest), /*LowerCase=*/true) + ".pch";
}

/// Whether one of them stands in front of the headers, or takes away what they ask for.
bool headersSeeOption(const std::vector<std::string> &Options) {
  for (std::size_t I = 0; I < Options.size(); ++I)
    if (Options[I] == "-include" || (Options[I] == "-U" && I + 1 < Options.size() && headersSeeMacro(Options[I + 1])))
      return true;
  return false;
}

} // namespace

std::optional<std::vector<char>> parsedHeaders(const CompileOptions &Options) {
  program::DiskCache Cache;
  if (Cache.path().empty() || llvm::any_of(Options.defines, headersSeeMacro) ||
      headersSeeOption(Options.clangOptions) || !program::environment("CM_INCLUDE_DIR").empty())
    return std::nullopt;
  CompileOptions Neutral = Options;
  Neutral.file = "headers.h";
  Neutral.source = "";
  Neutral.includes.clear();
  Neutral.defines.clear();
  Neutral.clangOptions.clear();
  Neutral.color = false;
  std::string Name = nameFor(Neutral);
  if (auto Kept = Cache.find(Name))
    return Kept;
  std::optional<std::vector<char>> Made = precompileHeaders(Neutral);
  if (Made)
    Cache.store(Name, *Made);
  return Made;
}

} // namespace pocm::frontend
