; The smallest number, negated, is itself: the finalizer would make a modifier of the negation, or of an absolute value,
; in whoever reads it, where it is a positive number.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <16 x i32> @llvm.abs.v16i32(<16 x i32>, i1)
declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %one = insertelement <16 x i32> undef, i32 %n, i32 0
  %seven = shufflevector <16 x i32> %one, <16 x i32> undef, <16 x i32> zeroinitializer
  %by = add <16 x i32> %seven, splat (i32 24)
  %x = shl <16 x i32> %ints, %by
  %negated = sub <16 x i32> zeroinitializer, %x
  %more = icmp sgt <16 x i32> %negated, %seven
  %a = select <16 x i1> %more, <16 x i32> splat (i32 1), <16 x i32> splat (i32 2)
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %a)
  %size = call <16 x i32> @llvm.abs.v16i32(<16 x i32> %x, i1 false)
  %above = icmp sgt <16 x i32> %size, %seven
  %b = select <16 x i1> %above, <16 x i32> splat (i32 1), <16 x i32> splat (i32 2)
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 4, <16 x i32> %b)
  %most = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %negated, <16 x i32> %seven)
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 8, <16 x i32> %most)
  %top = lshr <16 x i32> %x, splat (i32 16)
  %w = trunc <16 x i32> %top to <16 x i16>
  %words = sub <16 x i16> zeroinitializer, %w
  %c = sext <16 x i16> %words to <16 x i32>
  %sum = add <16 x i32> %c, %ints
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 12, <16 x i32> %sum)
  %f = sitofp <16 x i32> %negated to <16 x float>
  %g = fmul <16 x float> %f, splat (float 0.5)
  %i = bitcast <16 x float> %g to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 16, <16 x i32> %i)
  ret void
}

attributes #0 = { "CMGenxMain" }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
