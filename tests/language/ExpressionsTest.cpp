// Operators on every pair of element types against scalar C++: promotion, conversion on assignment, mixed shapes.
#include "Kernels.h"
#include <cmath>
#include <cstring>
#include <random>

namespace {

constexpr int count = 16;

const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint", "float"};

template <class T> T convert(double x) {
  if constexpr (std::is_floating_point_v<T>)
    return T(x);
  if (std::isnan(x))
    return 0;
  double low = double(std::numeric_limits<T>::min()), high = double(std::numeric_limits<T>::max());
  return x <= low ? std::numeric_limits<T>::min() : x >= high ? std::numeric_limits<T>::max() : T(x);
}
template <class T, class From> T assigned(From x) {
  if constexpr (std::is_floating_point_v<From>)
    return convert<T>(double(x));
  else
    return T(x);
}

/// x op y in C++'s common type, wrapping.
template <class A, class B> auto apply(char op, A a, B b) {
  using C = decltype(A() + B());
  C x = C(a), y = C(b);
  if constexpr (std::is_floating_point_v<C>) {
    return op == '+' ? x + y : op == '-' ? x - y : x * y;
  } else {
    using U = std::make_unsigned_t<C>;
    return C(op == '+' ? U(x) + U(y) : op == '-' ? U(x) - U(y) : U(x) * U(y));
  }
}

template <class T> std::vector<T> values(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<T> v(count);
  const double edges[] = {0, 1, -1, 127, 128, 255, 256, -128, 32767, 65535};
  for (int i = 0; i < count; ++i)
    v[std::size_t(i)] = i < 10 ? convert<T>(edges[i]) : T(std::int32_t(random()) >> (i % 3 * 12));
  return v;
}

using Bytes = std::vector<std::uint8_t>;
template <class T> Bytes bytesOf(const std::vector<T> &v) {
  Bytes b(v.size() * sizeof(T));
  std::memcpy(b.data(), v.data(), b.size());
  return b;
}

template <class Use> void withType(std::string_view name, Use use) {
  if (name == "char")
    use(std::int8_t());
  else if (name == "uchar")
    use(std::uint8_t());
  else if (name == "short")
    use(std::int16_t());
  else if (name == "ushort")
    use(std::uint16_t());
  else if (name == "int")
    use(std::int32_t());
  else if (name == "uint")
    use(std::uint32_t());
  else
    use(float());
}

/// kernel "A_B_R_op": R r = A a op B b, where a is a matrix and b a vector.
std::string source(const std::string &a, const std::string &b) {
  std::string text = "#include <cm/cm.h>\n";
  for (const char *r : types)
    for (auto [name, op] : {std::pair{"add", "+"}, {"sub", "-"}, {"mul", "*"}})
      text += "extern \"C\" _GENX_MAIN_ void " + std::string(r) + "_" + name + "(SurfaceIndex out, matrix<" + a +
              ", 2, 8> a, vector<" + b + ", 16> b) {\n  matrix<" + r + ", 4, 4> r = a " + op +
              " b;\n  write(out, 0, 0, r.format<uchar>().select<16 * sizeof(" + r + "), 1>(0));\n}\n";
  return text;
}

class Expressions : public testing::TestWithParam<std::string> {};

TEST_P(Expressions, everyPairOfTypesAssignedToEveryType) {
  pocm::Device device = test::open(GetParam());
  std::size_t number = 0;
  for (const std::string a : types)
    for (const std::string b : types) {
      if (!test::runs(GetParam(), number++))
        continue;
      pocm::Program program = test::compile(source(a, b));
      for (const char *r : types)
        for (auto [name, op] : {std::pair{"add", '+'}, {"sub", '-'}, {"mul", '*'}}) {
          Bytes want, left, right;
          withType(a, [&, op = op]<class A>(A) {
            withType(b, [&]<class B>(B) {
              auto x = values<A>(1);
              auto y = values<B>(2);
              left = bytesOf(x), right = bytesOf(y);
              withType(r, [&]<class R>(R) {
                std::vector<R> result;
                for (std::size_t i = 0; i < count; ++i)
                  result.push_back(assigned<R>(apply(op, x[i], y[i])));
                want = bytesOf(result);
              });
            });
          });
          pocm::Image out = device.createImage(std::uint32_t(want.size()), 1, 1);
          pocm::Kernel kernel = device.createKernel(program, std::string(r) + "_" + name);
          kernel.setArgument(0, out);
          kernel.setArgument(1, left.data(), left.size());
          kernel.setArgument(2, right.data(), right.size());
          device.enqueue(kernel, {1, 1}).wait();
          Bytes got(want.size());
          out.read(got.data(), got.size());
          EXPECT_EQ(got, want) << a << " " << op << " " << b << " to " << r;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Expressions, testing::ValuesIn(test::leastAndMost()),
                         [](const auto &info) { return info.param == "native" ? "native" : "baseline"; });

} // namespace
