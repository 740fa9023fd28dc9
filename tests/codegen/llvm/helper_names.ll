; A function of the program that is called like a helper is not taken for it.
; RUN: cm-opt --march=cpu --passes=cpu-bind,cpu-buffers,cpu-helpers %s | FileCheck %s

; CHECK: call void @pocm_typed_read(ptr
; CHECK: define internal void @pocm_typed_read(ptr
; CHECK: define internal void @program.pocm_typed_read
define void @pixels(i32 %in, ptr %out) {
  %v = call <8 x i32> @llvm.genx.gather4.typed.v8i32.v8i1.v8i32(i32 1, <8 x i1> splat (i1 true), i32 %in, <8 x i32> zeroinitializer, <8 x i32> zeroinitializer, <8 x i32> zeroinitializer, <8 x i32> zeroinitializer)
  store <8 x i32> %v, ptr %out
  ret void
}
declare <8 x i32> @llvm.genx.gather4.typed.v8i32.v8i1.v8i32(i32, <8 x i1>, i32, <8 x i32>, <8 x i32>, <8 x i32>, <8 x i32>)
define internal void @pocm_typed_read(i32 %own) {
  ret void
}
