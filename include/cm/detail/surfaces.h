//===- cm/detail/surfaces.h - Memory seen through a SurfaceIndex -----------===//
//
// Media block read and write: a block of a 2D surface, x in bytes and y in rows, both
// signed. Reads outside the surface repeat the nearest edge pixel; writes outside are
// dropped. Specification chapter "Media block read and write".
//
//===----------------------------------------------------------------------===//
#pragma once
#ifndef POCM_CM_H
#error "include <cm/cm.h>, not its parts"
#endif

namespace cm::detail {

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

/// Reads the block whose first byte is at column X (bytes), row Y of a 2D surface into M, an object or a region.
template <cm::detail::object M> void read(SurfaceIndex Surface, int X, int Y, M &&Block) {
  using namespace cm::detail;
  using Traits = traits<bare<M>>;
  using T = typename Traits::type;
  constexpr int R = Traits::rows, C = Traits::columns;
  using Geometry = media_block<T, R, C>;
  auto Rows = cm::builtin::media_read<raw<T, R * Geometry::columns>>(0, Surface.get(), 0, Geometry::width, X, Y);
  matrix<T, R, Geometry::columns> Padded;
  Padded.assign(Rows);
  Block = Padded.template select<R, 1, C, 1>(0, 0);
}

/// Writes M to the block whose first byte is at column X (bytes), row Y of a 2D surface.
template <cm::detail::object M> void write(SurfaceIndex Surface, int X, int Y, const M &Block) {
  using namespace cm::detail;
  using Traits = traits<M>;
  using T = typename Traits::type;
  constexpr int R = Traits::rows, C = Traits::columns;
  using Geometry = media_block<T, R, C>;
  static_assert(Geometry::width % 4 == 0, "media block write: a row is a multiple of 4 bytes wide");
  matrix<T, R, Geometry::columns> Padded;
  Padded.template select<R, 1, C, 1>(0, 0) = Block;
  cm::builtin::media_write(0, Surface.get(), 0, Geometry::width, X, Y, Padded.value());
}
