// Messages whose data, places, masks and addresses nobody has written compile for every target.
// RUN: for t in SKL ICLLP TGLLP DG2 PVC PVCXT; do cmc -march=$t -w -verify-each %s -o %t.isa || exit 1; done
#include <cm/cm.h>

extern "C" _GENX_MAIN_ void surfaces(SurfaceIndex s, SurfaceIndex image) {
  vector<uint, 16> v, at;
  vector<ushort, 16> mask;
  matrix<uchar, 4, 16> block;
  matrix<float, 4, 8> channels;
  vector<uint, 8> places;
  vector<float, 8> f;
  int x;
  uint offset;
  write(s, 0, v);
  write(s, 0, at, v);
  write(image, 0, 0, block);
  write(image, x, x, block);
  v(3) = 1;
  write(s, 64, v);
  write(s, x, f);
  write_scaled(s, 0, at, block.row(0));
  write_untyped(s, CM_ABGR_ENABLE, channels, places);
  write_typed(image, CM_ABGR_ENABLE, channels, places, places);
  write_atomic<ATOMIC_ADD, uint>(s, places, v.select<8, 1>(0));
  write_atomic<ATOMIC_ADD, uint>(mask.select<8, 1>(0), s, places, v.select<8, 1>(8));
  read(s, offset, v);
  write(s, 128, v);
}
extern "C" _GENX_MAIN_ void shared(SurfaceIndex s) {
  cm_slm_init(1024);
  uint m = cm_slm_alloc(512);
  vector<uint, 16> at, v;
  vector<uint, 64> channels;
  vector<uint, 8> old;
  cm_slm_write(m, at, v);
  cm_slm_read(m, at, v);
  write(s, 0, v);
  cm_slm_write4(m, at, channels, SLM_ABGR_ENABLE);
  cm_slm_atomic(m, ATOMIC_ADD, at.select<8, 1>(0), old, v.select<8, 1>(0));
}
extern "C" _GENX_MAIN_ void addresses(svmptr_t p) {
  vector<svmptr_t, 8> at;
  vector<uint, 8> v;
  svmptr_t nowhere;
  cm_svm_scatter_write(at, v);
  cm_svm_scatter_read(at, v);
  cm_svm_block_write(p, v);
  cm_svm_block_read(nowhere, v);
  cm_svm_block_write(nowhere, v);
}
#ifdef CM_HAS_LSC
extern "C" _GENX_MAIN_ void cached(SurfaceIndex s) {
  vector<uint, 16> at, v;
  vector<ushort, 16> mask;
  cm_store<uint>(s, at, v);
  cm_store<uint>(s, at, v, mask);
  cm_store<uint, 16>(s, 0, v);
  v = cm_load<uint>(s, at, mask);
  cm_store_slm<uint>(at, v);
  v = cm_atomic<AtomicOp::IADD>(s, at, v, mask);
  cm_store<uint, 16>(s, 64, v);
}
#endif
#ifdef CM_HAS_DPAS
extern "C" _GENX_MAIN_ void products(SurfaceIndex s) {
  vector<int, 8 * CM_GRF_WIDTH / 32> sum, b;
  vector<int, 64> a;
  sum = cm_dpas<CM_PRECISION_S8, CM_PRECISION_S8, 8, 8>(sum, b, a);
  write(s, 0, sum.select<32, 1>(0));
}
#endif
extern "C" _GENX_MAIN_ void channels(SurfaceIndex s, int n) {
  vector<int, 16> v, w;
  vector<ushort, 16> index;
  half h;
  int i;
  SIMD_IF_BEGIN(v > w) {
    v = w;
  }
  SIMD_ELSE {
    w += 1;
  }
  SIMD_IF_END;
  if (v.any())
    w = 2;
  write(s, 0, v);
  write(s, 64, w);
  v(i) = n;
  write(s, 128, v);
  write(s, 192, v.iselect(index));
  write(s, 256, vector<half, 16>(h));
}
