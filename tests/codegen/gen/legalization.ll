; Bales are cut to what an instruction can do: width by type, regions by their strides, two registers for an operand.
; RUN: cm-opt --march=icllp --passes=gen-baling,gen-legalization,gen-finish %s | FileCheck %s
; RUN: cm-opt --march=pvcxt --passes=gen-baling,gen-legalization,gen-finish %s | FileCheck --check-prefix=XT %s
; RUN: cm-opt --march=icllp --passes=gen-baling,gen-legalization,gen-finish %s | run-lines %s
; RUN: cm-opt --march=pvcxt --passes=gen-baling,gen-legalization,gen-finish %s | run-lines %s
declare <19 x float> @llvm.genx.wrregionf.v19f32.v16f32.i16.i1(<19 x float>, <16 x float>, i32, i32, i32, i16, i32, i1)
declare <16 x double> @llvm.genx.wrregionf.v16f64.v4f64.i16.i1(<16 x double>, <4 x double>, i32, i32, i32, i16, i32, i1)
declare <8 x i64> @llvm.genx.wrregioni.v8i64.v4i64.i16.i1(<8 x i64>, <4 x i64>, i32, i32, i32, i16, i32, i1)
declare <4 x i64> @llvm.genx.rdregioni.v4i64.v16i64.i16(<16 x i64>, i32, i32, i32, i16, i32)
declare <19 x i64> @llvm.genx.wrregioni.v19i64.v16i64.i16.i1(<19 x i64>, <16 x i64>, i32, i32, i32, i16, i32, i1)
declare <144 x i8> @llvm.genx.rdregioni.v144i8.v256i8.i16(<256 x i8>, i32, i32, i32, i16, i32)
declare <16 x float> @llvm.genx.rdregionf.v16f32.v64f32.i16(<64 x float>, i32, i32, i32, i16, i32)
declare <8 x float> @llvm.genx.rdregionf.v8f32.v64f32.i16(<64 x float>, i32, i32, i32, i16, i32)

; The paper's conversion: nine pieces, every second of two rows.
; CHECK-LABEL: @paper(
; CHECK: rdregioni.v16i8.v256i8.i16(<256 x i8> %m, i32 0, i32 16, i32 1, i16 35, i32 undef)
; CHECK: rdregioni.v16i8.v256i8.i16(<256 x i8> %m, i32 16, i32 8, i32 1, i16 51, i32 undef)
; CHECK: rdregioni.v16i8.v256i8.i16(<256 x i8> %m, i32 0, i32 16, i32 1, i16 75, i32 undef)
; CHECK-COUNT-6: rdregioni.v16i8
; CHECK-NOT: rdregion
; CHECK: ret
; run: paper(random)
define <144 x float> @paper(<256 x i8> %m) {
  %r = call <144 x i8> @llvm.genx.rdregioni.v144i8.v256i8.i16(<256 x i8> %m, i32 32, i32 24, i32 1, i16 35, i32 undef)
  %f = uitofp <144 x i8> %r to <144 x float>
  ret <144 x float> %f
}

; 16 floats are two registers, 16 floats that begin inside one are three.
; CHECK-LABEL: @registers(
; CHECK: fadd <16 x float>
; CHECK: fmul <8 x float>
; CHECK: fmul <8 x float>
; run: registers(random, random)
define <16 x float> @registers(<64 x float> %m, <16 x float> %b) {
  %r = call <16 x float> @llvm.genx.rdregionf.v16f32.v64f32.i16(<64 x float> %m, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %s = call <16 x float> @llvm.genx.rdregionf.v16f32.v64f32.i16(<64 x float> %m, i32 0, i32 16, i32 1, i16 12, i32 undef)
  %x = fadd <16 x float> %r, %b
  %y = fmul <16 x float> %x, %s
  ret <16 x float> %y
}

; Words go 32 at a time, what is left in powers of two.
; CHECK-LABEL: @words(
; CHECK: add <32 x i16>
; CHECK: add <2 x i16>
; CHECK: add <1 x i16>
; CHECK-NOT: add
; CHECK: ret
; run: words(random, random)
define <35 x i16> @words(<35 x i16> %a, <35 x i16> %b) {
  %x = add <35 x i16> %a, %b
  ret <35 x i16> %x
}

; Predicates go with what they guard.
; CHECK-LABEL: @guarded(
; CHECK-DAG: [[P:%.*]] = icmp slt <16 x i32>
; CHECK-DAG: [[Q:%.*]] = icmp slt <8 x i32>
; CHECK-DAG: select <16 x i1> [[P]], <16 x i32>
; CHECK-DAG: select <8 x i1> [[Q]], <8 x i32>
; CHECK: ret
; run: guarded(random, random)
define <24 x i32> @guarded(<24 x i32> %a, <24 x i32> %b) {
  %c = icmp slt <24 x i32> %a, %b
  %x = select <24 x i1> %c, <24 x i32> %a, <24 x i32> %b
  ret <24 x i32> %x
}

; What one instruction does is left alone.
; CHECK-LABEL: @whole(
; CHECK-NEXT: %x = fadd <8 x float> %a, %a
; CHECK-NEXT: ret <8 x float> %x
; run: whole(random)
define <8 x float> @whole(<8 x float> %a) {
  %x = fadd <8 x float> %a, %a
  ret <8 x float> %x
}

; A selection that is written in a row stays one instruction for each predicate, however long its elements: the finalizer
; cuts rows.
; CHECK-LABEL: @guarded_row(
; CHECK: [[S:%.*]] = select <16 x i1> {{%.*}}, <16 x i64> %a, <16 x i64> %b
; CHECK: wrregioni.v19i64.v16i64.i16.i1(<19 x i64> %old, <16 x i64> [[S]]
; run: guarded_row(random, random, random, random)
define <19 x i64> @guarded_row(<19 x i64> %old, <16 x i32> %c, <16 x i64> %a, <16 x i64> %b) {
  %p = icmp slt <16 x i32> %c, zeroinitializer
  %s = select <16 x i1> %p, <16 x i64> %a, <16 x i64> %b
  %w = call <19 x i64> @llvm.genx.wrregioni.v19i64.v16i64.i16.i1(<19 x i64> %old, <16 x i64> %s, i32 0, i32 16, i32 1, i16 16, i32 undef, i1 true)
  ret <19 x i64> %w
}

; Columns after columns end as far from their beginning as a row does, and are not one: what is selected goes through a
; register of its own.
; CHECK-LABEL: @guarded_columns(
; CHECK: select <16 x i1>
; CHECK: [[S:%.*]] = call <16 x float> @llvm.genx.wrregionf.v16f32.v16f32
; CHECK: rdregionf.v4f32.v16f32.i16(<16 x float> [[S]], i32 0, i32 4, i32 1, i16 0,
; CHECK: wrregionf.v19f32.v4f32.i16.i1(<19 x float> %old, <4 x float> {{%.*}}, i32 0, i32 4, i32 2, i16 12,
; CHECK: rdregionf.v4f32.v16f32.i16(<16 x float> [[S]], i32 0, i32 4, i32 1, i16 16,
; CHECK: wrregionf.v19f32.v4f32.i16.i1(<19 x float> {{%.*}}, <4 x float> {{%.*}}, i32 0, i32 4, i32 2, i16 44,
; run: guarded_columns(random, random, random, random)
define <19 x float> @guarded_columns(<19 x float> %old, <16 x i32> %c, <16 x float> %a, <16 x float> %b) {
  %p = icmp slt <16 x i32> %c, zeroinitializer
  %s = select <16 x i1> %p, <16 x float> %a, <16 x float> %b
  %w = call <19 x float> @llvm.genx.wrregionf.v19f32.v16f32.i16.i1(<19 x float> %old, <16 x float> %s, i32 1, i32 8, i32 2, i16 12, i32 undef, i1 true)
  ret <19 x float> %w
}

; GenX_IR for PVC has no way from every fourth quadword to every second, nor to every fourth double.
; CHECK-LABEL: @quadwords(
; XT-LABEL: @quadwords(
; XT-COUNT-4: wrregioni.v8i64.v1i64.i16.i1(
; XT: ret
; run: quadwords(random, random)
define <8 x i64> @quadwords(<16 x i64> %from, <8 x i64> %old) {
  %r = call <4 x i64> @llvm.genx.rdregioni.v4i64.v16i64.i16(<16 x i64> %from, i32 0, i32 4, i32 4, i16 0, i32 undef)
  %w = call <8 x i64> @llvm.genx.wrregioni.v8i64.v4i64.i16.i1(<8 x i64> %old, <4 x i64> %r, i32 0, i32 4, i32 2, i16 8, i32 undef, i1 true)
  ret <8 x i64> %w
}

; XT-LABEL: @doubles(
; XT-COUNT-4: wrregionf.v16f64.v1f64.i16.i1(
; XT: ret
; run: doubles(random, random)
define <16 x double> @doubles(<4 x double> %a, <16 x double> %old) {
  %x = fadd <4 x double> %a, %a
  %w = call <16 x double> @llvm.genx.wrregionf.v16f64.v4f64.i16.i1(<16 x double> %old, <4 x double> %x, i32 0, i32 4, i32 4, i16 0, i32 undef, i1 true)
  ret <16 x double> %w
}

; Rows at multiples of whole registers are not cut: here of 64 bytes, as the vector says from which the offset comes.
; CHECK-LABEL: @aligned_rows(
; CHECK: fadd <16 x float>
; CHECK-NOT: fadd
; CHECK: ret
; run: aligned_rows(random, 0..60, finite)
define <16 x float> @aligned_rows(<256 x float> %m, <16 x i16> %places, <16 x float> %b) {
  %rows = shl <16 x i16> %places, splat (i16 6)
  %at = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %rows, i32 0, i32 1, i32 0, i16 6, i32 undef)
  %r = call <16 x float> @llvm.genx.rdregionf.v16f32.v256f32.i16(<256 x float> %m, i32 0, i32 16, i32 1, i16 %at, i32 undef)
  %x = fadd <16 x float> %r, %b
  ret <16 x float> %x
}

; CHECK-LABEL: @rows_anywhere(
; CHECK-COUNT-2: fadd <8 x float>
; CHECK-NOT: fadd
; CHECK: ret
; run: rows_anywhere(random, 0..60, finite)
define <16 x float> @rows_anywhere(<256 x float> %m, <16 x i16> %places, <16 x float> %b) {
  %rows = shl <16 x i16> %places, splat (i16 4)
  %at = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %rows, i32 0, i32 1, i32 0, i16 6, i32 undef)
  %r = call <16 x float> @llvm.genx.rdregionf.v16f32.v256f32.i16(<256 x float> %m, i32 0, i32 16, i32 1, i16 %at, i32 undef)
  %x = fadd <16 x float> %r, %b
  ret <16 x float> %x
}

; Rows at multiples of their size are one or have nothing in common: a piece of one is read from the matrix as far as the
; other is written.
; CHECK-LABEL: @rows(
; CHECK-COUNT-2: sub <16 x i32>
; CHECK-NOT: sub
; CHECK: ret
; run: rows(random, 1, 5)
; run: rows(random, 3, 3)
define <256 x i32> @rows(<256 x i32> %m, i16 %k, i16 %j) {
  %from = shl i16 %k, 7
  %to = shl i16 %j, 7
  %r = call <32 x i32> @llvm.genx.rdregioni.v32i32.v256i32.i16(<256 x i32> %m, i32 0, i32 32, i32 1, i16 %from, i32 undef)
  %s = call <32 x i32> @llvm.genx.rdregioni.v32i32.v256i32.i16(<256 x i32> %m, i32 0, i32 32, i32 1, i16 %to, i32 undef)
  %x = sub <32 x i32> %s, %r
  %w = call <256 x i32> @llvm.genx.wrregioni.v256i32.v32i32.i16.i1(<256 x i32> %m, <32 x i32> %x, i32 0, i32 32, i32 1, i16 %to, i32 undef, i1 true)
  ret <256 x i32> %w
}

; Others may lie across one another.
; CHECK-LABEL: @rows_across(
; CHECK-COUNT-2: call <16 x i32> @llvm.genx.rdregioni.v16i32.v256i32.i16(<256 x i32> %m,
; CHECK: sub <16 x i32>
; run: rows_across(random, 1, 2)
; run: rows_across(random, 2, 1)
define <256 x i32> @rows_across(<256 x i32> %m, i16 %k, i16 %j) {
  %from = shl i16 %k, 6
  %to = shl i16 %j, 6
  %r = call <32 x i32> @llvm.genx.rdregioni.v32i32.v256i32.i16(<256 x i32> %m, i32 0, i32 32, i32 1, i16 %from, i32 undef)
  %s = call <32 x i32> @llvm.genx.rdregioni.v32i32.v256i32.i16(<256 x i32> %m, i32 0, i32 32, i32 1, i16 %to, i32 undef)
  %x = sub <32 x i32> %s, %r
  %w = call <256 x i32> @llvm.genx.wrregioni.v256i32.v32i32.i16.i1(<256 x i32> %m, <32 x i32> %x, i32 0, i32 32, i32 1, i16 %to, i32 undef, i1 true)
  ret <256 x i32> %w
}

; Each piece reads the element that is its offset itself, as part of its operand; all of them share an address then.
; CHECK-LABEL: @column(
; CHECK: [[AT0:%.*]] = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %rows
; CHECK-NEXT: rdregionf{{.*}}(<256 x float> %m, {{.*}}, i16 [[AT0]], i32 undef)
; CHECK: [[AT1:%.*]] = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %rows
; CHECK-NEXT: [[NEXT:%.*]] = add i16 [[AT1]], 64
; CHECK-NEXT: rdregionf{{.*}}(<256 x float> %m, {{.*}}, i16 [[NEXT]], i32 undef)
; CHECK: ret
; run: column(random, 0..200, finite)
define <2 x float> @column(<256 x float> %m, <16 x i16> %places, <2 x float> %b) {
  %rows = shl <16 x i16> %places, splat (i16 2)
  %at = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %rows, i32 0, i32 1, i32 0, i16 6, i32 undef)
  %r = call <2 x float> @llvm.genx.rdregionf.v2f32.v256f32.i16(<256 x float> %m, i32 16, i32 1, i32 1, i16 %at, i32 undef)
  %x = fadd <2 x float> %r, %b
  ret <2 x float> %x
}
declare i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare <16 x float> @llvm.genx.rdregionf.v16f32.v256f32.i16(<256 x float>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare <2 x float> @llvm.genx.rdregionf.v2f32.v256f32.i16(<256 x float>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare <32 x i32> @llvm.genx.rdregioni.v32i32.v256i32.i16(<256 x i32>, i32, i32, i32, i16, i32) nounwind willreturn memory(none)
declare <256 x i32> @llvm.genx.wrregioni.v256i32.v32i32.i16.i1(<256 x i32>, <32 x i32>, i32, i32, i32, i16, i32, i1) nounwind willreturn memory(none)
