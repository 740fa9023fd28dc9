; A divisor is 1 where it is 0, and where a signed quotient does not exist; constants that do no harm stay.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-divisions %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-divisions %s | run-lines --plain %s

; CHECK-LABEL: @signed_quotient(
; CHECK: [[Y:%.*]] = freeze <8 x i32> %y
; CHECK: [[ZERO:%.*]] = icmp eq <8 x i32> [[Y]], zeroinitializer
; CHECK: [[X:%.*]] = freeze <8 x i32> %x
; CHECK: [[LEAST:%.*]] = icmp eq <8 x i32> [[X]], splat (i32 -2147483648)
; CHECK: [[MINUS:%.*]] = icmp eq <8 x i32> [[Y]], splat (i32 -1)
; CHECK: [[WRAPS:%.*]] = and <8 x i1> [[LEAST]], [[MINUS]]
; CHECK: [[BAD:%.*]] = or <8 x i1> [[ZERO]], [[WRAPS]]
; CHECK: [[BY:%.*]] = select <8 x i1> [[BAD]], <8 x i32> splat (i32 1), <8 x i32> [[Y]]
; CHECK: sdiv <8 x i32> [[X]], [[BY]]
; run: signed_quotient(random, random) as lane_by_lane
; run: signed_quotient(<-2147483648, 7, -7, 1, 0, 5, 9, -9>, <-1, 2, 2, 0, 3, 5, -3, -3>) as lane_by_lane == 00000080 03000000 fdffffff 01000000 00000000 01000000 fdffffff 03000000
define <8 x i32> @signed_quotient(<8 x i32> %x, <8 x i32> %y) {
  %q = sdiv <8 x i32> %x, %y
  ret <8 x i32> %q
}

; CHECK-LABEL: @unsigned_remainder(
; CHECK: [[Y:%.*]] = freeze i16 %y
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i16 [[Y]], 0
; CHECK-NEXT: [[BY:%.*]] = select i1 [[ZERO]], i16 1, i16 [[Y]]
; CHECK-NEXT: urem i16 %x, [[BY]]
; run: unsigned_remainder(random, random) as guarded
define i16 @unsigned_remainder(i16 %x, i16 %y) {
  %r = urem i16 %x, %y
  ret i16 %r
}

; CHECK-LABEL: @by_three(
; CHECK-NEXT: sdiv <4 x i32> %x, splat (i32 3)
; run: by_three(random)
define <4 x i32> @by_three(<4 x i32> %x) {
  %q = sdiv <4 x i32> %x, splat (i32 3)
  ret <4 x i32> %q
}

; CHECK-LABEL: @by_minus_one(
; CHECK: select <4 x i1>
; run: by_minus_one(random) as negative
define <4 x i32> @by_minus_one(<4 x i32> %x) {
  %q = sdiv <4 x i32> %x, splat (i32 -1)
  ret <4 x i32> %q
}

; One lane of zero is enough.
; CHECK-LABEL: @by_mixed_constants(
; CHECK: select <2 x i1>
define <2 x i32> @by_mixed_constants(<2 x i32> %x) {
  %q = udiv <2 x i32> %x, <i32 3, i32 0>
  ret <2 x i32> %q
}

; The same without divisions that trap: what is divided by 0 stays, and nothing of it is left.
define <8 x i32> @lane_by_lane(<8 x i32> %x, <8 x i32> %y) {
entry:
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %more, %behind ]
  %r = phi <8 x i32> [ %x, %entry ], [ %with, %behind ]
  %a = extractelement <8 x i32> %x, i32 %k
  %b = extractelement <8 x i32> %y, i32 %k
  %zero = icmp eq i32 %b, 0
  br i1 %zero, label %behind, label %divide
divide:
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %q64 = sdiv i64 %a64, %b64
  %q = trunc i64 %q64 to i32
  br label %behind
behind:
  %lane = phi i32 [ %a, %next ], [ %q, %divide ]
  %with = insertelement <8 x i32> %r, i32 %lane, i32 %k
  %more = add i32 %k, 1
  %again = icmp ult i32 %more, 8
  br i1 %again, label %next, label %end
end:
  ret <8 x i32> %with
}
define i16 @guarded(i16 %x, i16 %y) {
  %zero = icmp eq i16 %y, 0
  br i1 %zero, label %none, label %divide
divide:
  %r = urem i16 %x, %y
  ret i16 %r
none:
  ret i16 0
}
define <4 x i32> @negative(<4 x i32> %x) {
  %r = sub <4 x i32> zeroinitializer, %x
  ret <4 x i32> %r
}
