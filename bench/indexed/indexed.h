//===- indexed.h - Plain C++ peers of indexed_genx.cpp ---------------------------------===//
#pragma once

#include <cstdint>

// Each does what one thread of the kernel of the same name does, on `count` bytes, classes or blocks from `in` on.
void plainHistogram(const std::uint8_t *in, std::uint32_t *h, int count);
void plainTableBytes(const std::uint8_t *in, const std::uint8_t *table, std::uint8_t *out, int count);
void plainTableFloats(const std::uint8_t *in, const float *table, float *out, int count);
void plainRows(const std::uint8_t *classes, const float *in, float *sums, int count);
void plainColumns(const std::uint8_t *classes, const float *in, float *sums, int count);
void plainInsertion(const std::uint32_t *in, std::uint32_t *out, int count, int blocks);
