; Saturation to [0, 1] is done by what computes the number, or by a move.
; RUN: cm-opt --march=icllp --passes=region-constant-folding %s | FileCheck --check-prefix=FOLD %s
; RUN: cm-opt --march=icllp --passes=gen-baling,gen-legalization %s | FileCheck --check-prefix=CUT %s
; RUN: cm-opt --march=icllp --passes=region-constant-folding %s | run-lines %s
; RUN: cm-opt --march=icllp --passes=gen-baling,gen-legalization %s | run-lines %s

declare <32 x float> @llvm.genx.sat.v32f32(<32 x float>)
declare <8 x float> @llvm.genx.sat.v8f32(<8 x float>)

; FOLD-LABEL: @constants(
; FOLD-NEXT: ret <8 x float> <float 0.000000e+00, float 0.000000e+00, float 0.000000e+00, float 5.000000e-01, float 1.000000e+00, float 1.000000e+00, float 0.000000e+00, float 0.000000e+00>
; run: constants()
define <8 x float> @constants() {
  %r = call <8 x float> @llvm.genx.sat.v8f32(<8 x float> <float 0.0, float -0.0, float -2.0, float 0.5, float 1.0, float 3.0, float 0x7FF8000000000000, float 0xFFF0000000000000>)
  ret <8 x float> %r
}

; The sum is cut with the saturation behind it.
; CUT-LABEL: @sum(
; CUT: [[A:%.*]] = fadd <16 x float>
; CUT-NEXT: call <16 x float> @llvm.genx.sat.v16f32(<16 x float> [[A]])
; CUT: [[B:%.*]] = fadd <16 x float>
; CUT-NEXT: call <16 x float> @llvm.genx.sat.v16f32(<16 x float> [[B]])
; run: sum(random, random)
define <32 x float> @sum(<32 x float> %a, <32 x float> %b) {
  %s = fadd <32 x float> %a, %b
  %r = call <32 x float> @llvm.genx.sat.v32f32(<32 x float> %s)
  ret <32 x float> %r
}
