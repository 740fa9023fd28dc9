; What a loop carries is not chosen by what the way back has asked already.
; RUN: cm-opt --march=cpu --passes=cpu-known-choices %s > %t.ll && FileCheck %s < %t.ll
; RUN: run-lines --plain --plain-after %s < %t.ll

; The choice is made once, behind the loop.
; CHECK-LABEL: @near(
; CHECK: loop:
; CHECK: %x = phi i32 [ %first, %entry ], [ %y, %loop ]
; CHECK-NOT: select i1 %far, i32
; CHECK: br i1
; CHECK: end:
; CHECK: select i1 %far, i32 %y, i32 %x
; run: near(random, 9)
; run: near(1, 2)
; run: near(0, 1)
define i32 @near(i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %first, %entry ], [ %last, %loop ]
  %half = lshr i32 %x, 1
  %y = xor i32 %half, %k
  %far = icmp ugt i32 %y, 3
  %last = select i1 %far, i32 %y, i32 %x
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  %again = select i1 %far, i1 %more, i1 false
  br i1 %again, label %loop, label %end
end:
  ret i32 %last
}

; The other way out; a choice of a choice.
; CHECK-LABEL: @other(
; CHECK: %x = phi i32 [ %first, %entry ], [ %z, %loop ]
; run: other(random)
; run: other(8)
define i32 @other(i32 %first) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %first, %entry ], [ %both, %loop ]
  %y = lshr i32 %x, 1
  %z = lshr i32 %x, 2
  %small = icmp ult i32 %x, 16
  %one = select i1 %small, i32 %x, i32 %y
  %both = select i1 %small, i32 %one, i32 %z
  br i1 %small, label %end, label %loop
end:
  ret i32 %both
}

; Another condition says nothing.
; CHECK-LABEL: @unknown(
; CHECK: %x = phi i32 [ %first, %entry ], [ %last, %loop ]
; run: unknown(random, 9)
define i32 @unknown(i32 %first, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %first, %entry ], [ %last, %loop ]
  %y = mul i32 %x, 3
  %far = icmp ugt i32 %y, 3
  %last = select i1 %far, i32 %y, i32 7
  %next = add i32 %k, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret i32 %last
}
