// The paper's linear filter becomes nine region reads of 6x24 from one 8x32 value, one media read and one media write.
// RUN: cmc %examples/linear/linear_genx.cpp -S -o - | FileCheck %s

// CHECK-LABEL: define spir_func void @linear(i32 %inBuf, i32 %outBuf)
// CHECK:       [[IN:%.*]] = call <256 x i8> @llvm.genx.media.ld.v256i8(i32 0, i32 %inBuf, i32 0, i32 32,
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 35, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 0, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 3, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 6, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 32, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 38, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 64, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 67, i32 undef)
// CHECK:       rdregioni.v144i8.v256i8.i16(<256 x i8> [[IN]], i32 32, i32 24, i32 1, i16 70, i32 undef)
// CHECK-NOT:   rdregion
// CHECK-NOT:   alloca
// CHECK:       call void @llvm.genx.media.st.v192i8(i32 0, i32 %outBuf, i32 0, i32 24,
// CHECK-NEXT:  ret void

// The sliding window resolves in.row(i % 3): no storage and no run-time offset is left.
// CHECK-LABEL: define spir_func void @linearslide(
// CHECK-NOT:   alloca
// CHECK-NOT:   wrregioni.v96i8
// CHECK-LABEL: define spir_func void @linearslide2(

// CHECK: !genx.kernels = !{![[FIRST:[0-9]+]],
// CHECK: ![[FIRST]] = !{ptr @linear, !"linear", ![[KINDS:[0-9]+]],
// CHECK: ![[KINDS]] = !{i32 2, i32 2}
