// Blocks that are read into parts of a matrix go to the registers of the matrix, without a move.
// RUN: cmc -march=SKL -S %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: .kernel "table"
// CHECK: .decl [[LOW:V[0-9]+]] v_type=G type={{.*}} num_elts=32 alias=<[[TABLE:V[0-9]+]], 0>
// CHECK: .decl [[HIGH:V[0-9]+]] v_type=G type={{.*}} num_elts=32 alias=<[[TABLE]], 128>
// CHECK: oword_ld (8) {{.*}} [[LOW]].0
// CHECK-NOT: mov (M1, 16)
// CHECK: oword_ld (8) {{.*}} [[HIGH]].0
// CHECK-NOT: mov (M1, 16)
// CHECK: r[A
extern "C" _GENX_MAIN_ void table(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<int, 64> t;
  read(in, 0, t.select<32, 1>(0));
  read(in, 128, t.select<32, 1>(32));
  write(out, 0, vector<int, 8>(t.select<8, 1>(at)));
}

// What lies at no register's beginning is moved.
// CHECK-LABEL: .kernel "apart"
// CHECK: oword_ld (2) {{.*}} [[PART:V[0-9]+]]_ud.0
// CHECK: mov (M1, 8) V{{.*}} [[PART]](0,0)<1;1,0>
extern "C" _GENX_MAIN_ void apart(SurfaceIndex in, SurfaceIndex out, int at) {
  vector<int, 64> t = at;
  read(in, 0, t.select<8, 1>(4));
  write(out, 0, vector<int, 8>(t.select<8, 1>(at)));
}
