; Accesses whose place is known at run time stay inside their variable; what is inside anyway stays as it is.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-bound-storage %s | FileCheck %s

; 16 dwords, of which one is read: its offset is at most 60.
; CHECK-LABEL: @load(
; CHECK: [[O:%.*]] = call i64 @llvm.umin.i64(i64 {{.*}}, i64 60)
; CHECK: [[P:%.*]] = getelementptr i8, ptr %a, i64 [[O]]
; CHECK: load i32, ptr [[P]]
define i32 @load(i64 %n) {
  %a = alloca [16 x i32]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: @constant_place(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @constant_place() {
  %a = alloca [16 x i32]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 15
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: @masked_place(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @masked_place(i64 %n) {
  %a = alloca [16 x i32]
  %k = and i64 %n, 15
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %k
  %v = load i32, ptr %p
  ret i32 %v
}

; Two rows of 2 dwords 16 bytes apart: from the first byte to the last there are 24.
; CHECK-LABEL: @region(
; CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 40)
define <4 x i32> @region(i64 %n) {
  %a = alloca [16 x i32]
  %p = getelementptr i8, ptr %a, i64 %n
  %v = call <4 x i32> @cm.region.read.v4i32(ptr %p, i64 16, i32 2, i32 1, i32 0)
  ret <4 x i32> %v
}

; The group's variable of 64 bytes, written in 16.
; CHECK-LABEL: @of_the_group(
; CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 48)
define void @of_the_group(i64 %n, <4 x i32> %v) {
  %a = call ptr @cm.local.base(i32 128, i32 64)
  %p = getelementptr i8, ptr %a, i64 %n
  store <4 x i32> %v, ptr %p
  ret void
}

declare <4 x i32> @cm.region.read.v4i32(ptr, i64, i32, i32, i32)
declare ptr @cm.local.base(i32, i32)
