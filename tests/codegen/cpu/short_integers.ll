; Expressions whose values fit in 16 or 32 bits are computed there, and others where they are.
; RUN: cm-opt --march=cpu --passes=cpu-short-integers %s | FileCheck %s
; RUN: cm-opt --march=cpu --passes=cpu-short-integers %s | run-lines --plain %s

target triple = "x86_64-unknown-linux-gnu"

declare <16 x i64> @llvm.smin.v16i64(<16 x i64>, <16 x i64>)
declare <16 x i64> @llvm.smax.v16i64(<16 x i64>, <16 x i64>)
declare <16 x i32> @llvm.smin.v16i32(<16 x i32>, <16 x i32>)
declare <16 x i32> @llvm.abs.v16i32(<16 x i32>, i1)

; A difference of bytes, which may be negative, saturates in words with a sign.
; CHECK-LABEL: @difference(
; CHECK: sub {{.*}}<16 x i16>
; CHECK: smax{{.*}}<16 x i16>
; CHECK-NOT: i64>
; CHECK: ret
; run: difference(random, random)
; run: difference(0, 255)
; run: difference(255, 0)
define <16 x i8> @difference(<16 x i8> %x, <16 x i8> %y) {
  %a = zext <16 x i8> %x to <16 x i64>
  %b = zext <16 x i8> %y to <16 x i32>
  %n = sub <16 x i32> zeroinitializer, %b
  %w = sext <16 x i32> %n to <16 x i64>
  %d = add <16 x i64> %a, %w
  %h = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %d, <16 x i64> zeroinitializer)
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %h, <16 x i64> splat (i64 255))
  %r = trunc <16 x i64> %l to <16 x i8>
  ret <16 x i8> %r
}

; A product of words needs all of 32 bits, and has no sign.
; CHECK-LABEL: @product(
; CHECK: mul {{.*}}<16 x i32>
; CHECK: umin{{.*}}<16 x i32>
; CHECK-NOT: i64>
; CHECK: ret
; run: product(random, random)
; run: product(65535, 65535)
; run: product(257, 255)
define <16 x i16> @product(<16 x i16> %x, <16 x i16> %y) {
  %a = zext <16 x i16> %x to <16 x i64>
  %b = zext <16 x i16> %y to <16 x i64>
  %p = mul <16 x i64> %a, %b
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %p, <16 x i64> splat (i64 65535))
  %r = trunc <16 x i64> %l to <16 x i16>
  ret <16 x i16> %r
}

; With a sign it needs 32 bits, too; a sum of two such has 33.
; CHECK-LABEL: @signs(
; CHECK: mul {{.*}}<16 x i32>
; CHECK: smin{{.*}}<16 x i32>
; CHECK: ret
; run: signs(random, random)
; run: signs(-32768, -32768)
; run: signs(-32768, 32767)
define <16 x i16> @signs(<16 x i16> %x, <16 x i16> %y) {
  %a = sext <16 x i16> %x to <16 x i64>
  %b = sext <16 x i16> %y to <16 x i64>
  %p = mul <16 x i64> %a, %b
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %p, <16 x i64> splat (i64 32767))
  %r = trunc <16 x i64> %l to <16 x i16>
  ret <16 x i16> %r
}
; CHECK-LABEL: @twice(
; CHECK: smin{{.*}}<16 x i64>
; CHECK: ret
; run: twice(random, random)
; run: twice(-32768, -32768)
define <16 x i16> @twice(<16 x i16> %x, <16 x i16> %y) {
  %a = sext <16 x i16> %x to <16 x i64>
  %b = sext <16 x i16> %y to <16 x i64>
  %p = mul <16 x i64> %a, %b
  %q = add <16 x i64> %p, %p
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %q, <16 x i64> splat (i64 32767))
  %r = trunc <16 x i64> %l to <16 x i16>
  ret <16 x i16> %r
}

; A negative number is a large one when it is widened without a sign.
; CHECK-LABEL: @widened(
; CHECK: umin{{.*}}<16 x i32>
; CHECK: ret
; run: widened(random, random)
; run: widened(1, 2)
; run: widened(2, 1)
define <16 x i16> @widened(<16 x i8> %x, <16 x i8> %y) {
  %a = zext <16 x i8> %x to <16 x i32>
  %b = zext <16 x i8> %y to <16 x i32>
  %d = sub <16 x i32> %a, %b
  %w = zext <16 x i32> %d to <16 x i64>
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %w, <16 x i64> splat (i64 1000))
  %r = trunc <16 x i64> %l to <16 x i16>
  ret <16 x i16> %r
}

; Quotients of words, with and without a sign.
; CHECK-LABEL: @quotients(
; CHECK: sdiv <16 x i16>
; CHECK: srem <16 x i16>
; CHECK-NOT: i32>
; CHECK: ret
; run: quotients(random)
; run: quotients(-32768)
; run: quotients(32767)
define <16 x i16> @quotients(<16 x i16> %x) {
  %a = sext <16 x i16> %x to <16 x i32>
  %q = sdiv <16 x i32> %a, splat (i32 7)
  %m = srem <16 x i32> %a, splat (i32 10)
  %v = add <16 x i32> %q, %m
  %r = trunc <16 x i32> %v to <16 x i16>
  ret <16 x i16> %r
}
; CHECK-LABEL: @plain(
; CHECK: udiv <16 x i16>
; CHECK-NOT: i32>
; CHECK: ret
; run: plain(random)
; run: plain(65535)
define <16 x i16> @plain(<16 x i16> %x) {
  %a = zext <16 x i16> %x to <16 x i32>
  %q = sdiv <16 x i32> %a, splat (i32 7)
  %r = trunc <16 x i32> %q to <16 x i16>
  ret <16 x i16> %r
}

; A copy of a scalar that fits, a choice, and what another one needs, too, which stays.
; CHECK-LABEL: @copies(
; CHECK: smin{{.*}}<16 x i16>
; CHECK: ret
; run: copies(random, random, random)
define <16 x i8> @copies(<16 x i8> %x, i8 %s, <16 x i1> %c) {
  %a = zext <16 x i8> %x to <16 x i32>
  %w = zext i8 %s to i32
  %one = insertelement <16 x i32> poison, i32 %w, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %sum = add <16 x i32> %a, %all
  %v = select <16 x i1> %c, <16 x i32> %sum, <16 x i32> %a
  %l = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %v, <16 x i32> splat (i32 255))
  %r = trunc <16 x i32> %l to <16 x i8>
  ret <16 x i8> %r
}
; CHECK-LABEL: @shared(
; CHECK: smin{{.*}}<16 x i32>
; CHECK: ret
; run: shared(random)
define <16 x i32> @shared(<16 x i8> %x) {
  %a = zext <16 x i8> %x to <16 x i32>
  %l = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %a, <16 x i32> splat (i32 100))
  %t = trunc <16 x i32> %l to <16 x i16>
  %back = zext <16 x i16> %t to <16 x i32>
  %r = mul <16 x i32> %l, %back
  ret <16 x i32> %r
}

; What has no sign: of bytes a word, of words 17 bits, which stay in 32; where nothing is negative it is the same.
; CHECK-LABEL: @distance(
; CHECK: abs{{.*}}<16 x i16>
; CHECK-NOT: i32>
; CHECK: ret
; run: distance(random, random)
; run: distance(0, 255)
define <16 x i16> @distance(<16 x i8> %x, <16 x i8> %y) {
  %a = zext <16 x i8> %x to <16 x i32>
  %b = zext <16 x i8> %y to <16 x i32>
  %d = sub <16 x i32> %a, %b
  %l = call <16 x i32> @llvm.abs.v16i32(<16 x i32> %d, i1 false)
  %r = trunc <16 x i32> %l to <16 x i16>
  ret <16 x i16> %r
}
; CHECK-LABEL: @far(
; CHECK: abs{{.*}}<16 x i32>
; CHECK: ret
; run: far(random, random)
; run: far(-32768, 32767)
; run: far(32767, -32768)
define <16 x i16> @far(<16 x i16> %x, <16 x i16> %y) {
  %a = sext <16 x i16> %x to <16 x i32>
  %b = sext <16 x i16> %y to <16 x i32>
  %d = sub <16 x i32> %a, %b
  %l = call <16 x i32> @llvm.abs.v16i32(<16 x i32> %d, i1 false)
  %r = trunc <16 x i32> %l to <16 x i16>
  ret <16 x i16> %r
}
; CHECK-LABEL: @least(
; CHECK: ret
; run: least(random)
; run: least(-32768)
define <16 x i16> @least(<16 x i16> %x) {
  %a = sext <16 x i16> %x to <16 x i32>
  %l = call <16 x i32> @llvm.abs.v16i32(<16 x i32> %a, i1 false)
  %h = lshr <16 x i32> %l, splat (i32 1)
  %r = trunc <16 x i32> %h to <16 x i16>
  ret <16 x i16> %r
}
; CHECK-LABEL: @positive(
; CHECK-NOT: abs
; CHECK: ret
; run: positive(random)
define <16 x i16> @positive(<16 x i16> %x) {
  %a = zext <16 x i16> %x to <16 x i32>
  %l = call <16 x i32> @llvm.abs.v16i32(<16 x i32> %a, i1 false)
  %q = udiv <16 x i32> %l, splat (i32 3)
  %r = trunc <16 x i32> %q to <16 x i16>
  ret <16 x i16> %r
}
