; Products of words that are added lane by lane are taken two at a time.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-product-pairs %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-product-pairs %s | FileCheck --check-prefix=HALF %s
; RUN: cm-opt --march=cpu --mcpu=x86-64 --passes=cpu-product-pairs %s | run-lines --plain --plain-after %s

target triple = "x86_64-unknown-linux-gnu"

; Words of the same registers are put beside each other by one permutation, factors by arithmetic on scalars.
; CHECK-LABEL: @filter(
; CHECK: shufflevector <32 x i16> %x, <32 x i16> %{{.*}}, <32 x i32> <i32 1, i32 0, i32 2, i32 1, i32 3, i32 2,
; CHECK: pmaddw.d.512
; CHECK-NOT: mul
; CHECK: ret
; HALF-LABEL: @filter(
; HALF: mul
; HALF-NOT: pmadd
; HALF: ret
define <16 x i32> @filter(<32 x i16> %x, i16 %s, i16 %t) {
  %a = shufflevector <32 x i16> %x, <32 x i16> poison, <16 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16>
  %b = shufflevector <32 x i16> %x, <32 x i16> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %aw = sext <16 x i16> %a to <16 x i32>
  %bw = sext <16 x i16> %b to <16 x i32>
  %sw = sext i16 %s to i32
  %si = insertelement <16 x i32> poison, i32 %sw, i64 0
  %ss = shufflevector <16 x i32> %si, <16 x i32> poison, <16 x i32> zeroinitializer
  %ti = insertelement <16 x i16> poison, i16 %t, i64 0
  %tt = shufflevector <16 x i16> %ti, <16 x i16> poison, <16 x i32> zeroinitializer
  %tw = sext <16 x i16> %tt to <16 x i32>
  %p = mul <16 x i32> %aw, %ss
  %q = mul <16 x i32> %tw, %bw
  %o = add <16 x i32> %p, splat (i32 16384)
  %r = add <16 x i32> %o, %q
  ret <16 x i32> %r
}

; Three products, one of which is left; bytes without a sign, and a constant.
; CHECK-LABEL: @three(
; CHECK: mul
; CHECK-NOT: mul
; CHECK: pmadd.wd
; CHECK: ret
; HALF-LABEL: @three(
; HALF: pmadd.wd
; HALF: ret
define <8 x i32> @three(<8 x i8> %x, <8 x i16> %y, <8 x i8> %z) {
  %a = zext <8 x i8> %x to <8 x i32>
  %b = sext <8 x i16> %y to <8 x i32>
  %c = sext <8 x i8> %z to <8 x i32>
  %p = mul <8 x i32> %a, splat (i32 -32768)
  %q = mul <8 x i32> %b, splat (i32 32767)
  %s = mul <8 x i32> %c, splat (i32 77)
  %pq = add <8 x i32> %p, %q
  %r = add <8 x i32> %pq, %s
  ret <8 x i32> %r
}

; Vectors by vectors; those of one register of any CPU run here, others in product_pairs.cpp.
; CHECK-LABEL: @vectors(
; CHECK: pmadd.wd
; CHECK-NOT: mul
; CHECK: ret
; run: vectors(random, random, random, random)
; run: vectors(-32768, -32768, -32768, -32768)
define <4 x i32> @vectors(<4 x i16> %x, <4 x i16> %y, <4 x i16> %z, <4 x i16> %w) {
  %a = sext <4 x i16> %x to <4 x i32>
  %b = sext <4 x i16> %y to <4 x i32>
  %c = sext <4 x i16> %z to <4 x i32>
  %d = sext <4 x i16> %w to <4 x i32>
  %p = mul <4 x i32> %a, %b
  %q = mul <4 x i32> %c, %d
  %r = add <4 x i32> %p, %q
  ret <4 x i32> %r
}

; Words without a sign do not fit, constants of more bits neither; what others need stays.
; CHECK-LABEL: @unfit(
; CHECK-NOT: pmadd
; CHECK: ret
define <8 x i32> @unfit(<8 x i16> %x, <8 x i16> %y) {
  %a = zext <8 x i16> %x to <8 x i32>
  %b = sext <8 x i16> %y to <8 x i32>
  %p = mul <8 x i32> %a, splat (i32 3)
  %q = mul <8 x i32> %b, splat (i32 32768)
  %s = mul <8 x i32> %b, splat (i32 5)
  %pq = add <8 x i32> %p, %q
  %pqs = add <8 x i32> %pq, %s
  %r = xor <8 x i32> %pqs, %s
  ret <8 x i32> %r
}

; Products with a sum of two words, which need not be one: with a scalar, with a vector, and with the least word.
; CHECK-LABEL: @of_sums(
; CHECK-COUNT-3: pmadd.wd
; CHECK-NOT: mul
; CHECK: ret
; HALF-LABEL: @of_sums(
; HALF-COUNT-3: pmadd.wd
; run: of_sums(random, random, random, random)
; run: of_sums(-32768..-32768, -32768..-32768, -32768, -32768..-32761)
; run: of_sums(32760..32767, 32767..32767, 32767, random)
define <8 x i32> @of_sums(<8 x i16> %x, <8 x i16> %y, i16 %s, <8 x i16> %z) {
  %a = sext <8 x i16> %x to <8 x i32>
  %b = sext <8 x i16> %y to <8 x i32>
  %c = sext <8 x i16> %z to <8 x i32>
  %w = sext i16 %s to i32
  %i = insertelement <8 x i32> poison, i32 %w, i64 0
  %f = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %ab = add nsw <8 x i32> %a, %b
  %p = mul <8 x i32> %ab, %f
  %bc = add nsw <8 x i32> %b, %c
  %q = mul <8 x i32> %a, %bc
  %ac = add nsw <8 x i32> %a, %c
  %r = mul <8 x i32> %ac, splat (i32 -32768)
  %pq = add <8 x i32> %p, %q
  %all = add <8 x i32> %pq, %r
  ret <8 x i32> %all
}

; The sum is wanted elsewhere, too: it stays.
; CHECK-LABEL: @sum_stays(
; CHECK-NOT: pmadd
; CHECK: ret
; run: sum_stays(random, random, random)
define <8 x i32> @sum_stays(<8 x i16> %x, <8 x i16> %y, <8 x i32> %more) {
  %a = sext <8 x i16> %x to <8 x i32>
  %b = sext <8 x i16> %y to <8 x i32>
  %ab = add nsw <8 x i32> %a, %b
  %p = mul <8 x i32> %ab, splat (i32 77)
  %q = add <8 x i32> %p, %more
  %r = xor <8 x i32> %q, %ab
  ret <8 x i32> %r
}
