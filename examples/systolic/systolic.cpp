// Products of matrices of half, bfloat16 or signed bytes, whose sums are float or int, by systolic arrays: C = A B.
//
//     systolic [--type half|bf16|int8] [-m 1024 -n 1024 -k 1024] [--a A.raw --b B.raw] [--output C.raw]
#include "application.h"
#include "dense.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace {

using application::Matrix, application::parts;

constexpr unsigned tileRows = 8, tileColumns = 32, stepBytes = 32; // ROWS, COLUMNS and STEP of the kernels

/// What an element is: its bytes in a file and on the device, and the number that they stand for.
struct Half {
  using Element = std::uint16_t;
  using Sum = float;
  static constexpr const char *name = "half";
  static double number(Element e) { return double(std::bit_cast<_Float16>(e)); }
  static Element of(int thousandths) { return std::bit_cast<Element>(_Float16(float(thousandths) / 1000)); }
};
struct Bfloat {
  using Element = std::uint16_t;
  using Sum = float;
  static constexpr const char *name = "bf16";
  static double number(Element e) { return double(std::bit_cast<float>(std::uint32_t(e) << 16)); }
  static Element of(int thousandths) { return Element(std::bit_cast<std::uint32_t>(float(thousandths) / 1000) >> 16); }
};
struct Byte {
  using Element = std::int8_t;
  using Sum = std::int32_t;
  static constexpr const char *name = "int8";
  static double number(Element e) { return e; }
  static Element of(int thousandths) { return Element(thousandths * 127 / 1000); }
};

/// With zeros behind rows and columns.
template <class T> Matrix<T> padded(const Matrix<T> &m, unsigned rows, unsigned columns) {
  Matrix<T> to{rows, columns};
  for (unsigned y = 0; y < m.rows; ++y)
    for (unsigned x = 0; x < m.columns; ++x)
      to(y, x) = m(y, x);
  return to;
}

template <class Type> class Product {
  using Element = typename Type::Element;

public:
  Product(host::Session &session, const Matrix<Element> &a, const Matrix<Element> &b, unsigned rows, unsigned columns)
      : session(session) {
    const unsigned depth = stepBytes / sizeof(Element), steps = parts(a.columns, depth);
    const unsigned down = parts(rows, tileRows), across = parts(columns, tileColumns);
    std::vector<std::uint8_t> panels(std::size_t(across) * steps * tileColumns * stepBytes);
    CmBuffer *packed = session.buffer(panels);
    CHECK(session.device->CreateSurface2D(columns, rows, CM_SURFACE_FORMAT_R32F, out));
    CmKernel *pack = session.kernel((std::string(Type::name) + "_pack").c_str());
    CmKernel *multiply = session.kernel((std::string(Type::name) + "_product").c_str());
    host::setAll(pack, surface(padded(b, steps * depth, across * tileColumns)), packed, int(steps));
    host::setAll(multiply, surface(padded(a, down * tileRows, steps * depth)), packed, out, int(steps));
    CmThreadSpace *packSpace = session.space(across, steps), *space = session.space(across, down);
    CHECK(pack->AssociateThreadSpace(packSpace));
    CHECK(multiply->AssociateThreadSpace(space));
    task = session.task({pack, multiply});
  }
  double run() { return session.run(task); }
  void read(Matrix<typename Type::Sum> &c) { CHECK(out->ReadSurface(c.bytes(), nullptr)); }

private:
  /// Rows of dwords.
  CmSurface2D *surface(Matrix<Element> m) {
    CmSurface2D *s = nullptr;
    CHECK(
        session.device->CreateSurface2D(m.columns * UINT(sizeof(Element)) / 4, m.rows, CM_SURFACE_FORMAT_R32_UINT, s));
    CHECK(s->WriteSurface(m.bytes(), nullptr));
    return s;
  }

  host::Session &session;
  CmSurface2D *out = nullptr;
  CmTask *task = nullptr;
};

/// Some elements, among them those of the edges, against sums in double: exact ones of bytes; of floats, each is
/// within `depth` roundings.
template <class Type> bool isProduct(const Matrix<typename Type::Element> &a, const Matrix<typename Type::Element> &b,
                                     const Matrix<typename Type::Sum> &c) {
  const double epsilon = double(std::numeric_limits<typename Type::Sum>::epsilon()); // of int: 0
  for (unsigned y = 0; y < c.rows; y += y + 40 < c.rows ? 37 : 1)
    for (unsigned x = 0; x < c.columns; x += x + 40 < c.columns ? 41 : 1) {
      double sum = 0, magnitude = 0;
      for (unsigned k = 0; k < a.columns; ++k) {
        double product = Type::number(a(y, k)) * Type::number(b(k, x));
        sum += product, magnitude += std::fabs(product);
      }
      if (!(std::fabs(double(c(y, x)) - sum) <= magnitude * epsilon * double(a.columns + 1)))
        return false;
    }
  return true;
}

struct Request {
  unsigned m = 1024, n = 1024, k = 1024;
  std::string a, b, output;
};

template <class T>
Matrix<T> matrix(unsigned rows, unsigned columns, const std::string &path, T (*of)(int), unsigned seed) {
  Matrix<T> m{rows, columns};
  if (path.empty()) {
    std::mt19937 generator(seed);
    for (T &e : m.elements)
      e = of(int(generator() % 2001) - 1000);
    return m;
  }
  std::vector<char> bytes = application::readBytes(path);
  if (bytes.size() != m.elements.size() * sizeof(T))
    throw std::runtime_error("'" + path + "' has " + std::to_string(bytes.size()) + " bytes; " + std::to_string(rows) +
                             " x " + std::to_string(columns) + " elements have " +
                             std::to_string(m.elements.size() * sizeof(T)));
  std::memcpy(m.bytes(), bytes.data(), bytes.size());
  return m;
}

template <class Type> bool run(const application::App &app, host::Session &session, const Request &r) {
  auto a = matrix<typename Type::Element>(r.m, r.k, r.a, Type::of, 1);
  auto b = matrix<typename Type::Element>(r.k, r.n, r.b, Type::of, 2);
  Matrix<typename Type::Sum> c{r.m, r.n};
  Product<Type> product(session, a, b, r.m, r.n);
  product.run();
  product.read(c);
  bool right = isProduct<Type>(a, b, c);
  double ms = app.time([&] { return product.run(); });
  std::printf("%s %u x %u x %u: %s, %.3f ms, %.1f G operations/s with packing\n", Type::name, r.m, r.n, r.k,
              right ? "correct" : "WRONG", ms, 2.0 * r.m * r.n * r.k / ms / 1e6);
  if (!r.output.empty()) {
    std::vector<std::uint32_t> words(c.elements.size());
    std::memcpy(words.data(), c.bytes(), words.size() * 4);
    application::writeWords(r.output, words);
  }
  return right;
}

} // namespace

int main(int argc, char **argv) {
  application::App app("systolic", "Multiplies matrices of small elements: C = A B, with sums in float or int.");
  Request r;
  std::string type = "half";
  app.choice("--type", type, "elements of A and B", {"half", "bf16", "int8"});
  app.number("-m,--m", r.m, "rows of A and C", 1, 8192);
  app.number("-n,--n", r.n, "columns of B and C", 1, 8192);
  app.number("-k,--k", r.k, "columns of A, rows of B", 1, 8192);
  app.input("--a", r.a, "a file of little-endian elements of A, row after row (default: random ones)", {});
  app.input("--b", r.b, "the same of B", {});
  app.output("--output", r.output, "writes C to a file of little-endian floats or ints");
  return app.run(argc, argv, [&](host::Session &session) {
    return type == "half"   ? run<Half>(app, session, r)
           : type == "bf16" ? run<Bfloat>(app, session, r)
                            : run<Byte>(app, session, r);
  });
}
