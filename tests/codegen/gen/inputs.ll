; What the dispatch gives a thread is asked for once, at the kernel's beginning.
; RUN: cm-opt --march=skl --passes=gen-inputs %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-inputs %s | run-lines %s

declare <3 x i32> @llvm.genx.local.size.v3i32() #0
declare <3 x i32> @llvm.genx.local.id.v3i32() #0

; CHECK-LABEL: @k(
; CHECK-NEXT: entry:
; CHECK-DAG: [[S:%.*]] = call <3 x i32> @llvm.genx.local.size.v3i32()
; CHECK-DAG: [[I:%.*]] = call <3 x i32> @llvm.genx.local.id.v3i32()
; CHECK: a:
; CHECK-NOT: call
; CHECK: add <3 x i32> [[S]], [[I]]
; CHECK: b:
; CHECK-NOT: call
; CHECK: sub <3 x i32> [[S]], [[I]]
; run: k(random)
define <3 x i32> @k(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %s = call <3 x i32> @llvm.genx.local.size.v3i32()
  %i = call <3 x i32> @llvm.genx.local.id.v3i32()
  %x = add <3 x i32> %s, %i
  ret <3 x i32> %x
b:
  %t = call <3 x i32> @llvm.genx.local.size.v3i32()
  %j = call <3 x i32> @llvm.genx.local.id.v3i32()
  %y = sub <3 x i32> %t, %j
  ret <3 x i32> %y
}

attributes #0 = { nounwind memory(none) }
