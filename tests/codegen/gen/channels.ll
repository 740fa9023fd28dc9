; Masks of 32 bits become predicates of as many channels as there are vectors.
; RUN: cm-opt --march=skl --passes=gen-channels,adce %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-channels,adce %s | run-lines %s

; CHECK-LABEL: @any(
; CHECK-NEXT: %p = fcmp ogt
; CHECK-NEXT: [[B:%.*]] = bitcast <16 x i1> %p to i16
; CHECK-NEXT: [[Z:%.*]] = zext i16 [[B]] to i32
; CHECK-NEXT: icmp eq i32 [[Z]], 0
; run: any(random, random)
define i1 @any(<16 x float> %a, <16 x float> %b) {
  %p = fcmp ogt <16 x float> %a, %b
  %w = shufflevector <16 x i1> %p, <16 x i1> <i1 false, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison, i1 poison>, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %m = bitcast <32 x i1> %w to i32
  %r = icmp eq i32 %m, 0
  ret i1 %r
}

; What is computed with masks is computed with predicates; a number's bits go to a flag register once.
; CHECK-LABEL: @both(
; CHECK: [[T:%.*]] = trunc i32 %m to i16
; CHECK: [[F:%.*]] = bitcast i16 [[T]] to <16 x i1>
; CHECK: [[R:%.*]] = and <16 x i1> %p, [[F]]
; CHECK-NEXT: ret <16 x i1> [[R]]
; run: both(random, random)
define <16 x i1> @both(<16 x i1> %p, i32 %m) {
  %w = shufflevector <16 x i1> %p, <16 x i1> zeroinitializer, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %b = bitcast i32 %m to <32 x i1>
  %a = and <32 x i1> %w, %b
  %r = shufflevector <32 x i1> %a, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i1> %r
}

; The others: not of the bits that a predicate had.
; CHECK-LABEL: @others(
; CHECK-NEXT: [[R:%.*]] = xor <16 x i1> %p, splat (i1 true)
; CHECK-NEXT: ret <16 x i1> [[R]]
; run: others(random)
define <16 x i1> @others(<16 x i1> %p) {
  %n = bitcast <16 x i1> %p to i16
  %z = zext i16 %n to i32
  %x = xor i32 %z, -1
  %b = bitcast i32 %x to <32 x i1>
  %r = shufflevector <32 x i1> %b, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i1> %r
}

; Four channels are the lower ones of a byte.
; CHECK-LABEL: @any_of_four(
; CHECK: [[W:%.*]] = shufflevector <4 x i1> %p, <4 x i1> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4>
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> [[W]] to i8
; CHECK-NEXT: [[Z:%.*]] = zext i8 [[B]] to i32
; CHECK-NEXT: ret i32 [[Z]]
; run: any_of_four(random)
define i32 @any_of_four(<4 x i32> %x) {
  %p = icmp sgt <4 x i32> %x, zeroinitializer
  %w = shufflevector <4 x i1> %p, <4 x i1> <i1 false, i1 poison, i1 poison, i1 poison>, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %b = bitcast <32 x i1> %w to i32
  ret i32 %b
}
; CHECK-LABEL: @lower_four(
; CHECK-NEXT: [[T:%.*]] = trunc i32 %m to i8
; CHECK-NEXT: [[B:%.*]] = bitcast i8 [[T]] to <8 x i1>
; CHECK-NEXT: [[R:%.*]] = shufflevector <8 x i1> [[B]], <8 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: ret <4 x i1> [[R]]
; run: lower_four(random)
define <4 x i1> @lower_four(i32 %m) {
  %b = bitcast i32 %m to <32 x i1>
  %r = shufflevector <32 x i1> %b, <32 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  ret <4 x i1> %r
}

; Left alone: channels from further up; a part that is true.
; CHECK-LABEL: @upper(
; CHECK: shufflevector <32 x i1>
; run: upper(random)
define <16 x i1> @upper(i32 %m) {
  %b = bitcast i32 %m to <32 x i1>
  %r = shufflevector <32 x i1> %b, <32 x i1> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  ret <16 x i1> %r
}
; CHECK-LABEL: @set(
; CHECK: shufflevector <8 x i1>
; run: set(random)
define i16 @set(<8 x i1> %p) {
  %w = shufflevector <8 x i1> %p, <8 x i1> <i1 true, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false>, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %r = bitcast <16 x i1> %w to i16
  ret i16 %r
}

; The lower bits of a mask, as LLVM reads them, are those of its lower channels.
; CHECK-LABEL: @bits(
; CHECK-NEXT: [[W:%.*]] = shufflevector <2 x i1> %p, <2 x i1> zeroinitializer, <8 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
; CHECK-NEXT: [[B:%.*]] = bitcast <8 x i1> [[W]] to i8
; CHECK-NEXT: trunc i8 [[B]] to i2
; CHECK-NEXT: ret
; run: bits(random)
define i2 @bits(<2 x i1> %p) {
  %w = shufflevector <2 x i1> %p, <2 x i1> <i1 false, i1 poison>, <32 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %v = bitcast <32 x i1> %w to <16 x i2>
  %r = extractelement <16 x i2> %v, i32 0
  ret i2 %r
}
