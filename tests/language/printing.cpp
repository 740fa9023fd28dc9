// What kernels print appears on the host after the launch, each call in one piece (DBG-01 DBG-02 DBG-03 DBG-04 DBG-05 ERR-26 DBG-06 DBG-07 DBG-08
// DBG-09 AMB-30 CNV-25).
// RUN: cmrun %s print --threads 2x1 | FileCheck %s
// RUN: cmrun %s print --threads 2x1 --cpu x86-64 | FileCheck %s
// RUN: not cmrun %s check --threads 4x1 -D CM_ENABLE_ASSERTS=1 --arg buffer:zero=64 2>&1 | FileCheck --check-prefix=ASSERT %s
// RUN: not cmrun %s check --threads 4x1 -g --arg buffer:zero=64 2>&1 | FileCheck --check-prefix=ASSERT %s
// RUN: cmrun %s check --threads 2x1 -g --arg buffer:zero=64,out=%t.bin && od -An -v -w8 -td4 -N8 %t.bin | FileCheck --check-prefix=FINE %s
// RUN: cmrun %s check --threads 4x1 --arg buffer:zero=64 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: not cmc %s -DWRONG -o %t.isa 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: cmrun %s record --threads 1x1 --arg buffer:zero=128,out=%t.record && od -An -v -c -j16 -N64 %t.record | FileCheck --check-prefix=RECORD %s
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void print() {
  half h = 1.5f;
  vector<short, 4> v = -7;
  if (get_thread_origin_x() == 0)
    printf("hello %d %s %.2f %c%% %u %llx\n", -42, "world", 2.5, 'x', 4000000000u, 0x123456789abull);
  else
    cm_printf("half %g short %d float %5.1f\n", h, v(2), 3.25f);
  // CHECK-DAG: hello -42 world 2.50 x% 4000000000 123456789ab
  // CHECK-DAG: half 1.5 short -7 float   3.2
  int bytes = cmprint("%d\n", 5);
  cmprint("bytes %d\n", bytes);
  // CHECK-DAG: bytes 48
  cm_input(bytes);
  cm_output(v);
}

extern "C" _GENX_MAIN_ void check(SurfaceIndex out) {
  int x = get_thread_origin_x();
  cm_assert(x != 2);
  // ASSERT: cmrun: error: kernel 'check': {{.*}}printing.cpp:[[@LINE-1]]: assertion failed: x != 2, thread (2, 0)
  // QUIET-NOT: assertion
  write(out, x, x + 1);
  // FINE: 1 2
}

extern "C" _GENX_MAIN_ void record(SurfaceIndex out) {
  write(out, 0u, 16u);
  fprintf(out, "first");
  cm_fprintf(out, "second %d", 1);
  cmfprint(out, "third");
  // RECORD: f i r s t
  // RECORD: s e c o n d
}

#ifdef WRONG
extern "C" _GENX_MAIN_ void wrong(vector<int, 4> v) {
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: arguments are scalars and string literals; print the elements of a vector one by one
  printf("%d\n", v);
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: a format of 128 characters; it has less than 128
  printf("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456\n");
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} is deprecated: labels have no effect
  cm_label(1);
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the hardware's thread monitor (events) is not supported
  signal_event(1);
}
#endif
