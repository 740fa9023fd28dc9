// Wrong shapes and types, each with its own sentence.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=note: --implicit-check-not=error: --implicit-check-not=cm/detail %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf) {
  vector<int, 8> a, b;
  vector<int, 4> c;
  vector<float, 8> f;
  matrix<int, 2, 4> m;
  matrix<uchar, 8, 64> large;
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the operands have 8 and 4 elements; give both the same number
  a = b + c;
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an object of 4 elements where 8 are needed; take the right part of it with select
  a = c;
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: operator & works on integer elements; convert the floating-point operand first
  a = f & 1;
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: size and stride are at least 1
  c = a.select<4, 0>(0);
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: select: the stride of a single element is 1
  c.select<1, 1>(0) = a.select<1, 2>(0);
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: format: the new shape has 48 bytes, the object has 32; they must be equal
  m = a.format<int, 3, 4>().select<2, 1, 4, 1>(0, 0);
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: media block: rows, each padded to 4, 8, 16, 32 or 64 bytes, have at most 256 bytes together
  read(buf, 0, 0, large);
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: -5.000000e+00 is outside of uint; write the number that is meant
  a(0) = uint(-5.0f);
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a shift by 33 bits of int, which has 32; write the number that is meant
  a(1) = 1 << 33;
  // CHECK-DAG: language.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a vector or matrix of 32772 bytes; on target cpu an object has less than 32769
  vector<int, 8193> huge;
}

// CHECK: language.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the address of a label: there are no jumps to addresses; use a switch
extern "C" _GENX_MAIN_ void labels(SurfaceIndex Out, int N) {
  void *To = &&End;
  goto *To;
End:
  write(Out, 0, vector<int, 8>(N));
}
