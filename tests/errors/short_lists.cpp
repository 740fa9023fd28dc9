// Several scalars in parentheses are all elements of an object: fewer would be a start and a step for some readers, a
// list with zeros behind it for others. Braces say that it is a list.
// RUN: not cmc -DWRONG %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: cmc %s -S -o - | FileCheck --check-prefix=RIGHT %s
#include <cm/cm.h>

#ifdef WRONG
struct pair {
  // CHECK-DAG: short_lists.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 2 scalars in parentheses for 4 elements
  pair(int x) : a(x, 1) {}
  vector<int, 4> a;
};
// CHECK-DAG: short_lists.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 2 scalars in parentheses for 4 elements
template <class T> vector<T, 4> made(T x) { return vector<T, 4>(x, T(1)); }

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s, int n) {
  // CHECK-DAG: short_lists.cpp:[[@LINE+1]]:19: error: 2 scalars in parentheses for 16 elements; write cmtl::cm_vector_assign(v, start, step) of <cm/cmtl.h> for a sequence, braces for a list with zeros behind it, or all elements
  vector<int, 16> v(0, 1);
  // CHECK-DAG: short_lists.cpp:[[@LINE+1]]:21: error: 3 scalars in parentheses for 4 elements
  matrix<int, 2, 2> m(n, 1, 2);
  // CHECK-DAG: note: in instantiation of function template specialization 'made<int>' requested here
  vector<int, 4> o = made(n) + pair(n).a;
  write(s, 0, o);
}
#else
template <class T> vector<T, 4> made(T x) {
  vector<T, 4> all(x, x, x, x), some{x, T(1)};
  return all + some + vector<T, 4>{T(2), x};
}

// RIGHT: @llvm.genx.oword.st.v4i32({{.*}}, <4 x i32> <i32 280, i32 276, i32 15, i32 14>)
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex s) {
  vector<int, 4> v = {1, 2}, w{3, 4}, all(5, 6, 7, 8);
  vector<uchar, 2> pair(7, 8);
  vector<uchar, 4> clamped(v * 300, SAT);
  matrix<int, 2, 2> m{1, 2, 3}, n(1, 2, 3, 4);
  v += w + all + m + n + made(2) + clamped;
  v(0) += pair(1);
  write(s, 0, v);
}
#endif
