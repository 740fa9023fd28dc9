; Sums and shifts by what is 1 where a mask is set are operations with the mask.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-masked-operations %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-masked-operations %s | run-lines --plain %s

; CHECK-LABEL: @counts
; CHECK: %[[ALL:.*]] = add <16 x i32> %x, splat (i32 1)
; CHECK: select <16 x i1> %m, <16 x i32> %[[ALL]], <16 x i32> %x
; run: counts(random, random)
define <16 x i32> @counts(<16 x i1> %m, <16 x i32> %x) {
  %n = zext <16 x i1> %m to <16 x i32>
  %r = add <16 x i32> %n, %x
  ret <16 x i32> %r
}

; CHECK-LABEL: @shifts
; CHECK: %[[ALL:.*]] = lshr <16 x i32> %x, splat (i32 1)
; CHECK: select <16 x i1> %m, <16 x i32> %[[ALL]], <16 x i32> %x
; run: shifts(random, random)
define <16 x i32> @shifts(<16 x i1> %m, <16 x i32> %x) {
  %n = zext <16 x i1> %m to <16 x i32>
  %r = lshr <16 x i32> %x, %n
  ret <16 x i32> %r
}

; CHECK-LABEL: @subtracts
; CHECK: %[[ALL:.*]] = sub <16 x i32> %x, splat (i32 -1)
; CHECK: select <16 x i1> %m, <16 x i32> %[[ALL]], <16 x i32> %x
; run: subtracts(random, random)
define <16 x i32> @subtracts(<16 x i1> %m, <16 x i32> %x) {
  %n = sext <16 x i1> %m to <16 x i32>
  %r = sub <16 x i32> %x, %n
  ret <16 x i32> %r
}

; What is subtracted from, or shifted, is no sum with the mask.
; CHECK-LABEL: @from
; CHECK: sub <16 x i32> %n, %x
; CHECK: shl <16 x i32> %k, %few
; run: from(random, random)
define <16 x i32> @from(<16 x i1> %m, <16 x i32> %x) {
  %n = zext <16 x i1> %m to <16 x i32>
  %r = sub <16 x i32> %n, %x
  %k = zext <16 x i1> %m to <16 x i32>
  %few = and <16 x i32> %x, splat (i32 31)
  %s = shl <16 x i32> %k, %few
  %t = add <16 x i32> %r, %s
  ret <16 x i32> %t
}

; CHECK-LABEL: @used
; CHECK: add <16 x i32> %x, %n
define <16 x i32> @used(<16 x i1> %m, <16 x i32> %x, ptr %to) {
  %n = zext <16 x i1> %m to <16 x i32>
  store <16 x i32> %n, ptr %to
  %r = add <16 x i32> %x, %n
  ret <16 x i32> %r
}

; What is needed once more would be copied.
; CHECK-LABEL: @again
; CHECK: add <16 x i32> %y, %n
; run: again(random, random)
define <16 x i32> @again(<16 x i1> %m, <16 x i32> %x) {
  %y = mul <16 x i32> %x, %x
  %n = zext <16 x i1> %m to <16 x i32>
  %r = add <16 x i32> %y, %n
  %s = xor <16 x i32> %r, %y
  ret <16 x i32> %s
}

; CHECK-LABEL: @all
; CHECK: add <16 x i32> %l, %p
; run: all(random, random, random)
define <16 x i32> @all(<16 x i1> %m, <16 x i1> %o, <16 x i1> %q) {
  %n = zext <16 x i1> %m to <16 x i32>
  %k = zext <16 x i1> %o to <16 x i32>
  %p = zext <16 x i1> %q to <16 x i32>
  %l = add <16 x i32> %k, %n
  %r = add <16 x i32> %l, %p
  ret <16 x i32> %r
}
