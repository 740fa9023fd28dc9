//===- Compiling.h - While LLVM works ------------------------------------------===//
#pragma once

#include "program/Uncancelled.h"
#include <functional>

namespace pocm {

/// Held while LLVM or Clang work: a fork, and the end of the process, wait until nobody does. Any thread; may nest.
class Compiling {
public:
  Compiling();
  ~Compiling();
  Compiling(const Compiling &) = delete;
  Compiling &operator=(const Compiling &) = delete;

private:
  const Uncancelled all;
};

/// Calls `work` on a thread with a stack for sources and code that are nested deeply, and waits for it. Exceptions come
/// through. On this thread when there is no other to be had.
void withLargeStack(const std::function<void()> &work);

} // namespace pocm
