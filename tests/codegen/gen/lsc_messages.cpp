// LSC functions are messages to the load/store cache as they stand: cache hints, prefetches, several elements of a lane,
// blocks of two dimensions. On DG2 and PVC the next element of all lanes lies behind 16 or 32 lanes in any case.
// RUN: cmc -march=DG2 %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,SHORT %s
// RUN: cmc -march=PVC %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,LONG,PVC %s
// RUN: cmc -march=PVCXT %s -S -verify-each -o - | FileCheck --check-prefixes=CHECK,SHORT,PVC %s
// RUN: rm -rf %t && mkdir %t && cd %t && cmc -march=PVCXT -mdump_asm %s -o a.isa && FileCheck --check-prefix=ASM %s < k.asm
// RUN: cd %t && cmc -march=DG2,PVC -mdump_asm %s -o a.isa
// RUN: cd %t && cmc -march=PVC -binary-format=ocl %s -o k.spv && ocloc compile -spirv_input -file k.spv -device pvc -options "-vc-codegen" -out_dir out | FileCheck --check-prefix=BUILT %s
// BUILT: Build succeeded
#include <cm/cm.h>
using enum CacheHint;

// Intel's compiler makes the same descriptors of k's SPIR-V.
// ASM: load.ugm.d32x4.a32.ca.ca (16|M0) {{.*}}desc:0x62483500
// ASM: load_quad.ugm.d32.xyz.a64 (16|M0) {{.*}}desc:0x4307582
// ASM: load_block2d.ugm.d16v.a64.ca.ca (1|M0) {{.*}}desc:0x2880283
extern "C" _GENX_MAIN_ void k(SurfaceIndex in [[type("buffer_t")]], SurfaceIndex out [[type("buffer_t")]], svmptr_t p, int x, int y) {
  vector<uint, 16> places, all = 7;
#pragma unroll
  for (int i = 0; i < 16; ++i)
    places(i) = 16 * i;
  vector<ushort, 16> on = places > uint(x);
  const void *memory = (const void *)p;

  // SHORT: lsc_load.ugm.ca.ca (M1, 16) [[A:V[0-9_ud]+]]:d32x4 bti({{V[0-9_ud]+}})[{{V[0-9_ud]+}}]:a32
  // LONG: lsc_load.ugm.ca.ca (M1, 32) [[A:V[0-9_ud]+]]:d32x4 bti(
  vector<float, 64> a = cm_load<float, VectorSize::N4, DataSize::Default, Cached, Cached>(in, places);
  // SHORT: (P{{[0-9]+}}) lsc_load_quad.ugm (M1, 16) {{V[0-9_ud]+}}:d32.xyz flat[{{V[0-9_uq]+}}]:a64
  auto quads = cm_ptr_load4<float, CM_BGR_ENABLE>(memory, places, on);
  // CHECK: lsc_load.ugm.uc.ca (M1, {{16|32}}) %null:d32x2 flat[{{V[0-9_uq]+}}]:a64
  cm_ptr_prefetch<VectorSize::N2, DataSize::U32, Uncached, Cached>(memory, places);
  // CHECK: lsc_load.ugm.ca.uc (M1, 1) %null:d32x32t flat[{{V[0-9_uq]+}}]:a64
  cm_ptr_prefetch<32, DataSize::U32, Cached, Uncached>(memory, 64);
  // CHECK: lsc_load.ugm.uc.ca (M1, 1) %null:d64x8t bti({{V[0-9_ud]+}})
  cm_prefetch<8, DataSize::U64>(in, 0u);
  // CHECK: lsc_load.ugm.st.ca (M1, 1) [[ROW:V[0-9_uqd]+]]:d32x16t flat[{{V[0-9_uq]+}}]:a64
  vector<uint, 16> row = cm_ptr_load<uint, 16, DataSize::Default, Streaming, Cached>(memory, 64);
  // SHORT: (P{{[0-9]+}}) lsc_store.ugm.wb.wb (M1, 16) bti({{V[0-9_ud]+}})[{{V[0-9_ud]+}}]:a32 {{V[0-9_ud]+}}:d32x4
  // LONG: (P{{[0-9]+}}) lsc_store.ugm.wb.wb (M1, 32) bti({{V[0-9_ud]+}})[{{V[0-9_ud]+}}]:a32 {{V[0-9_ud]+}}:d32x4
  cm_store<float, VectorSize::N4, DataSize::Default, WriteBack, WriteBack>(out, places, a, on);
  // CHECK: lsc_load.ugm (M1, 16) {{V[0-9_ud]+}}:d8c32 bti(
  auto bytes = cm_load<uchar>(in, places);
  // CHECK: lsc_load.ugm (M1, 16) {{V[0-9_ud]+}}:d16c32h bti(
  auto high = cm_load<uint, VectorSize::N1, DataSize::U16U32H>(in, places);
  cm_store<uint, 16>(out, 1024, vector<uint, 16>(bytes) + high + row);
  cm_store<float, 16>(out, 2048, quads.select<16, 1>(16));
  // CHECK: (P{{[0-9]+}}) lsc_atomic_iadd.ugm.uc.wb (M1, 16) [[OLD:V[0-9_ud]+]]:d32 flat[{{V[0-9_uq]+}}]:a64 {{V[0-9_ud]+}} %null
  auto old = cm_ptr_atomic<AtomicOp::IADD, uint, VectorSize::N1, DataSize::Default, Uncached, WriteBack>((void *)p, places, all, on);
  // CHECK: lsc_store.slm (M1, 16) flat[{{V[0-9_ud]+}}]:a32 [[OLD]]:d32
  cm_store_slm<uint>(places, old);
  // What to compare with comes first.
  // CHECK: mov (M1, 16) [[ONE:V[0-9]+]](0,0)<1> 1:
  // CHECK: mov (M1, 16) [[TWO:V[0-9]+]](0,0)<1> 2:
  // CHECK: lsc_atomic_icas.slm (M1, 16) %null:d16c32 flat[{{V[0-9_ud]+}}]:a32 [[ONE]] [[TWO]]
  cm_atomic_slm<AtomicOp::ICAS, ushort>(places, vector<ushort, 16>(1), vector<ushort, 16>(2));
#if CM_GENX >= 1280
  // PVC: lsc_load_block2d.ugm.ca.ca (M1, 1) {{V[0-9_uwhf]+}}:d16.16x16nt flat[{{V[0-9_uq]+}},0x3ff,0x3ff,0x7ff,{{V[0-9_ud]+}},{{V[0-9_ud]+}}]
  auto m = cm_ptr_load<half, 16, 16, 1, false, true, Cached, Cached>((const half *)p, 1023, 1023, 2047, x, y);
  // PVC: lsc_load_block2d.ugm.ca.ca (M1, 1) %null:d16.2x16x16nn flat[
  cm_ptr_prefetch<half, 16, 16, 2, Cached, Cached>((const half *)p, 1023, 1023, 2047, x + 32, y);
  // An address that is known is no immediate.
  // PVC: lsc_load_block2d.ugm{{.*}} (M1, 1) %null:d16.16x16nn flat[{{V[0-9_uq]+}},0x3ff,
  cm_ptr_prefetch<half, 16, 16>((const half *)nullptr, 1023, 1023, 2047, x, y);
  // PVC: lsc_store_block2d.ugm (M1, 1) flat[{{.*}}] {{V[0-9_uwhf]+}}:d16.16x8nn
  cm_ptr_store<half, 16, 8>((half *)p, 1023, 1023, 2047, x, y, m.select<128, 1>(0));
  // PVC: lsc_load_block2d.ugm (M1, 1) [[T:V[0-9_udf]+]]:d32.8x16tn flat[
  auto t = cm_ptr_load<float, 8, 16, 1, true>((const float *)p, 1023, 1023, 2047, x, y);
  cm_store<float, 64>(out, 4096, t.select<64, 1>(0));
#endif
}
