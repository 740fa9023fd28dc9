//===- IncludePaths.h - Includes of programs that were written on Windows -------------===//
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

namespace pocm::frontend {

/// The same files, in whose #include lines every \ between the quotes is a /.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withPlainIncludes(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files);

} // namespace pocm::frontend
