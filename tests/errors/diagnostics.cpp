// Chapter 23 of the language reference: each mistake has one sentence, at the user's line, and nothing of the headers.
// ERR-01 ERR-03 ERR-04 ERR-05 ERR-06 ERR-08 ERR-09 ERR-10 ERR-11 ERR-12 ERR-14 ERR-15 ERR-16 ERR-17 ERR-20 ERR-24
// OPR-15 OPR-17 OPR-18 CFL-02 CNV-13 CNV-19 OBJ-04 GLB-02 FUN-01 FUN-04 MEM-18 TYP-19 FUN-13 MRG-06 REP-05 FMT-03 FMT-04
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=note: --implicit-check-not=cm/detail %s
#include <cm/cm.h>

struct keeps {
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:22: error: field 'part' is a reference to a region; keep the vector or matrix itself
  vector_ref<int, 8> part;
};
vector_ref<int, 8> gives(vector_ref<int, 8> v) { return v; }
vector_ref<int, 2> gives_its_own(vector_ref<int, 8> v) {
  vector<int, 8> own = v;
  auto of_the_lambda_around = [&] { return own.select<2, 1>(0); };
  of_the_lambda_around() = 1;
  if (own(0))
    return v.select<2, 1>(4);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:3: error: the function returns a reference to a region of 'own', which ends with it; return a vector or matrix
  return own.format<short>().select<8, 1>(0).format<int>().select<2, 2>(0);
}
template <int N> matrix_ref<int, 1, N> gives_a_parameter(matrix<int, 4, N> m) {
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:3: error: the function returns a reference to a region of 'm', which ends with it; return a vector or matrix
  return m.template select<1, 1, N, 1>(2, 0);
}
matrix_ref<int, 1, 8> uses(matrix_ref<int, 4, 8> m) { return gives_a_parameter<8>(m); }
// CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:16: error: file-scope variable 'started' is initialized; assign to it in the kernel, or compile with -mCM_init_global
vector<int, 8> started = 5;
int table[4] = {1, 2, 3, 4};

extern "C" _GENX_MAIN_ void other();

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, int n) {
  vector<int, 8> a = 0, b = 1;
  vector<int, 4> c = 0;
  vector<float, 8> f = 0;
  matrix<int, 2, 4> m = 0;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:19: error: elements of a vector or matrix are arithmetic types without const or volatile
  vector<bool, 8> bools;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:18: error: a vector or matrix has at least one element
  vector<int, 0> none;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:9: error: operator % works on integer elements; convert the floating-point operand first
  f = f % 2;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:9: error: operator << works on integer elements; convert the floating-point operand first
  f = f << 2;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:5: error: invalid operands to binary expression ('int' and 'vector<int, 8>')
  n += a;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:7: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  if (a > b)
    n = 1;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:15: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  while (n && a)
    n = 1;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:7: error: a vector or matrix is no condition; use any(), all(), merge or SIMD_IF; masks are joined by & and |
  b = a ? b : a;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:7: error: no viable conversion from 'vector<int, 8>' to 'int'
  int scalar = a;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:4: error: cannot increment value of type 'vector<int, 8>'
  a++;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element 8 of a vector of 8; elements are 0 to 7
  a(8) = 0;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to object of type 'matrix<int, 2, 4>'
  m(1) = 0;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no member named 'n_rows' in 'vector<int, 8>'
  n = a.n_rows();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no member named 'row' in 'vector<int, 8>'
  a = a.row(0);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: replicate: the number of repetitions and the width are at least 1
  c = a.replicate<0, 4>();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching member function for call to 'format'
  c = a.format<int, 4>();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: format: the new element type is arithmetic
  a.format<SurfaceIndex>();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: format: the object is smaller than one element of the new type
  c.select<1, 1>(0).format<long long>();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: iselect: indices are integers
  a = a.iselect(f);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: iselect: as many row as column indices
  c = m.iselect(c, a);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: merge: the mask has 4 elements, the object 8; their numbers must be equal
  a.merge(b, c);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: merge: a mask has integer elements; compare first
  a.merge(b, f);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching member function for call to 'merge'
  a.merge(b);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no matching constructor for initialization of 'vector<uchar, 8>'
  vector<uchar, 8> saturated(a, 1);
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no viable conversion from 'vector<float, 8>' to 'vector_ref<int, 8>'
  vector_ref<int, 8> wrong = f;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: no viable conversion from 'vector<int, 4>' to 'vector_ref<int, 8>'
  vector_ref<int, 8> shorter = c;
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: kernel 'other' is called and defined elsewhere; put what is called and its callers into one file
  other();
  // CHECK-DAG: diagnostics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: genx_select is gone; replicate takes the same parameters
  a = a.genx_select<2, 4, 4, 1>(0);
  vector<int, 4> fine(table);
}
