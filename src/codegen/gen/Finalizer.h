//===- Finalizer.h - vISA text to Gen code --------------------------------------------------===//
//
// Runs Intel's finalizer, GenX_IR of Debian's libigc-tools: it allocates registers,
// schedules and encodes.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include "codegen/gen/GenTarget.h"
#include <cstdint>
#include <string>
#include <vector>

namespace pocm::gen {

struct Finalized {
  std::string Assembly;           ///< Gen assembly as the finalizer prints it, comments included.
  std::vector<std::uint8_t> Code; ///< Instructions, nothing else.
  unsigned Instructions = 0;
  unsigned Registers = 0; ///< That are used.
  unsigned SpillBytes = 0;
  bool Optimized = true; ///< False when it took the finalizer's -debug to get through.
  std::string Problem;   ///< What went wrong, empty on success.
};

/// What the finalizer's files are called: names of kernels may be longer than those of files, and in any alphabet.
inline constexpr const char *OutputName = "kernel";

/// Turns the vISA text of one kernel into code. `Name` is the kernel's name, and OutputName is its OutputAsmPath.
Finalized finalize(const std::string &Text, const std::string &Name, const GenTarget &Target,
                   const std::vector<std::string> &Options = {});

} // namespace pocm::gen
