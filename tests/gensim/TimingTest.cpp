// Small programs in Intel's assembly whose time the documents tell: peak rates, latencies, bandwidths.
#include "Iga.h"
#include "gensim/Machine.h"
#include "gensim/isa/Printer.h"
#include "gensim/timing/Gpu.h"
#include <gtest/gtest.h>
#include <sstream>

using namespace pocm::gensim;
using namespace pocm::gensim::timing;

namespace {

const Platform &skl = Platforms[0], &icllp = Platforms[1], &tgllp = Platforms[2];
const Platform *const timed[] = {&skl, &icllp, &tgllp};

std::string end(const Platform &p) {
  return p.generation == Generation::Gen12 ? "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
                                           : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
}

std::string repeated(unsigned times, const std::function<std::string(unsigned)> &line) {
  std::string text;
  for (unsigned k = 0; k < times; ++k)
    text += line(k);
  return text;
}

/// Threads that run a text, in groups, with words of memory behind surface 0; r1.0 has the thread's number.
struct Setup {
  unsigned groups = 1, threads = 1;
  unsigned slmBytes = 0;
  bool barrier = false;
  std::size_t memory = 0;
};

/// The profile with the kernel that it speaks of.
struct Times : Profile {
  Times(std::shared_ptr<Kernel> kernel, Profile &&profile) : Profile(std::move(profile)), code(std::move(kernel)) {}
  std::shared_ptr<Kernel> code;
};

Times timesOf(const Platform &platform, const std::string &text, const Setup &setup) {
  constexpr std::size_t page = 4096;
  std::vector<std::uint8_t> room(setup.memory + page);
  std::span<std::uint8_t> memory(room.data() + (page - reinterpret_cast<std::uintptr_t>(room.data()) % page),
                                 setup.memory);
  auto code = std::make_shared<Kernel>("test", platform, test::assembled(text + end(platform), platform));
  const Kernel &kernel = *code;
  World world;
  if (!memory.empty()) {
    Surface s;
    s.base = memory.data();
    s.bytes = memory.size();
    world.surfaces.push_back(s);
  }
  Recorder recorder(*parametersOf(platform));
  Machine::Options options;
  options.observers.push_back(&recorder);
  options.slmBytes = setup.slmBytes;
  Machine machine(kernel, world, options);
  Gpu gpu(kernel, *parametersOf(platform), {setup.slmBytes, setup.barrier, 2});
  for (unsigned g = 0; g < setup.groups; ++g) {
    std::vector<Dispatch> group(setup.threads);
    for (unsigned t = 0; t < setup.threads; ++t) {
      std::vector<std::uint8_t> zeros(128 * 32);
      group[t].set(0, zeros.data(), zeros.size());
      group[t].set<std::uint32_t>(32, g * setup.threads + t);
    }
    machine.runGroup(group);
    gpu.add(recorder.take());
  }
  return {code, gpu.finish()};
}

unsigned threadsOf(const Platform &platform) {
  const Parameters &p = *parametersOf(platform);
  return unsigned(p.subslices * p.unitsPerSubslice * p.threadsPerUnit);
}

/// Instructions of 8 or 16 channels that do not depend on each other, as many threads as there are.
double operationsPerClockAndUnit(const Platform &platform, const std::string &operation, unsigned channels) {
  constexpr unsigned count = 500;
  Times r = timesOf(platform,
                    repeated(count,
                             [&](unsigned k) {
                               std::string text = operation;
                               auto put = [&](const std::string &name, unsigned number) {
                                 for (std::size_t at; (at = text.find(name)) != std::string::npos;)
                                   text.replace(at, name.size(), "r" + std::to_string(number));
                               };
                               put("$to", 10 + k % 20 * 2);
                               put("$a", 60);
                               put("$b", 63);
                               put("$c", 66);
                               return text + "\n";
                             }),
                    {threadsOf(platform), 1});
  return double(count) * channels * threadsOf(platform) / double(r.clocks) / r.units();
}

TEST(Timing, floatsReachThePeakOfEachPlatform) {
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    double rate = operationsPerClockAndUnit(*p, "mad (8|M0) $to.0<1>:f $a.0<8;1>:f $b.0<8;1>:f $c.0<1>:f", 8);
    EXPECT_GT(rate, 0.9 * 8) << "two operations each: 16 a clock";
    EXPECT_LE(rate, 8);
  }
}

TEST(Timing, integersTakeOnePipeFromGen11On) {
  std::string add = "add (8|M0) $to.0<1>:d $a.0<8;8,1>:d $b.0<8;8,1>:d";
  EXPECT_NEAR(operationsPerClockAndUnit(skl, add, 8), 8, 0.8);
  EXPECT_NEAR(operationsPerClockAndUnit(icllp, add, 8), 4, 0.4);
  EXPECT_NEAR(operationsPerClockAndUnit(tgllp, add, 8), 8, 0.8);
}

TEST(Timing, elementaryFunctionsTakeAQuarterOfAPipe) {
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    double rate = operationsPerClockAndUnit(*p, "math.inv (8|M0) $to.0<1>:f $a.0<8;8,1>:f", 8);
    EXPECT_NEAR(rate, p == &tgllp ? 2 : 1, 0.1);
  }
}

TEST(Timing, halvesGoTwiceAsFastAsFloats) {
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    double rate = operationsPerClockAndUnit(*p, "add (16|M0) $to.0<1>:hf $a.0<16;16,1>:hf $b.0<16;16,1>:hf", 16);
    EXPECT_NEAR(rate, 16, 1.6);
  }
}

TEST(Timing, anInstructionWaitsForTheOneThatItDependsOn) {
  constexpr unsigned count = 400;
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    std::string wait = p == &tgllp ? " {@1}" : "";
    auto chain = [&](unsigned k) {
      return "add (8|M0) r10.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f" + (k ? wait : "") + "\n";
    };
    auto apart = [](unsigned k) {
      return "add (8|M0) r" + std::to_string(10 + k % 16) + ".0<1>:f r40.0<8;8,1>:f r41.0<8;8,1>:f\n";
    };
    auto clocks = [&](auto line) {
      return (double(timesOf(*p, repeated(count, line), {}).clocks) - double(timesOf(*p, "", {}).clocks)) / count;
    };
    EXPECT_NEAR(clocks(chain), parametersOf(*p)->aluLatency, 0.5);
    EXPECT_NEAR(clocks(apart), 1, 1.1); // two pipes, or two clocks of one
  }
}

/// A loop of block reads, each of eight owords, as far apart as `stride` owords, from surface 0.
/// Threads begin `apart` owords from each other, but below `wrap`.
std::string blockReads(const Platform &p, unsigned count, unsigned stride, unsigned wrap, unsigned apart) {
  bool later = p.generation == Generation::Gen12;
  std::string text =
      "(W) mov (8|M0) r5.0<1>:ud 0x0:ud\n(W) mul (1|M0) r5.2<1>:d r1.0<0;1,0>:d " + std::to_string(apart) + ":w\n";
  text += std::string("(W) and (1|M0) r5.2<1>:d r5.2<0;1,0>:d ") + std::to_string(wrap - 1) + ":d" +
          (later ? " {@1}" : "") + "\n";
  for (unsigned k = 0; k < count; ++k) {
    text += later ? "(W) send.dc0 (16|M0) r20 r5 null 0x0 0x02480400 {@1,$0}\n"
                  : "(W) send (16|M0) r20 r5 0xA 0x02480400\n";
    text +=
        "(W) add (1|M0) r5.2<1>:d r5.2<0;1,0>:d " + std::to_string(stride) + ":w" + (later ? " {$0.src}" : "") + "\n";
    text += "(W) mov (8|M0) r30.0<1>:ud r20.0<8;8,1>:ud" + std::string(later ? " {$0.dst}" : "") + "\n";
  }
  return text;
}

TEST(Timing, aReadThatHitsTheCacheTakesItsLatency) {
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    constexpr unsigned count = 100;
    const Parameters &parameters = *parametersOf(*p);
    Times r = timesOf(*p, blockReads(*p, count, 0, 8, 0), {1, 1, 0, false, 4096});
    EXPECT_EQ(r.traffic.dramReads, 2u);
    double each = double(r.clocks) / count;
    EXPECT_NEAR(each, parameters.l3Latency + parameters.payloadClocks + parameters.aluLatency, 20);
  }
}

TEST(Timing, streamsAreLimitedByMemoryAndHitsByThePorts) {
  for (const Platform *p : timed) {
    SCOPED_TRACE(std::string(p->name));
    const Parameters &parameters = *parametersOf(*p);
    constexpr unsigned count = 64, bytes = 128;
    unsigned threads = threadsOf(*p);
    std::size_t all = std::size_t(threads) * count * bytes;
    Times stream = timesOf(*p, blockReads(*p, count, 8, 1u << 30, 8 * count), {threads, 1, 0, false, all});
    double gigabytes = double(stream.traffic.dramReads) * 64 / stream.milliseconds() / 1e6;
    EXPECT_GT(gigabytes, 0.75 * parameters.dramGigabytes);
    EXPECT_LE(gigabytes, parameters.dramGigabytes);
    Times hits = timesOf(*p, blockReads(*p, 256, 0, 1 << 14, 8), {threads, 1, 0, false, 1 << 18});
    double perClock = double(hits.traffic.lines) * 64 / double(hits.clocks);
    // Each thread has one read under way.
    double latency = parameters.l3Latency + parameters.payloadClocks + parameters.aluLatency;
    double limit = std::min({parameters.portBytes * parameters.subslices, parameters.l3Banks * parameters.lineBytes,
                             threads * bytes / latency});
    EXPECT_GT(perClock, 0.8 * limit);
    EXPECT_LE(perClock, 1.02 * limit);
  }
}

TEST(Timing, banksOfSharedLocalMemoryServeOneDwordAClock) {
  const char *addresses = "(W) mov (8|M0) r5.0<1>:uw 0x76543210:uv\n(W) mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:uw %:uw\n";
  auto clocks = [&](unsigned stride) {
    std::string text = addresses;
    text.replace(text.find('%'), 1, std::to_string(stride));
    text += repeated(64, [](unsigned) { return std::string("(W) send (8|M0) r20 r6 0xC 0x02106EFE\n"); });
    return timesOf(skl, text, {1, 1, 4096}).traffic.slmClocks / 64;
  };
  EXPECT_EQ(clocks(4), 1u);
  EXPECT_EQ(clocks(0), 1u); // one dword for all
  EXPECT_EQ(clocks(64), 8u);
  EXPECT_EQ(clocks(32), 4u);
}

TEST(Timing, aBarrierOpensWithItsLastThread) {
  std::string barrier = "(W) send (8|M0) null r127 0x3 0x02000004\n(W) wait n0.0<0;1,0>:ud\n";
  Times alone = timesOf(skl, barrier, {1, 1, 0, true}), many = timesOf(skl, barrier, {1, 32, 0, true});
  const Parameters &p = *parametersOf(skl);
  EXPECT_GT(alone.clocks, p.gatewayLatency);
  // The last of 32 threads starts 31 dispatches later.
  EXPECT_NEAR(double(many.clocks - alone.clocks), 31 * p.dispatchClocks, 8);
  EXPECT_GT(many.waits()[unsigned(Reason::Barrier)], 0u);
}

TEST(Timing, groupsWaitForRoom) {
  const Parameters &p = *parametersOf(skl);
  std::string work = repeated(200, [](unsigned) { return std::string("math.inv (8|M0) r10.0<1>:f r11.0<8;8,1>:f\n"); });
  auto places = unsigned(p.subslices * p.unitsPerSubslice * p.threadsPerUnit);
  auto once = timesOf(skl, work, {places, 1}).clocks, twice = timesOf(skl, work, {2 * places, 1}).clocks;
  EXPECT_NEAR(double(twice) / double(once), 2, 0.1);
  // A group that takes all shared local memory of a subslice has it alone.
  auto few = timesOf(skl, work, {3, 1, 65536}).clocks, more = timesOf(skl, work, {12, 1, 65536}).clocks;
  EXPECT_NEAR(double(more) / double(few), 4, 0.2);
  EXPECT_THROW(timesOf(skl, work, {1, 57}), Problem);
}

TEST(Timing, theSameLaunchTakesTheSameTime) {
  auto clocks = [] {
    return timesOf(icllp, blockReads(icllp, 40, 8, 1 << 16, 320), {700, 1, 0, false, 1 << 22}).clocks;
  };
  EXPECT_EQ(clocks(), clocks());
}

TEST(Timing, theReportNamesWhereThreadsWait) {
  Times r = timesOf(skl, blockReads(skl, 40, 8, 1 << 16, 320), {200, 1, 0, false, 1 << 22});
  std::ostringstream text;
  print(text, r, 3);
  EXPECT_NE(text.str().find("kernel 'test' on skl: "), std::string::npos);
  EXPECT_NE(text.str().find("threads wait for memory"), std::string::npos);
  EXPECT_NE(text.str().find("mov (8|M0) r30.0<1>:ud r20.0<8;8,1>:ud"), std::string::npos) << text.str();
}

TEST(Timing, platformsWithoutAModelHaveNone) {
  for (const Platform &p : Platforms)
    EXPECT_EQ(parametersOf(p) != nullptr, p.generation <= Generation::Gen12);
}

} // namespace
