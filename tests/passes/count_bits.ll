; Loops that take a number's lowest bit until none is left count its bits, where nothing else is done for each.
; RUN: cm-opt --passes=count-bits %s > %t.ll && FileCheck %s < %t.ll
; RUN: run-lines --plain --plain-after %s < %t.ll

; Asked first whether there is one; each bit counts three times.
; CHECK-LABEL: @asked(
; CHECK: [[BITS:%.*]] = call i32 @llvm.ctpop.i32(i32 %v)
; CHECK: [[SUM:%.*]] = mul i32 [[BITS]], 3
; CHECK: add i32 %n, [[SUM]]
; CHECK-NOT: loop:
; CHECK: ret i32
; run: asked(random, random)
; run: asked(0, random)
define i32 @asked(i32 %v, i32 %n) {
entry:
  %none = icmp eq i32 %v, 0
  br i1 %none, label %end, label %before
before:
  br label %loop
loop:
  %x = phi i32 [ %v, %before ], [ %next, %loop ]
  %count = phi i32 [ %n, %before ], [ %more, %loop ]
  %less = add i32 %x, -1
  %next = and i32 %x, %less
  %more = add i32 %count, 3
  %again = icmp ne i32 %next, 0
  br i1 %again, label %loop, label %end
end:
  %r = phi i32 [ %n, %entry ], [ %more, %loop ]
  ret i32 %r
}

; Once at least; a counter of other bits than the number, whose last value is read, too.
; CHECK-LABEL: @once(
; CHECK: [[BITS:%.*]] = call i64 @llvm.ctpop.i64(i64 %v)
; CHECK: [[TIMES:%.*]] = call i64 @llvm.umax.i64(i64 [[BITS]], i64 1)
; CHECK: trunc i64 [[TIMES]] to i8
; CHECK-NOT: loop:
; CHECK: ret i8
; run: once(random)
; run: once(0)
define i8 @once(i64 %v) {
entry:
  br label %loop
loop:
  %x = phi i64 [ %v, %entry ], [ %next, %loop ]
  %count = phi i8 [ 0, %entry ], [ %more, %loop ]
  %minus = sub i64 0, %x
  %lowest = and i64 %minus, %x
  %next = xor i64 %lowest, %x
  %more = add i8 %count, 1
  %done = icmp eq i64 %next, 0
  br i1 %done, label %end, label %loop
end:
  %rest = trunc i64 %next to i8
  %r = add i8 %more, %rest
  ret i8 %r
}

; Left alone: which bits they are is asked, until another number is left.
; CHECK-LABEL: @places(
; CHECK: loop:
; CHECK: ret i32
; run: places(1..1000)
define i32 @places(i32 %v) {
entry:
  br label %loop
loop:
  %x = phi i32 [ %v, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %less = add i32 %x, -1
  %next = and i32 %x, %less
  %more = add i32 %sum, %at
  %again = icmp ne i32 %next, 0
  br i1 %again, label %loop, label %end
end:
  ret i32 %more
}
; CHECK-LABEL: @until(
; CHECK: loop:
; CHECK: ret i32
; run: until(random)
define i32 @until(i32 %some) {
entry:
  %v = or i32 %some, 4
  br label %loop
loop:
  %x = phi i32 [ %v, %entry ], [ %next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %more, %loop ]
  %less = add i32 %x, -1
  %next = and i32 %x, %less
  %more = add i32 %count, 1
  %again = icmp ugt i32 %next, 7
  br i1 %again, label %loop, label %end
end:
  ret i32 %more
}
declare i32 @llvm.cttz.i32(i32, i1)
