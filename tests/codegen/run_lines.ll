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
; A line that nearly is one is not passed over.
; RUN: for line in ';run: sum(random)' '; Run: sum(random)' ';  run: sum(random)' 'define void @f() { ; run: f()'; do (cat %s; echo "$line") > %t.ll; not run-lines %t.ll %s; done | FileCheck --check-prefix=FORM %s
; FORM-COUNT-4: ' does not begin with '; run: '
; Code that LLVM makes alone has LLVM's operations only; another function of the test may compute the same.
; RUN: run-lines --plain %s %s | FileCheck --check-prefix=SAME %s
; RUN: (cat %s; echo 'declare float @llvm.genx.sat.f32(float)'; echo '; run: of_cm(random) OTHER'; echo 'define float @of_cm(float %x) {'; echo '  %r = call float @llvm.genx.sat.f32(float %x)'; echo '  ret float %r'; echo '}'; echo 'define float @one(float %x) {'; echo '  ret float 1.0'; echo '}') > %t.ll
; RUN: sed -e 's/ OTHER//' %t.ll > %t.cm.ll && not run-lines --plain %t.cm.ll %t.cm.ll | FileCheck --check-prefix=CM %s
; CM: plain code has no 'llvm.genx.sat.f32': write its function out
; RUN: sed -e 's/OTHER/as one == 0000803f/' %t.ll > %t.other.ll && not run-lines --plain %t.other.ll %t.other.ll | FileCheck --check-prefix=OTHER %s
; OTHER: of_cm(random) as one == 0000803f: call {{[0-9]+}} differs at byte
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
