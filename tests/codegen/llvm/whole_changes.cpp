// What changes most of a value by arithmetic is computed for all of it, where registers would be cut otherwise.
// RUN: cmc %s -S -march=cpu -emit-llvm -stop-after=cpu-whole-changes -mcpu=haswell -o - | FileCheck %s
// RUN: for cpu in x86-64 haswell native; do cmrun %s kinds --threads 1x1 --cpu $cpu --arg buffer:zero=1024,out=%t.$cpu --arg buffer:in=%S/in_place.cpp || exit 1; done
// RUN: cmrun %s kinds --threads 1x1 --device gensim:skl --arg buffer:zero=1024,out=%t.gen --arg buffer:in=%S/in_place.cpp
// RUN: cmp %t.x86-64 %t.gen && cmp %t.haswell %t.gen && cmp %t.native %t.gen
#include <cm/cm.h>

// Running sums: each step moves one value and adds, and the next reads what it left.
// CHECK-LABEL: define {{.*}} @running.thread(
// CHECK: [[MOVED:%.*]] = call <32 x i32> @llvm.genx.wrregioni.v32i32.v31i32{{.*}}(<32 x i32> zeroinitializer, <31 x i32>
// CHECK: [[SUM:%.*]] = add <32 x i32> {{.*}}, [[MOVED]]
// CHECK: [[LOW:%.*]] = call <30 x i32> @llvm.genx.rdregioni.v30i32.v32i32{{.*}}(<32 x i32> [[SUM]], i32 0, i32 30, i32 1, i16 0,
// CHECK: [[AGAIN:%.*]] = call <32 x i32> @llvm.genx.wrregioni.v32i32.v30i32{{.*}}(<32 x i32> zeroinitializer, <30 x i32> [[LOW]]
// CHECK: add <32 x i32> [[SUM]], [[AGAIN]]
// CHECK: ret void
extern "C" _GENX_MAIN_ void running(SurfaceIndex data) {
  vector<uint, 32> v;
  read(data, 0, v);
  v.select<31, 1>(1) += v.select<31, 1>(0);
  v.select<30, 1>(2) += v.select<30, 1>(0);
  write(data, 0, v);
}

// Floats keep their bits where nothing is added: -0 and denormals are no sums of themselves and 0.
// CHECK-LABEL: define {{.*}} @floats.thread(
// CHECK: [[SUM:%.*]] = fadd {{.*}}<32 x float> [[OLD:%.*]],
// CHECK: select <32 x i1> <i1 false, i1 true, {{.*}}>, <32 x float> [[SUM]], <32 x float> [[OLD]]
// CHECK: ret void
extern "C" _GENX_MAIN_ void floats(SurfaceIndex data) {
  vector<float, 32> v;
  read(data, 0, v);
  v.select<31, 1>(1) += v.select<31, 1>(0);
  write(data, 0, v);
}

// Whole registers stay as they are, and so do a few elements of many, and divisions, which nobody asked for.
// CHECK-LABEL: define {{.*}} @others.thread(
// CHECK-NOT: wrregioni{{.*}} zeroinitializer
// CHECK: ret void
extern "C" _GENX_MAIN_ void others(SurfaceIndex data) {
  vector<uint, 32> v;
  read(data, 0, v);
  v.select<16, 1>(16) += v.select<16, 1>(0);
  v.select<3, 1>(1) += v.select<3, 1>(0);
  v.select<31, 1>(1) /= v.select<31, 1>(0);
  write(data, 0, v);
}

// So do elements that come of others: of another vector, or from elsewhere in the same.
// CHECK-LABEL: define {{.*}} @elsewhere.thread(
// CHECK-NOT: wrregioni{{.*}} zeroinitializer
// CHECK: ret void
extern "C" _GENX_MAIN_ void elsewhere(SurfaceIndex data) {
  vector<uint, 32> v, u;
  read(data, 0, v);
  read(data, 128, u);
  v.select<31, 1>(1) = u.select<31, 1>(1) + u.select<31, 1>(0);
  write(data, 0, v);
  u.select<30, 1>(1) = u.select<30, 1>(2) + v.select<30, 1>(0);
  write(data, 128, u);
}

// All kinds, whose results are the same on every device.
extern "C" _GENX_MAIN_ void kinds(SurfaceIndex out, SurfaceIndex in) {
  vector<uint, 32> v, u;
  read(in, 0, v);
  u = v;
  v.select<31, 1>(1) += v.select<31, 1>(0);
  v.select<30, 1>(2) -= v.select<30, 1>(0);
  v.select<16, 2>(1) ^= v.select<16, 2>(0);
  v.select<17, 1>(3) *= u.select<17, 1>(15);
  v.select<29, 1>(1) <<= u.select<29, 1>(2) & 7;
  v.select<31, 1>(0) &= v.select<31, 1>(1) | 0xff00ff;
  write(out, 0, v);
  matrix<ushort, 8, 16> m = 0;
#pragma unroll
  for (int i = 0; i < 8; i++)
    m.row(i) = u.select<16, 1>(i) >> i;
  m.select<8, 1, 15, 1>(0, 1) += m.select<8, 1, 15, 1>(0, 0);
  m.select<7, 1, 14, 1>(1, 2) += m.select<7, 1, 14, 1>(0, 0);
  m.select<8, 1, 8, 2>(0, 1) -= m.select<8, 1, 8, 2>(0, 0);
  vector<uint, 64> words = m.format<uint>();
  write(out, 128, words.select<32, 1>(0));
  write(out, 256, words.select<32, 1>(32));
  vector<float, 32> f = v & 0xffff;
  f.select<31, 1>(1) += f.select<31, 1>(0);
  f.select<30, 1>(2) *= f.select<30, 1>(1) * 0.5f;
  f.select<31, 1>(0) -= f.select<31, 1>(1);
  write(out, 512, f);
}
