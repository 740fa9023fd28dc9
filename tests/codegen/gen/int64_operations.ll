; Every operation on integers of 64 bits gives the same by halves, with values of all kinds and the edges: of vectors, and
; of single numbers.
; RUN: cm-opt --march=icllp --passes=gen-int64,gen-regions,gen-finish %s > %t.ll
; RUN: run-lines %s < %t.ll
; RUN: FileCheck %s < %t.ll
; No arithmetic of 64 bits is left.
; CHECK-NOT: {{= (add|sub|mul|shl|lshr|ashr) .*i64}}
; CHECK-NOT: {{= icmp [a-z]+ <?([0-9]+ x )?i64}}

; run: add(random, random)
define <8 x i64> @add(<8 x i64> %a, <8 x i64> %b) {
  %r = add <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: sub(random, random)
define <8 x i64> @sub(<8 x i64> %a, <8 x i64> %b) {
  %r = sub <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: mul(random, random)
define <8 x i64> @mul(<8 x i64> %a, <8 x i64> %b) {
  %r = mul <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: and(random, random)
define <8 x i64> @and(<8 x i64> %a, <8 x i64> %b) {
  %r = and <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: or(random, random)
define <8 x i64> @or(<8 x i64> %a, <8 x i64> %b) {
  %r = or <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: xor(random, random)
define <8 x i64> @xor(<8 x i64> %a, <8 x i64> %b) {
  %r = xor <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: shl_by(random, 0..63)
define <8 x i64> @shl_by(<8 x i64> %a, <8 x i64> %b) {
  %r = shl <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: shl_1(random)
define <8 x i64> @shl_1(<8 x i64> %a) {
  %r = shl <8 x i64> %a, splat (i64 1)
  ret <8 x i64> %r
}

; run: shl_31(random)
define <8 x i64> @shl_31(<8 x i64> %a) {
  %r = shl <8 x i64> %a, splat (i64 31)
  ret <8 x i64> %r
}

; run: shl_32(random)
define <8 x i64> @shl_32(<8 x i64> %a) {
  %r = shl <8 x i64> %a, splat (i64 32)
  ret <8 x i64> %r
}

; run: shl_33(random)
define <8 x i64> @shl_33(<8 x i64> %a) {
  %r = shl <8 x i64> %a, splat (i64 33)
  ret <8 x i64> %r
}

; run: shl_63(random)
define <8 x i64> @shl_63(<8 x i64> %a) {
  %r = shl <8 x i64> %a, splat (i64 63)
  ret <8 x i64> %r
}

; run: lshr_by(random, 0..63)
define <8 x i64> @lshr_by(<8 x i64> %a, <8 x i64> %b) {
  %r = lshr <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: lshr_1(random)
define <8 x i64> @lshr_1(<8 x i64> %a) {
  %r = lshr <8 x i64> %a, splat (i64 1)
  ret <8 x i64> %r
}

; run: lshr_31(random)
define <8 x i64> @lshr_31(<8 x i64> %a) {
  %r = lshr <8 x i64> %a, splat (i64 31)
  ret <8 x i64> %r
}

; run: lshr_32(random)
define <8 x i64> @lshr_32(<8 x i64> %a) {
  %r = lshr <8 x i64> %a, splat (i64 32)
  ret <8 x i64> %r
}

; run: lshr_33(random)
define <8 x i64> @lshr_33(<8 x i64> %a) {
  %r = lshr <8 x i64> %a, splat (i64 33)
  ret <8 x i64> %r
}

; run: lshr_63(random)
define <8 x i64> @lshr_63(<8 x i64> %a) {
  %r = lshr <8 x i64> %a, splat (i64 63)
  ret <8 x i64> %r
}

; run: ashr_by(random, 0..63)
define <8 x i64> @ashr_by(<8 x i64> %a, <8 x i64> %b) {
  %r = ashr <8 x i64> %a, %b
  ret <8 x i64> %r
}

; run: ashr_1(random)
define <8 x i64> @ashr_1(<8 x i64> %a) {
  %r = ashr <8 x i64> %a, splat (i64 1)
  ret <8 x i64> %r
}

; run: ashr_31(random)
define <8 x i64> @ashr_31(<8 x i64> %a) {
  %r = ashr <8 x i64> %a, splat (i64 31)
  ret <8 x i64> %r
}

; run: ashr_32(random)
define <8 x i64> @ashr_32(<8 x i64> %a) {
  %r = ashr <8 x i64> %a, splat (i64 32)
  ret <8 x i64> %r
}

; run: ashr_33(random)
define <8 x i64> @ashr_33(<8 x i64> %a) {
  %r = ashr <8 x i64> %a, splat (i64 33)
  ret <8 x i64> %r
}

; run: ashr_63(random)
define <8 x i64> @ashr_63(<8 x i64> %a) {
  %r = ashr <8 x i64> %a, splat (i64 63)
  ret <8 x i64> %r
}

; run: is_eq(random, random)
define <8 x i64> @is_eq(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp eq <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_eq_number(random)
define <8 x i32> @is_eq_number(<8 x i64> %a) {
  %c = icmp eq <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_ne(random, random)
define <8 x i64> @is_ne(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp ne <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_ne_number(random)
define <8 x i32> @is_ne_number(<8 x i64> %a) {
  %c = icmp ne <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_slt(random, random)
define <8 x i64> @is_slt(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp slt <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_slt_number(random)
define <8 x i32> @is_slt_number(<8 x i64> %a) {
  %c = icmp slt <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_sle(random, random)
define <8 x i64> @is_sle(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp sle <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_sle_number(random)
define <8 x i32> @is_sle_number(<8 x i64> %a) {
  %c = icmp sle <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_sgt(random, random)
define <8 x i64> @is_sgt(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp sgt <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_sgt_number(random)
define <8 x i32> @is_sgt_number(<8 x i64> %a) {
  %c = icmp sgt <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_sge(random, random)
define <8 x i64> @is_sge(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp sge <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_sge_number(random)
define <8 x i32> @is_sge_number(<8 x i64> %a) {
  %c = icmp sge <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_ult(random, random)
define <8 x i64> @is_ult(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp ult <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_ult_number(random)
define <8 x i32> @is_ult_number(<8 x i64> %a) {
  %c = icmp ult <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_ule(random, random)
define <8 x i64> @is_ule(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp ule <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_ule_number(random)
define <8 x i32> @is_ule_number(<8 x i64> %a) {
  %c = icmp ule <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_ugt(random, random)
define <8 x i64> @is_ugt(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp ugt <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_ugt_number(random)
define <8 x i32> @is_ugt_number(<8 x i64> %a) {
  %c = icmp ugt <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: is_uge(random, random)
define <8 x i64> @is_uge(<8 x i64> %a, <8 x i64> %b) {
  %c = icmp uge <8 x i64> %a, %b
  %r = select <8 x i1> %c, <8 x i64> %b, <8 x i64> splat (i64 7)
  ret <8 x i64> %r
}

; run: is_uge_number(random)
define <8 x i32> @is_uge_number(<8 x i64> %a) {
  %c = icmp uge <8 x i64> %a, splat (i64 1)
  %r = zext <8 x i1> %c to <8 x i32>
  ret <8 x i32> %r
}

; run: smin(random, random)
define <8 x i64> @smin(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.smin.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: smax(random, random)
define <8 x i64> @smax(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.smax.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: umin(random, random)
define <8 x i64> @umin(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.umin.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: umax(random, random)
define <8 x i64> @umax(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.umax.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: uadd_sat(random, random)
define <8 x i64> @uadd_sat(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.uadd.sat.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: usub_sat(random, random)
define <8 x i64> @usub_sat(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.usub.sat.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: sadd_sat(random, random)
define <8 x i64> @sadd_sat(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.sadd.sat.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: ssub_sat(random, random)
define <8 x i64> @ssub_sat(<8 x i64> %a, <8 x i64> %b) {
  %r = call <8 x i64> @llvm.ssub.sat.v8i64(<8 x i64> %a, <8 x i64> %b)
  ret <8 x i64> %r
}

; run: ctpop(random)
define <8 x i64> @ctpop(<8 x i64> %a) {
  %r = call <8 x i64> @llvm.ctpop.v8i64(<8 x i64> %a)
  ret <8 x i64> %r
}

; run: bitreverse(random)
define <8 x i64> @bitreverse(<8 x i64> %a) {
  %r = call <8 x i64> @llvm.bitreverse.v8i64(<8 x i64> %a)
  ret <8 x i64> %r
}

; run: abs(random)
define <8 x i64> @abs(<8 x i64> %a) {
  %r = call <8 x i64> @llvm.abs.v8i64(<8 x i64> %a, i1 false)
  ret <8 x i64> %r
}

; run: ctlz(random)
define <8 x i64> @ctlz(<8 x i64> %a) {
  %r = call <8 x i64> @llvm.ctlz.v8i64(<8 x i64> %a, i1 false)
  ret <8 x i64> %r
}

; run: cttz(random)
define <8 x i64> @cttz(<8 x i64> %a) {
  %r = call <8 x i64> @llvm.cttz.v8i64(<8 x i64> %a, i1 false)
  ret <8 x i64> %r
}

; run: sext_i1(random)
define <8 x i64> @sext_i1(<8 x i1> %a) {
  %r = sext <8 x i1> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: zext_i1(random)
define <8 x i64> @zext_i1(<8 x i1> %a) {
  %r = zext <8 x i1> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: sext_i8(random)
define <8 x i64> @sext_i8(<8 x i8> %a) {
  %r = sext <8 x i8> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: zext_i8(random)
define <8 x i64> @zext_i8(<8 x i8> %a) {
  %r = zext <8 x i8> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: trunc_i8(random)
define <8 x i8> @trunc_i8(<8 x i64> %a) {
  %r = trunc <8 x i64> %a to <8 x i8>
  ret <8 x i8> %r
}

; run: sext_i16(random)
define <8 x i64> @sext_i16(<8 x i16> %a) {
  %r = sext <8 x i16> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: zext_i16(random)
define <8 x i64> @zext_i16(<8 x i16> %a) {
  %r = zext <8 x i16> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: trunc_i16(random)
define <8 x i16> @trunc_i16(<8 x i64> %a) {
  %r = trunc <8 x i64> %a to <8 x i16>
  ret <8 x i16> %r
}

; run: sext_i32(random)
define <8 x i64> @sext_i32(<8 x i32> %a) {
  %r = sext <8 x i32> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: zext_i32(random)
define <8 x i64> @zext_i32(<8 x i32> %a) {
  %r = zext <8 x i32> %a to <8 x i64>
  ret <8 x i64> %r
}

; run: trunc_i32(random)
define <8 x i32> @trunc_i32(<8 x i64> %a) {
  %r = trunc <8 x i64> %a to <8 x i32>
  ret <8 x i32> %r
}

; run: fptosi_sat(random)
define <8 x i64> @fptosi_sat(<8 x float> %a) {
  %r = call <8 x i64> @llvm.fptosi.sat.v8i64.v8f32(<8 x float> %a)
  ret <8 x i64> %r
}

; run: fptoui_sat(random)
define <8 x i64> @fptoui_sat(<8 x float> %a) {
  %r = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f32(<8 x float> %a)
  ret <8 x i64> %r
}

; run: sitofp(random)
define <8 x float> @sitofp(<8 x i64> %a) {
  %r = sitofp <8 x i64> %a to <8 x float>
  ret <8 x float> %r
}

; run: uitofp(random)
define <8 x float> @uitofp(<8 x i64> %a) {
  %r = uitofp <8 x i64> %a to <8 x float>
  ret <8 x float> %r
}

; run: chosen(random, random, random)
define <8 x i64> @chosen(<8 x i1> %c, <8 x i64> %a, <8 x i64> %b) {
  %r = select <8 x i1> %c, <8 x i64> %a, <8 x i64> %b
  ret <8 x i64> %r
}

; run: add_one(random, random)
define i64 @add_one(i64 %a, i64 %b) {
  %r = add i64 %a, %b
  ret i64 %r
}

; run: sub_one(random, random)
define i64 @sub_one(i64 %a, i64 %b) {
  %r = sub i64 %a, %b
  ret i64 %r
}

; run: mul_one(random, random)
define i64 @mul_one(i64 %a, i64 %b) {
  %r = mul i64 %a, %b
  ret i64 %r
}

; run: and_one(random, random)
define i64 @and_one(i64 %a, i64 %b) {
  %r = and i64 %a, %b
  ret i64 %r
}

; run: or_one(random, random)
define i64 @or_one(i64 %a, i64 %b) {
  %r = or i64 %a, %b
  ret i64 %r
}

; run: xor_one(random, random)
define i64 @xor_one(i64 %a, i64 %b) {
  %r = xor i64 %a, %b
  ret i64 %r
}

; run: shl_by_one(random, 0..63)
define i64 @shl_by_one(i64 %a, i64 %b) {
  %r = shl i64 %a, %b
  ret i64 %r
}

; run: shl_1_one(random)
define i64 @shl_1_one(i64 %a) {
  %r = shl i64 %a, 1
  ret i64 %r
}

; run: shl_31_one(random)
define i64 @shl_31_one(i64 %a) {
  %r = shl i64 %a, 31
  ret i64 %r
}

; run: shl_32_one(random)
define i64 @shl_32_one(i64 %a) {
  %r = shl i64 %a, 32
  ret i64 %r
}

; run: shl_33_one(random)
define i64 @shl_33_one(i64 %a) {
  %r = shl i64 %a, 33
  ret i64 %r
}

; run: shl_63_one(random)
define i64 @shl_63_one(i64 %a) {
  %r = shl i64 %a, 63
  ret i64 %r
}

; run: lshr_by_one(random, 0..63)
define i64 @lshr_by_one(i64 %a, i64 %b) {
  %r = lshr i64 %a, %b
  ret i64 %r
}

; run: lshr_1_one(random)
define i64 @lshr_1_one(i64 %a) {
  %r = lshr i64 %a, 1
  ret i64 %r
}

; run: lshr_31_one(random)
define i64 @lshr_31_one(i64 %a) {
  %r = lshr i64 %a, 31
  ret i64 %r
}

; run: lshr_32_one(random)
define i64 @lshr_32_one(i64 %a) {
  %r = lshr i64 %a, 32
  ret i64 %r
}

; run: lshr_33_one(random)
define i64 @lshr_33_one(i64 %a) {
  %r = lshr i64 %a, 33
  ret i64 %r
}

; run: lshr_63_one(random)
define i64 @lshr_63_one(i64 %a) {
  %r = lshr i64 %a, 63
  ret i64 %r
}

; run: ashr_by_one(random, 0..63)
define i64 @ashr_by_one(i64 %a, i64 %b) {
  %r = ashr i64 %a, %b
  ret i64 %r
}

; run: ashr_1_one(random)
define i64 @ashr_1_one(i64 %a) {
  %r = ashr i64 %a, 1
  ret i64 %r
}

; run: ashr_31_one(random)
define i64 @ashr_31_one(i64 %a) {
  %r = ashr i64 %a, 31
  ret i64 %r
}

; run: ashr_32_one(random)
define i64 @ashr_32_one(i64 %a) {
  %r = ashr i64 %a, 32
  ret i64 %r
}

; run: ashr_33_one(random)
define i64 @ashr_33_one(i64 %a) {
  %r = ashr i64 %a, 33
  ret i64 %r
}

; run: ashr_63_one(random)
define i64 @ashr_63_one(i64 %a) {
  %r = ashr i64 %a, 63
  ret i64 %r
}

; run: is_eq_one(random, random)
define i64 @is_eq_one(i64 %a, i64 %b) {
  %c = icmp eq i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_eq_number_one(random)
define i32 @is_eq_number_one(i64 %a) {
  %c = icmp eq i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_ne_one(random, random)
define i64 @is_ne_one(i64 %a, i64 %b) {
  %c = icmp ne i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_ne_number_one(random)
define i32 @is_ne_number_one(i64 %a) {
  %c = icmp ne i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_slt_one(random, random)
define i64 @is_slt_one(i64 %a, i64 %b) {
  %c = icmp slt i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_slt_number_one(random)
define i32 @is_slt_number_one(i64 %a) {
  %c = icmp slt i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_sle_one(random, random)
define i64 @is_sle_one(i64 %a, i64 %b) {
  %c = icmp sle i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_sle_number_one(random)
define i32 @is_sle_number_one(i64 %a) {
  %c = icmp sle i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_sgt_one(random, random)
define i64 @is_sgt_one(i64 %a, i64 %b) {
  %c = icmp sgt i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_sgt_number_one(random)
define i32 @is_sgt_number_one(i64 %a) {
  %c = icmp sgt i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_sge_one(random, random)
define i64 @is_sge_one(i64 %a, i64 %b) {
  %c = icmp sge i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_sge_number_one(random)
define i32 @is_sge_number_one(i64 %a) {
  %c = icmp sge i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_ult_one(random, random)
define i64 @is_ult_one(i64 %a, i64 %b) {
  %c = icmp ult i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_ult_number_one(random)
define i32 @is_ult_number_one(i64 %a) {
  %c = icmp ult i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_ule_one(random, random)
define i64 @is_ule_one(i64 %a, i64 %b) {
  %c = icmp ule i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_ule_number_one(random)
define i32 @is_ule_number_one(i64 %a) {
  %c = icmp ule i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_ugt_one(random, random)
define i64 @is_ugt_one(i64 %a, i64 %b) {
  %c = icmp ugt i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_ugt_number_one(random)
define i32 @is_ugt_number_one(i64 %a) {
  %c = icmp ugt i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: is_uge_one(random, random)
define i64 @is_uge_one(i64 %a, i64 %b) {
  %c = icmp uge i64 %a, %b
  %r = select i1 %c, i64 %b, i64 7
  ret i64 %r
}

; run: is_uge_number_one(random)
define i32 @is_uge_number_one(i64 %a) {
  %c = icmp uge i64 %a, 1
  %r = zext i1 %c to i32
  ret i32 %r
}

; run: smin_one(random, random)
define i64 @smin_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: smax_one(random, random)
define i64 @smax_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: umin_one(random, random)
define i64 @umin_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: umax_one(random, random)
define i64 @umax_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: uadd_sat_one(random, random)
define i64 @uadd_sat_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: usub_sat_one(random, random)
define i64 @usub_sat_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: sadd_sat_one(random, random)
define i64 @sadd_sat_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: ssub_sat_one(random, random)
define i64 @ssub_sat_one(i64 %a, i64 %b) {
  %r = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}

; run: ctpop_one(random)
define i64 @ctpop_one(i64 %a) {
  %r = call i64 @llvm.ctpop.i64(i64 %a)
  ret i64 %r
}

; run: bitreverse_one(random)
define i64 @bitreverse_one(i64 %a) {
  %r = call i64 @llvm.bitreverse.i64(i64 %a)
  ret i64 %r
}

; run: abs_one(random)
define i64 @abs_one(i64 %a) {
  %r = call i64 @llvm.abs.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: ctlz_one(random)
define i64 @ctlz_one(i64 %a) {
  %r = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: cttz_one(random)
define i64 @cttz_one(i64 %a) {
  %r = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  ret i64 %r
}

; run: sext_i1_one(random)
define i64 @sext_i1_one(i1 %a) {
  %r = sext i1 %a to i64
  ret i64 %r
}

; run: zext_i1_one(random)
define i64 @zext_i1_one(i1 %a) {
  %r = zext i1 %a to i64
  ret i64 %r
}

; run: sext_i8_one(random)
define i64 @sext_i8_one(i8 %a) {
  %r = sext i8 %a to i64
  ret i64 %r
}

; run: zext_i8_one(random)
define i64 @zext_i8_one(i8 %a) {
  %r = zext i8 %a to i64
  ret i64 %r
}

; run: trunc_i8_one(random)
define i8 @trunc_i8_one(i64 %a) {
  %r = trunc i64 %a to i8
  ret i8 %r
}

; run: sext_i16_one(random)
define i64 @sext_i16_one(i16 %a) {
  %r = sext i16 %a to i64
  ret i64 %r
}

; run: zext_i16_one(random)
define i64 @zext_i16_one(i16 %a) {
  %r = zext i16 %a to i64
  ret i64 %r
}

; run: trunc_i16_one(random)
define i16 @trunc_i16_one(i64 %a) {
  %r = trunc i64 %a to i16
  ret i16 %r
}

; run: sext_i32_one(random)
define i64 @sext_i32_one(i32 %a) {
  %r = sext i32 %a to i64
  ret i64 %r
}

; run: zext_i32_one(random)
define i64 @zext_i32_one(i32 %a) {
  %r = zext i32 %a to i64
  ret i64 %r
}

; run: trunc_i32_one(random)
define i32 @trunc_i32_one(i64 %a) {
  %r = trunc i64 %a to i32
  ret i32 %r
}

; run: fptosi_sat_one(random)
define i64 @fptosi_sat_one(float %a) {
  %r = call i64 @llvm.fptosi.sat.i64.f32(float %a)
  ret i64 %r
}

; run: fptoui_sat_one(random)
define i64 @fptoui_sat_one(float %a) {
  %r = call i64 @llvm.fptoui.sat.i64.f32(float %a)
  ret i64 %r
}

; run: sitofp_one(random)
define float @sitofp_one(i64 %a) {
  %r = sitofp i64 %a to float
  ret float %r
}

; run: uitofp_one(random)
define float @uitofp_one(i64 %a) {
  %r = uitofp i64 %a to float
  ret float %r
}

; run: chosen_one(random, random, random)
define i64 @chosen_one(i1 %c, i64 %a, i64 %b) {
  %r = select i1 %c, i64 %a, i64 %b
  ret i64 %r
}

declare <8 x i64> @llvm.abs.v8i64(<8 x i64>, i1)
declare <8 x i64> @llvm.bitreverse.v8i64(<8 x i64>)
declare <8 x i64> @llvm.ctlz.v8i64(<8 x i64>, i1)
declare <8 x i64> @llvm.ctpop.v8i64(<8 x i64>)
declare <8 x i64> @llvm.cttz.v8i64(<8 x i64>, i1)
declare <8 x i64> @llvm.fptosi.sat.v8i64.v8f32(<8 x float>)
declare <8 x i64> @llvm.fptoui.sat.v8i64.v8f32(<8 x float>)
declare <8 x i64> @llvm.sadd.sat.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.smax.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.smin.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.ssub.sat.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.uadd.sat.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.umax.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.umin.v8i64(<8 x i64>, <8 x i64>)
declare <8 x i64> @llvm.usub.sat.v8i64(<8 x i64>, <8 x i64>)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.bitreverse.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.fptosi.sat.i64.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare i64 @llvm.sadd.sat.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.ssub.sat.i64(i64, i64)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.usub.sat.i64(i64, i64)
