//===- KernelInterface.h - Numbers that kernels and what starts them agree on ---------------===//
//
// Surfaces that no argument names, and what the inputs of Gen code are (GenInput::kind of pocm.h).
// The code generators write them, the devices and program files hold them. ParameterKind, of the
// parameters as the host sees them, is public: pocm.h.
//
//===----------------------------------------------------------------------------------------===//
#pragma once

#include <cstdint>

namespace pocm {

/// They are the numbers of the hardware's binding table where it has such (binding table indices from 240 on).
enum ReservedSurface : unsigned {
  SamplerSurface = 252, ///< The launch's samplers, a buffer of them.
  PrintSurface = 253,   ///< What kernels print into.
  SlmSurface = 254,     ///< The group's shared local memory.
  ProgramSurface = 255, ///< The program's __global variables.
};

/// What a kernel finds at a place of its first registers: a parameter, by its ParameterKind, or what the dispatch
/// gives, by the numbers that .implicit_ inputs have in vISA, times 8.
enum InputKind : std::uint32_t {
  ValueInput = 0,
  SamplerInput = 1,
  SurfaceInput = 2,
  GroupSizeInput = 8,
  GroupCountInput = 16,
  LocalIdInput = 24,
  ProgramDataInput = 32, ///< The address of the program's __global variables.
};
/// The number of an implicit input in vISA.
constexpr unsigned visaNumber(InputKind Kind) { return Kind / 8; }

} // namespace pocm
