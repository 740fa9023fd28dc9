//===- Listing.h - A kernel's code, looked at --------------------------------------------===//
#pragma once

#include "codegen/cpu/CodeGen.h"
#include "ir/SourceNotes.h"

namespace pocm::cpu {

/// The assembly with LLVM's comments, and what there is to say about it.
struct Listing {
  /// What a pass says of a line.
  struct Said {
    std::string file;
    unsigned line = 0;
    std::string text;
    unsigned bytes = 0; ///< Of the object that it is about.
  };
  std::string assembly;
  Said kernel; ///< Where it begins, without a text.
  std::vector<Said> remarks, loops;
  std::vector<VariableNote> variables; ///< Those of this kernel; `Kernel` is null.
};

/// Code as it runs (CodeGen.cpp). Lines and variables take a program with debug information.
Listing generateListing(std::span<const std::uint8_t> ir, const std::string &kernel,
                        std::span<const std::uint32_t> argumentBytes, const Target &target);

} // namespace pocm::cpu
