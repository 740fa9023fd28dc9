//===- Fiber.h - A stack that may go from one host thread to another ----------===//
//
//     Fiber fiber;
//     fiber.start([&] { work(); });
//     if (!fiber.run())            here, until the work is done or calls fiber.leave()
//       another thread calls fiber.run(), which goes on where it left
//
// Switching costs a few nanoseconds: registers that calls preserve, and control words of
// floating point, which are the host thread's own at both ends.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#if defined(__x86_64__) && defined(__linux__)
#define POCM_FIBERS 1
#else
#define POCM_FIBERS 0
#endif
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef POCM_FIBERS
#define POCM_FIBERS 0
#endif
#endif

namespace pocm::runtime {

class Fiber {
public:
  /// Whether there are any here. ThreadSanitizer keeps signals, by which one is made to leave, until calls return.
  static constexpr bool available = POCM_FIBERS;
  /// Throws std::bad_alloc when there is no memory for a stack.
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// What the next run() begins with; must not throw. What was started before is done.
  void start(std::function<void()> work);
  /// Runs on this host thread; true when the work is done, false when it has left.
  bool run();
  /// From within the work: run() returns false. Comes back when some host thread calls run() again.
  void leave();
  /// Asks the work to leave when it waits for others. Any thread.
  void ask() { asked.store(true, std::memory_order_relaxed); }
  /// Leaves the fiber that this host thread runs, if it is on one that was asked to since it began here.
  static void leaveIfAsked();
  /// The one that this host thread runs; null when there is none.
  static Fiber *current();
  /// While it lives, this host thread runs none, whatever it did: what a handler of a signal runs that has interrupted
  /// a fiber may not leave that.
  class Hidden {
  public:
    Hidden();
    ~Hidden();
    Hidden(const Hidden &) = delete;
    Hidden &operator=(const Hidden &) = delete;

  private:
    Fiber *const hidden;
  };

private:
  [[noreturn]] static void begin();
  void toHost();

  std::byte *memory;                     // a page that may not be touched, then the stack
  void *here = nullptr, *host = nullptr; // where the fiber, or what runs it, goes on
  bool done = true;
  std::atomic<bool> asked{false};
  std::function<void()> work;
  // What AddressSanitizer knows of the two stacks.
  [[maybe_unused]] void *ownFrames = nullptr, *hostFrames = nullptr;
  [[maybe_unused]] const void *hostStack = nullptr;
  [[maybe_unused]] std::size_t hostBytes = 0;
};

} // namespace pocm::runtime
