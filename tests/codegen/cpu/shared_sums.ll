; What several sums of a block have in common is added once; sums in which something stands twice stay, and what a sum
; adds may be another sum.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-shared-sums %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-shared-sums %s | run-lines --plain %s

target triple = "x86_64-unknown-linux-gnu"

; Eight additions become five.
; CHECK-LABEL: @window(
; CHECK-COUNT-5: add <8 x i16>
; CHECK-NOT: add <8 x i16>
; CHECK: ret
; run: window(random, random, random, random, random, random)
define <24 x i16> @window(<8 x i16> %a, <8 x i16> %b, <8 x i16> %c, <8 x i16> %d, <8 x i16> %e, <8 x i16> %f) {
  %a1 = add <8 x i16> %a, %b
  %a2 = add <8 x i16> %a1, %c
  %a3 = add <8 x i16> %a2, %d
  %b1 = add <8 x i16> %d, %e
  %b2 = add <8 x i16> %c, %b1
  %b3 = add <8 x i16> %b2, %b
  %c1 = add <8 x i16> %f, %c
  %c2 = add <8 x i16> %d, %c1
  %r = shufflevector <8 x i16> %a3, <8 x i16> %b3, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %s = shufflevector <8 x i16> %c2, <8 x i16> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %t = shufflevector <16 x i16> %r, <16 x i16> %s, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  ret <24 x i16> %t
}

; The second sum adds the first, which somebody else needs, too, and is made anew.
; CHECK-LABEL: @of_sums(
; CHECK: [[SHARED:%.*]] = add <8 x i16> %{{[bc]}}, %{{[bc]}}
; CHECK: [[FIRST:%.*]] = add <8 x i16> {{.*}}[[SHARED]]
; CHECK: add <8 x i16> [[FIRST]], %c
; CHECK: add <8 x i16> {{.*}}[[SHARED]]
; CHECK: xor <8 x i16> [[FIRST]]
; run: of_sums(random, random, random, random)
define <8 x i16> @of_sums(<8 x i16> %a, <8 x i16> %b, <8 x i16> %c, <8 x i16> %d) {
  %a1 = add <8 x i16> %a, %b
  %first = add <8 x i16> %a1, %c
  %b1 = add <8 x i16> %first, %c
  %second = add <8 x i16> %b1, %d
  %c1 = add <8 x i16> %c, %d
  %third = add <8 x i16> %c1, %b
  %x = xor <8 x i16> %first, %second
  %y = mul <8 x i16> %x, %third
  ret <8 x i16> %y
}

; None wraps: the shared sum does not.
; CHECK-LABEL: @small(
; CHECK: add nuw <8 x i16> %{{[bc]}}2, %{{[bc]}}2
; CHECK-COUNT-2: add nuw <8 x i16>
; CHECK-NOT: add
; CHECK: ret
; run: small(random, random, random, random)
define <8 x i16> @small(<8 x i8> %a, <8 x i8> %b, <8 x i8> %c, <8 x i8> %d) {
  %a2 = zext <8 x i8> %a to <8 x i16>
  %b2 = zext <8 x i8> %b to <8 x i16>
  %c2 = zext <8 x i8> %c to <8 x i16>
  %d2 = zext <8 x i8> %d to <8 x i16>
  %a3 = add nuw nsw <8 x i16> %a2, %b2
  %a4 = add nuw nsw <8 x i16> %a3, %c2
  %b3 = add nuw nsw <8 x i16> %b2, %c2
  %b4 = add nuw nsw <8 x i16> %b3, %d2
  %r = mul <8 x i16> %a4, %b4
  ret <8 x i16> %r
}

; Only one of two wraps in no case: of what both add nothing is known.
; CHECK-LABEL: @one_small(
; CHECK-NOT: add nuw <8 x i16> %{{[bc]}}, %{{[bc]}}
; CHECK: ret
define <8 x i16> @one_small(<8 x i16> %a, <8 x i16> %b, <8 x i16> %c, <8 x i16> %d) {
  %a1 = add nuw <8 x i16> %a, %b
  %a2 = add nuw <8 x i16> %a1, %c
  %b1 = add <8 x i16> %b, %c
  %b2 = add <8 x i16> %b1, %d
  %r = mul <8 x i16> %a2, %b2
  ret <8 x i16> %r
}

; Twice the same: left as it is.
; CHECK-LABEL: @twice(
; CHECK-COUNT-3: add <8 x i16>
; CHECK: ret
; run: twice(random, random)
define <8 x i16> @twice(<8 x i16> %a, <8 x i16> %b) {
  %a1 = add <8 x i16> %a, %a
  %a2 = add <8 x i16> %a1, %b
  %b2 = add <8 x i16> %b, %a
  %r = mul <8 x i16> %a2, %b2
  ret <8 x i16> %r
}

; Sums of numbers, and of different blocks, stay.
; CHECK-LABEL: @elsewhere(
; CHECK-COUNT-8: add
; CHECK-NOT: add
; CHECK: ret
define <8 x i32> @elsewhere(<8 x i32> %x, <8 x i32> %y, <8 x i32> %z, <8 x i32> %w, i32 %i, i32 %j, i32 %k, i1 %c) {
entry:
  %a1 = add <8 x i32> %x, %w
  %a2 = add <8 x i32> %a1, %y
  %i1 = add i32 %i, %j
  %i2 = add i32 %i1, %k
  %j1 = add i32 %i, %k
  %j2 = add i32 %j1, %j
  %n = xor i32 %i2, %j2
  %a = insertelement <8 x i32> %a2, i32 %n, i32 0
  br i1 %c, label %more, label %end
more:
  %b1 = add <8 x i32> %x, %z
  %b2 = add <8 x i32> %b1, %y
  br label %end
end:
  %r = phi <8 x i32> [ %a, %entry ], [ %b2, %more ]
  ret <8 x i32> %r
}
