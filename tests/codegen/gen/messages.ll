; Blocks of 1, 2, 4 and 8 owords; scattered accesses of 8 and 16 channels.
; RUN: cm-opt --march=icllp --passes=gen-messages %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-messages %s | FileCheck --check-prefix=SKL %s
; RUN: cm-opt --march=icllp --passes=gen-messages %s | run-lines %s
; RUN: cm-opt --march=skl --passes=gen-messages %s | run-lines %s
declare <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1>, i32, i16, i32, i32, <8 x i32>, <8 x i32>)
declare <2 x i32> @llvm.genx.dword.atomic.add.v2i32.v2i1.v2i32(<2 x i1>, i32, <2 x i32>, <2 x i32>, <2 x i32>)
declare void @llvm.genx.scatter.scaled.v3i1.v3i32.v3i32(<3 x i1>, i32, i16, i32, i32, <3 x i32>, <3 x i32>)
declare <12 x i32> @llvm.genx.oword.ld.v12i32(i32, i32, i32)
declare <4 x i32> @llvm.genx.oword.ld.v4i32(i32, i32, i32)
declare <5 x i32> @llvm.genx.gather.scaled.v5i32.v5i1.v5i32(<5 x i1>, i32, i16, i32, i32, <5 x i32>, <5 x i32>)
declare void @llvm.genx.scatter.scaled.v5i1.v5i32.v5i32(<5 x i1>, i32, i16, i32, i32, <5 x i32>, <5 x i32>)

; CHECK-LABEL: @block(
; CHECK: oword.ld.v8i32(i32 0, i32 %s, i32 %at)
; CHECK: [[AT:%.*]] = add i32 %at, 2
; CHECK: oword.ld.v4i32(i32 0, i32 %s, i32 [[AT]])
; run: block(memory, 0..200)
define <12 x i32> @block(i32 %s, i32 %at) {
  %r = call <12 x i32> @llvm.genx.oword.ld.v12i32(i32 0, i32 %s, i32 %at)
  ret <12 x i32> %r
}

; Shared local memory has no blocks on SKL.
; CHECK-LABEL: @slm(
; CHECK: oword.ld.v4i32(i32 0, i32 254, i32 %at)
; SKL-LABEL: @slm(
; SKL: shl i32 %at, 4
; SKL: gather.scaled.v4i32.v4i1.v4i32
; SKL-NOT: oword
; SKL: ret
; SKL-LABEL: @read(
define <4 x i32> @slm(i32 %at) {
  %r = call <4 x i32> @llvm.genx.oword.ld.v4i32(i32 0, i32 254, i32 %at)
  ret <4 x i32> %r
}

; Reading more of a surface than is wanted does no harm: no channel is off.
; CHECK-LABEL: @read(
; CHECK: gather.scaled.v8i32.v8i1.v8i32(<8 x i1> splat (i1 true), i32 2, i16 2, i32 %s, i32 0, <8 x i32>
; run: read(memory, 0..1023)
define <5 x i32> @read(i32 %s, <5 x i32> %at) {
  %r = call <5 x i32> @llvm.genx.gather.scaled.v5i32.v5i1.v5i32(<5 x i1> splat (i1 true), i32 2, i16 2, i32 %s, i32 0, <5 x i32> %at, <5 x i32> zeroinitializer)
  ret <5 x i32> %r
}

; Writing more does; dwords that are scattered under a predicate are placed by bytes, and none of them wraps.
; CHECK-LABEL: @write(
; CHECK: call <5 x i32> @llvm.umin.v5i32(<5 x i32> %at, <5 x i32> splat (i32 1073741823))
; CHECK: shl <5 x i32> {{%.*}}, splat (i32 2)
; CHECK: scatter.scaled.v8i1.v8i32.v8i32(<8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 false, i1 false, i1 false>, i32 2, i16 0, i32 %s
; run: write(memory, <3, 900, 17, 4, 0>, random)
define void @write(i32 %s, <5 x i32> %at, <5 x i32> %v) {
  call void @llvm.genx.scatter.scaled.v5i1.v5i32.v5i32(<5 x i1> splat (i1 true), i32 2, i16 2, i32 %s, i32 0, <5 x i32> %at, <5 x i32> %v)
  ret void
}

; Few channels have messages of their own.
; CHECK-LABEL: @few(
; CHECK: scatter.scaled.v4i1.v4i32.v4i32(<4 x i1> <i1 true, i1 true, i1 true, i1 false>, i32 2, i16 0, i32 %s, i32 0, <4 x i32>
; CHECK: dword.atomic.add.v2i32.v2i1.v2i32(<2 x i1> splat (i1 true), i32 %s
; run: few(memory, <12, 0, 400>, random, 200..1023, random)
define <2 x i32> @few(i32 %s, <3 x i32> %at, <3 x i32> %v, <2 x i32> %a, <2 x i32> %b) {
  call void @llvm.genx.scatter.scaled.v3i1.v3i32.v3i32(<3 x i1> splat (i1 true), i32 2, i16 0, i32 %s, i32 0, <3 x i32> %at, <3 x i32> %v)
  %r = call <2 x i32> @llvm.genx.dword.atomic.add.v2i32.v2i1.v2i32(<2 x i1> splat (i1 true), i32 %s, <2 x i32> %a, <2 x i32> %b, <2 x i32> zeroinitializer)
  ret <2 x i32> %r
}

; Dwords are read by their index; what is added to all of them is added before.
; CHECK-LABEL: @indexed(
; CHECK: [[AT:%.*]] = add <8 x i32> %at,
; CHECK: gather.scaled.v8i32.v8i1.v8i32(<8 x i1> splat (i1 true), i32 2, i16 2, i32 %s, i32 0, <8 x i32> [[AT]]
; run: indexed(memory, 0..20, 0..1000)
define <8 x i32> @indexed(i32 %s, i32 %first, <8 x i32> %at) {
  %r = call <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1> splat (i1 true), i32 2, i16 2, i32 %s, i32 %first, <8 x i32> %at, <8 x i32> zeroinitializer)
  ret <8 x i32> %r
}

; Atomics by address have 8 channels.
; CHECK-LABEL: @atomics(
; CHECK: call <8 x i32> @llvm.genx.svm.atomic.inc.v8i32.v8i1.v8i64(<8 x i1>
; CHECK: call <8 x i32> @llvm.genx.svm.atomic.inc.v8i32.v8i1.v8i64(<8 x i1>
declare <16 x i32> @llvm.genx.svm.atomic.inc.v16i32.v16i1.v16i64(<16 x i1>, <16 x i64>, <16 x i32>)
define <16 x i32> @atomics(<16 x i1> %on, <16 x i64> %at, <16 x i32> %old) {
  %r = call <16 x i32> @llvm.genx.svm.atomic.inc.v16i32.v16i1.v16i64(<16 x i1> %on, <16 x i64> %at, <16 x i32> %old)
  ret <16 x i32> %r
}

; Numbers of 64 bits are two dwords, the upper one 4 bytes behind the lower.
; CHECK-LABEL: @qwords(
; CHECK: [[LOW:%.*]] = call <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1> %on, i32 2, i16 0, i32 %s, i32 0, <8 x i32> {{%[^,]*}},
; CHECK: wrregioni.v16i32.v8i32{{.*}} <8 x i32> [[LOW]], i32 2, i32 1, i32 1, i16 0,
; CHECK: [[BEHIND:%.*]] = add <8 x i32> %at, splat (i32 4)
; CHECK: [[HIGH:%.*]] = call <8 x i32> @llvm.genx.gather.scaled.v8i32.v8i1.v8i32(<8 x i1> %on, i32 2, i16 0, i32 %s, i32 0, <8 x i32> [[BEHIND]],
; CHECK: wrregioni.v16i32.v8i32{{.*}} <8 x i32> [[HIGH]], i32 2, i32 1, i32 1, i16 4,
declare <8 x i64> @llvm.genx.gather.scaled.v8i64.v8i1.v8i32(<8 x i1>, i32, i16, i32, i32, <8 x i32>, <8 x i64>)
define <8 x i64> @qwords(<8 x i1> %on, i32 %s, <8 x i32> %at, <8 x i64> %old) {
  %r = call <8 x i64> @llvm.genx.gather.scaled.v8i64.v8i1.v8i32(<8 x i1> %on, i32 3, i16 0, i32 %s, i32 0, <8 x i32> %at, <8 x i64> %old)
  ret <8 x i64> %r
}
