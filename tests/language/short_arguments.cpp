// Scalars of half as arguments of functions that take bfloat16, and the other way round, are converted as in an
// assignment: for functions, members, constructors, templates and their instances, in macros, and for references to
// constants. Everything else about the call stays: the other arguments, and which overload it is.
// RUN: cmrun %s arguments --threads 1x1 --arg half:1.5 | FileCheck %s
// RUN: cmrun %s arguments --threads 1x1 --arg half:1.5 --device gensim:pvc | FileCheck %s
#include <cm/cm.h>
#define TAKE(x) take(x)
_GENX_ float take(bfloat16 b) { return float(b) * 2; }
_GENX_ float both(half a, bfloat16 b, int n) { return float(a) + float(b) * n; }
_GENX_ float constant(const bfloat16 &b) { return b; }
_GENX_ float chosen(bfloat16 b) { return b; }
_GENX_ float chosen(int b, int c) { return float(b + c); }
_GENX_ float exact(bfloat16) { return 1; }
_GENX_ float exact(half) { return 2; }
_GENX_ half back(half h) { return h + half(1); }
struct number {
  bfloat16 value;
  _GENX_ number(bfloat16 b) : value(b) {}
  _GENX_ float plus(bfloat16 c) const { return float(value) + float(c); }
};
template <class T> _GENX_ float sum(T a, bfloat16 b) { return float(a) + float(b); }
template <class T> _GENX_ float passed(T a) { return take(a); }
extern "C" _GENX_MAIN_ void arguments(half h) {
  bfloat16 b = 3.0f;
  printf("%g %g %g\n", take(h), TAKE(h + half(1)), both(b, h, 2));
  // CHECK: 3 5 6
  printf("%g %g %g %g\n", constant(h), chosen(h), exact(h), exact(b));
  // CHECK-NEXT: 1.5 1.5 2 1
  number n(h), m = number(h);
  printf("%g %g %g\n", n.plus(h * half(2)), m.plus(b), back(b));
  // CHECK-NEXT: 4.5 4.5 4
  printf("%g %g\n", sum(1, h), passed(h) + passed(b) + passed(1.0f));
  // CHECK-NEXT: 2.5 11
  const bfloat16 &same = h;
  printf("%g %g\n", same, back(take(h) > 1 ? b : b));
  // CHECK-NEXT: 1.5 4
}
