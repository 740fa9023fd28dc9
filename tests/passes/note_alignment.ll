; Messages whose byte offset is a multiple in the source, for bits that LLVM may leave out, are marked.
; RUN: cm-opt --passes=note-alignment %s | FileCheck %s

define void @k(i32 %in, i32 %n) {
  ; CHECK: @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %owords), !pocm.aligned
  %quarter = sdiv i32 %n, 4
  %bytes = mul i32 %quarter, 16
  %owords = ashr i32 %bytes, 4
  %a = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %owords)

  ; Not where the source gives any dword, whose last bits the message leaves out,
  ; CHECK: @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %any){{$}}
  %dwords = mul i32 %quarter, 4
  %any = ashr i32 %dwords, 4
  %b = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %any)

  ; and where there is nothing to leave out.
  ; CHECK: @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %plain){{$}}
  %product = mul i32 %n, 16
  %plain = ashr i32 %product, 4
  %c = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 %in, i32 %plain)

  ; CHECK: @llvm.genx.oword.ld.unaligned.v4i32(i32 0, i32 %in, i32 %whole), !pocm.aligned
  %whole = and i32 %dwords, -4
  %d = call <4 x i32> @llvm.genx.oword.ld.unaligned.v4i32(i32 0, i32 %in, i32 %whole)
  ret void
}

declare <4 x i32> @llvm.genx.oword.ld.v4i32(i32, i32, i32)
declare <4 x i32> @llvm.genx.oword.ld.unaligned.v4i32(i32, i32, i32)
