; What is written in bytes at places that only a run knows is copied in small parts; what is computed with, what was
; written whole, and large objects are not.
; RUN: cm-opt --march=cpu --passes=cpu-copied-parts %s | FileCheck %s

; CHECK-LABEL: @bytes
; CHECK: %[[A:.*]] = load <16 x i8>, ptr %o, align 64
; CHECK: %[[D:.*]] = getelementptr{{.*}} i8, ptr %o, i64 48
; CHECK: %[[B:.*]] = load <16 x i8>, ptr %[[D]], align 16
; CHECK: store <16 x i8> %[[A]], ptr %to, align 1
; CHECK: store <16 x i8> %[[B]], ptr %{{.*}}, align 1
; CHECK-NOT: x i8>
; CHECK: ret
define void @bytes(ptr %to, i64 %i, i8 %v) {
  %o = alloca [128 x i8], align 64
  %p = getelementptr i8, ptr %o, i64 %i
  store i8 %v, ptr %p
  %w = load <64 x i8>, ptr %o, align 64
  store <64 x i8> %w, ptr %to, align 1
  ret void
}

; CHECK-LABEL: @others
; CHECK-NOT: load <4 x i32>
; CHECK: ret
define void @others(ptr %to, i64 %i, i32 %v) {
  %o = alloca [64 x i32], align 64
  %large = alloca [256 x i32], align 64
  %whole = alloca [64 x i32], align 64
  %p = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %p
  %q = getelementptr i32, ptr %large, i64 %i
  store i32 %v, ptr %q
  %r = getelementptr i32, ptr %whole, i64 5
  store i32 %v, ptr %r
  %a = load <16 x i32>, ptr %o
  %b = load <16 x i32>, ptr %large
  %c = load <16 x i32>, ptr %whole
  %d = add <16 x i32> %a, splat (i32 1)
  store <16 x i32> %d, ptr %to, align 1
  %to1 = getelementptr i8, ptr %to, i64 64
  store <16 x i32> %b, ptr %to1, align 1
  %to2 = getelementptr i8, ptr %to, i64 128
  store <16 x i32> %c, ptr %to2, align 1
  ret void
}
