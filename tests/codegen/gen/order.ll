; Blocks come behind those that lead to them; only loops jump back.
; RUN: cm-opt --march=skl --passes=gen-order %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-order %s | run-lines %s

; CHECK-LABEL: @late(
; CHECK: a:
; CHECK: x:
; CHECK: b:
; CHECK: d:
; run: late(random)
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

; A loop is whole: where it is left for comes behind its last block.
; CHECK-LABEL: @whole(
; CHECK: head:
; CHECK: latch:
; CHECK: br label %head
; CHECK: out:
; CHECK: end:
define void @whole(i1 %c, i1 %d) {
a:
  br label %head
head:
  br i1 %c, label %latch, label %out
out:
  br i1 %d, label %end, label %other
other:
  br label %end
end:
  ret void
latch:
  br label %head
}

; What returns early stands last, behind the loop that comes after it.
; CHECK-LABEL: @early(
; CHECK: body:
; CHECK: br i1 %d, label %body
; CHECK: ret void
; CHECK: ret void
; CHECK-NOT: br
define void @early(i1 %c, i1 %d) {
a:
  br i1 %c, label %leave, label %body
leave:
  ret void
body:
  br i1 %d, label %body, label %end
end:
  ret void
}
