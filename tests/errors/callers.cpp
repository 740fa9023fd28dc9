// What the rules of the language find in an instance of a template names who asks for it, whatever kind of object was
// passed, and those around, innermost first.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=error: --implicit-check-not=note: %s
#include <cm/cm.h>

template <int N> void behind_the_end(vector_ref<int, N> v) {
  // CHECK: callers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: element 9 of a vector of 8; elements are 0 to 7
  v(N + 1) = 2;
}
template <int N> void of_a_copy(vector<int, N> v, SurfaceIndex out) {
  v(N + 1) = 2; // of 4 elements, below
  write(out, 0, v);
}
template <int R, int N> void first_row(matrix_ref<int, R, N> m) {
  behind_the_end(m.row(0)); // for 8 elements
}

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out, int x) {
  matrix<int, 2, 8> m = x;
  first_row(m); // for both of them
  vector<int, 8> v = m.row(1);
  of_a_copy(v.select<4, 2>(0), out);
  write(out, 0, v);
}
// CHECK: callers.cpp:15:{{[0-9]+}}: note: in instantiation of function template specialization 'behind_the_end<8>' requested here
// CHECK: callers.cpp:20:{{[0-9]+}}: note: in instantiation of function template specialization 'first_row<2, 8>' requested here
// CHECK: callers.cpp:11:{{[0-9]+}}: error: element 5 of a vector of 4; elements are 0 to 3
// CHECK: callers.cpp:22:{{[0-9]+}}: note: in instantiation of function template specialization 'of_a_copy<4>' requested here
