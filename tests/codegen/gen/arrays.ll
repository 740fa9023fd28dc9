; Arrays of less than 3 KB that nothing but indices leads to are values, whose elements are chosen at run time.
; RUN: cm-opt --march=skl --passes=gen-arrays %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-arrays %s | run-lines %s
@table = internal unnamed_addr constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 4
declare void @takes(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; CHECK-LABEL: @indexed(
; CHECK-NOT: alloca
; CHECK: [[BYTES:%.*]] = mul i64 %i, 4
; CHECK: [[NEW:%.*]] = insertelement <40 x i32> undef, i32 %x, i32 %{{.*}}
; CHECK-NEXT: [[R:%.*]] = extractelement <40 x i32> [[NEW]], i32 7
; CHECK-NEXT: ret i32 [[R]]
; run: indexed(7, random)
; run: indexed(7, 0x01020304) == 04030201
define i32 @indexed(i64 %i, i32 %x) {
  %a = alloca [40 x i32], align 4
  %p = getelementptr [40 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %p, align 4
  %q = getelementptr [40 x i32], ptr %a, i64 0, i64 7
  %y = load i32, ptr %q, align 4
  ret i32 %y
}

; Rows of an array are regions of it.
; CHECK-LABEL: @rows(
; CHECK-NOT: alloca
; CHECK: [[AT:%.*]] = trunc i64 %{{.*}} to i16
; CHECK-NEXT: [[NEW:%.*]] = call <40 x i16> @llvm.genx.wrregioni.v40i16.v8i16.i16.i1(<40 x i16> undef, <8 x i16> %x, i32 0, i32 8, i32 1, i16 [[AT]],
; CHECK-NEXT: call <8 x i16> @llvm.genx.rdregioni.v8i16.v40i16.i16(<40 x i16> [[NEW]], i32 0, i32 8, i32 1, i16 32,
; run: rows(2, random)
define <8 x i16> @rows(i64 %i, <8 x i16> %x) {
  %a = alloca [5 x <8 x i16>], align 16
  %p = getelementptr [5 x <8 x i16>], ptr %a, i64 0, i64 %i
  store <8 x i16> %x, ptr %p, align 16
  %q = getelementptr [5 x <8 x i16>], ptr %a, i64 0, i64 2
  %y = load <8 x i16>, ptr %q, align 16
  ret <8 x i16> %y
}

; A table of constants is filled where it is read.
; CHECK-LABEL: @constants(
; CHECK-NEXT: [[A:%.*]] = insertelement <4 x i32> undef, i32 3, i32 0
; CHECK-NEXT: [[B:%.*]] = insertelement <4 x i32> [[A]], i32 1, i32 1
; CHECK-NEXT: [[C:%.*]] = insertelement <4 x i32> [[B]], i32 4, i32 2
; CHECK-NEXT: [[D:%.*]] = insertelement <4 x i32> [[C]], i32 1, i32 3
; CHECK: extractelement <4 x i32> [[D]], i32 %
; run: constants(2)
define i32 @constants(i64 %i) {
  %p = getelementptr [4 x i32], ptr @table, i64 0, i64 %i
  %y = load i32, ptr %p, align 4
  ret i32 %y
}

; 3068 bytes are registers, 3072 are not.
; CHECK-LABEL: @fits(
; CHECK-NOT: alloca
; CHECK: insertelement <767 x i32>
; run: fits(0, random)
define i32 @fits(i64 %i, i32 %x) {
  %a = alloca [767 x i32], align 4
  %p = getelementptr [767 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %p, align 4
  %y = load i32, ptr %a, align 4
  ret i32 %y
}

; CHECK-LABEL: @large(
; CHECK-NEXT: %a = alloca [768 x i32], align 4
; CHECK: store i32 %x, ptr
; CHECK-NEXT: load i32, ptr %a
; run: large(0, random)
define i32 @large(i64 %i, i32 %x) {
  %a = alloca [768 x i32], align 4
  %p = getelementptr [768 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %p, align 4
  %y = load i32, ptr %a, align 4
  ret i32 %y
}

; Of arrays that do not fit together, those are values whose bytes are accessed most; of those that do not live at once,
; all.
; CHECK-LABEL: @crowded(
; CHECK-NEXT: %a = alloca [500 x i32], align 4
; CHECK-NOT: alloca
; CHECK: insertelement <500 x i32>
; CHECK-LABEL: @in_turn(
; CHECK-NOT: alloca
; CHECK: insertelement <500 x i32>
; CHECK: insertelement <500 x i32>
; run: crowded(3, random, 5)
; run: in_turn(3, random)
define i32 @crowded(i64 %i, i32 %x, i32 %n) {
  %a = alloca [500 x i32], align 4
  %b = alloca [500 x i32], align 4
  %p = getelementptr [500 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %p, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %q = getelementptr [500 x i32], ptr %b, i64 0, i32 %k
  store i32 %x, ptr %q, align 4
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %y = load i32, ptr %p, align 4
  %last = getelementptr [500 x i32], ptr %b, i64 0, i32 %k
  %z = load i32, ptr %last, align 4
  %r = add i32 %y, %z
  ret i32 %r
}
define i32 @in_turn(i64 %i, i32 %x) {
  %a = alloca [500 x i32], align 4
  %b = alloca [500 x i32], align 4
  call void @llvm.lifetime.start.p0(ptr %a)
  %p = getelementptr [500 x i32], ptr %a, i64 0, i64 %i
  store i32 %x, ptr %p, align 4
  %y = load i32, ptr %p, align 4
  call void @llvm.lifetime.end.p0(ptr %a)
  call void @llvm.lifetime.start.p0(ptr %b)
  %q = getelementptr [500 x i32], ptr %b, i64 0, i64 %i
  store i32 %y, ptr %q, align 4
  %z = load i32, ptr %q, align 4
  call void @llvm.lifetime.end.p0(ptr %b)
  ret i32 %z
}

; Nor are those that a pointer to either leads to, or whose address is given away.
; CHECK-LABEL: @meets(
; CHECK: alloca [8 x i32]
; CHECK: alloca [8 x i32]
; CHECK: select i1 %c, ptr %a, ptr %b
define i32 @meets(i1 %c, i64 %i) {
  %a = alloca [8 x i32], align 4
  %b = alloca [8 x i32], align 4
  %m = select i1 %c, ptr %a, ptr %b
  %p = getelementptr i32, ptr %m, i64 %i
  %y = load i32, ptr %p, align 4
  ret i32 %y
}

; CHECK-LABEL: @escapes(
; CHECK-NEXT: %a = alloca [8 x i32]
; CHECK-NEXT: call void @takes(ptr %a)
define i32 @escapes(i64 %i) {
  %a = alloca [8 x i32], align 4
  call void @takes(ptr %a)
  %p = getelementptr i32, ptr %a, i64 %i
  %y = load i32, ptr %p, align 4
  ret i32 %y
}
