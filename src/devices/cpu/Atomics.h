//===- Atomics.h - Atomics of compiled kernels ---------------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"

namespace pocm::cpu {

/// Called by compiled kernels; the contract stands in codegen/cpu/Abi.h.
void atomicLanes(std::uint32_t number, std::uint32_t count, std::uint32_t bytes, const std::uint8_t *wanted,
                 void *const *addresses, const void *first, const void *second, void *old);

} // namespace pocm::cpu
