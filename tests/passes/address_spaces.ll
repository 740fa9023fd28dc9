; Named address spaces become one memory (passes/AddressSpaces.cpp).
; RUN: cm-opt --passes=address-spaces %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

@tile = internal addrspace(3) global [64 x float] undef
@cell = internal global i32 undef, section "cm.local"
@total = internal addrspace(1) global i32 7
@lanes = internal addrspace(1) global <4 x i32> <i32 1, i32 2, i32 3, i32 4>
@table = internal addrspace(2) constant [2 x i32] [i32 5, i32 6]
@own = internal addrspace(0) global i32 0

; The initial values lie in one block, each at a multiple of 16 bytes.
; CHECK-DAG: @table = internal constant [2 x i32] [i32 5, i32 6]
; CHECK-DAG: @own = internal global i32 0
; CHECK-DAG: @cm.program.data = constant [32 x i8] c"\07\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\01\00\00\00\02\00\00\00\03\00\00\00\04\00\00\00"
; CHECK-NOT: addrspace

declare void @llvm.genx.slm.init(i32)
declare i32 @cm.space.of.p4(ptr addrspace(4))
declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)

; CHECK-LABEL: define void @k(
; CHECK-DAG: [[TOTAL:%.*]] = call ptr @cm.program.base(i32 0, i32 4)
; CHECK-DAG: [[LANES:%.*]] = call ptr @cm.program.base(i32 16, i32 {{[0-9]+}})
; CHECK-DAG: [[TILE:%.*]] = call ptr @cm.local.base(i32 112, i32 256)
; CHECK-DAG: [[CELL:%.*]] = call ptr @cm.local.base(i32 368, i32 {{[0-9]+}})
; CHECK-DAG: call void @llvm.genx.slm.init(i32 372)
; CHECK-DAG: call void @llvm.genx.slm.init(i32 100)
define void @k(i64 %host, i1 %c, i64 %i) #0 {
entry:
  call void @llvm.genx.slm.init(i32 100)
; CHECK: %p = inttoptr i64 %host to ptr
; CHECK: %e = getelementptr float, ptr [[TILE]], i64 %i
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr [[TILE]], ptr %p, i64 16, i1 false)
  %p = inttoptr i64 %host to ptr addrspace(1)
  %e = getelementptr float, ptr addrspace(3) @tile, i64 %i
  call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) @tile, ptr addrspace(1) %p, i64 16, i1 false)
; CHECK: [[SPACE:%.*]] = select i1 %c, i32 3, i32 1
; CHECK: %g = select i1 %c, ptr %e, ptr %p
; CHECK: store i32 [[SPACE]], ptr [[TOTAL]]
  %eg = addrspacecast ptr addrspace(3) %e to ptr addrspace(4)
  %pg = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %g = select i1 %c, ptr addrspace(4) %eg, ptr addrspace(4) %pg
  %space = call i32 @cm.space.of.p4(ptr addrspace(4) %g)
  store i32 %space, ptr addrspace(1) @total
; CHECK: store i32 1, ptr [[CELL]]
  store i32 1, ptr @cell
; CHECK: load i32, ptr @table
; CHECK: load <4 x i32>, ptr [[LANES]]
  %t = load i32, ptr addrspace(2) @table
  %l = load <4 x i32>, ptr addrspace(1) @lanes
  store i32 %t, ptr @own
  store <4 x i32> %l, ptr addrspace(1) @lanes
  ret void
}

; Constants alone, too, and LLVM's functions go by the pointers that they take then.
; CHECK-LABEL: define void @constants_only(
; CHECK: call void @llvm.memset.p0.i64(ptr inttoptr (i64 4096 to ptr), i8 0, i64 64, i1 false)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
define void @constants_only() #0 {
  call void @llvm.memset.p1.i64(ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), i8 0, i64 64, i1 false)
  ret void
}

attributes #0 = { "CMGenxMain" }
!genx.kernels = !{!0, !2}
!0 = !{ptr @k, !"k", !1, i32 0, i32 0}
!1 = !{i32 0, i32 0, i32 0}
!2 = !{ptr @constants_only, !"constants_only", !3, i32 0, i32 0}
!3 = !{}
