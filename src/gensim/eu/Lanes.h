//===- Lanes.h - Values of an instruction's channels -----------------------------------===//
#pragma once

#include "gensim/eu/Thread.h"
#include <functional>

namespace pocm::gensim {

/// Values of up to 32 channels, integers exact or floats, with the marks of their bits in the operand's type.
struct Lanes {
  union {
    std::int64_t integer[MostChannels];
    double number[MostChannels];
  };
  std::uint64_t marks[MostChannels];
  bool marked = false; ///< Whether any of them is not 0.
};

/// What happens to unwritten bits that decide something.
using Report = std::function<void(const Instruction &, const char *what)>;

std::uint16_t halfOf(double value, unsigned rounding);
double doubleOf(std::uint16_t half);

/// An element that a wrong address puts beyond the register file. Reads give unwritten bits, writes are dropped.
constexpr unsigned Nowhere = ~0u;

/// Byte of each channel's element in its area. Throws Problem when a direct operand leaves the register file.
void elementsOf(Thread &thread, const Operand &o, unsigned size, std::uint32_t channels, unsigned *offsets);
Area areaOf(Thread &thread, const Operand &o);

/// How far apart the elements of a packed vector of integers are that neighbouring channels read. They lie as words of
/// the destination do: one of dwords takes every other element.
unsigned packedStep(const Instruction &i);

/// Reads a source, modifiers of numbers applied; `logic`: "-" means "not". Denormals are flushed if `flush`. Throws
/// Problem when a packed vector has fewer elements than channels read with that step.
void fetch(Thread &thread, const Operand &o, unsigned size, std::uint32_t channels, bool logic, bool flush, Lanes &to,
           unsigned step = 1);

/// Writes values that are bits of the operand's type already.
void storeBits(Thread &thread, const Operand &o, unsigned size, std::uint32_t channels, const std::uint64_t *bits,
               const std::uint64_t *marks);

} // namespace pocm::gensim
