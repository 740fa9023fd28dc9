//===- cm/detail/surfaces.h - Memory seen through a SurfaceIndex -----------===//
//
// Media block read and write: a block of a 2D surface, x in bytes and y in rows, both
// signed. Reads outside the surface repeat the nearest edge pixel; writes outside are
// dropped. Specification chapter "Media block read and write".
//
// OWord block and scattered read and write: bytes of a buffer. Reads beyond its end give
// 0; writes there are dropped. Chapters "OWord block" and "Scattered read and write".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::builtin {

/// Media block read: rows of Width bytes, each padded in the result to a power of two of at least 4 bytes.
template <class V> V media_read(int Modifiers, unsigned Surface, int Plane, int Width, int X, int Y);
/// Media block write: Value holds the rows with the same padding, which is not written.
template <class V> void media_write(int Modifiers, unsigned Surface, int Plane, int Width, int X, int Y, V Value);

/// Consecutive bytes of a buffer, from an offset in owords or in bytes; bytes beyond the end are 0.
template <class V> V oword_read(int Modified, unsigned Surface, int Owords);
template <class V> V oword_read_unaligned(int Modified, unsigned Surface, int Bytes);
template <class V> void oword_write(unsigned Surface, int Owords, V Value);
/// As oword_write, at any byte offset.
template <class V> void block_write(unsigned Surface, int Bytes, V Value);
/// Element k at byte (Global + Offsets[k]) << Scale of a buffer; 0 beyond the end and where the mask is 0.
template <class V, class M, class O> V scattered_read(M Mask, int Scale, unsigned Surface, unsigned Global, O Offsets);
template <class V, class M, class O>
void scattered_write(M Mask, int Scale, unsigned Surface, unsigned Global, O Offsets, V Value);

} // namespace cm::builtin

namespace cm::detail {

/// Objects of surfaces hold their numbers, with which nothing is computed; elements and parts of them are what they are of
/// other objects.
template <class X>
concept surfaces = object<X> && is_same<element_type<X>, SurfaceIndex>;

template <class Numbers> class surface_regions {
public:
  template <class...> static constexpr unsigned n_elems() { return Numbers::SZ; }
  static constexpr int SZ = Numbers::SZ, ELEMS = SZ, ROWS = Numbers::ROWS, COLS = Numbers::COLS;

  template <surfaces X, class M> void merge(const X &Source, const M &Mask) const {
    Held.merge(Source.numbers(), Mask);
  }
  template <class M> void merge(SurfaceIndex Source, const M &Mask) const { Held.merge(Source.get(), Mask); }
  const Numbers &numbers() const { return Held; }

protected:
  surface_regions() = default;
  template <class... A> explicit surface_regions(const A &...Given) : Held(Given...) {}
  static SurfaceIndex &surface(uint &Number) { return reinterpret_cast<SurfaceIndex &>(Number); }
  Numbers Held;
};

/// Members of vectors of surfaces and of references to them.
template <class Numbers, int N> class surface_vector : public surface_regions<Numbers> {
protected:
  using surface_regions<Numbers>::surface_regions, surface_regions<Numbers>::Held, surface_regions<Numbers>::surface;

public:
  SurfaceIndex &operator()(ushort I) const { return this->surface(Held(I)); }
  SurfaceIndex &operator[](ushort I) const { return this->surface(Held[I]); }
  template <int Size, int Stride> vector_ref<SurfaceIndex, Size> select(ushort I = 0) const {
    return vector_ref<SurfaceIndex, Size>(Held.template select<Size, Stride>(I));
  }
  template <class...> vector_ref<SurfaceIndex, N> select_all() const {
    return vector_ref<SurfaceIndex, N>(Held.select_all());
  }
  template <object I> auto iselect(const I &Index) const {
    return vector<SurfaceIndex, traits<I>::count>(Held.iselect(Index));
  }
};

/// Members of matrices of surfaces and of references to them.
template <class Numbers, int R, int C> class surface_matrix : public surface_regions<Numbers> {
protected:
  using surface_regions<Numbers>::surface_regions, surface_regions<Numbers>::Held, surface_regions<Numbers>::surface;

public:
  template <class...> static constexpr unsigned n_rows() { return R; }
  template <class...> static constexpr unsigned n_cols() { return C; }
  SurfaceIndex &operator()(ushort I, ushort J) const { return this->surface(Held(I, J)); }
  template <class...> vector_ref<SurfaceIndex, C> row(ushort I) const {
    return vector_ref<SurfaceIndex, C>(Held.row(I));
  }
  vector_ref<SurfaceIndex, C> operator[](ushort I) const { return vector_ref<SurfaceIndex, C>(Held[I]); }
  template <class...> matrix_ref<SurfaceIndex, R, 1> column(ushort J) const {
    return matrix_ref<SurfaceIndex, R, 1>(Held.column(J));
  }
  template <int VSize, int VStride, int HSize, int HStride>
  matrix_ref<SurfaceIndex, VSize, HSize> select(ushort I = 0, ushort J = 0) const {
    return matrix_ref<SurfaceIndex, VSize, HSize>(Held.template select<VSize, VStride, HSize, HStride>(I, J));
  }
  template <class...> matrix_ref<SurfaceIndex, R, C> select_all() const {
    return matrix_ref<SurfaceIndex, R, C>(Held.select_all());
  }
};

#define POCM_OWNS_SURFACES(Class)                                                                                      \
  Class() = default;                                                                                                   \
  Class(const Class &) = default;                                                                                      \
  Class &operator=(const Class &) & = default;                                                                         \
  Class(SurfaceIndex All) : Base(All.get()) {}                                                                         \
  template <surfaces X> Class(const X &Source) : Base(Source.numbers()) {}                                             \
  template <object X>                                                                                                  \
    requires(is_same<element_type<X>, uint>)                                                                           \
  explicit Class(const X &Numbers) : Base(Numbers) {}                                                                  \
  template <class... S>                                                                                                \
    requires(sizeof...(S) > 1 && sizeof...(S) <= Base::SZ && (is_same<S, SurfaceIndex> && ...))                        \
  Class(S... Elements) : Base(Elements.get()...) {}                                                                    \
  template <surfaces X> Class &operator=(const X &Source) & {                                                          \
    this->Held = Source.numbers();                                                                                     \
    return *this;                                                                                                      \
  }                                                                                                                    \
  Class &operator=(SurfaceIndex All) & {                                                                               \
    this->Held = All.get();                                                                                            \
    return *this;                                                                                                      \
  }
#define POCM_REFERS_TO_SURFACES(Class, Whole)                                                                          \
  Class(const Class &) = default;                                                                                      \
  Class(Whole &Object) : Base(Object.select_all().numbers()) {}                                                        \
  template <object X>                                                                                                  \
    requires(is_same<element_type<X>, uint>)                                                                           \
  explicit Class(const X &Numbers) : Base(Numbers) {}                                                                  \
  const Class &operator=(const Class &Source) const { return this->Held = Source.numbers(), *this; }                   \
  template <surfaces X> const Class &operator=(const X &Source) const {                                                \
    return this->Held = Source.numbers(), *this;                                                                       \
  }                                                                                                                    \
  const Class &operator=(SurfaceIndex All) const { return this->Held = All.get(), *this; }

template <int N>
class vector_of<SurfaceIndex[N]> : public surface_vector<vector<uint, N>, N>,
                                   public vector_source<SurfaceIndex[N], vector<SurfaceIndex, N>> {
  using Base = surface_vector<vector<uint, N>, N>;

public:
  POCM_OWNS_SURFACES(vector_of)
};
template <int R, int C>
class matrix_of<SurfaceIndex[R][C]> : public surface_matrix<matrix<uint, R, C>, R, C>,
                                      public matrix_source<SurfaceIndex[R][C], matrix<SurfaceIndex, R, C>> {
  using Base = surface_matrix<matrix<uint, R, C>, R, C>;

public:
  POCM_OWNS_SURFACES(matrix_of)
};
template <int N>
class vector_ref_of<SurfaceIndex[N]> : public surface_vector<vector_ref<uint, N>, N>,
                                       public vector_source<SurfaceIndex[N], vector_ref<SurfaceIndex, N>> {
  using Base = surface_vector<vector_ref<uint, N>, N>;
  using Whole = vector<SurfaceIndex, N>;

public:
  POCM_REFERS_TO_SURFACES(vector_ref_of, Whole)
};
template <int R, int C>
class matrix_ref_of<SurfaceIndex[R][C]> : public surface_matrix<matrix_ref<uint, R, C>, R, C>,
                                          public matrix_source<SurfaceIndex[R][C], matrix_ref<SurfaceIndex, R, C>> {
  using Base = surface_matrix<matrix_ref<uint, R, C>, R, C>;
  using Whole = matrix<SurfaceIndex, R, C>;

public:
  POCM_REFERS_TO_SURFACES(matrix_ref_of, Whole)
};
#undef POCM_OWNS_SURFACES
#undef POCM_REFERS_TO_SURFACES

/// Geometry of a block of R rows of C elements: the data port pads rows to a power of two of 4 to 64 bytes.
template <class T, int R, int C> struct media_block {
  static constexpr int width = C * int(sizeof(T));
  static constexpr int pitch = width <= 4 ? 4 : width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  static constexpr int columns = pitch / int(sizeof(T));
  static_assert(width <= 64, "media block: a row has at most 64 bytes");
  static_assert(R <= 64, "media block: at most 64 rows");
  static_assert(width > 64 || R > 64 || pitch * R <= 256,
                "media block: rows, each padded to 4, 8, 16, 32 or 64 bytes, have at most 256 bytes together");
};

} // namespace cm::detail

/// Attributes of a surface access; DWALIGNED allows oword reads at multiples of 4 bytes, the others change nothing here.
enum CmBufferAttrib {
  GENX_NONE,
  GENX_TOP_FIELD,
  GENX_BOTTOM_FIELD,
  GENX_DWALIGNED,
  GENX_MODIFIED,
  GENX_MODIFIED_TOP_FIELD,
  GENX_MODIFIED_BOTTOM_FIELD,
  GENX_MODIFIED_DWALIGNED,
  GENX_CONSTANT,
  GENX_CONSTANT_DWALIGNED,
  GENX_NUM_BUFFER_ATTRIB,
  // Older spellings.
  _GENX_NONE = GENX_NONE,
  _GENX_TOP_FIELD = GENX_TOP_FIELD,
  _GENX_BOTTOM_FIELD = GENX_BOTTOM_FIELD,
  _GENX_DWALIGNED = GENX_DWALIGNED,
  _GENX_MODIFIED = GENX_MODIFIED,
  _GENX_MODIFIED_TOP_FIELD = GENX_MODIFIED_TOP_FIELD,
  _GENX_MODIFIED_BOTTOM_FIELD = GENX_MODIFIED_BOTTOM_FIELD,
  _GENX_MODIFIED_DWALIGNED = GENX_MODIFIED_DWALIGNED,
  _GENX_CONSTANT = GENX_CONSTANT,
  _GENX_CONSTANT_DWALIGNED = GENX_CONSTANT_DWALIGNED,
  _GENX_NUM_BUFFER_ATTRIB = GENX_NUM_BUFFER_ATTRIB
};
#define TOP_FIELD(surface) surface, GENX_TOP_FIELD
#define BOTTOM_FIELD(surface) surface, GENX_BOTTOM_FIELD
#define MODIFIED_TOP_FIELD(surface) surface, GENX_MODIFIED_TOP_FIELD
#define MODIFIED_BOTTOM_FIELD(surface) surface, GENX_MODIFIED_BOTTOM_FIELD
#define DWALIGNED(surface) surface, GENX_DWALIGNED
#define MODIFIED(surface) surface, GENX_MODIFIED
#define MODIFIED_DWALIGNED(surface) surface, GENX_MODIFIED_DWALIGNED
#define CONSTANT(surface) surface, GENX_CONSTANT
#define CONSTANT_DWALIGNED(surface) surface, GENX_CONSTANT_DWALIGNED

/// Planes of a surface of several; U and UV are the same, the chroma plane of NV12.
enum CmSurfacePlaneIndex {
  GENX_SURFACE_Y_PLANE = 0,
  GENX_SURFACE_U_PLANE = 1,
  GENX_SURFACE_UV_PLANE = 1,
  GENX_SURFACE_V_PLANE = 2,
  // Older spellings.
  _GENX_SURFACE_Y_PLANE = GENX_SURFACE_Y_PLANE,
  _GENX_SURFACE_U_PLANE = GENX_SURFACE_U_PLANE,
  _GENX_SURFACE_UV_PLANE = GENX_SURFACE_UV_PLANE,
  _GENX_SURFACE_V_PLANE = GENX_SURFACE_V_PLANE
};

namespace cm::detail {

enum media_field { whole_frame = 0, even_rows = 1, odd_rows = 2, zero_outside = 0x100 };

template <int Field, int Plane, class M> void media_read(SurfaceIndex Surface, int X, int Y, M &&Block) {
  using Traits = traits<bare<M>>;
  using T = typename Traits::type;
  constexpr int R = Traits::rows, C = Traits::columns;
  using Geometry = media_block<T, R, C>;
  auto Rows = cm::builtin::media_read<raw<T, R * Geometry::columns>>(Field, Surface.get(), Plane, Geometry::width, X, Y);
  matrix<T, R, Geometry::columns> Padded;
  Padded.initialize(Rows);
  Block = Padded.template select<R, 1, C, 1>(0, 0);
}

template <int Field, int Plane, class M> void media_write(SurfaceIndex Surface, int X, int Y, const M &Block) {
  using Traits = traits<M>;
  using T = typename Traits::type;
  constexpr int R = Traits::rows, C = Traits::columns;
  using Geometry = media_block<T, R, C>;
  static_assert(Geometry::width % 4 == 0, "media block write: a row is a multiple of 4 bytes wide");
  matrix<T, R, Geometry::columns> Padded;
  cm::builtin::region_write(const_cast<T *>(Padded.first()), Block.value(), Geometry::columns, C, 1);
  cm::builtin::media_write(Field, Surface.get(), Plane, Geometry::width, X, Y, Padded.value());
}

/// Calls Access<field>() for the field that an attribute names.
template <class F> void with_field(CmBufferAttrib Attribute, F Access) {
  if (Attribute == GENX_TOP_FIELD || Attribute == GENX_MODIFIED_TOP_FIELD)
    Access.template operator()<even_rows>();
  else if (Attribute == GENX_BOTTOM_FIELD || Attribute == GENX_MODIFIED_BOTTOM_FIELD)
    Access.template operator()<odd_rows>();
  else
    Access.template operator()<whole_frame>();
}

} // namespace cm::detail

// An attribute that a function does not know.
#define POCM_MEDIA_ATTRIBUTE                                                                                           \
  __attribute__((diagnose_if(Attribute == GENX_DWALIGNED || Attribute == GENX_MODIFIED_DWALIGNED ||                    \
                                 Attribute == GENX_CONSTANT_DWALIGNED,                                                 \
                             "DWALIGNED is for oword reads of buffers; a media block needs no such mark", "error")))

/// Reads the block whose first byte is at column X (bytes), row Y of a 2D surface into M, an object or a region.
template <cm::detail::object M> void read(SurfaceIndex Surface, int X, int Y, M &&Block) {
  cm::detail::media_read<0, 0>(Surface, X, Y, Block);
}
/// The same of one field, TOP_FIELD or BOTTOM_FIELD: every other row.
template <cm::detail::object M>
void read(SurfaceIndex Surface, CmBufferAttrib Attribute, int X, int Y, M &&Block) POCM_MEDIA_ATTRIBUTE {
  cm::detail::with_field(Attribute,
                         [&]<int Field>() { cm::detail::media_read<Field, 0>(Surface, X, Y, Block); });
}
/// Writes M to the block whose first byte is at column X (bytes), row Y of a 2D surface.
template <cm::detail::object M> void write(SurfaceIndex Surface, int X, int Y, const M &Block) {
  cm::detail::media_write<0, 0>(Surface, X, Y, Block);
}
template <cm::detail::object M>
void write(SurfaceIndex Surface, CmBufferAttrib Attribute, int X, int Y, const M &Block) POCM_MEDIA_ATTRIBUTE {
  cm::detail::with_field(Attribute,
                         [&]<int Field>() { cm::detail::media_write<Field, 0>(Surface, X, Y, Block); });
}

#define POCM_PLANE(function, action, qualified)                                                                        \
  template <cm::detail::object M>                                                                                      \
  void function(SurfaceIndex Surface, CmBufferAttrib Attribute, CmSurfacePlaneIndex Plane, int X, int Y,               \
                qualified Block) POCM_MEDIA_ATTRIBUTE                                                                  \
      __attribute__((diagnose_if(Plane > 2, #function ": the planes are Y, U (or UV) and V", "error"))) {                \
    cm::detail::with_field(Attribute, [&]<int Field>() {                                                               \
      if (Plane == GENX_SURFACE_Y_PLANE)                                                                               \
        cm::detail::action<Field, 0>(Surface, X, Y, Block);                                                            \
      else if (Plane == GENX_SURFACE_U_PLANE)                                                                          \
        cm::detail::action<Field, 1>(Surface, X, Y, Block);                                                            \
      else                                                                                                             \
        cm::detail::action<Field, 2>(Surface, X, Y, Block);                                                            \
    });                                                                                                                \
  }                                                                                                                    \
  template <cm::detail::object M>                                                                                      \
  void function(SurfaceIndex Surface, CmSurfacePlaneIndex Plane, int X, int Y, qualified Block)                        \
      __attribute__((diagnose_if(Plane > 2, #function ": the planes are Y, U (or UV) and V", "error"))) {                \
    if (Plane == GENX_SURFACE_Y_PLANE)                                                                                 \
      cm::detail::action<0, 0>(Surface, X, Y, Block);                                                                  \
    else if (Plane == GENX_SURFACE_U_PLANE)                                                                            \
      cm::detail::action<0, 1>(Surface, X, Y, Block);                                                                  \
    else                                                                                                               \
      cm::detail::action<0, 2>(Surface, X, Y, Block);                                                                  \
  }
/// Reads or writes a block of a plane of a planar surface: X in bytes, Y in rows of that plane. Zeros where there is none.
POCM_PLANE(read_plane, media_read, M &&)
POCM_PLANE(write_plane, media_write, const M &)
#undef POCM_PLANE
#undef POCM_MEDIA_ATTRIBUTE

/// The legacy transposed read: a block of Rows rows (1, 2, 4 or 8) of Width dwords, X in widths and Y in heights of such
/// blocks; element (i, j) of M is dword i of row j.
enum CmTransposeRows { CM_READ_1 = 1, CM_READ_2 = 2, CM_READ_4 = 4, CM_READ_8 = 8 };
template <cm::detail::object M>
void read_transpose(SurfaceIndex Surface, CmTransposeRows Rows, int Width, int X, int Y, M &&Block)
    __attribute__((diagnose_if(Rows != cm::detail::traits<cm::detail::bare<M>>::columns ||
                                   Width != cm::detail::traits<cm::detail::bare<M>>::rows,
                               "read_transpose: the matrix has a row for each dword and a column for each row read",
                               "error"))) {
  using namespace cm::detail;
  using T = typename traits<bare<M>>::type;
  static_assert(sizeof(T) == 4, "read_transpose: elements of 4 bytes");
  constexpr int W = traits<bare<M>>::rows, H = traits<bare<M>>::columns;
  matrix<T, H, W> Read;
  media_read<0, 0>(Surface, X * W * 4, Y * H, Read);
#pragma unroll
  for (int I = 0; I < W; ++I)
    Block.row(I) = Read.column(I);
}

//===- OWord blocks -----------------------------------------------------------===//

namespace cm::detail {

constexpr int oword = 16;
/// Elements of the smallest message, 1, 2, 4 or 8 owords, that holds `Bytes` bytes.
constexpr int message_elements(int Bytes, int Size) {
  int Owords = 1;
  while (Owords * oword < Bytes)
    Owords *= 2;
  return Owords * oword / Size;
}

template <class M, class Message> void take(M &&Block, Message Value) {
  using Traits = traits<bare<M>>;
  using T = typename Traits::type;
  constexpr int N = Traits::count, Read = int(sizeof(Message) / sizeof(T));
  vector<T, Read> Whole;
  Whole.initialize(Value);
  if constexpr (N == Read)
    Block = Whole;
  else
    Block = Whole.template select<N, 1>(0);
}

template <class M> constexpr void check_oword_read() {
  using Traits = traits<bare<M>>;
  static_assert(Traits::count * int(sizeof(typename Traits::type)) <= 8 * oword, "oword block read: at most 128 bytes");
}
template <class T> constexpr int log2_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;

template <class T, int N> constexpr void check_scattered() {
  static_assert(sizeof(T) <= 4, "scattered read and write: elements of at most 4 bytes");
  static_assert(N >= 1 && N <= 32 && (N & (N - 1)) == 0, "scattered read and write: 1, 2, 4, 8, 16 or 32 elements");
}

/// The scattered messages; offsets and Global count units of 2^Scale bytes.
template <int Scale, class O, class M> void scattered_read(SurfaceIndex Surface, uint Global, const O &Offsets, M &&To) {
  using T = typename traits<bare<M>>::type;
  constexpr int N = traits<bare<M>>::count;
  check_scattered<T, N>();
  To.assign(cm::builtin::scattered_read<raw<T, N>>(raw<ushort, N>(1), Scale, Surface.get(), Global, value_of<uint, N>(Offsets)));
}
template <int Scale, class O, class M>
void scattered_write(SurfaceIndex Surface, uint Global, const O &Offsets, const M &From) {
  using T = typename traits<M>::type;
  constexpr int N = traits<M>::count;
  check_scattered<T, N>();
  cm::builtin::scattered_write(raw<ushort, N>(1), Scale, Surface.get(), Global, value_of<uint, N>(Offsets), From.value());
}

} // namespace cm::detail

/// Reads consecutive bytes of a buffer, from a byte offset that is a multiple of 16 on, into M, row by row.
template <cm::detail::object M> void read(SurfaceIndex Surface, int Offset, M &&Block) {
  using namespace cm::detail;
  check_oword_read<M>();
  using T = typename traits<bare<M>>::type;
  constexpr int Elements = message_elements(traits<bare<M>>::count * int(sizeof(T)), sizeof(T));
  take(static_cast<M &&>(Block), cm::builtin::oword_read<raw<T, Elements>>(0, Surface.get(), Offset >> 4));
}
/// The same; with one of the DWALIGNED attributes the offset is a multiple of 4.
template <cm::detail::object M> void read(SurfaceIndex Surface, CmBufferAttrib Attribute, int Offset, M &&Block) {
  using namespace cm::detail;
  check_oword_read<M>();
  using T = typename traits<bare<M>>::type;
  constexpr int Elements = message_elements(traits<bare<M>>::count * int(sizeof(T)), sizeof(T));
  if (Attribute == GENX_DWALIGNED || Attribute == GENX_MODIFIED_DWALIGNED || Attribute == GENX_CONSTANT_DWALIGNED)
    take(static_cast<M &&>(Block),
         cm::builtin::oword_read_unaligned<raw<T, Elements>>(0, Surface.get(), Offset & ~3));
  else
    read(Surface, Offset, static_cast<M &&>(Block));
}
/// Writes M, 16, 32, 64 or 128 bytes of it, to a buffer at a byte offset that is a multiple of 16.
template <cm::detail::object M> void write(SurfaceIndex Surface, int Offset, const M &Block) {
  using namespace cm::detail;
  using T = typename traits<M>::type;
  constexpr int Bytes = traits<M>::count * int(sizeof(T));
  static_assert(Bytes == oword || Bytes == 2 * oword || Bytes == 4 * oword || Bytes == 8 * oword,
                "oword block write: 16, 32, 64 or 128 bytes");
  cm::builtin::oword_write(Surface.get(), Offset >> 4, Block.value());
}

//===- Scattered --------------------------------------------------------------===//

/// Element k becomes element Global + Offsets[k] of the buffer, seen as elements of M's type.
template <cm::detail::object O, cm::detail::object M>
void read(SurfaceIndex Surface, uint Global, const O &Offsets, M &&Elements) {
  using namespace cm::detail;
  scattered_read<log2_size<typename traits<bare<M>>::type>>(Surface, Global, Offsets, Elements);
}
/// The same; CONSTANT and MODIFIED change nothing.
template <cm::detail::object O, cm::detail::object M>
void read(SurfaceIndex Surface, CmBufferAttrib Attribute, uint Global, const O &Offsets, M &&Elements)
    __attribute__((diagnose_if(Attribute != GENX_CONSTANT && Attribute != GENX_MODIFIED,
                               "a scattered read has the attribute CONSTANT, MODIFIED or none", "error"))) {
  read(Surface, Global, Offsets, static_cast<M &&>(Elements));
}
/// Stores element k of M to element Global + Offsets[k] of the buffer. Of equal offsets any one wins.
template <cm::detail::object O, cm::detail::object M>
void write(SurfaceIndex Surface, uint Global, const O &Offsets, const M &Elements) {
  using namespace cm::detail;
  scattered_write<log2_size<typename traits<M>::type>>(Surface, Global, Offsets, Elements);
}
/// One element of a buffer, counted in elements of T.
template <class T> T read(SurfaceIndex Surface, uint Element) {
  vector<T, 1> Result;
  read(Surface, Element, vector<uint, 1>(0u), Result);
  return Result(0);
}
/// Stores one element; the offset counts elements of the value's type.
template <cm::detail::element T> void write(SurfaceIndex Surface, uint Element, T Value) {
  write(Surface, Element, vector<uint, 1>(0u), vector<T, 1>(Value));
}
template <cm::detail::element T> void write(SurfaceIndex Surface, uint Global, uint Offset, T Value) {
  write(Surface, Global, vector<uint, 1>(Offset), vector<T, 1>(Value));
}
/// As the scattered read and write, with offsets in bytes.
template <cm::detail::object O, cm::detail::object M>
void read_scaled(SurfaceIndex Surface, uint Global, const O &Offsets, M &&Elements) {
  cm::detail::scattered_read<0>(Surface, Global, Offsets, Elements);
}
template <cm::detail::object O, cm::detail::object M>
void write_scaled(SurfaceIndex Surface, uint Global, const O &Offsets, const M &Elements) {
  cm::detail::scattered_write<0>(Surface, Global, Offsets, Elements);
}

//===- Untyped, four channels ---------------------------------------------------===//

/// Which of four consecutive dwords a lane transfers: R the first, A the last.
enum ChannelMaskType {
  CM_R_ENABLE = 1,
  CM_G_ENABLE = 2,
  CM_GR_ENABLE = 3,
  CM_B_ENABLE = 4,
  CM_BR_ENABLE = 5,
  CM_BG_ENABLE = 6,
  CM_BGR_ENABLE = 7,
  CM_A_ENABLE = 8,
  CM_AR_ENABLE = 9,
  CM_AG_ENABLE = 10,
  CM_AGR_ENABLE = 11,
  CM_AB_ENABLE = 12,
  CM_ABR_ENABLE = 13,
  CM_ABG_ENABLE = 14,
  CM_ABGR_ENABLE = 15,
  // Older spellings.
  _CM_R_ENABLE = CM_R_ENABLE,
  _CM_G_ENABLE = CM_G_ENABLE,
  _CM_GR_ENABLE = CM_GR_ENABLE,
  _CM_B_ENABLE = CM_B_ENABLE,
  _CM_BR_ENABLE = CM_BR_ENABLE,
  _CM_BG_ENABLE = CM_BG_ENABLE,
  _CM_BGR_ENABLE = CM_BGR_ENABLE,
  _CM_A_ENABLE = CM_A_ENABLE,
  _CM_AR_ENABLE = CM_AR_ENABLE,
  _CM_AG_ENABLE = CM_AG_ENABLE,
  _CM_AGR_ENABLE = CM_AGR_ENABLE,
  _CM_AB_ENABLE = CM_AB_ENABLE,
  _CM_ABR_ENABLE = CM_ABR_ENABLE,
  _CM_ABG_ENABLE = CM_ABG_ENABLE,
  _CM_ABGR_ENABLE = CM_ABGR_ENABLE
};

/// Channels of four-channel accesses; the bits are those of the hardware, where a set bit switches a channel off. Go by
/// the names.
enum SLM_ChannelMaskType {
  SLM_R_ENABLE = 14,
  SLM_G_ENABLE = 13,
  SLM_GR_ENABLE = 12,
  SLM_B_ENABLE = 11,
  SLM_BR_ENABLE = 10,
  SLM_BG_ENABLE = 9,
  SLM_BGR_ENABLE = 8,
  SLM_A_ENABLE = 7,
  SLM_AR_ENABLE = 6,
  SLM_AG_ENABLE = 5,
  SLM_AGR_ENABLE = 4,
  SLM_AB_ENABLE = 3,
  SLM_ABR_ENABLE = 2,
  SLM_ABG_ENABLE = 1,
  SLM_ABGR_ENABLE = 0,
  // Older spellings.
  _SLM_R_ENABLE = SLM_R_ENABLE,
  _SLM_G_ENABLE = SLM_G_ENABLE,
  _SLM_GR_ENABLE = SLM_GR_ENABLE,
  _SLM_B_ENABLE = SLM_B_ENABLE,
  _SLM_BR_ENABLE = SLM_BR_ENABLE,
  _SLM_BG_ENABLE = SLM_BG_ENABLE,
  _SLM_BGR_ENABLE = SLM_BGR_ENABLE,
  _SLM_A_ENABLE = SLM_A_ENABLE,
  _SLM_AR_ENABLE = SLM_AR_ENABLE,
  _SLM_AG_ENABLE = SLM_AG_ENABLE,
  _SLM_AGR_ENABLE = SLM_AGR_ENABLE,
  _SLM_AB_ENABLE = SLM_AB_ENABLE,
  _SLM_ABR_ENABLE = SLM_ABR_ENABLE,
  _SLM_ABG_ENABLE = SLM_ABG_ENABLE,
  _SLM_ABGR_ENABLE = SLM_ABGR_ENABLE
};

namespace cm::detail {
/// The channels of a mask of either kind, R in bit 0.
constexpr int enabled(ChannelMaskType Mask) { return Mask; }
constexpr int enabled(SLM_ChannelMaskType Mask) { return ~int(Mask) & 15; }
constexpr int channels_of(int Enabled) {
  return (Enabled & 1) + (Enabled >> 1 & 1) + (Enabled >> 2 & 1) + (Enabled >> 3 & 1);
}

template <class M, class O> constexpr void check_channels() {
  static_assert(sizeof(typename traits<M>::type) == 4, "four-channel access: elements of 4 bytes");
  static_assert(traits<O>::count == 8 || traits<O>::count == 16 || traits<O>::count == 32,
                "four-channel access: 8, 16 or 32 lanes");
}
/// Element e * N + k is dword c_e of lane k, where c_e is the e-th enabled channel. Transfer(channel, part) moves one.
template <int N, class M, class F> void each_channel(int Enabled, M &&Data, F Transfer) {
  constexpr int Parts = traits<bare<M>>::count / N;
  int Part = 0;
#pragma unroll
  for (int Channel = 0; Channel < 4; ++Channel)
    if (Enabled >> Channel & 1) {
      if (Part < Parts)
        Transfer(Channel, Data.template format<typename traits<bare<M>>::type>().template select<N, 1>(Part * N));
      ++Part;
    }
}


template <class M, class O> constexpr void check_untyped() {
  static_assert(traits<M>::is_matrix && sizeof(typename traits<M>::type) == 4,
                "untyped read and write: a matrix of elements of 4 bytes, a row for each channel");
  static_assert(traits<O>::count == traits<M>::columns, "untyped read and write: an offset for each column");
  static_assert(traits<O>::count == 8 || traits<O>::count == 16 || traits<O>::count == 32,
                "untyped read and write: 8, 16 or 32 lanes");
}
} // namespace cm::detail

#define POCM_ROW_FOR_EACH_CHANNEL(function)                                                                            \
  __attribute__((diagnose_if(cm::detail::channels_of(Mask) > cm::detail::traits<cm::detail::bare<M>>::rows,            \
                             #function ": the mask enables more channels than the matrix has rows", "error")))

/// Lane k addresses four dwords of a buffer from dword Offsets[k] on. Each enabled channel, in order, fills the next row.
template <cm::detail::object M, cm::detail::object O>
void read_untyped(SurfaceIndex Surface, ChannelMaskType Mask, M &&Channels, const O &Offsets)
    POCM_ROW_FOR_EACH_CHANNEL(read_untyped) {
  using namespace cm::detail;
  check_untyped<bare<M>, O>();
  int Row = 0;
#pragma unroll
  for (int Channel = 0; Channel < 4; ++Channel)
    if (Mask >> Channel & 1)
      read(Surface, 0u, Offsets + uint(Channel), Channels.row(Row++));
}
/// The inverse of read_untyped.
template <cm::detail::object M, cm::detail::object O>
void write_untyped(SurfaceIndex Surface, ChannelMaskType Mask, const M &Channels, const O &Offsets)
    POCM_ROW_FOR_EACH_CHANNEL(write_untyped) {
  using namespace cm::detail;
  check_untyped<M, O>();
  int Row = 0;
#pragma unroll
  for (int Channel = 0; Channel < 4; ++Channel)
    if (Mask >> Channel & 1)
      write(Surface, 0u, Offsets + uint(Channel), Channels.row(Row++));
}
#undef POCM_ROW_FOR_EACH_CHANNEL
