//===- Process.h - Forks, exits, and threads of our own -----------------------===//
//
// What concerns the process as a whole. After a fork the child has none of the threads that
// serve its devices: whatever was opened before is lost there, is left alone, and new devices
// can be opened. (What waits when a process ends: Context.cpp, program/Compiling.cpp.)
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <pthread.h>

namespace pocm::runtime {

/// How many forks lie between the first process and this one. What another generation made has no threads here.
unsigned generation();

/// Room on the stack that running a kernel may take: its own frame is limited (codegen/cpu/Abi.h), helpers need little.
constexpr std::size_t KernelStack = 3u << 19;
/// Whether this host thread has that much left.
bool hasRoomForKernels();
/// Calls `work`, which may need as much: on a thread of its own where this one has not. Exceptions come through.
void withRoom(const std::function<void()> &work);

/// Which signals of kernels this host thread takes: one that it blocks ends the process, or is not heard.
struct SignalsTaken {
  bool faults;        ///< SIGSEGV, SIGBUS, SIGFPE and SIGILL.
  bool interruptions; ///< SIGURG, by which it is brought out of kernels.
  bool all;           ///< Whatever there is, as hardly a handler does: its own signal is blocked.
};
SignalsTaken signalsTaken();

/// Whether this host thread is in a handler on its alternate stack. A signal that comes while it is on a stack
/// elsewhere, a fiber's, would have its handler begin there, too, over what is in use. Asks the system only where it
/// may be so.
bool isOnAlternateStack(const SignalsTaken &taken);

/// A host thread of ours: with a stack for kernels, and without the signals that the application sends its process.
class OwnThread {
public:
  OwnThread() = default;
  /// Throws std::system_error when there is no thread to be had.
  explicit OwnThread(std::function<void()> body);
  OwnThread(OwnThread &&other) noexcept;
  /// This one was never started, or has been joined.
  OwnThread &operator=(OwnThread &&other) noexcept;
  /// Waits for its end; in a forked child, where it does not exist, not.
  void join();

private:
  pthread_t thread{};
  unsigned born = 0;
  bool joinable = false;
};

} // namespace pocm::runtime
