// Elements of all sizes in scattered messages: halves are copied and not converted, 8 bytes are two dwords where messages
// have no more, 16 bits of an atomic are in dwords of their own.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck --check-prefixes=CHECK,SKL %s
// RUN: cmc -march=DG2 -verify-each -DLSC -S %s -o - | FileCheck --check-prefixes=CHECK,DG2 %s
// RUN: for t in SKL ICLLP TGLLP; do cmc -march=$t -verify-each %s -o %t.isa || exit 1; done
// RUN: for t in DG2 PVC; do cmc -march=$t -verify-each -DLSC %s -o %t.isa || exit 1; done
#include <cm/cm.h>

// CHECK-LABEL: .function "halves_BB_0"
// CHECK: mul (M1, 8) [[V:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<2;1,0> 0x4000:hf
// CHECK: mov (M1, 8) [[D:V[0-9]+]](0,0)<1> [[V]]_uw(0,0)<1;1,0>
// SKL: scatter_scaled.2 (M1, 8) T6 0:ud {{V[0-9]+}}_ud.0 [[D]].0
// SKL: gather_scaled.2 (M1, 8) T6 0:ud {{V[0-9]+}}_ud.0 [[G:V[0-9]+]].0
// DG2: lsc_store.ugm (M1, 8) {{.*}} [[D]]:d16c32
// DG2: lsc_load.ugm (M1, 8) [[G:V[0-9]+]]:d16c32
// CHECK-NEXT: mov (M1, 8) {{V[0-9]+}}_uw(0,0)<1> [[G]]_uw(0,0)<2;1,0>
extern "C" _GENX_MAIN_ void halves(SurfaceIndex s) {
  vector<half, 16> w;
  read(s, 0, w);
  vector<uint, 8> at = {1, 3, 5, 7, 9, 11, 13, 15};
  vector<half, 8> v = w.select<8, 2>(0) * half(2), g;
  write(s, 0, at, v);
  read(s, 0, at, g);
  write(s, 64, g + half(1));
}

// CHECK-LABEL: .function "qwords_BB_0"
// SKL-COUNT-2: gather_scaled.4 (M1, 8)
// SKL-COUNT-2: scatter_scaled.4 (M1, 8)
// DG2: lsc_load.ugm (M1, 8) {{V[0-9]+}}{{.*}}:d64
// DG2: lsc_store.ugm (M1, 8) {{.*}}:d64
extern "C" _GENX_MAIN_ void qwords(SurfaceIndex s) {
  vector<uint, 8> at = {0, 8, 24, 16, 40, 48, 32, 56};
  vector<long long, 8> d;
  cm_qword_scatter_read(s, at, d);
  cm_qword_scatter_write(s, at + 512, d);
}

#ifdef LSC
// DG2-LABEL: .function "words_BB_0"
// DG2: lsc_atomic_iadd.ugm (M1, 8) [[T:V[0-9]+]]:d16c32 flat[{{V[0-9]+.*}}]:a64 [[ONE:V[0-9]+]] %null
// DG2-NEXT: mov (M1, 8) {{V[0-9]+}}_uw(0,0)<1> [[T]]_uw(0,0)<2;1,0>
extern "C" _GENX_MAIN_ void words(svmptr_t p, SurfaceIndex s) {
  vector<svmptr_t, 8> at(p);
  vector<ushort, 8> one = 1, old;
  cm_svm_atomic(ATOMIC_ADD, at, old, one);
  write(s, 0, old);
}
#endif
