; Scalars beside widened vectors are as narrow as those, where they have no more bits.
; RUN: cm-opt --passes=narrow-splats %s | FileCheck %s

; CHECK-LABEL: @same_type
; CHECK: %[[C:.*]] = trunc i32 %w to i8
; CHECK: %[[I:.*]] = insertelement <16 x i8> poison, i8 %[[C]], i64 0
; CHECK: %[[S:.*]] = shufflevector <16 x i8> %[[I]]
; CHECK: %[[Z:.*]] = zext <16 x i8> %[[S]] to <16 x i32>
; CHECK: icmp eq <16 x i32> %v, %[[Z]]
define <16 x i1> @same_type(<16 x i8> %b, i8 %c) {
  %v = zext <16 x i8> %b to <16 x i32>
  %w = zext i8 %c to i32
  %i = insertelement <16 x i32> poison, i32 %w, i64 0
  %s = shufflevector <16 x i32> %i, <16 x i32> poison, <16 x i32> zeroinitializer
  %m = icmp eq <16 x i32> %v, %s
  ret <16 x i1> %m
}

; Of which the bits say that it is small.
; CHECK-LABEL: @small
; CHECK: sext <16 x i16> %{{.*}} to <16 x i32>
; CHECK: call <16 x i32> @llvm.smax
define <16 x i32> @small(<16 x i16> %b, i32 %c) {
  %v = sext <16 x i16> %b to <16 x i32>
  %w = ashr i32 %c, 16
  %i = insertelement <16 x i32> poison, i32 %w, i64 0
  %s = shufflevector <16 x i32> %i, <16 x i32> poison, <16 x i32> zeroinitializer
  %m = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %s, <16 x i32> %v)
  ret <16 x i32> %m
}

; One bit too many, the other sign, and what is not known.
; CHECK-LABEL: @large
; CHECK-NOT: trunc
; CHECK: ret
define <16 x i32> @large(<16 x i16> %b, i32 %c, i16 %d) {
  %v = sext <16 x i16> %b to <16 x i32>
  %w = ashr i32 %c, 15
  %i = insertelement <16 x i32> poison, i32 %w, i64 0
  %s = shufflevector <16 x i32> %i, <16 x i32> poison, <16 x i32> zeroinitializer
  %m = add <16 x i32> %s, %v
  %z = zext i16 %d to i32
  %j = insertelement <16 x i32> poison, i32 %z, i64 0
  %t = shufflevector <16 x i32> %j, <16 x i32> poison, <16 x i32> zeroinitializer
  %n = add <16 x i32> %v, %t
  %k = insertelement <16 x i32> poison, i32 %c, i64 0
  %u = shufflevector <16 x i32> %k, <16 x i32> poison, <16 x i32> zeroinitializer
  %o = xor <16 x i32> %v, %u
  %b17 = and i32 %c, 131071
  %h = insertelement <16 x i32> poison, i32 %b17, i64 0
  %f = shufflevector <16 x i32> %h, <16 x i32> poison, <16 x i32> zeroinitializer
  %unsigned = zext <16 x i16> %b to <16 x i32>
  %g = add <16 x i32> %unsigned, %f
  %p = add <16 x i32> %m, %n
  %r = add <16 x i32> %p, %g
  %q = add <16 x i32> %r, %o
  ret <16 x i32> %q
}
