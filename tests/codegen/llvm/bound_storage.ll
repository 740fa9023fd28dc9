; Accesses whose place is known at run time stay inside their variable; what is inside anyway stays as it is.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-bound-storage %s | FileCheck %s

; 16 dwords, of which one is read: its offset is a multiple of 4 and at most 60, which a mask makes of any.
; CHECK-LABEL: @load(
; CHECK: [[O:%.*]] = and i64 {{.*}}, 63
; CHECK: [[P:%.*]] = getelementptr i8, ptr %a, i64 [[O]]
; CHECK: load i32, ptr [[P]]
define i32 @load(i64 %n) {
  %a = alloca [16 x i32]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}

; 17 of them: a mask would lead out, or not to all of them.
; CHECK-LABEL: @load_of_17(
; CHECK: [[O:%.*]] = call i64 @llvm.umin.i64(i64 {{.*}}, i64 64)
; CHECK: [[P:%.*]] = getelementptr i8, ptr %a, i64 [[O]]
; CHECK: load i32, ptr [[P]]
define i32 @load_of_17(i64 %n) {
  %a = alloca [17 x i32]
  %p = getelementptr [17 x i32], ptr %a, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}

; A dword at any byte of 64: a mask would let the last ones begin at 61 to 63.
; CHECK-LABEL: @load_of_bytes(
; CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 60)
define i32 @load_of_bytes(i64 %n) {
  %a = alloca [64 x i8]
  %p = getelementptr i8, ptr %a, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}

; Rows of 16 bytes.
; CHECK-LABEL: @row(
; CHECK: [[O:%.*]] = and i64 {{.*}}, 1023
; CHECK: getelementptr i8, ptr %a, i64 [[O]]
define <4 x i32> @row(i32 %n) {
  %a = alloca [1024 x i8]
  %i = zext i32 %n to i64
  %o = shl i64 %i, 4
  %p = getelementptr i8, ptr %a, i64 %o
  %v = load <4 x i32>, ptr %p
  ret <4 x i32> %v
}

; CHECK-LABEL: @constant_place(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @constant_place() {
  %a = alloca [16 x i32]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 15
  %v = load i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: @masked_place(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @masked_place(i64 %n) {
  %a = alloca [16 x i32]
  %k = and i64 %n, 15
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %k
  %v = load i32, ptr %p
  ret i32 %v
}

; Two rows of 2 dwords 16 bytes apart: from the first byte to the last there are 24.
; CHECK-LABEL: @region(
; CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 40)
define <4 x i32> @region(i64 %n) {
  %a = alloca [16 x i32]
  %p = getelementptr i8, ptr %a, i64 %n
  %v = call <4 x i32> @cm.region.read.v4i32(ptr %p, i64 16, i32 2, i32 1, i32 0)
  ret <4 x i32> %v
}

; The group's variable of 64 bytes, written in 16.
; CHECK-LABEL: @of_the_group(
; CHECK: call i64 @llvm.umin.i64(i64 {{.*}}, i64 48)
define void @of_the_group(i64 %n, <4 x i32> %v) {
  %a = call ptr @cm.local.base(i32 128, i32 64)
  %p = getelementptr i8, ptr %a, i64 %n
  store <4 x i32> %v, ptr %p
  ret void
}

declare <4 x i32> @cm.region.read.v4i32(ptr, i64, i32, i32, i32)
declare ptr @cm.local.base(i32, i32)

; Tables of constants have bounds, too.
; CHECK-LABEL: @entry_of_table(
; CHECK: and i64 {{.*}}, 15
define i32 @entry_of_table(i64 %n) {
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}
@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; What is larger than the variable has no place in it.
; CHECK-LABEL: @larger(
; CHECK: store <64 x i32> zeroinitializer, ptr null
define void @larger() {
  %a = alloca [16 x i32]
  store <64 x i32> zeroinitializer, ptr %a
  ret void
}

; Bytes are moved as far as the variable has them.
; CHECK-LABEL: @fill(
; CHECK: [[ROOM:%.*]] = call i64 @llvm.usub.sat.i64(i64 64, i64 %{{.*}})
; CHECK: [[LENGTH:%.*]] = call i64 @llvm.umin.i64(i64 %m, i64 [[ROOM]])
; CHECK: call void @llvm.memset.p0.i64(ptr %p, i8 3, i64 [[LENGTH]], i1 false)
; CHECK: [[ALL:%.*]] = call i64 @llvm.usub.sat.i64(i64 64, i64 0)
; CHECK: [[LESS:%.*]] = call i64 @llvm.umin.i64(i64 3000, i64 [[ALL]])
; CHECK: call void @llvm.memset.p0.i64(ptr %a, i8 3, i64 [[LESS]], i1 false)
; CHECK: ret
define void @fill(i64 %n, i64 %m) {
  %a = alloca [16 x i32]
  %p = getelementptr i8, ptr %a, i64 %n
  call void @llvm.memset.p0.i64(ptr %p, i8 3, i64 %m, i1 false)
  call void @llvm.memset.inline.p0.i64(ptr %a, i8 3, i64 3000, i1 false)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)

; CHECK-LABEL: @in_other_space(
; CHECK: and i64 {{.*}}, 63
define void @in_other_space(i64 %n) {
  %a = alloca [16 x i32]
  %p = addrspacecast ptr %a to ptr addrspace(4)
  %q = getelementptr i32, ptr addrspace(4) %p, i64 %n
  store i32 7, ptr addrspace(4) %q
  ret void
}

; A region that is larger than its vector: each element has a place of its own, which stays inside later.
; CHECK-LABEL: @replicated(
; CHECK: [[S:%.*]] = insertelement <8 x i16> poison, i16 %o, i64 0
; CHECK: [[A:%.*]] = shufflevector <8 x i16> [[S]], {{.*}} zeroinitializer
; CHECK: [[P:%.*]] = add <8 x i16> [[A]], <i16 0, i16 4, i16 8, i16 12, i16 8, i16 12, i16 16, i16 20>
; CHECK: call <8 x i32> @llvm.genx.rdregioni{{.*}}(<4 x i32> %v, i32 0, i32 1, i32 0, <8 x i16> [[P]],
define <8 x i32> @replicated(<4 x i32> %v, i16 %o) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v4i32.i16(<4 x i32> %v, i32 2, i32 4, i32 1, i16 %o, i32 undef)
  ret <8 x i32> %r
}

; One that has room stays.
; CHECK-LABEL: @replicated_inside(
; CHECK: call <8 x i32> @llvm.genx.rdregioni.v8i32.v4i32.i16(<4 x i32> %v, i32 0, i32 4, i32 1, i16 %o, i32 undef)
define <8 x i32> @replicated_inside(<4 x i32> %v, i16 %o) {
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v4i32.i16(<4 x i32> %v, i32 0, i32 4, i32 1, i16 %o, i32 undef)
  ret <8 x i32> %r
}
declare <8 x i32> @llvm.genx.rdregioni.v8i32.v4i32.i16(<4 x i32>, i32, i32, i32, i16, i32)
