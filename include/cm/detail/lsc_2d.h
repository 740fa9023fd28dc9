//===- cm/detail/lsc_2d.h - Two-dimensional block messages ----------------------------===//
//
// Blocks of a matrix in memory: base pointer, width - 1 in bytes, height - 1 in rows,
// pitch - 1 in bytes; X in elements, Y in rows, both signed. Bytes outside are 0, writes
// there are dropped. Specification chapter "LSC 2D block messages".
//
//     cm_ptr_load<float, 8, 4>(p, w - 1, h - 1, pitch - 1, x, y)     4 rows of 8 floats
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Blocks of a matrix in memory as registers hold them: rows of a power of two of elements, blocks of whole registers.
template <class V>
V lsc_load_2d(int L1, int L3, int Size, int Transposed, int Blocks, int Width, int Height, int Vnni,
              unsigned long long Base, unsigned WidthM1, unsigned HeightM1, unsigned PitchM1, int X, int Y);
template <class V>
void lsc_store_2d(int L1, int L3, int Size, int Width, int Height, unsigned long long Base, unsigned WidthM1,
                  unsigned HeightM1, unsigned PitchM1, int X, int Y, V Value);
template <class = void>
void lsc_prefetch_2d(int L1, int L3, int Size, int Blocks, int Width, int Height, unsigned long long Base,
                     unsigned WidthM1, unsigned HeightM1, unsigned PitchM1, int X, int Y);

} // namespace cm::builtin

namespace cm::detail {

constexpr int round_up(int N, int Step) { return (N + Step - 1) / Step * Step; }
constexpr int power_of_two(int N) {
  int P = 1;
  while (P < N)
    P *= 2;
  return P;
}

/// Sizes that the hardware has.
template <class T, int W, int H, int NBlk, bool Transposed, bool Transformed, bool Store> constexpr void check_block_2d() {
  POCM_NEEDS("a 2D block message", CM_HAS_LSC_UNTYPED_2D);
  constexpr int S = sizeof(T);
  static_assert(!(Transposed && Transformed), "LSC 2D block: transposed and transformed exclude each other");
  static_assert(W >= 1 && H >= 1 && H <= (Store ? 8 : 32),
                sentence("LSC 2D block: ", H, " rows; a load has 1 to 32, a store 1 to 8"));
  static_assert(W * S % 4 == 0 && W * NBlk * S <= 64,
                sentence("LSC 2D block: rows of ", W * NBlk * S, " bytes; they have a multiple of 4 and at most 64"));
  static_assert(NBlk == 1 || ((NBlk == 2 && S <= 4) || (NBlk == 4 && S <= 2)),
                sentence("LSC 2D block: ", NBlk, " blocks; there are 1, 2 (elements of at most 4 bytes) or 4 (at most 2)"));
  static_assert(!Transposed || NBlk == 1, "LSC 2D block: a transposed load has one block");
  static_assert(!Transposed || (S == 4 && W <= 8) || (S == 8 && H == 8 && W <= 4),
                "LSC 2D block: a transposed load has 4-byte elements, at most 8 a row, or 8 rows of at most four 8-byte ones");
  static_assert(!Transformed || S <= 2, "LSC 2D block: a transformed load has elements of 1 or 2 bytes");
  static_assert(!Transformed || H * S >= 4, "LSC 2D block: a transformed load has rows for whole dwords");
}

/// A matrix in memory.
struct memory_2d {
  unsigned long long Base;
  uint WidthM1, HeightM1, PitchM1;
};

/// The registers of a block: rows of a power of two of elements, then padding to a whole register. Transposed, rows are
/// columns of the matrix; transformed (VNNI), elements of neighbouring rows lie together in dwords.
template <class T, int W, int H, bool Transposed, bool Transformed> struct block_registers {
  static constexpr int together = Transformed && sizeof(T) < 4 ? 4 / int(sizeof(T)) : 1;
  static constexpr int row = Transposed ? H : W * together;
  static constexpr int rows = Transposed ? W : round_up(H, together) / together;
  static constexpr int pitch = power_of_two(row);
  static constexpr int elements = round_up(pitch * rows * int(sizeof(T)), register_bytes) / int(sizeof(T));
};
template <class T> inline constexpr int size_2d = 1 + (sizeof(T) > 1) + (sizeof(T) > 2) + (sizeof(T) > 4);

/// Loads NBlk neighbouring blocks, with their padding.
template <class T, int W, int H, int NBlk, bool Transposed, bool Transformed, class Hints>
auto load_padded(const memory_2d &Memory, int X, int Y) {
  check_block_2d<T, W, H, NBlk, Transposed, Transformed, false>();
  constexpr int N = block_registers<T, W, H, Transposed, Transformed>::elements * NBlk;
  return make<vector<T, N>, T, N>(cm::builtin::lsc_load_2d<raw<T, N>>(
      Hints::first, Hints::second, size_2d<T>, Transposed, NBlk, W, H, Transformed, Memory.Base, Memory.WidthM1,
      Memory.HeightM1, Memory.PitchM1, X, Y));
}
template <class T, int W, int H, class Hints, int N>
void store_padded(const memory_2d &Memory, int X, int Y, const vector<T, N> &Data) {
  cm::builtin::lsc_store_2d(Hints::first, Hints::second, size_2d<T>, W, H, Memory.Base, Memory.WidthM1, Memory.HeightM1,
                            Memory.PitchM1, X, Y, Data.value());
}
template <class T, int W, int H, int NBlk, class Hints> void prefetch_2d(const memory_2d &Memory, int X, int Y) {
#ifdef CM_HAS_LSC_2D_LARGE
  constexpr int MostBytes = 256;
#else
  constexpr int MostBytes = 64;
#endif
  if constexpr (W * NBlk * int(sizeof(T)) > 64) {
    POCM_NEEDS("a 2D block message", CM_HAS_LSC_UNTYPED_2D);
    static_assert(W * NBlk * int(sizeof(T)) <= MostBytes && H >= 1 && H <= 32,
                  sentence("LSC 2D block: rows of ", W * NBlk * int(sizeof(T)), " bytes to prefetch; there are at most ",
                           MostBytes, ", and 32 rows"));
  } else {
    check_block_2d<T, W, H, NBlk, false, false, false>();
  }
  cm::builtin::lsc_prefetch_2d(Hints::first, Hints::second, size_2d<T>, NBlk, W, H, Memory.Base, Memory.WidthM1,
                               Memory.HeightM1, Memory.PitchM1, X, Y);
}

/// Calls Move(place in registers, place without padding) for each row of each block.
template <class Registers, int NBlk, class F> void each_row(F Move) {
#pragma unroll
  for (int B = 0; B < NBlk; ++B)
#pragma unroll
    for (int R = 0; R < Registers::rows; ++R)
      Move(B * Registers::elements + R * Registers::pitch, (B * Registers::rows + R) * Registers::row);
}

template <class T, int W, int H, int NBlk, bool Transposed, bool Transformed, class Hints>
auto load_2d(const memory_2d &Memory, int X, int Y) {
  using Registers = block_registers<T, W, H, Transposed, Transformed>;
  auto All = load_padded<T, W, H, NBlk, Transposed, Transformed, Hints>(Memory, X, Y);
  vector<T, Registers::row * Registers::rows * NBlk> Result;
  each_row<Registers, NBlk>([&](int Padded, int Compact) {
    Result.template select<Registers::row, 1>(Compact) = All.template select<Registers::row, 1>(Padded);
  });
  return Result;
}

} // namespace cm::detail

#define POCM_MEMORY_2D                                                                                                 \
  cm::detail::memory_2d { (unsigned long long)(uintptr_t)Base, WidthM1, HeightM1, PitchM1 }
#define POCM_LOAD_2D(name)                                                                                             \
  template <class T, int W, int H = 1, int NBlk = 1, bool Transposed = false, bool Transformed = false, POCM_HINTS>    \
  auto name(const T *Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y) {                                  \
    POCM_CHECK(load)                                                                                                   \
    return load_2d<T, W, H, NBlk, Transposed, Transformed, lsc_hints<L1, L2>>(POCM_MEMORY_2D, X, Y);                                      \
  }
POCM_LOAD_2D(cm_ptr_load)
/// The older name.
POCM_LOAD_2D(cm_load)
#undef POCM_LOAD_2D
#define POCM_STORE_2D(store_name, prefetch_name)                                                                       \
template <class T, int W, int H = 1, POCM_HINTS, cm::detail::operand V>                                                \
void store_name(T *Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y, const V &Data) {                     \
  POCM_CHECK(store)                                                                                                    \
  check_block_2d<T, W, H, 1, false, false, true>();                                                                    \
  using Registers = block_registers<T, W, H, false, false>;                                                            \
  vector<T, W * H> Rows = Data;                                                                                        \
  vector<T, Registers::elements> All;                                                                                  \
  each_row<Registers, 1>([&](int Padded, int Compact) {                                                                \
    All.template select<W, 1>(Padded) = Rows.template select<W, 1>(Compact);                                           \
  });                                                                                                                  \
  store_padded<T, W, H, lsc_hints<L1, L2>>(POCM_MEMORY_2D, X, Y, All);                                                 \
}                                                                                                                      \
template <class T, int W, int H = 1, int NBlk = 1, POCM_HINTS>                                                         \
void prefetch_name(const T *Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y) {                           \
  POCM_CHECK(prefetch)                                                                                                 \
  prefetch_2d<T, W, H, NBlk, lsc_hints<L1, L2>>(POCM_MEMORY_2D, X, Y);                                                 \
}
/// Stores a block of W x H elements; what lies outside of the memory is dropped.
POCM_STORE_2D(cm_ptr_store, cm_ptr_prefetch)
/// The older names.
POCM_STORE_2D(cm_store, cm_prefetch)
#undef POCM_STORE_2D
#undef POCM_MEMORY_2D

namespace lsc {

enum LoadOp { Normal, Transpose, VNNI };

/// A block as the hardware describes it. Height comes before width.
template <class T, int NBlk, int H, int W> class block_2d_desc {
public:
  using value_type = T;
  static constexpr int num_blocks = NBlk, height = H, width = W;

  block_2d_desc(unsigned long long Base, uint HeightM1, uint WidthM1, uint PitchM1, int X, int Y)
      : Memory{Base, WidthM1, HeightM1, PitchM1}, X(X), Y(Y) {}
  block_2d_desc(const T *Base, uint HeightM1, uint WidthM1, uint PitchM1, int X, int Y)
      : block_2d_desc((unsigned long long)(uintptr_t)Base, HeightM1, WidthM1, PitchM1, X, Y) {}

  block_2d_desc(__attribute__((opencl_global)) const T *Base, uint HeightM1, uint WidthM1, uint PitchM1, int X, int Y)
      : block_2d_desc((unsigned long long)(uintptr_t)Base, HeightM1, WidthM1, PitchM1, X, Y) {}

  block_2d_desc &set_base(unsigned long long Base) {
    Memory.Base = Base;
    return *this;
  }
  block_2d_desc &set_base_ptr(const T *Base) {
    Memory.Base = (unsigned long long)(uintptr_t)Base;
    return *this;
  }
  block_2d_desc &set_width(uint WidthM1) {
    Memory.WidthM1 = WidthM1;
    return *this;
  }
  block_2d_desc &set_height(uint HeightM1) {
    Memory.HeightM1 = HeightM1;
    return *this;
  }
  block_2d_desc &set_pitch(uint PitchM1) {
    Memory.PitchM1 = PitchM1;
    return *this;
  }
  block_2d_desc &set_block_x(int NewX) {
    X = NewX;
    return *this;
  }
  block_2d_desc &set_block_y(int NewY) {
    Y = NewY;
    return *this;
  }
  unsigned long long get_base() const { return Memory.Base; }
  T *get_base_ptr() const { return (T *)(uintptr_t)Memory.Base; }
  uint get_width() const { return Memory.WidthM1; }
  uint get_height() const { return Memory.HeightM1; }
  uint get_pitch() const { return Memory.PitchM1; }
  int get_block_x() const { return X; }
  int get_block_y() const { return Y; }
  /// The hardware's sixteen dwords.
  vector<uint, 16> get_raw_desc() const {
    vector<uint, 16> D = 0;
    D(0) = uint(Memory.Base);
    D(1) = uint(Memory.Base >> 32);
    D(2) = Memory.WidthM1;
    D(3) = Memory.HeightM1;
    D(4) = Memory.PitchM1;
    D(5) = uint(X);
    D(6) = uint(Y);
    D(7) = uint(W - 1) | uint(H - 1) << 8 | uint(NBlk - 1) << 16;
    return D;
  }
  const cm::detail::memory_2d &memory() const { return Memory; }

private:
  cm::detail::memory_2d Memory;
  int X, Y;
};

} // namespace lsc

/// Loads a described block; where Predicate is 0 nothing happens. Elements of the padding keep their values.
template <lsc::LoadOp Op, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0,
          int OffY = 0, class T, int NBlk, int H, int W, cm::detail::object V>
void cm_load(V &&Result, const lsc::block_2d_desc<T, NBlk, H, W> &Desc, int16_t Predicate = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(load)
  constexpr bool Transposed = Op == lsc::Transpose, Transformed = Op == lsc::VNNI;
  using Registers = block_registers<T, W, H, Transposed, Transformed>;
  static_assert(traits<bare<V>>::count == Registers::elements * NBlk,
                sentence("LSC 2D block: the result has ", traits<bare<V>>::count, " elements; with the padding of the "
                         "hardware there are ", Registers::elements * NBlk));
  if (!Predicate)
    return;
  auto Loaded = load_padded<T, W, H, NBlk, Transposed, Transformed, lsc_hints<L1, L2>>(
      Desc.memory(), Desc.get_block_x() + OffX, Desc.get_block_y() + OffY);
  vector<T, Registers::elements * NBlk> All = Result;
  each_row<Registers, NBlk>([&](int Padded, int) {
    All.template select<Registers::row, 1>(Padded) = Loaded.template select<Registers::row, 1>(Padded);
  });
  Result = All;
}
/// As it lies in memory.
template <CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0, int OffY = 0, class T,
          int NBlk, int H, int W, cm::detail::object V>
void cm_load(V &&Result, const lsc::block_2d_desc<T, NBlk, H, W> &Desc, int16_t Predicate = 1) {
  cm_load<lsc::Normal, L1, L2, OffX, OffY>(static_cast<V &&>(Result), Desc, Predicate);
}
template <CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0, int OffY = 0, class T,
          int H, int W, cm::detail::object V>
void cm_store(const lsc::block_2d_desc<T, 1, H, W> &Desc, const V &Data, int16_t Predicate = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(store)
  check_block_2d<T, W, H, 1, false, false, true>();
  using Registers = block_registers<T, W, H, false, false>;
  static_assert(traits<V>::count == Registers::elements,
                sentence("LSC 2D block: the data has ", traits<V>::count, " elements; with the padding of the hardware "
                         "there are ", Registers::elements));
  if (!Predicate)
    return;
  vector<T, Registers::elements> All = Data;
  store_padded<T, W, H, lsc_hints<L1, L2>>(Desc.memory(), Desc.get_block_x() + OffX, Desc.get_block_y() + OffY, All);
}
template <CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0, int OffY = 0, class T,
          int NBlk, int H, int W>
void cm_prefetch(const lsc::block_2d_desc<T, NBlk, H, W> &Desc, int16_t Predicate = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(prefetch)
  if (Predicate)
    prefetch_2d<T, W, H, NBlk, lsc_hints<L1, L2>>(Desc.memory(), Desc.get_block_x() + OffX, Desc.get_block_y() + OffY);
}
