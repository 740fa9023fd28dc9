// Every shape of region of up to 64 elements at every offset, read and written, against a model of a few lines: selects
// of vectors and matrices, replicates, formats. Offsets are run-time values, a thread for each.
#include "Kernels.h"
#include <cstring>
#include <fmt/format.h>

namespace {

constexpr int N = 64; // elements of the objects

/// A region as the language writes it, and its elements: index(k, offset), or -1 where that leaves the object.
struct Shape {
  std::string object; ///< "vector" or "matrix<R, C>" source, by name in the kernel.
  std::string region; ///< Text with {i} for the offset of the thread.
  int count;          ///< Elements.
  bool writable;
  std::vector<int> starts; ///< First element for each thread; -1: this thread's offset does not exist.
  std::vector<int> steps;  ///< Distance of each element from the first.
};

/// Sizes and strides with which a dimension of `length` can be walked.
std::vector<std::pair<int, int>> walks(int length) {
  std::vector<std::pair<int, int>> all{{1, 1}};
  for (int size = 2; size <= length; ++size)
    for (int stride = 1; (size - 1) * stride < length; ++stride)
      all.push_back({size, stride});
  return all;
}

std::vector<Shape> vectorShapes() {
  std::vector<Shape> all;
  for (auto [size, stride] : walks(N)) {
    Shape s{"v", fmt::format("v.select<{}, {}>(t)", size, stride), size, true, {}, {}};
    for (int t = 0; t < N; ++t)
      s.starts.push_back(t);
    for (int k = 0; k < size; ++k)
      s.steps.push_back(k * stride);
    all.push_back(s);
  }
  return all;
}

std::vector<Shape> matrixShapes(int rows, int columns) {
  std::vector<Shape> all;
  for (auto [vs, vst] : walks(rows))
    for (auto [hs, hst] : walks(columns)) {
      Shape s{"m",     fmt::format("m.select<{}, {}, {}, {}>(t / {}, t % {})", vs, vst, hs, hst, columns, columns),
              vs * hs, true,
              {},      {}};
      for (int t = 0; t < N; ++t) // columns must not wrap
        s.starts.push_back(t % columns + (hs - 1) * hst < columns ? t : -1);
      for (int a = 0; a < vs; ++a)
        for (int b = 0; b < hs; ++b)
          s.steps.push_back(a * vst * columns + b * hst);
      all.push_back(s);
    }
  return all;
}

std::vector<Shape> replicateShapes() {
  std::vector<Shape> all;
  for (int rep : {1, 2, 3, 4, 8, 16})
    for (int w : {1, 2, 3, 4, 8})
      for (int vs : {0, 1, 2, 3, 4, 5, 8})
        for (int hs : {0, 1, 2, 3}) {
          if (rep * w > N)
            continue;
          Shape s{"v", fmt::format("v.replicate<{}, {}, {}, {}>(t)", rep, vs, w, hs), rep * w, false, {}, {}};
          for (int t = 0; t < N; ++t)
            s.starts.push_back(t);
          for (int k = 0; k < rep * w; ++k)
            s.steps.push_back(k / w * vs + k % w * hs);
          all.push_back(s);
        }
  return all;
}

struct Element {
  const char *type;
  int bytes;
};

/// A kernel for each few shapes. Thread t takes offset t; slot k of the output has N elements for each thread.
constexpr std::size_t batch = 24;

std::string kernelOf(const std::string &name, const Element &e, int rows, int columns, std::span<const Shape> shapes,
                     bool writes) {
  std::string text = fmt::format(R"(
extern "C" _GENX_MAIN_ void {}(svmptr_t out) {{
  uint t = get_thread_origin_x();
  vector<{}, {}> source;
  for (int i = 0; i < {}; i++) source(i) = i + 1;
)",
                                 name, e.type, N, N);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape &s = shapes[k];
    text +=
        fmt::format("  {{ vector<{0}, {1}> v = source; matrix<{0}, {2}, {3}> m = source; vector<{0}, {1}> whole = 0;\n",
                    e.type, N, rows, columns);
    if (writes)
      text += fmt::format(
          "    vector<{0}, {1}> x; for (int i = 0; i < {1}; i++) x(i) = 100 + i;\n    {2} = x; whole = {3};\n", e.type,
          s.count, s.region, s.object);
    else
      text += fmt::format("    whole.select<{}, 1>(0) = {};\n", s.count, s.region);
    text += fmt::format("    cm_svm_block_write(out + ({}u * {} + t) * {}, whole); }}\n", k, N, N * e.bytes);
  }
  return text + "}\n";
}

/// Checks the shapes that the CPU runs; returns how many cases there were.
std::size_t check(const std::string &cpu, pocm::Device &device, const Element &e, int rows, int columns,
                  std::vector<Shape> shapes, bool writes) {
  std::size_t number = 0;
  std::erase_if(shapes, [&](const Shape &) { return !test::runs(cpu, number++); });
  std::string source = "#include <cm/cm.h>\n";
  std::size_t kernels = (shapes.size() + batch - 1) / batch;
  for (std::size_t i = 0; i < kernels; ++i)
    source += kernelOf(fmt::format("k{}", i), e, rows, columns,
                       std::span(shapes).subspan(i * batch, std::min(batch, shapes.size() - i * batch)), writes);
  pocm::CompileOptions options;
  options.file = "shapes.cpp";
  options.source = source;
  pocm::CompileResult built = pocm::compile(options);
  if (!built.ok)
    throw std::runtime_error(built.diagnostics.substr(0, 2000));
  pocm::Program program = pocm::Program::load(built.program);
  std::size_t cases = 0;
  for (std::size_t i = 0; i < kernels; ++i) {
    std::size_t here = std::min(batch, shapes.size() - i * batch);
    std::vector<std::uint8_t> out(here * N * N * std::size_t(e.bytes));
    pocm::Kernel kernel = device.createKernel(program, fmt::format("k{}", i));
    auto address = reinterpret_cast<std::uint64_t>(out.data());
    kernel.setArgument(0, &address, 8);
    device.enqueue(kernel, {N, 1}).wait();
    for (std::size_t k = 0; k < here; ++k) {
      const Shape &s = shapes[i * batch + k];
      for (int t = 0; t < N; ++t) {
        int start = s.starts[std::size_t(t)];
        if (start < 0 || start + *std::max_element(s.steps.begin(), s.steps.end()) >= N)
          continue; // lanes outside are "don't care"
        std::int64_t want[N] = {};
        if (writes)
          for (int n = 0; n < N; ++n)
            want[n] = n + 1;
        for (int n = 0; n < s.count; ++n) {
          int at = start + s.steps[std::size_t(n)];
          writes ? want[at] = 100 + n : want[n] = at + 1;
        }
        for (int n = 0; n < N; ++n) {
          std::int64_t got = 0;
          std::memcpy(&got, &out[((k * N + std::size_t(t)) * N + std::size_t(n)) * std::size_t(e.bytes)],
                      std::size_t(e.bytes));
          if (got != want[n]) {
            ADD_FAILURE() << e.type << " " << rows << "x" << columns << (writes ? " write " : " read ") << s.region
                          << " at " << t << ": element " << n << " is " << got << ", not " << want[n];
            return cases;
          }
        }
        ++cases;
      }
    }
  }
  return cases;
}

constexpr Element elements[] = {{"uchar", 1}, {"ushort", 2}, {"uint", 4}, {"unsigned long long", 8}};

/// format: the bytes of every stretch of a byte vector as elements of every size, read and written, and as matrices.
std::size_t checkFormats(pocm::Device &device) {
  struct Stretch {
    const char *type;
    int bytes, elements, rows;
  };
  std::vector<Stretch> all;
  for (auto [type, bytes] : {std::pair{"ushort", 2}, {"uint", 4}, {"unsigned long long", 8}})
    for (int n = 1; n * bytes <= N; ++n)
      for (int rows : {0, 1, 2, 4}) // 0: a vector
        if (rows == 0 || n % rows == 0)
          all.push_back({type, bytes, n, rows});
  std::string source = "#include <cm/cm.h>\n";
  constexpr std::size_t each = 12;
  for (std::size_t i = 0; i < all.size(); i += each) {
    source += fmt::format("extern \"C\" _GENX_MAIN_ void f{}(svmptr_t out) {{\n  uint t = get_thread_origin_x();\n"
                          "  vector<uchar, 64> source; for (int i = 0; i < 64; i++) source(i) = i + 1;\n",
                          i / each);
    for (std::size_t k = i; k < std::min(all.size(), i + each); ++k) {
      const Stretch &s = all[k];
      std::string shape = s.rows ? fmt::format("{}, {}, {}", s.type, s.rows, s.elements / s.rows) : s.type;
      source += fmt::format(
          "  {{ vector<uchar, 64> v = source, r = 0; vector<{0}, {1}> x; for (int i = 0; i < {1}; i++) x(i) = 200 + i "
          "* 3;\n"
          "    vector<{0}, {1}> y = v.select<{2}, 1>(t).format<{3}>(); r.select<{2}, 1>(0) = y.format<uchar>();\n"
          "    v.select<{2}, 1>(t).format<{3}>() = x;\n"
          "    cm_svm_block_write(out + ({4}u * 64 + t) * 128, r); cm_svm_block_write(out + ({4}u * 64 + t) * 128 + "
          "64, v); }}\n",
          s.type, s.elements, s.elements * s.bytes, shape, k - i);
    }
    source += "}\n";
  }
  pocm::Program program = test::compile(source);
  std::size_t cases = 0;
  for (std::size_t i = 0; i < all.size(); i += each) {
    std::vector<std::uint8_t> out(each * N * 128);
    pocm::Kernel kernel = device.createKernel(program, fmt::format("f{}", i / each));
    auto address = reinterpret_cast<std::uint64_t>(out.data());
    kernel.setArgument(0, &address, 8);
    device.enqueue(kernel, {N, 1}).wait();
    for (std::size_t k = i; k < std::min(all.size(), i + each); ++k)
      for (int t = 0; t + all[k].elements * all[k].bytes <= N; ++t, cases += 2) {
        const Stretch &s = all[k];
        std::uint8_t want[128] = {};
        for (int n = 0; n < N; ++n) {
          want[64 + n] = std::uint8_t(n + 1);
          if (n < s.elements * s.bytes)
            want[n] = std::uint8_t(t + n + 1);
        }
        for (int n = 0; n < s.elements; ++n) {
          std::uint64_t value = std::uint64_t(200 + n * 3);
          std::memcpy(want + 64 + t + n * s.bytes, &value, std::size_t(s.bytes));
        }
        if (std::memcmp(want, &out[((k - i) * N + std::size_t(t)) * 128], 128) != 0) {
          ADD_FAILURE() << "format of " << s.elements << " " << s.type << " in " << s.rows << " rows at byte " << t;
          return cases;
        }
      }
  }
  return cases;
}

/// A CPU, and what is checked on it: elements of a size, or 0 for format. Apart from each other, so that they run side
/// by side.
class RegionShapes : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(RegionShapes, atEveryOffset) {
  auto [cpu, bytes] = GetParam();
  pocm::Device device = test::open(cpu, 2);
  std::size_t cases = bytes ? 0 : checkFormats(device);
  for (const Element &e : elements) {
    if (e.bytes != bytes)
      continue;
    for (bool writes : {false, true})
      cases += check(cpu, device, e, 8, 8, vectorShapes(), writes);
    if (e.bytes == 2 || e.bytes == 8) // matrices and replicates of two sizes are enough
      continue;
    for (auto [rows, columns] : {std::pair{8, 8}, {4, 16}})
      for (bool writes : {false, true})
        cases += check(cpu, device, e, rows, columns, matrixShapes(rows, columns), writes);
    cases += check(cpu, device, e, 8, 8, replicateShapes(), false);
  }
  testing::Test::RecordProperty("cases", std::to_string(cases));
  std::printf("%zu cases\n", cases);
}

INSTANTIATE_TEST_SUITE_P(Cpus, RegionShapes,
                         testing::Combine(testing::ValuesIn(test::leastAndMost()), testing::Values(0, 1, 2, 4, 8)),
                         [](const auto &info) {
                           std::string name = std::get<0>(info.param);
                           int bytes = std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name + (bytes ? "_bytes" + std::to_string(bytes) : "_format");
                         });

} // namespace
