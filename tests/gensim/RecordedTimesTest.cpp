// Programs whose times, waits, traffic and reports are the recorded ones, to the clock: a model of time has no other
// test of what no document tells. Who changes the model looks at the difference and records it anew:
//
//     POCM_WRITE_RECORDS=1 build/bin/gensim-tests --gtest_filter='RecordedTimes.*' && git diff tests/gensim/Inputs
#include "TimedPrograms.h"
#include "gensim/timing/Reports.h"
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

struct Program {
  std::string name, text;
  Setup setup;
};

bool isLater(const Platform &p) { return p.generation == Generation::Gen12; }

/// Instructions of every pipe and size, some of which wait for others and some of which do not.
std::string mixed(const Platform &p) {
  const std::string wait = isLater(p) ? " {@1}" : "", token = isLater(p) ? " {$3}" : "",
                    reads = isLater(p) ? " {$3.dst}" : "";
  const std::string one = "mov (16|M0) r10.0<1>:f r1.0<0;1,0>:ud\n"
                          "add (8|M0) r12.0<1>:f r10.0<8;8,1>:f r11.0<8;8,1>:f" +
                          wait +
                          "\n"
                          "mul (16|M0) r14.0<1>:d r30.0<8;8,1>:d r32.0<16;8,2>:w\n"
                          "mad (8|M0) r16.0<1>:f r20.0<8;1>:f r30.0<8;1>:f r40.0<1>:f\n"
                          "mad (16|M0) r18.0<1>:f r20.0<8;1>:f r30.0<8;1>:f r41.0<1>:f\n"
                          "add (16|M0) r22.0<1>:hf r50.0<16;16,1>:hf r51.0<16;16,1>:hf\n"
                          "math.sqt (8|M0) r24.0<1>:f r12.0<8;8,1>:f" +
                          token +
                          "\n"
                          "math.idiv (8|M0) r26.0<1>:ud r50.0<8;8,1>:ud r51.0<8;8,1>:ud" +
                          std::string(isLater(p) ? " {$4}" : "") +
                          "\n"
                          "add (8|M0) r25.0<1>:f r24.0<8;8,1>:f r24.0<8;8,1>:f" +
                          reads +
                          "\n"
                          "sel (8|M0) (ge)f0.0 r27.0<1>:d r50.0<8;8,1>:d r51.0<8;8,1>:d\n"
                          "mov (4|M0) r28.0<1>:ub r50.0<8;4,1>:ub\n"
                          "(W) mov (1|M0) r29.0<1>:uq r50.0<0;1,0>:ud\n";
  return repeated(3, [&](unsigned) { return one; });
}

/// Each thread writes what it read, of memory and of shared local memory, between barriers.
std::string messages(const Platform &p) {
  std::string text = "(W) mov (16|M0) r5.0<1>:uw 0x76543210:uv\n(W) mul (8|M0) r6.0<1>:ud r5.0<8;8,1>:uw 36:uw" +
                     std::string(isLater(p) ? " {@1}" : "") + "\n";
  auto round = [&](unsigned k) {
    if (isLater(p)) {
      const std::string t = std::to_string(k % 4 * 2), u = std::to_string(k % 4 * 2 + 1);
      return "send.dc1 (8|M0) r20 r6 null 0x0 0x02106E00 {@1,$" + t +
             "}\n" //
             "send.dc1 (8|M0) r24 r6 null 0x0 0x02106EFE {$" +
             u +
             "}\n"
             "add (8|M0) r7.0<1>:d r20.0<8;8,1>:d r24.0<8;8,1>:d {$" +
             t +
             ".dst}\n"
             "(W) add (8|M0) r6.0<1>:d r6.0<8;8,1>:d 64:w {$" +
             u + ".dst}\n";
    }
    return std::string("send (8|M0) r20 r6 0xC 0x02106E00\nsend (8|M0) r24 r6 0xC 0x02106EFE\n"
                       "add (8|M0) r7.0<1>:d r20.0<8;8,1>:d r24.0<8;8,1>:d\n"
                       "sends (8|M0) null r6 r7 0x4C 0x02026E00\n"
                       "(W) add (8|M0) r6.0<1>:d r6.0<8;8,1>:d 64:w\n");
  };
  text += repeated(8, round);
  if (p.generation == Generation::Gen9)
    text += "(W) send (8|M0) null r127 0x3 0x02000004\n(W) wait n0.0<0;1,0>:ud\n" + repeated(4, round);
  return text;
}

std::vector<Program> programsFor(const Platform &p) {
  const unsigned threads = threadsOf(p);
  return {{"mixed", mixed(p), {threads * 2, 1}},
          {"alone", mixed(p), {1, 1}},
          {"messages", messages(p), {40, 12, 4096, p.generation == Generation::Gen9, 1 << 16}},
          {"stream", blockReads(p, 24, 8, 1u << 30, 8 * 24), {threads, 1, 0, false, std::size_t(threads) * 24 * 128}},
          {"again", blockReads(p, 40, 8, 1 << 12, 8), {threads + 40, 1, 0, false, 1 << 16}}};
}

/// All that the reports say, without the list of parameters, which Skl.def and its like are.
std::string reportOf(const Times &times) {
  nlohmann::json all = jsonOf(times);
  all.erase("parameters");
  std::string code;
  for (const nlohmann::json &i : all["code"])
    code += " " + i["executions"].dump() + "/" + i["pipe_clocks"].dump() + "/" + i["waits"].dump();
  all.erase("code");
  const nlohmann::json spans = chromeTraceOf(times);
  std::ostringstream text;
  print(text, times, 4);
  text << all.dump() << "\n"
       << code << "\n"
       << spans["traceEvents"].size() << " events, the last " << spans["traceEvents"].back() << "\n"
       << std::hash<std::string>()(pageOf(times)) << "\n";
  return text.str();
}

TEST(RecordedTimes, areThose) {
  std::string now;
  for (const Platform *p : timed)
    for (const Program &program : programsFor(*p))
      now += "# " + program.name + " on " + std::string(p->name) + "\n" +
             reportOf(timesOf(*p, program.text, program.setup));
  const std::string path = std::string(POCM_SOURCE_DIR) + "/tests/gensim/Inputs/recorded_times.txt";
  if (std::getenv("POCM_WRITE_RECORDS"))
    std::ofstream(path) << now;
  std::ifstream in(path);
  std::string section;
  std::istringstream found(now);
  for (std::string is, was; std::getline(found, is);) {
    std::getline(in, was);
    if (is.starts_with("# "))
      section = is;
    ASSERT_EQ(is, was) << section << "; see the first lines of this file";
  }
}

} // namespace
