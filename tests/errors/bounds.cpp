// Constant indices outside an object: elements are errors, regions warn, negative offsets are errors. Constants inside
// and run-time indices are silent. (ERR-05 ERR-06 ERR-07)
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
// RUN: cmc -DSILENT %s -o %t.isa 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: {{warning|error}}
#include <cm/cm.h>

// Nobody has this function, whose other instances may not come there.
template <int n> _GENX_ void nobody() {
  vector<int, 8> v = n, r;
  if constexpr (n > 1)
    r.select<4, 1>(0) = v.select<4, 1>(5);
}

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, int n) {
  vector<int, 8> v = n, r;
  matrix<int, 3, 8> m = n;
#ifndef SILENT
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element 8 of a vector of 8; elements are 0 to 7
  v(8) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element -1 of a vector of 8; elements are 0 to 7
  v[-1] = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: row 3 of a matrix of 3; rows are 0 to 2
  m(3, 0) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: column 8 of a matrix of 8; columns are 0 to 7
  m(2, 8) = 1;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select: 4 elements from 5 on reach element 8 of 8; the lanes outside are undefined: start lower or take fewer
  r.select<4, 1>(0) = v.select<4, 1>(5);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: the offset -1 is negative
  r.select<4, 1>(0) = v.select<4, 1>(-1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select: 2 rows from 1 on reach row 3 of 3
  r.select<4, 1>(0) = m.select<2, 2, 2, 1>(1, 0);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select: 3 rows from 1 on reach row 3 of 3
  r.select<6, 1>(0) = m.select<3, 1, 2, 1>(1, 0);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select: 2 columns from 4 on reach column 8 of 8
  r.select<4, 1>(0) = m.select<2, 1, 2, 4>(1, 4);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: row: 1 row from 3 on reach row 3 of 3
  r = m.row(3);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: row: the offset -1 is negative
  r = m.row(-1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: column: 1 column from 8 on reach column 8 of 8
  r.select<3, 1>(0) = m.column(8);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: replicate reaches element 8 of 8
  r = v.replicate<2, 4, 4, 1>(1);
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: replicate: the offset -2 is negative
  r = v.replicate<2, 4>(-2);
  vector<SurfaceIndex, 2> surfaces = buf;
  matrix<SurfaceIndex, 2, 3> table = buf;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element 2 of a vector of 2; elements are 0 to 1
  surfaces(2) = buf;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: error: column 3 of a matrix of 3; columns are 0 to 2
  table(1, 3) = buf;
  // CHECK: bounds.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: select: 2 elements from 1 on reach element 2 of 2; the lanes outside are undefined: start lower or take fewer
  surfaces.select<2, 1>(1) = buf;
#endif
  v(7) = v(n);
  r.select<4, 1>(0) = v.select<4, 1>(4);
  r.select<4, 2>(0) = v.select<4, 2>(n);
  r = m.row(2) + m.row(n);
  r = v.replicate<2, 4, 4, 1>(0);
  r.select<2, 4>(3) = m.select<1, 1, 2, 7>(2, 0);
  write(buf, 0, 0, r);
}
