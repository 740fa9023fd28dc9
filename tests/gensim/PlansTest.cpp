// Plans and the general way of executing leave the same registers, marks and flags, for random instructions on random
// bits: all operations, types, regions and modifiers that plans have, predicates, conditions, unwritten bits, both
// ways of denormal floats.
#include "Iga.h"
#include "gensim/Machine.h"
#include "gensim/isa/Printer.h"
#include <gtest/gtest.h>
#include <random>

using namespace pocm::gensim;

namespace {

class Writer {
public:
  explicit Writer(unsigned seed, const Platform &platform) : random(seed), platform(platform) {}

  std::string instruction() {
    static const std::vector<std::string> ofNumbers = {"mov",  "add",  "mul",  "cmp", "sel",
                                                       "rndd", "rndu", "rndz", "mad"},
                                          ofIntegers = {"mov", "add", "mul", "and", "or",  "xor", "not",
                                                        "shl", "shr", "asr", "cmp", "sel", "mad"};
    bool numbers = random() % 2;
    std::string name = any(numbers ? ofNumbers : ofIntegers);
    bool ternary = name == "mad", one = name == "mov" || name == "not" || name.starts_with("rnd");
    if (ternary && platform.generation != Generation::Gen11)
      name = "add", ternary = false;
    bool logic = name == "and" || name == "or" || name == "xor" || name == "not";
    bool shifts = name.starts_with("sh") || name == "asr";
    size = any(std::vector<unsigned>{1, 8, 8, 16, 16, 32});
    std::string type = numbers ? "f" : any(integers), to = numbers && random() % 4 ? "f" : any(integers);
    if (!numbers && random() % 6 == 0 && !logic && !shifts && !ternary)
      to = "f";
    if (name == "sel" || name == "cmp" || name.starts_with("rnd"))
      to = type;
    if (ternary)
      to = numbers ? "f" : any(std::vector<std::string>{"d", "ud", "w", "uw"});
    if (bytesOf(type) * size > 64 || bytesOf(to) * size > 64)
      size = 16;
    std::string condition, predicate;
    static const std::vector<std::string> conditions = {"(eq)", "(ne)", "(gt)", "(ge)", "(lt)", "(le)"};
    if (name == "cmp" || (name != "sel" && !ternary && random() % 5 == 0))
      condition = any(conditions) + "f0.0 ";
    if (name == "sel" && random() % 2)
      condition = any(conditions) + "f0.0 ";
    else if (name == "sel" || random() % 5 == 0)
      predicate = std::string(random() % 2 ? "" : "~") + (condition.empty() ? "f1.0" : "f0.0");
    bool saturates = !logic && !shifts && name != "cmp" && random() % 5 == 0;
    std::string text = std::string("(W") + (predicate.empty() ? "" : "&" + predicate) + ") " + name + " (" +
                       std::to_string(size) + "|M0) " + condition + (saturates ? "(sat)" : "");
    text += reg() + "<" + (ternary || random() % 4 ? "1" : "2") + ">:" + to;
    unsigned sources = ternary ? 3 : one ? 1 : 2;
    for (unsigned k = 0; k < sources; ++k) {
      std::string mine = numbers ? "f" : ternary ? any(std::vector<std::string>{"d", "ud", "w", "uw"}) : any(integers);
      if (!ternary && k + 1 == sources && random() % 4 == 0 && (numbers || bytesOf(mine) > 1))
        text += " " + immediate(mine);
      else
        text += " " + (ternary && !numbers ? std::string() : modifier(logic)) + reg() + region(ternary, k) + ":" + mine;
    }
    return text + "\n";
  }

private:
  template <class T> T any(const std::vector<T> &of) { return of[random() % of.size()]; }
  static unsigned bytesOf(const std::string &type) { return type.ends_with("b") ? 1 : type.ends_with("w") ? 2 : 4; }
  std::string reg() { return "r" + std::to_string(10 + random() % 12 * 4) + ".0"; }
  std::string modifier(bool logic) {
    static const std::vector<std::string> of = {"", "", "-", "(abs)", "-(abs)"};
    return logic ? (random() % 3 ? "" : "~") : any(of);
  }
  std::string region(bool ternary, unsigned source) {
    if (ternary)
      return source == 2 ? "<1>" : random() % 2 ? "<8;1>" : "<0;0>";
    static const std::vector<std::string> of = {"<8;8,1>", "<8;8,1>", "<0;1,0>", "<4;4,1>", "<16;8,1>", "<16;8,2>"};
    return size == 1 ? "<0;1,0>" : any(of);
  }
  std::string immediate(const std::string &type) {
    if (type == "f")
      return any(std::vector<std::string>{"1.5:f", "-0.25:f", "0x1:f", "1e20:f"});
    return std::to_string(random() % 40) + ":" + type;
  }

  const std::vector<std::string> integers = {"ub", "b", "uw", "w", "ud", "d"};
  std::mt19937 random;
  const Platform &platform;
  unsigned size = 8;
};

/// Registers with random bits, of which some are unwritten, and floats of all kinds.
Dispatch randomRegisters(unsigned seed) {
  std::mt19937 random(seed);
  Dispatch d;
  std::vector<std::uint8_t> zeros(10 * 32);
  d.set(0, zeros.data(), zeros.size());
  for (std::uint32_t at = 10 * 32; at < 64 * 32; at += 4) {
    static const float floats[] = {0.0f, -0.0f, 1.0f, -2.5f, 3e-39f, 1e30f, 127.5f, 0.3f, -1e-45f, 4e9f};
    std::uint32_t bits = std::uint32_t(random());
    if (random() % 2)
      bits = std::bit_cast<std::uint32_t>(floats[random() % std::size(floats)]);
    if (random() % 12 == 0)
      bits = std::bit_cast<std::uint32_t>(std::nanf(""));
    if (random() % 400)
      d.set(at, bits);
  }
  return d;
}

std::string withoutNan(const Thread &t) {
  std::string bytes(reinterpret_cast<const char *>(t.registers.data), t.registerCount * t.registerBytes);
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    std::uint32_t bits;
    std::memcpy(&bits, bytes.data() + at, 4);
    constexpr std::uint32_t exponent = 0x7F800000, nan = 0x7FC00000;
    if ((bits & exponent) == exponent && (bits & 0x7FFFFF)) // which NaN it is nobody promises
      std::memcpy(bytes.data() + at, &nan, 4);
  }
  return bytes;
}

TEST(Plans, leaveWhatTheGeneralWayLeaves) {
  constexpr unsigned programs = 150;
  unsigned planned = 0, all = 0;
  for (const char *name : {"skl", "icllp", "tgllp"}) {
    const Platform &platform = platformNamed(name);
    Writer writer(7, platform);
    std::string text;
    for (unsigned k = 0; k < programs; ++k)
      text += writer.instruction();
    auto code = test::assembled(text, platform);
    // Each instruction is a program of its own.
    std::vector<Instruction> instructions = decodeAll(code, platform);
    ASSERT_EQ(instructions.size(), programs);
    auto end = test::assembled(platform.generation == Generation::Gen12
                                   ? "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}\n"
                                   : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n",
                               platform);
    for (unsigned k = 0; k < programs; ++k) {
      const Instruction &i = instructions[k];
      std::vector<std::uint8_t> one(code.begin() + i.address, code.begin() + i.next());
      std::string mode = k % 2 ? "" : "; denormals kept";
      if (!mode.empty()) {
        auto keep = test::assembled("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x4C0:ud\n", platform);
        one.insert(one.begin(), keep.begin(), keep.end());
      }
      one.insert(one.end(), end.begin(), end.end());
      Kernel kernel("test", platform, one);
      planned += kernel.plans[!mode.empty()].way != Plan::Way::General;
      ++all;
      SCOPED_TRACE(std::string(name) + ": " + textOf(i, platform) + mode);
      std::string registers[2], marks[2], flags[2], problems[2];
      for (bool usesPlans : {false, true}) {
        Machine::Options options;
        options.usesPlans = usesPlans;
        Machine machine(kernel, {}, options);
        Dispatch d = randomRegisters(k);
        try {
          machine.runGroup({&d, 1});
        } catch (const Problem &problem) {
          problems[usesPlans] = problem.what();
          continue;
        }
        const Thread &t = machine.thread(0);
        registers[usesPlans] = withoutNan(t);
        marks[usesPlans].assign(reinterpret_cast<const char *>(t.registers.marks), t.registerCount * t.registerBytes);
        flags[usesPlans].assign(reinterpret_cast<const char *>(&t.flags), sizeof(t.flags));
      }
      EXPECT_EQ(problems[0], problems[1]);
      EXPECT_TRUE(registers[0] == registers[1]);
      EXPECT_TRUE(marks[0] == marks[1]);
      EXPECT_TRUE(flags[0] == flags[1]);
    }
  }
  EXPECT_GT(planned, all / 2) << "of " << all;
}

TEST(Plans, areMadeOfComparisonsAndChoices) {
  for (const char *name : {"skl", "icllp", "tgllp"})
    for (const std::string type : {"d", "ud", "w", "uw", "f"}) {
      const Platform &platform = platformNamed(name);
      const std::string from = " r11.0<8;8,1>:" + type + " r12.0<8;8,1>:" + type + "\n";
      Kernel kernel("test", platform,
                    test::assembled("cmp (8|M0) (gt)f0.0 null<1>:" + type + from + "sel (8|M0) (lt)f0.0 r10.0<1>:" +
                                        type + from + "(f0.0) sel (8|M0) r10.0<1>:" + type + from,
                                    platform));
      ASSERT_EQ(kernel.plans.size(), 3u);
      EXPECT_EQ(kernel.plans[0].way, Plan::Way::Compare) << name << type;
      EXPECT_EQ(kernel.plans[1].way, Plan::Way::Select) << name << type;
      EXPECT_NE(kernel.plans[2].way, Plan::Way::General) << name << type;
    }
}

} // namespace
