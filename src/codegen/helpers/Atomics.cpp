//===- Atomics.cpp - Atomics of compiled kernels -------------------------------------===//
//
// Each lane is one atomic operation on one element, whichever threads of the pool work on
// it at the same time. (Language reference, dword atomics and their wider relatives.)
//
// Kernels name operation, number and size of the elements by constants, with which their copy of this
// is one instruction, or one loop, for each lane. Memory that only the group's own host thread touches
// needs no atomic instructions, which take some twenty cycles each.
//
//===----------------------------------------------------------------------===//
#include "codegen/helpers/Helpers.h"
#include <atomic>
#include <bit>
#include <type_traits>

namespace pocm {
namespace {

enum Number : std::uint32_t {
#define ATOMIC(id, name, number, sources) id = number,
#include "ir/Atomics.def"
};

template <class Float, class Bits> Float number(Bits value) { return std::bit_cast<Float>(value); }
template <class Bits, class Float> Bits bits(Float value) { return std::bit_cast<Bits>(value); }

/// The value that an operation leaves, from the old one and its sources.
template <class Bits, class Float>
[[gnu::always_inline]] inline Bits changed(std::uint32_t which, Bits old, Bits a, Bits b) {
  using Signed = std::make_signed_t<Bits>;
  switch (which) {
  case AtomicAdd:
    return Bits(old + a);
  case AtomicSub:
    return Bits(old - a);
  case AtomicInc:
    return Bits(old + 1);
  case AtomicDec:
    return Bits(old - 1);
  case AtomicXchg:
    return a;
  case AtomicAnd:
    return old & a;
  case AtomicOr:
    return old | a;
  case AtomicXor:
    return old ^ a;
  case AtomicMin:
    return old < a ? old : a;
  case AtomicMax:
    return old > a ? old : a;
  case AtomicMinSigned:
    return Signed(old) < Signed(a) ? old : a;
  case AtomicMaxSigned:
    return Signed(old) > Signed(a) ? old : a;
  case AtomicCmpxchg:
    return old == b ? a : old;
  case AtomicRevsub:
    return Bits(a - old);
  case AtomicFloatMax:
    return number<Float>(a) > number<Float>(old) ? a : old;
  case AtomicFloatMin:
    return number<Float>(a) < number<Float>(old) ? a : old;
  case AtomicFloatCmpwr:
    return number<Float>(old) == number<Float>(a) ? b : old;
  case AtomicFloatAdd:
    return bits<Bits>(Float(number<Float>(old) + number<Float>(a)));
  case AtomicFloatSub:
    return bits<Bits>(Float(number<Float>(old) - number<Float>(a)));
  default:
    return old;
  }
}

/// One lane's operation; the value before it.
template <bool Alone, class Bits, class Float>
[[gnu::always_inline]] inline Bits perform(std::uint32_t which, Bits &place, Bits a, Bits b) {
  if constexpr (Alone) {
    const Bits before = place;
    place = changed<Bits, Float>(which, before, a, b);
    return before;
  }
  constexpr auto order = std::memory_order_relaxed;
  std::atomic_ref element(place);
  switch (which) {
  case AtomicAdd:
    return element.fetch_add(a, order);
  case AtomicSub:
    return element.fetch_sub(a, order);
  case AtomicInc:
    return element.fetch_add(1, order);
  case AtomicDec:
    return element.fetch_sub(1, order);
  case AtomicXchg:
    return element.exchange(a, order);
  case AtomicAnd:
    return element.fetch_and(a, order);
  case AtomicOr:
    return element.fetch_or(a, order);
  case AtomicXor:
    return element.fetch_xor(a, order);
  default:
    Bits before = element.load(order);
    while (true) {
      const Bits after = changed<Bits, Float>(which, before, a, b);
      // What changes nothing, as most minima do, is a load: others keep the line of the cache.
      if (after == before || element.compare_exchange_weak(before, after, order))
        return before;
    }
  }
}

template <bool Alone, class Bits, class Float>
[[gnu::always_inline]] inline void performAll(std::uint32_t which, std::uint32_t count, std::uint64_t wanted,
                                              void *const *addresses, const void *firstSources,
                                              const void *secondSources, void *oldValues) {
  auto *first = static_cast<const Bits *>(firstSources), *second = static_cast<const Bits *>(secondSources);
  auto *old = static_cast<Bits *>(oldValues);
  auto lane = [&](std::uint32_t k) {
    Bits &place = *static_cast<Bits *>(addresses[k]);
    return perform<Alone, Bits, Float>(which, place, first ? first[k] : Bits(0), second ? second[k] : Bits(0));
  };
  if constexpr (Alone) { // which take less than a question for each
    if (wanted == ~std::uint64_t(0) >> (64 - count)) {
#pragma clang loop unroll_count(2)
      for (std::uint32_t k = 0; k < count; ++k)
        old[k] = lane(k);
      return;
    }
  }
  for (std::uint32_t k = 0; k < count; ++k)
    old[k] = wanted >> k & 1 ? lane(k) : 0;
}

template <bool Alone> [[gnu::always_inline]] inline void performSized(std::uint32_t number, std::uint32_t count,
                                                                      std::uint32_t bytes, std::uint64_t wanted,
                                                                      void *const *addresses, const void *first,
                                                                      const void *second, void *old) {
  switch (bytes) {
  case 2:
    return performAll<Alone, std::uint16_t, _Float16>(number, count, wanted, addresses, first, second, old);
  case 8:
    return performAll<Alone, std::uint64_t, double>(number, count, wanted, addresses, first, second, old);
  default:
    return performAll<Alone, std::uint32_t, float>(number, count, wanted, addresses, first, second, old);
  }
}

} // namespace

void pocm_atomic(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, std::uint64_t wanted,
                 void *const *addresses, const void *first, const void *second, void *old) {
  performSized<false>(number, count, bytes, wanted, addresses, first, second, old);
}

void pocm_atomic_alone(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, std::uint64_t wanted,
                       void *const *addresses, const void *first, const void *second, void *old) {
  performSized<true>(number, count, bytes, wanted, addresses, first, second, old);
}

} // namespace pocm
