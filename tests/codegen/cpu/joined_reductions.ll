; Reductions that become lanes of one vector are taken together, in the order of each: halves of two rows fill a vector.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-joined-reductions %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-joined-reductions %s | run-lines --plain --plain-after %s

target triple = "x86_64-unknown-linux-gnu"

; Four rows of integers, two of which fill a vector.
; CHECK-LABEL: @sums(
; CHECK-NEXT: shufflevector <8 x i32> %x, <8 x i32> %y, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
; CHECK-NEXT: shufflevector <8 x i32> %x, <8 x i32> %y, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
; CHECK-NEXT: add <8 x i32>
; CHECK-NEXT: shufflevector
; CHECK-NEXT: shufflevector
; CHECK-NEXT: add <4 x i32>
; CHECK-NEXT: shufflevector
; CHECK-NEXT: ret
; run: sums(random, random)
; run: sums(0..7, -9..-2)
define <4 x i32> @sums(<8 x i32> %x, <8 x i32> %y) {
  %a = shufflevector <8 x i32> %x, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %b = shufflevector <8 x i32> %x, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %c = shufflevector <8 x i32> %y, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %d = shufflevector <8 x i32> %y, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %sa = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)
  %sb = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %b)
  %sc = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %c)
  %sd = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %d)
  %r0 = insertelement <4 x i32> poison, i32 %sa, i64 0
  %r1 = insertelement <4 x i32> %r0, i32 %sb, i64 1
  %r2 = insertelement <4 x i32> %r1, i32 %sc, i64 2
  %r3 = insertelement <4 x i32> %r2, i32 %sd, i64 3
  ret <4 x i32> %r3
}

; Floats in halves keep their order; other lanes stay.
; CHECK-LABEL: @floats(
; CHECK: fadd <4 x float>
; CHECK: fadd <2 x float>
; CHECK-NOT: fadd
; CHECK: ret
; run: floats(random, random, random)
; run: floats(1e8..1e8, 1..4, 0..3)
define <4 x float> @floats(<4 x float> %x, <4 x float> %y, <4 x float> %old) {
  %xl = shufflevector <4 x float> %x, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %xh = shufflevector <4 x float> %x, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %xs = fadd <2 x float> %xl, %xh
  %x0 = extractelement <2 x float> %xs, i64 0
  %x1 = extractelement <2 x float> %xs, i64 1
  %sx = fadd float %x0, %x1
  %yl = shufflevector <4 x float> %y, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %yh = shufflevector <4 x float> %y, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %ys = fadd <2 x float> %yl, %yh
  %y0 = extractelement <2 x float> %ys, i64 0
  %y1 = extractelement <2 x float> %ys, i64 1
  %sy = fadd float %y0, %y1
  %r0 = insertelement <4 x float> %old, float %sy, i64 1
  %r1 = insertelement <4 x float> %r0, float %sx, i64 3
  ret <4 x float> %r1
}

; Three rows: a part of one alone. The fourth lane is open.
; CHECK-LABEL: @three(
; CHECK: call <4 x i32> @llvm.smax.v4i32
; CHECK: call <4 x i32> @llvm.smax.v4i32
; CHECK: call <4 x i32> @llvm.smax.v4i32
; CHECK-NOT: reduce
; CHECK: ret
; run: three(random, random, random)
define <3 x i32> @three(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %sx = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %x)
  %sy = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %y)
  %sz = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %z)
  %r0 = insertelement <4 x i32> poison, i32 %sz, i64 0
  %r1 = insertelement <4 x i32> %r0, i32 %sx, i64 1
  %r2 = insertelement <4 x i32> %r1, i32 %sy, i64 2
  %r = shufflevector <4 x i32> %r2, <4 x i32> poison, <3 x i32> <i32 0, i32 1, i32 2>
  ret <3 x i32> %r
}

; What somebody else wants, too, is left, and so are sums of other kinds.
; CHECK-LABEL: @left(
; CHECK: %s = call i32 @llvm.vector.reduce.add.v4i32
; CHECK: %t = call i32 @llvm.vector.reduce.add.v4i32
; CHECK-LABEL: @kinds(
; CHECK: %s = call i32 @llvm.vector.reduce.add.v4i32
; CHECK: %t = call i32 @llvm.vector.reduce.mul.v4i32
; run: left(random, random)
; run: kinds(random, random)
define <3 x i32> @left(<4 x i32> %x, <4 x i32> %y) {
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)
  %t = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %y)
  %more = xor i32 %t, 5
  %r0 = insertelement <2 x i32> poison, i32 %s, i64 0
  %r1 = insertelement <2 x i32> %r0, i32 %t, i64 1
  %wide = shufflevector <2 x i32> %r1, <2 x i32> poison, <3 x i32> <i32 0, i32 1, i32 poison>
  %r = insertelement <3 x i32> %wide, i32 %more, i64 2
  ret <3 x i32> %r
}

define <2 x i32> @kinds(<4 x i32> %x, <4 x i32> %y) {
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)
  %t = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %y)
  %r0 = insertelement <2 x i32> poison, i32 %s, i64 0
  %r1 = insertelement <2 x i32> %r0, i32 %t, i64 1
  ret <2 x i32> %r1
}

; A sum in several lanes is one row; rows that share lanes are taken apart first.
; CHECK-LABEL: @again(
; CHECK-NOT: reduce
; CHECK: ret
; CHECK-LABEL: @shared(
; CHECK-NOT: reduce
; CHECK: ret
; run: again(random, random)
; run: shared(random)
define <4 x i32> @again(<4 x i32> %x, <4 x i32> %y) {
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %x)
  %t = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %y)
  %r0 = insertelement <4 x i32> poison, i32 %s, i64 0
  %r1 = insertelement <4 x i32> %r0, i32 %t, i64 1
  %r2 = insertelement <4 x i32> %r1, i32 %t, i64 2
  %r3 = insertelement <4 x i32> %r2, i32 %s, i64 3
  ret <4 x i32> %r3
}

define <2 x i32> @shared(<6 x i32> %x) {
  %a = shufflevector <6 x i32> %x, <6 x i32> poison, <4 x i32> <i32 4, i32 5, i32 0, i32 1>
  %b = shufflevector <6 x i32> %x, <6 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %s = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %a)
  %t = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %b)
  %r0 = insertelement <2 x i32> poison, i32 %s, i64 0
  %r1 = insertelement <2 x i32> %r0, i32 %t, i64 1
  ret <2 x i32> %r1
}

; An element that is not there.
; CHECK-LABEL: @nowhere(
; CHECK: ret
define <2 x i32> @nowhere(<4 x i32> %x) {
  %a = shufflevector <4 x i32> %x, <4 x i32> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %e = extractelement <4 x i32> %a, i64 900000000
  %r0 = insertelement <2 x i32> poison, i32 %e, i64 0
  %r1 = insertelement <2 x i32> %r0, i32 %e, i64 1
  ret <2 x i32> %r1
}
