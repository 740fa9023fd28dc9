; Integers of as many bits as a predicate has channels are done in 8, 16 or 32 bits, the upper ones 0.
; RUN: cm-opt --march=skl --passes=gen-odd-integers,adce %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-odd-integers,adce %s | run-lines %s

; CHECK-LABEL: @all(
; CHECK: [[WORDS:%.*]] = select <4 x i1> %p, <4 x i16> splat (i16 -1), <4 x i16> zeroinitializer
; CHECK: [[P:%.*]] = icmp ne <8 x i16> %{{.*}}, zeroinitializer
; CHECK-NEXT: [[BITS:%.*]] = bitcast <8 x i1> [[P]] to i8
; CHECK-NEXT: [[R:%.*]] = icmp eq i8 [[BITS]], 15
; CHECK-NEXT: ret i1 [[R]]
; run: all(random)
define i1 @all(<4 x i1> %p) {
  %m = bitcast <4 x i1> %p to i4
  %c = icmp eq i4 %m, -1
  ret i1 %c
}

; CHECK-LABEL: @lowest(
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> %{{.*}} to i16
; CHECK-NEXT: [[LOW:%.*]] = and i16 [[BITS]], 1
; CHECK-NEXT: icmp ne i16 [[LOW]], 0
; run: lowest(random)
define i1 @lowest(<12 x i1> %p) {
  %m = bitcast <12 x i1> %p to i12
  %t = trunc i12 %m to i1
  ret i1 %t
}

; The sign is that of the small integer.
; CHECK-LABEL: @extended(
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> %{{.*}} to i8
; CHECK-NEXT: [[WIDE:%.*]] = zext i8 [[BITS]] to i32
; CHECK-NEXT: [[UP:%.*]] = shl i32 [[WIDE]], 28
; CHECK-NEXT: ashr i32 [[UP]], 28
; run: extended(random)
define i32 @extended(<4 x i1> %p) {
  %m = bitcast <4 x i1> %p to i4
  %x = sext i4 %m to i32
  ret i32 %x
}

; CHECK-LABEL: @even(
; CHECK-NEXT: %b = bitcast <16 x i1> %p to i16
; CHECK-NEXT: %c = add i16 %b, 1
; CHECK-NEXT: ret i16 %c
; run: even(random)
define i16 @even(<16 x i1> %p) {
  %b = bitcast <16 x i1> %p to i16
  %c = add i16 %b, 1
  ret i16 %c
}

; Bits of a vector that LLVM takes for elements of their own are parts of bytes.
; CHECK-LABEL: @parts(
; CHECK: %[[B:[0-9]+]] = bitcast <2 x i64> %v to <16 x i8>
; CHECK: %[[E:[0-9]+]] = extractelement <16 x i8> %[[B]], i64 9
; CHECK: %[[S:[0-9]+]] = lshr i8 %[[E]], 2
; CHECK: %[[P:[0-9]+]] = and i8 %[[S]], 3
; CHECK: zext i8 %[[P]] to i32
; CHECK-NOT: i2
; run: parts(random)
define i32 @parts(<2 x i64> %v) {
  %b = bitcast <2 x i64> %v to <64 x i2>
  %e = extractelement <64 x i2> %b, i64 37
  %x = zext i2 %e to i32
  ret i32 %x
}

; Of a predicate as well, which is one number.
; CHECK-LABEL: @parts_of_predicate(
; CHECK: %[[B:[0-9]+]] = bitcast <32 x i1> %p to i32
; CHECK: %[[S:[0-9]+]] = lshr i32 %[[B]], 6
; CHECK: %[[T:[0-9]+]] = trunc i32 %[[S]] to i8
; CHECK: %[[P:[0-9]+]] = and i8 %[[T]], 3
; CHECK: zext i8 %[[P]] to i32
; CHECK-NOT: i2
; run: parts_of_predicate(random)
define i32 @parts_of_predicate(<32 x i1> %p) {
  %b = bitcast <32 x i1> %p to <16 x i2>
  %e = extractelement <16 x i2> %b, i64 3
  %x = zext i2 %e to i32
  ret i32 %x
}

; Vectors of such numbers are vectors of the next size.
; CHECK-LABEL: @vectors(
; CHECK: [[A:%.*]] = and <8 x i64> %x, splat (i64 576460752303423487)
; CHECK: [[T:%.*]] = shl <8 x i64> [[A]], splat (i64 5)
; CHECK: [[C:%.*]] = icmp slt <8 x i64> [[T]], splat (i64 -32736)
; CHECK: ret <8 x i1> [[C]]
; run: vectors(random)
define <8 x i1> @vectors(<8 x i64> %x) {
  %a = trunc <8 x i64> %x to <8 x i59>
  %c = icmp slt <8 x i59> %a, splat (i59 -1023)
  ret <8 x i1> %c
}

; CHECK-LABEL: @numbers(
; CHECK-NOT: i24
; CHECK: [[B:%.*]] = bitcast <4 x i8> %{{.*}} to i32
; CHECK: add i32 [[B]], 1
; CHECK-NOT: i24
; CHECK: ret <3 x i8>
; run: numbers(random)
define <3 x i8> @numbers(<3 x i8> %x) {
  %n = bitcast <3 x i8> %x to i24
  %s = add i24 %n, 1
  %v = bitcast i24 %s to <3 x i8>
  ret <3 x i8> %v
}

; One of them that is computed is an element of that vector, and no part of a byte.
; CHECK-LABEL: @element(
; CHECK: [[V:%.*]] = call <16 x i8> @llvm.umin.v16i8
; CHECK-NEXT: [[E:%.*]] = extractelement <16 x i8> [[V]], i64 3
; CHECK-NEXT: zext i8 [[E]] to i32
; run: element(random)
define i32 @element(<16 x i8> %x) {
  %t = trunc <16 x i8> %x to <16 x i4>
  %m = call <16 x i4> @llvm.umin.v16i4(<16 x i4> %t, <16 x i4> splat (i4 6))
  %e = extractelement <16 x i4> %m, i64 3
  %z = zext i4 %e to i32
  ret i32 %z
}
declare <16 x i4> @llvm.umin.v16i4(<16 x i4>, <16 x i4>)
