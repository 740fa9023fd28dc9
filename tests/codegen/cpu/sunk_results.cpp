// A block is narrowed where it is stored, so that the CPU does both at once; what is used otherwise, too, is narrowed once.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -disable-pass=cpu-sunk-results -o - | FileCheck --check-prefix=WITHOUT %s
#include <cm/cm.h>

// CHECK-LABEL: # kernel narrowed
// CHECK: vpmovdb %zmm{{[0-9]+}}, (%r
// WITHOUT-LABEL: # kernel narrowed
// WITHOUT-NOT: vpmovdb %zmm{{[0-9]+}}, (%r
// WITHOUT: # kernel
extern "C" _GENX_MAIN_ void narrowed(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> v;
  read(in, get_thread_origin_x() * 64, v);
  vector<uchar, 16> bytes = v >> 3;
  write(out, get_thread_origin_x() * 16, bytes);
}

// CHECK-LABEL: # kernel upper
// CHECK: vextracti{{.*}} $1, %{{[yz]}}mm{{[0-9]+}}, (%r
extern "C" _GENX_MAIN_ void upper(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> v;
  read(in, get_thread_origin_x() * 64, v);
  v *= v;
  write(out, get_thread_origin_x() * 32, vector<uint, 8>(v.select<8, 1>(8)));
}

// So are its limits.
// CHECK-LABEL: # kernel saturated
// CHECK-NOT: vpm{{ax|in}}sd
// CHECK: vpmovsdw %zmm{{[0-9]+}}, (%r
extern "C" _GENX_MAIN_ void saturated(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  read(in, get_thread_origin_x() * 64, v);
  write(out, get_thread_origin_x() * 32, cm_shr<short>(v + 4, 3, SAT));
}

// Means are bytes where they are computed.
// CHECK-LABEL: # kernel means
// CHECK: vpavgb
// CHECK-NOT: vpmov{{zx|wb}}
// CHECK: vmov{{.*}}, (%r
extern "C" _GENX_MAIN_ void means(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 128> a, b;
  read(in, get_thread_origin_x() * 128, a);
  read(out, get_thread_origin_x() * 128, b);
  write(out, get_thread_origin_x() * 128, cm_avg<uchar>(a, b));
}

// CHECK-LABEL: # kernel last
extern "C" _GENX_MAIN_ void last(SurfaceIndex out) { write(out, 0, vector<uint, 8>(1)); }
