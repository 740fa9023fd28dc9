//===- peers.cpp - What the applications are measured beside ---------------------------===//
//
//     bench-cpu-peers convolution SIZE WIDTH HEIGHT CHANNELS OUTPUTS   oneDNN, or a plain loop
//     bench-cpu-peers copy N                      copies N x N floats
//     bench-cpu-peers histogram WIDTH HEIGHT KIND OpenCV, or eight tables; random, constant or smooth bytes
//     bench-cpu-peers integral WIDTH HEIGHT       OpenCV, or a plain loop
//     bench-cpu-peers gemm TYPE M [N K]           the faster of OpenBLAS and oneDNN
//     bench-cpu-peers limit gemm | convolution ... what the multiply-adds alone of those would take this CPU
//     bench-cpu-peers kmeans CENTRES N            a step, ispc or a plain loop
//     bench-cpu-peers nbody N                     accelerations, ispc or a plain loop; on one host thread
//     bench-cpu-peers scan N                      std::inclusive_scan of N dwords, on one host thread
//     bench-cpu-peers sort N                      Highway's vqsort, where it is installed, or std::sort; one thread
//     bench-cpu-peers spmv NAME                   ispc or a plain loop over rows
//     bench-cpu-peers stencil WIDTH HEIGHT STEPS  nine points, ispc or a plain loop
//
// prints the median time of 15 runs in milliseconds, on as many host threads as CM_RT_PARALLEL_THREADS says, and where
// there is a choice, what was measured. What ispc makes of peers.ispc is compared with the plain loop first.
//
//===----------------------------------------------------------------------===//
#include "peers.h"
#include "Harness.h"
#include "libraries.h"
#include "multiply_adds.h"
#include "plain_loops.h"
#include "spmv/Matrix.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <stdexcept>

#ifdef POCM_BENCH_ISPC
extern "C" {
void ispc_kmeans(const float *x, const float *y, std::int64_t begin, std::int64_t end, const float *centres,
                 std::uint32_t count, std::uint32_t *labels, float *sums);
void ispc_nbody(int n, const float *x, const float *y, const float *z, const float *m, float softening, float *ax,
                float *ay, float *az);
void ispc_spmv(const std::uint32_t *first, const std::uint32_t *columns, const float *values, const float *x, float *y,
               std::int64_t begin, std::int64_t end);
void ispc_stencil(const float *from, float *to, std::int64_t width, std::int64_t begin, std::int64_t end, float center,
                  float cardinal, float diagonal);
}
#endif

namespace {

using Arguments = std::vector<std::string>;

/// A time in milliseconds, and what took it where that is not always the same.
struct Measured {
  double ms;
  const char *by = nullptr;
  Measured(double ms, const char *by = nullptr) : ms(ms), by(by) {}
};

#ifdef POCM_BENCH_ISPC
constexpr bool hasIspc = true;
constexpr auto kmeansLoop = ispc_kmeans;
constexpr auto nbodyLoop = ispc_nbody;
constexpr auto spmvLoop = ispc_spmv;
constexpr auto stencilLoop = ispc_stencil;
#else
constexpr bool hasIspc = false;
constexpr auto kmeansLoop = plain_kmeans;
constexpr auto nbodyLoop = plain_nbody;
constexpr auto spmvLoop = plain_spmv;
constexpr auto stencilLoop = plain_stencil;
#endif
constexpr const char *vectorCompiler = hasIspc ? "ispc" : "a plain loop";

/// Fails unless two results are the same but for the order of sums.
template <class T> void same(const std::vector<T> &got, const std::vector<T> &want, const char *what) {
  double most = 0;
  for (T w : want)
    most = std::max(most, std::abs(double(w)));
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!(std::abs(double(got[i]) - double(want[i])) <= 1e-4 * most))
      throw std::runtime_error(std::string("ispc's ") + what + " are wrong");
}

unsigned hostThreads() {
  const char *text = std::getenv("CM_RT_PARALLEL_THREADS");
  return text ? unsigned(std::max(1, std::atoi(text))) : 1;
}

/// Calls part(number, begin, end) on every host thread; `bounds` has one more number than there are of them.
void parallel(const std::vector<std::size_t> &bounds,
              const std::function<void(unsigned, std::size_t, std::size_t)> &part) {
  static bench::Crew crew(hostThreads());
  crew.run([&](unsigned i) { part(i, bounds[i], bounds[i + 1]); });
}

std::vector<std::size_t> evenly(std::size_t count) {
  std::vector<std::size_t> bounds;
  for (unsigned i = 0; i <= hostThreads(); ++i)
    bounds.push_back(count * i / hostThreads());
  return bounds;
}

double median(const std::function<void()> &work) {
  std::vector<double> times;
  for (int i = 0; i < 15; ++i)
    times.push_back(bench::milliseconds(work));
  return bench::median(times);
}

Measured convolution(const Arguments &arguments) {
  long n[5];
  for (unsigned i = 0; i < 5; ++i)
    n[i] = std::stol(arguments.at(i));
  if (Work library = library_convolution(n[0], n[1], n[2], n[3], n[4], int(hostThreads())))
    return median(library);
  const auto width = std::size_t(n[1] + n[0] - 1), height = std::size_t(n[2] + n[0] - 1);
  std::vector<float> image(width * height * std::size_t(n[3]), 1), weights(std::size_t(n[0] * n[0] * n[3] * n[4]), 1),
      to(std::size_t(n[1] * n[2] * n[4]));
  return median([&] {
    parallel(evenly(std::size_t(n[2])), [&](unsigned, auto begin, auto end) {
      plain_convolution(image.data(), weights.data(), to.data(), std::size_t(n[0]), std::size_t(n[1]),
                        std::size_t(n[3]), std::size_t(n[4]), begin, end);
    });
  });
}

Measured gemm(const Arguments &arguments) {
  const long m = std::stol(arguments.at(1)), n = arguments.size() > 3 ? std::stol(arguments[2]) : m,
             k = arguments.size() > 3 ? std::stol(arguments[3]) : m;
  std::vector<double> medians;
  for (const char *library : {"openblas", "onednn"})
    if (Work product = library_product(library, arguments.at(0), m, n, k, int(hostThreads())))
      medians.push_back(median(product));
  if (medians.empty())
    throw std::runtime_error("no library multiplies matrices of " + arguments.at(0) +
                             " (scripts/setup bench installs OpenBLAS and oneDNN)");
  return *std::min_element(medians.begin(), medians.end());
}

/// What a product of matrices, or a convolution, would take if the CPU made multiply-adds and nothing else.
Measured limit(const Arguments &arguments) {
  const bool product = arguments.at(0) == "gemm";
  std::vector<double> n;
  for (std::size_t i = product ? 2 : 1; i < arguments.size(); ++i)
    n.push_back(std::stod(arguments[i]));
  const std::string type = product ? arguments.at(1) : "float";
  const double rate = type == "int8"     ? byte_limit()
                      : type == "bf16"   ? bfloat_limit()
                      : type == "double" ? double_limit()
                                         : float_limit();
  if (rate == 0)
    throw std::runtime_error("no instruction for multiply-adds of " + type);
  const double operations = product ? 2 * (n.size() > 2 ? n[0] * n[1] * n[2] : n.at(0) * n[0] * n[0])
                                    : 2 * n.at(0) * n[0] * n.at(1) * n.at(2) * n.at(3) * n.at(4);
  return operations / (rate * 1e6) / hostThreads();
}

Measured copy(const Arguments &arguments) {
  std::size_t side = std::stoul(arguments.at(0)), count = side * side;
  std::vector<float> from(count, 1), to(count);
  return median([&] {
    parallel(evenly(count), [&](unsigned, auto begin, auto end) { plain_copy(from.data(), to.data(), begin, end); });
  });
}

/// The bytes that examples/histogram makes.
std::vector<std::uint8_t> bytesOf(const std::string &kind, std::size_t width, std::size_t height) {
  std::vector<std::uint8_t> bytes(width * height);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = kind == "random"     ? std::uint8_t(random() >> 8)
               : kind == "constant" ? 17
                                    : std::uint8_t(i % width / 16 + i / width / 9);
  return bytes;
}

Measured histogram(const Arguments &arguments) {
  const std::size_t width = std::stoul(arguments.at(0)), height = std::stoul(arguments.at(1));
  const std::vector<std::uint8_t> pixels = bytesOf(arguments.at(2), width, height);
  std::vector<std::uint32_t> got(256), want(256);
  for (std::uint8_t p : pixels)
    ++want[p];
  Work work = library_histogram(pixels.data(), int(width), int(height), int(hostThreads()), got);
  if (!work)
    work = [&] {
      std::vector<std::vector<std::uint32_t>> counts(hostThreads(), std::vector<std::uint32_t>(256));
      parallel(evenly(pixels.size()),
               [&](unsigned i, auto begin, auto end) { plain_histogram(pixels.data(), begin, end, counts[i].data()); });
      for (unsigned i = 1; i < counts.size(); ++i)
        for (int v = 0; v < 256; ++v)
          counts[0][std::size_t(v)] += counts[i][std::size_t(v)];
      got = counts[0];
    };
  double ms = median(work);
  if (got != want)
    throw std::runtime_error("the histogram is wrong");
  return ms;
}

Measured integral(const Arguments &arguments) {
  const std::size_t width = std::stoul(arguments.at(0)), height = std::stoul(arguments.at(1)), pitch = width + 1;
  const std::vector<std::uint8_t> pixels = bytesOf("random", width, height);
  std::vector<std::uint32_t> want(pitch * (height + 1)), got = want;
  auto plain = [&](std::vector<std::uint32_t> &to) {
    for (std::size_t y = 0; y < height; ++y) {
      std::uint32_t row = 0;
      for (std::size_t x = 0; x < width; ++x) {
        row += pixels[y * width + x];
        to[(y + 1) * pitch + x + 1] = to[y * pitch + x + 1] + row;
      }
    }
  };
  Work work = library_integral(pixels.data(), int(width), int(height), int(hostThreads()), got);
  if (!work)
    work = [&] { plain(got); };
  plain(want);
  double ms = median(work);
  if (got != want)
    throw std::runtime_error("the integral image is wrong");
  return ms;
}

Measured kmeans(const Arguments &arguments) {
  const auto centreCount = std::uint32_t(std::stoul(arguments.at(0)));
  std::vector<float> x(std::stoul(arguments.at(1))), y(x.size()), centres(2 * centreCount);
  std::vector<std::uint32_t> labels(x.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(0, 100);
  for (auto *values : {&centres, &x, &y})
    for (float &v : *values)
      v = place(random);
  std::vector<std::vector<float>> sums;
  auto step = [&](auto *loop) {
    sums.assign(hostThreads(), std::vector<float>(3 * centreCount));
    parallel(evenly(x.size()), [&](unsigned i, auto begin, auto end) {
      loop(x.data(), y.data(), begin, end, centres.data(), centreCount, labels.data(), sums[i].data());
    });
  };
  step(plain_kmeans);
  auto want = sums[0];
  step(kmeansLoop);
  same(sums[0], want, "sums of points");
  return {median([&] { step(kmeansLoop); }), vectorCompiler};
}

Measured nbody(const Arguments &arguments) {
  const auto n = int(std::stoul(arguments.at(0)));
  std::vector<std::vector<float>> of(7, std::vector<float>(std::size_t(n))); // x, y, z, masses, accelerations
  std::mt19937 random(3);
  std::uniform_real_distribution<float> place(-10, 10);
  for (int i = 0; i < 4; ++i)
    for (float &v : of[std::size_t(i)])
      v = i < 3 ? place(random) : 0.55f + 0.045f * place(random);
  auto step = [&](auto *loop) {
    loop(n, of[0].data(), of[1].data(), of[2].data(), of[3].data(), 0.01f, of[4].data(), of[5].data(), of[6].data());
  };
  step(plain_nbody);
  auto want = of[4];
  step(nbodyLoop);
  same(of[4], want, "accelerations");
  return {median([&] { step(nbodyLoop); }), hasIspc ? "ispc (one thread)" : "a plain loop (one thread)"};
}

Measured scan(const Arguments &arguments) {
  std::vector<std::uint32_t> from(std::stoul(arguments.at(0)), 3), to(from.size());
  return median([&] { plain_scan(from.data(), to.data(), from.size()); }); // which uses one host thread
}

Measured sort(const Arguments &arguments) {
  std::vector<std::uint32_t> from(std::stoul(arguments.at(0))), keys;
  std::mt19937 random(1);
  for (auto &k : from)
    k = std::uint32_t(random());
  std::vector<double> medians;
  for (unsigned way = 0; way < sort_ways(); ++way) {
    std::vector<double> times;
    for (int i = 0; i < 7; ++i) {
      keys = from;
      times.push_back(bench::milliseconds([&] { library_sort(keys.data(), keys.size(), way); }));
    }
    if (!std::is_sorted(keys.begin(), keys.end()))
      throw std::runtime_error("the library's sort is wrong");
    medians.push_back(bench::median(times));
  }
  return *std::min_element(medians.begin(), medians.end());
}

Measured sparse(const Arguments &arguments) {
  spmv::Matrix m = spmv::make(arguments.at(0));
  std::vector<float> x(m.width), y(m.rows);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = float(i % 7);
  // As many elements for each.
  std::vector<std::size_t> bounds;
  for (std::size_t elements : evenly(m.columns.size()))
    bounds.push_back(std::size_t(std::lower_bound(m.starts.begin(), m.starts.end(), elements) - m.starts.begin()));
  bounds.back() = m.rows;
  auto product = [&](auto *loop) {
    parallel(bounds, [&](unsigned, auto begin, auto end) {
      loop(m.starts.data(), m.columns.data(), m.values.data(), x.data(), y.data(), begin, end);
    });
  };
  product(plain_spmv);
  auto want = y;
  product(spmvLoop);
  same(y, want, "products");
  // Short rows are no work for lanes.
  double vectors = median([&] { product(spmvLoop); });
  double plain = hasIspc ? median([&] { product(plain_spmv); }) : vectors;
  return vectors <= plain ? Measured(vectors, vectorCompiler) : Measured(plain, "a plain loop");
}

/// The limit of products with a sparse matrix.
Measured gathers(const Arguments &arguments) {
  spmv::Matrix m = spmv::make(arguments.at(0));
  std::vector<float> x(m.width, 1), sums(hostThreads());
  const std::vector<std::size_t> bounds = evenly(m.columns.size());
  return {median([&] {
            parallel(bounds, [&](unsigned thread, auto begin, auto end) {
              plain_gathers(m.columns.data(), x.data(), &sums[thread], begin, end);
            });
          }),
          "gathers alone"};
}

Measured stencil(const Arguments &arguments) {
  const std::size_t width = std::stoul(arguments.at(0)), height = std::stoul(arguments.at(1));
  std::vector<float> grid(width * height), next(width * height);
  for (std::size_t i = 0; i < grid.size(); ++i)
    grid[i] = float(i % 11);
  std::vector<std::size_t> bounds = evenly(height - 2);
  auto step = [&](auto *loop) {
    parallel(bounds, [&](unsigned, auto begin, auto end) {
      loop(grid.data(), next.data(), width, begin + 1, end + 1, 0.25f, 0.15f, 0.05f);
    });
  };
  step(plain_stencil);
  auto want = next;
  step(stencilLoop);
  same(next, want, "points");
  return {median([&] {
            for (unsigned long steps = std::stoul(arguments.at(2)); steps; --steps) {
              step(stencilLoop);
              std::swap(grid, next);
            }
          }),
          vectorCompiler};
}

} // namespace

int main(int argc, char **argv) {
  const std::map<std::string, Measured (*)(const Arguments &)> cases = {{"convolution", convolution},
                                                                        {"copy", copy},
                                                                        {"gathers", gathers},
                                                                        {"gemm", gemm},
                                                                        {"histogram", histogram},
                                                                        {"integral", integral},
                                                                        {"kmeans", kmeans},
                                                                        {"limit", limit},
                                                                        {"nbody", nbody},
                                                                        {"scan", scan},
                                                                        {"sort", sort},
                                                                        {"spmv", sparse},
                                                                        {"stencil", stencil}};
  try {
    auto found = cases.find(argc > 1 ? argv[1] : "");
    if (found == cases.end())
      throw std::runtime_error("the first argument is convolution, copy, gathers, gemm, histogram, integral, kmeans, "
                               "limit, nbody, scan, sort, spmv or stencil");
    const Measured measured = found->second({argv + 2, argv + argc});
    std::printf("%.4f ms%s%s\n", measured.ms, measured.by ? " by " : "", measured.by ? measured.by : "");
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-cpu-peers: %s\n", problem.what());
    return 2;
  }
}
