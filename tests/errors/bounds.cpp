// Constant indices outside an object: elements are errors, regions warn, negative offsets are errors. Constants inside
// and run-time indices are silent. (ERR-05 ERR-06 ERR-07)
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
// RUN: cmc -DSILENT %s -o %t.isa 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: {{warning|error}}
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, int n) {
  vector<int, 8> v = n, r;
  matrix<int, 3, 8> m = n;
#ifndef SILENT
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element index out of range
  v(8) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element index out of range
  v[-1] = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: row index out of range
  m(3, 0) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: column index out of range
  m(2, 8) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select reaches past the end of the object
  r.select<4, 1>(0) = v.select<4, 1>(5);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: the offset is negative
  r.select<4, 1>(0) = v.select<4, 1>(-1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select reaches past the last row
  r.select<4, 1>(0) = m.select<2, 2, 2, 1>(1, 0);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select reaches past the last column
  r.select<4, 1>(0) = m.select<2, 1, 2, 4>(1, 4);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: row: the matrix has fewer rows
  r = m.row(3);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: row: the index is negative
  r = m.row(-1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: column: the matrix has fewer columns
  r.select<3, 1>(0) = m.column(8);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: replicate reaches past the end of the object
  r = v.replicate<2, 4, 4, 1>(1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: replicate: an offset is negative
  r = v.replicate<2, 4>(-2);
#endif
  v(7) = v(n);
  r.select<4, 1>(0) = v.select<4, 1>(4);
  r.select<4, 2>(0) = v.select<4, 2>(n);
  r = m.row(2) + m.row(n);
  r = v.replicate<2, 4, 4, 1>(0);
  r.select<2, 4>(3) = m.select<1, 1, 2, 7>(2, 0);
  write(buf, 0, 0, r);
}
