//===- Pixels.h - Typed and sampled access to surfaces --------------------------------===//
#pragma once

#include "codegen/cpu/Abi.h"

namespace pocm::cpu {

/// Called by compiled kernels; the contracts stand in codegen/cpu/Abi.h.
void readPixels(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w, std::uint32_t *channels);
void writePixels(const SurfaceView *surface, std::uint32_t mask, std::uint32_t count, const std::uint8_t *wanted,
                 const std::uint32_t *u, const std::uint32_t *v, const std::uint32_t *w, const std::uint32_t *channels);
void samplePixels(const SurfaceView *surface, const SurfaceView *samplers, std::uint32_t number, std::uint32_t mask,
                  std::uint32_t count, const float *u, const float *v, const float *w, const float *reference,
                  std::uint32_t *channels);

} // namespace pocm::cpu
