// Calls of a program's own templates that do not fit: one note for each template, which says what does not fit, not that
// a vector is no vector_ref.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not='{{error|note}}:' --implicit-check-not=_source %s
#include <cm/cm.h>

template <int N> void scale(vector_ref<half, N> v, vector<float, N> by) { v *= by; }
template <int N> void clear(vector<int, N> &v) { v = 0; }

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
  vector<half, 8> v = 1;
  vector<float, 4> by = 2;
  // CHECK: templates.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'scale'
  // CHECK: templates.cpp:6:{{[0-9]+}}: note: candidate template ignored: deduced conflicting values for parameter 'N' (8 vs. 4)
  scale(v, by);
  // CHECK: templates.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'scale'
  // CHECK: templates.cpp:6:{{[0-9]+}}: note: candidate template ignored: could not match 'vector<float, N>' against 'float'
  scale(v, 1.0f);
  // CHECK: templates.cpp:[[@LINE+2]]:{{[0-9]+}}: error: no matching function for call to 'clear'
  // CHECK: templates.cpp:7:{{[0-9]+}}: note: candidate template ignored: could not match 'vector' against 'vector_ref'
  clear(v.format<int>());
  write(s, 0, v);
}
