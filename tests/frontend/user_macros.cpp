// Macros of the program do not reach the language's headers, kept or parsed as text.
// RUN: cmc -DN=16 -DW -DP2=1 -DO=2 '-DF(x)=x+1' %s -S -o - | FileCheck %s
// RUN: cmc -DN=16 -DW -DP2=1 -DO=2 '-DF(x)=x+1' -DCM_ENABLE_ASSERTS=1 %s -S -o - | FileCheck %s
// RUN: not cmc -DN=16 -DW -DP2=1 -DO=2 '-DF(x)=x+2' %s -S -o - 2>&1 | FileCheck %s --check-prefix=WRONG
#define T float
#define C 3
#include <cm/cm.h>
#include <cm/cmtl.h>
#include <cm/cmtl/math.h>

// CHECK: fadd <16 x float> %{{.*}}, splat (float 3.000000e+00)
// WRONG: user_macros.cpp:[[#@LINE+4]]:50: error: static assertion failed
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
  vector<T, N> v;
  read(s, 0, v);
  static_assert(W == 1 && P2 == 1 && O == 2 && F(4) == 5);
  v += C;
  write(s, 0, v);
}
