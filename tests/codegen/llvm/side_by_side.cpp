// Scattered accesses at equal distances are blocks, where all of them are inside.
// RUN: cmc -S -emit-llvm -march=cpu -mcpu=skylake-avx512 -stop-after=cpu-buffers %s -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: define {{.*}}counted
// CHECK: icmp ult i64
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK: call <16 x float> @cm.region.read
// CHECK: icmp ult i64
// CHECK: call void @llvm.masked.scatter
// CHECK: ret void
extern "C" _GENX_MAIN_ void counted(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; ++i)
    at(i) = get_thread_origin_x() * 16 + i;
  vector<float, 16> v;
  read(in, n, at, v);
  at += 16;
  write(out, 0, at, vector<float, 16>(v * 2));
}

// In shared local memory, too.
// CHECK-LABEL: define {{.*}}shared
// CHECK: call <16 x i32> @cm.region.read
extern "C" _GENX_MAIN_ void shared(SurfaceIndex out) {
  cm_slm_init(4096);
  uint slm = cm_slm_alloc(4096);
  vector<uint, 16> at, v;
  for (int i = 0; i < 16; ++i)
    at(i) = cm_local_id(0) * 16 + i;
  cm_slm_read(slm, at, v);
  write(out, cm_local_id(0) * 64, v);
}

// Three of every four from one block, backwards, and all of every two to one.
// CHECK-LABEL: define {{.*}}apart
// CHECK-COUNT-3: call <16 x float> @llvm.masked.gather
// CHECK: call <63 x float> @cm.region.read
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK: call <16 x float> @cm.region.read
// CHECK: call void @cm.region.write.v32f32(ptr
// CHECK-COUNT-2: call void @llvm.masked.scatter
// CHECK-NOT: @llvm.masked
// CHECK: ret void
extern "C" _GENX_MAIN_ void apart(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; ++i)
    at(i) = get_thread_origin_x() * 16 + i;
  vector<float, 16> x, y, z, w;
  read(in, 0, vector<uint, 16>(at * 4 + 2), z);
  read(in, 0, vector<uint, 16>(at * 4), x);
  read(in, 0, vector<uint, 16>(at * 4 + 1), y);
  read(in, 0, vector<uint, 16>(100 - at), w);
  write(out, 0, vector<uint, 16>(at * 2 + 1), vector<float, 16>(x + y));
  write(out, 0, vector<uint, 16>(at * 2), vector<float, 16>(z - w));
}

// Under a mask, where that leaves nobody out.
// CHECK-LABEL: define {{.*}}masked
// CHECK: call i1 @llvm.vector.reduce.and.v16i1
// CHECK: call <16 x float> @llvm.masked.gather
// CHECK: call <16 x float> @cm.region.read
// CHECK: call void @cm.region.write.v16f32
// CHECK: call void @llvm.masked.scatter
// CHECK-NOT: @llvm.masked
// CHECK: ret void
extern "C" _GENX_MAIN_ void masked(SurfaceIndex in, SurfaceIndex out, uint n) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; ++i)
    at(i) = get_thread_origin_x() * 16 + i;
  vector<float, 16> x;
  SIMD_IF_BEGIN(at < n) {
    read(in, 0, at, x);
    write(out, 0, at, vector<float, 16>(x * 2));
  }
  SIMD_IF_END;
}

// Too far apart, with gaps.
// CHECK-LABEL: define {{.*}}others
// CHECK-NOT: @cm.region.read
// CHECK-COUNT-2: @llvm.masked.scatter
// CHECK-NOT: @llvm.masked.scatter
// CHECK: ret void
extern "C" _GENX_MAIN_ void others(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 16> at;
  for (int i = 0; i < 16; ++i)
    at(i) = get_thread_origin_x() * 16 + i;
  vector<float, 16> v, w;
  read(in, 0, vector<uint, 16>(at * 9), v);
  read(in, 0, vector<uint, 16>(at * 100), w);
  write(out, 0, vector<uint, 16>(at * 3), vector<float, 16>(v + w));
  write(out, 0, vector<uint, 16>(at * 3 + 2), v);
}
