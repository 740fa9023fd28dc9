// How many multiply-adds this CPU makes at most: chains that do not wait for each other, all of them in registers.
#include "multiply_adds.h"
#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr int chains = 12, turns = 20000; // more chains than a multiply-add takes cycles, in two units

/// No step is left out or joined with others.
template <class V> void keep(V &sum) { asm volatile("" : "+x"(sum)); }

/// The best of several tries of `turns` steps of all chains, in billions of operations a second; a step of one chain is
/// `operations`.
template <class V, class Step, std::size_t... C> void steps(V start, Step step, std::index_sequence<C...>) {
  V sums[] = {(void(C), start)...};
  for (int t = 0; t < turns; ++t)
    ((sums[C] = step(sums[C]), keep(sums[C])), ...);
}
template <class V, class Step> double rate(V start, double operations, Step step) {
  double least = std::numeric_limits<double>::infinity();
  for (int tries = 0; tries < 50; ++tries) {
    const auto begin = std::chrono::steady_clock::now();
    steps(start, step, std::make_index_sequence<chains>());
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return operations * chains * turns / least / 1e9;
}

} // namespace

#if defined(__AVX512F__)
double float_limit() {
  const __m512 a = _mm512_set1_ps(0.5f);
  return rate(a, 32, [a](__m512 s) { return _mm512_fmadd_ps(a, a, s); });
}
double double_limit() {
  const __m512d a = _mm512_set1_pd(0.5);
  return rate(a, 16, [a](__m512d s) { return _mm512_fmadd_pd(a, a, s); });
}
#elif defined(__AVX2__) && defined(__FMA__)
double float_limit() {
  const __m256 a = _mm256_set1_ps(0.5f);
  return rate(a, 16, [a](__m256 s) { return _mm256_fmadd_ps(a, a, s); });
}
double double_limit() {
  const __m256d a = _mm256_set1_pd(0.5);
  return rate(a, 8, [a](__m256d s) { return _mm256_fmadd_pd(a, a, s); });
}
#else
double float_limit() { return 0; }
double double_limit() { return 0; }
#endif

#if defined(__AVX512VNNI__)
double byte_limit() {
  const __m512i a = _mm512_set1_epi8(1);
  return rate(a, 128, [a](__m512i s) { return _mm512_dpbusd_epi32(s, a, a); });
}
#else
double byte_limit() { return 0; }
#endif

#if defined(__AVX512BF16__)
double bfloat_limit() {
  const __m512bh a = (__m512bh)_mm512_set1_epi32(0x3F003F00); // 0.5
  return rate(_mm512_set1_ps(0.5f), 64, [a](__m512 s) { return _mm512_dpbf16_ps(s, a, a); });
}
#else
double bfloat_limit() { return float_limit(); }
#endif
