//===- ReservedSurfaces.h - Surface numbers that have a meaning of their own ----------------===//
//
// What CM IR and every device call a surface that no argument names. They are the numbers of the
// hardware's binding table where it has such (gen-isa: binding table indices from 240 on).
//
//===----------------------------------------------------------------------------------------===//
#pragma once

namespace pocm {

constexpr unsigned SamplerSurface = 252; ///< The launch's samplers, a buffer of them.
constexpr unsigned PrintSurface = 253;   ///< What kernels print into.
constexpr unsigned SlmSurface = 254;     ///< The group's shared local memory.
constexpr unsigned ProgramSurface = 255; ///< The program's __global variables.

} // namespace pocm
