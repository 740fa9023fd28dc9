; Variables have no value when their lives begin, however often they do.
; RUN: cm-opt --passes=lifetimes %s | FileCheck %s

%one = type { <8 x float> }
%two = type { <8 x float>, i32 }

; CHECK-LABEL: @loop(
; CHECK: call void @llvm.lifetime.start.p0(ptr %v)
; CHECK-NEXT: store <8 x float> undef, ptr %v
; CHECK: call void @llvm.lifetime.start.p0(ptr %n)
; CHECK-NEXT: store i32 undef, ptr %n
; CHECK-NOT: store {{.*}} undef
; CHECK: ret
define void @loop() {
entry:
  %v = alloca %one
  %n = alloca i32
  %s = alloca %two
  %a = alloca [4 x i32]
  br label %body
body:
  call void @llvm.lifetime.start.p0(ptr %v)
  call void @llvm.lifetime.start.p0(ptr %n)
  call void @llvm.lifetime.start.p0(ptr %s)
  call void @llvm.lifetime.start.p0(ptr %a)
  br i1 poison, label %body, label %end
end:
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
