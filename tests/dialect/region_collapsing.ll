; Regions of regions as other tools write them: matrices of selects of formats, with names and strides of their own.
; RUN: cm-opt --passes=region-collapsing,adce %s | FileCheck %s
declare <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16>, i32, i32, i32, i16, i32) #0
declare <16 x i16> @llvm.genx.wrregioni.v16i16.v8i16.i16.i1(<16 x i16>, <8 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32>, <8 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #0
declare <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16>, <8 x i16>, i32, i32, i32, i16, i32, i1) #0
declare <4 x float> @llvm.genx.rdregionf.v4f32.v16f32.i16(<16 x float>, i32, i32, i32, i16, i32) #0
declare <4 x float> @llvm.genx.rdregionf.v4f32.v8f32.i16(<8 x float>, i32, i32, i32, i16, i32) #0
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #0
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32) #0
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1) #0
declare <8 x i8> @llvm.genx.rdregioni.v8i8.v32i8.i16(<32 x i8>, i32, i32, i32, i16, i32) #0
declare <8 x i8> @llvm.genx.rdregioni.v8i8.v64i8.i16(<64 x i8>, i32, i32, i32, i16, i32) #0

; A row of the low bytes of some dwords is one region of bytes.
; CHECK-LABEL: @bytes_of_a_row(
; CHECK: [[B:%.*]] = bitcast <16 x i32> %x to <64 x i8>
; CHECK-NEXT: [[R:%.*]] = call <8 x i8> @llvm.genx.rdregioni.v8i8.v64i8.i16(<64 x i8> [[B]], i32 0, i32 8, i32 4, i16 32, i32 undef)
; CHECK-NEXT: ret <8 x i8> [[R]]
define <8 x i8> @bytes_of_a_row(<16 x i32> %x) {
  %row = tail call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %x, i32 8, i32 8, i32 1, i16 32, i32 undef)
  %cast = bitcast <8 x i32> %row to <32 x i8>
  %r = tail call <8 x i8> @llvm.genx.rdregioni.v8i8.v32i8.i16(<32 x i8> %cast, i32 32, i32 8, i32 4, i16 0, i32 undef)
  ret <8 x i8> %r
}

; Words put together to dwords: two of them that lie side by side.
; CHECK-LABEL: @larger_elements(
; CHECK: [[B:%.*]] = bitcast <32 x i16> %x to <16 x i32>
; CHECK-NEXT: [[R:%.*]] = call <2 x i32> @llvm.genx.rdregioni.v2i32.v16i32.i16(<16 x i32> [[B]], i32 0, i32 2, i32 1, i16 12, i32 undef)
; CHECK-NEXT: ret <2 x i32> [[R]]
define <2 x i32> @larger_elements(<32 x i16> %x) {
  %a = call <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16> %x, i32 16, i32 16, i32 1, i16 4, i32 undef)
  %cast = bitcast <16 x i16> %a to <8 x i32>
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32> %cast, i32 2, i32 2, i32 1, i16 8, i32 undef)
  ret <2 x i32> %r
}

; Every second word: no dword is made of such.
; CHECK-LABEL: @torn_apart(
; CHECK: rdregioni.v16i16.v32i16
; CHECK: rdregioni.v2i32.v8i32
define <2 x i32> @torn_apart(<32 x i16> %x) {
  %a = call <16 x i16> @llvm.genx.rdregioni.v16i16.v32i16.i16(<32 x i16> %x, i32 0, i32 16, i32 2, i16 0, i32 undef)
  %cast = bitcast <16 x i16> %a to <8 x i32>
  %r = call <2 x i32> @llvm.genx.rdregioni.v2i32.v8i32.i16(<8 x i32> %cast, i32 2, i32 2, i32 1, i16 8, i32 undef)
  ret <2 x i32> %r
}

; What a region was overwritten with, seen as floats; what lies beside it is read after the write, which needs no copy.
; CHECK-LABEL: @written_as_another_type(
; CHECK: [[N:%.*]] = bitcast <8 x i32> %n to <8 x float>
; CHECK: [[A:%.*]] = call <4 x float> @llvm.genx.rdregionf.v4f32.v8f32.i16(<8 x float> [[N]], i32 0, i32 4, i32 1, i16 16, i32 undef)
; CHECK: [[B:%.*]] = call <4 x float> @llvm.genx.rdregionf.v4f32.v16f32.i16(<16 x float> %cast, i32 8, i32 4, i32 2, i16 32, i32 undef)
; CHECK: fadd <4 x float> [[A]], [[B]]
define <4 x float> @written_as_another_type(<16 x i32> %old, <8 x i32> %n) {
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %n, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  %cast = bitcast <16 x i32> %w to <16 x float>
  %a = call <4 x float> @llvm.genx.rdregionf.v4f32.v16f32.i16(<16 x float> %cast, i32 4, i32 4, i32 1, i16 16, i32 undef)
  %b = call <4 x float> @llvm.genx.rdregionf.v4f32.v16f32.i16(<16 x float> %cast, i32 8, i32 4, i32 2, i16 32, i32 undef)
  %s = fadd <4 x float> %a, %b
  ret <4 x float> %s
}

; v.select<8, 1>(4).select<4, 2>(1) = n: one write.
; CHECK-LABEL: @write_of_a_part(
; CHECK-NEXT: [[W:%.*]] = call <16 x i32> @llvm.genx.wrregioni.v16i32.v4i32.i16.i1(<16 x i32> %old, <4 x i32> %n, i32 0, i32 4, i32 2, i16 20, i32 undef, i1 true)
; CHECK-NEXT: ret <16 x i32> [[W]]
define <16 x i32> @write_of_a_part(<16 x i32> %old, <4 x i32> %n) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %old, i32 8, i32 8, i32 1, i16 16, i32 undef)
  %p = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %r, <4 x i32> %n, i32 8, i32 4, i32 2, i16 4, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %p, i32 8, i32 8, i32 1, i16 16, i32 undef, i1 true)
  ret <16 x i32> %w
}

; v.select<8, 1>(4).format<short>().select<8, 2>(1) = n: the upper words of dwords.
; CHECK-LABEL: @write_of_a_part_as_words(
; CHECK: [[O:%.*]] = bitcast <16 x i32> %old to <32 x i16>
; CHECK-NEXT: [[W:%.*]] = call <32 x i16> @llvm.genx.wrregioni.v32i16.v8i16.i16.i1(<32 x i16> [[O]], <8 x i16> %n, i32 0, i32 8, i32 2, i16 18, i32 undef, i1 true)
; CHECK-NEXT: [[D:%.*]] = bitcast <32 x i16> [[W]] to <16 x i32>
; CHECK-NEXT: ret <16 x i32> [[D]]
define <16 x i32> @write_of_a_part_as_words(<16 x i32> %old, <8 x i16> %n) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %old, i32 8, i32 8, i32 1, i16 16, i32 undef)
  %s = bitcast <8 x i32> %r to <16 x i16>
  %p = call <16 x i16> @llvm.genx.wrregioni.v16i16.v8i16.i16.i1(<16 x i16> %s, <8 x i16> %n, i32 16, i32 8, i32 2, i16 2, i32 undef, i1 true)
  %d = bitcast <16 x i16> %p to <8 x i32>
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %d, i32 8, i32 8, i32 1, i16 16, i32 undef, i1 true)
  ret <16 x i32> %w
}

; Another region is put back than was read: both writes stay.
; CHECK-LABEL: @put_elsewhere(
; CHECK: wrregioni.v8i32
; CHECK: wrregioni.v16i32
define <16 x i32> @put_elsewhere(<16 x i32> %old, <4 x i32> %n) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %old, i32 8, i32 8, i32 1, i16 16, i32 undef)
  %p = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %r, <4 x i32> %n, i32 8, i32 4, i32 2, i16 4, i32 undef, i1 true)
  %w = call <16 x i32> @llvm.genx.wrregioni.v16i32.v8i32.i16.i1(<16 x i32> %old, <8 x i32> %p, i32 8, i32 8, i32 1, i16 0, i32 undef, i1 true)
  ret <16 x i32> %w
}

; A part of a region whose place is known at run time: the place and a number.
; CHECK-LABEL: @part_of_a_region_at_run_time(
; CHECK-NEXT: [[O:%.*]] = add i16 %o, 8
; CHECK-NEXT: [[R:%.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> %x, i32 0, i32 4, i32 1, i16 [[O]], i32 undef)
; CHECK-NEXT: ret <4 x i32> [[R]]
define <4 x i32> @part_of_a_region_at_run_time(<16 x i32> %x, i16 %o) {
  %a = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %x, i32 8, i32 8, i32 1, i16 %o, i32 undef)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %a, i32 4, i32 4, i32 1, i16 8, i32 undef)
  ret <4 x i32> %r
}

attributes #0 = { nounwind willreturn memory(none) }
