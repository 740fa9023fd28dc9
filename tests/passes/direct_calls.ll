; A call through a pointer chooses among the functions of its type whose address is taken; pointers hold their numbers.
; RUN: cm-opt --passes=direct-calls %s | FileCheck %s

; CHECK: @table = internal constant [2 x ptr] [ptr inttoptr (i64 1 to ptr), ptr inttoptr (i64 2 to ptr)]
@table = internal constant [2 x ptr] [ptr @f, ptr @g]

define internal i32 @f(i32 %x) {
  ret i32 %x
}
define internal i32 @g(i32 %x) {
  ret i32 0
}
define internal i32 @never_pointed_to(i32 %x) {
  ret i32 1
}
define internal void @of_another_type(i32 %x) {
  ret void
}

; CHECK-LABEL: @through_a_table(
; CHECK: [[N:%.*]] = ptrtoint ptr %p to i64
; CHECK-NEXT: switch i64 [[N]], label %no.function [
; CHECK-NEXT:   i64 1, label %call
; CHECK-NEXT:   i64 2, label %call1
; CHECK-NEXT: ]
; CHECK: call i32 @f(i32 7)
; CHECK: call i32 @g(i32 7)
; CHECK: phi i32
define i32 @through_a_table(i64 %i) {
  %at = getelementptr ptr, ptr @table, i64 %i
  %p = load ptr, ptr %at
  %r = call i32 %p(i32 7)
  ret i32 %r
}

; A direct call stays; a pointer that is passed on becomes a number.
; CHECK-LABEL: @passed_on(
; CHECK: store ptr inttoptr (i64 3 to ptr), ptr %where
; CHECK: call void @of_another_type(i32 1)
define void @passed_on(ptr %where) {
  store ptr @of_another_type, ptr %where
  call void @of_another_type(i32 1)
  ret void
}

; No function has this type: left for the error.
; CHECK-LABEL: @nobody(
; CHECK: call i8 %p(float 1.000000e+00)
define i8 @nobody(ptr %p) {
  %r = call i8 %p(float 1.0)
  ret i8 %r
}
