// The variables of the source are listed with kernel, type, line, size and the lines that choose elements by an index;
// those of inlined functions too, those of the language's headers not. Without debug information there is no list.
// RUN: cmc -g -S -emit-llvm %s -o - | FileCheck %s
// RUN: cmc -g -disable-pass=note-variables -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: cmc -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: pocm.variables
#include <cm/cm.h>

_GENX_ inline int helper(int n) {
  int row[6];
  for (int j = 0; j < 6; ++j)
    row[j] = j * n;
  return row[n & 3];
}

extern "C" _GENX_MAIN_ void k(SurfaceIndex s, int i) {
  vector<float, 16> v;
  float table[40];
  read(s, 0, v);
  for (int n = 0; n < 16; ++n)
    table[n] = v(n);
  v(0) = table[i & 31] + helper(i);
  write(s, 0, v);
}

// CHECK-DAG: !{ptr @k, !"row", !"", !"int[6]", !"{{.*}}note_variables.cpp", i32 10, i32 24, !"12 13",
// CHECK-DAG: !{ptr @k, !"j", !"", !"int", !"{{.*}}note_variables.cpp", i32 11, i32 4, !"",
// CHECK-DAG: !{ptr @k, !"i", !"", !"int", !"{{.*}}note_variables.cpp", i32 16, i32 4, !"", i32 4, !"a kernel's argument"}
// CHECK-DAG: !{ptr @k, !"v", !"", !"vector<float, 16>", !"{{.*}}note_variables.cpp", i32 17, i32 64, !"21", i32 0, !"vectors and matrices live in registers"}
// CHECK-DAG: !{ptr @k, !"table", !"", !"float[40]", !"{{.*}}note_variables.cpp", i32 18, i32 160, !"21 22",
