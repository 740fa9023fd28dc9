// Surfaces that messages take as buffers, as images, and as what the host says.
#include <cm/cm.h>

CM_NOINLINE void note(SurfaceIndex where, vector<int, 8> v) { write(where, 0, v); }

extern "C" _GENX_MAIN_ void kinds(SurfaceIndex in, SurfaceIndex out, SurfaceIndex notes, int n) {
  vector<int, 8> v;
  read(in, n, v);
  note(notes, v);
  note(notes, v + 1);
  matrix<uchar, 8, 32> m = n;
  write(out, 0, 0, m);
}

extern "C" _GENX_MAIN_ void chosen(SurfaceIndex a, SurfaceIndex b, int n) {
  vector<int, 8> v = n;
  write(n ? b : a, 0, v);
}
