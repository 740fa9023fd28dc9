// Roundings of doubles are sums; the elementary functions that only the cpu device has are refused by name and line.
// RUN: not cmc -march=SKL %s -o %t.isa 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: cmc -march=SKL -DROUND %s -S -o - | FileCheck %s
#ifdef ROUND
// CHECK: .kernel "down"
// CHECK-NOT: rnd
// CHECK: add (M1, 4) {{.*}} 0x4330000000000000:df
// CHECK-NOT: rnd
extern "C" _GENX_MAIN_ void down(SurfaceIndex s) {
  vector<double, 4> x;
  read(s, 0, x);
  write(s, 0, vector<double, 4>(cm_rndd<double>(x)));
}
#else
// REFUSED: kernel 'waves' cannot be compiled for SKL: 'sin' of double, line [[@LINE+4]] is not supported there
extern "C" _GENX_MAIN_ void waves(SurfaceIndex s) {
  vector<double, 4> x;
  read(s, 0, x);
  write(s, 0, vector<double, 4>(cm_sin(x)));
}
// REFUSED: kernel 'powers' cannot be compiled for SKL: 'pow' of double, line [[@LINE+4]] is not supported there
extern "C" _GENX_MAIN_ void powers(SurfaceIndex s) {
  vector<double, 4> x;
  read(s, 0, x);
  write(s, 0, vector<double, 4>(cm_pow(x, x)));
}
// REFUSED: kernel 'included' cannot be compiled for SKL: 'exp2' of double, line 7 of 'waves.h' is not supported there
extern "C" _GENX_MAIN_ void included(SurfaceIndex s) {
  vector<double, 4> x;
  read(s, 0, x);
#line 7 "waves.h"
  write(s, 0, vector<double, 4>(cm_exp(x)));
}
#endif
