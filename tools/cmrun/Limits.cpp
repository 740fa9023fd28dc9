//===- Limits.cpp - How fast this machine moves and computes ------------------------------===//
//
// Two kernels of ours, timed: one that copies from memory to memory, and one that multiplies
// and adds in registers, with vectors of 8 and of 16 floats, one of which fits the CPU.
//
//===--------------------------------------------------------------------------------------===//
#include "Limits.h"
#include <algorithm>
#include <cstring>

namespace cmrun {
namespace {

constexpr const char *source = R"(#include <cm/cm.h>

extern "C" _GENX_MAIN_ void copy(SurfaceIndex in, SurfaceIndex out) {
  uint at = cm_linear_global_id() * 4096;
  for (int i = 0; i < 32; ++i) {
    vector<uint, 32> v;
    read(in, at + i * 128, v);
    write(out, at + i * 128, v);
  }
}

template <int N> void multiplyAdd(SurfaceIndex out, float by, float add, int times) {
  vector<float, N> a = by, b = add, c = by + 1, d = add + 1, e = by + 2, f = add + 2, g = by + 3, h = add + 3;
  for (int i = 0; i < times; ++i) {
    a = a * by + add; b = b * by + add; c = c * by + add; d = d * by + add;
    e = e * by + add; f = f * by + add; g = g * by + add; h = h * by + add;
  }
  vector<float, N> sum = a + b + c + d + e + f + g + h;
  write(out, cm_linear_global_id() * N * 4, sum);
}
extern "C" _GENX_MAIN_ void multiplyAdd8(SurfaceIndex out, float by, float add, int times) {
  multiplyAdd<8>(out, by, add, times);
}
extern "C" _GENX_MAIN_ void multiplyAdd16(SurfaceIndex out, float by, float add, int times) {
  multiplyAdd<16>(out, by, add, times);
}
)";

/// Seconds of the fastest of some launches.
double fastest(pocm::Device &device, const pocm::Kernel &kernel, pocm::ThreadSpace space) {
  constexpr unsigned runs = 6; // the first meets cold memory
  std::uint64_t least = ~std::uint64_t(0);
  for (unsigned i = 0; i < runs; ++i) {
    pocm::Event event = device.enqueue(kernel, space);
    event.wait();
    least = std::min(least, event.nanoseconds());
  }
  return double(std::max<std::uint64_t>(1, least)) / 1e9;
}

double copied(pocm::Device &device, const pocm::Program &program) {
  constexpr std::uint32_t bytes = 128u << 20, ofThread = 4096, side = 256;
  pocm::Buffer in = device.createBuffer(bytes), out = device.createBuffer(bytes);
  pocm::Kernel kernel = device.createKernel(program, "copy");
  kernel.setArgument(0, in);
  kernel.setArgument(1, out);
  return 2.0 * bytes / fastest(device, kernel, {side, bytes / ofThread / side});
}

double computed(pocm::Device &device, const pocm::Program &program, const std::string &name, unsigned lanes) {
  constexpr std::uint32_t threads = 1024, accumulators = 8;
  const int times = 2000;
  const float by = 0.5f, add = 1;
  pocm::Buffer out = device.createBuffer(std::size_t(threads) * lanes * sizeof(float));
  pocm::Kernel kernel = device.createKernel(program, name);
  kernel.setArgument(0, out);
  kernel.setArgument(1, &by, sizeof(by));
  kernel.setArgument(2, &add, sizeof(add));
  kernel.setArgument(3, &times, sizeof(times));
  return 2.0 * threads * accumulators * lanes * times / fastest(device, kernel, {threads, 1});
}

} // namespace

Limits measureLimits(const pocm::DeviceOptions &options) {
  pocm::CompileOptions how;
  how.file = "limits.cpp";
  how.source = source;
  pocm::CompileResult compiled = pocm::compile(how);
  if (!compiled.ok)
    throw pocm::Error("bug in cmrun: its own kernels do not compile:\n" + compiled.diagnostics);
  pocm::Program program = pocm::Program::load(compiled.program);
  pocm::Device device = pocm::Device::open("cpu", options);
  return {copied(device, program),
          std::max(computed(device, program, "multiplyAdd8", 8), computed(device, program, "multiplyAdd16", 16))};
}

} // namespace cmrun
