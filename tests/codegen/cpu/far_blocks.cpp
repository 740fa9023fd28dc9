// Blocks far apart share a check, and a buffer on the stack that reaches from the first to the last: not so many that a
// thread has no room for them.
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o /dev/null
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o /dev/null
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void down(SurfaceIndex in, SurfaceIndex out) {
  uint at = get_thread_origin_x() * 64;
#pragma unroll
  for (int y = 0; y < 64; ++y) {
    vector<float, 16> a, b;
    read(in, at + y * 16320, a);
    read(in, at + (y + 1) * 16320, b);
    a += b;
    write(out, at + y * 16320, a);
  }
}
