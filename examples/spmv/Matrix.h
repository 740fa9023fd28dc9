// Sparse matrices in compressed rows: read from Matrix Market files, or made like well-known ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spmv {

/// Row r has the elements starts[r] .. starts[r + 1] - 1 of `columns` (ascending) and `values`.
struct Matrix {
  std::uint32_t rows = 0, width = 0;
  std::vector<std::uint32_t> starts, columns;
  std::vector<float> values;
};

/// A coordinate matrix (real, integer or pattern; general, symmetric or skew-symmetric) of a Matrix Market file. Throws
/// std::runtime_error that names the file, the line and the problem.
Matrix load(const std::string &path);

/// The names that make() knows.
std::vector<std::string> kinds();
/// A matrix of random values with the rows and the structure of a known one, always the same for a name: "webbase" (1 M
/// rows, 3 elements a row on average, few rows of thousands), "protein" (36 K rows, 119 a row, in runs near the
/// diagonal), "nd24k" (72 K rows, 399 a row). With `divisor`, so many times fewer rows.
Matrix make(const std::string &kind, unsigned divisor = 1);

/// A x in double precision.
std::vector<double> multiply(const Matrix &a, const std::vector<float> &x);

} // namespace spmv
