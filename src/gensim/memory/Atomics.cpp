//===- Atomics.cpp - Operations on memory that return what was there ----------------------===//
#include "gensim/memory/Memory.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace pocm::gensim {

std::uint64_t applyAtomic(unsigned operation, std::uint8_t *memory, unsigned bytes, std::uint64_t first,
                          std::uint64_t second) {
  std::uint64_t old = 0;
  std::memcpy(&old, memory, bytes);
  unsigned shift = 64 - bytes * 8;
  std::uint64_t within = ~std::uint64_t(0) >> shift;
  auto isLess = [&](std::uint64_t a, std::uint64_t b) { return std::int64_t(a << shift) < std::int64_t(b << shift); };
  first &= within;
  second &= within;
  std::uint64_t value = old;
  switch (operation) {
  case 1:
    value = old & first;
    break;
  case 2:
    value = old | first;
    break;
  case 3:
    value = old ^ first;
    break;
  case 4:
    value = first;
    break;
  case 5:
    value = old + 1;
    break;
  case 6:
  case 0xF:
    value = old - 1;
    break;
  case 7:
    value = old + first;
    break;
  case 8:
    value = old - first;
    break;
  case 9:
    value = first - old;
    break;
  case 0xA:
    value = isLess(old, first) ? first : old;
    break;
  case 0xB:
    value = isLess(first, old) ? first : old;
    break;
  case 0xC:
    value = std::max(old, first);
    break;
  case 0xD:
    value = std::min(old, first);
    break;
  case 0xE:
    value = old == first ? second : old;
    break;
  default:
    throw Problem("an atomic operation that there is not: " + std::to_string(operation));
  }
  std::memcpy(memory, &value, bytes);
  return operation == 0xF ? value & within : old;
}

namespace {
double decode(std::uint64_t bits, unsigned bytes) {
  return bytes == 2   ? doubleOf(std::uint16_t(bits))
         : bytes == 4 ? double(std::bit_cast<float>(std::uint32_t(bits)))
                      : std::bit_cast<double>(bits);
}
std::uint64_t encode(double value, unsigned bytes) {
  return bytes == 2   ? halfOf(value, 0)
         : bytes == 4 ? std::bit_cast<std::uint32_t>(float(value))
                      : std::bit_cast<std::uint64_t>(value);
}
} // namespace

std::uint64_t applyFloatAtomic(unsigned operation, std::uint8_t *memory, unsigned bytes, std::uint64_t first,
                               std::uint64_t second) {
  std::uint64_t old = 0, value;
  std::memcpy(&old, memory, bytes);
  double a = decode(old, bytes), b = decode(first, bytes);
  switch (operation) {
  case 1: // the larger; a number wins over NaN
    value = std::isnan(a) || b > a ? first : old;
    break;
  case 2:
    value = std::isnan(a) || b < a ? first : old;
    break;
  case 3:
    value = a == b ? second : old;
    break;
  case 4:
    value = encode(a + b, bytes);
    break;
  case 5:
    value = encode(a - b, bytes);
    break;
  default:
    throw Problem("an atomic operation on floats that there is not: " + std::to_string(operation));
  }
  std::memcpy(memory, &value, bytes);
  return old;
}

} // namespace pocm::gensim
