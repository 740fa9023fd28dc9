; Every other element of a vector that a loop changes is carried apart from the others; they are joined behind the loop,
; and taken apart in front of it. A vector that the loop uses as a whole stays one.
; RUN: cm-opt --march=cpu --passes=cpu-carried-regions %s | FileCheck %s

; CHECK-LABEL: @apart(
; CHECK: entry:
; CHECK-DAG: %[[E0:.*]] = call <4 x i32> @llvm.genx.rdregioni{{.*}}(<8 x i32> %before, {{.*}}, i16 0,
; CHECK-DAG: %[[O0:.*]] = call <4 x i32> @llvm.genx.rdregioni{{.*}}(<8 x i32> %before, {{.*}}, i16 4,
; CHECK: loop:
; CHECK-DAG: %[[E:.*]] = phi <4 x i32> [ %[[E0]], %entry ], [ %e1, %loop ]
; CHECK-DAG: %[[O:.*]] = phi <4 x i32> [ %[[O0]], %entry ], [ %o1, %loop ]
; CHECK-NOT: region
; CHECK: %e1 = add <4 x i32> %[[E]], %x
; CHECK-NEXT: %o1 = xor <4 x i32> %[[O]], %e1
; CHECK: done:
; CHECK: %[[W:.*]] = call <8 x i32> @llvm.genx.wrregioni{{.*}}(<8 x i32> poison, <4 x i32> %{{[eo]}}1,
; CHECK: %[[R:.*]] = call <8 x i32> @llvm.genx.wrregioni{{.*}}(<8 x i32> %[[W]], <4 x i32> %{{[eo]}}1,
; CHECK: ret <8 x i32> %[[R]]
define <8 x i32> @apart(<8 x i32> %before, <4 x i32> %x, i32 %n) {
entry:
  br label %loop
loop:
  %s = phi <8 x i32> [ %before, %entry ], [ %s2, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %e = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s, i32 8, i32 4, i32 2, i16 0, i32 undef)
  %e1 = add <4 x i32> %e, %x
  %s1 = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %s, <4 x i32> %e1, i32 2, i32 1, i32 1, i16 0, i32 undef, i1 true)
  %o = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s1, i32 8, i32 4, i32 2, i16 4, i32 undef)
  %again = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s1, i32 8, i32 4, i32 2, i16 0, i32 undef)
  %o1 = xor <4 x i32> %o, %again
  %s2 = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %s1, <4 x i32> %o1, i32 8, i32 4, i32 2, i16 4, i32 undef, i1 true)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret <8 x i32> %s2
}

; CHECK-LABEL: @whole(
; CHECK: phi <8 x i32>
; CHECK-NOT: phi <4 x i32>
; CHECK: ret
define <8 x i32> @whole(<8 x i32> %before, <4 x i32> %x, i32 %n) {
entry:
  br label %loop
loop:
  %s = phi <8 x i32> [ %before, %entry ], [ %s2, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %e = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %s, i32 8, i32 4, i32 2, i16 0, i32 undef)
  %e1 = add <4 x i32> %e, %x
  %s1 = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %s, <4 x i32> %e1, i32 8, i32 4, i32 2, i16 0, i32 undef, i1 true)
  %s2 = add <8 x i32> %s1, splat (i32 3)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret <8 x i32> %s2
}

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32)
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1)
