; Elements that loops only move and compute with one by one are carried one by one; vectors that a loop takes whole stay.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-separate-elements %s | FileCheck %s

; They change places each time round.
; CHECK-LABEL: @round(
; CHECK: loop:
; CHECK-COUNT-4: phi i32
; CHECK-NOT: <4 x i32>
; CHECK: br i1
; CHECK: end:
; CHECK-COUNT-4: insertelement
; CHECK: store <4 x i32>
define void @round(ptr %p, i32 %n) {
entry:
  %first = load <4 x i32>, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %s = phi <4 x i32> [ %first, %entry ], [ %next, %loop ]
  %a = extractelement <4 x i32> %s, i64 0
  %d = extractelement <4 x i32> %s, i64 3
  %x = xor i32 %a, %i
  %sum = add i32 %x, %d
  %moved = shufflevector <4 x i32> %s, <4 x i32> poison, <4 x i32> <i32 poison, i32 0, i32 1, i32 2>
  %next = insertelement <4 x i32> %moved, i32 %sum, i64 0
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  store <4 x i32> %next, ptr %p
  ret void
}

; Where a vector is chosen, its elements are; one is the same in both. Nobody reads the others.
; CHECK-LABEL: @chosen(
; CHECK: loop:
; CHECK: phi float
; CHECK: phi float
; CHECK-NOT: <4 x float>
; CHECK: select i1 %low, float %product, float
; CHECK-NOT: <4 x float>
; CHECK: ret float
define float @chosen(<4 x float> %first, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %s = phi <4 x float> [ %first, %entry ], [ %next, %loop ]
  %a = extractelement <4 x float> %s, i64 0
  %b = extractelement <4 x float> %s, i64 1
  %sum = fadd float %a, %b
  %product = fmul float %a, %b
  %one = insertelement <4 x float> %s, float %sum, i64 0
  %two = insertelement <4 x float> %one, float %product, i64 1
  %low = trunc i32 %i to i1
  %next = select i1 %low, <4 x float> %two, <4 x float> %one
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  %r = extractelement <4 x float> %next, i64 1
  ret float %r
}

; Arithmetic on a pair, of which half is a zero.
; CHECK-LABEL: @pair(
; CHECK: loop:
; CHECK: phi i32
; CHECK: phi i32
; CHECK-NOT: <2 x i32>
; CHECK: ret i32
define i32 @pair(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %s = phi <2 x i32> [ zeroinitializer, %entry ], [ %next, %loop ]
  %a = extractelement <2 x i32> %s, i64 0
  %b = extractelement <2 x i32> %s, i64 1
  %product = mul i32 %a, %i
  %one = insertelement <2 x i32> <i32 poison, i32 0>, i32 %product, i64 0
  %two = insertelement <2 x i32> poison, i32 %b, i64 0
  %both = insertelement <2 x i32> %two, i32 %x, i64 1
  %next = add <2 x i32> %one, %both
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  %r = extractelement <2 x i32> %next, i64 0
  ret i32 %r
}

; Taken whole in each round: eight elements would go there and back.
; CHECK-LABEL: @whole(
; CHECK: loop:
; CHECK: phi <8 x i32>
; CHECK: store <8 x i32>
define void @whole(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %s = phi <8 x i32> [ zeroinitializer, %entry ], [ %next, %loop ]
  %a = extractelement <8 x i32> %s, i64 7
  %moved = shufflevector <8 x i32> %s, <8 x i32> poison, <8 x i32> <i32 poison, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6>
  %next = insertelement <8 x i32> %moved, i32 %a, i64 0
  %at = getelementptr <8 x i32>, ptr %p, i32 %i
  store <8 x i32> %next, ptr %at
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
