// A dense matrix of the host, row after row, for the applications that multiply some.
#pragma once

#include <cstddef>
#include <vector>

namespace application {

template <class T> struct Matrix {
  unsigned rows, columns;
  std::vector<T> elements = std::vector<T>(std::size_t(rows) * columns);

  T &operator()(unsigned y, unsigned x) { return elements[std::size_t(y) * columns + x]; }
  T operator()(unsigned y, unsigned x) const { return elements[std::size_t(y) * columns + x]; }
  unsigned char *bytes() { return reinterpret_cast<unsigned char *>(elements.data()); }
};

/// How many parts of the size `of` cover `size`.
inline unsigned parts(unsigned size, unsigned of) { return (size + of - 1) / of; }

} // namespace application
