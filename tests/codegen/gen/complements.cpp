// A complement has its -1 on either side: the sign of a constant, combined with that of what it is divided by.
// RUN: cmc -march=SKL -verify-each -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK: asr (M1, 1) [[S:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<0;1,0> 0x3f:q
// CHECK: not (M1, 1) [[N:V[0-9]+]](0,0)<1> [[S]](0,0)<0;1,0>
// CHECK: xor (M1, 1) [[Q:V[0-9]+]](0,0)<1> {{V[0-9]+}}(0,0)<0;1,0> (~)[[S]](0,0)<0;1,0>
// CHECK-NEXT: add (M1, 1) {{V[0-9]+}}(0,0)<1> [[Q]](0,0)<0;1,0> (-)[[N]](0,0)<0;1,0>
extern "C" _GENX_MAIN_ void complements(SurfaceIndex s, long long n) { write(s, 0, vector<long long, 2>(-27ll / n)); }
