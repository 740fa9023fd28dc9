; Shuffles that take parts of a dword from two values and move none are operations on bits; others stay shuffles.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-byte-shuffles %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @parts(
; CHECK: [[A:%.*]] = freeze <16 x i16> %a
; CHECK: and <16 x i16> [[A]], <i16 -1, i16 0, i16 -1,
; CHECK: [[B:%.*]] = freeze <16 x i16> %b
; CHECK: and <16 x i16> [[B]], <i16 0, i16 -1, i16 0,
; CHECK: or <16 x i16>
; CHECK-NOT: shufflevector
; CHECK: ret
define <16 x i16> @parts(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 17, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}
; CHECK-LABEL: @dwords(
; CHECK: shufflevector
define <16 x i16> @dwords(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 1, i32 18, i32 19, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}
; CHECK-LABEL: @moves(
; CHECK: shufflevector
define <16 x i16> @moves(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 18, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}
