; RUN: cm-opt --passes=internalize,subroutines,verify %s | FileCheck %s
; RUN: cm-opt --passes=subroutine-results,subroutine-parameters %s | FileCheck %s --check-prefix=RESULTS

%"class.cm::detail::vector_of" = type { <8 x i32> }
%"class.cm::detail::vector_ref_of" = type <{ ptr, i32, [4 x i8] }>
@state = internal global i32 0
@table = internal constant [2 x i32] [i32 3, i32 4]

; CHECK-LABEL: define internal { <8 x i32>, <4 x i32> } @_Z4bothiN2cm6detail9vector_ofIA8_iEENS0_13vector_ref_ofIA4_iEE(i32 %n, <8 x i32> %v, <4 x i32> %w)
; CHECK: [[E:%.*]] = alloca <4 x i32>
; CHECK: store <4 x i32> %w, ptr [[E]]
; CHECK: store ptr [[E]], ptr
; CHECK: ret { <8 x i32>, <4 x i32> }
define void @_Z4bothiN2cm6detail9vector_ofIA8_iEENS0_13vector_ref_ofIA4_iEE(ptr sret(%"class.cm::detail::vector_of") %r, i32 %n, ptr byval(%"class.cm::detail::vector_of") %v, ptr byval(%"class.cm::detail::vector_ref_of") %w) noinline {
  %x = load <8 x i32>, ptr %v
  store <8 x i32> %x, ptr %r
  ret void
}

; What changes, or is reached by a pointer, stays to be inlined.
; CHECK: define internal void @_Z5statei(i32 %n) #[[INLINE:[0-9]+]]
define void @_Z5statei(i32 %n) noinline {
  store i32 %n, ptr @state
  ret void
}
; CHECK: define internal void @_Z7pointerPi(ptr %p) #[[INLINE]]
define void @_Z7pointerPi(ptr %p) noinline {
  ret void
}
; Neither are results that are pointers, or structures in registers.
; CHECK: define internal ptr @_Z7placingi(i32 %n) #[[INLINE]]
define ptr @_Z7placingi(i32 %n) noinline {
  ret ptr @table
}
; CHECK: define internal { i32, i32 } @_Z7pairingi(i32 %n) #[[INLINE]]
define { i32, i32 } @_Z7pairingi(i32 %n) noinline {
  ret { i32, i32 } { i32 1, i32 2 }
}
; Constants do not change.
; CHECK: define internal i32 @_Z5tablei(i32 %n) #[[KEPT:[0-9]+]]
define i32 @_Z5tablei(i32 %n) noinline {
  %p = getelementptr i32, ptr @table, i32 %n
  %r = load i32, ptr %p
  ret i32 %r
}
; CHECK: define internal i32 @_Z4oncei(i32 %n) #[[INLINE]]
define i32 @_Z4oncei(i32 %n) noinline {
  ret i32 %n
}
; CHECK: define internal i32 @_Z6unmarki(i32 %n) #[[PLAIN:[0-9]+]]
define i32 @_Z6unmarki(i32 %n) {
  ret i32 %n
}
; CHECK: define internal i32 @_Z5againi(i32 %n) #[[INLINE]]
define i32 @_Z5againi(i32 %n) noinline {
  %r = call i32 @_Z5againi(i32 %n)
  %s = call i32 @_Z5againi(i32 %r)
  ret i32 %s
}

; CHECK-LABEL: define void @k(
; CHECK: [[V:%.*]] = load <8 x i32>, ptr %v
; CHECK: [[W:%.*]] = call <4 x i32> @cm.region.read.v4i32(ptr
; CHECK: [[R:%.*]] = call { <8 x i32>, <4 x i32> } @_Z4bothiN2cm6detail9vector_ofIA8_iEENS0_13vector_ref_ofIA4_iEE(i32 %n, <8 x i32> [[V]], <4 x i32> [[W]])
; CHECK: [[A:%.*]] = extractvalue { <8 x i32>, <4 x i32> } [[R]], 0
; CHECK: store <8 x i32> [[A]], ptr %r
; CHECK: [[B:%.*]] = extractvalue { <8 x i32>, <4 x i32> } [[R]], 1
; CHECK: call void @cm.region.write.v4i32(ptr {{.*}}, <4 x i32> [[B]],
define void @k(i32 %n) {
  %r = alloca %"class.cm::detail::vector_of"
  %v = alloca %"class.cm::detail::vector_of"
  %w = alloca %"class.cm::detail::vector_ref_of"
  call void @_Z4bothiN2cm6detail9vector_ofIA8_iEENS0_13vector_ref_ofIA4_iEE(ptr sret(%"class.cm::detail::vector_of") %r, i32 %n, ptr byval(%"class.cm::detail::vector_of") %v, ptr byval(%"class.cm::detail::vector_ref_of") %w)
  call void @_Z4bothiN2cm6detail9vector_ofIA8_iEENS0_13vector_ref_ofIA4_iEE(ptr sret(%"class.cm::detail::vector_of") %v, i32 %n, ptr byval(%"class.cm::detail::vector_of") %r, ptr byval(%"class.cm::detail::vector_ref_of") %w)
  call void @_Z5statei(i32 %n)
  call void @_Z5statei(i32 1)
  call void @_Z7pointerPi(ptr %r)
  call void @_Z7pointerPi(ptr %v)
  %place = call ptr @_Z7placingi(i32 %n)
  %other = call ptr @_Z7placingi(i32 1)
  %pair = call { i32, i32 } @_Z7pairingi(i32 %n)
  %others = call { i32, i32 } @_Z7pairingi(i32 1)
  %a = call i32 @_Z5tablei(i32 %n)
  %b = call i32 @_Z5tablei(i32 %a)
  %c = call i32 @_Z4oncei(i32 %b)
  %d = call i32 @_Z6unmarki(i32 %c)
  %e = call i32 @_Z6unmarki(i32 %d)
  %f = call i32 @_Z5againi(i32 %e)
  ret void
}

; CHECK-DAG: attributes #[[INLINE]] = { alwaysinline "cm.subroutine" }
; CHECK-DAG: attributes #[[KEPT]] = { noinline "cm.subroutine" }
; CHECK-DAG: attributes #[[PLAIN]] = { alwaysinline }

; What comes back as it was is not taken from the result, which nobody then has to give.
; RESULTS-LABEL: define internal <4 x i32> @same(<4 x i32> %b)
define internal { <4 x i32>, <4 x i32> } @same(<4 x i32> %a, <4 x i32> %b) {
  %c = add <4 x i32> %b, %b
  %r = insertvalue { <4 x i32>, <4 x i32> } poison, <4 x i32> %a, 0
  %s = insertvalue { <4 x i32>, <4 x i32> } %r, <4 x i32> %c, 1
  ret { <4 x i32>, <4 x i32> } %s
}
; RESULTS-LABEL: define <4 x i32> @uses
; RESULTS-NEXT: [[C:%.*]] = call <4 x i32> @same(<4 x i32> %y)
; RESULTS-NEXT: add <4 x i32> %x, [[C]]
define <4 x i32> @uses(<4 x i32> %x, <4 x i32> %y) {
  %r = call { <4 x i32>, <4 x i32> } @same(<4 x i32> %x, <4 x i32> %y)
  %a = extractvalue { <4 x i32>, <4 x i32> } %r, 0
  %c = extractvalue { <4 x i32>, <4 x i32> } %r, 1
  %s = add <4 x i32> %a, %c
  ret <4 x i32> %s
}

!genx.kernels = !{!0}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0, !1}
!1 = !{i32 0}
