// Vectors and matrices that are read before anything is written to them: warned of with name and line, once a variable;
// not of where some path or some call may have written, be it a part.
// RUN: cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: cmc -DSILENT %s -o %t.isa 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: cmc -Wno-uninitialized %s -o %t.isa 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: not cmc -Werror=uninitialized %s -o %t.isa 2>&1 | FileCheck --check-prefix=ERROR %s
// SILENT-NOT: warning:
// ERROR: error: variable 'sum' is uninitialized when used here [-Werror,-Wuninitialized]
#include <cm/cm.h>

#ifndef SILENT
template <class T> _GENX_ T total(vector<T, 8> a) {
  vector<T, 8> t;
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 't' is uninitialized when used here [-Wuninitialized]
  t += a;
  return cm_sum<T>(t);
}

extern "C" _GENX_MAIN_ void warned(SurfaceIndex s, int n) {
  vector<int, 8> sum, whole, part, element, mask, copied, tested, again, late, given;
  matrix<float, 2, 8> m;
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]
  sum = sum + 1;
  sum += sum;
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'whole' is uninitialized
  write(s, 0, whole);
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'part' is uninitialized
  sum.select<4, 1>(0) += part.select<4, 1>(4);
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'element' is uninitialized
  n += element(3);
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'mask' is uninitialized
  sum.merge(sum, mask > 1);
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'copied' is uninitialized
  vector<float, 8> copy(copied);
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'tested' is uninitialized
  if (tested.any())
    n = 1;
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'm' is uninitialized
  vector<float, 8> r = m.row(1) * 2.0f;
  if (n > 3)
    // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'late' is uninitialized
    sum += late;
  late = 1;
  for (int x = 0; x < n; ++x) {
    vector<int, 8> fresh, other;
    // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'fresh' is uninitialized
    other = fresh;
    fresh = other;
  }
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'given' is uninitialized
  sum += total(given);
  int scalar;
  // CHECK-DAG: uninitialized.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: variable 'scalar' is uninitialized
  sum += scalar;
  write(s, 0, sum + r + copy);
}
#endif

_GENX_ void fill(vector_ref<int, 8> to) { to = 3; }
_GENX_ void fill_all(matrix<int, 2, 8> &to) { to = 3; }
template <int N> _GENX_ void fill_any(vector_ref<int, N> to) { to = N; }

extern "C" _GENX_MAIN_ void silent(SurfaceIndex s, SurfaceIndex image, int n) {
  vector<int, 8> a, b, c, d, e, f, g, h, i, j, k, l;
  matrix<int, 2, 8> m, o, p, q;
  for (int x = 0; x < 8; ++x)
    a(x) = x;
  b.select<4, 2>(0) = 1;
  c.format<short>().select<8, 1>(0) = 2;
  read(s, 0, d);
  fill(e);
  fill_any(f);
  vector_ref<int, 8> alias = g;
  alias = 4;
  if (n > 1)
    h = 2;
  auto set = [&] { i = 5; };
  set();
  j.merge(a, b > 0);
  SIMD_IF_BEGIN(a > 2) { k = 1; }
  SIMD_IF_END;
  for (int x = 0; x < n; ++x) {
    if (x > 0)
      a += l;
    l = x;
  }
  m.row(0) = 1;
  o.select<1, 1, 8, 1>(1, 0) = 1;
  read(image, 0, 0, p);
  matrix<ushort, 2, 16> rows, aliased;
  vector_ref<uint, 8> row(rows.row(1).format<uint>()), second = aliased.row(1).format<uint>();
  read(s, 0, row);
  read(s, 32, second);
  fill_all(q);
  q.row(1) += m.row(0) + o.column(0).format<int>()(0) + int(p.n_elems());
  write(s, 0, a + b + c + d + e + f + g + h);
  write(s, 32, i + j + k + q.row(0) + rows.select<1, 1, 8, 1>(1, 0) + aliased.select<1, 1, 8, 1>(0, 0));
}
