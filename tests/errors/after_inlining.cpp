// Mistakes that show only once everything is inlined name the line in the kernel.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
#include <cm/cm.h>

_GENX_ int depth(int n) { return n ? depth(n - 1) * 3 + n : 0; }
int elsewhere(int n);
int (*again_by_pointer)(int);
_GENX_ int again(int n) { return n ? again_by_pointer(n - 1) : 0; }

_GENX_ int total(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return sum;
}
_GENX_ void ignored(...) {}

extern "C" _GENX_MAIN_ void kernel(SurfaceIndex buf, int n) {
  matrix<uchar, 4, 16> m;
  read(buf, 0, 0, m);
  vector<short, 16> v = (n > 2 ? m.select<2, 2, 16, 1>(0, 0) : m.select<2, 1, 16, 1>(2, 0)).format<short>();
  // CHECK-DAG: error: call of 'depth(int)' cannot be inlined: recursion is not supported; use a loop
  v += depth(n);
  // CHECK-DAG: after_inlining.cpp:[[@LINE+1]]:{{[0-9]+}}: error: function 'elsewhere(int)' is called but has no body in this file
  v += elsewhere(n);
  // CHECK-DAG: after_inlining.cpp:[[@LINE+2]]:{{[0-9]+}}: error: call through a pointer to a function of a type that no function in this file has
  int (*unknown)(float) = reinterpret_cast<int (*)(float)>((long long)n);
  v += unknown(1.5f);
  // CHECK-DAG: error: call of 'again(int)' cannot be inlined: recursion is not supported; use a loop
  again_by_pointer = again;
  v += again_by_pointer(n);
  // CHECK-DAG: after_inlining.cpp:[[@LINE+2]]:{{[0-9]+}}: error: traps are not supported: a thread cannot stop the program; use cm_assert or return
  if (n == 3)
    __builtin_trap();
  ignored(n, 2.5f); // nothing is read
  // CHECK-DAG: error: call of 'total(int, ...)', which reads a list of arguments: there is no stack that they could lie on; take them as a parameter pack of a template
  v += total(2, n, n);
  write(buf, 0, 0, v);
}

// A line that is there several times by now is said once, beside that above.
// RUN: not cmc -DREPEATED %s -o %t.isa 2>&1 | grep -c "'elsewhere(int)' is called" | FileCheck --check-prefix=ONCE %s
// ONCE: {{^}}2{{$}}
#ifdef REPEATED
extern "C" _GENX_MAIN_ void repeated(SurfaceIndex buf) {
  matrix<uchar, 4, 16> m;
  read(buf, 0, 0, m);
  vector<short, 2> v = 0;
  for (int k = 0; k < 4; ++k)
    v += elsewhere(k);
  write(buf, 0, 0, v);
}
#endif
