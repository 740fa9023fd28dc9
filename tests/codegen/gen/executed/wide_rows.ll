; 64-bit elements that go four apart are written one by one where the finalizer would make dwords of them, which go eight
; apart nowhere: moves, integers from floats, and rows that are moved by every fourth element.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc pvcxt; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; RUN: gen-fuzz --text %s --target pvc | FileCheck %s --check-prefix=PVC
; PVC-NOT: <4>
; PVC: mov.sat (M1, 1) V{{[0-9]+}}({{[0-9]+,[0-9]+}})<1> {{.*}}V{{[0-9]+}}(0,9)<0;1,0>
; PVC-NOT: <4>
; PVC: ret
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <4 x float> @llvm.genx.rdregionf.v4f32.v32f32.i16(<32 x float>, i32, i32, i32, i16, i32) #1
declare <4 x i64> @llvm.fptosi.sat.v4i64.v4f32(<4 x float>)
declare <16 x i64> @llvm.genx.wrregioni.v16i64.v4i64.i16.i1(<16 x i64>, <4 x i64>, i32, i32, i32, i16, i32, i1) #1
declare <59 x i32> @llvm.genx.rdregioni.v59i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare <8 x i64> @llvm.genx.rdregioni.v8i64.v59i64.i16(<59 x i64>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v32i32(i32, i32, <32 x i32>)
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %old = sext <16 x i32> %ints to <16 x i64>
  %some = call <4 x float> @llvm.genx.rdregionf.v4f32.v32f32.i16(<32 x float> %floats, i32 4, i32 4, i32 1, i16 32, i32 undef)
  %numbers = call <4 x i64> @llvm.fptosi.sat.v4i64.v4f32(<4 x float> %some)
  %new = call <16 x i64> @llvm.genx.wrregioni.v16i64.v4i64.i16.i1(<16 x i64> %old, <4 x i64> %numbers, i32 4, i32 4, i32 4, i16 8, i32 undef, i1 true)
  %dwords = bitcast <16 x i64> %new to <32 x i32>
  call void @llvm.genx.oword.st.v32i32(i32 %out, i32 0, <32 x i32> %dwords)

  %repeated = call <59 x i32> @llvm.genx.rdregioni.v59i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 1, i32 0, i16 0, i32 undef)
  %wide = sext <59 x i32> %repeated to <59 x i64>
  %rows = call <8 x i64> @llvm.genx.rdregioni.v8i64.v59i64.i16(<59 x i64> %wide, i32 2, i32 4, i32 3, i16 128, i32 undef)
  %large = icmp uge <8 x i64> %rows, splat (i64 78)
  %flags = zext <8 x i1> %large to <8 x i32>
  call void @llvm.genx.oword.st.v8i32(i32 %out, i32 8, <8 x i32> %flags)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
