; What Gen code can call stays a function: values that registers hold as they are, two calls at least, no memory of its
; own. Parts of results are taken right behind the call.
; RUN: cm-opt --march=icllp --passes=gen-calls,gen-call-results %s | FileCheck --check-prefixes=CHECK,HALVES %s
; RUN: cm-opt --march=skl --passes=gen-calls,gen-call-results %s | FileCheck --check-prefixes=CHECK,WHOLE %s
; RUN: cm-opt --march=icllp --passes=gen-calls,gen-call-results %s | run-lines %s
; RUN: cm-opt --march=skl --passes=gen-calls,gen-call-results %s | run-lines %s

; run: two(random, random)
define internal { <8 x i32>, i32 } @two(<8 x i32> %v, i32 %n) noinline "cm.subroutine" {
  %r0 = insertvalue { <8 x i32>, i32 } poison, <8 x i32> %v, 0
  %r1 = insertvalue { <8 x i32>, i32 } %r0, i32 %n, 1
  ret { <8 x i32>, i32 } %r1
}
define internal i32 @alone(i32 %n) noinline "cm.subroutine" {
  %r = add i32 %n, 1
  ret i32 %r
}
define internal i64 @wide(i64 %n) noinline "cm.subroutine" {
  %r = add i64 %n, 1
  ret i64 %r
}
define internal i32 @table(i32 %n) noinline "cm.subroutine" {
  %a = alloca [800 x i32]
  %p = getelementptr i32, ptr %a, i32 %n
  store i32 %n, ptr %p
  %r = load i32, ptr %a
  ret i32 %r
}

; CHECK-LABEL: @k(
; CHECK: %a = call { <8 x i32>, i32 } @two(<8 x i32> %v, i32 1)
; CHECK-NEXT: %n = extractvalue { <8 x i32>, i32 } %a, 1
; CHECK-NEXT: %b = call { <8 x i32>, i32 } @two(<8 x i32> %v, i32 2)
; CHECK-NEXT: %m = extractvalue { <8 x i32>, i32 } %b, 1
; CHECK-NOT: call i32 @alone
; WHOLE: %x = call i64 @wide(
; WHOLE-NEXT: %y = call i64 @wide(
; HALVES-NOT: call i64 @wide
; CHECK-NOT: call i32 @table
; CHECK: call void @llvm.genx.oword.st
define void @k(i32 %s, <8 x i32> %v) {
  %a = call { <8 x i32>, i32 } @two(<8 x i32> %v, i32 1)
  %b = call { <8 x i32>, i32 } @two(<8 x i32> %v, i32 2)
  %n = extractvalue { <8 x i32>, i32 } %a, 1
  %m = extractvalue { <8 x i32>, i32 } %b, 1
  %o = call i32 @alone(i32 %m)
  %w = zext i32 %o to i64
  %x = call i64 @wide(i64 %w)
  %y = call i64 @wide(i64 %x)
  %z = trunc i64 %y to i32
  %t = call i32 @table(i32 %z)
  %u = call i32 @table(i32 %t)
  %q = add i32 %n, %u
  %d = insertelement <8 x i32> %v, i32 %q, i32 0
  call void @llvm.genx.oword.st.v8i32(i32 %s, i32 0, <8 x i32> %d)
  ret void
}
declare void @llvm.genx.oword.st.v8i32(i32, i32, <8 x i32>)

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 0}
!2 = !{i32 64, i32 96}
