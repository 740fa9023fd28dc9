// Gen code in program files: it comes back as it was, damage is reported, and every kernel keeps its text apart.
#include "program/GenBinary.h"
#include "pocm/gen.h"
#include "program/Container.h"
#include <gtest/gtest.h>

namespace {

std::vector<std::uint8_t> programFile() {
  pocm::CompileOptions options;
  options.file = "k.cpp";
  options.source = "#include <cm/cm.h>\n"
                   "extern \"C\" _GENX_MAIN_ void k(SurfaceIndex in, SurfaceIndex out, int n) {\n"
                   "  cm_slm_init(2048); cm_barrier();\n"
                   "  vector<int, 16> v; read(in, 0, v); v += n + cm_local_id(0); write(out, 0, v);\n}\n";
  pocm::CompileResult result = pocm::compile(options);
  EXPECT_TRUE(result.ok) << result.diagnostics;
  return result.program;
}

TEST(GenBinary, comesBackFromTheFile) {
  std::vector<std::uint8_t> file = programFile();
  EXPECT_TRUE(pocm::genKernels(pocm::Program::load(file), "skl").empty());
  std::vector<pocm::GenKernel> skl = pocm::genCode(file, "skl"), tgl = pocm::genCode(file, "TGLLP");
  ASSERT_EQ(skl.size(), 1u);
  EXPECT_GT(skl[0].code.size(), 100u);
  EXPECT_NE(skl[0].code, tgl[0].code);
  EXPECT_EQ(skl[0].slmBytes, 2048u);
  EXPECT_TRUE(skl[0].hasBarrier);
  // The local id lies in r1, everything else from r2 on.
  ASSERT_EQ(skl[0].inputs.size(), 4u);
  EXPECT_EQ(skl[0].inputs[0].kind, 24u);
  EXPECT_EQ(skl[0].inputs[0].offset, 32u);
  EXPECT_EQ(skl[0].inputs[1].kind, 2u);
  EXPECT_EQ(skl[0].inputs[1].offset, 64u);
  EXPECT_EQ(skl[0].inputs[3].kind, 0u);
  EXPECT_EQ(skl[0].inputs[3].offset, 72u);

  file = pocm::addGenCode(pocm::addGenCode(file, "skl", skl), "tgllp", tgl);
  pocm::Program both = pocm::Program::load(file);
  EXPECT_EQ(pocm::genKernels(both, "skl")[0].code, skl[0].code);
  EXPECT_EQ(pocm::genKernels(both, "tgllp")[0].code, tgl[0].code);
  EXPECT_EQ(pocm::genKernels(both, "tgllp")[0].registers, tgl[0].registers);
  EXPECT_EQ(pocm::genKernels(both, "tgllp")[0].registersThere, 128u);
  EXPECT_EQ(pocm::genKernels(both, "tgllp")[0].registerBytes, 32u);
  EXPECT_TRUE(pocm::genKernels(both, "icllp").empty());
  // The code of a target replaces what was there.
  pocm::Program again = pocm::Program::load(pocm::addGenCode(file, "skl", tgl));
  EXPECT_EQ(pocm::genKernels(again, "skl")[0].code, tgl[0].code);
}

TEST(GenBinary, reportsDamage) {
  std::vector<pocm::GenKernel> kernels(2);
  kernels[0].name = "first";
  kernels[0].inputs = {{24, 32, 12}, {2, 64, 4}};
  kernels[0].code = {1, 2, 3, 4};
  kernels[1].name = "second";
  std::vector<std::uint8_t> bytes = pocm::program::writeGenKernels(kernels);
  EXPECT_EQ(pocm::program::readGenKernels(bytes)[1].name, "second");
  for (const char *name : {"", "../first", "first\n.kernel"}) {
    std::vector<pocm::GenKernel> misnamed = kernels;
    misnamed[0].name = name;
    EXPECT_THROW(pocm::program::readGenKernels(pocm::program::writeGenKernels(misnamed)), pocm::Error) << name;
  }
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(pocm::program::readGenKernels(std::span(bytes).first(size)), pocm::Error) << size;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::uint8_t> other = bytes;
      other[k] ^= std::uint8_t(1 << bit);
      try {
        pocm::program::readGenKernels(other); // may be another program; must not read beyond the bytes
      } catch (const pocm::Error &) {
      }
    }
}

TEST(GenBinary, saysWhatATargetLacks) {
  pocm::CompileOptions options;
  options.file = "k.cpp";
  options.source = "#include <cm/cm.h>\n"
                   "extern \"C\" _GENX_MAIN_ void twice(SurfaceIndex out, double d) {\n"
                   "  vector<double, 4> v = d; v *= 2; write(out, 0, v);\n}\n"
                   "extern \"C\" _GENX_MAIN_ void none(SurfaceIndex out) { write(out, 0, vector<int, 4>(0)); }\n"
                   "extern \"C\" _GENX_MAIN_ void sum(SurfaceIndex out, double d) {\n"
                   "  vector<double, 4> v = d; v += 2; write(out, 0, v);\n}\n";
  pocm::CompileResult result = pocm::compile(options);
  ASSERT_TRUE(result.ok);
  EXPECT_EQ(pocm::genCode(result.program, "skl").size(), 3u);
  try {
    pocm::genCode(result.program, "icllp");
    FAIL();
  } catch (const pocm::Error &problem) {
    EXPECT_STREQ(problem.what(),
                 "kernel 'twice' cannot be compiled for ICLLP: arithmetic on double is not supported there\n"
                 "kernel 'sum' cannot be compiled for ICLLP: arithmetic on double is not supported there");
  }
  EXPECT_THROW(pocm::genCode(result.program, "hsw"), pocm::Error);
}

} // namespace
