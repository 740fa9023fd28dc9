; What fills registers by way of others is left as it is.
; RUN: cm-opt --march=cpu --passes=cpu-carried-splats %s | FileCheck %s

; The first element of another vector is no use of the carried one.
; CHECK-LABEL: @other
; CHECK: phi i32
; CHECK-NOT: phi <16 x i32>
; CHECK: ret void
define void @other(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %c = phi i32 [ %n, %entry ], [ %last, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %ins = insertelement <16 x i32> poison, i32 %c, i64 0
  %l = load <16 x i32>, ptr %p
  %w = shufflevector <16 x i32> %l, <16 x i32> %ins, <16 x i32> zeroinitializer
  %s = shufflevector <16 x i32> %ins, <16 x i32> poison, <16 x i32> zeroinitializer
  %a = add <16 x i32> %w, %s
  store <16 x i32> %a, ptr %p
  %last = extractelement <16 x i32> %a, i64 15
  %i1 = add i32 %i, 1
  %e = icmp eq i32 %i1, 10
  br i1 %e, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: @unused
; CHECK: phi i32
; CHECK-NOT: phi <16 x i32>
; CHECK: ret void
define void @unused(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %c = phi i32 [ %n, %entry ], [ %last, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %ins = insertelement <16 x i32> poison, i32 %c, i64 0
  %dead = insertelement <16 x i32> poison, i32 %c, i64 0
  %s = shufflevector <16 x i32> %ins, <16 x i32> poison, <16 x i32> zeroinitializer
  %l = load <16 x i32>, ptr %p
  %a = add <16 x i32> %l, %s
  store <16 x i32> %a, ptr %p
  %last = extractelement <16 x i32> %a, i64 15
  %i1 = add i32 %i, 1
  %e = icmp eq i32 %i1, 10
  br i1 %e, label %end, label %loop
end:
  ret void
}
