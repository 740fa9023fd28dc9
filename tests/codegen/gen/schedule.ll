; Where a block takes more registers than there should be, each message gets what it needs right before it.
; RUN: cm-opt --march=skl --passes=gen-schedule %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-schedule %s | run-lines %s

declare void @llvm.genx.oword.st.v256i32(i32, i32, <256 x i32>)
declare void @llvm.genx.oword.st.v128i32(i32, i32, <128 x i32>)
declare <256 x i32> @llvm.genx.rdregioni.v256i32.v512i32.i16(<512 x i32>, i32, i32, i32, i16, i32)
declare <512 x i32> @llvm.genx.wrregioni.v512i32.v256i32.i16.i1(<512 x i32>, <256 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @pieces(
; CHECK-NEXT: %a1 = add
; CHECK-NEXT: %b1 = xor
; CHECK-NEXT: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 0, <256 x i32> %b1)
; CHECK-NEXT: %a2 = add
; CHECK-NEXT: %b2 = xor
; CHECK-NEXT: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 64, <256 x i32> %b2)
; CHECK-NEXT: %a3 = add
; CHECK-NEXT: %b3 = xor
; CHECK-NEXT: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 128, <256 x i32> %b3)
; run: pieces(memory, random)
define void @pieces(i32 %out, <256 x i32> %x) {
  %a1 = add <256 x i32> %x, splat (i32 1)
  %a2 = add <256 x i32> %x, splat (i32 2)
  %a3 = add <256 x i32> %x, splat (i32 3)
  %b1 = xor <256 x i32> %a1, %x
  %b2 = xor <256 x i32> %a2, %x
  %b3 = xor <256 x i32> %a3, %x
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 0, <256 x i32> %b1)
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 64, <256 x i32> %b2)
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 128, <256 x i32> %b3)
  ret void
}

; What fits stays as it is.
; CHECK-LABEL: @few(
; CHECK-NEXT: %a1 = add
; CHECK-NEXT: %a2 = add
; CHECK-NEXT: %b1 = xor
; run: few(memory, random)
define void @few(i32 %out, <128 x i32> %x) {
  %a1 = add <128 x i32> %x, splat (i32 1)
  %a2 = add <128 x i32> %x, splat (i32 2)
  %b1 = xor <128 x i32> %a1, %x
  call void @llvm.genx.oword.st.v128i32(i32 %out, i32 0, <128 x i32> %b1)
  call void @llvm.genx.oword.st.v128i32(i32 %out, i32 32, <128 x i32> %a2)
  ret void
}

; A vector is read before it is written over, though the message that needs the result comes first.
; CHECK-LABEL: @inPlace(
; CHECK: %r = add <256 x i32> %low, splat (i32 5)
; CHECK: %w = call <512 x i32> @llvm.genx.wrregioni
; CHECK: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 0,
; CHECK: %c = xor <256 x i32> %r, %x
; CHECK: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 64, <256 x i32> %c)
; CHECK: %p = mul
; CHECK: call void @llvm.genx.oword.st.v256i32(i32 %out, i32 128, <256 x i32> %p)
; run: inPlace(memory, random, random)
define void @inPlace(i32 %out, <512 x i32> %v, <256 x i32> %x) {
  %low = call <256 x i32> @llvm.genx.rdregioni.v256i32.v512i32.i16(<512 x i32> %v, i32 0, i32 256, i32 1, i16 0, i32 undef)
  %r = add <256 x i32> %low, splat (i32 5)
  %p = mul <256 x i32> %x, splat (i32 7)
  %c = xor <256 x i32> %r, %x
  %w = call <512 x i32> @llvm.genx.wrregioni.v512i32.v256i32.i16.i1(<512 x i32> %v, <256 x i32> %x, i32 0, i32 256, i32 1, i16 0, i32 undef, i1 true)
  %h = call <256 x i32> @llvm.genx.rdregioni.v256i32.v512i32.i16(<512 x i32> %w, i32 0, i32 256, i32 1, i16 1024, i32 undef)
  %s = add <256 x i32> %h, splat (i32 1)
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 0, <256 x i32> %s)
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 64, <256 x i32> %c)
  call void @llvm.genx.oword.st.v256i32(i32 %out, i32 128, <256 x i32> %p)
  ret void
}
