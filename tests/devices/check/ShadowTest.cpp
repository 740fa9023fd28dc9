//===- ShadowTest.cpp - Histories of lines against histories of single bytes ----------------===//
//
// Random accesses of a few threads. A byte's own history, kept the plain way, says whom an access has to be told of:
// the last writer, and two readers since. A Shadow may tell of more readers, but of nobody who was not there.
//
//===------------------------------------------------------------------------------------------===//
#include "devices/check/Shadow.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace pocm::check;

namespace {

constexpr std::uint64_t size = 320;
constexpr std::uint64_t line = 64;
constexpr unsigned threadCount = 5;

/// What is known of a byte.
struct Byte {
  AccessNumber writer = 0, one = 0, other = 0;
  bool atomic = false;            ///< The writer is.
  std::set<AccessNumber> readers; ///< All since the last plain write.
};

class Accesses {
public:
  explicit Accesses(unsigned seed) : random(seed), sumsUp(seed % 2 == 0) {}

  void step() {
    if (chance(3)) { // another thread goes on
      thread = 1 + pick(threadCount);
      mine = own = last();
    }
    if (chance(10)) // a fence
      own = last();
    if (chance(200)) // another launch
      oldest = mine = own = last();
    Access how = chance(2) ? Access::Read : chance(8) ? Access::Atomic : Access::Write;
    auto [at, bytes] = place(how);
    notes.push_back({thread, 0, nullptr});
    const Window window{oldest, mine, own, thread, notes.data(), 0};
    std::set<std::uint32_t> told;
    auto look = [&](AccessNumber number, std::uint64_t byte) {
      EXPECT_TRUE(window.has(number));
      EXPECT_TRUE(byte >= at && byte < at + bytes) << byte;
      told.insert(notes[number].thread);
    };
    Again again;
    const bool atomic = how == Access::Atomic, dword = bytes == 4 && at % 4 == 0 && chance(2);
    if (!sumsUp && chance(3) && shadow.touchLines(at, bytes, last(), how, window))
      ; // a short way, when there is nobody to be told of
    else if (how == Access::Read ? dword && shadow.readDword(at, last(), window)
                                 : !sumsUp && ((!atomic && shadow.writeLines(at, bytes, last(), window)) ||
                                               (dword && shadow.writeDword(at, last(), atomic, window))))
      ;                                                              // another
    else if (!sumsUp && how == Access::Write && bytes % line == 0) { // rows without gaps, as far as it goes
      const auto rows = std::int64_t(bytes / line), done = shadow.writeRows(at, line, line, rows, last(), window);
      if (done < rows)
        shadow.write(at + std::uint64_t(done) * line, std::uint64_t(rows - done) * line, last(), false, window, nullptr,
                     look);
    } else if (how == Access::Read)
      shadow.read(at, bytes, last(), window, look);
    else
      shadow.write(at, bytes, last(), atomic, window, sumsUp && how == Access::Write ? &again : nullptr, look);
    told.erase(thread);
    compare(how, at, bytes, told, again.bytes);
  }

private:
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random); }
  bool chance(unsigned in) { return pick(in) == 0; }
  AccessNumber last() const { return AccessNumber(notes.size() - 1); }

  /// Whole lines, halves, edges, dwords and single bytes.
  std::pair<std::uint64_t, std::uint64_t> place(Access how) {
    constexpr unsigned steps[] = {64, 32, 16, 4, 1};
    const unsigned unit = how == Access::Atomic ? 4 : steps[pick(5)], first = pick(unsigned(size) / unit);
    const unsigned most = std::min(3u, unsigned(size) / unit - first);
    return {std::uint64_t(first) * unit, how == Access::Atomic ? 4 : std::uint64_t(1 + pick(most)) * unit};
  }

  void compare(Access how, std::uint64_t at, std::uint64_t bytes, const std::set<std::uint32_t> &told,
               std::uint64_t again) {
    std::set<std::uint32_t> wanted, there;
    std::uint64_t repeated = 0;
    auto add = [&](std::set<std::uint32_t> &to, AccessNumber n) {
      if (n > oldest && notes[n].thread != thread)
        to.insert(notes[n].thread);
    };
    for (std::uint64_t i = at; i < at + bytes; ++i) {
      Byte &b = known[i];
      add(wanted, b.writer);
      repeated += b.writer > oldest;
      if (how == Access::Read) {
        b.readers.insert(last());
        if (b.writer > own && !b.atomic)
          continue; // that write says as much
        if (b.one > oldest && notes[b.one].thread != thread)
          b.other = b.one;
        b.one = last();
        continue;
      }
      add(wanted, b.one);
      add(wanted, b.other);
      for (AccessNumber n : b.readers)
        add(there, n);
      b.writer = last();
      b.atomic = how == Access::Atomic;
      if (how == Access::Write)
        b.one = b.other = 0, b.readers.clear();
    }
    there.insert(wanted.begin(), wanted.end());
    for (std::uint32_t t : wanted)
      EXPECT_TRUE(told.count(t)) << "not told of thread " << t << " at " << at << ", " << bytes << " bytes";
    for (std::uint32_t t : told)
      EXPECT_TRUE(there.count(t)) << "told of thread " << t << " at " << at << ", " << bytes << " bytes";
    if (sumsUp && how == Access::Write) {
      EXPECT_EQ(again, repeated);
    }
    std::uint64_t first = 0;
    while (first < size && known[first].writer > oldest)
      ++first;
    EXPECT_EQ(shadow.unwritten(0, size, oldest), first);
  }

  std::mt19937 random;
  const bool sumsUp; ///< Whether it is asked what is written again.
  Shadow shadow{size};
  Byte known[size];
  std::vector<AccessNote> notes{{}};
  std::uint32_t thread = 1;
  AccessNumber oldest = 0, mine = 0, own = 0;
};

TEST(Shadow, tellsOfThoseWhoTouchedAByte) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Accesses accesses(seed);
    for (unsigned step = 0; step < 400 && !HasFailure(); ++step)
      accesses.step();
  }
}

} // namespace
