//===- Shadow.h - Who touched which byte last ------------------------------------===//
//
// Beside the bytes that a launch can reach lies who wrote each byte last, and two threads
// that have read it since. Who: the number of an access, which knows its thread. Eight bytes
// that accesses always cover together have one history, so that a block of 64 bytes costs
// eight steps; the first access that covers a part of them splits it into one for each byte,
// and the next write of all eight joins it again.
//
//     bytes     |0 .. 7|8 .. 15|16 .. 23|
//     writers   |  3   |   3   | Split  |      3: an access of the notes
//     fine                     |3 3 3 3 5 5 3 3|
//
// Everything here is made before the kernel runs; the pages of what nobody needs are never
// there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "devices/check/Abi.h"
#include <algorithm>
#include <cstddef>
#include <utility>

namespace pocm::check {

/// Zeros of which only the pages that are touched take memory. Throws Error when there is no room.
class Zeros {
public:
  Zeros() = default;
  /// `dense`: most of it will be touched.
  Zeros(std::size_t bytes, bool dense);
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

/// An access of a thread at a place of a kernel, in one phase between barriers.
struct AccessNote {
  std::uint32_t thread, arrived;
  const Site *site;
};

/// The histories of a stretch of memory. Accesses with numbers up to `oldest` count as none.
class Shadow {
public:
  Shadow() = default;
  explicit Shadow(std::uint64_t bytes)
      : writers(granulesOf(bytes) * sizeof(AccessNumber), true), readers(granulesOf(bytes) * sizeof(Readers), false),
        fine(granulesOf(bytes) * granule * sizeof(Cell), false) {}

  /// Notes a write or atomic `me`. `look(number, byte)` is told of the accesses before it, a few times of some;
  /// `again(byte, count)` of bytes that were written before. A plain write is all that later ones need to know.
  template <class Look, class Again> void write(std::uint64_t at, std::uint64_t bytes, AccessNumber me, bool atomic,
                                                AccessNumber oldest, Look look, Again again) {
    eachGranule(at, bytes, [&](std::uint64_t g, unsigned from, unsigned to) {
      AccessNumber &writer = writerOf(g);
      if (writer != Split && to - from == granule) {
        if (writer > oldest) {
          again(g * granule, granule);
          look(writer, g * granule);
        }
        writer = me;
        if (!wasRead)
          return;
        Readers &r = readersOf(g);
        look(r.one, g * granule);
        look(r.other, g * granule);
        if (!atomic)
          r = {};
        return;
      }
      split(g);
      for (unsigned k = from; k < to; ++k) {
        Cell &cell = fineOf(g)[k];
        if (cell.writer > oldest)
          again(g * granule + k, 1);
        look(cell.writer, g * granule + k);
        look(cell.read.one, g * granule + k);
        look(cell.read.other, g * granule + k);
        cell.writer = me;
        if (!atomic)
          cell.read = {};
      }
      if (to - from == granule && !atomic) {
        writer = me;
        if (wasRead)
          readersOf(g) = {};
      }
    });
  }

  /// Notes a read. `look` as above; `same(number)`: whether that access was this thread's.
  template <class Look, class Same>
  void read(std::uint64_t at, std::uint64_t bytes, AccessNumber me, Look look, Same same) {
    wasRead = true;
    auto note = [&](Readers &r) {
      if (r.one == me)
        return;
      if (!same(r.one))
        r.other = r.one;
      r.one = me;
    };
    eachGranule(at, bytes, [&](std::uint64_t g, unsigned from, unsigned to) {
      AccessNumber writer = writerOf(g);
      if (writer != Split && to - from == granule) {
        look(writer, g * granule);
        note(readersOf(g));
        return;
      }
      split(g);
      for (unsigned k = from; k < to; ++k) {
        look(fineOf(g)[k].writer, g * granule + k);
        note(fineOf(g)[k].read);
      }
    });
  }

  /// The first of these bytes that no access after `oldest` has written; behind the last when there is none.
  std::uint64_t unwritten(std::uint64_t at, std::uint64_t bytes, AccessNumber oldest) const {
    for (std::uint64_t i = at; i < at + bytes;) {
      AccessNumber writer = writerOf(i / granule);
      if (writer == Split ? fineOf(i / granule)[i % granule].writer <= oldest : writer <= oldest)
        return i;
      i = writer == Split ? i + 1 : (i / granule + 1) * granule;
    }
    return at + bytes;
  }

private:
  static constexpr unsigned granule = 8;
  static constexpr AccessNumber Split = ~0u; ///< Each byte of the granule has its own history.
  struct Readers {
    AccessNumber one, other; ///< Of different threads.
  };
  struct Cell {
    AccessNumber writer;
    Readers read;
  };

  static std::uint64_t granulesOf(std::uint64_t bytes) { return (bytes + granule - 1) / granule; }
  template <class Do> static void eachGranule(std::uint64_t at, std::uint64_t bytes, Do visit) {
    for (std::uint64_t end = at + bytes; at < end;) {
      std::uint64_t g = at / granule, next = std::min(end, (g + 1) * granule);
      visit(g, unsigned(at - g * granule), unsigned(next - g * granule));
      at = next;
    }
  }
  AccessNumber &writerOf(std::uint64_t g) const { return static_cast<AccessNumber *>(writers.data())[g]; }
  Readers &readersOf(std::uint64_t g) const { return static_cast<Readers *>(readers.data())[g]; }
  Cell *fineOf(std::uint64_t g) const { return static_cast<Cell *>(fine.data()) + g * granule; }
  void split(std::uint64_t g) {
    AccessNumber &writer = writerOf(g);
    if (writer == Split)
      return;
    std::fill(fineOf(g), fineOf(g) + granule, Cell{writer, wasRead ? readersOf(g) : Readers{}});
    writer = Split;
  }

  Zeros writers, readers, fine; ///< By granule; cells by byte.
  bool wasRead = false;
};

/// Memory with histories.
struct Area {
  std::uint8_t *base = nullptr;
  std::uint64_t bytes = 0;
  Shadow *shadow = nullptr;
  bool races = false;                      ///< Whether something writes here, so that histories are kept.
  std::uint64_t again = 0, firstAgain = 0; ///< Bytes that were written once more, and the first of them.
};

} // namespace pocm::check
