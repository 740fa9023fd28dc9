; Clamped sums of widened bytes and words are sums that saturate; of dwords, which have 64 bits, they are in 32.
; RUN: cm-opt --march=cpu --passes=cpu-saturating-sums %s | FileCheck %s
; RUN: cm-opt --march=cpu --passes=cpu-saturating-sums %s | run-lines --plain --plain-after %s

; CHECK-LABEL: @bytes
; CHECK: call <16 x i8> @llvm.uadd.sat.v16i8(<16 x i8> %a, <16 x i8> %b)
; CHECK: call <16 x i8> @llvm.usub.sat.v16i8(<16 x i8> splat (i8 -56), <16 x i8> %b)
; CHECK-NOT: trunc
define <16 x i8> @bytes(<16 x i8> %a, <16 x i8> %b) {
  %x = zext <16 x i8> %a to <16 x i64>
  %y = zext <16 x i8> %b to <16 x i64>
  %s = add <16 x i64> %x, %y
  %m = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %s, <16 x i64> splat (i64 255))
  %r = trunc <16 x i64> %m to <16 x i8>
  %d = sub <16 x i64> splat (i64 200), %y
  %n = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %d, <16 x i64> zeroinitializer)
  %t = trunc <16 x i64> %n to <16 x i8>
  %q = xor <16 x i8> %r, %t
  ret <16 x i8> %q
}

; CHECK-LABEL: @words
; CHECK: call <16 x i16> @llvm.ssub.sat.v16i16(<16 x i16> %a, <16 x i16> %{{.*}})
define <16 x i16> @words(<16 x i16> %a, <16 x i8> %b) {
  %x = sext <16 x i16> %a to <16 x i32>
  %y = sext <16 x i8> %b to <16 x i32>
  %s = sub <16 x i32> %x, %y
  %l = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %s, <16 x i32> splat (i32 -32768))
  %m = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %l, <16 x i32> splat (i32 32767))
  %r = trunc <16 x i32> %m to <16 x i16>
  ret <16 x i16> %r
}

; Other limits, both signs, a difference without one, and one without any limit.
; CHECK-LABEL: @others
; CHECK-NOT: .sat
; CHECK: ret
define <16 x i8> @others(<16 x i8> %a, <16 x i8> %b) {
  %x = zext <16 x i8> %a to <16 x i32>
  %y = zext <16 x i8> %b to <16 x i32>
  %z = sext <16 x i8> %b to <16 x i32>
  %s = add <16 x i32> %x, %y
  %m = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %s, <16 x i32> splat (i32 254))
  %r = trunc <16 x i32> %m to <16 x i8>
  %t = add <16 x i32> %x, %z
  %l = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %t, <16 x i32> zeroinitializer)
  %n = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %l, <16 x i32> splat (i32 255))
  %u = trunc <16 x i32> %n to <16 x i8>
  %d = sub <16 x i32> %x, %y
  %e = call <16 x i32> @llvm.umin.v16i32(<16 x i32> %d, <16 x i32> splat (i32 255))
  %v = trunc <16 x i32> %e to <16 x i8>
  %w = trunc <16 x i32> %d to <16 x i8>
  %o = xor <16 x i8> %v, %w
  %p = xor <16 x i8> %r, %u
  %q = xor <16 x i8> %p, %o
  ret <16 x i8> %q
}

; A small one and any: that is clamped first.
; CHECK-LABEL: @dwords
; CHECK: %[[H:.*]] = ashr <16 x i32> %a, splat (i32 8)
; CHECK: %[[L:.*]] = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %b, <16 x i32> splat (i32 -8388735))
; CHECK: %[[M:.*]] = call <16 x i32> @llvm.smin.v16i32(<16 x i32> %[[L]], <16 x i32> splat (i32 8388735))
; CHECK: add nsw <16 x i32> %[[H]], %[[M]]
; CHECK: call <16 x i32> @llvm.sadd.sat.v16i32(<16 x i32> %a, <16 x i32> %b)
; CHECK-NOT: i64
; CHECK: ret <16 x i8>
define <16 x i8> @dwords(<16 x i32> %a, <16 x i32> %b) {
  %h = ashr <16 x i32> %a, splat (i32 8)
  %x = sext <16 x i32> %h to <16 x i64>
  %y = sext <16 x i32> %b to <16 x i64>
  %s = add <16 x i64> %x, %y
  %l = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %s, <16 x i64> splat (i64 -128))
  %m = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %l, <16 x i64> splat (i64 127))
  %r = trunc <16 x i64> %m to <16 x i8>
  %z = sext <16 x i32> %a to <16 x i64>
  %t = add <16 x i64> %z, %y
  %n = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %t, <16 x i64> splat (i64 0))
  %o = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %n, <16 x i64> splat (i64 255))
  %u = trunc <16 x i64> %o to <16 x i8>
  %q = xor <16 x i8> %r, %u
  ret <16 x i8> %q
}

; Limits that cross: the last one counts.
; CHECK-LABEL: @crossed
; CHECK-NOT: .sat
; CHECK: ret
define <16 x i8> @crossed(<16 x i32> %a, <16 x i32> %b) {
  %x = sext <16 x i32> %a to <16 x i64>
  %y = sext <16 x i32> %b to <16 x i64>
  %s = add <16 x i64> %x, %y
  %l = call <16 x i64> @llvm.smin.v16i64(<16 x i64> %s, <16 x i64> splat (i64 5))
  %m = call <16 x i64> @llvm.smax.v16i64(<16 x i64> %l, <16 x i64> splat (i64 10))
  %r = trunc <16 x i64> %m to <16 x i8>
  ret <16 x i8> %r
}

; Of dwords with a scalar: the others are clamped to what it leaves, without a sum that saturates.
; CHECK-LABEL: @with_scalar(
; CHECK: call i32 @llvm.s{{add|sub}}.sat.i32(
; CHECK-NOT: sat.v8i32
; CHECK: add <8 x i32>
; CHECK: ret
; run: with_scalar(random, random)
; run: with_scalar(2147483640..2147483647, -2147483648)
; run: with_scalar(-2147483648..-2147483641, 2147483647)
; run: with_scalar(-300..-293, 200)
; run: with_scalar(-4..3, 2147483520)
; run: with_scalar(-4..3, -2147483400)
define <8 x i8> @with_scalar(<8 x i32> %v, i32 %s) {
  %x = sext <8 x i32> %v to <8 x i64>
  %i = insertelement <8 x i32> poison, i32 %s, i64 0
  %f = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %y = sext <8 x i32> %f to <8 x i64>
  %t = add <8 x i64> %x, %y
  %m = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %t, <8 x i64> splat (i64 0))
  %c = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %m, <8 x i64> splat (i64 255))
  %r = trunc <8 x i64> %c to <8 x i8>
  ret <8 x i8> %r
}

; CHECK-LABEL: @less_scalar(
; CHECK: call i32 @llvm.s{{add|sub}}.sat.i32(
; CHECK-NOT: sat.v8i32
; CHECK: sub <8 x i32>
; CHECK: ret
; run: less_scalar(random, random)
; run: less_scalar(2147483640..2147483647, -2147483648)
; run: less_scalar(-2147483648..-2147483641, 2147483647)
; run: less_scalar(-300..-293, 200)
; run: less_scalar(-4..3, 2147483520)
; run: less_scalar(-4..3, -2147483400)
define <8 x i8> @less_scalar(<8 x i32> %v, i32 %s) {
  %x = sext <8 x i32> %v to <8 x i64>
  %i = insertelement <8 x i32> poison, i32 %s, i64 0
  %f = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %y = sext <8 x i32> %f to <8 x i64>
  %t = sub <8 x i64> %x, %y
  %m = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %t, <8 x i64> splat (i64 -128))
  %c = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %m, <8 x i64> splat (i64 127))
  %r = trunc <8 x i64> %c to <8 x i8>
  ret <8 x i8> %r
}

; CHECK-LABEL: @from_scalar(
; CHECK: call i32 @llvm.s{{add|sub}}.sat.i32(
; CHECK-NOT: sat.v8i32
; CHECK: sub <8 x i32>
; CHECK: ret
; run: from_scalar(random, random)
; run: from_scalar(2147483640..2147483647, -2147483648)
; run: from_scalar(-2147483648..-2147483641, 2147483647)
; run: from_scalar(-300..-293, 200)
; run: from_scalar(-4..3, 2147483520)
; run: from_scalar(-4..3, -2147483400)
define <8 x i16> @from_scalar(<8 x i32> %v, i32 %s) {
  %x = sext <8 x i32> %v to <8 x i64>
  %i = insertelement <8 x i32> poison, i32 %s, i64 0
  %f = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %y = sext <8 x i32> %f to <8 x i64>
  %t = sub <8 x i64> %y, %x
  %m = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %t, <8 x i64> splat (i64 -32768))
  %c = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %m, <8 x i64> splat (i64 32767))
  %r = trunc <8 x i64> %c to <8 x i16>
  ret <8 x i16> %r
}
