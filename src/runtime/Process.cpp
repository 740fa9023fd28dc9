//===- Process.cpp - Forks, exits, and threads of our own ----------------------===//
#include "runtime/Process.h"
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

bool hasRoomForKernels() {
  thread_local const std::uintptr_t lowest = [] {
    pthread_attr_t attributes;
    void *bottom = nullptr;
    std::size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return UINTPTR_MAX;
    int problem = pthread_attr_getstack(&attributes, &bottom, &size);
    pthread_attr_destroy(&attributes);
    return problem ? UINTPTR_MAX : reinterpret_cast<std::uintptr_t>(bottom);
  }();
  auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here > lowest && here - lowest > KernelStack; // somewhere else entirely, as coroutines are: no
}

SignalsTaken signalsTaken() {
  sigset_t blocked;
  if (pthread_sigmask(SIG_SETMASK, nullptr, &blocked) != 0)
    return {false, false};
  auto taken = [&](int signal) { return !sigismember(&blocked, signal); };
  return {taken(SIGSEGV) && taken(SIGBUS) && taken(SIGFPE) && taken(SIGILL) && taken(SIGTRAP), taken(SIGURG)};
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
  if (std::exchange(joinable, false) && born == generation())
    pthread_join(thread, nullptr);
}

} // namespace pocm::runtime
