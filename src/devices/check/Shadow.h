//===- Shadow.h - Who touched which byte last ------------------------------------===//
//
// Beside the bytes that a launch can reach lies who wrote each byte last, and two threads
// that have read it since. Who: the number of an access, which knows its thread. A line of
// 64 bytes that accesses always cover together has one history, so that a block of 128 bytes
// costs two steps; the first access that covers a part of it splits it into one for each
// dword, and the next write of the whole line joins it again. Dwords split into bytes alike.
// One stretch that was read apart from the rest, as halves and edges are, does not split a line.
//
//     line      writer 3                          one history
//     line      writer 3, bytes 60 to 63 read by 4
//     line      cells: 3 3 3 3 5 5 3 Split ...     5: wrote two dwords of it
//     bytes                          3 3 6 3      of the eighth
//
// Numbers rise. Accesses of before, and those that the running thread has noted since it
// went on last, are told by their numbers alone (Window), a line at a time; only the others
// are looked at one by one.
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
  Zeros(Zeros &&other) noexcept { *this = std::move(other); }
  Zeros &operator=(Zeros &&other) noexcept {
    std::swap(start, other.start);
    std::swap(mapped, other.mapped);
    std::swap(size, other.size);
    return *this;
  }
  ~Zeros();
  void *data() const { return start; }

private:
  void *start = nullptr, *mapped = nullptr;
  std::size_t size = 0; ///< Of what is mapped.
};

using AccessNumber = std::uint32_t;

/// An access of a thread at a place of a kernel, in one phase between barriers.
struct AccessNote {
  std::uint32_t thread, arrived;
  const Site *site;
};

/// Which accesses matter to one that happens now: those behind `oldest` and up to `mine`. Behind `mine` only its thread
/// ran; behind `own` nothing ordered what it did, either.
struct Window {
  AccessNumber oldest, mine, own; ///< Each not less than the one before.
  std::uint32_t thread;
  const AccessNote *notes; ///< By number, from `first` on.
  AccessNumber first;
  bool has(AccessNumber n) const { return n - oldest - 1 < mine - oldest; }
  std::uint32_t threadOf(AccessNumber n) const { return notes[n - first].thread; }
};

/// Bytes that were written once more, and the first of them.
struct Again {
  std::uint64_t bytes = 0, first = 0;
  void add(std::uint64_t at, std::uint64_t count) {
    first = bytes ? first : at;
    bytes += count;
  }
};

/// The histories of a stretch of memory.
class Shadow {
public:
  Shadow() = default;
  explicit Shadow(std::uint64_t bytes)
      : lines(linesOf(bytes) * sizeof(Line), true), writers((linesOf(bytes) + 1) * sizeof(Cells), true),
        readers((linesOf(bytes) + 1) * sizeof(CellReaders), true),
        fine(linesOf(bytes) * cellsOfLine * sizeof(Fine), false) {}

  /// Says that an access to this byte comes soon.
  void expect(std::uint64_t at) const { __builtin_prefetch(&lineOf(at / lineBytes), /*rw=*/1); }
  /// And later one to what lies behind it, as threads go along rows.
  void expectRow(std::uint64_t at) const {
    expect(at);
    expect(at + 4 * lineBytes);
  }

  /// The same of a dword of a line that expect() was told of.
  void expectCell(std::uint64_t at) const {
    if (const Line &line = lineOf(at / lineBytes); line.isSplit())
      __builtin_prefetch(&writersOf(line).of[at % lineBytes / cell], /*rw=*/1);
  }

  /// Notes a write or atomic `me`. `look(number, byte)` is told of the accesses before it that the window has, a few
  /// times of some. `again`, if any, of bytes that were written after `window.oldest`. A plain write is all that later
  /// ones need to know.
  template <class Look> [[gnu::noinline]] void write(std::uint64_t at, std::uint64_t bytes, AccessNumber me,
                                                     bool atomic, const Window &window, Again *again, Look &&look) {
    eachLine(at, bytes, [&](std::uint64_t number, unsigned from, unsigned to) {
      Line &line = lineOf(number);
      const bool whole = to - from == lineBytes;
      if (whole && !atomic && !line.isSplit()) {
        if (again || line.concerns(window)) [[unlikely]]
          lookAtLine(line, number * lineBytes, window, again, look);
        line.writer = me;
        line.read = line.part = {};
        return;
      }
      split(line, number, window);
      if (again || from % cell || to % cell || !writeCells(line, from / cell, to / cell, me, atomic, window))
        eachCell(from, to, [&](unsigned k, unsigned first, unsigned end) {
          writeCell(line, number * cellsOfLine + k, k, first, end, me, atomic, window, again, look);
        });
      if (whole && !atomic)
        line = {me, {}, {}, line.cells & ~1u, line.newest, 0, 0};
    });
  }
  /// The same of a plain write of whole lines that concerns nobody; false when it is not that, and has to be written.
  bool writeLines(std::uint64_t at, std::uint64_t bytes, AccessNumber me, const Window &window) {
    if ((at | bytes) % lineBytes)
      return false;
    for (Line *line = &lineOf(at / lineBytes), *end = line + bytes / lineBytes; line < end; ++line)
      if (!line->writeWhole(me, window)) [[unlikely]]
        return false;
    return true;
  }
  /// Notes what a block does to whole lines that are not split and concern nobody; false when there is more to do.
  [[gnu::always_inline]] bool touchLines(std::uint64_t at, std::uint64_t bytes, AccessNumber me, Access how,
                                         const Window &given) {
    const Window window = given; // no history is a part of it
    if (how == Access::Write)
      return writeLines(at, bytes, me, window);
    if ((at | bytes) % lineBytes || how != Access::Read)
      return false;
    for (Line *line = &lineOf(at / lineBytes), *end = line + bytes / lineBytes; line < end; ++line) {
      if (line->isSplit() || window.has(line->writer)) [[unlikely]]
        return false;
      if (line->writer <= window.own)
        note(line->read.one, line->read.other, me, window);
    }
    return true;
  }
  /// The same of rows: how many of them, from the first on, are written.
  std::int64_t writeRows(std::uint64_t at, std::uint64_t bytes, std::int64_t pitch, std::int64_t rows, AccessNumber me,
                         const Window &given) {
    const Window window = given; // no history is a part of it
    std::int64_t row = 0;
    while (row < rows && writeLines(at + std::uint64_t(row * pitch), bytes, me, window))
      ++row;
    return row;
  }

  /// Notes a read. `look` as above.
  template <class Look>
  void read(std::uint64_t at, std::uint64_t bytes, AccessNumber me, const Window &window, Look &&look) {
    eachLine(at, bytes, [&](std::uint64_t number, unsigned from, unsigned to) {
      Line &line = lineOf(number);
      if (!line.isSplit()) [[likely]] {
        if (line.writer > window.own)
          return; // whoever may not write here now may not because of that write
        if (window.has(line.writer))
          look(line.writer, number * lineBytes + from);
        if (readWhole(line, from, to, me, window))
          return;
      }
      readParts(number, from, to, me, window, look);
    });
  }

  /// The same of a dword at a multiple of its size; false when there is more to do, and nothing is noted.
  bool writeDword(std::uint64_t at, AccessNumber me, bool atomic, const Window &window) {
    const Line &line = lineOf(at / lineBytes);
    const unsigned k = at % lineBytes / cell;
    if (!line.isSplit())
      return false;
    AccessNumber &writer = writersOf(line).of[k];
    if (window.has(writer) || writer == Split)
      return false;
    if (line.newest > window.oldest) {
      CellReaders &r = readersOf(line);
      if (window.has(r.one[k]) || window.has(r.other[k]))
        return false;
      if (!atomic)
        r.one[k] = r.other[k] = 0;
    }
    writer = me;
    return true;
  }
  bool readDword(std::uint64_t at, AccessNumber me, const Window &window) {
    Line &line = lineOf(at / lineBytes);
    const unsigned k = at % lineBytes / cell;
    if (!line.isSplit())
      return false;
    const AccessNumber writer = writersOf(line).of[k];
    if (window.has(writer) || writer == Split)
      return false;
    CellReaders &r = readersOf(line);
    note(r.one[k], r.other[k], me, window);
    line.newest = me;
    return true;
  }

  /// The first of these bytes that no access after `oldest` has written; behind the last when there is none.
  std::uint64_t unwritten(std::uint64_t at, std::uint64_t bytes, AccessNumber oldest) const {
    const std::uint64_t end = at + bytes;
    while (at < end) {
      const Line &line = lineOf(at / lineBytes);
      const AccessNumber writer = line.isSplit() ? writersOf(line).of[at % lineBytes / cell] : line.writer;
      if (writer == Split ? fineOf(at / cell).writer[at % cell] <= oldest : writer <= oldest)
        return at;
      const std::uint64_t step = !line.isSplit() ? lineBytes : writer == Split ? 1 : cell;
      at = (at / step + 1) * step;
    }
    return end;
  }

private:
  /// A read of a line that is split, or has to be.
  template <class Look> [[gnu::noinline]] void readParts(std::uint64_t number, unsigned from, unsigned to,
                                                         AccessNumber me, const Window &window, Look &look) {
    Line &line = lineOf(number);
    split(line, number, window);
    line.newest = me;
    Cells &w = writersOf(line);
    CellReaders &r = readersOf(line);
    const unsigned a = from / cell, b = (to + cell - 1) / cell;
    if (from % cell || to % cell || anyToLookAt(w, a, b, window)) {
      eachCell(from, to, [&](unsigned k, unsigned first, unsigned end) {
        const std::uint64_t place = number * cellsOfLine + k;
        if (w.of[k] != Split && end - first == cell) {
          if (window.has(w.of[k]))
            look(w.of[k], place * cell);
          return note(r.one[k], r.other[k], me, window);
        }
        Fine &f = splitCell(line, place, k);
        for (unsigned i = first; i < end; ++i) {
          if (window.has(f.writer[i]))
            look(f.writer[i], place * cell + i);
          note(f.one[i], f.other[i], me, window);
        }
      });
      return;
    }
    if (!anyToLookAt(r.one, a, b, window))
      return put(r.one, a, b, me);
    for (unsigned k = a; k < b; ++k)
      note(r.one[k], r.other[k], me, window);
  }

  static constexpr unsigned lineBytes = 64, cell = 4, cellsOfLine = lineBytes / cell;
  static constexpr AccessNumber Split = ~0u; ///< Each byte of the cell has its own history. In no window.
  struct Readers {
    AccessNumber one, other; ///< Of different threads, the newer first.
  };
  struct alignas(32) Line {
    AccessNumber writer; ///< No atomic while it is not split.
    Readers read;
    Readers part; ///< Of its bytes from partFrom to partTo alone.
    /// Its number among the cells, twice, and 1 while it is split; 0 before it was split first.
    std::uint32_t cells;
    AccessNumber newest; ///< Of the readers that its cells have, or had when it was split last.
    std::uint8_t partFrom, partTo;
    bool isSplit() const { return cells & 1; }
    /// Notes a plain write of all of it, unless there is more to do.
    bool writeWhole(AccessNumber me, const Window &window) {
      const AccessNumber before = std::max(writer, std::max(read.one, part.one)); // the others are older
      if (isSplit()) [[unlikely]]
        return false;
      if (before > window.oldest) {
        if (concerns(window))
          return false;
        read = part = {};
      }
      writer = me; // readers of before count as none
      return true;
    }
    /// All of them at once: most lines concern nobody.
    bool concerns(const Window &window) const {
      return bool(unsigned(window.has(writer)) | unsigned(window.has(read.one)) | unsigned(window.has(read.other)) |
                  unsigned(window.has(part.one)) | unsigned(window.has(part.other)));
    }
  };
  struct Cells {
    AccessNumber of[cellsOfLine];
  };
  struct CellReaders {
    AccessNumber one[cellsOfLine], other[cellsOfLine];
  };
  struct Fine {
    AccessNumber writer[cell], one[cell], other[cell];
  };

  static std::uint64_t linesOf(std::uint64_t bytes) { return (bytes + lineBytes - 1) / lineBytes; }
  template <class Do> static void eachLine(std::uint64_t at, std::uint64_t bytes, Do visit) {
    for (std::uint64_t end = at + bytes; at < end;) {
      std::uint64_t number = at / lineBytes, next = std::min(end, (number + 1) * lineBytes);
      visit(number, unsigned(at - number * lineBytes), unsigned(next - number * lineBytes));
      at = next;
    }
  }
  /// visit(cell of the line, first byte of it, behind the last).
  template <class Do> static void eachCell(unsigned from, unsigned to, Do visit) {
    while (from < to) {
      unsigned k = from / cell, next = std::min(to, (k + 1) * cell);
      visit(k, from - k * cell, next - k * cell);
      from = next;
    }
  }

  Line &lineOf(std::uint64_t number) const { return static_cast<Line *>(lines.data())[number]; }
  Cells &writersOf(const Line &line) const { return static_cast<Cells *>(writers.data())[line.cells / 2]; }
  CellReaders &readersOf(const Line &line) const { return static_cast<CellReaders *>(readers.data())[line.cells / 2]; }
  Fine &fineOf(std::uint64_t place) const { return static_cast<Fine *>(fine.data())[place]; }

  static void note(AccessNumber &one, AccessNumber &other, AccessNumber me, const Window &window) {
    if (window.has(one) && window.threadOf(one) != window.thread)
      other = one;
    one = me;
  }
  /// Notes a read of a line that is not split; false when it has to be.
  static bool readWhole(Line &line, unsigned from, unsigned to, AccessNumber me, const Window &window) {
    if (to - from == lineBytes) {
      note(line.read.one, line.read.other, me, window);
      return true;
    }
    if (line.read.one > window.own)
      return true;                        // along with the others
    if (line.part.one <= window.oldest) { // nobody has
      line.part = {me, 0};
      line.partFrom = std::uint8_t(from);
      line.partTo = std::uint8_t(to);
      return true;
    }
    if (from == line.partFrom && to == line.partTo) {
      note(line.part.one, line.part.other, me, window);
      return true;
    }
    const bool alone = line.part.one > window.own && line.part.other <= window.oldest;
    if (!alone || from > line.partTo || to < line.partFrom)
      return false;
    line.part.one = me; // a thread goes on
    line.partFrom = std::uint8_t(std::min<unsigned>(from, line.partFrom));
    line.partTo = std::uint8_t(std::max<unsigned>(to, line.partTo));
    if (line.partTo - line.partFrom == int(lineBytes)) {
      note(line.read.one, line.read.other, me, window);
      line.part = {};
    }
    return true;
  }
  /// The newest of both, and the newest of another thread.
  static Readers merged(Readers a, Readers b, const Window &window) {
    if (b.one > a.one)
      std::swap(a, b);
    AccessNumber second = 0;
    for (AccessNumber n : {a.other, b.one, b.other})
      if (n > window.oldest && n > second && window.threadOf(n) != window.threadOf(a.one))
        second = n;
    return {a.one, second};
  }

  void split(Line &line, std::uint64_t number, const Window &window) {
    if (line.isSplit())
      return;
    line.cells = (line.cells ? line.cells : 2 * ++splitLines) | 1;
    std::fill_n(writersOf(line).of, cellsOfLine, line.writer);
    const AccessNumber newest = std::max(line.read.one, line.part.one);
    if (newest <= window.oldest && line.newest <= window.oldest)
      return; // what cells have is of before, too
    line.newest = newest;
    CellReaders &r = readersOf(line);
    std::fill_n(r.one, cellsOfLine, line.read.one);
    std::fill_n(r.other, cellsOfLine, line.read.other);
    if (line.part.one <= window.oldest)
      return;
    const Readers both = merged(line.read, line.part, window);
    eachCell(line.partFrom, line.partTo, [&](unsigned k, unsigned first, unsigned end) {
      if (end - first == cell) {
        r.one[k] = both.one;
        r.other[k] = both.other;
        return;
      }
      Fine &f = splitCell(line, number * cellsOfLine + k, k);
      std::fill(f.one + first, f.one + end, both.one);
      std::fill(f.other + first, f.other + end, both.other);
    });
    line.part = {};
  }
  Fine &splitCell(Line &line, std::uint64_t place, unsigned k) {
    Fine &f = fineOf(place);
    if (writersOf(line).of[k] == Split)
      return f;
    std::fill_n(f.writer, cell, writersOf(line).of[k]);
    std::fill_n(f.one, cell, readersOf(line).one[k]);
    std::fill_n(f.other, cell, readersOf(line).other[k]);
    writersOf(line).of[k] = Split;
    return f;
  }

  // All cells of a line at once, in vectors: [a, b) are meant.
  static bool anyToLookAt(const AccessNumber (&cells)[cellsOfLine], unsigned a, unsigned b, const Window &window) {
    if (b - a == 1)
      return window.has(cells[a]) || cells[a] == Split;
    unsigned any = 0;
    for (unsigned k = 0; k < cellsOfLine; ++k)
      any |= unsigned(k - a < b - a) & (unsigned(window.has(cells[k])) | unsigned(cells[k] == Split));
    return any;
  }
  static bool anyToLookAt(const Cells &cells, unsigned a, unsigned b, const Window &window) {
    return anyToLookAt(cells.of, a, b, window);
  }
  static void put(AccessNumber (&cells)[cellsOfLine], unsigned a, unsigned b, AccessNumber number) {
    if (b - a == 1) {
      cells[a] = number;
      return;
    }
    for (unsigned k = 0; k < cellsOfLine; ++k)
      cells[k] = k - a < b - a ? number : cells[k];
  }

  /// Whether there was nothing to look at.
  bool writeCells(Line &line, unsigned a, unsigned b, AccessNumber me, bool atomic, const Window &window) {
    Cells &w = writersOf(line);
    if (anyToLookAt(w, a, b, window))
      return false;
    if (line.newest > window.oldest) {
      CellReaders &r = readersOf(line);
      if (anyToLookAt(r.one, a, b, window) || anyToLookAt(r.other, a, b, window))
        return false;
      if (!atomic) {
        put(r.one, a, b, 0);
        put(r.other, a, b, 0);
      }
    }
    put(w.of, a, b, me);
    return true;
  }

  template <class Look> [[gnu::noinline]] static void lookAtLine(const Line &line, std::uint64_t begin,
                                                                 const Window &window, Again *again, Look &look) {
    lookAll(line.writer, line.read, begin, window, look);
    lookAll(0, line.part, begin + line.partFrom, window, look);
    if (again && line.writer > window.oldest)
      again->add(begin, lineBytes);
  }
  template <class Look>
  static void lookAll(AccessNumber writer, Readers read, std::uint64_t at, const Window &window, Look &look) {
    for (AccessNumber number : {writer, read.one, read.other})
      if (window.has(number))
        look(number, at);
  }

  template <class Look> void writeCell(Line &line, std::uint64_t place, unsigned k, unsigned first, unsigned end,
                                       AccessNumber me, bool atomic, const Window &window, Again *again, Look &look) {
    AccessNumber &writer = writersOf(line).of[k];
    CellReaders &r = readersOf(line);
    if (writer != Split && end - first == cell) {
      lookAll(writer, {r.one[k], r.other[k]}, place * cell, window, look);
      if (again && writer > window.oldest)
        again->add(place * cell, cell);
    } else {
      Fine &f = splitCell(line, place, k);
      for (unsigned i = first; i < end; ++i) {
        lookAll(f.writer[i], {f.one[i], f.other[i]}, place * cell + i, window, look);
        if (again && f.writer[i] > window.oldest)
          again->add(place * cell + i, 1);
        f.writer[i] = me;
        if (!atomic)
          f.one[i] = f.other[i] = 0;
      }
      if (end - first < cell || atomic)
        return;
    }
    writer = me;
    if (!atomic)
      r.one[k] = r.other[k] = 0;
  }

  Zeros lines;            ///< Line, of each.
  Zeros writers, readers; ///< Cells and CellReaders, of lines that were split, in the order in which that happened.
  Zeros fine;             ///< Fine, of each cell.
  std::uint32_t splitLines = 0;
};

/// Memory with histories.
struct Area {
  std::uint8_t *base = nullptr;
  std::uint64_t bytes = 0;
  Shadow *shadow = nullptr;
  bool races = false; ///< Whether something writes here, so that histories are kept.
  Again again;        ///< What the launch wrote more than once, when that is asked for.
};

} // namespace pocm::check
