//===- GenTarget.h - What the execution units of a target have --------------------------===//
#pragma once

#include "program/KernelInterface.h"
#include "llvm/ADT/StringRef.h"

namespace pocm::gen {

enum Feature : unsigned {
  HasInt64 = 1,           ///< 64-bit integers in add, shift, logic, compare.
  HasFp64 = 2,            ///< Doubles.
  HasSlmBlocks = 4,       ///< Oword blocks of shared local memory.
  HasIntDivision = 8,     ///< Division of 32-bit integers.
  HasAlign16Ternary = 16, ///< Multiply-adds in Align16 form, which has none of two channels.
  HasLsc = 32,            ///< Messages to the load/store cache.
  CutsGuardedPairs = 64,  ///< The finalizer cuts two channels of words in two, which a predicate does not allow.
  HasDpas = 128,          ///< Systolic products.
  HasNamedBarriers = 256, ///< Barriers that a part of a group takes part in.
  HasLargeGrf = 512,      ///< 256 registers for a thread that asks for them.
  HasDpasPairs = 1024,    ///< Systolic products of two threads that share a source.
  HasDpasTf32 = 2048,     ///< Systolic products of floats with mantissas of 10 bits.
  HasLsc2d = 4096,        ///< Blocks of two dimensions among messages to the load/store cache.
  HasShortLsc = 8192,     ///< Messages to the load/store cache that have no more channels than fill a register.
  LoadsLocalIds = 16384,  ///< Kernels of Level Zero load the local ids of their threads.
  LacksWideMoves = 32768, ///< The finalizer cannot write 64-bit elements four apart, two apart at a place known at run
                          ///< time, nor move 64-bit integers from there.
  HasMediaWalker = 65536, ///< Threads of a thread space have their place in r0; otherwise they are groups of one.
  HasRotation = 131072,   ///< Rotations of dwords.
  LacksHalfImmediates = 262144, ///< Functions of two halves take the first one from a register: the finalizer
                                ///< (1.0.12504) passes an immediate on, which the instruction cannot have.
};

struct GenTarget {
  const char *Name;     ///< As -march takes it.
  const char *Platform; ///< The finalizer's name for it.
  unsigned GrfBytes;    ///< Bytes of a register.
  uint32_t Core;        ///< Its family, in Level Zero programs.
  unsigned Features;

  bool has(Feature F) const { return Features & F; }
  /// Channels of the shortest message to the load/store cache, as the finalizer writes its descriptor.
  unsigned lscChannels() const { return GrfBytes / (has(HasShortLsc) ? 4 : 2); }
};

/// The target of that name, or null when no Gen code is made for it.
const GenTarget *findGenTarget(llvm::StringRef Name);
/// The target of that name. Throws Error when no Gen code is made for it.
const GenTarget &genTargetNamed(llvm::StringRef Name);

} // namespace pocm::gen
