//===- HandOver.cpp - Compiled code goes on in another host thread ---------------===//
#include "devices/cpu/HandOver.h"
#include <cstdint>
#include <mutex>
#include <ucontext.h>

#if defined(__x86_64__) && defined(__linux__)
#include <cpuid.h>

extern "C" {
__attribute__((visibility("hidden"))) std::uint64_t pocm_state_bytes = 0; // of what xsave writes
__attribute__((visibility("hidden"))) void (*pocm_leave)() = nullptr;
__attribute__((visibility("hidden"))) std::uintptr_t (*pocm_returned)() = nullptr;
void pocm_call_and_go_on();
void pocm_return_and_go_on();
}

// pocm_call_and_go_on begins as if called where the kernel was interrupted, 128 bytes further on: functions may use so
// much below their stack. pocm_return_and_go_on begins behind a call of the kernel's, whose caller uses nothing there.
// xsave wants 64 bytes that are zero. Keys of memory protection (bit 9) belong to the host thread. Neither says how it
// is unwound: nobody looks for a kernel behind them.
asm(R"(
.macro pocm_keep
  pushfq
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rbx
  pushq %rbp
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  cld
  movq %rsp, %rbp
  subq pocm_state_bytes(%rip), %rsp
  andq $-64, %rsp
  xorl %eax, %eax
  movq %rax, 512(%rsp)
  movq %rax, 520(%rsp)
  movq %rax, 528(%rsp)
  movq %rax, 536(%rsp)
  movq %rax, 544(%rsp)
  movq %rax, 552(%rsp)
  movq %rax, 560(%rsp)
  movq %rax, 568(%rsp)
  movl $0xfffffdff, %eax
  movl $-1, %edx
  xsave64 (%rsp)
.endm
.macro pocm_bring_back
  movl $0xfffffdff, %eax
  movl $-1, %edx
  xrstor64 (%rsp)
  movq %rbp, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rbp
  popq %rbx
  popq %rdx
  popq %rcx
  popq %rax
  popfq
.endm
.text
.p2align 4
.globl pocm_call_and_go_on
.hidden pocm_call_and_go_on
.type pocm_call_and_go_on, @function
pocm_call_and_go_on:
  pocm_keep
  call *pocm_leave(%rip)
  pocm_bring_back
  ret $128
.size pocm_call_and_go_on, . - pocm_call_and_go_on
.p2align 4
.globl pocm_return_and_go_on
.hidden pocm_return_and_go_on
.type pocm_return_and_go_on, @function
pocm_return_and_go_on:
  pushq $0
  pocm_keep
  call *pocm_returned(%rip)
  movq %rax, 128(%rbp)
  pocm_bring_back
  ret
.size pocm_return_and_go_on, . - pocm_return_and_go_on
)");

namespace pocm::cpu {

void prepareHandOver() {
  static std::once_flag once;
  std::call_once(once, [] {
    unsigned a = 0, bytes = 0, c = 0, d = 0;
    constexpr unsigned extendedState = 13, plainState = 576;
    if (!__get_cpuid_count(extendedState, 0, &a, &bytes, &c, &d) || bytes < plainState)
      bytes = plainState;
    pocm_state_bytes = bytes;
  });
}

void callThenGoOn(void *context, void (*leave)()) {
  constexpr std::uint64_t belowTheStack = 128;
  pocm_leave = leave;
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  auto *stack = reinterpret_cast<std::uint64_t *>(std::uint64_t(registers[REG_RSP]) - belowTheStack);
  *--stack = std::uint64_t(registers[REG_RIP]);
  registers[REG_RSP] = greg_t(reinterpret_cast<std::uintptr_t>(stack));
  registers[REG_RIP] = greg_t(reinterpret_cast<std::uintptr_t>(&pocm_call_and_go_on));
}

std::uintptr_t returnThenGoOn(std::uintptr_t (*returned)()) {
  pocm_returned = returned;
  return reinterpret_cast<std::uintptr_t>(&pocm_return_and_go_on);
}

} // namespace pocm::cpu

#else

namespace pocm::cpu {
void prepareHandOver() {}
void callThenGoOn(void *, void (*)()) {}
std::uintptr_t returnThenGoOn(std::uintptr_t (*)()) { return 0; }
} // namespace pocm::cpu

#endif
