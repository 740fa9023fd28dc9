; A file-scope variable is a variable of each kernel that uses it, with the value that it begins with.
; RUN: cm-opt --passes=localize-globals %s | FileCheck %s
@state = internal global <8 x i32> splat (i32 7), align 32
@numbers = internal constant [2 x i32] [i32 3, i32 4]
@far = internal addrspace(1) global i32 0
@shared = internal global i32 0

; Constants stay, and variables of the program; so do those that a function uses.
; CHECK: @numbers = internal constant
; CHECK: @far = internal addrspace(1) global
; CHECK: @shared = internal global

; CHECK-LABEL: @k(
; CHECK-NEXT: %state = alloca <8 x i32>, align 32
; CHECK-NEXT: store <8 x i32> splat (i32 7), ptr %state
; CHECK-NEXT: %v = load <8 x i32>, ptr %state
; CHECK: store <8 x i32> %w, ptr %state
; CHECK-NEXT: %e = getelementptr i32, ptr %state, i32 3
; CHECK: load i32, ptr getelementptr (i8, ptr @numbers, i32 4)
; CHECK-NEXT: load i32, ptr addrspace(1) @far
define void @k(ptr %p) {
  %v = load <8 x i32>, ptr @state
  %w = add <8 x i32> %v, splat (i32 1)
  store <8 x i32> %w, ptr @state
  %e = getelementptr i32, ptr @state, i32 3
  %n = load i32, ptr %e
  %c = load i32, ptr getelementptr (i8, ptr @numbers, i32 4)
  %f = load i32, ptr addrspace(1) @far
  store i32 %n, ptr %p
  ret void
}

; CHECK-LABEL: @other(
; CHECK-NEXT: %state = alloca <8 x i32>, align 32
; CHECK-NEXT: store <8 x i32> splat (i32 7), ptr %state
; CHECK-NEXT: store <8 x i32> zeroinitializer, ptr %state
define void @other() {
  store <8 x i32> zeroinitializer, ptr @state
  ret void
}

; CHECK-LABEL: @helper(
; CHECK-NEXT: load i32, ptr @shared
define internal i32 @helper() noinline {
  %n = load i32, ptr @shared
  ret i32 %n
}

!genx.kernels = !{!0, !1}
!0 = !{ptr @k, !"k", !2, i32 0, i32 0, !3}
!1 = !{ptr @other, !"other", !4, i32 0, i32 0, !4}
!2 = !{i32 0}
!3 = !{!""}
!4 = !{}
