//===- cm/detail/low_precision.h - Numbers of 16, 8 and 4 bits ---------------------------===//
//
// Conversions to and from formats without arithmetic: tfloat32 in int, E5M2 (bf8) in
// uchar, E4M3 (hf8) in char, E2M1 and int4 as nibbles. Rounding is to nearest even, or by
// random bits. Specification chapter "Low-precision conversions".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

/// A small float: sign, Exponent bits with this bias, Mantissa bits. E4M3 has no infinity: its highest code is NaN.
template <int Exponent, int Mantissa, int Bias, bool HasInfinity> struct small_float {
  static constexpr int mantissa = Mantissa;
  static constexpr int bits = 1 + Exponent + Mantissa;
  static constexpr uint infinity = HasInfinity ? ((1u << Exponent) - 1) << Mantissa : (1u << (Exponent + Mantissa)) - 1;
  static constexpr uint nan = HasInfinity ? infinity | 1u << (Mantissa - 1) : infinity;
  static constexpr uint highest = infinity - 1;

  /// Float to the format; Random, of 32 bits, is added below the last place before the cut when Stochastic, else the
  /// result is the nearest, ties to even. What is too large becomes infinity, or the highest number when Saturate.
  template <int N> static raw<uint, N> from_float(raw<float, N> Value, bool Saturate, bool Stochastic, raw<uint, N> Random) {
    constexpr int Drop = 23 - Mantissa;
    raw<uint, N> All = (raw<uint, N>)Value, Sign = (All >> raw<uint, N>(31)) << raw<uint, N>(bits - 1);
    raw<uint, N> Magnitude = All & raw<uint, N>(0x7FFFFFFFu);
    // Below the normal numbers the places are fixed: adding a power of two makes the float drop the rest.
    constexpr int Lowest = 1 - Bias; // exponent of the smallest normal number
    raw<int, N> Power = (raw<int, N>)(Magnitude >> raw<uint, N>(23)) - raw<int, N>(127);
    raw<int, N> Below = __builtin_elementwise_max(raw<int, N>(Lowest) - Power, raw<int, N>(0));
    raw<int, N> Shift = __builtin_elementwise_min(raw<int, N>(Drop) + Below, raw<int, N>(31));
    raw<uint, N> Subnormal = (raw<uint, N>)(Below > raw<int, N>(0));
    raw<uint, N> Significand = (Magnitude & raw<uint, N>(0x7FFFFFu)) | raw<uint, N>(0x800000u);
    // A normal number in the format keeps its exponent, rebased, in front of the significand.
    raw<uint, N> Rebased = Magnitude - raw<uint, N>(uint(127 - Bias) << 23);
    raw<uint, N> Source = (Subnormal & Significand) | (~Subnormal & Rebased);
    raw<uint, N> Places = (raw<uint, N>)Shift;
    raw<uint, N> One = raw<uint, N>(1);
    raw<uint, N> Odd = (Source >> Places) & One;
    raw<uint, N> Add = Stochastic ? Random & ((One << Places) - One) : (One << (Places - One)) - One + Odd;
    raw<uint, N> Result = (Source + Add) >> Places;
    raw<uint, N> Vanished = (raw<uint, N>)(Below > raw<int, N>(Mantissa + 1));
    Result &= ~(Vanished & raw<uint, N>(Stochastic ? 0u : ~0u));
    Result &= ~(raw<uint, N>)(Magnitude == raw<uint, N>(0));
    raw<uint, N> Over = (raw<uint, N>)(Result >= raw<uint, N>(infinity)) & ~Subnormal;
    raw<uint, N> Largest = raw<uint, N>(Saturate ? highest : infinity);
    Result = (Over & Largest) | (~Over & Result);
    raw<uint, N> IsNan = (raw<uint, N>)(Magnitude > raw<uint, N>(0x7F800000u));
    Result = (IsNan & raw<uint, N>(nan)) | (~IsNan & Result);
    return Result | Sign;
  }

  template <int N> static raw<float, N> to_float(raw<uint, N> Code) {
    raw<uint, N> Sign = (Code >> raw<uint, N>(bits - 1)) << raw<uint, N>(31);
    raw<uint, N> Magnitude = Code & raw<uint, N>((1u << (bits - 1)) - 1);
    raw<uint, N> Normal = (Magnitude << raw<uint, N>(23 - Mantissa)) + raw<uint, N>(uint(127 - Bias) << 23);
    constexpr float Unit = 1.0f / float(1u << (Bias - 1 + Mantissa)); // value of the last place of a subnormal number
    raw<uint, N> Small = (raw<uint, N>)(__builtin_convertvector(Magnitude, raw<float, N>) * raw<float, N>(Unit));
    raw<uint, N> IsSmall = (raw<uint, N>)(Magnitude < raw<uint, N>(1u << Mantissa));
    raw<uint, N> Result = (IsSmall & Small) | (~IsSmall & Normal);
    if constexpr (HasInfinity) {
      raw<uint, N> Special = (raw<uint, N>)(Magnitude >= raw<uint, N>(infinity));
      raw<uint, N> Widened = raw<uint, N>(0x7F800000u) | (Magnitude & raw<uint, N>((1u << Mantissa) - 1)) << raw<uint, N>(23 - Mantissa);
      Result = (Special & Widened) | (~Special & Result);
    } else {
      raw<uint, N> Special = (raw<uint, N>)(Magnitude == raw<uint, N>(nan));
      Result = (Special & raw<uint, N>(0x7FC00000u)) | (~Special & Result);
    }
    return (raw<float, N>)(Result | Sign);
  }
};
using e5m2 = small_float<5, 2, 15, true>;
using e4m3 = small_float<4, 3, 7, false>;

/// Float to E2M1: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; the highest for what is larger.
template <int N> raw<uint, N> to_e2m1(raw<float, N> Value, bool Stochastic, raw<uint, N> Random) {
  // Below 2 in steps of 0.5, below 4 in steps of 1, else in steps of 2.
  raw<uint, N> Sign = ((raw<uint, N>)Value >> raw<uint, N>(31)) << raw<uint, N>(3);
  raw<float, N> X = __builtin_elementwise_min(__builtin_elementwise_abs(Value), raw<float, N>(6.0f));
  raw<int, N> AtLeast2 = X >= raw<float, N>(2.0f), AtLeast4 = X >= raw<float, N>(4.0f);
  raw<float, N> Scale = AtLeast4 ? raw<float, N>(0.5f) : AtLeast2 ? raw<float, N>(1.0f) : raw<float, N>(2.0f);
  raw<float, N> Steps = X * Scale;
  raw<float, N> Fraction = __builtin_convertvector(Random & raw<uint, N>(0xFFFF), raw<float, N>) * raw<float, N>(1.0f / 65536);
  raw<float, N> Code = Stochastic ? __builtin_elementwise_floor(Steps + Fraction) : __builtin_elementwise_roundeven(Steps);
  // X of 2 has code 4, 2 steps of 1 and 2 more; X of 4 has code 6, 2 steps of 2 and 4 more.
  raw<float, N> First = AtLeast4 ? raw<float, N>(4.0f) : AtLeast2 ? raw<float, N>(2.0f) : raw<float, N>(0.0f);
  raw<uint, N> Bits = __builtin_convertvector(Code + First, raw<uint, N>);
  return __builtin_elementwise_min(Bits, raw<uint, N>(7)) | Sign;
}

template <class T> inline constexpr bool is_16_bit_float = is_same<T, half> || is_same<T, bfloat16>;

/// Floats as halves; what is half stays.
template <class A> auto as_halves(const A &Source) {
  constexpr int N = lanes<A>();
  if constexpr (is_same<element_type<A>, float>)
    return give<half, N, A>(__builtin_convertvector(value_of<float, N>(Source), raw<half, N>));
  else
    return Source;
}
template <class To, class Format, class A> auto to_small(const A &Source, bool Saturate) {
  constexpr int N = lanes<A>();
  raw<uint, N> Codes = Format::template from_float<N>(value_of<float, N>(Source), Saturate, false, raw<uint, N>(0));
  return give<To, N, A>(__builtin_convertvector(Codes, raw<To, N>));
}
template <class To, class Format, class A> auto from_small(const A &Source) {
  constexpr int N = lanes<A>();
  using S = element_type<A>;
  raw<uint, N> Codes = __builtin_convertvector(__builtin_convertvector(value_of<S, N>(Source), raw<unsigned_of<S>, N>), raw<uint, N>);
  return give_as<To, N, float, A>(Format::template to_float<N>(Codes), _GENX_NOSAT);
}

} // namespace cm::detail

/// Float to bfloat16, whose bits may be kept in half or short, or back.
template <class To, cm::detail::operand A> auto cm_bf_cvt(const A &Source) {
  POCM_NEEDS("cm_bf_cvt", CM_HAS_BF16);
  POCM_LANES(A);
  using S = element_type<A>;
  if constexpr (is_same<S, float>) {
    static_assert(sizeof(To) == 2, "cm_bf_cvt converts float to a type of 16 bits, or such a type to float");
    raw<bfloat16, N> Rounded = __builtin_convertvector(value_of<float, N>(Source), raw<bfloat16, N>);
    return give<To, N, A>((raw<To, N>)Rounded);
  } else {
    static_assert(sizeof(S) == 2 && is_same<To, float>,
                  "cm_bf_cvt converts float to a type of 16 bits, or such a type to float");
    raw<bfloat16, N> Bits = (raw<bfloat16, N>)value_of<S, N>(Source);
    return give<float, N, A>(__builtin_convertvector(Bits, raw<float, N>));
  }
}

/// Float to tfloat32, kept in an integer of 32 bits: 10 bits of mantissa, to nearest even; or back.
template <class To, cm::detail::operand A> auto cm_tf32_cvt(const A &Source) {
  POCM_NEEDS("cm_tf32_cvt", CM_HAS_TF32);
  POCM_LANES(A);
  using S = element_type<A>;
  if constexpr (is_same<S, float>) {
    static_assert(is_integer<To> && sizeof(To) == 4, "cm_tf32_cvt converts float to int or uint, or these to float");
    raw<uint, N> Bits = (raw<uint, N>)value_of<float, N>(Source);
    raw<uint, N> Nan = (raw<uint, N>)((Bits & raw<uint, N>(0x7FFFFFFFu)) > raw<uint, N>(0x7F800000u));
    raw<uint, N> Rounded = Bits + raw<uint, N>(0xFFFu) + ((Bits >> raw<uint, N>(13)) & raw<uint, N>(1));
    raw<uint, N> Result = ((Nan & (Bits | raw<uint, N>(0x400000u))) | (~Nan & Rounded)) & raw<uint, N>(~0x1FFFu);
    return give<To, N, A>((raw<To, N>)Result);
  } else {
    static_assert(is_integer<S> && sizeof(S) == 4 && is_same<To, float>,
                  "cm_tf32_cvt converts float to int or uint, or these to float");
    return give<float, N, A>((raw<float, N>)value_of<S, N>(Source));
  }
}

template <class To, class From, int... Shape, cm::detail::operand A>
  requires(sizeof...(Shape) > 0 && cm::detail::is_same<From, cm::detail::element_type<A>> &&
           (Shape * ...) == cm::detail::count_or_one<A>)
auto cm_tf32_cvt(const A &Source) {
  return cm_tf32_cvt<To>(Source);
}

#define POCM_SMALL_CVT(name, check, format, text)                                                                      \
  template <class To, cm::detail::operand A> auto name(const A &Source, int Flag = _GENX_NOSAT) {                      \
    check;                                                                                                             \
    using namespace cm::detail;                                                                                        \
    using S = element_type<A>;                                                                                         \
    if constexpr (is_floating<S>) {                                                                                    \
      static_assert((is_same<S, half> || is_same<S, float>)&&sizeof(To) == 1, text);                                   \
      return to_small<To, format>(as_halves(Source), Flag != 0);                                                       \
    } else {                                                                                                           \
      static_assert(sizeof(S) == 1 && (is_same<To, half> || is_same<To, float>), text);                                \
      return from_small<To, format>(Source);                                                                           \
    }                                                                                                                  \
  }
/// Half to E5M2 in uchar, or back; float goes by way of half. SAT keeps what is too large at the highest number.
POCM_SMALL_CVT(cm_bf8_cvt, POCM_NEEDS("cm_bf8_cvt", CM_HAS_BF8), e5m2, 
               "cm_bf8_cvt converts half or float to uchar, or uchar to half or float")
/// Half to E4M3 in char, or back.
POCM_SMALL_CVT(cm_hf8_cvt, POCM_NEEDS("cm_hf8_cvt", CM_HAS_HF8), e4m3, 
               "cm_hf8_cvt converts half or float to char, or char to half or float")
#undef POCM_SMALL_CVT

namespace cm::detail {
/// N random numbers as they are, of floats their bits.
template <int N, class R> raw<uint, N> random_bits(const R &Random) {
  using T = element_type<R>;
  if constexpr (is_floating<T>)
    return __builtin_convertvector((raw<unsigned_of<T>, N>)value_of<T, N>(Random), raw<uint, N>);
  else
    return value_of<uint, N>(Random);
}
} // namespace cm::detail

/// Stochastic rounding: random bits, of the width that is dropped, are added below the last place, then the rest is cut.
/// Float to half.
template <class To, cm::detail::operand A, cm::detail::operand R>
  requires(sizeof(To) != 1)
auto cm_srnd(const A &Source, const R &Random, int Flag = _GENX_NOSAT) {
  POCM_NEEDS("cm_srnd", CM_HAS_STOCHASTIC_ROUNDING);
  POCM_LANES(A, R);
  static_assert(is_same<element_type<A>, float> && is_same<To, half>,
                "cm_srnd rounds float to half, or float, half and bfloat16 to E5M2 in uchar");
  using ieee_half = small_float<5, 10, 15, true>;
  raw<uint, N> Codes = ieee_half::from_float<N>(value_of<float, N>(Source), Flag != 0, true, random_bits<N>(Random));
  return give<half, N, A, R>((raw<half, N>)__builtin_convertvector(Codes, raw<ushort, N>));
}

#define POCM_SRND_8(name, check_half, check_bf16, format, To)                                                          \
  template <cm::detail::operand A, cm::detail::operand R>                                                              \
  auto name(const A &Source, const R &Bias, int Flag = _GENX_NOSAT) {                                                  \
    POCM_LANES(A, R);                                                                                                  \
    using S = element_type<A>;                                                                                         \
    if constexpr (is_same<S, bfloat16>) {                                                                              \
      check_bf16;                                                                                                      \
    } else {                                                                                                           \
      check_half;                                                                                                      \
    }                                                                                                                  \
    static_assert(is_same<S, float> || is_16_bit_float<S>, #name " rounds float, half or bfloat16");                   \
    static_assert(sizeof(element_type<R>) == 1, #name " takes a byte of random bits for each element");                \
    raw<half, N> Narrow = __builtin_convertvector(value_of<S, N>(Source), raw<half, N>); /* float goes through half */ \
    raw<float, N> Value;                                                                                               \
    if constexpr (is_same<S, bfloat16>)                                                                                \
      Value = value_of<float, N>(Source);                                                                              \
    else                                                                                                               \
      Value = __builtin_convertvector(Narrow, raw<float, N>);                                                          \
    raw<uint, N> Random = value_of<uint, N>(Bias) & raw<uint, N>(0xFF);                                                \
    constexpr int Drop = 23 - format::mantissa; /* the byte's highest bit is half of the last place */                 \
    raw<uint, N> Codes =                                                                                               \
        format::template from_float<N>(Value, Flag != 0, true, Random << raw<uint, N>(Drop - 8));                      \
    return give<To, N, A, R>(__builtin_convertvector(Codes, raw<To, N>));                                              \
  }
/// Stochastic rounding to E5M2 with a byte of random bits.
POCM_SRND_8(cm_srnd_bf8, POCM_NEEDS("cm_srnd_bf8", CM_HAS_SRND_FP16_TO_BF8),
            POCM_NEEDS("cm_srnd_bf8", CM_HAS_SRND_BF16_TO_BF8), e5m2, uchar)
/// ... to E4M3.
POCM_SRND_8(cm_srnd_hf8, POCM_NEEDS("cm_srnd_hf8", CM_HAS_SRND_FP16_TO_HF8),
            POCM_NEEDS("cm_srnd_hf8", CM_HAS_SRND_BF16_TO_HF8), e4m3, char)
#undef POCM_SRND_8
/// Float, half or bfloat16 to E5M2: as cm_srnd_bf8, with the low bytes of the random bits; half also with as many bits as
/// are dropped.
template <class To, cm::detail::operand A, cm::detail::operand R>
  requires(sizeof(To) == 1)
auto cm_srnd(const A &Source, const R &Random, int Flag = _GENX_NOSAT) {
  POCM_NEEDS("cm_srnd", CM_HAS_STOCHASTIC_ROUNDING);
  POCM_LANES(A, R);
  using S = element_type<A>;
  static_assert(is_same<S, float> || is_same<S, half> || is_same<S, bfloat16>,
                "cm_srnd rounds float to half, or float, half and bfloat16 to E5M2 in uchar");
  if constexpr (sizeof(element_type<R>) == 1 || !is_same<S, half>) {
    vector<uchar, N> Bytes;
    Bytes.initialize(__builtin_convertvector(random_bits<N>(Random), raw<uchar, N>));
    vector<S, N> From;
    From.initialize(value_of<S, N>(Source));
    return give<To, N, A, R>((raw<To, N>)cm_srnd_bf8(From, Bytes, Flag).value());
  } else {
    constexpr int Below = 13; // half's dropped bits lie above those that float has more
    raw<uint, N> Codes = e5m2::from_float<N>(value_of<float, N>(Source), Flag != 0, true,
                                             random_bits<N>(Random) << raw<uint, N>(Below));
    return give<To, N, A, R>(__builtin_convertvector(Codes, raw<To, N>));
  }
}

/// Looks up the nibbles of element Index of every dword of Source in a table of 16: of a byte two nibbles, as 16-bit
/// values of a dword; of a word four nibbles, as bytes.
template <int Index, cm::detail::object L, cm::detail::object A> auto cm_upconvert_4bit_lut(const L &Table, const A &Source) {
  POCM_NEEDS("cm_upconvert_4bit_lut", CM_HAS_UPCONVERT_4BIT_LUT);
  using namespace cm::detail;
  using S = element_type<A>;
  constexpr int Each = 4 / int(sizeof(S)), N = traits<A>::count / Each;
  static_assert(traits<L>::count == 16, "cm_upconvert_4bit_lut: the table has 16 entries");
  static_assert(is_same<S, uchar> || is_same<S, ushort>, "cm_upconvert_4bit_lut: the source has elements of uchar or ushort");
  static_assert(Index >= 0 && Index < Each, "cm_upconvert_4bit_lut: a dword has 4 bytes or 2 words");
  static_assert(N == 16 || N == 32, "cm_upconvert_4bit_lut: 16 or 32 dwords");
  constexpr int Nibbles = 2 * int(sizeof(S)), Width = 32 / Nibbles;
  vector<S, N * Each> All = Source;
  vector<uint, N> Codes = All.template select<N, Each>(Index), Result = 0;
  vector<uint, 16> Entries = Table;
#pragma unroll
  for (int I = 0; I < Nibbles; ++I) {
    vector<ushort, N> Nibble = (Codes >> (4 * I)) & 15u;
    Result |= (Entries.iselect(Nibble) & ((1u << Width) - 1)) << (Width * I);
  }
  return Result;
}

enum class DownscaleType { E2M1, Int4 };
enum class DownscaleMode { Mode0, Mode1, Mode2, Mode3 };
/// The same by other names.
namespace downscale {
using Type = DownscaleType;
using Mode = DownscaleMode;
using enum DownscaleType;
using enum DownscaleMode;
} // namespace downscale

namespace cm::detail {
template <DownscaleType Type, DownscaleMode Mode, class A, class B, class R>
auto downscale(const A &First, const B &Second, const R &Bias, bool Stochastic) {
  POCM_NEEDS("cm_downscale", CM_HAS_DOWNSCALE_4BIT);
  using S = element_type<A>;
  static_assert((is_16_bit_float<S> || is_same<S, short>) && is_same<S, element_type<B>>,
                "cm_downscale: sources of half, bfloat16, or short, which are bits of bfloat16");
  constexpr int N = traits<A>::count / 2;
  vector<S, 2 * N> Left = First, Right = Second;
  using F = either<is_same<S, short>, bfloat16, S>;
  vector<float, 2 * N> X = Left.template format<F>(), Y = Right.template format<F>();
  vector<uint, N> Random = Bias, Result = 0;
  auto Put = [&](const auto &Source, int Odd, int At, bool Upper) {
    vector<float, N> Part = Source.template select<N, N == 1 ? 1 : 2>(Odd);
    raw<uint, N> Bits = Upper ? (Random >> 16).value() : (Random & 0xFFFFu).value();
    raw<uint, N> Code;
    if constexpr (Type == DownscaleType::E2M1) {
      Code = to_e2m1<N>(Part.value(), Stochastic, Bits);
    } else {
      raw<float, N> V = Part.value();
      raw<float, N> Fraction = __builtin_convertvector(Bits, raw<float, N>) * raw<float, N>(1.0f / 65536);
      raw<float, N> Whole = Stochastic ? __builtin_elementwise_floor(V + Fraction) : __builtin_elementwise_roundeven(V);
      raw<int, N> Clamped = cm::builtin::float_to_signed<raw<int, N>>(
          __builtin_elementwise_min(__builtin_elementwise_max(Whole, raw<float, N>(-8.0f)), raw<float, N>(7.0f)));
      Code = (raw<uint, N>)Clamped & raw<uint, N>(15);
    }
    Result |= make<vector<uint, N>, uint, N>(Code << raw<uint, N>(uint(At)));
  };
  constexpr bool Swapped = Mode == DownscaleMode::Mode1 || Mode == DownscaleMode::Mode3;
  constexpr int Shift = Mode == DownscaleMode::Mode2 || Mode == DownscaleMode::Mode3 ? 8 : 0;
  Put(X, 0, Shift, false);
  if constexpr (Swapped) {
    Put(Y, 0, Shift + 4, true);
    Put(X, 1, Shift + 16, false);
  } else {
    Put(X, 1, Shift + 4, true);
    Put(Y, 0, Shift + 16, false);
  }
  Put(Y, 1, Shift + 20, true);
  return Result;
}
} // namespace cm::detail

/// Pairs of two sources as nibbles of dwords: four nibbles a dword, at bits 0, 4, 16, 20 or, in modes 2 and 3, at 8, 12,
/// 24, 28; modes 1 and 3 swap the middle two. To nearest even.
template <DownscaleType Type, DownscaleMode Mode, cm::detail::object A, cm::detail::object B>
auto cm_downscale(const A &First, const B &Second) {
  return cm::detail::downscale<Type, Mode>(First, Second, 0u, false);
}
/// Rounded by random bits: the low half of Bias for the nibbles at 0 and 16 (8 and 24), the high half for the others.
template <DownscaleType Type, DownscaleMode Mode, cm::detail::object A, cm::detail::object B, cm::detail::operand R>
auto cm_downscale(const A &First, const B &Second, const R &Bias) {
  return cm::detail::downscale<Type, Mode>(First, Second, Bias, true);
}
template <DownscaleType Type, DownscaleMode Mode, class T, unsigned N, cm::detail::object A, cm::detail::object B,
          cm::detail::operand... R>
  requires(cm::detail::is_same<T, cm::detail::element_type<A>> && N == cm::detail::count_or_one<A>)
auto cm_downscale(const A &First, const B &Second, const R &...Bias) {
  return cm_downscale<Type, Mode>(First, Second, Bias...);
}

namespace cm::detail {
inline constexpr ushort mxfp_order[32] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                                          1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};
}
/// The largest magnitude of each row, in the hardware's order of rows. Integers of 16 bits are the bits of such numbers.
template <cm::detail::object M> auto cm_mxfp_reduce(const M &Rows) {
  POCM_NEEDS("cm_mxfp_reduce", CM_HAS_MXFP_REDUCE);
  using namespace cm::detail;
  using T = element_type<M>;
  static_assert(traits<M>::is_matrix && traits<M>::rows == 32 && traits<M>::columns == 32 && sizeof(T) == 2,
                "cm_mxfp_reduce: a 32x32 matrix of half, bfloat16 or their bits");
  vector<T, 32> Result;
#pragma unroll
  for (int K = 0; K < 32; ++K) {
    auto Row = Rows.row(mxfp_order[K]);
    if constexpr (is_16_bit_float<T>)
      Result(K) = cm_reduced_max<T>(cm_abs<T>(Row));
    else
      Result(K) = cm_reduced_max<ushort>(Row & T(0x7FFF)); // magnitudes are in the order of their bits
  }
  return Result;
}
template <cm::detail::element T, cm::detail::object M>
  requires(cm::detail::is_same<T, cm::detail::element_type<M>>)
auto cm_mxfp_reduce(const M &Rows) {
  return cm_mxfp_reduce(Rows);
}
/// From the hardware's order to that of the rows, or back.
template <cm::detail::object V> auto cm_mxfp_linearize(const V &Values) {
  POCM_NEEDS("cm_mxfp_linearize", CM_HAS_MXFP_REDUCE);
  static_assert(cm::detail::traits<V>::count == 32, "cm_mxfp_linearize: 32 elements");
  vector<ushort, 32> Order(cm::detail::mxfp_order);
  return Values.iselect(Order);
}
template <cm::detail::element T, cm::detail::object V>
  requires(cm::detail::is_same<T, cm::detail::element_type<V>>)
auto cm_mxfp_linearize(const V &Values) {
  return cm_mxfp_linearize(Values);
}

/// Legacy conversions of half's bits.
template <cm::detail::operand A> auto cm_f16tof32(const A &Bits) {
  POCM_LANES(A);
  return give<float, N, A>(__builtin_convertvector((raw<half, N>)value_of<ushort, N>(Bits), raw<float, N>));
}
template <cm::detail::operand A> auto cm_f32tof16(const A &Value) {
  POCM_LANES(A);
  return give<ushort, N, A>((raw<ushort, N>)__builtin_convertvector(value_of<float, N>(Value), raw<half, N>));
}
