; Channels of a selected predicate that the selection does not ask for may turn out to have no value, when the last
; constants are folded: that is nothing to those that it does ask for.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float>)
declare <8 x i32> @llvm.fptosi.sat.v8i32.v8f16(<8 x half>)
declare <8 x i32> @llvm.ctlz.v8i32(<8 x i32>, i1)
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %f = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> <float 0.0, float 2.0, float 4.0, float 0.0, float 8.0, float 9.0, float 0.0, float 1.0>)
  %h = fptrunc <8 x float> %f to <8 x half>
  %x = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f16(<8 x half> %h)
  %none = icmp eq <8 x i32> %x, zeroinitializer
  %zeros = call <8 x i32> @llvm.ctlz.v8i32(<8 x i32> %x, i1 true)
  %times = mul nsw <8 x i32> %zeros, <i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17>
  %few = icmp ult <8 x i32> %times, splat (i32 300)
  %some = select <8 x i1> %none, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 true, i1 true>, <8 x i1> %few
  %many = icmp ugt <8 x i32> %times, splat (i32 200)
  %has = xor <8 x i1> %none, splat (i1 true)
  %others = select <8 x i1> %has, <8 x i1> %many, <8 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true, i1 true, i1 false, i1 true>
  %y = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %r = select <8 x i1> %some, <8 x i32> %y, <8 x i32> splat (i32 7)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 0, <8 x i32> %r)
  %s = select <8 x i1> %others, <8 x i32> %y, <8 x i32> splat (i32 9)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 2, <8 x i32> %s)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
