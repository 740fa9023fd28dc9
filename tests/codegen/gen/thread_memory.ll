; Variables that stay in memory lie in one frame; what is aligned goes in owords, the rest channel by channel.
; RUN: cm-opt --march=SKL --passes=gen-thread-memory %s | FileCheck %s
; RUN: cm-opt --march=SKL --passes=gen-thread-memory %s | run-lines %s
declare void @use(ptr)

; CHECK-LABEL: @two(
; CHECK: %frame = alloca [4160 x i8], align 16
; CHECK-NOT: alloca
; CHECK: call void @cm.frame.write.v16i32(ptr %frame, i32 256, <16 x i32> %v)
; CHECK: [[I:%.*]] = trunc i64 %{{.*}} to i32
; CHECK: [[AT:%.*]] = add i32 0, [[I]]
; CHECK: call void @cm.frame.scatter.v1i1.v1i32(<1 x i1> splat (i1 true), ptr %frame, <1 x i32>
; CHECK: [[X:%.*]] = call <1 x i32> @cm.frame.gather.v1i32.v1i1(<1 x i1> splat (i1 true), ptr %frame, <1 x i32>
; CHECK: bitcast <1 x i32> [[X]] to i32
; run: two(0..7, random, random)
define i32 @two(i64 %i, <16 x i32> %v, i32 %y) {
  %a = alloca [1024 x i32], align 4
  %b = alloca <16 x i32>, align 16
  store <16 x i32> %v, ptr %b, align 16
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %y, ptr %p, align 4
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; Pointers that meet are offsets that meet; 20 bytes are an oword and a dword.
; CHECK-LABEL: @meet(
; CHECK: [[P:%.*]] = select i1 %c, i32 0, i32 32
; CHECK: icmp eq i32 [[P]], 32
; CHECK: add i32 [[P]], 0
; CHECK: call <4 x i32> @cm.frame.read.v4i32(ptr %frame
; CHECK: add i32 [[P]], 16
; CHECK: call <1 x i32> @cm.frame.gather.v1i32.v1i1(
define <5 x i32> @meet(i1 %c) {
  %a = alloca [5 x i32], align 16
  %b = alloca [5 x i32], align 16
  %p = select i1 %c, ptr %a, ptr %b
  %same = icmp eq ptr %p, %b
  %v = load <5 x i32>, ptr %p, align 16
  ret <5 x i32> %v
}

; A pointer in memory is the number behind its offset, null is 0.
; CHECK-LABEL: @kept(
; CHECK-NOT: alloca ptr
; CHECK: [[P:%.*]] = call <2 x i32> @cm.frame.gather.v2i32
; CHECK: [[Q:%.*]] = trunc i64 {{.*}} to i32
; CHECK: [[R:%.*]] = sub i32 [[Q]], 1
; CHECK: icmp eq i32 [[R]], -1
define i1 @kept(i64 %i, ptr %q) {
  %a = alloca [8 x i32], align 16
  %p = alloca [4 x ptr], align 16
  %to = getelementptr ptr, ptr %p, i64 %i
  %element = getelementptr i32, ptr %a, i64 %i
  store ptr %element, ptr %p, align 8
  %kept = load ptr, ptr %to, align 8
  store i32 7, ptr %kept, align 4
  %none = icmp eq ptr %kept, null
  ret i1 %none
}

; Others in the thread's memory are addresses.
; CHECK-LABEL: @addresses(
; CHECK: call <2 x i32> @cm.frame.gather.v2i32
; CHECK: call <1 x i32> @llvm.genx.svm.gather
define i32 @addresses(i64 %i, i64 %address) {
  %p = alloca [4 x ptr], align 16
  %to = getelementptr ptr, ptr %p, i64 %i
  %q = inttoptr i64 %address to ptr
  store ptr %q, ptr %p, align 8
  %kept = load ptr, ptr %to, align 8
  %x = load i32, ptr %kept, align 4
  ret i32 %x
}

; A pointer that gets away is left alone.
; CHECK-LABEL: @away(
; CHECK: alloca [8 x i32]
; CHECK: call void @use(
define void @away() {
  %a = alloca [8 x i32], align 4
  call void @use(ptr %a)
  ret void
}

declare ptr @cm.local.base(i32, i32)

; A group's variables lie in shared local memory, whose offset a pointer is.
; CHECK-LABEL: @shared(
; CHECK-NOT: cm.local.base
; CHECK: call <1 x i32> @llvm.genx.gather.scaled.{{.*}}(<1 x i1> splat (i1 true), i32 2, i16 0, i32 254, i32 0, <1 x i32>
; CHECK: call void @llvm.genx.oword.st.v8i32(i32 254, i32 6, <8 x i32> %v)
define i32 @shared(i64 %i, <8 x i32> %v) {
  %base = call ptr @cm.local.base(i32 64, i32 64)
  %p = getelementptr i32, ptr %base, i64 %i
  %x = load i32, ptr %p, align 4
  %q = getelementptr i8, ptr %base, i64 32
  store <8 x i32> %v, ptr %q, align 32
  ret i32 %x
}

; Other pointers are addresses.
; CHECK-LABEL: @flat(
; CHECK: [[P:%.*]] = add i64 %address, 12
; CHECK: call <1 x i32> @llvm.genx.svm.gather.{{.*}}, <1 x i64>
; CHECK: ret i64 [[P]]
define i64 @flat(i64 %address, ptr %result) {
  %base = inttoptr i64 %address to ptr
  %p = getelementptr i8, ptr %base, i64 12
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %result
  %n = ptrtoint ptr %p to i64
  ret i64 %n
}

; Where memories meet, a pointer says its kind in its upper bits.
; CHECK-LABEL: @mixed(
; CHECK: [[P:%.*]] = select i1 %c, i64 %address, i64 -9223372036854775808
; CHECK: lshr <1 x i64> {{%.*}}, splat (i64 62)
; CHECK: [[FLAT:%.*]] = icmp eq <1 x i32> [[KIND:%.*]], zeroinitializer
; CHECK: [[OLD:%.*]] = call <1 x i32> @llvm.genx.svm.gather.{{.*}}(<1 x i1> [[FLAT]], i32 0, <1 x i64>
; CHECK: [[SHARED:%.*]] = icmp eq <1 x i32> [[KIND]], splat (i32 2)
; CHECK: call <1 x i32> @llvm.genx.gather.scaled.{{.*}}(<1 x i1> [[SHARED]], i32 2, i16 0, i32 254, i32 0, <1 x i32> {{%.*}}, <1 x i32> [[OLD]])
; CHECK-NOT: frame.gather
; CHECK: ret
define i32 @mixed(i64 %address, i1 %c) {
  %base = inttoptr i64 %address to ptr
  %local = call ptr @cm.local.base(i32 0, i32 64)
  %p = select i1 %c, ptr %base, ptr %local
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; A variable whose pointer is kept where the host's memory keeps pointers is found again.
; CHECK-LABEL: @keptByOthers(
; CHECK: add i64 4611686018427387904,
; CHECK: svm.scatter
; CHECK: [[KEPT:%.*]] = call <2 x i32> @llvm.genx.svm.gather
; CHECK: svm.gather
; CHECK: frame.gather
; CHECK-NOT: llvm.genx.gather.scaled
; CHECK: ret
define i32 @keptByOthers(i64 %address, i32 %i) {
  %mine = alloca [8 x i32], align 4
  %memory = inttoptr i64 %address to ptr
  %at = getelementptr i32, ptr %mine, i32 %i
  store i32 5, ptr %at, align 4
  store ptr %at, ptr %memory, align 4
  %kept = load ptr, ptr %memory, align 4
  %x = load i32, ptr %kept, align 4
  ret i32 %x
}

; A private pointer is no address: messages take numbers for those.
; CHECK-LABEL: @asNumber(
; CHECK: ptrtoint ptr
define i64 @asNumber(i64 %address, i1 %c) {
  %mine = alloca [8 x i32], align 4
  %memory = inttoptr i64 %address to ptr
  %p = select i1 %c, ptr %mine, ptr %memory
  %n = ptrtoint ptr %p to i64
  ret i64 %n
}

; Bytes that are copied, filled or moved over themselves, and none at all.
; run: copied(0..39, random)
; run: copied(0..39, 0x01020304)
define i32 @copied(i64 %i, i32 %y) {
  %a = alloca [1024 x i32], align 4
  %b = alloca [1024 x i32], align 4
  call void @llvm.memset.p0.i64(ptr %b, i8 -91, i64 160, i1 false)
  call void @llvm.memset.p0.i64(ptr %a, i8 7, i64 160, i1 false)
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %y, ptr %p, align 4
  %from = getelementptr i8, ptr %a, i64 12
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %a, i64 100, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %from, ptr align 4 %a, i64 64, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %b, ptr align 4 %from, i64 0, i1 false)
  %q = getelementptr i32, ptr %b, i64 %i
  %x = load i32, ptr %q, align 4
  %z = load i32, ptr %p, align 4
  %t = mul i32 %x, 3
  %s = add i32 %t, %z
  ret i32 %s
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
