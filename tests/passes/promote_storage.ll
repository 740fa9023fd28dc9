; Regions of a variable become regions of its whole value; the variable disappears.
; RUN: cm-opt --passes=promote-storage %s | FileCheck %s

declare <24 x i8> @cm.region.read.v24i8(ptr, i64, i32, i32, i32)
declare void @cm.region.write.v24i8(ptr, <24 x i8>, i64, i32, i32)

; CHECK-LABEL: @rows(
; CHECK-NOT: alloca
; CHECK: [[R:%.*]] = call <24 x i8> @llvm.genx.rdregioni.v24i8.v64i8.i16(<64 x i8> %x, i32 0, i32 24, i32 1, i16 35, i32 undef)
; CHECK: [[W:%.*]] = call <64 x i8> @llvm.genx.wrregioni.v64i8.v24i8.i16.i1(<64 x i8> %x, <24 x i8> [[R]], i32 0, i32 24, i32 1, i16 0, i32 undef, i1 true)
; CHECK: ret <64 x i8> [[W]]
define <64 x i8> @rows(<64 x i8> %x) {
  %m = alloca <64 x i8>
  store <64 x i8> %x, ptr %m
  %p = getelementptr i8, ptr %m, i64 35
  %r = call <24 x i8> @cm.region.read.v24i8(ptr %p, i64 0, i32 24, i32 1, i32 0)
  call void @cm.region.write.v24i8(ptr %m, <24 x i8> %r, i64 0, i32 24, i32 1)
  %y = load <64 x i8>, ptr %m
  ret <64 x i8> %y
}

; An offset known only at run time stays one, in bytes.
; CHECK-LABEL: @run_time_offset(
; CHECK: [[O:%.*]] = trunc i64 %{{.*}} to i16
; CHECK: rdregioni.v24i8.v64i8.i16(<64 x i8> %x, i32 0, i32 24, i32 1, i16 [[O]], i32 undef)
define <24 x i8> @run_time_offset(<64 x i8> %x, i64 %i) {
  %m = alloca <64 x i8>
  store <64 x i8> %x, ptr %m
  %p = getelementptr i8, ptr %m, i64 %i
  %r = call <24 x i8> @cm.region.read.v24i8(ptr %p, i64 0, i32 24, i32 1, i32 0)
  ret <24 x i8> %r
}

; Single elements are extracted and inserted; other element types see the same bytes.
; CHECK-LABEL: @elements(
; CHECK: [[I:%.*]] = insertelement <16 x i32> %x, i32 7, i32 2
; CHECK: [[B:%.*]] = bitcast <16 x i32> [[I]] to <32 x i16>
; CHECK: [[E:%.*]] = extractelement <32 x i16> [[B]], i32 5
; CHECK: ret i16 [[E]]
define i16 @elements(<16 x i32> %x) {
  %m = alloca <16 x i32>
  store <16 x i32> %x, ptr %m
  %p = getelementptr i32, ptr %m, i64 2
  store i32 7, ptr %p
  %q = getelementptr i16, ptr %m, i64 5
  %e = load i16, ptr %q
  ret i16 %e
}

; A variable whose address escapes is left alone.
; CHECK-LABEL: @escapes(
; CHECK: alloca <64 x i8>
; CHECK: cm.region.read.v24i8
declare void @use(ptr)
define <24 x i8> @escapes() {
  %m = alloca <64 x i8>
  call void @use(ptr %m)
  %r = call <24 x i8> @cm.region.read.v24i8(ptr %m, i64 0, i32 24, i32 1, i32 0)
  ret <24 x i8> %r
}

; A mask in memory is a number.
; CHECK-LABEL: @mask(
; CHECK-NOT: alloca
; CHECK: bitcast <32 x i1> %m to i32
define i32 @mask(<32 x i1> %m) {
  %v = alloca <2 x i32>
  store <32 x i1> %m, ptr %v
  %x = load i32, ptr %v
  ret i32 %x
}

; Arrays whose elements are all known are values as well, and so is what a copy brings, which is aligned as it says.
; CHECK-LABEL: @fixed(
; CHECK-NOT: alloca
; CHECK: %[[A:.*]] = load <8 x i32>, ptr %from, align 4
; CHECK: %[[P:.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %[[A]], i32 2, i32 1, i32 1, i16 4,
; CHECK: ret <4 x i32> %[[P]]
define <4 x i32> @fixed(ptr %from) {
  %a = alloca [8 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %from, i64 32, i1 false)
  %p = getelementptr i8, ptr %a, i64 4
  %x = call <4 x i32> @cm.region.read.v4i32(ptr %p, i64 8, i32 1, i32 1, i32 0)
  ret <4 x i32> %x
}
; CHECK-LABEL: @notFixed(
; CHECK: alloca [8 x i32]
define i32 @notFixed(i64 %i) {
  %a = alloca [8 x i32], align 4
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 5, ptr %a
  %x = load i32, ptr %p
  ret i32 %x
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare <4 x i32> @cm.region.read.v4i32(ptr, i64, i32, i32, i32)
