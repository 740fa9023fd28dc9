//===- Atomics.cpp - Atomics of compiled kernels -------------------------------------===//
//
// Each lane is one atomic operation on one element, whichever threads of the pool work on
// it at the same time. (Language reference, dword atomics and their wider relatives.)
//
//===----------------------------------------------------------------------===//
#include "devices/cpu/Atomics.h"
#include <algorithm>
#include <atomic>
#include <bit>
#include <type_traits>

namespace pocm::cpu {
namespace {

enum Number : std::uint32_t {
#define ATOMIC(id, name, number, sources) id = number,
#include "ir/Atomics.def"
};

template <class Float, class Bits> Float number(Bits value) { return std::bit_cast<Float>(value); }
template <class Bits, class Float> Bits bits(Float value) { return std::bit_cast<Bits>(value); }

/// The value that an operation leaves, from the old one and its sources.
template <class Bits> using NewValue = Bits (*)(Bits old, Bits first, Bits second);

template <class Bits, class Float> NewValue<Bits> operation(std::uint32_t which) {
  using Signed = std::make_signed_t<Bits>;
  switch (which) {
  case AtomicAdd:
    return [](Bits old, Bits a, Bits) { return Bits(old + a); };
  case AtomicSub:
    return [](Bits old, Bits a, Bits) { return Bits(old - a); };
  case AtomicInc:
    return [](Bits old, Bits, Bits) { return Bits(old + 1); };
  case AtomicDec:
    return [](Bits old, Bits, Bits) { return Bits(old - 1); };
  case AtomicMin:
    return [](Bits old, Bits a, Bits) { return std::min(old, a); };
  case AtomicMax:
    return [](Bits old, Bits a, Bits) { return std::max(old, a); };
  case AtomicXchg:
    return [](Bits, Bits a, Bits) { return a; };
  case AtomicCmpxchg:
    return [](Bits old, Bits a, Bits b) { return old == b ? a : old; };
  case AtomicAnd:
    return [](Bits old, Bits a, Bits) { return Bits(old & a); };
  case AtomicOr:
    return [](Bits old, Bits a, Bits) { return Bits(old | a); };
  case AtomicXor:
    return [](Bits old, Bits a, Bits) { return Bits(old ^ a); };
  case AtomicRevsub:
    return [](Bits old, Bits a, Bits) { return Bits(a - old); };
  case AtomicMinSigned:
    return [](Bits old, Bits a, Bits) { return Signed(a) < Signed(old) ? a : old; };
  case AtomicMaxSigned:
    return [](Bits old, Bits a, Bits) { return Signed(a) > Signed(old) ? a : old; };
  case AtomicFloatMax:
    return [](Bits old, Bits a, Bits) { return number<Float>(a) > number<Float>(old) ? a : old; };
  case AtomicFloatMin:
    return [](Bits old, Bits a, Bits) { return number<Float>(a) < number<Float>(old) ? a : old; };
  case AtomicFloatCmpwr:
    return [](Bits old, Bits a, Bits b) { return number<Float>(old) == number<Float>(a) ? b : old; };
  case AtomicFloatAdd:
    return [](Bits old, Bits a, Bits) { return bits<Bits>(Float(number<Float>(old) + number<Float>(a))); };
  case AtomicFloatSub:
    return [](Bits old, Bits a, Bits) { return bits<Bits>(Float(number<Float>(old) - number<Float>(a))); };
  default:
    return [](Bits old, Bits, Bits) { return old; };
  }
}

template <class Bits, class Float> void perform(std::uint32_t which, std::uint32_t count, const std::uint8_t *wanted,
                                                void *const *addresses, const void *firstSources,
                                                const void *secondSources, void *oldValues) {
  NewValue<Bits> change = operation<Bits, Float>(which);
  auto *first = static_cast<const Bits *>(firstSources), *second = static_cast<const Bits *>(secondSources);
  auto *old = static_cast<Bits *>(oldValues);
  for (std::uint32_t k = 0; k < count; ++k) {
    old[k] = 0;
    if (!wanted[k])
      continue;
    const auto address = reinterpret_cast<std::uintptr_t>(addresses[k]) & ~std::uintptr_t(sizeof(Bits) - 1);
    std::atomic_ref element(*reinterpret_cast<Bits *>(address)); // rounded down, as messages to surfaces are
    Bits before = element.load(std::memory_order_relaxed);
    while (!element.compare_exchange_weak(before, change(before, first ? first[k] : 0, second ? second[k] : 0),
                                          std::memory_order_relaxed)) {
    }
    old[k] = before;
  }
}

} // namespace

void atomicLanes(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, const std::uint8_t *wanted,
                 void *const *addresses, const void *first, const void *second, void *old) {
  switch (bytes) {
  case 2:
    return perform<std::uint16_t, _Float16>(number, count, wanted, addresses, first, second, old);
  case 8:
    return perform<std::uint64_t, double>(number, count, wanted, addresses, first, second, old);
  default:
    return perform<std::uint32_t, float>(number, count, wanted, addresses, first, second, old);
  }
}

} // namespace pocm::cpu
