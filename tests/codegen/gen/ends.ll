; A thread that ends early goes to where its kernel returns.
; RUN: cm-opt --march=skl --passes=gen-ends %s | FileCheck %s
declare void @cm.end.of.thread()
declare void @llvm.genx.oword.st.v4i32(i32, i32, <4 x i32>)

; CHECK-LABEL: @k(
; CHECK: failed:
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: fine:
; CHECK-NEXT: call void @llvm.genx.oword.st
; CHECK-NEXT: br label %[[END]]
; CHECK: [[END]]:
; CHECK-NEXT: ret void
define spir_func void @k(i32 %s, <4 x i32> %v, i1 %wrong) {
  br i1 %wrong, label %failed, label %fine
failed:
  call void @cm.end.of.thread()
  unreachable
fine:
  call void @llvm.genx.oword.st.v4i32(i32 %s, i32 0, <4 x i32> %v)
  ret void
}

; Nothing behind it is left, and a kernel may have no other end.
; CHECK-LABEL: @always(
; CHECK-NEXT: br label %[[END:.*]]
; CHECK: [[END]]:
; CHECK-NEXT: ret void
; CHECK-NEXT: }
define spir_func void @always(i32 %s, <4 x i32> %v) {
  call void @cm.end.of.thread()
  call void @llvm.genx.oword.st.v4i32(i32 %s, i32 0, <4 x i32> %v)
  ret void
}
