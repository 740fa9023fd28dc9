; Loops over elements become operations on vectors where no iteration takes what another one has written.
; RUN: cm-opt --passes=vectorize-elements %s | FileCheck %s

; The elements side by side, a column of a matrix, a value that all take, and the counter as a number.
; CHECK-LABEL: @elements(
; CHECK-NOT: phi
; CHECK: %[[X:.*]] = call <16 x float> @cm.region.read.v16f32(ptr %{{.*}}, i64 0, i32 16, i32 1, i32 0)
; CHECK: %[[Y:.*]] = fmul <16 x float> %[[X]], %{{.*}}
; CHECK: %[[N:.*]] = sitofp <16 x i32> <i32 0, i32 1, {{.*}}, i32 15> to <16 x float>
; CHECK: %[[Z:.*]] = fadd <16 x float> %[[Y]], %[[N]]
; CHECK: call void @cm.region.write.v16f32(ptr %{{.*}}, <16 x float> %[[Z]], i64 64, i32 1, i32 1)
; CHECK-NOT: phi
; CHECK: ret
define void @elements(float %f) {
entry:
  %a = alloca [256 x float]
  %r = alloca [256 x float]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %a, i32 %i
  %x = load float, ptr %p
  %y = fmul float %x, %f
  %n = sitofp i32 %i to float
  %z = fadd float %y, %n
  %row = shl nuw nsw i32 %i, 4
  %column = or disjoint i32 %row, 3
  %q = getelementptr float, ptr %r, i32 %column
  store float %z, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What a later iteration writes may be read before it is; more than 64 go one behind the other.
; CHECK-LABEL: @before(
; CHECK: call <64 x i16> @cm.region.read.v64i16(
; CHECK: call void @cm.region.write.v64i16(
; CHECK: call <5 x i16> @cm.region.read.v5i16(
; CHECK: call void @cm.region.write.v5i16(
; CHECK-NOT: phi
; CHECK: ret
define void @before() {
entry:
  %v = alloca [80 x i16]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr i16, ptr %v, i64 %next
  %x = load i16, ptr %p
  %q = getelementptr i16, ptr %v, i64 %i
  store i16 %x, ptr %q
  %more = icmp ult i64 %next, 69
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Left alone: an earlier iteration's element is read, a sum is carried, other memory.
; CHECK-LABEL: @behind(
; CHECK: phi
; CHECK: ret
define void @behind() {
entry:
  %v = alloca [80 x i16]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i16, ptr %v, i64 %i
  %x = load i16, ptr %p
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr i16, ptr %v, i64 %next
  store i16 %x, ptr %q
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @carried(
; CHECK: phi float
; CHECK: ret
define float @carried() {
entry:
  %v = alloca [16 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr float, ptr %v, i64 %i
  %x = load float, ptr %p
  %t = fadd float %s, %x
  store float %t, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret float %t
}
; CHECK-LABEL: @memory(
; CHECK: phi
; CHECK: ret
define void @memory(ptr %v) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %v, i64 %i
  store i32 7, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}
; The sum over k is unrolled, and all j are computed at once.
; CHECK-LABEL: @product(
; CHECK: phi i32
; CHECK: call <8 x float> @cm.region.read.v8f32(
; CHECK: call <8 x float> @cm.region.read.v8f32(
; CHECK: fadd <8 x float>
; CHECK: call void @cm.region.write.v8f32(
; CHECK-NOT: phi
; CHECK: ret
define void @product() {
entry:
  %a = alloca [16 x float]
  %b = alloca [16 x float]
  %c = alloca [64 x float]
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rows.end ]
  %row = shl nuw nsw i32 %i, 3
  br label %columns
columns:
  %j = phi i32 [ 0, %rows ], [ %j.next, %columns.end ]
  br label %sum
sum:
  %k = phi i32 [ 0, %columns ], [ %k.next, %sum ]
  %s = phi float [ 0.0, %columns ], [ %t, %sum ]
  %p = getelementptr float, ptr %a, i32 %k
  %x = load float, ptr %p
  %below = shl nuw nsw i32 %k, 3
  %at = or disjoint i32 %below, %j
  %q = getelementptr float, ptr %b, i32 %at
  %y = load float, ptr %q
  %xy = fmul float %x, %y
  %t = fadd float %s, %xy
  %k.next = add nuw nsw i32 %k, 1
  %k.more = icmp ult i32 %k.next, 2
  br i1 %k.more, label %sum, label %columns.end
columns.end:
  %total = phi float [ %t, %sum ]
  %place = or disjoint i32 %row, %j
  %o = getelementptr float, ptr %c, i32 %place
  store float %total, ptr %o
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 8
  br i1 %j.more, label %columns, label %rows.end
rows.end:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %rows, label %end
end:
  ret void
}

; So often as is known at run time, by an index of 16 bits: as many as there are, of which some are written.
; CHECK-LABEL: @some(
; CHECK-NOT: phi
; CHECK: %[[ON:.*]] = icmp ule <16 x i32> <i32 0, i32 1, {{.*}}, i32 15>, %{{.*}}
; CHECK: %[[OLD:.*]] = call <16 x i32> @cm.region.read.v16i32(
; CHECK: %[[NEW:.*]] = select <16 x i1> %[[ON]], <16 x i32> splat (i32 7), <16 x i32> %[[OLD]]
; CHECK: call void @cm.region.write.v16i32(ptr %{{.*}}, <16 x i32> %[[NEW]],
; CHECK-NOT: phi
; CHECK: ret
define void @some(i32 %n) {
entry:
  %v = alloca [16 x i32]
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %start, label %end
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  %index = and i32 %i, 65535
  %at = zext nneg i32 %index to i64
  %p = getelementptr inbounds nuw i32, ptr %v, i64 %at
  store i32 7, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  br label %end
end:
  ret void
}

; Under a condition: what is read there exists in all iterations, and nothing is divided.
; CHECK-LABEL: @where(
; CHECK-NOT: phi
; CHECK: %[[X:.*]] = call <16 x i32> @cm.region.read.v16i32(
; CHECK: %[[ON:.*]] = icmp sgt <16 x i32> %[[X]],
; CHECK: %[[NEW:.*]] = call <16 x i32> @cm.region.read.v16i32(
; CHECK: select <16 x i1> %[[ON]], <16 x i32> %[[NEW]],
; CHECK: call void @cm.region.write.v16i32(
; CHECK-NOT: phi
; CHECK: ret
define void @where() {
entry:
  %v = alloca [16 x i32]
  %w = alloca [17 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr i32, ptr %v, i64 %i
  %x = load i32, ptr %p
  %is = icmp sgt i32 %x, 3
  br i1 %is, label %then, label %latch
then:
  %q = getelementptr i32, ptr %w, i64 %next
  %y = load i32, ptr %q
  store i32 %y, ptr %p
  br label %latch
latch:
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}
; The last iteration has no element to read, nor condition to be true for one.
; CHECK-LABEL: @nowhere(
; CHECK: %[[AT:.*]] = getelementptr i8, ptr %v, i64 4
; CHECK: %[[SOME:.*]] = call <15 x i32> @cm.region.read.v15i32(ptr %[[AT]], i64 0, i32 15, i32 1, i32 0)
; CHECK: %[[ALL:.*]] = call <16 x i32> @llvm.genx.wrregioni.{{.*}}(<16 x i32> zeroinitializer, <15 x i32> %[[SOME]], i32 0, i32 15, i32 1, i16 0,
; CHECK: %[[NEW:.*]] = select <16 x i1> %{{.*}}, <16 x i32> %[[ALL]], <16 x i32>
; CHECK: call void @cm.region.write.v16i32(ptr %{{.*}}, <16 x i32> %[[NEW]], i64 0, i32 16, i32 1)
; CHECK-NOT: phi
; CHECK: ret
define void @nowhere() {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr i32, ptr %v, i64 %i
  %x = load i32, ptr %p
  %is = icmp sgt i32 %x, 3
  br i1 %is, label %then, label %latch
then:
  %q = getelementptr i32, ptr %v, i64 %next
  %y = load i32, ptr %q
  store i32 %y, ptr %p
  br label %latch
latch:
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}
; Nor do the first two, nor the last five lanes of the second half: what is read, and what is written.
; CHECK-LABEL: @outside(
; CHECK: %[[FROM:.*]] = getelementptr i8, ptr %v, i64 0
; CHECK: %[[SOME:.*]] = call <62 x i32> @cm.region.read.v62i32(ptr %[[FROM]], i64 0, i32 62, i32 1, i32 0)
; CHECK: call <64 x i32> @llvm.genx.wrregioni.{{.*}}(<64 x i32> zeroinitializer, <62 x i32> %[[SOME]], i32 0, i32 62, i32 1, i16 8,
; CHECK: call <62 x i32> @llvm.genx.rdregioni.{{.*}}, i32 0, i32 62, i32 1, i16 8,
; CHECK: call void @cm.region.write.v62i32(
; CHECK: call <3 x i32> @cm.region.read.v3i32(
; CHECK: call void @cm.region.write.v3i32(
; CHECK-NOT: phi
; CHECK: ret
define void @outside() {
entry:
  %v = alloca [65 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %k = add nsw i32 %i, -2
  %is = icmp ult i32 %k, 65
  br i1 %is, label %then, label %latch
then:
  %x = zext nneg i32 %k to i64
  %p = getelementptr i32, ptr %v, i64 %x
  %y = load i32, ptr %p
  %z = mul i32 %y, 3
  store i32 %z, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 72
  br i1 %more, label %loop, label %end
end:
  ret void
}
; What may be zero where it is not asked for is one there.
; CHECK-LABEL: @divided(
; CHECK: %[[X:.*]] = call <16 x i32> @cm.region.read
; CHECK: %[[ON:.*]] = icmp sgt <16 x i32> %[[X]], splat (i32 3)
; CHECK: %[[BY:.*]] = select <16 x i1> %[[ON]], <16 x i32> %[[X]], <16 x i32> splat (i32 1)
; CHECK: sdiv <16 x i32> splat (i32 100), %[[BY]]
; CHECK: call void @cm.region.write.v16i32(
; CHECK: ret
define void @divided() {
entry:
  %v = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %next = add nuw nsw i64 %i, 1
  %p = getelementptr i32, ptr %v, i64 %i
  %x = load i32, ptr %p
  %is = icmp sgt i32 %x, 3
  br i1 %is, label %then, label %latch
then:
  %y = sdiv i32 100, %x
  store i32 %y, ptr %p
  br label %latch
latch:
  %more = icmp ult i64 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What comes behind the loop may depend on whether it was there.
; CHECK-LABEL: @chosen(
; CHECK: call void @cm.region.write.v16i32(
; CHECK: end:
; CHECK-NEXT: %r = phi i32 [ 1, %entry ], [ %n, %start ]
define i32 @chosen(i32 %n) {
entry:
  %v = alloca [16 x i32]
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %start, label %end
start:
  br label %loop
loop:
  %i = phi i32 [ 0, %start ], [ %next, %loop ]
  %at = zext nneg i32 %i to i64
  %p = getelementptr inbounds nuw i32, ptr %v, i64 %at
  store i32 7, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 1, %entry ], [ %n, %loop ]
  ret i32 %r
}

; Each value is asked about once, however often it is used: there are 2^40 ways from the last of these to the first.
; CHECK-LABEL: @squares(
; CHECK-COUNT-40: mul <8 x i32>
; CHECK: ret
define void @squares() {
entry:
  %v = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %v, i64 %i
  %x0 = load i32, ptr %p
  %x1 = mul i32 %x0, %x0
  %x2 = mul i32 %x1, %x1
  %x3 = mul i32 %x2, %x2
  %x4 = mul i32 %x3, %x3
  %x5 = mul i32 %x4, %x4
  %x6 = mul i32 %x5, %x5
  %x7 = mul i32 %x6, %x6
  %x8 = mul i32 %x7, %x7
  %x9 = mul i32 %x8, %x8
  %x10 = mul i32 %x9, %x9
  %x11 = mul i32 %x10, %x10
  %x12 = mul i32 %x11, %x11
  %x13 = mul i32 %x12, %x12
  %x14 = mul i32 %x13, %x13
  %x15 = mul i32 %x14, %x14
  %x16 = mul i32 %x15, %x15
  %x17 = mul i32 %x16, %x16
  %x18 = mul i32 %x17, %x17
  %x19 = mul i32 %x18, %x18
  %x20 = mul i32 %x19, %x19
  %x21 = mul i32 %x20, %x20
  %x22 = mul i32 %x21, %x21
  %x23 = mul i32 %x22, %x22
  %x24 = mul i32 %x23, %x23
  %x25 = mul i32 %x24, %x24
  %x26 = mul i32 %x25, %x25
  %x27 = mul i32 %x26, %x26
  %x28 = mul i32 %x27, %x27
  %x29 = mul i32 %x28, %x28
  %x30 = mul i32 %x29, %x29
  %x31 = mul i32 %x30, %x30
  %x32 = mul i32 %x31, %x31
  %x33 = mul i32 %x32, %x32
  %x34 = mul i32 %x33, %x33
  %x35 = mul i32 %x34, %x34
  %x36 = mul i32 %x35, %x35
  %x37 = mul i32 %x36, %x36
  %x38 = mul i32 %x37, %x37
  %x39 = mul i32 %x38, %x38
  %x40 = mul i32 %x39, %x39
  store i32 %x40, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Integers are summed up lane by lane, 64 at a time; they may overflow in that order where they did not in the former.
; CHECK-LABEL: @sum(
; CHECK: %[[X:.*]] = call <64 x i32> @cm.region.read.v64i32(
; CHECK: %[[FIRST:.*]] = call i32 @llvm.vector.reduce.add.v64i32(<64 x i32> %
; CHECK: %[[ALL:.*]] = add i32 %from, %[[FIRST]]
; CHECK: call <16 x i32> @cm.region.read.v16i32(
; CHECK: %[[SECOND:.*]] = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %
; CHECK: %[[BOTH:.*]] = add i32 %[[ALL]], %[[SECOND]]
; CHECK-NOT: nsw
; CHECK: ret i32 %[[BOTH]]
define i32 @sum(i32 %from) {
entry:
  %v = alloca [80 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %from, %entry ], [ %all, %loop ]
  %p = getelementptr i32, ptr %v, i32 %i
  %x = load i32, ptr %p
  %all = add nsw i32 %s, %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 80
  br i1 %more, label %loop, label %end
end:
  ret i32 %all
}

; Only some of them, the largest: the others are what it was before.
; CHECK-LABEL: @largest(
; CHECK: %[[ON:.*]] = icmp ule <16 x i32> <i32 0, {{.*}}, i32 15>, %
; CHECK: %[[X:.*]] = call <16 x i16> @cm.region.read.v16i16(
; CHECK: %[[MORE:.*]] = call <16 x i16> @llvm.smax.v16i16(<16 x i16> splat (i16 5), <16 x i16> %[[X]])
; CHECK: %[[LANES:.*]] = select <16 x i1> %[[ON]], <16 x i16> %[[MORE]], <16 x i16> splat (i16 5)
; CHECK: %[[MOST:.*]] = call i16 @llvm.vector.reduce.smax.v16i16(<16 x i16> %[[LANES]])
; CHECK: phi i16 [ 0, %entry ], [ %[[MOST]],
define i16 @largest(i32 %n) {
entry:
  %v = alloca [16 x i16]
  %any = icmp ne i32 %n, 0
  br i1 %any, label %front, label %end
front:
  br label %loop
loop:
  %i = phi i32 [ 0, %front ], [ %next, %loop ]
  %s = phi i16 [ 5, %front ], [ %all, %loop ]
  %p = getelementptr i16, ptr %v, i32 %i
  %x = load i16, ptr %p
  %all = call i16 @llvm.smax.i16(i16 %s, i16 %x)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %behind
behind:
  br label %end
end:
  %result = phi i16 [ 0, %entry ], [ %all, %behind ]
  ret i16 %result
}

; How many. Seven are eight with nothing.
; CHECK-LABEL: @count(
; CHECK: %[[MORE:.*]] = add <7 x i32> zeroinitializer, splat (i32 1)
; CHECK: %[[ON:.*]] = icmp sgt <7 x i32> %
; CHECK: %[[ONE:.*]] = select <7 x i1> %[[ON]], <7 x i32> %[[MORE]], <7 x i32> zeroinitializer
; CHECK: %[[EIGHT:.*]] = call <8 x i32> @llvm.genx.wrregioni.{{.*}}(<8 x i32> zeroinitializer, <7 x i32> %[[ONE]],
; CHECK: call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %[[EIGHT]])
define i32 @count() {
entry:
  %v = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi i32 [ 0, %entry ], [ %all, %latch ]
  %p = getelementptr i32, ptr %v, i32 %i
  %x = load i32, ptr %p
  %large = icmp sgt i32 %x, 7
  br i1 %large, label %one, label %latch
one:
  %t = add i32 %s, 1
  br label %latch
latch:
  %all = phi i32 [ %s, %loop ], [ %t, %one ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 7
  br i1 %more, label %loop, label %end
end:
  ret i32 %all
}

; Sums of floats keep their order.
; CHECK-LABEL: @floats(
; CHECK-NOT: cm.region
; CHECK: fadd float
define float @floats() {
entry:
  %v = alloca [8 x float]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %all, %loop ]
  %p = getelementptr float, ptr %v, i32 %i
  %x = load float, ptr %p
  %all = fadd float %s, %x
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret float %all
}
; Who looks at a sum on the way sees it: sums of 2, of 4, of 8 lanes that end in each.
; CHECK-LABEL: @running(
; CHECK: %[[X:.*]] = call <8 x i32> @cm.region.read.v8i32(
; CHECK: %[[UP:.*]] = call <8 x i32> @llvm.genx.wrregioni.v8i32.v7i32.i16.i1(<8 x i32> zeroinitializer, <7 x i32> %{{.*}}, i32 0, i32 7, i32 1, i16 4,
; CHECK-NEXT: %[[TWO:.*]] = add <8 x i32> %[[X]], %[[UP]]
; CHECK: %[[UP2:.*]] = call <8 x i32> @llvm.genx.wrregioni.v8i32.v6i32.i16.i1(<8 x i32> zeroinitializer, <6 x i32> %{{.*}}, i32 0, i32 6, i32 1, i16 8,
; CHECK-NEXT: %[[FOUR:.*]] = add <8 x i32> %[[TWO]], %[[UP2]]
; CHECK: %[[ALL:.*]] = add <8 x i32> %[[FOUR]],
; CHECK: call void @cm.region.write.v8i32(ptr %{{.*}}, <8 x i32> %{{.*}}, i64 0, i32 8, i32 1)
define void @running() {
entry:
  %v = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %all, %loop ]
  %p = getelementptr i32, ptr %v, i32 %i
  %x = load i32, ptr %p
  %all = add i32 %s, %x
  store i32 %all, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A sum for each element: the elements are the lanes.
; CHECK-LABEL: @rows(
; CHECK-NOT: vector.reduce
; CHECK: call void @cm.region.write.v8i32(
; CHECK-NOT: vector.reduce
; CHECK: ret
define void @rows() {
entry:
  %m = alloca [64 x i32]
  %v = alloca [8 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %store ]
  %row = shl nuw nsw i32 %i, 3
  br label %loop
loop:
  %j = phi i32 [ 0, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %all, %loop ]
  %at = add nuw nsw i32 %row, %j
  %p = getelementptr i32, ptr %m, i32 %at
  %x = load i32, ptr %p
  %all = add i32 %s, %x
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %store
store:
  %q = getelementptr i32, ptr %v, i32 %i
  store i32 %all, ptr %q
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %outer, label %end
end:
  ret void
}

; Loops of few iterations inside each other, inside one over elements.
; CHECK-LABEL: @window(
; CHECK-NOT: phi
; CHECK-COUNT-6: call <6 x i32> @cm.region.read.v6i32(
; CHECK-NOT: phi
; CHECK: call void @cm.region.write.v6i32(
; CHECK-NOT: phi
; CHECK: ret
define void @window() {
entry:
  %m = alloca [64 x i32]
  %r = alloca [8 x i32]
  br label %elements
elements:
  %j = phi i32 [ 0, %entry ], [ %j.next, %store ]
  br label %rows
rows:
  %y = phi i32 [ 0, %elements ], [ %y.next, %row.end ]
  %s = phi i32 [ 0, %elements ], [ %t, %row.end ]
  %row = shl nuw nsw i32 %y, 3
  br label %columns
columns:
  %x = phi i32 [ 0, %rows ], [ %x.next, %columns ]
  %u = phi i32 [ %s, %rows ], [ %sum, %columns ]
  %of = add nuw nsw i32 %j, %x
  %at = add nuw nsw i32 %row, %of
  %p = getelementptr i32, ptr %m, i32 %at
  %e = load i32, ptr %p
  %sum = add i32 %u, %e
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 3
  br i1 %x.more, label %columns, label %row.end
row.end:
  %t = phi i32 [ %sum, %columns ]
  %y.next = add nuw nsw i32 %y, 1
  %y.more = icmp ult i32 %y.next, 2
  br i1 %y.more, label %rows, label %store
store:
  %all = phi i32 [ %t, %row.end ]
  %q = getelementptr i32, ptr %r, i32 %j
  store i32 %all, ptr %q
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp ult i32 %j.next, 6
  br i1 %j.more, label %elements, label %end
end:
  ret void
}

; From the last element on: read and written from the first, the other way round.
; CHECK-LABEL: @backwards(
; CHECK: %[[X:.*]] = call <16 x i8> @cm.region.read.v16i8(ptr %{{.*}}, i64 0, i32 16, i32 1, i32 0)
; CHECK: %[[R:.*]] = shufflevector <16 x i8> %[[X]], <16 x i8> poison, <16 x i32> <i32 15, i32 14, {{.*}}, i32 0>
; CHECK: %[[Y:.*]] = add <16 x i8> %[[R]], %{{.*}}
; CHECK: call void @cm.region.write.v16i8(ptr %{{.*}}, <16 x i8> %[[Y]], i64 0, i32 16, i32 1)
; CHECK-NOT: phi
; CHECK: ret
define void @backwards() {
entry:
  %v = alloca [16 x i8]
  %r = alloca [16 x i8]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = sub nuw nsw i32 15, %i
  %p = getelementptr i8, ptr %v, i32 %from
  %x = load i8, ptr %p
  %n = trunc i32 %i to i8
  %y = add i8 %x, %n
  %q = getelementptr i8, ptr %r, i32 %i
  store i8 %y, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A product of floats is one of vectors; its lanes are added one after another, in the order of the source.
; CHECK-LABEL: @dot(
; CHECK: %[[P:.*]] = fmul <4 x float>
; CHECK: %[[A:.*]] = extractelement <4 x float> %[[P]], i32 0
; CHECK: %[[S:.*]] = fadd float 0.000000e+00, %[[A]]
; CHECK: %[[B:.*]] = extractelement <4 x float> %[[P]], i32 1
; CHECK: %[[T:.*]] = fadd float %[[S]], %[[B]]
; CHECK-NOT: phi
; CHECK: ret float
define float @dot() {
entry:
  %v = alloca [4 x float]
  %w = alloca [4 x float]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr float, ptr %v, i32 %i
  %x = load float, ptr %p
  %q = getelementptr float, ptr %w, i32 %i
  %y = load float, ptr %q
  %t = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret float %t
}

; In some iterations: -0 is added in the others.
; CHECK-LABEL: @positive(
; CHECK: %[[Q:.*]] = fmul <8 x float> %[[X:.*]], %[[X]]
; CHECK: %[[M:.*]] = fcmp ogt <8 x float> %[[X]], zeroinitializer
; CHECK: select <8 x i1> %[[M]], <8 x float> %[[Q]], <8 x float> splat (float -0.000000e+00)
; CHECK-COUNT-8: fadd float
; CHECK-NOT: phi
; CHECK: ret float
define float @positive(float %from) {
entry:
  %v = alloca [8 x float]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi float [ %from, %entry ], [ %u, %latch ]
  %p = getelementptr float, ptr %v, i32 %i
  %x = load float, ptr %p
  %is = fcmp ogt float %x, 0.0
  br i1 %is, label %add, label %latch
add:
  %y = fmul float %x, %x
  %t = fadd float %s, %y
  br label %latch
latch:
  %u = phi float [ %s, %loop ], [ %t, %add ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret float %u
}

; What every iteration of the outer loop writes again keeps it from being one over elements: the inner one is.
; CHECK-LABEL: @columns(
; CHECK: phi
; CHECK: call <8 x i32> @cm.region.read.v8i32(
; CHECK: call void @cm.region.write.v8i32(
; CHECK: %[[S:.*]] = call i32 @llvm.vector.reduce.add.v8i32(
; CHECK: ret
define void @columns() {
entry:
  %m = alloca [64 x i32]
  %c = alloca [8 x i32]
  %r = alloca [8 x i32]
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %store ]
  %row = shl nuw nsw i32 %i, 3
  br label %loop
loop:
  %j = phi i32 [ 0, %outer ], [ %next, %loop ]
  %s = phi i32 [ 0, %outer ], [ %t, %loop ]
  %at = add nuw nsw i32 %row, %j
  %p = getelementptr i32, ptr %m, i32 %at
  %x = load i32, ptr %p
  %t = add i32 %s, %x
  %q = getelementptr i32, ptr %c, i32 %j
  %y = load i32, ptr %q
  %z = add i32 %y, %x
  store i32 %z, ptr %q
  %next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %store
store:
  %all = phi i32 [ %t, %loop ]
  %to = getelementptr i32, ptr %r, i32 %i
  store i32 %all, ptr %to
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ult i32 %i.next, 8
  br i1 %i.more, label %outer, label %end
end:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

; Something that is set in any iteration.
; CHECK-LABEL: @any(
; CHECK: %[[M:.*]] = icmp eq <16 x i8>
; CHECK: %[[ANY:.*]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[M]])
; CHECK: %[[R:.*]] = select i1 %[[ANY]], i32 %new, i32 0
; CHECK: ret i32 %[[R]]
define i32 @any(i32 %new) {
entry:
  %v = alloca [16 x i8]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %found = phi i32 [ 0, %entry ], [ %now, %loop ]
  %p = getelementptr i8, ptr %v, i32 %i
  %x = load i8, ptr %p
  %is = icmp eq i8 %x, 7
  %now = select i1 %is, i32 %new, i32 %found
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret i32 %now
}

; What an iteration leaves to the next: the elements, one further up.
; CHECK-LABEL: @former(
; CHECK: %[[X:.*]] = call <8 x float> @cm.region.read.v8f32(
; CHECK: %[[MOST:.*]] = call <7 x float> @llvm.genx.rdregionf.v7f32.v8f32.i16(<8 x float> %[[X]], i32 0, i32 7, i32 1, i16 0,
; CHECK: %[[BEFORE:.*]] = call <8 x float> @llvm.genx.wrregionf.v8f32.v7f32.i16.i1(<8 x float> %{{.*}}, <7 x float> %[[MOST]], i32 0, i32 7, i32 1, i16 4,
; CHECK: fsub <8 x float> %[[X]], %[[BEFORE]]
; CHECK: %[[LAST:.*]] = extractelement <8 x float> %[[X]], i32 7
; CHECK: ret float %[[LAST]]
define float @former(float %first) {
entry:
  %v = alloca [8 x float]
  %r = alloca [8 x float]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %before = phi float [ %first, %entry ], [ %x, %loop ]
  %p = getelementptr float, ptr %v, i32 %i
  %x = load float, ptr %p
  %d = fsub float %x, %before
  %q = getelementptr float, ptr %r, i32 %i
  store float %d, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret float %x
}

; A switch is a mask for each way.
; CHECK-LABEL: @cases(
; CHECK: %[[X:.*]] = call <8 x i32> @cm.region.read.v8i32(
; CHECK-DAG: %[[ONE:.*]] = icmp eq <8 x i32> %[[X]], splat (i32 1)
; CHECK-DAG: %[[TWO:.*]] = icmp eq <8 x i32> %[[X]], splat (i32 2)
; CHECK: select <8 x i1>
; CHECK: call void @cm.region.write.v8i32(
define void @cases() {
entry:
  %v = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr i32, ptr %v, i32 %i
  %x = load i32, ptr %p
  switch i32 %x, label %others [
    i32 1, label %some
    i32 2, label %some
    i32 3, label %latch
  ]
some:
  br label %latch
others:
  %y = add i32 %x, 5
  br label %latch
latch:
  %new = phi i32 [ 9, %some ], [ %y, %others ], [ %x, %loop ]
  store i32 %new, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Many iterations are a loop of vectors, with a length that leaves no rest: 25 of 32.
; CHECK-LABEL: @many(
; CHECK: loop.part:
; CHECK: %[[I:.*]] = phi i64 [ 0, %entry ], [ %[[NEXT:.*]], %loop.end ]
; CHECK: add <32 x i64> %{{.*}}, <i64 0, i64 1,
; CHECK: call void @cm.region.write.v32i32(
; CHECK: %[[NEXT]] = add nuw nsw i64 %[[I]], 32
; CHECK: icmp ult i32 %{{.*}}, 25
define void @many() {
entry:
  %v = alloca [800 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr [800 x i32], ptr %v, i64 0, i64 %i
  %t = trunc i64 %i to i32
  store i32 %t, ptr %p
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 800
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Rows that may overlap are asked; where they do, the loop stays.
; CHECK-LABEL: @meeting(
; CHECK: %[[NO:.*]] = icmp sge i64 %[[APART:.*]], 32
; CHECK: %[[BEHIND:.*]] = icmp sle i64 %[[APART]], 0
; CHECK: br i1 %{{.*}}, label %loop.vector, label %
; CHECK: loop.vector:
; CHECK: call void @cm.region.write.v8i32(
; CHECK: loop:
; CHECK: store i32
define void @meeting(i64 %to, i64 %from) {
entry:
  %v = alloca [64 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %k = add i64 %i, %from
  %p = getelementptr [64 x i32], ptr %v, i64 0, i64 %k
  %x = load i32, ptr %p
  %l = add i64 %i, %to
  %q = getelementptr [64 x i32], ptr %v, i64 0, i64 %l
  store i32 %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}
