; Masks that loops carry as integers are vectors of bits, also where one vector of bits is taken apart and joined on the
; way, and where an integer is complemented in other words than usual.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-masks %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @joined(
; CHECK: phi <16 x i1> [ splat (i1 true), %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %[[NEXT]] = and <16 x i1>
define void @joined(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %m = phi i32 [ 65535, %entry ], [ %i, %loop ]
  %w = bitcast i32 %m to <32 x i1>
  %l = shufflevector <32 x i1> %w, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %x = load <16 x i32>, ptr %p
  %c = icmp sgt <16 x i32> %x, zeroinitializer
  %s = select <16 x i1> %l, <16 x i32> %x, <16 x i32> zeroinitializer
  store <16 x i32> %s, ptr %q
  %cb = bitcast <16 x i1> %c to i16
  %t = trunc i32 %m to i16
  %j = and i16 %cb, %t
  %v2 = bitcast i16 %j to <16 x i1>
  %wide = shufflevector <16 x i1> %v2, <16 x i1> zeroinitializer, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %i = bitcast <32 x i1> %wide to i32
  %d = icmp eq i32 %i, 0
  br i1 %d, label %out, label %loop
out:
  ret void
}

; CHECK-LABEL: @complemented(
; CHECK: phi <16 x i1> [ splat (i1 true), %entry ], [ %c, %loop ]
; CHECK: %c = icmp sgt
define void @complemented(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %m = phi i32 [ 0, %entry ], [ %i, %loop ]
  %w = bitcast i32 %m to <32 x i1>
  %l = shufflevector <32 x i1> %w, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %x = load <16 x i32>, ptr %p
  %c = icmp sgt <16 x i32> %x, zeroinitializer
  %s = select <16 x i1> %l, <16 x i32> %x, <16 x i32> zeroinitializer
  store <16 x i32> %s, ptr %q
  %cb = bitcast <16 x i1> %c to i16
  %z = zext i16 %cb to i32
  %o = or i32 %z, 65535
  %i = xor i32 %o, %z
  %d = icmp eq i32 %i, 0
  br i1 %d, label %out, label %loop
out:
  ret void
}

; What is computed from a mask that a loop carries is asked for before all is known that the mask may come from: it is
; no constant because the first of that is one.
; CHECK-LABEL: @carried(
; CHECK: %[[M:.*]] = phi <16 x i1> [ splat (i1 true), %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK: %[[OFF:.*]] = xor <16 x i1> %[[M]], splat (i1 true)
; CHECK: and <16 x i1> %[[OFF]], <i1 true
define void @carried(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %m = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = and i32 %m, 255
  %on = xor i32 %a, 255
  %w = bitcast i32 %on to <32 x i1>
  %l = shufflevector <32 x i1> %w, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %x = load <16 x i32>, ptr %p
  %c = icmp sgt <16 x i32> %x, zeroinitializer
  %s = select <16 x i1> %l, <16 x i32> %x, <16 x i32> zeroinitializer
  store <16 x i32> %s, ptr %q
  %wm = bitcast i32 %m to <32 x i1>
  %lm = shufflevector <32 x i1> %wm, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %sm = select <16 x i1> %lm, <16 x i32> %x, <16 x i32> splat (i32 1)
  store <16 x i32> %sm, ptr %q
  %cb = bitcast <16 x i1> %c to i16
  %z = zext i16 %cb to i32
  %t = and i32 %on, %z
  %next = xor i32 %t, -1
  %d = icmp eq i32 %t, 0
  br i1 %d, label %out, label %loop
out:
  ret void
}
