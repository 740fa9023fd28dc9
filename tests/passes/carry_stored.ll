; Elements that a loop has stored in former iterations are carried instead of read.
; RUN: cm-opt --passes=carry-stored %s > %t.ll && FileCheck %s < %t.ll
; RUN: run-lines --plain --plain-after %s < %t.ll

; Two are read in front of the loop, as the first iteration would.
; CHECK-LABEL: @two(
; CHECK: entry:
; CHECK: %[[ONE:.*]] = load i32, ptr
; CHECK: %[[TWO:.*]] = load i32, ptr
; CHECK: loop:
; CHECK: %[[FIRST:.*]] = phi i32 [ %[[ONE]], %start ], [ %new, %loop ]
; CHECK-NEXT: %[[SECOND:.*]] = phi i32 [ %[[TWO]], %start ], [ %[[FIRST]], %loop ]
; CHECK: %old = load i32, ptr %at
; CHECK-NOT: load
; CHECK: xor i32 %[[FIRST]], %[[SECOND]]
; CHECK: store i32 %new, ptr %at
; run: two(random, 10)
; run: two(random, 3)
define i32 @two(i32 %x, i32 %n) {
entry:
  %a = alloca [16 x i32]
  br label %fill
fill:
  %k = phi i32 [ 0, %entry ], [ %k.next, %fill ]
  %v = mul i32 %k, %x
  %place = getelementptr i32, ptr %a, i32 %k
  store i32 %v, ptr %place
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 16
  br i1 %k.more, label %fill, label %start
start:
  br label %loop
loop:
  %i = phi i32 [ 2, %start ], [ %next, %loop ]
  %i1 = add nsw i32 %i, -1
  %i2 = add nsw i32 %i, -2
  %at = getelementptr i32, ptr %a, i32 %i
  %at1 = getelementptr i32, ptr %a, i32 %i1
  %at2 = getelementptr i32, ptr %a, i32 %i2
  %old = load i32, ptr %at
  %one = load i32, ptr %at1
  %two = load i32, ptr %at2
  %mix = xor i32 %one, %two
  %new = add i32 %old, %mix
  store i32 %new, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = load i32, ptr %at
  ret i32 %last
}

; Backwards, four back: the iterations are known, so that those between are read in it, too.
; CHECK-LABEL: @backwards(
; CHECK-COUNT-4: load i32, ptr
; CHECK: loop:
; CHECK-COUNT-4: phi i32
; CHECK-NOT: load
; CHECK: store i32 %new, ptr %at
; run: backwards(random)
define i32 @backwards(i32 %x) {
entry:
  %a = alloca [16 x i32]
  br label %fill
fill:
  %k = phi i32 [ 0, %entry ], [ %k.next, %fill ]
  %v = xor i32 %k, %x
  %place = getelementptr i32, ptr %a, i32 %k
  store i32 %v, ptr %place
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 16
  br i1 %k.more, label %fill, label %start
start:
  br label %loop
loop:
  %i = phi i32 [ 11, %start ], [ %next, %loop ]
  %i1 = add nsw i32 %i, 1
  %i4 = add nsw i32 %i, 4
  %at = getelementptr i32, ptr %a, i32 %i
  %at1 = getelementptr i32, ptr %a, i32 %i1
  %at4 = getelementptr i32, ptr %a, i32 %i4
  %one = load i32, ptr %at1
  %four = load i32, ptr %at4
  %three = mul i32 %one, 3
  %new = add i32 %three, %four
  store i32 %new, ptr %at
  %next = add nsw i32 %i, -1
  %more = icmp sge i32 %next, 0
  br i1 %more, label %loop, label %end
end:
  ret i32 %new
}

; Four back where nobody knows whether more than one iteration comes: elements between might have no value yet.
; CHECK-LABEL: @unknown(
; CHECK: loop:
; CHECK: %one = load i32, ptr
; CHECK: %four = load i32, ptr
; CHECK: ret i32
define i32 @unknown(ptr %from, i32 %n) {
entry:
  %a = alloca [64 x i32]
  %first = load i32, ptr %from
  store i32 %first, ptr %a
  br label %loop
loop:
  %i = phi i32 [ 4, %entry ], [ %next, %loop ]
  %i1 = add nsw i32 %i, -1
  %i4 = add nsw i32 %i, -4
  %at = getelementptr i32, ptr %a, i32 %i
  %at1 = getelementptr i32, ptr %a, i32 %i1
  %at4 = getelementptr i32, ptr %a, i32 %i4
  %one = load i32, ptr %at1
  %four = load i32, ptr %at4
  %new = add i32 %one, %four
  store i32 %new, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %new
}

; Only far back: these may be vectors.
; CHECK-LABEL: @far(
; CHECK: loop:
; CHECK: %four = load i32, ptr
; CHECK: ret void
define void @far() {
entry:
  %a = alloca [64 x i32]
  br label %loop
loop:
  %i = phi i32 [ 4, %entry ], [ %next, %loop ]
  %i4 = add nsw i32 %i, -4
  %at = getelementptr i32, ptr %a, i32 %i
  %at4 = getelementptr i32, ptr %a, i32 %i4
  %four = load i32, ptr %at4
  %new = add i32 %four, 7
  store i32 %new, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Another store to the variable, one under a condition, elements that overlap.
; CHECK-LABEL: @others(
; CHECK: loop:
; CHECK: %one = load i32, ptr
; CHECK: ret void
define void @others(i32 %at) {
entry:
  %a = alloca [64 x i32]
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  %i1 = add nsw i32 %i, -1
  %p = getelementptr i32, ptr %a, i32 %i
  %p1 = getelementptr i32, ptr %a, i32 %i1
  %q = getelementptr i32, ptr %a, i32 %at
  %one = load i32, ptr %p1
  %new = add i32 %one, 7
  store i32 %new, ptr %p
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @sometimes(
; CHECK: loop:
; CHECK: %one = load i32, ptr
; CHECK: ret void
define void @sometimes(i32 %x) {
entry:
  %a = alloca [64 x i32]
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %latch ]
  %i1 = add nsw i32 %i, -1
  %p = getelementptr i32, ptr %a, i32 %i
  %p1 = getelementptr i32, ptr %a, i32 %i1
  %one = load i32, ptr %p1
  %new = add i32 %one, 7
  %c = icmp ult i32 %one, %x
  br i1 %c, label %write, label %latch
write:
  store i32 %new, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @overlap(
; CHECK: loop:
; CHECK: %one = load i32, ptr
; CHECK: ret void
define void @overlap() {
entry:
  %a = alloca [64 x i8]
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %next, %loop ]
  %i1 = add nsw i32 %i, -1
  %p = getelementptr i8, ptr %a, i32 %i
  %p1 = getelementptr i8, ptr %a, i32 %i1
  %one = load i32, ptr %p1, align 1
  %new = add i32 %one, 7
  store i32 %new, ptr %p, align 1
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 60
  br i1 %more, label %loop, label %end
end:
  ret void
}
