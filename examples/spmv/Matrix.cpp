// Sparse matrices: see Matrix.h.
#include "Matrix.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace spmv {

namespace {

struct Element {
  std::uint32_t row, column;
  float value;
};

Matrix compressed(std::uint32_t rows, std::uint32_t width, std::vector<Element> elements) {
  std::sort(elements.begin(), elements.end(),
            [](const Element &a, const Element &b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); });
  Matrix m{rows, width, std::vector<std::uint32_t>(rows + std::size_t(1)), {}, {}};
  for (const Element &e : elements) {
    ++m.starts[e.row + 1];
    m.columns.push_back(e.column);
    m.values.push_back(e.value);
  }
  for (std::size_t r = 0; r < rows; ++r)
    m.starts[r + 1] += m.starts[r];
  return m;
}

/// The lines of a file, counted, for messages.
class Lines {
public:
  explicit Lines(const std::string &path) : path(path), file(path) {
    if (!file)
      throw std::runtime_error("cannot read '" + path + "'");
  }
  bool next(std::string &line) {
    ++number;
    return bool(std::getline(file, line));
  }
  [[noreturn]] void fail(const std::string &problem) const {
    throw std::runtime_error(path + ":" + std::to_string(number) + ": " + problem);
  }

private:
  std::string path;
  std::ifstream file;
  std::size_t number = 0;
};

struct Header {
  bool pattern = false, symmetric = false, skew = false;
};

Header header(Lines &lines) {
  std::string line, mark, object, format, field, symmetry;
  if (!lines.next(line))
    lines.fail("the file is empty");
  std::istringstream(line) >> mark >> object >> format >> field >> symmetry;
  if (mark != "%%MatrixMarket" || object != "matrix")
    lines.fail("no Matrix Market file: the first line is not '%%MatrixMarket matrix ...'");
  if (format != "coordinate")
    lines.fail("the matrix is not in coordinates, but '" + format + "'");
  if (field != "real" && field != "integer" && field != "pattern")
    lines.fail("elements of kind '" + field + "' are not supported; real, integer and pattern are");
  if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
    lines.fail("symmetry '" + symmetry + "' is not supported; general, symmetric and skew-symmetric are");
  return {field == "pattern", symmetry != "general", symmetry == "skew-symmetric"};
}

} // namespace

Matrix load(const std::string &path) {
  Lines lines(path);
  Header kind = header(lines);
  std::string line;
  do {
    if (!lines.next(line))
      lines.fail("the sizes are missing");
  } while (line.empty() || line[0] == '%');
  std::uint64_t rows = 0, width = 0, count = 0;
  if (!(std::istringstream(line) >> rows >> width >> count) || rows == 0 || width == 0 || rows >= 1u << 29 ||
      width >= 1u << 29 || count >= 1u << 29)
    lines.fail("'" + line + "' is not 'rows columns elements', each below 2^29");
  std::vector<Element> elements;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t row = 0, column = 0;
    double value = 1;
    do {
      if (!lines.next(line))
        lines.fail("the file ends after " + std::to_string(i) + " of " + std::to_string(count) + " elements");
    } while (line.empty());
    std::istringstream words(line);
    if (!(words >> row >> column) || (!kind.pattern && !(words >> value)))
      lines.fail("'" + line + "' is no element");
    if (row < 1 || row > rows || column < 1 || column > width)
      lines.fail("the element is outside of a matrix of " + std::to_string(rows) + " x " + std::to_string(width));
    elements.push_back({std::uint32_t(row - 1), std::uint32_t(column - 1), float(value)});
    if (kind.symmetric && row != column)
      elements.push_back({std::uint32_t(column - 1), std::uint32_t(row - 1), float(kind.skew ? -value : value)});
  }
  return compressed(std::uint32_t(rows), std::uint32_t(width), std::move(elements));
}

namespace {

/// What a made matrix looks like.
struct Shape {
  const char *name;
  std::uint32_t rows;
  double perRow;        ///< Elements of a row, on average.
  std::uint32_t run;    ///< Neighbours that come together.
  std::uint32_t spread; ///< How far from the diagonal runs lie.
  std::uint32_t most;   ///< Elements of the longest row of a heavy tail; 0 where rows are of like length.
};
constexpr Shape shapes[] = {
    {"webbase", 1000005, 3.1, 1, 1000, 4700},
    {"protein", 36417, 119, 6, 1500, 0},
    {"nd24k", 72000, 399, 8, 8000, 0},
};

std::uint32_t length(const Shape &shape, std::mt19937_64 &random) {
  double u = (double(random() >> 11) + 1) * 0x1p-53;
  if (shape.most)
    return std::min(shape.most, std::uint32_t(std::pow(u, -1 / 1.45)));
  return std::uint32_t(shape.perRow * (0.6 + 0.8 * u));
}

} // namespace

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Shape &shape : shapes)
    names.push_back(shape.name);
  return names;
}

Matrix make(const std::string &kind, unsigned divisor) {
  auto shape = std::find_if(std::begin(shapes), std::end(shapes), [&](const Shape &s) { return kind == s.name; });
  if (shape == std::end(shapes))
    throw std::runtime_error("no matrix is like '" + kind + "'");
  std::uint32_t rows = std::max(shape->rows / divisor, 2 * shape->run);
  Matrix m{rows, rows, {0}, {}, {}};
  std::mt19937_64 random(1);
  std::vector<std::uint32_t> columns;
  for (std::uint32_t r = 0; r < rows; ++r) {
    columns.clear();
    for (std::uint32_t wanted = std::min(length(*shape, random), rows / 2); columns.size() < wanted;) {
      // A quarter of the elements of a heavy tail are anywhere.
      bool near = !shape->most || random() % 4;
      std::int64_t at =
          near ? r + std::int64_t(random() % (2 * shape->spread + 1)) - shape->spread : std::int64_t(random() % rows);
      if (at < 0 || at + shape->run > rows)
        at = std::int64_t(random() % (rows - shape->run));
      for (std::uint32_t k = 0; k < shape->run && columns.size() < wanted; ++k)
        columns.push_back(std::uint32_t(at) + k);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (std::uint32_t column : columns) {
      m.columns.push_back(column);
      m.values.push_back(float(random() % 100) / 100);
    }
    m.starts.push_back(std::uint32_t(m.columns.size()));
  }
  return m;
}

std::vector<double> multiply(const Matrix &a, const std::vector<float> &x) {
  std::vector<double> y(a.rows);
  for (std::uint32_t r = 0; r < a.rows; ++r)
    for (std::uint32_t k = a.starts[r]; k < a.starts[r + 1]; ++k)
      y[r] += double(a.values[k]) * double(x[a.columns[k]]);
  return y;
}

} // namespace spmv
