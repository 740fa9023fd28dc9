//===- Jit.h - Object files in this process -------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include <memory>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace pocm::cpu {

/// Links compiled kernels into the process. Any thread.
class Jit {
public:
  Jit();
  ~Jit();
  struct Linked {
    Walk walk;
    const KernelInfo *info;
  };
  /// The walker of an object file made by generateObject; valid as long as the Jit. Throws Error.
  Linked link(const std::vector<char> &object);

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace pocm::cpu
