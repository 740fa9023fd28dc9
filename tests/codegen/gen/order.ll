; Blocks come behind those that lead to them; only loops jump back.
; RUN: cm-opt --march=skl --passes=gen-order %s | FileCheck %s

; CHECK-LABEL: @late(
; CHECK: a:
; CHECK: x:
; CHECK: b:
; CHECK: d:
define i32 @late(i1 %c) {
a:
  br i1 %c, label %b, label %x
d:
  %r = phi i32 [ 1, %b ], [ 2, %x ]
  ret i32 %r
x:
  br label %d
b:
  br label %d
}

; CHECK-LABEL: @loop(
; CHECK: a:
; CHECK: b:
; CHECK: br i1 %c, label %b, label %end
; CHECK: end:
define void @loop(i1 %c) {
a:
  br label %b
end:
  ret void
b:
  br i1 %c, label %b, label %end
}
