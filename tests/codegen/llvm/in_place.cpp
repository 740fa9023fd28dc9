// Vectors whose elements are chosen at run time are changed in memory; others stay in registers.
// RUN: cmc %s -S -march=cpu -mcpu=skylake-avx512 -emit-llvm -o - | FileCheck %s
#include <cm/cm.h>

// One load and one store for each count, and nothing of the other 255.
// CHECK-LABEL: ; kernel histogram
// CHECK: %[[H:.*]] = alloca [1088 x i8], align 64
// CHECK: {{^}}for.body{{.*}}:
// CHECK-NOT: <16 x i32>
// CHECK: %[[AT:.*]] = getelementptr {{.*}}i32, ptr %[[H]], i64
// CHECK-NEXT: %[[OLD:.*]] = load i32, ptr %[[AT]]
// CHECK-NEXT: %[[NEW:.*]] = add i32 %[[OLD]], 1
// CHECK-NEXT: store i32 %[[NEW]], ptr %[[AT]]
// CHECK-NOT: <16 x i32>
// CHECK: br i1 %cmp{{.*}}, label %for.body
extern "C" _GENX_MAIN_ void histogram(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 256> h = 0;
  for (int i = 0; i < n; i++) {
    vector<uchar, 16> p;
    read(in, i * 16, p);
    h(p(0)) += 1;
  }
  write(out, 0, h.select<32, 1>(0));
}

// A change under a condition is a change to what was there.
// CHECK-LABEL: ; kernel conditional
// CHECK: %[[V:.*]] = alloca [320 x i8], align 64
// CHECK: {{^}}for.body{{.*}}:
// CHECK-NOT: <16 x i32>
// CHECK: getelementptr {{.*}}i32, ptr %[[V]], i64
// CHECK-NOT: <16 x i32>
// CHECK: br i1 %cmp{{.*}}, label %for.body
extern "C" _GENX_MAIN_ void conditional(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 64> v = 0;
  for (int i = 0; i < n; i++) {
    vector<uint, 4> p;
    read(in, i * 16, p);
    if (p(1) > 7)
      v(p(0) & 63) += p(2);
  }
  write(out, 0, v.select<32, 1>(0));
}

// A table that nobody changes is stored once, in front of the loop.
// CHECK-LABEL: ; kernel table
// CHECK-COUNT-4: store <16 x float>
// CHECK: {{^}}for.body{{.*}}:
// CHECK-NOT: store <16 x float>
// CHECK: load float, ptr
extern "C" _GENX_MAIN_ void table(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<float, 64> t;
  read(in, 0, t.select<32, 1>(0));
  read(in, 128, t.select<32, 1>(32));
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += t((i * 5) & 63);
  vector<float, 4> all = sum;
  write(out, 0, all);
}

// One of constants is in memory already.
// CHECK-LABEL: ; kernel constants
// CHECK: @[[TABLE:.*]] = private unnamed_addr constant <32 x i32>
// CHECK-NOT: store <
// CHECK: getelementptr {{.*}}i32, ptr @[[TABLE]]
extern "C" _GENX_MAIN_ void constants(SurfaceIndex out, int n) {
  vector<int, 32> t{0, 3};
  cm_svm_scatter_write<int, 1>(vector<svmptr_t, 1>(svmptr_t(n)), vector<int, 1>(t(n & 31)));
}

// What is computed as a whole in the loop, and chosen from behind it, stays in registers there.
// CHECK-LABEL: ; kernel whole
// CHECK: phi <16 x float>
// CHECK-NOT: store <16 x float>
// CHECK: br i1 %cmp{{.*}}, label %for.body
// CHECK: store <16 x float>
extern "C" _GENX_MAIN_ void whole(SurfaceIndex in, SurfaceIndex out, int n, int k) {
  vector<float, 32> v = 0;
  for (int i = 0; i < n; i++) {
    vector<float, 32> p;
    read(in, i * 128, p);
    v = v * 0.5f + p;
  }
  vector<float, 4> one = v(k & 31);
  write(out, 0, one);
}

// What one object in memory takes from another is read where that one was changed.
// CHECK-LABEL: ; kernel two_objects
// CHECK: alloca [128 x i8], align 64
// CHECK: alloca [448 x i8], align 64
// CHECK: ret
extern "C" _GENX_MAIN_ void two_objects(SurfaceIndex s, uint i) {
  vector<int, 96> w = 0;
  read(s, 0, w.select<32, 1>(0));
  vector<uchar, 64> u = w.format<uchar>()(112);
  if (i > 3)
    w.select<4, 1>(i) = w.select<4, 1>(i + 1) * 3;
  for (uint k = 0; k < 5; k++)
    u.select<42, 1>((i + k) & 15) = k;
  write(s, 0, w.select<32, 1>(0));
  write(s, 128, u);
}

// Elements at offsets of their own are gathered at once.
// CHECK-LABEL: ; kernel each
// CHECK: %[[AT:.*]] = and <16 x i16> {{.*}}, splat (i16 1020)
// CHECK: %[[WHERE:.*]] = zext nneg <16 x i16> %[[AT]] to <16 x i64>
// CHECK: getelementptr i8, ptr %{{.*}}, <16 x i64> %[[WHERE]]
// CHECK: call <16 x float> @llvm.masked.gather.v16f32
extern "C" _GENX_MAIN_ void each(SurfaceIndex s, uint i) {
  vector<float, 256> t;
  vector<ushort, 16> where;
  read(s, 0, t.select<32, 1>(0));
  t(i) = 1;
  read(s, 128, where);
  write(s, 0, vector<float, 16>(t.iselect(where)));
}
