; 64-bit integers that go two apart to a place known at run time are written one by one where the finalizer would make
; dwords of them, and write the address register.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; RUN: gen-fuzz --text %s --target pvc | FileCheck %s --check-prefix=PVC
; PVC: mov (M1, 1) r[A{{[0-9]+}}(0),0]<1>:q
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <16 x i64> @llvm.genx.wrregioni.v16i64.v4i64.i16.i1(<16 x i64>, <4 x i64>, i32, i32, i32, i16, i32, i1) #1
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %old = sext <16 x i32> %ints to <16 x i64>
  %new = call <4 x i64> @llvm.fptosi.sat.v4i64.v4f32(<4 x float> <float -1.5, float 4.0, float 16777216.0, float 7.0>)
  %t = trunc i32 %n to i16
  %m = and i16 %t, 3
  %at = shl i16 %m, 3
  %w = call <16 x i64> @llvm.genx.wrregioni.v16i64.v4i64.i16.i1(<16 x i64> %old, <4 x i64> %new, i32 0, i32 4, i32 2, i16 %at, i32 undef, i1 true)
  %d = bitcast <16 x i64> %w to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 0, <32 x i32> %d)
  ret void
}
declare <4 x i64> @llvm.fptosi.sat.v4i64.v4f32(<4 x float>)

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
