// Multiplies a sparse matrix by a vector: the width of instructions follows the lengths of rows.
//
//     spmv [--matrix FILE.mtx | --kind webbase|protein|nd24k]
#include "Matrix.h"
#include "application.h"
#include <chrono>
#include <cmath>

namespace {

/// Each sum of n products is within n roundings of the sum of their magnitudes.
bool isClose(const spmv::Matrix &a, const std::vector<float> &x, const std::vector<float> &y) {
  std::vector<double> want = spmv::multiply(a, x);
  for (std::uint32_t r = 0; r < a.rows; ++r) {
    double magnitude = 0;
    for (std::uint32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
      magnitude += std::fabs(double(a.values[k]) * double(x[a.columns[k]]));
    if (!(std::fabs(double(y[r]) - want[r]) <= magnitude * 0x1p-23 * (a.starts[r + 1] - a.starts[r] + 1)))
      return false;
  }
  return true;
}

double timePlainLoop(const spmv::Matrix &a, const std::vector<float> &x, std::vector<float> &y) {
  auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t r = 0; r < a.rows; ++r) {
    float sum = 0;
    for (std::uint32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
      sum += a.values[k] * x[a.columns[k]];
    y[r] = sum;
  }
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

int main(int argc, char **argv) {
  application::App app("spmv", "Multiplies a sparse matrix in compressed rows by a vector.");
  std::string path, kind = "protein";
  unsigned divisor = 1;
  app.choice("--kind", kind, "a matrix to make, like a known one", spmv::kinds());
  app.number("--divisor", divisor, "so many times fewer rows", 1, 100000);
  app.input("--matrix", path, "a Matrix Market file in coordinates", {"--kind", "--divisor"});
  return app.run(argc, argv, [&](host::Session &session) {
    spmv::Matrix a = path.empty() ? spmv::make(kind, divisor) : spmv::load(path);
    std::vector<float> x(a.width), y(a.rows), plain(a.rows);
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 10);
    CmBuffer *starts = session.buffer(a.starts, 128), *columns = session.buffer(a.columns, 128),
             *values = session.buffer(a.values, 128);
    CmBuffer *from = session.buffer(x), *to = session.buffer(y, 64);

    // A thread has blocks of 16 rows with about 2,000 elements.
    int blocks = std::max(1, int(2000.0 / (double(a.columns.size()) / a.rows * 16 + 1)));
    unsigned threads = unsigned((a.rows + 16u * unsigned(blocks) - 1) / (16u * unsigned(blocks)));
    CmKernel *kernel = session.kernel("spmv");
    host::setAll(kernel, starts, columns, values, from, to, int(a.rows), blocks);
    CmThreadSpace *space = session.space(256, (threads + 255) / 256);
    CmTask *task = session.task({kernel}, false);
    session.run(task, space);
    session.read(to, y, nullptr);
    bool right = isClose(a, x, y);
    double ms = app.time([&] { return session.run(task, space); });
    double plainMs = app.time([&] { return timePlainLoop(a, x, plain); });
    std::printf("%u x %u, %zu elements: %s, %.3f ms, %.2f GFLOP/s; a plain loop on one thread %.3f ms\n", a.rows,
                a.width, a.columns.size(), right ? "correct" : "WRONG", ms, 2.0 * double(a.columns.size()) / ms / 1e6,
                plainMs);
    return right;
  });
}
