// Loops of plain_loops.cpp, which g++ compiles: each does the items from begin to end - 1.
#pragma once

#include <cstddef>
#include <cstdint>

/// Channels are innermost, in the weights outputs; the image has a border. Rows begin to end - 1.
void plain_convolution(const float *image, const float *weights, float *to, std::size_t size, std::size_t width,
                       std::size_t channels, std::size_t outputs, std::size_t begin, std::size_t end);
void plain_copy(const float *from, float *to, std::size_t begin, std::size_t end);
void plain_histogram(const std::uint8_t *pixels, std::size_t begin, std::size_t end, std::uint32_t *counts);
/// Sums of x, of y, and numbers of the points of each centre.
void plain_kmeans(const float *x, const float *y, std::size_t begin, std::size_t end, const float *centres,
                  std::uint32_t count, std::uint32_t *labels, float *sums);
void plain_scan(const std::uint32_t *from, std::uint32_t *to, std::size_t count);
/// A step, of rows begin to end - 1.
void plain_stencil(const float *from, float *to, std::size_t width, std::size_t begin, std::size_t end, float center,
                   float cardinal, float diagonal);
/// What a product with a sparse matrix takes from x, and nothing else: as fast as the CPU gathers.
void plain_gathers(const std::uint32_t *columns, const float *x, float *sum, std::size_t begin, std::size_t end);
void plain_spmv(const std::uint32_t *first, const std::uint32_t *columns, const float *values, const float *x, float *y,
                std::size_t begin, std::size_t end);
