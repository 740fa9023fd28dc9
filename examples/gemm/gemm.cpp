// C = alpha A B + beta C for dense matrices of floats or doubles.
//
//     gemm --m 1000 --n 777 --k 555 --alpha 1 --beta 0 [--double]
#include "application.h"
#include "dense.h"
#include <cmath>
#include <random>

namespace {

using application::Matrix, application::parts;

constexpr unsigned tileRows = 12, step = 16; // ROWS and STEP of the kernels
constexpr unsigned most = 1024; // elements of a panel that a launch multiplies, so that several panels are in the cache

template <class T> Matrix<T> random(unsigned rows, unsigned columns, unsigned seed) {
  Matrix<T> m{rows, columns};
  std::mt19937 generator(seed);
  for (T &e : m.elements)
    e = T(int(generator() % 2001) - 1000) / T(1000);
  return m;
}

/// A matrix product on the device; A and B are packed into panels that kernels read from one end to the other.
template <class T> class Product {
public:
  Product(host::Session &session, Matrix<T> &a, Matrix<T> &b, Matrix<T> &c, T alpha, T beta) : session(session) {
    constexpr unsigned tileColumns = 128 / sizeof(T);
    std::string prefix = sizeof(T) == 4 ? "s" : "d";
    unsigned depth = a.columns, padded = parts(depth, step) * step;
    unsigned down = parts(c.rows, tileRows), across = parts(c.columns, tileColumns);
    // A block of 12 elements is read as 16: some bytes more behind the last.
    CmBuffer *aPanels = buffer(std::size_t(down) * padded * tileRows * sizeof(T) + 64);
    CmBuffer *bPanels = buffer(std::size_t(across) * padded * 128);
    out = surface(c);
    CmKernel *packRows = session.kernel((prefix + "pack_rows").c_str());
    CmKernel *packColumns = session.kernel((prefix + "pack_columns").c_str());
    host::setAll(packRows, surface(a), aPanels, int(depth), int(padded), alpha);
    host::setAll(packColumns, surface(b), bPanels, int(depth), int(padded));
    associate(packRows, padded / step, down);
    associate(packColumns, across, padded / step);
    std::vector<CmKernel *> all{packRows, packColumns};
    for (unsigned first = 0; first < padded; first += most) {
      CmKernel *multiply = session.kernel((prefix + "gemm").c_str());
      host::setAll(multiply, aPanels, bPanels, out, int(padded), int(first), int(std::min(most, padded - first)),
                   first ? T(1) : beta);
      associate(multiply, across, down);
      all.push_back(multiply);
    }
    task = session.task(all);
  }

  double run() { return session.run(task); }
  void read(Matrix<T> &c) { CHECK(out->ReadSurface(c.bytes(), nullptr)); }

private:
  CmBuffer *buffer(std::size_t bytes) {
    if (bytes > CM_MAX_1D_SURF_WIDTH)
      throw std::runtime_error("a packed matrix has " + std::to_string(bytes) + " bytes, a buffer at most 2 GB");
    CmBuffer *b = nullptr;
    CHECK(session.device->CreateBuffer(UINT(bytes), b));
    return b;
  }
  CmSurface2D *surface(Matrix<T> &m) {
    CmSurface2D *s = nullptr;
    CHECK(session.device->CreateSurface2D(m.columns * UINT(sizeof(T) / 4), m.rows, CM_SURFACE_FORMAT_R32F, s));
    CHECK(s->WriteSurface(m.bytes(), nullptr));
    return s;
  }
  void associate(CmKernel *kernel, unsigned width, unsigned height) {
    CmThreadSpace *space = session.space(width, height);
    CHECK(kernel->AssociateThreadSpace(space));
  }

  host::Session &session;
  CmSurface2D *out = nullptr;
  CmTask *task = nullptr;
};

/// Some elements, among them those of the edges, against sums in long double; each within `depth` roundings.
template <class T>
bool isProduct(const Matrix<T> &a, const Matrix<T> &b, const Matrix<T> &before, const Matrix<T> &c, T alpha, T beta) {
  for (unsigned y = 0; y < c.rows; y += y + 40 < c.rows ? 37 : 1)
    for (unsigned x = 0; x < c.columns; x += x + 40 < c.columns ? 41 : 1) {
      long double sum = 0, magnitude = 0;
      for (unsigned k = 0; k < a.columns; ++k) {
        long double product = static_cast<long double>(a(y, k)) * b(k, x);
        sum += product, magnitude += std::fabs(product);
      }
      long double want = alpha * sum + static_cast<long double>(beta) * before(y, x);
      magnitude = std::fabs(alpha) * magnitude + std::fabs(static_cast<long double>(beta) * before(y, x));
      if (!(std::fabs(c(y, x) - want) <= magnitude * std::numeric_limits<T>::epsilon() * (a.columns + 4)))
        return false;
    }
  return true;
}

struct Sizes {
  unsigned m = 1024, n = 1024, k = 1024;
  double alpha = 1, beta = 0;
};

template <class T> bool run(const application::App &app, host::Session &session, const Sizes &sizes) {
  T alpha = T(sizes.alpha), beta = T(sizes.beta);
  auto a = random<T>(sizes.m, sizes.k, 1), b = random<T>(sizes.k, sizes.n, 2), before = random<T>(sizes.m, sizes.n, 3);
  Matrix<T> c = before;
  Product<T> product(session, a, b, c, alpha, beta);
  product.run();
  product.read(c);
  bool right = isProduct(a, b, before, c, alpha, beta);
  double ms = app.time([&] { return product.run(); });
  std::printf("%cgemm %u x %u x %u: %s, %.3f ms, %.1f GFLOP/s with packing\n", sizeof(T) == 4 ? 's' : 'd', sizes.m,
              sizes.n, sizes.k, right ? "correct" : "WRONG", ms, 2.0 * sizes.m * sizes.n * sizes.k / ms / 1e6);
  return right;
}

} // namespace

int main(int argc, char **argv) {
  application::App app("gemm", "Multiplies dense matrices: C = alpha A B + beta C.");
  Sizes sizes;
  bool inDouble = false;
  app.number("-m,--m", sizes.m, "rows of A and C", 1, 8192);
  app.number("-n,--n", sizes.n, "columns of B and C", 1, 8192);
  app.number("-k,--k", sizes.k, "columns of A, rows of B", 1, 8192);
  app.number("--alpha", sizes.alpha, "factor of A B").number("--beta", sizes.beta, "factor of C");
  app.flag("--double", inDouble, "doubles instead of floats");
  return app.run(argc, argv, [&](host::Session &session) {
    return inDouble ? run<double>(app, session, sizes) : run<float>(app, session, sizes);
  });
}
