// Values of specialisation constants, and the Gen code that a program holds.
#include "Kernels.h"

namespace {

const char *const source = R"(#include <cm/cm.h>
extern "C" _GENX_MAIN_ void plain(SurfaceIndex out) {
  vector<int, 4> v = 11;
  write(out, 0, v);
}
_GENX_ CM_NOINLINE int chosen(int more) { return cm_spec_constant<int, 1, 5>() + more; }
extern "C" _GENX_MAIN_ void enters(SurfaceIndex out) {
  vector<int, 4> v = chosen(1);
  v(1) = chosen(2);
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void other(SurfaceIndex out) {
  vector<int, 4> v = cm_spec_constant<int, 2, 7>();
  write(out, 0, v);
}
)";

std::vector<std::string> namesIn(const pocm::Program &program) {
  std::vector<std::string> all;
  for (const pocm::GenKernel &kernel : pocm::genKernels(program, "SKL"))
    all.push_back(kernel.name);
  return all;
}

int result(pocm::Device &device, const pocm::Program &program, const char *name) {
  pocm::Kernel kernel = device.createKernel(program, name);
  pocm::Buffer out = device.createBuffer(16);
  kernel.setArgument(0, out);
  device.enqueue(kernel, {1, 1}).wait();
  int value = 0;
  out.read(&value, sizeof(value));
  return value;
}

TEST(SpecConstants, genCodeStaysWithKernelsThatNoValueEnters) {
  pocm::CompileOptions options;
  options.file = "chosen.cpp";
  options.source = source;
  pocm::CompileResult made = pocm::compile(options);
  ASSERT_TRUE(made.ok) << made.diagnostics;
  pocm::Program program =
      pocm::Program::load(pocm::addGenCode(made.program, "SKL", pocm::genCode(made.program, "SKL")));
  ASSERT_EQ(namesIn(program), (std::vector<std::string>{"plain", "enters", "other"}));
  pocm::Program with = program.specialized({{1, "30"}});
  EXPECT_EQ(namesIn(with), (std::vector<std::string>{"plain", "other"}));
  EXPECT_EQ(pocm::genKernels(with, "SKL")[0].code, pocm::genKernels(program, "SKL")[0].code);
  EXPECT_EQ(namesIn(with.specialized({{2, "1"}})), std::vector<std::string>{"plain"});
  pocm::Device device = pocm::Device::open("gensim:skl", {1, ""});
  EXPECT_EQ(result(device, program, "enters"), 6);
  EXPECT_EQ(result(device, with, "enters"), 31); // made anew
  EXPECT_EQ(result(device, with, "plain"), 11);
  EXPECT_EQ(result(device, with, "other"), 7);
}

} // namespace
