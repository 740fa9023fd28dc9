// A kernel that walks across the rows of a surface is walked in tiles: two loops more.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel across
// CHECK-DAG: {{^}}tile.row:
// CHECK-DAG: {{^}}tile:
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void across(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uint, 4, 4> m, t;
  read(in, x * 16, y * 4, m);
#pragma unroll
  for (int i = 0; i < 4; i++)
    t.row(i) = m.column(i);
  write(out, y * 16, x * 4, t);
}

// Row by row is the order of what follows the rows.
// CHECK-LABEL: ; kernel along
// CHECK-NOT: tile.row
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void along(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  matrix<uint, 4, 4> m;
  read(in, x * 16, y * 4, m);
  write(out, x * 16, y * 4, m);
}

// A number that both coordinates make is no walk across.
// CHECK-LABEL: ; kernel counted
// CHECK-NOT: tile.row
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void counted(SurfaceIndex in, SurfaceIndex out, int width) {
  int n = get_thread_origin_y() * width + get_thread_origin_x();
  matrix<uint, 4, 4> m;
  read(in, 0, n * 4, m);
  write(out, 0, n * 4, m);
}

// Rows of threads share what their y chooses of `a`, columns what their x chooses of `b`: tiles of tiles of tiles.
// CHECK-LABEL: ; kernel product
// CHECK-COUNT-3: {{^}}tile.row{{[0-9]*}}:
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void product(SurfaceIndex a, SurfaceIndex b, SurfaceIndex c, int depth) {
  int x = get_thread_origin_x(), y = get_thread_origin_y();
  vector<float, 16> sum = 0, m, n;
  for (int k = 0; k < depth; k++) {
    read(a, (y * depth + k) * 64, m);
    read(b, (x * depth + k) * 64, n);
    sum += m * n;
  }
  write(c, (y * 64 + x) * 64, sum);
}
