// A step of a stencil of nine points on a grid of floats: each cell becomes the weighted sum of itself, of its four
// neighbours beside, above and below it, and of the four at its corners. Cells of the grid's border stay as they are.
#include <cm/cm.h>
#include <cm/cmtl.h>

#define WIDTH 512  // columns of a thread, which walks to the right
#define ROWS 4     // of a thread
#define COLUMNS 32 // at a time
#define READ 36    // with a column on both sides, in whole owords

// Reads R rows from (x, y) on.
template <int R> _GENX_ inline void readRows(SurfaceIndex in, int x, int y, matrix_ref<float, R, READ> m) {
  read(in, x * 4, y, m.template select<R, 1, 16, 1>(0, 0));
  read(in, (x + 16) * 4, y, m.template select<R, 1, 16, 1>(0, 16));
  read(in, (x + 32) * 4, y, m.template select<R, 1, 4, 1>(0, 32));
}

extern "C" _GENX_MAIN_ void stencil(SurfaceIndex in, SurfaceIndex out, int width, int height, float center,
                                    float cardinal, float diagonal) {
  int left = get_thread_origin_x() * WIDTH, y = get_thread_origin_y() * ROWS;
  bool atTop = y == 0 || y + ROWS >= height;
  for (int x = left; x < left + WIDTH && x < width; x += COLUMNS) {
    matrix<float, 6, READ> m;
    readRows<4>(in, x - 1, y - 1, m.select<4, 1, READ, 1>(0, 0));
    readRows<2>(in, x - 1, y + 3, m.select<2, 1, READ, 1>(4, 0));
    matrix<float, 6, COLUMNS> beside = m.select<6, 1, COLUMNS, 1>(0, 0) + m.select<6, 1, COLUMNS, 1>(0, 2);
    matrix<float, 6, COLUMNS> middle = m.select<6, 1, COLUMNS, 1>(0, 1);
    matrix<float, 4, COLUMNS> sum = middle.select<4, 1, COLUMNS, 1>(1, 0) * center;
    sum += (beside.select<4, 1, COLUMNS, 1>(1, 0) + middle.select<4, 1, COLUMNS, 1>(0, 0) +
            middle.select<4, 1, COLUMNS, 1>(2, 0)) * cardinal;
    sum += (beside.select<4, 1, COLUMNS, 1>(0, 0) + beside.select<4, 1, COLUMNS, 1>(2, 0)) * diagonal;
    if (atTop || x == 0 || x + COLUMNS >= width) {
      vector<int, COLUMNS> column;
      cmtl::cm_vector_assign(column.select_all(), 0, 1);
      column += x;
#pragma unroll
      for (int i = 0; i < 4; i++) {
        bool border = y + i == 0 || y + i == height - 1;
        vector<ushort, COLUMNS> keep = column == 0 | column == width - 1 | ushort(border);
        sum.row(i).merge(middle.row(i + 1), keep);
      }
    }
    write(out, x * 4, y, sum.select<4, 1, 16, 1>(0, 0));
    write(out, (x + 16) * 4, y, sum.select<4, 1, 16, 1>(0, 16));
  }
}
