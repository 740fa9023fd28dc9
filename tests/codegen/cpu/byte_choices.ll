; What is behind shuffles that take parts of a dword from two values does not see them; others are seen.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-byte-shuffles %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-byte-shuffles,cpu-byte-shuffles %s | FileCheck --check-prefix=TWO %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-byte-shuffles %s | run-lines --plain %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-byte-shuffles,cpu-byte-shuffles %s | run-lines --plain %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @parts(
; CHECK: [[S:%.*]] = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 17, i32 2,
; CHECK: [[H:%.*]] = call <16 x i16> asm "", "=v,0"(<16 x i16> [[S]])
; CHECK: ret <16 x i16> [[H]]
define <16 x i16> @parts(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 17, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}
; CHECK-LABEL: @dwords(
; CHECK: shufflevector
; CHECK-NOT: asm
; CHECK: ret
; run: dwords(random, random)
define <16 x i16> @dwords(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 1, i32 18, i32 19, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}
; CHECK-LABEL: @moves(
; CHECK: shufflevector
; CHECK-NOT: asm
; CHECK: ret
; run: moves(random, random)
define <16 x i16> @moves(<16 x i16> %a, <16 x i16> %b) {
  %r = shufflevector <16 x i16> %a, <16 x i16> %b, <16 x i32> <i32 0, i32 18, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i16> %r
}

; What takes two registers is hidden one after the other, once.
; TWO-LABEL: @registers(
; TWO: [[S:%.*]] = shufflevector <32 x i16> %a, <32 x i16> %b, <32 x i32> <i32 0, i32 33,
; TWO: [[L:%.*]] = shufflevector <32 x i16> [[S]], <32 x i16> poison, <16 x i32> <i32 0, i32 1,
; TWO: [[HL:%.*]] = call <16 x i16> asm "", "=v,0"(<16 x i16> [[L]])
; TWO: [[U:%.*]] = shufflevector <32 x i16> [[S]], <32 x i16> poison, <16 x i32> <i32 16, i32 17,
; TWO: [[HU:%.*]] = call <16 x i16> asm "", "=v,0"(<16 x i16> [[U]])
; TWO: [[R:%.*]] = shufflevector <16 x i16> [[HL]], <16 x i16> [[HU]], <32 x i32> <i32 0, i32 1,
; TWO-NOT: asm
; TWO: ret <32 x i16> [[R]]
define <32 x i16> @registers(<32 x i16> %a, <32 x i16> %b) {
  %r = shufflevector <32 x i16> %a, <32 x i16> %b, <32 x i32> <i32 0, i32 33, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  ret <32 x i16> %r
}
