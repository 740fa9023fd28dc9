; What a loop takes from sums of products in each turn is taken behind it, from the sum that the loop carries.
; RUN: cm-opt --march=cpu --mcpu=icelake-server --passes=cpu-late-differences %s | FileCheck %s

declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32>, <32 x i8>, <32 x i8>)

; The total over all lanes, of a loop that may end before its first turn.
; CHECK-LABEL: @total(
; CHECK: loop:
; CHECK: [[ALL:%.*]] = phi <8 x i32> [ zeroinitializer, {{%.*}} ], [ %change, %loop ]
; CHECK: %sum = phi <16 x i32> [ %more, %loop ]
; CHECK: %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum,
; CHECK-NEXT: %change = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> [[ALL]],
; CHECK-NEXT: %next.i = add
; CHECK: br i1 %again
; CHECK: [[OTHER:%.*]] = shufflevector <8 x i32> %change
; CHECK: [[TWO:%.*]] = add <8 x i32> %change, [[OTHER]]
; CHECK: [[TOTAL:%.*]] = shufflevector <8 x i32> [[TWO]], {{.*}}, <16 x i32> zeroinitializer
; CHECK: sub <16 x i32> %more, [[TOTAL]]
; CHECK: ret
define <16 x i32> @total(ptr %p, <16 x i32> %start, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next.i, %loop ]
  %sum = phi <16 x i32> [ %start, %entry ], [ %next, %loop ]
  %at = getelementptr <64 x i8>, ptr %p, i32 %i
  %b = load <64 x i8>, ptr %at
  %a = load <32 x i8>, ptr %at
  %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %b, <64 x i8> %b)
  %change = call <8 x i32> @llvm.x86.avx512.vpdpbusd.256(<8 x i32> zeroinitializer, <32 x i8> splat (i8 -128), <32 x i8> %a)
  %other = shufflevector <8 x i32> %change, <8 x i32> poison, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  %two = add <8 x i32> %change, %other
  %total = shufflevector <8 x i32> %two, <8 x i32> poison, <16 x i32> zeroinitializer
  %next = sub <16 x i32> %more, %total
  %next.i = add i32 %i, 1
  %again = icmp slt i32 %next.i, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi <16 x i32> [ %start, %entry ], [ %next, %loop ]
  ret <16 x i32> %result
}

; What the loop gives is the value before a turn, where it ends before its first product.
; CHECK-LABEL: @before(
; CHECK: head:
; CHECK: [[ALL:%.*]] = phi <16 x i32> [ zeroinitializer, %entry ], [ %change, %body ]
; CHECK: %sum = phi <16 x i32>
; CHECK: body:
; CHECK-NOT: sub <16 x i32>
; CHECK: br label %head
; CHECK: end:
; CHECK: sub <16 x i32> %sum, [[ALL]]
; CHECK: ret
define <16 x i32> @before(ptr %p, <16 x i32> %start, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next.i, %body ]
  %sum = phi <16 x i32> [ %start, %entry ], [ %next, %body ]
  %again = icmp slt i32 %i, %n
  br i1 %again, label %body, label %end
body:
  %at = getelementptr <64 x i8>, ptr %p, i32 %i
  %b = load <64 x i8>, ptr %at
  %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %b, <64 x i8> %b)
  %change = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> splat (i8 -128), <64 x i8> %b)
  %next = sub <16 x i32> %more, %change
  %next.i = add i32 %i, 1
  br label %head
end:
  ret <16 x i32> %sum
}

; A value that is needed on the way stays what it is.
; CHECK-LABEL: @needed(
; CHECK: sub <16 x i32> %more, %change
; CHECK: store <16 x i32> %next
; CHECK: ret
define <16 x i32> @needed(ptr %p, <16 x i32> %start, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next.i, %loop ]
  %sum = phi <16 x i32> [ %start, %entry ], [ %next, %loop ]
  %at = getelementptr <64 x i8>, ptr %p, i32 %i
  %b = load <64 x i8>, ptr %at
  %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %b, <64 x i8> %b)
  %change = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> splat (i8 -128), <64 x i8> %b)
  %next = sub <16 x i32> %more, %change
  store <16 x i32> %next, ptr %at
  %next.i = add i32 %i, 1
  %again = icmp slt i32 %next.i, %n
  br i1 %again, label %loop, label %end
end:
  ret <16 x i32> %next
}

; What is taken from two sums, of which one is needed on the way, stays what it is.
; CHECK-LABEL: @shared(
; CHECK: %change = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer
; CHECK: sub <16 x i32> %more, %change
; CHECK: sub <16 x i32> %others, %change
; CHECK: ret
define <16 x i32> @shared(ptr %p, <16 x i32> %start, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next.i, %loop ]
  %sum = phi <16 x i32> [ %start, %entry ], [ %next, %loop ]
  %other = phi <16 x i32> [ %start, %entry ], [ %next.other, %loop ]
  %at = getelementptr <64 x i8>, ptr %p, i32 %i
  %b = load <64 x i8>, ptr %at
  %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %b, <64 x i8> %b)
  %others = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %other, <64 x i8> %b, <64 x i8> %b)
  %change = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> splat (i8 -128), <64 x i8> %b)
  %next = sub <16 x i32> %more, %change
  %next.other = sub <16 x i32> %others, %change
  store <16 x i32> %next.other, ptr %at
  %next.i = add i32 %i, 1
  %again = icmp slt i32 %next.i, %n
  br i1 %again, label %loop, label %end
end:
  %result = add <16 x i32> %next, %next.other
  ret <16 x i32> %result
}

; The turn that ends the loop counts, wherever it ends.
; CHECK-LABEL: @middle(
; CHECK: loop:
; CHECK: [[ALL:%.*]] = phi <16 x i32> [ zeroinitializer, %entry ], [ %change, %more.turns ]
; CHECK: end:
; CHECK: sub <16 x i32> %more, %change
; CHECK: ret
define <16 x i32> @middle(ptr %p, <16 x i32> %start, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next.i, %more.turns ]
  %sum = phi <16 x i32> [ %start, %entry ], [ %next, %more.turns ]
  %at = getelementptr <64 x i8>, ptr %p, i32 %i
  %b = load <64 x i8>, ptr %at
  %more = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %sum, <64 x i8> %b, <64 x i8> %b)
  %change = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> splat (i8 -128), <64 x i8> %b)
  %next = sub <16 x i32> %more, %change
  %again = icmp slt i32 %i, %n
  br i1 %again, label %more.turns, label %end
more.turns:
  %next.i = add i32 %i, 1
  store i32 %i, ptr %at
  br label %loop
end:
  ret <16 x i32> %next
}
