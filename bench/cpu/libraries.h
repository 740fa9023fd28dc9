// What libraries do instead of the applications' kernels, where they are installed: libraries.cpp, which g++ compiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Highway's vqsort by one of its targets, or std::sort. Its best target is not the fastest everywhere: it stores
/// compressed vectors, which takes hundreds of cycles on Zen 4.
unsigned sort_ways();
void library_sort(std::uint32_t *keys, std::size_t count, unsigned way);

/// Work that is done once, each time it is called; empty where the library is not installed. Libraries use as many
/// host threads as `threads` says.
using Work = std::function<void()>;

/// oneDNN's convolution with zeros beyond the edges; tensors and weights are in the layouts that it likes.
Work library_convolution(long size, long width, long height, long channels, long outputs, int threads);

/// Products of matrices of m x k and k x n elements: type is float, double, half, bf16 or int8 (the last three with
/// sums in float or int), library is openblas or onednn.
Work library_product(const std::string &library, const std::string &type, long m, long n, long k, int threads);

/// OpenCV's histogram of bytes and its integral image of (width + 1) x (height + 1) sums, the first row and column of
/// which are 0.
Work library_histogram(const std::uint8_t *pixels, int width, int height, int threads,
                       std::vector<std::uint32_t> &counts);
Work library_integral(const std::uint8_t *pixels, int width, int height, int threads, std::vector<std::uint32_t> &sums);
