; Multiply-adds of half round once: no instruction has 32 channels of them.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK-COUNT-2: mad (M1, 16)
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <32 x i32> @llvm.genx.rdregioni.v32i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare <32 x half> @llvm.fma.v32f16(<32 x half>, <32 x half>, <32 x half>)
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %a = fptrunc <32 x float> %floats to <32 x half>
  %r = call <32 x i32> @llvm.genx.rdregioni.v32i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 1, i32 0, i16 12, i32 undef)
  %m = and <32 x i32> %r, splat (i32 2047)
  %b = sitofp <32 x i32> %m to <32 x half>
  %f = call <32 x half> @llvm.fma.v32f16(<32 x half> %a, <32 x half> %b, <32 x half> %a)
  %i = bitcast <32 x half> %f to <32 x i16>
  %w = zext <32 x i16> %i to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 0, <32 x i32> %w)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
