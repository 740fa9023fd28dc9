; An atomic of more lanes than a number has bits is several calls; no lane of any is forgotten.
; RUN: cmc -march=cpu -o %t.isa %s
; RUN: cmrun %t.isa k --threads 1x1 --arg buffer:zero=512,out=%t.out --jobs 1 > /dev/null
; RUN: od -An -v -w4 -tu4 %t.out | FileCheck %s
; CHECK: {{^ *}}0{{$}}
; CHECK: {{^ *}}63{{$}}
; CHECK-NEXT: {{^ *}}64{{$}}
; CHECK: {{^ *}}127{{$}}
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <128 x i32> @llvm.genx.dword.atomic.add.v128i32.v128i1.v128i32(<128 x i1>, i32, <128 x i32>, <128 x i32>, <128 x i32>)
declare void @llvm.genx.oword.st.v128i32(i32, i32, <128 x i32>)

define spir_func void @k(i32 %b) #0 {
  %old = call <128 x i32> @llvm.genx.dword.atomic.add.v128i32.v128i1.v128i32(<128 x i1> splat (i1 true), i32 %b, <128 x i32> zeroinitializer, <128 x i32> splat (i32 1), <128 x i32> zeroinitializer)
  call void @llvm.genx.oword.st.v128i32(i32 %b, i32 0, <128 x i32> %old)
  ret void
}

attributes #0 = { nounwind "CMGenxMain" }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2}
!2 = !{!"SurfaceIndex 1"}
