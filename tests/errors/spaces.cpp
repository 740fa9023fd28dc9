// Address spaces (USM-02 USM-04 USM-05 USM-06 USM-09): pointers of one are none of another's, and variables stand where
// there is memory for them.
// RUN: not cmc %s -o %t.isa 2>&1 | FileCheck --implicit-check-not=cm/detail %s
// RUN: not cmc -DADDRESS %s -o %t.isa 2>&1 | FileCheck --check-prefix=ADDRESS %s
// RUN: not cmc -DLARGE %s -o %t.isa 2>&1 | FileCheck --check-prefix=LARGE %s
#include <cm/cm.h>

#ifdef ADDRESS
__global int cell;
__global int *__global place = &cell;
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out) { write(out, 0, vector<int, 4>(place[0])); }
// ADDRESS: error: the initial value of 'place' holds an address, which is not known before the program runs; assign it in a kernel
#elif defined(LARGE)
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out, int n) {
  cm_slm_init(65536);
  __local int much[20000];
  much[n] = n;
}
// LARGE: error: kernel 'kernel' has 145536 bytes of shared local memory, its __local variables and cm_slm_init together; there are 131072
#else

// CHECK-DAG: spaces.cpp:[[@LINE+1]]:13: error: __local variable 'lost' is not in the outermost scope of a kernel; declare it there and pass its address
__local int lost;
// CHECK-DAG: spaces.cpp:[[@LINE+1]]:16: error: variable in constant address space must be initialized
__constant int empty[4];
// CHECK-DAG: spaces.cpp:[[@LINE+1]]:27: error: the initial value of 'none' is not known before the program runs
__constant vector<int, 4> none;
_GENX_ int six() { return 6; }
// CHECK-DAG: spaces.cpp:[[@LINE+1]]:14: error: the initial value of 'dynamic' is not known before the program runs; assign it in a kernel
__global int dynamic = six();
extern "C" _GENX_MAIN_ void kernel(SurfaceIndex out, __global int *data, __constant int *fixed, int n) {
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:26: error: __local variable 'filled' is initialized; assign to it, and let the group's threads meet at a barrier
  __local vector<int, 4> filled = 3;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:15: error: '__local' variable cannot have an initializer
  __local int set = 3;
  __local int cell;
  if (n) {
    // CHECK-DAG: spaces.cpp:[[@LINE+1]]:17: error: __local variable 'inner' is not in the outermost scope of a kernel
    __local int inner;
  }
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:16: error: automatic variable qualified with an address space
  __global int automatic;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:27: error: variable 'lanes' of a named address space is local to its function; declare it static, or at file scope
  __global vector<int, 4> lanes;
  __generic int *g = data;
  g = &cell;
  g = &n;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:16: error: cannot initialize a variable of type '__local int *' with an lvalue of type '__global int *'
  __local int *l = data;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:17: error: cannot initialize a variable of type '__global int *' with an lvalue of type '__generic int *'
  __global int *p = g;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:7: error: assigning '{{.*}}__constant int *' to '{{.*}}__generic int *' changes address space of pointer
  g = fixed;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:8: error: cannot initialize a variable of type 'int *' with an lvalue of type '__global int *'
  int *q = data;
  __global int *cast = (__global int *)g;
  // CHECK-DAG: spaces.cpp:[[@LINE+1]]:3: error: scatter: constant memory cannot be written
  scatter<int, 4>(vector<int, 4>(1), vector<__constant int *, 4>(fixed));
}
#endif
