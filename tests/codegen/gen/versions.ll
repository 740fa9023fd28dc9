; What another block reads of a part that was written to a vector, it reads of the vector, which goes on to be there.
; RUN: cm-opt --march=skl --passes=gen-versions %s | FileCheck %s
; RUN: cm-opt --march=skl --passes=gen-versions %s | run-lines %s

declare <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32>, i32, i32, i32, i16, i32)
declare <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32>, i32, i32, i32, i16, i32)
declare <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32>, <16 x i32>, i32, i32, i32, i16, i32, i1)
declare <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.i1(<16 x i32>, <16 x i32>, i32, i32, i32, i16, i32, i1)

; CHECK-LABEL: @loop(
; CHECK: end:
; CHECK-NEXT: [[A:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 8, i32 1, i16 32, i32 undef)
; CHECK-NEXT: [[B:%.*]] = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 16, i32 1, i16 64, i32 undef)
define <8 x i32> @loop(<16 x i32> %x, i32 %count, <16 x i1> %p) {
entry:
  br label %body
body:
  %v = phi <32 x i32> [ zeroinitializer, %entry ], [ %v2, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %low = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %a = add <16 x i32> %low, %x
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %high = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v1, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %b = xor <16 x i32> %high, %x
  %v2 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v1, <16 x i32> %b, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %end
end:
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %a, i32 0, i32 8, i32 1, i16 32, i32 undef)
  %s = mul <16 x i32> %b, %x
  %t = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %s, i32 0, i32 8, i32 1, i16 0, i32 undef)
  %u = add <8 x i32> %r, %t
  ret <8 x i32> %u
}

; One half of a vector takes fewer registers than the whole.
; CHECK-LABEL: @half(
; CHECK: end:
; CHECK-NEXT: call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %a,
define <8 x i32> @half(<16 x i32> %x, i32 %count) {
entry:
  br label %body
body:
  %v = phi <32 x i32> [ zeroinitializer, %entry ], [ %v1, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %high = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %a = add <16 x i32> %high, %x
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %end
end:
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %a, i32 0, i32 8, i32 1, i16 32, i32 undef)
  ret <8 x i32> %r
}

; What two vectors have is read of one of them.
; CHECK-LABEL: @two(
; CHECK: end:
; CHECK-NEXT: [[R:%.*]] = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %v1, i32 0, i32 8, i32 1, i16 32, i32 undef)
; CHECK-NEXT: ret <8 x i32> [[R]]
define <8 x i32> @two(<16 x i32> %x, i32 %count) {
entry:
  br label %body
body:
  %v = phi <16 x i32> [ zeroinitializer, %entry ], [ %v1, %body ]
  %w = phi <16 x i32> [ splat (i32 1), %entry ], [ %w1, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = add <16 x i32> %v, %w
  %a = mul <16 x i32> %s, %x
  %v1 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.i1(<16 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %w1 = call <16 x i32> @llvm.genx.wrregioni.v16i32.v16i32.i16.i1(<16 x i32> %w, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %end
end:
  %r = call <8 x i32> @llvm.genx.rdregioni.v8i32.v16i32.i16(<16 x i32> %a, i32 0, i32 8, i32 1, i16 32, i32 undef)
  ret <8 x i32> %r
}

; A loop's steps of a vector that others read behind it: all is read of the last one.
; CHECK-LABEL: @behind(
; CHECK: end:
; CHECK-NEXT: [[R:%.*]] = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 16, i32 1, i16 0, i32 undef)
; CHECK-NEXT: [[S:%.*]] = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 16, i32 1, i16 64, i32 undef)
; run: behind(random, 3)
define <16 x i32> @behind(<32 x i32> %start, i32 %count) {
entry:
  br label %body
body:
  %v = phi <32 x i32> [ %start, %entry ], [ %v2, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %low = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %a = mul <16 x i32> %low, splat (i32 3)
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %high = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v1, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %b = xor <16 x i32> %high, %low
  %v2 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v1, <16 x i32> %b, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %end
end:
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v1, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %s = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %t = add <16 x i32> %r, %s
  ret <16 x i32> %t
}

; What is computed into a vector is read of it in the same block, too, as long as the vector is there.
; CHECK-LABEL: @again(
; CHECK: [[R:%.*]] = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v2, i32 0, i32 16, i32 1, i16 0, i32 undef)
; CHECK-NEXT: %c = mul <16 x i32> [[R]], %x
; CHECK: %d = mul <16 x i32> %b, %y
; run: again(random, random, random)
define <32 x i32> @again(<32 x i32> %v, <16 x i32> %x, <16 x i32> %y) {
  %a = add <16 x i32> %x, %y
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %b = xor <16 x i32> %x, %y
  %v2 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v1, <16 x i32> %b, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  %c = mul <16 x i32> %a, %x
  %v3 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v2, <16 x i32> %c, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  %d = mul <16 x i32> %b, %y
  %v4 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v3, <16 x i32> %d, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  ret <32 x i32> %v4
}

; Elements that the vector has elsewhere, and that the write changes, are read before it in any case.
; CHECK-LABEL: @shifted(
; CHECK: %c = mul <16 x i32> %a, %x
; run: shifted(random, random)
define <32 x i32> @shifted(<32 x i32> %v, <16 x i32> %x) {
  %r = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v, i32 0, i32 16, i32 1, i16 32, i32 undef)
  %a = add <16 x i32> %r, %x
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %c = mul <16 x i32> %a, %x
  %v2 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v1, <16 x i32> %c, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  ret <32 x i32> %v2
}

; Where another vector ends while this one is made up, it is that one, changed in place: a phi is not the only one.
; CHECK-LABEL: @replaced(
; CHECK: rest:
; CHECK: call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %w, <16 x i32> %a,
; CHECK: [[H:%.*]] = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %v1, i32 0, i32 16, i32 1, i16 64, i32 undef)
; run: replaced(random, random, 4)
define <32 x i32> @replaced(<32 x i32> %start, <16 x i32> %x, i32 %count) {
entry:
  br label %body
body:
  %v = phi <32 x i32> [ %start, %entry ], [ %v2, %rest ]
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %w = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v, <16 x i32> %x, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %more = icmp ult i32 %i, %count
  br i1 %more, label %rest, label %end
rest:
  %low = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %w, i32 0, i32 16, i32 1, i16 0, i32 undef)
  %a = mul <16 x i32> %low, splat (i32 3)
  %v1 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> poison, <16 x i32> %a, i32 0, i32 16, i32 1, i16 0, i32 undef, i1 true)
  %high = call <16 x i32> @llvm.genx.rdregioni.v16i32.v32i32.i16(<32 x i32> %w, i32 0, i32 16, i32 1, i16 64, i32 undef)
  %b = mul <16 x i32> %high, splat (i32 5)
  %v2 = call <32 x i32> @llvm.genx.wrregioni.v32i32.v16i32.i16.i1(<32 x i32> %v1, <16 x i32> %b, i32 0, i32 16, i32 1, i16 64, i32 undef, i1 true)
  %next = add i32 %i, 1
  br label %body
end:
  %r = phi <32 x i32> [ %w, %body ]
  ret <32 x i32> %r
}
