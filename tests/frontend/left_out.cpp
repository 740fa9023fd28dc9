// What a constant condition leaves out need not be defined.
// RUN: cmc %s -o %t.isa
// RUN: not cmc -DLIVE %s -o %t.isa 2>&1 | FileCheck %s
#include <cm/cm.h>

template <int N> unsigned mask() { return N >= 32 ? ~0u : (1u << N) - 1; }
#define MASK(n) ((n) < 32 ? (1u << (n)) - 1 : 0xffffffffu)

extern "C" _GENX_MAIN_ void masks(SurfaceIndex out) {
  vector<unsigned, 8> v = mask<32>() & MASK(40);
  if (sizeof(v) < 32)
    v(0) = 1u << sizeof(v);
  else if (sizeof(v) == 32)
    v(1) = sizeof(v) > 255 ? unsigned(-1.0f) : 3;
#ifdef LIVE
  // CHECK: left_out.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a shift by 32 bits of {{.*}}, which has 32; write the number that is meant
  v(2) = sizeof(v) == 32 ? 1u << sizeof(v) : 0;
#endif
  write(out, 0, v);
}
