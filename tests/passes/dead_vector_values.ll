; A variable is not what is left of its value when elements that nobody reads are not written: debuggers would show others.
; RUN: cm-opt --passes=dead-vector-removal %s | FileCheck %s

declare <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32>, i32, i32, i32, i16, i32) #0
declare <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32>, <4 x i32>, i32, i32, i32, i16, i32, i1) #0

; CHECK-LABEL: @write_never_read(
; CHECK: #dbg_value(<8 x i32> %x, [[VARIABLE:![0-9]+]], !DIExpression(),
; CHECK: #dbg_value(<8 x i32> poison, [[VARIABLE]], !DIExpression(),
define <4 x i32> @write_never_read(<8 x i32> %x, <4 x i32> %n) !dbg !4 {
    #dbg_value(<8 x i32> %x, !7, !DIExpression(), !9)
  %w = call <8 x i32> @llvm.genx.wrregioni.v8i32.v4i32.i16.i1(<8 x i32> %x, <4 x i32> %n, i32 0, i32 4, i32 1, i16 0, i32 undef, i1 true)
    #dbg_value(<8 x i32> %w, !7, !DIExpression(), !9)
  %r = call <4 x i32> @llvm.genx.rdregioni.v4i32.v8i32.i16(<8 x i32> %w, i32 0, i32 4, i32 1, i16 16, i32 undef)
  ret <4 x i32> %r
}

attributes #0 = { nounwind willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cpp", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: !8)
!8 = !DIBasicType(name: "v", size: 256, encoding: DW_ATE_unsigned)
!9 = !DILocation(line: 2, column: 1, scope: !4)
