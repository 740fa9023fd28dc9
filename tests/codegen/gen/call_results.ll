; Several results of a call lie in variables that the next call overwrites: they are taken right behind it, phis of structures become
; one for each part, and what is returned is put together in front of the return.
; RUN: cm-opt --march=tgllp --passes=gen-call-results %s > %t.ll
; RUN: run-lines %s < %t.ll
; RUN: FileCheck %s < %t.ll

define { <8 x i32>, i32 } @low(<8 x i32> %v, i32 %n) noinline {
  %s = add <8 x i32> %v, splat (i32 3)
  %m = mul i32 %n, 5
  %a = insertvalue { <8 x i32>, i32 } poison, <8 x i32> %s, 0
  %b = insertvalue { <8 x i32>, i32 } %a, i32 %m, 1
  ret { <8 x i32>, i32 } %b
}

define { <8 x i32>, i32 } @high(<8 x i32> %v, i32 %n) noinline {
  %s = shl <8 x i32> %v, splat (i32 2)
  %m = xor i32 %n, 99
  %a = insertvalue { <8 x i32>, i32 } poison, i32 %m, 1
  %b = insertvalue { <8 x i32>, i32 } %a, <8 x i32> %s, 0
  ret { <8 x i32>, i32 } %b
}

; A phi of structures, of two calls and of one that is put together, which is returned.
; CHECK-LABEL: define { <8 x i32>, i32 } @chosen(
; CHECK: join:
; CHECK-NEXT: [[V:%.*]] = phi <8 x i32>
; CHECK-NEXT: [[N:%.*]] = phi i32
; CHECK-NOT: phi
; CHECK: [[A:%.*]] = insertvalue { <8 x i32>, i32 } poison, <8 x i32> [[V]], 0
; CHECK-NEXT: [[B:%.*]] = insertvalue { <8 x i32>, i32 } [[A]], i32 [[N]], 1
; CHECK-NEXT: ret { <8 x i32>, i32 } [[B]]
define { <8 x i32>, i32 } @chosen(<8 x i32> %v, i32 %n) noinline {
  %which = and i32 %n, 3
  switch i32 %which, label %neither [ i32 0, label %a
                                      i32 1, label %b ]
a:
  %x = call { <8 x i32>, i32 } @low(<8 x i32> %v, i32 %n)
  br label %join
b:
  %y = call { <8 x i32>, i32 } @high(<8 x i32> %v, i32 %n)
  br label %join
neither:
  %c = insertvalue { <8 x i32>, i32 } poison, <8 x i32> %v, 0
  %d = insertvalue { <8 x i32>, i32 } %c, i32 7, 1
  br label %join
join:
  %p = phi { <8 x i32>, i32 } [ %x, %a ], [ %y, %b ], [ %d, %neither ]
  ret { <8 x i32>, i32 } %p
}

; What a call gives is returned as it is.
; CHECK-LABEL: define { <8 x i32>, i32 } @handed(
; CHECK: [[R:%.*]] = call { <8 x i32>, i32 } @low(
; CHECK-DAG: extractvalue { <8 x i32>, i32 } [[R]], 0
; CHECK-DAG: extractvalue { <8 x i32>, i32 } [[R]], 1
; CHECK: insertvalue
; CHECK: [[B:%.*]] = insertvalue
; CHECK-NEXT: ret { <8 x i32>, i32 } [[B]]
define { <8 x i32>, i32 } @handed(<8 x i32> %v, i32 %n) noinline {
  %r = call { <8 x i32>, i32 } @low(<8 x i32> %v, i32 %n)
  ret { <8 x i32>, i32 } %r
}

; Parts are taken before the next call.
; CHECK-LABEL: define <8 x i32> @use(
; CHECK: [[R:%.*]] = call { <8 x i32>, i32 } @chosen(
; CHECK-NEXT: extractvalue { <8 x i32>, i32 } [[R]]
; CHECK-NEXT: extractvalue { <8 x i32>, i32 } [[R]]
; CHECK: [[S:%.*]] = call { <8 x i32>, i32 } @chosen(
; CHECK-NEXT: extractvalue { <8 x i32>, i32 } [[S]]
; CHECK-NEXT: extractvalue { <8 x i32>, i32 } [[S]]
; run: use(random, random)
; run: use(0..1000, 0..7)
define <8 x i32> @use(<8 x i32> %v, i32 %n) {
  %r = call { <8 x i32>, i32 } @chosen(<8 x i32> %v, i32 %n)
  %next = add i32 %n, 1
  %s = call { <8 x i32>, i32 } @chosen(<8 x i32> %v, i32 %next)
  %t = call { <8 x i32>, i32 } @handed(<8 x i32> %v, i32 %next)
  %r0 = extractvalue { <8 x i32>, i32 } %r, 0
  %r1 = extractvalue { <8 x i32>, i32 } %r, 1
  %s0 = extractvalue { <8 x i32>, i32 } %s, 0
  %s1 = extractvalue { <8 x i32>, i32 } %s, 1
  %t0 = extractvalue { <8 x i32>, i32 } %t, 0
  %t1 = extractvalue { <8 x i32>, i32 } %t, 1
  %sum = add <8 x i32> %r0, %s0
  %all = sub <8 x i32> %sum, %t0
  %n1 = mul i32 %r1, %s1
  %n2 = xor i32 %n1, %t1
  %i = insertelement <8 x i32> poison, i32 %n2, i32 0
  %w = shufflevector <8 x i32> %i, <8 x i32> poison, <8 x i32> zeroinitializer
  %f = xor <8 x i32> %all, %w
  ret <8 x i32> %f
}
