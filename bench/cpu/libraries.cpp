// Debian's libraries as peers, each where its headers are.
#include "libraries.h"
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#if __has_include(<hwy/contrib/sort/vqsort.h>)
// The library chooses among its own targets; those of this file need not be among them, as they are not on CPUs that
// g++ does not know.
#define HWY_COMPILE_ONLY_STATIC
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

unsigned sort_ways() { return 2; }

void library_sort(std::uint32_t *keys, std::size_t count, unsigned way) {
  hwy::SetSupportedTargetsForTest(way == 0 ? 0 : HWY_AVX2 | HWY_SSE4 | HWY_SSSE3); // 0: all that the CPU has
  hwy::Sorter()(keys, count, hwy::SortAscending());
}
#else
unsigned sort_ways() { return 1; }

void library_sort(std::uint32_t *keys, std::size_t count, unsigned) { std::sort(keys, keys + count); }
#endif

#if __has_include(<oneapi/dnnl/dnnl.hpp>)
#include <oneapi/dnnl/dnnl.hpp>

namespace {

using Type = dnnl::memory::data_type;

/// An engine and a stream, memory for each argument (zeros), and what runs on them.
struct Primitive {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  void add(int argument, const dnnl::memory::desc &description) {
    dnnl::memory memory(description, engine);
    std::fill_n(static_cast<char *>(memory.get_data_handle()), description.get_size(), char(0));
    arguments.emplace(argument, memory);
  }
  void run() {
    primitive.execute(stream, arguments);
    stream.wait();
  }
};

template <class Description> Work work(std::shared_ptr<Primitive> p, const Description &d, dnnl::primitive primitive) {
  p->primitive = primitive;
  p->add(DNNL_ARG_SRC, d.src_desc());
  p->add(DNNL_ARG_WEIGHTS, d.weights_desc());
  p->add(DNNL_ARG_DST, d.dst_desc());
  return [p] { p->run(); };
}

Work onednn(const std::string &type, long m, long n, long k) {
  const std::map<std::string, std::pair<Type, Type>> types = {
      {"float", {Type::f32, Type::f32}}, {"bf16", {Type::bf16, Type::f32}}, {"int8", {Type::s8, Type::s32}}};
  auto found = types.find(type);
  if (found == types.end())
    return {};
  auto p = std::make_shared<Primitive>();
  auto matrix = [](long rows, long columns, Type of) {
    return dnnl::memory::desc({rows, columns}, of, dnnl::memory::format_tag::ab);
  };
  auto [from, to] = found->second;
  dnnl::matmul::primitive_desc description({matrix(m, k, from), matrix(k, n, from), matrix(m, n, to)}, p->engine);
  return work(p, description, dnnl::matmul(description));
}

} // namespace

extern "C" void omp_set_num_threads(int); // of the library that oneDNN brings along

Work library_convolution(long size, long width, long height, long channels, long outputs, int threads) {
  omp_set_num_threads(threads);
  auto p = std::make_shared<Primitive>();
  auto any = [](const dnnl::memory::dims &dims) {
    return dnnl::memory::desc(dims, Type::f32, dnnl::memory::format_tag::any);
  };
  const long border = size / 2;
  dnnl::convolution_forward::desc wanted(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto,
                                         any({1, channels, height, width}), any({outputs, channels, size, size}),
                                         any({1, outputs, height, width}), {1, 1}, {border, border}, {border, border});
  dnnl::convolution_forward::primitive_desc description(wanted, p->engine);
  return work(p, description, dnnl::convolution_forward(description));
}
#else
namespace {
Work onednn(const std::string &, long, long, long) { return {}; }
} // namespace
extern "C" void omp_set_num_threads(int) {}
Work library_convolution(long, long, long, long, long, int) { return {}; }
#endif

#if __has_include(<cblas-openblas.h>)
#include <cblas-openblas.h>

namespace {

Work openblas(const std::string &type, long m, long n, long k, int threads) {
  openblas_set_num_threads(threads);
  const auto rows = blasint(m), columns = blasint(n), depth = blasint(k);
  const auto elements = std::size_t(m * k + k * n + m * n);
  if (type == "float")
    return [=, all = std::make_shared<std::vector<float>>(elements, 1.0f)] {
      float *a = all->data(), *b = a + m * k, *c = b + k * n;
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b, columns, 0, c,
                  columns);
    };
  if (type == "double")
    return [=, all = std::make_shared<std::vector<double>>(elements, 1.0)] {
      double *a = all->data(), *b = a + m * k, *c = b + k * n;
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b, columns, 0, c,
                  columns);
    };
  return {};
}

} // namespace
#else
namespace {
Work openblas(const std::string &, long, long, long, int) { return {}; }
} // namespace
#endif

#if __has_include(<opencv2/imgproc.hpp>)
#include <opencv2/imgproc.hpp>

Work library_histogram(const std::uint8_t *pixels, int width, int height, int threads,
                       std::vector<std::uint32_t> &counts) {
  cv::setNumThreads(threads);
  const cv::Mat image(height, width, CV_8U, const_cast<std::uint8_t *>(pixels));
  return [image, &counts] {
    const int channel = 0, values = 256;
    const float range[] = {0, 256}, *ranges[] = {range};
    cv::Mat histogram;
    cv::calcHist(&image, 1, &channel, cv::noArray(), histogram, 1, &values, ranges);
    for (int i = 0; i < values; ++i)
      counts[std::size_t(i)] = std::uint32_t(histogram.at<float>(i));
  };
}

Work library_integral(const std::uint8_t *pixels, int width, int height, int threads,
                      std::vector<std::uint32_t> &sums) {
  cv::setNumThreads(threads);
  sums.resize(std::size_t(width + 1) * std::size_t(height + 1));
  const cv::Mat image(height, width, CV_8U, const_cast<std::uint8_t *>(pixels)),
      to(height + 1, width + 1, CV_32S, sums.data());
  return [image, to] { cv::integral(image, to, CV_32S); };
}
#else
Work library_histogram(const std::uint8_t *, int, int, int, std::vector<std::uint32_t> &) { return {}; }
Work library_integral(const std::uint8_t *, int, int, int, std::vector<std::uint32_t> &) { return {}; }
#endif

Work library_product(const std::string &library, const std::string &type, long m, long n, long k, int threads) {
  omp_set_num_threads(threads);
  return library == "openblas" ? openblas(type, m, n, k, threads) : onednn(type, m, n, k);
}
