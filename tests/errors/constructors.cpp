// Functions that are to run by themselves: those before a kernel do, like initialisers; others are refused.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck %s --implicit-check-not=error:
#include <cm/cm.h>

static int value;
__attribute__((constructor)) void before() { value = 3; }

// CHECK: constructors.cpp:[[@LINE+1]]:58: error: kernel 'itself' is a constructor; only hosts launch kernels
extern "C" _GENX_MAIN_ __attribute__((constructor)) void itself(SurfaceIndex out) {
  vector<int, 8> v = value;
  write(out, 0, v);
}

// CHECK: constructors.cpp:[[@LINE+1]]:35: error: function 'given' is a constructor and takes arguments, which nobody gives it
__attribute__((constructor)) void given(int x) { value = x; }

// CHECK: constructors.cpp:[[@LINE+1]]:34: error: function 'after' is a destructor; nothing runs when a kernel has ended
__attribute__((destructor)) void after() { value = 4; }
