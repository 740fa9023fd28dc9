// Variables that are no numbers, vectors or matrices: structures, arrays, references, views; and lines that compute nothing.
#include <cm/cm.h>

struct Box {
  int low, high;
  vector<short, 8> row;
};

template <typename T, int N> _GENX_ inline void scale(vector_ref<T, N> v, T by) {
  v *= by;
  v(0) += 1;
}

_GENX_ inline int heightOf(const Box &box) {
  int height = box.high - box.low;
  return height;
}

_GENX_ inline void fill(matrix_ref<int, 2, 4> part, Box &into) {
  part.row(1) = 8;
  into.row.select<4, 2>(1) = 6;
  into.low = 5;
}

extern "C" _GENX_MAIN_ void constants(SurfaceIndex out) {
  vector<float, 8> f = 1.5f;
  scale<float, 8>(f, 2.0f);
  write(out, get_thread_origin_x() * 32, f);
}

extern "C" _GENX_MAIN_ void objects(SurfaceIndex out, int n) {
  Box box;
  box.low = n;
  box.high = n + 5;
  box.row = 3;
  int table[4];
  for (int i = 0; i < 4; ++i)
    table[i] = i * n;
  table[n & 3] += 100;
  Box boxes[2];
  boxes[0] = box;
  boxes[1] = box;
  boxes[n & 1].low = 9;
  int &low = box.low;
  low += 1;
  int height = heightOf(box);
  matrix<int, 4, 4> m = height;
  fill(m.select<2, 1, 4, 1>(2, 0), boxes[0]);
  vector<int, 8> v = table[n & 1] + boxes[1].low;
  write(out, get_thread_origin_x() * 64, v);
  write(out, get_thread_origin_x() * 64 + 32, m.format<int>().select<8, 1>(8) + boxes[0].row);
}
