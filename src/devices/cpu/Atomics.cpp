//===- Atomics.cpp - Dword atomics of compiled kernels -------------------------------===//
//
// Each lane is one atomic operation on one dword of the buffer, whichever threads of the
// pool work on it at the same time. (Language reference, dword atomics.)
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Atomics.h"
#include <algorithm>
#include <atomic>
#include <bit>

namespace pocm::cpu {
namespace {

enum Number : std::uint32_t {
#define ATOMIC(id, name, number, sources) id = number,
#include "ir/Atomics.def"
};

float asFloat(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t asBits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::int32_t asSigned(std::uint32_t bits) { return std::int32_t(bits); }

/// The value that an operation leaves, from the old one and its sources.
using NewValue = std::uint32_t (*)(std::uint32_t old, std::uint32_t first, std::uint32_t second);

NewValue operation(std::uint32_t number) {
  switch (number) {
  case AtomicAdd:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return old + a; };
  case AtomicSub:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return old - a; };
  case AtomicInc:
    return [](std::uint32_t old, std::uint32_t, std::uint32_t) { return old + 1; };
  case AtomicDec:
    return [](std::uint32_t old, std::uint32_t, std::uint32_t) { return old - 1; };
  case AtomicMin:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return std::min(old, a); };
  case AtomicMax:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return std::max(old, a); };
  case AtomicXchg:
    return [](std::uint32_t, std::uint32_t a, std::uint32_t) { return a; };
  case AtomicCmpxchg:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t b) { return old == b ? a : old; };
  case AtomicAnd:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return old & a; };
  case AtomicOr:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return old | a; };
  case AtomicXor:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return old ^ a; };
  case AtomicMinSigned:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asSigned(a) < asSigned(old) ? a : old; };
  case AtomicMaxSigned:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asSigned(a) > asSigned(old) ? a : old; };
  case AtomicFloatMax:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asFloat(a) > asFloat(old) ? a : old; };
  case AtomicFloatMin:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asFloat(a) < asFloat(old) ? a : old; };
  case AtomicFloatCmpwr:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t b) { return asFloat(old) == asFloat(a) ? b : old; };
  case AtomicFloatAdd:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asBits(asFloat(old) + asFloat(a)); };
  case AtomicFloatSub:
    return [](std::uint32_t old, std::uint32_t a, std::uint32_t) { return asBits(asFloat(old) - asFloat(a)); };
  default:
    return [](std::uint32_t old, std::uint32_t, std::uint32_t) { return old; };
  }
}

} // namespace

void dwordAtomic(const SurfaceView *surface, std::uint32_t number, std::uint32_t count, const std::uint8_t *wanted,
                 const std::uint32_t *offsets, const std::uint32_t *first, const std::uint32_t *second,
                 std::uint32_t *old) {
  NewValue change = operation(number);
  for (std::uint32_t k = 0; k < count; ++k) {
    old[k] = 0;
    if (!wanted[k] || std::int64_t(offsets[k]) + std::int64_t(sizeof(std::uint32_t)) > surface->bytes)
      continue;
    std::atomic_ref dword(*reinterpret_cast<std::uint32_t *>(surface->base + offsets[k]));
    std::uint32_t before = dword.load(std::memory_order_relaxed);
    while (!dword.compare_exchange_weak(before, change(before, first ? first[k] : 0, second ? second[k] : 0),
                                        std::memory_order_relaxed)) {
    }
    old[k] = before;
  }
}

} // namespace pocm::cpu
