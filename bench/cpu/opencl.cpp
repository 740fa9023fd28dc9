//===- opencl.cpp - The applications in OpenCL's SIMT style, on this CPU ----------------===//
//
//     bench-cpu-opencl transpose 4096 | histogram WIDTH HEIGHT | scan N | sort N | gemm N | spmv NAME | kmeans CLUSTERS
//     N
//                      | stencil WIDTH HEIGHT STEPS | convolution SIZE WIDTH HEIGHT CHANNELS OUTPUTS
//
// runs examples/NAME/NAME_cl.cl by OpenCL's device for CPUs (PoCL), compares the result with a plain loop, and prints
// the median time in milliseconds: "correct, 12.3 ms". PoCL has as many host threads as POCL_MAX_PTHREAD_COUNT says.
//
//===----------------------------------------------------------------------===//
#define CL_TARGET_OPENCL_VERSION 120
#include "Harness.h"
#include "plain_loops.h"
#include "spmv/Matrix.h"
#include <CL/cl.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>

namespace {

using Arguments = std::vector<std::string>;
using Words = std::vector<std::uint32_t>;
using Floats = std::vector<float>;

void check(cl_int status, const char *what) {
  if (status != CL_SUCCESS)
    throw std::runtime_error(std::string(what) + " fails: " + std::to_string(status));
}

/// The CPU with a queue and the kernels of an application.
class Device {
public:
  explicit Device(const std::string &application) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint k = 0; k < count && k < 16 && !device; ++k)
      clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_CPU, 1, &device, nullptr);
    if (!device)
      throw std::runtime_error("there is no OpenCL for this CPU (Debian's pocl-opencl-icd)");
    cl_int status = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
    const std::string path = POCM_SOURCE_DIR "/examples/" + application + "/" + application + "_cl.cl";
    std::ifstream file(path);
    if (!file)
      throw std::runtime_error("cannot read '" + path + "'");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const char *source = text.c_str();
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-cl-mad-enable", nullptr, nullptr), "clBuildProgram");
  }
  Device(const Device &) = delete; // what it has made lives as long as the process

  template <class T> cl_mem buffer(const std::vector<T> &contents) {
    cl_int status = CL_SUCCESS;
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.size() * sizeof(T),
                              const_cast<T *>(contents.data()), &status);
    check(status, "clCreateBuffer");
    return b;
  }
  template <class T> void write(cl_mem b, const std::vector<T> &from) {
    check(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, from.size() * sizeof(T), from.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  template <class T> void read(cl_mem b, std::vector<T> &to) {
    check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, to.size() * sizeof(T), to.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
  }
  /// Enqueues a kernel; global sizes are rounded up to whole groups.
  template <class... T>
  void launch(const char *name, std::vector<std::size_t> global, const std::vector<std::size_t> &local, T... values) {
    cl_kernel &kernel = kernels[name];
    cl_int status = CL_SUCCESS;
    if (!kernel)
      kernel = clCreateKernel(program, name, &status);
    check(status, name);
    cl_uint n = 0;
    (check(clSetKernelArg(kernel, n++, sizeof(values), &values), name), ...);
    for (std::size_t d = 0; d < global.size(); ++d)
      global[d] = (global[d] + local[d] - 1) / local[d] * local[d];
    check(clEnqueueNDRangeKernel(queue, kernel, cl_uint(global.size()), nullptr, global.data(), local.data(), 0,
                                 nullptr, nullptr),
          name);
  }
  void finish() { check(clFinish(queue), "clFinish"); }

private:
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_program program = nullptr;
  std::map<std::string, cl_kernel> kernels;
};

std::size_t number(const Arguments &a, unsigned n) { return std::stoul(a.at(n)); }

template <class T> std::vector<T> random(std::size_t count, unsigned seed = 1) {
  std::vector<T> values(count);
  std::mt19937 generator(seed);
  for (T &v : values)
    if constexpr (std::is_floating_point_v<T>)
      v = T(generator() >> 8) * T(0x1p-24);
    else
      v = T(generator());
  return values;
}

bool close(const Floats &got, const Floats &want) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::fabs(got[i] - want[i]) <= 1e-3f * (1 + std::fabs(want[i]))))
      return false;
  return true;
}

/// What is timed, what is done before each time, and whether the last result is right.
struct Case {
  std::function<void()> before, work;
  std::function<bool()> right;
};

Case transpose(const Arguments &a) {
  auto d = std::make_shared<Device>("transpose");
  const std::size_t n = number(a, 0);
  Words in = random<std::uint32_t>(n * n);
  cl_mem from = d->buffer(in), to = d->buffer(Words(n * n));
  return {[] {}, [=] { d->launch("transpose", {n, n}, {16, 16}, from, to, int(n), int(n)), d->finish(); },
          [=] {
            Words out(n * n);
            d->read(to, out);
            for (std::size_t i = 0; i < n * n; ++i)
              if (out[i % n * n + i / n] != in[i])
                return false;
            return true;
          }};
}

Case histogram(const Arguments &a) {
  auto d = std::make_shared<Device>("histogram");
  auto bytes = random<std::uint8_t>(number(a, 0) * number(a, 1));
  cl_mem from = d->buffer(bytes), counts = d->buffer(Words(256));
  return {[=] { d->write(counts, Words(256)); },
          [=] { d->launch("histogram", {256 * 64}, {256}, from, counts, int(bytes.size())), d->finish(); },
          [=] {
            Words got(256), want(256);
            d->read(counts, got);
            plain_histogram(bytes.data(), 0, bytes.size(), want.data());
            return got == want;
          }};
}

Case scan(const Arguments &a) {
  auto d = std::make_shared<Device>("scan");
  Words in = random<std::uint32_t>(number(a, 0));
  const std::size_t block = 512;
  std::vector<cl_mem> levels{d->buffer(in)}, sums; // a level's totals are the next one's numbers
  std::vector<std::size_t> counts{in.size()};
  while (true) {
    sums.push_back(d->buffer(Words(counts.back())));
    levels.push_back(d->buffer(Words((counts.back() + block - 1) / block)));
    if (counts.back() <= block)
      break;
    counts.push_back((counts.back() + block - 1) / block);
  }
  return {[] {},
          [=] {
            for (std::size_t l = 0; l < counts.size(); ++l)
              d->launch("scan_blocks", {(counts[l] + 1) / 2}, {256}, levels[l], sums[l], levels[l + 1], int(counts[l]));
            for (std::size_t l = counts.size() - 1; l > 0; --l)
              d->launch("add_totals", {(counts[l - 1] + 1) / 2}, {256}, sums[l - 1], sums[l], int(counts[l - 1]));
            d->finish();
          },
          [=] {
            Words out(in.size()), want(in.size());
            d->read(sums[0], out);
            plain_scan(in.data(), want.data(), in.size());
            return out == want;
          }};
}

Case sort(const Arguments &a) {
  auto d = std::make_shared<Device>("bitonic_sort");
  Words in = random<std::uint32_t>(number(a, 0));
  std::size_t padded = 256;
  while (padded < in.size())
    padded *= 2;
  Words keys = in;
  keys.resize(padded, 0xffffffff);
  cl_mem data = d->buffer(keys);
  return {[=] { d->write(data, keys); },
          [=] {
            d->launch("sort_four", {padded / 4}, {64}, data);
            for (std::size_t size = 8; size <= padded; size *= 2) {
              for (std::size_t distance = size / 2; distance >= 4; distance /= 2)
                d->launch("sort_far", {padded / 8}, {32}, data, int(size), int(distance));
              d->launch("sort_near", {padded / 4}, {64}, data, int(size));
            }
            d->finish();
          },
          [=] {
            Words out(padded), want = keys;
            d->read(data, out);
            std::sort(want.begin(), want.end());
            return out == want;
          }};
}

Case gemm(const Arguments &a) {
  auto d = std::make_shared<Device>("gemm");
  const std::size_t n = number(a, 0);
  Floats x = random<float>(n * n, 1), y = random<float>(n * n, 2);
  cl_mem left = d->buffer(x), right = d->buffer(y), out = d->buffer(Floats(n * n));
  return {[] {},
          [=] {
            d->launch("gemm", {n, n}, {16, 16}, left, right, out, int(n), int(n), int(n), 1.0f, 0.0f);
            d->finish();
          },
          [=] {
            Floats got(n * n), some, want;
            d->read(out, got);
            for (std::size_t i = 0; i < n * n; i += 997) {
              double sum = 0;
              for (std::size_t k = 0; k < n; ++k)
                sum += double(x[i / n * n + k]) * double(y[k * n + i % n]);
              some.push_back(got[i]), want.push_back(float(sum));
            }
            return close(some, want);
          }};
}

Case sparse(const Arguments &a) {
  auto d = std::make_shared<Device>("spmv");
  spmv::Matrix m = spmv::make(a.at(0));
  Floats x = random<float>(m.width);
  cl_mem starts = d->buffer(m.starts), columns = d->buffer(m.columns), values = d->buffer(m.values),
         from = d->buffer(x), to = d->buffer(Floats(m.rows));
  return {[] {},
          [=] {
            d->launch("spmv", {m.rows}, {64}, starts, columns, values, from, to, int(m.rows));
            d->finish();
          },
          [=] {
            Floats got(m.rows), want(m.rows);
            d->read(to, got);
            plain_spmv(m.starts.data(), m.columns.data(), m.values.data(), x.data(), want.data(), 0, m.rows);
            return close(got, want);
          }};
}

Case kmeans(const Arguments &a) {
  auto d = std::make_shared<Device>("kmeans");
  const std::size_t clusters = number(a, 0), count = number(a, 1), groups = (count + 255) / 256;
  Floats points = random<float>(2 * count, 1), centres = random<float>(2 * clusters, 2);
  cl_mem from = d->buffer(points), at = d->buffer(centres), labels = d->buffer(Words(count)),
         sums = d->buffer(Floats(groups * clusters * 3));
  return {[] {},
          [=] {
            d->launch("kmeans", {count}, {256}, from, at, labels, sums, int(count), int(clusters));
            Floats parts(groups * clusters * 3), whole(clusters * 3);
            d->read(sums, parts);
            for (std::size_t i = 0; i < parts.size(); ++i)
              whole[i % whole.size()] += parts[i];
          },
          [=] {
            Words got(count);
            d->read(labels, got);
            auto distance = [&](std::size_t i, std::size_t c) {
              return std::hypot(double(points[2 * i]) - double(centres[2 * c]),
                                double(points[2 * i + 1]) - double(centres[2 * c + 1]));
            };
            for (std::size_t i = 0; i < count; i += 31)
              for (std::size_t c = 0; c < clusters; ++c)
                if (got[i] >= clusters || distance(i, got[i]) > distance(i, c) + 1e-5)
                  return false;
            return true;
          }};
}

Case stencil(const Arguments &a) {
  auto d = std::make_shared<Device>("stencil");
  const std::size_t width = number(a, 0), height = number(a, 1), steps = number(a, 2);
  Floats grid = random<float>(width * height);
  cl_mem grids[2] = {d->buffer(grid), d->buffer(grid)}, one = grids[0], other = grids[1];
  return {[=] { d->write(one, grid); },
          [=] {
            for (std::size_t i = 0; i < steps; ++i)
              d->launch("stencil", {width, height}, {64, 4}, i % 2 ? other : one, i % 2 ? one : other, int(width),
                        int(height), 0.25f, 0.15f, 0.05f);
            d->finish();
          },
          [=] {
            Floats got(grid.size()), want = grid, next = grid;
            d->read(steps % 2 ? other : one, got);
            for (std::size_t i = 0; i < steps; ++i, std::swap(want, next))
              plain_stencil(want.data(), next.data(), width, 1, height - 1, 0.25f, 0.15f, 0.05f);
            return close(got, want);
          }};
}

Case convolution(const Arguments &a) {
  auto d = std::make_shared<Device>("convolution");
  const std::size_t size = number(a, 0), width = number(a, 1), height = number(a, 2), channels = number(a, 3),
                    outputs = number(a, 4);
  Floats image = random<float>((width + size - 1) * (height + size - 1) * channels, 1),
         weights = random<float>(size * size * channels * outputs, 2);
  cl_mem in = d->buffer(image), w = d->buffer(weights), out = d->buffer(Floats(width * height * outputs));
  return {[] {},
          [=] {
            d->launch("convolve", {outputs, width, height}, {32, 1, 1}, in, w, out, int(size), int(width),
                      int(channels), int(outputs));
            d->finish();
          },
          [=] {
            Floats got(width * height * outputs), want(got.size());
            d->read(out, got);
            plain_convolution(image.data(), weights.data(), want.data(), size, width, channels, outputs, 0, height);
            return close(got, want);
          }};
}

double median(const Case &c) {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    c.before();
    times.push_back(bench::milliseconds(c.work));
  }
  return bench::median(times);
}

} // namespace

int main(int argc, char **argv) {
  const std::map<std::string, Case (*)(const Arguments &)> cases = {{"convolution", convolution},
                                                                    {"gemm", gemm},
                                                                    {"histogram", histogram},
                                                                    {"kmeans", kmeans},
                                                                    {"scan", scan},
                                                                    {"sort", sort},
                                                                    {"spmv", sparse},
                                                                    {"stencil", stencil},
                                                                    {"transpose", transpose}};
  try {
    auto found = cases.find(argc > 1 ? argv[1] : "");
    if (found == cases.end())
      throw std::runtime_error(
          "the first argument is convolution, gemm, histogram, kmeans, scan, sort, spmv, stencil or transpose");
    Case c = found->second({argv + 2, argv + argc});
    c.before();
    c.work();
    bool right = c.right();
    std::printf("%s, %.4f ms\n", right ? "correct" : "WRONG", median(c));
    return right ? 0 : 1;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "bench-cpu-opencl: %s\n", problem.what());
    return 2;
  }
}
