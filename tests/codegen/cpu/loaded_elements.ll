; Elements of what comes from a thread's own memory are loaded, with what constants make of them; behind a write of that
; memory, from memory that others may write, and where they are few they are taken out of the register.
; RUN: cm-opt --march=cpu --passes=cpu-loaded-elements %s | FileCheck %s

; CHECK-LABEL: @chosen
; CHECK: %[[A:.*]] = load i16, ptr %{{.*}}, align 32
; CHECK: %[[B:.*]] = and i16 %[[A]], 1
; CHECK: zext i16 %[[B]] to i32
; CHECK: %[[P:.*]] = getelementptr inbounds {{.*}}, ptr %o, i64 1
; CHECK: %[[C:.*]] = load i16, ptr %{{.*}}, align 2
; CHECK: and i16 %[[C]], 2
; CHECK: load i16
; CHECK: and i16 %{{.*}}, 3
; CHECK: load i16
; CHECK: and i16 %{{.*}}, 4
; CHECK: store <4 x i16> zeroinitializer, ptr %o
; CHECK: extractelement <4 x i32> %{{.*}}, i64 3
define void @chosen(ptr %to) {
  %o = alloca <4 x i16>, align 32
  %table = alloca [64 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %to, i64 8, i1 false)
  %v = load <4 x i16>, ptr %o, align 32
  %w = and <4 x i16> %v, <i16 1, i16 2, i16 3, i16 4>
  %d = zext <4 x i16> %w to <4 x i32>
  %e0 = extractelement <4 x i32> %d, i64 0
  %p0 = getelementptr i32, ptr %table, i32 %e0
  store i32 1, ptr %p0
  %e1 = extractelement <4 x i32> %d, i64 1
  %p1 = getelementptr i32, ptr %table, i32 %e1
  store i32 1, ptr %p1
  %e2 = extractelement <4 x i32> %d, i64 2
  %p2 = getelementptr i32, ptr %table, i32 %e2
  store i32 1, ptr %p2
  %e3 = extractelement <4 x i32> %d, i64 3
  %p3 = getelementptr i32, ptr %table, i32 %e3
  store i32 1, ptr %p3
  store <4 x i16> zeroinitializer, ptr %o
  %again = extractelement <4 x i32> %d, i64 3
  store i32 %again, ptr %to
  ret void
}

; CHECK-LABEL: @others
; CHECK-NOT: load i32
; CHECK: ret
define void @others(ptr %to, <4 x i32> %by) {
  %o = alloca <4 x i32>, align 32
  call void @llvm.memcpy.p0.p0.i64(ptr %o, ptr %to, i64 16, i1 false)
  %few = load <4 x i32>, ptr %o
  %f0 = extractelement <4 x i32> %few, i64 0
  %f1 = extractelement <4 x i32> %few, i64 1
  %f2 = extractelement <4 x i32> %few, i64 2
  %shared = load <4 x i32>, ptr %to
  %s0 = extractelement <4 x i32> %shared, i64 0
  %s1 = extractelement <4 x i32> %shared, i64 1
  %s2 = extractelement <4 x i32> %shared, i64 2
  %s3 = extractelement <4 x i32> %shared, i64 3
  %v = load <4 x i32>, ptr %o
  %d = shl <4 x i32> %v, %by
  %d0 = extractelement <4 x i32> %d, i64 0
  %d1 = extractelement <4 x i32> %d, i64 1
  %d2 = extractelement <4 x i32> %d, i64 2
  %d3 = extractelement <4 x i32> %d, i64 3
  call void @take(i32 %f0, i32 %f1, i32 %f2, i32 %s0, i32 %s1, i32 %s2, i32 %s3, i32 %d0, i32 %d1, i32 %d2, i32 %d3)
  ret void
}

; What a call may have written is not loaded again.
; CHECK-LABEL: @behind_calls
; CHECK-NOT: load i32
; CHECK: ret
define void @behind_calls(ptr %to) {
  %o = alloca <4 x i32>, align 32
  call void @see(ptr %o)
  %v = load <4 x i32>, ptr %o
  call void @see(ptr %o)
  %d0 = extractelement <4 x i32> %v, i64 0
  %d1 = extractelement <4 x i32> %v, i64 1
  %d2 = extractelement <4 x i32> %v, i64 2
  %d3 = extractelement <4 x i32> %v, i64 3
  call void @take(i32 %d0, i32 %d1, i32 %d2, i32 %d3, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0)
  ret void
}

declare void @see(ptr)
declare void @take(i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
