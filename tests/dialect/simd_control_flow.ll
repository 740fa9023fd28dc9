; SIMD control flow as other tools write it: an execution mask of 32 channels goes through goto, join and phis. Masks of
; as many channels as there are replace it.
; RUN: cm-opt %s | FileCheck --implicit-check-not='call {' %s
declare {<32 x i1>, <16 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(<32 x i1>, <16 x i1>, <16 x i1>)
declare {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1>, <16 x i1>)
declare <16 x i1> @llvm.genx.rdpredregion.v16i1.v32i1(<32 x i1>, i32)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.v16i1(<16 x i32>, <16 x i32>, i32, i32, i32, i16, i32, <16 x i1>)

; CHECK-LABEL: @then(
; CHECK: [[ON:%.*]] = and <16 x i1> splat (i1 true), %c
; CHECK: [[OFF:%.*]] = xor <16 x i1> %c, splat (i1 true)
; CHECK: [[WENT:%.*]] = and <16 x i1> splat (i1 true), [[OFF]]
; CHECK: [[RM:%.*]] = or <16 x i1> zeroinitializer, [[WENT]]
; CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> [[ON]])
; CHECK: [[JUMP:%.*]] = xor i1 [[ANY]], true
; CHECK: br i1 [[JUMP]], label %end, label %body
; CHECK: wrregioni{{.*}}<16 x i32> %d, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> [[ON]])
; CHECK: [[ALL:%.*]] = or <16 x i1> [[ON]], [[RM]]
; CHECK: wrregioni{{.*}}<16 x i32> %b, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> [[ALL]])
define <16 x i32> @then(<16 x i32> %a, <16 x i32> %b) {
entry:
  %c = icmp sgt <16 x i32> %a, %b
  %g = call {<32 x i1>, <16 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(<32 x i1> splat (i1 true), <16 x i1> zeroinitializer, <16 x i1> %c)
  %em = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 0
  %rm = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 1
  %jump = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 2
  br i1 %jump, label %end, label %body
body:
  %d = sub <16 x i32> %a, %b
  %on = call <16 x i1> @llvm.genx.rdpredregion.v16i1.v32i1(<32 x i1> %em, i32 0)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.v16i1(<16 x i32> %a, <16 x i32> %d, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> %on)
  br label %end
end:
  %r = phi <16 x i32> [ %a, %entry ], [ %w, %body ]
  %j = call {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1> %em, <16 x i1> %rm)
  %em2 = extractvalue {<32 x i1>, i1} %j, 0
  %on2 = call <16 x i1> @llvm.genx.rdpredregion.v16i1.v32i1(<32 x i1> %em2, i32 0)
  %w2 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.v16i1(<16 x i32> %r, <16 x i32> %b, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> %on2)
  ret <16 x i32> %w2
}

; while (i < n) i = i * 3 + 1, channel by channel
; CHECK-LABEL: @loop(
; CHECK: [[ON:%.*]] = phi <16 x i1> [ splat (i1 true), %entry ], [ [[STAY:%.*]], %latch ]
; CHECK: [[STAY]] = and <16 x i1> [[ON]], %c
; CHECK: wrregioni{{.*}}<16 x i32> %p, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> [[STAY]])
define <16 x i32> @loop(<16 x i32> %a, <16 x i32> %n) {
entry:
  br label %head
head:
  %em = phi <32 x i1> [ splat (i1 true), %entry ], [ %em3, %latch ]
  %rm = phi <16 x i1> [ zeroinitializer, %entry ], [ %rm2, %latch ]
  %i = phi <16 x i32> [ %a, %entry ], [ %w, %latch ]
  %c = icmp slt <16 x i32> %i, %n
  %g = call {<32 x i1>, <16 x i1>, i1} @llvm.genx.simdcf.goto.v32i1.v16i1(<32 x i1> %em, <16 x i1> %rm, <16 x i1> %c)
  %em3 = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 0
  %rm2 = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 1
  %jump = extractvalue {<32 x i1>, <16 x i1>, i1} %g, 2
  br i1 %jump, label %end, label %latch
latch:
  %on = shufflevector <32 x i1> %em3, <32 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m = mul <16 x i32> %i, splat (i32 3)
  %p = add <16 x i32> %m, splat (i32 1)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.v16i1(<16 x i32> %i, <16 x i32> %p, i32 0, i32 16, i32 1, i16 0, i32 undef, <16 x i1> %on)
  br label %head
end:
  %j = call {<32 x i1>, i1} @llvm.genx.simdcf.join.v32i1.v16i1(<32 x i1> %em3, <16 x i1> %rm2)
  ret <16 x i32> %i
}

declare i1 @llvm.genx.all.v8i1(<8 x i1>)

; Eight channels of an execution mask of 16 are a slice of it, those behind are as they were.
; CHECK-LABEL: @other_widths(
; CHECK: shufflevector <16 x i1> {{%.*}}, <16 x i1> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
; CHECK: call i1 @llvm.vector.reduce.and.v8i1(
declare {<16 x i1>, i1} @llvm.genx.simdcf.join.v16i1.v8i1(<16 x i1>, <8 x i1>)
declare <8 x i1> @llvm.genx.rdpredregion.v8i1.v16i1(<16 x i1>, i32)
define i1 @other_widths(<16 x i1> %em, <8 x i1> %rm) {
  %j = call {<16 x i1>, i1} @llvm.genx.simdcf.join.v16i1.v8i1(<16 x i1> %em, <8 x i1> %rm)
  %m = extractvalue {<16 x i1>, i1} %j, 0
  %upper = call <8 x i1> @llvm.genx.rdpredregion.v8i1.v16i1(<16 x i1> %m, i32 8)
  %r = call i1 @llvm.genx.all.v8i1(<8 x i1> %upper)
  ret i1 %r
}

; CHECK-LABEL: @written(
; CHECK: [[W:%.*]] = shufflevector <8 x i1> %upper, <8 x i1> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison
; CHECK: shufflevector <16 x i1> %p, <16 x i1> [[W]], <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
; CHECK: call i1 @llvm.vector.reduce.or.v16i1(
declare <16 x i1> @llvm.genx.wrpredregion.v16i1.v8i1(<16 x i1>, <8 x i1>, i32)
declare i1 @llvm.genx.any.v16i1(<16 x i1>)
define i1 @written(<16 x i1> %p, <8 x i1> %upper) {
  %w = call <16 x i1> @llvm.genx.wrpredregion.v16i1.v8i1(<16 x i1> %p, <8 x i1> %upper, i32 8)
  %r = call i1 @llvm.genx.any.v16i1(<16 x i1> %w)
  ret i1 %r
}
