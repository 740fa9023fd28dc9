; What is added to sums under a mask has no branch around it, nor has a block that is read for it only.
; RUN: cm-opt --march=cpu --passes=cpu-short-reads %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=x86-64 --passes=cpu-short-branches %s | FileCheck --check-prefix=LATE %s
; RUN: cm-opt --march=cpu --mcpu=x86-64 --passes=cpu-short-branches %s | run-lines --plain --plain-after %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @read(
; CHECK-NOT: br i1
; CHECK: oword.ld
; CHECK-NOT: br i1
; CHECK: ret
define <32 x i32> @read(<32 x i1> %m, <32 x i32> %sum, i32 %s) {
  %b = bitcast <32 x i1> %m to i32
  %z = icmp eq i32 %b, 0
  br i1 %z, label %join, label %then
then:
  %p = call <32 x i32> @llvm.genx.oword.ld.v32i32(i32 0, i32 %s, i32 4)
  %mul = mul <32 x i32> %p, %p
  %sel = select <32 x i1> %m, <32 x i32> %mul, <32 x i32> zeroinitializer
  %n = add <32 x i32> %sum, %sel
  br label %join
join:
  %r = phi <32 x i32> [ %sum, %0 ], [ %n, %then ]
  ret <32 x i32> %r
}

; By an address there may be nothing to read.
; CHECK-LABEL: @address(
; CHECK: br i1
; CHECK: svm.block.ld
define <16 x i32> @address(<16 x i1> %m, <16 x i32> %sum, i64 %a) {
  %b = bitcast <16 x i1> %m to i16
  %z = icmp eq i16 %b, 0
  br i1 %z, label %join, label %then
then:
  %p = call <16 x i32> @llvm.genx.svm.block.ld.v16i32(i64 %a)
  %sel = select <16 x i1> %m, <16 x i32> %p, <16 x i32> zeroinitializer
  %n = add <16 x i32> %sum, %sel
  br label %join
join:
  %r = phi <16 x i32> [ %sum, %0 ], [ %n, %then ]
  ret <16 x i32> %r
}

; Without a channel: a sum of nothing, from either side, a product with one, a difference.
; LATE-LABEL: @sums(
; LATE-NOT: br i1
; LATE: ret
; run: sums(0..7, random, random)
; run: sums(6..13, random, random)
define <8 x i32> @sums(<8 x i32> %some, <8 x i32> %sum, <8 x i32> %x) {
  %m = icmp eq <8 x i32> %some, splat (i32 5)
  %bits = bitcast <8 x i1> %m to i8
  %z = icmp eq i8 %bits, 0
  br i1 %z, label %join, label %then
then:
  %mul = mul <8 x i32> %x, %x
  %sel = select <8 x i1> %m, <8 x i32> %mul, <8 x i32> zeroinitializer
  %n = add <8 x i32> %sel, %sum
  %one = select <8 x i1> %m, <8 x i32> %x, <8 x i32> splat (i32 1)
  %p = mul <8 x i32> %n, %one
  %less = select <8 x i1> %m, <8 x i32> %mul, <8 x i32> zeroinitializer
  %d = sub <8 x i32> %p, %less
  br label %join
join:
  %r = phi <8 x i32> [ %sum, %0 ], [ %d, %then ]
  ret <8 x i32> %r
}

; What changes something without a channel keeps its branch: 0 - sum, a sum with one.
; LATE-LABEL: @changes(
; LATE: br i1
; LATE-LABEL: @one(
; LATE: br i1
; run: changes(0..7, random, random)
; run: changes(6..13, random, random)
; run: one(0..7, random, random)
; run: one(6..13, random, random)
define <8 x i32> @changes(<8 x i32> %some, <8 x i32> %sum, <8 x i32> %x) {
  %m = icmp eq <8 x i32> %some, splat (i32 5)
  %bits = bitcast <8 x i1> %m to i8
  %z = icmp eq i8 %bits, 0
  br i1 %z, label %join, label %then
then:
  %sel = select <8 x i1> %m, <8 x i32> %x, <8 x i32> zeroinitializer
  %n = sub <8 x i32> %sel, %sum
  br label %join
join:
  %r = phi <8 x i32> [ %sum, %0 ], [ %n, %then ]
  ret <8 x i32> %r
}

define <8 x i32> @one(<8 x i32> %some, <8 x i32> %sum, <8 x i32> %x) {
  %m = icmp eq <8 x i32> %some, splat (i32 5)
  %bits = bitcast <8 x i1> %m to i8
  %z = icmp eq i8 %bits, 0
  br i1 %z, label %join, label %then
then:
  %sel = select <8 x i1> %m, <8 x i32> %x, <8 x i32> splat (i32 1)
  %n = add <8 x i32> %sel, %sum
  br label %join
join:
  %r = phi <8 x i32> [ %sum, %0 ], [ %n, %then ]
  ret <8 x i32> %r
}

declare <32 x i32> @llvm.genx.oword.ld.v32i32(i32, i32, i32)
declare <16 x i32> @llvm.genx.svm.block.ld.v16i32(i64)

; A sum of floats with nothing makes denormals zero.
; LATE-LABEL: @floats(
; LATE: br i1
define <8 x float> @floats(<8 x i32> %some, <8 x float> %sum, <8 x float> %x) {
  %m = icmp eq <8 x i32> %some, splat (i32 5)
  %bits = bitcast <8 x i1> %m to i8
  %z = icmp eq i8 %bits, 0
  br i1 %z, label %join, label %then
then:
  %mul = fmul <8 x float> %x, %x
  %sel = select <8 x i1> %m, <8 x float> %mul, <8 x float> splat (float -0.0)
  %n = fadd <8 x float> %sum, %sel
  br label %join
join:
  %r = phi <8 x float> [ %sum, %0 ], [ %n, %then ]
  ret <8 x float> %r
}
