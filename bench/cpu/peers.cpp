//===- peers.cpp - What the applications are measured beside ---------------------------===//
//
//     bench-cpu-peers convolution SIZE WIDTH HEIGHT CHANNELS OUTPUTS   oneDNN, or a plain loop
//     bench-cpu-peers copy N                      copies N x N floats
//     bench-cpu-peers histogram WIDTH HEIGHT KIND OpenCV, or eight tables; random, constant or smooth bytes
//     bench-cpu-peers integral WIDTH HEIGHT       OpenCV, or a plain loop
//     bench-cpu-peers gemm TYPE N                 the faster of OpenBLAS and oneDNN
//     bench-cpu-peers kmeans CENTRES N            a step, a plain loop
//     bench-cpu-peers scan N                      std::inclusive_scan of N dwords, on one host thread
//     bench-cpu-peers sort N                      Highway's vqsort, where it is installed, or std::sort; one host
//     thread bench-cpu-peers spmv NAME                   a plain loop over rows bench-cpu-peers stencil WIDTH HEIGHT
//     STEPS  nine points, a plain loop
//
// prints the median time of 15 runs in milliseconds, on as many host threads as CM_RT_PARALLEL_THREADS says.
//
//===----------------------------------------------------------------------===//
#include "Harness.h"
#include "libraries.h"
#include "plain_loops.h"
#include "spmv/Matrix.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <stdexcept>
#include <thread>

namespace {

using Arguments = std::vector<std::string>;

unsigned hostThreads() {
  const char *text = std::getenv("CM_RT_PARALLEL_THREADS");
  return text ? unsigned(std::max(1, std::atoi(text))) : 1;
}

/// Calls part(number, begin, end) on every host thread; `bounds` has one more number than there are parts.
void parallel(const std::vector<std::size_t> &bounds,
              const std::function<void(unsigned, std::size_t, std::size_t)> &part) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i + 1 < bounds.size(); ++i)
    others.emplace_back([&, i] { part(i, bounds[i], bounds[i + 1]); });
  part(0, bounds[0], bounds[1]);
  for (std::thread &other : others)
    other.join();
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

double convolution(const Arguments &arguments) {
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

double gemm(const Arguments &arguments) {
  std::vector<double> medians;
  for (const char *library : {"openblas", "onednn"})
    if (Work product = library_product(library, arguments.at(0), std::stol(arguments.at(1)), int(hostThreads())))
      medians.push_back(median(product));
  if (medians.empty())
    throw std::runtime_error("no library multiplies matrices of " + arguments.at(0) +
                             " (scripts/setup bench installs OpenBLAS and oneDNN)");
  return *std::min_element(medians.begin(), medians.end());
}

double copy(const Arguments &arguments) {
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

double histogram(const Arguments &arguments) {
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

double integral(const Arguments &arguments) {
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

double kmeans(const Arguments &arguments) {
  const auto centreCount = std::uint32_t(std::stoul(arguments.at(0)));
  std::vector<float> x(std::stoul(arguments.at(1))), y(x.size()), centres(2 * centreCount);
  std::vector<std::uint32_t> labels(x.size());
  std::mt19937 random(1);
  std::uniform_real_distribution<float> place(0, 100);
  for (auto *values : {&centres, &x, &y})
    for (float &v : *values)
      v = place(random);
  return median([&] {
    std::vector<std::vector<float>> sums(hostThreads(), std::vector<float>(3 * centreCount));
    parallel(evenly(x.size()), [&](unsigned i, auto begin, auto end) {
      plain_kmeans(x.data(), y.data(), begin, end, centres.data(), centreCount, labels.data(), sums[i].data());
    });
  });
}

double scan(const Arguments &arguments) {
  std::vector<std::uint32_t> from(std::stoul(arguments.at(0)), 3), to(from.size());
  return median([&] { plain_scan(from.data(), to.data(), from.size()); }); // which uses one host thread
}

double sort(const Arguments &arguments) {
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

double sparse(const Arguments &arguments) {
  spmv::Matrix m = spmv::make(arguments.at(0));
  std::vector<float> x(m.width, 1), y(m.rows);
  // As many elements for each.
  std::vector<std::size_t> bounds;
  for (std::size_t elements : evenly(m.columns.size()))
    bounds.push_back(std::size_t(std::lower_bound(m.starts.begin(), m.starts.end(), elements) - m.starts.begin()));
  bounds.back() = m.rows;
  return median([&] {
    parallel(bounds, [&](unsigned, auto begin, auto end) {
      plain_spmv(m.starts.data(), m.columns.data(), m.values.data(), x.data(), y.data(), begin, end);
    });
  });
}

double stencil(const Arguments &arguments) {
  const std::size_t width = std::stoul(arguments.at(0)), height = std::stoul(arguments.at(1));
  std::vector<float> grid(width * height, 1), next = grid;
  std::vector<std::size_t> bounds = evenly(height - 2);
  return median([&] {
    for (unsigned long steps = std::stoul(arguments.at(2)); steps; --steps) {
      parallel(bounds, [&](unsigned, auto begin, auto end) {
        plain_stencil(grid.data(), next.data(), width, begin + 1, end + 1, 0.25f, 0.15f, 0.05f);
      });
      std::swap(grid, next);
    }
  });
}

} // namespace

int main(int argc, char **argv) {
  const std::map<std::string, double (*)(const Arguments &)> cases = {
      {"convolution", convolution}, {"copy", copy}, {"gemm", gemm}, {"histogram", histogram}, {"integral", integral},
      {"kmeans", kmeans},           {"scan", scan}, {"sort", sort}, {"spmv", sparse},         {"stencil", stencil}};
  try {
    auto found = cases.find(argc > 1 ? argv[1] : "");
    if (found == cases.end())
      throw std::runtime_error(
          "the first argument is convolution, copy, gemm, histogram, integral, kmeans, scan, sort, spmv or stencil");
    std::printf("%.4f ms\n", found->second({argv + 2, argv + argc}));
    return 0;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-cpu-peers: %s\n", problem.what());
    return 2;
  }
}
