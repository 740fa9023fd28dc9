// Wrong shapes and types, each with its own sentence.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<int, 8> a, b;
  vector<int, 4> c;
  vector<float, 8> f;
  matrix<int, 2, 4> m;
  matrix<uchar, 8, 64> large;
  // CHECK-DAG: error: static assertion failed{{.*}}: both operands have the same number of elements
  a = b + c;
  // CHECK-DAG: error: static assertion failed{{.*}}: both sides have the same number of elements
  a = c;
  // CHECK-DAG: error: static assertion failed{{.*}}: operator & works on integer elements
  a = f & 1;
  // CHECK-DAG: error: static assertion failed{{.*}}: select: size and stride are at least 1
  c = a.select<4, 0>(0);
  // CHECK-DAG: error: static assertion failed{{.*}}: select: the stride of a single element is 1
  c.select<1, 1>(0) = a.select<1, 2>(0);
  // CHECK-DAG: error: static assertion failed{{.*}}: format: the new shape has as many bytes as the object
  m = a.format<int, 3, 4>().select<2, 1, 4, 1>(0, 0);
  // CHECK-DAG: error: static assertion failed{{.*}}: media block: rows, each padded to 4, 8, 16, 32 or 64 bytes, have at most 256 bytes together
  read(buf, 0, 0, large);
  // CHECK-DAG: error: static assertion failed{{.*}}: a vector or matrix has at most 32768 bytes
  vector<int, 8193> huge;
}
