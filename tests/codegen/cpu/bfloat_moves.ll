; What only moves is of words, also where its reader computes.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-bfloat-moves %s | FileCheck %s

; CHECK-LABEL: @widened(
; CHECK-NEXT: %b = load i16, ptr %from
; CHECK-NEXT: [[B:%.*]] = bitcast i16 %b to bfloat
; CHECK-NEXT: fpext bfloat [[B]] to float
define void @widened(ptr %from, ptr %to) {
  %b = load bfloat, ptr %from
  %f = fpext bfloat %b to float
  store float %f, ptr %to
  ret void
}
