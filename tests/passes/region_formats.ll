; Formats of regions with gaps become copies. A stride that a loop changes is left, where each copy would be followed by
; another: the front end refuses it with the line.
; RUN: cm-opt --passes=region-formats %s -o - | FileCheck %s
; CHECK-LABEL: define void @around
; CHECK: %[[S:.*]] = phi i32
; CHECK: call ptr @cm.region.format{{.*}}i32 %[[S]]
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"

define void @around(ptr %v, i32 %n) {
entry:
  br label %loop

loop:
  %s = phi i32 [ 2, %entry ], [ %next, %loop ]
  %next = add i32 %s, 1
  %p = call ptr @cm.region.format(ptr %v, i32 8, i32 4, i32 %s, i32 4, i32 2)
  store i32 7, ptr %p, align 4
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  ret void
}

declare ptr @cm.region.format(ptr, i32, i32, i32, i32, i32)
