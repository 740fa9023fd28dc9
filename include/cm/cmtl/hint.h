//===- cm/cmtl/hint.h - What kinds of floats a function will see ---------------------------------===//
#pragma once

namespace cmtl::hint {
/// A set of classes of floating-point numbers.
class fpclass_tag {
public:
  constexpr explicit fpclass_tag(unsigned Set) : Set(Set) {}
  constexpr fpclass_tag operator|(fpclass_tag O) const { return fpclass_tag(Set | O.Set); }
  constexpr fpclass_tag operator&(fpclass_tag O) const { return fpclass_tag(Set & O.Set); }
  constexpr fpclass_tag operator~() const { return fpclass_tag(~Set & 31); }
  constexpr bool operator==(const fpclass_tag &) const = default;
  constexpr bool has(fpclass_tag O) const { return (Set & O.Set) == O.Set; }

private:
  unsigned Set;
};
inline constexpr fpclass_tag nan{1}, infinite{2}, subnormal{4}, zero{8}, normal{16};
inline constexpr fpclass_tag general = normal | zero, special = nan | infinite | subnormal;
} // namespace cmtl::hint
