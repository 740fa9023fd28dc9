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

  template <class T> bool contains(int X, int Y, int W, int H) const {
    return X >= 0 && Y >= 0 && (unsigned long long)(X + W) * sizeof(T) <= (unsigned long long)WidthM1 + 1 &&
           (unsigned long long)(Y + H) <= (unsigned long long)HeightM1 + 1;
  }
  unsigned long long row(int Y) const { return Base + (unsigned long long)((long long)Y * ((long long)PitchM1 + 1)); }
  /// Which of the W elements from X on lie inside, when row Y does.
  template <class T, int W> raw<ushort, W> inside(int X, int Y) const {
    raw<int, W> At = ramp<W>() + raw<int, W>(X);
    bool Row = Y >= 0 && (uint)Y <= HeightM1;
    auto Fits = At >= raw<int, W>(0) & (At + raw<int, W>(1)) * raw<int, W>(int(sizeof(T))) <= raw<int, W>(int(WidthM1) + 1);
    return __builtin_convertvector(Fits, raw<ushort, W>) & raw<ushort, W>(Row ? 1 : 0);
  }
  template <int W> static raw<int, W> ramp() {
    raw<int, W> R;
#pragma unroll
    for (int I = 0; I < W; ++I)
      R[I] = I;
    return R;
  }
  template <class T, int W> raw<unsigned long long, W> addresses(int X, int Y) const {
    raw<long long, W> At = __builtin_convertvector(ramp<W>(), raw<long long, W>) + raw<long long, W>(X);
    return raw<unsigned long long, W>(row(Y)) +
           (raw<unsigned long long, W>)(At * raw<long long, W>((long long)sizeof(T)));
  }

  template <class T, int W, int H> matrix<T, H, W> read(int X, int Y) const {
    matrix<T, H, W> Block;
    if (contains<T>(X, Y, W, H)) {
#pragma unroll
      for (int R = 0; R < H; ++R)
        Block.row(R).assign(cm::builtin::svm_block_read<raw<T, W>>(row(Y + R) + (unsigned long long)X * sizeof(T)));
    } else {
#pragma unroll
      for (int R = 0; R < H; ++R)
        Block.row(R).assign(cm::builtin::svm_gather<raw<T, W>>(inside<T, W>(X, Y + R), addresses<T, W>(X, Y + R)));
    }
    return Block;
  }
  template <class T, int W, int H> void write(int X, int Y, const matrix<T, H, W> &Block) const {
    if (contains<T>(X, Y, W, H)) {
#pragma unroll
      for (int R = 0; R < H; ++R)
        cm::builtin::svm_block_write(row(Y + R) + (unsigned long long)X * sizeof(T), Block.row(R).value());
    } else {
#pragma unroll
      for (int R = 0; R < H; ++R)
        cm::builtin::svm_scatter(inside<T, W>(X, Y + R), addresses<T, W>(X, Y + R), Block.row(R).value());
    }
  }
};

/// Elements of one block in the result.
template <class T, int W, int H, bool Transformed>
inline constexpr int block_elements = Transformed ? W * round_up(H, 4 / int(sizeof(T) < 4 ? sizeof(T) : 4)) : W *H;

/// A block as the message gives it: rows, columns, or groups of rows whose elements lie together (VNNI).
template <class T, int W, int H, bool Transposed, bool Transformed> auto arranged(const matrix<T, H, W> &Block) {
  constexpr int N = block_elements<T, W, H, Transformed>;
  vector<T, N> Result;
  if constexpr (Transposed) {
#pragma unroll
    for (int C = 0; C < W; ++C)
      Result.template select<H, 1>(C * H) = Block.column(C);
  } else if constexpr (Transformed) {
    constexpr int Together = 4 / int(sizeof(T));
    Result = 0;
#pragma unroll
    for (int R = 0; R < H; ++R)
      Result.template select<W, Together == 1 || W == 1 ? 1 : Together>(R / Together * (W * Together) + R % Together) =
          Block.row(R);
  } else {
    Result = Block;
  }
  return Result;
}

template <class T, int W, int H, int NBlk, bool Transposed, bool Transformed>
auto load_2d(const memory_2d &Memory, int X, int Y) {
  check_block_2d<T, W, H, NBlk, Transposed, Transformed, false>();
  constexpr int N = block_elements<T, W, H, Transformed>;
  vector<T, N * NBlk> Result;
#pragma unroll
  for (int B = 0; B < NBlk; ++B)
    Result.template select<N, 1>(B * N) =
        arranged<T, W, H, Transposed, Transformed>(Memory.read<T, W, H>(X + B * W, Y));
  return Result;
}

} // namespace cm::detail

#define POCM_MEMORY_2D                                                                                                 \
  cm::detail::memory_2d { (unsigned long long)(uintptr_t)Base, WidthM1, HeightM1, PitchM1 }
#define POCM_LOAD_2D(name)                                                                                             \
  template <class T, int W, int H = 1, int NBlk = 1, bool Transposed = false, bool Transformed = false, POCM_HINTS>    \
  auto name(const T *Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y) {                                  \
    POCM_CHECK(load)                                                                                                   \
    return load_2d<T, W, H, NBlk, Transposed, Transformed>(POCM_MEMORY_2D, X, Y);                                      \
  }
POCM_LOAD_2D(cm_ptr_load)
/// The older name.
POCM_LOAD_2D(cm_load)
#undef POCM_LOAD_2D
template <class T, int W, int H = 1, POCM_HINTS, cm::detail::operand V>
void cm_ptr_store(T *Base, uint WidthM1, uint HeightM1, uint PitchM1, int X, int Y, const V &Data) {
  POCM_CHECK(store)
  check_block_2d<T, W, H, 1, false, false, true>();
  matrix<T, H, W> Block = Data;
  POCM_MEMORY_2D.write<T, W, H>(X, Y, Block);
}
template <class T, int W, int H = 1, int NBlk = 1, POCM_HINTS>
void cm_ptr_prefetch(const T *, uint, uint, uint, int, int) {
  POCM_CHECK(prefetch)
}
#undef POCM_MEMORY_2D

namespace lsc {

enum LoadOp { Normal, Transpose, VNNI };

/// A block as the hardware describes it. Height comes before width.
template <class T, int NBlk, int H, int W> class block_2d_desc {
public:
  block_2d_desc(unsigned long long Base, uint HeightM1, uint WidthM1, uint PitchM1, int X, int Y)
      : Memory{Base, WidthM1, HeightM1, PitchM1}, X(X), Y(Y) {}
  block_2d_desc(const T *Base, uint HeightM1, uint WidthM1, uint PitchM1, int X, int Y)
      : block_2d_desc((unsigned long long)(uintptr_t)Base, HeightM1, WidthM1, PitchM1, X, Y) {}

  void set_base(unsigned long long Base) { Memory.Base = Base; }
  void set_base_ptr(const T *Base) { Memory.Base = (unsigned long long)(uintptr_t)Base; }
  void set_width(uint WidthM1) { Memory.WidthM1 = WidthM1; }
  void set_height(uint HeightM1) { Memory.HeightM1 = HeightM1; }
  void set_pitch(uint PitchM1) { Memory.PitchM1 = PitchM1; }
  void set_block_x(int NewX) { X = NewX; }
  void set_block_y(int NewY) { Y = NewY; }
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

namespace cm::detail {

/// The result of a descriptor's load keeps the hardware's padding: rows to a power of two, blocks to a register.
template <class T, int Row, int Rows> struct padded_block {
  static constexpr int pitch = power_of_two(Row);
  static constexpr int elements = round_up(pitch * Rows * int(sizeof(T)), register_bytes) / int(sizeof(T));
};

} // namespace cm::detail

/// Loads a described block; where Predicate is 0 nothing happens. Elements of the padding keep their values.
template <lsc::LoadOp Op = lsc::Normal, CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default,
          int OffX = 0, int OffY = 0, class T, int NBlk, int H, int W, cm::detail::object V>
void cm_load(V &&Result, const lsc::block_2d_desc<T, NBlk, H, W> &Desc, int16_t Predicate = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(load)
  constexpr bool Transposed = Op == lsc::Transpose, Transformed = Op == lsc::VNNI;
  check_block_2d<T, W, H, NBlk, Transposed, Transformed, false>();
  constexpr int Together = Transformed ? 4 / int(sizeof(T) < 4 ? sizeof(T) : 4) : 1;
  constexpr int Row = Transposed ? H : W * Together, Rows = Transposed ? W : round_up(H, Together) / Together;
  using Padded = padded_block<T, Row, Rows>;
  static_assert(traits<bare<V>>::count == Padded::elements * NBlk,
                sentence("LSC 2D block: the result has ", traits<bare<V>>::count, " elements; with the padding of the "
                         "hardware there are ", Padded::elements * NBlk));
  if (!Predicate)
    return;
  vector<T, Padded::elements * NBlk> All = Result;
#pragma unroll
  for (int B = 0; B < NBlk; ++B) {
    auto Block = arranged<T, W, H, Transposed, Transformed>(
        Desc.memory().template read<T, W, H>(Desc.get_block_x() + OffX + B * W, Desc.get_block_y() + OffY));
#pragma unroll
    for (int R = 0; R < Rows; ++R)
      All.template select<Row, 1>(B * Padded::elements + R * Padded::pitch) = Block.template select<Row, 1>(R * Row);
  }
  Result = All;
}
template <CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0, int OffY = 0, class T,
          int H, int W, cm::detail::object V>
void cm_store(const lsc::block_2d_desc<T, 1, H, W> &Desc, const V &Data, int16_t Predicate = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(store)
  check_block_2d<T, W, H, 1, false, false, true>();
  using Padded = padded_block<T, W, H>;
  static_assert(traits<V>::count == Padded::elements,
                sentence("LSC 2D block: the data has ", traits<V>::count, " elements; with the padding of the hardware "
                         "there are ", Padded::elements));
  if (!Predicate)
    return;
  vector<T, Padded::elements> All = Data;
  matrix<T, H, W> Block;
#pragma unroll
  for (int R = 0; R < H; ++R)
    Block.row(R) = All.template select<W, 1>(R * Padded::pitch);
  Desc.memory().template write<T, W, H>(Desc.get_block_x() + OffX, Desc.get_block_y() + OffY, Block);
}
template <CacheHint L1 = CacheHint::Default, CacheHint L2 = CacheHint::Default, int OffX = 0, int OffY = 0, class T,
          int NBlk, int H, int W>
void cm_prefetch(const lsc::block_2d_desc<T, NBlk, H, W> &, int16_t = 1) {
  constexpr CacheHint L3 = CacheHint::Default;
  POCM_CHECK(prefetch)
}
