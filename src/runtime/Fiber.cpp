//===- Fiber.cpp - A stack that may go from one host thread to another --------===//
#include "runtime/Fiber.h"
#include "runtime/Process.h"
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define POCM_ASAN 1
#endif
#endif

#if POCM_FIBERS
// pocm_switch_stacks(void **from, void *to): what a call preserves goes to the stack, whose end to *from; then the same
// back from `to`.
asm(R"(
.text
.p2align 4
.globl pocm_switch_stacks
.hidden pocm_switch_stacks
.type pocm_switch_stacks, @function
pocm_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size pocm_switch_stacks, . - pocm_switch_stacks
)");
extern "C" void pocm_switch_stacks(void **from, void *to);
#else
extern "C" void pocm_switch_stacks(void **, void *) { std::abort(); } // nobody makes fibers here: `available`
#endif

namespace pocm::runtime {
namespace {

constexpr std::size_t stackBytes = KernelStack + (1u << 20);

const auto pageBytes = std::size_t(sysconf(_SC_PAGESIZE));

/// Where the compiler looks it up anew: its address in another host thread is another.
thread_local Fiber *running = nullptr;
__attribute__((noinline)) void setRunning(Fiber *fiber) {
  running = fiber;
  asm volatile("" ::: "memory");
}

} // namespace

__attribute__((noinline)) Fiber *Fiber::current() {
  asm volatile("" ::: "memory");
  return running;
}

Fiber::Hidden::Hidden() : hidden(current()) {
  if (hidden)
    setRunning(nullptr);
}
Fiber::Hidden::~Hidden() {
  if (hidden)
    setRunning(hidden);
}

Fiber::Fiber() {
  void *p = mmap(nullptr, pageBytes + stackBytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (p == MAP_FAILED)
    throw std::bad_alloc();
  memory = static_cast<std::byte *>(p);
  mprotect(memory, pageBytes, PROT_NONE);
}

Fiber::~Fiber() { munmap(memory, pageBytes + stackBytes); }

void Fiber::start(std::function<void()> what) {
  work = std::move(what);
  done = false;
  // As pocm_switch_stacks leaves a stack: control words, six registers, where to go on; begin() has no caller.
  auto *top = reinterpret_cast<std::uint64_t *>(memory + pageBytes + stackBytes);
#ifdef POCM_ASAN // marks of frames that a jump left
  ASAN_UNPOISON_MEMORY_REGION(memory + pageBytes, stackBytes);
#endif
  *--top = 0; // begin() finds the stack as after a call
  *--top = reinterpret_cast<std::uint64_t>(&Fiber::begin);
  for (int i = 0; i < 6; ++i)
    *--top = 0;
  std::uint32_t words[2] = {};
#if defined(__x86_64__)
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(words[0]), "=m"(words[1]));
#endif
  *--top = words[0] | std::uint64_t(words[1]) << 32;
  here = top;
}

bool Fiber::run() {
  Fiber *outer = current();
  asked.store(false, std::memory_order_relaxed);
  setRunning(this);
#ifdef POCM_ASAN
  __sanitizer_start_switch_fiber(&hostFrames, memory + pageBytes, stackBytes);
#endif
  pocm_switch_stacks(&host, here);
#ifdef POCM_ASAN
  __sanitizer_finish_switch_fiber(hostFrames, nullptr, nullptr);
#endif
  setRunning(outer);
  return done;
}

void Fiber::begin() {
  Fiber &self = *current();
#ifdef POCM_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self.hostStack, &self.hostBytes);
#endif
  self.work();
  self.work = nullptr;
  self.done = true;
  self.toHost();
  std::abort(); // what is done does not go on
}

void Fiber::leave() { toHost(); }

void Fiber::leaveIfAsked() {
  if (Fiber *here = current(); here && here->asked.load(std::memory_order_relaxed))
    here->leave();
}

void Fiber::toHost() {
#ifdef POCM_ASAN
  __sanitizer_start_switch_fiber(done ? nullptr : &ownFrames, hostStack, hostBytes);
#endif
  pocm_switch_stacks(&here, host);
#ifdef POCM_ASAN
  __sanitizer_finish_switch_fiber(ownFrames, &hostStack, &hostBytes);
#endif
}

} // namespace pocm::runtime
