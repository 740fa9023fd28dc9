; A variable is in the pieces that its value is cut into, for debuggers.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-split-vectors %s | FileCheck %s

; CHECK-LABEL: @k(
; CHECK: [[LOW:%.*]] = add <8 x i32>
; CHECK: [[HIGH:%.*]] = add <8 x i32>
; CHECK: #dbg_value(<8 x i32> [[LOW]], [[VARIABLE:![0-9]+]], !DIExpression(DW_OP_LLVM_fragment, 0, 256),
; CHECK: #dbg_value(<8 x i32> [[HIGH]], [[VARIABLE]], !DIExpression(DW_OP_LLVM_fragment, 256, 256),
define void @k(ptr %p) !dbg !4 {
  %x = load <16 x i32>, ptr %p
  %s = add <16 x i32> %x, %x
    #dbg_value(<16 x i32> %s, !7, !DIExpression(), !9)
  store <16 x i32> %s, ptr %p
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cpp", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: !8)
!8 = !DIBasicType(name: "v", size: 512, encoding: DW_ATE_unsigned)
!9 = !DILocation(line: 2, column: 1, scope: !4)
