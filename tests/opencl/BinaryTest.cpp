// Intel's OpenCL binaries are read in both forms, say the same, and when they are damaged give errors only.
#include "gensim/Iga.h"
#include "opencl/Program.h"
#include <cstring>
#include <elf.h>
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

Bytes compiledFrom(const char *text, const char *internal) {
  test::Folder folder;
  std::ofstream(folder.file("k.cl")) << text;
  std::string command = "ocloc compile -q -file " + folder.file("k.cl") + " -device icllp -out_dir " +
                        folder.path.string() + " -output k -internal_options \"" + internal + "\" > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::string bytes = test::contentsOf(folder.file("k_Gen11lp.bin"));
  return {bytes.begin(), bytes.end()};
}

const Bytes &form(int which) {
  static const Bytes forms[] = {compiledFrom(source, ""), compiledFrom(source, "-cl-allow-zebin")};
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

/// More floats at a time than registers hold lie in scratch memory.
constexpr const char *spilling = R"(
kernel void many(global const float *a, global float *to) {
  float16 v[24];
  for (int n = 0; n < 24; ++n) v[n] = vload16(n, a + get_global_id(0));
  float16 sum = 0;
  for (int k = 0; k < 3; ++k) {
    for (int n = 0; n < 24; ++n) v[n] = v[n] * 2.0f + v[(n + 7) % 24].s123456789abcdef0;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int n = 0; n < 24; ++n) sum += v[n];
  to[get_global_id(0)] = sum.s0;
}
)";

TEST_P(OpenClBinary, scratchMemoryIsAsLargeAsItIsAskedFor) {
  Program program(readBinary(compiledFrom(spilling, GetParam() ? "-cl-allow-zebin" : "")));
  std::vector<float> in(24 * 16 + 8), out(8);
  for (std::size_t n = 0; n < in.size(); ++n)
    in[n] = float(n % 5);
  auto bytesOf = [](std::vector<float> &of) {
    return std::span(reinterpret_cast<std::uint8_t *>(of.data()), of.size() * sizeof(float));
  };
  std::vector<Setting> settings(2);
  settings[0].kind = settings[1].kind = ArgumentKind::Buffer;
  settings[0].buffer = bytesOf(in);
  settings[1].buffer = bytesOf(out);
  program.run("many", {1, {8, 1, 1}, {8, 1, 1}}, settings, {});
  for (unsigned item = 0; item < 8; ++item) {
    float v[24][16], sum = 0;
    std::memcpy(v, in.data() + item, sizeof(v));
    for (int k = 0; k < 3; ++k)
      for (int n = 0; n < 24; ++n)
        for (int c = 0; c < 16; ++c)
          v[n][c] = v[n][c] * 2 + v[(n + 7) % 24][(c + 1) % 16];
    for (auto &row : v)
      sum += row[0];
    EXPECT_EQ(out[item], sum) << item;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, OpenClBinary, testing::Values(0, 1),
                         [](const auto &info) { return info.param ? "sections" : "tokens"; });

/// The same relocations with their addends in the table, as other linkers write them.
Bytes withAddends(Bytes elf) {
  auto at = [&]<class T>(std::uint64_t offset, T) {
    T value;
    std::memcpy(&value, elf.data() + offset, sizeof(T));
    return value;
  };
  const auto header = at(0, Elf64_Ehdr());
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    const std::uint64_t place = header.e_shoff + n * sizeof(Elf64_Shdr);
    auto section = at(place, Elf64_Shdr());
    if (section.sh_type != SHT_REL)
      continue;
    std::vector<Elf64_Rela> table;
    for (std::uint64_t k = 0; k < section.sh_size / sizeof(Elf64_Rel); ++k) {
      const auto relocation = at(section.sh_offset + k * sizeof(Elf64_Rel), Elf64_Rel());
      table.push_back({relocation.r_offset, relocation.r_info, 0});
    }
    elf.resize((elf.size() + 7) / 8 * 8);
    section.sh_type = SHT_RELA;
    section.sh_offset = elf.size();
    section.sh_entsize = sizeof(Elf64_Rela);
    section.sh_size = table.size() * sizeof(Elf64_Rela);
    const auto *bytes = reinterpret_cast<const std::uint8_t *>(table.data());
    elf.insert(elf.end(), bytes, bytes + section.sh_size);
    std::memcpy(elf.data() + place, &section, sizeof(section));
  }
  return elf;
}

TEST(OpenClBinaries, haveRelocationsWithAddendsOrWithout) {
  const Binary without = readBinary(form(1)), with = readBinary(withAddends(form(1)));
  const auto &a = without.kernel("first").relocations, &b = with.kernel("first").relocations;
  ASSERT_FALSE(a.empty());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t n = 0; n < a.size(); ++n) {
    EXPECT_EQ(a[n].offset, b[n].offset);
    EXPECT_EQ(a[n].part, b[n].part);
  }
}

TEST(OpenClBinaries, haveAtMost1024Arguments) {
  Kernel k;
  k.argument(1023);
  EXPECT_EQ(k.arguments.size(), 1024u);
  EXPECT_THROW(k.argument(1024), Problem);
}

TEST(OpenClImages, haveSidesUpToALimit) {
  const ImageFormat bytes = ImageFormat::named("R8_UNORM"), largest = ImageFormat::named("RGBA32_FLOAT");
  EXPECT_NO_THROW(Image(bytes, 16384, 1, 1));
  EXPECT_NO_THROW(Image(bytes, 1, 16384, 1));
  EXPECT_NO_THROW(Image(bytes, 1, 1, 2048));
  EXPECT_THROW(Image(bytes, 16385, 1, 1), Problem);
  EXPECT_THROW(Image(bytes, 1, 16385, 1), Problem);
  EXPECT_THROW(Image(bytes, 1, 1, 2049), Problem);
  EXPECT_THROW(Image(bytes, 0, 1, 1), Problem);
  EXPECT_THROW(Image(bytes, 1, 0, 1), Problem);
  EXPECT_THROW(Image(bytes, 1, 1, 0), Problem);
  EXPECT_THROW(Image(largest, 16384, 8193, 1), Problem); // more than 2 GiB
}

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
