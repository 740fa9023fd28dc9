; Bytes chosen channel by channel that become floats are those: from DG2 on the finalizer would take them from words.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <4 x i8> @llvm.genx.rdregioni.v4i8.v64i8.v4i16(<64 x i8>, i32, i32, i32, <4 x i16>, i32) #1
declare void @llvm.genx.oword.st.v4f32(i32, i32, <4 x float>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %bytes = bitcast <16 x i32> %ints to <64 x i8>
  %t = trunc i32 %n to i16
  %m = and i16 %t, 3
  %one = insertelement <4 x i16> undef, i16 %m, i32 0
  %all = shufflevector <4 x i16> %one, <4 x i16> undef, <4 x i32> zeroinitializer
  %at = xor <4 x i16> %all, <i16 7, i16 20, i16 8, i16 33>
  %chosen = call <4 x i8> @llvm.genx.rdregioni.v4i8.v64i8.v4i16(<64 x i8> %bytes, i32 0, i32 4, i32 1, <4 x i16> %at, i32 undef)
  %wide = zext <4 x i8> %chosen to <4 x i32>
  %f = uitofp <4 x i32> %wide to <4 x float>
  %r = fmul <4 x float> %f, <float 0.25, float 0.25, float 0.25, float 0.25>
  call void @llvm.genx.oword.st.v4f32(i32 %out, i32 0, <4 x float> %r)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
