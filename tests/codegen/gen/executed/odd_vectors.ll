; Vectors of integers of odd sizes, which LLVM compares instead of what a shift leaves.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

define spir_func void @k(i32 %0, i32 %1, i32 %2, <32 x float> %3, <16 x i32> %4, i64 %5) #0 {
entry:
  %x = call <8 x i64> @llvm.genx.oword.ld.v8i64(i32 0, i32 %0, i32 0)
  %y = call <8 x i64> @llvm.genx.oword.ld.v8i64(i32 0, i32 %0, i32 4)
  %a = trunc <8 x i64> %x to <8 x i59>
  %b = trunc <8 x i64> %y to <8 x i59>
  %less = icmp slt <8 x i59> %a, splat (i59 -1023)
  %above = icmp ugt <8 x i59> %a, %b
  %both = xor <8 x i1> %less, %above
  %m = call <8 x i59> @llvm.smin.v8i59(<8 x i59> %a, <8 x i59> %b)
  %h = ashr <8 x i59> %m, splat (i59 3)
  %s = mul <8 x i59> %h, %b
  %t = select <8 x i1> %both, <8 x i59> %s, <8 x i59> %a
  %r = shufflevector <8 x i59> %t, <8 x i59> %b, <8 x i32> <i32 7, i32 1, i32 9, i32 3, i32 12, i32 5, i32 0, i32 2>
  %w = sext <8 x i59> %r to <8 x i64>
  call void @llvm.genx.oword.st.v8i64(i32 %1, i32 0, <8 x i64> %w)
  %d = bitcast <8 x i64> %y to <16 x i32>
  %n = trunc <16 x i32> %d to <16 x i12>
  %k = mul <16 x i12> %n, %n
  %e = extractelement <16 x i12> %k, i64 5
  %f = insertelement <16 x i12> %k, i12 %e, i64 9
  %u = zext <16 x i12> %f to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %1, i32 4, <16 x i32> %u)
  ret void
}

declare <8 x i59> @llvm.smin.v8i59(<8 x i59>, <8 x i59>)
declare <8 x i64> @llvm.genx.oword.ld.v8i64(i32, i32, i32)
declare void @llvm.genx.oword.st.v8i64(i32, i32, <8 x i64>)
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

attributes #0 = { "CMGenxMain" }

!genx.kernels = !{!0}

!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
