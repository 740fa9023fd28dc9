; Objects that a kernel takes come as the values in them, pointers as numbers; what is plain stays.
; RUN: cm-opt --passes=kernel-arguments,sroa %s | FileCheck %s
%class.SurfaceIndex = type { i32 }
%class.vector = type { <8 x float> }

; Functions that are no kernels take what they took.
; CHECK-LABEL: define spir_func void @helper(ptr byval(%class.vector) align 32 %v)
define spir_func void @helper(ptr byval(%class.vector) align 32 %v) {
  ret void
}
; CHECK-LABEL: define spir_func void @k(i32 %s, <8 x float> %v, i32 %n, i64 %address)
; CHECK-NEXT: [[P:%.*]] = inttoptr i64 %address to ptr
; CHECK-NEXT: call void @use(i32 %s, <8 x float> %v, i32 %n, ptr [[P]])
define spir_func void @k(ptr byval(%class.SurfaceIndex) align 4 %s, ptr byval(%class.vector) align 32 %v, i32 %n, ptr %address) {
  %a = load i32, ptr %s
  %b = load <8 x float>, ptr %v
  call void @use(i32 %a, <8 x float> %b, i32 %n, ptr %address)
  ret void
}

declare void @use(i32, <8 x float>, i32, ptr)

; The list of kernels follows.
; CHECK: !genx.kernels = !{[[K:![0-9]+]]}
; CHECK: [[K]] = !{ptr @k, !"k",
!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !2}
!1 = !{i32 2, i32 0, i32 0, i32 0}
!2 = !{!"", !"", !"", !""}
