//===- cm/detail/printing.h - printf, assertions ------------------------------------------===//
//
// A call of printf takes room in a buffer that the host reads after the kernel, with one
// atomic addition, and writes a record there: sizes, the format, the arguments.
//
//     u32 bytes, u32 length of the format, u32 arguments, u32 kind     the format, padded to 16 bytes
//     the kind is 0, or 1 when an assertion failed, which fails the task
//     per argument: u32 kind, u32 bytes, u64 value; behind a string its text, padded to 16 bytes
//     a float of 4 bytes is the value's lower half: targets without double print floats, too
//     a vector or matrix: u32 kind, u32 bytes behind it, u32 columns of a matrix or 0, u32 kind and size of an element;
//     behind it its elements as u64 values, padded to 16 bytes. Its conversion prints all of them.
//
// The host does the formatting (runtime/Print.cpp). Specification chapter "Printing".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

/// Sizes of records as Intel's headers have them, an argument in dwords and in bytes, a format in bytes. Ours take no more
/// room for scalars and formats of that size, so that a buffer which is made for them is large enough.
#define CMPHF_VEC_ISZ 8
#define CMPHF_VEC_BSZ (CMPHF_VEC_ISZ * 4)
#define CMPHF_STR_SZ 128

namespace cm::detail {

inline constexpr SurfaceIndex print_surface{253};
enum print_kind : uint { print_signed = 1, print_unsigned = 2, print_float = 3, print_string = 4, print_object = 5 };

template <class T>
inline constexpr print_kind print_kind_of = is_floating<T>                                          ? print_float
                                            : __is_enum(T) || is_same<T, bool> || is_unsigned<T> ? print_unsigned
                                                                                                    : print_signed;

/// Bytes of a format, or of a string.
inline constexpr int longest_text = 2048;
constexpr int padded(int Bytes) { return (Bytes + 15) / 16 * 16; }

template <class T> struct print_argument {
  static constexpr bool text = false;
  static constexpr int bytes = 16;
};
/// What a value is in a record: floats of 2 and 4 bytes as the bits of a float.
template <class T> inline constexpr bool printed_as_float = is_floating<T> && sizeof(T) < 8;

template <int N> struct print_argument<char[N]> {
  static constexpr bool text = true;
  static constexpr int bytes = 16 + padded(N);
};
template <object A> struct print_argument<A> {
  static constexpr bool text = false;
  static constexpr int bytes = 16 + padded(8 * traits<A>::count);
};

/// Writes to a buffer, step by step.
struct print_writer {
  SurfaceIndex Surface;
  uint At;

  template <class T, int N> void put(const vector<T, N> &Data) {
    cm::builtin::block_write(Surface.get(), int(At), Data.value());
    At += N * sizeof(T);
  }
  template <int N, int From = 0> void text(const char (&Text)[N]) {
    constexpr int Step = 128, Left = N - From < Step ? N - From : Step;
    vector<uchar, padded(Left)> Bytes((char(&)[Left])(Text[From]));
    put(Bytes);
    if constexpr (From + Step < N)
      text<N, From + Step>(Text);
  }
  template <class A> void argument(const A &Value) {
    if constexpr (print_argument<A>::text) {
      put(vector<uint, 4>(print_string, uint(sizeof(A)), 0u, 0u));
      text(Value);
    } else if constexpr (object<A>) {
      using Element = element_type<A>;
      constexpr print_kind Kind = print_kind_of<Element>;
      constexpr int N = traits<A>::count;
      constexpr uint Size = sizeof(Element) == 8 ? 8 : 4;
      constexpr uint Columns = traits<A>::is_matrix ? traits<A>::columns : 0;
      put(vector<uint, 4>(print_object, uint(8 * N), Columns, Kind | Size << 8));
      if constexpr (printed_as_float<Element>)
        elements<unsigned long long>(vector<uint, N>(vector<float, N>(Value).template format<uint>()));
      else
        elements<either<Kind == print_float, double, long long>>(vector<Element, N>(Value));
      At += padded(8 * N) - 8 * N;
    } else if constexpr (printed_as_float<A>) {
      vector<float, 1> Bits = float(Value);
      put(vector<uint, 4>(print_float, 4u, Bits.template format<uint>()(0), 0u));
    } else if constexpr (is_floating<A>) {
      vector<double, 1> Wide = double(Value);
      put(vector<uint, 2>(print_float, 8u));
      put(Wide);
    } else {
      vector<long long, 1> Wide = (long long)Value;
      put(vector<uint, 2>(uint(print_kind_of<A>), uint(sizeof(A) < 4 ? 4 : sizeof(A))));
      put(Wide);
    }
  }
  template <class Wide, class T, int N> void elements(const vector<T, N> &All) {
    constexpr int Step = 16;
#pragma unroll
    for (int K = 0; K + Step <= N; K += Step)
      put(vector<Wide, Step>(All.template select<Step, 1>(K)));
    if constexpr (N % Step != 0)
      put(vector<Wide, N % Step>(All.template select<N % Step, 1>(N / Step * Step)));
  }
};

template <uint Kind = 0, int N, class... A>
int print(SurfaceIndex Surface, const char (&Format)[N], const A &...Arguments) {
  constexpr bool Printable = ((print_argument<A>::text || scalar<A> || object<A>) && ...);
  static_assert(N <= longest_text, sentence("printf: a format of ", N - 1, " characters; it has less than 2048"));
  static_assert(((!print_argument<A>::text || sizeof(A) <= longest_text) && ...),
                "printf: a string of 2048 characters or more");
  static_assert(sizeof...(A) <= 64, sentence("printf: ", int(sizeof...(A)), " arguments; there are at most 64"));
  static_assert(Printable, "printf: arguments are scalars, vectors, matrices and string literals");
  if constexpr (Printable && N <= longest_text) {
    constexpr int Bytes = 16 + padded(N) + (print_argument<A>::bytes + ... + 0);
    vector<uint, 1> Where = 0u, Old;
    atomic<ATOMIC_ADD>(1, Surface, Where, raw<uint, 1>(Bytes), 0, Old);
    print_writer Record{Surface, Old(0)};
    Record.put(vector<uint, 4>(uint(Bytes), uint(N), uint(sizeof...(A)), Kind));
    Record.text(Format);
    (Record.argument(Arguments), ...);
    return Bytes;
  }
  return 0;
}

template <int F, int C> void assertion_failed(const char (&File)[F], int Line, const char (&Condition)[C]) {
  print<1>(print_surface, "%s:%d: assertion failed: %s, thread (%d, %d)\n", File, Line, Condition,
           int(get_thread_origin_x()), int(get_thread_origin_y()));
  cm::builtin::end_of_thread();
}

} // namespace cm::detail

/// Prints after the kernel, on the host. The conversion of a vector prints all its elements with blanks between them, that
/// of a matrix its rows below each other. Returns the bytes taken in the print buffer. Lines of threads come in any order.
template <int N, class... A> int printf(const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(cm::detail::print_surface, Format, Arguments...);
}
template <int N, class... A> int cm_printf(const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(cm::detail::print_surface, Format, Arguments...);
}
template <int N, class... A> int cmprint(const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(cm::detail::print_surface, Format, Arguments...);
}
/// The same to a buffer of the program's, whose first dword is 16 at first.
template <int N, class... A> int fprintf(SurfaceIndex Surface, const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(Surface, Format, Arguments...);
}
template <int N, class... A> int cm_fprintf(SurfaceIndex Surface, const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(Surface, Format, Arguments...);
}
template <int N, class... A> int cmfprint(SurfaceIndex Surface, const char (&Format)[N], const A &...Arguments) {
  return cm::detail::print(Surface, Format, Arguments...);
}

#if defined(CM_ENABLE_ASSERTS) && CM_ENABLE_ASSERTS
/// When the condition is 0: a message with file, line, condition and thread; the thread ends, and the task has failed.
/// Asserts count with -g or -DCM_ENABLE_ASSERTS=1.
#define cm_assert(condition) ((condition) ? void() : cm::detail::assertion_failed(__FILE__, __LINE__, #condition))
#else
#define cm_assert(condition) ((void)0)
#endif

/// Nothing; marks of tools that are gone.
template <class... A> [[deprecated("labels have no effect")]] void cm_label(const A &...) {}
template <class... A> void cm_input(const A &...) {}
template <class... A> void cm_output(const A &...) {}

/// A specialisation constant: the value that the host sets for ID before it makes the kernel, else its default, else 0.
template <cm::detail::element T, uint ID, T Default = T(0)>
  requires(__is_integral(T))
T cm_spec_constant() {
  return cm::builtin::spec_constant<T>(int(ID), Default);
}
/// One of a floating-point type, which has no other default than 0.
template <cm::detail::element T, uint ID>
  requires(cm::detail::is_floating<T>)
T cm_spec_constant() {
  return cm::builtin::spec_constant<T>(int(ID), T(0));
}
