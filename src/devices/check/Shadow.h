//===- Shadow.h - Who touched which byte last ------------------------------------===//
//
// Beside the bytes that a launch can reach lie cells: who wrote each byte last, and two
// threads that have read it since. Who: the number of an access, which knows its thread.
// Everything here is made before the kernel runs; the pages of cells that nobody needs are
// never there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "devices/check/Abi.h"
#include <cstddef>
#include <utility>

namespace pocm::check {

/// Zeros of which only the pages that are touched take memory. Throws Error when there is no room.
class Zeros {
public:
  Zeros() = default;
  explicit Zeros(std::size_t bytes);
  Zeros(Zeros &&other) noexcept : start(std::exchange(other.start, nullptr)), size(std::exchange(other.size, 0)) {}
  Zeros &operator=(Zeros &&other) noexcept {
    std::swap(start, other.start);
    std::swap(size, other.size);
    return *this;
  }
  ~Zeros();
  void *data() const { return start; }

private:
  void *start = nullptr;
  std::size_t size = 0;
};

using AccessNumber = std::uint32_t;

/// The last accesses to a byte; 0 is none.
struct Cell {
  AccessNumber writer, reader, otherReader; ///< Of different threads.
};

/// An access of a thread at a place of a kernel, in one phase between barriers.
struct AccessNote {
  std::uint32_t thread, arrived;
  const Site *site;
};

/// Memory with cells.
struct Area {
  std::uint8_t *base = nullptr;
  std::uint64_t bytes = 0;
  bool races = false;                      ///< Whether something writes here, so that cells are kept.
  Cell *cells = nullptr;                   ///< One for each byte.
  std::uint64_t again = 0, firstAgain = 0; ///< Bytes that were written once more, and the first of them.
};

} // namespace pocm::check
