// Kernels as users write them, each with one mistake in a line that ends with /*!*/ (a race has two). Behind the colon: how they are
// launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
extern "C" {
// Accumulator never initialised: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w01(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, acc;
  for (int i = 0; i < 4; i++) {
    read(in, i * 64, v);
    acc += v;
  }
  write(out, get_thread_origin_x() * 64, acc); /*!*/
}
// SLM without barrier between write and neighbour's read: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w02(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me * 3, w;
  cm_slm_block_write(0, me * 64, v); /*!*/
  cm_slm_block_read(0, (me ^ 1) * 64, w); /*!*/
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Single buffer, one barrier only in a loop: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w03(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  for (int r = 0; r < 3; r++) {
    cm_slm_block_write(0, me * 64, v); /*!*/
    cm_barrier();
    cm_slm_block_read(0, ((me + 1) & 3) * 64, w); /*!*/
    v += w;
  }
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// Off by one: threads overlap a row at block bottom: --threads 3x2 --arg image:zero,width=24,height=13 --arg image:zero,width=24,height=13
_GENX_MAIN_ void w04(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 24, y = get_thread_origin_y() * 5;
  matrix<uchar, 8, 32> m;
  read(in, x - 4, y - 1, m);
  matrix<uchar, 6, 24> o = m.select<6, 1, 24, 1>(1, 4);
  write(out, x, y, o); /*!*/
}
// Atomics by some, plain read by others: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w05(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> o(0), one(1), back;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  write_atomic<ATOMIC_ADD>(out, o, one); /*!*/
  read(out, 0, o, back); /*!*/
  write(in, get_thread_origin_x() * 32, back);
}
// Mask too wide: lanes write past the surface: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=256 --arg int:9
_GENX_MAIN_ void w06(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> o, v;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  v = o * 3;
  vector<ushort, 16> on = o <= uint(n);
  SIMD_IF_BEGIN(on) {
    write(out, 256 - n, o, v); /*!*/
  }
  SIMD_IF_END;
}
// Merge into a vector that has no value in the other lanes: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void w07(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, x;
  read(in, 0, x);
  v.merge(x, x > n);
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
// Typed write right of the image: --threads 4x2 --arg image:zero,width=32,height=2,format=R32G32B32A32F --arg image:zero,width=32,height=2,format=R32G32B32A32F
_GENX_MAIN_ void w08(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> u, v = get_thread_origin_y();
  cmtl::cm_vector_assign(u.select_all(), get_thread_origin_x() * 8 + 1, 1);
  matrix<uint, 4, 8> m = 1;
  write_typed(out, CM_ABGR_ENABLE, m, u, v); /*!*/
}
// Lsc block load not aligned: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void w09(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> v =
      cm_load<uint, 16, DataSize::Default, CacheHint::Streaming, CacheHint::Uncached>(in, n); /*!*/
  write(out, get_thread_origin_x() * 64, v);
}
// Lsc scatter: neighbours of threads overlap: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:0
_GENX_MAIN_ void w10(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> o;
  cmtl::cm_vector_assign(o.select_all(), 0, 4);
  vector<uint, 16> v = o;
  cm_store<uint>(out, o + get_thread_origin_x() * 60, v); /*!*/
}
// Reads what the neighbour writes, without dependency: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:0
_GENX_MAIN_ void w11(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> a, b = 0;
  int t = get_thread_origin_x();
  if (t > 0)
    read(out, (t - 1) * 64, b); /*!*/
  read(in, t * 64, a);
  write(out, t * 64, a + b); /*!*/
}
// Local array read one past what was filled: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
_GENX_MAIN_ void w12(SurfaceIndex in, SurfaceIndex out, int n) {
  int table[16];
  for (int i = 0; i < n; i++)
    table[i] = i * i;
  int s = 0;
  for (int i = 0; i <= n; i++)
    s += table[i];
  vector<int, 16> v = s;
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
// Only thread 0 comes to the barrier: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w13(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  if (me == 0) {
    vector<int, 16> z = 5;
    cm_slm_block_write(0, 0, z);
    cm_barrier(); /*!*/
  }
  vector<int, 16> w = me;
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Counters in SLM not cleared: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w14(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<uint, 16> o, one = 1, w, old;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  cm_slm_atomic(0, ATOMIC_ADD, o, old, one); /*!*/
  cm_barrier();
  cm_slm_block_read(0, 0, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Element past the vector in a loop: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:16
_GENX_MAIN_ void w15(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v;
  read(in, get_thread_origin_x() * 64, v);
  for (int i = 0; i < n; i++)
    v(i) = cm_min<int>(v(i), v(i + 1)); /*!*/
  write(out, get_thread_origin_x() * 64, v);
}
// One row of the matrix forgotten: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void w16(SurfaceIndex in, SurfaceIndex out, int n) {
  matrix<int, 4, 16> m;
  for (int i = 0; i < n; i++) {
    vector<int, 16> r;
    read(in, i * 64, r);
    m.row(i) = r;
  }
  vector<int, 16> s = 0;
  for (int i = 0; i < 4; i++)
    s += m.row(i);
  write(out, get_thread_origin_x() * 64, s); /*!*/
}
// Dpas into an accumulator that nobody wrote: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w17(SurfaceIndex in, SurfaceIndex out) {
  vector<float, 64> acc;
  vector<uint, 64> b = 0;
  vector<uint, 64> a = 0;
  vector<float, 64> d = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8>(acc, b, a);
  vector<float, 16> o = d.select<16, 1>(0);
  write(out, get_thread_origin_x() * 64, o); /*!*/
}
_GENX_ void meet(int me, int n) {
  if (me < n)
    cm_barrier(); /*!*/
}
// Barrier under a condition that differs between threads, via a helper: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:2
_GENX_MAIN_ void w19(SurfaceIndex in, SurfaceIndex out, int n) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me;
  meet(me, n);
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// 32 bytes written at a distance of 16: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w20(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v = get_thread_origin_x();
  write(out, get_thread_origin_x() * 16, v); /*!*/
}
// More threads than the buffer has blocks: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=256 --arg int:1
_GENX_MAIN_ void w21(SurfaceIndex in, SurfaceIndex out, int n) {
  int t = get_thread_origin_x();
  vector<int, 16> v = t;
  write(out, (t + n) * 64, v); /*!*/
}
// Iselect with an index too large: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void w22(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, w;
  read(in, 0, v);
  vector<ushort, 16> at;
  cmtl::cm_vector_assign(at.select_all(), 0, 1);
  w = v.iselect(at + ushort(n)); /*!*/
  write(out, get_thread_origin_x() * 64, w);
}
// The best of none: an int without value decides a branch: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void w23(SurfaceIndex in, SurfaceIndex out, int n) {
  int best;
  for (int i = 0; i < n; i++) {
    vector<int, 4> v;
    read(in, i * 16, v);
    if (v(0) > best) /*!*/
      best = v(0);
  }
  vector<int, 16> o = best;
  write(out, get_thread_origin_x() * 64, o);
}
struct Pair { int a, b; };
_GENX_ void fill(Pair &p, int n) { p.a = n; }
// A member of a struct that the helper forgot: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void w24(SurfaceIndex in, SurfaceIndex out, int n) {
  Pair p;
  fill(p, n);
  vector<int, 16> o = p.a * p.b;
  write(out, get_thread_origin_x() * 64, o); /*!*/
}
// Group writes global memory, reads the neighbour's without a barrier: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void w25(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0), base = cm_group_id(0) * 256;
  vector<int, 16> v = me, w;
  write(out, base + me * 64, v); /*!*/
  cm_fence();
  read(out, base + ((me + 1) & 3) * 64, w); /*!*/
  write(in, base + me * 64, w);
}
_GENX_ void fillHalf(vector_ref<int, 16> r) { r.select<8, 1>(0) = 3; }
// Reference into a matrix row, half written: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y02(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 2, 16> m;
  fillHalf(m.row(0));
  fillHalf(m.row(1));
  write(out, get_thread_origin_x() * 64, m.row(1)); /*!*/
}
_GENX_ vector<int, 16> firstHalf(int x) { vector<int, 16> r; r.select<8, 1>(0) = x; return r; }
// Recursion-free helper returning a partially filled vector: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y05(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v = firstHalf(3);
  v.select<8, 1>(0) = v.select<8, 1>(8);
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
// SLM scattered, stride conflict between threads: --groups 2 --threads 4 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y06(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(1024);
  int me = cm_local_id(0);
  vector<ushort, 16> o;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  vector<uint, 16> v = me;
  o += me * 15;
  cm_slm_write(0, o, v); /*!*/
  cm_barrier();
  vector<uint, 16> w;
  cm_slm_read(0, o, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// SLM larger than init: --groups 2 --threads 4 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y07(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(128);
  int me = cm_local_id(0);
  vector<int, 16> v = me;
  cm_slm_block_write(0, me * 64, v); /*!*/
  cm_barrier();
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// Shifted window, last column missing in initial fill: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y08(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 3, 18> w;
  for (int r = 0; r < 3; r++)
    w.select<1, 1, 17, 1>(r, 0) = r;
  vector<int, 16> s = 0;
  for (int r = 0; r < 3; r++)
    s += w.select<1, 1, 16, 1>(r, 2).format<int>();
  write(out, get_thread_origin_x() * 64, s); /*!*/
}
// Switch without default: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void y09(SurfaceIndex in, SurfaceIndex out, int n) {
  int f;
  switch (n) {
  case 0: f = 1; break;
  case 1: f = 2; break;
  }
  vector<int, 16> v = f;
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
// Offset computed from unwritten: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void y10(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 8> o, v = 1;
  o.select<4, 1>(0) = n;
  o.select<2, 1>(4) = n + 1;
  v += o(7) & 0;
  read(in, 0, o, v); /*!*/
  vector<uint, 8> w = v;
  write(out, get_thread_origin_x() * 32, w);
}
// 64-bit and double: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:7
_GENX_MAIN_ void y11(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<double, 8> d;
  for (int i = 0; i < n; i++)
    d(i) = i * n;
  vector<float, 8> f = d;
  write(out, get_thread_origin_x() * 32, f); /*!*/
}
// Row loop bound by one too much: matrix row: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void y13(SurfaceIndex in, SurfaceIndex out, int n) {
  matrix<int, 4, 4> m = 0;
  for (int i = 0; i <= n; i++)
    m.row(i) += 1; /*!*/
  write(out, get_thread_origin_x() * 64, m.select_all());
}
// Prefetch 2d and loads of LSC blocks past the end: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:960
_GENX_MAIN_ void y14(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 32> v = cm_load<uint, 32>(in, n); /*!*/
  vector<uint, 16> w = v.select<16, 1>(0);
  write(out, get_thread_origin_x() * 64, w);
}
// In-loop scratch vector reused between iterations: unwritten only in first one: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void y15(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> last, now, sum = 0;
  for (int i = 0; i < n; i++) {
    read(in, i * 64, now);
    sum += now - last;
    last = now;
  }
  write(out, get_thread_origin_x() * 64, sum); /*!*/
}
// Constants and static table: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:2
_GENX_MAIN_ void y16(SurfaceIndex in, SurfaceIndex out, int n) {
  static const int t[5] = {1, 2, 3, 4, 5};
  vector<int, 16> v = t[n + 3]; /*!*/
  write(out, get_thread_origin_x() * 64, v);
}
// Reductions of partly written: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:1
_GENX_MAIN_ void y17(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v;
  for (int i = 0; i < 15; i++)
    v(i) = n;
  vector<int, 16> s = cm_sum<int>(v);
  write(out, get_thread_origin_x() * 64, s); /*!*/
}
// Races through a second surface index to the same data: two readers, one late writer: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void y18(SurfaceIndex in, SurfaceIndex out) {
  int t = get_thread_origin_x();
  vector<int, 16> v, w = 4;
  read(in, 0, v); /*!*/
  if (t == 3)
    write(in, 0, w); /*!*/
  write(out, t * 64, v);
}
int tableOfFile[8];
// An array at file scope: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void arrayOfFile(SurfaceIndex out, int n) {
  vector<int, 16> v = tableOfFile[n];
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
Pair pairsOfFile[3];
// Structures at file scope, the other member: --threads 4x1 --arg buffer:zero=1024 --arg int:2
_GENX_MAIN_ void structureOfFile(SurfaceIndex out, int n) {
  pairsOfFile[n].a = n;
  vector<int, 16> v = pairsOfFile[n].b;
  write(out, get_thread_origin_x() * 64, v); /*!*/
}
}
