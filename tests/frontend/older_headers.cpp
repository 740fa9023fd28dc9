// Older media programs include <cm/genx_vme.h> for its short names of integers, and headers without their folder.
// RUN: cmc %s -S -o - | FileCheck %s
// RUN: cmc -DWITHOUT_FOLDER %s -S -o - | FileCheck %s
// RUN: cmc -DOWN_NAMES %s -S -o - | FileCheck %s
// RUN: not cmc -DNO_HEADER %s -o /dev/null 2>&1 | FileCheck --check-prefix=HINT %s
#ifdef WITHOUT_FOLDER
#include <cm.h>
#include <cmtl.h>
#include <genx_vme.h>
#elif defined(NO_HEADER)
#include <cm/cm.h>
#else
#include <cm/cm.h>
#include <cm/genx_vme.h>
#endif
#ifdef OWN_NAMES // as programs for other compilers define them
typedef char int1;
typedef unsigned short uint2;
typedef unsigned int uint4;
#endif

// HINT: error: unknown type name 'uint1'
// HINT: note: the short names of integers take #include <cm/genx_vme.h>
template <uint R, uint C> _GENX_ inline void sums(matrix_ref<uint1, R, C> m, vector_ref<uint2, C> of) {
  of = 0;
  for (uint4 r = 0; r < R; ++r)
    of += m.row(r);
}

// CHECK: define spir_func void @kernel(i32 %in, i32 %out, i16 %add)
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex in, SurfaceIndex out, int2 add) {
  static_assert(sizeof(int1) == 1 && sizeof(int4) == 4 && int1(-1) < 0 && uint1(-1) > 0);
  matrix<uint1, 2, 16> m;
  read(in, 0, 0, m);
  vector<uint2, 16> of;
  sums(m.select_all(), of.select_all());
  of += add;
  write(out, 0, of);
}
