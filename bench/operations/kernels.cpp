// A kernel for each row of Operations.def: one thread goes over all COUNT elements, `rounds` times.
#include <cm/cm.h>
#include <cm/cmtl.h>

using schar = char;
using llong = long long;
using ullong = unsigned long long;

#define POCM_REMOVE(...) __VA_ARGS__

// Blocks of at most 128 bytes, which every target has.
template <class T, int N> _GENX_ inline void load(SurfaceIndex s, int element, vector_ref<T, N> to) {
  constexpr int part = N * sizeof(T) > 128 ? 128 / sizeof(T) : N;
#pragma unroll
  for (int i = 0; i < N; i += part) {
    vector<T, part> block;
    read(s, (element + i) * sizeof(T), block);
    to.template select<part, 1>(i) = block;
  }
}
template <class T, int N> _GENX_ inline void store(SurfaceIndex s, int element, vector<T, N> from) {
  constexpr int part = N * sizeof(T) > 128 ? 128 / sizeof(T) : N;
#pragma unroll
  for (int i = 0; i < N; i += part)
    write(s, (element + i) * sizeof(T), vector<T, part>(from.template select<part, 1>(i)));
}

template <int N> _GENX_ inline vector<uint, N> high(vector<uint, N> a, vector<uint, N> b) {
  vector<uint, N> low;
  vector<uint, N> high = cm_imul<uint>(low, a, b);
  return high;
}

#define GROUP(NAME, R, A, B, CM, CPP)                                                                                  \
  extern "C" _GENX_MAIN_ void NAME(SurfaceIndex x, SurfaceIndex y, SurfaceIndex out, int rounds) {                     \
    constexpr int N = LANES(R, A);                                                                                     \
    for (int round = 0; round < rounds; ++round)                                                                       \
      for (int at = 0; at < COUNT; at += N) {                                                                          \
        vector<A, N> a;                                                                                                \
        vector<B, N> b;                                                                                                \
        vector<R, N> r;                                                                                                \
        load<A, N>(x, at, a);                                                                                          \
        load<B, N>(y, at, b);                                                                                          \
        POCM_REMOVE CM;                                                                                                \
        store<R, N>(out, at, r);                                                                                       \
      }                                                                                                                \
  }
#define EACH(NAME, R, A, B, CM, CPP) GROUP(NAME, R, A, B, (r = POCM_REMOVE CM), CPP)
#define MESSAGE(NAME, R, A, CM, CPP)                                                                                   \
  extern "C" _GENX_MAIN_ void NAME(SurfaceIndex x, SurfaceIndex y, SurfaceIndex out, int rounds) {                     \
    constexpr int N = LANES(R, A);                                                                                     \
    vector<uint, N> lane;                                                                                              \
    cmtl::cm_vector_assign<uint, N>(lane, 0, 1);                                                                       \
    for (int round = 0; round < rounds; ++round)                                                                       \
      for (int at = 0; at < COUNT; at += N) {                                                                          \
        vector<A, N> a;                                                                                                \
        vector<R, N> r;                                                                                                \
        load<A, N>(x, at, a);                                                                                          \
        POCM_REMOVE CM;                                                                                                \
        store<R, N>(out, at, r);                                                                                       \
      }                                                                                                                \
  }

#include "Operations.def"
