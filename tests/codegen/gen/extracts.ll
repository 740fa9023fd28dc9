; Operations on single elements: several of one vector become one on the vector, a lone one is done on a scalar.
; RUN: cm-opt --march=icllp --passes=gen-extracts %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes=gen-operations,gen-tidy %s | FileCheck --check-prefix=NARROW %s
; RUN: cm-opt --march=icllp --passes=gen-extracts %s | run-lines %s
; RUN: cm-opt --march=icllp --passes=gen-operations,gen-tidy %s | run-lines %s
declare i8 @llvm.genx.rdregioni.i8.v16i8.i16(<16 x i8>, i32, i32, i32, i16, i32)
declare i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16>, i32, i32, i32, i16, i32)
declare i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)

; CHECK-LABEL: @together(
; CHECK: [[W:%.*]] = mul <16 x i16> %v, splat (i16 4)
; CHECK: rdregioni.i16.v16i16.i16(<16 x i16> [[W]], i32 0, i32 1, i32 0, i16 0, i32 undef)
; CHECK: rdregioni.i16.v16i16.i16(<16 x i16> [[W]], i32 0, i32 1, i32 0, i16 6, i32 undef)
; CHECK-NOT: mul
; CHECK: ret
; run: together(random)
define i16 @together(<16 x i16> %u) {
  %v = add <16 x i16> %u, %u
  %a = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %v, i32 0, i32 1, i32 0, i16 0, i32 undef)
  %b = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %v, i32 0, i32 1, i32 0, i16 6, i32 undef)
  %x = mul i16 %a, 4
  %y = mul i16 %b, 4
  %s = sub i16 %x, %y
  ret i16 %s
}

; So do operations on extended elements, and on the results of those.
; CHECK-LABEL: @extended(
; CHECK: [[WIDE:%.*]] = zext <16 x i8> %v to <16 x i16>
; CHECK-NEXT: [[ROWS:%.*]] = shl <16 x i16> [[WIDE]], splat (i16 4)
; CHECK-NEXT: [[W:%.*]] = add <16 x i16> [[ROWS]], splat (i16 8)
; CHECK: [[A:%.*]] = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> [[W]], i32 0, i32 1, i32 0, i16 2, i32 undef)
; CHECK: [[B:%.*]] = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> [[W]], i32 0, i32 1, i32 0, i16 10, i32 undef)
; CHECK: sub i16 [[A]], [[B]]
; run: extended(random)
define i16 @extended(<16 x i8> %u) {
  %v = add <16 x i8> %u, %u
  %a = call i8 @llvm.genx.rdregioni.i8.v16i8.i16(<16 x i8> %v, i32 0, i32 1, i32 0, i16 1, i32 undef)
  %b = call i8 @llvm.genx.rdregioni.i8.v16i8.i16(<16 x i8> %v, i32 0, i32 1, i32 0, i16 5, i32 undef)
  %wide.a = zext i8 %a to i16
  %wide.b = zext i8 %b to i16
  %row.a = shl i16 %wide.a, 4
  %row.b = shl i16 %wide.b, 4
  %x = add i16 %row.a, 8
  %y = add i16 %row.b, 8
  %s = sub i16 %x, %y
  ret i16 %s
}

; An element with a sign and one without are not alike.
; CHECK-LABEL: @extended_otherwise(
; CHECK-NOT: ext <16
; CHECK: ret
; run: extended_otherwise(random)
define i16 @extended_otherwise(<16 x i8> %u) {
  %v = add <16 x i8> %u, %u
  %a = call i8 @llvm.genx.rdregioni.i8.v16i8.i16(<16 x i8> %v, i32 0, i32 1, i32 0, i16 1, i32 undef)
  %b = call i8 @llvm.genx.rdregioni.i8.v16i8.i16(<16 x i8> %v, i32 0, i32 1, i32 0, i16 5, i32 undef)
  %wide.a = zext i8 %a to i16
  %wide.b = sext i8 %b to i16
  %x = shl i16 %wide.a, 4
  %y = shl i16 %wide.b, 4
  %s = sub i16 %x, %y
  ret i16 %s
}

; One of them does not pay.
; CHECK-LABEL: @alone(
; CHECK: mul i16
; NARROW-LABEL: @alone(
; NARROW: [[A:%.*]] = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %u, i32 0, i32 1, i32 0, i16 4, i32 undef)
; NARROW: add i16 [[A]], [[A]]
; NARROW-NOT: add <
; NARROW: ret
; run: alone(random)
define i16 @alone(<16 x i16> %u) {
  %v = add <16 x i16> %u, %u
  %a = call i16 @llvm.genx.rdregioni.i16.v16i16.i16(<16 x i16> %v, i32 0, i32 1, i32 0, i16 4, i32 undef)
  %x = mul i16 %a, 4
  ret i16 %x
}

; A vector that others need too is computed as a whole.
; NARROW-LABEL: @shared(
; NARROW: add <16 x i32>
; run: shared(random, memory)
define <16 x i32> @shared(<16 x i32> %u, ptr %p) {
  %v = add <16 x i32> %u, %u
  %a = call i32 @llvm.genx.rdregioni.i32.v16i32.i16(<16 x i32> %v, i32 0, i32 1, i32 0, i16 4, i32 undef)
  store i32 %a, ptr %p
  ret <16 x i32> %v
}
