//===- cm/detail/types.h - Element types, qualifiers, small traits ---------===//
//
// Scalar names of CM (specification chapter "Types"), the qualifiers of kernels and
// functions, and the handful of traits that the other chapters are written in.
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

#ifndef POCM_TARGET
#error "compile with cmc, which defines what the target has"
#endif
// In a function that only some targets have.
#define POCM_NEEDS(function, feature)                                                                                  \
  static_assert(POCM_##feature, function " needs " #feature ", which target " POCM_TARGET " does not have")

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef _Float16 half;
typedef __bf16 bfloat16;

// Names of integers by their bits, of other compilers.
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long
#define __uint8 unsigned char
#define __uint16 unsigned short
#define __uint32 unsigned int
#define __uint64 unsigned long long

typedef uchar U8;
typedef ushort U16;
typedef uint U32;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

/// An address that host and kernel share, as a number: + 1 is the next byte. -DCM_PTRSIZE says how wide it is on the host.
#if defined(CM_PTRSIZE) && CM_PTRSIZE == 32
typedef uint32_t svmptr_t;
#else
typedef uint64_t svmptr_t;
#endif

/// Entry point of a kernel: returns void; its parameters are the host's SetKernelArg indices, in order.
#define _GENX_MAIN_ __attribute__((annotate("genx_main")))
/// Marks of file-scope variables, which exist once per thread. Registers are the compiler's affair: no effect.
#define _GENX_VOLATILE_ __attribute__((annotate("genx_volatile")))
#define _GENX_VOLATILE_BINDING_(offset) _GENX_VOLATILE_
/// Optional mark of a device function. Device functions are inlined into the kernels that call them, unless marked:
#define _GENX_
/// A device function that is called, where it can be: one that several places of a kernel call and that touches only its
/// parameters, surfaces and memory becomes a subroutine of Gen code.
#define _GENX_STACKCALL_ CM_NOINLINE
#define _CM_CALLABLE_
#define _CM_ENTRY_
#define _CM_BUILTIN_
#define CM_INLINE inline __attribute__((always_inline))
#define CM_NOINLINE __attribute__((noinline))
#define CM_NODEBUG __attribute__((nodebug))
/// Marks of parameters: notes for readers.
#define _CM_INPUT_
#define _CM_OUTPUT_
#define _CM_INPUT_OUTPUT_
#define _CM_OUTPUT_INPUT_
#define _CM_FIXED_
/// A function for single lanes makes no sense among functions for whole vectors.
#define _SIMT8_ __attribute__((unavailable("SIMT functions are not supported; write the function over vectors")))
#define _SIMT16_ _SIMT8_
#define _SIMT32_ _SIMT8_
/// Shorthands of messages.
#define CM_DEPRECATED(message) __attribute__((deprecated(message)))
#define CM_STATIC_ERROR(condition, message) static_assert(condition, message)
/// An error where an instance comes to it and `has` is false. CM_HAS_..._CONTROL, for every feature of targets, is one.
#define CM_HAS_CONTROL(has) cm::detail::target_has<has>()
#define CM_STATIC_WARNING(condition, message)                                                                          \
  []() __attribute__((diagnose_if(!(condition), message, "warning"))) {}()
/// No optimisation moves code across this mark, nor across the end of its block.
#define CM_OPTIMIZATIONS_FENCE                                                                                         \
  static_assert(sizeof(__func__) != 1, "CM_OPTIMIZATIONS_FENCE stands in functions");                                  \
  [[maybe_unused]] cm::CMOptimizationsFence POCM_NAMED(POCM_OptimizationsFence, __COUNTER__);
#define POCM_NAMED(name, number) POCM_PASTED(name, number)
#define POCM_PASTED(name, number) name##number
namespace cm {
/// No optimisation moves code across where it begins and ends.
class CMOptimizationsFence final {
public:
  CMOptimizationsFence() { __asm__ volatile("" ::: "memory"); }
  ~CMOptimizationsFence() { __asm__ volatile("" ::: "memory"); }
  CMOptimizationsFence(const CMOptimizationsFence &) = delete;
  CMOptimizationsFence &operator=(const CMOptimizationsFence &) = delete;
  CMOptimizationsFence *operator&() = delete;
};
} // namespace cm
/// A file-scope variable, in programs for the emulation library.
#define __GLOBAL(variable) variable

/// Versions of the language to compare __INTEL_CM with.
#define CM_1_0 100
#define CM_2_0 200
#define CM_2_1 201
#define CM_2_2 202
#define CM_2_3 203
#define CM_2_4 204
#define CM_3_0 300
#define CM_4_0 400
#define CM_5_0 500
#define CM_6_0 600
#define CM_7_0 700

/// How a kernel rounds and treats denormal numbers; the bits of one rounding mode and of any denormal modes together.
#define _GENX_FLOAT_CONTROL_(bits) __attribute__((annotate("genx_float_control", (bits))))
#define _GENX_ROUNDING_MODE_(bits) _GENX_FLOAT_CONTROL_(bits)
enum CmFloatControl {
  CM_RTE = 0,      // to nearest even
  CM_RTP = 1 << 4, // towards +infinity
  CM_RTN = 2 << 4, // towards -infinity
  CM_RTZ = 3 << 4, // towards zero
  CM_DENORM_FTZ = 0,
  CM_DENORM_RTZ = 0,
  CM_DENORM_D_ALLOW = 1 << 6,
  CM_DENORM_F_ALLOW = 1 << 7,
  CM_DENORM_HF_ALLOW = 1 << 10,
  CM_DENORM_ALLOW = CM_DENORM_D_ALLOW | CM_DENORM_F_ALLOW | CM_DENORM_HF_ALLOW,
  CM_FLOAT_MODE_IEEE = 0,
  CM_FLOAT_MODE_ALT = 1, // no effect: infinities and NaN are those of IEEE
  // Older spellings.
  _CM_RTE = CM_RTE,
  _CM_RTP = CM_RTP,
  _CM_RTN = CM_RTN,
  _CM_RTZ = CM_RTZ,
  _CM_DENORM_FTZ = CM_DENORM_FTZ,
  _CM_DENORM_RTZ = CM_DENORM_RTZ,
  _CM_DENORM_D_ALLOW = CM_DENORM_D_ALLOW,
  _CM_DENORM_F_ALLOW = CM_DENORM_F_ALLOW,
  _CM_DENORM_HF_ALLOW = CM_DENORM_HF_ALLOW,
  _CM_DENORM_ALLOW = CM_DENORM_ALLOW,
  _CM_FLOAT_MODE_IEEE = CM_FLOAT_MODE_IEEE,
  _CM_FLOAT_MODE_ALT = CM_FLOAT_MODE_ALT
};

/// Flags of operations that may saturate.
#define _GENX_NOSAT 0
#define _GENX_SAT (cm::detail::saturate())
#define SAT _GENX_SAT

namespace cm::detail {

template <bool Has> void target_has() {
  static_assert(Has, "target " POCM_TARGET " does not have this feature");
}
/// The type of SAT: a flag argument, and nothing else, may be made of it.
struct saturate {
  constexpr operator int() const { return 1; }
};
/// A message with numbers, for static_assert.
class sentence {
public:
  template <class... Parts> constexpr sentence(Parts... P) { (add(P), ...); }
  constexpr const char *data() const { return Text; }
  constexpr unsigned size() const { return Length; }

private:
  constexpr void add(const char *Part) {
    for (; *Part; ++Part)
      Text[Length++] = *Part;
  }
  constexpr void add(long long Number) {
    char Digits[24] = {};
    int I = 23;
    unsigned long long Rest = Number < 0 ? 0ull - (unsigned long long)Number : (unsigned long long)Number;
    do
      Digits[--I] = char('0' + Rest % 10);
    while (Rest /= 10);
    if (Number < 0)
      Digits[--I] = '-';
    add(Digits + I);
  }
  char Text[256] = {};
  unsigned Length = 0;
};

} // namespace cm::detail

/// Opaque handle of a surface (buffer or image). Only a parameter and an argument of memory functions.
class SurfaceIndex {
public:
  SurfaceIndex() = default;
  explicit constexpr SurfaceIndex(unsigned BindingTableIndex) : Index(BindingTableIndex) {}
  constexpr unsigned get() const { return Index; }

private:
  unsigned Index = 0;
};

namespace cm::detail {

template <class A, class B> inline constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;

template <class T> struct remove_const {
  using type = T;
};
template <class T> struct remove_const<const T> {
  using type = T;
};
template <class T> using bare = typename remove_const<__remove_reference_t(T)>::type;

/// The type of a scalar's value: without const, volatile and the address space of a variable.
template <class T> struct scalar_value {
  using type = T;
};
template <class T> struct scalar_value<const T> : scalar_value<T> {};
template <class T> struct scalar_value<volatile T> : scalar_value<T> {};
template <class T> struct scalar_value<const volatile T> : scalar_value<T> {};
template <class T> struct scalar_value<__attribute__((opencl_global)) T> : scalar_value<T> {};
template <class T> struct scalar_value<__attribute__((opencl_local)) T> : scalar_value<T> {};
template <class T> struct scalar_value<__attribute__((opencl_constant)) T> : scalar_value<T> {};
template <class T> struct scalar_value<__attribute__((opencl_generic)) T> : scalar_value<T> {};

/// Types that a vector or matrix may be made of (specification "Types"; bool is a scalar only).
template <class T>
concept element = is_same<T, char> || is_same<T, signed char> || is_same<T, uchar> || is_same<T, short> ||
                  is_same<T, ushort> || is_same<T, int> || is_same<T, uint> || is_same<T, long> ||
                  is_same<T, unsigned long> || is_same<T, long long> || is_same<T, unsigned long long> ||
                  is_same<T, half> || is_same<T, bfloat16> || is_same<T, float> || is_same<T, double>;

/// Scalars that mix with vectors: elements, bool and enumerations.
template <class T>
concept scalar = element<typename scalar_value<T>::type> || is_same<typename scalar_value<T>::type, bool> || __is_enum(T);

template <class T>
inline constexpr bool is_floating = is_same<T, half> || is_same<T, bfloat16> || is_same<T, float> || is_same<T, double>;
/// What becomes of both: half and bfloat16 are converted to each other through float (src/frontend/ShortFloats.cpp).
template <class T> constexpr auto through_float(T X) {
  if constexpr (is_same<T, half> || is_same<T, bfloat16>)
    return float(X);
  else
    return X;
}
template <class T> inline constexpr bool is_unsigned = !is_floating<T> && T(-1) > T(0);

/// Ends of an integer type's range.
template <class T> constexpr T highest() {
  return is_unsigned<T> ? T(-1) : T((((T(1) << (sizeof(T) * 8 - 2)) - 1) << 1) + 1);
}
template <class T> constexpr T lowest() { return is_unsigned<T> ? T(0) : T(-highest<T>() - 1); }

/// Bytes of a register.
inline constexpr int register_bytes = CM_GRF_WIDTH / 8;

/// Whole value of N elements, as Clang and LLVM know it.
template <class T, int N> using raw = T __attribute__((ext_vector_type(N)));

/// C++ promotion, which CM applies to elements before every operator: uchar becomes int, half stays half.
template <class T> using promoted = decltype(+T());
/// Element type in which `A op B` is computed (specification "Conversions").
template <class A, class B> struct common_type {
  using type = decltype(promoted<A>() + promoted<B>());
};
template <> struct common_type<half, bfloat16> { // neither holds the other's numbers
  using type = float;
};
template <> struct common_type<bfloat16, half> {
  using type = float;
};
template <class A, class B> using common = typename common_type<A, B>::type;

} // namespace cm::detail
