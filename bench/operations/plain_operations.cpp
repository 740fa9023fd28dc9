// The rows of Operations.def as loops in C++, for g++ -O3 -march=native.
#include "plain_operations.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace {

using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using llong = long long;
using ullong = unsigned long long;
using half = _Float16;

#define REMOVE(...) __VA_ARGS__

template <class T> auto wide(T value) {
  if constexpr (std::is_same_v<T, half>)
    return float(value);
  else
    return value;
}

/// In a type that holds products.
template <class T> auto exact(T value) {
  if constexpr (std::is_same_v<T, uint>)
    return ullong(value);
  else if constexpr (std::is_integral_v<T>)
    return llong(value);
  else
    return value;
}

/// The least number by -1 is itself, as on the CPU device.
template <class T> T quotient(T a, T b) {
  return std::is_signed_v<T> && b == T(-1) ? T(0 - std::make_unsigned_t<T>(a)) : T(a / b);
}
template <class T> T remainder(T a, T b) { return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b); }

template <class T, class F> T saturated(F value) {
  constexpr F most = F(std::numeric_limits<T>::max());
  if constexpr (std::is_unsigned_v<F>)
    return value > most ? std::numeric_limits<T>::max() : T(value);
  else {
    constexpr F least = F(std::numeric_limits<T>::min());
    return value < least ? std::numeric_limits<T>::min() : value > most ? std::numeric_limits<T>::max() : T(value);
  }
}

uint reversed(uint v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}

#define GROUP(NAME, R, A, B, CM, CPP)                                                                                  \
  void NAME(const void *x, const void *y, void *out, int rounds) {                                                     \
    constexpr int N = LANES(R, A);                                                                                     \
    for (int round = 0; round < rounds; ++round) {                                                                     \
      asm volatile("" : : : "memory"); /* each round anew */                                                           \
      for (int at = 0; at < plainCount; at += N) {                                                                     \
        const A *__restrict a = static_cast<const A *>(x) + at;                                                        \
        const B *__restrict b = static_cast<const B *>(y) + at;                                                        \
        R *__restrict r = static_cast<R *>(out) + at;                                                                  \
        REMOVE CPP;                                                                                                    \
      }                                                                                                                \
    }                                                                                                                  \
  }
#define EACH(NAME, R, A, B, CM, CPP)                                                                                   \
  void NAME(const void *x, const void *y, void *out, int rounds) {                                                     \
    const A *__restrict first = static_cast<const A *>(x);                                                             \
    const B *__restrict second = static_cast<const B *>(y);                                                            \
    R *__restrict result = static_cast<R *>(out);                                                                      \
    for (int round = 0; round < rounds; ++round) {                                                                     \
      asm volatile("" : : : "memory");                                                                                 \
      for (int i = 0; i < plainCount; ++i) {                                                                           \
        [[maybe_unused]] const A a = first[i];                                                                         \
        [[maybe_unused]] const B b = second[i];                                                                        \
        result[i] = R(REMOVE CPP);                                                                                     \
      }                                                                                                                \
    }                                                                                                                  \
  }
#define MESSAGE(NAME, R, A, CM, CPP)                                                                                   \
  void NAME(const void *first, const void *second, void *result, int rounds) {                                         \
    constexpr int N = LANES(R, A), COUNT = plainCount;                                                                 \
    const A *__restrict x = static_cast<const A *>(first);                                                             \
    const R *__restrict y = static_cast<const R *>(second);                                                            \
    R *__restrict out = static_cast<R *>(result);                                                                      \
    for (int round = 0; round < rounds; ++round) {                                                                     \
      asm volatile("" : : : "memory");                                                                                 \
      for (int at = 0; at < COUNT; at += N) {                                                                          \
        const A *a = x + at;                                                                                           \
        R *r = out + at;                                                                                               \
        REMOVE CPP;                                                                                                    \
      }                                                                                                                \
    }                                                                                                                  \
  }
#include "Operations.def"
#undef EACH
#undef GROUP
#undef MESSAGE

template <class T> constexpr Element elementOf() {
  return std::is_same_v<T, half>     ? Element::Half
         : std::is_same_v<T, float>  ? Element::Float
         : std::is_same_v<T, double> ? Element::Double
         : std::is_unsigned_v<T>     ? Element(int(Element::Integer1U) + __builtin_ctz(sizeof(T)))
                                     : Element(int(Element::Integer1) + __builtin_ctz(sizeof(T)));
}

} // namespace

#define GROUP(NAME, R, A, B, CM, CPP) {#NAME, elementOf<R>(), elementOf<A>(), elementOf<B>(), NAME},
#define EACH GROUP
#define MESSAGE(NAME, R, A, CM, CPP) GROUP(NAME, R, A, R, CM, CPP)
const std::vector<Operation> &operations() {
  static const std::vector<Operation> all = {
#include "Operations.def"
  };
  return all;
}
