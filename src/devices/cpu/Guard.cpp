//===- Guard.cpp - Faults and endings of compiled code --------------------------===//
#include "devices/cpu/Guard.h"
#include "devices/cpu/HandOver.h"
#include "pocm/pocm.h"
#include "runtime/PerThread.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <utility>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define POCM_ASAN 1
#endif
#endif

namespace pocm::cpu {

thread_local HostThread *HostThread::current = nullptr;

namespace {

constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
/// What nothing in a C library uses, and processes ignore unless they ask for it.
constexpr int interruption = SIGURG;

/// Host threads that have run kernels. Never destroyed: threads may outlive the library's own objects.
struct Known {
  std::mutex lock;
  std::vector<HostThread *> threads;
};
std::atomic<Known *> known{new Known};

/// Where handlers find the host thread: the library's thread_local variables may be allocated when they are first
/// touched, which a handler must not do.
runtime::PerThread<HostThread> hosts;

/// Of an alternate stack that there is none as long as a handler is on it (SS_AUTODISARM), which a jump out of that
/// ends.
constexpr int goesInUse = int(1u << 31);

/// What the signals did before.
struct sigaction before[NSIG];

/// Marks an interruption as ours.
int mark;

/// Whether the stack of a handler, which may be an alternate one of the application's, has room for what looks further.
bool hasRoomToLook() {
  constexpr std::uintptr_t enough = 4096;
  stack_t now;
  if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_ONSTACK))
    return true;
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - reinterpret_cast<std::uintptr_t>(now.ss_sp) >
         enough;
}

/// Notes who called the function that faulted, which a kernel did. Called by the handler. False when no kernel did: a
/// signal had interrupted one, and what faulted is the handler of that, the application's.
bool noteCallers(Fault &fault, const CodeRange &kernel) {
  constexpr unsigned deepest = 100; // calls of a handler's that are looked through
  struct State {
    Fault &fault;
    const CodeRange &kernel;
    std::size_t count = 0;
    unsigned seen = 0;
    bool inside = false; // behind the frames of our handler
    bool known = false;  // whose fault it is
    bool others = false;
  } state{fault, kernel};
  _Unwind_Backtrace(
      [](_Unwind_Context *frame, void *to) {
        auto &at = *static_cast<State *>(to);
        int interrupted = 0; // where a signal came; elsewhere it is a call that goes on here
        const std::uintptr_t pc = _Unwind_GetIPInfo(frame, &interrupted);
        if (at.inside) {
          at.others |= !at.known && interrupted;
          if (at.count < at.fault.callers.size())
            at.fault.callers[at.count++] = pc;
        }
        at.inside |= pc == at.fault.pc;
        at.known |= at.others || (at.inside && at.kernel.has(pc));
        return (at.known && at.count == at.fault.callers.size()) || at.others || ++at.seen > deepest ? _URC_END_OF_STACK
                                                                                                     : _URC_NO_REASON;
      },
      &state);
  return !state.others;
}

/// Where on the stack a function finds where to return to, and what stands there.
struct Slot {
  std::uintptr_t *place = nullptr;
  std::uintptr_t goesOn = 0;
};

/// Of a function that the kernel has called, and that the signal has interrupted, or what that has called. None where
/// a handler of another signal stands between, or nothing is known.
Slot slotOfReturn(const CodeRange &kernel, std::uintptr_t interruptedAt, std::uintptr_t stack) {
  constexpr unsigned deepest = 100;
  struct State {
    const CodeRange &kernel;
    std::uintptr_t interruptedAt;
    std::uintptr_t slot = 0, pc = 0;
    unsigned seen = 0;
    bool inside = false;
  } state{kernel, interruptedAt};
  _Unwind_Backtrace(
      [](_Unwind_Context *frame, void *to) {
        auto &at = *static_cast<State *>(to);
        int interrupted = 0;
        const std::uintptr_t pc = _Unwind_GetIPInfo(frame, &interrupted);
        const std::uintptr_t ofCallee = _Unwind_GetCFA(frame); // behind the callee's return address
        if (at.inside && !interrupted && at.kernel.has(pc)) {
          at.slot = ofCallee - sizeof(std::uintptr_t);
          at.pc = pc;
        }
        const bool over = at.slot || (at.inside && interrupted) || ++at.seen > deepest;
        at.inside |= pc == at.interruptedAt;
        return over ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &state);
  auto *slot = reinterpret_cast<std::uintptr_t *>(state.slot);
  return state.slot && state.slot >= stack && *slot == state.pc ? Slot{slot, state.pc} : Slot{};
}

} // namespace

/// The handlers. They run on stacks of their own, and touch nothing but what was there before.
struct Handlers {
  static void onFault(int signal, siginfo_t *info, void *context) {
    HostThread *here = HostThread::existing();
    bool raised = info->si_code > 0 || (signal == SIGABRT && info->si_pid == getpid()); // by the thread, not sent
    Entry *entry = here && raised ? here->top.load(std::memory_order_relaxed) : nullptr;
    if (entry && note(*here, *entry, signal, info, context))
      jump(*here, context);
    chain(signal, info, context);
  }

  static void onInterruption(int signal, siginfo_t *info, void *context) {
    const bool ours = info->si_code == SI_QUEUE && info->si_value.sival_ptr == &mark;
    // Where the user has as many signals waiting as the system allows, it forgets what it knew of one.
    const bool unknown = info->si_code == SI_USER && info->si_pid == 0;
    HostThread *here = ours || unknown ? HostThread::existing() : nullptr;
    Entry *entry = here ? here->top.load(std::memory_order_relaxed) : nullptr;
    const bool ends = entry && entry->ended.load(std::memory_order_relaxed);
    const bool leaves = entry && isToLeave(*here, *entry);
    if (!ends && !leaves)
      return ours ? void() : chain(signal, info, context);
    // Not in a handler that this one interrupts, or in leave(), which the code has called already.
    if (!entry->code.has(placeOf(context).pc))
      return hearOnReturn(*here, *entry, context);
    if (!ends)
      return callThenGoOn(context, &leave);
    note(*here, *entry, 0, info, context);
    jump(*here, context);
  }

private:
  /// What a signal has interrupted.
  struct Interrupted {
    std::uintptr_t pc = 0, stack = 0;
  };
  static Interrupted placeOf([[maybe_unused]] const void *context) {
#if defined(__x86_64__)
    const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
    return {std::uintptr_t(registers[REG_RIP]), std::uintptr_t(registers[REG_RSP])};
#elif defined(__aarch64__)
    const auto &registers = static_cast<const ucontext_t *>(context)->uc_mcontext;
    return {std::uintptr_t(registers.pc), std::uintptr_t(registers.sp)};
#endif
  }

  /// Whether it was asked to go on in another host thread.
  static bool isToLeave(const HostThread &here, const Entry &entry) {
    return here.leaving.load(std::memory_order_relaxed) == &entry.ended && entry.fiber;
  }

  /// In what a kernel has called: the wish is heard when that returns.
  static void hearOnReturn(HostThread &here, Entry &entry, [[maybe_unused]] void *context) {
    if (!runtime::Fiber::available || entry.code.empty() || !hasRoomToLook() || here.looking.exchange(true))
      return;
    const Interrupted at = placeOf(context);
    const Slot slot = slotOfReturn(entry.code, at.pc, at.stack);
    if (slot.place) {
      entry.endDetour(); // of a function further out, which calls the kernel back
      entry.detour = {slot.place, slot.goesOn};
      *slot.place = returnThenGoOn(&returned);
    }
    here.looking = false; // not sooner: a handler that interrupts this one would find the same place
  }

  /// Called where a function returns to a kernel: says where that goes on.
  static std::uintptr_t returned() {
    HostThread &here = HostThread::now();
    Entry &entry = *here.top.load(std::memory_order_relaxed);
    const std::uintptr_t goesOn = std::exchange(entry.detour, {}).original;
    if (entry.ended.load(std::memory_order_relaxed)) {
      entry.failed.emplace().pc = goesOn - 1; // in the call
      jump(here, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
    }
    if (isToLeave(here, entry))
      leave();
    return goesOn;
  }

  /// Called between two instructions of a kernel, with all that is known of it: comes back in another host thread.
  static void leave() {
    HostThread &here = HostThread::now();
    Entry &entry = *here.top.load(std::memory_order_relaxed);
    entry.endDetour();
    here.leave();
    entry.fiber->leave();
    HostThread::now().push(entry);
  }

  /// Whether a place of a stack is on the alternate one, where handlers run.
  static bool isOfHandlers(std::uintptr_t stack) {
    stack_t now;
    return sigaltstack(nullptr, &now) == 0 && !(now.ss_flags & SS_DISABLE) &&
           stack - reinterpret_cast<std::uintptr_t>(now.ss_sp) < now.ss_size;
  }

  /// Notes what has happened in compiled code; false when it was elsewhere, in a handler of the application's that had
  /// interrupted the code.
  static bool note(HostThread &here, Entry &entry, int signal, siginfo_t *info, [[maybe_unused]] void *context) {
    entry.endDetour();
    Fault fault;
    fault.signal = signal;
    fault.code = info->si_code;
    if (signal && signal != SIGABRT)
      fault.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    fault.pc = placeOf(context).pc;
#if defined(__x86_64__)
    constexpr greg_t writes = 2;
    fault.write = signal == SIGSEGV && static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & writes;
#endif
    // Of a kernel, whose code is where it seems to be.
    if (signal && !entry.code.empty()) {
      const bool looks = hasRoomToLook() && !here.looking.exchange(true);
      const bool ofKernel = looks ? noteCallers(fault, entry.code) : !isOfHandlers(placeOf(context).stack);
      if (looks)
        here.looking = false;
      if (!ofKernel)
        return false;
    }
    entry.failed = fault;
    return true;
  }

  [[noreturn]] static void jump(HostThread &here, void *context) {
    if (const stack_t &stack = static_cast<ucontext_t *>(context)->uc_stack; stack.ss_flags & goesInUse)
      here.top.load(std::memory_order_relaxed)->alternate = stack;
    // The mask of before: somebody between the kernel and us, such as ThreadSanitizer, may block more.
    pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t *>(context)->uc_sigmask, nullptr);
    jump(here, placeOf(context).stack);
  }
  [[noreturn]] static void jump(HostThread &here, [[maybe_unused]] std::uintptr_t stack) {
    Entry &entry = *here.top.load(std::memory_order_relaxed);
    here.pop();
#ifdef POCM_ASAN // marks of frames that are jumped over would stay
    if (stack < entry.frame)
      ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void *>(stack), entry.frame - stack);
#endif
    goHome(entry.home);
  }

  /// Does what would have been done without us.
  static void chain(int signal, siginfo_t *info, void *context) {
    const struct sigaction old = before[signal];
    const bool ignored = old.sa_handler == SIG_IGN; // whatever the flags say, as the system has it
    if (old.sa_handler != SIG_DFL && !ignored) {
      if (old.sa_flags & SA_RESETHAND)
        before[signal].sa_handler = SIG_DFL;
      return withMask(signal, old, [&] {
        if (old.sa_flags & SA_SIGINFO)
          old.sa_sigaction(signal, info, context);
        else
          old.sa_handler(signal);
      });
    }
    bool sent = info->si_code <= 0;
    if (signal == interruption || (sent && ignored))
      return;
    // The default is the end. The instruction that faulted runs again; a signal that was sent is sent again, and so is
    // that of a trap, behind which the thread would go on.
    struct sigaction plain = {};
    plain.sa_handler = SIG_DFL;
    sigaction(signal, &plain, nullptr);
    if (sent || signal == SIGTRAP)
      raise(signal);
  }

  /// Calls an older handler with the signals blocked that it wants to be.
  template <class Call> static void withMask(int signal, const struct sigaction &old, Call call) {
    sigset_t mask = old.sa_mask, now;
    if (!(old.sa_flags & SA_NODEFER))
      sigaddset(&mask, signal);
    pthread_sigmask(SIG_BLOCK, &mask, &now);
    call();
    pthread_sigmask(SIG_SETMASK, &now, nullptr);
  }
};

namespace {

/// Makes `handler` the signal's, and keeps the one before.
void install(int signal, void (*handler)(int, siginfo_t *, void *)) {
  struct sigaction now = {}, old = {};
  if (sigaction(signal, nullptr, &old) != 0 || (old.sa_flags & SA_SIGINFO && old.sa_sigaction == handler))
    return;
  now.sa_sigaction = handler;
  now.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART; // a jump leaves the mask as it is
  sigemptyset(&now.sa_mask);
  before[signal] = old;
  sigaction(signal, &now, nullptr);
}

} // namespace

void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    // In a forked child there is one thread, and one that is gone may have held the lock.
    pthread_atfork(nullptr, nullptr, [] {
      auto *fresh = new Known;
      if (HostThread *here = HostThread::existing())
        fresh->threads.push_back(here);
      known = fresh;
    });
    // What handlers call is loaded and bound now: the loader would need more of an alternate stack than there may be.
    Fault none;
    noteCallers(none, {});
    (void)slotOfReturn({}, 0, 0);
    (void)hasRoomToLook();
    (void)getpid();
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (Home home; !POCM_COMES_HOME(home))
      goHome(home);
    for (int signal : faults)
      install(signal, &Handlers::onFault);
  });
}

// Not inlined: the compiler takes the address of a thread_local variable for a constant of the function.
__attribute__((noinline)) HostThread &HostThread::now() {
  asm volatile("" ::: "memory");
  return mine();
}

HostThread *HostThread::existing() { return hosts.existing(); }

const Fault &Entry::fault() {
  if (const auto stack = std::exchange(alternate, std::nullopt))
    sigaltstack(&*stack, nullptr);
  return *failed;
}

void HostThread::giveUp() {
  Entry &entry = *top.load(std::memory_order_relaxed);
  leave();
  entry.failed.emplace();
  goHome(entry.home);
}

HostThread &HostThread::make() {
  current = &hosts.mine();
  return *current;
}

HostThread::HostThread() : thread(pthread_self()) {
  Known &all = *known;
  std::lock_guard guard(all.lock);
  all.threads.reserve(all.threads.size() + 1);
  stack_t now;
  if (sigaltstack(nullptr, &now) == 0 && now.ss_flags & SS_DISABLE) {
    const std::size_t bytes = std::max<std::size_t>(std::size_t(sysconf(_SC_SIGSTKSZ)), 1u << 16);
    handlerStack = std::make_unique<std::uint8_t[]>(bytes);
    stack_t ours = {};
    ours.ss_sp = handlerStack.get();
    ours.ss_size = bytes;
    sigaltstack(&ours, nullptr);
  }
  all.threads.push_back(this); // the last that could throw was before the stack was given away
}

HostThread::~HostThread() {
  current = nullptr;
  {
    Known &all = *known;
    std::lock_guard guard(all.lock);
    std::erase(all.threads, this);
  }
  stack_t now;
  if (handlerStack && sigaltstack(nullptr, &now) == 0 && now.ss_sp == handlerStack.get()) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
}

namespace {
/// Takes signals of faults, which end the process where the application has blocked them.
class TakesFaults {
public:
  TakesFaults() {
    sigset_t all;
    sigemptyset(&all);
    for (int signal : faults)
      sigaddset(&all, signal);
    pthread_sigmask(SIG_UNBLOCK, &all, &before);
  }
  ~TakesFaults() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  TakesFaults(const TakesFaults &) = delete;
  TakesFaults &operator=(const TakesFaults &) = delete;

private:
  sigset_t before;
};

/// Calls it; what it has faulted with, if it has. `whole`: it has ended, or thrown an Error. `anyMask`: even where the
/// host thread has blocked the signals of faults.
std::optional<Fault> faultIn(const std::function<void()> &work, bool &whole, bool anyMask = true) {
  static const std::atomic<bool> never = false;
  installHandlers();
  std::optional<TakesFaults> takes;
  if (anyMask)
    takes.emplace();
  HostThread &here = HostThread::mine();
  Entry entry(never);
  whole = false;
  if (POCM_COMES_HOME(entry.home))
    return entry.fault();
  here.enter(entry);
  try {
    work();
    whole = true;
  } catch (const Error &) {
    here.leave();
    whole = true;
    throw;
  } catch (...) {
    here.leave();
    throw;
  }
  here.leave();
  return std::nullopt;
}
} // namespace

void callGuarded(std::string_view purpose, const std::function<void()> &work, bool &whole) {
  if (const auto fault = faultIn(work, whole))
    throw Error("LLVM cannot " + std::string(purpose) + ": it " + fault->text());
}

void copyGuarded(const std::function<void()> &work, bool brief) {
  bool whole;
  if (const auto fault = faultIn(work, whole, !brief))
    throw Error("a copy " + fault->text());
}

void callGuarded(std::string_view purpose, const std::function<void()> &work) {
  bool whole;
  callGuarded(purpose, work, whole);
}

namespace {
/// Sends our signal to a host thread.
void wake(pthread_t thread) {
  sigval value;
  value.sival_ptr = &mark;
  pthread_sigqueue(thread, interruption, value);
}
} // namespace

void interrupt(const std::atomic<bool> &ended) {
  prepareHandOver();
  install(interruption, &Handlers::onInterruption); // not before it is needed
  Known &all = *known;
  std::lock_guard guard(all.lock);
  for (HostThread *host : all.threads)
    if (host->running.load(std::memory_order_relaxed) == &ended)
      wake(host->thread);
}

void handOver(const std::atomic<bool> &ended) {
  try {
    HostThread::mine(); // this thread goes on with it, in the middle of compiled code
  } catch (const std::bad_alloc &) {
    return; // later, perhaps
  }
  prepareHandOver();
  install(interruption, &Handlers::onInterruption);
  Known &all = *known;
  std::lock_guard guard(all.lock);
  for (HostThread *host : all.threads)
    if (host->running.load(std::memory_order_relaxed) == &ended) {
      host->leaving.store(&ended, std::memory_order_relaxed);
      wake(host->thread);
    }
}

std::string Fault::text() const {
  char place[64];
  std::snprintf(place, sizeof(place), " the address %#llx", static_cast<unsigned long long>(address));
  switch (signal) {
  case 0:
    return "was ended";
  case SIGSEGV: {
    constexpr int byProcessor = SI_KERNEL; // an address that no memory could have
    std::string which = code == byProcessor ? std::string(" an impossible address") : std::string(place);
    return (write ? "writes" : "reads") + which +
           (code == SEGV_ACCERR ? ", which may not be " + std::string(write ? "written" : "read")
                                : ", where there is no memory");
  }
  case SIGBUS:
    return std::string("touches") + place + ", behind which there is nothing (the end of a mapped file)";
  case SIGFPE:
    return "divides by zero, or overflows in a division";
  case SIGILL:
  case SIGTRAP:
    return "runs an instruction that this CPU does not have, or a trap";
  case SIGABRT:
    return "gives up (what it says stands in the standard error output)";
  default:
    return "was stopped by signal " + std::to_string(signal);
  }
}

} // namespace pocm::cpu
