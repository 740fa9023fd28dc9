; Integers that are compared with 0 are those of every channel, and of their own type: the finalizer would compare what is
; computed first, for one channel, or as words of bytes and as floats of halves.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc pvcxt; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #1
declare <8 x i16> @llvm.fptosi.sat.v8i16.v8f32(<8 x float>)
declare <8 x i64> @llvm.fptosi.sat.v8i64.v8f16(<8 x half>)
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare <8 x i8> @llvm.genx.rdregioni.v8i8.v64i8.i16(<64 x i8>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %some = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 8, i32 1, i16 0, i32 undef)

  %f = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %floats, i32 0, i32 1, i32 0, i16 16, i32 undef)
  %w = call <8 x i16> @llvm.fptosi.sat.v8i16.v8f32(<8 x float> %f)
  %few = icmp slt <8 x i16> %w, zeroinitializer
  %a = select <8 x i1> %few, <8 x i32> %some, <8 x i32> splat (i32 7)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 0, <8 x i32> %a)

  %bits = bitcast <16 x i32> %ints to <64 x i8>
  %x = call <8 x i8> @llvm.genx.rdregioni.v8i8.v64i8.i16(<64 x i8> %bits, i32 0, i32 8, i32 4, i16 0, i32 undef)
  %square = mul <8 x i8> %x, %x
  %none = icmp eq <8 x i8> %square, zeroinitializer
  %b = select <8 x i1> %none, <8 x i32> %some, <8 x i32> splat (i32 7)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 2, <8 x i32> %b)

  %row = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %floats, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %small = fmul <8 x float> %row, splat (float 0.25)
  %h = fptrunc <8 x float> %small to <8 x half>
  %q = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f16(<8 x half> %h)
  %cut = icmp eq <8 x i64> %q, zeroinitializer
  %c = select <8 x i1> %cut, <8 x i32> %some, <8 x i32> splat (i32 7)
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 4, <8 x i32> %c)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
