//===- GenTarget.h - What the execution units of a target have --------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace pocm::gen {

enum Feature : unsigned {
  HasInt64 = 1,           ///< 64-bit integers in add, shift, logic, compare.
  HasFp64 = 2,            ///< Doubles.
  HasIntegerDivision = 4, ///< math.iqot and math.irem.
  HasRotate = 8,          ///< rol, ror. No target is said to: the finalizer moves narrower operands into them.
  HasLrp = 16,            ///< lrp, dp2 to dp4, line.
  HasDp4a = 32,           ///< Sum of four products of bytes.
  HasSlmBlocks = 64,      ///< Oword blocks of shared local memory.
};

struct GenTarget {
  const char *Name;     ///< As -march takes it.
  const char *Platform; ///< The finalizer's name for it.
  unsigned GrfBytes;    ///< Bytes of a register.
  unsigned Features;

  bool has(Feature F) const { return Features & F; }
};

/// The target of that name, or null when no Gen code is made for it.
const GenTarget *findGenTarget(llvm::StringRef Name);

} // namespace pocm::gen
