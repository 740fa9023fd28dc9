// Published figures of the three GPUs beside what small programs take on the model of time: within 15 %. The table in
// docs/gensim-timing.md is what this prints (gensim-tests --gtest_filter=Figures*).
#include "TimedPrograms.h"
#include <cstdio>

namespace {

/// A figure: what is published, whether a parameter was set by it, and a program's.
struct Figure {
  const char *name, *unit, *source;
  double published[3]; ///< SKL, ICLLP, TGLLP.
  bool set;
  double (*measured)(const Platform &);
};

double floats(const Platform &p) {
  return 2 * operationsPerClockAndUnit(p, "mad (16|M0) $to.0<1>:f $a.0<8;1>:f $b.0<8;1>:f $c.0<1>:f", 16) *
         parametersOf(p)->subslices * parametersOf(p)->unitsPerSubslice;
}
double halves(const Platform &p) {
  return operationsPerClockAndUnit(p, "add (16|M0) $to.0<1>:hf $a.0<16;16,1>:hf $b.0<16;16,1>:hf", 16);
}
double dwords(const Platform &p) {
  return operationsPerClockAndUnit(p, "add (16|M0) $to.0<1>:d $a.0<8;8,1>:d $b.0<8;8,1>:d", 16);
}
double functions(const Platform &p) {
  return operationsPerClockAndUnit(p, "math.sqt (16|M0) $to.0<1>:f $a.0<8;8,1>:f", 16);
}
/// Clocks of each of a chain of instructions that wait for the one before.
double chain(const Platform &p, const std::string &text, const char *wait) {
  constexpr unsigned count = 300;
  bool later = p.generation == Generation::Gen12;
  auto clocks = [&](unsigned n) {
    return double(
        timesOf(p, repeated(n, [&](unsigned k) { return text + (later && k ? wait : "") + "\n"; }), {}).clocks);
  };
  return (clocks(count) - clocks(0)) / count;
}
double additions(const Platform &p) { return chain(p, "add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f", " {@1}"); }
double roots(const Platform &p) {
  if (p.generation != Generation::Gen12)
    return chain(p, "math.sqt (8|M0) r10.0<1>:f r10.0<8;8,1>:f", "");
  return chain(p, "math.sqt (8|M0) r10.0<1>:f r10.0<8;8,1>:f {$1}\nsync.nop null {$1.dst}", "");
}
/// Messages that do not wait for each other, then for the last of them.
std::string messages(const Platform &p, unsigned count, unsigned registers, const std::string &send) {
  bool later = p.generation == Generation::Gen12;
  constexpr unsigned places = 8;
  auto to = [&](unsigned k) { return std::to_string(20 + k % places * registers); };
  return repeated(count,
                  [&](unsigned k) {
                    std::string text = send;
                    text.replace(text.find('$'), 1, "r" + to(k));
                    return text + (later ? " {@1,$" + std::to_string(k % places) + "}\n" : "\n");
                  }) +
         "(W) mov (8|M0) r10.0<1>:ud r" + to(count - 1) + ".0<8;8,1>:ud" +
         (later ? " {$" + std::to_string((count - 1) % places) + ".dst}\n" : "\n");
}
/// Bytes a clock of a subslice whose threads read the same lines of the L3 cache again and again.
double port(const Platform &p) {
  bool later = p.generation == Generation::Gen12;
  std::string text =
      "(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n" +
      messages(p, 400, 4,
               later ? "(W) send.dc0 (16|M0) $ r5 null 0x0 0x02480400" : "(W) send (16|M0) $ r5 0xA 0x02480400");
  Times r = timesOf(p, text, {1, 48, 0, false, 4096});
  return double(r.traffic.lines) * 64 / double(r.clocks);
}
/// Reads that do not hit L3: of memory, and a second time of the last level's cache.
double memoryRate(const Platform &p) {
  constexpr unsigned count = 64;
  unsigned threads = threadsOf(p);
  Times r = timesOf(p, blockReads(p, count, 8, 1u << 30, 8 * count),
                    {threads, 1, 0, false, std::size_t(threads) * count * 128});
  return double(r.traffic.dramReads) * 64 / r.milliseconds() / 1e6;
}
double hit(const Platform &p) {
  constexpr unsigned count = 200;
  return double(timesOf(p, blockReads(p, count, 0, 8, 0), {1, 1, 0, false, 4096}).clocks) / count;
}
/// Nanoseconds that a read takes longer when it goes to memory.
double miss(const Platform &p) {
  constexpr unsigned count = 200;
  double clocks =
      double(timesOf(p, blockReads(p, count, 8, 1u << 30, 0), {1, 1, 0, false, count * 128}).clocks) / count;
  return (clocks - hit(p) - parametersOf(p)->llcLatency) * 1000 / parametersOf(p)->megahertz;
}
/// Bytes a clock of shared local memory, all threads of a group.
double local(const Platform &p) {
  bool later = p.generation == Generation::Gen12;
  std::string text = "(W) mov (16|M0) r5.0<1>:uw 0x76543210:uv\n(W) add (8|M0) r5.8<1>:uw r5.0<8;8,1>:uw 8:uw" +
                     std::string(later ? " {@1}" : "") + "\n(W) mul (16|M0) r6.0<1>:ud r5.0<16;16,1>:uw 4:uw" +
                     (later ? " {@1}" : "") + "\n";
  text += messages(p, 400, 2,
                   later ? "(W) send.dc1 (16|M0) $ r6 null 0x0 0x04205EFE" : "(W) send (16|M0) $ r6 0xC 0x04205EFE");
  Times r = timesOf(p, text, {1, 48, 4096});
  return double(r.traffic.slmBytes) / double(r.clocks);
}

const Figure figures[] = {
    {"operations of floats", "a clock", "WP9, WP11, OPT", {384, 1024, 1536}, false, floats},
    {"additions of halves", "a clock and unit", "WP9, OPT", {16, 16, 16}, false, halves},
    {"additions of dwords", "a clock and unit", "OPT", {8, 4, 8}, false, dwords},
    {"square roots", "a clock and unit", "IGC, MESA, OPT", {1, 1, 2}, true, functions},
    {"an addition of floats that waits for another", "clocks", "MESA, IGC", {8, 10, 10}, true, additions},
    {"a square root that waits for another", "clocks", "MESA, IGC", {16, 16, 17}, true, roots},
    {"reads that hit L3, a subslice", "bytes a clock", "WP9, WP11, OPT", {64, 64, 128}, true, port},
    {"reads of memory", "GB/s", "memory standards", {34.1, 59.7, 68.3}, true, memoryRate},
    {"a read that hits L3, alone", "clocks", "150 to 200; IGC 146", {175, 175, 146}, true, hit},
    {"a read of memory, beyond the last level's cache", "ns", "200 to 300", {250, 250, 250}, true, miss},
    {"16 lanes of shared local memory, a subslice", "bytes a clock", "WP9, OPT", {64, 64, 0}, true, local},
};

/// What people have measured on Gen9 GPUs of 24 execution units with clpeak (its results/old, Intel(R) Graphics Compute
/// Runtime): a UHD Graphics 620 at 1150 MHz, which is SKL here, and, of halves, a UHD Graphics 630 at 1200 MHz, as the
/// first one's clock fell under that load. No parameter was taken from them. Operations are those of its loops:
/// multiply-adds of floats; of dwords a product and a sum.
double floatsOfUnit(const Platform &p) {
  return 2 * operationsPerClockAndUnit(p, "mad (16|M0) $to.0<1>:f $a.0<8;1>:f $b.0<8;1>:f $c.0<1>:f", 16);
}
double halvesOfUnit(const Platform &p) {
  return 2 * operationsPerClockAndUnit(p, "mad (16|M0) $to.0<1>:hf $a.0<8;1>:hf $b.0<8;1>:hf $c.0<1>:hf", 16);
}
double doublesOfUnit(const Platform &p) {
  return 2 * operationsPerClockAndUnit(p, "mad (8|M0) $to.0<1>:df $a.0<2;1>:df $b.0<2;1>:df $c.0<1>:df", 8);
}
double dwordsOfUnit(const Platform &p) {
  return 2 * operationsPerClockAndUnit(p,
                                       "mul (16|M0) $to.0<1>:d $a.0<8;8,1>:d $b.0<8;8,1>:d\n"
                                       "add (16|M0) $c.0<1>:d $a.0<8;8,1>:d $b.0<8;8,1>:d",
                                       16);
}
const Figure measurements[] = {
    {"multiply-adds of floats: operations",
     "a clock and unit",
     "clpeak, UHD 620: 436.5 GFLOPS",
     {15.8},
     false,
     floatsOfUnit},
    {"multiply-adds of halves: operations",
     "a clock and unit",
     "clpeak, UHD 630: 887.4 GFLOPS",
     {30.8},
     false,
     halvesOfUnit},
    {"multiply-adds of doubles: operations",
     "a clock and unit",
     "clpeak, UHD 620: 109.5 GFLOPS",
     {3.97},
     false,
     doublesOfUnit},
    {"products and sums of dwords: operations",
     "a clock and unit",
     "clpeak, UHD 620: 145.9 GIOPS",
     {5.29},
     false,
     dwordsOfUnit},
    {"reads of memory", "GB/s", "clpeak, UHD 620", {29.7}, false, memoryRate},
};

TEST(Figures, thatPeopleMeasuredAreMetWithin15Percent) {
  for (const Figure &f : measurements) {
    double measured = f.measured(skl);
    std::printf("| %s, %s | %s | %.4g | %.4g |\n", f.name, f.unit, f.source, f.published[0], measured);
    EXPECT_NEAR(measured, f.published[0], 0.15 * f.published[0]) << f.name;
  }
}

TEST(Figures, ofDocumentsAreMetWithin15Percent) {
  for (const Figure &f : figures)
    for (unsigned k = 0; k < 3; ++k) {
      if (f.published[k] == 0) // nothing that one such program could reach
        continue;
      double measured = f.measured(*timed[k]);
      std::printf("| %s, %s | %s | %s | %.4g | %.4g | %s |\n", f.name, f.unit, std::string(timed[k]->name).c_str(),
                  f.source, f.published[k], measured, f.set ? "yes" : "no");
      EXPECT_NEAR(measured, f.published[k], 0.15 * f.published[k]) << f.name << " on " << timed[k]->name;
    }
}

} // namespace
