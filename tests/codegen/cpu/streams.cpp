// Whole cache lines of surfaces that a kernel only writes are written around the cache, when the device and the
// addresses allow it; then they are there when the walk returns.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -mcpu=haswell -emit-llvm -o - | FileCheck --check-prefix=HASWELL %s
#include <cm/cm.h>

// CHECK-LABEL: ; kernel lines
// CHECK-DAG: store <16 x i32> %{{.*}}, ptr %{{.*}}, align 64, !nontemporal
// CHECK-DAG: store <16 x i32> %{{.*}}, ptr %{{.*}}, align 1{{$|, !dbg}}
// CHECK-DAG: call void @llvm.x86.sse.sfence()
// CHECK: !llvm.ident
// HASWELL-LABEL: ; kernel lines
// HASWELL-DAG: store <8 x i32> %{{.*}}, ptr %{{.*}}, align 32, !nontemporal
// HASWELL-DAG: call void @llvm.x86.sse.sfence()
extern "C" _GENX_MAIN_ void lines(SurfaceIndex out, uint value) {
  vector<uint, 16> v = value + get_thread_origin_x();
  write(out, get_thread_origin_x() * 64, v);
}

// CHECK-LABEL: ; kernel half_lines
// CHECK-NOT: nontemporal
// CHECK-NOT: sfence
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void half_lines(SurfaceIndex out, uint value) {
  vector<uint, 8> v = value;
  write(out, get_thread_origin_x() * 32, v);
}

// CHECK-LABEL: ; kernel read_too
// CHECK-NOT: nontemporal
// CHECK-NOT: sfence
// CHECK: !llvm.ident
extern "C" _GENX_MAIN_ void read_too(SurfaceIndex out) {
  vector<uint, 16> v;
  read(out, get_thread_origin_x() * 64, v);
  v += 1;
  write(out, get_thread_origin_x() * 64, v);
}
