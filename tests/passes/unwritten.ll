; For the check device variables begin with what nobody has written, named by their declarations.
; RUN: cm-opt --passes=lifetimes %s | FileCheck %s

; CHECK-LABEL: @k(
; CHECK: call void @llvm.lifetime.start.p0(ptr %v)
; CHECK-NEXT: [[V:%.*]] = call <8 x float> @cm.unwritten.v8f32(i32 0)
; CHECK-NEXT: store <8 x float> [[V]], ptr %v
; Clang does not say where the lives of all begin: then it is where they are.
; CHECK-LABEL: @plain(
; CHECK: %n = alloca i32
; CHECK-NEXT: [[N:%.*]] = call i32 @cm.unwritten.i32(i32 -1)
; CHECK-NEXT: store i32 [[N]], ptr %n
; CHECK: %p = alloca ptr
; CHECK-NEXT: store ptr undef, ptr %p
; Each part of what has several.
; CHECK-LABEL: @parts(
; CHECK: %s = alloca { i8, [2 x <4 x i32>], ptr }
; CHECK: call i8 @cm.unwritten.i8
; CHECK: [[FIRST:%.*]] = getelementptr i8, ptr %s, i64 16
; CHECK: store <4 x i32> {{%.*}}, ptr [[FIRST]]
; CHECK: [[SECOND:%.*]] = getelementptr i8, ptr %s, i64 32
; CHECK: store <4 x i32> {{%.*}}, ptr [[SECOND]]
; CHECK-NOT: store
; CHECK: !pocm.unwritten = !{![[LIST:[0-9]+]]}
; CHECK: ![[LIST]] = !{!"v", !"k.cpp", i32 7}
define void @k() !dbg !3 {
  %v = alloca <8 x float>
    #dbg_declare(ptr %v, !4, !DIExpression(), !6)
  call void @llvm.lifetime.start.p0(ptr %v)
  ret void
}
define void @plain() {
  %n = alloca i32
  %p = alloca ptr
  ret void
}
define void @parts() {
  %s = alloca { i8, [2 x <4 x i32>], ptr }
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !5, emissionKind: FullDebug)
!1 = !{i32 7, !"pocm.keep-unwritten", i32 1}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !5, unit: !0)
!4 = !DILocalVariable(name: "v", scope: !3, file: !5, line: 7)
!5 = !DIFile(filename: "k.cpp", directory: "")
!6 = !DILocation(line: 7, scope: !3)
