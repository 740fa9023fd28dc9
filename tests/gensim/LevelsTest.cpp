// The levels of memory as programs find them: sets of lines that grow beyond the L3 cache and the last level's cache,
// read one after the other by a thread that waits for each (how long it takes), and by all threads at once (how fast it
// goes). The tables in docs/gensim-timing.md are what this prints (gensim-tests --gtest_filter=Levels*).
#include "TimedPrograms.h"
#include <cmath>
#include <cstdio>

namespace {

constexpr unsigned lineBytes = 64, lineDwords = lineBytes / 4;

/// A thread follows a ring of lines, each of which names the next.
std::string chain(const Platform &p, std::size_t steps) {
  bool later = p.generation == Generation::Gen12;
  std::string text =
      "(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n(W) mov (1|M0) r6.0<1>:d " + std::to_string(steps) + ":d\nNEXT:\n";
  text += later ? "(W) send.dc0 (8|M0) r5 r5 null 0x0 0x0210C200 {@1,$0}\n" : "(W) send (8|M0) r5 r5 0xA 0x0210C200\n";
  text += "(W) add (1|M0) (gt)f0.0 r6.0<1>:d r6.0<0;1,0>:d -1:w\n";
  return text + (later ? "sync.nop null {$0.dst}\n(W&f0.0) jmpi NEXT {@1}\n" : "(W&f0.0) jmpi NEXT\n");
}

void ring(std::span<std::uint32_t> memory) {
  for (std::size_t at = 0; at < memory.size(); at += lineDwords)
    memory[at] = std::uint32_t((at + lineDwords) % memory.size());
}

/// Clocks of a read in a ring of that size that has been walked once.
double latency(const Platform &p, double bytes) {
  std::size_t lines = std::size_t(bytes) / lineBytes;
  auto clocks = [&](std::size_t rounds) {
    return double(timesOf(p, chain(p, lines * rounds), {1, 1, 0, false, lines * lineBytes, ring}).clocks);
  };
  return (clocks(2) - clocks(1)) / double(lines);
}

/// A cache of other than whole sets, spread evenly over its banks, would be of another size than the tables say.
TEST(Levels, areWholeSetsOfLines) {
  for (const Platform *platform : timed) {
    const Parameters &p = *parametersOf(*platform);
    auto divides = [&](double part, double whole) { return part >= 1 && std::fmod(whole, part) == 0; };
    EXPECT_TRUE(divides(p.lineBytes * p.l3Ways * p.l3Banks, p.l3Bytes)) << platform->name;
    EXPECT_TRUE(divides(p.lineBytes * p.llcWays, p.llcBytes)) << platform->name;
    EXPECT_TRUE(divides(p.lineBytes, p.portBytes)) << platform->name;
  }
}

TEST(Levels, showInHowLongReadsTake) {
  std::printf("| | in the L3 cache | just beyond it | just beyond the last level's cache |\n");
  for (const Platform *platform : timed) {
    const Parameters &p = *parametersOf(*platform);
    constexpr double within = 15.0 / 16, beyond = 17.0 / 16;
    double l3 = latency(*platform, p.l3Bytes * within), llc = latency(*platform, p.l3Bytes * beyond),
           memory = latency(*platform, p.llcBytes * beyond);
    std::printf("| %s, clocks | %.0f | %.0f | %.0f |\n", std::string(platform->name).c_str(), l3, llc, memory);
    EXPECT_NEAR(l3, p.l3Latency, 0.15 * p.l3Latency) << platform->name;
    EXPECT_NEAR(llc - l3, p.llcLatency, 0.15 * p.llcLatency) << platform->name;
    double dram = p.clocksOfNanoseconds(p.dramNanoseconds);
    EXPECT_NEAR(memory - llc, dram, 0.15 * dram) << platform->name;
    EXPECT_NEAR(latency(*platform, p.llcBytes / 2), llc, 0.05 * llc) << platform->name; // as far as that cache goes
  }
}

/// Threads that read block after block, each its own piece of a set of so many bytes, a power of two, and wait for the
/// last.
constexpr unsigned blocks = 16, blockBytes = 128;
std::string reads(const Platform &p, std::size_t bytes) {
  constexpr unsigned oword = 16, places = 8, registers = 4;
  bool later = p.generation == Generation::Gen12;
  std::string text = "(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n(W) mul (1|M0) r5.2<1>:d r1.0<0;1,0>:d " +
                     std::to_string(blocks * blockBytes / oword) + ":w\n(W) and (1|M0) r5.2<1>:d r5.2<0;1,0>:d " +
                     std::to_string(bytes / oword - 1) + ":d" + (later ? " {@1}\n" : "\n");
  for (unsigned k = 0; k < blocks; ++k) {
    std::string to = "r" + std::to_string(20 + k % places * registers), token = "$" + std::to_string(k % places);
    text += later ? "(W) send.dc0 (16|M0) " + to + " r5 null 0x0 0x02480400 {@1," + token + "}\n"
                  : "(W) send (16|M0) " + to + " r5 0xA 0x02480400\n";
    text += "(W) add (1|M0) r5.2<1>:d r5.2<0;1,0>:d " + std::to_string(blockBytes / oword) + ":w" +
            (later ? " {" + token + ".src}\n" : "\n");
  }
  std::string last = std::to_string(20 + (blocks - 1) % places * registers);
  return text + "(W) mov (8|M0) r10.0<1>:ud r" + last + ".0<8;8,1>:ud" +
         (later ? " {$" + std::to_string((blocks - 1) % places) + ".dst}\n" : "\n");
}

/// Bytes a clock that all threads read of a set that has been read `before` times.
double rate(const Platform &p, std::size_t bytes, unsigned before) {
  auto threads = unsigned(bytes / (blocks * blockBytes));
  unsigned few = before + 8 * threadsOf(p) / threads, many = few + std::max(1u, few - before);
  auto clocks = [&](unsigned rounds) {
    return double(timesOf(p, reads(p, bytes), {threads * rounds, 1, 0, false, bytes}).clocks);
  };
  return double(bytes) * (many - few) / (clocks(many) - clocks(few));
}

TEST(Levels, showInHowFastReadsGo) {
  constexpr std::size_t MB = 1 << 20;
  struct Set {
    const Platform &platform;
    std::size_t l3, llc, memory; ///< Sizes that fit these alone.
  };
  const Set sets[] = {
      {skl, MB / 4, 2 * MB, 8 * MB}, {icllp, 2 * MB, 4 * MB, 16 * MB}, {tgllp, 2 * MB, 8 * MB, 32 * MB}};
  std::printf("| | the L3 cache | the last level's cache | memory |\n");
  for (const Set &s : sets) {
    const Parameters &p = *parametersOf(s.platform);
    double l3 = rate(s.platform, s.l3, 2), llc = rate(s.platform, s.llc, 2), memory = rate(s.platform, s.memory, 1);
    std::printf("| %s, bytes a clock | %.4g | %.4g | %.4g |\n", std::string(s.platform.name).c_str(), l3, llc, memory);
    double ports = std::min(p.subslices * p.portBytes, p.l3Banks * p.lineBytes);
    EXPECT_NEAR(l3, ports, 0.15 * ports) << s.platform.name;
    EXPECT_NEAR(llc, p.gtiReadBytes, 0.15 * p.gtiReadBytes) << s.platform.name;
    double dram = p.bytesPerClock(p.dramGigabytes);
    EXPECT_NEAR(memory, dram, 0.15 * dram) << s.platform.name;
  }
}

} // namespace
