; What is computed of regions of constants alone is a constant, before baling asks what an operand is.
; RUN: cm-opt --march=SKL --passes=gen-constants %s -o - | FileCheck %s
; CHECK-LABEL: define {{.*}}@k
; CHECK-NOT: sub
; CHECK: ret <49 x i8> zeroinitializer
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare <49 x i8> @llvm.genx.rdregioni.v49i8.v16i8.i16(<16 x i8>, i32, i32, i32, i16, i32)

define <49 x i8> @k() {
  %a = call <49 x i8> @llvm.genx.rdregioni.v49i8.v16i8.i16(<16 x i8> zeroinitializer, i32 0, i32 49, i32 0, i16 8, i32 undef)
  %b = call <49 x i8> @llvm.genx.rdregioni.v49i8.v16i8.i16(<16 x i8> zeroinitializer, i32 0, i32 49, i32 0, i16 9, i32 undef)
  %less = sub <49 x i8> %a, %b
  ret <49 x i8> %less
}
