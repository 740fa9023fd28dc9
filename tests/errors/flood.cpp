// A mistake that a macro repeats thousands of times ends the compilation soon; -ferror-limit=0 shows all.
// RUN: not cmc %s -o %t 2>&1 | FileCheck %s
// RUN: not cmc -ferror-limit=0 %s -o %t 2>&1 | FileCheck --check-prefix=ALL %s
// CHECK: error: duplicate member 'm'
// CHECK: fatal error: too many errors emitted, stopping now [-ferror-limit=]
// CHECK: 201 errors generated
// ALL-NOT: too many
// ALL: 999 errors generated
#define TEN(x) x x x x x x x x x x
struct S {
  TEN(TEN(TEN(int m;)))
};
extern "C" _GENX_MAIN_ void k(SurfaceIndex) {}
