; A loop's condition asks for the next value of the counter, which is computed behind the counter's last use.
; RUN: cm-opt --march=skl --passes=gen-counters %s | FileCheck %s

declare void @use(i32)

; CHECK-LABEL: @up(
; CHECK: loop:
; CHECK-NEXT: [[I:%.*]] = phi i32
; CHECK-NEXT: call void @use(i32 [[I]])
; CHECK-NEXT: [[N:%.*]] = add i32 [[I]], 1
; CHECK-NEXT: [[M:%.*]] = icmp ult i32 [[N]], 64
; CHECK-NEXT: br i1 [[M]]
define void @up() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %i, 63
  call void @use(i32 %i)
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @down(
; CHECK: [[N:%.*]] = add i32 {{%.*}}, -2
; CHECK-NEXT: icmp sgt i32 [[N]], 4
define void @down() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 100, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, -2
  %more = icmp sgt i32 %i, 6
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Equality holds however numbers wrap around.
; CHECK-LABEL: @equal(
; CHECK: icmp ne i8 {{%next.*}}, 0
define void @equal() {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 1
  %more = icmp ne i8 %i, -1
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A counter that starts anywhere may end the loop at once, where the sum wraps around; so may a bound near the last number.
; CHECK-LABEL: @anywhere(
; CHECK: icmp ult i32 %i, 63
define void @anywhere(i32 %from) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %next, %loop ]
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %i, 63
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @farStart(
; CHECK: icmp ult i8 %i, 63
define void @farStart() {
entry:
  br label %loop
loop:
  %i = phi i8 [ -1, %entry ], [ %next, %loop ]
  %next = add i8 %i, 1
  %more = icmp ult i8 %i, 63
  br i1 %more, label %loop, label %end
end:
  ret void
}
; A way around that asks for nothing goes on for ever.
; CHECK-LABEL: @anotherWay(
; CHECK: icmp ult i8 %i, 63
define void @anotherWay(i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ], [ %next, %around ]
  %next = add i8 %i, 1
  %more = icmp ult i8 %i, 63
  br i1 %more, label %loop, label %around
around:
  br i1 %c, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @nearTheLast(
; CHECK: icmp ugt i8 %i, -3
define void @nearTheLast() {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 2
  %less = icmp ugt i8 %i, -3
  br i1 %less, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: @fits(
; CHECK: icmp ugt i8 %next, -3
define void @fits() {
entry:
  br label %loop
loop:
  %i = phi i8 [ 0, %entry ], [ %next, %loop ]
  %next = add i8 %i, 2
  %less = icmp ugt i8 %i, -5
  br i1 %less, label %end, label %loop
end:
  ret void
}

; The order stays where the next value is needed before.
; CHECK-LABEL: @needed(
; CHECK: %next = add i32 %i, 1
; CHECK-NEXT: call void @use(i32 %next)
; CHECK-NEXT: call void @use(i32 %i)
; CHECK-NEXT: icmp ult i32 %next, 64
define void @needed() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i32 %i, 1
  call void @use(i32 %next)
  call void @use(i32 %i)
  %more = icmp ult i32 %i, 63
  br i1 %more, label %loop, label %end
end:
  ret void
}
