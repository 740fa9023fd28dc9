// Sums, products, minima and maxima of rows that become elements of one vector, for matrices of many shapes: code
// generators take such rows together, and floats are to be added in the same order as where each is taken alone.
#include "Kernels.h"
#include "Scalar.h"
#include <bit>
#include <fmt/format.h>
#include <random>

namespace {

enum class Fold : unsigned { Sum, Least, Most, Product };

/// What is left of a row: the upper half of it is folded into the lower one, and so on.
template <class T> T folded(std::vector<T> row, Fold fold) {
  auto both = [fold](T a, T b) {
    switch (fold) {
    case Fold::Sum:
      return test::add(a, b);
    case Fold::Least:
      return a != a || b < a ? b : a; // a number rather than a NaN
    case Fold::Most:
      return a != a || b > a ? b : a;
    default:
      return test::multiply(a, b);
    }
  };
  while (row.size() > 1) {
    const std::size_t half = std::bit_ceil(row.size()) / 2;
    for (std::size_t k = half; k < row.size(); ++k)
      row[k - half] = both(row[k - half], row[k]);
    row.resize(half);
  }
  return row[0];
}

/// Where a row's result stands: `Some` has elements that are none between them, `Swapped` another order.
enum class Form : unsigned { All, Some, Swapped, Added };

struct Case {
  static constexpr unsigned mostResults = 32;
  unsigned rows, columns;
  Fold fold;
  Form form;

  unsigned results() const { return form == Form::Some ? 2 * rows : rows; }
  unsigned placeOf(unsigned row) const {
    return form == Form::Some ? 2 * row + 1 : form == Form::Swapped ? (row * 3 + 1) % rows : row;
  }
  std::string text(const char *type, unsigned number) const {
    constexpr const char *folds[] = {"cm_sum", "cm_reduced_min", "cm_reduced_max", "cm_prod"};
    const unsigned count = rows * columns, rounded = (count + 7) / 8 * 8;
    std::string all = fmt::format(R"(extern "C" _GENX_MAIN_ void kernel{0}(SurfaceIndex in, SurfaceIndex out) {{
  vector<{1}, {2}> data;
  for (int k = 0; k < {2}; k += 8)
    read(in, k * sizeof({1}), data.select<8, 1>(k));
  matrix<{1}, {3}, {4}> m = data.select<{5}, 1>(0);
  vector<{1}, {6}> r = 0;
)",
                                  number, type, rounded, rows, columns, count, mostResults);
    for (unsigned k = 0; k < results(); ++k)
      all += fmt::format("  r({0}) = m(0, {0} % {1});\n", k, columns);
    for (unsigned row = 0; row < rows; ++row)
      all += fmt::format("  r({}) {}= {}<{}>(m.row({}));\n", placeOf(row), form == Form::Added ? "+" : "",
                         folds[unsigned(fold)], type, row);
    return all +
           fmt::format("  for (int k = 0; k < {0}; k += 8)\n    write(out, k * sizeof({1}), r.select<8, 1>(k));\n}}\n",
                       mostResults, type);
  }
  template <class T> std::vector<T> model(const std::vector<T> &in) const {
    std::vector<T> r(results());
    for (unsigned k = 0; k < results(); ++k)
      r[k] = in[k % columns];
    for (unsigned row = 0; row < rows; ++row) {
      const auto from = in.begin() + std::ptrdiff_t(row * columns);
      const T left = folded(std::vector<T>(from, from + std::ptrdiff_t(columns)), fold);
      T &at = r[placeOf(row)];
      at = form == Form::Added ? test::add(at, left) : left;
    }
    return r;
  }
};

class RowReductions : public testing::TestWithParam<std::string> {
protected:
  template <class T> void ofAllShapes() {
    std::vector<Case> cases;
    for (unsigned rows : {2, 3, 4, 6, 8, 16})
      for (unsigned columns : {4, 7, 8, 16, 32}) {
        const auto number = unsigned(cases.size());
        cases.push_back({rows, columns, Fold(number % 4), Form((number / 4 + number) % 4)});
        cases.push_back({rows, columns, Fold::Sum, Form(number % 4)});
      }
    std::string text = "#include <cm/cm.h>\n";
    for (unsigned k = 0; k < cases.size(); ++k)
      text += cases[k].text(test::Name<T>::cm, k);
    pocm::Program program = test::compile(text);
    std::mt19937_64 random(13);
    constexpr std::size_t most = 16 * 32;
    for (unsigned k = 0; k < cases.size(); ++k) {
      if (!test::runs(GetParam(), k))
        continue;
      std::vector<T> in(most), got(Case::mostResults);
      for (std::size_t i = 0; i < most; ++i)
        in[i] = test::value<T>(random, int(i + k));
      pocm::Buffer from = device.createBuffer(most * sizeof(T)), to = device.createBuffer(got.size() * sizeof(T));
      from.write(in.data(), most * sizeof(T));
      pocm::Kernel kernel = device.createKernel(program, fmt::format("kernel{}", k));
      kernel.setArgument(0, from);
      kernel.setArgument(1, to);
      device.enqueue(kernel, {1, 1}).wait();
      to.read(got.data(), got.size() * sizeof(T));
      const std::vector<T> wanted = cases[k].model(in);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        ASSERT_TRUE(test::same(got[i], wanted[i]))
            << test::number(got[i]) << " for " << test::number(wanted[i]) << ", element " << i << " of\n"
            << cases[k].text(test::Name<T>::cm, k);
    }
  }

  pocm::Device device = test::open(GetParam());
};

TEST_P(RowReductions, ofFloats) { ofAllShapes<float>(); }
TEST_P(RowReductions, ofIntegers) { ofAllShapes<std::int32_t>(); }
TEST_P(RowReductions, ofUnsigned) { ofAllShapes<std::uint32_t>(); }
TEST_P(RowReductions, ofWords) { ofAllShapes<std::int16_t>(); }

INSTANTIATE_TEST_SUITE_P(Cpus, RowReductions, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
