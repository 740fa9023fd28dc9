; What a program says of its values lets no access out of a variable.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-claims,cpu-bound-storage %s | FileCheck %s

; CHECK-LABEL: define i32 @flags(i64 %n)
; CHECK-NOT: nuw
; CHECK: and i64 {{.*}}, {{6[03]}}
define i32 @flags(i64 %n) {
  %a = alloca [16 x i32]
  %i = sub nuw i64 15, %n
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %i
  %v = load volatile i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @parameter(i64 %n)
; CHECK: and i64 {{.*}}, {{6[03]}}
define i32 @parameter(i64 noundef range(i64 0, 16) %n) {
  %a = alloca [16 x i32]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load volatile i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @metadata(
; CHECK: load i64, ptr %q, align 8{{$}}
; CHECK: and i64 {{.*}}, {{6[03]}}
define i32 @metadata(ptr %q) {
  %a = alloca [16 x i32]
  %n = load i64, ptr %q, align 8, !range !0, !noundef !1
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load volatile i32, ptr %p
  ret i32 %v
}

; CHECK-LABEL: define i32 @assumed(
; CHECK-NOT: assume
; CHECK: and i64 {{.*}}, {{6[03]}}
define i32 @assumed(i64 %n) {
  %a = alloca [16 x i32]
  %c = icmp ult i64 %n, 16
  call void @llvm.assume(i1 %c)
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load volatile i32, ptr %p
  ret i32 %v
}

; That it ends, which it does for even numbers; not to unroll it is no claim.
; CHECK-LABEL: define void @ends(
; CHECK-NOT: mustprogress
; CHECK: br i1 %again, label %loop, label %next{{$}}
; CHECK: br i1 %more, label %other, label %end, !llvm.loop [[OTHER:![0-9]+]]
define void @ends(i32 %n) mustprogress willreturn {
entry:
  %a = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr [16 x i32], ptr %a, i64 0, i32 %i
  store volatile i32 7, ptr %p
  %i.next = add i32 %i, 2
  %again = icmp ne i32 %i.next, %n
  br i1 %again, label %loop, label %next, !llvm.loop !10
next:
  br label %other
other:
  %j = phi i32 [ 0, %next ], [ %j.next, %other ]
  %q = getelementptr [16 x i32], ptr %a, i64 0, i32 %j
  store volatile i32 7, ptr %q
  %j.next = add i32 %j, 2
  %more = icmp ne i32 %j.next, %n
  br i1 %more, label %other, label %end, !llvm.loop !12
end:
  ret void
}

; The condition is asked, and what it excludes returns.
; CHECK-LABEL: define void @branched(
; CHECK: br i1 %c, label %inside, label %outside
; CHECK-NOT: unreachable
; CHECK: ret void
; CHECK-NOT: unreachable
; CHECK: {{^}}}
define void @branched(i64 %n, ptr %q) {
  %a = alloca [16 x i32]
  %c = icmp ult i64 %n, 16
  br i1 %c, label %inside, label %outside
outside:
  unreachable
inside:
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %n
  %v = load volatile i32, ptr %p
  store i32 %v, ptr %q
  ret void
}

; What is so is found.
; CHECK-LABEL: define i32 @known(
; CHECK-NOT: and i64 {{.*}}, {{6[03]}}
; CHECK: load volatile i32
define i32 @known(i32 %n) {
  %a = alloca [16 x i32]
  %low = and i32 %n, 7
  %i = zext i32 %low to i64
  %p = getelementptr [16 x i32], ptr %a, i64 0, i64 %i
  %v = load volatile i32, ptr %p
  ret i32 %v
}

declare void @llvm.assume(i1)
!0 = !{i64 0, i64 16}
!1 = !{}

; What has no result for a value has one for all; floats keep their NaNs, whose bytes may be read.
; CHECK-LABEL: define i32 @exceptions(
; CHECK: call i32 @llvm.cttz.i32(i32 %n, i1 false)
; CHECK: call i32 @llvm.ctlz.i32(i32 %n, i1 false)
; CHECK: call i32 @llvm.abs.i32(i32 %n, i1 false)
; CHECK: fmul float %x, %x
; CHECK: ret i32
define i32 @exceptions(i32 %n, float %x) {
  %t = call i32 @llvm.cttz.i32(i32 %n, i1 true)
  %l = call i32 @llvm.ctlz.i32(i32 %n, i1 true)
  %a = call i32 @llvm.abs.i32(i32 %n, i1 true)
  %f = fmul nnan ninf float %x, %x
  %b = bitcast float %f to i32
  %r0 = add i32 %t, %l
  %r1 = add i32 %r0, %a
  %r = add i32 %r1, %b
  ret i32 %r
}
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.abs.i32(i32, i1)
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = distinct !{!12, !11, !13}
!13 = !{!"llvm.loop.unroll.disable"}
; CHECK: [[OTHER]] = distinct !{[[OTHER]], [[UNROLL:![0-9]+]]}
; CHECK: [[UNROLL]] = !{!"llvm.loop.unroll.disable"}
