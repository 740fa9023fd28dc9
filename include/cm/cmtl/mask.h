//===- cm/cmtl/mask.h - A packed mask ----------------------------------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl {
/// A bit for each of N lanes.
template <int N> class Mask {
  static_assert(N >= 1 && N <= 32, "Mask: 1 to 32 lanes");

public:
  /// The bits of all lanes.
  static constexpr uint full = N == 32 ? ~0u : (1u << N) - 1;
  Mask() = default;
  Mask(bool All) : Bits(All ? full : 0) {}
  explicit Mask(uint Packed) : Bits(Packed & full) {}
  template <cm::detail::object V> Mask(const V &Lanes) {
    vector<ushort, 32> Padded = ushort(0);
    Padded.template select<N, 1>(0) = Lanes != 0;
    Bits = cm_pack_mask(Padded);
  }
  uint get() const { return Bits; }
  template <class T = ushort> vector<T, N> get_vector() const {
    vector<T, N> Lanes = cm_unpack_mask<ushort, 32>(Bits).template select<N, 1>(0);
    return Lanes;
  }
  bool is_all() const { return Bits == full; }
  bool is_any() const { return Bits != 0; }
  uint count() const { return cm_cbit(Bits); }
  operator uint() const { return Bits; }
  Mask &operator&=(Mask O) { return *this = *this & O; }
  Mask &operator|=(Mask O) { return *this = *this | O; }
  Mask &operator^=(Mask O) { return *this = *this ^ O; }
  Mask operator&(Mask O) const { return Mask(Bits & O.Bits); }
  Mask operator|(Mask O) const { return Mask(Bits | O.Bits); }
  Mask operator^(Mask O) const { return Mask(Bits ^ O.Bits); }
  Mask operator~() const { return Mask(~Bits); }
  bool operator==(Mask O) const { return Bits == O.Bits; }
  bool operator!=(Mask O) const { return Bits != O.Bits; }

private:
  uint Bits = 0;
};
template <cm::detail::object V> Mask(const V &) -> Mask<cm::detail::traits<V>::count>;
} // namespace cmtl
