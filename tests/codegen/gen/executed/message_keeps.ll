; Elements that a message may have kept, from two moves before it, are moved as they are: the finalizer writes pieces to
; where they go, but not what a message writes.
; REQUIRES: no-sanitizer
; RUN: for t in dg2 pvc pvcxt; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %0, i32 %1, i32 %2, <32 x float> %3, <16 x i32> %4, i64 %5) #0 {
entry:
  %is = icmp sgt i32 %2, 100000000
  %off = insertelement <1 x i1> undef, i1 %is, i64 0
  %6 = call <3 x i64> @llvm.genx.lsc.load.merge.stateless.v3i64.v1i1.v1i64(<1 x i1> %off, i8 0, i8 0, i8 0, i16 1, i32 0, i8 4, i8 3, i8 2, i8 0, <1 x i64> zeroinitializer, i32 0, <3 x i64> <i64 42, i64 42, i64 7>)
  %7 = shufflevector <3 x i64> %6, <3 x i64> poison, <16 x i32> <i32 0, i32 2, i32 1, i32 2, i32 0, i32 0, i32 2, i32 2, i32 0, i32 2, i32 1, i32 0, i32 0, i32 1, i32 2, i32 2>
  %8 = bitcast <16 x i64> %7 to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %1, i32 0, <32 x i32> %8)
  ret void
}

declare <3 x i64> @llvm.genx.lsc.load.merge.stateless.v3i64.v1i1.v1i64(<1 x i1>, i8, i8, i8, i16, i32, i8, i8, i8, i8, <1 x i64>, i32, <3 x i64>) #1

declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(read) }

!genx.kernels = !{!0}

!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
