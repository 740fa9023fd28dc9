//===- Atomics.h - Dword atomics of compiled kernels ---------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"

namespace pocm::cpu {

/// Called by compiled kernels; the contract stands in codegen/cpu/Abi.h.
void dwordAtomic(const SurfaceView *surface, std::uint32_t number, std::uint32_t count, const std::uint8_t *wanted,
                 const std::uint32_t *offsets, const std::uint32_t *first, const std::uint32_t *second,
                 std::uint32_t *old);

} // namespace pocm::cpu
