//===- cm/detail/pixels.h - Typed and sampled access to surfaces --------------------------===//
//
// Pixels as channels, converted by the format of the surface: at integer coordinates
// (typed reads and writes, texel loads) or filtered at normalised ones (samplers).
// Specification chapters "Typed messages", "Typed LSC", "Sampler".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Channels of pixels, channel after channel; the mask has R in bit 0.
template <class V, class P, class U> V typed_read(int Mask, P Wanted, unsigned Surface, U X, U Y, U Z, V Old);
template <class V, class P, class U> void typed_write(int Mask, P Wanted, unsigned Surface, U X, U Y, U Z, V Data);
template <class V, class P, class U>
V typed_atomic(int Number, P Mask, unsigned Surface, U X, U Y, V First, V Second);
/// Filtered channels at normalised coordinates; with a reference, of comparisons with it. Mask: channels, and texel
/// offsets from bit 16 on.
template <class V, class F> V sample(int Mask, unsigned Sampler, unsigned Surface, F U, F V2, F W, F Reference, int Compare);

} // namespace cm::builtin

/// Opaque handle of a sampler's state. Only a parameter and an argument of sampler functions.
class SamplerIndex {
public:
  SamplerIndex() = default;
  explicit constexpr SamplerIndex(unsigned State) : State(State) {}
  constexpr unsigned get() const { return State; }

private:
  unsigned State = 0;
};
inline uint cm_get_value(SamplerIndex Sampler) { return Sampler.get(); }

namespace cm::detail {

template <class M, int N> constexpr void check_pixels(int) {
  static_assert(sizeof(typename traits<M>::type) == 4, "typed access: elements of 4 bytes");
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, sentence("typed access: 1 to 32 lanes, a power of two, not ", N));
  static_assert(traits<M>::count % N == 0, "typed access: a row of lanes for each channel");
}

/// Coordinates that are not given count as 0.
template <int N, class X> raw<uint, N> coordinate(const X &Value) {
  static_assert(!is_floating<element_type<X>>, "coordinates of pixels are integers; samplers take floats");
  return value_of<uint, N>(Value);
}

/// Calls Send.operator()<count>(mask, row) for `count` channels, whose rows begin there: for all enabled channels if they
/// are as many as there are rows, otherwise for each for which there is a row.
template <int Rows, class Call> void for_channels(int Enabled, Call &&Send) {
  if constexpr (Rows >= 1 && Rows <= 4) {
#pragma unroll
    for (int Mask = (1 << Rows) - 1; Mask < 16; ++Mask)
      if (__builtin_popcount(Mask) == Rows && Enabled == Mask) {
        Send.template operator()<Rows>(Mask, 0);
        return;
      }
  }
  int Row = 0;
#pragma unroll
  for (int Channel = 0; Channel < 4; ++Channel)
    if (Enabled >> Channel & 1) {
      if (Row < Rows)
        Send.template operator()<1>(1 << Channel, Row);
      ++Row;
    }
}

/// Gathers each enabled channel into the next N elements of To: with one message, as all have rows and all rows one.
template <int N, class M, class P, class U, class V, class R>
void typed_gather(int Enabled, SurfaceIndex Surface, M &&To, const P &Wanted, const U &X, const V &Y, const R &Z) {
  check_pixels<bare<M>, N>(0);
  using T = typename traits<bare<M>>::type;
  constexpr int Rows = traits<bare<M>>::count / N;
  raw<ushort, N> Lanes = lsc_lanes<N>(Wanted);
  auto Flat = To.template format<T>();
  for_channels<Rows>(Enabled, [&]<int Count>(int Mask, int First) {
    vector<T, N * Count> Old = Flat.template select<N * Count, 1>(First * N), New;
    New.assign(cm::builtin::typed_read<raw<T, N * Count>>(Mask, Lanes, Surface.get(), coordinate<N>(X), coordinate<N>(Y),
                                                          coordinate<N>(Z), Old.value()));
#pragma unroll
    for (int Row = 0; Row < Count; ++Row)
      Flat.template select<N, 1>((First + Row) * N)
          .assign(cm::builtin::select_lanes<raw<T, N>>(Lanes, New.template select<N, 1>(Row * N).value(),
                                                       Old.template select<N, 1>(Row * N).value()));
  });
}
template <int N, class M, class P, class U, class V, class R>
void typed_scatter(int Enabled, SurfaceIndex Surface, const M &From, const P &Wanted, const U &X, const V &Y, const R &Z) {
  check_pixels<M, N>(0);
  using T = typename traits<M>::type;
  constexpr int Rows = traits<M>::count / N;
  vector<T, traits<M>::count> All = From;
  raw<ushort, N> Lanes = lsc_lanes<N>(Wanted);
  for_channels<Rows>(Enabled, [&]<int Count>(int Mask, int First) {
    cm::builtin::typed_write(Mask, Lanes, Surface.get(), coordinate<N>(X), coordinate<N>(Y), coordinate<N>(Z),
                             All.template select<N * Count, 1>(First * N).value());
  });
}

} // namespace cm::detail

//===- Typed messages -----------------------------------------------------------------------===//

/// Row e of M becomes the e-th enabled channel of the pixels at (U[k], V[k], R[k]); 0 outside the surface.
template <cm::detail::object M, cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int>
void read_typed(SurfaceIndex Surface, ChannelMaskType Mask, M &&Channels, const U &X, const V &Y = 0, const R &Z = 0) {
  cm::detail::typed_gather<cm::detail::traits<U>::count>(Mask, Surface, Channels, 1, X, Y, Z);
}
template <cm::detail::object M, cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int>
void write_typed(SurfaceIndex Surface, ChannelMaskType Mask, const M &Channels, const U &X, const V &Y = 0,
                 const R &Z = 0) {
  cm::detail::typed_scatter<cm::detail::traits<U>::count>(Mask, Surface, Channels, 1, X, Y, Z);
}

namespace cm::detail {
template <CmAtomicOpType Op, class P, class Old, class A, class B, class U, class V>
void typed_atomic(const P &Mask, SurfaceIndex Surface, Old &&Result, const A &First, const B &Second, const U &X,
                  const V &Y) {
  POCM_NEEDS("write_typed_atomic", CM_HAS_TYPED_ATOMIC);
  constexpr int N = traits<U>::count;
  static_assert(!is_float_atomic(Op), "write_typed_atomic: integer operations only");
  raw<ushort, N> Lanes = lsc_lanes<N>(Mask);
  raw<uint, N> Before = cm::builtin::typed_atomic<raw<uint, N>>(
      int(Op == ATOMIC_PREDEC ? ATOMIC_DEC : Op), Lanes, Surface.get(), coordinate<N>(X), coordinate<N>(Y),
      value_of<uint, N>(First), value_of<uint, N>(Second));
  if constexpr (Op == ATOMIC_PREDEC)
    Before -= raw<uint, N>(1);
  if constexpr (object<Old>) {
    using T = typename traits<bare<Old>>::type;
    Result.assign(cm::builtin::select_lanes<raw<T, N>>(Lanes, (raw<T, N>)Before, Result.value()));
  }
}
} // namespace cm::detail

// write_typed_atomic<OP>([mask,] surface, result, [sources,] u[, v[, r[, lod]]]) on pixels of 32-bit integers.
#define POCM_TYPED_ATOMIC(mask_template, mask_parameter, mask)                                                         \
  template <CmAtomicOpType Op mask_template, class D, cm::detail::object U, cm::detail::operand V = int,               \
            cm::detail::operand R = int, cm::detail::operand L = int>                                                  \
    requires(cm::detail::atomic_sources(Op) == 0)                                                                      \
  void write_typed_atomic(mask_parameter SurfaceIndex Surface, D &&Old, const U &X, const V &Y = 0, const R & = 0,     \
                          const L & = 0) {                                                                             \
    cm::detail::typed_atomic<Op>(mask, Surface, Old, 0u, 0u, X, Y);                                                    \
  }                                                                                                                    \
  template <CmAtomicOpType Op mask_template, class D, cm::detail::operand A, cm::detail::object U,                     \
            cm::detail::operand V = int, cm::detail::operand R = int, cm::detail::operand L = int>                     \
    requires(cm::detail::atomic_sources(Op) == 1)                                                                      \
  void write_typed_atomic(mask_parameter SurfaceIndex Surface, D &&Old, const A &First, const U &X, const V &Y = 0,    \
                          const R & = 0, const L & = 0) {                                                              \
    cm::detail::typed_atomic<Op>(mask, Surface, Old, First, 0u, X, Y);                                                 \
  }                                                                                                                    \
  template <CmAtomicOpType Op mask_template, class D, cm::detail::operand A, cm::detail::operand B,                    \
            cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int,                            \
            cm::detail::operand L = int>                                                                               \
    requires(cm::detail::atomic_sources(Op) == 2)                                                                      \
  void write_typed_atomic(mask_parameter SurfaceIndex Surface, D &&Old, const A &First, const B &Second, const U &X,   \
                          const V &Y = 0, const R & = 0, const L & = 0) {                                              \
    cm::detail::typed_atomic<Op>(mask, Surface, Old, First, Second, X, Y);                                             \
  }
#define POCM_NOTHING
#define POCM_COMMA ,
POCM_TYPED_ATOMIC(POCM_NOTHING, POCM_NOTHING, 1)
POCM_TYPED_ATOMIC(POCM_COMMA cm::detail::object P, const P &Mask POCM_COMMA, Mask)
#undef POCM_COMMA
#undef POCM_NOTHING
#undef POCM_TYPED_ATOMIC

//===- Typed LSC ------------------------------------------------------------------------------===//

/// Rows of M are the enabled channels of pixels.
template <ChannelMaskType Mask, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M, cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int,
          cm::detail::operand L = int>
void cm_load4_typed(M &&Channels, SurfaceIndex Surface, const U &X, const V &Y = 0, const R &Z = 0, const L & = 0) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED);
  using namespace cm::detail;
  typed_gather<traits<U>::count>(enabled(Mask), Surface, Channels, 1, X, Y, Z);
}
template <ChannelMaskType Mask, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M, cm::detail::object P, cm::detail::object U, cm::detail::operand V = int,
          cm::detail::operand R = int, cm::detail::operand L = int>
void cm_load4_typed(M &&Channels, const P &Pred, SurfaceIndex Surface, const U &X, const V &Y = 0, const R &Z = 0,
                    const L & = 0) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED);
  using namespace cm::detail;
  typed_gather<traits<U>::count>(enabled(Mask), Surface, Channels, Pred, X, Y, Z);
}
template <ChannelMaskType Mask, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M, cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int,
          cm::detail::operand L = int>
void cm_store4_typed(const M &Channels, SurfaceIndex Surface, const U &X, const V &Y = 0, const R &Z = 0, const L & = 0) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED);
  using namespace cm::detail;
  static_assert((Mask & (Mask + 1)) == 0, "cm_store4_typed: the channels are R, GR, BGR or ABGR");
  typed_scatter<traits<U>::count>(enabled(Mask), Surface, Channels, 1, X, Y, Z);
}
template <ChannelMaskType Mask, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M, cm::detail::object P, cm::detail::object U, cm::detail::operand V = int,
          cm::detail::operand R = int, cm::detail::operand L = int>
void cm_store4_typed(const M &Channels, const P &Pred, SurfaceIndex Surface, const U &X, const V &Y = 0,
                     const R &Z = 0, const L & = 0) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED);
  using namespace cm::detail;
  static_assert((Mask & (Mask + 1)) == 0, "cm_store4_typed: the channels are R, GR, BGR or ABGR");
  typed_scatter<traits<U>::count>(enabled(Mask), Surface, Channels, Pred, X, Y, Z);
}
template <ChannelMaskType Mask, CacheHint L1, CacheHint L2, class... A> void cm_prefetch4_typed(const A &...) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED);
  using namespace cm::detail;
}
/// A block of a 2D surface: X in bytes, Y in rows; 0 outside.
template <class T, int H, int W, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M>
void cm_load(SurfaceIndex Surface, int X, int Y, M &&Block) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED_2D);
  using namespace cm::detail;
  static_assert(traits<bare<M>>::rows == H && traits<bare<M>>::columns == W && is_same<element_type<M>, T>,
                "cm_load: the matrix has the rows, columns and type of the block");
  media_read<zero_outside, 0>(Surface, X, Y, Block);
}
template <class T, int H, int W, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          cm::detail::object M>
void cm_store(SurfaceIndex Surface, int X, int Y, const M &Block) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED_2D);
  using namespace cm::detail;
  static_assert(traits<M>::rows == H && traits<M>::columns == W && is_same<element_type<M>, T>,
                "cm_store: the matrix has the rows, columns and type of the block");
  media_write<0, 0>(Surface, X, Y, Block);
}
template <class T, int H, int W, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default>
void cm_prefetch(SurfaceIndex Surface, int X, int Y) {
  POCM_NEEDS("typed LSC", CM_HAS_LSC_TYPED_2D);
  using namespace cm::detail;
}

//===- Samplers ---------------------------------------------------------------------------------===//

namespace cm::detail {

/// A row of N elements for each channel of the mask.
template <int N, int Rows, class T, class U, class V, class W, class F>
raw<T, N * Rows> sampled(int Channels, SamplerIndex Sampler, SurfaceIndex Surface, const U &X, const V &Y, const W &Z,
                         const F &Reference, bool Compare) {
  raw<float, N> Float = value_of<float, N>(Reference);
  auto As = [&]<class Number>(Number) {
    return cm::builtin::sample<raw<Number, N * Rows>>(Channels, Sampler.get(), Surface.get(), value_of<float, N>(X),
                                                      value_of<float, N>(Y), value_of<float, N>(Z), Float, Compare ? 1 : 0);
  };
  if constexpr (is_same<T, half>)
    return __builtin_convertvector(As(0.0f), raw<T, N * Rows>);
  else if constexpr (sizeof(T) == 2)
    return __builtin_convertvector(As(0u), raw<T, N * Rows>);
  else
    return As(T());
}

template <int N, class M, class U, class V, class W, class F>
void sample_rows(int Enabled, M &&To, SamplerIndex Sampler, SurfaceIndex Surface, const U &X, const V &Y, const W &Z,
                 const F &Reference, bool Compare, ushort Offsets = 0) {
  using T = typename traits<bare<M>>::type;
  constexpr int Rows = traits<bare<M>>::count / N;
  auto Flat = To.template format<T>();
  for_channels<Rows>(Enabled, [&]<int Count>(int Mask, int First) {
    int Channels = Mask | int(Offsets) << 16;
    raw<T, N * Count> Value = Compare ? sampled<N, Count, T>(Channels, Sampler, Surface, X, Y, Z, Reference, true)
                                      : sampled<N, Count, T>(Channels, Sampler, Surface, X, Y, Z, Reference, false);
    Flat.template select<N * Count, 1>(First * N).assign(Value);
  });
}

} // namespace cm::detail

/// Filtered channels, a row each, of 16 pixels at normalised coordinates.
template <cm::detail::object M, cm::detail::object U, cm::detail::operand V = float, cm::detail::operand R = float>
void sample16(M &&Channels, ChannelMaskType Mask, SurfaceIndex Surface, SamplerIndex Sampler, const U &X, const V &Y = 0,
              const R &Z = 0) {
  static_assert(cm::detail::traits<U>::count == 16, "sample16: 16 coordinates");
  cm::detail::sample_rows<16>(Mask, Channels, Sampler, Surface, X, Y, Z, 0.0f, false);
}

/// The same; NullMask receives a bit for each pixel that is set when the pixel has memory, as all have here.
template <cm::detail::object M, cm::detail::object P, cm::detail::object U, cm::detail::operand V = float,
          cm::detail::operand R = float>
void sample16(M &&Channels, P &&NullMask, ChannelMaskType Mask, SurfaceIndex Surface, SamplerIndex Sampler, const U &X,
              const V &Y = 0, const R &Z = 0) {
  NullMask = 0xFFFF;
  sample16(Channels, Mask, Surface, Sampler, X, Y, Z);
}

/// How sample32 delivers its channels. Here: as 16-bit numbers.
enum OutputFormatControl { CM_16_FULL, CM_16_DOWN_SAMPLE, CM_8_FULL, CM_8_DOWN_SAMPLE, _CM_16_FULL = CM_16_FULL, _CM_16_DOWN_SAMPLE = CM_16_DOWN_SAMPLE, _CM_8_FULL = CM_8_FULL, _CM_8_DOWN_SAMPLE = CM_8_DOWN_SAMPLE };

/// The channels of 32 pixels on a regular grid, 8 wide and 4 high, from (U, V) on in steps of DU and DV, as 16-bit
/// numbers: 65535 is 1.
template <cm::detail::object M>
void sample32(M &&Channels, ChannelMaskType Mask, SurfaceIndex Surface, SamplerIndex Sampler, float U, float V, float DU,
              float DV, OutputFormatControl Format = CM_16_FULL)
    __attribute__((diagnose_if(Format != CM_16_FULL, "sample32: only the format CM_16_FULL is supported", "error"))) {
  POCM_NEEDS("sample32", CM_HAS_SAMPLE_UNORM);
  using namespace cm::detail;
  static_assert(traits<bare<M>>::columns == 32 && sizeof(typename traits<bare<M>>::type) == 2,
                "sample32: rows of 32 ushort");
  vector<float, 32> X, Y;
#pragma unroll
  for (int K = 0; K < 32; ++K) {
    X(K) = U + float(K % 8) * DU;
    Y(K) = V + float(K / 8) * DV;
  }
  matrix<float, traits<bare<M>>::rows, 32> Values;
  sample_rows<32>(Mask, Values, Sampler, Surface, X, Y, 0.0f, 0.0f, false);
  Channels = Values * 65535.0f + 0.5f;
}

/// Pixels at integer coordinates as floats, 0 outside.
template <cm::detail::object M, cm::detail::object U, cm::detail::operand V = int, cm::detail::operand R = int>
void load16(M &&Channels, ChannelMaskType Mask, SurfaceIndex Surface, const U &X, const V &Y = 0, const R &Z = 0) {
  static_assert(cm::detail::traits<U>::count == 16, "load16: 16 coordinates");
  cm::detail::typed_gather<16>(Mask, Surface, Channels, 1, X, Y, Z);
}
/// The same with a null mask, as sample16 has it.
template <cm::detail::object M, cm::detail::object P, cm::detail::object U, cm::detail::operand V = int,
          cm::detail::operand R = int>
void load16(M &&Channels, P &&NullMask, ChannelMaskType Mask, SurfaceIndex Surface, const U &X, const V &Y = 0,
            const R &Z = 0) {
  NullMask = 0xFFFF;
  load16(Channels, Mask, Surface, X, Y, Z);
}

enum CM3DSampleOp {
  CM_3D_SAMPLE = 0,
  CM_3D_SAMPLE_B = 1,
  CM_3D_SAMPLE_L = 2,
  CM_3D_SAMPLE_C = 3,
  CM_3D_SAMPLE_D = 4,
  CM_3D_SAMPLE_B_C = 5,
  CM_3D_SAMPLE_L_C = 6,
  CM_3D_LOD = 9,
  CM_3D_SAMPLE_D_C = 20,
  CM_3D_SAMPLE_LZ = 24,
  CM_3D_SAMPLE_C_LZ = 25,
  CM_3D_SAMPLE_NULLMASK_ENABLE = 32,
  CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE = 64,
  // Older spellings.
  _CM_3D_SAMPLE = CM_3D_SAMPLE,
  _CM_3D_SAMPLE_B = CM_3D_SAMPLE_B,
  _CM_3D_SAMPLE_L = CM_3D_SAMPLE_L,
  _CM_3D_SAMPLE_C = CM_3D_SAMPLE_C,
  _CM_3D_SAMPLE_D = CM_3D_SAMPLE_D,
  _CM_3D_SAMPLE_B_C = CM_3D_SAMPLE_B_C,
  _CM_3D_SAMPLE_L_C = CM_3D_SAMPLE_L_C,
  _CM_3D_LOD = CM_3D_LOD,
  _CM_3D_SAMPLE_D_C = CM_3D_SAMPLE_D_C,
  _CM_3D_SAMPLE_LZ = CM_3D_SAMPLE_LZ,
  _CM_3D_SAMPLE_C_LZ = CM_3D_SAMPLE_C_LZ,
  _CM_3D_SAMPLE_NULLMASK_ENABLE = CM_3D_SAMPLE_NULLMASK_ENABLE,
  _CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE = CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE
};
constexpr CM3DSampleOp operator|(CM3DSampleOp A, CM3DSampleOp B) { return CM3DSampleOp(unsigned(A) | unsigned(B)); }
constexpr CM3DSampleOp &operator|=(CM3DSampleOp &A, CM3DSampleOp B) { return A = A | B; }
enum CM3DLoadOp {
  CM_3D_LOAD = 7,
  CM_3D_LOAD_LZ = 26,
  CM_3D_LOAD_2DMS_W = 28,
  CM_3D_LOAD_MCS = 29,
  CM_3D_LOAD_L = 27,
  CM_3D_LOAD_NULLMASK_ENABLE = 32,
  // Older spellings.
  _CM_3D_LOAD = CM_3D_LOAD,
  _CM_3D_LOAD_LZ = CM_3D_LOAD_LZ,
  _CM_3D_LOAD_2DMS_W = CM_3D_LOAD_2DMS_W,
  _CM_3D_LOAD_MCS = CM_3D_LOAD_MCS,
  _CM_3D_LOAD_L = CM_3D_LOAD_L,
  _CM_3D_LOAD_NULLMASK_ENABLE = CM_3D_LOAD_NULLMASK_ENABLE
};
constexpr CM3DLoadOp operator|(CM3DLoadOp A, CM3DLoadOp B) { return CM3DLoadOp(unsigned(A) | unsigned(B)); }
constexpr CM3DLoadOp &operator|=(CM3DLoadOp &A, CM3DLoadOp B) { return A = A | B; }

namespace cm::detail {
/// Argument I, 0 when there are not so many.
template <int N, int I, class T> raw<T, N> argument_of() { return raw<T, N>(T(0)); }
template <int N, int I, class T, class A, class... More> raw<T, N> argument_of(const A &First, const More &...Rest) {
  if constexpr (I == 0)
    return value_of<T, N>(First);
  else
    return argument_of<N, I - 1, T>(Rest...);
}
} // namespace cm::detail

namespace cm::detail {
/// The four signed bits from bit Low on.
inline int texel_offset(ushort Offsets, int Low) { return int(uint(Offsets) >> Low << 28) >> 28; }

/// The lanes of a sampler message: those of its first argument that is an object, else as many as fill the result.
template <int Filling, class... A> consteval int sampler_lanes() {
  int Lanes = 0;
  ((Lanes = !Lanes && object<A> ? count_or_one<A> : Lanes), ...);
  return Lanes ? Lanes : Filling;
}
/// The first elements of a result, which may have more.
template <int Count, class D> auto first_of(D &&Result) {
  return Result.template format<typename traits<bare<D>>::type>().template select<Count, 1>(0);
}
/// The null mask behind the channels of N lanes, where the result has a dword for it: all pixels have memory.
template <int N, int Channels, class D> void all_pixels(D &&Result) {
  constexpr int Words = N * Channels * int(sizeof(typename traits<bare<D>>::type)) / 2;
  auto Flat = Result.template format<ushort>();
  if constexpr (traits<bare<decltype(Flat)>>::count >= Words + 2) {
    Flat(Words) = N < 16 ? (1 << N) - 1 : 0xFFFF;
    Flat(Words + 1) = N < 32 ? 0 : 0xFFFF;
  }
}
} // namespace cm::detail

/// The general sampler message. Surfaces have one level of detail, so bias, LOD and gradients change nothing; texel
/// offsets are those of aoffimmi: U in bits 8 to 11, V in bits 4 to 7, R in bits 0 to 3, signed. With
/// CM_3D_SAMPLE_NULLMASK_ENABLE a dword behind the channels receives a bit for each pixel that has memory: all have.
template <int Op, ChannelMaskType Mask, cm::detail::object D, cm::detail::operand... A>
void cm_3d_sample(D &&Result, ushort Offsets, SamplerIndex Sampler, SurfaceIndex Surface, const A &...Arguments) {
  using namespace cm::detail;
  constexpr int Bare = Op & ~(CM_3D_SAMPLE_NULLMASK_ENABLE | CM_3D_SAMPLE_CPS_LOD_COMP_ENABLE);
  constexpr int Count = traits<bare<D>>::count, Channels = channels_of(Mask);
  constexpr int N = sampler_lanes<Count / Channels, A...>();
  constexpr bool Compare = Bare == CM_3D_SAMPLE_C || Bare == CM_3D_SAMPLE_B_C || Bare == CM_3D_SAMPLE_L_C ||
                           Bare == CM_3D_SAMPLE_D_C || Bare == CM_3D_SAMPLE_C_LZ;
  constexpr bool OneMore = Bare == CM_3D_SAMPLE_B || Bare == CM_3D_SAMPLE_L || Bare == CM_3D_SAMPLE_B_C ||
                           Bare == CM_3D_SAMPLE_L_C;
  constexpr bool Gradients = Bare == CM_3D_SAMPLE_D || Bare == CM_3D_SAMPLE_D_C;
  constexpr int First = int(Compare) + int(OneMore), Second = First + (Gradients ? 3 : 1),
                Third = Second + (Gradients ? 3 : 1);
  static_assert(Bare == CM_3D_SAMPLE || Compare || OneMore || Gradients || Bare == CM_3D_LOD || Bare == CM_3D_SAMPLE_LZ,
                "cm_3d_sample: unknown operation");
  static_assert(N == 8 || N == 16 || N == 32, sentence("cm_3d_sample: 8, 16 or 32 lanes, not ", N));
  static_assert(((!object<A> || count_or_one<A> == N) && ...), "cm_3d_sample: every argument has a value for each lane");
  static_assert(Count >= N * Channels,
                sentence("cm_3d_sample: the result has a row of ", N, " elements for each of the ", Channels, " channels"));
  if constexpr (Bare == CM_3D_LOD) {
    Result = 0;
  } else {
    sample_rows<N>(Mask, Result, Sampler, Surface, make<vector<float, N>, float, N>(argument_of<N, First, float>(Arguments...)),
                   make<vector<float, N>, float, N>(argument_of<N, Second, float>(Arguments...)),
                   make<vector<float, N>, float, N>(argument_of<N, Third, float>(Arguments...)),
                   make<vector<float, N>, float, N>(argument_of<N, 0, float>(Arguments...)), Compare, Offsets);
  }
  if constexpr (Op & CM_3D_SAMPLE_NULLMASK_ENABLE)
    all_pixels<N, Channels>(Result);
}

/// With the type and number of the result's elements written out.
template <int Op, ChannelMaskType Mask, cm::detail::element T, int N, cm::detail::object D, cm::detail::operand... A>
void cm_3d_sample(D &&Result, ushort Offsets, SamplerIndex Sampler, SurfaceIndex Surface, const A &...Arguments) {
  cm_3d_sample<Op, Mask>(static_cast<D &&>(Result), Offsets, Sampler, Surface, Arguments...);
}

/// Texel fetch at integer coordinates, with a null mask as cm_3d_sample has it.
template <int Op, ChannelMaskType Mask, cm::detail::object D, cm::detail::operand... A>
void cm_3d_load(D &&Result, ushort Offsets, SurfaceIndex Surface, const A &...Arguments) {
  using namespace cm::detail;
  constexpr int Bare = Op & ~CM_3D_LOAD_NULLMASK_ENABLE;
  constexpr int Count = traits<bare<D>>::count, Channels = channels_of(Mask);
  constexpr int N = sampler_lanes<Count / Channels, A...>();
  static_assert(Bare == CM_3D_LOAD || Bare == CM_3D_LOAD_LZ || Bare == CM_3D_LOAD_L,
                "cm_3d_load: multi-sampled surfaces (2DMS_W, MCS) are not supported");
  static_assert(Bare != CM_3D_LOAD_L || POCM_CM_HAS_3D_LOAD_L,
                "CM_3D_LOAD_L needs CM_HAS_3D_LOAD_L, which target " POCM_TARGET " does not have");
  static_assert(N == 8 || N == 16 || N == 32, sentence("cm_3d_load: 8, 16 or 32 lanes, not ", N));
  static_assert(Count >= N * Channels,
                sentence("cm_3d_load: the result has a row of ", N, " elements for each of the ", Channels, " channels"));
  raw<uint, N> Right = uint(texel_offset(Offsets, 8)), Down = uint(texel_offset(Offsets, 4)),
               Back = uint(texel_offset(Offsets, 0));
  constexpr int Third = Bare == CM_3D_LOAD ? 3 : 2;
  typed_gather<N>(Mask, Surface, first_of<N * Channels>(Result), 1,
                  make<vector<uint, N>, uint, N>(argument_of<N, 0, uint>(Arguments...) + Right),
                  make<vector<uint, N>, uint, N>(argument_of<N, 1, uint>(Arguments...) + Down),
                  make<vector<uint, N>, uint, N>(argument_of<N, Third, uint>(Arguments...) + Back));
  if constexpr (Op & CM_3D_LOAD_NULLMASK_ENABLE)
    all_pixels<N, Channels>(Result);
}
/// With the type and number of the result's elements written out.
template <int Op, ChannelMaskType Mask, cm::detail::element T, int N, cm::detail::object D, cm::detail::operand... A>
void cm_3d_load(D &&Result, ushort Offsets, SurfaceIndex Surface, const A &...Arguments) {
  cm_3d_load<Op, Mask>(static_cast<D &&>(Result), Offsets, Surface, Arguments...);
}
