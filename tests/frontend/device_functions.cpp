// Device functions take regions by reference; after inlining nothing of the reference is left.
// RUN: cmc %s -S -verify-each -o - | FileCheck %s
#include <cm/cm.h>

template <int N> _GENX_ void twice(vector_ref<short, N> v) { v += v; }
_GENX_ matrix<short, 2, 8> shifted(matrix<short, 2, 8> m) { return m << 1; }

// CHECK-LABEL: define spir_func void @caller(
// CHECK-NOT: call {{.*}}twice
// CHECK-NOT: alloca
// CHECK: shl <16 x i16>
extern "C" _GENX_MAIN_ void caller(SurfaceIndex buf) {
  matrix<short, 2, 8> m;
  read(buf, 0, 0, m);
  twice<8>(m.row(1));
  m = shifted(m);
  write(buf, 0, 0, m);
}
