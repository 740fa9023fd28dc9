// Every second element of widened ones comes from the narrow ones; the signs of words stay.
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-second-elements -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: @bytes.thread
// CHECK-NOT: sext
// CHECK: %[[pairs:.*]] = bitcast <32 x i8> {{.*}} to <16 x i16>
// CHECK-DAG: lshr <16 x i16> %[[pairs]], splat (i16 8)
// CHECK-DAG: and <16 x i16> %[[pairs]], splat (i16 255)
// CHECK-NOT: rdregion
// CHECK: call void @llvm.genx.oword.st
extern "C" _GENX_MAIN_ void bytes(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 32> a;
  read(in, 0, a);
  vector<int, 32> w = a;
  write(out, 0, vector<int, 16>(w.select<16, 2>(1) - w.select<16, 2>(0) * 3));
}

// CHECK-LABEL: @words.thread
// CHECK: %[[pairs:.*]] = bitcast <16 x i16> {{.*}} to <8 x i32>
// CHECK-DAG: ashr <8 x i32> %[[pairs]], splat (i32 16)
// CHECK-DAG: shl <8 x i32> %[[pairs]], splat (i32 16)
// CHECK-NOT: rdregion
// CHECK: call void @llvm.genx.oword.st
extern "C" _GENX_MAIN_ void words(SurfaceIndex in, SurfaceIndex out) {
  vector<short, 16> a;
  read(in, 0, a);
  vector<int, 16> w = a;
  write(out, 0, vector<int, 8>(w.select<8, 2>(1) - w.select<8, 2>(0) * 3));
}

// CHECK-LABEL: @others.thread
// CHECK: rdregion
// CHECK-NOT: bitcast
// CHECK: call void @llvm.genx.oword.st
extern "C" _GENX_MAIN_ void others(SurfaceIndex in, SurfaceIndex out) {
  vector<uchar, 32> a;
  read(in, 0, a);
  vector<int, 32> w = a;
  write(out, 0, vector<int, 8>(w.select<8, 3>(1)));
}
