; Arithmetic on bfloat is arithmetic on float, rounded to the nearest, ties to even; NaN stays NaN.
; RUN: cm-opt --march=skl --passes=gen-bfloat %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-bfloat %s | run-lines %s

; CHECK-LABEL: @sum(
; CHECK: [[A:%.*]] = bitcast <8 x bfloat> %a to <8 x i16>
; CHECK-NEXT: [[W:%.*]] = zext <8 x i16> [[A]] to <8 x i32>
; CHECK-NEXT: [[U:%.*]] = shl <8 x i32> [[W]], splat (i32 16)
; CHECK-NEXT: [[F:%.*]] = bitcast <8 x i32> [[U]] to <8 x float>
; CHECK: [[S:%.*]] = fadd <8 x float> [[F]], %{{.*}}
; CHECK-NEXT: [[BITS:%.*]] = bitcast <8 x float> [[S]] to <8 x i32>
; CHECK-NEXT: [[ODD:%.*]] = lshr <8 x i32> [[BITS]], splat (i32 16)
; CHECK-NEXT: [[ONE:%.*]] = and <8 x i32> [[ODD]], splat (i32 1)
; CHECK-NEXT: [[HALF:%.*]] = add <8 x i32> [[ONE]], splat (i32 32767)
; CHECK-NEXT: [[ROUNDED:%.*]] = add <8 x i32> [[BITS]], [[HALF]]
; CHECK-NEXT: [[QUIET:%.*]] = or <8 x i32> [[BITS]], splat (i32 4194304)
; CHECK-NEXT: [[NAN:%.*]] = fcmp uno <8 x float> [[S]], [[S]]
; CHECK-NEXT: select <8 x i1> [[NAN]], <8 x i32> [[QUIET]], <8 x i32> [[ROUNDED]]
; CHECK: ret <8 x bfloat>
; run: sum(random, random)
define <8 x bfloat> @sum(<8 x bfloat> %a, <8 x bfloat> %b) {
  %s = fadd <8 x bfloat> %a, %b
  ret <8 x bfloat> %s
}

; To float it is a shift.
; CHECK-LABEL: @converted(
; CHECK: [[U:%.*]] = shl <8 x i32> %{{.*}}, splat (i32 16)
; CHECK-NEXT: [[F:%.*]] = bitcast <8 x i32> [[U]] to <8 x float>
; CHECK-NEXT: ret <8 x float> [[F]]
; run: converted(random)
define <8 x float> @converted(<8 x bfloat> %a) {
  %f = fpext <8 x bfloat> %a to <8 x float>
  ret <8 x float> %f
}

; What only moves them stays.
; CHECK-LABEL: @moved(
; CHECK-NEXT: %s = select <8 x i1> %p, <8 x bfloat> %a, <8 x bfloat> %b
; CHECK-NEXT: ret
; run: moved(random, random, random)
define <8 x bfloat> @moved(<8 x bfloat> %a, <8 x bfloat> %b, <8 x i1> %p) {
  %s = select <8 x i1> %p, <8 x bfloat> %a, <8 x bfloat> %b
  ret <8 x bfloat> %s
}
