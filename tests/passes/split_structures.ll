; An array of structures becomes an array of each member, whose elements lie side by side.
; RUN: cm-opt --passes=split-structures %s | FileCheck %s

%pair = type { float, i16 }

; All of one member, one chosen at run time, one of a structure before it.
; CHECK-LABEL: @members(
; CHECK: %[[X:.*]] = alloca [16 x float]
; CHECK: %[[N:.*]] = alloca [16 x i16]
; CHECK: call void @llvm.lifetime.start.p0(ptr %[[X]])
; CHECK: call void @llvm.lifetime.start.p0(ptr %[[N]])
; CHECK: %[[ALL:.*]] = getelementptr i8, ptr %[[X]], i64 0
; CHECK: call <16 x float> @cm.region.read.v16f32(ptr %[[ALL]], i64 0, i32 16, i32 1, i32 0)
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr %[[N]], i64 2
; CHECK: call void @cm.region.write.v4i16(ptr %[[SECOND]], <4 x i16> %w, i64 4, i32 1, i32 1)
; CHECK: %[[I:.*]] = sext i32 %i to i64
; CHECK: %[[AT:.*]] = getelementptr i16, ptr %[[N]], i64 %[[I]]
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %[[AT]], i64 4
; CHECK: load i16, ptr %[[PLACE]], align 2
define i16 @members(i32 %i, <4 x i16> %w, ptr %to) {
  %q = alloca [16 x %pair], align 16
  call void @llvm.lifetime.start.p0(ptr %q)
  %x = call <16 x float> @cm.region.read.v16f32(ptr %q, i64 8, i32 1, i32 1, i32 4)
  store <16 x float> %x, ptr %to
  %second = getelementptr i8, ptr %q, i64 12
  call void @cm.region.write.v4i16(ptr %second, <4 x i16> %w, i64 16, i32 1, i32 1)
  %p = getelementptr %pair, ptr %q, i32 %i
  %n = getelementptr i8, ptr %p, i64 20
  %y = load i16, ptr %n, align 4
  ret i16 %y
}

; A structure that is copied is so member by member; a structure in another one, or an array of some, too.
; CHECK-LABEL: @copied(
; CHECK-NOT: memcpy
; CHECK-DAG: alloca [4 x float]
; CHECK-DAG: alloca [4 x i16]
; CHECK-DAG: alloca [4 x [2 x i64]]
; CHECK: %[[X:.*]] = load float, ptr %{{.*}}, align 8
; CHECK: %[[S:.*]] = load i16, ptr %{{.*}}, align 4
; CHECK: %[[A:.*]] = load i64, ptr %{{.*}}, align 8
; CHECK: %[[B:.*]] = load i64, ptr %{{.*}}, align 8
; CHECK: store float %[[X]], ptr %{{.*}}, align 4
; CHECK: store i16 %[[S]], ptr %{{.*}}, align 2
; CHECK: store i64 %[[A]],
; CHECK: store i64 %[[B]],
define i16 @copied(i32 %i, ptr %from) {
  %q = alloca [4 x { %pair, [2 x i64] }]
  %p = getelementptr { %pair, [2 x i64] }, ptr %q, i32 %i
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %from, i64 24, i1 false)
  %n = getelementptr i8, ptr %p, i64 4
  %y = load i16, ptr %n, align 4
  ret i16 %y
}

; Both members at a time, or somebody else's, or more than 32 KB.
; CHECK-LABEL: @whole(
; CHECK: alloca [4 x %pair]
; CHECK-LABEL: @elsewhere(
; CHECK: alloca [4 x %pair]
; CHECK-LABEL: @large(
; CHECK: alloca [4097 x %pair]
define i64 @whole(i32 %i) {
  %q = alloca [4 x %pair]
  %p = getelementptr %pair, ptr %q, i32 %i
  %y = load i64, ptr %p
  ret i64 %y
}
define void @elsewhere(i32 %i, ptr %to) {
  %q = alloca [4 x %pair]
  %p = getelementptr %pair, ptr %q, i32 %i
  store ptr %p, ptr %to
  ret void
}
define i16 @large(i32 %i) {
  %q = alloca [4097 x %pair]
  %p = getelementptr %pair, ptr %q, i32 %i
  %n = getelementptr i8, ptr %p, i64 4
  %y = load i16, ptr %n
  ret i16 %y
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare <16 x float> @cm.region.read.v16f32(ptr, i64, i32, i32, i32)
declare void @cm.region.write.v4i16(ptr, <4 x i16>, i64, i32, i32)
