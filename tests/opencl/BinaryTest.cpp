// Intel's OpenCL binaries are read in both forms, say the same, and when they are damaged give errors only.
#include "gensim/Iga.h"
#include "opencl/Program.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace pocm::opencl;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr const char *source = R"(
constant int table[4] = {3, 1, 4, 1};
kernel void first(global const int *a, global int *to, short s, local int *t, int3 v) {
  local int fixed[8];
  int l = get_local_id(0);
  fixed[l & 7] = a[l];
  t[l] = table[l & 3] + v.z;
  barrier(CLK_LOCAL_MEM_FENCE);
  to[get_global_id(0)] = t[7 - l] + fixed[l & 7] * s;
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void second(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(out, at, read_imagef(in, s, convert_float2(at)));
}
)";

Bytes compiled(const char *internal) {
  test::Folder folder;
  std::ofstream(folder.file("k.cl")) << source;
  std::string command = "ocloc compile -q -file " + folder.file("k.cl") + " -device icllp -out_dir " +
                        folder.path.string() + " -output k -internal_options \"" + internal + "\" > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::string bytes = test::contentsOf(folder.file("k_Gen11lp.bin"));
  return {bytes.begin(), bytes.end()};
}

const Bytes &form(int which) {
  static const Bytes forms[] = {compiled(""), compiled("-cl-allow-zebin")};
  return forms[which];
}

class OpenClBinary : public testing::TestWithParam<int> {};

TEST_P(OpenClBinary, saysWhatALaunchNeeds) {
  Binary binary = readBinary(form(GetParam()));
  EXPECT_EQ(binary.platform->name, "icllp");
  ASSERT_EQ(binary.kernels.size(), 2u);
  const Kernel &k = binary.kernel("first");
  EXPECT_EQ(k.slmBytes, 32u);
  EXPECT_TRUE(k.hasBarrier);
  EXPECT_EQ(k.localIds, 3u);
  ASSERT_EQ(k.arguments.size(), 5u);
  const ArgumentKind kinds[] = {ArgumentKind::Buffer, ArgumentKind::Buffer, ArgumentKind::Value, ArgumentKind::Local,
                                ArgumentKind::Value};
  const char *types[] = {"int*", "int*", "short", "int*", "int3"};
  for (unsigned n = 0; n < 5; ++n) {
    EXPECT_EQ(k.arguments[n].kind, kinds[n]) << n;
    EXPECT_EQ(k.arguments[n].type, types[n]) << n;
  }
  const Kernel &images = binary.kernel("second");
  EXPECT_EQ(images.requiredGroup[0], 8u);
  EXPECT_EQ(images.requiredGroup[1], 2u);
  EXPECT_EQ(images.arguments.at(1).kind, ArgumentKind::Image);
  EXPECT_TRUE(images.arguments.at(1).binding);
  EXPECT_EQ(images.arguments.at(2).samplerSlot, 0u);
}

std::vector<Setting> settingsOf(std::span<std::uint8_t> in, std::span<std::uint8_t> out) {
  std::vector<Setting> s(5);
  s[0].kind = s[1].kind = ArgumentKind::Buffer;
  s[0].buffer = in;
  s[1].buffer = out;
  s[2].value = {2, 0};
  s[3].kind = ArgumentKind::Local;
  s[3].localBytes = 32;
  s[4].value.resize(16);
  s[4].value[8] = 100;
  return s;
}

TEST_P(OpenClBinary, runs) {
  Program program(readBinary(form(GetParam())));
  Bytes in(64, 1), out(64);
  auto report = program.run("first", {1, {16, 1, 1}, {8, 1, 1}}, settingsOf(in, out), {});
  EXPECT_TRUE(report.findings.empty());
  for (unsigned n = 0; n < 16; ++n) {
    static constexpr int table[] = {3, 1, 4, 1};
    int value;
    std::memcpy(&value, out.data() + n * 4, 4);
    EXPECT_EQ(value, table[(7 - n % 8) & 3] + 100 + 0x01010101 * 2) << n;
  }
}

TEST_P(OpenClBinary, refusesLaunchesThatDoNotFit) {
  Program program(readBinary(form(GetParam())));
  Bytes in(64, 1), out(4);
  auto problemOf = [&](const char *kernel, Range range, const std::vector<Setting> &settings) -> std::string {
    try {
      program.run(kernel, range, settings, {});
    } catch (const Problem &problem) {
      return problem.what();
    }
    return "";
  };
  std::vector<Setting> settings = settingsOf(in, out);
  EXPECT_NE(problemOf("first", {1, {16, 1, 1}, {0, 1, 1}}, settings).find("nothing to do"), std::string::npos);
  EXPECT_NE(problemOf("first", {1, {2048, 1, 1}, {2048, 1, 1}}, settings).find("1024 are the most"), std::string::npos);
  constexpr std::uint32_t huge = 1u << 22; // three of them have more items than can be counted
  EXPECT_NE(problemOf("first", {3, {huge, huge, huge}, {huge, huge, huge}}, settings).find("1024 are the most"),
            std::string::npos);
  settings[3].localBytes = 65536;
  EXPECT_NE(problemOf("first", {1, {8, 1, 1}, {8, 1, 1}}, settings).find("bytes of local memory"), std::string::npos);
  settings.pop_back();
  EXPECT_NE(problemOf("first", {1, {8, 1, 1}, {8, 1, 1}}, settings).find("takes 5 arguments, not 4"),
            std::string::npos);
  EXPECT_NE(problemOf("second", {1, {8, 1, 1}, {8, 1, 1}}, settings).find("requires groups of 8x2x1"),
            std::string::npos);
}

TEST_P(OpenClBinary, damagedOnesGiveErrors) {
  std::mt19937 random(1);
  unsigned read = 0, refused = 0;
  for (unsigned n = 0; n < 1500; ++n) {
    Bytes bytes = form(GetParam());
    for (unsigned k = 1 + random() % 4; k > 0; --k)
      bytes[random() % bytes.size()] ^= std::uint8_t(1u << random() % 8);
    if (random() % 4 == 0)
      bytes.resize(random() % bytes.size());
    try {
      Program program(readBinary(bytes));
      ++read;
      Bytes in(64, 1), out(64);
      constexpr std::uint64_t few = 2000;
      program.run("first", {1, {16, 1, 1}, {8, 1, 1}}, settingsOf(in, out), {nullptr, few});
    } catch (const Problem &) {
      ++refused;
    }
  }
  EXPECT_GT(read, 200u);
  EXPECT_GT(refused, 200u);
}

INSTANTIATE_TEST_SUITE_P(Forms, OpenClBinary, testing::Values(0, 1),
                         [](const auto &info) { return info.param ? "sections" : "tokens"; });

TEST(OpenClBinaries, ofOthersAreRefused) {
  for (const char *text : {"", "x", "CTNI",
                           "\x7F"
                           "ELF",
                           "!<arch>\n"}) {
    std::string bytes = text;
    EXPECT_THROW(readBinary({reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()}), Problem) << text;
  }
}

} // namespace
