; Where nobody comes a product may be made of itself.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-wide-products %s | FileCheck %s

; CHECK-LABEL: @endless
; CHECK-NEXT: entry:
; CHECK-NEXT: ret void
; CHECK-NEXT: }
define void @endless(ptr %p, <16 x i32> %a) {
entry:
  ret void
nowhere:
  %wa = zext <16 x i32> %a to <16 x i64>
  %m = mul <16 x i64> %wa, %m
  %t = trunc <16 x i64> %m to <16 x i32>
  store <16 x i32> %t, ptr %p
  br label %nowhere
}

; A lane that is nothing does not spoil the one beside it.
; CHECK-LABEL: @apart
; CHECK: freeze <8 x i32>
; CHECK: bitcast <8 x i32> {{.*}} to <4 x i64>
; CHECK: ret void
define void @apart(ptr %p, <8 x i32> %a) {
  %w = zext <8 x i32> %a to <8 x i64>
  %m = mul <8 x i64> %w, splat (i64 3528531795)
  %u = lshr <8 x i64> %m, splat (i64 32)
  %t = trunc <8 x i64> %u to <8 x i32>
  store <8 x i32> %t, ptr %p
  ret void
}
