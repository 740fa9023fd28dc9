; Reciprocal square roots: the CPU's estimate and a Newton step, which leaves zero and infinity what they are. Where a CPU
; adds elsewhere than it multiplies, what need not be a multiplication is none.
; RUN: cm-opt --march=cpu --mcpu=znver4 --passes=cpu-estimates %s | FileCheck %s --check-prefixes=CHECK,ELSEWHERE
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-estimates %s | FileCheck %s --check-prefixes=CHECK,TOGETHER
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @root(
; CHECK: %[[Y:.*]] = call <16 x float> @llvm.x86.avx512.rsqrt14.ps.512(<16 x float> %x,
; CHECK: fmul <16 x float> %x, %[[Y]]
; CHECK: call <16 x float> @llvm.fma.v16f32({{.*}}, <16 x float> %[[Y]], <16 x float> splat (float -1.000000e+00))
; ELSEWHERE-NOT: fmul
; ELSEWHERE: call <16 x i32> @llvm.umin.v16i32({{.*}}splat (i32 -1090519040)
; ELSEWHERE: %[[MOST:.*]] = call <16 x i32> @llvm.umax.v16i32({{.*}}splat (i32 8388608)
; ELSEWHERE: sub <16 x i32> %[[MOST]], splat (i32 8388608)
; TOGETHER: fcmp ogt <16 x float> {{.*}}, splat (float -5.000000e-01)
; TOGETHER: fmul <16 x float> %[[Y]], splat (float 5.000000e-01)
; CHECK: call <16 x float> @llvm.fma.v16f32({{.*}}, <16 x float> %[[Y]])
; CHECK-NOT: fdiv
define <16 x float> @root(<16 x float> %x) {
  %root = call arcp <16 x float> @llvm.sqrt.v16f32(<16 x float> %x)
  %q = fdiv arcp <16 x float> splat (float 1.0), %root
  ret <16 x float> %q
}
