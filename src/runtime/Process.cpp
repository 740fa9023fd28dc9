//===- Process.cpp - Forks, exits, and threads of our own ----------------------===//
#include "runtime/Process.h"
#include "program/Compiling.h"
#include "program/Uncancelled.h"
#include <cfenv>
#include <csignal>
#include <cstdint>
#include <memory>
#include <system_error>
#include <utility>

namespace pocm::runtime {
namespace {

std::atomic<unsigned> forks{0};

[[maybe_unused]] const int counted =
    pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });

} // namespace

unsigned generation() { return forks.load(std::memory_order_relaxed); }

//===- Threads ------------------------------------------------------------------===//

namespace {
/// How much of this host thread's own stack is left, and how large that is.
struct StackLeft {
  std::uintptr_t lowest;
  std::size_t bytes, of;
  bool isThere() const { return bytes < of; } ///< Not on another one, as coroutines, fibers and handlers may be.
};

StackLeft stackLeft() {
  struct Own {
    std::uintptr_t lowest = 0;
    std::size_t bytes = 0;
  };
  thread_local const Own own = [] {
    pthread_attr_t attributes;
    void *lowest = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return Own{};
    int problem = pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    return problem ? Own{} : Own{reinterpret_cast<std::uintptr_t>(lowest), bytes};
  }();
  return {own.lowest, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - own.lowest, own.bytes};
}

/// Whether this host thread's alternate stack is a part of its own. Asked for once, when it first launches something:
/// it costs what a tenth of a launch does.
bool hasAlternateIn(const StackLeft &own) {
  thread_local const bool has = [&] {
    stack_t now;
    return sigaltstack(nullptr, &now) == 0 && !(now.ss_flags & SS_DISABLE) &&
           reinterpret_cast<std::uintptr_t>(now.ss_sp) - own.lowest < own.of;
  }();
  return has;
}
} // namespace

bool hasRoomForKernels() {
  const StackLeft left = stackLeft();
  return left.isThere() && left.bytes > KernelStack;
}

void withRoom(const std::function<void()> &work) { hasRoomForKernels() ? work() : withLargeStack(work); }

SignalsTaken signalsTaken() {
  sigset_t blocked;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &blocked) != 0)
    return {false, false, false};
  auto taken = [&](int signal) { return !sigismember(&blocked, signal); };
  return {taken(SIGSEGV) && taken(SIGBUS) && taken(SIGFPE) && taken(SIGILL) && taken(SIGTRAP), taken(SIGURG),
          sigisemptyset(&blocked) != 0};
}

bool isOnAlternateStack(const SignalsTaken &taken) {
  if (const StackLeft left = stackLeft(); taken.all && left.isThere() && !hasAlternateIn(left))
    return false;
  stack_t now;
  return sigaltstack(nullptr, &now) == 0 && now.ss_flags & SS_ONSTACK;
}

OwnThread::OwnThread(std::function<void()> body) : born(generation()) {
  constexpr std::size_t stackBytes = KernelStack + (1u << 20); // and what LLVM or a copy may need
  auto start = std::make_unique<std::function<void()>>(std::move(body));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  // The application's signals are for its own threads; faults of kernels come to the thread that runs them.
  sigset_t most, before;
  sigfillset(&most);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGURG, SIGPROF})
    sigdelset(&most, own);
  pthread_sigmask(SIG_SETMASK, &most, &before);
  int problem = pthread_create(
      &thread, &attributes,
      [](void *given) -> void * {
        std::unique_ptr<std::function<void()>> run(static_cast<std::function<void()> *>(given));
        std::fesetenv(FE_DFL_ENV); // that of the thread that began this one is the application's
        (*run)();
        return nullptr;
      },
      start.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (problem)
    throw std::system_error(problem, std::generic_category(), "no thread to run kernels");
  start.release();
  joinable = true;
}

OwnThread::OwnThread(OwnThread &&other) noexcept
    : thread(other.thread), born(other.born), joinable(std::exchange(other.joinable, false)) {}

OwnThread &OwnThread::operator=(OwnThread &&other) noexcept {
  thread = other.thread;
  born = other.born;
  joinable = std::exchange(other.joinable, false);
  return *this;
}

void OwnThread::join() {
  const Uncancelled all;
  if (std::exchange(joinable, false) && born == generation())
    pthread_join(thread, nullptr);
}

} // namespace pocm::runtime
