; What branches ask, and what places in memory are made of, has a value: LLVM leaves out ways that are taken without one,
; and with them the exits of loops that bounds rest on.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-claims,cpu-decisions %s | FileCheck %s

declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)

; CHECK-LABEL: @shifted(
; CHECK: store volatile i8 7
; CHECK: store volatile i8 1, ptr null
; CHECK: ret void
define void @shifted() {
  %a = alloca [16 x i8]
  %z = shl i8 1, 77
  %i = zext i8 %z to i64
  %p = getelementptr [16 x i8], ptr %a, i64 0, i64 %i
  store volatile i8 7, ptr %p
  store volatile i8 1, ptr undef
  ret void
}

; An amount that is known to be less than the width makes nothing undefined.
; CHECK-LABEL: @shifted_by_few(
; CHECK-NOT: freeze
; CHECK: ret void
define void @shifted_by_few(i64 %n, i64 %m) {
  %a = alloca [16 x i8]
  %few = and i64 %m, 31
  %i = lshr i64 %n, %few
  %p = getelementptr [16 x i8], ptr %a, i64 0, i64 %i
  store volatile i8 7, ptr %p
  ret void
}

; CHECK-LABEL: @shifted_by_any(
; CHECK: freeze i64
; CHECK: ret void
define void @shifted_by_any(i64 %n, i64 %m) {
  %a = alloca [16 x i8]
  %i = lshr i64 %n, %m
  %p = getelementptr [16 x i8], ptr %a, i64 0, i64 %i
  store volatile i8 7, ptr %p
  ret void
}

; Through a loop: from its first round on. It has a value in front of the loop, which is not asked again.
; CHECK-LABEL: @round(
; CHECK: entry:
; CHECK: [[FIRST:%.*]] = freeze i32 %first
; CHECK: %i = phi i32 [ [[FIRST]], %entry ]
; CHECK-NOT: freeze
; CHECK: br i1 %more,
define void @round(i32 %n, i32 %m) {
entry:
  %first = shl i32 1, %m
  br label %loop
loop:
  %i = phi i32 [%first, %entry], [%next, %loop]
  store volatile i32 %i, ptr null
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A phi of what is nothing at first, and a number of which two places are made.
; CHECK-LABEL: @twice(
; CHECK: %s = phi i32 [ 0, %entry ]
; CHECK: %x = shl
; CHECK: [[X:%.*]] = freeze i32 %x
; CHECK: %more = add i32 {{.*}}[[X]]
; CHECK-NOT: freeze
; CHECK: ret void
define void @twice(i32 %m) {
entry:
  %a = alloca [16 x i8]
  br label %loop
loop:
  %s = phi i32 [poison, %entry], [%more, %loop]
  %amount = add i32 %m, %s
  %x = shl i32 1, %amount
  %more = add i32 %x, %s
  %p = getelementptr [16 x i8], ptr %a, i64 0, i32 %x
  store volatile i8 7, ptr %p
  %again = icmp ult i32 %more, 100
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Lane by lane: a value in every element of a vector that was nothing before.
; CHECK-LABEL: @lanes(
; CHECK-NOT: freeze
; CHECK: getelementptr
; CHECK: freeze i32
; CHECK: ret void
define void @lanes(i32 %n) {
  %a = alloca [16 x i8]
  %one = insertelement <8 x i32> poison, i32 %n, i64 0
  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> zeroinitializer
  %whole = extractelement <8 x i32> %all, i64 5
  %p = getelementptr [16 x i8], ptr %a, i64 0, i32 %whole
  store volatile i8 7, ptr %p
  %other = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 0, i32 0, i32 0>
  %sum = add <8 x i32> %other, %all
  %q = getelementptr [16 x i8], ptr %a, i64 0, i32 %n
  store volatile i8 7, ptr %q
  %k = and i32 %n, 3
  %open = extractelement <8 x i32> %sum, i32 %k
  %r = getelementptr [16 x i8], ptr %a, i64 0, i32 %open
  store volatile i8 7, ptr %r
  ret void
}

; A region that leaves its vector.
; CHECK-LABEL: @region(
; CHECK: freeze
; CHECK: ret void
define void @region(<16 x i32> %v) {
  %a = alloca [16 x i8]
  %part = call <4 x i32> @llvm.genx.rdregioni.v4i32.v16i32.i16(<16 x i32> %v, i32 4, i32 4, i32 1, i16 56, i32 0)
  %last = extractelement <4 x i32> %part, i64 3
  %p = getelementptr [16 x i8], ptr %a, i64 0, i32 %last
  store volatile i8 7, ptr %p
  ret void
}

; CHECK-LABEL: @message(
; CHECK: call void @llvm.genx.oword.st.v8i32(i32 0, i32 0, <8 x i32> poison)
define void @message() {
  call void @llvm.genx.oword.st.v8i32(i32 poison, i32 undef, <8 x i32> poison)
  ret void
}

; Addresses lead to their variable.
; CHECK-LABEL: @hidden(
; CHECK-NOT: freeze ptr
; CHECK-NOT: ptrmask
; CHECK: ret void
define void @hidden(i64 %n) {
  %a = alloca [16 x i32]
  %p = getelementptr i32, ptr %a, i64 %n
  %q = freeze ptr %p
  store volatile i32 7, ptr %q
  %r = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 %n)
  store volatile i32 7, ptr %r
  ret void
}

; That alone is a change, which the pass says.
; CHECK-LABEL: @masked_alone(
; CHECK-NOT: ptrmask
; CHECK: ret void
define void @masked_alone(ptr %p) {
  %r = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  store volatile i32 7, ptr %r
  ret void
}

; What is read of a variable may not have been written, whichever way it is read.
; CHECK-LABEL: @read_of_one_of_two(
; CHECK: %[[A:.*]] = freeze
; CHECK: br i1
; CHECK: freeze
; CHECK: br i1
define void @read_of_one_of_two(ptr %out, i1 %k) {
  %u = alloca [16 x i32]
  %w = alloca [16 x i32]
  %v = call <4 x i32> @cm.region.read.v4i32(ptr %u, i64 0, i32 4, i32 1, i32 0)
  %e = extractelement <4 x i32> %v, i32 1
  %c = icmp eq i32 %e, 3
  br i1 %c, label %x, label %y
x:
  store volatile i32 1, ptr %out
  br label %y
y:
  %one = select i1 %k, ptr %u, ptr %w
  %l = load i32, ptr %one
  %d = icmp eq i32 %l, 3
  br i1 %d, label %x2, label %y2
x2:
  store volatile i32 2, ptr %out
  br label %y2
y2:
  ret void
}
declare <4 x i32> @cm.region.read.v4i32(ptr, i64, i32, i32, i32)
