// What is read of Intel's OpenCL binaries when one number in them is another: a reader has no other test of the fields
// that compilers leave as they are. Each dword of a binary with every kind of token is made one more; runs of places
// where the outcome is the same are one line of the record. Who changes a reader, or takes another compiler, looks at
// the difference and records it anew:
//
//     POCM_WRITE_RECORDS=1 build/bin/opencl-tests --gtest_filter='OpenClReading.*' && git diff tests/opencl/Inputs
#include "gensim/Iga.h"
#include "opencl/Binary.h"
#include "program/Container.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace pocm::opencl;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr const char *source = R"(
constant int table[4] = {3, 1, 4, 1};
constant sampler_t fixed = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
global int counter = 7;
global int *constant where = &counter;
kernel void first(global const int *a, global int *to, short s, local int *t, int3 v, constant int *c) {
  local int fixed[8];
  int l = get_local_id(0), big[40];
  for (int k = 0; k < 40; ++k)
    big[(k * s) % 40] = a[k];
  fixed[l & 7] = a[l] + big[l % 40];
  t[l] = table[l & 3] + v.z + c[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(where);
  if (s == 99)
    printf("%d\n", l);
  to[get_global_id(0) + get_global_offset(1) + get_num_groups(0) + get_global_size(2) + get_work_dim()] =
      t[7 - l] + fixed[l & 7] * s + get_enqueued_local_size(0);
}
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void second(read_only image2d_t in, write_only image2d_t out,
                                                                  sampler_t s, read_only image2d_array_t array) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = read_imagef(in, s, convert_float2(at)) + read_imagef(in, fixed, convert_float2(at));
  sum += read_imagef(array, s, (float4)(at.x, at.y, 1, 0)) + get_image_array_size(array) + get_image_width(in);
  write_imagef(out, at, sum + get_image_channel_order(in) + get_image_channel_data_type(in) + get_image_height(in));
}
)";

Bytes compiled(const char *internal) {
  test::Folder folder;
  std::ofstream(folder.file("k.cl")) << source;
  std::string command = "ocloc compile -q -file " + folder.file("k.cl") + " -device icllp -out_dir " +
                        folder.path.string() + " -output k -options -cl-std=CL2.0 -internal_options \"" + internal +
                        "\" > /dev/null 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::string bytes = test::contentsOf(folder.file("k_Gen11lp.bin"));
  return {bytes.begin(), bytes.end()};
}

void print(std::ostream &out, const std::vector<Relocation> &all) {
  for (const Relocation &r : all)
    out << " relocation " << int(r.target) << " " << r.addend << " " << r.offset << " " << int(r.part);
}

/// Everything but code, of which there is the length.
std::string textOf(const Binary &binary) {
  std::ostringstream out;
  auto number = [](const std::optional<unsigned> &n) { return n ? int(*n) : -1; };
  auto bytes = [&](const char *name, const Bytes &all) {
    out << "\n" << name;
    for (std::uint8_t b : all)
      out << " " << int(b);
  };
  out << binary.platform->name << " functions " << binary.functions.size();
  bytes("constants", binary.constants);
  bytes("globals", binary.globals);
  bytes("strings", binary.strings);
  print(out, binary.constantRelocations);
  print(out, binary.globalRelocations);
  print(out, binary.functionRelocations);
  for (const Kernel &k : binary.kernels) {
    out << "\n"
        << k.name << " " << k.code.size() << " " << k.simd << " " << k.registers << " " << k.slmBytes << " "
        << k.scratchBytes << " " << k.privateBytes << " " << k.hasBarrier << " " << k.localIds << " "
        << k.crossThreadBytes << " " << k.passesFirst << " " << number(k.constantsBinding) << " "
        << number(k.globalsBinding) << " " << number(k.privateBinding);
    for (std::uint32_t n : k.requiredGroup)
      out << " " << n;
    for (const Payload &p : k.payloads)
      out << "\npayload " << int(p.content) << " " << p.offset << " " << p.bytes << " " << p.argument << " "
          << p.sourceOffset;
    for (const Argument &a : k.arguments)
      out << "\nargument " << int(a.kind) << " " << a.bytes << " " << number(a.binding) << " " << number(a.samplerSlot)
          << " " << a.alignment << " " << a.name << " " << a.type;
    for (const InlineSampler &s : k.samplers)
      out << "\nsampler " << s.slot << " " << s.normalized << " " << s.linear << " " << s.address;
    for (const auto &[n, text] : k.strings)
      out << "\nstring " << n << " " << text;
    print(out, k.relocations);
  }
  return out.str();
}

std::string outcomeOf(const Bytes &bytes) {
  try {
    const std::string text = textOf(readBinary(bytes));
    const std::uint64_t digest =
        pocm::program::checksum({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
    std::ostringstream out;
    out << std::hex << (digest & 0xFFFFFFFF);
    return out.str();
  } catch (const Problem &problem) {
    return problem.what();
  }
}

class OpenClReading : public testing::TestWithParam<int> {};

TEST_P(OpenClReading, ofEveryNumberIsTheRecordedOne) {
  const Bytes binary = compiled(GetParam() ? "-cl-allow-zebin" : "");
  std::ostringstream now;
  std::string last;
  for (std::size_t at = 0; at + 4 <= binary.size(); at += 4) {
    Bytes other = binary;
    ++other[at];
    if (std::string outcome = outcomeOf(other); outcome != last)
      now << at << ": " << (last = outcome) << "\n";
  }
  const std::string path =
      std::string(POCM_SOURCE_DIR) + "/tests/opencl/Inputs/" + (GetParam() ? "read_sections.txt" : "read_tokens.txt");
  if (std::getenv("POCM_WRITE_RECORDS"))
    std::ofstream(path) << now.str();
  std::ifstream in(path);
  std::istringstream found(now.str());
  for (std::string is, was; std::getline(found, is);) {
    std::getline(in, was);
    ASSERT_EQ(is, was) << "see the first lines of this file";
  }
  std::string more;
  EXPECT_FALSE(std::getline(in, more)) << "the record goes on: " << more;
}

INSTANTIATE_TEST_SUITE_P(Forms, OpenClReading, testing::Values(0, 1),
                         [](const auto &info) { return info.param ? "sections" : "tokens"; });

} // namespace
