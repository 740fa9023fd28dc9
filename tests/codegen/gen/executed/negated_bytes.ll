; Bytes without a sign, negated as dwords, in products of 64 bits: the finalizer would make the product read them as
; numbers without a sign, and lose that of the result.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %0, i32 %1, i32 %2, <32 x float> %3, <16 x i32> %4, i64 %5) #0 {
entry:
  %b = call <32 x i8> @llvm.genx.oword.ld.v32i8(i32 0, i32 %0, i32 0)
  %d = call <8 x i32> @llvm.genx.oword.ld.v8i32(i32 0, i32 %0, i32 2)
  %f = shufflevector <32 x i8> %b, <32 x i8> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %w = zext <8 x i8> %f to <8 x i32>
  %m = sub <8 x i32> zeroinitializer, %w
  %p = call <8 x i64> @llvm.genx.ssmul.v8i64.v8i32(<8 x i32> %m, <8 x i32> %d)
  call void @llvm.genx.oword.st.v8i64(i32 %1, i32 0, <8 x i64> %p)
  ret void
}

declare <32 x i8> @llvm.genx.oword.ld.v32i8(i32, i32, i32)
declare <8 x i32> @llvm.genx.oword.ld.v8i32(i32, i32, i32)
declare <8 x i64> @llvm.genx.ssmul.v8i64.v8i32(<8 x i32>, <8 x i32>) #1
declare void @llvm.genx.oword.st.v8i64(i32, i32, <8 x i64>)

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind memory(none) }

!genx.kernels = !{!0}

!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
