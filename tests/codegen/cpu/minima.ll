; minnum with what is never NaN is a selection, which x86 has as one instruction; with anything else it stays minnum.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-minima %s | FileCheck %s

declare <16 x float> @llvm.minnum.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.maxnum.v16f32(<16 x float>, <16 x float>)

; The least number of a loop that begins with a number.
; CHECK-LABEL: @least(
; CHECK: %least = phi <16 x float>
; CHECK: [[BETTER:%.*]] = fcmp olt <16 x float> %x, %least
; CHECK: select <16 x i1> [[BETTER]], <16 x float> %x, <16 x float> %least
; CHECK-NOT: minnum
; CHECK: ret
define <16 x float> @least(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %least = phi <16 x float> [ splat (float 1.0), %entry ], [ %next, %loop ]
  %at = getelementptr <16 x float>, ptr %p, i32 %i
  %x = load <16 x float>, ptr %at
  %next = call <16 x float> @llvm.minnum.v16f32(<16 x float> %least, <16 x float> %x)
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  ret <16 x float> %next
}

; The same, kept by a selection where it was smaller, and the largest on the way.
; CHECK-LABEL: @both(
; CHECK: fcmp ogt <16 x float> %x, %most
; CHECK-NOT: maxnum
; CHECK: ret
define <16 x float> @both(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %most = phi <16 x float> [ zeroinitializer, %entry ], [ %larger, %loop ]
  %at = getelementptr <16 x float>, ptr %p, i32 %i
  %x = load <16 x float>, ptr %at
  %next = call <16 x float> @llvm.maxnum.v16f32(<16 x float> %x, <16 x float> %most)
  %y = fmul <16 x float> %x, %x
  %c = fcmp ogt <16 x float> %y, %next
  %larger = select <16 x i1> %c, <16 x float> %y, <16 x float> %next
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  ret <16 x float> %larger
}

; What a loop begins with may be NaN, or what it makes of it: a phi that is looked at on the way to a minimum's first
; operand says nothing of the second.
; CHECK-LABEL: @unknown(
; CHECK: call <16 x float> @llvm.minnum.v16f32(<16 x float> %a, <16 x float> %x)
; CHECK: call <16 x float> @llvm.minnum.v16f32(<16 x float> %b, <16 x float> %x)
define <16 x float> @unknown(ptr %p, i32 %n, <16 x float> %first) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %a = phi <16 x float> [ %first, %entry ], [ %next, %loop ]
  %b = phi <16 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %at = getelementptr <16 x float>, ptr %p, i32 %i
  %x = load <16 x float>, ptr %at
  %next = call <16 x float> @llvm.minnum.v16f32(<16 x float> %a, <16 x float> %x)
  %other = call <16 x float> @llvm.minnum.v16f32(<16 x float> %b, <16 x float> %x)
  %sum = fadd <16 x float> %other, %x
  %more = add i32 %i, 1
  %again = icmp slt i32 %more, %n
  br i1 %again, label %loop, label %end
end:
  %result = fadd <16 x float> %next, %other
  ret <16 x float> %result
}
