//===- Guard.h - Faults and endings of compiled code ----------------------------===//
//
// Compiled kernels run under a guard: a fault in one (memory that is not there, an illegal
// instruction), or the wish of the host that it ends, brings the host thread back to where
// the walk was called, with what happened. The handlers of signals are one for the whole
// process; what does not come from a kernel goes on to the handlers that were there before.
//
//     Entry entry(ended, code);
//     if (!POCM_COMES_HOME(entry.home)) {
//       HostThread::mine().enter(entry);
//       walk();
//       HostThread::now().leave();
//     } else {                       entry.fault() says why
//
// A handler of the application's that interrupts a kernel may enter compiled code again, of
// another device: the entries of a host thread lie on each other, and the one below is guarded
// as before when the upper one has left.
//
// Compiled code and its helpers hold no lock and own nothing that a jump would leak. What runs
// on a fiber can also leave it, and go on in another host thread. Both wishes are heard between
// two instructions of a kernel only: elsewhere a helper may know which host thread it is in, or
// a handler of another signal, the application's too, may stand between the kernel and ours. In
// a function that the kernel has called they wait until that returns: the place on the stack
// where it finds where to return to leads to us until then.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "devices/cpu/CodeRange.h"
#include "devices/cpu/Home.h"
#include "runtime/Fiber.h"
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <pthread.h>
#include <string>
#include <string_view>
#include <utility>

namespace pocm::cpu {

/// Why a walk did not come to its end.
struct Fault {
  int signal = 0; ///< 0: it was asked to end.
  int code = 0;   ///< Of the signal, as <csignal> says.
  bool write = false;
  std::uintptr_t address = 0; ///< Of the memory that was touched.
  std::uintptr_t pc = 0;      ///< Of the instruction.
  /// Where functions go on that called the one with the instruction, the innermost first; 0 behind the last one known.
  std::array<std::uintptr_t, 8> callers{};
  /// "reads the address 0x10, where there is no memory".
  std::string text() const;
};

/// A call of compiled code, in the frame of the function that calls it.
class Entry {
public:
  /// `ended`: the wish that it ends. `code`: the kernel's, when it is one.
  explicit Entry(const std::atomic<bool> &ended, const CodeRange &code = {})
      : ended(ended), code(code), frame(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))) {}
  Entry(const Entry &) = delete;
  Entry &operator=(const Entry &) = delete;
  Home home; ///< Where a fault jumps to.
  /// Why it did: what to ask first there, and only there.
  const Fault &fault();

private:
  friend class HostThread;
  friend struct Handlers;
  const std::atomic<bool> &ended;
  const CodeRange code;            ///< Empty when it is no kernel's.
  const std::uintptr_t frame;      ///< Where on the stack compiled code begins.
  runtime::Fiber *fiber = nullptr; ///< Of what runs.
  Entry *outer = nullptr;          ///< What a handler had interrupted that made this call.
  std::optional<Fault> failed;
  std::optional<stack_t> alternate; ///< Of the thread's before the fault, where that goes as long as it is in use.
  /// A function that the kernel has called comes to us when it returns; null when none does.
  struct Detour {
    std::uintptr_t *slot = nullptr; ///< Where it finds where to return to.
    std::uintptr_t original = 0;    ///< What stood there.
  } detour;
  /// It returns to the kernel as if nothing had been.
  void endDetour() {
    if (const Detour old = std::exchange(detour, {}); old.slot)
      *old.slot = old.original;
  }
};

/// What the process knows of a host thread that runs kernels. Made when it first does, and gone with the thread.
class HostThread {
public:
  HostThread();
  ~HostThread();
  static HostThread &mine() { return current ? *current : make(); }
  /// The same, where another host thread may have taken over since mine().
  static HostThread &now();
  /// Null when this thread has run no kernel yet. Handlers of signals may call it.
  static HostThread *existing();

  /// Compiled code begins; until leave() a fault, or interrupt() of the entry's `ended` in the kernel's own code, jumps
  /// to its `home`, and handOver() works there.
  void enter(Entry &entry) {
    entry.fiber = runtime::Fiber::current();
    push(entry);
  }
  void leave() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    pop();
  }
  /// Leaves compiled code from within, to the entry's `home`, as when it is ended.
  [[noreturn]] void giveUp();
  /// Where compiled code begins on the stack while it runs, else 0. Handlers of signals may ask.
  std::uintptr_t codeFrame() const {
    const Entry *entry = top.load(std::memory_order_relaxed);
    return entry ? entry->frame : 0;
  }

private:
  friend struct Handlers;
  friend void interrupt(const std::atomic<bool> &ended);
  friend void handOver(const std::atomic<bool> &ended);
  static HostThread &make();
  static thread_local HostThread *current;
  void push(Entry &entry) {
    entry.outer = top.load(std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    top.store(&entry, std::memory_order_relaxed);
    running.store(&entry.ended, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  void pop() {
    Entry *outer = top.load(std::memory_order_relaxed)->outer;
    top.store(outer, std::memory_order_relaxed);
    running.store(outer ? &outer->ended : nullptr, std::memory_order_relaxed);
  }
  std::atomic<Entry *> top = nullptr; ///< What runs; for this host thread only, as it lies on its stack.
  /// `ended` of what runs, for the others.
  std::atomic<const std::atomic<bool> *> running = nullptr;
  /// What is asked to leave: `running`, or something that ran before.
  std::atomic<const std::atomic<bool> *> leaving = nullptr;
  /// A handler looks at who called what: one that interrupts it must not, as the unwinder may hold a lock.
  std::atomic<bool> looking = false;
  pthread_t thread;
  std::unique_ptr<std::uint8_t[]> handlerStack; ///< Where handlers run; null when the thread had one already.
};

/// Calls what may fault, call abort(), or be left by an exception that it knows nothing of: LLVM, on a program from a
/// stranger or without memory. Throws what `work` does, or Error: "LLVM cannot <purpose>: " and the reason. Unless it
/// was an Error of the work's own, what that held stays as it is, and `whole`, otherwise true, is false: nobody may use
/// it.
void callGuarded(std::string_view purpose, const std::function<void()> &work, bool &whole);
void callGuarded(std::string_view purpose, const std::function<void()> &work);

/// Calls what copies memory of the host's, which may not be there: throws Error, and leaves it in the middle. `brief`:
/// it takes less than the system does to take signals of faults, and is not guarded where this host thread blocks
/// those.
void copyGuarded(const std::function<void()> &work, bool brief = false);

/// Installs the handlers, once. Any thread.
void installHandlers();

/// Brings host threads out of compiled code that was entered with `ended`, if it is true: now, or when what a kernel
/// has called returns. A thread that is just about to enter is missed: callers repeat it. Any thread.
void interrupt(const std::atomic<bool> &ended);

/// Asks the host thread in compiled code that was entered with `ended`, on a fiber, to leave that, so that this one
/// goes on with it. May be missed, too.
void handOver(const std::atomic<bool> &ended);

} // namespace pocm::cpu
