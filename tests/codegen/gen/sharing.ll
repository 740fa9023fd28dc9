; What two vectors begin with is written once; what it takes to share a single write keeps it.
; RUN: cm-opt --march=skl --passes=gen-sharing %s | FileCheck %s
declare <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16>, i32, i32, i32, i16, i32) #0
declare <8 x i16> @llvm.genx.rdregioni.v8i16.v24i16.i16(<24 x i16>, i32, i32, i32, i16, i32) #0
declare <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16>, i32, i32, i32, i16, i32) #0
declare <32 x i16> @llvm.genx.wrregioni.v32i16.v16i16.i16.i1(<32 x i16>, <16 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16>, <8 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <24 x i16> @llvm.genx.wrregioni.v24i16.v8i16.i16.i1(<24 x i16>, <8 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16>, <4 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16>, <2 x i16>, i32, i32, i32, i16, i32, i1) #0
declare void @use(<32 x i16>)

; The sum of the second is the first's.
; CHECK-LABEL: @begins(
; CHECK: call void @use(<32 x i16> %a)
; CHECK-NEXT: %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %a2, <2 x i16> %two
define void @begins(<16 x i16> %x, <8 x i16> %y, <4 x i16> %four, <2 x i16> %two) {
  %s = add <16 x i16> %x, splat (i16 7)
  %a1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v16i16.i16.i1(<32 x i16> poison, <16 x i16> %s, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %a2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %a1, <8 x i16> %y, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %a = call <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16> %a2, <4 x i16> %four, i32 0, i32 4, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %a)
  %t = add <16 x i16> %x, splat (i16 7)
  %b1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v16i16.i16.i1(<32 x i16> poison, <16 x i16> %t, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %b2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %b1, <8 x i16> %y, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %b2, <2 x i16> %two, i32 0, i32 2, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %b)
  ret void
}

; A part of a vector of another type is what was written there, and has no history.
; CHECK-LABEL: @parts(
; CHECK: %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %a2, <2 x i16> %two
define void @parts(<8 x i16> %x, <8 x i16> %y, <4 x i16> %four, <2 x i16> %two, <24 x i16> %w) {
  %a1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> zeroinitializer, <8 x i16> %x, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %a2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %a1, <8 x i16> %y, i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
  %a = call <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16> %a2, <4 x i16> %four, i32 0, i32 4, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %a)
  %v1 = call <24 x i16> @llvm.genx.wrregioni.v24i16.v8i16.i16.i1(<24 x i16> %w, <8 x i16> %x, i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
  %v2 = call <24 x i16> @llvm.genx.wrregioni.v24i16.v8i16.i16.i1(<24 x i16> %v1, <8 x i16> %y, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %x1 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v24i16.i16(<24 x i16> %v2, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %y1 = call <8 x i16> @llvm.genx.rdregioni.v8i16.v24i16.i16(<24 x i16> %v2, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %b1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> zeroinitializer, <8 x i16> %x1, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %b2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %b1, <8 x i16> %y1, i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
  %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %b2, <2 x i16> %two, i32 0, i32 2, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %b)
  ret void
}

; One write into nothing costs as much as a copy. A part that a later write has changed is another one.
; CHECK-LABEL: @leaves(
; CHECK: %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16> %b1
; CHECK: %d2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> {{%.*}}, <8 x i16> %part
define void @leaves(<16 x i16> %x, <8 x i16> %y, <4 x i16> %four, <2 x i16> %two) {
  %a1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v16i16.i16.i1(<32 x i16> poison, <16 x i16> %x, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %a = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %a1, <2 x i16> %two, i32 0, i32 2, i32 1, i16 0, i32 undef, i1 true)
  call void @use(<32 x i16> %a)
  %b1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v16i16.i16.i1(<32 x i16> poison, <16 x i16> %x, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %b = call <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16> %b1, <4 x i16> %four, i32 0, i32 4, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %b)
  %c1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> zeroinitializer, <8 x i16> %y, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %c2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %c1, <8 x i16> %y, i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
  %c3 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v2i16.i16.i1(<32 x i16> %c2, <2 x i16> %two, i32 0, i32 2, i32 1, i16 24, i32 undef, i1 true)
  call void @use(<32 x i16> %c3)
  %both = call <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16> %c3, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %part = call <8 x i16> @llvm.genx.rdregioni.v8i16.v16i16.i16(<16 x i16> %both, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %d1 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> zeroinitializer, <8 x i16> %y, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %d2 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> %d1, <8 x i16> %part, i32 0, i32 8, i32 1, i16 16, i32 undef, i1 true)
  %d3 = call <32 x i16> @llvm.genx.wrregioni.v32i16.v4i16.i16.i1(<32 x i16> %d2, <4 x i16> %four, i32 0, i32 4, i32 1, i16 48, i32 undef, i1 true)
  call void @use(<32 x i16> %d3)
  ret void
}

attributes #0 = { nounwind willreturn memory(none) }
