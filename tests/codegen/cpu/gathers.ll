; Where the CPU gathers slowly or not at all, one branch asks for all lanes, and none is left behind it.
; RUN: cm-opt --march=cpu --mcpu=znver5 --passes=cpu-gathers %s > %t.slow.ll && FileCheck --check-prefixes=CHECK,SLOW %s < %t.slow.ll
; RUN: cm-opt --march=cpu --mcpu=x86-64 --passes=cpu-gathers %s > %t.none.ll && FileCheck --check-prefixes=CHECK,NONE %s < %t.none.ll
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-gathers %s > %t.fast.ll && FileCheck --check-prefixes=FAST %s < %t.fast.ll
; RUN: run-lines --plain --plain-after %s < %t.slow.ll
; RUN: run-lines --plain --plain-after %s < %t.none.ll
; RUN: run-lines --plain --plain-after %s < %t.fast.ll

target triple = "x86_64-unknown-linux-gnu"

declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, <8 x i1>, <8 x i32>)
declare <8 x i16> @llvm.masked.gather.v8i16.v8p0(<8 x ptr>, <8 x i1>, <8 x i16>)
declare <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr>, <16 x i1>, <16 x i8>)
declare <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr>, <8 x i1>, <8 x double>)
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, <8 x i1>)
declare void @llvm.masked.scatter.v8i8.v8p0(<8 x i8>, <8 x ptr>, <8 x i1>)

; Indices leave their register in pairs; below 2^31 they are not negative. Others are on the rare side.
; CHECK-LABEL: @bounded(
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> %inside to i8
; CHECK: [[ALL:%.*]] = icmp eq i8 [[BITS]], -1
; CHECK: br i1 [[ALL]]
; CHECK: %[[PLACES:.*]] = freeze <8 x i32> %at
; CHECK-NEXT: bitcast <8 x i32> %[[PLACES]] to <4 x i64>
; CHECK-NOT: sext i32
; CHECK: zext i32
; CHECK: lshr i64
; CHECK-COUNT-8: load i32
; SLOW: %wide = sext <8 x i32> %at to <8 x i64>
; SLOW: %v = call <8 x i32> @llvm.masked.gather
; NONE: select <8 x i1> %inside, <8 x ptr> %each
; NONE-COUNT-8: load i32
; NONE: select <8 x i1> %inside
; CHECK: phi <8 x i32>
; FAST-LABEL: @bounded(
; FAST-NOT: br i1
; FAST: @llvm.masked.gather
; run: bounded(memory, 0..255, 256, random)
; run: bounded(memory, 0..600, 256, random)
; run: bounded(memory, random, 300, random)
define <8 x i32> @bounded(ptr %p, <8 x i32> %at, i32 %n, <8 x i32> %otherwise) {
  %limit = call i32 @llvm.umin.i32(i32 %n, i32 512)
  %one = insertelement <8 x i32> poison, i32 %limit, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %inside = icmp ult <8 x i32> %at, %all
  %wide = sext <8 x i32> %at to <8 x i64>
  %each = getelementptr i32, ptr %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 1 %each, <8 x i1> %inside, <8 x i32> %otherwise)
  ret <8 x i32> %v
}

; Numbers from -512 to 511 are signed.
; CHECK-LABEL: @signed(
; CHECK: br i1
; CHECK: trunc i64
; CHECK: sext i32
; CHECK: ashr i64
; run: signed(memory, -512..511, random)
; run: signed(memory, -600..511, random)
define <8 x i32> @signed(ptr %p, <8 x i32> %at, <8 x i32> %otherwise) {
  %middle = getelementptr i8, ptr %p, i64 2048
  %from = add <8 x i32> %at, splat (i32 512)
  %inside = icmp ule <8 x i32> %from, splat (i32 1023)
  %wide = sext <8 x i32> %at to <8 x i64>
  %each = getelementptr i32, ptr %middle, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 1 %each, <8 x i1> %inside, <8 x i32> %otherwise)
  ret <8 x i32> %v
}

; And so are those that are not negative in other lanes only.
; CHECK-LABEL: @other_lanes(
; CHECK: br i1
; CHECK: sext i32
; run: other_lanes(memory, -512..511, random)
; run: other_lanes(memory, <0, 1, 2, 3, 4, 5, 6, 7, -1, -2, -3, -4, -5, -6, -7, -512>, random)
define <8 x i32> @other_lanes(ptr %p, <16 x i32> %at, <8 x i32> %otherwise) {
  %middle = getelementptr i8, ptr %p, i64 2048
  %positive = icmp ult <16 x i32> %at, splat (i32 512)
  %mask = shufflevector <16 x i1> %positive, <16 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %last = shufflevector <16 x i32> %at, <16 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %wide = sext <8 x i32> %last to <8 x i64>
  %each = getelementptr i32, ptr %middle, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 1 %each, <8 x i1> %mask, <8 x i32> %otherwise)
  ret <8 x i32> %v
}

; Signed numbers that were unsigned ones are unsigned again. Pieces of addresses are seen through.
; CHECK-LABEL: @bytes(
; CHECK: br i1
; CHECK: %[[PLACES:.*]] = freeze <8 x i32> %low
; CHECK-NEXT: bitcast <8 x i32> %[[PLACES]] to <4 x i64>
; CHECK: zext i32
; CHECK: add i64 {{.*}}, -2147483648
; CHECK: lshr i64
; CHECK: %[[PLACES:.*]] = freeze <8 x i32> %high
; CHECK-NEXT: bitcast <8 x i32> %[[PLACES]] to <4 x i64>
; CHECK-COUNT-16: load i8
; CHECK-NOT: call <16 x i8> @llvm.masked.gather
; CHECK: phi <16 x i8>
; run: bytes(memory, 0..4000, 0..4000, random)
; run: bytes(memory, 0..4000, 0..4095, random)
; run: bytes(memory, random, random, random)
define <16 x i8> @bytes(ptr %p, <8 x i32> %low, <8 x i32> %high, <16 x i8> %otherwise) {
  %base = getelementptr i8, ptr %p, i64 2147483648
  %low.inside = icmp ule <8 x i32> %low, splat (i32 4000)
  %high.inside = icmp ugt <8 x i32> splat (i32 4001), %high
  %inside = shufflevector <8 x i1> %low.inside, <8 x i1> %high.inside, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %low.signed = xor <8 x i32> %low, splat (i32 -2147483648)
  %high.signed = xor <8 x i32> %high, splat (i32 -2147483648)
  %signed = shufflevector <8 x i32> %low.signed, <8 x i32> %high.signed, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %wide = sext <16 x i32> %signed to <16 x i64>
  %each = getelementptr i8, ptr %base, <16 x i64> %wide
  %v = call <16 x i8> @llvm.masked.gather.v16i8.v16p0(<16 x ptr> align 1 %each, <16 x i1> %inside, <16 x i8> %otherwise)
  ret <16 x i8> %v
}

; A mask of data has no branch: lanes that are off read a place of their own, if there is no instruction.
; CHECK-LABEL: @chosen(
; CHECK: [[NOWHERE:%.*]] = alloca i16
; CHECK-NOT: br i1
; CHECK: insertelement <8 x ptr> poison, ptr [[NOWHERE]]
; CHECK: select <8 x i1> %odd, <8 x ptr>
; CHECK-COUNT-8: load i16
; CHECK: select <8 x i1> %odd, <8 x i16> {{.*}}, <8 x i16> %data
; CHECK: ret
; run: chosen(memory, 0..2000, random)
define <8 x i16> @chosen(ptr %p, <8 x i64> %at, <8 x i16> %data) {
  %bit = and <8 x i16> %data, splat (i16 1)
  %odd = icmp ne <8 x i16> %bit, zeroinitializer
  %each = getelementptr i16, ptr %p, <8 x i64> %at
  %v = call <8 x i16> @llvm.masked.gather.v8i16.v8p0(<8 x ptr> align 1 %each, <8 x i1> %odd, <8 x i16> %data)
  ret <8 x i16> %v
}

; Such a gather stays where there is one, however slow. Bounds with a choice besides are such a mask.
; CHECK-LABEL: @both(
; CHECK-NOT: br i1
; SLOW: @llvm.masked.gather
; NONE-COUNT-8: load double
; CHECK: ret
; run: both(memory, 0..600, random)
define <8 x double> @both(ptr %p, <8 x i32> %at, <8 x double> %data) {
  %inside = icmp ult <8 x i32> %at, splat (i32 512)
  %positive = fcmp ogt <8 x double> %data, zeroinitializer
  %mask = and <8 x i1> %inside, %positive
  %wide = zext <8 x i32> %at to <8 x i64>
  %each = getelementptr double, ptr %p, <8 x i64> %wide
  %v = call <8 x double> @llvm.masked.gather.v8f64.v8p0(<8 x ptr> align 1 %each, <8 x i1> %mask, <8 x double> %data)
  ret <8 x double> %v
}

; All lanes: there is nothing to ask.
; CHECK-LABEL: @all(
; CHECK-NOT: br i1
; CHECK-COUNT-8: load i32
; CHECK: ret
; FAST-LABEL: @all(
; FAST: @llvm.masked.gather
; run: all(memory, 0..1023)
define <8 x i32> @all(ptr %p, <8 x i32> %at) {
  %wide = zext <8 x i32> %at to <8 x i64>
  %each = getelementptr i32, ptr %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 4 %each, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; Scatters with an instruction stay. Of equal addresses the last one is what stays in memory.
; CHECK-LABEL: @scattered(
; SLOW-NOT: br i1
; SLOW: @llvm.masked.scatter
; NONE: br i1
; NONE-COUNT-8: store i32
; NONE: select <8 x i1> %inside, <8 x ptr>
; NONE-COUNT-8: store i32
; CHECK: ret
; run: scattered(memory, 0..20, random)
; run: scattered(memory, 0..4, random)
; run: scattered(memory, random, random)
define void @scattered(ptr %p, <8 x i32> %at, <8 x i32> %data) {
  %inside = icmp ult <8 x i32> %at, splat (i32 20)
  %wide = zext <8 x i32> %at to <8 x i64>
  %each = getelementptr i32, ptr %p, <8 x i64> %wide
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %data, <8 x ptr> align 1 %each, <8 x i1> %inside)
  ret void
}

; Places that were computed one by one stay in scalar registers, where the CPU scatters slowly.
; CHECK-LABEL: @scattered_places(
; SLOW: br i1
; SLOW: %[[PLACE:.*]] = add i32 %s0, 1
; SLOW: %[[WIDE:.*]] = zext i32 %[[PLACE]] to i64
; SLOW: getelementptr i32, ptr %p, i64 %[[WIDE]]
; SLOW-COUNT-8: store i32
; SLOW: @llvm.masked.scatter
; CHECK: ret
; run: scattered_places(memory, 0..4, 0..3, random)
; run: scattered_places(memory, 0..4, random, random)
; run: scattered_places(memory, random, random, random)
define void @scattered_places(ptr %p, i32 %first, i32 %step, <8 x i32> %data) {
  %s0 = add i32 %first, 0
  %v0 = insertelement <8 x i32> poison, i32 %s0, i64 0
  %s1 = add i32 %s0, %step
  %v1 = insertelement <8 x i32> %v0, i32 %s1, i64 1
  %s2 = add i32 %s1, %step
  %v2 = insertelement <8 x i32> %v1, i32 %s2, i64 2
  %s3 = add i32 %s2, %step
  %v3 = insertelement <8 x i32> %v2, i32 %s3, i64 3
  %s4 = add i32 %s3, %step
  %v4 = insertelement <8 x i32> %v3, i32 %s4, i64 4
  %s5 = add i32 %s4, %step
  %v5 = insertelement <8 x i32> %v4, i32 %s5, i64 5
  %s6 = add i32 %s5, %step
  %v6 = insertelement <8 x i32> %v5, i32 %s6, i64 6
  %s7 = add i32 %s6, %step
  %v7 = insertelement <8 x i32> %v6, i32 %s7, i64 7
  %at = add <8 x i32> %v7, splat (i32 1)
  %inside = icmp ult <8 x i32> %at, splat (i32 20)
  %wide = zext <8 x i32> %at to <8 x i64>
  %each = getelementptr i32, ptr %p, <8 x i64> %wide
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %data, <8 x ptr> align 1 %each, <8 x i1> %inside)
  ret void
}

; CHECK-LABEL: @scattered_bytes(
; CHECK-NOT: br i1
; CHECK: select <8 x i1> %mask, <8 x ptr>
; CHECK-COUNT-8: store i8
; CHECK: ret
; run: scattered_bytes(memory, 0..10, random)
define void @scattered_bytes(ptr %p, <8 x i32> %at, <8 x i8> %data) {
  %mask = icmp sgt <8 x i8> %data, zeroinitializer
  %wide = zext <8 x i32> %at to <8 x i64>
  %each = getelementptr i8, ptr %p, <8 x i64> %wide
  call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %data, <8 x ptr> align 1 %each, <8 x i1> %mask)
  ret void
}

; A lane that nobody asks for would spoil the one beside it, if both left the register as one number.
; SLOW-LABEL: @besideOpen(
; SLOW: %[[FIRST:.*]] = freeze <8 x i32> %first
; SLOW-NEXT: bitcast <8 x i32> %[[FIRST]] to <4 x i64>
; SLOW: %[[OTHERS:.*]] = freeze <8 x i32> %others
; SLOW-NEXT: bitcast <8 x i32> %[[OTHERS]] to <4 x i64>
; SLOW-NOT: freeze
; SLOW: ret <8 x i32>
; run: besideOpen(memory, random)
define <8 x i32> @besideOpen(ptr %p, <8 x i32> %at) {
  %first = and <8 x i32> %at, <i32 31, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %others = and <8 x i32> %at, <i32 poison, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63, i32 63>
  %all = shufflevector <8 x i32> %first, <8 x i32> %others, <8 x i32> <i32 0, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %wide = zext <8 x i32> %all to <8 x i64>
  %each = getelementptr i32, ptr %p, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> align 1 %each, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}
