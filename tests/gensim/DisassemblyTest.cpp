// What the decoder makes of the finalizer's code reads as what Intel's disassembler makes of it, on every target.
#include "Encoding.h"
#include "Iga.h"
#include "Listing.h"
#include "gensim/Machine.h"
#include "gensim/isa/Printer.h"
#include "pocm/gen.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace pocm::gensim;

namespace {

/// What kernels do: regions of all kinds, indirect ones too, conversions, predicates, branches, messages.
constexpr const char *source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void many(SurfaceIndex in, SurfaceIndex out, SurfaceIndex image, int n, float f, svmptr_t memory) {
  vector<int, 32> v; read(in, 0, v);
  vector<float, 32> g = v * f;
  vector<short, 32> s = v; vector<uchar, 64> bytes = 3; bytes.select<32, 2>(1) = s;
  vector<half, 16> h = g.select<16, 2>(0);
  SIMD_IF_BEGIN(v.select<16, 1>(0) > n) {
    v.select<16, 1>(0) = v.select<16, 1>(16) * v.select<16, 1>(0);
    SIMD_DO_WHILE_BEGIN { v.select<16, 1>(0) -= 3; } SIMD_DO_WHILE_END(v.select<16, 1>(0) > 0);
  } SIMD_ELSE { v.select<16, 1>(0) = g.select<16, 1>(1); } SIMD_IF_END
  for (int i = 0; i < n; i++) { v(i & 31) += i; g += cm_sqrt(g) * 0.5f; v.select<8, 1>(i & 15) = s.select<8, 2>(i & 7); }
  v += s; g = cm_max<float>(g, -v); g = cm_exp(g) / cm_abs<float>(g);
  v = cm_add<int>(v, 5, SAT); v ^= v >> 3; v = cm_bf_reverse<int>(v);
  vector<uint, 16> o = v.select<16, 2>(0) & 63, r; read(in, 0, o, r);
  matrix<uchar, 8, 16> m; read(image, 3, n, m); write(image, n, 3, m);
  write_atomic<ATOMIC_ADD, uint>(out, o.select<8, 1>(0), r.select<8, 1>(0), r.select<8, 1>(8));
  cm_svm_block_write(memory, r); write(out, 0, g); write(out, 128, v); write(out, 256, bytes);
  vector<long long, 8> q = v.select<8, 1>(0); q *= n; cm_svm_block_write(memory + 64, q);
  vector<ushort, 16> hs = h * h; cm_svm_block_write(memory + 128, hs);
}
extern "C" _GENX_MAIN_ void group(SurfaceIndex out) {
  cm_slm_init(4096); uint slm = cm_slm_alloc(256); vector<uint, 16> v = cm_local_id(0); vector<ushort, 16> o = 4;
  cm_slm_write(slm, o, v); cm_barrier(); cm_slm_read(slm, o, v); write(out, cm_group_id(0) * 64, v);
}
)";

class Disassembly : public testing::TestWithParam<Platform> {};

TEST_P(Disassembly, readsAsIntels) {
  const Platform &platform = GetParam();
  pocm::CompileOptions options;
  options.file = "many.cpp";
  options.source = source;
  pocm::CompileResult result = pocm::compile(options);
  ASSERT_TRUE(result.ok) << result.diagnostics;
  std::size_t compared = 0, shortOnes = 0;
  for (const pocm::GenKernel &kernel : pocm::genCode(result.program, std::string(platform.name))) {
    Kernel code(kernel.name, platform, kernel.code);
    test::Listing listing = test::compareListing(code, kernel.code);
    EXPECT_EQ(listing.difference, "") << kernel.name;
    for (const Instruction &i : code.instructions)
      shortOnes += i.bytes == 8;
    compared += listing.instructions;
  }
  EXPECT_GT(compared, 120u);
  if (platform.name != "pvc") // whose code has none
    EXPECT_GT(shortOnes, 30u);
}

/// One instruction as text; what is wrong with it, where it is refused.
std::string readAs(const std::vector<std::uint8_t> &code, const Platform &platform) {
  try {
    return textOf(decodeAll(code, platform).front(), platform);
  } catch (const Problem &problem) {
    return problem.what();
  }
}

/// Numbers of registers and of accumulators are read to their last bit, where the documents have them.
TEST_P(Disassembly, readsWholeNumbers) {
  const Platform &platform = GetParam();
  struct Field {
    unsigned last, first;
  };
  const struct {
    const char *line;
    std::vector<Field> upToGen11, later;
  } rows[] = {
      {"add (8|M0) r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d",
       {{60, 53}, {76, 69}, {108, 101}},
       {{63, 56}, {79, 72}, {111, 104}}},
      {"mad (8|M0) r10.0<1>:f r11.0<8;1>:f r12.0<8;1>:f r13.0<1>:f",
       {{63, 56}, {83, 76}, {104, 97}, {125, 118}},
       {{63, 56}, {79, 72}, {111, 104}, {127, 120}}},
      {"math.invm (8|M0) (eq)f0.0 r10.mme1:f r11.mme2:f r12.mme3:f",
       {{60, 53}, {76, 69}, {108, 101}, {51, 48}, {67, 64}, {99, 96}},
       {{63, 56}, {79, 72}, {111, 104}, {55, 51}, {71, 67}, {103, 99}}},
  };
  for (const auto &row : rows) {
    const std::vector<std::uint8_t> code = test::assembled(std::string(row.line) + "\n", platform);
    ASSERT_EQ(code.size(), 16u) << row.line;
    for (Field field : platform.generation <= Generation::Gen11 ? row.upToGen11 : row.later)
      for (unsigned bit = field.first; bit <= field.last; ++bit) {
        std::vector<std::uint8_t> other = code;
        other[bit / 8] ^= std::uint8_t(1u << bit % 8);
        EXPECT_NE(readAs(other, platform), readAs(code, platform)) << row.line << ", bit " << bit;
      }
  }
}

/// Fields are as long as the documents say: an instruction with another bit of those that it may have reads as another,
/// but for offsets inside of an element, and bits of codes that mean the same.
TEST_P(Disassembly, readsEachBit) {
  const Platform &platform = GetParam();
  struct {
    const char *line, *ofGen9, *ofGen11, *ofGen12, *ofDg2, *ofPvc;
  } rows[] = {
      {"add (8|M0) (sat)r10.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d", " 48 49 64 65 96 97", " 48 49 64 65 96 97",
       " 51 52 67 68 99 100", " 51 52 67 68 99 100", " 51 67 87 99 119"},
      {"cmp (8|M0) (eq)f0.0 r10.0<1>:uw r11.0<8;8,1>:uw r12.0<8;8,1>:uw", " 48 64 96", " 48 64 96", " 51 67 99",
       " 51 67 99", " 87 119"},
      {"mad (8|M0) r10.0<1>:f r11.0<8;1>:f r12.0<8;1>:f r13.0<1>:f", " 84 105 126", " 71 72 92 93 113 114",
       " 67 68 99 100 115 116", " 51 52 67 68 99 100 115 116", " 51 67 99 115"},
      {"mov (8|M0) r10.0<1>:f r[a0.0,16]<8;8,1>:f", " 41 48 49", " 41 48 49", " 47 51 52", " 47 51 52", " 47 51"},
  };
  for (const auto &row : rows) {
    const std::vector<std::uint8_t> code = test::assembled(std::string(row.line) + "\n", platform);
    ASSERT_EQ(code.size(), 16u) << row.line;
    const Bits may = test::allowedBits(decodeAll(code, platform).front(), platform);
    constexpr unsigned control = 34; // bits: how it is scheduled, and for whom
    std::string same;
    for (unsigned bit = control; bit < 128; ++bit) {
      std::vector<std::uint8_t> other = code;
      other[bit / 8] ^= std::uint8_t(1u << bit % 8);
      if (may.get(bit) && readAs(other, platform) == readAs(code, platform))
        same += " " + std::to_string(bit);
    }
    EXPECT_EQ(same, platform.generation == Generation::Gen9    ? row.ofGen9
                    : platform.generation == Generation::Gen11 ? row.ofGen11
                    : platform.generation == Generation::Gen12 ? row.ofGen12
                    : platform.generation == Generation::XeHpg ? row.ofDg2
                                                               : row.ofPvc)
        << row.line;
  }
}

/// Code with some bits turned over ends, or ends with a problem, and touches nothing but what it is given.
TEST_P(Disassembly, damagedCodeIsExecuted) {
  const Platform &platform = GetParam();
  pocm::CompileOptions options;
  options.file = "many.cpp";
  options.source = source;
  pocm::GenKernel whole = pocm::genCode(pocm::compile(options).program, std::string(platform.name)).front();
  std::mt19937 random(1);
  std::vector<std::uint8_t> memory(4096);
  unsigned ended = 0, refused = 0;
  for (unsigned n = 0; n < 600; ++n) {
    std::vector<std::uint8_t> code = whole.code;
    for (unsigned k = random() % 4; k > 0; --k)
      code[random() % code.size()] ^= std::uint8_t(1u << random() % 8);
    World world;
    world.surfaces.resize(16);
    for (Surface &s : world.surfaces)
      s = {memory.data(), memory.size(), 64, 64, 64, 4, nullptr};
    Machine::Options limits;
    limits.mostInstructions = 2000;
    limits.scratchBytes = limits.slmBytes = 1024;
    limits.loadsArguments = platform.generation >= Generation::XeHpg;
    limits.argumentsFrom = platform.grfBytes;
    Dispatch d;
    std::vector<std::uint8_t> image(512);
    for (std::uint8_t &byte : image)
      byte = random() % 16;
    d.set(0, image.data(), image.size());
    try {
      Kernel kernel("many", platform, code);
      Machine machine(kernel, world, limits);
      machine.runGroup({&d, 1});
      ++ended;
    } catch (const Problem &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_EQ(ended + refused, 600u);
}

/// Short instructions of all indices into the tables, as far as Intel's disassembler takes them for some.
TEST_P(Disassembly, knowsEachShortForm) {
  const Platform &platform = GetParam();
  constexpr std::uint64_t compact = 1u << 29, waits = 0xFF00;
  const bool upTo11 = platform.generation <= Generation::Gen11, xeHpc = platform.generation == Generation::XeHpc;
  constexpr std::uint64_t add = 0x40, mul = 0x41, avg = 0x42, rndd = 0x45, mad = 0x5B, math = 0x38;
  std::vector<std::uint64_t> opcodes;
  if (upTo11) // mov, sel, shr, shl, asr
    opcodes = {0x01, 0x02, 0x08, 0x09, 0x0C, add, mul, avg, rndd, math, math, mad};
  else // mov, sel, shr, shl, asr
    opcodes = {0x61, 0x62, 0x68, 0x69, 0x6C, add, mul, avg, rndd, math, math, mad};
  if (xeHpc) // mov, sel, and, cmp, add, mul, mad, dpas, sync
    opcodes = {0x61, 0x62, 0x65, 0x70, add, mul, mad, 0x59, 0x01};
  std::mt19937 random(7);
  std::vector<std::uint8_t> all, valid;
  for (unsigned n = 0; n < 6000; ++n) {
    std::uint64_t word = std::uint64_t(random()) << 32 | random();
    // The null register and accumulators are more often right than registers of these files are.
    if (random() % 2 && xeHpc)
      word &= 0x0000FF00FFFFFFFF | std::uint64_t(random() % 2 ? 0xFF00000000000000 : 0x0F) | 0x00FF000000000000;
    word &= ~std::uint64_t(0xFF);
    if (!upTo11) // nothing to wait for
      word &= ~(xeHpc ? std::uint64_t(0x3FF00) : waits);
    word |= compact | opcodes[n % opcodes.size()];
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(&word);
    all.insert(all.end(), bytes, bytes + 8);
  }
  std::set<std::size_t> refused = test::refusedByIntels(all, platform);
  auto isCommon = [&](const Operand &o) {
    return o.kind != Operand::Kind::Architecture || o.arf == Arf::Null || (xeHpc && o.arf == Arf::Acc);
  };
  for (std::size_t at = 0; at < all.size(); at += 8) {
    const std::vector<std::uint8_t> one(all.begin() + std::ptrdiff_t(at), all.begin() + std::ptrdiff_t(at) + 8);
    if (refused.contains(at))
      continue;
    try {
      const Instruction i = Kernel("one", platform, one).instructions[0];
      if (isCommon(i.to) && std::ranges::all_of(i.from, isCommon))
        valid.insert(valid.end(), one.begin(), one.end());
    } catch (const Problem &) { // of what means nothing: rows of 16 bytes of one or two sources
      EXPECT_EQ(platform.generation, Generation::Gen9);
    }
  }
  Kernel code("short", platform, valid);
  test::Listing listing = test::compareText(code, valid);
  EXPECT_EQ(listing.difference, "");
  EXPECT_GT(listing.instructions, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Targets, Disassembly, testing::ValuesIn(Platforms),
                         [](const auto &info) { return std::string(info.param.name); });

/// Floats that six digits do not say are printed as bits, as Intel's disassembler does, too.
TEST(Decoder, printsFloatsExactly) {
  auto code =
      test::assembled("(W) mov (1|M0) r5.0<1>:f 0x4C17BA84:f\n(W) mov (1|M0) r5.1<1>:f 0.1:f\n"
                      "(W) mov (1|M0) r5.2<1>:f 0x00000001:f\n(W) mov (1|M0) r6.0<1>:df 0x3FB999999999999A:df\n",
                      Platforms[0]);
  Kernel kernel("floats", Platforms[0], code);
  EXPECT_EQ(test::compareListing(kernel, code).difference, "");
  EXPECT_EQ(textOf(kernel.instructions[0], Platforms[0]), "(W) mov (1|M0) r5.0<1>:f 0x4C17BA84:f");
  EXPECT_EQ(textOf(kernel.instructions[1], Platforms[0]), "(W) mov (1|M0) r5.1<1>:f 0.1:f");
}

/// In Align16 code, which three sources are on Gen9, a predicate has one bit of each four, which Intel's disassembler
/// does not show.
TEST(Decoder, readsPredicatesOfAlign16) {
  auto code = test::assembled("(f0.1) mad (8|M0) r10.0<1>:f r11.0<2;1>:f r12.0<2;1>:f r13.0<1>:f\n", Platforms[0]);
  ASSERT_EQ(code.size(), 16u);
  const char *names[] = {nullptr, "", ".x", ".y", ".z", ".w", ".any4h", ".all4h"};
  for (unsigned control = 1; control < std::size(names); ++control) {
    code[2] = std::uint8_t((code[2] & 0xF0) | control);
    EXPECT_TRUE(readAs(code, Platforms[0]).starts_with("(f0.1" + std::string(names[control]) + ") mad (8|M0)"))
        << control;
    Kernel kernel("one", Platforms[0], code);
    EXPECT_EQ(test::compareText(kernel, code).difference, "") << control;
  }
  code[2] = std::uint8_t((code[2] & 0xF0) | 8);
  EXPECT_EQ(readAs(code, Platforms[0]), "at 0x0: a predicate that there is not in Align16 code");
}

/// Return addresses, and functions' in registers, lie at dwords, whether or not the encoding says so.
TEST(Decoder, printsReturnAddressesAsDwords) {
  for (const Platform &platform : Platforms) {
    auto code = test::assembled("call (8|M0) r20.0 LF\n(W) call (8|M0) r20.2 LF\n(W) call (16|M0) r31.4 r30.2\n"
                                "LF:\nret (8|M0) r20.0\n(W) ret (16|M0) r31.4\n"
                                "calla (8|M0) r20.0 48\ncalla (16|M0) r20.0 r30.2\n",
                                platform);
    Kernel kernel("calls", platform, code);
    EXPECT_EQ(test::compareText(kernel, code).difference, "") << platform.name;
    EXPECT_EQ(textOf(kernel.instructions[1], platform), "(W) call (8|M0) r20.2 L48") << platform.name;
    EXPECT_EQ(textOf(kernel.instructions[2], platform), "(W) call (16|M0) r31.4 r30.2") << platform.name;
    EXPECT_EQ(textOf(kernel.instructions[4], platform), "(W) ret (16|M0) r31.4") << platform.name;
    EXPECT_EQ(textOf(kernel.instructions[5], platform), "calla (8|M0) r20.0 L48") << platform.name;
    EXPECT_EQ(textOf(kernel.instructions[6], platform), "calla (16|M0) r20.0 r30.2") << platform.name;
  }
}

/// What is held against the documents: a bit between fields, a branch into an instruction, a message that answers with
/// less than it reads.
TEST(Encoding, saysWhatIsWrong) {
  auto problem = [](const std::string &text, const Platform &platform, unsigned bit) {
    auto code = test::assembled(text, platform);
    if (bit)
      code[bit / 8] ^= std::uint8_t(1u << bit % 8);
    return test::encodingProblem(Kernel("test", platform, code), code);
  };
  const Platform &skl = Platforms[0], &tgllp = Platforms[2];
  constexpr const char *move = "(W) mov (8|M0) r10.0<1>:ud r11.0<8;8,1>:ud\n", *jump = "(W) jmpi NEXT\nNEXT:\nnop\n";
  EXPECT_EQ(problem(move, skl, 0), "");
  EXPECT_NE(problem(move, skl, 47).find("bits that belong to no field: 47"), std::string::npos);
  EXPECT_NE(problem(move, tgllp, 91).find("bits that belong to no field: 91"), std::string::npos);
  EXPECT_EQ(problem(jump, skl, 0), "");
  EXPECT_NE(problem(jump, skl, 96 + 3).find("leads to no instruction"), std::string::npos);
  EXPECT_EQ(problem("(W) send (16|M0) r20 r5 0xA 0x02480400\n", skl, 0), "");
  EXPECT_NE(problem("(W) send (16|M0) r20 r5 0xA 0x02280400\n", skl, 0).find("other lengths"), std::string::npos);
}

TEST(Decoder, refusesWhatIsNoCode) {
  std::vector<std::uint8_t> ones(64, 0xFF), few(12, 1);
  for (const Platform &platform : Platforms) {
    EXPECT_THROW(decodeAll(ones, platform), Problem) << platform.name;
    EXPECT_THROW(decodeAll(few, platform), Problem) << platform.name;
  }
}

// Of three sources the strides say the width, which rows shorter than their elements' distance have not.
TEST(Decoder, refusesRegionsWithoutWidth) {
  for (const Platform &platform : {Platforms[1], Platforms[2]}) {
    auto code = test::assembled("(W) mad (8|M0) r10.0<1>:f r12.0<8;1>:f r11.0<8;1>:f r11.0<1>:f\n", platform);
    unsigned refused = 0;
    for (unsigned a = 0; a < 128; ++a)
      for (unsigned b = 0; b < a; ++b) {
        auto other = code;
        other[a / 8] ^= std::uint8_t(1u << a % 8);
        other[b / 8] ^= std::uint8_t(1u << b % 8);
        try {
          for (const Instruction &i : decodeAll(other, platform))
            for (const Operand &o : i.from)
              ASSERT_NE(o.width, 0) << platform.name << " bits " << a << " and " << b;
        } catch (const Problem &problem) {
          refused += std::string(problem.what()).find("further apart than its rows") != std::string::npos;
        }
      }
    EXPECT_GT(refused, 0u) << platform.name;
  }
}

/// Any bits are an instruction or a problem.
TEST(Decoder, takesAnyBits) {
  std::uint64_t state = 88172645463325252u;
  auto random = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  unsigned decoded = 0;
  for (unsigned n = 0; n < 200'000; ++n) {
    const Platform &platform = Platforms[n % Platforms.size()];
    std::uint64_t words[2] = {random(), random()};
    std::vector<std::uint8_t> code(16);
    std::memcpy(code.data(), words, sizeof(words));
    try {
      for (const Instruction &i : decodeAll(code, platform))
        decoded += !textOf(i, platform).empty();
    } catch (const Problem &) {
    }
  }
  EXPECT_GT(decoded, 10'000u);
}

} // namespace
