//===- Compiling.cpp - While LLVM works -----------------------------------------===//
//
// exit() destroys in the opposite order what was registered: LLVM's variables that were made
// by a compilation come before anything that was there earlier. So what waits for compilations
// is registered again and again while one goes on, and with it comes before them.
//
// A child of fork() has the locks of LLVM as they were, and none of the threads that would
// release them: a fork waits, too.
//
//===----------------------------------------------------------------------===//
#include "program/Compiling.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

namespace pocm {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 10s; // with a compilation, before the process ends without it

/// Never destroyed: threads that still run while the process ends wait here. Forked children get one of their own.
struct State {
  std::shared_timed_mutex lock;
  std::atomic<bool> ending = false;
  std::atomic<pthread_t> endsIn{};

  std::mutex watchLock;
  std::condition_variable change;
  unsigned compilers = 0;
  bool watched = false;
};
State *state = new State;
thread_local unsigned nested = 0;

/// Nobody begins another compilation from here on.
void waitForCompilations() {
  if (state->ending.exchange(true))
    return;
  state->endsIn = pthread_self();
  if (!nested)
    (void)state->lock.try_lock_for(patience);
}

/// Registers the above as long as there are compilations, often at first.
void watch(State &here) {
  sigset_t all; // are for the application's threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock held(here.watchLock);
  constexpr int often = 200;
  for (int i = 0; here.compilers; ++i) {
    std::atexit(waitForCompilations); // with the lock: a fork comes after `compilers`, and finds the C library's free
    here.change.wait_for(held, i < often ? 1ms : 20ms, [&] { return !here.compilers; });
  }
  here.watched = false;
}

struct Handlers {
  Handlers() {
    pthread_atfork(
        [] {
          if (!nested)
            state->lock.lock();
        },
        [] {
          if (!nested)
            state->lock.unlock();
        },
        [] { state = new State; });
  }
  ~Handlers() { waitForCompilations(); }
} handlers;

} // namespace

Compiling::Compiling() {
  State &here = *state;
  if (here.ending) {
    while (here.endsIn != pthread_self() && !nested)
      pause(); // the process goes in a moment
    ++nested;
    return;
  }
  if (nested++)
    return;
  here.lock.lock_shared();
  std::atexit(waitForCompilations);
  std::lock_guard guard(here.watchLock);
  ++here.compilers;
  if (here.watched)
    return;
  try {
    std::thread(watch, std::ref(here)).detach();
    here.watched = true;
  } catch (...) { // then what is made meanwhile may go first: no reason not to compile
  }
}

Compiling::~Compiling() {
  State &here = *state;
  if (--nested || (here.ending && here.endsIn == pthread_self()))
    return;
  {
    std::lock_guard guard(here.watchLock);
    if (--here.compilers == 0)
      here.change.notify_all();
  }
  std::atexit(waitForCompilations);
  here.lock.unlock_shared();
}

namespace {
/// What a thread with a large stack does for another one, which waits for it and whose place it takes.
struct Errand {
  const std::function<void()> &work;
  const unsigned compilations = nested;                                            ///< That the other one is in.
  const bool ends = state->ending && pthread_equal(state->endsIn, pthread_self()); ///< The process, in exit().
  std::exception_ptr problem{};

  void run() {
    nested = compilations;
    if (ends)
      state->endsIn = pthread_self();
    try {
      work();
    } catch (...) {
      problem = std::current_exception();
    }
  }
  /// Where it began.
  void isBack() const {
    if (ends)
      state->endsIn = pthread_self();
    if (problem)
      std::rethrow_exception(problem);
  }
};
} // namespace

void withLargeStack(const std::function<void()> &work) {
  constexpr std::size_t large = std::size_t(1) << 30; // of addresses; memory is what is used
  Errand errand{work};
  auto start = [](void *given) -> void * {
    static_cast<Errand *>(given)->run();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  const bool started =
      pthread_attr_setstacksize(&attributes, large) == 0 && pthread_create(&thread, &attributes, start, &errand) == 0;
  pthread_attr_destroy(&attributes);
  if (!started)
    return work();
  pthread_join(thread, nullptr);
  errand.isBack();
}

} // namespace pocm
