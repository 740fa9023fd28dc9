// Atomic operations on memory of every size, on numbers around the ends of their ranges, beside the same in C++.
#include "gensim/memory/Memory.h"
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <type_traits>

using namespace pocm::gensim;

namespace {

/// What an operation leaves of what was there and two operands; gen-isa, table of atomic operations.
template <class T> T model(unsigned operation, T old, T first, T second) {
  using S = std::make_signed_t<T>;
  switch (operation) {
  case 0x1:
    return old & first;
  case 0x2:
    return old | first;
  case 0x3:
    return old ^ first;
  case 0x4:
    return first;
  case 0x5:
    return T(old + 1);
  case 0x6:
  case 0xF:
    return T(old - 1);
  case 0x7:
    return T(old + first);
  case 0x8:
    return T(old - first);
  case 0x9:
    return T(first - old);
  case 0xA:
    return S(old) > S(first) ? old : first;
  case 0xB:
    return S(old) < S(first) ? old : first;
  case 0xC:
    return old > first ? old : first;
  case 0xD:
    return old < first ? old : first;
  default:
    return old == first ? second : old;
  }
}

template <class T> void integers() {
  constexpr T most = T(~T(0)), half = T(most / 2);
  const T numbers[] = {0, 1, 2, half, T(half + 1), T(half - 1), most, T(most - 1), T(0x5A5A5A5A5A5A5A5A)};
  for (unsigned operation = 1; operation < 16; ++operation)
    for (T old : numbers)
      for (T first : numbers)
        for (T second : {T(3), most}) {
          std::array<T, 3> memory{0x77, old, 0x77}; // neighbours stay
          // What is above an operand of fewer bits does not count.
          const std::uint64_t above = sizeof(T) == 8 ? 0 : ~std::uint64_t(0) << (sizeof(T) * 8 % 64);
          const std::uint64_t returned = applyAtomic(operation, reinterpret_cast<std::uint8_t *>(&memory[1]), sizeof(T),
                                                     first | above, second | above);
          const T now = model<T>(operation, old, first, second);
          EXPECT_EQ(memory, (std::array<T, 3>{0x77, now, 0x77}))
              << "operation " << operation << " of " << sizeof(T) << " bytes: " << +old << ", " << +first;
          EXPECT_EQ(returned, operation == 0xF ? now : old);
        }
  T memory = 0;
  EXPECT_THROW(applyAtomic(0x10, reinterpret_cast<std::uint8_t *>(&memory), sizeof(T), 0, 0), Problem);
}

TEST(Atomics, integersOfEverySize) {
  integers<std::uint16_t>();
  integers<std::uint32_t>();
  integers<std::uint64_t>();
}

template <class F, class Bits> void floats() {
  const F nan = F(NAN), numbers[] = {F(0), F(1), F(-1.5), F(1024), F(-0.25), F(INFINITY), nan};
  auto bits = [](F x) { return std::uint64_t(std::bit_cast<Bits>(x)); };
  for (unsigned operation = 1; operation < 6; ++operation)
    for (F old : numbers)
      for (F first : numbers) {
        const F second = F(7), now = operation == 1   ? (std::isnan(double(old)) || first > old ? first : old)
                                     : operation == 2 ? (std::isnan(double(old)) || first < old ? first : old)
                                     : operation == 3 ? (old == first ? second : old)
                                     : operation == 4 ? F(old + first)
                                                      : F(old - first);
        std::array<F, 3> memory{F(3), old, F(3)};
        const std::uint64_t returned = applyFloatAtomic(operation, reinterpret_cast<std::uint8_t *>(&memory[1]),
                                                        sizeof(F), bits(first), bits(second));
        EXPECT_EQ(returned, bits(old));
        EXPECT_TRUE(std::isnan(double(now)) ? std::isnan(double(memory[1])) : memory[1] == now)
            << "operation " << operation << ": " << double(old) << ", " << double(first) << ": " << double(memory[1]);
        EXPECT_TRUE(memory[0] == F(3) && memory[2] == F(3));
      }
  F memory = 0;
  EXPECT_THROW(applyFloatAtomic(6, reinterpret_cast<std::uint8_t *>(&memory), sizeof(F), 0, 0), Problem);
}

TEST(Atomics, floatsOfEverySize) {
  floats<_Float16, std::uint16_t>();
  floats<float, std::uint32_t>();
  floats<double, std::uint64_t>();
}

} // namespace
