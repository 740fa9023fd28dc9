// Debian's libraries as peers; each has a stand-in of the standard library, or none.
#include "libraries.h"
#include <algorithm>

#if __has_include(<hwy/contrib/sort/vqsort.h>)
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

unsigned sort_ways() { return 2; }

void library_sort(std::uint32_t *keys, std::size_t count, unsigned way) {
  hwy::SetSupportedTargetsForTest(way == 0 ? 0 : HWY_AVX2 | HWY_SSE4 | HWY_SSSE3); // 0: all that the CPU has
  hwy::Sorter()(keys, count, hwy::SortAscending());
}
#else
unsigned sort_ways() { return 1; }

void library_sort(std::uint32_t *keys, std::size_t count, unsigned) { std::sort(keys, keys + count); }
#endif
