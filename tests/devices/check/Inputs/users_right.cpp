// Kernels as users write them, in which the check device finds nothing. Behind the colon: how they are launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
const int given[4] = {1, 2, 3, 4};
extern "C" {
_GENX_ int add3(int a, int b, int c) { int t = a + b; t += c; return t; }
// Sum in a loop with inner function: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r01(SurfaceIndex in, SurfaceIndex out) {
  int t = get_thread_origin_x();
  vector<int, 16> v, acc = 0;
  for (int i = 0; i < 4; i++) {
    read(in, t * 256 + i * 64, v);
    int s = add3(v(0), v(1), v(2));
    acc += v + s;
  }
  write(out, t * 64, acc);
}
// SLM halves, each thread writes its half, barrier, reads the other: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r02(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me * 3, w;
  cm_slm_block_write(0, me * 64, v);
  cm_barrier();
  cm_slm_block_read(0, (me ^ 1) * 64, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Double buffering in SLM with two barriers a round: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r03(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(512);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  for (int r = 0; r < 3; r++) {
    int half = (r & 1) * 256;
    cm_slm_block_write(0, half + me * 64, v);
    cm_barrier();
    cm_slm_block_read(0, half + ((me + 1) & 3) * 64, w);
    v += w;
  }
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// Block over image edge, clipped: --threads 3x3 --arg image:zero,width=24,height=13 --arg image:zero,width=24,height=13
_GENX_MAIN_ void r04(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 24, y = get_thread_origin_y() * 6;
  matrix<uchar, 8, 32> m;
  read(in, x - 4, y - 1, m);
  matrix<uchar, 6, 24> o = m.select<6, 1, 24, 1>(1, 4);
  write(out, x, y, o);
}
// Atomics only, from all threads: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r05(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> o(0), one(1);
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  write_atomic<ATOMIC_ADD>(out, o, one);
}
// Partial mask scatter: only lanes below n: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
_GENX_MAIN_ void r06(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> o, v;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  v = o * 3;
  vector<ushort, 16> on = o < uint(n);
  SIMD_IF_BEGIN(on) { write(out, get_thread_origin_x() * 16, o, v); } SIMD_IF_END;
}
// Vector filled piece by piece in a loop with merge: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:-1
_GENX_MAIN_ void r07(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, x;
  read(in, 0, x);
  v.merge(x, 0, x > n);
  write(out, get_thread_origin_x() * 64, v);
}
// Typed read and write: --threads 4x2 --arg image:zero,width=32,height=2,format=R32G32B32A32F --arg image:zero,width=32,height=2,format=R32G32B32A32F
_GENX_MAIN_ void r08(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> u, v = get_thread_origin_y();
  cmtl::cm_vector_assign(u.select_all(), get_thread_origin_x() * 8, 1);
  matrix<uint, 4, 8> m;
  read_typed(in, CM_ABGR_ENABLE, m, u, v);
  m += 1;
  write_typed(out, CM_ABGR_ENABLE, m, u, v);
}
// LSC block loads with cache hints and prefetch out of range: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r09(SurfaceIndex in, SurfaceIndex out) {
  int t = get_thread_origin_x();
  cm_prefetch<16, DataSize::U32, CacheHint::Cached, CacheHint::Cached>(in, t * 64 + 4096);
  vector<uint, 16> v = cm_load<uint, 16, DataSize::Default, CacheHint::Streaming, CacheHint::Uncached>(in, t * 64);
  cm_store<uint, 16, DataSize::Default, CacheHint::WriteBack, CacheHint::WriteBack>(out, t * 64, v);
}
// Lsc scatter with predicate: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:7
_GENX_MAIN_ void r10(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> o;
  cmtl::cm_vector_assign(o.select_all(), 0, 4);
  vector<uint, 16> v = o;
  vector<ushort, 16> p = o < uint(n * 4);
  cm_store<uint>(out, o + get_thread_origin_x() * 64, v, p);
}
// Dependency: in-place wavefront row: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:0
_GENX_MAIN_ void r11(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> a, b;
  int t = get_thread_origin_x();
  read(in, t * 64, a);
  b = a;
  for (int i = 1; i < 16; i++)
    b(i) += b(i - 1);
  write(out, t * 64, b);
}
// Table by local array, partially used: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:9
_GENX_MAIN_ void r12(SurfaceIndex in, SurfaceIndex out, int n) {
  int table[16];
  for (int i = 0; i < n; i++)
    table[i] = i * i;
  int s = 0;
  for (int i = 0; i < n; i++)
    s += table[i];
  vector<int, 16> v = s;
  write(out, get_thread_origin_x() * 64, v);
}
// One thread initialises SLM, barrier, all read: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r13(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  if (me == 0) {
    vector<int, 16> z = 5;
    cm_slm_block_write(0, 0, z);
  }
  cm_barrier();
  vector<int, 16> w;
  cm_slm_block_read(0, 0, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// SLM atomics then barrier then read: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r14(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<uint, 16> o, one = 1, w;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  if (me == 0) {
    vector<uint, 16> z = 0;
    cm_slm_block_write(0, 0, z);
  }
  cm_barrier();
  vector<uint, 16> old;
  cm_slm_atomic(0, ATOMIC_ADD, o, old, one);
  cm_barrier();
  cm_slm_block_read(0, 0, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Min of neighbours, select over itself: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r15(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  read(in, get_thread_origin_x() * 64, v);
  v.select<15, 1>(0) = cm_min<int>(v.select<15, 1>(0), v.select<15, 1>(1));
  write(out, get_thread_origin_x() * 64, v);
}
// Matrix by rows in a loop, then whole: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r16(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 4, 16> m;
  for (int i = 0; i < 4; i++) {
    vector<int, 16> r;
    read(in, i * 64, r);
    m.row(i) = r;
  }
  vector<int, 16> s = 0;
  for (int i = 0; i < 4; i++)
    s += m.row(i);
  write(out, get_thread_origin_x() * 64, s);
}
// Dpas with zero accumulator: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r17(SurfaceIndex in, SurfaceIndex out) {
  vector<float, 64> acc = 0;
  vector<uint, 64> b = 0;
  vector<uint, 64> a = 0;
  vector<float, 64> d = cm_dpas<CM_PRECISION_HF, CM_PRECISION_HF, 8, 8>(acc, b, a);
  vector<float, 16> o = d.select<16, 1>(0);
  write(out, get_thread_origin_x() * 64, o);
}
// Untyped with channels, masked by if: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:0
_GENX_MAIN_ void r18(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 8> o;
  cmtl::cm_vector_assign(o.select_all(), 0, 4);
  matrix<uint, 4, 8> m;
  read_untyped(in, CM_ABGR_ENABLE, m, o);
  vector<uint, 8> s = m.row(0) + m.row(3);
  vector<uint, 16> w = 0;
  w.select<8, 1>(0) = s;
  write(out, get_thread_origin_x() * 64, w);
}
// Conditional barrier reached by all (uniform condition): --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void r19(SurfaceIndex in, SurfaceIndex out, int n) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  cm_slm_block_write(0, me * 64, v);
  if (n > 3) {
    cm_barrier();
    cm_slm_block_read(0, (3 - me) * 64, w);
  } else
    w = v;
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Byte rows written by different threads into one line: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r20(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 4> v = get_thread_origin_x();
  write(out, get_thread_origin_x() * 16, v);
}
// Early return of threads beyond the size: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void r21(SurfaceIndex in, SurfaceIndex out, int n) {
  int t = get_thread_origin_x();
  if (t >= n)
    return;
  vector<int, 16> v = t;
  write(out, t * 64, v);
}
// Iselect with indices in range: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void r22(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, w;
  read(in, 0, v);
  vector<ushort, 16> at;
  cmtl::cm_vector_assign(at.select_all(), 0, 1);
  w = v.iselect(at ^ ushort(n));
  write(out, get_thread_origin_x() * 64, w);
}
// Reduction with first iteration flag: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void r23(SurfaceIndex in, SurfaceIndex out, int n) {
  int best;
  bool first = true;
  for (int i = 0; i < n; i++) {
    vector<int, 4> v;
    read(in, i * 16, v);
    if (first || v(0) > best) {
      best = v(0);
      first = false;
    }
  }
  vector<int, 16> o = first ? 0 : best;
  write(out, get_thread_origin_x() * 64, o);
}
struct Pair { int a, b; };
_GENX_ void fill(Pair &p, int n) { p.a = n; p.b = n + 1; }
// Struct with members written in a helper by reference: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void r24(SurfaceIndex in, SurfaceIndex out, int n) {
  Pair p;
  fill(p, n);
  vector<int, 16> o = p.a * p.b;
  write(out, get_thread_origin_x() * 64, o);
}
// Group writes global, fence + barrier, neighbours of the group read: --groups 2 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void r25(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0), base = cm_group_id(0) * 256;
  vector<int, 16> v = me, w;
  write(out, base + me * 64, v);
  cm_fence();
  cm_barrier();
  read(out, base + ((me + 1) & 3) * 64, w);
  cm_barrier();
  write(out, base + me * 64, w);
}
_GENX_ void fillHalf(vector_ref<int, 16> r) { r.select<8, 1>(0) = 3; }
// Reference into a matrix row, half written: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x02(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 2, 16> m;
  fillHalf(m.row(0));
  fillHalf(m.row(1));
  write(out, get_thread_origin_x() * 32, m.select<1, 1, 8, 1>(1, 0).format<int>());
}
// While loop with SIMD: lanes stop at different times: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x03(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, n = 0;
  read(in, get_thread_origin_x() * 64, v);
  v &= 7;
  SIMD_DO_WHILE_BEGIN {
    n += 1;
    v -= 1;
  } SIMD_DO_WHILE_END(v > 0);
  write(out, get_thread_origin_x() * 64, n);
}
// Lanes that never got a value in SIMD if: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x04(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, n;
  read(in, get_thread_origin_x() * 64, v);
  SIMD_IF_BEGIN(v > 100) { n = v; } SIMD_ELSE { n = -v; } SIMD_IF_END;
  write(out, get_thread_origin_x() * 64, n);
}
_GENX_ vector<int, 16> firstHalf(int x) { vector<int, 16> r; r.select<8, 1>(0) = x; return r; }
// Recursion-free helper returning a partially filled vector: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x05(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v = firstHalf(3);
  v.select<8, 1>(8) = v.select<8, 1>(0);
  write(out, get_thread_origin_x() * 64, v);
}
// SLM scattered, stride conflict between threads: --groups 2 --threads 4 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x06(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(1024);
  int me = cm_local_id(0);
  vector<ushort, 16> o;
  cmtl::cm_vector_assign(o.select_all(), 0, 1);
  vector<uint, 16> v = me;
  o += me * 16;
  cm_slm_write(0, o, v);
  cm_barrier();
  vector<uint, 16> w;
  o ^= 16;
  cm_slm_read(0, o, w);
  write(out, (cm_group_id(0) * 4 + me) * 64, w);
}
// Shifted window, last column missing in initial fill: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void x08(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 3, 18> w;
  for (int r = 0; r < 3; r++)
    w.select<1, 1, 17, 1>(r, 0) = r;
  vector<int, 16> s = 0;
  for (int r = 0; r < 3; r++)
    s += w.select<1, 1, 16, 1>(r, 1).format<int>();
  write(out, get_thread_origin_x() * 64, s);
}
// Switch without default: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void x09(SurfaceIndex in, SurfaceIndex out, int n) {
  int f;
  switch (n) {
  case 0: f = 1; break;
  default: f = 2; break;
  }
  vector<int, 16> v = f;
  write(out, get_thread_origin_x() * 64, v);
}
// 64-bit and double: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:8
_GENX_MAIN_ void x11(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<double, 8> d;
  for (int i = 0; i < 8; i++)
    d(i) = i * n;
  vector<float, 8> f = d;
  write(out, get_thread_origin_x() * 32, f);
}
// Bool mask from comparisons of partly unwritten, only written lanes used: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void x12(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v;
  v.select<8, 1>(0) = n;
  vector<ushort, 16> m = v > 0;
  vector<int, 8> w = 0;
  w.merge(7, m.select<8, 1>(0));
  write(out, get_thread_origin_x() * 32, w);
}
// In-loop scratch vector reused between iterations: unwritten only in first one: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void x15(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> last, now, sum = 0;
  for (int i = 0; i < n; i++) {
    read(in, i * 64, now);
    if (i > 0)
      sum += now - last;
    last = now;
  }
  write(out, get_thread_origin_x() * 64, sum);
}
// Constants and static table: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:2
_GENX_MAIN_ void x16(SurfaceIndex in, SurfaceIndex out, int n) {
  static const int t[5] = {1, 2, 3, 4, 5};
  vector<int, 16> v = t[n] + given[n & 3];
  write(out, get_thread_origin_x() * 64, v);
}
extern int declaredOfFile[4]; // as a header does
int declaredOfFile[4] = {1, 2, 3, 4};
int zerosOfFile[8] = {0}, filledOfFile[8];
struct Zero {
  int a = 0;
} zeroOfFile, zeroesOfFile[2];
// File-scope variables that the source, C++ or the kernel gives a value: --threads 4x1 --arg buffer:zero=1024 --arg int:1
_GENX_MAIN_ void valuesOfFile(SurfaceIndex out, int n) {
  for (int i = 0; i < 8; ++i)
    filledOfFile[i] = i;
  vector<int, 16> v = declaredOfFile[n] + zerosOfFile[n] + filledOfFile[n + 4] + zeroOfFile.a + zeroesOfFile[n].a;
  write(out, get_thread_origin_x() * 64, v);
}
}
