//===- cm/detail/bits.h - Shifts, bit operations, reductions, masks ---------===//
//
// Specification chapters "Shifts, rotates, bit operations" and "Reductions and mask
// packing". Shift counts are taken modulo the width of the promoted left operand.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {
template <class E, int N, class B> raw<E, N> shift_count(const B &Count) {
  return value_of<E, N>(Count) & raw<E, N>(E(sizeof(E) * 8 - 1));
}
} // namespace cm::detail

/// a << n, exact, then converted to T0; SAT clamps.
template <class T0 = void, cm::detail::operand A, cm::detail::operand B>
auto cm_shl(const A &Left, const B &Count, int Flag = _GENX_NOSAT) {
  POCM_LANES(A, B);
  using E = promoted<element_type<A>>;
  static_assert(is_integer<E> && is_integer<element_type<B>>, "cm_shl works on integers");
  using R = or_else<T0, E>;
  using W = wide<E>;
  if (Flag)
    return give_as<R, N, W, A, B>(value_of<W, N>(Left) << value_of<W, N>(make<vector<E, N>, E, N>(shift_count<E, N>(Count))),
                                  Flag);
  return give_as<R, N, E, A, B>(value_of<E, N>(Left) << shift_count<E, N>(Count), _GENX_NOSAT);
}

// a >> n of the promoted left operand, seen as type E.
#define POCM_SHIFT_RIGHT(name, kind)                                                                                   \
  template <class T0 = void, cm::detail::operand A, cm::detail::operand B>                                             \
  auto name(const A &Left, const B &Count, int Flag = _GENX_NOSAT) {                                                   \
    POCM_LANES(A, B);                                                                                                  \
    using P = promoted<element_type<A>>;                                                                               \
    static_assert(is_integer<P> && is_integer<element_type<B>>, #name " works on integers");                           \
    using E = kind;                                                                                                    \
    raw<E, N> Value = __builtin_convertvector(value_of<P, N>(Left), raw<E, N>);                                        \
    return give_as<or_else<T0, E>, N, E, A, B>(Value >> shift_count<E, N>(Count), Flag);                               \
  }
/// Arithmetic for signed, logical for unsigned operands.
POCM_SHIFT_RIGHT(cm_shr, P)
/// Logical: the promoted bits seen as unsigned.
POCM_SHIFT_RIGHT(cm_lsr, unsigned_of<P>)
/// Arithmetic: the promoted bits seen as signed.
POCM_SHIFT_RIGHT(cm_asr, signed_of<P>)
#undef POCM_SHIFT_RIGHT

// Rotation within the element.
#define POCM_ROTATE(name, builtin)                                                                                     \
  template <class T0 = void, cm::detail::operand A, cm::detail::operand B>                                             \
  auto name(const A &Left, const B &Count) {                                                                           \
    POCM_LANES(A, B);                                                                                                  \
    using S = element_type<A>;                                                                                         \
    POCM_NEEDS(#name, CM_HAS_BIT_ROTATE);                                                                              \
    static_assert(sizeof(S) < 8 || POCM_CM_HAS_BIT_ROTATE_64BIT,                                                       \
                  #name " on 64-bit integers needs CM_HAS_BIT_ROTATE_64BIT, which target " POCM_TARGET                 \
                        " does not have");                                                                             \
    static_assert(is_integer<S> && sizeof(S) > 1, #name " works on integers of 16, 32 or 64 bits");                    \
    raw<S, N> Value = value_of<S, N>(Left);                                                                            \
    return give_as<or_else<T0, S>, N, S, A, B>(builtin(Value, Value, value_of<S, N>(Count)), _GENX_NOSAT);             \
  }
POCM_ROTATE(cm_rol, __builtin_elementwise_fshl)
POCM_ROTATE(cm_ror, __builtin_elementwise_fshr)
#undef POCM_ROTATE

/// Number of leading zero bits; the width for 0.
template <class T0 = void, cm::detail::operand A> auto cm_lzd(const A &X, int = _GENX_NOSAT) {
  POCM_LANES(A);
  using E = unsigned_of<promoted<element_type<A>>>;
  static_assert(is_integer<element_type<A>>, "cm_lzd works on integers");
  return give_as<or_else<T0, E>, N, E, A>(__builtin_elementwise_clzg(value_of<E, N>(X), raw<E, N>(sizeof(E) * 8)),
                                          _GENX_NOSAT);
}

/// Number of bits set in the element. T0: another type to see X as, whose bits count.
template <class T0 = void, cm::detail::operand A> auto cm_cbit(const A &X) {
  POCM_LANES(A);
  using S = or_else<T0, element_type<A>>;
  static_assert(is_integer<S>, "cm_cbit works on integers");
  using E = unsigned_of<S>;
  raw<E, N> Bits = __builtin_convertvector(value_of<S, N>(X), raw<E, N>);
  return give<uint, N, A>(__builtin_convertvector(__builtin_elementwise_popcount(Bits), raw<uint, N>));
}

/// Index of the lowest bit set; 0xFFFFFFFF for 0.
template <class T0 = void, cm::detail::operand A> auto cm_fbl(const A &X) {
  POCM_LANES(A);
  return give<uint, N, A>(__builtin_elementwise_ctzg(value_of<uint, N>(X), raw<uint, N>(0xFFFFFFFFu)));
}

/// Unsigned: leading zeros. Signed: leading bits equal to the sign. 0 and -1 give 0xFFFFFFFF. T0: another type to see X as.
template <class T0 = void, cm::detail::operand A> auto cm_fbh(const A &X) {
  POCM_LANES(A);
  using S = or_else<T0, element_type<A>>;
  static_assert(is_same<S, int> || is_same<S, uint>, "cm_fbh works on int and uint");
  raw<S, N> Value = value_of<S, N>(X);
  if constexpr (!is_unsigned<S>)
    Value = Value ^ (Value >> raw<S, N>(31));
  raw<uint, N> Bits = __builtin_convertvector(Value, raw<uint, N>);
  return give_as<S, N, uint, A>(__builtin_elementwise_clzg(Bits, raw<uint, N>(0xFFFFFFFFu)), _GENX_NOSAT);
}

/// The 32 bits in reverse order.
template <class T0 = void, cm::detail::operand A> auto cm_bf_reverse(const A &X) {
  POCM_LANES(A);
  using R = or_else<T0, element_type<A>>;
  return give_as<R, N, uint, A>(__builtin_elementwise_bitreverse(value_of<uint, N>(X)), _GENX_NOSAT);
}

namespace cm::detail {
/// The type of 32 bits that fields of an integer are taken from and put into.
template <class T> using field_type = either<is_unsigned<T>, uint, int>;
template <class T> inline constexpr bool has_fields = is_integer<T> && sizeof(T) <= 4;
} // namespace cm::detail

/// Width bits of Source from Offset on, sign-extended for int. Arguments: width, offset, source.
template <class T0 = void, cm::detail::operand W, cm::detail::operand O, cm::detail::operand A>
auto cm_bf_extract(const W &Width, const O &Offset, const A &Source) {
  POCM_LANES(W, O, A);
  using S = field_type<element_type<A>>;
  static_assert(has_fields<element_type<A>>, "cm_bf_extract works on integers of 8, 16 and 32 bits");
  using L = raw<S, N>;
  L Bits = value_of<S, N>(Width) & L(31), From = value_of<S, N>(Offset) & L(31), Value = value_of<S, N>(Source);
  // A field that reaches the top needs no left shift.
  L Up = __builtin_elementwise_max(L(32) - Bits - From, L(0));
  if constexpr (is_unsigned<S>) // 32 - w - o as unsigned does not go below 0
    Up = __builtin_convertvector(
        __builtin_elementwise_max(__builtin_convertvector(L(32) - Bits - From, raw<int, N>), raw<int, N>(0)), L);
  L Field = (Value << (Up & L(31))) >> ((Up + From) & L(31));
  L Empty = __builtin_convertvector(Bits == L(0), L);
  return give_as<or_else<T0, S>, N, S, W, O, A>(Field & ~Empty, _GENX_NOSAT);
}

/// Source with Width bits from Offset on replaced by the low bits of Value.
template <class T0 = void, cm::detail::operand W, cm::detail::operand O, cm::detail::operand V, cm::detail::operand A>
auto cm_bf_insert(const W &Width, const O &Offset, const V &Value, const A &Source) {
  POCM_LANES(W, O, V, A);
  using S = field_type<element_type<A>>;
  static_assert(has_fields<element_type<A>>, "cm_bf_insert works on integers of 8, 16 and 32 bits");
  using L = raw<uint, N>;
  L Bits = value_of<uint, N>(Width) & L(31), To = value_of<uint, N>(Offset) & L(31);
  L Mask = ((L(1) << Bits) - L(1)) << To;
  L Result = ((value_of<uint, N>(Value) << To) & Mask) | (value_of<uint, N>(Source) & ~Mask);
  return give_as<or_else<T0, S>, N, S, W, O, V, A>(__builtin_convertvector(Result, raw<S, N>), _GENX_NOSAT);
}

/// A function of three bits, by its truth table; expressions over BFN_X, BFN_Y and BFN_Z with ~ & | ^ give any.
enum class BFNT : unsigned char { X = 0xAA, Y = 0xCC, Z = 0xF0 };
inline constexpr BFNT BFN_X = BFNT::X, BFN_Y = BFNT::Y, BFN_Z = BFNT::Z;
constexpr BFNT operator~(BFNT A) { return BFNT(~unsigned(A)); }
constexpr BFNT operator&(BFNT A, BFNT B) { return BFNT(unsigned(A) & unsigned(B)); }
constexpr BFNT operator|(BFNT A, BFNT B) { return BFNT(unsigned(A) | unsigned(B)); }
constexpr BFNT operator^(BFNT A, BFNT B) { return BFNT(unsigned(A) ^ unsigned(B)); }

/// That function of the three operands, bit by bit.
template <BFNT Function, cm::detail::operand A, cm::detail::operand B, cm::detail::operand C>
auto cm_bfn(const A &X, const B &Y, const C &Z) {
  POCM_NEEDS("cm_bfn", CM_HAS_BFN);
  POCM_LANES(A, B, C);
  using S = element_type<A>;
  static_assert(is_integer<S> && (sizeof(S) == 2 || sizeof(S) == 4), "cm_bfn works on integers of 16 or 32 bits");
  raw<S, N> V[3] = {value_of<S, N>(X), value_of<S, N>(Y), value_of<S, N>(Z)}, Result = S(0);
#pragma unroll
  for (int Term = 0; Term < 8; ++Term)
    if (unsigned(Function) >> Term & 1)
      Result |= (Term & 1 ? V[0] : ~V[0]) & (Term & 2 ? V[1] : ~V[1]) & (Term & 4 ? V[2] : ~V[2]);
  return give<S, N, A, B, C>(Result);
}

/// One step of a Galois shift register: s >> 1, xor Polynomial where bit 0 was set. A polynomial may be as many elements
/// as a dword holds, for all dwords.
template <cm::detail::operand A, cm::detail::operand P> auto cm_lfsr(const A &State, const P &Polynomial) {
  POCM_NEEDS("cm_lfsr", CM_HAS_LFSR);
  constexpr int Lanes = cm::detail::count_or_one<A>, Each = cm::detail::count_or_one<P>;
  if constexpr (cm::detail::object<P> && Each < Lanes && Each * sizeof(cm::detail::element_type<P>) == 4) {
    vector<cm::detail::element_type<P>, Each> One = Polynomial;
    return cm_lfsr(State, One.template replicate<Lanes / Each>());
  } else {
    POCM_LANES(A, P);
    using S = unsigned_of<element_type<A>>;
    raw<S, N> Bits = __builtin_convertvector(value_of<element_type<A>, N>(State), raw<S, N>);
    raw<S, N> Low = raw<S, N>(0) - (Bits & raw<S, N>(1));
    raw<S, N> Next = (Bits >> raw<S, N>(1)) ^ (Low & value_of<S, N>(Polynomial));
    return give<element_type<A>, N, A>(__builtin_convertvector(Next, raw<element_type<A>, N>));
  }
}
template <cm::detail::element T, unsigned N, cm::detail::operand A, cm::detail::operand P>
auto cm_lfsr(const A &State, const P &Polynomial) {
  static_assert(N == cm::detail::count_or_one<A> && cm::detail::is_same<T, cm::detail::element_type<A>>,
                "cm_lfsr<T, N>: N elements of T");
  return cm_lfsr(State, Polynomial);
}

//===- Reductions -----------------------------------------------------------===//

namespace cm::detail {
/// The elements of X as T; Neutral where SIMD control flow has switched the channel off.
template <class T, class A> auto active_values(const A &X, T Neutral) {
  constexpr int N = traits<A>::count;
  auto Lanes = cm::builtin::active_lanes<raw<ushort, N>>();
  return make<vector<T, N>, T, N>(
      cm::builtin::select_lanes<raw<T, N>>(Lanes, value_of<T, N>(X), raw<T, N>(Neutral)));
}
/// Combines halves until one element is left, in an order that does not depend on the target.
template <class T, int N, class Combine> T reduce(const vector<T, N> &V, Combine With) {
  if constexpr (N == 1) {
    return V(0);
  } else {
    constexpr int Half = 1 << (31 - __builtin_clz(unsigned(N - 1)));
    vector<T, Half> Low = V.template select<Half, 1>(0);
    Low.template select<N - Half, 1>(0).initialize(
        With(Low.template select<N - Half, 1>(0), V.template select<N - Half, 1>(Half)));
    return reduce(Low, With);
  }
}
/// Halves of a variable, as the source could have them: LLVM computes what that is made of in few bits first, and only
/// then sees for what it was widened.
template <class T, bool Product, int N> T reduced(const vector<T, N> &V) {
  if constexpr (N == 1) {
    return V(0);
  } else if constexpr (is_same<T, bfloat16>) { // which has no arithmetic of its own
    return reduce(V, [](auto P, auto Q) {
      if constexpr (Product)
        return P * Q;
      else
        return P + Q;
    });
  } else {
    constexpr int Half = 1 << (31 - __builtin_clz(unsigned(N - 1)));
    auto Low = V.template select<Half, 1>(0).value();
    auto High = V.template select<N - Half, 1>(Half).value();
    if constexpr (Product)
      return cm::builtin::multiply_up<T>(Low, High);
    else
      return cm::builtin::sum_up<T>(Low, High);
  }
}
template <class T0, bool Product, class A> T0 reduce_as(const A &X, int Flag) {
  using W = either<is_floating<T0>, T0, wide<T0>>; // an exact total saturates once
  if (Flag)
    return convert_saturated<T0, 1, W>(raw<W, 1>(reduced<W, Product>(active_values<W>(X, W(Product)))))[0];
  return reduced<T0, Product>(active_values<T0>(X, T0(Product)));
}
template <class T> constexpr T largest() {
  if constexpr (is_floating<T>)
    return T(__builtin_inf());
  else
    return highest<T>();
}
template <class T> constexpr T smallest() {
  if constexpr (is_floating<T>)
    return T(-__builtin_inf());
  else
    return lowest<T>();
}
} // namespace cm::detail

/// Sum of all elements in T0.
template <class T0, cm::detail::object A> T0 cm_sum(const A &X, int Flag = _GENX_NOSAT) {
  return cm::detail::reduce_as<T0, false>(X, Flag);
}
/// Product of all elements in T0.
template <class T0, cm::detail::object A> T0 cm_prod(const A &X, int Flag = _GENX_NOSAT) {
  return cm::detail::reduce_as<T0, true>(X, Flag);
}
/// Smallest element, as T0.
template <class T0, cm::detail::object A> T0 cm_reduced_min(const A &X, int Flag = _GENX_NOSAT) {
  using namespace cm::detail;
  using S = element_type<A>;
  raw<S, 1> Least = __builtin_reduce_min(active_values<S>(X, largest<S>()).value());
  return Flag ? convert_saturated<T0, 1, S>(Least)[0] : convert<T0, 1, S>(Least)[0];
}
/// Largest element, as T0.
template <class T0, cm::detail::object A> T0 cm_reduced_max(const A &X, int Flag = _GENX_NOSAT) {
  using namespace cm::detail;
  using S = element_type<A>;
  raw<S, 1> Most = __builtin_reduce_max(active_values<S>(X, smallest<S>()).value());
  return Flag ? convert_saturated<T0, 1, S>(Most)[0] : convert<T0, 1, S>(Most)[0];
}

/// Bit i is bit 0 of element i, 0 where there is none. Up to 32 elements of ushort.
template <cm::detail::object A> uint cm_pack_mask(const A &Mask) {
  using Traits = cm::detail::traits<A>;
  static_assert(cm::detail::is_same<typename Traits::type, ushort>, "cm_pack_mask takes a mask of ushort elements; what & | and ^ make of two masks are ints: keep them in a "
                "vector<ushort, N> first");
  constexpr int Count = Traits::count, Whole = Count <= 8 ? 8 : Count <= 16 ? 16 : 32;
  static_assert(Count <= 32, "cm_pack_mask takes up to 32 elements");
  if constexpr (Count == Whole || Count > 32) {
    return cm::builtin::pack_mask(Mask.value());
  } else {
    vector<ushort, Whole> Padded = 0;
    Padded.template select<Count, 1>(0).initialize(Mask);
    return cm::builtin::pack_mask(Padded.value());
  }
}
/// Element i is bit i.
template <class T, int N> vector<ushort, N> cm_unpack_mask(uint Bits) {
  static_assert(N == 8 || N == 16 || N == 32, "cm_unpack_mask gives 8, 16 or 32 elements");
  return cm::detail::make<vector<ushort, N>, ushort, N>(cm::builtin::unpack_mask<cm::detail::raw<ushort, N>>(Bits));
}
