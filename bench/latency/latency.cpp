//===- latency.cpp - What a launch and a compilation cost -------------------------------===//
//
//     bench-latency            times on one core; bars: 0.2 ms, 0.001 ms (three times), 20 ns, 200 ms, 10 ms
//
//===----------------------------------------------------------------------===//
#include "CommandLine.h"
#include "Harness.h"
#include "pocm/pocm.h"
#include "program/Inside.h"
#include "runtime/Queue.h"
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace {

pocm::CompileResult compileFilter() {
  pocm::CompileOptions options;
  options.file = POCM_SOURCE_DIR "/examples/linear/linear_genx.cpp";
  pocm::CompileResult result = pocm::compile(options);
  if (!result.ok)
    throw std::runtime_error(result.diagnostics);
  return result;
}

pocm::Program emptyProgram() {
  pocm::CompileOptions options;
  options.file = "empty.cpp";
  options.source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void empty(SurfaceIndex s) {}
extern "C" _GENX_MAIN_ void loop(SurfaceIndex s, int n) {
  vector<int, 8> v = 0;
  for (int i = 0; i < n; i++) {
    v += i;
    write(s, 32 * i, v);
  }
})";
  return pocm::Program::load(pocm::compile(options).program);
}

void launches() {
  pocm::Device device = pocm::Device::open("cpu", {1, ""});
  pocm::Program program = emptyProgram();
  pocm::Kernel kernel = device.createKernel(program, "empty"), loop = device.createKernel(program, "loop");
  pocm::Image image = device.createImage(16, 16, 4);
  pocm::Buffer buffer = device.createBuffer(64);
  kernel.setArgument(0, image);
  loop.setArgument(0, buffer);
  int twice = 2;
  loop.setArgument(1, &twice, sizeof(twice));
  auto time = [&](pocm::ThreadSpace space, int runs) {
    std::vector<double> times;
    for (int i = 0; i < runs; ++i)
      times.push_back(bench::milliseconds([&] { device.enqueue(kernel, space).wait(); }));
    return bench::median(times);
  };
  std::printf("launch and wait, empty kernel, 172,800 threads, one core    %10.4f ms\n", time({480, 360}, 1001));
  std::printf("launch and wait, one thread                                 %10.4f ms\n", time({1, 1}, 10001));
  auto limited = [&](pocm::Kernel &which) {
    std::vector<double> times;
    for (int i = 0; i < 10001; ++i)
      times.push_back(bench::milliseconds([&] {
        pocm::Inside::of(device.enqueue(which, pocm::ThreadSpace{1, 1}))->waitFor(std::chrono::milliseconds(2000));
      }));
    return bench::median(times);
  };
  std::printf("launch and wait with a limit, one thread                    %10.4f ms\n", limited(kernel));
  std::printf("the same, a kernel with a loop of unknown length            %10.4f ms\n", limited(loop));
}

/// What a barrier costs each thread of a group of 64.
void barriers() {
  pocm::CompileOptions options;
  options.file = "barriers.cpp";
  options.source = R"(
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void barriers(SurfaceIndex out, int n) {
  vector<uint, 8> v = cm_linear_local_id();
  for (int i = 0; i < n; i++) {
    cm_barrier();
    v = v * 3 + 1;
  }
  vector<uint, 8> offset = 0;
  write(out, cm_linear_global_id(), offset, v);
})";
  constexpr std::uint32_t threads = 64, groups = 500;
  constexpr int count = 200;
  pocm::Device device = pocm::Device::open("cpu", {1, ""});
  pocm::Kernel kernel = device.createKernel(pocm::Program::load(pocm::compile(options).program), "barriers");
  pocm::Buffer out = device.createBuffer(threads * groups * 4);
  kernel.setArgument(0, out);
  auto time = [&](int n) {
    kernel.setArgument(1, &n, sizeof(n));
    std::vector<double> times;
    for (int i = 0; i < 15; ++i)
      times.push_back(
          bench::milliseconds([&] { device.enqueueGroups(kernel, {{groups, 1, 1}, {threads, 1, 1}}).wait(); }));
    return bench::median(times);
  };
  double nanoseconds = (time(count) - time(0)) * 1e6 / (double(threads) * groups * count);
  std::printf("barrier of a group of 64, per thread                        %10.2f ns\n", nanoseconds);
}

void compilation(int runs) {
  namespace fs = std::filesystem;
  fs::path folder = fs::temp_directory_path() / ("pocm-bench-" + std::to_string(getpid()));
  std::vector<double> front, code, cached;
  for (int i = 0; i < runs; ++i) {
    pocm::CompileResult result;
    front.push_back(bench::milliseconds([&] { result = compileFilter(); }));
    pocm::Program program = pocm::Program::load(result.program);
    fs::remove_all(folder);
    setenv("POCM_CACHE_DIR", folder.c_str(), 1);
    for (auto *times : {&code, &cached}) {
      pocm::Device device = pocm::Device::open("cpu", {1, ""});
      times->push_back(bench::milliseconds([&] { device.createKernel(program, "linear"); }));
    }
  }
  fs::remove_all(folder);
  std::printf("compile linear_genx.cpp (4 kernels) to a program            %10.2f ms\n", bench::median(front));
  std::printf("compile and code together, cold                             %10.2f ms\n",
              bench::median(front) + bench::median(code));
  std::printf("code for kernel linear, cold                                %10.2f ms\n", bench::median(code));
  std::printf("code for kernel linear, from the disk cache                 %10.2f ms\n", bench::median(cached));
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app{"What a launch, a barrier and a compilation take.", "bench-latency"};
  if (std::optional<int> status = parsed(app, argc, argv))
    return *status;
  try {
    setenv("POCM_CACHE_DIR", "off", 1);
    launches();
    barriers();
    compilation(15);
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-latency: %s\n", problem.what());
    return 2;
  }
}
