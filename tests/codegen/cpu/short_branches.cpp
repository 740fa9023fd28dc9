// A few instructions under a mask have no branch around them; what is long, reads memory or divides has one.
// RUN: cmc %s -S -march=cpu -stop-after=cpu-short-branches -o - | FileCheck %s
// RUN: cmc %s -S -march=cpu -stop-after=cpu-hoist-views -o - | FileCheck --check-prefix=BEFORE %s
#include <cm/cm.h>

// BEFORE-LABEL: ; kernel few
// BEFORE: br i1 %{{.*}}, label %if.end
// BEFORE: mul <16 x i32>
// CHECK-LABEL: ; kernel few
// CHECK: {{^}}do.body
// CHECK: mul <16 x i32>
// CHECK-NOT: br i1
// CHECK: select <16 x i1>
// CHECK-NOT: br i1
// CHECK: lshr <16 x i32>
// CHECK: br i1 %{{.*}}, label %do.body
// CHECK-LABEL: ; kernel many
extern "C" _GENX_MAIN_ void few(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> x;
  read(in, 0, x);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((x & 1) == 1) {
      x = x * 3 + 1;
    } SIMD_ELSE {
      x = x >> 1;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// CHECK: br i1 %{{.*}}, label %{{.*}}, label %for.body
// CHECK: {{^}}for.body
// CHECK-NEXT: mul <16 x i32>
// CHECK-LABEL: ; kernel memory
extern "C" _GENX_MAIN_ void many(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> x, y;
  read(in, 0, x);
  y = x;
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((x & 1) == 1) {
#pragma unroll
      for (int i = 0; i < 6; i++)
        x = x * y + (x >> 7);
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// CHECK: br i1 %{{.*}}, label %{{.*}}, label %if.then
// CHECK: {{^}}if.then
// CHECK: gather
// CHECK-LABEL: ; kernel divided
extern "C" _GENX_MAIN_ void memory(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> x, y;
  read(in, 0, x);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((x & 1) == 1) {
      read(in, 64, x, y);
      x = y;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// CHECK: br i1 %{{.*}}, label %{{.*}}, label %if.then
// CHECK: {{^}}if.then
// CHECK-NEXT: udiv <16 x i32>
// CHECK-LABEL: ; kernel remainder
extern "C" _GENX_MAIN_ void divided(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<uint, 16> x;
  read(in, 0, x);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((x & 1) == 1) {
      x = x / 7;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// CHECK: br i1 %{{.*}}, label %{{.*}}, label %if.then
// CHECK: {{^}}if.then
// CHECK-NEXT: srem <16 x i32>
// CHECK-LABEL: ; kernel quotient
extern "C" _GENX_MAIN_ void remainder(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<int, 16> x;
  read(in, 0, x);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN((x & 1) == 1) {
      x = x % 7;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// CHECK: br i1 %{{.*}}, label %{{.*}}, label %if.then
// CHECK: {{^}}if.then
// CHECK: fdiv {{.*}}<16 x float>
// CHECK-LABEL: ; kernel whole
extern "C" _GENX_MAIN_ void quotient(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]]) {
  vector<float, 16> x, y;
  read(in, 0, x);
  read(in, 64, y);
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN(x > 1) {
      x = x / y;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(out, 0, x);
}

// Where no channel stands for what the branch asks, it decides about whole values.
// CHECK: select i1 %{{.*}}, <16 x i32>
extern "C" _GENX_MAIN_ void whole(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], ushort bits) {
  vector<uint, 16> x;
  read(in, 0, x);
  if (bits & 0xff)
    x = x * 3 + 1;
  write(out, 0, x);
}
