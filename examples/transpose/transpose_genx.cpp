#include <cm/cm.h>

#define TILE 16  // a tile of 16 x 16 floats is in registers
#define BLOCK 64 // what a thread transposes: tiles of BLOCK x BLOCK floats

// Elements at even places, then those at odd places.
_GENX_ vector<float, TILE * TILE> unshuffle(vector<float, TILE * TILE> v) {
  vector<float, TILE * TILE> result;
  result.select<TILE * TILE / 2, 1>(0) = v.select<TILE * TILE / 2, 2>(0);
  result.select<TILE * TILE / 2, 1>(TILE * TILE / 2) = v.select<TILE * TILE / 2, 2>(1);
  return result;
}

// The index of an element is four bits of row, then four bits of column. An unshuffle moves the lowest bit to the top,
// so four of them exchange rows and columns: 64 instructions of 16 elements, instead of 256 elements one by one.
extern "C" _GENX_MAIN_ void transpose(SurfaceIndex in, SurfaceIndex out) {
  int left = get_thread_origin_x() * BLOCK, top = get_thread_origin_y() * BLOCK;
  for (int y = top; y < top + BLOCK; y += TILE)
    for (int x = left; x < left + BLOCK; x += TILE) {
      matrix<float, TILE, TILE> tile;
#pragma unroll
      for (int i = 0; i < TILE; i += 4)
        read(in, x * 4, y + i, tile.select<4, 1, TILE, 1>(i, 0));
      tile = unshuffle(unshuffle(unshuffle(unshuffle(tile))));
#pragma unroll
      for (int i = 0; i < TILE; i += 4)
        write(out, y * 4, x + i, tile.select<4, 1, TILE, 1>(i, 0));
    }
}
