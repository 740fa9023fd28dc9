; An element that a loop reads and changes at one place is a value there, where all others of its variable are apart.
; RUN: cm-opt --passes=promote-places %s | FileCheck %s

; One for each iteration of the outer loop, less than 8; those of the inner one begin behind them.
; CHECK-LABEL: @apart(
; CHECK: outer:
; CHECK: %[[OLD:.*]] = load i32, ptr %[[PLACE:.*]], align 4
; CHECK: loop:
; CHECK: %[[S:.*]] = phi i32 [ %[[OLD]], %outer ], [ %[[NEW:.*]], %loop ]
; CHECK: %[[NEW]] = add i32 %[[S]], %x
; CHECK-NOT: store i32 %[[NEW]]
; CHECK: end:
; CHECK: %[[LAST:.*]] = phi i32 [ %[[NEW]], %loop ]
; CHECK: store i32 %[[LAST]], ptr %[[PLACE]], align 4
define void @apart() {
entry:
  %a = alloca [64 x i32]
  %r = alloca [16 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %row = shl nuw nsw i32 %i, 3
  br label %loop
loop:
  %j = phi i32 [ 0, %outer ], [ %next, %loop ]
  %at = add nuw nsw i32 %row, %j
  %p = getelementptr i32, ptr %a, i32 %at
  %x = load i32, ptr %p
  %q = getelementptr i32, ptr %r, i32 %i
  %s = load i32, ptr %q
  %t = add i32 %s, %x
  store i32 %t, ptr %q
  %behind = add nuw nsw i32 %j, 8
  %c = getelementptr i32, ptr %r, i32 %behind
  %y = load i32, ptr %c
  %z = add i32 %y, %x
  store i32 %z, ptr %c
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %outer, label %out
out:
  ret void
}

; Under a condition it stays what it is.
; CHECK-LABEL: @sometimes(
; CHECK: entry:
; CHECK: %[[OLD:.*]] = load i32, ptr %v
; CHECK: loop:
; CHECK: %[[S:.*]] = phi i32 [ %[[OLD]], %entry ], [ %[[U:.*]], %latch ]
; CHECK-NOT: store
; CHECK: latch:
; CHECK: %[[U]] = phi i32
; CHECK: end:
; CHECK: store i32
define void @sometimes(i32 %x) {
entry:
  %v = alloca i32
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = load i32, ptr %v
  %less = icmp ult i32 %s, %x
  br i1 %less, label %add, label %latch
add:
  %t = add i32 %s, %j
  store i32 %t, ptr %v
  br label %latch
latch:
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The others may be the same place, or nothing is read there first.
; CHECK-LABEL: @near(
; CHECK: loop:
; CHECK: load i32, ptr %q
; CHECK: store i32 %t, ptr %q
; CHECK-LABEL: @written(
; CHECK: loop:
; CHECK: store i32 %j, ptr %q
; CHECK: load i32, ptr %q
define void @near(i32 %i) {
entry:
  %r = alloca [16 x i32]
  %few = and i32 %i, 7
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %r, i32 %few
  %s = load i32, ptr %q
  %t = add i32 %s, %j
  store i32 %t, ptr %q
  %behind = add nuw nsw i32 %j, 7
  %c = getelementptr i32, ptr %r, i32 %behind
  store i32 %t, ptr %c
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @written(i32 %i) {
entry:
  %r = alloca [16 x i32]
  %few = and i32 %i, 7
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %r, i32 %few
  store i32 %j, ptr %q
  %s = load i32, ptr %q
  %t = add i32 %s, %j
  store i32 %t, ptr %q
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

