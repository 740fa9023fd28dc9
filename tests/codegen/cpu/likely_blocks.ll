; Places that arithmetic leaves side by side mostly are blocks where they are; loaded ones, and others, are gathered.
; RUN: cm-opt --march=cpu --passes=cpu-likely-blocks %s | FileCheck %s

; CHECK-LABEL: @clamped
; CHECK: %[[F:.*]] = extractelement <8 x i32> %[[N:.*]], i64 0
; CHECK: %[[A:.*]] = add <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: %[[S:.*]] = icmp eq <8 x i32> %[[N]], %[[A]]
; CHECK: %[[M:.*]] = freeze <8 x i1> %m
; CHECK: %[[W:.*]] = and <8 x i1> %[[S]], %[[M]]
; CHECK: bitcast <8 x i1> %[[W]] to i8
; CHECK: br i1
; CHECK: load <8 x float>, ptr %{{.*}}, align 4
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK: phi <8 x float>
define <8 x float> @clamped(ptr %p, i32 %n, i32 %w, <8 x i1> %m) {
  %i = insertelement <8 x i32> poison, i32 %n, i64 0
  %s = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %l = add <8 x i32> %s, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %x = call <8 x i32> @llvm.smax.v8i32(<8 x i32> %l, <8 x i32> zeroinitializer)
  %j = insertelement <8 x i32> poison, i32 %w, i64 0
  %t = shufflevector <8 x i32> %j, <8 x i32> poison, <8 x i32> zeroinitializer
  %y = call <8 x i32> @llvm.smin.v8i32(<8 x i32> %x, <8 x i32> %t)
  %z = sext <8 x i32> %y to <8 x i64>
  %a = getelementptr float, ptr %p, <8 x i64> %z
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %a, <8 x i1> %m, <8 x float> zeroinitializer)
  ret <8 x float> %v
}

; CHECK-LABEL: @scattered
; CHECK: br i1
; CHECK: store <8 x float> %v
; CHECK: call void @llvm.masked.scatter
define void @scattered(ptr %p, i32 %n, <8 x float> %v, <8 x i1> %m) {
  %i = insertelement <8 x i32> poison, i32 %n, i64 0
  %s = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %l = add <8 x i32> %s, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %q = udiv <8 x i32> %l, splat (i32 100)
  %r = mul <8 x i32> %q, splat (i32 100)
  %o = sub <8 x i32> %l, %r
  %b = shl <8 x i32> %o, splat (i32 2)
  %z = sext <8 x i32> %b to <8 x i64>
  %a = getelementptr i8, ptr %p, <8 x i64> %z
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %v, <8 x ptr> align 1 %a, <8 x i1> %m)
  ret void
}

; Loaded places, those that always follow each other, every third element, the same one for all.
; CHECK-LABEL: @others
; CHECK-NOT: br i1
; CHECK: ret
define <8 x float> @others(ptr %p, ptr %q, i32 %n, <8 x i1> %m) {
  %l = load <8 x i32>, ptr %q
  %a = getelementptr float, ptr %p, <8 x i32> %l
  %v = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %a, <8 x i1> %m, <8 x float> zeroinitializer)
  %i = insertelement <8 x i32> poison, i32 %n, i64 0
  %s = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %always = add <8 x i32> %s, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %d = getelementptr float, ptr %p, <8 x i32> %always
  %y = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %d, <8 x i1> %m, <8 x float> %v)
  %t = add <8 x i32> %s, <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 18, i32 21>
  %b = getelementptr float, ptr %p, <8 x i32> %t
  %w = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %b, <8 x i1> %m, <8 x float> %y)
  %c = getelementptr float, ptr %p, <8 x i32> %s
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> align 4 %c, <8 x i1> %m, <8 x float> %w)
  ret <8 x float> %x
}

; Bytes that wrap around on the way.
; CHECK-LABEL: @wrapped
; CHECK-NOT: br i1
; CHECK: ret
define <64 x i32> @wrapped(ptr %p, i8 %n, <64 x i1> %m) {
  %i = insertelement <64 x i8> poison, i8 %n, i64 0
  %s = shufflevector <64 x i8> %i, <64 x i8> poison, <64 x i32> zeroinitializer
  %l = add <64 x i8> %s, <i8 0, i8 4, i8 8, i8 12, i8 16, i8 20, i8 24, i8 28, i8 32, i8 36, i8 40, i8 44, i8 48, i8 52, i8 56, i8 60, i8 64, i8 68, i8 72, i8 76, i8 80, i8 84, i8 88, i8 92, i8 96, i8 100, i8 104, i8 108, i8 112, i8 116, i8 120, i8 124, i8 -128, i8 -124, i8 -120, i8 -116, i8 -112, i8 -108, i8 -104, i8 -100, i8 -96, i8 -92, i8 -88, i8 -84, i8 -80, i8 -76, i8 -72, i8 -68, i8 -64, i8 -60, i8 -56, i8 -52, i8 -48, i8 -44, i8 -40, i8 -36, i8 -32, i8 -28, i8 -24, i8 -20, i8 -16, i8 -12, i8 -8, i8 -4>
  %x = call <64 x i8> @llvm.smax.v64i8(<64 x i8> %l, <64 x i8> %s)
  %a = getelementptr i8, ptr %p, <64 x i8> %x
  %v = call <64 x i32> @llvm.masked.gather.v64i32.v64p0(<64 x ptr> align 1 %a, <64 x i1> %m, <64 x i32> zeroinitializer)
  ret <64 x i32> %v
}
