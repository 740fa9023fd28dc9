// What nobody wrote in a message's payload is not moved there; constants with such elements are immediates.
// RUN: cmc -march=SKL -S -w %s -o - | FileCheck %s
// RUN: cmc -march=ICLLP -verify-each -w %s -o %t.isa
// RUN: cmc -march=DG2 -verify-each -w %s -o %t.isa
// RUN: cmc -march=PVC -verify-each -w %s -o %t.isa

// CHECK: mov (M1, {{.*}} 0x0:
// CHECK: oword_st (4) T
extern "C" _GENX_MAIN_ void parts(SurfaceIndex s) {
  vector<long long, 8> v;
  v.select<4, 1>(2) = 0;
  write(s, 64, v);
}
extern "C" _GENX_MAIN_ void rows(SurfaceIndex s) {
  matrix<float, 4, 16> m, r;
  vector<uint, 16> o;
  m.row(1) = 2;
  write_untyped(s, CM_ABGR_ENABLE, m, o);
  read_untyped(s, CM_GR_ENABLE, r, o);
  write(s, 0, r.row(2));
}
extern "C" _GENX_MAIN_ void chosen(SurfaceIndex s, int n) {
  vector<short, 32> v;
  vector<char, 32> c;
  v.select<16, 2>(0) = c.select<16, 1>(n);
  write(s, 0, v);
}
// Operands with modifiers, too: the absolute value of what nobody wrote.
extern "C" _GENX_MAIN_ void angles(SurfaceIndex s) {
  vector<float, 16> a;
  vector<int, 16> i;
  write(s, 0, cm_atan(a) + cm_asin(-a) + cm_rndz<float>(a));
  write(s, 64, cm_abs<int>(i) + ~i);
}
