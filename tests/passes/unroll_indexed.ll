; Loops that choose elements of a variable by their counter are to be unrolled, when they run a small constant number of
; times and the user has not said otherwise.
; RUN: cm-opt --passes=unroll-indexed %s | FileCheck %s

; CHECK-LABEL: @elements(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[FULL:![0-9]+]]
define i32 @elements(i32 %n) {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [16 x i32], ptr %v, i64 0, i64 %i
  store i32 %n, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}

; A place that is computed from the counter, and from that of a loop around it.
; CHECK-LABEL: @computed(
; CHECK: br i1 %more, label %loop, label %next, !llvm.loop [[COMPUTED:![0-9]+]]
define i32 @computed(i32 %n) {
entry:
  %v = alloca [16 x i32]
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %next ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %i.next, %loop ]
  %both = add i64 %i, %j
  %turned = and i64 %both, 3
  %place = or i64 %turned, 4
  %p = getelementptr [16 x i32], ptr %v, i64 0, i64 %place
  store i32 %n, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %loop, label %next
next:
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, 500
  br i1 %again, label %outer, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}

; Left alone: a place that also depends on what nobody knows, other memory, too often, unknown how often, `#pragma nounroll`, too large a variable.
; CHECK-LABEL: @dependent(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @dependent(i64 %n) {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %both = add i64 %i, %n
  %place = and i64 %both, 15
  %p = getelementptr [16 x i32], ptr %v, i64 0, i64 %place
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}
; CHECK-LABEL: @memory(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @memory(ptr %v) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @often(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @often(i32 %n) {
entry:
  %v = alloca [80 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [80 x i32], ptr %v, i64 0, i64 %i
  store i32 %n, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 80
  br i1 %more, label %loop, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}
; CHECK-LABEL: @unknown(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @unknown(i64 %n) {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [16 x i32], ptr %v, i64 0, i64 %i
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}
; CHECK-LABEL: @refused(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop [[NOT:![0-9]+]]
define i32 @refused(i32 %n) {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [16 x i32], ptr %v, i64 0, i64 %i
  store i32 %n, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  %r = load i32, ptr %v
  ret i32 %r
}
; CHECK-LABEL: @large(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @large(i32 %n) {
entry:
  %v = alloca [2000 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [2000 x i32], ptr %v, i64 0, i64 %i
  store i32 %n, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  %r = load i32, ptr %v
  ret i32 %r
}
; CHECK-DAG: [[FULL]] = distinct !{[[FULL]], [[ASKED:![0-9]+]]}
; CHECK-DAG: [[ASKED]] = !{!"llvm.loop.unroll.full", i32 1}
; CHECK-DAG: [[COMPUTED]] = distinct !{[[COMPUTED]], [[ASKED]]}
; CHECK-DAG: [[NOT]] = distinct !{[[NOT]], [[OFF:![0-9]+]]}
; CHECK-DAG: [[OFF]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
