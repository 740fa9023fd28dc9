// Kernels that are right although they look wrong: the check device finds nothing. In front of each: how it is launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
extern "C" {
_GENX_ vector<int, 16> ramp() { vector<int, 16> r; cmtl::cm_vector_assign(r.select_all(), 0, 1); return r; }
// Barriers in a loop whose count every thread has: --groups 2 --threads 4 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void uniformLoop(SurfaceIndex out, int n) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  for (int i = 0; i < n; ++i) {
    cm_slm_block_write(0, me * 64, v);
    cm_barrier();
    cm_slm_block_read(0, ((me + i) & 3) * 64, w);
    v += w;
    cm_barrier();
  }
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// The count of the loop comes through shared local memory: --groups 2 --threads 4 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void countFromSlm(SurfaceIndex out, int n) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<int, 4> c = n, d;
  if (me == 2)
    cm_slm_block_write(0, 0, c);
  cm_barrier();
  cm_slm_block_read(0, 0, d);
  for (int i = 0; i < d(0); ++i)
    cm_barrier();
  vector<int, 16> v = d(1);
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// Tree reduction: fewer threads work each round, all meet: --groups 2 --threads 8 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void tree(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(512);
  int me = cm_local_id(0);
  vector<int, 16> v, w;
  read(in, me * 64, v);
  cm_slm_block_write(0, me * 64, v);
  for (int step = 4; step > 0; step >>= 1) {
    cm_barrier();
    if (me < step) {
      cm_slm_block_read(0, me * 64, v);
      cm_slm_block_read(0, (me + step) * 64, w);
      v += w;
      cm_slm_block_write(0, me * 64, v);
    }
  }
  if (me == 0)
    write(out, cm_group_id(0) * 64, v);
}
// Double buffering where the load of the next round overlaps the use of this one: --groups 1 --threads 4 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void pipelined(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(512);
  int me = cm_local_id(0);
  vector<int, 16> v, w, sum = 0;
  read(in, me * 64, v);
  cm_slm_block_write(0, me * 64, v);
  for (int r = 0; r < 4; ++r) {
    cm_barrier();
    if (r < 3) {
      read(in, ((me + r) & 3) * 64 + 256, v);
      cm_slm_block_write(0, (~r & 1) * 256 + me * 64, v);
    }
    for (int k = 0; k < 4; ++k) {
      cm_slm_block_read(0, (r & 1) * 256 + k * 64, w);
      sum += w;
    }
  }
  write(out, me * 64, sum);
}
// A lock by compare-and-exchange around a plain counter, fences on both sides: --groups 1 --threads 4 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void tickets(SurfaceIndex counter, SurfaceIndex out) {
  vector<uint, 8> at = 0, one = 1, old;
  vector<ushort, 8> first = 0;
  first(0) = 1;
  vector<uint, 1> place = 0, ticket;
  cm_atomic<AtomicOp::IINC, uint>(counter, place);
  vector<uint, 8> o;
  write_atomic<ATOMIC_INC, uint, 8>(vector<ushort, 8>(first), counter, at, old);
  vector<int, 16> v = 7;
  write(out, old(0) * 64, v);
}
// Places handed out by an atomic of the group: --groups 2 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void placesFromSlm(SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<uint, 16> zero = 0;
  if (me == 0)
    cm_slm_block_write(0, 0, zero);
  cm_barrier();
  vector<ushort, 8> at = 0;
  vector<uint, 8> old, on = 0;
  on(0) = 1;
  cm_slm_atomic(0, ATOMIC_ADD, at, old, on);
  uint place = cm_reduced_min<uint>(old);
  vector<int, 16> v = me;
  write(out, (cm_group_id(0) * 4 + place) * 64, v);
}
// Disjoint elements by stride: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void stride(SurfaceIndex out) {
  vector<uint, 16> o = ramp() * 4 + get_thread_origin_x(), v = o;
  write(out, 0, o, v);
}
// Disjoint bytes by stride: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void strideOfBytes(SurfaceIndex out) {
  vector<uint, 16> o = ramp() * 4 + get_thread_origin_x();
  vector<uchar, 16> v = o;
  write(out, 0, o, v);
}
// Columns of an image, a byte wide: --threads 4x2 --arg image:zero,width=16,height=16,format=R8_UNORM
_GENX_MAIN_ void columns(SurfaceIndex image) {
  matrix<uchar, 8, 4> m = get_thread_origin_x();
  write(image, get_thread_origin_x() * 4, get_thread_origin_y() * 8, m);
}
// Two lanes of one message write the same value to one place: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void lanesCollide(SurfaceIndex out) {
  vector<uint, 16> o = (ramp() >> 1) + get_thread_origin_x() * 16, v = 4;
  write(out, 0, o, v);
}
// Lanes that are never read hold garbage: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void garbageLanes(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, garbage;
  read(in, 0, v);
  garbage.select<4, 1>(0) = n;
  v = garbage * 3 + v;
  vector<int, 4> w = v.select<4, 1>(0);
  write(out, get_thread_origin_x() * 16, w);
}
// A mask hides garbage offsets: --threads 4x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void maskedOffsets(SurfaceIndex out, int n) {
  vector<uint, 16> o, v;
  for (int i = 0; i < n; ++i) {
    o(i) = get_thread_origin_x() * 16 + i;
    v(i) = i;
  }
  vector<int, 16> lane = ramp();
  SIMD_IF_BEGIN(lane < n) { write(out, 0, o, v); } SIMD_IF_END;
}
// Else lanes hold nothing and are not used: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void elseLanes(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, lane = ramp(), t;
  read(in, 0, v);
  SIMD_IF_BEGIN(lane < 7) { t = v + 3; } SIMD_IF_END;
  vector<int, 16> w = 0;
  SIMD_IF_BEGIN(lane < 5) { w = t; } SIMD_IF_END;
  write(out, get_thread_origin_x() * 64, w);
}
// Merge by a mask that covers just what is written: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void mergedAway(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, t;
  read(in, 0, v);
  t.select<8, 2>(0) = v.select<8, 1>(3);
  vector<int, 16> w;
  w.merge(t, v, 0x5555);
  write(out, get_thread_origin_x() * 64, w);
}
// Bits that nobody wrote are masked away: --threads 4x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void bitsMasked(SurfaceIndex out, int n) {
  int x;
  x = (x << 8) | (n & 255);
  vector<int, 16> v = x & 255;
  write(out, get_thread_origin_x() * 64, v);
}
// A comparison whose other lanes are cut off by a constant: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void packedMask(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  vector<int, 4> few;
  read(in, 0, few);
  v.select<4, 1>(0) = few;
  uint bits = cm_pack_mask(v > 3) & 15;
  if (bits == 15)
    few = 2;
  write(out, get_thread_origin_x() * 16, few);
}
// any() of lanes that have all been written: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void anyOfWritten(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  vector<int, 8> half;
  read(in, 0, half);
  v.select<8, 1>(8) = half;
  vector<ushort, 16> m = v > 3;
  vector<int, 4> r = 0;
  if (m.select<8, 1>(8).any())
    r = 1;
  write(out, get_thread_origin_x() * 16, r);
}
// Both operands are garbage, the result is not: x - x and x ^ x are zero: --threads 4x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void timesZero(SurfaceIndex out, int n) {
  vector<int, 16> x, v = n;
  v += x & 0;
  v |= x * 0;
  write(out, get_thread_origin_x() * 64, v);
}
// An address inside of an allocation, written backwards: --threads 1x1 --arg buffer:zero=1024
_GENX_MAIN_ void backwards(SurfaceIndex out) {
  vector<int, 16> v;
  for (int i = 15; i >= 0; --i)
    v(i) = i == 15 ? 0 : v(i + 1) + 1;
  for (int at = 960; at >= 0; at -= 64)
    write(out, at, v);
}
// A media block that hangs over all four edges: --threads 1x1 --arg image:zero,width=4,height=4,format=R8_UNORM --arg image:zero,width=4,height=4,format=R8_UNORM
_GENX_MAIN_ void overAllEdges(SurfaceIndex in, SurfaceIndex out) {
  matrix<uchar, 8, 32> m;
  read(in, -4, -2, m);
  write(out, -4, -2, m);
}
// Reads whole blocks outside beside blocks inside, as filters at corners do: --threads 3x3 --arg image:zero,width=24,height=12,format=R8_UNORM --arg image:zero,width=24,height=12,format=R8_UNORM
_GENX_MAIN_ void haloByBlocks(SurfaceIndex in, SurfaceIndex out) {
  int x = get_thread_origin_x() * 8, y = get_thread_origin_y() * 4;
  matrix<uchar, 12, 24> m;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      matrix<uchar, 4, 8> b;
      read(in, x + i * 8 - 8, y + j * 4 - 4, b);
      m.select<4, 1, 8, 1>(j * 4, i * 8) = b;
    }
  matrix<uchar, 4, 8> r = m.select<4, 1, 8, 1>(3, 7) + m.select<4, 1, 8, 1>(5, 9);
  write(out, x, y, r);
}
// The last thread has fewer elements, moves its block inward, and writes what its neighbour writes not: --threads 3x1 --arg buffer:in=ones --arg buffer:zero=160
_GENX_MAIN_ void tail(SurfaceIndex in, SurfaceIndex out) {
  int t = get_thread_origin_x();
  vector<int, 16> v;
  read(in, t * 64, v);
  if (t == 2)
    write(out, t * 64, v.select<8, 1>(0));
  else
    write(out, t * 64, v);
}
// In place, each thread its own block: --threads 4x1 --arg buffer:in=ones
_GENX_MAIN_ void inPlace(SurfaceIndex io) {
  vector<int, 16> v;
  for (int i = 0; i < 3; ++i) {
    read(io, get_thread_origin_x() * 64, v);
    v += 1;
    write(io, get_thread_origin_x() * 64, v);
  }
}
// Two arguments, one thread reads what only itself writes through the other: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void readsOwn(SurfaceIndex in, SurfaceIndex out) {
  int t = get_thread_origin_x();
  vector<int, 16> v, w;
  read(in, 0, v);
  write(out, t * 64, v);
  vector<uint, 8> o = ramp().select<8, 1>(0) + t * 16, u;
  read(out, 0, o, u);
  write(out, t * 64 + 32, u);
}
// A matrix is filled column by column, the last column never, and never read: --threads 4x1 --arg buffer:zero=1024 --arg int:7
_GENX_MAIN_ void byColumns(SurfaceIndex out, int n) {
  matrix<int, 8, 8> m;
  for (int i = 0; i < n; ++i)
    m.column(i) = i * n;
  vector<int, 8> s = 0;
  for (int i = 0; i < n; ++i)
    s += m.column(i);
  write(out, get_thread_origin_x() * 32, s);
}
// Sliding window of rows, of which the oldest is replaced: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void slidingWindow(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 4, 8> rows;
  vector<int, 8> r, s = 0;
  for (int i = 0; i < 10; ++i) {
    read(in, i * 32, r);
    rows.row(i & 3) = r;
    if (i >= 3)
      s += rows.row(0) + rows.row(1) + rows.row(2) + rows.row(3);
  }
  write(out, get_thread_origin_x() * 32, s);
}
struct Node { int key; vector<int, 4> data; bool used; };
// Structures of which unused ones hold nothing: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void structures(SurfaceIndex out, int n) {
  Node nodes[8];
  for (int i = 0; i < 8; ++i)
    nodes[i].used = false;
  for (int i = 0; i < n; ++i) {
    nodes[i * 2].used = true;
    nodes[i * 2].key = i;
    nodes[i * 2].data = i;
  }
  vector<int, 4> s = 0;
  for (int i = 0; i < 8; ++i)
    if (nodes[i].used && nodes[i].key >= 0)
      s += nodes[i].data;
  write(out, get_thread_origin_x() * 16, s);
}
// Searches that end at a sentinel: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void sentinel(SurfaceIndex out, int n) {
  int a[16];
  for (int i = 0; i < 5; ++i)
    a[i] = i * 2;
  a[5] = -1;
  int i = 0;
  while (a[i] >= 0 && a[i] != n)
    ++i;
  vector<int, 4> s = i;
  write(out, get_thread_origin_x() * 16, s);
}
// A stack in an array: --threads 4x1 --arg buffer:zero=1024 --arg int:13
_GENX_MAIN_ void stack(SurfaceIndex out, int n) {
  int todo[8], top = 0, sum = 0;
  todo[top++] = n;
  while (top > 0) {
    int x = todo[--top];
    sum += x;
    if (x > 1) {
      todo[top++] = x >> 1;
      if (x & 1)
        todo[top++] = x >> 2;
    }
  }
  vector<int, 4> s = sum;
  write(out, get_thread_origin_x() * 16, s);
}
// Insertion sort with shifting, in a vector by run-time places: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void insertion(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v, s;
  read(in, 0, v);
  int n = 0;
  for (int i = 0; i < 8; ++i) {
    int x = v(i) * (i ^ 5), at = n++;
    while (at > 0 && s(at - 1) > x) {
      s(at) = s(at - 1);
      --at;
    }
    s(at) = x;
  }
  write(out, get_thread_origin_x() * 32, s);
}
// Swapped through a third variable that starts empty: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void swaps(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> a, b = 1, t;
  read(in, 0, a);
  for (int i = 0; i < 3; ++i) {
    t = a;
    a = b;
    b = t;
  }
  write(out, get_thread_origin_x() * 32, a - b);
}
// Two flags that imply each other: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void flags(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> a, r = 0;
  bool have = n > 3;
  int x;
  if (have) {
    read(in, 0, a);
    x = a(0);
  }
  if (n > 4 && have && x > 0)
    r = a;
  write(out, get_thread_origin_x() * 32, r);
}
// A loop that leaves early with what it found: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void found(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> hit, v;
  bool any = false;
  for (int i = 0; i < n && !any; ++i) {
    read(in, i * 32, v);
    if (v(i & 7) > 0) {
      hit = v;
      any = true;
    }
  }
  if (!any)
    hit = 0;
  write(out, get_thread_origin_x() * 32, hit);
}
// Split barrier in a loop, work between the halves: --groups 2 --threads 4 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void splitInLoop(SurfaceIndex out, int n) {
  cm_slm_init(512);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  for (int i = 0; i < n; ++i) {
    cm_slm_block_write(0, (i & 1) * 256 + me * 64, v);
    cm_slm_fence(CM_GLOBAL_COHERENT_FENCE);
    cm_sbarrier(1);
    v = v * 3 + 1;
    cm_sbarrier(0);
    cm_slm_block_read(0, (i & 1) * 256 + ((me + 1) & 3) * 64, w);
    v ^= w;
  }
  write(out, (cm_group_id(0) * 4 + me) * 64, v);
}
// Groups of three dimensions, each thread its own place: --groups 2x1x2 --threads 2x2x2 --arg buffer:zero=2048
_GENX_MAIN_ void threeDimensions(SurfaceIndex out) {
  cm_slm_init(128);
  int me = cm_local_id(0) + 2 * cm_local_id(1) + 4 * cm_local_id(2);
  int group = cm_group_id(0) + 2 * cm_group_id(2);
  vector<int, 4> v = me, w;
  cm_slm_block_write(0, me * 16, v);
  cm_barrier();
  cm_slm_block_read(0, (7 - me) * 16, w);
  write(out, (group * 8 + me) * 16, w);
}
// Early leave of whole groups before a barrier: --groups 4 --threads 4 --arg buffer:zero=1024 --arg int:2
_GENX_MAIN_ void groupsLeave(SurfaceIndex out, int n) {
  cm_slm_init(64);
  if (int(cm_group_id(0)) >= n)
    return;
  int me = cm_local_id(0);
  vector<int, 4> v = me, w;
  cm_slm_block_write(0, me * 16, v);
  cm_barrier();
  cm_slm_block_read(0, (me ^ 2) * 16, w);
  write(out, (cm_group_id(0) * 4 + me) * 16, w);
}
// Every group uses only bytes of shared memory that its own threads wrote, at odd places: --groups 3 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void bytesOfSlm(SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<ushort, 16> at = ramp() * 4 + me;
  vector<uchar, 16> v = me, w;
  cm_slm_write_scaled(0, vector<uint, 16>(at), v);
  cm_barrier();
  cm_slm_read_scaled(0, vector<uint, 16>(at ^ 1), w);
  write(out, (cm_group_id(0) * 4 + me) * 16, w);
}
// Atomic maximum of floats and a read by another launch order does not matter: --threads 8x1 --arg buffer:zero=64
_GENX_MAIN_ void maximum(SurfaceIndex out) {
  vector<uint, 8> at = 0, v = get_thread_origin_x() * 5, old;
  write_atomic<ATOMIC_MAX>(out, at, v, old);
  if (old(0) > 1000)
    write_atomic<ATOMIC_INC>(out, at);
}
// Choice of elements by another element, all inside: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void permuted(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  read(in, 0, v);
  vector<ushort, 16> at = v & 15;
  for (int i = 0; i < 4; ++i)
    at = at.iselect(at ^ ushort(i));
  vector<int, 16> r = v.iselect(at);
  write(out, get_thread_origin_x() * 64, r);
}
// Indices of lanes that are off point far away: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void farIndices(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 16> v, r = 0, lane = ramp();
  read(in, 0, v);
  vector<int, 16> at = lane * 100;
  SIMD_IF_BEGIN(at < 16) { r = v.iselect(vector<ushort, 16>(at)); } SIMD_IF_END;
  write(out, get_thread_origin_x() * 64, r);
}
// A table of two dimensions in a plain array, indices clamped: --threads 4x1 --arg buffer:zero=1024 --arg int:9
_GENX_MAIN_ void clampedTable(SurfaceIndex out, int n) {
  int a[4][4];
  for (int i = 0; i < 16; ++i)
    a[i >> 2][i & 3] = i;
  int k = n > 3 ? 3 : n;
  vector<int, 4> v = a[1][k] + a[k][2];
  write(out, get_thread_origin_x() * 16, v);
}
// Whole array walked through a pointer to its first element: --threads 4x1 --arg buffer:zero=1024 --arg int:16
_GENX_MAIN_ void flat(SurfaceIndex out, int n) {
  int a[4][4];
  int *p = &a[0][0];
  for (int i = 0; i < n; ++i)
    p[i] = i;
  vector<int, 4> v = a[3][3] + p[n - 2];
  write(out, get_thread_origin_x() * 16, v);
}
// One past the end as a bound: --threads 4x1 --arg buffer:zero=1024 --arg int:16
_GENX_MAIN_ void pastTheEnd(SurfaceIndex out, int n) {
  int a[16], s = 0;
  for (int *p = a; p != a + n; ++p)
    *p = int(p - a);
  for (int *p = a + n; p-- != a;)
    s += *p;
  vector<int, 4> v = s;
  write(out, get_thread_origin_x() * 16, v);
}
// Prefetch of what does not exist, and LSC loads whose lanes beyond the end are off: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:250
_GENX_MAIN_ void lanesOffAtTheEnd(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<uint, 16> o = (ramp() + n) * 4;
  vector<ushort, 16> on = o < 1024;
  vector<uint, 16> v = cm_load<uint>(in, o, on);
  v.merge(0, !on);
  write(out, get_thread_origin_x() * 64, v);
}
// Half floats and bytes packed into dwords by halves: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void halves(SurfaceIndex in, SurfaceIndex out) {
  vector<uint, 8> v;
  vector_ref<ushort, 16> h = v.format<ushort>();
  vector<ushort, 8> x;
  read(in, 0, x);
  h.select<8, 2>(0) = x;
  h.select<8, 2>(1) = x + 1;
  write(out, get_thread_origin_x() * 32, v);
}
// Reverse dependency through a buffer of flags nobody writes: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void sharedReads(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, w;
  read(in, 0, v);
  read(DWALIGNED(in), 36, w);
  vector<int, 16> r = v + w;
  write(out, (3 - get_thread_origin_x()) * 64, r);
}
// A function with its own uninitialised local of another call before: --threads 4x1 --arg buffer:zero=1024 --arg int:1
_GENX_ int once(int n) { int t; if (n > 0) t = n; else t = -n; return t; }
// Call twice: --threads 4x1 --arg buffer:zero=1024 --arg int:1
_GENX_MAIN_ void localsOfCalls(SurfaceIndex out, int n) {
  vector<int, 4> v = once(n) + once(-n);
  write(out, get_thread_origin_x() * 16, v);
}
// goto-like continue with a mask that excludes lanes for good: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void simdLoop(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> left = ramp(), last;
  vector<int, 16> n = 0;
  SIMD_DO_WHILE_BEGIN {
    SIMD_IF_BEGIN(n > 0) { last = last + n; } SIMD_ELSE { last = left; } SIMD_IF_END;
    n += 1;
    left -= 3;
  } SIMD_DO_WHILE_END(left > 0);
  write(out, get_thread_origin_x() * 64, last);
}
}
