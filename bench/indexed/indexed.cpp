//===- indexed.cpp - Elements chosen at run time, beside plain C++ ----------------------===//
//
//     bench-indexed [--benchmark_filter=rows] [--benchmark_format=json]
//
// Every kernel is one CM thread, its peer in plain_indexed.cpp one call, on the same data. The first
// run of a pair compares the results; a pair that differs is an error. One core.
//
//===------------------------------------------------------------------------------------===//
#include "Programs.h"
#include "indexed.h"
#include "pocm/pocm.h"
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

namespace {

constexpr int Bytes = 1 << 20;

template <class T> std::vector<std::uint8_t> randomBytes(int count) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> bytes(std::size_t(count) * sizeof(T));
  for (int i = 0; i < count; i++) {
    T value = std::is_same_v<T, float> ? T(random() % 1000) : T(random());
    std::memcpy(bytes.data() + std::size_t(i) * sizeof(T), &value, sizeof(T));
  }
  return bytes;
}

/// A kernel, its peer, and what they read and write.
struct Pair {
  const char *kernel;
  std::vector<std::vector<std::uint8_t>> inputs;
  std::size_t outputBytes;
  std::vector<int> numbers; ///< The kernel's last arguments.
  std::function<void(const Pair &, std::uint8_t *)> plain;
  template <class T> const T *in(int i) const { return reinterpret_cast<const T *>(inputs[std::size_t(i)].data()); }
};

template <class T> T *as(std::uint8_t *p) { return reinterpret_cast<T *>(p); }

std::vector<Pair> pairs() {
  auto pixels = randomBytes<std::uint8_t>(Bytes);
  auto histogram = [](const Pair &p, std::uint8_t *out) {
    plainHistogram(p.in<std::uint8_t>(0), as<std::uint32_t>(out), Bytes);
  };
  return {
      {"histogram_vector", {pixels}, 1024, {Bytes / 64}, histogram},
      {"histogram_array", {pixels}, 1024, {Bytes / 64}, histogram},
      {"histogram_matrix", {pixels}, 1024, {Bytes / 128}, histogram},
      {"table_bytes", {pixels, randomBytes<std::uint8_t>(256)}, Bytes, {Bytes / 64},
       [](const Pair &p, std::uint8_t *out) {
         plainTableBytes(p.in<std::uint8_t>(0), p.in<std::uint8_t>(1), out, Bytes);
       }},
      {"table_floats", {pixels, randomBytes<float>(64)}, Bytes * 4, {Bytes / 32},
       [](const Pair &p, std::uint8_t *out) {
         plainTableFloats(p.in<std::uint8_t>(0), p.in<float>(1), as<float>(out), Bytes);
       }},
      {"rows", {pixels, randomBytes<float>(Bytes)}, 1024, {Bytes / 16},
       [](const Pair &p, std::uint8_t *out) {
         plainRows(p.in<std::uint8_t>(0), p.in<float>(1), as<float>(out), Bytes / 16);
       }},
      {"columns", {pixels, randomBytes<float>(Bytes)}, 512, {Bytes / 8},
       [](const Pair &p, std::uint8_t *out) {
         plainColumns(p.in<std::uint8_t>(0), p.in<float>(1), as<float>(out), Bytes / 8);
       }},
      {"insertion", {randomBytes<std::uint32_t>(1 << 15)}, 1 << 17, {32, 1 << 10},
       [](const Pair &p, std::uint8_t *out) {
         plainInsertion(p.in<std::uint32_t>(0), as<std::uint32_t>(out), 32, 1 << 10);
       }},
  };
}

void add(const Pair &pair, pocm::Device device, const pocm::Program &program) {
  std::string name = pair.kernel;
  auto plain = [pair](benchmark::State &state) {
    std::vector<std::uint8_t> out(pair.outputBytes);
    for (auto _ : state) {
      pair.plain(pair, out.data());
      benchmark::DoNotOptimize(out.data());
    }
  };
  auto kernel = [pair, device, program](benchmark::State &state) mutable {
    pocm::Kernel k = device.createKernel(program, pair.kernel);
    std::vector<pocm::Buffer> surfaces;
    unsigned at = 0;
    for (const auto &input : pair.inputs) {
      surfaces.push_back(device.createBuffer(input.size()));
      surfaces.back().write(input.data(), input.size());
      k.setArgument(at++, surfaces.back());
    }
    pocm::Buffer out = device.createBuffer(pair.outputBytes);
    k.setArgument(at++, out);
    for (const int &number : pair.numbers)
      k.setArgument(at++, &number, sizeof number);
    device.enqueue(k, {1, 1}).wait();
    std::vector<std::uint8_t> mine(pair.outputBytes), theirs(pair.outputBytes);
    out.read(mine.data(), mine.size());
    pair.plain(pair, theirs.data());
    if (mine != theirs)
      state.SkipWithError("the results differ");
    for (auto _ : state)
      device.enqueue(k, {1, 1}).wait();
  };
  benchmark::RegisterBenchmark((name + "/plain").c_str(), plain)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();
  benchmark::RegisterBenchmark((name + "/cm").c_str(), kernel)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();
}

} // namespace

int main(int argc, char **argv) try {
  benchmark::Initialize(&argc, argv);
  pocm::CompileOptions options;
  options.file = POCM_SOURCE_DIR "/bench/indexed/indexed_genx.cpp";
  pocm::Program program = bench::compiled(options);
  pocm::Device device = pocm::Device::open("cpu", {1, ""});
  for (const Pair &pair : pairs())
    add(pair, device, program);
  benchmark::RunSpecifiedBenchmarks();
} catch (const std::exception &problem) {
  std::fprintf(stderr, "bench-indexed: %s\n", problem.what());
  return 1;
}
