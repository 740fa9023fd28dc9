//===- Flush.h - Rounding and denormals as a kernel wants them ----------------------===//
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pocm::cpu {

/// Control bits under which code of the host's computes as usual.
constexpr unsigned HostMode = 1u << 6 | 1u << 7;

/// While it lives, this host thread computes as a kernel's float control bits say: rounding mode in bits 4 and 5;
/// denormal floats and doubles are flushed to zero unless one of bits 6 and 7 allows them: where only one does, and for
/// halves, the code generator sees to it (codegen/cpu/Denormals.cpp). Nothing traps. Then the thread's own mode is
/// back, its flags included.
class FloatMode {
  static constexpr unsigned allowBits = HostMode;

public:
#if defined(__x86_64__)
  explicit FloatMode(unsigned control) : saved(_mm_getcsr()) {
    constexpr unsigned flushToZero = 0x8000, denormalsAreZero = 0x0040, noTraps = 0x1F80;
    constexpr unsigned modes[] = {0x0000, 0x4000, 0x2000, 0x6000}; // nearest, up, down, towards zero
    unsigned mode = noTraps | modes[control >> 4 & 3];
    _mm_setcsr(control & allowBits ? mode : mode | flushToZero | denormalsAreZero);
  }
  ~FloatMode() { _mm_setcsr(saved); }

private:
  unsigned saved;
#elif defined(__aarch64__)
  explicit FloatMode(unsigned control) {
    constexpr std::uint64_t flushToZero = std::uint64_t(1) << 24, rounding = std::uint64_t(3) << 22;
    constexpr std::uint64_t traps = 0x9F00;
    constexpr std::uint64_t modes[] = {0, 1, 2, 3}; // nearest, up, down, towards zero
    asm volatile("mrs %0, fpcr" : "=r"(saved));
    std::uint64_t mode = (saved & ~(flushToZero | rounding | traps)) | modes[control >> 4 & 3] << 22;
    asm volatile("msr fpcr, %0" : : "r"(control & allowBits ? mode : mode | flushToZero));
  }
  ~FloatMode() { asm volatile("msr fpcr, %0" : : "r"(saved)); }

private:
  std::uint64_t saved;
#endif
  FloatMode(const FloatMode &) = delete;
  FloatMode &operator=(const FloatMode &) = delete;
};

} // namespace pocm::cpu
