; Floats become qwords, with a sign and without: too large ones the most, negative ones 0 or themselves, no numbers 0.
; Targets without qwords compute them of two halves.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <8 x i64> @llvm.fptosi.sat.v8i64.v8f32(<8 x float>)
declare <8 x i64> @llvm.fptoui.sat.v8i64.v8f32(<8 x float>)
declare <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %some = call <8 x float> @llvm.genx.rdregionf.v8f32.v32f32.i16(<32 x float> %floats, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %zeros = fmul <8 x float> %some, zeroinitializer
  %edges = fadd <8 x float> %zeros, <float 0x43E0000000000000, float 0x43F0000000000000, float 0xC3E0000000000000, float 0x43DFFFFFE0000000, float 0x43EFFFFFE0000000, float -1.0, float 0x7FF8000000000000, float 0.75>
  %a = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f32(<8 x float> %edges)
  %a.dwords = bitcast <8 x i64> %a to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %a.dwords)
  %b = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f32(<8 x float> %edges)
  %b.dwords = bitcast <8 x i64> %b to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 4, <16 x i32> %b.dwords)
  %large = fmul <8 x float> %some, splat (float 0x4260000000000000)
  %c = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f32(<8 x float> %large)
  %c.dwords = bitcast <8 x i64> %c to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 8, <16 x i32> %c.dwords)
  %d = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f32(<8 x float> %large)
  %d.dwords = bitcast <8 x i64> %d to <16 x i32>
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 12, <16 x i32> %d.dwords)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
