; Single bits of the elements of a vector, which LLVM takes out of all its bits: of numbers of bits that flag registers do
; not have, too.
; REQUIRES: no-sanitizer
; RUN: for t in skl icllp tgllp dg2 pvc; do gen-fuzz --text %s --target $t --execute | FileCheck %s || exit 1; done
; CHECK: // no problem
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <29 x i8> @llvm.genx.rdregioni.v29i8.v64i8.i16(<64 x i8>, i32, i32, i32, i16, i32) #1
declare <5 x i64> @llvm.genx.rdregioni.v5i64.v8i64.i16(<8 x i64>, i32, i32, i32, i16, i32) #1
declare void @llvm.genx.oword.st.v16i32(i32, i32, <16 x i32>)

define spir_func void @k(i32 %in, i32 %out, i32 %n, <32 x float> %floats, <16 x i32> %ints, i64 %address) #0 {
  %bytes = bitcast <16 x i32> %ints to <64 x i8>
  %some = call <29 x i8> @llvm.genx.rdregioni.v29i8.v64i8.i16(<64 x i8> %bytes, i32 0, i32 29, i32 1, i16 3, i32 undef)
  %bits = bitcast <29 x i8> %some to <232 x i1>
  %odd = shufflevector <232 x i1> %bits, <232 x i1> poison, <16 x i32> splat (i32 200)
  %first = select <16 x i1> %odd, <16 x i32> %ints, <16 x i32> zeroinitializer
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 0, <16 x i32> %first)
  %several = shufflevector <232 x i1> %bits, <232 x i1> poison, <16 x i32> <i32 0, i32 9, i32 18, i32 27, i32 36, i32 45, i32 54, i32 63, i32 64, i32 1, i32 70, i32 231, i32 224, i32 5, i32 5, i32 7>
  %second = select <16 x i1> %several, <16 x i32> %ints, <16 x i32> zeroinitializer
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 4, <16 x i32> %second)
  %bit = extractelement <232 x i1> %bits, i32 77
  %third = select i1 %bit, <16 x i32> %ints, <16 x i32> zeroinitializer
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 8, <16 x i32> %third)
  %qwords = bitcast <16 x i32> %ints to <8 x i64>
  %five = call <5 x i64> @llvm.genx.rdregioni.v5i64.v8i64.i16(<8 x i64> %qwords, i32 0, i32 5, i32 1, i16 8, i32 undef)
  %long = bitcast <5 x i64> %five to <320 x i1>
  %signs = shufflevector <320 x i1> %long, <320 x i1> poison, <16 x i32> <i32 63, i32 127, i32 191, i32 255, i32 319, i32 63, i32 0, i32 64, i32 128, i32 192, i32 256, i32 31, i32 32, i32 33, i32 95, i32 96>
  %fourth = select <16 x i1> %signs, <16 x i32> %ints, <16 x i32> zeroinitializer
  call void @llvm.genx.oword.st.v16i32(i32 %out, i32 12, <16 x i32> %fourth)
  ret void
}

attributes #0 = { "CMGenxMain" }
attributes #1 = { nounwind willreturn memory(none) }

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 2, i32 0, i32 0, i32 0, i32 0}
!2 = !{!"SurfaceIndex 1", !"SurfaceIndex 1", !"int 1", !"float 32", !"int 16", !"svmptr_t 1"}
