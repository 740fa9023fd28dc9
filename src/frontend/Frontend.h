//===- Frontend.h - CM source to CM IR ---------------------------------------===//
//
// The only room that sees Clang. One call parses a source with the language's headers,
// which are part of the library, and gives unoptimised IR with the list of kernels.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "pocm/pocm.h"
#include "llvm/IR/Module.h"
#include <optional>
#include <vector>

namespace pocm::frontend {

/// The triple of CM IR, which no machine has.
constexpr const char *TripleName = "spir64-unknown-unknown";

/// Parses `Options.file`. Returns null on errors; `Diagnostics` gets the text in either case, `Files` the files that
/// were read.
std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &Context, const CompileOptions &Options, std::string &Diagnostics,
                                    std::vector<SourceFile> &Files);

/// What Clang is told. With `ParsedHeaders` the language's headers are taken from the disk cache (HeaderCache.h).
std::vector<std::string> clangArguments(const CompileOptions &Options, bool ParsedHeaders = false);

/// The language's headers, as a source with these options sees them, in parsed form, as a file that
/// CompileOptions::headers names may hold it. None when they cannot be parsed.
std::optional<std::vector<char>> precompileHeaders(const CompileOptions &Options);

/// Complaints that only the simplified program can show, as "file:line:column: error: ..." lines; empty when it is
/// fine. Calls that were not resolved: recursion, functions without a body, format of a scattered region.
std::string checkSimplified(llvm::Module &M, unsigned MostSlm);

/// Debug locations become those that the user wrote; attaches the lines to operations that messages at run time name
/// (ir/Lines.h).
void noteLines(llvm::Module &M);

/// Every public name of the language, a line each: kind, name, header, line, form, with tabs between them.
std::string names();

} // namespace pocm::frontend
