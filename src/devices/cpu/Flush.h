//===- Flush.h - Denormals as the Gen ISA treats them ---------------------------===//
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pocm::cpu {

/// While it lives, this host thread flushes denormal inputs and results to zero.
class FlushDenormals {
public:
#if defined(__x86_64__)
  FlushDenormals() : saved(_mm_getcsr()) {
    constexpr unsigned flushToZero = 0x8000, denormalsAreZero = 0x0040;
    _mm_setcsr(saved | flushToZero | denormalsAreZero);
  }
  ~FlushDenormals() { _mm_setcsr(saved); }

private:
  unsigned saved;
#elif defined(__aarch64__)
  FlushDenormals() {
    constexpr std::uint64_t flushToZero = std::uint64_t(1) << 24;
    asm volatile("mrs %0, fpcr" : "=r"(saved));
    asm volatile("msr fpcr, %0" : : "r"(saved | flushToZero));
  }
  ~FlushDenormals() { asm volatile("msr fpcr, %0" : : "r"(saved)); }

private:
  std::uint64_t saved;
#endif
  FlushDenormals(const FlushDenormals &) = delete;
  FlushDenormals &operator=(const FlushDenormals &) = delete;
};

} // namespace pocm::cpu
