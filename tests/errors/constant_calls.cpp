// Calls of recursive constexpr functions that are not computed: those that take too long, of which a few are tried in a
// source, and those whose value depends on whether C++ asks for a constant.
// REQUIRES: no-sanitizer
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --check-prefix=COUNT %s
// COUNT-COUNT-4: warning: this call of {{.*}} is not computed
// COUNT-NOT: warning:
#include <cm/cm.h>
constexpr int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
constexpr int asked(int n) { return n > 0 ? asked(n - 1) : __builtin_is_constant_evaluated() ? 7 : 9; }
constexpr int deep(int n) { return n > 0 ? deep(n - 1) + 1 : 0; }
#define TEN(x) x + x + x + x + x + x + x + x + x + x
extern "C" _GENX_MAIN_ void long_ones(SurfaceIndex out) {
  // CHECK: constant_calls.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: this call of 'deep' is not computed when the kernel is compiled: that takes more than 1048576 steps, or more than 512 calls inside each other
  vector<int, 8> v(deep(600));
  v(1) = TEN(fibonacci(41));
  write(out, 0, v);
}
extern "C" _GENX_MAIN_ void asks(SurfaceIndex out) {
  // CHECK-DAG: constant_calls.cpp:[[@LINE+1]]:{{[0-9]+}}: error: call of 'asked(int)' cannot be inlined: recursion is not supported; use a loop
  vector<int, 8> v(asked(4));
  write(out, 0, v);
}
