// Kernels that are right: guarded tails, exact ends, lanes that are off, elements that nobody uses, exchanges with
// barriers. In front of each: how it is launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
// Guarded tail: --threads 16x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:250
extern "C" _GENX_MAIN_ void guardedTail(SurfaceIndex src, SurfaceIndex dst, int n) {
  uint base = get_thread_origin_x() * 16;
  vector<uint, 16> at, v;
  for (int i = 0; i < 16; ++i) at(i) = base + i;
  SIMD_IF_BEGIN(at < uint(n)) {
    read(src, 0, at, v);
    v = v + 1;
    write(dst, 0, at, v);
  } SIMD_IF_END;
}
// Partly written then used parts: --threads 4x1 --arg buffer:zero=1024 --arg int:5
extern "C" _GENX_MAIN_ void partlyWrittenThenUsedParts(SurfaceIndex dst, int n) {
  vector<int, 32> v;
  for (int i = 0; i < n; ++i) v(i) = i;
  int s = 0;
  for (int i = 0; i < n; ++i) s += v(i);
  vector<int, 4> r = s;
  write(dst, get_thread_origin_x() * 16, r);
}
// Merge fills: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void mergeFills(SurfaceIndex src, SurfaceIndex dst) {
  vector<int, 16> a, b;
  read(src, get_thread_origin_x() * 64, a);
  b.merge(a, a >= 0);
  b.merge(-a, a < 0);
  write(dst, get_thread_origin_x() * 64, b);
}
// Tree with barriers: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void treeWithBarriers(SurfaceIndex dst) {
  cm_slm_init(64);
  uint s = cm_slm_alloc(64);
  uint id = cm_local_id(0);
  vector<uint, 4> mine = id, other;
  cm_slm_block_write(s, id * 16, mine);
  cm_barrier();
  for (uint step = 2; step > 0; step >>= 1) {
    if (id < step) {
      cm_slm_block_read(s, GENX_DWALIGNED, (id + step) * 16, other);
      mine += other;
      cm_slm_block_write(s, id * 16, mine);
    }
    cm_barrier();
  }
  if (id == 0) write(dst, cm_group_id(0) * 16, mine);
}
// Atomic sum: --threads 16x4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void atomicSum(SurfaceIndex sum) {
  vector<uint, 8> o, one(1u);
  for (int i = 0; i < 8; ++i) o(i) = i % 3;
  write_atomic<ATOMIC_ADD>(sum, o, one);
}
// Media edge: --threads 4x2 --arg image:zero,width=50,height=6,format=R8_UNORM --arg image:zero,width=50,height=6,format=R8_UNORM
extern "C" _GENX_MAIN_ void mediaEdge(SurfaceIndex img, SurfaceIndex dst) {
  matrix<uchar, 6, 18> in;
  int x = get_thread_origin_x() * 16, y = get_thread_origin_y() * 4;
  read(img, x - 1, y - 1, in);
  matrix<ushort, 4, 16> r = in.select<4, 1, 16, 1>(1, 0) + in.select<4, 1, 16, 1>(1, 2) + in.select<4, 1, 16, 1>(0, 1) + in.select<4, 1, 16, 1>(2, 1);
  matrix<uchar, 4, 16> o = r >> 2;
  write(dst, x, y, o);
}
// Ping pong slm: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void pingPongSlm(SurfaceIndex dst) {
  cm_slm_init(256);
  uint a = cm_slm_alloc(128), b = cm_slm_alloc(128);
  uint id = cm_local_id(0);
  vector<uint, 8> v = id;
  cm_slm_block_write(a, id * 32, v);
  cm_barrier();
  for (int t = 0; t < 3; ++t) {
    cm_slm_block_read(a, GENX_DWALIGNED, ((id + 1) & 3) * 32, v);
    v += 1;
    cm_slm_block_write(b, id * 32, v);
    cm_barrier();
    uint x = a; a = b; b = x;
  }
  write(dst, (cm_group_id(0) * 4 + id) * 32, v);
}
// Union of formats: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void unionOfFormats(SurfaceIndex src, SurfaceIndex dst) {
  vector<uint, 16> raw;
  vector_ref<uchar, 64> bytes = raw.format<uchar>();
  for (int i = 0; i < 64; i += 4) bytes.select<4, 1>(i) = i;
  write(dst, get_thread_origin_x() * 64, raw);
}
// Low bits only: --threads 4x1 --arg buffer:zero=1024 --arg int:2
extern "C" _GENX_MAIN_ void lowBitsOnly(SurfaceIndex dst, int n) {
  int mix;
  vector<ushort, 2> h;
  h(0) = n;
  uint w = h.format<uint>()(0) & 0xffff;
  vector<uint, 4> v = w;
  if (w > 1) v += 1;
  write(dst, get_thread_origin_x() * 16, v);
}
// While lanes: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void whileLanes(SurfaceIndex dst) {
  vector<int, 16> x, steps = 0;
  for (int i = 0; i < 16; ++i) x(i) = i + 1 + get_thread_origin_x();
  vector<ushort, 16> go = x > 1;
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN(x > 1) {
      x = x >> 1; steps += 1;
    } SIMD_IF_END;
  } SIMD_DO_WHILE_END(x > 1);
  write(dst, get_thread_origin_x() * 64, steps);
}
struct StructReturnBox { vector<int, 8> lo, hi; };
StructReturnBox structReturnMake(int n) { StructReturnBox b; b.lo = n; if (n > 1) b.hi = n * 2; else b.hi = 0; return b; }
// Struct return: --threads 4x1 --arg buffer:zero=1024 --arg int:3
extern "C" _GENX_MAIN_ void structReturn(SurfaceIndex dst, int n) {
  StructReturnBox b = structReturnMake(n);
  vector<int, 8> r = b.lo + b.hi;
  write(dst, get_thread_origin_x() * 32, r);
}
// Array prefix: --threads 4x1 --arg buffer:zero=1024 --arg int:6
extern "C" _GENX_MAIN_ void arrayPrefix(SurfaceIndex dst, int n) {
  int a[16];
  int m = 0;
  while (m < n) { a[m] = m * 3; ++m; }
  while (m > 0 && a[m - 1] > 6) --m;
  vector<int, 4> r = m;
  write(dst, get_thread_origin_x() * 16, r);
}
// Svm exact end: --threads 4x1 --arg buffer:zero=256 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void svmExactEnd(svmptr_t p, SurfaceIndex dst) {
  vector<uint, 16> v;
  cm_svm_block_read(p + get_thread_origin_x() * 64, v);
  write(dst, get_thread_origin_x() * 64, v);
}
// Signal pairs: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void signalPairs(SurfaceIndex dst) {
  cm_slm_init(64);
  uint s = cm_slm_alloc(64);
  uint id = cm_local_id(0);
  vector<uint, 4> x = id + 1, y;
  cm_slm_block_write(s, id * 16, x);
  cm_sbarrier(1);
  x *= 3;
  cm_sbarrier(0);
  cm_slm_block_read(s, GENX_DWALIGNED, (3 - id) * 16, y);
  x += y;
  write(dst, (cm_group_id(0) * 4 + id) * 16, x);
}
// Lsc masked gather: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:4
extern "C" _GENX_MAIN_ void lscMaskedGather(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<uint, 16> o; vector<ushort, 16> p;
  for (int i = 0; i < 16; ++i) { o(i) = i < n ? i * 4 : 1000000; p(i) = i < n; }
  vector<uint, 16> v = cm_load<uint>(src, o, p);
  vector<uint, 16> w = 0;
  w.merge(v, p);
  write(dst, get_thread_origin_x() * 64, w);
}
// Halves by threads: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void halvesByThreads(SurfaceIndex dst) {
  vector<uchar, 16> v = 7;
  vector<uint, 16> o;
  for (int i = 0; i < 16; ++i) o(i) = i * 4 + get_thread_origin_x();
  write(dst, 0, o, v);
}
// Edge select: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void edgeSelect(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<int, 16> v;
  read(src, 0, v);
  v.select<4, 2>(n) = 7;
  write(dst, get_thread_origin_x() * 64, v);
}
// Replicate edge: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void replicateEdge(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<int, 16> v;
  read(src, 0, v);
  vector<int, 16> r = v.replicate<4, 1, 4, 1>(n);
  write(dst, get_thread_origin_x() * 64, r);
}
_GENX_ CM_NOINLINE void outParamsParts(int n, vector_ref<float, 8> a, vector_ref<float, 8> b) { a = 1.0f; b.select<4, 2>(0) = n; b.select<4, 2>(1) = a.select<4, 1>(2); }
// Out params: --threads 4x1 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void outParams(SurfaceIndex dst, int n) {
  vector<float, 8> lo, hi;
  outParamsParts(n, lo, hi);
  hi += lo;
  write(dst, get_thread_origin_x() * 32, hi);
}
// Reduction unused lanes: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void reductionUnusedLanes(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<float, 16> v;
  vector<uint, 16> o;
  for (int i = 0; i < 16; ++i) o(i) = i;
  vector<ushort, 16> on = o < uint(n);
  SIMD_IF_BEGIN(on) { read(src, 0, o, v); } SIMD_IF_END;
  vector<float, 16> z = 0.0f;
  z.merge(v, on);
  float s = cm_sum<float>(z);
  vector<float, 4> r = s;
  write(dst, get_thread_origin_x() * 16, r);
}
// Group private rows: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void groupPrivateRows(SurfaceIndex dst) {
  cm_slm_init(256);
  uint s = cm_slm_alloc(256);
  uint id = cm_local_id(0);
  vector<uint, 16> v = id;
  for (int k = 0; k < 3; ++k) {
    cm_slm_block_write(s, id * 64, v);
    cm_slm_block_read(s, GENX_DWALIGNED, id * 64, v);
    v += k;
  }
  write(dst, (cm_group_id(0) * 4 + id) * 64, v);
}
// Last pixel typed: --threads 4x8 --arg image:zero,width=32,height=8,format=R32_UINT
extern "C" _GENX_MAIN_ void lastPixelTyped(SurfaceIndex img) {
  vector<uint, 8> u, v = get_thread_origin_y();
  for (int i = 0; i < 8; ++i) u(i) = i + get_thread_origin_x() * 8;
  matrix<uint, 1, 8> m;
  read_typed(img, CM_R_ENABLE, m, u, v);
  m += 1;
  write_typed(img, CM_R_ENABLE, m, u, v);
}
// Shift in: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void shiftIn(SurfaceIndex src, SurfaceIndex dst) {
  vector<int, 16> window;
  for (int k = 0; k < 16; ++k) {
    window.select<15, 1>(0) = window.select<15, 1>(1);
    window(15) = k * 3;
  }
  write(dst, get_thread_origin_x() * 64, window);
}
// Early exit flag: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void earlyExitFlag(SurfaceIndex src, SurfaceIndex dst) {
  vector<int, 16> v;
  int where;
  bool found = false;
  read(src, get_thread_origin_x() * 64, v);
  for (int i = 0; i < 16 && !found; ++i)
    if (v(i) == 3) { where = i; found = true; }
  vector<int, 4> r = found ? where : -1;
  write(dst, get_thread_origin_x() * 16, r);
}
// Two threads write the fields of an image, which have no rows in common: --threads 2x1 --arg image:zero,width=16,height=8,format=R8_UNORM
extern "C" _GENX_MAIN_ void fields(SurfaceIndex image) {
  matrix<uchar, 4, 16> m = get_thread_origin_x();
  if (get_thread_origin_x() == 0)
    write(TOP_FIELD(image), 0, 0, m);
  else
    write(BOTTOM_FIELD(image), 0, 0, m);
}
