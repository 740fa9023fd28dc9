; Element access, shuffles, predicates and reductions become regions and elementwise operations.
; RUN: cm-opt --march=icllp --passes=gen-operations %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes=gen-operations %s | run-lines %s

; CHECK-LABEL: @insert(
; CHECK: wrregioni.v8i32.i32.i16.i1(<8 x i32> %v, i32 %x, i32 0, i32 1, i32 1, i16 12, i32 undef, i1 true)
; run: insert(random, random)
define <8 x i32> @insert(<8 x i32> %v, i32 %x) {
  %r = insertelement <8 x i32> %v, i32 %x, i32 3
  ret <8 x i32> %r
}

; The place of an element that is not known is counted in bytes, and moved inside when it could be outside.
; CHECK-LABEL: @extract(
; CHECK: [[BYTES:%.*]] = shl i16 {{%.*}}, 2
; CHECK: [[AT:%.*]] = call i16 @llvm.umin.i16(i16 [[BYTES]], i16 28)
; CHECK: rdregionf.f32.v8f32.i16(<8 x float> %v, i32 0, i32 1, i32 0, i16 [[AT]], i32 undef)
; run: extract(random, 0..7)
define float @extract(<8 x float> %v, i32 %i) {
  %r = extractelement <8 x float> %v, i32 %i
  ret float %r
}

; So is a region's offset: of one element, which may be the last, and of four of every second one.
; CHECK-LABEL: @region_of_one(
; CHECK: [[AT:%.*]] = call i16 @llvm.umin.i16(i16 %at, i16 28)
; CHECK: rdregionf.f32.v8f32.i16(<8 x float> %v, i32 0, i32 1, i32 0, i16 [[AT]], i32 undef)
; run: region_of_one(random, 28)
; run: region_of_one(random, 0)
; run: region_of_one(random, 32)
define float @region_of_one(<8 x float> %v, i16 %at) {
  %r = call float @llvm.genx.rdregionf.f32.v8f32.i16(<8 x float> %v, i32 0, i32 1, i32 0, i16 %at, i32 undef)
  ret float %r
}

; CHECK-LABEL: @region_of_four(
; CHECK: [[AT:%.*]] = call i16 @llvm.umin.i16(i16 %at, i16 4)
; run: region_of_four(random, 4)
; run: region_of_four(random, 8)
define <4 x float> @region_of_four(<8 x float> %v, i16 %at) {
  %r = call <4 x float> @llvm.genx.rdregionf.v4f32.v8f32.i16(<8 x float> %v, i32 8, i32 4, i32 2, i16 %at, i32 undef)
  ret <4 x float> %r
}

; Bytes that are indices become words, not dwords of which the lower word is taken.
; CHECK-LABEL: @byte_index(
; CHECK-NOT: i32 %i
; CHECK: [[WORD:%.*]] = zext i8 %n to i16
; CHECK-NEXT: [[AT:%.*]] = shl i16 [[WORD]], 2
; CHECK-NEXT: rdregionf.f32.v256f32.i16(<256 x float> %v, i32 0, i32 1, i32 0, i16 [[AT]], i32 undef)
; run: byte_index(random, random)
define float @byte_index(<256 x float> %v, i8 %n) {
  %i = zext i8 %n to i32
  %r = extractelement <256 x float> %v, i32 %i
  ret float %r
}

; CHECK-LABEL: @signed_byte_index(
; CHECK: [[WORD:%.*]] = sext i8 %n to i16
; CHECK-NEXT: [[AT:%.*]] = shl i16 [[WORD]], 2
; CHECK: umin.i16(i16 [[AT]], i16 28)
; run: signed_byte_index(random, 0..7)
define float @signed_byte_index(<8 x float> %v, i8 %n) {
  %i = sext i8 %n to i32
  %r = extractelement <8 x float> %v, i32 %i
  ret float %r
}

; A row of eight that a loop with a constant end counts is inside; its ninth element is not.
; CHECK-LABEL: @counted(
; CHECK: shl i16
; CHECK-NOT: umin
; CHECK: umin.i16(i16 {{%.*}}, i16 124)
; CHECK-NOT: umin
; CHECK: ret float
define float @counted(<32 x float> %v) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %row = shl nuw nsw i32 %i, 3
  %last = or disjoint i32 %row, 7
  %after = add nuw nsw i32 %row, 8
  %a = extractelement <32 x float> %v, i32 %last
  %b = extractelement <32 x float> %v, i32 %after
  %ab = fadd float %a, %b
  %more = fadd float %sum, %ab
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, 4
  br i1 %done, label %end, label %loop
end:
  ret float %more
}

; CHECK-LABEL: @inside(
; CHECK-NOT: umin
; CHECK: ret float
; run: inside(random, random)
define float @inside(<8 x float> %v, <4 x i32> %w) {
  %n = and <4 x i32> %w, splat (i32 7)
  %i = extractelement <4 x i32> %n, i64 2
  %r = extractelement <8 x float> %v, i32 %i
  ret float %r
}

; A constant further on is a constant in bytes, also through the 16 bits that offsets have.
; CHECK-LABEL: @further(
; CHECK: [[BYTES:%.*]] = shl i16 %i, 2
; CHECK-NEXT: [[SUM:%.*]] = add i16 [[BYTES]], 12
; CHECK-NEXT: [[AT:%.*]] = call i16 @llvm.umin.i16(i16 [[SUM]], i16 28)
; CHECK-NEXT: call <8 x float> @llvm.genx.wrregionf.v8f32.f32.i16.i1(<8 x float> %v, float %x, i32 0, i32 1, i32 1, i16 [[AT]],
; run: further(random, -3..4, random)
define <8 x float> @further(<8 x float> %v, i16 %i, float %x) {
  %j = add i16 %i, 3
  %k = zext i16 %j to i32
  %w = insertelement <8 x float> %v, float %x, i32 %k
  ret <8 x float> %w
}

; CHECK-LABEL: @splat(
; CHECK: rdregionf.v16f32.v8f32.i16(<8 x float> %v, i32 0, i32 16, i32 0, i16 8, i32 undef)
; run: splat(random)
define <16 x float> @splat(<8 x float> %v) {
  %r = shufflevector <8 x float> %v, <8 x float> poison, <16 x i32> <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  ret <16 x float> %r
}

; CHECK-LABEL: @rows(
; CHECK: rdregionf.v8f32.v16f32.i16(<16 x float> %v, i32 8, i32 4, i32 1, i16 4, i32 undef)
; run: rows(random)
define <8 x float> @rows(<16 x float> %v) {
  %r = shufflevector <16 x float> %v, <16 x float> poison, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 9, i32 10, i32 11, i32 12>
  ret <8 x float> %r
}

; CHECK-LABEL: @extend(
; CHECK: select <16 x i1> %p, <16 x i32> splat (i32 1), <16 x i32> zeroinitializer
; run: extend(random)
define <16 x i32> @extend(<16 x i1> %p) {
  %r = zext <16 x i1> %p to <16 x i32>
  ret <16 x i32> %r
}

; CHECK-LABEL: @unordered(
; CHECK: [[C:%.*]] = fcmp oge <8 x float> %a, %b
; CHECK: xor <8 x i1> [[C]], splat (i1 true)
; run: unordered(random, random)
define <8 x i1> @unordered(<8 x float> %a, <8 x float> %b) {
  %r = fcmp ult <8 x float> %a, %b
  ret <8 x i1> %r
}

; A condition for all channels is compared once per channel.
; CHECK-LABEL: @uniform(
; CHECK: [[C:%.*]] = icmp slt <8 x i32>
; CHECK: select <8 x i1> [[C]], <8 x float> %a, <8 x float> %b
; run: uniform(random, random, random, random)
define <8 x float> @uniform(i32 %x, i32 %y, <8 x float> %a, <8 x float> %b) {
  %c = icmp slt i32 %x, %y
  %r = select i1 %c, <8 x float> %a, <8 x float> %b
  ret <8 x float> %r
}

; What the execution units have stays.
; CHECK-LABEL: @kept(
; CHECK-NEXT: %a = call <16 x float> @llvm.fma.v16f32(<16 x float> %v, <16 x float> %v, <16 x float> %v)
; CHECK-NEXT: %b = call <16 x float> @llvm.floor.v16f32(<16 x float> %a)
; CHECK-NEXT: ret <16 x float> %b
; run: kept(random)
define <16 x float> @kept(<16 x float> %v) {
  %a = call <16 x float> @llvm.fma.v16f32(<16 x float> %v, <16 x float> %v, <16 x float> %v)
  %b = call <16 x float> @llvm.floor.v16f32(<16 x float> %a)
  ret <16 x float> %b
}

; Integer functions of single bits are logic.
; CHECK-LABEL: @bits(
; CHECK: %x = or <16 x i1> %a, %b
; CHECK-NOT: abs
; CHECK: ret
; run: bits(random, random)
define <16 x i1> @bits(<16 x i1> %a, <16 x i1> %b) {
  %x = or <16 x i1> %a, %b
  %y = call <16 x i1> @llvm.abs.v16i1(<16 x i1> %x, i1 false)
  ret <16 x i1> %y
}

; What lies outside a vector is nobody's: the rest stays where it is.
; CHECK-LABEL: @outside(
; CHECK: [[R:%.*]] = call <4 x float> @llvm.genx.rdregionf.v4f32.v8f32.i16(<8 x float> %v, i32 0, i32 4, i32 1, i16 16, i32 undef)
; CHECK: call <8 x float> @llvm.genx.wrregionf.v8f32.v4f32.i16.i1(<8 x float> poison, <4 x float> [[R]], i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
; CHECK: [[W:%.*]] = call <2 x float> @llvm.genx.rdregionf.v2f32.v4f32.i16(<4 x float> %x, i32 0, i32 2, i32 1, i16 0, i32 undef)
; CHECK: call <8 x float> @llvm.genx.wrregionf.v8f32.v2f32.i16.i1(<8 x float> {{%.*}}, <2 x float> [[W]], i32 0, i32 2, i32 1, i16 24, i32 undef, i1 true)
; CHECK-NOT: region
; CHECK: ret
define <8 x float> @outside(<8 x float> %v, <4 x float> %x) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v8f32.i16(<8 x float> %v, i32 0, i32 8, i32 1, i16 16, i32 undef)
  %w = call <8 x float> @llvm.genx.wrregionf.v8f32.v4f32.i16.i1(<8 x float> %r, <4 x float> %x, i32 0, i32 4, i32 1, i16 24, i32 undef, i1 true)
  ret <8 x float> %w
}
; Only the first element is inside; none of them.
; CHECK-LABEL: @onlyTheFirst(
; CHECK: [[F:%.*]] = call {{.*}} @llvm.genx.rdregionf.{{.*}}(<8 x float> %v, i32 {{.*}}, i16 0, i32 undef)
; CHECK-NOT: ret <8 x float> poison
; CHECK: ret <8 x float>
; run: onlyTheFirst(random)
define <8 x float> @onlyTheFirst(<8 x float> %v) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v8f32.i16(<8 x float> %v, i32 0, i32 8, i32 8, i16 0, i32 undef)
  ret <8 x float> %r
}
; CHECK-LABEL: @none(
; CHECK-NEXT: ret <8 x float> poison
; run: none(random)
define <8 x float> @none(<8 x float> %v) {
  %r = call <8 x float> @llvm.genx.rdregionf.v8f32.v8f32.i16(<8 x float> %v, i32 0, i32 8, i32 8, i16 32, i32 undef)
  ret <8 x float> %r
}
declare <8 x float> @llvm.genx.rdregionf.v8f32.v8f32.i16(<8 x float>, i32, i32, i32, i16, i32)
declare float @llvm.genx.rdregionf.f32.v8f32.i16(<8 x float>, i32, i32, i32, i16, i32)
declare <4 x float> @llvm.genx.rdregionf.v4f32.v8f32.i16(<8 x float>, i32, i32, i32, i16, i32)
declare <8 x float> @llvm.genx.wrregionf.v8f32.v4f32.i16.i1(<8 x float>, <4 x float>, i32, i32, i32, i16, i32, i1)

; What is computed of bytes and becomes wider is computed so from the start.
; CHECK-LABEL: @widerFromTheStart(
; CHECK: [[A:%.*]] = zext <16 x i8> %a to <16 x i16>
; CHECK: [[B:%.*]] = zext <16 x i8> %b to <16 x i16>
; CHECK: [[X:%.*]] = xor <16 x i16> [[A]], [[B]]
; CHECK: ret <16 x i16> [[X]]
; run: widerFromTheStart(random, random)
define <16 x i16> @widerFromTheStart(<16 x i8> %a, <16 x i8> %b) {
  %x = xor <16 x i8> %a, %b
  %w = zext <16 x i8> %x to <16 x i16>
  ret <16 x i16> %w
}

; Sign-extended operands are instructions of their own there, so such a result is extended where it is used.
; CHECK-LABEL: @signed(
; CHECK: [[X:%.*]] = xor <16 x i8> %a, %b
; CHECK: sext <16 x i8> [[X]] to <16 x i16>
; run: signed(random, random)
define <16 x i16> @signed(<16 x i8> %a, <16 x i8> %b) {
  %x = xor <16 x i8> %a, %b
  %w = sext <16 x i8> %x to <16 x i16>
  ret <16 x i16> %w
}

; What is added saturates elsewhere than what is taken away; of 0 the execution unit finds no bit, and says -1.
; CHECK-LABEL: @saturated(
; CHECK: [[M:%.*]] = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %v, <8 x i32> splat (i32 16))
; CHECK: [[D:%.*]] = sub <8 x i32> [[M]], splat (i32 16)
; CHECK: [[NONE:%.*]] = icmp eq <8 x i32> [[D]], zeroinitializer
; CHECK: [[N:%.*]] = call <8 x i32> @llvm.cttz.v8i32(<8 x i32> [[D]], i1 true)
; CHECK: select <8 x i1> [[NONE]], <8 x i32> splat (i32 32), <8 x i32> [[N]]
; run: saturated(random)
define <8 x i32> @saturated(<8 x i32> %v) {
  %d = call <8 x i32> @llvm.usub.sat.v8i32(<8 x i32> %v, <8 x i32> splat (i32 16))
  %n = call <8 x i32> @llvm.cttz.v8i32(<8 x i32> %d, i1 false)
  ret <8 x i32> %n
}
declare <8 x i32> @llvm.usub.sat.v8i32(<8 x i32>, <8 x i32>)

; A difference of two values saturates by itself.
; CHECK-LABEL: @saturated_by_itself(
; CHECK-NEXT: %d = call <8 x i32> @llvm.usub.sat.v8i32(<8 x i32> %v, <8 x i32> %w)
; CHECK-NEXT: ret
; run: saturated_by_itself(random, random)
define <8 x i32> @saturated_by_itself(<8 x i32> %v, <8 x i32> %w) {
  %d = call <8 x i32> @llvm.usub.sat.v8i32(<8 x i32> %v, <8 x i32> %w)
  ret <8 x i32> %d
}
declare <8 x i32> @llvm.cttz.v8i32(<8 x i32>, i1)

; The first element of the second vector is not one of the first.
; CHECK-LABEL: @first_of_the_second(
; CHECK: rdregioni{{.*}}(<4 x i32> %a, i32 {{[0-9]+}}, i32 3, i32 1, i16 4, i32 undef)
; CHECK: rdregioni{{.*}}(<4 x i32> %b, i32 {{[0-9]+}}, i32 1, i32 {{[01]}}, i16 0, i32 undef)
define <4 x i32> @first_of_the_second(<4 x i32> %a, <4 x i32> %b) {
  %r = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  ret <4 x i32> %r
}

; A narrow element for all channels is extended by what reads it, up to dwords.
; CHECK-LABEL: @extended_for_all(
; CHECK: [[ALL:%.*]] = call <8 x i16> @llvm.genx.rdregioni.v8i16.v4i16.i16(<4 x i16> %v, i32 0, i32 1, i32 0, i16 2, i32 undef)
; CHECK-NEXT: sext <8 x i16> [[ALL]] to <8 x i32>
define <8 x i32> @extended_for_all(<4 x i16> %v) {
  %e = extractelement <4 x i16> %v, i32 1
  %x = sext i16 %e to i32
  %i = insertelement <8 x i32> poison, i32 %x, i32 0
  %r = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  ret <8 x i32> %r
}

; Of a shuffle that takes nothing nothing is known.
; CHECK-LABEL: @nothing(
; CHECK-NEXT: ret <4 x i32> poison
define <4 x i32> @nothing(<4 x i32> %v) {
  %r = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i32> poison
  ret <4 x i32> %r
}
