//===- SurfaceEdges.h - Blocks over the edge of their surface --------------------===//
#pragma once

#include "codegen/cpu/Abi.h"

namespace pocm::cpu {

/// Called by compiled kernels; the contract stands in codegen/cpu/Abi.h.
void readBlockOverEdge(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                       std::int32_t rows, std::uint8_t *block, std::int32_t pitch);
void writeBlockOverEdge(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width,
                        std::int32_t rows, const std::uint8_t *block, std::int32_t pitch);

void readBlockOfPart(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                     std::uint8_t *block, std::int32_t pitch, std::uint32_t part);
void writeBlockOfPart(const SurfaceView *surface, std::int32_t x, std::int32_t y, std::int32_t width, std::int32_t rows,
                      const std::uint8_t *block, std::int32_t pitch, std::uint32_t part);

void readBufferOverEnd(const SurfaceView *surface, std::int64_t offset, std::int64_t count, std::uint8_t *block);
void writeBufferOverEnd(const SurfaceView *surface, std::int64_t offset, std::int64_t count, const std::uint8_t *block);

void readMatrixOverEdge(const std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                        std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                        std::uint8_t *block);
void writeMatrixOverEdge(std::uint8_t *matrix, std::int64_t width, std::int64_t height, std::int64_t pitch,
                         std::int64_t x, std::int64_t y, std::int32_t rowBytes, std::int32_t rows, std::int32_t blocks,
                         const std::uint8_t *block);

} // namespace pocm::cpu
