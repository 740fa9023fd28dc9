; Vectors of different constants are written into registers: runs, steps, and words that pair up as dwords.
; RUN: cm-opt --march=icllp --passes=gen-constants %s | FileCheck %s
; RUN: cm-opt --march=icllp --passes=gen-constants %s | run-lines %s

; CHECK-LABEL: @steps(
; CHECK: <8 x i16> <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>
; CHECK: zext <16 x i16> {{%.*}} to <16 x i32>
; run: steps(random)
define <16 x i32> @steps(<16 x i32> %v) {
  %r = add <16 x i32> %v, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i32> %r
}

; Any base and step, from the same numbers 0 to 7.
; CHECK-LABEL: @progression(
; CHECK: [[L:%.*]] = call <16 x i16> @llvm.genx.wrregioni.v16i16.v8i16.i16.i1(<16 x i16> poison, <8 x i16> <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>
; CHECK: [[N:%.*]] = call <16 x i16> @llvm.genx.wrregioni.v16i16.v8i16.i16.i1(<16 x i16> [[L]], <8 x i16> <i16 8, i16 9, i16 10, i16 11, i16 12, i16 13, i16 14, i16 15>
; CHECK: [[Z:%.*]] = zext <16 x i16> [[N]] to <16 x i32>
; CHECK: [[M:%.*]] = mul <16 x i32> [[Z]], splat (i32 -4)
; CHECK: add <16 x i32> [[M]], splat (i32 100)
; CHECK-NOT: mul
; CHECK: ret
; run: progression(random)
define <16 x i32> @progression(<16 x i32> %v) {
  %r = add <16 x i32> %v, <i32 100, i32 96, i32 92, i32 88, i32 84, i32 80, i32 76, i32 72, i32 68, i32 64, i32 60, i32 56, i32 52, i32 48, i32 44, i32 40>
  ret <16 x i32> %r
}

; What goes on is the part that is there, further on.
; CHECK-LABEL: @twelve(
; CHECK: [[M:%.*]] = mul <8 x i32> {{%.*}}, splat (i32 3)
; CHECK: [[F:%.*]] = call <12 x i32> @llvm.genx.wrregioni.v12i32.v8i32.i16.i1(<12 x i32> poison, <8 x i32> [[M]]
; CHECK: [[R:%.*]] = call <4 x i32> @llvm.genx.rdregioni.v4i32.v12i32.i16(<12 x i32> [[F]], i32 0, i32 4, i32 1, i16 0, i32 undef)
; CHECK: [[A:%.*]] = add <4 x i32> [[R]], splat (i32 24)
; CHECK: wrregioni.v12i32.v4i32.i16.i1(<12 x i32> [[F]], <4 x i32> [[A]], i32 0, i32 4, i32 1, i16 32
; run: twelve(random)
define <12 x i32> @twelve(<12 x i32> %v) {
  %r = add <12 x i32> %v, <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21, i32 24, i32 27, i32 30, i32 33>
  ret <12 x i32> %r
}

; Small integers of any order are an immediate of words, four small floats one of their own.
; CHECK-LABEL: @small(
; CHECK: [[W:%.*]] = call <8 x i16> @llvm.genx.wrregioni.v8i16.v8i16.i16.i1(<8 x i16> poison, <8 x i16> <i16 3, i16 -1, i16 4, i16 1, i16 -5, i16 7, i16 2, i16 6>
; CHECK: sext <8 x i16> [[W]] to <8 x i32>
; run: small(random)
define <8 x i32> @small(<8 x i32> %v) {
  %r = add <8 x i32> %v, <i32 3, i32 -1, i32 4, i32 1, i32 -5, i32 7, i32 2, i32 6>
  ret <8 x i32> %r
}
; CHECK-LABEL: @floats(
; CHECK: wrregionf.v8f32.v4f32.i16.i1(<8 x float> poison, <4 x float> <float 1.000000e+00, float -2.500000e+00, float 3.100000e+01, float 0.000000e+00>
; CHECK: <1 x float> splat (float 0x3FB99999A0000000)
; run: floats(random)
define <8 x float> @floats(<8 x float> %v) {
  %r = fadd <8 x float> %v, <float 1.0, float -2.5, float 31.0, float 0.0, float 0x3FB99999A0000000, float 2.0, float 3.0, float 4.0>
  ret <8 x float> %r
}

; CHECK-LABEL: @dwords(
; CHECK: wrregioni.v4i32.v4i32.i16.i1(<4 x i32> poison, <4 x i32> splat (i32 13107300)
; CHECK: bitcast <4 x i32> {{%.*}} to <8 x i16>
; run: dwords(random)
define <8 x i16> @dwords(<8 x i16> %v) {
  %r = mul <8 x i16> %v, <i16 100, i16 200, i16 100, i16 200, i16 100, i16 200, i16 100, i16 200>
  ret <8 x i16> %r
}

; One number for all is an immediate.
; CHECK-LABEL: @splat(
; CHECK-NEXT: %r = add <8 x i16> %v, splat (i16 5)
; CHECK-NEXT: ret
; run: splat(random)
define <8 x i16> @splat(<8 x i16> %v) {
  %r = add <8 x i16> %v, splat (i16 5)
  ret <8 x i16> %r
}

; A constant that both ways of a branch give a phi is set once.
; CHECK-LABEL: @before(
; CHECK: entry:
; CHECK: [[S:%.*]] = call <32 x float> @llvm.genx.wrregionf.v32f32.v32f32.i16.i1(<32 x float> poison, <32 x float> zeroinitializer
; CHECK: br i1
; CHECK: phi <32 x float> [ [[S]], %yes ], [ [[S]], %no ]
; run: before(random)
define <32 x float> @before(i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  %sum = phi <32 x float> [ zeroinitializer, %yes ], [ zeroinitializer, %no ]
  ret <32 x float> %sum
}

; Words that are compared are no packed immediate, which the finalizer would put into the comparison.
; CHECK-LABEL: @compared(
; CHECK-NOT: <8 x i16>{{.*}}<8 x i16> <i16 0
; CHECK: icmp
; run: compared(random)
define <8 x i1> @compared(<8 x i16> %v) {
  %r = icmp slt <8 x i16> %v, <i16 0, i16 1, i16 2, i16 3, i16 4, i16 5, i16 6, i16 7>
  ret <8 x i1> %r
}
; CHECK-LABEL: @widened(
; CHECK: zext
; CHECK-NEXT: [[C:%.*]] = call <8 x i32> @llvm.genx.wrregioni
; CHECK-NEXT: icmp slt <8 x i32> %v, [[C]]
; run: widened(random)
define <8 x i1> @widened(<8 x i32> %v) {
  %r = icmp slt <8 x i32> %v, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  ret <8 x i1> %r
}

; Steps that no word holds: each sum makes twice as much of it.
; CHECK-LABEL: @doubled(
; CHECK: call <16 x i32> @llvm.genx.wrregioni.{{.*}}(<16 x i32> poison, <1 x i32> splat (i32 67305985), {{.*}} i16 0,
; CHECK: add <1 x i32> {{.*}}, splat (i32 67372036)
; CHECK: add <2 x i32> {{.*}}, splat (i32 134744072)
; CHECK: add <4 x i32> {{.*}}, splat (i32 269488144)
; CHECK: add <8 x i32> {{.*}}, splat (i32 538976288)
; CHECK-NOT: add
; CHECK: ret
; run: doubled(random)
define <16 x i32> @doubled(<16 x i32> %x) {
  %v = xor <16 x i32> %x, <i32 67305985, i32 134678021, i32 202050057, i32 269422093, i32 336794129, i32 404166165, i32 471538201, i32 538910237, i32 606282273, i32 673654309, i32 741026345, i32 808398381, i32 875770417, i32 943142453, i32 1010514489, i32 1077886525>
  ret <16 x i32> %v
}

; What takes several moves is set in front of the loops that it is used in, once for those behind each other.
; CHECK-LABEL: @loops(
; CHECK: wrregioni.v8i32
; CHECK: wrregioni.v8i32
; CHECK: [[C:%.*]] = call <8 x i32> @llvm.genx.wrregioni.v8i32{{.*}} i16 28,
; CHECK-NEXT: br label %outer
; CHECK-NOT: wrregioni
; CHECK: add <8 x i32> %v, [[C]]
; CHECK-NOT: wrregioni
; CHECK: mul <8 x i32> %w, [[C]]
; CHECK-NOT: wrregioni
; CHECK: ret
define <8 x i32> @loops(<8 x i32> %x, i32 %n) {
entry:
  br label %outer
outer:
  %u = phi <8 x i32> [ %x, %entry ], [ %a, %next ]
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  br label %inner
inner:
  %v = phi <8 x i32> [ %u, %outer ], [ %a, %inner ]
  %k = phi i32 [ 0, %outer ], [ %l, %inner ]
  %a = add <8 x i32> %v, <i32 1000, i32 -5000, i32 900000, i32 7, i32 -8, i32 12345, i32 77, i32 100000>
  %l = add i32 %k, 1
  %again = icmp slt i32 %l, %n
  br i1 %again, label %inner, label %next
next:
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %outer, label %between
between:
  br label %last
last:
  %w = phi <8 x i32> [ %a, %between ], [ %b, %last ]
  %o = phi i32 [ 0, %between ], [ %p, %last ]
  %b = mul <8 x i32> %w, <i32 1000, i32 -5000, i32 900000, i32 7, i32 -8, i32 12345, i32 77, i32 100000>
  %p = add i32 %o, 1
  %once = icmp slt i32 %p, %n
  br i1 %once, label %last, label %done
done:
  ret <8 x i32> %b
}

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)

; A region of one number everywhere but where anything may be, first or last, is that number.
; CHECK-LABEL: @open_elements(
; CHECK: add <4 x i32> %v, splat (i32 7)
; CHECK: add <4 x i32> {{%.*}}, splat (i32 9)
; CHECK: ret
; run: open_elements(<1, 2, 3, 4>) == 11000000 12000000 13000000 14000000
define <4 x i32> @open_elements(<4 x i32> %v) {
  %a = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> <i32 undef, i32 7, i32 7, i32 undef, i32 7, i32 7, i32 7, i32 7>, i32 0, i32 4, i32 1, i16 16, i32 undef)
  %b = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> <i32 9, i32 9, i32 9, i32 9, i32 9, i32 undef, i32 9, i32 undef>, i32 0, i32 4, i32 1, i16 0, i32 undef)
  %x = add <4 x i32> %v, %a
  %y = add <4 x i32> %x, %b
  ret <4 x i32> %y
}
