; Products whose factors have 32 bits together are made in 32 bits, with a sign or without; longer ones stay.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-short-products %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-short-products %s | run-lines --plain %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @signed(
; CHECK: [[P:%.*]] = mul <8 x i32>
; CHECK: sext <8 x i32> [[P]] to <8 x i64>
; CHECK-NOT: mul <8 x i64>
; CHECK: ret
; run: signed(random, random)
define <8 x i16> @signed(<8 x i16> %x, <8 x i16> %y) {
  %few = and <8 x i16> %x, splat (i16 4095)
  %a = zext <8 x i16> %few to <8 x i64>
  %b = sext <8 x i16> %y to <8 x i64>
  %p = mul <8 x i64> %a, %b
  %h = lshr <8 x i64> %p, splat (i64 32)
  %r = trunc <8 x i64> %h to <8 x i16>
  ret <8 x i16> %r
}

; CHECK-LABEL: @unsigned(
; CHECK: [[P:%.*]] = mul <8 x i32>
; CHECK: zext <8 x i32> [[P]] to <8 x i64>
; run: unsigned(random, random)
define <8 x i64> @unsigned(<8 x i16> %x, <8 x i16> %y) {
  %a = zext <8 x i16> %x to <8 x i64>
  %b = zext <8 x i16> %y to <8 x i64>
  %p = mul <8 x i64> %a, %b
  ret <8 x i64> %p
}

; A word without a sign and one with it: 33 bits.
; CHECK-LABEL: @one_too_many(
; CHECK: mul <8 x i64>
; run: one_too_many(random, random)
define <8 x i64> @one_too_many(<8 x i16> %x, <8 x i16> %y) {
  %a = zext <8 x i16> %x to <8 x i64>
  %b = sext <8 x i16> %y to <8 x i64>
  %p = mul <8 x i64> %a, %b
  ret <8 x i64> %p
}
