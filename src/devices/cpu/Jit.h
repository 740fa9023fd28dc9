//===- Jit.h - Object files in this process -------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include <memory>
#include <vector>

namespace llvm::orc {
class LLJIT;
}

namespace pocm::cpu {

/// A function that compiled kernels call.
struct Helper {
  const char *name;
  void *function;
};

/// Links compiled kernels into the process. Any thread.
class Jit {
public:
  /// Kernels may call `more` functions than those of codegen/cpu/Abi.h.
  explicit Jit(std::vector<Helper> more = {});
  ~Jit();
  struct Linked {
    Walk walk;
    const KernelInfo *info;
  };
  /// The walker of an object file made by generateObject of a kernel; valid as long as the Jit. Throws Error.
  Linked link(const std::vector<char> &object, const std::string &kernel);

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::vector<Helper> more;
};

} // namespace pocm::cpu
