; Results that cannot be denormal are not flushed: integers times what is flushed, sums with what is far from 0, sums of
; squares. Others are.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-flush-halves %s | FileCheck %s

; CHECK-LABEL: @weights(
; CHECK: %[[X:.*]] = call <16 x half> @cm.flush.v16f16(<16 x half> %x)
; CHECK: %[[P:.*]] = fmul <16 x half> %w, %[[X]]
; CHECK-NEXT: ret <16 x half> %[[P]]
define <16 x half> @weights(<16 x i8> %n, <16 x half> %x) {
  %w = sitofp <16 x i8> %n to <16 x half>
  %p = fmul <16 x half> %w, %x
  ret <16 x half> %p
}

; CHECK-LABEL: @far(
; CHECK: %s = fadd <16 x half>
; CHECK-NEXT: ret <16 x half> %s
define <16 x half> @far(<16 x half> %x) {
  %s = fadd <16 x half> %x, splat (half 0xH3000) ; 0.125
  ret <16 x half> %s
}

; CHECK-LABEL: @nearer(
; CHECK: %s = fsub <16 x half>
; CHECK-NEXT: cm.flush.v16f16(<16 x half> %s)
define <16 x half> @nearer(<16 x half> %x) {
  %s = fsub <16 x half> %x, splat (half 0xH2C00) ; 0.0625
  ret <16 x half> %s
}

; CHECK-LABEL: @squares(
; CHECK: fmul <16 x half>
; CHECK-NEXT: cm.flush
; CHECK: %s = fadd <16 x half> %{{.*}}, %sum
; CHECK-NOT: cm.flush
; CHECK: ret
define <16 x half> @squares(<16 x half> %x, i32 %n) {
entry:
  br label %loop
loop:
  %sum = phi <16 x half> [ zeroinitializer, %entry ], [ %s, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %xx = fmul <16 x half> %x, %x
  %s = fadd <16 x half> %xx, %sum
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret <16 x half> %s
}

; CHECK-LABEL: @difference(
; CHECK: %s = fsub <16 x half> %{{.*}}, %{{.*}}
; CHECK-NEXT: cm.flush.v16f16(<16 x half> %s)
define <16 x half> @difference(<16 x half> %x, <16 x half> %y) {
  %xx = fmul <16 x half> %x, %x
  %yy = fmul <16 x half> %y, %y
  %s = fsub <16 x half> %xx, %yy
  ret <16 x half> %s
}
