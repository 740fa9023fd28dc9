// What libraries do instead of the applications' kernels, where they are installed: libraries.cpp, which g++ compiles.
#pragma once

#include <cstddef>
#include <cstdint>

/// Highway's vqsort by one of its targets, or std::sort. Its best target is not the fastest everywhere: it stores
/// compressed vectors, which takes hundreds of cycles on Zen 4.
unsigned sort_ways();
void library_sort(std::uint32_t *keys, std::size_t count, unsigned way);
