// Conversions between scalars of half and bfloat16, of which Clang knows none, are written by the front end: in files that
// are included, too. What it cannot write is an error that says the way out, and other errors show the source as it is.
// RUN: cmc -march=PVC -I%S/Inputs %s -o %t.isa 2>&1 | FileCheck --check-prefix=NONE --allow-empty %s
// RUN: not cmc -march=PVC -DWRONG %s -I%S/Inputs -o %t.isa 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not cmc -march=PVC -DBRACES %s -I%S/Inputs -o %t.isa 2>&1 | FileCheck --check-prefix=BRACES %s
// NONE-NOT: {{error|warning}}:
#include "short_floats.h"
_GENX_ half argument(half &x) { return x; }
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, half h) {
  bfloat16 b = included(h);
  vector<bfloat16, 16> objects = vector<half, 16>(h); // those convert
#ifdef WRONG
  // CHECK: short_floats.cpp:[[@LINE+4]]:7: error: no matching function for call to 'argument'
  // CHECK-NEXT: h = argument(b), b = h;
  // CHECK: note: candidate function not viable: no known conversion from 'bfloat16'
  // CHECK: 1 error generated
  h = argument(b), b = h;
#endif
#ifdef BRACES
  // BRACES: short_floats.cpp:[[@LINE+3]]:{{[0-9]+}}: error: {{.*}}'half'
  // BRACES: {{^}}note: an argument is not converted between half and bfloat16; write float(x) between them
  // BRACES: 2 errors generated
  bfloat16 narrowed{h};
#endif
  write(s, 0, vector<half, 16>(objects + b));
}
