; Elements that pieces of a row are written to with gaps, and then moved together, are those elements: the finalizer
; would write the pieces to where they go with their gaps.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <48 x i32> @llvm.genx.rdregioni.v48i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #1
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v48i32.i16(<48 x i32>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %long = call <48 x i32> @llvm.genx.rdregioni.v48i32.v16i32.i16(<16 x i32> %ints, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %rows = call <16 x i32> @llvm.genx.rdregioni.v16i32.v48i32.i16(<48 x i32> %long, i32 11, i32 8, i32 2, i16 32, i32 undef)
  %x = sext <16 x i32> %rows to <16 x i64>
  %y = zext <16 x i32> %ints to <16 x i64>
  %less = icmp ult <16 x i64> %x, %y
  %r = select <16 x i1> %less, <16 x i32> zeroinitializer, <16 x i32> %rows
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %r)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
