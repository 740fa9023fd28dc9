//===- NoPolly.cpp - What Debian's archives of Clang refer to -----------------------===//
//
// They are built with Polly, a plugin of LLVM's optimiser that PoCM does not use and whose archive is in another
// package.
//
//===----------------------------------------------------------------------===//
#include "llvm/Plugins/PassPlugin.h"

/// The name is LLVM's: a plugin that adds no pass.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}, nullptr};
}
