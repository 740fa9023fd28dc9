//===- TimeSampler.cpp - Where host threads are, once in a while of CPU time ------------===//
#include "devices/cpu/TimeSampler.h"
#include "devices/cpu/Guard.h"
#include "pocm/pocm.h"
#include <algorithm>
#include <csignal>
#include <ctime>
#include <memory>
#include <mutex>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace pocm::cpu {

std::atomic<bool> TimeSampler::on = false;

namespace {

constexpr std::size_t mostSamples = 1u << 20;
/// How far a handler looks up the stack for the kernel's code.
constexpr std::size_t mostWords = 4096;

/// What handlers need. Never freed: a late signal may still find it.
struct Taken {
  std::atomic<std::uintptr_t> begin = 0, end = 0; ///< The kernel's code.
  std::atomic<std::size_t> count = 0;
  std::unique_ptr<std::uintptr_t[]> places{new std::uintptr_t[mostSamples]};
};
std::atomic<Taken *> taken = nullptr;

/// Timers of all host threads, so that whoever stops can stop them.
std::mutex lock; // guards `timers`
std::vector<timer_t> timers;

/// Looks at other functions' frames, which AddressSanitizer would call a mistake.
__attribute__((no_sanitize("address", "thread"))) void onTimer(int, siginfo_t *info, void *context) {
  Taken *into = taken.load(std::memory_order_relaxed);
  if (!into || info->si_code != SI_TIMER)
    return;
#if defined(__x86_64__)
  const auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto place = std::uintptr_t(registers[REG_RIP]), stack = std::uintptr_t(registers[REG_RSP]);
#elif defined(__aarch64__)
  const auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext;
  auto place = std::uintptr_t(registers.pc), stack = std::uintptr_t(registers.sp);
#endif
  const CodeRange code{into->begin, into->end};
  const HostThread *here = HostThread::existing();
  const std::uintptr_t top = here ? here->codeFrame() : 0;
  stack = (stack + 7) & ~std::uintptr_t(7);
  for (std::size_t k = 0; !code.has(place) && k < mostWords && stack < top; ++k, stack += sizeof(place)) {
    place = *reinterpret_cast<const volatile std::uintptr_t *>(stack) - 1; // calls come back behind themselves
  }
  if (!code.has(place))
    place = 0;
  const std::size_t passed = 1 + std::size_t(std::max(0, info->si_overrun)); // timers tick less often than asked
  const std::size_t at = into->count.fetch_add(passed);
  for (std::size_t k = at; k < std::min(mostSamples, at + passed); ++k)
    into->places[k] = place;
}

/// The timer of a host thread.
class Timer {
public:
  ~Timer() {
    if (!made)
      return;
    std::lock_guard guard(lock);
    std::erase(timers, id);
    timer_delete(id);
  }
  void arm() {
    std::lock_guard guard(lock);
    if (!made) {
      sigevent how{};
      how.sigev_notify = SIGEV_THREAD_ID;
      how.sigev_signo = SIGPROF;
      how._sigev_un._tid = pid_t(syscall(SYS_gettid));
      if (timer_create(CLOCK_THREAD_CPUTIME_ID, &how, &id))
        return; // its time goes unseen
      made = true;
      timers.push_back(id);
    }
    itimerspec every{};
    every.it_interval.tv_nsec = every.it_value.tv_nsec = long(TimeSampler::period * 1e9);
    timer_settime(id, 0, &every, nullptr);
  }

private:
  timer_t id{};
  bool made = false;
};

thread_local Timer timer;
thread_local unsigned armedIn = 0;
std::atomic<unsigned> round = 0;

} // namespace

void TimeSampler::arm() {
  if (unsigned now = round.load(); armedIn != now) {
    armedIn = now;
    timer.arm();
  }
}

void TimeSampler::start(const CodeRange &code) {
  if (on.exchange(true))
    throw Error("another kernel is being profiled");
  Taken *into = taken.load();
  if (!into)
    taken = into = new Taken;
  into->begin = code.begin;
  into->end = code.end;
  into->count = 0;
  struct sigaction how = {};
  how.sa_sigaction = onTimer;
  how.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&how.sa_mask);
  sigaction(SIGPROF, &how, nullptr);
  ++round;
}

std::vector<std::uintptr_t> TimeSampler::stop() {
  on = false;
  {
    std::lock_guard guard(lock);
    for (timer_t id : timers) {
      itimerspec never{};
      timer_settime(id, 0, &never, nullptr);
    }
  }
  const Taken *from = taken.load();
  std::size_t count = from ? std::min(from->count.load(), mostSamples) : 0;
  return count ? std::vector(from->places.get(), from->places.get() + count) : std::vector<std::uintptr_t>{};
}

} // namespace pocm::cpu
