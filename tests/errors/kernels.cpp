// What no host could call is refused where it is declared, with Clang's carets.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s
#include <cm/cm.h>

// CHECK: kernels.cpp:[[@LINE+2]]:28: error: kernel 'returns' returns a value; a kernel returns void and writes its results to surfaces
// CHECK-NEXT: extern "C" _GENX_MAIN_ int returns()
extern "C" _GENX_MAIN_ int returns() { return 1; }

// CHECK: kernels.cpp:[[@LINE+1]]:44: error: parameter 'x' of kernel 'reference' is a reference; pass the value
extern "C" _GENX_MAIN_ void reference(int &x) {}
// CHECK: kernels.cpp:[[@LINE+1]]:51: error: parameter 2 of kernel 'nameless' is a reference; pass the value
extern "C" _GENX_MAIN_ void nameless(int x, int &&) {}

struct pair { int a, b; };
// CHECK: kernels.cpp:[[@LINE+1]]:44: error: parameter 'p' of kernel 'structure' has type 'pair'; kernels take scalars, vectors, matrices, pointers and SurfaceIndex
extern "C" _GENX_MAIN_ void structure(pair p) {}

// CHECK: kernels.cpp:[[@LINE+1]]:25: error: kernel 'hidden' is static or inline; the host cannot see it
_GENX_MAIN_ static void hidden() {}

// CHECK: kernels.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the name of kernel 'split<'/'>', as it is written out, has a slash, a backslash or a quote in it, with which no host can load it; pass the number instead of the character
template <char C> _GENX_MAIN_ void split(SurfaceIndex Out) {}
template _GENX_MAIN_ void split<'/'>(SurfaceIndex Out);
template _GENX_MAIN_ void split<'a'>(SurfaceIndex Out);

// CHECK: kernels.cpp:[[@LINE+1]]:35: error: kernel 'pattern' is a template without an instance; a host can only call a function: write 'template void pattern<...>(...);' behind it
template <int N> _GENX_MAIN_ void pattern() {}

// ERR-19 FUN-06: a warning.
_GENX_ void both(vector_ref<int, 8> a, vector_ref<int, 8> b) { a += b; }
_GENX_ int only(const vector_ref<int, 8> &a, const vector_ref<int, 8> &b) { return cm_sum<int>(a + b); }
extern "C" _GENX_MAIN_ void twice() {
  vector<int, 8> v = 0, w = 0;
  both(v, w);
  // CHECK: kernels.cpp:[[@LINE+1]]:11: warning: 'v' is passed by reference twice; when the function writes to it the result depends on how arguments are passed
  both(v, v);
  // What is only read may be the same.
  vector_ref<int, 8> r = v.select_all();
  w = cm_max<int>(r, r);
  only(r, r);
  both(w, w.select_all());
}
