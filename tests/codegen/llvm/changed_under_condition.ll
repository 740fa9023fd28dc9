; An element that is changed under a condition is changed to what it was otherwise: no vector is chosen.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-in-place %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-in-place %s | run-lines --plain %s
declare <64 x i32> @llvm.genx.wrregioni.v64i32.v4i32.i16.i1(<64 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @element(
; CHECK: freeze i32 %i
; CHECK: select i1 %c, i32 %x, i32 {{%.*}}
; CHECK-NOT: select {{.*}}<64 x i32>
; CHECK: ret
; run: element(random, 0..63, random, random)
define <64 x i32> @element(<64 x i32> %v, i32 %i, i32 %x, i1 %c) {
  %changed = insertelement <64 x i32> %v, i32 %x, i32 %i
  %r = select i1 %c, <64 x i32> %changed, <64 x i32> %v
  ret <64 x i32> %r
}

; The other way around.
; CHECK-LABEL: @unless(
; CHECK: select i1 %c, i32 {{%.*}}, i32 %x
; CHECK-NOT: select {{.*}}<64 x i32>
; CHECK: ret
; run: unless(random, 0..63, random, random)
define <64 x i32> @unless(<64 x i32> %v, i32 %i, i32 %x, i1 %c) {
  %changed = insertelement <64 x i32> %v, i32 %x, i32 %i
  %r = select i1 %c, <64 x i32> %v, <64 x i32> %changed
  ret <64 x i32> %r
}

; CHECK-LABEL: @region(
; CHECK: select i1 %c, <4 x i32> %x, <4 x i32> {{%.*}}
; CHECK-NOT: select {{.*}}<64 x i32>
; CHECK: ret
; run: region(random, 8, random, random) as stored
; run: region(random, 240, random, random) as stored
define <64 x i32> @region(<64 x i32> %v, i16 %at, <4 x i32> %x, i1 %c) {
  %changed = call <64 x i32> @llvm.genx.wrregioni.v64i32.v4i32.i16.i1(<64 x i32> %v, <4 x i32> %x, i32 4, i32 4, i32 1, i16 %at, i32 undef, i1 true)
  %r = select i1 %c, <64 x i32> %changed, <64 x i32> %v
  ret <64 x i32> %r
}

; What is changed is another value, so the vectors are chosen as they are; and so is what is changed at a known place.
; CHECK-LABEL: @another(
; CHECK: select i1 %c, <64 x i32>
; CHECK: ret
; run: another(random, random, 0..63, random, random)
define <64 x i32> @another(<64 x i32> %v, <64 x i32> %w, i32 %i, i32 %x, i1 %c) {
  %changed = insertelement <64 x i32> %v, i32 %x, i32 %i
  %r = select i1 %c, <64 x i32> %changed, <64 x i32> %w
  ret <64 x i32> %r
}

; The region in memory.
define <64 x i32> @stored(<64 x i32> %v, i16 %at, <4 x i32> %x, i1 %c) {
  %memory = alloca <64 x i32>
  store <64 x i32> %v, ptr %memory
  br i1 %c, label %change, label %end
change:
  %place = getelementptr i8, ptr %memory, i16 %at
  store <4 x i32> %x, ptr %place, align 1
  br label %end
end:
  %r = load <64 x i32>, ptr %memory
  ret <64 x i32> %r
}
