//===- cm/cmtl/mask.h - A packed mask ----------------------------------------------------------===//
#pragma once
#include <cm/cm.h>

namespace cmtl {
/// A bit for each of N lanes.
template <int N> class Mask {
  static_assert(N >= 1 && N <= 32, "Mask: 1 to 32 lanes");
  static constexpr uint Valid = N == 32 ? ~0u : (1u << N) - 1;

public:
  Mask() = default;
  explicit Mask(bool All) : Bits(All ? Valid : 0) {}
  explicit Mask(uint Packed) : Bits(Packed & Valid) {}
  template <cm::detail::object V> explicit Mask(const V &Lanes) {
    vector<ushort, 32> Padded = ushort(0);
    Padded.template select<N, 1>(0) = Lanes != 0;
    Bits = cm_pack_mask(Padded);
  }
  uint get() const { return Bits; }
  template <class T = ushort> vector<T, N> get_vector() const {
    vector<T, N> Lanes = cm_unpack_mask<ushort, 32>(Bits).template select<N, 1>(0);
    return Lanes;
  }
  bool is_all() const { return Bits == Valid; }
  bool is_any() const { return Bits != 0; }
  uint count() const { return cm_cbit(Bits); }
  Mask operator&(Mask O) const { return Mask(Bits & O.Bits); }
  Mask operator|(Mask O) const { return Mask(Bits | O.Bits); }
  Mask operator^(Mask O) const { return Mask(Bits ^ O.Bits); }
  Mask operator~() const { return Mask(~Bits); }
  bool operator==(Mask O) const { return Bits == O.Bits; }
  bool operator!=(Mask O) const { return Bits != O.Bits; }

private:
  uint Bits = 0;
};
} // namespace cmtl
