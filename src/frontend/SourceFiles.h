//===- SourceFiles.h - The files that a source is made of ---------------------------===//
#pragma once

#include "pocm/pocm.h"
#include "clang/Frontend/Utils.h"

namespace pocm::frontend {

/// Lists the files that Clang reads from now on: the source, then what it includes. Those of the language, which are in
/// the library, are none.
std::shared_ptr<clang::DependencyCollector> listFiles(std::vector<SourceFile> &Files);

} // namespace pocm::frontend
