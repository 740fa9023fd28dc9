// Bitonic sort of 32-bit keys. Registers sort 256 keys; then runs are merged in pairs, 256 keys at a time in registers.
// Runs of even number ascend, those of odd number descend: together two neighbours are bitonic, as a merge wants them.
#include <cm/cm.h>
#include <cm/cmtl.h>

#define KEYS 256  // in registers
#define WIDTH 256 // threads in a row of the thread space
#define AHEAD 768 // keys that are behind a window when they are fetched into the cache
#define LAST 0xffffffffu

_GENX_ inline int threadNumber() { return get_thread_origin_y() * WIDTH + get_thread_origin_x(); }

// Two halves of every row of 2D keys: key by key, the smaller one goes to the first (Up) or to the second.
template <int D, bool Up, int N> _GENX_ inline void split(vector_ref<uint, N> v) {
  matrix_ref<uint, N / 2 / D, 2 * D> m = v.template format<uint, N / 2 / D, 2 * D>();
  vector<uint, N / 2> a = m.template select<N / 2 / D, 1, D, 1>(0, 0),
                      b = m.template select<N / 2 / D, 1, D, 1>(0, D);
  m.template select<N / 2 / D, 1, D, 1>(0, 0) = Up ? cm_min<uint>(a, b) : cm_max<uint>(a, b);
  m.template select<N / 2 / D, 1, D, 1>(0, D) = Up ? cm_max<uint>(a, b) : cm_min<uint>(a, b);
}

// The same for distance 16, and each row of 32 is interleaved: bits of a key's number are rotated, so the next step,
// distance 8, is the same operation again. After five of them all keys are back in order.
template <bool Up, int N> _GENX_ inline void splitAndInterleave(vector_ref<uint, N> v) {
  matrix_ref<uint, N / 32, 32> m = v.template format<uint, N / 32, 32>();
  vector<uint, N / 2> a = m.template select<N / 32, 1, 16, 1>(0, 0), b = m.template select<N / 32, 1, 16, 1>(0, 16);
  m.template select<N / 32, 1, 16, 2>(0, 0) = Up ? cm_min<uint>(a, b) : cm_max<uint>(a, b);
  m.template select<N / 32, 1, 16, 2>(0, 1) = Up ? cm_max<uint>(a, b) : cm_min<uint>(a, b);
}

// Makes a bitonic sequence sorted: steps of distance D, D / 2 ... 1.
template <int D, bool Up, int N> _GENX_ inline void merge(vector_ref<uint, N> v) {
  if constexpr (D > 16) {
    split<D, Up, N>(v);
    merge<D / 2, Up, N>(v);
  } else {
#pragma unroll
    for (int step = 0; step < 5; step++)
      splitAndInterleave<Up, N>(v);
  }
}

// Sorts each of 16 columns.
template <bool Up, int N> _GENX_ inline void sortColumns(vector_ref<uint, N> v) {
  if constexpr (N > 16) {
    sortColumns<true, N / 2>(v.template select<N / 2, 1>(0));
    sortColumns<false, N / 2>(v.template select<N / 2, 1>(N / 2));
    split<N / 2, Up, N>(v);
    if constexpr (N > 32)
      split<N / 4, Up, N>(v);
    if constexpr (N > 64)
      split<N / 8, Up, N>(v);
    if constexpr (N > 128)
      split<N / 16, Up, N>(v);
  }
}

// Sorts keys whose rows of 16 are sorted, up and down in turn.
template <bool Up, int N> _GENX_ inline void mergeRows(vector_ref<uint, N> v) {
  if constexpr (N > 16) {
    mergeRows<true, N / 2>(v.template select<N / 2, 1>(0));
    mergeRows<false, N / 2>(v.template select<N / 2, 1>(N / 2));
    merge<N / 2, Up, N>(v);
  }
}

// Rows become columns: see ../transpose.
_GENX_ inline void transpose(vector_ref<uint, KEYS> v) {
#pragma unroll
  for (int step = 0; step < 4; step++) {
    vector<uint, KEYS> old = v;
    v.select<KEYS / 2, 2>(0) = old.select<KEYS / 2, 1>(0);
    v.select<KEYS / 2, 2>(1) = old.select<KEYS / 2, 1>(KEYS / 2);
  }
}

// Columns first, which takes no moves within registers; every second one is turned over, and columns become rows.
template <bool Up> _GENX_ inline void sort(vector_ref<uint, KEYS> v) {
  sortColumns<true, KEYS>(v);
  matrix<uint, 16, 16> m = v.format<uint, 16, 16>(), turned = m;
#pragma unroll
  for (int i = 0; i < 16; i++)
    turned.row(i).merge(m.row(15 - i), 0xaaaa);
  v = turned.format<uint>();
  transpose(v);
  mergeRows<Up, KEYS>(v);
}

_GENX_ inline void load(SurfaceIndex from, int first, vector_ref<uint, KEYS> v) {
#pragma unroll
  for (int i = 0; i < KEYS; i += 32)
    read(DWALIGNED(from), (first + i) * 4, v.select<32, 1>(i));
}

_GENX_ inline void store(SurfaceIndex to, int first, vector_ref<uint, KEYS> v) {
#pragma unroll
  for (int i = 0; i < KEYS; i += 32)
    write(to, (first + i) * 4, v.select<32, 1>(i));
}

// Keys of every type become unsigned ones in the wanted order. `flips`: bits that change in all keys; `signs`: those
// that change in negative ones. A float has its sign turned over and, when it is negative, all others too.
_GENX_ inline void encode(vector_ref<uint, KEYS> v, uint signs, uint flips) {
  vector<int, KEYS> negative = vector<int, KEYS>(v) >> 31;
  v ^= (vector<uint, KEYS>(negative) & signs) ^ flips;
}
_GENX_ inline void decode(vector_ref<uint, KEYS> v, uint signs, uint flips) {
  v ^= flips;
  vector<int, KEYS> negative = vector<int, KEYS>(v) >> 31;
  v ^= vector<uint, KEYS>(negative) & signs;
}

// Keys before `first` and from `end` on become the last ones. `at`: the number of the first of them.
template <int N> _GENX_ inline void clip(vector_ref<uint, N> v, int at, int first, int end) {
  vector<int, 16> number;
  cmtl::cm_vector_assign(number.select_all(), 0, 1);
  number += at;
#pragma unroll
  for (int i = 0; i < N; i += 16)
    v.template select<16, 1>(i).merge(LAST, number + i < first | number + i >= end);
}

// Two neighbours, of which the first ascends and the second descends, and how much of them is left.
struct Runs {
  int low, lowEnd;     // the next key of the first run, and behind its last
  int high, highBegin; // behind the next key of the second run, and its last
};

// Of windows of the first run's next keys and of the second's, the smaller key of each pair is among the 256 smallest
// keys: the first step of a bitonic merge. Returns how many are from the first run.
template <bool Clip> _GENX_ inline int smallest(SurfaceIndex from, Runs runs, vector_ref<uint, KEYS> v) {
  int taken = 0;
#pragma unroll
  for (int i = 0; i < KEYS; i += 32) {
    int low = runs.low + i, high = runs.high - KEYS + i;
    vector<uint, 32> a, b;
    read(DWALIGNED(from), low * 4, a);
    read(DWALIGNED(from), high * 4, b);
    if constexpr (Clip) {
      clip<32>(a, low, low, runs.lowEnd);
      clip<32>(b, high, runs.highBegin, runs.high);
    }
    taken += cm_cbit(cm_pack_mask(a <= b));
    v.select<32, 1>(i) = cm_min<uint>(a, b);
  }
  return taken;
}

// Keys that windows will have soon come into the cache, where the target can ask for that: which window comes next is
// only known when it is wanted.
_GENX_ inline void fetch(SurfaceIndex from, Runs runs) {
#ifdef CM_HAS_LSC
#pragma unroll
  for (int i = 0; i < KEYS; i += 64) {
    cm_prefetch<64, DataSize::U32>(from, cm_min<int>(runs.low + AHEAD + i, runs.lowEnd - 64) * 4);
    cm_prefetch<64, DataSize::U32>(from, cm_max<int>(runs.high - AHEAD - KEYS + i, runs.highBegin) * 4);
  }
#endif
}

// Merges `count` keys into [out, out + count), or from the end of it downwards. Far: they are in no cache yet.
template <bool Up, bool Far> _GENX_ inline void mergeRuns(SurfaceIndex from, SurfaceIndex to, Runs runs, int out,
                                                          int count, uint signs, uint flips) {
  for (int i = 0; i < count; i += KEYS) {
    vector<uint, KEYS> v;
    bool near = runs.low + KEYS > runs.lowEnd || runs.high - KEYS < runs.highBegin; // an end
    int taken = near ? smallest<true>(from, runs, v) : smallest<false>(from, runs, v);
    runs.low += taken;
    runs.high -= KEYS - taken;
    if (Far)
      fetch(from, runs);
    merge<KEYS / 2, Up, KEYS>(v);
    if (signs | flips)
      decode(v, signs, flips);
    store(to, Up ? out + i : out + count - KEYS - i, v);
  }
}

_GENX_ inline uint key(SurfaceIndex from, int number) {
  vector<uint, 1> at = number, k;
  read(from, 0, at, k);
  return k(0);
}

// Skips the `rank` smallest keys of both runs.
_GENX_ inline void skip(SurfaceIndex from, Runs &runs, int rank) {
  int least = cm_max<int>(0, rank - (runs.high - runs.highBegin)), most = cm_min<int>(rank, runs.lowEnd - runs.low);
  while (least < most) {
    int middle = (least + most) >> 1;
    if (key(from, runs.low + middle) <= key(from, runs.high - rank + middle))
      least = middle + 1;
    else
      most = middle;
  }
  runs.low += least;
  runs.high -= rank - least;
}

// The pair of runs of `length` keys that begins at `first`; there are keys up to `end` only.
_GENX_ inline Runs pairAt(int first, int length, int end) {
  int middle = cm_min<int>(first + length, end), last = cm_min<int>(first + 2 * length, end);
  Runs runs = {first, middle, last, middle};
  return runs;
}

// A thread sorts a piece of `piece` keys, which a cache may hold, in place and in `other` in turn. Behind `count` keys
// are such that go last, up to `padded`, a multiple of 256.
extern "C" _GENX_MAIN_ void sort_pieces(SurfaceIndex data, SurfaceIndex other, int piece, int count, int padded,
                                        uint signs, uint flips) {
  int first = threadNumber() * piece, end = cm_min<int>(first + piece, padded);
  for (int i = first; i < end; i += KEYS) {
    vector<uint, KEYS> v;
    load(data, i, v);
    encode(v, signs, flips);
    if (i + KEYS > count)
      clip<KEYS>(v, i, i, count);
    if (i & KEYS)
      sort<false>(v);
    else
      sort<true>(v);
    store(data, i, v);
  }
  bool there = false;
  for (int length = KEYS; length < piece; length *= 2) {
    cm_fence();
    SurfaceIndex from = there ? other : data, to = there ? data : other;
    for (int i = first; i < end; i += 2 * length) {
      Runs runs = pairAt(i, length, end);
      if (i & 2 * length)
        mergeRuns<false, false>(from, to, runs, i, runs.high - i, 0, 0);
      else
        mergeRuns<true, false>(from, to, runs, i, runs.high - i, 0, 0);
    }
    there = !there;
  }
}

// A thread makes `strip` keys of the runs of twice the `length`. `signs` and `flips` are 0 but in the last pass.
extern "C" _GENX_MAIN_ void merge_runs(SurfaceIndex from, SurfaceIndex to, int length, int strip, int padded,
                                       uint signs, uint flips) {
  int begin = threadNumber() * strip;
  if (begin >= padded)
    return;
  int first = begin & -(2 * length), rank = begin - first;
  Runs runs = pairAt(first, length, padded);
  int last = runs.high, count = cm_min<int>(strip, last - begin);
  skip(from, runs, rank);
  if (first & 2 * length)
    mergeRuns<false, true>(from, to, runs, last - rank - count, count, signs, flips);
  else
    mergeRuns<true, true>(from, to, runs, begin, count, signs, flips);
}
