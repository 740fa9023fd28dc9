// Rows of values that several media blocks were joined to are read where the blocks lie; what needs the value has it.
// RUN: cmc %s -S -march=cpu -stop-after=cpu-joined-blocks -o - | FileCheck %s
#include <cm/cm.h>

// CHECK-LABEL: define internal void @shifted.thread(
// CHECK-NOT: wrregion{{.*}}<352 x i8>
// CHECK: rdregion{{.*}}(<256 x i8> %{{.*}}, i32 64, i32 32, i32 1, i16 0,
// CHECK: rdregion{{.*}}(<256 x i8> %{{.*}}, i32 64, i32 32, i32 1, i16 0,
// CHECK: rdregion{{.*}}(<256 x i8> %{{.*}}, i32 64, i32 32, i32 1, i16 12,
// CHECK-NOT: wrregion{{.*}}<352 x i8>
// CHECK: {{^}}}
extern "C" _GENX_MAIN_ void shifted(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]) {
  matrix<uchar, 8, 44> m;
  read(in, 0, 0, m.select<4, 1, 44, 1>(0, 0));
  read(in, 0, 4, m.select<4, 1, 44, 1>(4, 0));
  matrix<uchar, 8, 32> sum = m.select<8, 1, 32, 1>(0, 0) + m.select<8, 1, 32, 1>(0, 12);
  write(out, 0, 0, sum);
}

// The whole value is needed, too.
// CHECK-LABEL: define internal void @whole.thread(
// CHECK: [[JOINED:%.*]] = call <256 x i8> @llvm.genx.wrregion{{.*}}(<256 x i8> %{{.*}}, <128 x i8> %{{.*}}, i16 128,
// CHECK-NEXT: rdregion{{.*}}(<256 x i8> [[JOINED]], i32 32, i32 32, i32 0, i16 3,
// CHECK-NEXT: add <256 x i8> [[JOINED]],
extern "C" _GENX_MAIN_ void whole(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]) {
  matrix<uchar, 8, 32> m;
  read(in, 0, 0, m.select<4, 1, 32, 1>(0, 0));
  read(in, 0, 4, m.select<4, 1, 32, 1>(4, 0));
  m += m.select<8, 1, 1, 1>(0, 3).replicate<8, 1, 32, 0>(0, 0);
  write(out, 0, 0, m);
}

// The surface may change between the blocks and the rows.
// CHECK-LABEL: define internal void @written.thread(
// CHECK: wrregion{{.*}}<352 x i8>
extern "C" _GENX_MAIN_ void written(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]) {
  matrix<uchar, 8, 44> m;
  read(in, 0, 0, m.select<4, 1, 44, 1>(0, 0));
  read(in, 0, 4, m.select<4, 1, 44, 1>(4, 0));
  matrix<uchar, 8, 32> zero = 0;
  write(in, 0, 0, zero);
  matrix<uchar, 8, 32> sum = m.select<8, 1, 32, 1>(0, 0) + m.select<8, 1, 32, 1>(0, 12);
  write(out, 0, 0, sum);
}

// Each row has a part of two blocks.
// CHECK-LABEL: define internal void @beside.thread(
// CHECK: wrregion{{.*}}<256 x i8>
extern "C" _GENX_MAIN_ void beside(SurfaceIndex in [[type("image2d_t")]], SurfaceIndex out [[type("image2d_t")]]) {
  matrix<uchar, 4, 64> m;
  read(in, 0, 0, m.select<4, 1, 32, 1>(0, 0));
  read(in, 32, 0, m.select<4, 1, 32, 1>(0, 32));
  matrix<uchar, 4, 32> part = m.select<4, 1, 32, 1>(0, 16);
  write(out, 0, 0, part);
}
