//===- cm/detail/spellings.h - Sizes and types that arguments tell anyway ---===//
//
// Built-in functions of the language's first compiler are templates over element types and
// sizes, and programs write these out: cm_sqrt<16>(v), cm_svm_block_read<float, 16>(p, v).
// Here the arguments tell; what is written is checked no further.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

// name<16>(v), name<2, 8>(m)
#define POCM_WITH_SIZES(name)                                                                                          \
  template <int Size, int... Sizes, class... X>                                                                        \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name(static_cast<X &&>(Arguments)...);                                                                      \
  }
// name<16, U>(v, u), name<2, 8, U>(m, u): behind the sizes the types of the other operands
#define POCM_WITH_SIZES_FIRST(name)                                                                                    \
  template <int Size, class U, class V = void, class... X>                                                             \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name(static_cast<X &&>(Arguments)...);                                                                      \
  }                                                                                                                    \
  template <int R, int C, class U, class V = void, class... X>                                                         \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name(static_cast<X &&>(Arguments)...);                                                                      \
  }
// name<T, 16>(v) where T is the result's type; name<T, 16, U>(v, u)
#define POCM_WITH_RESULT(name)                                                                                         \
  POCM_WITH_SIZES(name)                                                                                                \
  template <cm::detail::element T, int Size, int... Sizes, class... X>                                                 \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }                                                                                                                    \
  template <cm::detail::element T, int Size, class U, class V = void, class... X>                                      \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }
// name<T0, T1>(v), name<T0, T1, 16>(v): the types of the result and of the first operand; behind them those of the others,
// name<T0, T1, 16, U>(v, u), name<T0, T1, 2, 8, U>(m, u), name<T0, T1, T2>(a, b), name<T0, T1, U, 16>(v, u)
#define POCM_WITH_OPERAND(name)                                                                                        \
  template <cm::detail::element T, cm::detail::element From, int... Sizes, class... X>                                 \
    requires(sizeof...(X) > 0)                                                                                         \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }                                                                                                                    \
  template <cm::detail::element T, cm::detail::element From, int Size, class U, class V = void, class... X>            \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }                                                                                                                    \
  template <cm::detail::element T, cm::detail::element From, int R, int C, class U, class V = void, class... X>        \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }                                                                                                                    \
  template <cm::detail::element T, cm::detail::element From, class U, class V = void, int... Sizes, class... X>        \
    requires(sizeof...(X) > 0)                                                                                         \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }                                                                                                                    \
  template <cm::detail::element T, cm::detail::element From, class U, int Size, int... Sizes, class... X>              \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name<T>(static_cast<X &&>(Arguments)...);                                                                   \
  }
// name<T>(..., v), name<T, 16>(..., v) where T is that of the elements
#define POCM_WITH_ELEMENTS(name)                                                                                       \
  template <cm::detail::element T, int... Sizes, class... X>                                                           \
    requires(cm::detail::object<X> || ...)                                                                             \
  decltype(auto) name(X &&...Arguments) {                                                                              \
    return name(static_cast<X &&>(Arguments)...);                                                                      \
  }

namespace cm::detail {
/// The last of some types.
template <class... X> struct last_of;
template <class X> struct last_of<X> {
  using type = X;
};
template <class X, class... More> struct last_of<X, More...> : last_of<More...> {};
/// An object of these sizes.
template <class T, int... Sizes> struct of_sizes;
template <class T, int N> struct of_sizes<T, N> {
  using type = vector<T, N>;
};
template <class T, int R, int C> struct of_sizes<T, R, C> {
  using type = matrix<T, R, C>;
};
/// With the sizes written out, data may be one number for every element.
template <class T, int... Sizes, class X> decltype(auto) filled(X &&Data) {
  if constexpr (scalar<bare<X>>)
    return typename of_sizes<T, Sizes...>::type(Data);
  else
    return static_cast<X &&>(Data);
}
template <class... X> inline constexpr bool ends_in_scalar = scalar<bare<typename last_of<X...>::type>>;
template <class, int... I> struct numbers {};
template <int N> using numbers_below = __make_integer_seq<numbers, int, N>;
} // namespace cm::detail
// name<T>(..., v), name<T, 16>(..., v), name<T, 16>(..., 0): the data comes last
#define POCM_WITH_DATA(name)                                                                                           \
  template <cm::detail::element T, int... Sizes, class... X>                                                           \
    requires(sizeof...(X) > 0 && sizeof...(Sizes) < 3 &&                                                               \
             (sizeof...(Sizes) ? ((cm::detail::object<X> || ...) || cm::detail::ends_in_scalar<X...>)                   \
                               : (cm::detail::object<X> || ...)))                                                      \
  void name(X &&...Arguments) {                                                                                        \
    if constexpr (sizeof...(Sizes) && cm::detail::ends_in_scalar<X...>)                                                \
      [&]<int... I>(cm::detail::numbers<int, I...>) {                                                                  \
        name([&]() -> decltype(auto) {                                                                                 \
          if constexpr (I + 1 == sizeof...(X))                                                                         \
            return cm::detail::filled<T, Sizes...>(static_cast<X &&>(Arguments));                                      \
          else                                                                                                         \
            return static_cast<X &&>(Arguments);                                                                       \
        }()...);                                                                                                       \
      }(cm::detail::numbers_below<sizeof...(X)>());                                                                    \
    else                                                                                                               \
      name(static_cast<X &&>(Arguments)...);                                                                           \
  }

POCM_WITH_SIZES_FIRST(cm_pow)
POCM_WITH_SIZES_FIRST(cm_div_ieee)
POCM_WITH_SIZES_FIRST(cm_sincos)
POCM_WITH_SIZES_FIRST(cm_lrp)
POCM_WITH_RESULT(cm_inv)
POCM_WITH_RESULT(cm_log)
POCM_WITH_RESULT(cm_exp)
POCM_WITH_RESULT(cm_sqrt)
POCM_WITH_RESULT(cm_sqrt_ieee)
POCM_WITH_RESULT(cm_rsqrt)
POCM_WITH_RESULT(cm_sin)
POCM_WITH_RESULT(cm_cos)
POCM_WITH_RESULT(cm_asin)
POCM_WITH_RESULT(cm_acos)
POCM_WITH_RESULT(cm_atan)
POCM_WITH_RESULT(cm_tanh)
POCM_WITH_RESULT(cm_sigmoid)
POCM_WITH_RESULT(cm_pow)
POCM_WITH_RESULT(cm_div_ieee)
POCM_WITH_RESULT(cm_frem)
POCM_WITH_RESULT(cm_sincos)
POCM_WITH_RESULT(cm_frc)
POCM_WITH_RESULT(cm_rndd)
POCM_WITH_RESULT(cm_rndu)
POCM_WITH_RESULT(cm_rnde)
POCM_WITH_RESULT(cm_rndz)
POCM_WITH_RESULT(cm_dp2)
POCM_WITH_RESULT(cm_dp3)
POCM_WITH_RESULT(cm_dp4)
POCM_WITH_RESULT(cm_dph)
POCM_WITH_RESULT(cm_line)
POCM_WITH_RESULT(cm_pln)
POCM_WITH_RESULT(cm_lrp)
POCM_WITH_RESULT(cm_abs)
POCM_WITH_RESULT(cm_cbit)
POCM_WITH_RESULT(cm_fbl)
POCM_WITH_RESULT(cm_fbh)
POCM_WITH_RESULT(cm_lzd)
POCM_WITH_RESULT(cm_bf_reverse)
POCM_WITH_OPERAND(cm_abs)
POCM_WITH_OPERAND(cm_add)
POCM_WITH_OPERAND(cm_mul)
POCM_WITH_OPERAND(cm_avg)
POCM_WITH_OPERAND(cm_shl)
POCM_WITH_OPERAND(cm_shr)
POCM_WITH_OPERAND(cm_rol)
POCM_WITH_OPERAND(cm_ror)
POCM_WITH_OPERAND(cm_lsr)
POCM_WITH_OPERAND(cm_asr)
POCM_WITH_OPERAND(cm_imul)
POCM_WITH_OPERAND(cm_max)
POCM_WITH_OPERAND(cm_min)
POCM_WITH_OPERAND(cm_dp2)
POCM_WITH_OPERAND(cm_dp3)
POCM_WITH_OPERAND(cm_dp4)
POCM_WITH_OPERAND(cm_dph)
POCM_WITH_OPERAND(cm_line)
POCM_WITH_OPERAND(cm_pln)
POCM_WITH_OPERAND(cm_lrp)
POCM_WITH_OPERAND(cm_frc)
POCM_WITH_OPERAND(cm_rndd)
POCM_WITH_OPERAND(cm_rndu)
POCM_WITH_OPERAND(cm_rnde)
POCM_WITH_OPERAND(cm_rndz)
POCM_WITH_OPERAND(cm_sad2)
POCM_WITH_OPERAND(cm_sada2)
POCM_WITH_OPERAND(cm_sum)
POCM_WITH_OPERAND(cm_prod)
POCM_WITH_OPERAND(cm_reduced_max)
POCM_WITH_OPERAND(cm_reduced_min)
POCM_WITH_OPERAND(cm_lzd)
POCM_WITH_OPERAND(cm_cbit)
POCM_WITH_OPERAND(cm_fbl)
POCM_WITH_OPERAND(cm_fbh)
POCM_WITH_OPERAND(cm_bf_extract)
POCM_WITH_OPERAND(cm_bf_insert)
POCM_WITH_OPERAND(cm_bf_reverse)
POCM_WITH_OPERAND(cm_dp4a)
POCM_WITH_OPERAND(cm_bf_cvt)
POCM_WITH_OPERAND(cm_bf8_cvt)
POCM_WITH_OPERAND(cm_hf8_cvt)
POCM_WITH_OPERAND(cm_srnd)
POCM_WITH_ELEMENTS(cm_srnd_bf8)
POCM_WITH_ELEMENTS(cm_srnd_hf8)
POCM_WITH_OPERAND(cm_quot)
POCM_WITH_OPERAND(cm_mod)
POCM_WITH_OPERAND(cm_div)
POCM_WITH_ELEMENTS(cm_f16tof32)
POCM_WITH_ELEMENTS(cm_f32tof16)
POCM_WITH_SIZES(cm_addc)
POCM_WITH_ELEMENTS(cm_addc)
POCM_WITH_SIZES(cm_subb)
POCM_WITH_ELEMENTS(cm_subb)
POCM_WITH_RESULT(cm_quot)
POCM_WITH_RESULT(cm_mod)
POCM_WITH_RESULT(cm_div)
/// The second type is that of the other operand.
template <cm::detail::element T, cm::detail::object U, int... Sizes, class... X>
  requires(cm::detail::object<X> || ...)
decltype(auto) cm_dph(X &&...Arguments) {
  return cm_dph<T>(static_cast<X &&>(Arguments)...);
}
template <CmAtomicOpType Op, cm::detail::element T, int... Sizes, class... X>
  requires(cm::detail::object<X> || ...)
void write_typed_atomic(X &&...Arguments) {
  write_typed_atomic<Op>(static_cast<X &&>(Arguments)...);
}
template <BFNT Function, cm::detail::element T, int Size, int... Sizes, class... X>
decltype(auto) cm_bfn(X &&...Arguments) {
  return cm_bfn<Function>(static_cast<X &&>(Arguments)...);
}
POCM_WITH_SIZES(cm_pack_mask)
POCM_WITH_ELEMENTS(cm_pack_mask)

#define POCM_MEMORY(name)                                                                                              \
  POCM_WITH_SIZES(name)                                                                                                \
  POCM_WITH_ELEMENTS(name)
#define POCM_WRITES(name)                                                                                              \
  POCM_WITH_SIZES(name)                                                                                                \
  POCM_WITH_DATA(name)
POCM_MEMORY(read)
POCM_WRITES(write)
POCM_MEMORY(read_untyped)
POCM_MEMORY(write_untyped)
POCM_MEMORY(read_typed)
POCM_MEMORY(write_typed)
POCM_MEMORY(read_scaled)
POCM_WRITES(write_scaled)
POCM_MEMORY(cm_svm_block_read)
POCM_MEMORY(cm_svm_block_read_unaligned)
POCM_WRITES(cm_svm_block_write)
POCM_MEMORY(cm_ptr_block_read)
POCM_MEMORY(cm_ptr_block_read_unaligned)
POCM_WRITES(cm_ptr_block_write)
POCM_MEMORY(cm_svm_scatter_read)
POCM_WRITES(cm_svm_scatter_write)
POCM_MEMORY(cm_svm_gather4_scaled)
POCM_MEMORY(cm_svm_scatter4_scaled)
POCM_MEMORY(cm_ptr_scatter_read)
POCM_WRITES(cm_ptr_scatter_write)
POCM_MEMORY(cm_ptr_read4)
POCM_MEMORY(cm_ptr_write4)
POCM_MEMORY(cm_slm_block_read)
POCM_WRITES(cm_slm_block_write)
POCM_MEMORY(cm_slm_read)
POCM_WRITES(cm_slm_write)
POCM_MEMORY(cm_slm_read4)
POCM_MEMORY(cm_slm_write4)
POCM_MEMORY(cm_slm_read4_scaled)
POCM_MEMORY(cm_slm_write4_scaled)
POCM_MEMORY(cm_slm_read_scaled)
POCM_WRITES(cm_slm_write_scaled)
POCM_MEMORY(read_plane)
POCM_WRITES(write_plane)
POCM_MEMORY(cm_hword_read)
POCM_MEMORY(cm_hword_write)
POCM_MEMORY(cm_qword_scatter_read)
POCM_MEMORY(cm_qword_scatter_write)
POCM_MEMORY(sample16)
POCM_MEMORY(sample32)
POCM_MEMORY(load16)
#undef POCM_MEMORY
#undef POCM_WRITES

#undef POCM_WITH_SIZES
#undef POCM_WITH_SIZES_FIRST
#undef POCM_WITH_RESULT
#undef POCM_WITH_OPERAND
#undef POCM_WITH_ELEMENTS
#undef POCM_WITH_DATA
