#include <cm/cm.h>
#include <cm/cmtl.h>

#define ROWS 12                         // a thread computes ROWS rows of C ...
#define COLUMNS(T) int(128 / sizeof(T)) // ... of two 64-byte registers each: 12 x 32 floats, 12 x 16 doubles
#define STEP 16                         // columns of A that are packed together; panels are that long or a multiple

// Reads R rows of 64 bytes, 4 at a time.
template <class T, int R> _GENX_ void readRows(SurfaceIndex s, int x, int y, matrix_ref<T, R, 64 / sizeof(T)> block) {
#pragma unroll
  for (int i = 0; i < R; i += 4)
    read(s, x * int(sizeof(T)), y + i, block.template select<4, 1, 64 / sizeof(T), 1>(i, 0));
}

template <int N> _GENX_ vector<int, N> from(int first) {
  vector<int, N> lane;
  cmtl::cm_vector_assign(lane.select_all(), 0, 1);
  return lane + first;
}

// ROWS rows of alpha A become a panel: their elements of column 0, then of column 1 ... Past the last column are zeros.
template <class T> _GENX_ void packRows(SurfaceIndex a, SurfaceIndex panels, int depth, int padded, T alpha) {
  const int N = 64 / sizeof(T);
  int panel = get_thread_origin_y(), k = get_thread_origin_x() * STEP;
#pragma unroll
  for (int part = 0; part < STEP; part += N) {
    matrix<T, ROWS, N> block;
    readRows<T, ROWS>(a, k + part, panel * ROWS, block);
    block *= alpha;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
      block.row(i).merge(T(0), from<N>(k + part) >= depth);
    vector<T, ROWS * N> turned;
#pragma unroll
    for (int i = 0; i < N; i++)
      turned.template select<ROWS, 1>(i * ROWS) = block.column(i);
#pragma unroll
    for (int i = 0; i < ROWS * N; i += N)
      write(panels, ((panel * padded + k + part) * ROWS + i) * int(sizeof(T)), turned.template select<N, 1>(i));
  }
}

// COLUMNS columns of B become a panel: their elements of row 0, then of row 1 ... Past the last row are zeros.
template <class T> _GENX_ void packColumns(SurfaceIndex b, SurfaceIndex panels, int depth, int padded) {
  const int N = 64 / sizeof(T);
  int panel = get_thread_origin_x(), k = get_thread_origin_y() * STEP;
#pragma unroll
  for (int half = 0; half < 2; half++) {
    matrix<T, STEP, N> block;
    readRows<T, STEP>(b, panel * 2 * N + half * N, k, block);
#pragma unroll
    for (int i = 0; i < STEP; i++) {
      if (k + i >= depth)
        block.row(i) = 0;
      write(panels, ((panel * padded + k + i) * 2 + half) * 64, block.row(i));
    }
  }
}

// A thread multiplies `depth` elements from `first` on of a panel of A by those of a panel of B: in order, a row of B
// for ROWS elements of A; the block of C stays in registers.
template <class T>
_GENX_ void multiply(SurfaceIndex aPanels, SurfaceIndex bPanels, SurfaceIndex c, int padded, int first, int depth,
                     T beta) {
  const int N = 64 / sizeof(T);
  int left = get_thread_origin_x(), top = get_thread_origin_y();
  matrix<T, ROWS, 2 * N> sum = 0;
  int a = (top * padded + first) * ROWS * int(sizeof(T)), b = (left * padded + first) * 128;
  for (int k = 0; k < depth; k += 4) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      vector<T, 2 * N> row;
      vector<T, 16> column;
      read(bPanels, b, row);
      read(aPanels, a, column);
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        sum.row(r) += column(r) * row;
      a += ROWS * int(sizeof(T));
      b += 128;
    }
  }
#pragma unroll
  for (int half = 0; half < 2; half++) {
    matrix<T, ROWS, N> block = sum.template select<ROWS, 1, N, 1>(0, half * N);
    if (beta != 0) {
      matrix<T, ROWS, N> old;
      readRows<T, ROWS>(c, left * 2 * N + half * N, top * ROWS, old);
      block += beta * old;
    }
#pragma unroll
    for (int i = 0; i < ROWS; i += 4)
      write(c, (left * 2 * N + half * N) * int(sizeof(T)), top * ROWS + i, block.template select<4, 1, N, 1>(i, 0));
  }
}

#define GEMM(T, PREFIX)                                                                                                \
  extern "C" _GENX_MAIN_ void PREFIX##pack_rows(SurfaceIndex a, SurfaceIndex panels, int depth, int padded, T alpha) { \
    packRows<T>(a, panels, depth, padded, alpha);                                                                      \
  }                                                                                                                    \
  extern "C" _GENX_MAIN_ void PREFIX##pack_columns(SurfaceIndex b, SurfaceIndex panels, int depth, int padded) {       \
    packColumns<T>(b, panels, depth, padded);                                                                          \
  }                                                                                                                    \
  extern "C" _GENX_MAIN_ void PREFIX##gemm(SurfaceIndex aPanels, SurfaceIndex bPanels, SurfaceIndex c, int padded,     \
                                           int first, int depth, T beta) {                                             \
    multiply<T>(aPanels, bPanels, c, padded, first, depth, beta);                                                      \
  }
GEMM(float, s)
#ifdef CM_HAS_DOUBLE
GEMM(double, d)
#endif
