; Small integers that go through float and back are products of words, where those give the same for all that can go in.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-fixed-point %s > %t.ll
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-upper-products %t.ll -o %t.plain.ll
; RUN: FileCheck --check-prefix=PRODUCTS %s < %t.plain.ll
; RUN: FileCheck %s < %t.ll
; RUN: run-lines --plain %s < %t.plain.ll
declare <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float>)
declare <64 x i8> @llvm.fptosi.sat.v64i8.v64f32(<64 x float>)
declare <64 x i16> @llvm.fptoui.sat.v64i16.v64f32(<64 x float>)
declare <64 x i32> @llvm.fptosi.sat.v64i32.v64f32(<64 x float>)

; A box of nine bytes, as filters weight it.
; CHECK-LABEL: @ninth(
; PRODUCTS: mul nuw <64 x i32>
; PRODUCTS-NOT: call {{.*}}umul.fix
; CHECK: @llvm.umul.fix.v64i16(<64 x i16> %x, <64 x i16> splat (i16 {{-?[0-9]+}}), i32 16)
; CHECK-NOT: float
; CHECK: ret
; run: ninth(random)
; run: ninth(random)
define <64 x i8> @ninth(i16 %base) {
  %s = insertelement <64 x i16> poison, i16 %base, i32 0
  %t = shufflevector <64 x i16> %s, <64 x i16> poison, <64 x i32> zeroinitializer
  %u = mul <64 x i16> %t, <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7, i16 8, i16 9, i16 10, i16 11, i16 12, i16 13, i16 14, i16 15, i16 16, i16 17, i16 18, i16 19, i16 20, i16 21, i16 22, i16 23, i16 24, i16 25, i16 26, i16 27, i16 28, i16 29, i16 30, i16 31, i16 32, i16 33, i16 34, i16 35, i16 36, i16 37, i16 38, i16 39, i16 40, i16 41, i16 42, i16 43, i16 44, i16 45, i16 46, i16 47, i16 48, i16 49, i16 50, i16 51, i16 52, i16 53, i16 54, i16 55, i16 56, i16 57, i16 58, i16 59, i16 60, i16 61, i16 62, i16 63>
  %x = and <64 x i16> %u, splat (i16 2047)
  %f = uitofp <64 x i16> %x to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0x3FBC710CC0000000)
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}

; Rounded, from a signed conversion, to a dword.
; CHECK-LABEL: @rounded(
; CHECK: add nuw <64 x i16>
; CHECK: @llvm.umul.fix.v64i16(
; CHECK-NOT: float
; CHECK: ret
; run: rounded(random)
define <64 x i32> @rounded(<64 x i8> %b) {
  %x = zext <64 x i8> %b to <64 x i32>
  %f = sitofp <64 x i32> %x to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0.25)
  %q = fadd <64 x float> %p, splat (float 0.5)
  %r = call <64 x i32> @llvm.fptosi.sat.v64i32.v64f32(<64 x float> %q)
  ret <64 x i32> %r
}

; The last number, 255, becomes 127.5, which fits; with a little more it is 128, which saturates to 127.
; CHECK-LABEL: @to_the_last(
; CHECK: @llvm.umul.fix.v64i16(
; CHECK-NOT: float
; CHECK: ret
; run: to_the_last(random)
define <64 x i8> @to_the_last(<64 x i8> %b) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0.5)
  %r = call <64 x i8> @llvm.fptosi.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}
; CHECK-LABEL: @beyond(
; CHECK: fmul
; run: beyond(random)
define <64 x i8> @beyond(<64 x i8> %b) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0x3FE0400000000000)
  %r = call <64 x i8> @llvm.fptosi.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}

; All words: 65535 times a quarter. Three quarters of them, which floats round, are right with more bits behind the point.
; CHECK-LABEL: @words(
; CHECK: @llvm.umul.fix.v64i16(
; CHECK-NOT: float
; CHECK: ret
; run: words(random)
; run: words(random)
define <64 x i16> @words(<64 x i16> %x) {
  %f = uitofp <64 x i16> %x to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0.25)
  %r = call <64 x i16> @llvm.fptoui.sat.v64i16.v64f32(<64 x float> %p)
  ret <64 x i16> %r
}

; No factor of 16 bits gives 65536 numbers right.
; CHECK-LABEL: @no_factor(
; CHECK: fmul
; run: no_factor(random)
define <64 x i16> @no_factor(<64 x i16> %x) {
  %f = uitofp <64 x i16> %x to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0x3FEFFFDFC0000000)
  %r = call <64 x i16> @llvm.fptoui.sat.v64i16.v64f32(<64 x float> %p)
  ret <64 x i16> %r
}

; Less than 0 on the way, at the begin, or at the end.
; CHECK-LABEL: @falling(
; CHECK: fsub
; run: falling(random)
define <64 x i8> @falling(<64 x i8> %b) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fsub <64 x float> splat (float 255.0), %f
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}
; CHECK-LABEL: @signed(
; CHECK: fmul
; run: signed(random)
define <64 x i8> @signed(<64 x i8> %b) {
  %f = sitofp <64 x i8> %b to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0.5)
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}
; CHECK-LABEL: @below(
; CHECK: fadd
; run: below(random)
define <64 x i8> @below(<64 x i8> %b) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fadd <64 x float> %f, splat (float -9.0)
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}

; Denormal on the way, which kernels may flush; and a float that somebody else needs.
; CHECK-LABEL: @denormal(
; CHECK: fmul
; CHECK: ret
define <64 x i8> @denormal(<64 x i8> %b) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0x3730000000000000)
  %q = fmul <64 x float> %p, splat (float 0x47D0000000000000)
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %q)
  ret <64 x i8> %r
}
; CHECK-LABEL: @shown(
; CHECK: fmul
; CHECK: ret
define <64 x i8> @shown(<64 x i8> %b, ptr %to) {
  %f = uitofp <64 x i8> %b to <64 x float>
  %p = fmul <64 x float> %f, splat (float 0.5)
  store <64 x float> %p, ptr %to
  %r = call <64 x i8> @llvm.fptoui.sat.v64i8.v64f32(<64 x float> %p)
  ret <64 x i8> %r
}
