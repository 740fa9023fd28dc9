// Seed: addresses, LSC, typed access, matrix products.
#include <cm/cm.h>
extern "C" _GENX_MAIN_ void memory(SurfaceIndex s, SamplerIndex p, svmptr_t a, float *q) {
  vector<uint, 16> o = 4, v;
  v = cm_load<uint, VectorSize::N1, DataSize::U8U32>(s, o);
  vector<float, 32> w = cm_ptr_load<float, 8, 4>(q, 63, 3, 63, 0, 1);
  cm_store<uint, 16>(s, 64u, v);
  vector<svmptr_t, 16> where = o + a;
  cm_svm_scatter_write(where, v);
  cm_svm_atomic(ATOMIC_ADD, where, v, 1u);
  matrix<float, 4, 16> c;
  read_typed(s, CM_ABGR_ENABLE, c, o, o);
  sample16(c, CM_ABGR_ENABLE, s, p, vector<float, 16>(0.5f), vector<float, 16>(0.25f));
  vector<int, 64> acc = 0;
  vector<int, 64> b = 1, x = 2;
  acc = cm_dpas<CM_PRECISION_S8, CM_PRECISION_U8, 8, 8>(acc, b, x);
  vector<bfloat16, 16> g = w.select<16, 1>(0);
  vector<uchar, 16> k = cm_bf8_cvt<uchar>(vector<half, 16>(g));
  auto f = [&](auto y) { return y * 2; };
  v = f(o) + acc.select<16, 1>(0) + k;
  write(s, 0, v);
}
