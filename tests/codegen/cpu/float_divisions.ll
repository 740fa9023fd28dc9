; Quotients of integers of up to 16 bits are those of floats, of up to 32 those of doubles, rounded towards 0.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-float-divisions %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-float-divisions %s | run-lines --plain %s
; RUN: cm-opt --march=cpu --mcpu=x86-64 --passes=cpu-float-divisions %s | run-lines --plain --calls 1000 %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @bytes(
; CHECK-COUNT-2: sitofp <16 x i32> {{.*}} to <16 x float>
; CHECK: fdiv <16 x float>
; CHECK: fptosi <16 x float> {{.*}} to <16 x i32>
; CHECK-NOT: udiv
; run: bytes(random, random)
; run: bytes(<255, 254, 253, 252, 251, 250, 249, 248, 0, 1, 2, 3, 127, 128, 129, 130>, 0..3)
; run: bytes(random, 0..20)
define <16 x i8> @bytes(<16 x i8> %a, <16 x i8> %b) {
  %d = call <16 x i8> @llvm.umax.v16i8(<16 x i8> %b, <16 x i8> splat (i8 1))
  %q = udiv <16 x i8> %a, %d
  ret <16 x i8> %q
}

; CHECK-LABEL: @words(
; CHECK: fdiv <8 x float>
; CHECK-NOT: udiv
; run: words(random, random)
; run: words(random, 0..7)
; run: words(65530..65535, 0..300)
; run: words(65530..65535, 65530..65535)
define <8 x i16> @words(<8 x i16> %a, <8 x i16> %b) {
  %d = call <8 x i16> @llvm.umax.v8i16(<8 x i16> %b, <8 x i16> splat (i16 1))
  %q = udiv <8 x i16> %a, %d
  ret <8 x i16> %q
}

; CHECK-LABEL: @signed_words(
; CHECK: fdiv <8 x float>
; CHECK-NOT: sdiv
; run: signed_words(random, random)
; run: signed_words(random, -9..9)
; run: signed_words(<-32768, -32767, -32766, 32767, 32766, -1, 1, 0>, -3..3)
define <8 x i16> @signed_words(<8 x i16> %a, <8 x i16> %b) {
  %zero = icmp eq <8 x i16> %b, zeroinitializer
  %minus = icmp eq <8 x i16> %b, splat (i16 -1)
  %bad = or <8 x i1> %zero, %minus
  %d = select <8 x i1> %bad, <8 x i16> splat (i16 1), <8 x i16> %b
  %q = sdiv <8 x i16> %a, %d
  %r = srem <8 x i16> %a, %d
  %both = xor <8 x i16> %q, %r
  ret <8 x i16> %both
}

; CHECK-LABEL: @dwords(
; CHECK-COUNT-2: uitofp <8 x i32> {{.*}} to <8 x double>
; CHECK: fdiv <8 x double>
; CHECK: fptoui <8 x double> {{.*}} to <8 x i32>
; run: dwords(random, random)
; run: dwords(random, 0..100)
; run: dwords(4294967290..4294967295, 0..70000)
; run: dwords(4294967290..4294967295, 4294967290..4294967295)
; run: dwords(<4294967295, 4294967294, 4294836225, 4294836224, 4294705156, 4294705155, 2147483648, 2147483647>, 65530..65540)
define <8 x i32> @dwords(<8 x i32> %a, <8 x i32> %b) {
  %d = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %b, <8 x i32> splat (i32 1))
  %q = udiv <8 x i32> %a, %d
  ret <8 x i32> %q
}

; CHECK-LABEL: @signed_remainders(
; CHECK: [[Q:%.*]] = fptosi <8 x double>
; CHECK: [[P:%.*]] = mul <8 x i32> [[Q]], %d
; CHECK: sub <8 x i32> %a, [[P]]
; run: signed_remainders(random, random)
; run: signed_remainders(random, -100..100)
; run: signed_remainders(<-2147483648, 2147483647, -2147483647, 1, 0, -1, 65536, -65536>, -5..5)
define <8 x i32> @signed_remainders(<8 x i32> %a, <8 x i32> %b) {
  %zero = icmp eq <8 x i32> %b, zeroinitializer
  %minus = icmp eq <8 x i32> %b, splat (i32 -1)
  %bad = or <8 x i1> %zero, %minus
  %d = select <8 x i1> %bad, <8 x i32> splat (i32 1), <8 x i32> %b
  %r = srem <8 x i32> %a, %d
  ret <8 x i32> %r
}

; Of 64 bits few may be in use; a divisor that is constant is a product, and few lanes or many bits stay.
; CHECK-LABEL: @others(
; CHECK: fdiv <4 x double>
; CHECK: udiv <4 x i64> %a,
; CHECK: udiv <4 x i32> %short, splat (i32 7)
; CHECK: udiv <2 x i32>
; run: others(random, random)
define <4 x i64> @others(<4 x i64> %a, <4 x i64> %b) {
  %low = and <4 x i64> %a, splat (i64 4294967295)
  %least = or <4 x i64> %b, splat (i64 1)
  %few = and <4 x i64> %least, splat (i64 65535)
  %q = udiv <4 x i64> %low, %few
  %whole = udiv <4 x i64> %a, %least
  %short = trunc <4 x i64> %b to <4 x i32>
  %seventh = udiv <4 x i32> %short, splat (i32 7)
  %two = shufflevector <4 x i32> %short, <4 x i32> poison, <2 x i32> <i32 0, i32 1>
  %odd = or <2 x i32> %two, splat (i32 1)
  %tw = udiv <2 x i32> %two, %odd
  %t = shufflevector <2 x i32> %tw, <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 1>
  %s = add <4 x i32> %seventh, %t
  %w = zext <4 x i32> %s to <4 x i64>
  %x = xor <4 x i64> %q, %whole
  %y = xor <4 x i64> %x, %w
  ret <4 x i64> %y
}
