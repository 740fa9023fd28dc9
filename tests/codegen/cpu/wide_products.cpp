// Products of twice the bits are computed where their factors are, in even and in odd lanes.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -o - | FileCheck %s --check-prefix=AVX2
#include <cm/cm.h>

// CHECK-LABEL: # kernel upper
// CHECK-NOT: vpmovzx
// CHECK-COUNT-2: vpmuludq {{.*}}zmm
// CHECK-NOT: vpmul
// CHECK: vpermt2d {{.*}}zmm
// CHECK-NOT: vpmul
// CHECK: retq
// AVX2-LABEL: # kernel upper
// AVX2-COUNT-4: vpmuludq {{.*}}ymm
// AVX2-NOT: vpmul
// AVX2: retq
extern "C" _GENX_MAIN_ void upper(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> a, b, low;
  read(in, 0, a);
  read(in, 64, b);
  vector<uint, 16> high = cm_imul<uint>(low, a, b);
  write(out, 0, high);
}

// Signed ones, rounded.
// CHECK-LABEL: # kernel rounded
// CHECK-COUNT-2: vpmuldq {{.*}}zmm
// CHECK-NOT: vpmul
// CHECK-COUNT-2: vpaddq {{.*}}zmm
// CHECK: retq
extern "C" _GENX_MAIN_ void rounded(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> a, b;
  read(in, 0, a);
  read(in, 64, b);
  vector<long long, 16> x = a, y = b;
  vector<int, 16> r = (x * y + (1ll << 30)) >> 31;
  write(out, 0, r);
}
