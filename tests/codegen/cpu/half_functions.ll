; Functions of halves are those of floats, and the largest float of a vector that of its halves.
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-half-functions,cpu-reductions %s | FileCheck %s
; RUN: cm-opt --march=cpu --mcpu=skylake-avx512 --passes=cpu-half-functions,cpu-reductions %s | run-lines --plain --plain-after %s
; A CPU with arithmetic of halves needs nothing.
; RUN: cm-opt --march=cpu --mcpu=sapphirerapids --passes=cpu-half-functions %s | FileCheck --check-prefix=HALF %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @functions(
; CHECK: [[X:%.*]] = fpext <8 x half> %x to <8 x float>
; CHECK: [[R:%.*]] = call <8 x float> @llvm.sqrt.v8f32(<8 x float> [[X]])
; CHECK: fptrunc <8 x float> [[R]] to <8 x half>
; CHECK: call <8 x float> @llvm.floor.v8f32(
; CHECK: call <8 x float> @llvm.roundeven.v8f32(
; HALF: call <8 x half> @llvm.sqrt.v8f16(
; run: functions(random, random)
; run: functions(0..9, random)
; run: functions(random, -5..5)
define <24 x half> @functions(<8 x half> %x, <8 x half> %y) {
  %root = call <8 x half> @llvm.sqrt.v8f16(<8 x half> %x)
  %low = call <8 x half> @llvm.floor.v8f16(<8 x half> %y)
  %even = call <8 x half> @llvm.roundeven.v8f16(<8 x half> %x)
  %two = shufflevector <8 x half> %root, <8 x half> %low, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %wide = shufflevector <8 x half> %even, <8 x half> poison, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %all = shufflevector <24 x half> %two, <24 x half> %wide, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  ret <24 x half> %all
}

; Which zero is the least is open.
; CHECK-LABEL: @of_two(
; CHECK: call <8 x float> @llvm.minnum.v8f32(
; CHECK: call <8 x float> @llvm.maxnum.v8f32(
; run: of_two(-9..9, -9..9)
define <8 x half> @of_two(<8 x half> %x, <8 x half> %y) {
  %less = call <8 x half> @llvm.minnum.v8f16(<8 x half> %x, <8 x half> splat (half 5.0))
  %more = call <8 x half> @llvm.maxnum.v8f16(<8 x half> %less, <8 x half> %y)
  ret <8 x half> %more
}

; CHECK-LABEL: @largest(
; CHECK: call <4 x float> @llvm.maxnum.v4f32(
; CHECK: call <2 x float> @llvm.maxnum.v2f32(
; CHECK: call <1 x float> @llvm.maxnum.v1f32(
; CHECK: fptrunc float
; run: largest(random)
; run: largest(-9..9)
define half @largest(<8 x half> %x) {
  %r = call half @llvm.vector.reduce.fmax.v8f16(<8 x half> %x)
  ret half %r
}

; CHECK-LABEL: @least(
; CHECK: call <2 x double> @llvm.minnum.v2f64(
; CHECK: call <1 x double> @llvm.minnum.v1f64(
; run: least(random)
; run: least(-9..9)
define double @least(<4 x double> %x) {
  %r = call double @llvm.vector.reduce.fmin.v4f64(<4 x double> %x)
  ret double %r
}

; Products and sums with bytes, from either side; words may lose digits as halves.
; CHECK-LABEL: @bytes(
; CHECK: uitofp <8 x i8> %b to <8 x float>
; CHECK: fmul <8 x float>
; CHECK: sitofp <8 x i8> %b to <8 x float>
; CHECK: fsub <8 x float>
; CHECK: sitofp <8 x i16> %w to <8 x half>
; CHECK: fadd <8 x half>
; HALF-LABEL: @bytes(
; HALF: fmul <8 x half>
; run: bytes(random, random, random)
; run: bytes(-9..-2, random, 2046..2053)
define <24 x half> @bytes(<8 x half> %x, <8 x i8> %b, <8 x i16> %w) {
  %u = uitofp <8 x i8> %b to <8 x half>
  %p = fmul <8 x half> %x, %u
  %s = sitofp <8 x i8> %b to <8 x half>
  %d = fsub <8 x half> %s, %x
  %l = sitofp <8 x i16> %w to <8 x half>
  %a = fadd <8 x half> %x, %l
  %two = shufflevector <8 x half> %p, <8 x half> %d, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %wide = shufflevector <8 x half> %a, <8 x half> poison, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %all = shufflevector <24 x half> %two, <24 x half> %wide, <24 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  ret <24 x half> %all
}
