//===- SourceFiles.h - The files that a source is made of ---------------------------===//
#pragma once

#include "pocm/pocm.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Frontend/Utils.h"

namespace pocm::frontend {

/// Lists the files that Clang reads from now on: the source, then what it includes. Those of the language, which are in
/// the library, are none.
std::shared_ptr<clang::DependencyCollector> listFiles(std::vector<SourceFile> &Files);

/// Whether a place, which is no macro's, is in a file of the language's own.
bool isInHeaders(const clang::SourceManager &Sources, clang::SourceLocation At);

} // namespace pocm::frontend
