; What LLVM computes of narrow integers by a function is computed of wider ones, too.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc pvcxt; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %x = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %in, i32 0)
  %y = call <16 x i32> @llvm.genx.oword.ld.v16i32(i32 0, i32 %in, i32 4)
  %a = trunc <16 x i32> %x to <16 x i5>
  %b = trunc <16 x i32> %y to <16 x i5>
  %abs = call <16 x i5> @llvm.abs.v16i5(<16 x i5> %a, i1 false)
  %abs_wide = zext <16 x i5> %abs to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %abs_wide)
  %usub_sat = call <16 x i5> @llvm.usub.sat.v16i5(<16 x i5> %a, <16 x i5> %b)
  %usub_sat_wide = sext <16 x i5> %usub_sat to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 4, <16 x i32> %usub_sat_wide)
  %uadd_sat = call <16 x i5> @llvm.uadd.sat.v16i5(<16 x i5> %a, <16 x i5> %b)
  %uadd_sat_wide = zext <16 x i5> %uadd_sat to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 8, <16 x i32> %uadd_sat_wide)
  %sadd_sat = call <16 x i5> @llvm.sadd.sat.v16i5(<16 x i5> %a, <16 x i5> %b)
  %sadd_sat_wide = sext <16 x i5> %sadd_sat to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 12, <16 x i32> %sadd_sat_wide)
  %ssub_sat = call <16 x i5> @llvm.ssub.sat.v16i5(<16 x i5> %a, <16 x i5> %b)
  %ssub_sat_wide = zext <16 x i5> %ssub_sat to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 16, <16 x i32> %ssub_sat_wide)
  %bitreverse = call <16 x i5> @llvm.bitreverse.v16i5(<16 x i5> %a)
  %bitreverse_wide = sext <16 x i5> %bitreverse to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 20, <16 x i32> %bitreverse_wide)
  ret void
}

declare <16 x i5> @llvm.abs.v16i5(<16 x i5>, i1 immarg)
declare <16 x i5> @llvm.usub.sat.v16i5(<16 x i5>, <16 x i5>)
declare <16 x i5> @llvm.uadd.sat.v16i5(<16 x i5>, <16 x i5>)
declare <16 x i5> @llvm.sadd.sat.v16i5(<16 x i5>, <16 x i5>)
declare <16 x i5> @llvm.ssub.sat.v16i5(<16 x i5>, <16 x i5>)
declare <16 x i5> @llvm.bitreverse.v16i5(<16 x i5>)
declare <16 x i32> @llvm.genx.oword.ld.v16i32(i32, i32, i32)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

attributes #0 = { "CMGenxMain" }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
