// Mistakes in messages, objects, values, barriers and orders of threads: one in each kernel, in a line that ends with
// /*!*/ (a race has two ends). In front of each: how it is launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
// Block in 2d loop: --threads 4x4 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void blockIn2dLoop(SurfaceIndex src, SurfaceIndex dst) {
  uint row = get_thread_origin_y(), col = get_thread_origin_x();
  #pragma unroll
  for (int k = 0; k < 4; ++k) {
    vector<short, 8> piece;
    read(src, row * 256 + col * 64 + k * 16 + (row == 3 && k == 3 ? 16 : 0), piece); /*!*/
    write(dst, row * 256 + col * 64 + k * 16, piece);
  }
}
template <int N> void storeInFunctionPut(SurfaceIndex where, uint at, vector<float, N> v) {
  vector_ref<float, N> r = v;
  write(where, at, r); /*!*/
}
// Store in function: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void storeInFunction(SurfaceIndex dst) {
  vector<float, 16> v = 2.5f;
  storeInFunctionPut(dst, get_thread_origin_x() * 352, v);
}
// Scatter predicated: --threads 1x1 --arg buffer:zero=1024 --arg int:17
extern "C" _GENX_MAIN_ void scatterPredicated(SurfaceIndex dst, int n) {
  vector<uint, 16> at = 0; cmtl::cm_vector_assign(at.select_all(), 0, 1);
  vector<uint, 16> v = 7;
  vector<ushort, 16> on = at < uint(n);
  vector<uint, 16> where = 242 + at;
  where.merge(0, at == 15);
  SIMD_IF_BEGIN(on) {
    write(dst, 0, where, v); /*!*/
  } SIMD_IF_END;
}
// Typed write col: --threads 4x1 --arg image:zero,width=32,height=8,format=R32_UINT
extern "C" _GENX_MAIN_ void typedWriteCol(SurfaceIndex img) {
  vector<uint, 8> u, v = get_thread_origin_x();
  for (int i = 0; i < 8; ++i) u(i) = 8 * get_thread_origin_x() + i + (get_thread_origin_x() == 3);
  matrix<uint, 1, 8> m = 4;
  write_typed(img, CM_R_ENABLE, m, u, v); /*!*/
}
// Atomic add beyond: --threads 4x1 --arg buffer:zero=1024 --arg int:300
extern "C" _GENX_MAIN_ void atomicAddBeyond(SurfaceIndex hist, int n) {
  vector<uint, 8> bins(0u);
  for (int i = 0; i < 8; i++) bins[i] = (i * 41) % n;
  vector<uint, 8> one = 1, old;
  write_atomic<ATOMIC_ADD>(hist, bins, one, old); /*!*/
}
// Media all outside: --threads 2x3 --arg image:zero,width=32,height=8,format=R32_UINT --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void mediaAllOutside(SurfaceIndex img, SurfaceIndex dst) {
  matrix<uint, 4, 4> m;
  read(img, get_thread_origin_x() * 16, get_thread_origin_y() * 4, m); /*!*/
  write(dst, (get_thread_origin_y() * 2 + get_thread_origin_x()) * 64, m.format<uint>());
}
// Lsc store pred: --threads 4x1 --arg buffer:zero=1024 --arg int:16
extern "C" _GENX_MAIN_ void lscStorePred(SurfaceIndex dst, int n) {
  vector<uint, 16> at;
  vector<ushort, 16> p;
  for (int i = 0; i < 16; ++i) { at(i) = (get_thread_origin_x() * 68 + i * 4) * 4; p(i) = i < n; }
  vector<uint, 16> v = 9;
  cm_store<uint>(dst, at, v, p); /*!*/
}
// Slm scatter beyond: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void slmScatterBeyond(SurfaceIndex dst) {
  cm_slm_init(256);
  uint s = cm_slm_alloc(256);
  vector<ushort, 16> o; vector<uint, 16> v = 1;
  for (int i = 0; i < 16; ++i) o(i) = i + cm_local_id(0) * 16 + (cm_local_id(0) == 3) * 4;
  cm_slm_write(s, o, v); /*!*/
}
// Slm lsc load: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void slmLscLoad(SurfaceIndex dst) {
  cm_slm_init(128);
  vector<uint, 8> x = cm_local_id(0);
  cm_store_slm<uint, 8>(cm_local_id(0) * 32, x);
  cm_barrier();
  vector<uint, 8> y = cm_load_slm<uint, 8>(cm_local_id(0) * 32 + 32); /*!*/
  write(dst, (cm_group_id(0) * 4 + cm_local_id(0)) * 32, y);
}
// Svm pointer loop: --threads 1x1 --arg buffer:zero=256 --arg buffer:zero=1024 --arg int:5
extern "C" _GENX_MAIN_ void svmPointerLoop(svmptr_t p, SurfaceIndex dst, int n) {
  vector<float, 16> sum = 0;
  for (int i = 0; i < n; ++i) {
    vector<float, 16> part;
    cm_svm_block_read(p + i * 64, part); /*!*/
    sum += part;
  }
  write(dst, 0, sum);
}
// Svm ptr lsc: --threads 1x1 --arg buffer:zero=256 --arg int:60
extern "C" _GENX_MAIN_ void svmPtrLsc(float *p [[type("svmptr_t")]], int n) {
  vector<uint, 8> o;
  for (int i = 0; i < 8; ++i) o(i) = (n + i) * 4;
  cm_ptr_store<uint>((uint *)p, o, vector<uint, 8>(3)); /*!*/
}
// Misaligned lsc d64: --threads 1x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:12
extern "C" _GENX_MAIN_ void misalignedLscD64(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<uint64_t, 4> v = cm_load<uint64_t, 4>(src, n); /*!*/
  write(dst, 0, v.format<uint>());
}
// Misaligned by thread: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void misalignedByThread(SurfaceIndex dst) {
  vector<uchar, 16> px = 3;
  write(dst, get_thread_origin_x() * 24, px); /*!*/
}
// Misaligned gather2: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void misalignedGather2(SurfaceIndex a) {
  vector<uint, 8> o, old;
  for (int i = 0; i < 8; ++i) o(i) = i * 4 + (i == 5 ? 2 : 0);
  old = cm_atomic<AtomicOp::IINC, uint>(a, o); /*!*/
}
// Unwritten partial matrix: --threads 1x1 --arg buffer:zero=1024 --arg int:3
extern "C" _GENX_MAIN_ void unwrittenPartialMatrix(SurfaceIndex dst, int n) {
  matrix<float, 4, 8> acc;
  for (int r = 0; r < n; ++r)
    acc.row(r) = r * 0.5f;
  vector<float, 8> total = acc.row(0) + acc.row(1) + acc.row(2) + acc.row(3);
  write(dst, 0, total); /*!*/
}
// Unwritten switch: --threads 4x1 --arg buffer:zero=1024 --arg int:7
extern "C" _GENX_MAIN_ void unwrittenSwitch(SurfaceIndex dst, int n) {
  int scale;
  switch (n) {
  case 0: scale = 1; break;
  case 1: scale = 2; break;
  }
  vector<int, 8> v = scale;
  write(dst, get_thread_origin_x() * 32, v); /*!*/
}
struct UnwrittenStructMemberPair { int a, b; };
// Unwritten struct member: --threads 1x1 --arg buffer:zero=1024 --arg int:1
extern "C" _GENX_MAIN_ void unwrittenStructMember(SurfaceIndex dst, int n) {
  UnwrittenStructMemberPair p;
  p.a = n;
  if (n > 3) p.b = 4;
  vector<int, 8> v = p.a;
  if (p.b > 2) /*!*/
    v += 1;
  write(dst, 0, v);
}
// Unwritten offset: --threads 1x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void unwrittenOffset(SurfaceIndex src, SurfaceIndex dst) {
  vector<uint, 16> o;
  vector<uint, 16> v = 0;
  for (int i = 0; i < 15; i++) o[i] = 15 - i;
  read(src, 0, o, v); /*!*/
  write(dst, 0, v);
}
// Unwritten slm half: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void unwrittenSlmHalf(SurfaceIndex dst) {
  cm_slm_init(512);
  uint s = cm_slm_alloc(512);
  uint id = cm_local_id(0);
  if (id < 3) {
    vector<uint, 8> x = id;
    cm_slm_block_write(s, id * 32, x);
  }
  cm_barrier();
  vector<uint, 32> all;
  cm_slm_block_read(s, GENX_DWALIGNED, 0, all); /*!*/
  write(dst, (cm_group_id(0) * 4 + id) * 128, all);
}
// Object diag: --threads 1x1 --arg buffer:zero=1024 --arg int:5
extern "C" _GENX_MAIN_ void objectDiag(SurfaceIndex dst, int n) {
  matrix<int, 4, 4> m = 0;
  for (int i = 0; i < n; ++i)
    m(i, i) = 1; /*!*/
  write(dst, 0, m.format<int>());
}
// Object select: --threads 1x1 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void objectSelect(SurfaceIndex dst, int n) {
  vector<short, 16> w = 4;
  vector<short, 8> half = w.select<8, 1>(n); /*!*/
  write(dst, 0, half);
}
// Object iselect: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void objectIselect(SurfaceIndex src, SurfaceIndex dst) {
  vector<float, 16> tab = 3.0f;
  vector<ushort, 8> ix;
  for (int i = 0; i < 8; ++i) ix(i) = i + get_thread_origin_x() * 3;
  vector<float, 8> r = tab.iselect(ix); /*!*/
  write(dst, get_thread_origin_x() * 32, r);
}
// Object array: --threads 1x1 --arg buffer:zero=1024 --arg int:6
extern "C" _GENX_MAIN_ void objectArray(SurfaceIndex dst, int n) {
  int weights[6];
  for (int i = 0; i <= n; ++i)
    weights[i] = i * i; /*!*/
  vector<int, 4> v = weights[2] + weights[n - 1];
  write(dst, 0, v);
}
// Race overlap: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void raceOverlap(SurfaceIndex dst) {
  vector<uint, 16> v = get_thread_origin_x();
  write(dst, get_thread_origin_x() * 48, v); /*!*/
}
// Race lost update: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void raceLostUpdate(SurfaceIndex count) {
  vector<uint, 4> v;
  read(count, 0, v); /*!*/
  v += 1;
  write(count, 0, v); /*!*/
}
// Race group tree: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void raceGroupTree(SurfaceIndex dst) {
  cm_slm_init(64);
  uint s = cm_slm_alloc(64);
  uint id = cm_local_id(0);
  vector<uint, 4> mine = id, other;
  cm_slm_block_write(s, id * 16, mine);
  cm_barrier();
  for (uint step = 2; step > 0; step >>= 1) {
    if (id < step) {
      cm_slm_block_read(s, GENX_DWALIGNED, (id + step) * 16, other); /*!*/
      cm_slm_block_read(s, GENX_DWALIGNED, id * 16, mine);
      mine += other;
      cm_slm_block_write(s, id * 16, mine); /*!*/
    }
  }
  if (id == 0) write(dst, cm_group_id(0) * 16, mine);
}
// Race atomic plain: --threads 4x1 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void raceAtomicPlain(SurfaceIndex sum) {
  vector<uint, 8> o(0u), one(1u);
  if (get_thread_origin_x() == 2) {
    vector<uint, 8> z = 0;
    write(sum, 0, z); /*!*/
  } else
    write_atomic<ATOMIC_ADD>(sum, o, one); /*!*/
}
// Race image halo: --threads 4x1 --arg image:zero,width=64,height=8,format=R8_UNORM
extern "C" _GENX_MAIN_ void raceImageHalo(SurfaceIndex img) {
  matrix<uchar, 8, 18> in;
  read(img, get_thread_origin_x() * 16 - 1, 0, in); /*!*/
  matrix<uchar, 8, 16> r = in.select<8, 1, 16, 1>(0, 0) + in.select<8, 1, 16, 1>(0, 2);
  write(img, get_thread_origin_x() * 16, 0, r); /*!*/
}
// Barrier early return: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void barrierEarlyReturn(SurfaceIndex dst) {
  uint id = cm_local_id(0);
  if (id == 3) return;
  cm_barrier(); /*!*/
  vector<uint, 4> v = id;
  write(dst, (cm_group_id(0) * 4 + id) * 16, v);
}
// Barrier loop counts: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void barrierLoopCounts(SurfaceIndex dst) {
  uint id = cm_local_id(0);
  for (uint i = 0; i <= id; ++i)
    cm_barrier(); /*!*/
  vector<uint, 4> v = id;
  write(dst, (cm_group_id(0) * 4 + id) * 16, v);
}
// Race between groups: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void raceBetweenGroups(SurfaceIndex dst) {
  vector<uint, 4> v = cm_local_id(0);
  cm_barrier();
  write(dst, cm_local_id(0) * 16, v); /*!*/
}
// Load2d image: --threads 1x1 --arg image:zero,width=32,height=8,format=R8_UNORM --arg buffer:zero=1024 --arg int:8
extern "C" _GENX_MAIN_ void load2dImage(SurfaceIndex img, SurfaceIndex dst, int n) {
  matrix<uchar, 4, 16> m;
  read_plane(img, GENX_SURFACE_Y_PLANE, 0, n, m); /*!*/
  write(dst, 0, m.format<uchar>());
}
// Svm scatter: --threads 1x1 --arg buffer:zero=256 --arg int:57
extern "C" _GENX_MAIN_ void svmScatter(svmptr_t p, int n) {
  vector<svmptr_t, 8> a;
  for (int i = 0; i < 8; ++i) a(i) = p + (i + n + get_thread_origin_x()) * 4 - get_thread_origin_x() * 4;
  vector<uint, 8> v = 1;
  cm_svm_scatter_write(a, v); /*!*/
}
// Svm race: --threads 4x1 --arg buffer:zero=256
extern "C" _GENX_MAIN_ void svmRace(svmptr_t p) {
  vector<uint, 8> v = get_thread_origin_x();
  cm_svm_block_write(p + (get_thread_origin_x() >> 1) * 32, v); /*!*/
}
_GENX_ void outParamSpan(int n, int &a, int &b) { a = 1; if (n < 5) b = n; }
// Out param: --threads 4x1 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void outParam(SurfaceIndex dst, int n) {
  int least, most;
  outParamSpan(n, least, most);
  vector<int, 8> v = most - least;
  write(dst, get_thread_origin_x() * 32, v); /*!*/
}
_GENX_ CM_NOINLINE void outParamNoinlineParts(int n, vector_ref<float, 8> a, vector_ref<float, 8> b) { a = 1.0f; b.select<4, 2>(0) = n; }
// Out param noinline: --threads 4x1 --arg buffer:zero=1024 --arg int:9
extern "C" _GENX_MAIN_ void outParamNoinline(SurfaceIndex dst, int n) {
  vector<float, 8> lo, hi;
  outParamNoinlineParts(n, lo, hi);
  hi += lo;
  write(dst, get_thread_origin_x() * 32, hi); /*!*/
}
// Simd else missing: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void simdElseMissing(SurfaceIndex src, SurfaceIndex dst) {
  vector<int, 16> v, r;
  read(src, get_thread_origin_x() * 64, v);
  SIMD_IF_BEGIN(v > 0) {
    r = v * 2;
  } SIMD_IF_END;
  write(dst, get_thread_origin_x() * 64, r); /*!*/
}
// Break before set: --threads 1x1 --arg buffer:zero=1024 --arg int:0
extern "C" _GENX_MAIN_ void breakBeforeSet(SurfaceIndex dst, int n) {
  int last;
  for (int i = 0; i < 10; ++i) {
    if (i == n) break;
    last = i;
  }
  vector<uint, 8> v = 1;
  write(dst, last & 0x10, v); /*!*/
}
// Column chosen: --threads 4x1 --arg buffer:zero=1024 --arg int:8
extern "C" _GENX_MAIN_ void columnChosen(SurfaceIndex dst, int n) {
  matrix<ushort, 4, 8> m;
  for (int r = 0; r < 4; ++r) for (int k = 0; k < 8; ++k) m(r, k) = r * n + k;
  vector<ushort, 4> col = m.column(n); /*!*/
  vector<uint, 4> w = col;
  write(dst, get_thread_origin_x() * 16, w);
}
// Select stride: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:10
extern "C" _GENX_MAIN_ void selectStride(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<int, 16> v;
  read(src, 0, v);
  v.select<4, 2>(n) = 7; /*!*/
  write(dst, get_thread_origin_x() * 64, v);
}
// Underflow: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void underflow(SurfaceIndex src, SurfaceIndex dst) {
  vector<int, 16> v;
  read(src, get_thread_origin_x() * 64, v);
  vector<int, 16> d;
  for (uint i = 0; i < 16; ++i) {
    uint before = i - get_thread_origin_x();
    d(i) = v(i) - v(before); /*!*/
  }
  write(dst, get_thread_origin_x() * 64, d);
}
struct StructArrayCell { int w; vector<float, 4> v; };
// Struct array: --threads 4x1 --arg buffer:zero=1024 --arg int:4
extern "C" _GENX_MAIN_ void structArray(SurfaceIndex dst, int n) {
  StructArrayCell cells[4];
  for (int i = 0; i < 4; ++i) { cells[i].w = i; cells[i].v = 2.0f; }
  cells[n].v = 3.0f; /*!*/
  vector<float, 4> r = cells[n - 1].v * cells[n - 2].w;
  write(dst, get_thread_origin_x() * 16, r);
}
// Replicate far: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024 --arg int:14
extern "C" _GENX_MAIN_ void replicateFar(SurfaceIndex src, SurfaceIndex dst, int n) {
  vector<int, 16> v;
  read(src, 0, v);
  vector<int, 16> r = v.replicate<4, 1, 4, 1>(n); /*!*/
  write(dst, get_thread_origin_x() * 64, r);
}
// Typed race: --threads 4x1 --arg image:zero,width=32,height=8,format=R32_UINT
extern "C" _GENX_MAIN_ void typedRace(SurfaceIndex img) {
  vector<uint, 8> u, v = 0;
  for (int i = 0; i < 8; ++i) u(i) = i + get_thread_origin_x() * 4;
  matrix<uint, 1, 8> m = get_thread_origin_x();
  write_typed(img, CM_R_ENABLE, m, u, v); /*!*/
}
// Barrier in branch: --groups 2 --threads 4 --arg buffer:zero=1024 --arg int:2
extern "C" _GENX_MAIN_ void barrierInBranch(SurfaceIndex dst, int n) {
  uint id = cm_local_id(0);
  if (int(id) < n) {
    vector<uint, 4> v = id;
    write(dst, (cm_group_id(0) * 4 + id) * 16, v);
    cm_barrier(); /*!*/
  }
}
// Slm no barrier neighbour: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void slmNoBarrierNeighbour(SurfaceIndex dst) {
  cm_slm_init(64);
  uint s = cm_slm_alloc(64);
  uint id = cm_local_id(0);
  vector<ushort, 8> o;
  vector<uint, 8> v, w;
  for (int i = 0; i < 8; ++i) { o(i) = (id * 4 + i) & 15; v(i) = i; }
  cm_slm_write(s, o, v); /*!*/
  cm_barrier();
  cm_slm_read(s, o, w);
  write(dst, (cm_group_id(0) * 4 + id) * 32, w);
}
// Slm alloc too small: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void slmAllocTooSmall(SurfaceIndex dst) {
  cm_slm_init(32);
  uint s = cm_slm_alloc(32);
  uint id = cm_local_id(0);
  vector<uint, 4> v = id;
  cm_slm_block_write(s, id * 16, v); /*!*/
  cm_barrier();
  write(dst, (cm_group_id(0) * 4 + id) * 16, v);
}
// Lsc atomic slm: --groups 2 --threads 4 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void lscAtomicSlm(SurfaceIndex dst) {
  cm_slm_init(64);
  vector<uint, 8> o = 0;
  for (int i = 0; i < 8; ++i) o(i) = i * 4;
  vector<uint, 8> old = cm_atomic_slm<AtomicOp::IINC, uint>(o); /*!*/
  write(dst, (cm_group_id(0) * 4 + cm_local_id(0)) * 32, old);
}
// Two surfaces same name: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=128 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void twoSurfacesSameName(SurfaceIndex in0, SurfaceIndex in1, SurfaceIndex dst) {
  vector<int, 16> a, b;
  read(in0, get_thread_origin_x() * 64, a);
  read(in1, get_thread_origin_x() * 64, b); /*!*/
  a += b;
  write(dst, get_thread_origin_x() * 64, a);
}
// In template lambda: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
extern "C" _GENX_MAIN_ void inTemplateLambda(SurfaceIndex src, SurfaceIndex dst) {
  auto at = [&](int k) {
    vector<short, 16> v;
    read(src, k * 32, v); /*!*/
    return v;
  };
  vector<short, 16> s = at(get_thread_origin_x()) + at(get_thread_origin_x() + 29);
  write(dst, get_thread_origin_x() * 32, s);
}
