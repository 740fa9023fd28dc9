; Accesses to a thread's own frame become loads and stores: blocks at owords, each lane at its byte. A lane that is off
; touches the first element, and leaves it and its own result as they are.
; RUN: cm-opt --march=cpu --mcpu=haswell --passes=cpu-thread-memory %s | FileCheck %s
declare <4 x i32> @cm.frame.read.v4i32(ptr, i32)
declare void @cm.frame.write.v4i32(ptr, i32, <4 x i32>)
declare <2 x i32> @cm.frame.gather.v2i32.v2i1(<2 x i1>, ptr, <2 x i32>, <2 x i32>)
declare void @cm.frame.scatter.v2i1.v2i32(<2 x i1>, ptr, <2 x i32>, <2 x i32>)

; CHECK-LABEL: @blocks(
; CHECK: [[WIDE:%.*]] = zext i32 %at to i64
; CHECK-NEXT: [[BYTES:%.*]] = shl i64 [[WIDE]], 4
; CHECK-NEXT: [[FROM:%.*]] = getelementptr i8, ptr %frame, i64 [[BYTES]]
; CHECK-NEXT: [[V:%.*]] = load <4 x i32>, ptr [[FROM]], align 16
; CHECK: [[TO:%.*]] = getelementptr i8, ptr %frame, i64 {{.*}}
; CHECK-NEXT: store <4 x i32> [[V]], ptr [[TO]], align 16
define void @blocks(ptr %frame, i32 %at, i32 %to) {
  %v = call <4 x i32> @cm.frame.read.v4i32(ptr %frame, i32 %at)
  call void @cm.frame.write.v4i32(ptr %frame, i32 %to, <4 x i32> %v)
  ret void
}

; CHECK-LABEL: @gather(
; CHECK: [[ON0:%.*]] = extractelement <2 x i1> %on, {{i32|i64}} 0
; CHECK: [[AT0:%.*]] = extractelement <2 x i32> %places, {{i32|i64}} 0
; CHECK: [[PLACE0:%.*]] = select i1 [[ON0]], i32 [[AT0]], i32 0
; CHECK: [[HAVE0:%.*]] = load i32, ptr {{%.*}}, align 1
; CHECK: [[OLD0:%.*]] = extractelement <2 x i32> %old, {{i32|i64}} 0
; CHECK: [[NEW0:%.*]] = select i1 [[ON0]], i32 [[HAVE0]], i32 [[OLD0]]
; CHECK: [[FIRST:%.*]] = insertelement <2 x i32> %old, i32 [[NEW0]], {{i32|i64}} 0
; CHECK: [[ON1:%.*]] = extractelement <2 x i1> %on, {{i32|i64}} 1
; CHECK: [[HAVE1:%.*]] = load i32, ptr {{%.*}}, align 1
; CHECK: [[NEW1:%.*]] = select i1 [[ON1]], i32 [[HAVE1]], i32 {{%.*}}
; CHECK: [[BOTH:%.*]] = insertelement <2 x i32> [[FIRST]], i32 [[NEW1]], {{i32|i64}} 1
; CHECK: ret <2 x i32> [[BOTH]]
define <2 x i32> @gather(ptr %frame, <2 x i1> %on, <2 x i32> %places, <2 x i32> %old) {
  %v = call <2 x i32> @cm.frame.gather.v2i32.v2i1(<2 x i1> %on, ptr %frame, <2 x i32> %places, <2 x i32> %old)
  ret <2 x i32> %v
}

; CHECK-LABEL: @scatter(
; CHECK: [[HAVE0:%.*]] = load i32, ptr [[P0:%.*]], align 1
; CHECK: [[PUT0:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 [[HAVE0]]
; CHECK: store i32 [[PUT0]], ptr [[P0]], align 1
; CHECK: [[HAVE1:%.*]] = load i32, ptr [[P1:%.*]], align 1
; CHECK: [[PUT1:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 [[HAVE1]]
; CHECK: store i32 [[PUT1]], ptr [[P1]], align 1
; CHECK: ret void
define void @scatter(ptr %frame, <2 x i1> %on, <2 x i32> %places, <2 x i32> %data) {
  call void @cm.frame.scatter.v2i1.v2i32(<2 x i1> %on, ptr %frame, <2 x i32> %places, <2 x i32> %data)
  ret void
}
