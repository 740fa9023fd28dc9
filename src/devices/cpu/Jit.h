//===- Jit.h - Object files in this process -------------------------------------===//
//
// LLVM's linker does not come back from everything: where memory runs out in the middle of its
// work it calls abort(), or an exception leaves it that it knows nothing of. Then its session is
// left behind as it is, with the code that runs, and the next link begins with a new one.
//
//===------------------------------------------------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"
#include <functional>
#include <memory>
#include <string>
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

/// Links compiled kernels into the process. Any thread; one at a time.
class Jit {
public:
  /// Kernels may call `more` functions than those of codegen/cpu/Abi.h.
  explicit Jit(std::vector<Helper> more = {});
  ~Jit();
  struct Linked {
    Walk walk;
    const KernelInfo *info;
  };
  /// The walker of an object file made by generateObject of a kernel; valid as long as the Jit. Throws Error, or
  /// std::bad_alloc.
  Linked link(const std::vector<char> &object, const std::string &kernel);

private:
  std::unique_ptr<llvm::orc::LLJIT> session;
  /// What sessions say beside their answers; one that is left behind may be asked for it later.
  std::shared_ptr<std::string> reported = std::make_shared<std::string>();
  std::vector<Helper> more;

  void withSession(const std::function<void()> &work);
  void beginSession();
  Linked linkHere(const std::vector<char> &object, const std::string &kernel);
};

} // namespace pocm::cpu
