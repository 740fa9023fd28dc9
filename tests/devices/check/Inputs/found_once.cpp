// Kernels with one mistake each, in a line that ends with /*!*/ (a race has two). In front of each: how it is launched (users.py).
#include <cm/cm.h>
#include <cm/cmtl.h>
struct Taps { int weight[3]; int rest[3]; };
int table[4][4] = {{1,2,3,4}};
extern "C" {
_GENX_ vector<int, 16> ramp() { vector<int, 16> r; cmtl::cm_vector_assign(r.select_all(), 0, 1); return r; }
// Number of a column beyond the inner array: --threads 4x1 --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void innerArray(SurfaceIndex out, int n) {
  int a[4][4];
  for (int i = 0; i < 16; ++i)
    a[i >> 2][i & 3] = i;
  vector<int, 4> v = a[1][n]; /*!*/
  write(out, get_thread_origin_x() * 16, v);
}
// Constant index beyond the vector: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void constantIndex(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v, w;
  read(in, 0, v);
  vector<ushort, 8> at = 2;
  at(5) = 9;
  w = v.iselect(at); /*!*/
  write(out, get_thread_origin_x() * 32, w);
}
// Unwritten element becomes a condition: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void condition(SurfaceIndex out, int n) {
  vector<int, 8> v;
  v.select<4, 1>(0) = n;
  int s = 0;
  bool more = v(n + 2) > 3;
  s += n;
  if (more) /*!*/
    s = 7;
  vector<int, 4> w = s;
  write(out, get_thread_origin_x() * 16, w);
}
// Condition computed in a function: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_ bool isBig(vector_ref<int, 8> v, int n) { return v(n) > 3; }
// Condition computed in a function: --threads 4x1 --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void conditionOfACall(SurfaceIndex out, int n) {
  vector<int, 8> v;
  v.select<4, 1>(0) = n;
  vector<int, 4> w = 1;
  if (isBig(v, n)) /*!*/
    w = 2;
  write(out, get_thread_origin_x() * 16, w);
}
// Off-by-one loop bound over a vector: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void offByOne(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v;
  read(in, 0, v);
  int s = 0;
  for (int i = 0; i <= 8; ++i)
    s += v(i); /*!*/
  vector<int, 4> w = s;
  write(out, get_thread_origin_x() * 16, w);
}
// Stride that wraps around: threads five apart meet: --threads 6x1 --arg buffer:zero=1024
_GENX_MAIN_ void modulo(SurfaceIndex out) {
  vector<int, 4> w = get_thread_origin_x();
  write(out, (get_thread_origin_x() % 5) * 16, w); /*!*/
}
// Y was forgotten in the offset: --threads 2x2 --arg buffer:zero=1024
_GENX_MAIN_ void forgotY(SurfaceIndex out) {
  vector<int, 4> w = get_thread_origin_y();
  write(out, get_thread_origin_x() * 16, w); /*!*/
}
// Barrier in a loop whose count differs: --groups 1 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void unevenLoop(SurfaceIndex out) {
  cm_slm_init(64);
  for (int i = 0; i < int(cm_local_id(0)); ++i)
    cm_barrier(); /*!*/
  vector<int, 4> w = 1;
  write(out, cm_local_id(0) * 16, w);
}
// Double buffer with the wrong half: --groups 1 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void wrongHalf(SurfaceIndex out) {
  cm_slm_init(512);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  for (int r = 0; r < 3; ++r) {
    cm_slm_block_write(0, me * 64, v); /*!*/
    cm_barrier();
    cm_slm_block_read(0, ((me + 1) & 3) * 64, w); /*!*/
    v += w;
  }
  write(out, me * 64, v);
}
// A tree reduction without the barrier of the last round: --groups 1 --threads 4 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void warpTail(SurfaceIndex in, SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v, w;
  read(in, me * 64, v);
  cm_slm_block_write(0, me * 64, v);
  cm_barrier();
  for (int step = 2; step > 0; step >>= 1) {
    if (me < step) {
      cm_slm_block_read(0, (me + step) * 64, w); /*!*/
      v += w;
      cm_slm_block_write(0, me * 64, v); /*!*/
    }
  }
  if (me == 0)
    write(out, 0, v);
}
// A place from an atomic on the wrong counter, used twice: --threads 4x1 --arg buffer:zero=1024 --arg buffer:zero=1024
_GENX_MAIN_ void ticketShared(SurfaceIndex counter, SurfaceIndex out) {
  vector<uint, 8> at = 0, old;
  write_atomic<ATOMIC_INC>(counter, at, old);
  vector<int, 16> v = 7;
  write(out, (old(0) & 1) * 0 + (old(0) >> 4) * 64, v); /*!*/
}
// Bytes of one dword, of which two threads write one: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void bytesMeet(SurfaceIndex out) {
  vector<uint, 16> o = ramp() * 4 + (get_thread_origin_x() == 3 ? 2 : get_thread_origin_x());
  vector<uchar, 16> v = o;
  write(out, 0, o, v); /*!*/
}
// Columns of an image that overlap by one pixel: --threads 4x1 --arg image:zero,width=16,height=8,format=R8_UNORM
_GENX_MAIN_ void columnsMeet(SurfaceIndex image) {
  matrix<uchar, 8, 4> m = get_thread_origin_x();
  write(image, get_thread_origin_x() * 3, 0, m); /*!*/
}
// Offset in elements where bytes are wanted: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void elementsForBytes(SurfaceIndex out) {
  vector<int, 16> v = 1;
  write(out, get_thread_origin_x() * 16, v); /*!*/
}
// Offset in bytes where elements are wanted: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void bytesForElements(SurfaceIndex out) {
  vector<uint, 16> o = (ramp() + get_thread_origin_x() * 16 + 16) * 4, v = 1;
  write(out, 0, o, v); /*!*/
}
// X in pixels where bytes are wanted: right half beyond: --threads 1x1 --arg image:zero,width=64,height=8,format=R8_UNORM
_GENX_MAIN_ void swappedXY(SurfaceIndex image) {
  matrix<uchar, 8, 16> m = 1;
  write(image, 0, 48, m); /*!*/
}
// Unsigned index below zero: --threads 1x1 --arg buffer:zero=1024 --arg int:0
_GENX_MAIN_ void belowZero(SurfaceIndex out, int n) {
  vector<uint, 8> o = ramp().select<8, 1>(0) + n - 1, v = 1;
  write(out, 0, o, v); /*!*/
}
// A vector is filled to n, all is written: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void filledToN(SurfaceIndex out, int n) {
  vector<int, 8> v;
  for (int i = 0; i < n; ++i)
    v(i) = i;
  write(out, 0, v); /*!*/
}
// Garbage lanes reach the result by a sum: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void sumOfGarbage(SurfaceIndex out, int n) {
  vector<int, 16> v;
  v.select<8, 1>(0) = n;
  vector<int, 4> s = cm_sum<int>(v);
  write(out, 0, s); /*!*/
}
// A mask with one lane too many: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void maskTooWide(SurfaceIndex out, int n) {
  vector<uint, 16> o, v = 1;
  for (int i = 0; i < n; ++i)
    o(i) = i;
  vector<int, 16> lane = ramp();
  SIMD_IF_BEGIN(lane <= n) { write(out, 0, o, v); } SIMD_IF_END; /*!*/
}
// Else lanes are written out: --threads 1x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void elseWritten(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, lane = ramp(), t;
  read(in, 0, v);
  SIMD_IF_BEGIN(lane < 7) { t = v + 3; } SIMD_IF_END;
  write(out, 0, t); /*!*/
}
// Merge by a mask with lanes too many: --threads 1x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void mergedTooMuch(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v, t, w;
  read(in, 0, v);
  t.select<8, 2>(0) = v.select<8, 1>(3);
  w.merge(t, v, 0x5557);
  write(out, 0, w); /*!*/
}
// A member that a constructor forgets: --threads 1x1 --arg buffer:zero=1024 --arg int:5
struct Sum { int total; int count; Sum(int n) { count = n; } void add(int x) { total += x; } };
// A member that a constructor forgets: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void forgottenMember(SurfaceIndex out, int n) {
  Sum sum(n);
  for (int i = 0; i < n; ++i)
    sum.add(i);
  vector<int, 4> v = sum.total;
  write(out, 0, v); /*!*/
}
// A place in a stack that was not pushed: --threads 1x1 --arg buffer:zero=1024 --arg int:1
_GENX_MAIN_ void popTooMuch(SurfaceIndex out, int n) {
  int todo[8], top = 0;
  todo[top++] = n;
  int a = todo[--top];
  int b = todo[--top]; /*!*/
  vector<int, 4> v = a + b;
  write(out, 0, v);
}
// Push beyond the stack: --threads 1x1 --arg buffer:zero=1024 --arg int:9
_GENX_MAIN_ void pushTooMuch(SurfaceIndex out, int n) {
  int todo[8], top = 0;
  for (int i = 0; i < n; ++i)
    todo[top++] = i; /*!*/
  vector<int, 4> v = todo[n - 3];
  write(out, 0, v);
}
// Index read from memory: --threads 1x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void indexFromMemory(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v, w = 1;
  read(in, 0, v);
  w(v(3)) = 2; /*!*/
  write(out, 0, w);
}
// Groups count into the same bytes plainly: --groups 2 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void groupsMeet(SurfaceIndex out) {
  cm_slm_init(64);
  vector<int, 4> v = cm_group_id(0);
  write(out, cm_local_id(0) * 16 + cm_group_id(0) * 48, v); /*!*/
}
// The sum of the group is read before the barrier: --groups 1 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void sumTooEarly(SurfaceIndex out) {
  cm_slm_init(64);
  int me = cm_local_id(0);
  vector<uint, 16> zero = 0, w;
  if (me == 0)
    cm_slm_block_write(0, 0, zero);
  cm_barrier();
  vector<ushort, 8> at = 0;
  vector<uint, 8> old, one = 1;
  cm_slm_atomic(0, ATOMIC_ADD, at, old, one); /*!*/
  cm_slm_block_read(0, 0, w); /*!*/
  write(out, me * 64, w);
}
// Split barrier: work reads before waiting: --groups 1 --threads 4 --arg buffer:zero=1024
_GENX_MAIN_ void readBetween(SurfaceIndex out) {
  cm_slm_init(256);
  int me = cm_local_id(0);
  vector<int, 16> v = me, w;
  cm_slm_block_write(0, me * 64, v); /*!*/
  cm_sbarrier(1);
  cm_slm_block_read(0, (me ^ 1) * 64, w); /*!*/
  cm_sbarrier(0);
  write(out, me * 64, w);
}
// Some of a group leave before the barrier by the bound of the data: --groups 2 --threads 4 --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void boundBeforeBarrier(SurfaceIndex out, int n) {
  cm_slm_init(64);
  int t = cm_group_id(0) * 4 + cm_local_id(0);
  if (t >= n)
    return;
  vector<int, 4> v = t;
  cm_slm_block_write(0, cm_local_id(0) * 16, v);
  cm_barrier(); /*!*/
  write(out, t * 16, v);
}
// A wavefront without a dependency: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void wavefront(SurfaceIndex io) {
  int t = get_thread_origin_x();
  vector<int, 16> left = 0;
  if (t > 0)
    read(io, (t - 1) * 64, left); /*!*/
  left += 1;
  write(io, t * 64, left); /*!*/
}
// A media block read where typed data of another thread goes: --threads 4x1 --arg image:zero,width=16,height=4,format=R32_UINT
_GENX_MAIN_ void typedAndMedia(SurfaceIndex image) {
  int t = get_thread_origin_x();
  matrix<uint, 1, 4> m;
  read(image, ((t + 1) & 3) * 16, 0, m); /*!*/
  vector<uint, 8> u = 0, y = 0;
  cmtl::cm_vector_assign(u.select_all(), t * 4, 1);
  y.select<4, 1>(4) = 1;
  u.select<4, 1>(4) -= 4;
  matrix<uint, 1, 8> w = m(0, 0) + t;
  write_typed(image, CM_R_ENABLE, w, u, y); /*!*/
}
// Matrix column by run-time number: --threads 1x1 --arg buffer:zero=1024 --arg int:8
_GENX_MAIN_ void columnBeyond(SurfaceIndex out, int n) {
  matrix<int, 8, 8> m = 0;
  m.column(n) = 3; /*!*/
  write(out, 0, m.select<1, 1, 8, 1>(7, 0).format<int>());
}
// Replicated or formatted reference beyond: --threads 1x1 --arg buffer:zero=1024 --arg int:15
_GENX_MAIN_ void formatBeyond(SurfaceIndex out, int n) {
  vector<int, 8> v = 0;
  v.format<short>().select<4, 1>(n) = 2; /*!*/
  write(out, 0, v);
}
// Only half of the bits were written: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void halfWritten(SurfaceIndex out, int n) {
  vector<uint, 8> v;
  v.format<ushort>().select<8, 2>(0) = n;
  write(out, 0, v); /*!*/
}
// Switch on garbage: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void switchOnGarbage(SurfaceIndex out, int n) {
  int mode;
  if (n < 3)
    mode = 1;
  vector<int, 4> v = 0;
  switch (mode) { /*!*/
  case 1: v = 1; break;
  case 2: v = 4; break;
  case 3: v = 9; break;
  }
  write(out, 0, v);
}
// Loop bound is garbage: --threads 1x1 --arg buffer:zero=1024 --arg int:5
_GENX_MAIN_ void boundOfGarbage(SurfaceIndex out, int n) {
  int count;
  if (n < 3)
    count = 1;
  vector<int, 4> v = 0;
  for (int i = 0; i < (count & 7); ++i) /*!*/
    v += i;
  write(out, 0, v);
}
// Just behind the inner array: --threads 4x1 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void behindInner(SurfaceIndex out, int n) {
  int a[4][4];
  for (int i = 0; i < 16; ++i)
    a[i >> 2][i & 3] = i;
  vector<int, 4> v = a[1][n]; /*!*/
  write(out, get_thread_origin_x() * 16, v);
}
// Just behind the inner array, as a number: --threads 4x1 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void behindInnerNumber(SurfaceIndex out, int n) {
  int a[4][4];
  for (int i = 0; i < 16; ++i)
    a[i >> 2][i & 3] = i;
  int x = a[1][n]; /*!*/
  vector<int, 4> v = x;
  write(out, get_thread_origin_x() * 16, v);
}
// Behind the member array: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void behindMember(SurfaceIndex out, int n) {
  Taps taps;
  for (int i = 0; i < 3; ++i)
    taps.weight[i] = taps.rest[i] = i;
  vector<int, 4> v = taps.weight[n]; /*!*/
  write(out, get_thread_origin_x() * 16, v);
}
_GENX_ int weightOf(Taps &t, int n) { return t.weight[n]; } /*!*/
// Behind the member array, in a function: --threads 4x1 --arg buffer:zero=1024 --arg int:3
_GENX_MAIN_ void behindMemberOfReference(SurfaceIndex out, int n) {
  Taps taps;
  for (int i = 0; i < 3; ++i)
    taps.weight[i] = taps.rest[i] = i;
  vector<int, 4> v = weightOf(taps, n);
  write(out, get_thread_origin_x() * 16, v);
}
// Constant behind the inner array after unrolling: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void unrolledInner(SurfaceIndex out) {
  int a[4][4], s = 0;
  for (int i = 0; i < 16; ++i)
    a[i >> 2][i & 3] = i;
  for (int i = 0; i < 5; ++i)
    s += a[2][i]; /*!*/
  vector<int, 4> v = s;
  write(out, get_thread_origin_x() * 16, v);
}
// Constant behind an array after unrolling: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void unrolledArray(SurfaceIndex out) {
  int a[4], s = 0;
  for (int i = 0; i < 5; ++i)
    a[i] = i; /*!*/
  for (int i = 0; i < 4; ++i)
    s += a[i];
  vector<int, 4> v = s;
  write(out, get_thread_origin_x() * 16, v);
}
// Constant select behind a vector after unrolling: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void unrolledSelect(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 16> v;
  read(in, 0, v);
  vector<int, 4> s = 0;
  for (int i = 0; i < 5; ++i)
    s += v.select<4, 1>(i * 4); /*!*/
  write(out, get_thread_origin_x() * 16, s);
}
// Constant rows behind a matrix after unrolling: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void unrolledRows(SurfaceIndex out) {
  matrix<int, 4, 4> m = 1;
  vector<int, 4> s = 0;
  for (int i = 0; i <= 4; ++i)
    s += m.row(i); /*!*/
  write(out, get_thread_origin_x() * 16, s);
}
// Constant write behind a vector after unrolling: --threads 4x1 --arg buffer:zero=1024
_GENX_MAIN_ void unrolledWrite(SurfaceIndex out) {
  vector<int, 4> s = 0;
  for (int i = 0; i <= 4; ++i)
    s(i) = i; /*!*/
  write(out, get_thread_origin_x() * 16, s);
}
// Constant iselect after unrolling: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void shiftedTooFar(SurfaceIndex in, SurfaceIndex out) {
  vector<int, 8> v, s = 0;
  read(in, 0, v);
  vector<ushort, 8> at;
  cmtl::cm_vector_assign(at.select_all(), 0, 1);
  for (int i = 0; i < 3; ++i)
    s += v.iselect(at + i); /*!*/
  write(out, get_thread_origin_x() * 32, s);
}
// Constant iselect of a matrix: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024
_GENX_MAIN_ void iselectOfMatrix(SurfaceIndex in, SurfaceIndex out) {
  matrix<int, 2, 4> m = 3;
  vector<int, 8> v;
  read(in, 0, v);
  m += v.format<int, 2, 4>();
  vector<ushort, 4> rows = 1, columns = 2;
  rows(3) = 2;
  vector<int, 4> s = m.iselect(rows, columns); /*!*/
  write(out, get_thread_origin_x() * 16, s);
}
// Table of the file: --threads 4x1 --arg buffer:zero=1024 --arg int:4
_GENX_MAIN_ void tableOfFile(SurfaceIndex out, int n) {
  vector<int, 4> v = table[2][n]; /*!*/
  write(out, get_thread_origin_x() * 16, v);
}
// Condition of a loop, read at its end: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void whileGarbage(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> v;
  vector<int, 4> few;
  read(in, 0, few);
  v.select<4, 1>(0) = few;
  int i = 0;
  vector<int, 4> s = 0;
  while (v(i) > 3 && i < n) { /*!*/
    s += i;
    ++i;
  }
  write(out, get_thread_origin_x() * 16, s);
}
// Ternary: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void ternary(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> v;
  v.select<4, 1>(0) = n;
  int k = v(n) > 2 ? n : 2;
  vector<int, 4> s = k;
  write(out, get_thread_origin_x() * 16, s); /*!*/
}
// any: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void anyOf(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> v;
  v.select<4, 1>(0) = n - 6;
  vector<int, 4> s = 0;
  if ((v > 3).any()) /*!*/
    s = 1;
  write(out, get_thread_origin_x() * 16, s);
}
// bool passed on: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void passedOn(SurfaceIndex in, SurfaceIndex out, int n) {
  int flags[4];
  flags[0] = n;
  bool go = flags[n - 4] != 0;
  vector<int, 4> s = 0;
  for (int i = 0; i < n; ++i) {
    if (go) /*!*/
      read(in, i * 16, s);
  }
  write(out, get_thread_origin_x() * 16, s);
}
// SIMD condition: --threads 4x1 --arg buffer:in=ones --arg buffer:zero=1024 --arg int:6
_GENX_MAIN_ void simdGarbage(SurfaceIndex in, SurfaceIndex out, int n) {
  vector<int, 8> v, s = 0;
  v.select<4, 1>(0) = n;
  SIMD_IF_BEGIN(v > 3) { s = 1; } SIMD_IF_END;
  write(out, get_thread_origin_x() * 32, s); /*!*/
}
}
