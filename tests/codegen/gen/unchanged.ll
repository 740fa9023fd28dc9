; Passes that change nothing say so.
; RUN: cm-opt --march=skl --passes=gen-predication --print-changed %s -o %t.ll 2>&1 | FileCheck %s
; CHECK: ; gen-predication changed nothing

; What a constant is in the other channels has no register that could keep it.
define <16 x float> @constant(<16 x float> %a, <16 x i1> %p) {
  %x = fadd <16 x float> %a, %a
  %s = select <16 x i1> %p, <16 x float> %x, <16 x float> splat (float 1.0)
  ret <16 x float> %s
}
