; Vectors that are only read piece by piece fall into pieces; one use of the whole keeps it.
; RUN: cm-opt --march=icllp --passes=gen-decomposition %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes=gen-decomposition %s | run-lines %s
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1)
declare void @use(<16 x i32>)

; CHECK-LABEL: @pieces(
; CHECK-NEXT: [[R:%.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %a, i32 0, i32 4, i32 1, i16 8, i32 undef)
; CHECK-NEXT: %x = add <8 x i32> %a, %b
define <4 x i32> @pieces(<8 x i32> %a, <8 x i32> %b, ptr %p) {
  %v = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> poison, <8 x i32> %a, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %v, <8 x i32> %b, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %l = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %h = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> %w, i32 0, i32 4, i32 1, i16 8, i32 undef)
  %x = add <8 x i32> %l, %h
  store <8 x i32> %x, ptr %p
  ret <4 x i32> %r
}

; CHECK-LABEL: @whole(
; CHECK: %w = call <16 x i32> @llvm.genx.wrregion
; CHECK: %l = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w
define <8 x i32> @whole(<8 x i32> %a, <8 x i32> %b) {
  %v = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> poison, <8 x i32> %a, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %v, <8 x i32> %b, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %l = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 0, i32 undef)
  call void @use(<16 x i32> %w)
  ret <8 x i32> %l
}

; A read across two pieces.
; CHECK-LABEL: @across(
; CHECK: %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 16, i32 undef)
; run: across(random, random)
define <8 x i32> @across(<8 x i32> %a, <8 x i32> %b) {
  %v = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> poison, <8 x i32> %a, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %v, <8 x i32> %b, i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 16, i32 undef)
  ret <8 x i32> %r
}

; What is one number is folded, also where its bits are read as other elements; what is two for those who do, is not.
; CHECK-LABEL: @numbers(
; CHECK-NEXT: [[X:%.*]] = add <4 x i16> splat (i16 20), splat (i16 5)
; CHECK-NEXT: [[B:%.*]] = bitcast <4 x i16> [[X]] to <8 x i8>
; CHECK-NEXT: store <8 x i8> [[B]], ptr %p
; CHECK-NEXT: store <8 x i8> splat (i8 5), ptr %p
define void @numbers(ptr %p) {
  %x = add <4 x i16> splat (i16 20), splat (i16 5)
  %b = bitcast <4 x i16> %x to <8 x i8>
  store <8 x i8> %b, ptr %p
  %y = add <4 x i16> splat (i16 1280), splat (i16 5)
  %c = bitcast <4 x i16> %y to <8 x i8>
  store <8 x i8> %c, ptr %p
  ret void
}

; A piece that is one number stays in a register for those who read its bits as elements of another type.
; CHECK-LABEL: @seen_as_bytes(
; CHECK: [[R:%.*]] = call <8 x i32> @llvm.genx.wrregioni.v8i32.v8i32.i16.i1(<8 x i32> poison, <8 x i32> splat (i32 55)
; CHECK: bitcast <8 x i32> [[R]] to <32 x i8>
; run: seen_as_bytes(random)
define <32 x i8> @seen_as_bytes(<8 x i32> %a) {
  %v = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> poison, <8 x i32> %a, i32 0, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %v, <8 x i32> splat (i32 55), i32 0, i32 8, i32 1, i16 32, i32 undef, i1 true)
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %w, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %b = bitcast <8 x i32> %r to <32 x i8>
  ret <32 x i8> %b
}

; The same of what has become a constant before: runs of one number, as many channels as a move has.
; CHECK-LABEL: @constant_as_words(
; CHECK: [[A:%.*]] = call <11 x i32> {{.*}}(<11 x i32> poison, <8 x i32> splat (i32 55), i32 0, i32 8, i32 1, i16 0,
; CHECK: [[B:%.*]] = call <11 x i32> {{.*}}(<11 x i32> [[A]], <2 x i32> splat (i32 55), i32 0, i32 2, i32 1, i16 32,
; CHECK: [[C:%.*]] = call <11 x i32> {{.*}}(<11 x i32> [[B]], <1 x i32> splat (i32 70000), i32 0, i32 1, i32 1, i16 40,
; CHECK: [[D:%.*]] = bitcast <11 x i32> [[C]] to <22 x i16>
; CHECK: ret <22 x i16> [[D]]
; run: constant_as_words()
define <22 x i16> @constant_as_words() {
  %b = bitcast <11 x i32> <i32 55, i32 55, i32 55, i32 55, i32 55, i32 55, i32 55, i32 55, i32 55, i32 55, i32 70000> to <22 x i16>
  ret <22 x i16> %b
}
