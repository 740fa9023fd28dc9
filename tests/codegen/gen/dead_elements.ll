; A sum of 7 elements is cut to 4, 2 and 1; what of it the next write covers before it is read is not written.
; RUN: cm-opt --march=skl --passes=gen-baling,gen-legalization,gen-dead-elements %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-baling,gen-legalization %s | FileCheck --check-prefix=BEFORE %s
; BEFORE: wrregioni.v8i32.v1i32{{.*}} i16 28,

; CHECK-LABEL: @scan(
; CHECK: wrregioni.v8i32.v4i32{{.*}} i16 4,
; CHECK: wrregioni.v8i32.v2i32{{.*}} i16 20,
; CHECK-NOT: wrregioni.v8i32.v1i32
; CHECK: wrregioni.v8i32.v4i32{{.*}} i16 8,
; CHECK: wrregioni.v8i32.v2i32{{.*}} i16 24,
; CHECK-NOT: wrregioni.v8i32.v1i32
; CHECK: ret void
define spir_func void @scan(i32 %s, <8 x i32> %v) {
  %a = call <7 x i32> @llvm.genx.rdregioni.v7i32.v8i32.i16(<8 x i32> %v, i32 7, i32 7, i32 1, i16 0, i32 undef)
  %b = call <7 x i32> @llvm.genx.rdregioni.v7i32.v8i32.i16(<8 x i32> %v, i32 7, i32 7, i32 1, i16 4, i32 undef)
  %s1 = add <7 x i32> %a, %b
  %w1 = call <8 x i32> @llvm.genx.wrregioni.v8i32.v7i32.i16.i1(<8 x i32> %v, <7 x i32> %s1, i32 7, i32 7, i32 1, i16 4, i32 undef, i1 true)
  %c = call <6 x i32> @llvm.genx.rdregioni.v6i32.v8i32.i16(<8 x i32> %w1, i32 6, i32 6, i32 1, i16 0, i32 undef)
  %s2 = mul <6 x i32> %c, splat (i32 3)
  %w2 = call <8 x i32> @llvm.genx.wrregioni.v8i32.v6i32.i16.i1(<8 x i32> %w1, <6 x i32> %s2, i32 6, i32 6, i32 1, i16 8, i32 undef, i1 true)
  call void @llvm.genx.oword.st.v8i32(i32 %s, i32 0, <8 x i32> %w2)
  ret void
}

declare <7 x i32> @llvm.genx.rdregioni.v7i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <6 x i32> @llvm.genx.rdregioni.v6i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v7i32.i16.i1(<8 x i32>, <7 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v6i32.i16.i1(<8 x i32>, <6 x i32>, i32, i32, i32, i16, i32, i1) #0
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)
attributes #0 = { nounwind willreturn memory(none) }
