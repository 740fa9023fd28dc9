; A run-line finds a pass that changes what a function computes: here by hand, in one of 256 values of a byte, in a
; channel that a predicate turns off, in bytes of memory, and in the sign of zero. Which NaN a float is does not matter.
; RUN: run-lines %s %s | FileCheck --check-prefix=SAME %s
; SAME: 6 run-lines, 501 calls
; RUN: sed -e 's/splat (i8 100)/splat (i8 101)/' %s | not run-lines %s | FileCheck --check-prefix=BYTE %s
; BYTE: clamped(random): call {{[0-9]+}} differs at byte
; BYTE: clamped(<99, 100, 101, -1>) == 63646464: call 0 differs at byte 2: 65
; RUN: sed -e 's/i16> %x ; other/i16> %y ; other/' %s | not run-lines %s - | FileCheck --check-prefix=CHANNEL %s
; CHANNEL: chosen(random, random, random): call
; RUN: sed -e 's/i64 4 ; second/i64 5 ; second/' %s | not run-lines %s - | FileCheck --check-prefix=MEMORY %s
; MEMORY: stored(memory, random): call 0 differs at byte
; RUN: sed -e 's/float -0.0) ; sign/float 0.0) ; sign/' %s | not run-lines %s - | FileCheck --check-prefix=SIGN %s
; SIGN: sum(random): call
; RUN: sed -e 's/0x7FF8000000000000 ; nan/0xFFF8000000000000 ; nan/' %s | run-lines %s - | FileCheck --check-prefix=SAME %s
; What is expected has to come out before, and arguments have to be those of the function.
; RUN: sed -e 's/63646464/63646465/' %s > %t.ll && not run-lines %t.ll %s | FileCheck --check-prefix=BEFORE %s
; BEFORE: gives 63646464 before
; RUN: sed -e 's/run: sum(random)/run: sum(random, 1)/' %s > %t.ll && not run-lines %t.ll %s | FileCheck --check-prefix=COUNT %s
; COUNT: 'sum(random, 1)' has 2 arguments, and the function 1
; RUN: grep -v 'run: ' %s > %t.ll && not run-lines %t.ll %s | FileCheck --check-prefix=NONE %s
; NONE: 0 run-lines, 0 calls
declare <4 x i8> @llvm.umin.v4i8(<4 x i8>, <4 x i8>)

; run: clamped(random)
; run: clamped(<99, 100, 101, -1>) == 63646464
define <4 x i8> @clamped(<4 x i8> %x) {
  %r = call <4 x i8> @llvm.umin.v4i8(<4 x i8> %x, <4 x i8> splat (i8 100))
  ret <4 x i8> %r
}

; run: chosen(random, random, random)
define <16 x i16> @chosen(<16 x i1> %on, <16 x i16> %x, <16 x i16> %y) {
  %r = select <16 x i1> %on, <16 x i16> %y, <16 x i16> %x ; other
  ret <16 x i16> %r
}

; run: stored(memory, random)
define void @stored(ptr %p, i32 %x) {
  %at = getelementptr i8, ptr %p, i64 4 ; second
  store i32 %x, ptr %at
  ret void
}

; run: sum(random)
define <4 x float> @sum(<4 x float> %x) {
  %s = fadd <4 x float> %x, splat (float -0.0) ; sign
  ret <4 x float> %s
}

; run: none(-5..5)
define float @none(float %x) {
  %c = fcmp olt float %x, 0.0
  %r = select i1 %c, float %x, float 0x7FF8000000000000 ; nan
  ret float %r
}
