// Recursive constexpr functions with constant arguments, where C++ asks for no constant: their values are in the code.
// RUN: cmrun %s k --threads 1x1 --arg buffer:zero=32,out=%t.raw --arg int:1 && od -An -w32 -t d4 %t.raw | FileCheck %s
// RUN: cmrun -O 0 -g %s k --threads 1x1 --arg buffer:zero=32,compare=%t.raw --arg int:1
// CHECK: {{^ *16 +720 +25 +243 +16 +135 +2 +2$}}
// What is written at a member, a constructor or a parameter; a call of the second of two functions that call each other.
// RUN: cmrun %s k2 --threads 1x1 --arg buffer:zero=32,out=%t2.raw && od -An -w32 -t d4 %t2.raw | FileCheck --check-prefix=OTHER %s
// RUN: cmrun -O 0 -g %s k2 --threads 1x1 --arg buffer:zero=32,compare=%t2.raw
// OTHER: {{^ *120 +24 +25 +6 +2 +727 +6 +1$}}
#include <cm/cm.h>
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr bool odd(int n);
constexpr bool even(int n) { return n == 0 || odd(n - 1); }
constexpr bool odd(int n) { return n != 0 && even(n - 1); }
template <class T> constexpr T power(T x, int n) {
  return n == 0 ? T(1) : n % 2 ? x * power(x, n - 1) : power(x * x, n / 2);
}
struct Table {
  static constexpr int log2(unsigned n) { return n < 2 ? 0 : 1 + log2(n / 2); }
  int at() const { return log2(1024); }
};
template <int N> _GENX_ void fill(vector_ref<int, N> v) { v = factorial(N); }
constexpr int file_scope = factorial(4);
struct Written {
  int a, b;
  union {
    int c;
    float f;
  };
  _GENX_ Written() : a(factorial(5)), b(factorial(4) + 1), c(factorial(3)) {}
};
struct AtMember {
  int a = factorial(4), b = factorial(3) + 1;
};
template <class T> struct Inside {
  T a = factorial(3);
  AtMember rest;
};
_GENX_ int atParameter(int x = factorial(6), int y = factorial(3) + 1) { return x + y; }
extern "C" _GENX_MAIN_ void k2(SurfaceIndex o) {
  Written w;
  AtMember m;
  Inside<int> inside;
  vector<int, 8> v(w.a);
  v(1) = m.a;
  v(2) = w.b;
  v(3) = w.c;
  v(4) = inside.a + inside.rest.b - AtMember{}.b - 4;
  v(5) = atParameter();
  v(6) = Inside<char>{}.a;
  v(7) = odd(5);
  write(o, 0, v);
}
extern "C" _GENX_MAIN_ void k(SurfaceIndex o, int n) {
  vector<int, 8> v(factorial(5));
  v(0) = factorial(3) + Table().at();
  int x = factorial(6);
  v(1) = x;
  auto f = [&](int i) { return i + factorial(4); };
  v(2) = f(1);
  if (even(10))
    v(3) = power(3, 5);
  v(4) = power(2.0f, 3) * 2;
  for (int i = 0; i < factorial(3); i++)
    v(5) += i;
  fill<2>(v.select<2, 1>(6));
  write(o, 0, v);
}
