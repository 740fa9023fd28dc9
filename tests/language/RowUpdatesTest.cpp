// Matrices whose rows are changed by what other rows of them hold, in loops of constant trip count, against a model
// that changes one element after the other.
#include "Kernels.h"
#include "Scalar.h"
#include <fmt/format.h>
#include <functional>
#include <random>

namespace {

constexpr int rows = 8;

/// A matrix as the model has it; elements wrap where they are stored.
template <class T> struct Matrix {
  int columns;
  std::vector<T> values;

  T &at(int row, int column) { return values[std::size_t(row * columns + column)]; }
  /// All of a row at a time: of a row as it was before.
  void change(int row, const std::function<std::uint32_t(int)> &value) {
    std::vector<T> next;
    for (int c = 0; c < columns; ++c)
      next.push_back(T(value(c)));
    for (int c = 0; c < columns; ++c)
      at(row, c) = next[std::size_t(c)];
  }
};

template <class T> struct Form {
  const char *text;
  void (*model)(Matrix<T> &);
};

/// What a kernel does to `a`, whose elements are T's, and the model to its matrix.
template <class T> const Form<T> forms[] = {
    {"for (int k = 0; k < 8; ++k) for (int j = k + 1; j < 8; ++j) a.row(j) -= a.row(k) * 3;",
     [](Matrix<T> &a) {
       for (int k = 0; k < rows; ++k)
         for (int j = k + 1; j < rows; ++j)
           a.change(j, [&](int c) { return a.at(j, c) - a.at(k, c) * 3u; });
     }},
    {"for (int k = 0; k < 8; ++k) for (int j = 0; j < 8; ++j) a.row(j) += a.row((j * k) & 7) * T(~a(k, j));",
     [](Matrix<T> &a) {
       for (int k = 0; k < rows; ++k)
         for (int j = 0; j < rows; ++j) {
           const T by = T(~a.at(k, j));
           a.change(j, [&](int c) { return std::uint32_t(a.at(j, c)) + std::uint32_t(a.at((j * k) & 7, c)) * by; });
         }
     }},
    {"for (int k = 0; k < 8; ++k) {\n#pragma unroll\n for (int i = 0; i < 8; ++i) a.row(i) += T(a(i, k)); }",
     [](Matrix<T> &a) {
       for (int k = 0; k < rows; ++k)
         for (int i = 0; i < rows; ++i) {
           const T by = a.at(i, k);
           a.change(i, [&](int c) { return std::uint32_t(a.at(i, c)) + by; });
         }
     }},
    {"for (int k = 0; k < 9; ++k) {\n#pragma unroll\n for (int i = 0; i < 8; ++i) a.row(i) += T(a(i, k & 7));\n"
     " if (a(0, 0) == 77) break;\n#pragma unroll\n for (int i = 0; i < 8; ++i) a.row(i) *= 5; }",
     [](Matrix<T> &a) {
       for (int k = 0; k < 9; ++k) {
         for (int i = 0; i < rows; ++i) {
           const T by = a.at(i, k & 7);
           a.change(i, [&](int c) { return std::uint32_t(a.at(i, c)) + by; });
         }
         if (a.at(0, 0) == T(77))
           break;
         for (int i = 0; i < rows; ++i)
           a.change(i, [&](int c) { return a.at(i, c) * 5u; });
       }
     }},
    {"for (int k = 0; k < 7; ++k) for (int i = 1; i < 7; ++i) a.row(i) = a.row(i - 1) + a.row(i + 1) - a.row(i);",
     [](Matrix<T> &a) {
       for (int k = 0; k < 7; ++k)
         for (int i = 1; i < 7; ++i)
           a.change(i, [&](int c) {
             return std::uint32_t(a.at(i - 1, c)) + std::uint32_t(a.at(i + 1, c)) - std::uint32_t(a.at(i, c));
           });
     }},
    {"for (int k = 0; k < 6; ++k) for (int j = k + 1; j < 7; ++j)\n"
     " a.template select<2, 1, C, 1>(j, 0) -= a.template select<2, 1, C, 1>(k, 0);",
     [](Matrix<T> &a) {
       for (int k = 0; k < 6; ++k)
         for (int j = k + 1; j < 7; ++j) {
           const Matrix<T> was = a;
           for (int r = 0; r < 2; ++r)
             a.change(j + r, [&](int c) {
               Matrix<T> before = was;
               return std::uint32_t(before.at(j + r, c)) - std::uint32_t(before.at(k + r, c));
             });
         }
     }},
    {"for (int k = 0; k < 8; ++k) { int q = (k * 5 + 3) & 7; vector<T, C> r = a.row(k); a.row(k) = a.row(q); a.row(q) "
     "= r * 3; }",
     [](Matrix<T> &a) {
       for (int k = 0; k < rows; ++k) {
         const int q = (k * 5 + 3) & 7;
         Matrix<T> was = a;
         a.change(k, [&](int c) { return was.at(q, c); });
         a.change(q, [&](int c) { return was.at(k, c) * 3u; });
       }
     }},
    {"for (int k = 0; k < 5; ++k) { matrix<T, 8, C> b;\n#pragma unroll\n for (int i = 0; i < 8; ++i) b.row(i) = "
     "a.row(i) * 3 + a.row((i + 1) & 7);\n"
     " a = b; if (k & 1) a.row(k) += a(k, 1); }",
     [](Matrix<T> &a) {
       for (int k = 0; k < 5; ++k) {
         Matrix<T> was = a;
         for (int i = 0; i < rows; ++i)
           a.change(i, [&](int c) { return was.at(i, c) * 3u + std::uint32_t(was.at((i + 1) & 7, c)); });
         const T by = a.at(k, 1);
         if (k & 1)
           a.change(k, [&](int c) { return std::uint32_t(a.at(k, c)) + by; });
       }
     }},
    {"for (int k = 0; k < 8; ++k) for (int j = k + 1; j < 8; ++j) a.column(j) -= a.column(k);",
     [](Matrix<T> &a) {
       for (int k = 0; k < rows; ++k)
         for (int j = k + 1; j < rows; ++j)
           for (int r = 0; r < rows; ++r)
             a.at(r, j) = T(std::uint32_t(a.at(r, j)) - std::uint32_t(a.at(r, k)));
     }},
};

class RowUpdates : public testing::TestWithParam<std::string> {
protected:
  template <class T> void ofAllForms() {
    constexpr int widths[] = {16, 32, 48, 64};
    std::string text = "#include <cm/cm.h>\n";
    unsigned count = 0;
    for (const Form<T> &form : forms<T>)
      for (int columns : widths)
        text += fmt::format(R"(extern "C" _GENX_MAIN_ void kernel{}(SurfaceIndex in, SurfaceIndex out) {{
  using T = {};
  constexpr int C = {};
  vector<T, 8 * C> data;
#pragma unroll
  for (int k = 0; k < 8 * C; k += 8)
    read(in, k * sizeof(T), data.template select<8, 1>(k));
  matrix<T, 8, C> a = data;
  {}
  data = a.template format<T>();
#pragma unroll
  for (int k = 0; k < 8 * C; k += 8)
    write(out, k * sizeof(T), data.template select<8, 1>(k));
}}
)",
                            count++, test::Name<T>::cm, columns, form.text);
    pocm::Program program = test::compile(text);
    std::mt19937 random(5);
    unsigned number = 0;
    for (const Form<T> &form : forms<T>)
      for (int columns : widths) {
        Matrix<T> wanted{columns, std::vector<T>(std::size_t(rows * columns))};
        for (T &value : wanted.values)
          value = T(random());
        const std::size_t bytes = wanted.values.size() * sizeof(T);
        pocm::Buffer in = device.createBuffer(bytes), out = device.createBuffer(bytes);
        in.write(wanted.values.data(), bytes);
        pocm::Kernel kernel = device.createKernel(program, fmt::format("kernel{}", number++));
        kernel.setArgument(0, in);
        kernel.setArgument(1, out);
        device.enqueue(kernel, {1, 1}).wait();
        std::vector<T> got(wanted.values.size());
        out.read(got.data(), bytes);
        form.model(wanted);
        ASSERT_EQ(got, wanted.values) << columns << " columns\n" << form.text;
      }
  }

  pocm::Device device = test::open(GetParam());
};

TEST_P(RowUpdates, ofUnsigned) { ofAllForms<std::uint32_t>(); }
TEST_P(RowUpdates, ofWords) { ofAllForms<std::int16_t>(); }

INSTANTIATE_TEST_SUITE_P(Cpus, RowUpdates, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
