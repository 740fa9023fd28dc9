//===- cm/cmtl/global.h - Gathers from file-scope arrays --------------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl::global {
/// Element k is Array[Offsets[k]].
template <class T, size_t M, int N> vector<T, N> load(const T (&Array)[M], const vector<int, N> &Offsets) {
  vector<T, N> Result;
#pragma unroll
  for (int K = 0; K < N; ++K)
    Result(K) = Array[Offsets(K)];
  return Result;
}
} // namespace cmtl::global
