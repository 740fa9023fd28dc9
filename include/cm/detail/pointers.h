//===- cm/detail/pointers.h - Vectors of pointers, unified memory ---------------------------------===//
//
// Host and kernel see the same memory at the same addresses. Pointers say which part of it
// they point to; a generic one may point to any but constant memory. Specification chapter
// "Address spaces and unified memory".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

// A pointer without a name is private. A named pointer becomes a generic one by itself, and nothing else without a cast.
#define __private __attribute__((cm_private))
/// The host's memory. A variable has one value for all kernels of a program and keeps it between launches.
#define __global __attribute__((opencl_global, cm_space))
#define __constant __attribute__((opencl_constant, cm_space)) const
#define __generic __attribute__((opencl_generic))
/// Memory of a thread group. Variables stand in the outermost scope of a kernel and have no initial value.
#define __local __attribute__((opencl_local, cm_space))

namespace cm::builtin {
int space_of(__generic const void *Pointer);
}
namespace cm::detail {
/// Numbers of address spaces in CM IR.
enum { space_private = 0, space_global = 1, space_local = 3 };
} // namespace cm::detail
namespace details {
template <class T> struct remove_address_space {
  using type = T;
};
template <class T> struct remove_address_space<__global T> : remove_address_space<T> {};
template <class T> struct remove_address_space<__local T> : remove_address_space<T> {};
template <class T> struct remove_address_space<__generic T> : remove_address_space<T> {};
template <class T> struct remove_address_space<__attribute__((opencl_constant)) T> : remove_address_space<T> {};
/// T without the part of memory that it is in.
template <class T> using remove_address_space_t = typename remove_address_space<T>::type;
} // namespace details

/// A generic pointer as one to the host's memory; null when it points elsewhere.
template <class T> __global T *cm_to_global(__generic T *Pointer) {
  using namespace cm::detail;
  return cm::builtin::space_of(Pointer) == space_global ? (__global T *)Pointer : nullptr;
}
/// A generic pointer as one to the group's memory; null when it points elsewhere.
template <class T> __local T *cm_to_local(__generic T *Pointer) {
  using namespace cm::detail;
  return cm::builtin::space_of(Pointer) == space_local ? (__local T *)Pointer : nullptr;
}
/// A generic pointer as one to the thread's own variables; null when it points elsewhere.
template <class T> T *cm_to_private(__generic T *Pointer) {
  using namespace cm::detail;
  return cm::builtin::space_of(Pointer) == space_private ? (T *)Pointer : nullptr;
}

namespace cm::detail {
/// The pointer that is kept as a number: an lvalue, but one to the group's memory, of which the number is an offset.
template <class T> decltype(auto) pointer_at(unsigned long long &Number) {
  if constexpr (is_local<T>)
    return pointer_of<T>(Number);
  else
    return reinterpret_cast<T *&>(Number);
}

/// N pointers. Adding integers moves by elements; reinterpret_cast's role have the conversions from and to integers.
template <class T, int N> class vector_of<T *[N]> : public vector<unsigned long long, N> {
  using Numbers = vector<unsigned long long, N>;

public:
  using pointee = T;
  vector_of() = default;
  vector_of(const vector_of &) = default;
  vector_of &operator=(const vector_of &) = default;
  /// The same pointer everywhere.
  vector_of(T *Pointer) : Numbers(number_of(Pointer)) {}
  template <class... P>
    requires(sizeof...(P) == N - 1 && N > 1)
  vector_of(T *First, P *...Rest) {
    T *All[] = {First, Rest...};
#pragma unroll
    for (int K = 0; K < N; ++K)
      Numbers::operator()(K) = number_of(All[K]);
  }
  template <object X>
    requires(__is_integral(element_type<X>))
  explicit vector_of(const X &Addresses) : Numbers(Addresses) {}
  /// Pointers from another object of as many.
  template <object X>
    requires(is_same<element_type<X>, T *>)
  vector_of(const X &Pointers) : Numbers(Pointers.addresses()) {}
  decltype(auto) operator()(ushort I) const { return pointer_at<T>(Numbers::operator()(I)); }
  decltype(auto) operator[](ushort I) const { return pointer_at<T>(Numbers::operator()(I)); }
  const Numbers &addresses() const { return *this; }
};
/// R rows of C pointers. Elements that are pointers to the group's memory are assigned to by set().
template <class T, int R, int C> class matrix_of<T *[R][C]> : public matrix<unsigned long long, R, C> {
  using Numbers = matrix<unsigned long long, R, C>;

public:
  using pointee = T;
  matrix_of() = default;
  matrix_of(const matrix_of &) = default;
  matrix_of &operator=(const matrix_of &) = default;
  matrix_of(T *Pointer) : Numbers(number_of(Pointer)) {}
  template <object X>
    requires(__is_integral(element_type<X>))
  explicit matrix_of(const X &Addresses) : Numbers(Addresses) {}
  /// Pointers from another object of as many.
  template <object X>
    requires(is_same<element_type<X>, T *> && traits<X>::count == R * C)
  matrix_of(const X &Pointers) : Numbers(Pointers.addresses()) {}
  decltype(auto) operator()(ushort I, ushort J) const { return pointer_at<T>(Numbers::operator()(I, J)); }
  void set(ushort I, ushort J, T *Pointer) { Numbers::operator()(I, J) = number_of(Pointer); }
  vector<T *, C> row(ushort I) const { return vector<T *, C>(Numbers::row(I)); }
  const Numbers &addresses() const { return *this; }
};
template <class T, int N, operand X> auto operator+(const vector<T *, N> &Pointers, const X &Elements) {
  vector<long long, N> Bytes;
  Bytes.initialize(value_of<long long, N>(Elements) * raw<long long, N>((long long)sizeof(T)));
  return vector<T *, N>(Pointers.addresses() + vector<unsigned long long, N>(Bytes));
}
} // namespace cm::detail

namespace cm::detail {
/// What a pointer points to, without the name of its space.
template <class T> struct spaceless {
  using type = T;
};
#define POCM_SPACELESS(space)                                                                                          \
  template <class T> struct spaceless<__attribute__((space)) T> {                                                      \
    using type = T;                                                                                                    \
  };
POCM_SPACELESS(opencl_global)
POCM_SPACELESS(opencl_local)
POCM_SPACELESS(opencl_generic)
POCM_SPACELESS(opencl_constant)
#undef POCM_SPACELESS
/// The type of elements at pointers: the one that is written out, if any.
template <class T, class P> using element_at = either<is_same<T, void>, bare<typename spaceless<P>::type>, T>;

// auto: they are instantiated at once, so that what is wrong is said at the line of the call
template <class T, int N, class P, class A, class M, class O>
auto gathered_at(const A &Addresses, const M &Mask, const O &Otherwise) {
  raw<ushort, N> Lanes = lsc_lanes<N>(Mask);
  raw<T, N> Read = gather_at<P, raw<T, N>>(Lanes, Addresses.value());
  return cm::builtin::select_lanes<raw<T, N>>(Lanes, Read, value_of<T, N>(Otherwise));
}
template <class T, int N, class P, class A, class M, class V>
auto scattered_at(const A &Addresses, const M &Mask, const V &Values) {
  static_assert(!is_same<P, const P>, "scatter: constant memory cannot be written");
  scatter_at<P>(lsc_lanes<N>(Mask), Addresses.value(), value_of<T, N>(Values));
}
} // namespace cm::detail

/// What the pointers point at; where the mask is 0, the element of Otherwise.
template <class T = void, int N, auto A = Align::ELEM_SIZE, class P, cm::detail::operand M = int,
          cm::detail::operand O = int>
auto gather(const vector<P *, N> &Pointers, const M &Mask = 1, const O &Otherwise = 0) {
  using namespace cm::detail;
  using E = element_at<T, P>;
  return make<vector<E, N>, E, N>(gathered_at<E, N, P>(Pointers.addresses(), Mask, Otherwise));
}
template <class T = void, int R, int C, auto A = Align::ELEM_SIZE, class P, cm::detail::operand M = int,
          cm::detail::operand O = int>
auto gather(const matrix<P *, R, C> &Pointers, const M &Mask = 1, const O &Otherwise = 0) {
  using namespace cm::detail;
  using E = element_at<T, P>;
  return make<matrix<E, R, C>, E, R * C>(gathered_at<E, R * C, P>(Pointers.addresses(), Mask, Otherwise));
}
/// Values first, pointers second.
template <class T = void, int N, auto A = Align::ELEM_SIZE, class V, class P, cm::detail::operand M = int>
void scatter(const V &Values, const vector<P *, N> &Pointers, const M &Mask = 1) {
  using namespace cm::detail;
  scattered_at<element_at<T, P>, N, P>(Pointers.addresses(), Mask, Values);
}
template <class T = void, int R, int C, auto A = Align::ELEM_SIZE, class V, class P, cm::detail::operand M = int>
void scatter(const V &Values, const matrix<P *, R, C> &Pointers, const M &Mask = 1) {
  using namespace cm::detail;
  scattered_at<element_at<T, P>, R * C, P>(Pointers.addresses(), Mask, Values);
}
/// A scalar, vector or matrix at an address.
template <class T = void, auto A = Align::ELEM_SIZE, class P> auto load(const P *Pointer) {
  using E = cm::detail::element_at<T, P>;
  if constexpr (cm::detail::object<E>) {
    E Result;
    cm_ptr_block_read_unaligned(Pointer, Result);
    return Result;
  } else {
    vector<E, 1> Result;
    cm_ptr_block_read_unaligned(Pointer, Result);
    return E(Result(0));
  }
}
/// Value first, pointer second.
template <class T, auto A = Align::ELEM_SIZE, class P> void store(T Value, P *Pointer) {
  static_assert(!cm::detail::is_same<P, const P>, "store: constant memory cannot be written");
  if constexpr (cm::detail::object<T>)
    cm_ptr_block_write(Pointer, Value);
  else
    cm_ptr_block_write(Pointer, vector<T, 1>(Value));
}

//===- reinterpret_cast ---------------------------------------------------------------------------------===//

namespace cm::detail {
/// An object's elements, pointers as integers.
template <class X> decltype(auto) numbers_of(const X &Value) {
  if constexpr (requires { Value.addresses(); })
    return Value.addresses();
  else
    return (Value);
}
template <class T, class X> T reinterpret(X &&Value) {
  if constexpr (object<X> && object<T> && !__is_reference(T)) {
    using Element = typename traits<T>::type;
    static_assert(traits<T>::count == traits<bare<X>>::count && sizeof(Element) == sizeof(element_type<X>),
                  "reinterpret_cast: objects of as many elements of the same size");
    if constexpr (__is_pointer(Element)) {
      return T(numbers_of(Value));
    } else {
      T Result;
      Result.assign((raw<Element, traits<T>::count>)numbers_of(Value).value());
      return Result;
    }
  } else {
    return reinterpret_cast<T>(static_cast<X &&>(Value));
  }
}
} // namespace cm::detail
/// As in C++, and between objects of pointers and objects of integers, element by element.
#define reinterpret_cast ::cm::detail::reinterpret

//===- Legacy blocks ----------------------------------------------------------------------------------===//

/// 32 bytes at a multiple of 32 bytes of a buffer.
template <cm::detail::object M> void cm_hword_read(SurfaceIndex Surface, int Offset, M &&To) {
  using namespace cm::detail;
  using T = element_type<M>;
  static_assert(traits<bare<M>>::count * int(sizeof(T)) % 32 == 0, "cm_hword_read: a multiple of 32 bytes");
  To.assign(cm::builtin::oword_read_unaligned<raw<T, traits<bare<M>>::count>>(0, Surface.get(), Offset));
}
template <cm::detail::object M> void cm_hword_write(SurfaceIndex Surface, int Offset, const M &From) {
  using namespace cm::detail;
  static_assert(traits<M>::count * int(sizeof(element_type<M>)) % 32 == 0, "cm_hword_write: a multiple of 32 bytes");
  cm::builtin::block_write(Surface.get(), Offset, From.value());
}
/// 8 or 16 elements of 8 bytes at byte offsets of a buffer.
template <cm::detail::object O, cm::detail::object M>
void cm_qword_scatter_read(SurfaceIndex Surface, const O &Offsets, M &&To) {
  using namespace cm::detail;
  constexpr int N = traits<O>::count;
  static_assert((N == 8 || N == 16) && sizeof(element_type<M>) == 8, "cm_qword_scatter: 8 or 16 elements of 8 bytes");
  To.assign(cm::builtin::scattered_read<raw<element_type<M>, N>>(raw<ushort, N>(1), 0, Surface.get(), 0,
                                                                 value_of<uint, N>(Offsets)));
}
template <cm::detail::object O, cm::detail::object M>
void cm_qword_scatter_write(SurfaceIndex Surface, const O &Offsets, const M &From) {
  using namespace cm::detail;
  constexpr int N = traits<O>::count;
  static_assert((N == 8 || N == 16) && sizeof(element_type<M>) == 8, "cm_qword_scatter: 8 or 16 elements of 8 bytes");
  cm::builtin::scattered_write(raw<ushort, N>(1), 0, Surface.get(), 0, value_of<uint, N>(Offsets), From.value());
}
