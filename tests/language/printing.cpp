// What kernels print appears on the host after the launch, each call in one piece (DBG-01 DBG-02 DBG-03 DBG-04 DBG-05 ERR-26 DBG-06 DBG-07 DBG-08
// DBG-09 AMB-30 CNV-25).
// REQUIRES: no-sanitizer
// RUN: cmrun %s print --threads 2x1 | FileCheck %s
// RUN: cmrun %s print --threads 2x1 --cpu x86-64 | FileCheck %s
// RUN: for d in $(echo skl pvc | %some 2); do cmrun %s print --threads 2x1 --device gensim:$d | FileCheck %s || exit 1; done
// RUN: cmrun %s any --threads 1x1 | FileCheck --check-prefix=ANY %s
// RUN: not cmrun %s check --threads 4x1 -D CM_ENABLE_ASSERTS=1 --arg buffer:zero=64 2>&1 | FileCheck --check-prefix=ASSERT %s
// RUN: not cmrun %s check --threads 4x1 -g --arg buffer:zero=64 2>&1 | FileCheck --check-prefix=ASSERT %s
// RUN: for d in $(echo skl tgllp dg2 pvc | %some 4); do not cmrun %s check --threads 4x1 --device gensim:$d -g --arg buffer:zero=64 2>&1 | FileCheck --check-prefix=ASSERT %s || exit 1; done
// RUN: cmrun %s check --threads 2x1 -g --arg buffer:zero=64,out=%t.bin && od -An -v -w8 -td4 -N8 %t.bin | FileCheck --check-prefix=FINE %s
// RUN: cmrun %s check --threads 4x1 --arg buffer:zero=64 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: not cmc %s -DWRONG -o %t.isa 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: cmrun %s record --threads 1x1 --arg buffer:zero=128,out=%t.record && od -An -v -c -j16 -N64 %t.record | FileCheck --check-prefix=RECORD %s
#include <cm/cm.h>

// A conversion for values of any type.
extern "C" _GENX_MAIN_ void any() {
  vector<float, 4> f = 1.5f;
  f(2) = -3;
  matrix<short, 2, 2> m = -7;
  vector<uchar, 2> b = 250;
  printf("%v|%v|%v|%3v|%v%%\n", f, b, "text", 5, half(0.25f));
  // ANY: 1.5 1.5 -3 1.5|250 250|text|  5|0.25%
  printf("%v\n", m);
  // ANY-NEXT: -7 -7
  // ANY-NEXT: -7 -7
}

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

// A vector or matrix is printed whole by its conversion.
// RUN: cmrun %s objects --threads 1x1 | FileCheck --check-prefix=OBJECTS %s
// RUN: cmrun %s objects --threads 1x1 --device check | FileCheck --check-prefix=OBJECTS %s
// RUN: for d in $(echo skl tgllp dg2 | %some 3); do cmrun %s objects --threads 1x1 --device gensim:$d | FileCheck --check-prefix=OBJECTS %s || exit 1; done
extern "C" _GENX_MAIN_ void objects() {
  vector<int, 5> v = {1, -2, 3, -4, 5};
  vector<uchar, 3> bytes = 200;
  vector<half, 2> h = 0.5f;
  matrix<float, 2, 3> m = {1, 2.5f, 3, 4, 5, 6};
  vector<unsigned long long, 2> wide = 0x123456789abull;
  printf("v %d|%3d|%x\n", v, v.select<2, 2>(1), v(0));
  printf("%u %g %s\n%.1f\nafter %d\n", bytes, h, "text", m, 7);
  printf("%d %llx\n", m.row(1), wide);
  vector<short, 37> many;
  for (int i = 0; i < 37; ++i)
    many(i) = i;
  vector<ushort, 4> mask = v.select<4, 1>(0) > 0;
  printf("%d; %d; %f\n", many, mask, vector<double, 1>(0.25));
  // OBJECTS: {{^}}v 1 -2 3 -4 5| -2  -4|1{{$}}
  // OBJECTS-NEXT: {{^}}200 200 200 0.5 0.5 text{{$}}
  // OBJECTS-NEXT: {{^}}1.0 2.5 3.0{{$}}
  // OBJECTS-NEXT: {{^}}4.0 5.0 6.0{{$}}
  // OBJECTS-NEXT: {{^}}after 7{{$}}
  // OBJECTS-NEXT: {{^}}4 5 6 123456789ab 123456789ab{{$}}
  // OBJECTS-NEXT: {{^}}0 1 2 {{.*}} 34 35 36; 1 0 1 0; 0.250000{{$}}
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

// Formats and strings of any length, in pieces of a message.
// RUN: cmrun %s lengths --threads 1x1 | FileCheck --check-prefix=LONG %s
// RUN: cmrun %s lengths --threads 1x1 | awk '{ print length($0) }' | FileCheck --check-prefix=LENGTH %s
// RUN: cmrun %s lengths --threads 1x1 --device check | FileCheck --check-prefix=LONG %s
// RUN: for d in $(echo skl pvc | %some 2); do cmrun %s lengths --threads 1x1 --device gensim:$d | FileCheck --check-prefix=LONG %s || exit 1; done
#define TEN "abcdefghij"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define EIGHT_HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
extern "C" _GENX_MAIN_ void lengths() {
  printf("|%d" HUNDRED "123456789012345678901%d\n", 1, 2); // 127 characters: one piece with its end
  printf("|%d" HUNDRED "1234567890123456789012%d\n", 1, 2);
  printf("|%d" HUNDRED "12345678901234567890123%d\n", 1, 2);
  printf("|" EIGHT_HUNDRED "%d" EIGHT_HUNDRED "%s%c|\n", 7, EIGHT_HUNDRED "end", 'x');
  printf("%900d|%.3s\n", 5, "abcdef");
  // LONG: {{^}}|1[[H:(abcdefghij)+]]1234567890123456789012{{$}}
  // LONG-NEXT: {{^}}|1[[H]]12345678901234567890122{{$}}
  // LONG-NEXT: {{^}}|1[[H]]123456789012345678901232{{$}}
  // LONG-NEXT: {{^}}|{{(abcdefghij)+}}7{{(abcdefghij)+}}endx|{{$}}
  // LONG-NEXT: {{^ +}}5|abc{{$}}
  // LENGTH: 124
  // LENGTH-NEXT: 125
  // LENGTH-NEXT: 126
  // LENGTH-NEXT: 2407
  // LENGTH-NEXT: 904
}

#ifdef WRONG
extern "C" _GENX_MAIN_ void wrong(vector<int, 4> v) {
  struct pair {
    int a, b;
  } two = {1, 2};
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: arguments are scalars, vectors, matrices and string literals
  printf("%d\n", two);
#define TEXT_64 "0123456789012345678901234567890123456789012345678901234567890123"
#define TEXT_512 TEXT_64 TEXT_64 TEXT_64 TEXT_64 TEXT_64 TEXT_64 TEXT_64 TEXT_64
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: a format of 2048 characters; it has less than 2048
  printf(TEXT_512 TEXT_512 TEXT_512 TEXT_512);
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: printf: a string of 2048 characters or more
  printf("%s", TEXT_512 TEXT_512 TEXT_512 TEXT_512);
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}} is deprecated: labels have no effect
  cm_label(1);
  // WRONG-DAG: printing.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the hardware's thread monitor (events) is not supported
  signal_event(1);
}
#endif
