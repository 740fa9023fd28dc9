// Products of matrices of half, bfloat16 and signed bytes by systolic arrays: sums are float or int.
#include <cm/cm.h>

#ifdef CM_HAS_DPAS

#if CM_GRF_WIDTH == 512 || POCM_ON_CPU // the cpu device has products of 8 and of 16 columns
#define LANES 16
#else
#define LANES 8
#endif
#define ROWS 8     // a thread computes ROWS rows of C ...
#define COLUMNS 32 // ... of COLUMNS elements
#define STEP 32    // bytes of a row of A, of a column of B, that products take at a time
#define TILES (COLUMNS / LANES)

// A step of COLUMNS columns of B becomes 8 rows of dwords for each LANES columns: a dword has the elements of a column
// that follow each other.
template <class T> _GENX_ inline void pack(SurfaceIndex b, SurfaceIndex panels, int steps) {
  const int Depth = STEP / sizeof(T), PerDword = 4 / sizeof(T), Width = COLUMNS * sizeof(T);
  int panel = get_thread_origin_x(), step = get_thread_origin_y();
  matrix<T, Depth, COLUMNS> m;
#pragma unroll
  for (int i = 0; i < Depth; i += 256 / Width)
    read(b, panel * Width, step * Depth + i, m.template select<256 / Width, 1, COLUMNS, 1>(i, 0));
#pragma unroll
  for (int tile = 0; tile < TILES; tile++) {
    matrix<T, 8, LANES * PerDword> packed;
#pragma unroll
    for (int i = 0; i < PerDword; i++)
      packed.template select<8, 1, LANES, PerDword>(0, i) =
          m.template select<8, PerDword, LANES, 1>(i, tile * LANES);
    vector<int, 8 * LANES> dwords = packed.template format<int>();
#pragma unroll
    for (int i = 0; i < 8 * LANES; i += 32)
      write(panels, (((panel * steps + step) * TILES + tile) * 8 * LANES + i) * 4, dwords.template select<32, 1>(i));
  }
}

template <CmPrecisionType P, class SUM>
_GENX_ inline void multiply(SurfaceIndex a, SurfaceIndex panels, SurfaceIndex c, int steps) {
  int left = get_thread_origin_x(), top = get_thread_origin_y() * ROWS;
  matrix<SUM, ROWS / 8 * TILES, 8 * LANES> sum = 0;
  int at = left * steps * COLUMNS * STEP;
  for (int step = 0; step < steps; step++) {
    matrix<int, ROWS / 8, 64> rows;
#pragma unroll
    for (int i = 0; i < ROWS / 8; i++)
      read(a, step * STEP, top + i * 8, rows.row(i).format<int, 8, 8>());
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) {
      vector<int, 8 * LANES> columns;
#pragma unroll
      for (int i = 0; i < 8 * LANES; i += 32)
        read(panels, at + i * 4, columns.select<32, 1>(i));
      at += 8 * LANES * 4;
#pragma unroll
      for (int i = 0; i < ROWS / 8; i++)
        sum.row(i * TILES + tile) = cm_dpas<P, P, 8, 8>(sum.row(i * TILES + tile), columns, rows.row(i));
    }
  }
#pragma unroll
  for (int i = 0; i < ROWS / 8; i++)
#pragma unroll
    for (int tile = 0; tile < TILES; tile++) {
      matrix_ref<SUM, 8, LANES> block = sum.row(i * TILES + tile).template format<SUM, 8, LANES>();
#pragma unroll
      for (int r = 0; r < 8; r += 4)
        write(c, (left * COLUMNS + tile * LANES) * 4, top + i * 8 + r, block.template select<4, 1, LANES, 1>(r, 0));
    }
}

#define PRODUCT(NAME, T, P, SUM)                                                                                       \
  extern "C" _GENX_MAIN_ void NAME##_pack(SurfaceIndex b, SurfaceIndex panels, int steps) { pack<T>(b, panels, steps); } \
  extern "C" _GENX_MAIN_ void NAME##_product(SurfaceIndex a, SurfaceIndex panels, SurfaceIndex c, int steps) {         \
    multiply<P, SUM>(a, panels, c, steps);                                                                             \
  }
PRODUCT(half, short, CM_PRECISION_HF, float)
PRODUCT(bf16, short, CM_PRECISION_BF, float)
PRODUCT(int8, char, CM_PRECISION_S8, int)

#endif
