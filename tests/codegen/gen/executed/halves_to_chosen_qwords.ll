; Halves that become 64 bits at a place known at run time: the finalizer takes two channels at a time and writes the
; second ones a byte behind the first. They are moved there.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %0, i32 %1, i32 %2, <32 x float> %3, <16 x i32> %4, i64 %5) #0 {
entry:
  %l = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 %0, i32 0)
  %n = and <4 x i32> %l, splat (i32 1023)
  %h = uitofp <4 x i32> %n to <4 x half>
  %q = call <4 x i64> @llvm.fptoui.sat.v4i64.v4f16(<4 x half> %h)
  %i = trunc i32 %2 to i16
  %one = and i16 %i, 1
  %at = mul i16 %one, 8
  %x = call <8 x i64> @llvm.genx.wrregioni.v8i64.v4i64.i16.i1(<8 x i64> zeroinitializer, <4 x i64> %q, i32 0, i32 4, i32 1, i16 %at, i32 undef, i1 true)
  call void @llvm.genx.oword.st.v8i64(i32 %1, i32 0, <8 x i64> %x)
  ret void
}

declare <4 x i32> @llvm.genx.oword.ld.v4i32(i32, i32, i32)
declare <4 x i64> @llvm.fptoui.sat.v4i64.v4f16(<4 x half>)
declare <8 x i64> @llvm.genx.wrregioni.v8i64.v4i64.i16.i1(<8 x i64>, <4 x i64>, i32, i32, i32, i16, i32, i1) #1
declare void @llvm.genx.oword.st.v8i64(i32, i32, <8 x i64>)

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind memory(none) }

!genx.kernels = !{!0}

!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
