; Calls of functions that the language's headers declare become operations of CM IR, which LLVM knows the effects of.
; RUN: cm-opt --passes=lower-builtins %s | FileCheck %s
; RUN: cm-opt --passes=lower-builtins %s | FileCheck --check-prefix=EFFECTS --implicit-check-not=11region_readIDv %s

; Strides of rows are counted in elements there, in bytes here.
; CHECK-LABEL: @read(
; CHECK-NEXT: [[V:%.*]] = call <144 x i8> @cm.region.read.v144i8(ptr %p, i64 32, i32 24, i32 1, i32 0)
; CHECK-NEXT: [[W:%.*]] = call <8 x i32> @cm.region.read.v8i32(ptr %q, i64 64, i32 4, i32 2, i32 0)
define <8 x i32> @read(ptr %p, ptr %q) {
  %v = call <144 x i8> @_ZN2cm7builtin11region_readIDv144_hhEET_PKT0_iii(ptr %p, i32 32, i32 24, i32 1)
  %w = call <8 x i32> @_ZN2cm7builtin11region_readIDv8_iiEET_PKT0_iii(ptr %q, i32 16, i32 4, i32 2)
  ret <8 x i32> %w
}
; CHECK-LABEL: @written(
; CHECK-NEXT: call void @cm.region.write.v8i32(ptr %p, <8 x i32> %v, i64 64, i32 4, i32 2)
define void @written(ptr %p, <8 x i32> %v) {
  call void @_ZN2cm7builtin12region_writeIDv8_iiEEvPT0_T_iii(ptr %p, <8 x i32> %v, i32 16, i32 4, i32 2)
  ret void
}

; What they do is said of the operations.
; EFFECTS: declare <144 x i8> @cm.region.read.v144i8(ptr, i64, i32, i32, i32) [[READS:#[0-9]+]]
; EFFECTS: declare void @cm.region.write.v8i32(ptr, <8 x i32>, i64, i32, i32) [[WRITES:#[0-9]+]]
; EFFECTS: attributes [[READS]] = { nounwind willreturn memory(argmem: read) }
; EFFECTS: attributes [[WRITES]] = { nounwind willreturn memory(argmem: write) }

; Others stay: those of another name, and of another namespace.
; CHECK-LABEL: @others(
; CHECK-NEXT: call i32 @_ZN2cm7builtin7unheardEi(i32 %n)
; CHECK-NEXT: call i32 @_ZN2my11region_readEi(i32 %n)
define void @others(i32 %n) {
  call i32 @_ZN2cm7builtin7unheardEi(i32 %n)
  call i32 @_ZN2my11region_readEi(i32 %n)
  ret void
}
declare i32 @_ZN2cm7builtin7unheardEi(i32)
declare i32 @_ZN2my11region_readEi(i32)

declare <144 x i8> @_ZN2cm7builtin11region_readIDv144_hhEET_PKT0_iii(ptr, i32, i32, i32)
declare <8 x i32> @_ZN2cm7builtin11region_readIDv8_iiEET_PKT0_iii(ptr, i32, i32, i32)
declare void @_ZN2cm7builtin12region_writeIDv8_iiEEvPT0_T_iii(ptr, <8 x i32>, i32, i32, i32)
