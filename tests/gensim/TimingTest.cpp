// Small programs in Intel's assembly whose time the documents tell: peak rates, latencies, bandwidths.
#include "TimedPrograms.h"

namespace {

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

/// Where two of them are even, or odd: the second and the third are read at once.
TEST(Timing, operandsInOneBankCostAClock) {
  constexpr unsigned count = 200;
  auto clocks = [&](const Platform &p, const std::string &sources) {
    auto line = [&](unsigned k) {
      return "mad (16|M0) r" + std::to_string(80 + k % 8 * 2) + ".0<1>:f " + sources + "\n";
    };
    return double(timesOf(p, repeated(count, line), {}).clocks) / count;
  };
  for (const Platform *p : {&skl, &icllp}) {
    SCOPED_TRACE(std::string(p->name));
    const double apart = clocks(*p, "r20.0<8;1>:f r30.0<8;1>:f r41.0<1>:f");
    EXPECT_GT(clocks(*p, "r21.0<8;1>:f r30.0<8;1>:f r40.0<1>:f"), apart + 0.4);
    EXPECT_NEAR(clocks(*p, "r30.0<8;1>:f r30.0<8;1>:f r41.0<1>:f"), apart, 0.1);
    EXPECT_NEAR(clocks(*p, "r21.0<8;1>:f r30.0<8;1>:f r70.0<1>:f"), apart, 0.1);
  }
}

/// What section 1 and table 3.2 of the documents say of each machine.
TEST(Timing, machinesAreThoseOfTheDocuments) {
  struct Machine {
    const Platform &platform;
    double units, threads, slm, gtiRead, gtiWrite, port, banks, slmBanks, dram;
  } machines[] = {{skl, 24, 168, 65536, 64, 32, 64, 4, 16, 34},
                  {icllp, 64, 448, 65536, 64, 64, 64, 8, 16, 60},
                  {tgllp, 96, 672, 131072, 2 * 64, 2 * 64, 128, 8, 32, 68}};
  for (const Machine &m : machines) {
    SCOPED_TRACE(std::string(m.platform.name));
    const Parameters &p = *parametersOf(m.platform);
    EXPECT_EQ(p.subslices * p.unitsPerSubslice, m.units);
    EXPECT_EQ(threadsOf(m.platform), m.threads);
    EXPECT_EQ(p.slmBytes, m.slm);
    EXPECT_EQ(p.lineBytes, 64);
    EXPECT_EQ(p.gtiReadBytes, m.gtiRead);
    EXPECT_EQ(p.gtiWriteBytes, m.gtiWrite);
    EXPECT_EQ(p.portBytes, m.port);
    EXPECT_EQ(p.l3Banks, m.banks);
    EXPECT_EQ(p.slmBanks, m.slmBanks);
    EXPECT_NEAR(p.dramGigabytes, m.dram, 0.5);
  }
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
