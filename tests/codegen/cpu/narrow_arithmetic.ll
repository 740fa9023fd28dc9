; Integers are computed in as few bits as somebody needs, and in more where they need them.
; RUN: cm-opt --march=cpu --passes=cpu-narrow-arithmetic %s | FileCheck %s
; RUN: sed -e 's/call .*genx.rdregioni[^(]*(\(<64 x i16> %.\),.*/call <32 x i16> @middle(\1)/' %s > %t.ll
; RUN: cm-opt --march=cpu --passes=cpu-narrow-arithmetic %s | run-lines --plain %t.ll

target triple = "x86_64-unknown-linux-gnu"

declare <32 x i16> @llvm.genx.rdregioni.v32i16.v64i16.i16(<64 x i16>, i32, i32, i32, i16, i32)

; The product is cut off: a copy of a scalar is cut before.
; CHECK-LABEL: @product(
; CHECK: trunc i32 %s to i16
; CHECK: mul <32 x i16>
; CHECK-NOT: <32 x i32>
; CHECK: ret
; run: product(random, random, random)
define <32 x i16> @product(<32 x i8> %x, <32 x i16> %y, i32 %s) {
  %w = zext <32 x i8> %x to <32 x i32>
  %one = insertelement <32 x i32> poison, i32 %s, i64 0
  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %p = mul <32 x i32> %all, %w
  %z = sext <32 x i16> %y to <32 x i32>
  %sum = sub <32 x i32> %p, %z
  %r = trunc <32 x i32> %sum to <32 x i16>
  ret <32 x i16> %r
}

; A byte of a word, and one of more than a word; the sign does not reach it.
; CHECK-LABEL: @shifted(
; CHECK: mul <32 x i16>
; CHECK: lshr <32 x i16>
; CHECK-NOT: <32 x i32>
; CHECK: ret
; run: shifted(random, random)
define <32 x i8> @shifted(<32 x i8> %x, i32 %s) {
  %w = zext <32 x i8> %x to <32 x i32>
  %one = insertelement <32 x i32> poison, i32 %s, i64 0
  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %p = mul <32 x i32> %all, %w
  %h = ashr <32 x i32> %p, splat (i32 8)
  %r = trunc <32 x i32> %h to <32 x i8>
  ret <32 x i8> %r
}
; CHECK-LABEL: @high(
; CHECK: mul <32 x i32>
; run: high(random, random)
define <32 x i8> @high(<32 x i8> %x, i32 %s) {
  %w = zext <32 x i8> %x to <32 x i32>
  %one = insertelement <32 x i32> poison, i32 %s, i64 0
  %all = shufflevector <32 x i32> %one, <32 x i32> poison, <32 x i32> zeroinitializer
  %p = mul <32 x i32> %all, %w
  %h = lshr <32 x i32> %p, splat (i32 9)
  %r = trunc <32 x i32> %h to <32 x i8>
  ret <32 x i8> %r
}

; 65,535 and 65,536 at most, seen through a region; bit 16 is shifted down.
; CHECK-LABEL: @fits(
; CHECK: add nuw <32 x i16> %{{.*}}, splat (i16 255)
; CHECK: lshr <32 x i16>
; CHECK-NOT: <32 x i32>
; CHECK: ret
; run: fits(random)
define <32 x i16> @fits(<64 x i8> %x) {
  %w = zext <64 x i8> %x to <64 x i16>
  %p = mul nuw <64 x i16> %w, splat (i16 256)
  %q = call <32 x i16> @llvm.genx.rdregioni.v32i16.v64i16.i16(<64 x i16> %p, i32 0, i32 32, i32 1, i16 32, i32 undef)
  %z = zext <32 x i16> %q to <32 x i32>
  %s = add <32 x i32> %z, splat (i32 255)
  %h = lshr <32 x i32> %s, splat (i32 1)
  %r = trunc <32 x i32> %h to <32 x i16>
  ret <32 x i16> %r
}
; CHECK-LABEL: @one_too_many(
; CHECK: add {{.*}}<32 x i32>
; run: one_too_many(random)
define <32 x i16> @one_too_many(<64 x i8> %x) {
  %w = zext <64 x i8> %x to <64 x i16>
  %p = mul nuw <64 x i16> %w, splat (i16 257)
  %q = call <32 x i16> @llvm.genx.rdregioni.v32i16.v64i16.i16(<64 x i16> %p, i32 0, i32 32, i32 1, i16 32, i32 undef)
  %z = zext <32 x i16> %q to <32 x i32>
  %s = add <32 x i32> %z, splat (i32 1)
  %h = lshr <32 x i32> %s, splat (i32 1)
  %r = trunc <32 x i32> %h to <32 x i16>
  ret <32 x i16> %r
}

; Products that fit, of which a larger sum is made, stay for instructions that add pairs.
; CHECK-LABEL: @pairs(
; CHECK: mul {{.*}}<32 x i32>
; run: pairs(random, random)
define <32 x i32> @pairs(<64 x i8> %x, <32 x i32> %sum) {
  %b = zext <64 x i8> %x to <64 x i16>
  %q = call <32 x i16> @llvm.genx.rdregioni.v32i16.v64i16.i16(<64 x i16> %b, i32 0, i32 32, i32 1, i16 32, i32 undef)
  %w = zext <32 x i16> %q to <32 x i32>
  %p = mul <32 x i32> %w, splat (i32 77)
  %s = add <32 x i32> %p, %sum
  ret <32 x i32> %s
}
; The same is a product of words where all of it is.
; CHECK-LABEL: @words(
; CHECK: mul nuw <32 x i16>
; run: words(random)
define <32 x i16> @words(<64 x i8> %x) {
  %b = zext <64 x i8> %x to <64 x i16>
  %q = call <32 x i16> @llvm.genx.rdregioni.v32i16.v64i16.i16(<64 x i16> %b, i32 0, i32 32, i32 1, i16 32, i32 undef)
  %w = zext <32 x i16> %q to <32 x i32>
  %p = mul <32 x i32> %w, splat (i32 77)
  %s = lshr <32 x i32> %p, splat (i32 5)
  %r = trunc <32 x i32> %s to <32 x i16>
  ret <32 x i16> %r
}

; The region that is read here.
define <32 x i16> @middle(<64 x i16> %v) {
  %r = shufflevector <64 x i16> %v, <64 x i16> poison, <32 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
  ret <32 x i16> %r
}
