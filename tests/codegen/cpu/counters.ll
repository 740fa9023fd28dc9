; A loop that only counts compares for equality; one whose counter is needed, or that may not begin, is left.
; RUN: cm-opt --march=cpu --passes=cpu-counters %s | FileCheck %s

; CHECK-LABEL: @counts
; CHECK: icmp ne i32 %next, %n
define i32 @counts(i32 %n, i32 %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ %x, %entry ], [ %w, %loop ]
  %w = mul i32 %v, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %r = phi i32 [ %x, %entry ], [ %w, %loop ]
  ret i32 %r
}

; It runs once where %n is not more than 0.
; CHECK-LABEL: @once
; CHECK: icmp slt i32 %next, %n
define i32 @once(i32 %n, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ %x, %entry ], [ %w, %loop ]
  %w = mul i32 %v, %v
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret i32 %w
}

; CHECK-LABEL: @needed
; CHECK: icmp ult i32 %next, %n
define i32 @needed(i32 %n, i32 %x) {
entry:
  %some = icmp ne i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ %x, %entry ], [ %w, %loop ]
  %w = mul i32 %v, %i
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %r = phi i32 [ %x, %entry ], [ %w, %loop ]
  ret i32 %r
}
